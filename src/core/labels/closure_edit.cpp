// Repairs a closure after an edit of its graph: first the tree (TreeEdit), then the rows that
// change, from the bottom up, then the pages that hold them.

#include <algorithm>
#include <bit>
#include <memory>
#include <optional>
#include <utility>

#include "closure_build.hpp"
#include "closure_tree.hpp"
#include "closure_view.hpp"
#include "core/arena.hpp"
#include "core/guarded.hpp"
#include "core/separator/separator_tree.hpp"
#include "tree_edit.hpp"

namespace cairn {
namespace {

constexpr std::uint32_t kNone = ClosureNode::kNone;

struct RowEdge {
    Cost cost = kInfinity;
    std::uint32_t middle = ClosureMiddle::kGraphEdge;
    friend bool operator==(const RowEdge&, const RowEdge&) = default;
    [[nodiscard]] bool is_graph_edge() const noexcept {
        return middle == ClosureMiddle::kGraphEdge;
    }
};

/// A row of the closure before the edit, or one that the edit has changed.
struct EditRow {
    /// The row one way.
    struct Edges {
        const Cost* costs = nullptr;
        const std::uint32_t* words = nullptr;  ///< the middles of a changed row
        const std::uint8_t* bytes = nullptr;   ///< or those of a row as before, packed
    };
    const std::uint16_t* depth = nullptr;
    std::uint32_t length = 0;
    std::uint32_t width = 0;  ///< of `bytes`: see ClosureMiddle::width
    BothWays<Edges> way;

    [[nodiscard]] std::uint32_t middle(std::uint32_t e, Way w) const noexcept {
        const Edges& edges = way[w];
        return edges.words != nullptr ? edges.words[e] : ClosureMiddle::read(edges.bytes, width, e);
    }
    [[nodiscard]] RowEdge edge(std::uint32_t e, Way w) const noexcept {
        return {way[w].costs[e], middle(e, w)};
    }
    [[nodiscard]] bool is_graph_edge(std::uint32_t e, Way w) const noexcept {
        return middle(e, w) == ClosureMiddle::kGraphEdge;
    }
    [[nodiscard]] std::uint32_t find(std::uint32_t wanted) const noexcept {
        return ClosureRow{nullptr, depth, length}.find(wanted);
    }
};

/// Keeps rows that the edit has changed. They stay where they are.
class RowArena {
public:
    explicit RowArena(bool directed) : directed_(directed) {}

    /// Room for a row, to be filled. Without directions only `up` has costs and middles.
    struct Room {
        std::uint16_t* depths = nullptr;
        BothWays<Cost*> costs{};
        BothWays<std::uint32_t*> middles{};
        std::uint32_t length = 0;
    };
    [[nodiscard]] Room take(std::uint32_t length) {
        const std::size_t with_padding = length + ClosureArrays::kPadding;
        Room room;
        room.depths = depths_.take(with_padding);
        for (const Way way : ways(directed_)) {
            room.costs[way] = costs_.take(with_padding);
            room.middles[way] = middles_.take(with_padding);
        }
        room.length = length;
        return room;
    }
    [[nodiscard]] EditRow row(const Room& room) const noexcept {
        const auto edges = [&room](Way way) {
            return EditRow::Edges{room.costs[way], room.middles[way], nullptr};
        };
        return {
            room.depths, room.length, 0, {edges(Way::up), edges(directed_ ? Way::down : Way::up)}};
    }

private:
    static constexpr std::size_t kBlock = 2048;

    bool directed_;
    Arena<Cost> costs_{kBlock};
    Arena<std::uint16_t> depths_{kBlock};
    Arena<std::uint32_t> middles_{kBlock};
};

/// A set of numbers that is emptied from the greatest down, while lower ones are added.
class FallingSet {
public:
    explicit FallingSet(std::size_t size) : words_(size / 64 + 1), at_(words_.size()) {}

