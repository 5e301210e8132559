// The polygons of a mesh: checks those of a source and adds them.

#include "mesh/mesh_build.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace cairn::mesh {

Status fault_of(std::string_view kind, std::size_t number, std::string_view what) {
    return {StatusCode::corrupt_file, fmt::format("{} {}: {}", kind, number, what)};
}

namespace {

// Errors: too_large.
Status check_count(std::size_t count, std::size_t most, std::string_view what) {
    if (count <= most) return {};
    return {StatusCode::too_large, fmt::format("{} {}: a mesh has at most {}", count, what, most)};
}

Status check_counts(const MeshSource& source, std::size_t polygons, const MeshTopology& t) {
    const std::size_t connections = source.connections.size();
    const std::size_t all = t.num_polygons() + polygons + connections;
    Status status = check_count(all, kMostPolygons, "polygons");
    const std::size_t corners = t.corners.size() + source.corners.size();
    if (status.ok()) status = check_count(corners, kMostPolygons, "corners");
    const std::size_t vertices = t.vertices.size() + source.vertices.size();
    if (status.ok()) status = check_count(vertices, 4 * kMostPolygons, "vertices");
    const std::size_t portals = t.ends.size() + source.portals.size() + 2 * connections;
    return status.ok() ? check_count(portals, kMostPolygons, "portals") : status;
}

Status check_corner_ranges(const MeshSource& source) {
    const auto first = source.first_corner;
    if (first.empty()) {
        if (source.corners.empty()) return {};
        return {StatusCode::corrupt_file, "corners without polygons"};
    }
    if (first.front() != 0 || first.back() != source.corners.size()) {
        return {StatusCode::corrupt_file,
                fmt::format("the polygons' corners are numbers {} to {} of {}", first.front(),
                            first.back(), source.corners.size())};
    }
    for (std::size_t p = 0; p + 1 < first.size(); ++p) {
        if (first[p + 1] < first[p] || first[p + 1] > source.corners.size())
            return fault_of("polygon", p, "its corners end before they begin");
    }
    return {};
}

bool usable(const Point& p) {
    constexpr float kFarthest = 1e7F;
    // Also false for NaN.
    return std::abs(p.x) <= kFarthest && std::abs(p.y) <= kFarthest && std::abs(p.z) <= kFarthest;
}

// The message for unusable points.
constexpr std::string_view kNotUsable = "it is not finite or lies beyond 1e7";

// What the polygon numbers in a source mean: first come the polygons of the mesh, then those of the
// source, then its connections.
struct Numbers {
    const MeshTopology& mesh;
    std::size_t polygons;     // of the source
    std::size_t connections;  // of the source

