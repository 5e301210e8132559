#include "subgoal/h_reachable_edges.hpp"

#include <algorithm>

#include "subgoal/octants.hpp"
#include "subgoal/subgoal_graph.hpp"

namespace cairn::subgoal {

void HReachableEdges::find(int x, int y, std::vector<std::uint32_t>& out) {
    const int width = bits_.width();
    out.assign(1, static_cast<std::uint32_t>(y * width + x));
    ++search_;
    seen_[bits_.number(x, y)] = search_;
    for (std::size_t i = 0; i < out.size(); ++i) {
        const int from_x = static_cast<int>(out[i]) % width;
        const int from_y = static_cast<int>(out[i]) / width;
        for (const std::uint32_t cell : direct_.neighbours(from_x, from_y)) {
            const int to_x = static_cast<int>(cell) % width;
            const int to_y = static_cast<int>(cell) / width;
            // The sum of two octile distances is the octile distance if one octant has both.
            if (i > 0 && (octants_between(from_x - x, from_y - y) &
                          octants_between(to_x - from_x, to_y - from_y)) == 0) {
                continue;
            }
            std::uint32_t& seen = seen_[bits_.number(to_x, to_y)];
            if (seen == search_) continue;
            seen = search_;
            out.push_back(cell);
        }
    }
    out.erase(out.begin());
    std::sort(out.begin(), out.end());
}

}  // namespace cairn::subgoal
