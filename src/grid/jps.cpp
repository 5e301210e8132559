#include "cairn/grid/jps.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <limits>

#include "core/guarded.hpp"
#include "core/memory.hpp"
#include "grid/astar_kernel.hpp"
#include "grid/endpoints.hpp"
#include "grid/flood.hpp"
#include "grid/jump_nodes.hpp"
#include "grid/jump_scan.hpp"
#include "grid/map_checks.hpp"
#include "grid/obstacle_bits.hpp"
#include "grid/open_radix.hpp"

namespace cairn::grid {
namespace {

Status check_supported(const Map& map) {
    const std::string reason = objection_to_corners(map);
    if (reason.empty()) return {};
    return {StatusCode::unsupported,
            "jump point search does not serve this map: " + reason + "; use A* or HPA*"};
}

// How a jump point was entered: two bits for the cardinal direction and two for the sides to which
// a path may turn there (JumpStop::sides). Every jump point has such a side, so a code without
// sides can stand for the start.
using Entry = unsigned;
constexpr Entry kStartEntry = 0;
constexpr Entry kExpanded = 16;  // a flag of expanded nodes
constexpr Entry entry(int cardinal, unsigned sides) noexcept {
    return static_cast<unsigned>(cardinal) * 2 + sides;
}

// For each entry the directions to search: straight on, and for each side to which a path may turn
// the cardinal and the diagonal direction on that side. All other cells have paths of no higher
// cost that avoid this jump point.
constexpr std::array<std::uint8_t, 16> make_onward() {
    std::array<std::uint8_t, 16> onward{};
    for (int d = 0; d < kDirections; d += 2) {
        // Scans call the left side of north and east "above", the left side of south and west
        // "below".
        const unsigned left = d == kNorth || d == kEast ? JumpStop::kAbove : JumpStop::kBelow;
        for (unsigned sides = 0; sides < 4; ++sides) {
            unsigned out = 1U << d;
            if ((sides & left) != 0) out |= 1U << ((d + 7) & 7) | 1U << ((d + 6) & 7);
            if ((sides & ~left) != 0) out |= 1U << ((d + 1) & 7) | 1U << ((d + 2) & 7);
            onward[entry(d, sides)] = static_cast<std::uint8_t>(out);
        }
    }
    onward[kStartEntry] = 0xff;
    return onward;
}
constexpr std::array<std::uint8_t, 16> kOnward = make_onward();

// Jump point search: the Search of a SearchRun.
class JumpSearch {
public:
    void begin(const Map& map, const ObstacleBits& bits, Point start, Point goal, Cost max_cost) {
        bits_ = &bits;
        frame_ = SearchFrame(map, /*want_canonical=*/true, max_cost);
        limit_ = frame_.max_cost();
        step_ = {map.min_straight(), map.min_diagonal()};
        width_ = static_cast<Cell>(map.width());
        goal_ = goal;
        tally_ = {};
        nodes_.begin();
        start_ = start;
        open_.reset(bound(start));
        from_ = nodes_.at(start);
        generate(start, 0, kStartEntry);
    }

    // Expands up to `budget` jump points. If the goal is next, it is settled even if the budget is
    // used up.
    [[nodiscard]] Outcome expand(std::uint64_t budget) {
        while (open_.pop(from_)) {
            JumpNodes::Node& node = nodes_[from_];
            if ((node.entry & kExpanded) != 0) continue;  // an outdated entry
            const Point p = node.point();
            if (p == goal_) return Outcome::found;
            const Cost g = node.g;
            if (budget == 0) {  // put the node back, to be popped next
                open_.push(from_, static_cast<Cost>(g + bound(p)));
                return Outcome::running;
            }
            --budget;
            ++tally_.statistics.expanded;
            tally_.statistics.open_sum += open_.size();
            const Entry entered = node.entry;
            node.entry |= kExpanded;
            jump(p, g, kOnward[entered]);
        }
        return Outcome::exhausted;
    }

