// Mesh::build refuses a mesh exactly if comparing every edge with every corner finds a T-junction.

#include <gtest/gtest.h>

#include <algorithm>

#include "support/random_meshes.hpp"
#include "support/scale.hpp"

namespace cairn::mesh {
namespace {

using test::MeshParts;

struct Edge {
    std::uint32_t from = 0;
    std::uint32_t to = 0;
};

std::vector<Edge> edges_of(const MeshParts& parts) {
    std::vector<Edge> edges;
    for (Polygon p = 0; p < parts.num_polygons(); ++p) {
        for (std::uint32_t c = parts.first_corner[p]; c < parts.first_corner[p + 1]; ++c) {
            const bool last = c + 1 == parts.first_corner[p + 1];
            edges.push_back(
                {parts.corners[c], parts.corners[last ? parts.first_corner[p] : c + 1]});
        }
    }
    return edges;
}

// The edges that belong to one polygon only.
std::vector<Edge> borders_of(const MeshParts& parts) {
    const std::vector<Edge> edges = edges_of(parts);
    std::vector<Edge> borders;
    for (const Edge& edge : edges) {
        const auto uses = std::count_if(edges.begin(), edges.end(), [&](const Edge& other) {
            return std::minmax(edge.from, edge.to) == std::minmax(other.from, other.to);
        });
        if (uses == 1) borders.push_back(edge);
    }
    return borders;
}

// Whether a vertex lies on the line through a level edge, at its height. Exact, since all
// coordinates are whole numbers.
bool on_line(const MeshParts& parts, const Edge& edge, std::uint32_t vertex) {
    const Point& a = parts.vertices[edge.from];
    const Point& b = parts.vertices[edge.to];
    const Point& p = parts.vertices[vertex];
    return a.y == b.y && p.y == a.y && (b.x - a.x) * (p.z - a.z) == (b.z - a.z) * (p.x - a.x);
}

// Whether a vertex lies on the edge, but not at its ends.
bool inside(const MeshParts& parts, const Edge& edge, std::uint32_t vertex) {
    const Point& a = parts.vertices[edge.from];
    const Point& b = parts.vertices[edge.to];
    const Point& p = parts.vertices[vertex];
    return on_line(parts, edge, vertex) &&
           (p.x - a.x) * (p.x - b.x) + (p.z - a.z) * (p.z - b.z) < 0;
}

// Whether a corner of one border lies inside another one, and the border runs along it from there.
bool has_t_junction(const MeshParts& parts) {
    const std::vector<Edge> borders = borders_of(parts);
    for (const Edge& edge : borders) {
        for (const Edge& other : borders) {
            const bool from = inside(parts, edge, other.from) && on_line(parts, edge, other.to);
            const bool to = inside(parts, edge, other.to) && on_line(parts, edge, other.from);
            if (from || to) return true;
        }
    }
    return false;
}

// Removes some corners of polygons in the middle of straight borders, which makes T-junctions. The
// shapes stay the same.
void drop_straight_corners(MeshParts& parts, test::RandomMaps& random) {
    std::vector<std::uint32_t> corners;
    std::vector<std::uint32_t> first{0};
    const int percent = random.number(0, 30);
    for (Polygon p = 0; p < parts.num_polygons(); ++p) {
        const std::uint32_t begin = parts.first_corner[p];
        const std::uint32_t count = parts.first_corner[p + 1] - begin;
        std::uint32_t before = parts.corners[begin + count - 1];
        for (std::uint32_t i = 0; i < count; ++i) {
            const std::uint32_t here = parts.corners[begin + i];
            const std::uint32_t next = parts.corners[begin + (i + 1) % count];
            if (on_line(parts, {before, next}, here) && random.chance(percent)) continue;
            corners.push_back(here);
            before = here;
        }
        first.push_back(static_cast<std::uint32_t>(corners.size()));
    }
    parts.corners = corners;
    parts.first_corner = first;
}

TEST(MeshTJunctionsTest, AreRefusedExactlyWhereThereIsOne) {
    int refused = 0;
    int accepted = 0;
    for (std::uint64_t seed = 0; seed < test::scaled(1000); ++seed) {
        SCOPED_TRACE(seed);
        test::RandomMaps random(seed);
        MeshParts parts = test::mesh_of_kind(test::MeshKind::flat, random, 7);
        drop_straight_corners(parts, random);
        const int scale = random.chance(50) ? 1 : random.number(2, 1000);
        const auto offset =
            static_cast<float>(random.chance(50) ? 0 : random.number(-10000, 10000));
        for (Point& p : parts.vertices) {
            const auto times = static_cast<float>(scale);
            p = {p.x * times + offset, p.y, p.z * times - offset};
        }
        const bool expected = has_t_junction(parts);
        const Result<Mesh> mesh = Mesh::build(parts.source());
        ASSERT_EQ(!mesh, expected) << (mesh ? "accepted" : mesh.error().message);
        const bool names_t_junction =
            !mesh && mesh.error().message.find("lies inside its edge") != std::string::npos;
        ASSERT_EQ(names_t_junction, expected);
        ++(expected ? refused : accepted);
    }
    EXPECT_GT(refused, accepted / 10);
    EXPECT_GT(accepted, refused / 10);
}

}  // namespace
}  // namespace cairn::mesh