    [[nodiscard]] bool exists(std::size_t p) const {
        if (p < mesh.num_polygons()) return !mesh.is_removed(static_cast<Polygon>(p));
        return p < mesh.num_polygons() + polygons + connections;
    }
    [[nodiscard]] bool is_connection(std::size_t p) const {
        if (p < mesh.num_polygons()) return mesh.is_connection(static_cast<Polygon>(p));
        return p >= mesh.num_polygons() + polygons;
    }
};

Status check_join_ranges(const MeshSource& source, const Numbers& numbers) {
    for (std::size_t i = 0; i < source.portals.size(); ++i) {
        const PortalSource& portal = source.portals[i];
        if (!numbers.exists(portal.first) || !numbers.exists(portal.second))
            return fault_of("portal", i, "it is of a polygon that does not exist");
        if (portal.first == portal.second)
            return fault_of("portal", i, "it joins a polygon to itself");
        if (numbers.is_connection(portal.first) && numbers.is_connection(portal.second))
            return fault_of("portal", i, "it joins two connections");
        if (!usable(portal.begin) || !usable(portal.end)) return fault_of("portal", i, kNotUsable);
        if (!(portal.width >= 0)) return fault_of("portal", i, "its width is not 0 or more");
    }
    for (std::size_t i = 0; i < source.connections.size(); ++i) {
        const ConnectionSource& connection = source.connections[i];
        const auto joins = [&numbers](Polygon p) {
            return p == kNone || (numbers.exists(p) && !numbers.is_connection(p));
        };
        if (!joins(connection.from) || !joins(connection.to))
            return fault_of("connection", i, "it is of a polygon that does not exist");
        if (connection.area >= kAreas) return fault_of("connection", i, "its area is not 0 to 63");
        if (!usable(connection.begin) || !usable(connection.end))
            return fault_of("connection", i, kNotUsable);
    }
    return {};
}

// Seen from above; positive if the corners go around to the left. Relative to the first point, so
// that no precision is lost far from the origin.
double twice_area(std::span<const Point> points) {
    double sum = 0;
    for (std::size_t i = 1; i + 1 < points.size(); ++i)
        sum += cross(points[i] - points[0], points[i + 1] - points[0]);
    return sum;
}

double largest_coordinate(std::span<const Point> points) {
    float largest = 0;
    for (const Point& p : points) largest = std::max({largest, std::abs(p.x), std::abs(p.z)});
    return double{largest};
}

// Whether a direction lies in the half turn from +x, included, to -x.
bool upwards(const Vector& v) { return v.z > 0 || (v.z == 0 && v.x > 0); }

// What a check of a polygon finds: what is odd about it, and in words.
struct Finding {
    Oddity oddity = Oddity::none;
    std::string what{};
};

// Whether a polygon of positive area turns left, or right by no more than rounding, at every
// corner, and once around in all.
Finding check_turns(std::span<const Point> points) {
    const double noise = kNoise * largest_coordinate(points);
    int rounds = 0;  // how often the edges' direction turns into the upper half
    Vector before = points.front() - points.back();
    for (std::size_t i = 0; i < points.size(); ++i) {
        const Vector after = points[(i + 1) % points.size()] - points[i];
        if (after.x == 0 && after.z == 0)
            return {Oddity::folded, "two corners are the same point seen from above"};
        const double turn = cross(before, after);
        const bool turns_back = before.x * after.x + before.z * after.z < 0;
        const double longer_edge = std::max(std::abs(before.x) + std::abs(before.z),
                                            std::abs(after.x) + std::abs(after.z));
        if (turn < -noise * longer_edge || (turns_back && turn <= 0))
            return {Oddity::not_convex, fmt::format("it is not convex at its corner {}", i)};
        if (turn >= 0 && !upwards(before) && upwards(after)) ++rounds;
        if (turn < 0 && upwards(before) && !upwards(after)) --rounds;
        before = after;
    }
    if (rounds == 1) return {};
    return {Oddity::folded, "it runs around itself more than once"};
}

// Reads polygons of a source, one after another; memory is kept.
class PolygonReader {
public:
    // `first`: the number in the mesh of the first of the source's vertices.
    PolygonReader(std::span<const Point> vertices, std::size_t first)
        : vertices_(vertices), first_(static_cast<std::uint32_t>(first)) {}

    // Reads and checks a polygon, and finds what is odd about it. Gives its corners the orientation
    // of the mesh, from the same first one.
    [[nodiscard]] Status read(std::size_t polygon, std::span<const std::uint32_t> corners,
                              Finding& finding) {
        if (corners.size() < 3) return fault_of("polygon", polygon, "fewer than three corners");
        if (corners.size() > kMostCorners) {
            return {StatusCode::too_large, fmt::format("polygon {}: {} corners, more than {}",
                                                       polygon, corners.size(), kMostCorners)};
        }
        for (const std::uint32_t corner : corners) {
            if (corner < vertices_.size()) continue;
            return fault_of("polygon", polygon, fmt::format("there is no vertex {}", corner));
        }
        corners_.assign(corners.begin(), corners.end());
        finding = examine();
        return {};
    }

    // Appends the polygon's corners as vertices of the mesh.
    void append_corners(std::vector<std::uint32_t>& corners) const {
        for (const std::uint32_t corner : corners_) corners.push_back(first_ + corner);
    }
    [[nodiscard]] std::span<const Point> points() const { return points_; }

private:
    [[nodiscard]] Finding examine() {
        constexpr double kLeastArea = 1e-9;
        set_points();
        const double area = twice_area(points_) / 2;
        if (area < 0) {
            std::reverse(corners_.begin() + 1, corners_.end());
            set_points();
        }
        if (has_duplicates()) return {Oddity::folded, "it has a corner twice"};
        if (std::abs(area) < kLeastArea) return {Oddity::no_area, "it has no area seen from above"};
        return check_turns(points_);
    }
    bool has_duplicates() {
        sorted_ = corners_;
        std::sort(sorted_.begin(), sorted_.end());
        return std::adjacent_find(sorted_.begin(), sorted_.end()) != sorted_.end();
    }
    void set_points() {
        points_.clear();
        for (const std::uint32_t corner : corners_) points_.push_back(vertices_[corner]);
    }

