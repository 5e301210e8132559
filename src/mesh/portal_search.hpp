#pragma once
// A* over portals.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "cairn/cost.hpp"
#include "cairn/mesh/mesh.hpp"
#include "cairn/mesh/path.hpp"
#include "core/memory.hpp"
#include "core/open_heap.hpp"
#include "mesh/goal_set.hpp"

namespace cairn::mesh {

enum class Outcome : std::uint8_t { running, found, exhausted };

// Nodes are the portals, and after them the goals, which are settled when they are expanded.
//
// One label a portal is enough: let it be reached from polygon A at cost g and from B at g' >= g. A
// path at g' goes on inside A. The path that gave g came through A, too, so it gets there at no
// more than g plus the cost inside A.
class PortalSearch {
public:
    GoalSet goals;                // set before the search begins
    std::vector<Cost> distances;  // by index of goal, known once it is settled

    // To the first goal, or to all.
    void begin(const Mesh& mesh, const Place& start, std::size_t num_goals, bool to_all,
               Cost max_cost);
    [[nodiscard]] Outcome expand(std::uint64_t budget);

    [[nodiscard]] const SearchStatistics& statistics() const noexcept { return statistics_; }
    void forget_statistics() noexcept { statistics_ = {}; }
    // Whether a path was left out because it costs more than max_cost.
    [[nodiscard]] bool pruned() const noexcept { return pruned_; }

    // Of a search that has found its goal: the index of the goal, and the links of the path.
    [[nodiscard]] std::uint32_t reached() const noexcept { return reached_; }
    void append_links(std::vector<Link>& links) const;
    // Bytes held now.
    [[nodiscard]] std::size_t memory() const noexcept {
        return memory_of(goals, distances, labels_, open_.entries());
    }

private:
    struct Label {
        std::uint32_t stamp = 0;  // twice the number of its search, plus the side of the link
        Cost g = 0;
        Cost h = 0;
        Link parent = kNone;  // none: the start
    };

    void reserve();
    void expand_start(const Place& start);
    void expand_link(Link at);
    void meet_goals(Polygon polygon, Link at, Cost g);
    void reach_goal(std::size_t goal, Cost g, Link parent);
    void reach(Link at, Cost g, Link parent);
    void push(std::uint32_t node, Cost f, Cost g);
    // True if the search is over.
    [[nodiscard]] bool settle(std::size_t goal);

    Mesh mesh_;  // kept alive
    std::vector<Label> labels_;
    OpenHeap open_;
    SearchStatistics statistics_;
    Polygon start_ = kNone;
    Cost max_cost_ = 0;
    Cost best_ = kInfinity;  // what costs as much is of no use
    std::uint32_t stamp_ = 0;
    std::uint32_t reached_ = 0;
    std::size_t settled_goal_ = 0;
    std::size_t remaining_ = 0;
    bool to_all_ = false;
    bool pruned_ = false;
};

}  // namespace cairn::mesh
