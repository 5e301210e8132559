#include <limits>

#include "cairn/file.hpp"
#include "cairn/formats/polyanya.hpp"
#include "polyanya_edges.hpp"
#include "text.hpp"

namespace cairn::formats {
namespace {

constexpr std::size_t kMaxBytes = std::size_t{1} << 32;
// The shortest vertex is "0 0 0\n", the shortest polygon "3 0 0 0 0 0 0\n".
constexpr std::size_t kVertexBytes = 6;
constexpr std::size_t kPolygonBytes = 14;

class PolyanyaParser {
public:
    PolyanyaParser(std::string_view text, std::string_view name)
        : lines_(text, name), name_(name), size_(text.size()) {}

    Result<MeshImage> parse() {
        // Each step needs the ones before.
        if (header() && vertices() && polygons() && end() && portals() && around())
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
        constexpr float kMost = std::numeric_limits<float>::max();
        return number(what, -kMost, kMost, value);
    }

    bool header() {
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
        const auto most = [this](std::size_t bytes) {
            return static_cast<std::uint32_t>(
                std::min<std::size_t>(size_ / bytes, std::numeric_limits<std::int32_t>::max()));
        };
        return number("number of vertices", 0U, most(kVertexBytes), num_vertices_) &&
               number("number of polygons", 0U, most(kPolygonBytes), num_polygons_);
    }

    std::uint32_t line() const { return static_cast<std::uint32_t>(lines_.number()); }

    bool vertices() {
        image_.vertices.reserve(num_vertices_);
        vertex_lines_.reserve(num_vertices_);
        for (std::uint32_t v = 0; v < num_vertices_; ++v) {
            mesh::Point point;
            std::uint32_t n = 0;
            if (!coordinate("x", point.x)) return false;
            vertex_lines_.push_back(line());
            if (!coordinate("y", point.z)) return false;
            if (!number("number of polygons around", 0U, 2 * num_polygons_ + 1, n)) return false;
            image_.vertices.push_back(point);
            for (; n > 0; --n) {
                std::int32_t polygon = -1;
                if (!number_or_none("polygon around", num_polygons_, polygon)) return false;
                if (polygon >= 0)
                    said_around_.push_back(std::uint64_t{v} << 32 |
                                           static_cast<std::uint32_t>(polygon));
            }
        }
        return true;
    }

    bool number_or_none(std::string_view what, std::uint32_t count, std::int32_t& value) {
        return number(what, -1, static_cast<std::int32_t>(count) - 1, value);
    }

    bool polygons() {
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
                if (!neighbour(p, c)) return false;
            }
        }
        return true;
    }

    bool neighbour(std::uint32_t polygon, std::uint32_t corner) {
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

    bool end() {
        const std::string_view extra = word();
        if (extra.empty()) return true;
        return refuse(
            lines_.error_at(extra, fmt::format("{} after the last polygon", excerpt(extra))));
    }

    bool portals() {
        std::sort(edges_.begin(), edges_.end());
        std::vector<PolygonEdge> firsts;
        firsts.reserve(edges_.size() / 2);
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
            firsts.push_back(edge);
        }
        std::sort(firsts.begin(), firsts.end(),
                  [](const auto& a, const auto& b) { return a.corner < b.corner; });
        image_.portals_given = true;
        image_.portals.reserve(firsts.size());
        for (const PolygonEdge& edge : firsts)
            image_.portals.push_back(portal_at(image_, edge, edge.neighbour));
        return true;
    }

    bool around() {
        const std::vector<std::uint32_t> polygon = polygons_of_corners(image_);
        std::vector<std::uint64_t> real;
        real.reserve(image_.corners.size());
        for (const std::uint32_t corner : corners_by_vertex(image_))
            real.push_back(std::uint64_t{image_.corners[corner]} << 32 | polygon[corner]);
        std::sort(said_around_.begin(), said_around_.end());
        const auto [a, b] =
            std::mismatch(real.begin(), real.end(), said_around_.begin(), said_around_.end());
        const bool at_end_a = a == real.end();
        const bool at_end_b = b == said_around_.end();
        if (at_end_a && at_end_b) return true;
        const bool missing = at_end_b || (!at_end_a && *a < *b);
        const std::uint64_t pair = missing ? *a : *b;
        const auto vertex = static_cast<std::uint32_t>(pair >> 32);
        return refuse_line(vertex_lines_[vertex],
                           fmt::format("vertex {} {} polygon {}", vertex,
                                       missing ? "should name" : "must not name, or not twice,",
                                       static_cast<std::uint32_t>(pair)));
    }

    LineReader lines_;
    std::string_view name_;
    std::size_t size_;
    std::string_view rest_;
    Status status_;
    std::uint32_t num_vertices_ = 0;
    std::uint32_t num_polygons_ = 0;
    std::vector<std::uint32_t> vertex_lines_;
    std::vector<std::uint32_t> polygon_lines_;
    std::vector<std::uint64_t> said_around_;
    std::vector<PolygonEdge> edges_;
    MeshImage image_;
};

}  // namespace

Result<MeshImage> parse_polyanya(std::string_view text, std::string_view name) {
    if (text.size() > kMaxBytes)
        return fail(StatusCode::too_large, fmt::format("{}: more than 4 GiB", name));
    return PolyanyaParser(text, name).parse();
}

Result<MeshImage> read_polyanya(const std::string& path) {
    const auto text = read_file(path, kMaxBytes);
    if (!text) return tl::unexpected(text.error());
    return parse_polyanya(*text, path);
}

Result<mesh::Mesh> load_polyanya(const std::string& path, const mesh::MeshOptions& options) {
    const auto image = read_polyanya(path);
    if (!image) return tl::unexpected(image.error());
    auto mesh = mesh::Mesh::build(image->source(), options);
    if (mesh) return mesh;
    return fail(mesh.error().code, fmt::format("{}: {}", path, mesh.error().message));
}

}  // namespace cairn::formats
