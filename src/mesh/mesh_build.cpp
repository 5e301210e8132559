#include <fmt/format.h>

#include "mesh/mesh_borders.hpp"
#include "mesh/mesh_costs.hpp"
#include "mesh/mesh_data.hpp"
#include "mesh/mesh_polygons.hpp"
#include "mesh/mesh_portals.hpp"

namespace cairn::mesh {

namespace {

// Adds to the polygons that a topology has.
Status add_topology(const MeshSource& source, MeshTopology kept, MeshData& data) {
    if (Status status = check_arrays(source, kept); !status.ok()) return status;
    auto topology = std::make_shared<MeshTopology>(std::move(kept));
    if (Status status = add_polygons(source, *topology); !status.ok()) return status;
    if (Status status = add_portals(source, data.options, *topology); !status.ok()) return status;
    if (Status status = count_costs(*topology); !status.ok()) return status;
    if (Status status = check_joins(source, *topology); !status.ok()) return status;
    data.topology = std::move(topology);
    return {};
}

void add_areas(const MeshSource& source, MeshData& data) {
    data.areas.insert(data.areas.end(), source.areas.begin(), source.areas.end());
    data.areas.resize(data.num_polygons() - source.connections.size());
    for (const ConnectionSource& connection : source.connections)
        data.areas.push_back(connection.area);
    data.blocked.resize(data.num_polygons());
}

// Marks the polygons to be removed.
Status mark_removed(const MeshTopology& t, std::span<const Polygon> removed,
                    std::vector<bool>& marks) {
    marks.assign(t.num_polygons(), false);
    for (const Polygon p : removed) {
        if (p >= t.num_polygons() || t.is_gone(p) || marks[p]) {
            return {StatusCode::bad_option,
                    fmt::format("polygon {} cannot be removed: it does not exist or is gone", p)};
        }
        marks[p] = true;
    }
    return {};
}

// A topology without some polygons and their portals, which keep their numbers. What the costs and
// the hash follow from is left for count_costs.
MeshTopology without(const MeshTopology& old, const std::vector<bool>& removed) {
    MeshTopology t = old;
    t.changed = true;
    t.corners.clear();
    for (Polygon p = 0; p < old.num_polygons(); ++p) {
        const auto begin = old.corners.begin() + old.first_corner[p];
        const auto end = old.corners.begin() + old.first_corner[p + 1];
        if (!removed[p]) {
            t.corners.insert(t.corners.end(), begin, end);
        } else {
            t.centres[p] = {};
            ++t.gone;
            if (old.is_connection(p)) --t.connections;
            for (std::uint32_t i = old.first_link[p]; i < old.first_link[p + 1]; ++i) {
                const Link link = old.links[i];
                t.link_polygon[link] = t.link_polygon[twin(link)] = kNone;
                t.passable[link] = t.passable[twin(link)] = 0;
                t.ends[portal_of(link)] = {};
                t.midpoints[portal_of(link)] = {};
                if (!t.parts.empty()) t.parts[portal_of(link)] = 0;
            }
        }
        t.first_corner[p + 1] = static_cast<std::uint32_t>(t.corners.size());
    }
    std::erase_if(t.links, [&](Link link) { return t.link_polygon[link] == kNone; });
    return t;
}

// Sets areas and blocks; polygons whose area changes are appended to `repriced`.
Status apply(std::span<const PolygonEdit> edits, MeshData& data, std::vector<Polygon>& repriced) {
    repriced.reserve(edits.size());
    for (const PolygonEdit& edit : edits) {
        if (edit.polygon >= data.num_polygons() || edit.area >= kAreas) {
            return {StatusCode::bad_option,
                    fmt::format(
                        "an edit of polygon {} to area {}: polygons are below {}, areas below {}",
                        edit.polygon, edit.area, data.num_polygons(), kAreas)};
        }
        if (data.topology->is_gone(edit.polygon)) {
            return {StatusCode::bad_option,
                    fmt::format("an edit of polygon {}, which is gone", edit.polygon)};
        }
        if (edit.area != data.areas[edit.polygon]) repriced.push_back(edit.polygon);
        data.areas[edit.polygon] = edit.area;
        data.blocked[edit.polygon] = static_cast<std::uint8_t>(edit.blocked);
    }
    return {};
}

}  // namespace

Result<Mesh> Mesh::build(const MeshSource& source, const MeshOptions& options) {
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
}

Result<Mesh> Mesh::edited(std::span<const PolygonEdit> edits) const {
    auto data = std::make_shared<MeshData>(*data_);
    std::vector<Polygon> repriced;
    if (Status status = apply(edits, *data, repriced); !status.ok())
        return tl::unexpected(std::move(status));
    change_costs(*data, repriced);
    finish(*data);
    return Mesh(std::move(data));
}

Result<Mesh> Mesh::changed(const MeshChange& change) const {
    std::vector<bool> removed;
    if (Status status = mark_removed(*data_->topology, change.removed, removed); !status.ok())
        return tl::unexpected(std::move(status));
    MeshSource added = change.added;
    added.portals_given = true;
    auto data = std::make_shared<MeshData>(*data_);
    if (Status status = add_topology(added, without(*data_->topology, removed), *data);
        !status.ok())
        return tl::unexpected(std::move(status));
    if (Status status = keep_units(*data); !status.ok()) return tl::unexpected(std::move(status));
    for (const Polygon p : change.removed) {
        data->areas[p] = 0;
        data->blocked[p] = 1;
    }
    add_areas(added, *data);
    std::vector<Polygon> repriced;
    if (Status status = apply(change.edits, *data, repriced); !status.ok())
        return tl::unexpected(std::move(status));
    carry_costs(*data, *data_);
    change_costs(*data, repriced);
    finish(*data);
    return Mesh(std::move(data));
}

}  // namespace cairn::mesh
