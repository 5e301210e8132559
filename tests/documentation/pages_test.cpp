// The code in C++ of README.md and of pages in docs/, compiled as it stands there, by #include, and
// run. The pages about Detour show code of examples (tests/detour/documentation_test.cpp).

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cairn/cairn.hpp>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <vector>

#include "cairn/any.hpp"
#include "cairn/any_world.hpp"
#include "cairn/batch/batch.hpp"
#include "cairn/batch/device.hpp"
#include "cairn/formats/movingai.hpp"
#include "cairn/formats/nav2.hpp"
#include "cairn/formats/tiled.hpp"
#include "cairn/grid/dijkstra.hpp"
#include "cairn/haa/haa.hpp"
#include "cairn/hna/discs.hpp"
#include "cairn/hpa/hpa.hpp"
#include "cairn/mesh/from_grid.hpp"
#include "cairn/world/world.hpp"
#include "formats/tiled_files.hpp"
#include "support/ascii_map.hpp"
#include "support/code_blocks.hpp"
#include "support/scratch_folder.hpp"

namespace cairn::test {
namespace {

namespace readme {
#define main first_program
#include "README_1.inc"
#undef main
}  // namespace readme

namespace start {
#define main first_program
#include "start_1.inc"
#undef main
}  // namespace start

/// Two rooms with a door at (72, 81).
grid::Map rooms_with_a_door() {
    std::vector<std::uint8_t> terrain(std::size_t{100} * 100, '.');
    for (std::size_t y = 0; y < 100; ++y) terrain[y * 100 + 72] = y == 81 || y == 2 ? '.' : '@';
    return grid::Map::create(100, 100, terrain).value();
}

/// A mesh of some polygons, its index, and requests between all pairs of a few polygons.
struct Crowd {
    mesh::Mesh mesh = mesh::mesh_from_grid(rooms_with_a_door()).value();
    hna::Index index = hna::Index::build(mesh).value();
    std::vector<mesh::Request> requests;

