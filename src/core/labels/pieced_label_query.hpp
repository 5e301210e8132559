#pragma once
// A query of labels with pieces: it climbs to the labels above the pieces of its ends, and goes on
// by these labels. Finds the same cost and the same path as ClimbQuery.

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <tuple>
#include <vector>

#include "cairn/cut_labels.hpp"
#include "climb_query.hpp"
#include "closure_view.hpp"
#include "cut_labels_query.hpp"
#include "cut_labels_tree.hpp"
#include "hop_path.hpp"
#include "label_pages.hpp"
#include "paged_label_path.hpp"
#include "unpack.hpp"

namespace cairn {

/// One query. The portals of a side are the nodes with labels where its climbs leave the pieces:
/// the connectors of a query by labels.
class PiecedLabelQuery {
public:
    PiecedLabelQuery(const CutLabels& labels, std::span<const Connector> from,
                     std::span<const Connector> to, CutLabelScratch& scratch)
        : labels_(labels),
          arrays_(labels.arrays()),
          pages_(labels.pages()),
          up_(arrays_, pages_, Way::up),
          down_(arrays_, pages_, Way::down),
          closure_(*labels.closure().storage()),
          scratch_(scratch),
          pieces_(scratch.pieces_),
          climb_(closure_, from, to, pieces_.climb_),
          view_(closure_) {}

    Cost cost = kInfinity;

    /// Finds the cost; with kPath also what take_path() needs.
    template <bool kPath>
    void run() {
        pieces_.from_.portals.clear();
        pieces_.to_.portals.clear();
        climb_.run_up_to<kPath>(*this);
        list_connectors(pieces_.from_, kPath);
        list_connectors(pieces_.to_, kPath);
        by_labels_.emplace(labels_, pieces_.from_.connectors, pieces_.to_.connectors, scratch_,
                           pieces_.to_.origins);
        by_labels_->run<kPath>();
        cost = std::min(climb_.cost, by_labels_->cost);
    }

    /// Replaces `nodes` by those of the path and returns its cost; kInfinity and no nodes if there
    /// is none or the arrays are forged. Call it after run<kWithPath>().
    [[nodiscard]] Cost take_path(std::vector<std::uint32_t>& nodes) {
        nodes.clear();
        if (cost == kInfinity) return kInfinity;
        // Of equal costs, the first goal connector wins, then the lowest meeting.
        const std::uint32_t portal = by_labels_->goal;
        if (climb_.cost < by_labels_->cost ||
            (climb_.cost == by_labels_->cost && portal != CutLabelQuery::kNone &&
             climb_.goal() <= pieces_.to_.origins[portal])) {
            return climb_.take_path(nodes);
        }
        if (write_path(nodes)) return cost;
        nodes.clear();
        return kInfinity;
    }

    // The nodes with labels are the top for ClimbQuery::run_up_to, which calls these.

    static constexpr bool kEmpty = false;

    [[nodiscard]] bool contains(std::uint32_t place) const {
        const std::uint32_t node = view_.node(place).node;
        return node != kNone && arrays_.nodes[node].length > 0;
    }
    [[nodiscard]] std::uint32_t shared(std::uint32_t place, std::uint32_t other) const {
        const CutLabelNode& a = arrays_.nodes[view_.node(place).node];
        const CutLabelNode& b = arrays_.nodes[view_.node(other).node];
        if (b.place == CutLabelArrays::kNowhere) return 0;
        return std::min({shared_entries(arrays_, a, b), depth(a) + 1, depth(b) + 1});
    }
    void begin(std::uint32_t place) {
        group_ = arrays_.nodes[view_.node(place).node].group;
        cheapest_from_ = pieces_.from_.portals.size();
        cheapest_to_ = pieces_.to_.portals.size();
    }
    void add(std::uint32_t depth, bool goal, const ClosureScratch::Seen& seen) {
        while (arrays_.group_common[group_] > depth) group_ = arrays_.groups[group_].parent;
        const std::size_t at =
            std::size_t{arrays_.groups[group_].place} + depth - arrays_.group_common[group_];
        if (at >= arrays_.places.size()) return;  // only on forged arrays
        const std::uint32_t node = arrays_.places[at].node;
        if (node == kNone || arrays_.nodes[node].length == 0) return;
        std::vector<Portal>& portals = (goal ? pieces_.to_ : pieces_.from_).portals;
        // The path over a lower portal may be shorter.
        std::size_t& best = goal ? cheapest_to_ : cheapest_from_;
        if (best < portals.size()) {
            const Cost over = portals[best].cost +
                              label_cost(portals[best].node, depth, goal ? Way::down : Way::up);
            if (over < seen.cost) return;
            if (seen.cost < portals[best].cost) best = portals.size();
        }
        portals.push_back({node, seen.cost, seen.origin, seen.last, depth});
    }

private:
    using Portal = PiecedLabelScratch::Portal;
    using Side = PiecedLabelScratch::Side;
    using Visit = ClimbQuery::Visit;
    static constexpr std::uint32_t kNone = ClosureNode::kNone;