    void insert(std::uint32_t number) noexcept {
        words_[number / 64] |= std::uint64_t{1} << (number % 64);
    }
    /// Takes the greatest number out; false if the set is empty.
    [[nodiscard]] bool pop(std::uint32_t& number) noexcept {
        while (at_ > 0 && words_[at_ - 1] == 0) --at_;
        if (at_ == 0) return false;
        const int bit = 63 - std::countl_zero(words_[at_ - 1]);
        words_[at_ - 1] &= ~(std::uint64_t{1} << bit);
        number = static_cast<std::uint32_t>((at_ - 1) * 64) + static_cast<std::uint32_t>(bit);
        return true;
    }

private:
    std::vector<std::uint64_t> words_;
    std::size_t at_;  ///< all words from here on are 0
};

class ClosureEdit {
public:
    ClosureEdit(const Closure::Storage& before, const GraphEdit& edit)
        : before_(before),
          view_(before),
          edit_(edit),
          changes_(edit),
          tree_edit_(before),
          arena_(edit.directed) {}

    Result<Closure> run() {
        if (!changes_.valid(static_cast<std::uint32_t>(before_.places.size())) ||
            !tree_edit_.apply(changes_, edit_.num_nodes)) {
            return fail(StatusCode::bad_option, "closure: the edit names nodes that do not exist");
        }
        if (before_.num_places > 0 && before_.directed != edit_.directed) {
            return fail(StatusCode::bad_option,
                        edit_.directed
                            ? "closure: the edit is of a directed graph, the closure is not"
                            : "closure: the edit is of an undirected graph, the closure is not");
        }
        find_tree();
        if (height_ > ClosureRow::kMaxDepth)
            return fail(StatusCode::too_large, "closure: the tree is higher than 65,535");
        if (is_much_larger()) {
            return fail(StatusCode::too_large,
                        "closure: after so many edits, a fresh order is much smaller");
        }
        places_.resize(tree_edit_.num_places());
        if (tree_edit_.changed()) move_rows();
        mark_changes();
        for (std::uint32_t position = 0; dirty_->pop(position);) repair(tree_.node[position]);
        return Closure(write());
    }

private:
    /// What the edit knows of a place.
    struct Place {
        std::uint32_t row = kNone;      ///< index into rows_, or kNone if its row is as before
        std::uint32_t lower = kNone;    ///< index into lowers_: the first changed row below
        std::uint32_t changed = kNone;  ///< index into changed_: what has changed in its row
        bool arcs_changed = false;
        bool edges_changed = false;  ///< whether other edges may belong into the row
    };
    /// A changed row with an edge to some place above; a list for each such place.
    struct Lower {
        std::uint32_t place;
        std::uint32_t next;
        std::uint32_t edge;  ///< to the place above; kNone if it was removed
        bool edge_has_changed;
    };
    /// An edge of a row that came, went, or has another cost or kind.
    struct ChangedEdge {
        std::uint16_t depth;
        std::uint16_t edge;  ///< in the row; kRemoved if it is gone
        static constexpr std::uint16_t kRemoved = 0xffff;
    };
    /// The changed edges of a row, topmost first: part of changed_edges_.
    struct Changed {
        std::uint32_t first;
        std::uint32_t count;
    };

    /// Whether nodes have far more ancestors than in a fresh order.
    [[nodiscard]] bool is_much_larger() const {
        constexpr double kSmall = 50'000;  // ancestors in all
        double ancestors = 0;
        double present = 0;
        for (std::uint32_t position = 0; position < tree_.node.size(); ++position) {
            if (tree_edit_.node(tree_.node[position]) == kNone) continue;
            ancestors += tree_.depth[position] + 1;
            ++present;
        }
        return ancestors > Closure::kMostWear * before_.fresh_mean() * present + kSmall;
    }

    [[nodiscard]] std::uint32_t depth(std::uint32_t place) const noexcept {
        return tree_.depth[tree_.position[place]];
    }
    /// The row of a place, with the changes so far.
    [[nodiscard]] EditRow row(std::uint32_t place) const noexcept {
        if (places_[place].row != kNone) return rows_[places_[place].row];
        if (place >= view_.num_places()) return {};
        const auto edges = [&](Way way) {
            return EditRow::Edges{view_.row(place, way).cost, nullptr,
                                  view_.middles(place, way).data()};
        };
        const ClosureRow depths = view_.row(place);
        return {depths.depth,
                depths.length,
                view_.node(place).middles & 3,
                {edges(Way::up), edges(Way::down)}};
    }

