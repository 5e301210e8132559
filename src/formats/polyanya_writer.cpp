#include <fmt/format.h>

#include <iterator>
#include <span>

#include "cairn/file.hpp"
#include "cairn/formats/polyanya.hpp"
#include "polyanya_edges.hpp"

namespace cairn::formats {
namespace {

using mesh::kNone;

class PolyanyaWriter {
public:
    explicit PolyanyaWriter(const MeshImage& image) : image_(image) {}

    Result<std::string> write() {
        if (Status s = check(); !s.ok()) return tl::unexpected(std::move(s));
        polygon_ = polygons_of_corners(image_);
        by_vertex_ = corners_by_vertex(image_);
        const auto twice = [this](std::uint32_t a, std::uint32_t b) {
            return image_.corners[a] == image_.corners[b] && polygon_[a] == polygon_[b];
        };
        if (std::adjacent_find(by_vertex_.begin(), by_vertex_.end(), twice) != by_vertex_.end())
            return fail(StatusCode::bad_option, "a polygon has a vertex as its corner twice");
        neighbours_.assign(image_.corners.size(), kNone);
        Status s = image_.portals_given ? use_portals() : find_neighbours();
        if (!s.ok()) return tl::unexpected(std::move(s));
        text_ = fmt::format("mesh\n2\n{} {}\n", image_.vertices.size(), image_.num_polygons());
        write_vertices();
        write_polygons();
        return std::move(text_);
    }

private:
    static Status unsupported(std::string_view what) {
        return {StatusCode::unsupported, fmt::format("a Polyanya mesh has no {}", what)};
    }

    Status check() const {
        const auto flat = [](const mesh::Point& point) { return point.y == 0; };
        if (!std::all_of(image_.vertices.begin(), image_.vertices.end(), flat))
            return unsupported("heights");
        if (std::any_of(image_.areas.begin(), image_.areas.end(), [](auto a) { return a != 0; }))
            return unsupported("areas");
        if (!image_.connections.empty()) return unsupported("connections");
        return check_corners();
    }

    Status check_corners() const {
        const std::vector<std::uint32_t>& first = image_.first_corner;
        if (first.empty() || first.front() != 0 || first.back() != image_.corners.size())
            return {StatusCode::bad_option, "first_corner does not run from 0 to all corners"};
        for (std::uint32_t p = 0; p < image_.num_polygons(); ++p) {
            if (first[p + 1] < first[p] || first[p + 1] - first[p] < 3)
                return {StatusCode::bad_option, fmt::format("polygon {}: needs three corners", p)};
        }
        for (const std::uint32_t vertex : image_.corners) {
            if (vertex >= image_.vertices.size())
                return {StatusCode::bad_option, fmt::format("there is no vertex {}", vertex)};
        }
        return {};
    }

    /// Polygons that share two neighbouring corners.
    Status find_neighbours() {
        std::vector<PolygonEdge> edges;
        edges.reserve(image_.corners.size());
        for (std::uint32_t p = 0; p < image_.num_polygons(); ++p) {
            for (std::uint32_t c = image_.first_corner[p]; c < image_.first_corner[p + 1]; ++c)
                edges.push_back(edge_to(image_, p, c));
        }
        std::sort(edges.begin(), edges.end());
        for (std::size_t i = 1; i < edges.size(); ++i) {
            const PolygonEdge& a = edges[i - 1];
            const PolygonEdge& b = edges[i];
            if (!a.same_edge(b)) continue;
            if (neighbours_[a.corner] != kNone) {
                return {StatusCode::bad_option,
                        fmt::format("more than two polygons have the edge of vertices {} and {}",
                                    a.low, a.high)};
            }
            neighbours_[a.corner] = b.polygon;
            neighbours_[b.corner] = a.polygon;
        }
        return {};
    }

    Status use_portals() {
        last_found_.assign(image_.num_polygons(), 0);
        for (std::size_t i = 0; i < image_.portals.size(); ++i) {
            const mesh::PortalSource& portal = image_.portals[i];
            if (portal.first >= image_.num_polygons() || portal.second >= image_.num_polygons())
                return {StatusCode::bad_option, fmt::format("portal {}: no such polygon", i)};
            if (!portal.forth || !portal.back) return unsupported("one-way portals");
            const std::uint32_t a = corner_of(portal, portal.first);
            const std::uint32_t b = corner_of(portal, portal.second);
            const bool whole =
                a != kNone && b != kNone && a != b &&
                edge_to(image_, portal.first, a).same_edge(edge_to(image_, portal.second, b)) &&
                neighbours_[a] == kNone && neighbours_[b] == kNone;
            if (!whole) {
                return unsupported(fmt::format(
                    "portals other than whole edges that two polygons share (portal {})", i));
            }
            neighbours_[a] = portal.second;
            neighbours_[b] = portal.first;
        }
        return {};
    }

