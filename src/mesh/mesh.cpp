#include "cairn/mesh/mesh.hpp"

#include "mesh/mesh_data.hpp"

namespace cairn::mesh {

namespace {

template <class T>
std::size_t bytes_of(const std::vector<T>& array) noexcept {
    return array.capacity() * sizeof(T);
}

std::size_t bytes_of(const MeshTopology& t) noexcept {
    return sizeof t + bytes_of(t.vertices) + bytes_of(t.first_corner) + bytes_of(t.corners) +
           bytes_of(t.centres) + bytes_of(t.first_link) + bytes_of(t.links) +
           bytes_of(t.link_polygon) + bytes_of(t.link_place) + bytes_of(t.passable) +
           bytes_of(t.ends) + bytes_of(t.midpoints) + bytes_of(t.parts) + bytes_of(t.first_cost);
}

}  // namespace

Mesh::Mesh() : Mesh(build({}).value()) {}

const MeshOptions& Mesh::options() const noexcept { return data_->options; }
std::uint32_t Mesh::num_polygons() const noexcept { return data_->num_polygons(); }
std::uint32_t Mesh::num_portals() const noexcept {
    return static_cast<std::uint32_t>(data_->topology->ends.size());
}
std::span<const Point> Mesh::vertices() const noexcept { return data_->topology->vertices; }

std::span<const std::uint32_t> Mesh::corners(Polygon polygon) const noexcept {
    const MeshTopology& t = *data_->topology;
    const std::uint32_t first = t.first_corner[polygon];
    return {t.corners.data() + first, t.first_corner[polygon + 1] - first};
}

bool Mesh::is_connection(Polygon polygon) const noexcept {
    return data_->topology->is_connection(polygon);
}
bool Mesh::is_gone(Polygon polygon) const noexcept { return data_->topology->is_gone(polygon); }
std::uint32_t Mesh::num_gone() const noexcept { return data_->topology->gone; }

Point Mesh::centre(Polygon polygon) const noexcept { return data_->topology->centres[polygon]; }
std::uint8_t Mesh::area(Polygon polygon) const noexcept { return data_->areas[polygon]; }

bool Mesh::blocked(Polygon polygon) const noexcept {
    return data_->blocked[polygon] != 0 || data_->closed(data_->areas[polygon]);
}

std::span<const Link> Mesh::links(Polygon polygon) const noexcept { return data_->links(polygon); }
Polygon Mesh::polygon_of(Link link) const noexcept { return data_->polygon_of(link); }
std::uint32_t Mesh::place(Link link) const noexcept { return data_->place(link); }
bool Mesh::open(Link link) const noexcept { return data_->open[link] != 0; }

Point Mesh::left(Link link) const noexcept {
    const PortalEnds& ends = data_->topology->ends[portal_of(link)];
    return (link & 1) == 0 ? ends.left : ends.right;
}
Point Mesh::right(Link link) const noexcept { return left(twin(link)); }
Point Mesh::midpoint(Link link) const noexcept { return data_->midpoint(link); }
std::uint32_t Mesh::part(Portal portal) const noexcept { return data_->topology->part(portal); }

bool Mesh::directed() const noexcept { return data_->topology->directed; }

Cost Mesh::inside_cost(Polygon polygon, std::uint32_t i, std::uint32_t j) const noexcept {
    return data_->inside_cost(polygon, i, j);
}
Point Mesh::anchor(Polygon polygon, const Point& point) const noexcept {
    return data_->anchor(polygon, point);
}
Cost Mesh::end_cost(Polygon polygon, const Point& anchor, std::uint32_t i) const noexcept {
    return data_->end_cost(polygon, anchor, i);
}
Cost Mesh::direct_cost(Polygon polygon, const Point& a, const Point& b) const noexcept {
    return data_->direct_cost(polygon, a, b);
}
Cost Mesh::bound(Link link, const Point& anchor) const noexcept {
    return data_->bound(link, anchor);
}

double Mesh::units_per_length() const noexcept { return data_->units; }
std::uint64_t Mesh::fingerprint() const noexcept { return data_->fingerprint; }

std::size_t Mesh::bytes() const noexcept {
    const MeshData& data = *data_;
    return sizeof data + bytes_of(*data.topology) + bytes_of(data.areas) + bytes_of(data.blocked) +
           bytes_of(data.open) + bytes_of(*data.inside_costs) + bytes_of(*data.halves);
}

bool operator==(const Mesh& a, const Mesh& b) {
    if (a.data_ == b.data_) return true;
    const MeshData& l = *a.data_;
    const MeshData& r = *b.data_;
    return l.fingerprint == r.fingerprint && l.options == r.options && l.areas == r.areas &&
           l.blocked == r.blocked && (l.topology == r.topology || *l.topology == *r.topology);
}

}  // namespace cairn::mesh
