#include "cairn/navmesh/path.hpp"

namespace cairn::navmesh {

void polygons(const Mesh& mesh, Polygon start, std::span<const Link> links,
              std::vector<Polygon>& out) {
    out.clear();
    out.reserve(links.size() + 1);
    out.push_back(start);
    for (const Link link : links) out.push_back(mesh.polygon_of(twin(link)));
}

}  // namespace cairn::navmesh
