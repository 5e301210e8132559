#pragma once
// The kernel that answers requests by A* over the polygons, the baseline of the HNA* paper. Lane 0
// does all the work. The order of its steps, and its choices among equals, are those of
// mesh::Astar.
//
// A node of the search is a portal, or the goal. It is reached by an entry: the link of the polygon
// entered, so mesh_.link_polygon[entry] is that polygon.

#include <cstddef>
#include <cstdint>

#include "batch/device/kernel_task.hpp"
#include "batch/device/mesh/hna_form.hpp"
#include "batch/device/team.hpp"
#include "core/open_heap.hpp"

namespace cairn::batch {

template <class Team>
class PolygonKernel {
public:
    /// The label of a node.
    struct Label {
        std::uint32_t stamp = 0;  // twice the number of its search, plus the side of the entry
        Cost g = 0;
        Cost h = 0;
        mesh::Link parent = mesh::kNone;  // the entry before; kNone if the path begins here
    };
    struct Scratch {
        CAIRN_HOST_DEVICE Scratch(const HnaForm& form, Carver& carver) noexcept
            : room(portals(form) + kSpare),
              labels(carver.take<Label>(portals(form) + 1)),
              open(carver.take<OpenEntry>(room)) {}
        static constexpr std::size_t kSpare = 64;  // a node may be in the open list several times
        std::size_t room;                          // entries of `open`
        Label* labels;                             // of the portals, then that of the goal
        OpenEntry* open;
    };

    CAIRN_HOST_DEVICE PolygonKernel(const HnaForm& form, const HnaTask& task, const Team& team,
                                    const Scratch& scratch)
        : mesh_(form.mesh),
          task_(task),
          team_(team),
          scratch_(scratch),
          open_(FixedEntries(scratch_.open, scratch_.room)),
          goal_node_(portals(form)) {
        for (std::uint32_t p = team.lane(); p <= goal_node_; p += team.lanes())
            scratch_.labels[p] = {};
        team.sync();
    }

    /// Start and goal must lie in different polygons. The host answers if the open list overflows.
    CAIRN_HOST_DEVICE void find(const mesh::Request& request, RequestAnswer& answer) {
        if (team_.lane() != 0) return;
        begin(request);
        if (!search() || open_.entries().overflown()) {
            open_ = Heap(FixedEntries(scratch_.open, scratch_.room));
            return;
        }
        const Label& goal = scratch_.labels[goal_node_];
        if (task_.query.corridors) write(request.start.polygon, goal.parent, answer);
        answer.cost = goal.g;
    }

private:
    [[nodiscard]] CAIRN_HOST_DEVICE static std::uint32_t portals(const HnaForm& form) noexcept {
        return static_cast<std::uint32_t>(form.mesh.midpoints.size());
    }

    CAIRN_HOST_DEVICE void begin(const mesh::Request& request) {
        stamp_ += 2;
        open_.clear();
        best_ = kInfinity;
        start_ = request.start.polygon;
        goal_ = request.goal.polygon;
        goal_anchor_ = mesh_.anchor(request.goal);
        const mesh::Point anchor = mesh_.anchor(request.start);
        for (const mesh::Link link : mesh_.links(start_)) {
            if (mesh_.open[link] != 0)
                reach(mesh::twin(link), mesh_.end_cost(start_, anchor, link), mesh::kNone);
        }
    }

    /// False if there is no path.
    [[nodiscard]] CAIRN_HOST_DEVICE bool search() {
        std::uint32_t node = 0;
        while (open_.pop(node)) {
            const Label& label = scratch_.labels[node];
            if (open_.least_f() != label.g + label.h) continue;  // outdated: pushed again since
            if (node == goal_node_) return true;
            expand(2 * node + (label.stamp & 1), label.g);
        }
        return false;
    }

    CAIRN_HOST_DEVICE void expand(mesh::Link entry, Cost g) {
        const mesh::Polygon polygon = mesh_.link_polygon[entry];
        if (polygon == goal_ && polygon != start_)
            reach_goal(g + mesh_.end_cost(polygon, goal_anchor_, entry), entry);
        const auto links = mesh_.links(polygon);
        const std::uint32_t place = mesh_.link_place[entry];
        for (std::uint32_t i = 0; i < links.size(); ++i) {
            if (i != place && mesh_.open[links[i]] != 0)
                reach(mesh::twin(links[i]), g + mesh_.inside_cost(polygon, place, i), entry);
        }
    }

    CAIRN_HOST_DEVICE void reach(mesh::Link entry, Cost g, mesh::Link parent) {
        Label& label = scratch_.labels[mesh::portal_of(entry)];
        const std::uint32_t stamp = stamp_ | (entry & 1);
        const bool known = (label.stamp | 1) == (stamp | 1);  // from either side
        if (known && g >= label.g) return;
        if (label.stamp != stamp) label.h = bound(entry);
        label.stamp = stamp;
        label.g = g;
        label.parent = parent;
        if (g + label.h < best_) open_.push(mesh::portal_of(entry), g + label.h, g);
    }

    CAIRN_HOST_DEVICE void reach_goal(Cost g, mesh::Link parent) {
        Label& label = scratch_.labels[goal_node_];
        if (label.stamp == stamp_ && g >= label.g) return;
        label = {stamp_, g, 0, parent};
        if (g >= best_) return;
        open_.push(goal_node_, g, g);
        best_ = g;
    }

    /// A lower bound on the cost from an entry to the goal.
    [[nodiscard]] CAIRN_HOST_DEVICE Cost bound(mesh::Link link) const noexcept {
        const bool by_centres = mesh_.by_centres;
        const mesh::Point& from = by_centres ? mesh_.centres[mesh_.link_polygon[link]]
                                             : mesh_.midpoints[mesh::portal_of(link)];
        return (by_centres ? mesh_.halves[link] : 0) +
               mesh::least_cost_of_length(mesh::distance(from, goal_anchor_), mesh_.least_factor,
                                          mesh_.units);
    }

    /// Writes the polygons of the path, from `start` to the one that the entry `last` leads into.
    CAIRN_HOST_DEVICE void write(mesh::Polygon start, mesh::Link last, RequestAnswer& answer) {
        std::uint64_t count = 1;
        for (mesh::Link entry = last; entry != mesh::kNone; entry = parent(entry)) ++count;
        answer.length = static_cast<std::uint32_t>(count);
        const std::uint64_t first = OneLane().claim(*task_.used, count);
        if (first + count > task_.room) return;
        answer.first = first;
        mesh::Polygon* out = task_.items + first + count;
        for (mesh::Link entry = last; entry != mesh::kNone; entry = parent(entry))
            *--out = mesh_.link_polygon[entry];
        *--out = start;
    }
    [[nodiscard]] CAIRN_HOST_DEVICE mesh::Link parent(mesh::Link entry) const noexcept {
        return scratch_.labels[mesh::portal_of(entry)].parent;
    }

    using Heap = BasicOpenHeap<FixedEntries>;

    const MeshForm& mesh_;
    const HnaTask& task_;
    const Team& team_;
    Scratch scratch_;
    Heap open_;
    std::uint32_t goal_node_;
    std::uint32_t stamp_ = 0;  // of the last search; a chunk of 2^24 requests uses 2^25 of them
    Cost best_ = kInfinity;    // the cost of the best path so far
    mesh::Polygon start_ = mesh::kNone;
    mesh::Polygon goal_ = mesh::kNone;
    mesh::Point goal_anchor_;
};

}  // namespace cairn::batch
