#include "cairn/mesh/mesh.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cairn/mesh/path.hpp"
#include "core/guarded.hpp"
#include "core/memory.hpp"
#include "core/sort_unique.hpp"
#include "mesh/mesh_build.hpp"
#include "mesh/mesh_data.hpp"

namespace cairn::mesh {

namespace {

std::size_t bytes_of(const MeshTopology& t) noexcept {
    return sizeof t + memory_of(t.vertices, t.first_corner, t.corners, t.centres, t.first_link,
                                t.links, t.link_polygon, t.link_place, t.passable, t.ends,
                                t.midpoints, t.parts, t.widths, t.first_cost);
}

}  // namespace

Mesh::Mesh() : Mesh(value_of(build({}))) {}

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
bool Mesh::is_removed(Polygon polygon) const noexcept {
    return data_->topology->is_removed(polygon);
}
std::uint32_t Mesh::num_removed() const noexcept { return data_->topology->removed; }

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
float Mesh::width(Portal portal) const noexcept { return data_->topology->width(portal); }

Oddity Mesh::oddity(Polygon polygon) const noexcept { return data_->topology->oddity(polygon); }
std::uint32_t Mesh::num_odd() const noexcept {
    const auto& all = data_->topology->oddities;
    return static_cast<std::uint32_t>(all.size()) -
           static_cast<std::uint32_t>(std::count(all.begin(), all.end(), Oddity::none));
}
std::uint32_t Mesh::num_point_portals() const noexcept {
    const MeshTopology& t = *data_->topology;
    std::uint32_t count = 0;
    for (Link link = 0; link < data_->num_links(); link += 2) {
        const Polygon a = t.link_polygon[link];
        const Polygon b = t.link_polygon[twin(link)];
        if (a == kNone || t.is_connection(a) || t.is_connection(b)) continue;
        const PortalEnds& ends = t.ends[portal_of(link)];
        count += ends.left == ends.right ? 1 : 0;
    }
    return count;
}

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
    return sizeof data + bytes_of(*data.topology) +
           memory_of(data.areas, data.blocked, data.open, *data.inside_costs, *data.halves);
}

bool operator==(const Mesh& a, const Mesh& b) {
    if (a.data_ == b.data_) return true;
    const MeshData& l = *a.data_;
    const MeshData& r = *b.data_;
    return l.fingerprint == r.fingerprint && l.options == r.options && l.areas == r.areas &&
           l.blocked == r.blocked && (l.topology == r.topology || *l.topology == *r.topology);
}

namespace {

// Adds the polygons and portals of `source` to a topology, which becomes that of `data`.
Status add_topology(const MeshSource& source, MeshTopology kept, MeshData& data) {
    if (Status status = check_arrays(source, kept); !status.ok()) return status;
    auto topology = std::make_shared<MeshTopology>(std::move(kept));
    if (Status status = add_polygons(source, *topology); !status.ok()) return status;
    if (Status status = add_portals(source, data.options, *topology); !status.ok()) return status;
    if (Status status = count_costs(*topology); !status.ok()) return status;
    if (source.odd_polygons == OddPolygons::refuse) {
        if (Status status = check_joins(source, *topology); !status.ok()) return status;
    } else {
        data.accepts_odd = true;
    }
    data.topology = std::move(topology);
    return {};
}

// Appends the areas of the polygons of `source`, which are not blocked.
void add_areas(const MeshSource& source, MeshData& data) {
    data.areas.insert(data.areas.end(), source.areas.begin(), source.areas.end());
    data.areas.resize(data.num_polygons() - source.connections.size());
    for (const ConnectionSource& connection : source.connections)
        data.areas.push_back(connection.area);
    data.blocked.resize(data.num_polygons());
}

// Errors: bad_option, unless the polygons, ascending, exist and each is there once.
Status check_removed(const MeshTopology& t, std::span<const Polygon> removed) {
    for (std::size_t i = 0; i < removed.size(); ++i) {
        const Polygon p = removed[i];
        if (p >= t.num_polygons() || t.is_removed(p) || (i > 0 && removed[i - 1] == p)) {
            return {StatusCode::bad_option,
                    fmt::format("polygon {} cannot be removed: it does not exist", p)};
        }
    }
    return {};
}

void append_polygons(std::span<const PolygonEdit> edits, std::vector<Polygon>& polygons) {
    for (const PolygonEdit& edit : edits) polygons.push_back(edit.polygon);
}

// Applies edits; appends the polygons whose area changes to `repriced`. Errors: bad_option.
Status apply(std::span<const PolygonEdit> edits, MeshData& data, std::vector<Polygon>& repriced) {
    repriced.reserve(edits.size());
    for (const PolygonEdit& edit : edits) {
        if (edit.polygon >= data.num_polygons() || edit.area >= kAreas) {
            return {StatusCode::bad_option,
                    fmt::format(
                        "an edit of polygon {} to area {}: polygons are below {}, areas below {}",
                        edit.polygon, edit.area, data.num_polygons(), kAreas)};
        }
        if (data.topology->is_removed(edit.polygon)) {
            return {StatusCode::bad_option,
                    fmt::format("an edit of polygon {}, which was removed", edit.polygon)};
        }
        if (edit.area != data.areas[edit.polygon]) repriced.push_back(edit.polygon);
        data.areas[edit.polygon] = edit.area;
        data.blocked[edit.polygon] = static_cast<std::uint8_t>(edit.blocked);
    }
    return {};
}

}  // namespace

