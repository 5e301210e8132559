#pragma once
// Slow and simple answers about the clearance of flat meshes, for tests to compare with.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <span>
#include <vector>

#include "cairn/mesh/clearance.hpp"
#include "cairn/mesh/locator.hpp"

namespace cairn::test {

/// A piece of wall seen from above.
struct WallSegment {
    double ax = 0;
    double az = 0;
    double bx = 0;
    double bz = 0;
};

[[nodiscard]] inline double distance(const WallSegment& wall, double x, double z) {
    const double dx = wall.bx - wall.ax;
    const double dz = wall.bz - wall.az;
    const double share =
        std::clamp(((x - wall.ax) * dx + (z - wall.az) * dz) / (dx * dx + dz * dz), 0.0, 1.0);
    return std::hypot(wall.ax + share * dx - x, wall.az + share * dz - z);
}

/// The distance to the nearest wall; infinity if there is none.
[[nodiscard]] inline double distance(std::span<const WallSegment> walls, double x, double z) {
    double least = std::numeric_limits<double>::infinity();
    for (const WallSegment& wall : walls) least = std::min(least, distance(wall, x, z));
    return least;
}

/// The walls of a mesh whose portals are whole edges: the edges that polygons do not share with an
/// open polygon, and all edges of blocked ones.
[[nodiscard]] inline std::vector<WallSegment> walls_of(const mesh::Mesh& mesh) {
    std::vector<WallSegment> walls;
    for (mesh::Polygon p = 0; p < mesh.num_polygons(); ++p) {
        if (mesh.is_connection(p) || mesh.is_removed(p)) continue;
        const auto corners = mesh.corners(p);
        for (std::size_t i = 0; i < corners.size(); ++i) {
            const mesh::Point a = mesh.vertices()[corners[i]];
            const mesh::Point b = mesh.vertices()[corners[(i + 1) % corners.size()]];
            const auto links = mesh.links(p);
            const bool open = std::any_of(links.begin(), links.end(), [&](mesh::Link link) {
                const bool same = mesh.right(link) == a && mesh.left(link) == b;
                return same && (mesh.open(link) || mesh.open(mesh::twin(link)));
            });
            if (!open) walls.push_back({a.x, a.z, b.x, b.z});
        }
    }
    return walls;
}

/// Points in rows over a flat mesh, and which of them a disc can reach from each other in steps to
/// the eight points around. An exact answer for any place differs by no more than is said at the
/// functions.
class GridOracle {
public:
    /// `step`: the distance between points.
    GridOracle(const mesh::Mesh& mesh, std::vector<WallSegment> walls, double step)
        : walls_(std::move(walls)), step_(step) {
        double high_x = -std::numeric_limits<double>::infinity();
        double high_z = high_x;
        low_x_ = low_z_ = -high_x;
        for (const mesh::Point& p : mesh.vertices()) {
            low_x_ = std::min(low_x_, double{p.x});
            low_z_ = std::min(low_z_, double{p.z});
            high_x = std::max(high_x, double{p.x});
            high_z = std::max(high_z, double{p.z});
        }
        width_ = static_cast<int>(std::ceil((high_x - low_x_) / step));
        height_ = static_cast<int>(std::ceil((high_z - low_z_) / step));
        const mesh::Locator locator = mesh::Locator::create(mesh).value();
        clearance_.resize(static_cast<std::size_t>(width_) * static_cast<std::size_t>(height_), -1);
        for (std::size_t i = 0; i < clearance_.size(); ++i) {
            const mesh::Point p = point(i);
            const mesh::Polygon polygon = locator.find(mesh, p);
            if (polygon == mesh::kNone || mesh.blocked(polygon)) continue;
            clearance_[i] = distance(walls_, p.x, p.z);
            if (clearance_[i] > 0) points_.push_back(i);
        }
        unite();
    }

    /// The points on the mesh that are not on a wall.
    [[nodiscard]] std::span<const std::size_t> points() const { return points_; }
    [[nodiscard]] mesh::Point point(std::size_t i) const {
        const auto at = static_cast<int>(i);
        return {static_cast<float>(low_x_ + (at % width_ + 0.5) * step_), 0,
                static_cast<float>(low_z_ + (at / width_ + 0.5) * step_)};
    }
    [[nodiscard]] double clearance(std::size_t i) const { return clearance_[i]; }

