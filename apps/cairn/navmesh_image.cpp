#include "navmesh_image.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

namespace cairn::app {
namespace {

using mesh::MeshImage;
using mesh::Point;

/// Numbers of vertices by where they are.
class Vertices {
public:
    explicit Vertices(std::vector<Point>& all) : all_(&all) {
        for (std::uint32_t v = 0; v < all.size(); ++v) number_.try_emplace(key(all[v]), v);
    }
    std::uint32_t at(const Point& point) {
        const auto [found, fresh] =
            number_.try_emplace(key(point), static_cast<std::uint32_t>(all_->size()));
        if (fresh) all_->push_back(point);
        return found->second;
    }

private:
    static std::tuple<float, float, float> key(const Point& p) { return {p.x, p.y, p.z}; }

    std::vector<Point>* all_;
    std::map<std::tuple<float, float, float>, std::uint32_t> number_;
};

/// How far along the edge from a to b a point lies, seen from above; nothing unless inside it.
std::optional<double> along(const Point& a, const Point& b, const Point& p) {
    const double x = double{b.x} - a.x;
    const double z = double{b.z} - a.z;
    const double px = double{p.x} - a.x;
    const double pz = double{p.z} - a.z;
    const double dot = x * px + z * pz;
    if (x * pz - z * px != 0 || dot <= 0 || dot >= x * x + z * z) return std::nullopt;
    return dot;
}

}  // namespace

MeshImage image_of(const mesh::Mesh& mesh) {
    MeshImage out;
    out.vertices.assign(mesh.vertices().begin(), mesh.vertices().end());
    out.portals_given = true;
    mesh::Polygon count = 0;
    while (count < mesh.num_polygons() && !mesh.is_connection(count)) ++count;
    for (mesh::Polygon p = 0; p < count; ++p) {
        const auto corners = mesh.corners(p);
        out.corners.insert(out.corners.end(), corners.begin(), corners.end());
        out.first_corner.push_back(static_cast<std::uint32_t>(out.corners.size()));
        out.areas.push_back(mesh.area(p));
    }
    out.portals.reserve(mesh.num_portals());
    for (mesh::Link link = 0; link < mesh.num_links(); link += 2) {
        if (mesh.part(mesh::portal_of(link)) != 0) continue;
        const mesh::Polygon first = mesh.polygon_of(link);
        const mesh::Polygon second = mesh.polygon_of(mesh::twin(link));
        if (first >= count || second >= count) continue;
        out.portals.push_back({first, second, mesh.left(link), mesh.right(link)});
    }
    return out;
}

void split_edges(MeshImage& image) {
    const std::uint32_t count = image.num_polygons();
    std::vector<std::vector<Point>> ends(count);  // of portals, by polygon
    for (const mesh::PortalSource& portal : image.portals) {
        for (const mesh::Polygon polygon : {portal.first, portal.second}) {
            ends[polygon].push_back(portal.begin);
            ends[polygon].push_back(portal.end);
        }
    }
    Vertices vertices(image.vertices);
    std::vector<std::uint32_t> corners;
    std::vector<std::uint32_t> first{0};
    first.reserve(count + std::size_t{1});
    std::vector<std::pair<double, std::uint32_t>> inside;
    for (std::uint32_t p = 0; p < count; ++p) {
        const std::uint32_t begin = image.first_corner[p];
        const std::uint32_t size = image.first_corner[p + 1] - begin;
        for (std::uint32_t i = 0; i < size; ++i) {
            const std::uint32_t corner = image.corners[begin + i];
            const Point a = image.vertices[corner];
            const Point b = image.vertices[image.corners[begin + (i + 1) % size]];
            inside.clear();
            for (const Point& end : ends[p]) {
                if (const auto at = along(a, b, end)) inside.emplace_back(*at, vertices.at(end));
            }
            std::sort(inside.begin(), inside.end());
            inside.erase(std::unique(inside.begin(), inside.end()), inside.end());
            corners.push_back(vertices.at(a));
            for (const auto& [at, vertex] : inside) corners.push_back(vertex);
        }
        first.push_back(static_cast<std::uint32_t>(corners.size()));
    }
    image.corners = std::move(corners);
    image.first_corner = std::move(first);
}

}  // namespace cairn::app
