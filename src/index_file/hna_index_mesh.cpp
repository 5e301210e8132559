#include "index_file/hna_index_mesh.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "index_file/index_parts.hpp"
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

std::uint32_t num_with_corners(const Mesh& mesh) {
    return mesh.num_polygons() - mesh.data().topology->connections;
}

// All but portals; connections are joined to nothing.
MeshImage polygons_of(const Mesh& mesh) {
    const MeshTopology& t = *mesh.data().topology;
    const std::uint32_t polygons = num_with_corners(mesh);
    MeshImage image;
    image.vertices.assign(t.vertices.begin(), t.vertices.end() - 2 * std::ptrdiff_t{t.connections});
    image.first_corner.assign(t.first_corner.begin(), t.first_corner.begin() + polygons + 1);
    image.corners.assign(t.corners.begin(), t.corners.end() - 2 * std::ptrdiff_t{t.connections});
    image.areas.assign(mesh.data().areas.begin(), mesh.data().areas.begin() + polygons);
    image.connections.reserve(t.connections);
    for (Polygon p = polygons; p < mesh.num_polygons(); ++p) {
        const auto ends = mesh.corners(p);
        image.connections.push_back(
            {kNone, kNone, t.vertices[ends[0]], t.vertices[ends[1]], mesh.area(p), true});
    }
    return image;
}

// Takes the portals of connections for their own; other ones are left to be found.
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
        if (t.part(portal) != 0) continue;
        const Link link = 2 * portal;
        image.portals.push_back({t.link_polygon[link], t.link_polygon[link + 1], mesh.right(link),
                                 mesh.left(link), t.passable[link] != 0,
                                 t.passable[link + 1] != 0});
    }
}

schema::MeshPoint file_point(const Point& p) { return {p.x, p.y, p.z}; }

Point point_of(const schema::MeshPoint& p) { return {p.x(), p.y(), p.z()}; }

// Those of the dense mesh, where there are numbers.
std::size_t num_left(const schema::HnaMesh& file) {
    const std::size_t starts = span_of<std::uint32_t>(file.first_corner()).size();
    const std::size_t connections = file.connections() == nullptr ? 0 : file.connections()->size();
    return (starts == 0 ? 0 : starts - 1) + connections;
}

bool read_joins(const schema::HnaMesh& file, std::vector<PortalSource>& portals,
                std::vector<ConnectionSource>& connections) {
    if (file.portals() != nullptr) {
        portals.reserve(file.portals()->size());
        for (const schema::MeshPortal* p : *file.portals()) {
            if (p->ways() > 3) return false;
            portals.push_back({p->first(), p->second(), point_of(p->begin()), point_of(p->end()),
                               (p->ways() & 1) != 0, (p->ways() & 2) != 0});
        }
    }
    if (file.connections() == nullptr) return true;
    const auto areas = span_of<std::uint8_t>(file.areas()).last(file.connections()->size());
    connections.reserve(areas.size());
    for (const schema::MeshConnection* c : *file.connections()) {
        if (c->both_ways() > 1) return false;
        connections.push_back({c->from(), c->to(), point_of(c->begin()), point_of(c->end()),
                               areas[connections.size()], c->both_ways() != 0});
    }
    return true;
}

Result<mesh::MeshOptions> read_options(const schema::HnaMesh& file) {
    mesh::MeshOptions options;
    const auto costs = span_of<float>(file.area_costs());
    if (costs.size() != options.area_costs.size())
        return fail(StatusCode::corrupt_file, "the area costs are missing");
    std::copy(costs.begin(), costs.end(), options.area_costs.begin());
    options.scoring = static_cast<mesh::Scoring>(file.scoring());
    options.units_per_length = file.units_per_length();
    options.longest_part = file.longest_part();
    return options;
}