    void find_tree() {
        if (tree_edit_.changed()) {
            std::vector<std::uint32_t> parents;
            parents.reserve(tree_edit_.num_places());
            for (std::uint32_t p = 0; p < tree_edit_.num_places(); ++p)
                parents.push_back(tree_edit_.parent(p));
            tree_ = place_tree(parents);
        } else {
            tree_ = place_tree(view_);
        }
        for (const std::uint32_t depth : tree_.depth) height_ = std::max(height_, depth);
        dirty_.emplace(tree_.node.size());
        for (const Way way : kept_ways()) by_depth_[way].resize(std::size_t{height_} + 1);
        direct_.resize(std::size_t{height_} + 1, kInfinity);
        is_flagged_.resize(std::size_t{height_} + 1, 0);
        present_.resize(height_ / 64 + 1);
    }

    /// Adapts the rows of places that lie deeper than before to the depths of their upper
    /// neighbours.
    void move_rows() {
        // By the depth of an ancestor before the edit: its depth now.
        std::uint32_t height = height_;
        for (std::uint32_t place = 0; place < view_.num_places(); ++place)
            height = std::max<std::uint32_t>(height, view_.node(place).depth);
        std::vector<std::uint32_t> now(std::size_t{height} + 1, 0);
        for (std::uint32_t position = 0; position < tree_.node.size(); ++position) {
            const std::uint32_t place = tree_.node[position];
            if (place >= view_.num_places() || was_free(place)) continue;
            const std::uint32_t was = view_.node(place).depth;
            const std::uint32_t is = tree_.depth[position];
            now[was] = is;
            if (was == is) continue;
            mark_page(place);
            const EditRow old = row(place);
            const RowArena::Room room = arena_.take(old.length);
            for (std::uint32_t e = 0; e < old.length; ++e)
                room.depths[e] = static_cast<std::uint16_t>(now[old.depth[e]]);
            for (const Way way : kept_ways()) {
                std::copy_n(old.way[way].costs, old.length, room.costs[way]);
                for (std::uint32_t e = 0; e < old.length; ++e)
                    room.middles[way][e] = old.middle(e, way);
            }
            keep(place, arena_.row(room));
        }
    }

    /// Whether a place was not in the tree before the edit.
    [[nodiscard]] bool was_free(std::uint32_t place) const noexcept {
        const auto& free = before_.free_places;
        return view_.node(place).node == kNone &&
               std::binary_search(free.begin(), free.end(), place);
    }

    void keep(std::uint32_t place, const EditRow& row) {
        std::uint32_t& index = places_[place].row;
        if (index == kNone) {
            index = static_cast<std::uint32_t>(rows_.size());
            rows_.push_back(row);
        } else {
            rows_[index] = row;
        }
        mark_page(place);
    }
    void mark_page(std::uint32_t place) {
        const std::uint32_t page = place >> ClosurePage::kShift;
        if (page >= changed_pages_.size()) changed_pages_.resize(page + 1, false);
        changed_pages_[page] = true;
    }

    void mark_changes() {
        for (const std::uint32_t node : changes_.nodes()) {
            const std::uint32_t place = tree_edit_.place(node);
            if (place == kNone) continue;
            places_[place].arcs_changed = places_[place].edges_changed = true;
            dirty_->insert(tree_.position[place]);
        }
        for (const std::uint32_t place : tree_edit_.touched()) {
            mark_page(place);
            places_[place].edges_changed = true;
            dirty_->insert(tree_.position[place]);
        }
        for (const std::uint32_t place : tree_edit_.with_other_arcs()) {
            places_[place].arcs_changed = places_[place].edges_changed = true;
            dirty_->insert(tree_.position[place]);
        }
    }

