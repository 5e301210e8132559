#include <fmt/format.h>

#include "navmesh/mesh_borders.hpp"
#include "navmesh/mesh_costs.hpp"
#include "navmesh/mesh_data.hpp"
#include "navmesh/mesh_polygons.hpp"
#include "navmesh/mesh_portals.hpp"

namespace cairn::navmesh {

namespace {

Status add_topology(const MeshSource& source, MeshData& data) {
    if (Status status = check_arrays(source); !status.ok()) return status;
    auto topology = std::make_shared<MeshTopology>();
    if (Status status = add_polygons(source, *topology); !status.ok()) return status;
    if (Status status = add_portals(source, *topology); !status.ok()) return status;
    if (Status status = count_costs(*topology); !status.ok()) return status;
    if (Status status = check_joins(source, *topology); !status.ok()) return status;
    data.topology = std::move(topology);
    return {};
}

void add_areas(const MeshSource& source, MeshData& data) {
    data.areas.assign(source.areas.begin(), source.areas.end());
    data.areas.resize(data.num_polygons() - source.connections.size());
    for (const ConnectionSource& connection : source.connections)
        data.areas.push_back(connection.area);
    data.blocked.resize(data.num_polygons());
}

}  // namespace

Result<Mesh> Mesh::build(const MeshSource& source, const MeshOptions& options) {
    auto data = std::make_shared<MeshData>();
    if (Status status = set_options(options, *data); !status.ok())
        return tl::unexpected(std::move(status));
    if (Status status = add_topology(source, *data); !status.ok())
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
    repriced.reserve(edits.size());
    for (const PolygonEdit& edit : edits) {
        if (edit.polygon >= num_polygons() || edit.area >= kAreas) {
            return fail(
                StatusCode::bad_option,
                fmt::format(
                    "an edit of polygon {} to area {}: polygons are below {}, areas below {}",
                    edit.polygon, edit.area, num_polygons(), kAreas));
        }
        if (edit.area != data->areas[edit.polygon]) repriced.push_back(edit.polygon);
        data->areas[edit.polygon] = edit.area;
        data->blocked[edit.polygon] = static_cast<std::uint8_t>(edit.blocked);
    }
    change_costs(*data, repriced);
    finish(*data);
    return Mesh(std::move(data));
}

}  // namespace cairn::navmesh