    [[nodiscard]] const SearchStatistics& statistics() const noexcept { return tally_.statistics; }
    [[nodiscard]] StatusCode failure(const SearchLimits& limits) {
        const Map& map = frame_.map();
        return why_no_path(map, limits, tally_.pruned,
                           [&] { return flood_.connects(map, map.cell(start_), map.cell(goal_)); });
    }
    void forget_effort() noexcept { tally_ = {}; }

    // The cost of a search that has found its goal.
    [[nodiscard]] Cost cost() const noexcept { return nodes_[from_].g; }
    void append_path(std::vector<Cell>& cells) const { nodes_.append_path(from_, width_, cells); }
    [[nodiscard]] static std::vector<Cell>& list_of(Path& path) noexcept { return path.cells; }
    [[nodiscard]] std::size_t memory() const noexcept { return memory_of(nodes_, open_, flood_); }

private:
    [[nodiscard]] Cost bound(Point p) const noexcept {
        return frame_.bound(static_cast<Cost>(std::abs(p.x - goal_.x)),
                            static_cast<Cost>(std::abs(p.y - goal_.y)));
    }

    // Searches from p, reached at cost g, in each of `directions`. Costs of jumps are 64-bit
    // numbers until `generate` has compared them with the limit.
    void jump(Point p, std::uint64_t g, unsigned directions) {
        const BitGrid& rows = bits_->rows;
        const BitGrid& columns = bits_->columns;
        if ((directions & 1U << kNorth) != 0) scan<true, -1>(jump_rows(columns, p.x), p, g);
        if ((directions & 1U << kNorthEast) != 0) walk<1, -1>(p, g);
        if ((directions & 1U << kEast) != 0) scan<false, 1>(jump_rows(rows, p.y), p, g);
        if ((directions & 1U << kSouthEast) != 0) walk<1, 1>(p, g);
        if ((directions & 1U << kSouth) != 0) scan<true, 1>(jump_rows(columns, p.x), p, g);
        if ((directions & 1U << kSouthWest) != 0) walk<-1, 1>(p, g);
        if ((directions & 1U << kWest) != 0) scan<false, -1>(jump_rows(rows, p.y), p, g);
        if ((directions & 1U << kNorthWest) != 0) walk<-1, -1>(p, g);
    }

    // Searches straight from p, reached at cost g, along its row or column.
    template <bool kColumn, int kStep>
    void scan(const JumpRows& lines, Point p, std::uint64_t g) {
        const int at = kColumn ? p.y : p.x;
        reach<kColumn, kStep>(kStep > 0 ? jump_forward(lines, at) : jump_backward(lines, at), p, g);
    }

    // Adds the jump point at which a scan from p has stopped, or the goal if the scan has passed
    // it.
    template <bool kColumn, int kStep>
    void reach(JumpStop stop, Point p, std::uint64_t g) {
        const int at = kColumn ? p.y : p.x;
        int to = stop.x;
        if (kColumn ? p.x == goal_.x : p.y == goal_.y) {
            const int goal = kColumn ? goal_.y : goal_.x;
            if ((goal - at) * kStep > 0 && (to - goal) * kStep >= 0) {
                generate(goal_,
                         g + static_cast<Cost>((goal - at) * kStep) * std::uint64_t{step_[0]}, 0);
                return;
            }
        }
        if (!stop.jump_point()) return;
        constexpr int kDirection = kColumn ? direction_of(0, kStep) : direction_of(kStep, 0);
        generate(kColumn ? Point{p.x, to} : Point{to, p.y},
                 g + static_cast<Cost>((to - at) * kStep) * std::uint64_t{step_[0]},
                 entry(kDirection, stop.sides));
    }

    // Searches diagonally from p, reached at cost g, and from every cell on the way along its row
    // and its column.
    template <int kX, int kY>
    void walk(Point p, std::uint64_t g) {
        JumpSweep<kX, kY> row(bits_->rows, p.x, p.y);
        JumpSweep<kY, kX> column(bits_->columns, p.y, p.x);
        while (row.ahead_free(p.x) && column.ahead_free(p.y)) {
            p = {p.x + kX, p.y + kY};
            row.advance(p.x, p.y);
            column.advance(p.y, p.x);
            if (!row.here_free(p.x)) return;
            g += step_[1];
            if (p == goal_) return generate(p, g, 0);
            reach<false, kX>(row.stop(p.x, p.y), p, g);
            reach<true, kY>(column.stop(p.y, p.x), p, g);
        }
    }

