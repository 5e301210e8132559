#include "index_file/hna_parts.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "cairn/mesh/mesh_image.hpp"
#include "core/guarded.hpp"
#include "mesh/mesh_data.hpp"
#include "mesh/mesh_numbers.hpp"

namespace cairn::index_file {
namespace {

using mesh::ConnectionSource;
using mesh::kNone;
using mesh::Link;
using mesh::Mesh;
using mesh::MeshImage;
using mesh::MeshNumbers;
using mesh::MeshTopology;
using mesh::Point;
using mesh::Polygon;
using mesh::Portal;
using mesh::PortalSource;

// The layout of these structs is part of the format.
struct FileMeshOptions {
    double units_per_length;
    double longest_part;
    double changed_units;  // MeshNumbers::units; 0 unless polygons were added or removed
    std::uint32_t scoring;
    std::uint32_t flags;  // kPortalsGiven, kOddPolygons
    std::array<float, mesh::kAreas> area_costs;
};

constexpr std::uint32_t kPortalsGiven = 1;
constexpr std::uint32_t kOddPolygons = 2;

struct FilePortal {
    Polygon first;
    Polygon second;
    Point begin;
    Point end;
    std::uint32_t ways;  // kForth, from first to second; kBack; or both
};

constexpr std::uint32_t kForth = 1;
constexpr std::uint32_t kBack = 2;

struct FileConnection {
    Polygon from;
    Polygon to;
    Point begin;
    Point end;
    std::uint32_t both_ways;
};

std::uint32_t num_with_corners(const Mesh& mesh) {
    return mesh.num_polygons() - mesh.data().topology->connections;
}

// The image of a mesh without portals, and with connections that join no polygons yet.
MeshImage polygons_of(const Mesh& mesh) {
    const MeshTopology& t = *mesh.data().topology;
    const std::uint32_t polygons = num_with_corners(mesh);
    MeshImage image;
    const std::ptrdiff_t ends_of_connections = 2 * static_cast<std::ptrdiff_t>(t.connections);
    image.vertices.assign(t.vertices.begin(), t.vertices.end() - ends_of_connections);
    image.first_corner.assign(t.first_corner.begin(), t.first_corner.begin() + polygons + 1);
    image.corners.assign(t.corners.begin(), t.corners.end() - ends_of_connections);
    image.areas.assign(mesh.data().areas.begin(), mesh.data().areas.begin() + polygons);
    image.connections.reserve(t.connections);
    for (Polygon p = polygons; p < mesh.num_polygons(); ++p) {
        const auto ends = mesh.corners(p);
        image.connections.push_back(
            {kNone, kNone, t.vertices[ends[0]], t.vertices[ends[1]], mesh.area(p), true});
    }
    return image;
}

// Sets the polygons that each connection joins, from its portals.
void join_connections(const Mesh& mesh, MeshImage& image) {
    const std::uint32_t polygons = num_with_corners(mesh);
    const MeshTopology& t = *mesh.data().topology;
    for (Portal portal = 0; portal < mesh.num_portals(); ++portal) {
        if (t.part(portal) != 0) continue;
        const Polygon first = t.link_polygon[2 * portal];
        const Polygon second = t.link_polygon[2 * portal + 1];
        if (first < polygons && second < polygons) continue;
        ConnectionSource& connection = image.connections[std::max(first, second) - polygons];
        (first < second ? connection.from : connection.to) = std::min(first, second);
        connection.both_ways = t.passable[2 * portal + 1] != 0;
    }
}

void give_portals(const Mesh& mesh, MeshImage& image) {
    const MeshTopology& t = *mesh.data().topology;
    image.portals_given = true;
    image.portals.reserve(mesh.num_portals());
    for (Portal portal = 0; portal < mesh.num_portals(); ++portal) {
        if (t.part(portal) == 0) image.portals.push_back(mesh::portal_source(mesh, portal));
    }
}

// The image from which Mesh::build makes the mesh again (after polygons were added or removed: its
// dense mesh), except for blocked polygons.
MeshImage image_of(const Mesh& mesh) {
    if (mesh.data().topology->changed) return mesh::dense_image(mesh);
    MeshImage image = polygons_of(mesh);
    MeshImage with_portals = image;
    join_connections(mesh, image);
    if (mesh.data().accepts_odd) image.odd_polygons = mesh::OddPolygons::accept;
    const auto built = Mesh::build(image.source(), mesh.options());
    rethrow_out_of_memory(built);
    if (built && *built->data().topology == *mesh.data().topology) return image;
    give_portals(mesh, with_portals);
    return with_portals;
}

FileMeshOptions file_options(const mesh::MeshData& data, bool portals_given) {
    const mesh::MeshOptions& options = data.options;
    return {options.units_per_length,
            options.longest_part,
            0,
            static_cast<std::uint32_t>(options.scoring),
            (portals_given ? kPortalsGiven : 0) | (data.accepts_odd ? kOddPolygons : 0),
            options.area_costs};
}

bool read_joins(Frame& file, std::span<const std::uint8_t> areas, MeshImage& image) {
    for (const FilePortal& p : file.read<FilePortal>(Section::mesh_portals)) {
        if (p.ways > (kForth | kBack)) return file.refuse("a portal has unknown directions");
        image.portals.push_back({.first = p.first,
                                 .second = p.second,
                                 .begin = p.begin,
                                 .end = p.end,
                                 .forth = (p.ways & kForth) != 0,
                                 .back = (p.ways & kBack) != 0});
    }
    if (file.has(Section::mesh_widths)) {
        const auto widths = file.read<float>(Section::mesh_widths);
        if (widths.size() != image.portals.size())
            return file.refuse("the numbers of portals and widths differ");
        for (std::size_t i = 0; i < widths.size(); ++i) image.portals[i].width = widths[i];
    }
    for (const FileConnection& c : file.read<FileConnection>(Section::mesh_connections)) {
        if (c.both_ways > 1) return file.refuse("a connection has unknown directions");
        const std::size_t polygon = image.num_polygons() + image.connections.size();
        if (polygon >= areas.size()) return file.refuse("the numbers of areas and polygons differ");
        image.connections.push_back(
            {c.from, c.to, c.begin, c.end, areas[polygon], c.both_ways != 0});
    }
    return file.ok();
}

void assign(const auto& span, auto& array) { array.assign(span.begin(), span.end()); }

bool read_image(Frame& file, MeshImage& image) {
    assign(file.read<Point>(Section::mesh_vertices), image.vertices);
    assign(file.read<std::uint32_t>(Section::mesh_first_corner), image.first_corner);
    assign(file.read<std::uint32_t>(Section::mesh_corners), image.corners);
    const auto areas = file.read<std::uint8_t>(Section::mesh_areas);
    if (!file.ok()) return false;
    if (image.first_corner.empty()) return file.refuse("the corners of the polygons are missing");
    if (!read_joins(file, areas, image)) return false;
    if (areas.size() != image.num_polygons() + image.connections.size())
        return file.refuse("the numbers of areas and polygons differ");
    assign(areas.first(image.num_polygons()), image.areas);
    return true;
}

// The numbers of the file, unchecked: mesh::renumbered checks them.
MeshNumbers read_numbers(Frame& file, double units) {
    MeshNumbers numbers;
    assign(file.read<mesh::PolygonKind>(Section::mesh_polygon_kinds), numbers.polygons);
    assign(file.read<std::uint8_t>(Section::mesh_removed_portals), numbers.removed_portals);
    assign(file.read<std::uint32_t>(Section::mesh_connection_corners), numbers.connection_corners);
    assign(file.read<Link>(Section::mesh_links), numbers.links);
    numbers.units = units;
    return numbers;
}

// The mesh with the polygons blocked that the file says are blocked.
Result<Mesh> with_blocked(std::span<const std::uint8_t> blocked, const Mesh& mesh) {
    if (blocked.size() != mesh.num_polygons())
        return fail(StatusCode::corrupt_file, "the numbers of polygons and their flags differ");
    std::vector<mesh::PolygonEdit> edits;
    for (Polygon p = 0; p < mesh.num_polygons(); ++p) {
        if (blocked[p] > 1)
            return fail(StatusCode::corrupt_file, "a polygon is neither blocked nor free");
        if (blocked[p] != 0) edits.push_back({p, mesh.area(p), true});
    }
    return edits.empty() ? mesh : mesh.edited(edits);
}

// The mesh of the file. Does not check its fingerprint.
Result<Mesh> build(Frame& file) {
    const auto failed = [&] { return tl::unexpected(file.status()); };
    const auto section = file.read<FileMeshOptions>(Section::mesh_options);
    const auto blocked = file.read<std::uint8_t>(Section::mesh_blocked);
    if (file.ok() && section.size() != 1)
        file.refuse("the size of the section mesh/options is wrong");
    MeshImage image;
    if (!file.ok() || !read_image(file, image)) return failed();
    const FileMeshOptions& stored = section.front();
    if (stored.scoring > static_cast<std::uint32_t>(mesh::Scoring::portal_parts) ||
        stored.flags > (kPortalsGiven | kOddPolygons)) {
        return fail(StatusCode::corrupt_file, "an option of the mesh has an unknown value");
    }
    image.portals_given = (stored.flags & kPortalsGiven) != 0;
    mesh::MeshOptions options;
    options.scoring = static_cast<mesh::Scoring>(stored.scoring);
    options.area_costs = stored.area_costs;
    options.units_per_length = stored.units_per_length;
    options.longest_part = stored.longest_part;
    if (file.has(Section::mesh_radius)) {
        const auto radius = file.read<double>(Section::mesh_radius);
        if (radius.size() != 1)
            return fail(StatusCode::corrupt_file, "the size of the section mesh/radius is wrong");
        options.radius = radius.front();
    }
    const bool changed = file.has(Section::mesh_polygon_kinds);
    mesh::MeshOptions first_options = options;
    if (changed) first_options.units_per_length = 0;  // renumbered() sets the units
    if ((stored.flags & kOddPolygons) != 0) image.odd_polygons = mesh::OddPolygons::accept;
    auto mesh = Mesh::build(image.source(), first_options);
    if (mesh) mesh = with_blocked(blocked, *mesh);
    if (!mesh || !changed) return mesh;
    const MeshNumbers numbers = read_numbers(file, stored.changed_units);
    if (!file.ok()) return failed();
    return mesh::renumbered(*mesh, numbers, options);
}

}  // namespace

void write_mesh(const Mesh& mesh, FrameWriter& out) {
    const mesh::MeshData& data = mesh.data();
    const bool changed = data.topology->changed;
    MeshImage image = image_of(mesh);
    FileMeshOptions options = file_options(data, image.portals_given);
    std::vector<FilePortal> portals;
    portals.reserve(image.portals.size());
    std::vector<float> widths;
    for (const PortalSource& p : image.portals) {
        if (!data.topology->widths.empty()) widths.push_back(p.width);
        portals.push_back(
            {p.first, p.second, p.begin, p.end, (p.forth ? kForth : 0) | (p.back ? kBack : 0)});
    }
    std::vector<FileConnection> connections;
    connections.reserve(image.connections.size());
    for (const ConnectionSource& c : image.connections)
        connections.push_back({c.from, c.to, c.begin, c.end, c.both_ways ? 1U : 0U});
    const auto by_polygon = [&](const std::vector<std::uint8_t>& values) {
        return changed ? mesh::dense(mesh, values) : values;
    };
    out.map(0, 0, data.fingerprint, /*held=*/true);
    out.fact("polygons", mesh.num_polygons());
    out.fact("scoring", static_cast<std::int64_t>(data.options.scoring));
    out.keep(Section::mesh_vertices, std::move(image.vertices));
    out.keep(Section::mesh_first_corner, std::move(image.first_corner));
    out.keep(Section::mesh_corners, std::move(image.corners));
    out.keep(Section::mesh_areas, by_polygon(data.areas));
    out.keep(Section::mesh_blocked, by_polygon(data.blocked));
    out.keep(Section::mesh_portals, std::move(portals));
    out.keep(Section::mesh_connections, std::move(connections));
    if (!widths.empty()) out.keep(Section::mesh_widths, std::move(widths));
    if (data.options.radius > 0) out.keep(Section::mesh_radius, std::vector{data.options.radius});
    if (changed) {
        MeshNumbers numbers = mesh::numbers_of(mesh);
        options.changed_units = numbers.units;
        out.keep(Section::mesh_polygon_kinds, std::move(numbers.polygons));
        out.keep(Section::mesh_removed_portals, std::move(numbers.removed_portals));
        out.keep(Section::mesh_connection_corners, std::move(numbers.connection_corners));
        out.keep(Section::mesh_links, std::move(numbers.links));
    }
    out.keep(Section::mesh_options, std::vector{options});
}

bool read_mesh(Frame& file, const Mesh* wanted, std::optional<Mesh>& mesh) {
    const std::uint64_t fingerprint = file.info().map_fingerprint;
    if (wanted != nullptr && wanted->fingerprint() != fingerprint) {
        return file.refuse_map(fmt::format("with fingerprint {:016x} instead of {:016x}",
                                           fingerprint, wanted->fingerprint()));
    }
    auto built = build(file);
    if (!file.ok()) return false;
    if (!built) return file.refuse_contents(built.error());
    if (built->fingerprint() != fingerprint)
        return file.refuse("the mesh does not have the fingerprint that the file names");
    if (wanted != nullptr && !(*built == *wanted))
        return file.refuse_map("which has the same fingerprint");
    mesh = std::move(*built);
    return true;
}

}  // namespace cairn::index_file
