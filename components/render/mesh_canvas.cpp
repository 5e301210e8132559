#include "mesh_canvas.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace cairn::render {
namespace {

using mesh::Link;
using mesh::Mesh;
using mesh::Polygon;

constexpr int kUsualMeshSide = 1600;
constexpr double kShortestSide = 64;     // pixels
constexpr double kMargin = 0.015;        // around the mesh, as a share of its longer side
constexpr double kMostPixels = 1 << 22;  // along a side of the whole mesh at the window's scale
constexpr int kRaster = 1024;            // pixels along a side of the raster that finds storeys
constexpr double kShortestWall = 0.25;   // pixels

/// A rectangle, seen from above.
struct Bounds {
    double left = std::numeric_limits<double>::infinity();
    double top = left;
    double right = -left;
    double bottom = -left;

    void add(const Mesh& mesh, Polygon polygon) noexcept {
        for (const std::uint32_t corner : mesh.corners(polygon)) {
            const auto& p = mesh.vertices()[corner];
            left = std::min<double>(left, p.x);
            right = std::max<double>(right, p.x);
            top = std::min<double>(top, p.z);
            bottom = std::max<double>(bottom, p.z);
        }
    }
};

/// The area of a polygon, seen from above.
double area_of(const Mesh& mesh, Polygon polygon) {
    const auto corners = mesh.corners(polygon);
    double twice = 0;
    for (std::size_t i = 0; i < corners.size(); ++i) {
        const mesh::Point& a = mesh.vertices()[corners[i]];
        const mesh::Point& b = mesh.vertices()[corners[(i + 1) % corners.size()]];
        twice += double{a.x} * b.z - double{b.x} * a.z;
    }
    return twice / 2;
}

struct Projection {
    double squared_distance;  ///< from the line
    double along;             ///< 0 at the begin of the edge to 1 at its end
};

/// Projects p onto the edge from a to b.
Projection project(Position a, Position b, Position p) {
    const double x = b.x - a.x;
    const double y = b.y - a.y;
    const double square = x * x + y * y;
    if (square == 0) return {std::numeric_limits<double>::infinity(), 0};
    const double cross = x * (p.y - a.y) - y * (p.x - a.x);
    const double along = (x * (p.x - a.x) + y * (p.y - a.y)) / square;
    return {cross * cross / square, std::clamp(along, 0.0, 1.0)};
}

/// The part of the line normal.x * x + normal.y * y = level inside a convex polygon: two points, or
/// none.
std::vector<Position> cut(const std::vector<Position>& corners, Position normal, double level) {
    std::vector<Position> ends;
    for (std::size_t i = 0; i < corners.size(); ++i) {
        const Position a = corners[i];
        const Position b = corners[(i + 1) % corners.size()];
        const double from = normal.x * a.x + normal.y * a.y - level;
        const double to = normal.x * b.x + normal.y * b.y - level;
        if ((from < 0) == (to < 0)) continue;
        const double share = from / (from - to);
        ends.push_back({a.x + share * (b.x - a.x), a.y + share * (b.y - a.y)});
    }
    if (ends.size() < 2) return {};
    return {ends.front(), ends.back()};
}

/// Pixels in a row of the raster, by index: `begin` to `end` - 1.
struct Run {
    std::ptrdiff_t begin;
    std::ptrdiff_t end;
};

/// The pixels of the raster whose centres are in a convex polygon. Corners are in pixels; the
/// centre of the first pixel is at 0, 0.
std::vector<Run> rasterize(const std::vector<Position>& corners) {
    const auto [low, high] = std::minmax_element(corners.begin(), corners.end(),
                                                 [](Position a, Position b) { return a.y < b.y; });
    const int first = static_cast<int>(std::clamp(std::ceil(low->y), 0.0, 1.0 * kRaster));
    const int last = static_cast<int>(std::clamp(std::floor(high->y), -1.0, kRaster - 1.0));
    std::vector<Run> runs;
    for (int row = first; row <= last; ++row) {
        const auto ends = cut(corners, {0, 1}, row);
        if (ends.empty()) continue;
        const auto [left, right] = std::minmax(ends[0].x, ends[1].x);
        const auto begin = static_cast<int>(std::clamp(std::ceil(left), 0.0, 1.0 * kRaster));
        const auto end = static_cast<int>(std::clamp(std::ceil(right), 0.0, 1.0 * kRaster));
        if (begin < end) runs.push_back({row * kRaster + begin, row * kRaster + end});
    }
    return runs;
}

}  // namespace