    // Gives the node at p the cost g and the parent from_, unless it has a path as cheap.
    void generate(Point p, std::uint64_t g, Entry entered) {
        const std::uint32_t node = nodes_.at(p);
        if (g >= nodes_[node].g) return;
        const std::uint64_t f = g + bound(p);
        if (f > limit_) {
            tally_.pruned = true;
            return;
        }
        nodes_[node].g = static_cast<Cost>(g);
        nodes_[node].parent = from_;
        nodes_[node].entry = entered;
        open_.push(node, static_cast<Cost>(f));
        ++tally_.statistics.generated;
        if (p == goal_)
            limit_ = static_cast<Cost>(g) - 1;  // from here on only a cheaper path is of use
    }

    const ObstacleBits* bits_ = nullptr;
    SearchFrame frame_;
    std::array<Cost, 2> step_{};  // cost of a straight and of a diagonal move
    Cell width_ = 0;
    Point start_;
    Point goal_;
    Cost limit_ = 0;          // of f: nodes above it are left out
    std::uint32_t from_ = 0;  // the jump point being expanded; the goal once it is found
    JumpNodes nodes_;
    OpenRadix open_;
    Flood flood_;
    SearchTally tally_;
};

}  // namespace

Result<JpsMap> JpsMap::create(const Map& map) noexcept try {
    if (Status s = check_supported(map); !s.ok()) return tl::unexpected(std::move(s));
    return JpsMap(map, std::make_shared<const ObstacleBits>(make_obstacle_bits(map)));
} catch (...) {
    return out_of_memory();
}

Result<JpsMap> JpsMap::edited(std::span<const TerrainEdit> edits) const noexcept try {
    const Result<Map> map = map_.edited(edits);
    if (!map) return tl::unexpected(map.error());
    if (Status s = check_supported(*map); !s.ok()) return tl::unexpected(std::move(s));
    return JpsMap(*map, std::make_shared<const ObstacleBits>(grid::edited(*bits_, *map, edits)));
} catch (...) {
    return out_of_memory();
}

std::size_t JpsMap::bytes() const noexcept { return bits_->bytes(); }

struct Jps::State : SearchRun<JumpSearch> {};

Jps::Jps() : state_(std::make_unique<State>()) {}
Jps::~Jps() = default;
Jps::Jps(Jps&&) noexcept = default;
Jps& Jps::operator=(Jps&&) noexcept = default;

std::size_t Jps::memory() const noexcept { return memory_of(state_); }

void Jps::begin(const JpsMap& map, Point start, Point goal, const JpsOptions& options,
                const SearchLimits& limits) {
    State& s = *state_;
    if (const StatusCode code = check_endpoints(map.map(), start, goal); code != StatusCode::ok) {
        return s.refuse(code);
    }
    s.search.begin(map.map(), map.bits(), start, goal, limits.max_cost);
    s.start(limits, options.cost_only);
}

Progress Jps::advance(std::uint64_t max_expansions) {
    constexpr std::uint64_t kJumpSlice = 64;  // expansions between two checks of the cancel flag
    return state_->advance(max_expansions, kJumpSlice) ? Progress::running : Progress::finished;
}

StatusCode Jps::take(Path& out) { return state_->take(out); }

StatusCode Jps::find_path(const JpsMap& map, Point start, Point goal, Path& out,
                          const JpsOptions& options, const SearchLimits& limits) {
    begin(map, start, goal, options, limits);
    advance(std::numeric_limits<std::uint64_t>::max());
    return take(out);
}

const SearchStatistics& Jps::statistics() const noexcept { return state_->search.statistics(); }

}  // namespace cairn::grid
