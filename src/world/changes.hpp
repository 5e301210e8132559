#pragma once
// What an edit changes, and which paths that concerns: on grids areas of cells, on meshes polygons.

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "cairn/grid/path_check.hpp"
#include "cairn/planners.hpp"
#include "cairn/world/world.hpp"

namespace cairn {

/// Whether a planner's edits change cells; else polygons.
template <class P>
inline constexpr bool kOnGrid = std::same_as<typename P::Edit, grid::TerrainEdit>;

/// The changes of edits, oldest first. The lists have the same length.
template <class P>
struct Changes {
    /// What changed. For haa the anchors at which an agent of some size covers a changed cell.
    using Area = std::conditional_t<kOnGrid<P>, grid::Rect, std::uint32_t>;

    std::vector<Area> areas;
    std::vector<std::uint64_t> edits;  ///< the number of the edit of each area, ascending
    std::vector<std::uint8_t> opens;   ///< whether it was freed, or its weight changed
    std::uint64_t forgotten = 0;       ///< the areas of edits up to this one are not all here

    void push_back(std::uint64_t edit, const Area& area, bool opened) {
        areas.push_back(area);
        edits.push_back(edit);
        opens.push_back(opened ? 1 : 0);
    }
    /// Appends the changes of `other` after the edit `number`.
    void append(const Changes& other, std::uint64_t number) {
        forgotten = std::max(forgotten, other.forgotten);
        for (std::size_t i = other.first_after(number); i < other.areas.size(); ++i)
            push_back(other.edits[i], other.areas[i], other.opens[i] != 0);
    }
    /// Forgets the oldest, if there are twice as many as `most`, until `most` are left.
    void forget(std::size_t most) {
        if (areas.size() <= most || areas.size() < 2 * most) return;
        const auto count = static_cast<std::ptrdiff_t>(areas.size() - most);
        forgotten = std::max(forgotten, edits[static_cast<std::size_t>(count) - 1]);
        areas.erase(areas.begin(), areas.begin() + count);
        edits.erase(edits.begin(), edits.begin() + count);
        opens.erase(opens.begin(), opens.begin() + count);
    }
    [[nodiscard]] std::size_t bytes() const noexcept {
        return areas.capacity() * (sizeof(Area) + sizeof(std::uint64_t) + 1);
    }
    /// The index of the first change after the edit `number`.
    [[nodiscard]] std::size_t first_after(std::uint64_t number) const noexcept {
        return static_cast<std::size_t>(std::upper_bound(edits.begin(), edits.end(), number) -
                                        edits.begin());
    }
};

/// Keeps alive the map that an agent of a request walks on, where agents have maps of their own.
template <class P>
struct AgentView {};
template <class P>
requires requires(typename P::Request request) { request.agent; }
struct AgentView<P> {
    using Agent = decltype(std::declval<typename P::Request>().agent);
    std::optional<std::decay_t<decltype(*std::declval<typename P::Index>().view(Agent{}))>> index;
};

/// The map that an agent of a request walks on. Null if there is no such agent, or if memory for
/// its view runs out.
template <class P>
[[nodiscard]] const auto* map_of(const typename P::Index& index,
                                 [[maybe_unused]] const typename P::Request& request,
                                 [[maybe_unused]] AgentView<P>& view) noexcept {
    if constexpr (requires { request.agent; }) {
        auto made = index.view(request.agent);
        if (made) view.index = *std::move(made);
        return view.index ? &view.index->map() : nullptr;
    } else if constexpr (requires { index.map(); }) {
        return &index.map();
    } else if constexpr (requires { index.mesh(); }) {
        return &index.mesh();
    } else {
        return &index;
    }
}

/// Appends what `edits`, made as the edit `number`, changed.
template <class P>
void append_changes(const typename P::Index& before, const typename P::Index& after,
                    std::span<const typename P::Edit> edits, std::uint64_t number,
                    Changes<P>& changes) {
    AgentView<P> none;
    if constexpr (requires { before.map().anchors_over(grid::Rect{}); }) {
        for (const grid::TerrainEdit& edit : edits)
            changes.push_back(number, before.map().anchors_over(edit.area), true);
    } else if constexpr (kOnGrid<P>) {
        const grid::Map& old = *map_of<P>(before, {}, none);
        const grid::Map& now = *map_of<P>(after, {}, none);
        for (const grid::TerrainEdit& edit : edits) {
            bool opens = false;
            for (int y = edit.area.y; y < edit.area.y + edit.area.height; ++y) {
                for (int x = edit.area.x; x < edit.area.x + edit.area.width; ++x) {
                    const grid::Cell cell = now.cell({x, y});
                    opens |= now.passable(cell) && now.weight(cell) != old.weight(cell);
                }
            }
            changes.push_back(number, edit.area, opens);
        }
    } else {
        const auto& old = *map_of<P>(before, {}, none);
        const auto& now = *map_of<P>(after, {}, none);
        for (const auto& edit : edits) {
            const auto p = edit.polygon;
            const bool opens = !now.blocked(p) && (old.blocked(p) || old.area(p) != now.area(p));
            changes.push_back(number, p, opens);
        }
    }
}

/// Whether all steps of a route are legal, given what has changed since it was; without `changed`
/// every step is checked.
template <class P>
[[nodiscard]] bool all_legal(const typename P::Index& index, const Route<P>& route,
                             std::optional<std::span<const typename Changes<P>::Area>> changed) {
    AgentView<P> view;
    const auto* map = map_of<P>(index, route.request, view);
    if (map == nullptr) return false;
    if constexpr (kOnGrid<P>) {
        const grid::Rect whole{0, 0, map->width(), map->height()};
        return grid::first_illegal_step(*map, route.steps,
                                        changed ? *changed : std::span(&whole, 1)) ==
               route.steps.size();
    } else {
        return std::none_of(route.steps.begin(), route.steps.end(), [&](std::uint32_t p) {
            return p >= map->num_polygons() || map->blocked(p);
        });
    }
}

/// The cost of a route now, which must be legal.
template <class P>
[[nodiscard]] Cost cost_of_route(const typename P::Index& index, const Route<P>& route) {
    if constexpr (kOnGrid<P>) {
        AgentView<P> view;
        const auto* map = map_of<P>(index, route.request, view);
        return map == nullptr ? kInfinity : grid::path_cost(*map, route.steps);
    } else {
        return route.cost;
    }
}

#if CAIRN_HAS_MESH

/// Whether a path from `start` to `goal` through a polygon may cost less than `cost`.
[[nodiscard]] inline bool may_be_cheaper(const mesh::Mesh& mesh, const mesh::Place& start,
                                         const mesh::Place& goal, mesh::Polygon polygon,
                                         Cost cost) {
    // Without their polygons the endpoints would have to be located.
    if (start.polygon >= mesh.num_polygons() || goal.polygon >= mesh.num_polygons()) return true;
    const mesh::Point from = mesh.anchor(start.polygon, start.point);
    const mesh::Point to = mesh.anchor(goal.polygon, goal.point);
    const auto links = mesh.links(polygon);
    // The path enters by one of the links, or leaves by one if it starts in the polygon.
    return std::any_of(links.begin(), links.end(), [&](mesh::Link link) {
        const mesh::Link other = mesh::twin(link);
        return std::uint64_t{mesh.bound(other, from)} + mesh.bound(link, to) < cost ||
               std::uint64_t{mesh.bound(link, from)} + mesh.bound(other, to) < cost;
    });
}

#endif

/// Whether a change from number `first` on may have opened a path that is cheaper than a route,
/// which costs `cost`.
template <class P>
[[nodiscard]] bool may_improve(const typename P::Index& index, const Route<P>& route, Cost cost,
                               const Changes<P>& changes, std::size_t first) {
    AgentView<P> view;
    const auto* map = map_of<P>(index, route.request, view);
    if (map == nullptr) return false;
    for (std::size_t i = first; i < changes.areas.size(); ++i) {
        if (changes.opens[i] != 0 &&
            may_be_cheaper(*map, route.request.start, route.request.goal, changes.areas[i], cost))
            return true;
    }
    return false;
}

}  // namespace cairn