Result<Mesh> build(const schema::HnaMesh& file, const mesh::MeshOptions& options) {
    std::vector<PortalSource> portals;
    std::vector<ConnectionSource> connections;
    if (!read_joins(file, portals, connections))
        return fail(StatusCode::corrupt_file, "a portal or connection leads in unknown ways");
    const auto areas = span_of<std::uint8_t>(file.areas());
    mesh::MeshSource source;
    source.vertices = span_of<Point>(file.vertices());
    source.first_corner = span_of<std::uint32_t>(file.first_corner());
    source.corners = span_of<std::uint32_t>(file.corners());
    source.areas = areas.first(areas.size() - connections.size());
    source.portals = portals;
    source.portals_given = file.portals_given() != 0;
    source.connections = connections;
    return Mesh::build(source, options);
}

flatbuffers::Offset<schema::HnaMeshNumbers> add_numbers(flatbuffers::FlatBufferBuilder& builder,
                                                        const MeshNumbers& numbers) {
    const auto polygons =
        add_array(builder, std::span(reinterpret_cast<const std::uint8_t*>(numbers.polygons.data()),
                                     numbers.polygons.size()));
    const auto gone_portals = builder.CreateVector(numbers.gone_portals);
    const auto corners = builder.CreateVector(numbers.connection_corners);
    const auto links = builder.CreateVector(numbers.links);
    return schema::CreateHnaMeshNumbers(builder, polygons, gone_portals, corners, links,
                                        numbers.units);
}

// With kinds of polygons that are unknown, where the file has such.
MeshNumbers read_numbers(const schema::HnaMeshNumbers& file) {
    const auto copy = [](auto span, auto& array) { array.assign(span.begin(), span.end()); };
    MeshNumbers numbers;
    copy(span_of<mesh::PolygonKind>(file.polygons()), numbers.polygons);
    copy(span_of<std::uint8_t>(file.gone_portals()), numbers.gone_portals);
    copy(span_of<std::uint32_t>(file.connection_corners()), numbers.connection_corners);
    copy(span_of<Link>(file.links()), numbers.links);
    numbers.units = file.units();
    return numbers;
}

// The mesh with its polygons blocked as the file says.
Result<Mesh> blocked_as(const schema::HnaMesh& file, const Mesh& mesh) {
    const auto blocked = span_of<std::uint8_t>(file.blocked());
    std::vector<mesh::PolygonEdit> edits;
    for (Polygon p = 0; p < mesh.num_polygons(); ++p) {
        if (blocked[p] > 1)
            return fail(StatusCode::corrupt_file, "a polygon is neither blocked nor free");
        if (blocked[p] != 0) edits.push_back({p, mesh.area(p), true});
    }
    return edits.empty() ? mesh : mesh.edited(edits);
}

}  // namespace

MeshImage image_of(const Mesh& mesh) {
    if (mesh.data().topology->changed) return mesh::dense_image(mesh);
    MeshImage image = polygons_of(mesh);
    MeshImage given = image;
    join_connections(mesh, image);
    const auto found = Mesh::build(image.source(), mesh.options());
    if (found && *found->data().topology == *mesh.data().topology) return image;
    give_portals(mesh, given);
    return given;
}

std::size_t image_bytes(const MeshImage& image) {
    return image.vertices.size() * sizeof(schema::MeshPoint) +
           (image.first_corner.size() + image.corners.size()) * sizeof(std::uint32_t) +
           2 * (image.areas.size() + image.connections.size()) +
           image.portals.size() * sizeof(schema::MeshPortal) +
           image.connections.size() * sizeof(schema::MeshConnection);
}

