// T-junctions are found wherever comparing every edge with every corner finds one.

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

// Edges that no other polygon has. All coordinates are whole numbers.
std::vector<Edge> borders_of(const MeshParts& parts) {
    const std::vector<Edge> edges = edges_of(parts);
    std::vector<Edge> borders;
    for (const Edge& edge : edges) {
        const auto same = std::count_if(edges.begin(), edges.end(), [&](const Edge& other) {
            return std::minmax(edge.from, edge.to) == std::minmax(other.from, other.to);
        });
        if (same == 1) borders.push_back(edge);
    }
    return borders;
}

bool on_line(const MeshParts& parts, const Edge& edge, std::uint32_t vertex) {
    const Point& a = parts.vertices[edge.from];
    const Point& b = parts.vertices[edge.to];
    const Point& p = parts.vertices[vertex];
    return a.y == b.y && p.y == a.y && (b.x - a.x) * (p.z - a.z) == (b.z - a.z) * (p.x - a.x);
}

bool inside(const MeshParts& parts, const Edge& edge, std::uint32_t vertex) {
    const Point& a = parts.vertices[edge.from];
    const Point& b = parts.vertices[edge.to];
    const Point& p = parts.vertices[vertex];
    return on_line(parts, edge, vertex) &&
           (p.x - a.x) * (p.x - b.x) + (p.z - a.z) * (p.z - b.z) < 0;
}

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

// Takes some corners out of straight borders; polygons stay as they are seen from above.
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

TEST(MeshTJunctionsTest, FoundWhereComparingAllFindsOne) {
    int refused = 0;
    int taken = 0;
    for (std::uint64_t seed = 0; seed < test::scaled(1000); ++seed) {
        SCOPED_TRACE(seed);
        test::RandomMaps random(seed);
        MeshParts parts = test::mesh_of_kind(test::MeshKind::flat, random, 7);
        drop_straight_corners(parts, random);
        const int scale = random.chance(50) ? 1 : random.number(2, 1000);
        const auto away = static_cast<float>(random.chance(50) ? 0 : random.number(-10000, 10000));
        for (Point& p : parts.vertices) {
            const auto times = static_cast<float>(scale);
            p = {p.x * times + away, p.y, p.z * times - away};
        }
        const bool expected = has_t_junction(parts);
        const Result<Mesh> mesh = Mesh::build(parts.source());
        ASSERT_EQ(!mesh, expected) << (mesh ? "taken" : mesh.error().message);
        const bool named =
            !mesh && mesh.error().message.find("lies inside its edge") != std::string::npos;
        ASSERT_EQ(named, expected);
        ++(expected ? refused : taken);
    }
    EXPECT_GT(refused, taken / 10);
    EXPECT_GT(taken, refused / 10);
}

}  // namespace
}  // namespace cairn::mesh