Result<MeshCanvas> MeshCanvas::create(const Mesh& mesh, const MeshPicture& picture) {
    MeshCanvas canvas;
    canvas.mesh_ = &mesh;
    if (Status s = canvas.lay_out(picture); !s.ok()) return tl::unexpected(std::move(s));
    canvas.find_shown();
    canvas.find_storeys();
    return canvas;
}

Status MeshCanvas::lay_out(const MeshPicture& picture) {
    if (Status s = check_longest_side(picture.longest_side); !s.ok()) return s;
    if (mesh_->num_polygons() == mesh_->num_removed())
        return {StatusCode::bad_option, "a mesh without polygons cannot be drawn"};
    Bounds all;
    for (Polygon p = 0; p < mesh_->num_polygons(); ++p) all.add(*mesh_, p);
    const double extent = std::max(all.right - all.left, all.bottom - all.top);
    const double margin = kMargin * extent;
    window_ = picture.window.value_or(MeshWindow{all.left - margin, all.top - margin,
                                                 all.right - all.left + 2 * margin,
                                                 all.bottom - all.top + 2 * margin});
    const bool finite = std::isfinite(window_.x) && std::isfinite(window_.z) &&
                        std::isfinite(window_.width) && std::isfinite(window_.depth);
    if (!finite || window_.width <= 0 || window_.depth <= 0)
        return {StatusCode::bad_option, "window: width and depth must be above 0"};
    const int side = picture.longest_side == 0 ? kUsualMeshSide : picture.longest_side;
    scale_ = side / std::max(window_.width, window_.depth);
    if (extent * scale_ > kMostPixels || std::abs(window_.x - all.left) * scale_ > kMostPixels ||
        std::abs(window_.z - all.top) * scale_ > kMostPixels)
        return {StatusCode::bad_option, "window: too small, or too far off, to be drawn"};
    const auto widen = [&](double& begin, double& length) {
        const double least = kShortestSide / scale_;
        if (length >= least) return;
        begin -= (least - length) / 2;
        length = least;
    };
    widen(window_.x, window_.width);
    widen(window_.z, window_.depth);
    double area = 0;
    for (Polygon p = 0; p < mesh_->num_polygons(); ++p) area += area_of(*mesh_, p);
    detail_ = std::sqrt(area / mesh_->num_polygons()) * scale_;
    set_up(std::ceil(window_.width * scale_), std::ceil(window_.depth * scale_),
           std::min(detail_, 24.0), picture.title, picture.legend);
    return {};
}

void MeshCanvas::find_shown() {
    for (Polygon p = 0; p < mesh_->num_polygons(); ++p) {
        if (mesh_->is_connection(p)) continue;
        Bounds b;
        b.add(*mesh_, p);
        if (b.right >= window_.x && b.left <= window_.x + window_.width && b.bottom >= window_.z &&
            b.top <= window_.z + window_.depth)
            shown_.push_back(p);
    }
}