    /// The number of ancestors of the record's node that has a label.
    [[nodiscard]] std::uint32_t depth(const CutLabelNode& node) const {
        return arrays_.group_common[node.group] + (node.place - arrays_.groups[node.group].place);
    }

    /// Sorts the portals that may be on a best path by origin, the lowest of each first, and lists
    /// them as connectors.
    void list_connectors(Side& side, bool with_path) const {
        std::erase_if(side.portals, [&](const Portal& p) { return p.cost > climb_.cost; });
        if (with_path) {
            std::sort(side.portals.begin(), side.portals.end(),
                      [](const Portal& a, const Portal& b) {
                          return std::tuple(a.origin, b.depth, a.node) <
                                 std::tuple(b.origin, a.depth, b.node);
                      });
        }
        side.connectors.clear();
        side.origins.clear();
        for (const Portal& portal : side.portals) {
            side.connectors.push_back({portal.node, portal.cost});
            side.origins.push_back(portal.origin);
        }
    }

    /// An entry of a node's label.
    [[nodiscard]] Cost label_cost(std::uint32_t node, std::uint32_t entry, Way way) const {
        const CutLabelNode& record = arrays_.nodes[node];
        if (entry >= record.length) return kInfinity;
        return (way == Way::up ? up_ : down_)(record.first)[entry];
    }

    /// Sets `nodes` to those with labels where the path from a portal to the meeting goes, without
    /// the meeting, or at least to those where its closure edges begin. False on forged arrays.
    [[nodiscard]] bool trace_labels(std::uint32_t portal, Way way, const CutLabelMeeting& meeting,
                                    std::vector<std::uint32_t>& nodes) const {
        if (pages_ != nullptr) {
            PagedLabelPath path(arrays_, *pages_, pieces_.climb_);
            if (!path.trace(portal, meeting.entry, way, nodes)) return false;
            for (std::uint32_t& place : nodes) place = view_.node(place).node;
            return true;
        }
        const std::uint32_t end = arrays_.places[meeting.place].node;
        return HopPath(arrays_, meeting.place, meeting.entry)
            .up_to_known(portal, labels_of(arrays_, way), nodes,
                         [end](std::uint32_t v) { return v == end; });
    }

    /// The portal of the best path from the origin of the portal `winner` to the meeting. Sets
    /// side.labelled to the nodes with labels on this path, without the meeting. Null on forged
    /// arrays.
    [[nodiscard]] const Portal* choose_portal(Side& side, Way way, std::uint32_t winner,
                                              const CutLabelMeeting& meeting) {
        const Portal& first = side.portals[winner];
        const CutLabelNode& first_node = arrays_.nodes[first.node];
        const std::uint32_t entry = meeting.entry;
        if (entry >= first_node.length) return nullptr;
        const Cost wanted = first.cost + label_cost(first.node, entry, way);
        const Portal* best = nullptr;
        for (const Portal& portal : side.portals) {
            const CutLabelNode& node = arrays_.nodes[portal.node];
            if (portal.origin != first.origin || entry >= node.length ||
                shared_entries(arrays_, node, first_node) <= entry ||
                portal.cost + label_cost(portal.node, entry, way) != wanted) {
                continue;
            }
            std::vector<std::uint32_t>& path = best == nullptr ? side.labelled : pieces_.other_;
            if (!trace_labels(portal.node, way, meeting, path)) return nullptr;
            if (best != nullptr) {
                if (!keeps_lower(path, side.labelled)) continue;
                std::swap(side.labelled, pieces_.other_);
            }
            best = &portal;
        }
        return best;
    }