    /// Computes the row of a place, after those of all places below it. What is known of the row
    /// before the edit is compared with what has changed: arcs, and rows below. Edges whose path
    /// became longer or was lost are then computed again from all rows below.
    void repair(std::uint32_t place) {
        const EditRow old = row(place);
        list_edges(place, old);
        for (const Way way : kept_ways()) {
            begin_edges(old, way);
            flagged_.clear();
            if (places_[place].arcs_changed) take_arcs(place, way);
            for (std::uint32_t i = places_[place].lower; i != kNone; i = lowers_[i].next)
                take_changed_row(place, lowers_[i], way);
            if (!flagged_.empty()) refill(place, way);
        }
        compare(place, old);
    }

    /// The ways that the closure keeps.
    [[nodiscard]] std::span<const Way> kept_ways() const noexcept { return ways(edit_.directed); }

    /// Sets edges_ to the depths of the place's upper neighbours.
    void list_edges(std::uint32_t place, const EditRow& old) {
        edges_.clear();
        if (!places_[place].edges_changed) {
            edges_.assign(old.depth, old.depth + old.length);
            return;
        }
        const std::uint32_t position = tree_.position[place];
        const std::uint32_t own = tree_.depth[position];
        const auto add = [&](std::uint32_t d) {
            if (d < own) present_[d / 64] |= std::uint64_t{1} << (d % 64);
        };
        load_arcs(place);
        for (const GraphEdit::Arc& arc : arcs_) add(depth(tree_edit_.place(arc.node)));
        for (std::uint32_t child = position + 1; child < tree_.end[position];
             child = tree_.end[child]) {
            const EditRow below = row(tree_.node[child]);
            for (std::uint32_t e = 0; e < below.length; ++e) add(below.depth[e]);
        }
        for (std::uint32_t word = 0; word * 64 < own; ++word) {
            for (std::uint64_t bits = present_[word]; bits != 0; bits &= bits - 1)
                edges_.push_back(static_cast<std::uint16_t>(word * 64 + std::countr_zero(bits)));
            present_[word] = 0;
        }
    }

    void load_arcs(std::uint32_t place) {
        arcs_.clear();
        const std::uint32_t node = tree_edit_.node(place);
        if (node == kNone) return;
        if (!edit_.arcs(node, arcs_)) arcs_.clear();
        // An arc that the list of changes lacks may lead anywhere.
        std::erase_if(arcs_, [&](const GraphEdit::Arc& arc) {
            return arc.node >= edit_.num_nodes || tree_edit_.place(arc.node) == kNone;
        });
    }

    /// Sets by_depth_ to the edges before the edit. A new edge is infinite: no row below had it
    /// before, so all that have it now have changed.
    void begin_edges(const EditRow& old, Way way) {
        std::uint32_t o = 0;
        for (const std::uint16_t d : edges_) {
            while (o < old.length && old.depth[o] < d) ++o;
            const bool known = o < old.length && old.depth[o] == d;
            by_depth_[way][d] = known ? old.edge(o, way) : RowEdge{};
        }
    }

    /// Computes the edge at this depth again, in refill().
    void flag(std::uint16_t d, Way way) {
        by_depth_[way][d] = {};
        flagged_.push_back(d);
    }

    /// Takes the changed arcs of the place's node into account.
    void take_arcs(std::uint32_t place, Way way) {
        set_direct(place, way);
        for (const std::uint16_t d : edges_) {
            RowEdge& edge = by_depth_[way][d];
            if (direct_[d] <= edge.cost) {
                edge = {direct_[d], ClosureMiddle::kGraphEdge};
            } else if (edge.is_graph_edge() && edge.cost < kInfinity) {
                flag(d, way);
            }
        }
        clear_direct();
    }