    /// The corner at the end of a polygon's edge where a portal lies. Starts at the place of the
    /// polygon's last portal, as portals usually follow each other.
    std::uint32_t corner_of(const mesh::PortalSource& portal, std::uint32_t polygon) {
        const std::uint32_t first = image_.first_corner[polygon];
        const std::uint32_t count = image_.first_corner[polygon + 1] - first;
        for (std::uint32_t i = 0; i < count; ++i) {
            const std::uint32_t place = (last_found_[polygon] + i) % count;
            const std::uint32_t corner = first + place;
            const mesh::Point& b = image_.vertices[image_.corners[corner]];
            const mesh::Point& a =
                image_.vertices[image_.corners[corner_before(image_, polygon, corner)]];
            const bool here =
                (a == portal.begin && b == portal.end) || (a == portal.end && b == portal.begin);
            if (!here) continue;
            last_found_[polygon] = place;
            return corner;
        }
        return kNone;
    }

    void write_vertices() {
        auto next = by_vertex_.begin();
        for (std::uint32_t v = 0; v < image_.vertices.size(); ++v) {
            const auto begin = next;
            while (next != by_vertex_.end() && image_.corners[*next] == v) ++next;
            fmt::format_to(std::back_inserter(text_), "{} {} {}\n", image_.vertices[v].x,
                           image_.vertices[v].z, fan({begin, next}));
        }
    }

    /// The polygons around a vertex in order, with -1 for the gaps between them, and before them
    /// their number.
    std::string fan(std::span<const std::uint32_t> corners) const {
        std::vector<std::uint32_t> order;
        std::vector<bool> seen(corners.size(), false);
        const auto walk = [&](std::size_t i) {
            while (!seen[i]) {
                seen[i] = true;
                order.push_back(polygon_[corners[i]]);
                const std::uint32_t next = neighbours_[corners[i]];
                const auto at = std::lower_bound(
                    corners.begin(), corners.end(), next,
                    [this](std::uint32_t corner, std::uint32_t p) { return polygon_[corner] < p; });
                if (at == corners.end() || polygon_[*at] != next) {
                    order.push_back(kNone);
                    return;
                }
                i = static_cast<std::size_t>(at - corners.begin());
            }
        };
        for (std::size_t i = 0; i < corners.size(); ++i) {
            if (neighbours_[corner_after(corners[i])] == kNone) walk(i);
        }
        for (std::size_t i = 0; i < corners.size(); ++i) walk(i);
        std::string list = fmt::format("{}", order.size());
        for (const std::uint32_t polygon : order)
            fmt::format_to(std::back_inserter(list), " {}", static_cast<std::int32_t>(polygon));
        return list;
    }

    std::uint32_t corner_after(std::uint32_t corner) const {
        const std::uint32_t polygon = polygon_[corner];
        return corner + 1 == image_.first_corner[polygon + 1] ? image_.first_corner[polygon]
                                                              : corner + 1;
    }

    void write_polygons() {
        const auto out = std::back_inserter(text_);
        for (std::uint32_t p = 0; p < image_.num_polygons(); ++p) {
            const std::uint32_t first = image_.first_corner[p];
            const std::uint32_t last = image_.first_corner[p + 1];
            fmt::format_to(out, "{}", last - first);
            for (std::uint32_t c = first; c < last; ++c)
                fmt::format_to(out, " {}", image_.corners[c]);
            for (std::uint32_t c = first; c < last; ++c)
                fmt::format_to(out, " {}", static_cast<std::int32_t>(neighbours_[c]));
            text_ += '\n';
        }
    }

    const MeshImage& image_;
    std::vector<std::uint32_t> polygon_;     // per corner
    std::vector<std::uint32_t> by_vertex_;   // corners
    std::vector<std::uint32_t> neighbours_;  // across the edge that ends at each corner
    std::vector<std::uint32_t> last_found_;  // per polygon
    std::string text_;
};

}  // namespace

Result<std::string> format_polyanya(const MeshImage& image) {
    return PolyanyaWriter(image).write();
}

Status write_polyanya(const std::string& path, const MeshImage& image) {
    const auto text = format_polyanya(image);
    if (!text) return {text.error().code, fmt::format("{}: {}", path, text.error().message)};
    return write_file_atomically(path, *text);
}

}  // namespace cairn::formats
