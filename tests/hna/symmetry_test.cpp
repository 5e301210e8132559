// Mirrored, turned, scaled and renumbered meshes: the costs stay the same. The clusters may differ,
// and so may the path that is found among those of the same cost.

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>

#include "hna/verify.hpp"
#include "support/scale.hpp"

namespace cairn::hna::test {
namespace {

using cairn::test::MeshKind;
using cairn::test::MeshParts;
using mesh::MeshOptions;
using mesh::Point;

using Image = std::function<Point(const Point&)>;

/// The parts with every point mapped by `image`.
MeshParts image_of(MeshParts parts, const Image& image) {
    for (Point& p : parts.vertices) p = image(p);
    for (mesh::PortalSource& portal : parts.portals) {
        portal.begin = image(portal.begin);
        portal.end = image(portal.end);
    }
    for (mesh::ConnectionSource& c : parts.connections) {
        c.begin = image(c.begin);
        c.end = image(c.end);
    }
    return parts;
}

/// Polygon p becomes number[p]. Connections keep their numbers, which follow those of the polygons.
MeshParts renumbered(const MeshParts& parts, const std::vector<Polygon>& number) {
    MeshParts result = parts;
    result.corners.clear();
    result.first_corner = {0};
    std::vector<Polygon> old(number.size());
    for (Polygon p = 0; p < number.size(); ++p) old[number[p]] = p;
    for (Polygon p = 0; p < number.size(); ++p) {
        const auto first = parts.corners.begin() + parts.first_corner[old[p]];
        const auto last = parts.corners.begin() + parts.first_corner[old[p] + 1];
        result.corners.insert(result.corners.end(), first, last);
        result.first_corner.push_back(static_cast<std::uint32_t>(result.corners.size()));
        if (!parts.areas.empty()) result.areas[p] = parts.areas[old[p]];
    }
    for (Polygon& p : result.blocked) p = number[p];
    for (mesh::PortalSource& portal : result.portals) {
        portal.first = number[portal.first];
        portal.second = number[portal.second];
    }
    std::reverse(result.portals.begin(), result.portals.end());
    for (mesh::ConnectionSource& c : result.connections) {
        c.from = number[c.from];
        c.to = number[c.to];
    }
    return result;
}

class HnaSymmetryTest : public testing::Test {
protected:
    /// Draws the parts of a mesh and its options. Mapping a mesh maps its portal midpoints exactly.
    /// Polygon centres are rounded unless the corners have few digits, so only flat meshes may be
    /// scored by centres.
    void draw(std::uint64_t seed) {
        random_ = RandomMaps(seed);
        const auto kind = static_cast<MeshKind>(random_.number(0, 4));
        parts_ = cairn::test::mesh_of_kind(kind, random_);
        options_ = MeshOptions();
        if (kind == MeshKind::flat && random_.chance(50))
            options_.scoring = mesh::Scoring::polygon_centres;
        options_.area_costs[1] = 2.5F;
        options_.area_costs[2] = 0.5F;
        options_.area_costs[3] = std::numeric_limits<float>::infinity();
        if (random_.chance(50)) cairn::test::add_areas(parts_, random_);
        if (options_.scoring == mesh::Scoring::portal_midpoints && random_.chance(30))
            cairn::test::add_connections(parts_, random_);
        if (random_.chance(40)) cairn::test::give_portals(parts_, random_, 30);
        for (Polygon p = 0; p < parts_.num_polygons(); ++p) {
            if (random_.chance(5)) parts_.blocked.push_back(p);
        }
        mesh_ = parts_.build(options_);
        options_.units_per_length = mesh_.units_per_length();
    }
    /// Expects equal answers to the same queries on the mesh and on its image, which have indexes
    /// with different options. An empty `number`: polygons keep their numbers.
    void expect_equal_costs(const Mesh& mesh_image, const Image& image,
                            const std::vector<Polygon>& number) {
        const Index index = any_index(mesh_, random_);
        const Index image_index = any_index(mesh_image, random_);
        for (int pairs = 0; pairs < 12; ++pairs) {
            const Place start = cairn::test::random_place(mesh_, random_);
            const Place goal = cairn::test::random_place(mesh_, random_);
            const auto image_of_place = [&](const Place& p) {
                return Place{number.empty() ? p.polygon : number[p.polygon], image(p.point)};
            };
            const Query query = query_of(start, goal);
            const Answer answer = answer_to(index, query);
            const Answer image_answer =
                answer_to(image_index, query_of(image_of_place(start), image_of_place(goal)));
            ASSERT_EQ(answer.status, image_answer.status) << describe(query);
            ASSERT_EQ(answer.cost, image_answer.cost) << describe(query);
        }
    }

    RandomMaps random_{0};
    MeshParts parts_;
    MeshOptions options_;
    Mesh mesh_;
};

TEST_F(HnaSymmetryTest, MirroredAndTurnedMeshesHaveTheSameCosts) {
    const std::vector<Image> images{
        [](const Point& p) {
            return Point{-p.x, p.y, p.z};
        },
        [](const Point& p) {
            return Point{p.x, p.y, -p.z};
        },
        [](const Point& p) {
            return Point{p.x, -p.y, p.z};
        },
        [](const Point& p) {
            return Point{p.z, p.y, p.x};
        },
        [](const Point& p) {
            return Point{p.z, p.y, -p.x};
        },
        [](const Point& p) {
            return Point{-p.x, p.y, -p.z};
        },
    };
    for (std::uint64_t seed = 0; seed < cairn::test::scaled(120); ++seed) {
        draw(seed);
        for (const Image& image : images) {
            expect_equal_costs(image_of(parts_, image).build(options_), image, {});
            if (HasFatalFailure()) FAIL() << "seed " << seed;
        }
    }
}

TEST_F(HnaSymmetryTest, TwiceTheSizeInHalfTheUnitsPerLengthHasTheSameCosts) {
    const Image image = [](const Point& p) { return Point{2 * p.x, 2 * p.y, 2 * p.z}; };
    for (std::uint64_t seed = 0; seed < cairn::test::scaled(200); ++seed) {
        draw(seed);
        MeshOptions coarser = options_;
        coarser.units_per_length /= 2;
        expect_equal_costs(image_of(parts_, image).build(coarser), image, {});
        if (HasFatalFailure()) FAIL() << "seed " << seed;
    }
}

TEST_F(HnaSymmetryTest, RenumberedMeshesHaveTheSameCosts) {
    for (std::uint64_t seed = 0; seed < cairn::test::scaled(200); ++seed) {
        draw(seed);
        std::vector<Polygon> number(mesh_.num_polygons());
        std::iota(number.begin(), number.end(), 0U);
        // A shuffle that is the same with every standard library.
        for (int i = static_cast<int>(parts_.num_polygons()) - 1; i > 0; --i)
            std::swap(number[static_cast<std::size_t>(i)],
                      number[static_cast<std::size_t>(random_.number(0, i))]);
        number.resize(parts_.num_polygons());
        expect_equal_costs(renumbered(parts_, number).build(options_), std::identity(), number);
        if (HasFatalFailure()) FAIL() << "seed " << seed;
    }
}

}  // namespace
}  // namespace cairn::hna::test
