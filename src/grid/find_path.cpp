#include "cairn/grid/find_path.hpp"

#include <utility>

#include "cairn/grid/astar.hpp"
#include "cairn/grid/jps.hpp"
#include "core/guarded.hpp"

namespace cairn {

Result<grid::Path> find_path(const grid::Map& map, grid::Point start, grid::Point goal) noexcept {
    return guarded([&]() -> Result<grid::Path> {
        grid::Path path;
        if (const auto bits = grid::JpsMap::create(map)) {
            grid::Jps().find_path(*bits, start, goal, path);
        } else {
            grid::Astar().find_path(map, start, goal, path, {.open = grid::OpenList::buckets});
        }
        if (path.status != StatusCode::ok) return fail(path.status);
        return path;
    });
}

}  // namespace cairn
