#include "cairn/render/closure_picture.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "canvas.hpp"
#include "closure_painter.hpp"
#include "core/guarded.hpp"
#include "hna/snapshot.hpp"
#include "hpa/snapshot.hpp"
#include "mesh_canvas.hpp"
#include "mesh_ground.hpp"
#include "palette.hpp"
#include "subgoal/snapshot.hpp"

namespace cairn::render {
namespace {

using grid::Point;

/// The nodes of the graph of level 1.
template <class Index>
const auto& nodes_of(const Index& index) {
    return index.snapshot().nodes;
}
const hna::Hng& nodes_of(const hna::Index& index) { return index.snapshot().first_hng; }

/// ok, or unsupported: the index has no closure.
template <class Index>
Status check_closure(const Index& index) {
    if (index.has_closure() || nodes_of(index).size() == 0) return {};
    const Status& status = index.labels_status();
    return {StatusCode::unsupported,
            fmt::format("the index has no closure{}{}", status.message.empty() ? "" : ": ",
                        status.message)};
}

Closure closure_of(const hpa::Index& index) {
    const auto& labels = index.snapshot().labels;
    return labels ? labels->labels.closure() : Closure();
}
Closure closure_of(const hna::Index& index) {
    const auto& labels = index.snapshot().labels;
    return labels ? labels->labels.closure() : Closure();
}
Closure closure_of(const subgoal::Index& index) { return index.snapshot().labels.closure(); }

/// The closure of HPA* or of a subgoal graph, placed on a canvas.
template <class Index>
PlacedClosure placed_on(const Canvas& canvas, const Index& index) {
    PlacedClosure placed{closure_of(index), {}, {}};
    const auto& nodes = nodes_of(index);
    for (std::uint32_t v = 0; v < placed.closure.num_nodes(); ++v) {
        const grid::Cell cell = nodes.cell(v);
        placed.ids.push_back(cell);
        placed.at.push_back(cell == grid::kNoCell ? Position{} : canvas.centre(cell));
    }
    return placed;
}

PlacedClosure placed_on(const MeshCanvas& canvas, const hna::Index& index) {
    PlacedClosure placed{closure_of(index), {}, {}};
    const auto& nodes = nodes_of(index);
    for (std::uint32_t v = 0; v < placed.closure.num_nodes(); ++v) {
        placed.ids.push_back(nodes.portal(v));
        placed.at.push_back(nodes.is_removed(v)
                                ? Position{}
                                : canvas.at(canvas.mesh().midpoint(2 * nodes.portal(v))));
    }
    return placed;
}

/// The node with the least distance(node), of several the first; none if all were removed.
template <class Distance>
std::optional<std::uint32_t> nearest(const PlacedClosure& placed, const Distance& distance) {
    std::optional<std::uint32_t> best;
    for (std::uint32_t v = 0; v < placed.at.size(); ++v) {
        if (placed.present(v) && (!best || distance(v) < distance(*best))) best = v;
    }
    return best;
}

Status no_nodes() { return {StatusCode::unsupported, "the graph of the index has no nodes"}; }

std::string length_text(Cost cost, double unit) {
    return fmt::format("length {:.1f}", static_cast<double>(cost) / unit);
}

/// Paints a map and the closure on it: paint(canvas, placed) returns a Status.
template <class Index, class Paint>
Result<Drawing> on_map(const Index& index, const MapPicture& picture, const Paint& paint) {
    if (Status s = check_closure(index); !s.ok()) return tl::unexpected(std::move(s));
    Result<Canvas> canvas = Canvas::create(index.map(), picture);
    if (!canvas) return tl::unexpected(std::move(canvas.error()));
    if (Status s = paint(*canvas, placed_on(*canvas, index)); !s.ok())
        return tl::unexpected(std::move(s));
    canvas->paths(picture);
    canvas->markers(picture);
    return canvas->finish();
}

/// The same for a mesh.
template <class Paint>
Result<Drawing> on_mesh(const hna::Index& index, const MeshPicture& picture, const Paint& paint) {
    if (Status s = check_closure(index); !s.ok()) return tl::unexpected(std::move(s));
    Result<MeshCanvas> canvas = MeshCanvas::create(index.mesh(), picture);
    if (!canvas) return tl::unexpected(std::move(canvas.error()));
    paint_ground(*canvas, picture);
    if (Status s = paint(*canvas, placed_on(*canvas, index)); !s.ok())
        return tl::unexpected(std::move(s));
    return canvas->finish();
}

template <class Index>
Result<Drawing> tree_on_map(const Index& index, const MapPicture& picture) {
    return on_map(index, picture, [](Canvas& canvas, const PlacedClosure& placed) -> Status {
        ClosurePainter(placed, canvas.scale(), canvas).tree();
        return {};
    });
}

template <class Index>
Result<Drawing> climb_on_map(const Index& index, Point from, std::optional<Point> to,
                             const MapPicture& picture) {
    const grid::Map& map = index.map();
    for (const std::optional<Point> p : {std::optional(from), to}) {
        if (!p || map.contains(*p)) continue;
        return fail(StatusCode::bad_option,
                    fmt::format("start or goal {},{} lies outside the map", p->x, p->y));
    }
    return on_map(index, picture, [&](Canvas& canvas, const PlacedClosure& placed) -> Status {
        const auto nearest_to = [&](Point p) {
            return nearest(placed, [&](std::uint32_t node) {
                const Point q = map.point(placed.ids[node]);
                const std::int64_t x = q.x - p.x;
                const std::int64_t y = q.y - p.y;
                return x * x + y * y;
            });
        };
        const auto start = nearest_to(from);
        if (!start) return no_nodes();
        ClosurePainter(placed, canvas.scale(), canvas)
            .climb(*start, to ? nearest_to(*to) : std::nullopt,
                   [&](Cost cost) { return length_text(cost, map.options().costs.straight); });
        return {};
    });
}

template <class Index>
Result<Drawing> repair_on_map(const Index& before, const Index& after,
                              std::span<const grid::TerrainEdit> edits, const MapPicture& picture) {
    const grid::Map& map = after.map();
    if (map.width() != before.map().width() || map.height() != before.map().height())
        return fail(StatusCode::bad_option, "the indexes have maps of different sizes");
    if (Status s = check_closure(before); !s.ok()) return tl::unexpected(std::move(s));
    return on_map(after, picture, [&](Canvas& canvas, const PlacedClosure& placed) -> Status {
        const Stroke stroke{palette::edit, 2 * canvas.hair(), 0};
        canvas.legend().line(stroke, "the edit");
        ClosurePainter(placed, canvas.scale(), canvas).repair(placed_on(canvas, before));
        Layer& areas = canvas.layer("edits");
        for (const grid::TerrainEdit& edit : edits)
            areas.shapes.emplace_back(outline(canvas.box(edit.area), stroke));
        return {};
    });
}

}  // namespace

Result<Drawing> draw_tree(const hpa::Index& index, const MapPicture& picture) noexcept {
    return guarded([&] { return tree_on_map(index, picture); });
}

Result<Drawing> draw_tree(const subgoal::Index& index, const MapPicture& picture) noexcept {
    return guarded([&] { return tree_on_map(index, picture); });
}

Result<Drawing> draw_tree(const hna::Index& index, const MeshPicture& picture) noexcept try {
    return on_mesh(index, picture, [](MeshCanvas& canvas, const PlacedClosure& placed) -> Status {
        ClosurePainter(placed, canvas.detail(), canvas).tree();
        return {};
    });
} catch (...) {
    return out_of_memory();
}

Result<Drawing> draw_climb(const hpa::Index& index, Point from, std::optional<Point> to,
                           const MapPicture& picture) noexcept {
    return guarded([&] { return climb_on_map(index, from, to, picture); });
}

Result<Drawing> draw_climb(const subgoal::Index& index, Point from, std::optional<Point> to,
                           const MapPicture& picture) noexcept {
    return guarded([&] { return climb_on_map(index, from, to, picture); });
}

Result<Drawing> draw_climb(const hna::Index& index, mesh::Point from, std::optional<mesh::Point> to,
                           const MeshPicture& picture) noexcept try {
    return on_mesh(index, picture, [&](MeshCanvas& canvas, const PlacedClosure& placed) -> Status {
        const auto nearest_to = [&](const mesh::Point& p) {
            return nearest(placed, [&](std::uint32_t node) {
                const mesh::Point q = index.mesh().midpoint(2 * placed.ids[node]);
                return std::hypot(q.x - p.x, q.y - p.y, q.z - p.z);
            });
        };
        const auto start = nearest_to(from);
        if (!start) return no_nodes();
        ClosurePainter(placed, canvas.detail(), canvas)
            .climb(*start, to ? nearest_to(*to) : std::nullopt,
                   [&](Cost cost) { return length_text(cost, index.mesh().units_per_length()); });
        return {};
    });
} catch (...) {
    return out_of_memory();
}

Result<Drawing> draw_repair(const hpa::Index& before, const hpa::Index& after,
                            std::span<const grid::TerrainEdit> edits,
                            const MapPicture& picture) noexcept {
    return guarded([&] { return repair_on_map(before, after, edits, picture); });
}

Result<Drawing> draw_repair(const subgoal::Index& before, const subgoal::Index& after,
                            std::span<const grid::TerrainEdit> edits,
                            const MapPicture& picture) noexcept {
    return guarded([&] { return repair_on_map(before, after, edits, picture); });
}

}  // namespace cairn::render