    Crowd() {
        for (mesh::Polygon a = 0; a < mesh.num_polygons(); ++a) {
            for (mesh::Polygon b = 0; b < mesh.num_polygons(); ++b)
                requests.push_back({{a, mesh.centre(a)}, {b, mesh.centre(b)}});
        }
    }
};

TEST(Pages, ReadmeFirstProgram) { EXPECT_EQ(readme::first_program(), 0); }

TEST(Pages, ReadmeManyQueries) {
    const auto map = load_map("maps/rooms.map");
    {
#include "README_2.inc"
        EXPECT_EQ(answer.status, StatusCode::ok);
        EXPECT_EQ(answer.cells.back(), map->cell({222, 217}));
    }
}

TEST(Pages, Start) {
    testing::internal::CaptureStdout();
    EXPECT_EQ(start::first_program(), 0);
    EXPECT_EQ(testing::internal::GetCapturedStdout(), code_blocks("docs/start.md", "text").at(0));
}

TEST(Pages, Agents) {
#include "agents_1.inc"
    ASSERT_EQ(answer.status, StatusCode::ok);
    const auto narrow = index->map().class_map({.capability = 1, .size = 1});
    const auto optima = grid::dijkstra_distances(*narrow, {47, 27}).value();
    EXPECT_LE(optima[narrow->cell({200, 200})], answer.cost);
}

TEST(Pages, Batches) {
    const Crowd crowd;
    const hna::Index& index = crowd.index;
    std::size_t walked = 0;
    const auto walk = [&](std::span<const mesh::Polygon> polygons,
                          std::span<const mesh::Waypoint> waypoints) {
        walked += !polygons.empty() && !waypoints.empty();
    };
    {
        const auto requests_of_all_agents = [&] { return crowd.requests; };
#include "batches_1.inc"
        EXPECT_EQ(walked, crowd.requests.size());
    }
    int frames = 0;
    std::size_t followed = 0;
    const auto game_runs = [&] { return ++frames <= 2; };
    const auto requests_of_this_frame = [&] { return crowd.requests; };
    const auto report = [](const Status& status) { ADD_FAILURE() << status.message; };
    const auto follow = [&](const mesh::Paths& paths) { followed += paths.status.size(); };
    {
#include "batches_2.inc"
    } EXPECT_EQ(followed, 2 * crowd.requests.size());
}

TEST(Pages, ChangingMaps) {
    const grid::Map map = rooms_with_a_door();
    const grid::Point a{60, 81};
    const grid::Point b{90, 81};
    {
        hpa::Answer answer;
#include "changing-maps_1.inc"
        EXPECT_EQ(number, 1U);
        ASSERT_EQ(answer.status, StatusCode::ok);
        EXPECT_GT(answer.cells.size(), 100U);  // by the other door
    }
    const std::array door{grid::TerrainEdit{{72, 81, 1, 1}, '@'}};
    const AnyQuery query = AnyIndex::build("hpa", map)->query().value();
    AnyAnswer answer;
    {
#include "changing-maps_2.inc"
        EXPECT_EQ(number, 1U);
    }
    ASSERT_EQ(answer.status(), StatusCode::ok);
}

TEST(Pages, ComingFrom) {
    const grid::Map map = rooms_with_a_door();
    const std::array edits{grid::TerrainEdit{{72, 81, 1, 1}, '@'}};
#include "coming-from_1.inc"
    EXPECT_EQ(answer.status, StatusCode::ok);
    searcher.find(*labelled, {.start = {3, 4}, .goal = {90, 71}}, answer);
    EXPECT_EQ(answer.status, StatusCode::ok);
    EXPECT_EQ(answer.engine, hpa::Engine::cut_labels);
}

TEST(Pages, Devices) {
    const Crowd crowd;
    const hna::Index& index = crowd.index;
    const std::vector<mesh::Request>& requests = crowd.requests;
    std::size_t walked = 0;
    const auto walk = [&](std::span<const mesh::Polygon> polygons) { walked += !polygons.empty(); };
#include "devices_1.inc"
    EXPECT_EQ(walked, requests.size());
}

TEST(Pages, Radius) {
    const mesh::Mesh mesh = mesh::mesh_from_grid(rooms_with_a_door()).value();
    const mesh::Place a{mesh::kNone, {60.5F, 0, 81.5F}};
    const mesh::Place b{mesh::kNone, {90.5F, 0, 81.5F}};
#include "radius_1.inc"
    EXPECT_EQ(answer.status, StatusCode::ok);
    EXPECT_EQ(answer.length, 30);
}

TEST(Pages, Robots) {
    const ScratchFolder folder;
    formats::GreyImage picture;
    picture.width = 200;
    picture.height = 120;
    picture.grey.assign(std::size_t{200} * 120, 254);
    for (std::size_t y = 30; y < 120; ++y) {
        picture.grey[y * 200 + 79] = 110;  // costly, as beside a wall
        picture.grey[y * 200 + 80] = 0;
    }
    ASSERT_TRUE(formats::write_pgm((folder.path() / "floor.pgm").string(), picture).ok());
    folder.file("floor.yaml",
                "image: floor.pgm\nmode: scale\nresolution: 0.05\norigin: [-2.5, -1.0, 0.0]\n"
                "negate: 0\noccupied_thresh: 0.65\nfree_thresh: 0.25\n");
    const std::filesystem::path before = std::filesystem::current_path();
    std::filesystem::current_path(folder.path());
    std::vector<formats::WorldPoint> driven;
    const auto drive_to = [&](formats::WorldPoint point) { driven.push_back(point); };
#include "robots_1.inc"
    std::filesystem::current_path(before);
    ASSERT_EQ(answer.status, StatusCode::ok);
    EXPECT_NEAR(driven.front().x, -1.5, 0.05);
    EXPECT_NEAR(driven.back().x, 4.0, 0.05);
    double top = -1e9;
    for (const formats::WorldPoint& point : driven) top = std::max(top, point.y);
    EXPECT_GT(top, 3.5);  // over the upper end of the wall
    EXPECT_GT(map->weight(map->cell({79, 50})), 4U);
}

TEST(Pages, Tiled) {
    TiledFile file;
    file.width = 3;
    file.height = 1;
    file.tilesets.push_back(
        {1, {{1, {{"blocked", "bool", "true"}}}, {2, {{"cost", "int", "3"}}}}, ""});
    file.layers.push_back({"floor", {}, {{0, 0, 3, 1, {1, 2, 3}}}, ""});
    const ScratchFolder folder;
    folder.file("level.tmx", xml_of(file, {}));
    const std::filesystem::path before = std::filesystem::current_path();
    std::filesystem::current_path(folder.path());
#include "tiled_1.inc"
    std::filesystem::current_path(before);
    ASSERT_TRUE(map.has_value());
    EXPECT_EQ(map->weight(0), 1);
    EXPECT_FALSE(map->passable(1));
    EXPECT_EQ(map->weight(2), 3);
}

}  // namespace
}  // namespace cairn::test