    /// Sets direct_ to the costs of the edges of the graph to ancestors.
    void set_direct(std::uint32_t place, Way way) {
        const std::uint32_t own = depth(place);
        load_arcs(place);
        for (const GraphEdit::Arc& arc : arcs_) {
            const std::uint32_t d = depth(tree_edit_.place(arc.node));
            if (d < own) direct_[d] = std::min(direct_[d], way == Way::up ? arc.cost : arc.back);
        }
    }
    void clear_direct() {
        for (const GraphEdit::Arc& arc : arcs_)
            direct_[depth(tree_edit_.place(arc.node))] = kInfinity;
    }

    /// Takes paths over one changed row below into account: if its edge to `place` has changed, all
    /// of them, else those by other edges that have.
    void take_changed_row(std::uint32_t place, const Lower& lower, Way way) {
        const EditRow below = row(lower.place);
        const bool reaches =
            lower.edge != kNone && below.way[reverse(way)].costs[lower.edge] < kInfinity;
        if (!reaches) {
            if (!lower.edge_has_changed) return;
            for (const std::uint16_t d : edges_) {
                if (leads_over(place, lower.place, d, way)) flag(d, way);
            }
            return;
        }
        const PathOver path(place, lower.place, below, lower.edge, way);
        const std::uint16_t own = below.depth[lower.edge];
        const Changed& list = changed_[places_[lower.place].changed];
        for (const ChangedEdge& changed :
             std::span(changed_edges_).subspan(list.first, list.count)) {
            if (changed.depth >= own) break;
            if (changed.edge == ChangedEdge::kRemoved) {
                if (leads_over(place, lower.place, changed.depth, way)) flag(changed.depth, way);
            } else if (!lower.edge_has_changed) {
                take_path(path, changed.edge);
            }
        }
        if (!lower.edge_has_changed) return;
        for (std::uint32_t e = 0; e < lower.edge; ++e) take_path(path, e);
    }

    [[nodiscard]] bool leads_over(std::uint32_t place, std::uint32_t lower, std::uint16_t d,
                                  Way way) const noexcept {
        const std::uint32_t middle = by_depth_[way][d].middle;
        return middle != ClosureMiddle::kGraphEdge && ClosureMiddle::place(middle, place) == lower;
    }

    /// The paths between `place` and its upper neighbours over `lower`, by the edge `to_place` of
    /// its row.
    struct PathOver {
        PathOver(std::uint32_t from, std::uint32_t over, const EditRow& row, std::uint32_t edge,
                 Way direction) noexcept
            : place(from),
              lower(over),
              below(&row),
              to_place(edge),
              way(direction),
              costs(row.way[direction].costs),
              half(row.way[reverse(direction)].costs[edge]),
              middle(ClosureMiddle::pack(over, from, false, false)) {}
        std::uint32_t place;
        std::uint32_t lower;
        const EditRow* below;
        std::uint32_t to_place;
        Way way;
        const Cost* costs;     ///< of the edges of `below`, this way
        Cost half;             ///< between `place` and `lower`
        std::uint32_t middle;  ///< `lower` as a middle, without flags
    };

    /// Tries the path by edge `e` of the lower row. Of equals the graph's edge wins, then the
    /// middle of the greatest rank. If the best path known so far went the same way and was
    /// shorter, another may be shorter now.
    void take_path(const PathOver& path, std::uint32_t e) {
        const Cost through = path.half + path.costs[e];
        const std::uint16_t d = path.below->depth[e];
        RowEdge& edge = by_depth_[path.way][d];
        const bool same_way = (edge.middle & ~ClosureMiddle::kFlags) == path.middle;
        if (through > edge.cost || through >= kInfinity) {
            if (same_way) flag(d, path.way);
            return;
        }
        if (through == edge.cost && !same_way &&
            (edge.is_graph_edge() || tree_edit_.rank(ClosureMiddle::place(
                                         edge.middle, path.place)) > tree_edit_.rank(path.lower))) {
            return;
        }
        edge = {through,
                ClosureMiddle::pack(path.lower, path.place,
                                    path.below->is_graph_edge(path.to_place, reverse(path.way)),
                                    path.below->is_graph_edge(e, path.way))};
    }

