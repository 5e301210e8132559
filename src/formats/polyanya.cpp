#include "cairn/formats/polyanya.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <tuple>

#include "core/guarded.hpp"
#include "scenario_fields.hpp"

namespace cairn::formats {
namespace {

using mesh::kNone;

// A "corner" is an index into MeshImage::corners. It names the edge of its polygon that ends there.

struct PolygonEdge {
    std::uint32_t low = 0;   ///< the vertex of the smaller number
    std::uint32_t high = 0;  ///< the other vertex
    std::uint32_t polygon = 0;
    std::uint32_t corner = 0;         ///< where the edge ends
    std::uint32_t neighbour = kNone;  ///< the polygon across the edge, as the file names it

    [[nodiscard]] bool same_edge(const PolygonEdge& other) const noexcept {
        return low == other.low && high == other.high;
    }
    /// Puts the two sides of an edge next to each other if their polygons name each other. The side
    /// of the polygon with the smaller number comes first.
    friend bool operator<(const PolygonEdge& a, const PolygonEdge& b) noexcept {
        const auto key = [](const PolygonEdge& e) {
            return std::tuple(e.low, e.high, std::min(e.polygon, e.neighbour),
                              std::max(e.polygon, e.neighbour), e.polygon, e.corner);
        };
        return key(a) < key(b);
    }
};

/// The corner before `corner` around `polygon`.
std::uint32_t corner_before(const mesh::MeshImage& image, std::uint32_t polygon,
                            std::uint32_t corner) noexcept {
    return corner == image.first_corner[polygon] ? image.first_corner[polygon + 1] - 1 : corner - 1;
}

/// The edge of `polygon` that ends at `corner`, with no neighbour yet.
PolygonEdge edge_to(const mesh::MeshImage& image, std::uint32_t polygon,
                    std::uint32_t corner) noexcept {
    const std::uint32_t a = image.corners[corner_before(image, polygon, corner)];
    const std::uint32_t b = image.corners[corner];
    return {std::min(a, b), std::max(a, b), polygon, corner, kNone};
}

/// The portal along an edge, from the edge's polygon to `neighbour`.
mesh::PortalSource portal_at(const mesh::MeshImage& image, const PolygonEdge& edge,
                             std::uint32_t neighbour) noexcept {
    const std::uint32_t before = corner_before(image, edge.polygon, edge.corner);
    return {.first = edge.polygon,
            .second = neighbour,
            .begin = image.vertices[image.corners[before]],
            .end = image.vertices[image.corners[edge.corner]]};
}

/// The polygon of each corner.
std::vector<std::uint32_t> polygons_of_corners(const mesh::MeshImage& image) {
    std::vector<std::uint32_t> polygons(image.corners.size());
    for (std::uint32_t p = 0; p < image.num_polygons(); ++p) {
        for (std::uint32_t c = image.first_corner[p]; c < image.first_corner[p + 1]; ++c)
            polygons[c] = p;
    }
    return polygons;
}

/// All corners, sorted by vertex, then by polygon.
std::vector<std::uint32_t> corners_by_vertex(const mesh::MeshImage& image) {
    std::vector<std::uint32_t> sorted(image.corners.size());
    std::iota(sorted.begin(), sorted.end(), 0U);
    std::stable_sort(sorted.begin(), sorted.end(), [&image](std::uint32_t a, std::uint32_t b) {
        return image.corners[a] < image.corners[b];
    });
    return sorted;
}

constexpr std::size_t kMaxBytes = std::size_t{1} << 32;
// The shortest vertex is "0 0 0\n", the shortest polygon "3 0 0 0 0 0 0\n".
constexpr std::size_t kMinVertexBytes = 6;
constexpr std::size_t kMinPolygonBytes = 14;

class PolyanyaParser {
public:
    PolyanyaParser(std::string_view text, std::string_view name)
        : lines_(text, name), name_(name), size_(text.size()) {}

    Result<MeshImage> parse() {
        if (read_header() && read_vertices() && read_polygons() && read_end() && make_portals() &&
            check_polygons_around())
            return std::move(image_);
        return tl::unexpected(std::move(status_));
    }

private:
    bool refuse(Status status) {
        status_ = std::move(status);
        return false;
    }
    bool refuse_line(std::uint32_t line, std::string_view message) {
        return refuse({StatusCode::corrupt_file, fmt::format("{}:{}: {}", name_, line, message)});
    }

