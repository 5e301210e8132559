#pragma once
// The search step by climbing on a device: from the connectors of both ends up the closure of the
// labels, and the path through it. Among equals it chooses as ClimbQuery (core/labels).

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "batch/device/closure_form.hpp"
#include "batch/device/kernel_task.hpp"
#include "batch/device/labels.hpp"
#include "batch/device/team.hpp"
#include "cairn/closure.hpp"
#include "cairn/cost.hpp"
#include "core/fixed_vector.hpp"
#include "core/host_device.hpp"
#include "core/labels/closure_edge.hpp"
#include "core/labels/unpack.hpp"

namespace cairn::batch {

/// A connector of either side.
struct ClimbSource {
    std::uint32_t position = 0;
    std::uint32_t place = 0;
    std::uint32_t slot = 0;
    Cost cost = 0;
    bool goal = false;
};

/// What one side knows of a node: see ClosureScratch.
struct ClimbSeen {
    Cost cost = kInfinity;
    std::uint32_t origin = 0;
    std::uint32_t last = 0;
};

struct ClimbVisit {
    std::uint32_t position = 0;
    std::uint32_t place = 0;
    ClimbSeen from;
    ClimbSeen to;
};

/// Scratch of a team.
struct ClimbMemory {
    /// Paths that would need more visits are left to the host.
    static constexpr std::size_t kMostVisits = std::size_t{1} << 14;

    CAIRN_HOST_DEVICE ClimbMemory(const ClosureForm& closure, std::uint32_t most_connectors,
                                  Carver& carver) noexcept
        : unsorted(carver.take<ClimbSource>(2 * std::size_t{most_connectors})),
          sources(carver.take<ClimbSource>(2 * std::size_t{most_connectors})),
          from(carver.take<ClimbSeen>(closure.height)),
          to(carver.take<ClimbSeen>(closure.height)),
          most_visits(std::min({std::size_t{closure.num_places()}, kMostVisits,
                                2 * std::size_t{most_connectors} * closure.height})),
          visits(carver.take<ClimbVisit>(most_visits)),
          places(carver.take<std::uint32_t>(2 * std::size_t{closure.height} + 1)),
          halves(carver.take<ClosureHalf>(closure.height)) {}

    ClimbSource* unsorted;
    ClimbSource* sources;  // in falling order of positions
    ClimbSeen* from;       // by depth, of the nodes from the current one up
    ClimbSeen* to;
    std::size_t most_visits;
    ClimbVisit* visits;     // in falling order of positions
    std::uint32_t* places;  // of a path
    ClosureHalf* halves;
};

/// One query. All lanes of a team call each public function, and get the same result.
template <class Team>
class ClimbSearch {
public:
    CAIRN_HOST_DEVICE ClimbSearch(const ClosureForm& closure, const Team& team,
                                  const ClimbMemory& memory) noexcept
        : closure_(closure), team_(team), memory_(memory) {}

    /// The least cost of a path from one list of connectors to the other; kInfinity if there is
    /// none, or if `with_path` is set and the visits have no room.
    [[nodiscard]] CAIRN_HOST_DEVICE Cost find(const LabelSide& from, const LabelSide& to,
                                              bool with_path) {
        with_path_ = with_path;
        cost_ = kInfinity;
        visits_ = 0;
        const std::uint32_t count = sort_sources(from, to);
        for (std::uint32_t i = 0; i < count;) {
            if (!climb_tree(i, count)) return kInfinity;
        }
        return cost_;
    }

    /// Writes the nodes of the path that was found, from start to goal, and returns how many there
    /// are: 0 if there is no room, or on forged arrays.
    [[nodiscard]] CAIRN_HOST_DEVICE std::size_t write(FixedList nodes) const {
        const std::uint32_t meeting = best_visit();
        std::uint64_t count = 0;
        if (team_.lane() == 0 && meeting < visits_) count = unpack(meeting, nodes);
        return static_cast<std::size_t>(team_.broadcast(count));
    }

private:
    static constexpr std::uint32_t kNone = ClosureNode::kNone;
    static constexpr std::uint64_t kNothing = ~std::uint64_t{0};

