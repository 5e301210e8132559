// Off-mesh connections whose ends are joined to polygons by given portals, as in tile sets: any
// number of ends, in both directions or one.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cairn/mesh/mesh_image.hpp"

namespace cairn::mesh {
namespace {

// Two unit squares, polygons 0 and 1, and a connection between them, polygon 2, not joined yet.
MeshImage two_squares() {
    MeshImage image;
    image.vertices = {{0, 0, 0}, {1, 0, 0}, {1, 0, 1}, {0, 0, 1},
                      {5, 2, 0}, {6, 2, 0}, {6, 2, 1}, {5, 2, 1}};
    image.corners = {0, 1, 2, 3, 4, 5, 6, 7};
    image.first_corner = {0, 4, 8};
    image.portals_given = true;
    image.connections = {{.from = kNone, .to = kNone, .begin = {1, 0, 0.5F}, .end = {5, 2, 0.5F}}};
    return image;
}

TEST(ConnectionPortals, JoinAConnectionInBothDirectionsOrOne) {
    MeshImage image = two_squares();
    image.portals = {
        {.first = 0, .second = 2, .begin = {1, 0, 0.5F}, .end = {1, 0, 0.5F}},
        {.first = 2, .second = 1, .begin = {5, 2, 0.5F}, .end = {5, 2, 0.5F}, .back = false}};
    const auto mesh = Mesh::build(image.source());
    ASSERT_TRUE(mesh) << mesh.error().message;
    EXPECT_TRUE(mesh->is_connection(2));
    EXPECT_EQ(mesh->links(2).size(), 2U);
    EXPECT_EQ(mesh->num_portals(), 2U);
    EXPECT_TRUE(mesh->directed());
    EXPECT_TRUE(mesh->open(0) && mesh->open(1) && mesh->open(2));
    EXPECT_FALSE(mesh->open(3));
}

TEST(ConnectionPortals, AConnectionMayBeJoinedToNothing) {
    const auto mesh = Mesh::build(two_squares().source());
    ASSERT_TRUE(mesh) << mesh.error().message;
    EXPECT_EQ(mesh->num_polygons(), 3U);
    EXPECT_TRUE(mesh->links(2).empty());
}

TEST(ConnectionPortals, NeverJoinTwoConnections) {
    MeshImage image = two_squares();
    image.connections.push_back(image.connections[0]);
    image.portals = {{.first = 2, .second = 3, .begin = {}, .end = {}}};
    const auto mesh = Mesh::build(image.source());
    ASSERT_FALSE(mesh);
    EXPECT_THAT(mesh.error().message, ::testing::HasSubstr("portal 0: it joins two connections"));
}

}  // namespace
}  // namespace cairn::mesh