flatbuffers::Offset<schema::HnaMesh> add_mesh(flatbuffers::FlatBufferBuilder& builder,
                                              const Mesh& mesh, const MeshImage& image) {
    std::vector<schema::MeshPortal> portals;
    portals.reserve(image.portals.size());
    for (const PortalSource& p : image.portals) {
        portals.emplace_back(p.first, p.second, file_point(p.begin), file_point(p.end),
                             (p.forth ? 1U : 0U) | (p.back ? 2U : 0U));
    }
    std::vector<schema::MeshConnection> connections;
    connections.reserve(image.connections.size());
    for (const ConnectionSource& c : image.connections) {
        connections.emplace_back(c.from, c.to, file_point(c.begin), file_point(c.end),
                                 c.both_ways ? 1U : 0U);
    }
    const mesh::MeshData& data = mesh.data();
    const auto costs = add_array(builder, std::span<const float>(data.options.area_costs));
    const auto vertices =
        add_structs<schema::MeshPoint>(builder, std::span<const Point>(image.vertices));
    const auto first_corner = builder.CreateVector(image.first_corner);
    const auto corners = builder.CreateVector(image.corners);
    const bool changed = data.topology->changed;
    const auto of_polygons = [&](const std::vector<std::uint8_t>& values) {
        return builder.CreateVector(changed ? mesh::dense(mesh, values) : values);
    };
    const auto areas = of_polygons(data.areas);
    const auto blocked = of_polygons(data.blocked);
    const auto portal_vector = builder.CreateVectorOfStructs(portals);
    const auto connection_vector = builder.CreateVectorOfStructs(connections);
    flatbuffers::Offset<schema::HnaMeshNumbers> numbers;
    if (changed) numbers = add_numbers(builder, mesh::numbers_of(mesh));
    return schema::CreateHnaMesh(builder, data.fingerprint, data.options.units_per_length, costs,
                                 static_cast<std::uint8_t>(data.options.scoring),
                                 image.portals_given ? 1 : 0, vertices, first_corner, corners,
                                 areas, blocked, portal_vector, connection_vector, numbers,
                                 data.options.longest_part);
}

Result<Mesh> read_mesh(const schema::HnaMesh& file) {
    const std::size_t polygons = num_left(file);
    if (span_of<std::uint8_t>(file.areas()).size() != polygons ||
        span_of<std::uint8_t>(file.blocked()).size() != polygons) {
        return fail(StatusCode::corrupt_file, "there is not one area to a polygon");
    }
    if (file.portals_given() > 1)
        return fail(StatusCode::corrupt_file, "portals are neither given nor found");
    const auto options = read_options(file);
    if (!options) return tl::unexpected(options.error());
    mesh::MeshOptions any_units = *options;
    if (file.numbers() != nullptr) any_units.units_per_length = 0;
    auto mesh = build(file, any_units);
    if (!mesh) return mesh;
    auto blocked = blocked_as(file, *mesh);
    if (blocked && file.numbers() != nullptr)
        blocked = mesh::renumbered(*blocked, read_numbers(*file.numbers()), *options);
    if (blocked && blocked->fingerprint() != file.fingerprint())
        return fail(StatusCode::corrupt_file, "the mesh has another fingerprint than it should");
    return blocked;
}

std::size_t num_polygons(const schema::HnaMesh& file) {
    return file.numbers() == nullptr ? num_left(file)
                                     : span_of<std::uint8_t>(file.numbers()->polygons()).size();
}

std::size_t mesh_bytes(const schema::HnaMesh& file) {
    const schema::HnaMeshNumbers* numbers = file.numbers();
    const std::size_t number_bytes =
        numbers == nullptr
            ? 0
            : span_of<std::uint8_t>(numbers->polygons()).size() +
                  span_of<std::uint8_t>(numbers->gone_portals()).size() +
                  span_of<std::uint32_t>(numbers->connection_corners()).size_bytes() +
                  span_of<Link>(numbers->links()).size_bytes();
    return number_bytes + span_of<Point>(file.vertices()).size_bytes() +
           span_of<std::uint32_t>(file.first_corner()).size_bytes() +
           span_of<std::uint32_t>(file.corners()).size_bytes() +
           span_of<std::uint8_t>(file.areas()).size() +
           span_of<std::uint8_t>(file.blocked()).size() +
           span_of<schema::MeshPortal>(file.portals()).size_bytes() +
           span_of<schema::MeshConnection>(file.connections()).size_bytes();
}

}  // namespace cairn::index_file
