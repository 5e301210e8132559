// Indexes of meshes whose portals have widths, for agents of a radius: against indexes built from
// scratch, and their answers against the least cost.

#include <gtest/gtest.h>

#include <algorithm>

#include "cairn/mesh/clearance.hpp"
#include "hna/snapshot.hpp"
#include "hna/verify.hpp"
#include "support/scale.hpp"

namespace cairn::hna::test {
namespace {

using cairn::test::mesh_with_widths;

double any_radius(RandomMaps& random) { return random.number(0, 60) / 100.0; }

TEST(HnaRadiusTest, OtherRadiiEqualRebuilds) {
    Searcher searcher;
    int narrowed = 0;
    for (std::uint64_t seed = 0; seed < cairn::test::scaled(300); ++seed) {
        SCOPED_TRACE(seed);
        RandomMaps random(seed);
        const Index index = any_index(mesh_with_widths(seed, any_radius(random)), random);
        ASSERT_EQ(fault_of_random_pairs(index, 3, random, searcher), "");
        const double radius = any_radius(random);
        const Index other = index.with_radius(radius).value();
        ASSERT_EQ(other.mesh().options().radius, radius);
        ASSERT_TRUE(other == build(index.mesh().with_radius(radius).value(), index.options()));
        ASSERT_TRUE(other == other.rebuilt().value());
        ASSERT_EQ(other.has_labels(), other.rebuilt().value().has_labels());
        ASSERT_EQ(other == index, radius == index.mesh().options().radius);
        ASSERT_EQ(other.snapshot().overlay.base.partition, index.snapshot().overlay.base.partition);
        ASSERT_EQ(&other.snapshot().locator.data(), &index.snapshot().locator.data());
        ASSERT_EQ(fault_of_random_pairs(other, 5, random, searcher), "");
        const mesh::Mesh& mesh = other.mesh();
        for (mesh::Link link = 0; link < mesh.num_links(); ++link)
            narrowed += index.mesh().open(link) && !mesh.open(link) ? 1 : 0;
        // It can be edited like any other.
        const auto edits = any_edits(mesh, random, 5);
        const Index edited = other.edited(edits).value();
        ASSERT_TRUE(edited == build(mesh.edited(edits).value(), other.options()));
        ASSERT_TRUE(edited.with_radius(0.1).value() ==
                    index.with_radius(0.1).value().edited(edits).value());
        ASSERT_EQ(fault_of_random_pairs(edited, 2, random, searcher), "");
    }
    EXPECT_GT(narrowed, 0);
}

TEST(HnaRadiusTest, AnswersAreOkExactlyWhereClearanceSaysReachable) {
    Searcher searcher;
    for (std::uint64_t seed = 0; seed < cairn::test::scaled(100); ++seed) {
        SCOPED_TRACE(seed);
        RandomMaps random(seed);
        const auto clearance = mesh::Clearance::build(random_mesh(seed)).value();
        const double radius = any_radius(random);
        const Index index = any_index(clearance.mesh(), random).with_radius(radius).value();
        for (int i = 0; i < 20; ++i) {
            const Place start =
                clearance.place(cairn::test::random_place(clearance.whole(), random));
            const Place goal =
                clearance.place(cairn::test::random_place(clearance.whole(), random));
            const StatusCode expected = clearance.reachable(start, goal, radius);
            if (expected != StatusCode::ok && expected != StatusCode::no_path) continue;
            ASSERT_EQ(answer_to(index, query_of(start, goal)).status, expected);
        }
    }
}

TEST(HnaRadiusTest, BadRadiiAndThreadsAreRefused) {
    const Index index = build(cairn::test::drawn_mesh({"abc"}), {.mu = 2});
    EXPECT_EQ(index.with_radius(-1).error().code, StatusCode::bad_option);
    BuildControl control;
    control.threads = -1;
    EXPECT_EQ(index.with_radius(1, control).error().code, StatusCode::bad_option);
    CancelFlag cancel;
    cancel.cancel();
    control = {};
    control.cancel = &cancel;
    EXPECT_EQ(index.with_radius(1, control).error().code, StatusCode::cancelled);
    EXPECT_TRUE(index.with_radius(1).has_value()) << "portals without widths let all agents pass";
}

}  // namespace
}  // namespace cairn::hna::test
