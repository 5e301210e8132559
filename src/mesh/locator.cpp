#include "cairn/mesh/locator.hpp"

#include <cmath>

#include "mesh/locator_data.hpp"
#include "mesh/nearest_polygon.hpp"
#include "mesh/surface.hpp"

namespace cairn::mesh {

Locator::Locator() : data_(std::make_shared<const LocatorData>()) {}

Polygon Locator::find(const Mesh& mesh, const Point& point,
                      double height_tolerance) const noexcept {
    if (!finite(point)) return kNone;
    const MeshData& data = mesh.data();
    const auto polygons = data_->bucket(data_->x.at(double{point.x}), data_->z.at(double{point.z}));
    const auto off = [&](Polygon polygon) {
        return std::abs(height_inside(data, polygon, point) - double{point.y});
    };
    // Heights are looked at only where they matter: mostly, one polygon is all there is.
    Polygon best = kNone;
    double least = -1;
    if (!(height_tolerance >= 0)) return kNone;
    for (const Polygon polygon : polygons) {
        if (!contains(data, polygon, point)) continue;
        if (best == kNone && std::isinf(height_tolerance)) {
            best = polygon;
            continue;
        }
        if (best != kNone && least < 0) least = off(best);
        const double height_off = off(polygon);
        if (best == kNone ? height_off > height_tolerance : height_off >= least) continue;
        best = polygon;
        least = height_off;
    }
    return best;
}

std::optional<Nearest> Locator::nearest(const Mesh& mesh, const Point& point,
                                        double radius) const noexcept {
    return nearest_polygon(*data_, all_buckets(*data_), mesh.data(), point, radius,
                           [&mesh](Polygon p) { return !mesh.blocked(p); });
}

std::optional<Nearest> Locator::nearest(const Mesh& mesh, const Point& point, double radius,
                                        std::span<const std::uint32_t> component,
                                        std::uint32_t wanted) const noexcept {
    return nearest_polygon(*data_, all_buckets(*data_), mesh.data(), point, radius,
                           [&](Polygon p) { return component[p] == wanted && !mesh.blocked(p); });
}

std::size_t Locator::bytes() const noexcept {
    return sizeof *data_ + data_->first.capacity() * sizeof(std::uint32_t) +
           data_->polygons.capacity() * sizeof(Polygon);
}

float height(const Mesh& mesh, Polygon polygon, const Point& point) noexcept {
    if (!contains(mesh.data(), polygon, point))
        return nearest_on_border(mesh.data(), polygon, point).y;
    return static_cast<float>(height_inside(mesh.data(), polygon, point));
}

}  // namespace cairn::mesh
