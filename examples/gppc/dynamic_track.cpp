// The dynamic track of the competition: see tracks.hpp.

#include <algorithm>
#include <cstdio>
#include <random>

#include "cairn/grid/astar.hpp"
#include "dynamic_entry.hpp"
#include "planner.hpp"
#include "tracks.hpp"

using namespace cairn;

namespace gppc {
namespace {

constexpr std::size_t kProblemsPerChange = 10;
constexpr int kPatches = 4;        // in a change
constexpr int kManyPatches = 60;   // in every fifth change
constexpr int kLargestPatch = 16;  // cells along a side

/// The map as the harness keeps it: bits for the entry, and a Map to check its paths on.
class ActiveMap {
public:
    explicit ActiveMap(grid::Map map) : map_(std::move(map)), bits_((map_.size() + 7) / 8) {
        for (grid::Cell c = 0; c < map_.size(); ++c) set(bits_, c, map_.passable(c));
    }

    [[nodiscard]] const grid::Map& map() const noexcept { return map_; }
    [[nodiscard]] gppc_patch patch() const {
        return {bits_.data(),
                static_cast<std::uint16_t>(map_.width()),
                static_cast<std::uint16_t>(map_.height()),
                {0, 0}};
    }

    /// Makes all cells of a rectangle traversable, or all obstacles.
    void apply(const grid::Rect& area, bool traversable) {
        const std::uint8_t terrain = traversable ? 1 : 0;
        const grid::TerrainEdit edit{area, terrain};
        map_ = *map_.edited({&edit, 1});
        for (int y = area.y; y < area.y + area.height; ++y) {
            for (int x = area.x; x < area.x + area.width; ++x) {
                set(bits_, map_.cell({x, y}), traversable);
            }
        }
    }

private:
    static void set(std::vector<std::uint8_t>& bits, std::size_t i, bool value) {
        const auto bit = static_cast<std::uint8_t>(1U << (i % 8));
        bits[i / 8] = static_cast<std::uint8_t>(value ? bits[i / 8] | bit : bits[i / 8] & ~bit);
    }

    grid::Map map_;
    std::vector<std::uint8_t> bits_;
};

/// Patches at random places, each all traversable or all obstacles. They are the same in every run.
class RandomPatches {
public:
    /// Applies the patches of one change, and returns them.
    std::vector<gppc_patch> apply_to(ActiveMap& active) {
        std::vector<gppc_patch> patches;
        const int count = ++changes_ % 5 == 0 ? kManyPatches : kPatches;
        for (int i = 0; i < count; ++i) {
            const grid::Map& map = active.map();
            const int width = below(std::min(kLargestPatch, map.width())) + 1;
            const int height = below(std::min(kLargestPatch, map.height())) + 1;
            const int x = below(map.width() - width + 1);
            const int y = below(map.height() - height + 1);
            const bool traversable = below(2) == 0;
            active.apply({x, y, width, height}, traversable);
            patches.push_back({traversable ? all_ones_.data() : all_zeros_.data(),
                               static_cast<std::uint16_t>(width),
                               static_cast<std::uint16_t>(height),
                               {static_cast<std::uint16_t>(x), static_cast<std::uint16_t>(y)}});
        }
        return patches;
    }

private:
    int below(int bound) { return static_cast<int>(random_() % static_cast<unsigned>(bound)); }

    static constexpr std::size_t kBytes = std::size_t{kLargestPatch} * kLargestPatch / 8;
    std::mt19937 random_{1};
    int changes_ = 0;
    std::vector<std::uint8_t> all_ones_ = std::vector<std::uint8_t>(kBytes, 0xff);
    std::vector<std::uint8_t> all_zeros_ = std::vector<std::uint8_t>(kBytes, 0);
};

gppc_point to_point(grid::Point p) {
    return {static_cast<std::uint16_t>(p.x), static_cast<std::uint16_t>(p.y)};
}

/// Whether the path is legal and costs as much as that of A*; or empty, if A* finds none or start
/// and goal are one cell.
bool is_shortest(const grid::Map& map, const gppc_path& path,
                 const formats::ScenarioProblem& problem, grid::Astar& astar) {
    grid::Path expected;
    const std::vector<grid::Cell> cells = to_cells(map, std::span(path.path, path.length));
    if (astar.find_path(map, problem.start, problem.goal, expected) != StatusCode::ok ||
        problem.start == problem.goal) {
        return cells.empty();
    }
    return !cells.empty() && cells.front() == map.cell(problem.start) &&
           cells.back() == map.cell(problem.goal) && grid::path_cost(map, cells) == expected.cost;
}

void print(const char* name, std::vector<double> microseconds) {
    if (microseconds.empty()) return;
    std::sort(microseconds.begin(), microseconds.end());
    std::printf("# %zu %s: median %.1f us, longest %.1f us\n", microseconds.size(), name,
                microseconds[microseconds.size() / 2], microseconds.back());
}

}  // namespace

int run_dynamic(const Contest& contest) {
    ActiveMap active(contest.map);
    const std::string file = contest.index_file.string();
    gppc_preprocess_init_map(active.patch(), file.c_str());
    void* const data = gppc_search_init(active.patch(), file.c_str());
    RandomPatches patches;
    grid::Astar astar;
    std::vector<double> changes;
    std::vector<double> queries;
    int wrong = 0;
    for (std::size_t i = 0; i < contest.scenario.problems.size(); ++i) {
        if (i != 0 && i % kProblemsPerChange == 0) {
            const std::vector<gppc_patch> applied = patches.apply_to(active);
            const Stopwatch watch;
            gppc_map_change(data, applied.data(), static_cast<std::uint32_t>(applied.size()));
            changes.push_back(watch.microseconds());
        }
        const formats::ScenarioProblem& problem = contest.scenario.problems[i];
        const Stopwatch watch;
        const gppc_path path = gppc_get_path(data, to_point(problem.start), to_point(problem.goal));
        queries.push_back(watch.microseconds());
        if (!is_shortest(active.map(), path, problem, astar)) {
            std::printf("# WRONG: the path of problem %zu\n", i);
            ++wrong;
        }
    }
    gppc_free_data(data);
    print("changes", changes);
    print("queries", queries);
    std::printf("# %d wrong paths\n", wrong);
    return wrong;
}

}  // namespace gppc