    /// Computes the flagged edges from the arcs and from all rows below.
    void refill(std::uint32_t place, Way way) {
        set_direct(place, way);
        for (const std::uint16_t d : flagged_)
            by_depth_[way][d] = {direct_[d], ClosureMiddle::kGraphEdge};
        clear_direct();
        constexpr std::size_t kFew = 3;
        if (flagged_.size() > kFew) return refill_all(place, way);
        for (const std::uint16_t d : flagged_) {
            // No path leads to an empty place.
            if (tree_edit_.node(ancestor(place, d)) != kNone) refill_one(place, d, way);
        }
    }

    [[nodiscard]] std::uint32_t ancestor(std::uint32_t place, std::uint32_t d) const noexcept {
        std::uint32_t position = tree_.position[place];
        while (tree_.depth[position] > d) position = tree_.parent[position];
        return tree_.node[position];
    }

    void refill_all(std::uint32_t place, Way way) {
        for (const std::uint16_t d : flagged_) is_flagged_[d] = 1;
        for_each_lower(place, way, [&](const PathOver& path) {
            for (std::uint32_t e = 0; e < path.to_place; ++e) {
                if (is_flagged_[path.below->depth[e]]) take_path(path, e);
            }
            return true;
        });
        for (const std::uint16_t d : flagged_) is_flagged_[d] = 0;
    }

    void refill_one(std::uint32_t place, std::uint16_t d, Way way) {
        for_each_lower(place, way, [&](const PathOver& path) {
            const std::uint32_t e = path.below->find(d);
            if (e == path.below->length) return false;
            take_path(path, e);
            return true;
        });
    }

    /// Calls use(path) for the rows below that have an edge to `place`. If a row has none, or use
    /// returns false, no row below it has the edges that are looked for either.
    template <class Use>
    void for_each_lower(std::uint32_t place, Way way, Use&& use) {
        const std::uint32_t position = tree_.position[place];
        const std::uint32_t own = tree_.depth[position];
        for (std::uint32_t lower = position + 1; lower < tree_.end[position];) {
            const EditRow below = row(tree_.node[lower]);
            const std::uint32_t to_place = below.find(own);
            const bool goes_on = to_place < below.length &&
                                 use(PathOver(place, tree_.node[lower], below, to_place, way));
            lower = goes_on ? lower + 1 : tree_.end[lower];
        }
    }

    /// Keeps the row if it has changed, and tells the places above that it concerns.
    void compare(std::uint32_t place, const EditRow& old) {
        bool same = edges_.size() == old.length;
        bool same_edges = same;
        const auto first = static_cast<std::uint32_t>(changed_edges_.size());
        std::uint32_t o = 0;
        const auto removed_before = [&](std::uint32_t d) {
            for (; o < old.length && old.depth[o] < d; ++o) {
                same = same_edges = false;
                changed_edges_.push_back({old.depth[o], ChangedEdge::kRemoved});
            }
        };
        for (std::size_t e = 0; e < edges_.size(); ++e) {
            const std::uint16_t d = edges_[e];
            removed_before(d);
            if (o == old.length || old.depth[o] != d) {
                same = same_edges = false;
                changed_edges_.push_back({d, static_cast<std::uint16_t>(e)});
                continue;
            }
            bool matters = false;  // to places above
            for (const Way way : kept_ways()) {
                const RowEdge was = old.edge(o, way);
                const RowEdge& is = by_depth_[way][d];
                same = same && was == is;
                matters =
                    matters || was.cost != is.cost || was.is_graph_edge() != is.is_graph_edge();
            }
            ++o;
            if (matters) changed_edges_.push_back({d, static_cast<std::uint16_t>(e)});
        }
        removed_before(kNone);
        if (same) return;
        if (changed_edges_.size() > first) {
            places_[place].changed = static_cast<std::uint32_t>(changed_.size());
            changed_.push_back({first, static_cast<std::uint32_t>(changed_edges_.size()) - first});
            tell_above(place, old, std::span(changed_edges_).subspan(first));
        }
        if (!same_edges) {
            const std::uint32_t parent = tree_edit_.parent(place);
            if (parent != kNone) {
                places_[parent].edges_changed = true;
                dirty_->insert(tree_.position[parent]);
            }
        }
        const RowArena::Room room = arena_.take(static_cast<std::uint32_t>(edges_.size()));
        std::copy(edges_.begin(), edges_.end(), room.depths);
        for (const Way way : kept_ways()) {
            for (std::uint32_t e = 0; e < room.length; ++e) {
                const RowEdge& edge = by_depth_[way][edges_[e]];
                room.costs[way][e] = edge.cost;
                room.middles[way][e] = edge.middle;
            }
        }
        keep(place, arena_.row(room));
    }