    std::span<const Point> vertices_;
    std::uint32_t first_;
    std::vector<std::uint32_t> corners_;
    std::vector<std::uint32_t> sorted_;
    std::vector<Point> points_;
};

Point mean(std::span<const Point> points) {
    Vector sum;
    for (const Point& p : points) {
        sum.x += double{p.x};
        sum.y += double{p.y};
        sum.z += double{p.z};
    }
    const auto count = static_cast<double>(points.size());
    return {static_cast<float>(sum.x / count), static_cast<float>(sum.y / count),
            static_cast<float>(sum.z / count)};
}

void add_connections(const MeshSource& source, MeshTopology& t) {
    for (const ConnectionSource& connection : source.connections) {
        const auto vertex = static_cast<std::uint32_t>(t.vertices.size());
        t.vertices.insert(t.vertices.end(), {connection.begin, connection.end});
        t.corners.insert(t.corners.end(), {vertex, vertex + 1});
        t.first_corner.push_back(static_cast<std::uint32_t>(t.corners.size()));
        t.centres.push_back(middle(connection.begin, connection.end));
    }
    t.connections += static_cast<std::uint32_t>(source.connections.size());
}

}  // namespace

Status check_arrays(const MeshSource& source, const MeshTopology& t) {
    const std::size_t polygons = source.first_corner.empty() ? 0 : source.first_corner.size() - 1;
    if (Status status = check_counts(source, polygons, t); !status.ok()) return status;
    if (Status status = check_corner_ranges(source); !status.ok()) return status;
    if (!source.areas.empty() && source.areas.size() != polygons) {
        return {StatusCode::corrupt_file,
                fmt::format("{} areas for {} polygons", source.areas.size(), polygons)};
    }
    for (std::size_t p = 0; p < source.areas.size(); ++p) {
        if (source.areas[p] >= kAreas) return fault_of("polygon", p, "its area is not 0 to 63");
    }
    return check_join_ranges(source, {t, polygons, source.connections.size()});
}

Status add_polygons(const MeshSource& source, MeshTopology& t) {
    for (std::size_t v = 0; v < source.vertices.size(); ++v) {
        if (!usable(source.vertices[v])) return fault_of("vertex", v, kNotUsable);
    }
    const std::size_t polygons = source.first_corner.empty() ? 0 : source.first_corner.size() - 1;
    const std::size_t connections = source.connections.size();
    const std::size_t before = t.num_polygons();
    PolygonReader reader(source.vertices, t.vertices.size());
    t.vertices.reserve(t.vertices.size() + source.vertices.size() + 2 * connections);
    t.vertices.insert(t.vertices.end(), source.vertices.begin(), source.vertices.end());
    t.first_corner.reserve(before + polygons + connections + 1);
    t.corners.reserve(t.corners.size() + source.corners.size() + 2 * connections);
    t.centres.reserve(before + polygons + connections);
    for (std::size_t p = 0; p < polygons; ++p) {
        const std::uint32_t first = source.first_corner[p];
        const auto corners = source.corners.subspan(first, source.first_corner[p + 1] - first);
        Finding finding;
        if (Status status = reader.read(before + p, corners, finding); !status.ok()) return status;
        if (finding.oddity != Oddity::none) {
            if (source.odd_polygons == OddPolygons::refuse)
                return fault_of("polygon", before + p, finding.what);
            t.oddities.resize(before + p);
            t.oddities.push_back(finding.oddity);
        }
        reader.append_corners(t.corners);
        t.first_corner.push_back(static_cast<std::uint32_t>(t.corners.size()));
        t.centres.push_back(mean(reader.points()));
    }
    add_connections(source, t);
    if (!t.oddities.empty()) t.oddities.resize(t.num_polygons());
    return {};
}

}  // namespace cairn::mesh