    /// The greatest radius with which a disc gets from one point to another in steps; -1 if none.
    [[nodiscard]] double most_radius(std::size_t a, std::size_t b) const {
        if (a == b) return clearance_[a];
        double least = std::min(clearance_[a], clearance_[b]);
        // The forest's widths never grow on the way up: climb from the deeper end.
        while (a != b) {
            std::size_t& lower = up_[a] >= up_[b] ? a : b;
            if (up_[lower] < 0) return -1;
            least = std::min(least, up_[lower]);
            lower = parent_[lower];
        }
        return least;
    }
    /// Whether a radius may be the greatest one between two points, if most_radius() says `here`.
    /// Of a line for a disc, every point lies within `off` of a point that is met in steps. A step
    /// between two points can pass a gate whose disc holds neither.
    [[nodiscard]] bool agrees(double radius, double here) const {
        constexpr double kRounding = 1e-3;
        const double off = step_ * std::sqrt(0.5);
        const bool low = here < 0 || (radius >= 0 && here <= std::hypot(radius, off) + kRounding);
        return low && radius <= std::max(here, 0.0) + off + kRounding;
    }

private:
    [[nodiscard]] bool crosses_wall(std::size_t a, std::size_t b) const {
        const double apart = std::hypot(point(a).x - point(b).x, point(a).z - point(b).z);
        if (std::max(clearance_[a], clearance_[b]) > apart) return false;
        const auto side = [](double ax, double az, double bx, double bz, double x, double z) {
            return (bx - ax) * (z - az) - (bz - az) * (x - ax);
        };
        const mesh::Point p = point(a);
        const mesh::Point q = point(b);
        return std::any_of(walls_.begin(), walls_.end(), [&](const WallSegment& w) {
            const double p_side = side(w.ax, w.az, w.bx, w.bz, p.x, p.z);
            const double q_side = side(w.ax, w.az, w.bx, w.bz, q.x, q.z);
            const double begin = side(p.x, p.z, q.x, q.z, w.ax, w.az);
            const double end = side(p.x, p.z, q.x, q.z, w.bx, w.bz);
            // Walls on the same line may be far away.
            return p_side * q_side <= 0 && begin * end <= 0 && distance(w, p.x, p.z) <= apart;
        });
    }
    [[nodiscard]] std::size_t root(std::size_t i) const {
        while (up_[i] >= 0) i = parent_[i];
        return i;
    }
    // Unites points with their neighbours, those with most clearance first.
    void unite() {
        std::vector<std::size_t> order = points_;
        std::sort(order.begin(), order.end(),
                  [&](std::size_t a, std::size_t b) { return clearance_[a] > clearance_[b]; });
        parent_.resize(clearance_.size());
        up_.assign(clearance_.size(), -1);
        std::vector<std::size_t> sizes(clearance_.size(), 1);
        std::vector<bool> seen(clearance_.size());
        for (const std::size_t i : order) {
            seen[i] = true;
            const int x = static_cast<int>(i) % width_;
            const int z = static_cast<int>(i) / width_;
            for (int to_z = std::max(z - 1, 0); to_z <= std::min(z + 1, height_ - 1); ++to_z) {
                for (int to_x = std::max(x - 1, 0); to_x <= std::min(x + 1, width_ - 1); ++to_x) {
                    const auto j = static_cast<std::size_t>(to_z * width_ + to_x);
                    if (!seen[j] || crosses_wall(i, j)) continue;
                    std::size_t a = root(i);
                    std::size_t b = root(j);
                    if (a == b) continue;
                    if (sizes[a] < sizes[b]) std::swap(a, b);
                    parent_[b] = a;
                    up_[b] = clearance_[i];
                    sizes[a] += sizes[b];
                }
            }
        }
    }

    std::vector<WallSegment> walls_;
    double step_;
    double low_x_ = 0;
    double low_z_ = 0;
    int width_ = 0;
    int height_ = 0;
    std::vector<double> clearance_;    // per point; -1: off the mesh
    std::vector<std::size_t> points_;  // those on the mesh
    std::vector<std::size_t> parent_;  // a forest, as that of mesh::WidthForest
    std::vector<double> up_;           // the radius to the parent; -1: it has none
};

/// The greatest radius with which a disc gets from one place of clearance.mesh() to another, by
/// halving; -1 if none.
[[nodiscard]] inline double most_radius(const mesh::Clearance& clearance, const mesh::Place& from,
                                        const mesh::Place& to, double high) {
    if (clearance.reachable(from, to, 0) != StatusCode::ok) return -1;
    double low = 0;
    constexpr int kHalvings = 30;
    for (int i = 0; i < kHalvings; ++i) {
        const double middle = (low + high) / 2;
        (clearance.reachable(from, to, middle) == StatusCode::ok ? low : high) = middle;
    }
    return low;
}

}  // namespace cairn::test