    /// An edge between two ancestors may change if one of the row's edges to them has. The row of
    /// the lower ancestor has this edge; so the ancestors from the topmost changed edge down are
    /// concerned.
    void tell_above(std::uint32_t place, const EditRow& old, std::span<const ChangedEdge> changed) {
        std::uint32_t position = tree_.position[place];
        const std::uint32_t own = tree_.depth[position];
        const std::uint16_t topmost = changed.front().depth;
        const auto tell = [&](std::uint32_t d, std::uint32_t edge) {
            // A place that the tree has lost has no ancestors. Its row was infinite.
            if (d >= own) return;
            while (tree_.depth[position] > d) position = tree_.parent[position];
            while (!changed.empty() && changed.back().depth > d)
                changed = changed.first(changed.size() - 1);
            const bool has_changed = !changed.empty() && changed.back().depth == d;
            std::uint32_t& first = places_[tree_.node[position]].lower;
            lowers_.push_back({place, first, edge, has_changed});
            first = static_cast<std::uint32_t>(lowers_.size() - 1);
            dirty_->insert(position);
        };
        // From the lowest edge up, those of the row and those that went.
        std::size_t n = edges_.size();
        std::uint32_t o = old.length;
        for (;;) {
            const bool has_new = n > 0 && edges_[n - 1] >= topmost;
            const bool has_old = o > 0 && old.depth[o - 1] >= topmost;
            if (!has_new && !has_old) return;
            if (has_old && (!has_new || old.depth[o - 1] > edges_[n - 1])) {
                tell(old.depth[--o], kNone);
                continue;
            }
            --n;
            if (has_old && old.depth[o - 1] == edges_[n]) --o;
            tell(edges_[n], static_cast<std::uint32_t>(n));
        }
    }

    std::shared_ptr<const Closure::Storage> write() {
        auto after = std::make_shared<Closure::Storage>();
        after->num_places = tree_edit_.num_places();
        after->directed = edit_.directed;
        const std::size_t pages =
            (std::size_t{after->num_places} + ClosurePage::kPlaces - 1) / ClosurePage::kPlaces;
        after->pages.reserve(pages);
        after->pages = before_.pages;
        after->pages.resize(pages);
        after->owners.reserve(pages);
        after->owners = before_.owners;
        after->owners.resize(pages);
        for (std::uint32_t i = 0; i < changed_pages_.size(); ++i) {
            if (!changed_pages_[i]) continue;
            const std::shared_ptr<const FlatClosure> page = page_of(i);
            after->pages[i] = {page->nodes.data(), page->depths.data(), page->rows()};
            after->owners[i] = page;
        }
        after->places = tree_edit_.take_places();
        after->fresh_present = before_.fresh_present;
        after->fresh_ancestors = before_.fresh_ancestors;
        if (!tree_edit_.changed()) {
            after->positions = before_.positions;
            after->ranks = before_.ranks;
            after->free_places = before_.free_places;
            after->ancestors = before_.ancestors;
            after->present = before_.present;
            return after;
        }
        for (std::uint32_t position = 0; position < tree_.node.size(); ++position) {
            if (tree_edit_.node(tree_.node[position]) == kNone) continue;
            after->ancestors += tree_.depth[position] + 1U;
            ++after->present;
        }
        after->free_places = tree_edit_.take_free();
        set_order(*after, std::move(tree_.position), tree_edit_.take_ranks());
        return after;
    }