// Paints the polygons onto a raster, from the lowest to the highest. A polygon covers another if
// both contain the centre of a pixel; polygons side by side do not.
void MeshCanvas::find_storeys() {
    storeys_.assign(mesh_->num_polygons(), 0);
    std::vector<std::pair<float, Polygon>> order;
    order.reserve(shown_.size());
    for (const Polygon p : shown_) order.emplace_back(mesh_->centre(p).y, p);
    std::sort(order.begin(), order.end());
    const double pixel = std::max(window_.width, window_.depth) / kRaster;
    std::vector<std::uint32_t> top(std::size_t{kRaster} * kRaster, 0);  // by pixel: storeys so far
    std::vector<Position> corners;
    for (const auto& [height, p] : order) {
        corners.clear();
        for (const std::uint32_t corner : mesh_->corners(p)) {
            const mesh::Point& v = mesh_->vertices()[corner];
            corners.push_back({(v.x - window_.x) / pixel - 0.5, (v.z - window_.z) / pixel - 0.5});
        }
        const std::vector<Run> runs = rasterize(corners);
        std::uint32_t storey = 0;
        for (const auto& [begin, end] : runs)
            storey = std::max(storey, *std::max_element(top.begin() + begin, top.begin() + end));
        storeys_[p] = storey;
        num_storeys_ = std::max(num_storeys_, storey + 1);
        for (const auto& [begin, end] : runs)
            std::fill(top.begin() + begin, top.begin() + end, storey + 1);
    }
}

void MeshCanvas::add_outline(Polygons& polygons, Polygon polygon) const {
    for (const std::uint32_t corner : mesh_->corners(polygon))
        polygons.corners.push_back(at(mesh_->vertices()[corner]));
    polygons.first.push_back(polygons.corners.size());
}

void MeshCanvas::add_walls(Segments& lines, Polygon polygon) const {
    const auto corners = mesh_->corners(polygon);
    const auto corner = [&](std::size_t i) {
        return at(mesh_->vertices()[corners[i % corners.size()]]);
    };
    // By edge, the parts that are portals: from 0 at its begin to 1 at its end.
    std::vector<std::vector<std::pair<double, double>>> portals(corners.size());
    for (const Link link : mesh_->links(polygon)) {
        const Position a = at(mesh_->left(link));
        const Position b = at(mesh_->right(link));
        if (a == b) continue;
        std::size_t nearest = 0;
        double least = std::numeric_limits<double>::infinity();
        for (std::size_t i = 0; i < corners.size(); ++i) {
            const double distance = std::max(project(corner(i), corner(i + 1), a).squared_distance,
                                             project(corner(i), corner(i + 1), b).squared_distance);
            if (distance < least) nearest = i;
            least = std::min(least, distance);
        }
        const double from = project(corner(nearest), corner(nearest + 1), a).along;
        const double to = project(corner(nearest), corner(nearest + 1), b).along;
        portals[nearest].emplace_back(std::min(from, to), std::max(from, to));
    }
    for (std::size_t i = 0; i < corners.size(); ++i) {
        const Position a = corner(i);
        const Position b = corner(i + 1);
        const double length = std::hypot(b.x - a.x, b.y - a.y);
        const auto along = [&](double t) {
            return Position{a.x + t * (b.x - a.x), a.y + t * (b.y - a.y)};
        };
        std::sort(portals[i].begin(), portals[i].end());
        portals[i].emplace_back(1, 1);  // the end of the edge
        double done = 0;
        for (const auto& [from, to] : portals[i]) {
            if ((from - done) * length > kShortestWall) add_line(lines, along(done), along(from));
            done = std::max(done, to);
        }
    }
}

void MeshCanvas::add_hatch(Segments& lines, Polygon polygon, double gap) const {
    std::vector<Position> corners;
    double low = std::numeric_limits<double>::infinity();
    double high = -low;
    for (const std::uint32_t corner : mesh_->corners(polygon)) {
        corners.push_back(at(mesh_->vertices()[corner]));
        low = std::min(low, corners.back().x + corners.back().y);
        high = std::max(high, corners.back().x + corners.back().y);
    }
    const double most = 2.0 * kMaxPictureSide;  // nothing is visible beyond it
    high = std::min(high, most);
    for (double level = std::ceil(std::max(low, -most) / gap) * gap; level < high; level += gap) {
        const auto ends = cut(corners, {1, 1}, level);
        lines.ends.insert(lines.ends.end(), ends.begin(), ends.end());
    }
}

}  // namespace cairn::render