    /// The next word of the file; empty at its end.
    std::string_view word() {
        while (true) {
            const std::string_view found = next_word(rest_);
            if (!found.empty() || !lines_.next()) return found;
            rest_ = lines_.line();
        }
    }

    /// Reads the next word as a number in low..high; `what` names it in messages.
    template <class T>
    bool number(std::string_view what, T low, T high, T& value) {
        const std::string_view found = word();
        if (found.empty()) return refuse(lines_.error_at(0, fmt::format("{} is missing", what)));
        const auto parsed = parse_number<T>(found, low, high);
        if (parsed) {
            value = *parsed;
            return true;
        }
        return refuse(lines_.error_at(found, fmt::format("{} {}: needs a number from {} to {}",
                                                         what, excerpt(found), low, high)));
    }

    bool coordinate(std::string_view what, float& value) {
        constexpr float kMax = std::numeric_limits<float>::max();
        return number(what, -kMax, kMax, value);
    }

    bool read_header() {
        const std::string_view magic = word();
        if (magic != "mesh")
            return refuse(lines_.error_at(0, "a Polyanya mesh begins with the word 'mesh'"));
        const std::string_view version = word();
        if (version != "2") {
            return refuse(lines_.error_at(
                version.empty() ? lines_.line() : version,
                fmt::format("Polyanya mesh version {}: only 2 is known", excerpt(version)),
                StatusCode::wrong_version));
        }
        // A text of size_ bytes cannot hold more, so memory grows with the text.
        const auto max_count = [this](std::size_t bytes_each) {
            return static_cast<std::uint32_t>(std::min<std::size_t>(
                size_ / bytes_each, std::numeric_limits<std::int32_t>::max()));
        };
        return number("number of vertices", 0U, max_count(kMinVertexBytes), num_vertices_) &&
               number("number of polygons", 0U, max_count(kMinPolygonBytes), num_polygons_);
    }

    std::uint32_t line() const { return static_cast<std::uint32_t>(lines_.number()); }

    static std::uint64_t vertex_and_polygon(std::uint32_t vertex, std::uint32_t polygon) {
        return std::uint64_t{vertex} << 32 | polygon;
    }

    bool read_vertices() {
        image_.vertices.reserve(num_vertices_);
        vertex_lines_.reserve(num_vertices_);
        for (std::uint32_t v = 0; v < num_vertices_; ++v) {
            mesh::Point point;
            std::uint32_t n = 0;
            if (!coordinate("x", point.x)) return false;
            vertex_lines_.push_back(line());
            if (!coordinate("y", point.z)) return false;
            // No list needs more: each polygon once, with a gap before, between and after them.
            if (!number("number of polygons around", 0U, 2 * num_polygons_ + 1, n)) return false;
            image_.vertices.push_back(point);
            for (; n > 0; --n) {
                std::int32_t polygon = -1;
                if (!number_or_none("polygon around", num_polygons_, polygon)) return false;
                if (polygon >= 0)
                    named_around_.push_back(
                        vertex_and_polygon(v, static_cast<std::uint32_t>(polygon)));
            }
        }
        return true;
    }

    /// Reads a number below `count`, or -1 for none.
    bool number_or_none(std::string_view what, std::uint32_t count, std::int32_t& value) {
        return number(what, -1, static_cast<std::int32_t>(count) - 1, value);
    }

    bool read_polygons() {
        image_.first_corner.reserve(num_polygons_ + std::size_t{1});
        polygon_lines_.reserve(num_polygons_);
        for (std::uint32_t p = 0; p < num_polygons_; ++p) {
            std::uint32_t n = 0;
            if (!number("number of corners", 3U, std::max(num_vertices_, 3U), n)) return false;
            polygon_lines_.push_back(line());
            for (std::uint32_t i = 0; i < n; ++i) {
                std::int32_t vertex = 0;
                if (!number("corner", 0, static_cast<std::int32_t>(num_vertices_) - 1, vertex))
                    return false;
                image_.corners.push_back(static_cast<std::uint32_t>(vertex));
            }
            const std::uint32_t first = image_.first_corner.back();
            image_.first_corner.push_back(first + n);
            for (std::uint32_t c = first; c < first + n; ++c) {
                if (!read_neighbour(p, c)) return false;
            }
        }
        return true;
    }