    /// The memory of a page.
    [[nodiscard]] std::shared_ptr<const FlatClosure> page_of(std::uint32_t number) const {
        const std::uint32_t begin = number << ClosurePage::kShift;
        const std::uint32_t end = std::min(begin + ClosurePage::kPlaces, tree_edit_.num_places());
        const auto page = std::make_shared<FlatClosure>();
        page->directed = edit_.directed;
        std::size_t edges = 0;
        for (std::uint32_t place = begin; place < end; ++place) edges += row(place).length;
        page->nodes.reserve(end - begin);
        for (const Way way : kept_ways()) {
            page->costs[way].reserve(edges);
            page->middles[way].reserve(2 * edges + ClosureArrays::kPadding);
        }
        std::size_t first = 0;
        for (std::uint32_t place = begin; place < end; ++place) {
            const EditRow from = row(place);
            ClosureNode node;
            node.first = static_cast<std::uint32_t>(first);
            first += from.length;
            node.depths = page->add_depths({from.depth, from.length});
            node.parent = tree_edit_.parent(place);
            node.node = tree_edit_.node(place);
            node.depth = static_cast<std::uint16_t>(depth(place));
            node.length = static_cast<std::uint16_t>(from.length);
            const std::uint32_t width = width_of(from);
            for (const Way way : kept_ways()) {
                const EditRow::Edges& row = from.way[way];
                page->costs[way].insert(page->costs[way].end(), row.costs, row.costs + from.length);
                node.middles = append_middles(from, way, width, page->middles[way]);
            }
            page->nodes.push_back(node);
        }
        page->pad_depths();
        page->pad_middles();
        return page;
    }

    /// The width of a row's middles in memory.
    [[nodiscard]] std::uint32_t width_of(const EditRow& from) const {
        if (from.way.up.words == nullptr) return from.width;
        std::uint32_t all = 0;
        for (const Way way : kept_ways())
            for (std::uint32_t e = 0; e < from.length; ++e) all |= from.way[way].words[e];
        return ClosureMiddle::width(all);
    }

    /// Appends the middles of a row and returns their ClosureNode::middles.
    static std::uint32_t append_middles(const EditRow& from, Way way, std::uint32_t width,
                                        std::vector<std::uint8_t>& out) {
        const EditRow::Edges& row = from.way[way];
        if (row.words != nullptr) return append_packed({row.words, from.length}, width, out);
        const std::size_t begin = out.size();
        append_bytes({row.bytes, std::size_t{from.length} << width}, out);
        return static_cast<std::uint32_t>(begin / 4) << 2 | width;
    }

    const Closure::Storage& before_;
    ClosureView view_;
    const GraphEdit& edit_;
    ChangedArcs changes_;
    TreeEdit tree_edit_;
    SeparatorTree tree_;  ///< after the edit
    std::uint32_t height_ = 0;

    std::vector<Place> places_;  ///< by place
    std::vector<Lower> lowers_;
    std::vector<Changed> changed_;
    std::vector<ChangedEdge> changed_edges_;
    RowArena arena_;
    std::vector<EditRow> rows_;
    std::vector<bool> changed_pages_;
    std::optional<FallingSet> dirty_;  ///< positions whose rows must be looked at

    // The row that is repaired.
    std::vector<std::uint16_t> edges_;         ///< depths, ascending
    BothWays<std::vector<RowEdge>> by_depth_;  ///< valid at the depths in edges_
    std::vector<std::uint16_t> flagged_;    ///< those of edges to be computed from all rows below
    std::vector<std::uint8_t> is_flagged_;  ///< by depth; 0 between uses
    std::vector<Cost> direct_;              ///< by depth, of arcs; kInfinity between uses
    std::vector<std::uint64_t> present_;
    std::vector<GraphEdit::Arc> arcs_;
};

}  // namespace

Result<Closure> Closure::edited(const GraphEdit& edit) const noexcept try {
    if (storage_ == nullptr) return ClosureEdit(Storage{}, edit).run();
    return ClosureEdit(*storage_, edit).run();
} catch (...) {
    return out_of_memory();
}

}  // namespace cairn