    /// Of two paths up to a meeting from portals on one path of the tree: whether `path` keeps
    /// lower than `other`. Closure edges begin where a path is higher than before; seen from the
    /// meeting, the first of them that differ decide. Below a portal, the edge begins in a piece.
    [[nodiscard]] bool keeps_lower(std::span<const std::uint32_t> path,
                                   std::span<const std::uint32_t> other) const {
        for (;;) {
            const auto a = last_edge(path);
            const auto b = last_edge(other);
            if (path.empty() || other.empty()) return path.empty() && !other.empty();
            if (path[a] != other[b])
                return arrays_.nodes[path[a]].length > arrays_.nodes[other[b]].length;
            path = path.first(a);
            other = other.first(b);
        }
    }

    /// The index of the highest node of a path, where its last closure edge begins.
    [[nodiscard]] std::size_t last_edge(std::span<const std::uint32_t> path) const {
        const auto highest =
            std::min_element(path.begin(), path.end(), [this](std::uint32_t a, std::uint32_t b) {
                return arrays_.nodes[a].length < arrays_.nodes[b].length;
            });
        return static_cast<std::size_t>(highest - path.begin());
    }

    [[nodiscard]] bool write_path(std::vector<std::uint32_t>& nodes) {
        const CutLabelMeeting meeting = by_labels_->take_meeting();
        if (meeting.cost == kInfinity) return false;
        Side& from = pieces_.from_;
        Side& to = pieces_.to_;
        const Portal* const start = choose_portal(from, Way::up, meeting.start, meeting);
        const Portal* const goal = choose_portal(to, Way::down, meeting.goal, meeting);
        if (start == nullptr || goal == nullptr ||
            !climb_.trace(closure_.places[start->node], start->last, &Visit::from, from.places) ||
            !climb_.trace(closure_.places[goal->node], goal->last, &Visit::to, to.places)) {
            return false;
        }
        // The places where the closure edges of the path begin and end.
        std::vector<std::uint32_t>& places = pieces_.other_;
        places.assign(from.places.rbegin(), from.places.rend());
        const auto add = [&](std::uint32_t node) { places.push_back(closure_.places[node]); };
        for (std::size_t i = 1; i < from.labelled.size(); ++i) add(from.labelled[i]);
        if (!from.labelled.empty()) add(arrays_.places[meeting.place].node);
        for (std::size_t i = to.labelled.size(); i-- > 0;) add(to.labelled[i]);
        if (to.labelled.empty() && places.back() != to.places.front()) return false;
        places.insert(places.end(), to.places.begin() + 1, to.places.end());
        return ClosureUnpacker(view_, pieces_.climb_.halves_).append_path(places, nodes);
    }

    const CutLabels& labels_;
    const CutLabelArrays& arrays_;
    const CutLabels::Pages* pages_;  ///< null for labels in one piece
    LabelEntries up_;
    LabelEntries down_;
    const Closure::Storage& closure_;
    CutLabelScratch& scratch_;
    PiecedLabelScratch& pieces_;
    ClimbQuery climb_;
    ClosureView view_;
    std::uint32_t group_ = 0;  ///< of the place of begin(), or above
    /// The indices of the cheapest portals since begin(); the number of portals if there is none.
    std::size_t cheapest_from_ = 0;
    std::size_t cheapest_to_ = 0;
    std::optional<CutLabelQuery> by_labels_;
};

}  // namespace cairn