    bool read_neighbour(std::uint32_t polygon, std::uint32_t corner) {
        std::int32_t across = -1;
        if (!number_or_none("neighbour", num_polygons_, across)) return false;
        if (across < 0) return true;
        PolygonEdge edge = edge_to(image_, polygon, corner);
        edge.neighbour = static_cast<std::uint32_t>(across);
        if (edge.neighbour == polygon)
            return refuse_line(line(), fmt::format("polygon {} is its own neighbour", polygon));
        edges_.push_back(edge);
        return true;
    }

    bool read_end() {
        const std::string_view extra = word();
        if (extra.empty()) return true;
        return refuse(
            lines_.error_at(extra, fmt::format("{} after the last polygon", excerpt(extra))));
    }

    /// Makes one portal of the two sides of each edge whose polygons name each other.
    bool make_portals() {
        std::sort(edges_.begin(), edges_.end());
        std::vector<PolygonEdge> first_sides;
        first_sides.reserve(edges_.size() / 2);
        for (std::size_t i = 0; i < edges_.size(); i += 2) {
            const PolygonEdge& edge = edges_[i];
            const bool mutual = i + 1 < edges_.size() && edge.same_edge(edges_[i + 1]) &&
                                edge.neighbour == edges_[i + 1].polygon &&
                                edge.polygon == edges_[i + 1].neighbour;
            if (!mutual) {
                return refuse_line(
                    polygon_lines_[edge.polygon],
                    fmt::format("polygon {} names {} as its neighbour across the edge of vertices "
                                "{} and {}, but not the other way round",
                                edge.polygon, edge.neighbour, edge.low, edge.high));
            }
            first_sides.push_back(edge);
        }
        std::sort(first_sides.begin(), first_sides.end(),
                  [](const auto& a, const auto& b) { return a.corner < b.corner; });
        image_.portals_given = true;
        image_.portals.reserve(first_sides.size());
        for (const PolygonEdge& edge : first_sides)
            image_.portals.push_back(portal_at(image_, edge, edge.neighbour));
        return true;
    }

    /// Checks that each vertex named exactly the polygons that have it as a corner.
    bool check_polygons_around() {
        const std::vector<std::uint32_t> polygon = polygons_of_corners(image_);
        std::vector<std::uint64_t> actual;
        actual.reserve(image_.corners.size());
        for (const std::uint32_t corner : corners_by_vertex(image_))
            actual.push_back(vertex_and_polygon(image_.corners[corner], polygon[corner]));
        std::sort(named_around_.begin(), named_around_.end());
        const auto [a, n] =
            std::mismatch(actual.begin(), actual.end(), named_around_.begin(), named_around_.end());
        const bool actual_ended = a == actual.end();
        const bool named_ended = n == named_around_.end();
        if (actual_ended && named_ended) return true;
        const bool missing = named_ended || (!actual_ended && *a < *n);
        const std::uint64_t pair = missing ? *a : *n;
        const auto vertex = static_cast<std::uint32_t>(pair >> 32);
        return refuse_line(vertex_lines_[vertex],
                           fmt::format("vertex {} {} polygon {}", vertex,
                                       missing ? "should name" : "must not name, or not twice,",
                                       static_cast<std::uint32_t>(pair)));
    }

    LineReader lines_;
    std::string_view name_;  // of the file
    std::size_t size_;       // of the text, in bytes
    std::string_view rest_;  // of the current line
    Status status_;
    std::uint32_t num_vertices_ = 0;
    std::uint32_t num_polygons_ = 0;
    std::vector<std::uint32_t> vertex_lines_;   // where each vertex begins in the file
    std::vector<std::uint32_t> polygon_lines_;  // where each polygon begins
    std::vector<std::uint64_t> named_around_;   // vertex_and_polygon, as the vertices name them
    std::vector<PolygonEdge> edges_;            // with a neighbour
    MeshImage image_;
};

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

    /// Makes polygons neighbours that share both vertices of an edge.
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

    /// Makes the polygons of each portal neighbours. A portal must be a whole edge of both.
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

    /// The end of the edge of `polygon` that is the whole portal, or kNone. Starts at the edge
    /// found last, since the portals of a polygon usually follow each other.
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

