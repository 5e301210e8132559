#include "subgoal/octant_repair.hpp"

#include <algorithm>
#include <array>

#include "subgoal/direct_scan.hpp"
#include "subgoal/octants.hpp"

namespace cairn::subgoal {
namespace {

using grid::Point;

class OctantRepair {
public:
    OctantRepair(const SubgoalBits& bits, const SubgoalGraph& graph, const Nodes& nodes)
        : bits_(bits), graph_(graph), nodes_(nodes), useful_(nodes.useful()), open_(nodes.size()) {}

    // Adds a seed, and the subgoals from which straight moves lead to it: whether a rise begins a
    // bend there depends on the falls further along the line, and so on edges that are not theirs.
    void add_seed(std::uint32_t node) {
        push(node);
        const Point p = nodes_.point(node);
        push_line<grid::kNorth>(p);
        push_line<grid::kEast>(p);
        push_line<grid::kSouth>(p);
        push_line<grid::kWest>(p);
    }

    // Ends, because an edge in an octant never leads back: each node depends on others ahead.
    void run() {
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
        std::sort(changed_.begin(), changed_.end());
        changed_.erase(std::unique(changed_.begin(), changed_.end()), changed_.end());
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

    // Adds the subgoals on the line from p backwards, for moves in direction kCardinal to p.
    template <int kCardinal>
    void push_line(Point p) {
        constexpr int kBack = grid::opposite(kCardinal);
        constexpr Corners kRises =
            corner_bit((kCardinal + 1) & 7) | corner_bit((kCardinal + 7) & 7);
        for (;;) {
            const Clearance c = cardinal_clearance<kBack>(bits_, p.x, p.y);
            if (!c.subgoal) return;
            p.x += grid::kDx[kBack] * (c.moves + 1);
            p.y += grid::kDy[kBack] * (c.moves + 1);
            if ((bits_.corners(p.x, p.y) & kRises) != 0) push(nodes_.number(p.x, p.y));
        }
    }

    [[nodiscard]] Octants useful_at(Point p) const {
        const Corners corners = bits_.corners(p.x, p.y);
        Octants useful = 0;
        add_bends<grid::kNorth>(p, corners, useful);
        add_bends<grid::kEast>(p, corners, useful);
        add_bends<grid::kSouth>(p, corners, useful);
        add_bends<grid::kWest>(p, corners, useful);
        for (const grid::Cell cell : graph_.neighbours(p.x, p.y)) {
            const Point q = grid::point_of(bits_.width(), cell);
            useful |= static_cast<Octants>(useful_[nodes_.number(q.x, q.y)] &
                                           octants_between(q.x - p.x, q.y - p.y));
        }
        return useful;
    }

    // Adds the octants of kCardinal for which a bend begins at the subgoal p. For moves east, a
    // north-western corner is a turn of the octant towards north-east. There a south-eastern corner
    // is a rise, and a south-western one a fall.
    template <int kCardinal>
    void add_bends(Point p, Corners corners, Octants& useful) const {
        constexpr int kLeft = (kCardinal + 7) & 7;
        constexpr int kRight = (kCardinal + 1) & 7;
        constexpr Corners kLeftTurn = corner_bit(grid::opposite(kRight));
        constexpr Corners kRightTurn = corner_bit(grid::opposite(kLeft));
        constexpr Octants kLeftOctant = octant_of(kCardinal, kLeft);
        constexpr Octants kRightOctant = octant_of(kCardinal, kRight);
        if ((corners & kLeftTurn) != 0) useful |= kLeftOctant;
        if ((corners & kRightTurn) != 0) useful |= kRightOctant;
        // A rise of one octant is on the other one's side, as is its fall.
        Corners falls = 0;
        if ((corners & corner_bit(kRight)) != 0) falls |= kRightTurn;
        if ((corners & corner_bit(kLeft)) != 0) falls |= kLeftTurn;
        if (falls == 0) return;
        Corners found = 0;
        for (;;) {
            const Clearance c = cardinal_clearance<kCardinal>(bits_, p.x, p.y);
            if (!c.subgoal) break;
            p.x += grid::kDx[kCardinal] * (c.moves + 1);
            p.y += grid::kDy[kCardinal] * (c.moves + 1);
            found |= bits_.corners(p.x, p.y) & falls;
            if (found == falls) break;
        }
        if ((found & kRightTurn) != 0) useful |= kLeftOctant;
        if ((found & kLeftTurn) != 0) useful |= kRightOctant;
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
    for (const std::uint32_t node : seeds) repair.add_seed(node);
    repair.run();
    std::vector<std::uint32_t> changed = repair.take_changed();
    if (!changed.empty()) nodes.set_useful(repair.take_useful());
    return changed;
}

}  // namespace cairn::subgoal
