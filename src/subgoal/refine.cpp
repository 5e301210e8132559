// The refine step. Direct edges are written by vector instructions, without tests.

#include "subgoal/refine.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "subgoal/line_test.hpp"

// The loops are compiled for the baseline and, on x86-64, also for AVX2: they must be inlined into
// both versions. follow_lines chooses by the processor. The results are the same.
#define CAIRN_LOOP [[gnu::always_inline]] inline

namespace cairn::subgoal {
namespace {

using grid::Cell;
using grid::Point;

/// A run is written kWrite cells at a time. Most runs are shorter, and the next run overwrites the
/// surplus: the exit of a loop over the exact length would be mispredicted each time.
constexpr std::size_t kStep = 8;  // cells of the widest vector
constexpr std::size_t kWrite = 2 * kStep;
using Four [[gnu::vector_size(4 * sizeof(Cell))]] = Cell;
using Eight [[gnu::vector_size(8 * sizeof(Cell))]] = Cell;

/// By direction_index: what 1 to kStep moves add to a cell's number.
using Offsets = std::array<std::array<Cell, kStep>, 9>;

CAIRN_LOOP int sign(int v) noexcept { return (v > 0) - (v < 0); }

/// 0 to 8 for steps of -1, 0 or 1; 4 for no direction, as on an edge without moves: a start or goal
/// may itself be a subgoal.
CAIRN_LOOP std::uint32_t direction_index(int dx, int dy) noexcept {
    return static_cast<std::uint32_t>(3 * dy + dx + 4);
}

CAIRN_LOOP void find_offsets(Cell width, Offsets& offsets) noexcept {
    for (int dy = -1; dy <= 1; ++dy) {
        for (int dx = -1; dx <= 1; ++dx) {
            const Cell stride = static_cast<Cell>(dx) + static_cast<Cell>(dy) * width;
            for (Cell k = 0; k < kStep; ++k) offsets[direction_index(dx, dy)][k] = stride * (k + 1);
        }
    }
}

/// How many moves a path has.
struct Moves {
    std::uint64_t all = 0;
    std::uint64_t diagonal = 0;
};

CAIRN_LOOP Moves count_moves(const Point* stops, std::size_t edges) noexcept {
    Moves moves;
    for (std::size_t i = 0; i < edges; ++i) {
        const int wide = std::abs(stops[i + 1].x - stops[i].x);
        const int high = std::abs(stops[i + 1].y - stops[i].y);
        moves.all += static_cast<std::uint32_t>(std::max(wide, high));
        moves.diagonal += static_cast<std::uint32_t>(std::min(wide, high));
    }
    return moves;
}

/// The two runs of up to kEdges edges, as they are walked: in arrays, for vector instructions.
struct Runs {
    static constexpr std::size_t kEdges = 32;
    struct Leg {
        std::array<Cell, kEdges> from;
        std::array<std::int32_t, kEdges> moves;
        std::array<std::uint32_t, kEdges> direction;  // a direction_index
    };
    Leg first;
    Leg second;
};

/// Splits edges into their runs, diagonal runs first.
CAIRN_LOOP void find_runs(const Point* __restrict stops, std::size_t edges, Cell width,
                          Runs& __restrict runs) noexcept {
    for (std::size_t i = 0; i < edges; ++i) {
        const Point p = stops[i];
        const int dx = stops[i + 1].x - p.x;
        const int dy = stops[i + 1].y - p.y;
        const int wide = std::abs(dx);
        const int high = std::abs(dy);
        const int diagonal = std::min(wide, high);
        const int x = sign(dx);
        const int y = sign(dy);
        const int horizontal = -static_cast<int>(wide > high);  // a mask, for the straight run
        const Cell cell = static_cast<Cell>(p.y) * width + static_cast<Cell>(p.x);
        const Cell stride = static_cast<Cell>(x) + static_cast<Cell>(y) * width;
        runs.first.from[i] = cell;
        runs.first.moves[i] = diagonal;
        runs.first.direction[i] = direction_index(x, y);
        runs.second.from[i] = cell + stride * static_cast<Cell>(diagonal);
        runs.second.moves[i] = std::max(wide, high) - diagonal;
        runs.second.direction[i] = direction_index(x & horizontal, y & ~horizontal);
    }
}

/// Writes the cells of the i-th run of `leg`, without the one where it begins, and up to kWrite
/// more cells. Returns the end of the run. `Cells` is a vector type.
template <class Cells>
CAIRN_LOOP Cell* write_run(Cell* to, const Offsets& offsets, const Runs::Leg& leg,
                           std::size_t i) noexcept {
    constexpr std::size_t kLanes = sizeof(Cells) / sizeof(Cell);
    const auto& add = offsets[leg.direction[i]];
    Cells cells;
    std::memcpy(&cells, add.data(), sizeof cells);
    cells += leg.from[i];
    Cell* const end = to + leg.moves[i];
    do {
        for (std::size_t k = 0; k < kWrite; k += kLanes, to += kLanes, cells += add[kLanes - 1]) {
            std::memcpy(to, &cells, sizeof cells);
        }
    } while (to < end);
    return end;
}

/// Writes the path's cells, and up to kWrite more.
template <class Cells>
CAIRN_LOOP void write_path(const Point* stops, std::size_t edges, Cell width, Cell* to) noexcept {
    Offsets offsets;
    find_offsets(width, offsets);
    Runs runs;
    *to++ = static_cast<Cell>(stops[0].y) * width + static_cast<Cell>(stops[0].x);
    for (std::size_t begin = 0; begin < edges; begin += Runs::kEdges) {
        const std::size_t count = std::min(Runs::kEdges, edges - begin);
        find_runs(stops + begin, count, width, runs);
        if (begin + count == edges) {  // the last edge is walked straight first
            const std::size_t last = count - 1;
            std::swap(runs.first.moves[last], runs.second.moves[last]);
            std::swap(runs.first.direction[last], runs.second.direction[last]);
            runs.second.from[last] =
                runs.first.from[last] +
                offsets[runs.first.direction[last]][0] * static_cast<Cell>(runs.first.moves[last]);
        }
        for (std::size_t i = 0; i < count; ++i) {
            to = write_run<Cells>(to, offsets, runs.first, i);
            to = write_run<Cells>(to, offsets, runs.second, i);
        }
    }
}

#if defined(__x86_64__) && defined(__GNUC__)

#define CAIRN_WIDE [[gnu::target("avx2")]]

bool has_wide_vectors() noexcept { return __builtin_cpu_supports("avx2") != 0; }

CAIRN_WIDE Moves count_wide(const Point* stops, std::size_t edges) noexcept {
    return count_moves(stops, edges);
}
CAIRN_WIDE void write_wide(const Point* stops, std::size_t edges, Cell width, Cell* to) noexcept {
    write_path<Eight>(stops, edges, width, to);
}

#else

bool has_wide_vectors() noexcept { return false; }
Moves count_wide(const Point* stops, std::size_t edges) noexcept {
    return count_moves(stops, edges);
}
void write_wide(const Point* stops, std::size_t edges, Cell width, Cell* to) noexcept {
    write_path<Four>(stops, edges, width, to);
}

#endif

}  // namespace

bool follow_lines(const grid::Map& map, std::span<const Point> stops, Cost cost,
                  std::vector<Cell>& cells) {
    const std::size_t edges = stops.size() - 1;
    const bool use_wide = has_wide_vectors();
    const Moves moves =
        use_wide ? count_wide(stops.data(), edges) : count_moves(stops.data(), edges);
    const std::uint64_t length = (moves.all - moves.diagonal) * map.distance_bound({0, 0}, {1, 0}) +
                                 moves.diagonal * map.distance_bound({0, 0}, {1, 1});
    if (length != cost) return false;
    cells.resize(moves.all + 1 + kWrite);
    const auto width = static_cast<Cell>(map.width());
    if (use_wide) {
        write_wide(stops.data(), edges, width, cells.data());
    } else {
        write_path<Four>(stops.data(), edges, width, cells.data());
    }
    cells.resize(moves.all + 1);
    return true;
}

bool Refine::run(const Snapshot& snapshot, std::span<const Point> stops, std::vector<Cell>& cells) {
    cells.assign(1, snapshot.map.cell(stops.front()));
    for (std::size_t i = 1; i < stops.size(); ++i) {
        if (!add_edge(snapshot, stops[i - 1], stops[i], cells)) return false;
    }
    return true;
}

// Tries the two lines with one turn, then all orders of the moves.
bool Refine::add_edge(const Snapshot& snapshot, Point from, Point to, std::vector<Cell>& cells) {
    const grid::Map& map = snapshot.map;
    const grid::LineShape shape = snapshot.diagonals.free_line(map, snapshot.bits, from, to);
    if (shape != grid::LineShape::none) {
        grid::append_line(map, from, to, shape, cells);
        return true;
    }
    if (!h_reach_.test(map, snapshot.bits.obstacles(), from, to)) return false;
    h_reach_.append_path(map, cells);
    return true;
}

}  // namespace cairn::subgoal
