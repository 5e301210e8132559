#include "subgoal/octant_repair.hpp"

#include <algorithm>
#include <utility>

#include "core/sort_unique.hpp"
#include "subgoal/octants.hpp"

namespace cairn::subgoal {
namespace {

using grid::Point;

class OctantRepair {
public:
    OctantRepair(const SubgoalBits& bits, const SubgoalGraph& graph, const Nodes& nodes)
        : bits_(bits), graph_(graph), nodes_(nodes), useful_(nodes.useful()), open_(nodes.size()) {}

    // Finds the octants of these nodes anew, and those of others that depend on them. Ends, because
    // edges of an octant, or of the two beside a cardinal direction, never lead back.
    void run(std::span<const std::uint32_t> seeds) {
        for (const std::uint32_t node : seeds) push(node);
        for (std::size_t i = 0; i < queue_.size(); ++i) {
            const std::uint32_t node = queue_[i];
            open_[node] = false;
            const Point p = nodes_.point(node);
            const Octants old = useful_[node];
            const Octants now = useful_at(p);
            if (now == old) continue;
            useful_.set(node, now);
            changed_.push_back(node);
            for (const grid::Cell cell : graph_.neighbours(p.x, p.y)) {
                const Point q = grid::point_of(bits_.width(), cell);
                if ((octants_between(p.x - q.x, p.y - q.y) & (now ^ old)) != 0)
                    push(nodes_.number(q.x, q.y));
            }
        }
    }

    [[nodiscard]] PagedArray<Octants> take_useful() { return useful_.take(); }

    // The nodes whose octants differ from those before, ascending.
    [[nodiscard]] std::vector<std::uint32_t> take_changed() {
        sort_unique(changed_);
        std::erase_if(changed_,
                      [this](std::uint32_t node) { return useful_[node] == nodes_.useful(node); });
        return std::move(changed_);
    }

private:
    void push(std::uint32_t node) {
        if (open_[node]) return;
        open_[node] = true;
        queue_.push_back(node);
    }

    [[nodiscard]] Octants useful_at(Point p) const {
        const Corners corners = bits_.corners(p.x, p.y);
        Octants useful = turns(corners);
        for (const grid::Cell cell : graph_.neighbours(p.x, p.y)) {
            const Point q = grid::point_of(bits_.width(), cell);
            const Octants there = useful_[nodes_.number(q.x, q.y)];
            useful |= static_cast<Octants>(there & octants_between(q.x - p.x, q.y - p.y));
            if (q.x == p.x || q.y == p.y) useful |= rises(corners, there, p, q);
        }
        return useful;
    }

    // The octants of which a subgoal with these corners is a turn. For moves east that is a
    // north-western corner in the octant towards north-east, a south-western one in the other.
    static Octants turns(Corners corners) {
        Octants out = 0;
        for (int cardinal = grid::kNorth; cardinal < grid::kDirections; cardinal += 2) {
            const int left = (cardinal + 7) & 7;
            const int right = (cardinal + 1) & 7;
            if ((corners & corner_bit(grid::opposite(right))) != 0)
                out |= octant_of(cardinal, left);
            if ((corners & corner_bit(grid::opposite(left))) != 0)
                out |= octant_of(cardinal, right);
        }
        return out;
    }

    // The octants of which the subgoal p is a rise that begins a bend, by a subgoal q in a cardinal
    // direction from p: those beside it whose other one is useful at q. For moves east a rise is a
    // south-eastern corner in the octant towards north-east, a north-eastern one in the other.
    static Octants rises(Corners corners, Octants useful_at_q, Point p, Point q) {
        const int cardinal =
            grid::direction_of((q.x > p.x) - (q.x < p.x), (q.y > p.y) - (q.y < p.y));
        const int left = (cardinal + 7) & 7;
        const int right = (cardinal + 1) & 7;
        const Octants in_left = octant_of(cardinal, left);
        const Octants in_right = octant_of(cardinal, right);
        Octants out = 0;
        if ((corners & corner_bit(right)) != 0 && (useful_at_q & in_right) != 0) out |= in_left;
        if ((corners & corner_bit(left)) != 0 && (useful_at_q & in_left) != 0) out |= in_right;
        return out;
    }

    const SubgoalBits& bits_;
    const SubgoalGraph& graph_;
    const Nodes& nodes_;  // with the octants before
    PagedArray<Octants>::Editor useful_;
    std::vector<bool> open_;  // per node: whether it is in the part of queue_ that is left
    std::vector<std::uint32_t> queue_;
    std::vector<std::uint32_t> changed_;
};

}  // namespace

std::vector<std::uint32_t> repair_octants(const SubgoalBits& bits, const SubgoalGraph& graph,
                                          std::span<const std::uint32_t> seeds, Nodes& nodes) {
    OctantRepair repair(bits, graph, nodes);
    repair.run(seeds);
    std::vector<std::uint32_t> changed = repair.take_changed();
    if (!changed.empty()) nodes.set_useful(repair.take_useful());
    return changed;
}

}  // namespace cairn::subgoal