    /// Sets the sources to the usable connectors, and returns how many there are.
    [[nodiscard]] CAIRN_HOST_DEVICE std::uint32_t sort_sources(const LabelSide& from,
                                                               const LabelSide& to) const {
        std::uint32_t count = collect(from, false, 0);
        count = collect(to, true, count);
        team_.sync();
        for (std::uint32_t i = team_.lane(); i < count; i += team_.lanes()) {
            const ClimbSource& mine = memory_.unsorted[i];
            std::uint32_t rank = 0;
            for (std::uint32_t k = 0; k < count; ++k) {
                const std::uint32_t other = memory_.unsorted[k].position;
                rank += other > mine.position || (other == mine.position && k < i) ? 1 : 0;
            }
            memory_.sources[rank] = mine;
        }
        team_.sync();
        return count;
    }

    [[nodiscard]] CAIRN_HOST_DEVICE std::uint32_t collect(const LabelSide& side, bool goal,
                                                          std::uint32_t count) const {
        const auto slots = static_cast<std::uint32_t>(side.vertices.size());
        for (std::uint32_t base = 0; base < slots; base += team_.lanes()) {
            const std::uint32_t slot = base + team_.lane();
            const bool costs = slot < slots && side.costs[slot] < kInfinity &&
                               side.vertices[slot] < closure_.places.size();
            const std::uint32_t place = costs ? closure_.places[side.vertices[slot]] : kNone;
            const LaneCount lanes = team_.count(place != kNone);
            if (place != kNone) {
                memory_.unsorted[count + lanes.before] = {closure_.position(place), place, slot,
                                                          side.costs[slot], goal};
            }
            count += lanes.all;
        }
        return count;
    }

    /// Visits one tree, from source i up; sets i to the first source that lies in another tree.
    /// False if the visits have no room.
    CAIRN_HOST_DEVICE bool climb_tree(std::uint32_t& i, std::uint32_t count) {
        const ClimbSource* const sources = memory_.sources;
        std::uint32_t at = sources[i].place;
        forget(0, closure_.nodes[at].depth);
        for (;;) {
            const ClosureNode& node = closure_.nodes[at];
            for (; i < count && sources[i].place == at; ++i)
                if (team_.lane() == 0) add(sources[i], node.depth);
            team_.sync();
            const ClimbSeen from = memory_.from[node.depth];
            const ClimbSeen to = memory_.to[node.depth];
            cost_ = std::min(cost_, from.cost + to.cost);
            if (with_path_) {
                if (visits_ == memory_.most_visits) return false;
                if (team_.lane() == 0)
                    memory_.visits[visits_] = {closure_.position(at), at, from, to};
                ++visits_;
            }
            if (from.cost < cost_) pass_on(node, Way::up, at, from, memory_.from);
            if (to.cost < cost_) pass_on(node, Way::down, at, to, memory_.to);
            team_.sync();
            const std::uint32_t parent = node.parent;
            if (parent == kNone) return true;
            at = parent;
            if (i < count && sources[i].position > closure_.position(parent)) {
                // The next source lies in another branch below the parent.
                at = sources[i].place;
                forget(closure_.nodes[parent].depth + 1U, closure_.nodes[at].depth);
            }
        }
    }

    /// Forgets the costs at depths from `first` to `last`.
    CAIRN_HOST_DEVICE void forget(std::uint32_t first, std::uint32_t last) const {
        for (std::uint32_t depth = first + team_.lane(); depth <= last; depth += team_.lanes())
            memory_.from[depth] = memory_.to[depth] = {};
        team_.sync();
    }

    CAIRN_HOST_DEVICE void add(const ClimbSource& source, std::uint32_t depth) const {
        ClimbSeen& seen = (source.goal ? memory_.to : memory_.from)[depth];
        // A path that begins here wins over one from the same connector elsewhere.
        if (source.cost > seen.cost || (source.cost == seen.cost && source.slot > seen.origin))
            return;
        seen = {source.cost, source.slot, source.place};
    }

    /// Lowers the costs of the upper neighbours, an edge a lane.
    CAIRN_HOST_DEVICE void pass_on(const ClosureNode& node, Way way, std::uint32_t place,
                                   const ClimbSeen& seen, ClimbSeen* side) const {
        const Cost* const costs = closure_.costs[way].data() + node.first;
        const std::uint16_t* const depths = closure_.depths.data() + node.depths;
        for (std::uint32_t e = team_.lane(); e < node.length; e += team_.lanes()) {
            const Cost cost = seen.cost + costs[e];
            ClimbSeen& upper = side[depths[e]];
            if (cost < upper.cost || (cost == upper.cost && seen.origin < upper.origin))
                upper = {cost, seen.origin, place};
        }
    }

