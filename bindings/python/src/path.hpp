#pragma once
// Answers: cairn.Path of one query, cairn.Paths of a batch.

#include <memory>

#include "map.hpp"

namespace cairn::python {

/// A path, with its own memory: of lists only what a query asks for.
struct Path {
    /// Copies what the answer has found.
    Path(const cairn_path& found, int32_t map_width);
    Path() = default;

    [[nodiscard]] std::size_t size() const noexcept {
        return on_mesh ? waypoints.size() : numbers.size();
    }
    [[nodiscard]] py::tuple point(std::size_t at) const;
    [[nodiscard]] double length() const noexcept;

    cairn_status status = CAIRN_OK;
    uint32_t cost = CAIRN_INFINITY;
    uint32_t lower_bound = 0;
    const char* engine = "";
    uint64_t expanded = 0;
    int32_t width = 0;
    bool on_mesh = false;
    std::vector<uint32_t> numbers;
    std::vector<uint32_t> nodes;
    std::vector<uint32_t> polygons;
    std::vector<cairn_waypoint> waypoints;
};

/// The paths of a batch.
struct Paths {
    Paths(PathsHandle made, int32_t map_width, bool of_replan = false);
    PathsHandle handle;
    cairn_path_lists lists = CAIRN_INIT(cairn_path_lists);
    int32_t width = 0;
    bool replanned;  ///< made by World.replan
};

}  // namespace cairn::python
