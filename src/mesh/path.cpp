#include "cairn/mesh/path.hpp"

#include <algorithm>

#include "mesh/mesh_data.hpp"

namespace cairn::mesh {

void polygons(const Mesh& mesh, Polygon start, std::span<const Link> links,
              std::vector<Polygon>& out) {
    const MeshData& data = mesh.data();
    out.resize(links.size() + 1);
    out.front() = start;
    std::transform(links.begin(), links.end(), out.begin() + 1,
                   [&data](Link link) { return data.polygon_of(twin(link)); });
}

}  // namespace cairn::mesh
