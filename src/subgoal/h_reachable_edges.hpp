#pragma once
// All h-reachable subgoals of a subgoal: those that a chain of direct edges leads to whose lengths
// add up to the octile distance (Figure 15.3).

#include <cstdint>
#include <vector>

#include "subgoal/subgoal_bits.hpp"

namespace cairn::subgoal {

class SubgoalGraph;

class HReachableEdges {
public:
    /// `direct` has the direct edges of `bits`; both must outlive this.
    HReachableEdges(const SubgoalBits& bits, const SubgoalGraph& direct)
        : bits_(bits), direct_(direct), seen_(bits.count(), 0) {}

    /// The cells of the subgoals h-reachable from the one at (x, y), but for itself, ascending.
    void find(int x, int y, std::vector<std::uint32_t>& out);

private:
    const SubgoalBits& bits_;
    const SubgoalGraph& direct_;
    std::vector<std::uint32_t> seen_;  // per subgoal: the last search that met it
    std::uint32_t search_ = 0;
};

}  // namespace cairn::subgoal
