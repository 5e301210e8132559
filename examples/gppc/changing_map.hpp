#pragma once
// The harness's side of the dynamic track: random changes, and the entry with the active map.

#include <cstdint>
#include <random>
#include <span>
#include <vector>

#include "cairn/grid/map.hpp"
#include "dynamic_entry.hpp"
#include "tracks.hpp"

namespace gppc {

/// Changes of a map: random rectangles of up to 16 x 16 cells, four in a change and sixty in every
/// fifth, each all traversable (terrain 1) or all obstacles (0). The same in every run.
class RandomChanges {
public:
    RandomChanges(int width, int height) : width_(width), height_(height) {}
    [[nodiscard]] std::vector<cairn::grid::TerrainEdit> next();

private:
    int below(int bound) { return static_cast<int>(random_() % static_cast<unsigned>(bound)); }

    std::mt19937 random_{1};
    int width_;
    int height_;
    int changes_ = 0;
};

/// The entry, called through its C functions, and the active map's bits, which the harness keeps.
class DynamicEntry {
public:
    /// Saves the index that the constructor loads.
    static void preprocess(const Contest& contest);
    explicit DynamicEntry(const Contest& contest);
    ~DynamicEntry() { gppc_free_data(data_); }
    DynamicEntry(const DynamicEntry&) = delete;
    DynamicEntry& operator=(const DynamicEntry&) = delete;

    /// Changes the active map. `change` then tells the entry.
    void edit(std::span<const cairn::grid::TerrainEdit> edits);
    void change() {
        gppc_map_change(data_, patches_.data(), static_cast<std::uint32_t>(patches_.size()));
    }
    /// Valid until the next call.
    [[nodiscard]] std::span<const gppc_point> path(const cairn::formats::ScenarioProblem& problem);

private:
    int width_;
    std::vector<std::uint8_t> bits_;
    std::vector<gppc_patch> patches_;  // of the newest edits
    void* data_;
};

/// Whether a path of the entry costs `cost` and leads from start to goal of the problem over legal
/// steps; or is empty, if `cost` is kInfinity or start and goal are one cell.
[[nodiscard]] bool is_right(const cairn::grid::Map& map, std::span<const gppc_point> path,
                            const cairn::formats::ScenarioProblem& problem, cairn::Cost cost);

}  // namespace gppc