    /// The visit where the best path has its topmost node: that with the first goal connector, then
    /// the lowest.
    [[nodiscard]] CAIRN_HOST_DEVICE std::uint32_t best_visit() const {
        std::uint64_t best = kNothing;
        for (std::uint32_t v = team_.lane(); v < visits_; v += team_.lanes()) {
            const ClimbVisit& visit = memory_.visits[v];
            if (visit.from.cost < kInfinity && visit.from.cost + visit.to.cost == cost_)
                best = std::min(best, std::uint64_t{visit.to.origin} << 32 | v);
        }
        return static_cast<std::uint32_t>(team_.least(best));
    }

    [[nodiscard]] CAIRN_HOST_DEVICE std::size_t unpack(std::uint32_t meeting,
                                                       const FixedList& list) const {
        std::uint32_t* const places = memory_.places;
        std::uint32_t count = 0;
        if (!trace(meeting, &ClimbVisit::from, count)) return 0;
        std::reverse(places, places + count);
        if (!trace(meeting, &ClimbVisit::to, --count)) return 0;
        FixedVector<ClosureHalf> halves(memory_.halves, closure_.height);
        FixedVector<std::uint32_t> nodes(list.items, list.room);
        const bool written =
            ClosureUnpacker(closure_, halves).append_path({places, std::size_t{count}}, nodes);
        return written && !halves.overflown() && !nodes.overflown() ? nodes.size() : 0;
    }

    /// Writes the places of a path by closure edges from `count` on: from the meeting down to the
    /// connector of this side. False on forged arrays.
    [[nodiscard]] CAIRN_HOST_DEVICE bool trace(std::uint32_t meeting, ClimbSeen ClimbVisit::*side,
                                               std::uint32_t& count) const {
        const std::uint32_t end = count + closure_.height;
        std::uint32_t visit = meeting;
        for (;;) {
            if (count == end) return false;
            const ClimbVisit& here = memory_.visits[visit];
            memory_.places[count++] = here.place;
            const std::uint32_t last = (here.*side).last;
            if (last == here.place) return true;
            // Positions fall, and those of the path rise.
            const std::uint32_t wanted = closure_.position(last);
            std::uint32_t begin = 0;
            std::uint32_t stop = visit;
            while (begin < stop) {
                const std::uint32_t middle = (begin + stop) / 2;
                if (memory_.visits[middle].position > wanted) {
                    begin = middle + 1;
                } else {
                    stop = middle;
                }
            }
            if (begin == visit || memory_.visits[begin].place != last) return false;
            visit = begin;
        }
    }

    const ClosureForm& closure_;
    const Team& team_;
    ClimbMemory memory_;
    Cost cost_ = kInfinity;
    std::uint32_t visits_ = 0;
    bool with_path_ = false;
};

/// The search step by climbing; as ByLabels.
template <class Team>
class ByClimbing {
public:
    struct Scratch {
        template <class Form>
        CAIRN_HOST_DEVICE Scratch(const Form& form, std::uint32_t most_connectors,
                                  std::size_t /*room*/, Carver& carver) noexcept
            : memory(form.closure, most_connectors, carver) {}
        ClimbMemory memory;
    };

    template <class Form>
    CAIRN_HOST_DEVICE ByClimbing(const Form& form, const Team& team,
                                 const Scratch& scratch) noexcept
        : search_(form.closure, team, scratch.memory) {}

    template <class Plan, class Request>
    [[nodiscard]] CAIRN_HOST_DEVICE Cost search(const Plan& /*plan*/, const Request& /*request*/,
                                                LabelSide& from, LabelSide& to, bool with_path) {
        return search_.find(from, to, with_path);
    }
    [[nodiscard]] CAIRN_HOST_DEVICE std::size_t write(const LabelSide& /*from*/,
                                                      const LabelSide& /*to*/,
                                                      FixedList nodes) const {
        return search_.write(nodes);
    }

private:
    ClimbSearch<Team> search_;
};

}  // namespace cairn::batch