Result<Mesh> Mesh::build(const MeshSource& source, const MeshOptions& options) noexcept try {
    auto data = std::make_shared<MeshData>();
    if (Status status = set_options(options, *data); !status.ok())
        return tl::unexpected(std::move(status));
    if (Status status = add_topology(source, {}, *data); !status.ok())
        return tl::unexpected(std::move(status));
    if (Status status = set_units(*data); !status.ok()) return tl::unexpected(std::move(status));
    add_areas(source, *data);
    set_costs(*data);
    finish(*data);
    return Mesh(std::move(data));
} catch (...) {
    return out_of_memory();
}

Result<Mesh> Mesh::edited(std::span<const PolygonEdit> edits) const noexcept try {
    auto data = std::make_shared<MeshData>(*data_);
    std::vector<Polygon> repriced;
    if (Status status = apply(edits, *data, repriced); !status.ok())
        return tl::unexpected(std::move(status));
    change_costs(*data, repriced);
    std::vector<Polygon> touched;
    append_polygons(edits, touched);
    finish_edit(*data, touched);
    return Mesh(std::move(data));
} catch (...) {
    return out_of_memory();
}

Result<Mesh> Mesh::with_area_costs(const std::array<float, kAreas>& costs,
                                   std::span<const PolygonEdit> edits) const noexcept try {
    MeshOptions options = data_->options;
    options.area_costs = costs;
    auto data = std::make_shared<MeshData>(*data_);
    if (Status status = set_options(options, *data); !status.ok())
        return tl::unexpected(std::move(status));
    if (Status status = set_units(*data); !status.ok()) return tl::unexpected(std::move(status));
    std::vector<Polygon> repriced;
    if (Status status = apply(edits, *data, repriced); !status.ok())
        return tl::unexpected(std::move(status));
    set_costs(*data);
    finish(*data);
    return Mesh(std::move(data));
} catch (...) {
    return out_of_memory();
}

Result<Mesh> Mesh::with_radius(double radius) const noexcept try {
    MeshOptions options = data_->options;
    options.radius = radius;
    auto data = std::make_shared<MeshData>(*data_);
    if (Status status = set_options(options, *data); !status.ok())
        return tl::unexpected(std::move(status));
    finish(*data);
    return Mesh(std::move(data));
} catch (...) {
    return out_of_memory();
}

Result<Mesh> Mesh::changed(const MeshChange& change) const noexcept try {
    const MeshTopology& before = *data_->topology;
    std::vector<Polygon> removed(change.removed.begin(), change.removed.end());
    std::ranges::sort(removed);
    if (Status status = check_removed(before, removed); !status.ok())
        return tl::unexpected(std::move(status));
    MeshSource added = change.added;
    added.portals_given = true;
    auto data = std::make_shared<MeshData>(*data_);
    if (Status status = add_topology(added, without(before, removed, added), *data); !status.ok())
        return tl::unexpected(std::move(status));
    std::vector<Polygon> touched = relinked(before, removed, *data->topology);
    if (Status status = keep_units(*data, *data_, touched); !status.ok())
        return tl::unexpected(std::move(status));
    for (const Polygon p : removed) {
        data->areas[p] = 0;
        data->blocked[p] = 1;
    }
    add_areas(added, *data);
    std::vector<Polygon> repriced;
    if (Status status = apply(change.edits, *data, repriced); !status.ok())
        return tl::unexpected(std::move(status));
    append_polygons(change.edits, touched);
    sort_unique(touched);
    carry_costs(*data, *data_, touched);
    data->open.resize(data->num_links());
    for (const Polygon p : removed) {
        for (const Link link : data_->links(p)) data->open[link] = data->open[twin(link)] = 0;
    }
    finish_edit(*data, touched);
    return Mesh(std::move(data));
} catch (...) {
    return out_of_memory();
}

void polygons(const Mesh& mesh, Polygon start, std::span<const Link> links,
              std::vector<Polygon>& out) {
    const MeshData& data = mesh.data();
    out.resize(links.size() + 1);
    out.front() = start;
    std::transform(links.begin(), links.end(), out.begin() + 1,
                   [&data](Link link) { return data.polygon_of(twin(link)); });
}

}  // namespace cairn::mesh