    /// The list of the polygons around a vertex: its length, then the polygons in their order
    /// around the vertex, -1 at a gap. `corners` are those at the vertex, sorted by polygon.
    std::string fan(std::span<const std::uint32_t> corners) const {
        std::vector<std::uint32_t> order;
        std::vector<bool> seen(corners.size(), false);
        // From one polygon to the next across the edge that ends at the vertex, up to a gap.
        const auto walk_from = [&](std::size_t i) {
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
        // First the chains that begin after a gap; then the polygons that close a circle.
        for (std::size_t i = 0; i < corners.size(); ++i) {
            if (neighbours_[corner_after(corners[i])] == kNone) walk_from(i);
        }
        for (std::size_t i = 0; i < corners.size(); ++i) walk_from(i);
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
    std::vector<std::uint32_t> polygon_;    // of each corner
    std::vector<std::uint32_t> by_vertex_;  // corners, sorted by vertex, then by polygon
    std::vector<std::uint32_t>
        neighbours_;  // of each corner: the polygon across its edge, or kNone
    std::vector<std::uint32_t> last_found_;  // of each polygon: the edge corner_of found last
    std::string text_;
};

Status parse_mesh_problem(const LineReader& lines, PolyanyaProblem& problem) {
    constexpr std::int32_t kMost = std::numeric_limits<std::int32_t>::max();
    std::array<std::string_view, kScenarioFields.size()> fields;
    if (Status s = split_fields(lines, fields); !s.ok()) return s;
    const std::array<IntegerField, 3> integers{{{0, &problem.bucket, 0, kMost},
                                                {2, &problem.map_width, 0, kMost},
                                                {3, &problem.map_height, 0, kMost}}};
    if (Status s = parse_integers(lines, fields, kScenarioFields, integers); !s.ok()) return s;
    if (Status s = parse_map_name(lines, fields[1], problem.map); !s.ok()) return s;
    const std::array<float*, 4> coordinates{&problem.start.x, &problem.start.z, &problem.goal.x,
                                            &problem.goal.z};
    for (std::size_t i = 0; i < coordinates.size(); ++i) {
        const auto value = parse_number<float>(fields[4 + i]);
        if (!value) {
            return lines.error_at(fields[4 + i],
                                  fmt::format("{} {}: needs a number", kScenarioFields[4 + i],
                                              excerpt(fields[4 + i])));
        }
        *coordinates[i] = *value;
    }
    return parse_length(lines, fields[8], kScenarioFields[8], problem.optimal_length);
}

}  // namespace

Result<MeshImage> parse_polyanya(std::string_view text, std::string_view name) noexcept try {
    if (text.size() > kMaxBytes)
        return fail(StatusCode::too_large, fmt::format("{}: more than 4 GiB", name));
    return PolyanyaParser(text, name).parse();
} catch (...) {
    return out_of_memory();
}

Result<MeshImage> read_polyanya(const std::string& path) noexcept try {
    return parse_file(path, kMaxBytes, parse_polyanya);
} catch (...) {
    return out_of_memory();
}

Result<mesh::Mesh> load_polyanya(const std::string& path, const mesh::MeshOptions& options) noexcept
    try {
    return read_polyanya(path).and_then([&](const MeshImage& image) {
        return in_file(path, mesh::Mesh::build(image.source(), options));
    });
} catch (...) {
    return out_of_memory();
}

Result<std::string> format_polyanya(const MeshImage& image) noexcept try {
    return PolyanyaWriter(image).write();
} catch (...) {
    return out_of_memory();
}

Status write_polyanya(const std::string& path, const MeshImage& image) noexcept try {
    return write_formatted(path, format_polyanya(image));
} catch (...) {
    return out_of_memory();
}

Result<std::vector<PolyanyaProblem>> parse_polyanya_scenario(std::string_view text,
                                                             std::string_view name) noexcept try {
    return parse_problems(text, name, read_scenario_version, parse_mesh_problem);
} catch (...) {
    return out_of_memory();
}

Result<std::vector<PolyanyaProblem>> load_polyanya_scenario(const std::string& path) noexcept try {
    return parse_file(path, kMaxScenarioBytes, parse_polyanya_scenario);
} catch (...) {
    return out_of_memory();
}

}  // namespace cairn::formats
