#include "changing_map.hpp"

#include <algorithm>
#include <array>

using namespace cairn;

namespace gppc {
namespace {

constexpr std::size_t kPatches = 4;       // in a change
constexpr std::size_t kManyPatches = 60;  // in every fifth change
constexpr int kLargestPatch = 16;         // cells along a side

using PatchBits = std::array<std::uint8_t, std::size_t{kLargestPatch} * kLargestPatch / 8>;
constexpr PatchBits kObstacles{};
constexpr PatchBits kTraversable = [] {
    PatchBits bits{};
    bits.fill(0xff);
    return bits;
}();

gppc_patch patch(const std::uint8_t* bits, const grid::Rect& area) {
    return {bits,
            static_cast<std::uint16_t>(area.width),
            static_cast<std::uint16_t>(area.height),
            {static_cast<std::uint16_t>(area.x), static_cast<std::uint16_t>(area.y)}};
}

gppc_patch whole(const grid::Map& map, const std::vector<std::uint8_t>& bits) {
    return patch(bits.data(), {0, 0, map.width(), map.height()});
}

gppc_point to_point(grid::Point p) {
    return {static_cast<std::uint16_t>(p.x), static_cast<std::uint16_t>(p.y)};
}

void set(std::vector<std::uint8_t>& bits, std::size_t i, bool value) {
    const auto bit = static_cast<std::uint8_t>(1U << (i % 8));
    bits[i / 8] = static_cast<std::uint8_t>(value ? bits[i / 8] | bit : bits[i / 8] & ~bit);
}

std::vector<std::uint8_t> bits_of(const grid::Map& map) {
    std::vector<std::uint8_t> bits((map.size() + 7) / 8);
    for (grid::Cell c = 0; c < map.size(); ++c) set(bits, c, map.passable(c));
    return bits;
}

}  // namespace

std::vector<grid::TerrainEdit> RandomChanges::next() {
    std::vector<grid::TerrainEdit> edits(++changes_ % 5 == 0 ? kManyPatches : kPatches);
    for (auto& [area, terrain] : edits) {
        area.width = below(std::min(kLargestPatch, width_)) + 1;
        area.height = below(std::min(kLargestPatch, height_)) + 1;
        area.x = below(width_ - area.width + 1);
        area.y = below(height_ - area.height + 1);
        terrain = below(2) == 0 ? 1 : 0;
    }
    return edits;
}

void DynamicEntry::preprocess(const Contest& contest) {
    const auto bits = bits_of(contest.map);
    gppc_preprocess_init_map(whole(contest.map, bits), contest.index_file.string().c_str());
}

DynamicEntry::DynamicEntry(const Contest& contest)
    : width_(contest.map.width()),
      bits_(bits_of(contest.map)),
      data_(gppc_search_init(whole(contest.map, bits_), contest.index_file.string().c_str())) {}

void DynamicEntry::edit(std::span<const grid::TerrainEdit> edits) {
    patches_.clear();
    for (const auto& [area, terrain] : edits) {
        const bool traversable = terrain != 0;
        for (int y = area.y; y < area.y + area.height; ++y) {
            for (int x = area.x; x < area.x + area.width; ++x)
                set(bits_, grid::cell_of(width_, {x, y}), traversable);
        }
        patches_.push_back(patch(traversable ? kTraversable.data() : kObstacles.data(), area));
    }
}

std::span<const gppc_point> DynamicEntry::path(const formats::ScenarioProblem& problem) {
    const gppc_path path = gppc_get_path(data_, to_point(problem.start), to_point(problem.goal));
    return {path.path, path.length};
}

bool is_right(const grid::Map& map, std::span<const gppc_point> path,
              const formats::ScenarioProblem& problem, Cost cost) {
    if (cost == kInfinity || problem.start == problem.goal) return path.empty();
    const std::vector<grid::Cell> cells = to_cells(map, path);
    return !cells.empty() && cells.front() == map.cell(problem.start) &&
           cells.back() == map.cell(problem.goal) && grid::path_cost(map, cells) == cost;
}

}  // namespace gppc
