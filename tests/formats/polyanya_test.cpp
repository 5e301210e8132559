// Meshes and scenarios of Polyanya: reading, writing, and errors with their place in the file.

#include "cairn/formats/polyanya.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

#include "cairn/file.hpp"
#include "support/empty_text.hpp"
#include "support/mutation.hpp"
#include "support/navmesh_files.hpp"
#include "support/scratch_folder.hpp"

namespace cairn::formats {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

// 3---2---5     Polygon 0 is left, 1 is right. Polygon 2, of vertices 3, 2, 5, 7 and 6, lies above
// | 0 | 1 |     both; the file names only 0 as its neighbour.
// 0---1---4
const std::string kSmallMesh =
    "mesh\n2\n8 3\n"
    "0 0 2 0 -1\n1 0 3 0 -1 1\n1 1 4 0 1 -1 2\n0 1 3 0 2 -1\n2 0 2 1 -1\n2 1 3 1 2 -1\n"
    "0 2.5 2 2 -1\n2 2.5 2 2 -1\n"
    "4 0 1 2 3 -1 -1 1 2\n4 1 4 5 2 0 -1 -1 -1\n5 3 2 5 7 6 -1 0 -1 -1 -1\n";

TEST(PolyanyaMesh, NeighboursBelongToTheEdgeThatEndsAtTheirCorner) {
    const auto image = parse_polyanya(kSmallMesh, "small.mesh");
    ASSERT_TRUE(image) << image.error().message;
    ASSERT_EQ(image->vertices.size(), 8U);
    EXPECT_EQ(image->vertices[6], (mesh::Point{0, 0, 2.5F}));
    EXPECT_EQ(image->first_corner, (std::vector<std::uint32_t>{0, 4, 8, 13}));
    EXPECT_TRUE(image->portals_given);
    const std::vector<mesh::PortalSource> portals{
        {.first = 0, .second = 1, .begin = {1, 0, 0}, .end = {1, 0, 1}},
        {.first = 0, .second = 2, .begin = {1, 0, 1}, .end = {0, 0, 1}}};
    EXPECT_EQ(image->portals, portals);
}

TEST(PolyanyaMesh, ReadsBackWhatItWrites) {
    const auto image = parse_polyanya(kSmallMesh, "small.mesh");
    ASSERT_TRUE(image);
    const auto text = format_polyanya(*image);
    ASSERT_TRUE(text) << text.error().message;
    EXPECT_EQ(parse_polyanya(*text, "again").value(), *image);
    EXPECT_EQ(format_polyanya(parse_polyanya(*text, "again").value()).value(), *text);
}

TEST(PolyanyaMesh, AnyBlankSeparatesNumbers) {
    std::string other_blanks;
    for (const char c : kSmallMesh) other_blanks += c == ' ' ? "\r\n\r\n" : std::string(1, c);
    EXPECT_EQ(parse_polyanya(other_blanks, "other").value(),
              parse_polyanya(kSmallMesh, "small").value());
    EXPECT_EQ(parse_polyanya("mesh 2 0 0", "empty").value().num_polygons(), 0U);
}

/// kSmallMesh with the last `from` replaced by `to`.
std::string replaced(std::string_view from, std::string_view to) {
    std::string text = kSmallMesh;
    const std::size_t begin = text.rfind(from);
    return begin == std::string::npos ? text : text.replace(begin, from.size(), to);
}

TEST(PolyanyaMesh, ErrorsNameFileAndLine) {
    struct BadMesh {
        std::string text;
        const char* message;
        StatusCode code = StatusCode::corrupt_file;
    };
    const std::vector<BadMesh> bad{
        {"", "m:1:1: a Polyanya mesh begins with the word 'mesh'"},
        {"mash\n2\n0 0\n", "m:1:1: a Polyanya mesh begins with the word 'mesh'"},
        {"mesh\n3\n0 0\n", "m:2:1: Polyanya mesh version '3': only 2", StatusCode::wrong_version},
        {"mesh\n2\n", "number of vertices is missing"},
        {"mesh\n2\n1000000000 0\n", "m:3:1: number of vertices '1000000000'"},
        {"mesh\n2\n0 1000000000\n", "m:3:3: number of polygons '1000000000'"},
        {replaced("0 2.5 2", "0 nan 2"), "m:10:3: y 'nan'"},
        {replaced("0 2.5 2", "0 1e39 2"), "m:10:3: y '1e39'"},
        {replaced("4 0 1 2 3", "2 0 1 2 3"), "m:12:1: number of corners '2'"},
        {replaced("4 0 1 2 3", "4 0 1 2 8"), "m:12:9: corner '8'"},
        {replaced("-1 -1 1 2", "-1 -1 1 3"), "m:12:19: neighbour '3'"},
        {replaced("-1 -1 1 2", "-1 -1 1 -2"), "m:12:19: neighbour '-2'"},
        {replaced("-1 -1 1 2", "-1 -1 1 0"), "m:12: polygon 0 is its own neighbour"},
        {replaced("-1 -1 1 2", "-1 -1 1 -1"),
         "m:14: polygon 2 names 0 as its neighbour across the "
         "edge of vertices 2 and 3"},
        {replaced("-1 -1 1 2", "-1 1 -1 2"), "m:12: polygon 0 names 1"},
        // An edge of three polygons: one names another, which names the third.
        {replaced("2 0 -1 -1 -1", "2 2 -1 -1 -1"), "m:12: polygon 0 names 1"},
        // The vertices name fewer polygons than have them as corners.
        {replaced("2 2.5 2 2 -1", "2 2.5 0"), "m:11: vertex 7 should name polygon 2"},
        // They name one more, after all others.
        {replaced("2 2.5 2 2 -1", "2 2.5 3 2 2 -1"),
         "m:11: vertex 7 must not name, or not twice, polygon 2"},
        {replaced("1 0 3 0 -1 1", "1 0 2 0 -1"), "m:5: vertex 1 should name polygon 1"},
        {replaced("1 0 3 0 -1 1", "1 0 3 0 2 1"),
         "m:5: vertex 1 must not name, or not twice, polygon"},
        {replaced("1 0 3 0 -1 1", "1 0 3 0 0 1"),
         "m:5: vertex 1 must not name, or not twice, polygon"},
        {kSmallMesh + "7", "m:15:1: '7' after the last polygon"},
        {kSmallMesh.substr(0, kSmallMesh.size() - 4), "neighbour is missing"}};
    for (const BadMesh& file : bad) {
        const auto image = parse_polyanya(file.text, "m");
        ASSERT_FALSE(image) << file.message;
        EXPECT_EQ(image.error().code, file.code);
        EXPECT_THAT(image.error().message, HasSubstr(file.message));
        EXPECT_THAT(image.error().message, StartsWith("m:"));
    }
}

TEST(PolyanyaMesh, ErrorsOfTheMeshNameTheFile) {
    const test::ScratchFolder folder;
    const auto path = folder.file("folded.mesh", replaced("1 1 4 0 1 -1 2", "0.2 0.2 4 0 1 -1 2"));
    const auto mesh = load_polyanya(path);
    ASSERT_FALSE(mesh);
    EXPECT_THAT(mesh.error().message, StartsWith(path.string() + ": "));
    EXPECT_EQ(load_polyanya(folder.path() / "none.mesh").error().code, StatusCode::io_error);
}

TEST(PolyanyaMesh, RefusesToWriteWhatTheFormatCannotHold) {
    const MeshImage good = parse_polyanya(kSmallMesh, "small.mesh").value();
    const auto refusal = [&](auto change) {
        MeshImage image = good;
        change(image);
        const auto text = format_polyanya(image);
        return text ? std::string("written") : text.error().message;
    };
    EXPECT_THAT(refusal([](MeshImage& i) { i.vertices[3].y = 1; }), HasSubstr("heights"));
    EXPECT_THAT(refusal([](MeshImage& i) { i.areas = {0, 1, 0}; }), HasSubstr("areas"));
    EXPECT_THAT(refusal([](MeshImage& i) { i.connections.resize(1); }), HasSubstr("connections"));
    EXPECT_THAT(refusal([](MeshImage& i) { i.portals[1].back = false; }), HasSubstr("one-way"));
    EXPECT_THAT(refusal([](MeshImage& i) { i.portals[1].end.x = 0.5F; }), HasSubstr("portal 1"));
    EXPECT_THAT(refusal([](MeshImage& i) { i.portals.push_back(i.portals[0]); }),
                HasSubstr("portal 2"));
    EXPECT_THAT(refusal([](MeshImage& i) { i.portals[0].second = 7; }), HasSubstr("portal 0"));
    EXPECT_THAT(refusal([](MeshImage& i) { i.portals[0].first = 7; }), HasSubstr("portal 0"));
    EXPECT_THAT(refusal([](MeshImage& i) { i.portals[1].forth = false; }), HasSubstr("one-way"));
    EXPECT_THAT(refusal([](MeshImage& i) { i.portals[1].second = 0; }), HasSubstr("portal 1"));
    EXPECT_THAT(refusal([](MeshImage& i) { i.portals[1].first = 1; }), HasSubstr("portal 1"));
    EXPECT_THAT(refusal([](MeshImage& i) { i.corners[0] = 99; }), HasSubstr("no vertex 99"));
    EXPECT_THAT(refusal([](MeshImage& i) { i.corners[0] = 1; }), HasSubstr("twice"));
    EXPECT_THAT(refusal([](MeshImage& i) { i.first_corner[1] = 2; }), HasSubstr("three corners"));
    EXPECT_THAT(refusal([](MeshImage& i) { i.first_corner[1] = 9; }), HasSubstr("polygon 1"));
    EXPECT_THAT(refusal([](MeshImage& i) { i.first_corner[3] = 12; }), HasSubstr("first_corner"));
    EXPECT_THAT(refusal([](MeshImage& i) { i.first_corner[0] = 1; }), HasSubstr("first_corner"));
    EXPECT_THAT(refusal([](MeshImage& i) { i.first_corner.clear(); }), HasSubstr("first_corner"));
    EXPECT_EQ(refusal([](MeshImage& i) { i.areas = {0, 0, 0}; }), "written");
}

TEST(PolyanyaMesh, FindsNeighboursThatAreNotGiven) {
    MeshImage image = parse_polyanya(kSmallMesh, "small.mesh").value();
    image.portals.clear();
    image.portals_given = false;
    const auto found = parse_polyanya(format_polyanya(image).value(), "found").value();
    ASSERT_EQ(found.portals.size(), 3U);
    EXPECT_EQ(found.portals[2].first, 1U);
    EXPECT_EQ(found.portals[2].second, 2U);
}

TEST(PolyanyaMesh, NeighboursOfThreePolygonsAtAnEdgeAreNotGuessed) {
    MeshImage image = parse_polyanya(kSmallMesh, "small.mesh").value();
    image.portals.clear();
    image.portals_given = false;
    image.corners.insert(image.corners.end(), {2, 1, 4});  // below the edge of polygons 0 and 1
    image.first_corner.push_back(static_cast<std::uint32_t>(image.corners.size()));
    const auto text = format_polyanya(image);
    ASSERT_FALSE(text);
    EXPECT_EQ(text.error().message, "more than two polygons have the edge of vertices 1 and 2");
}

TEST(PolyanyaMesh, TextsOfMoreThan4GiBAreRefusedUnread) {
    const test::EmptyText text((std::size_t{1} << 32) + 1);
    const auto image = parse_polyanya(text.view(), "m");
    ASSERT_FALSE(image);
    EXPECT_EQ(image.error().code, StatusCode::too_large);
    EXPECT_EQ(image.error().message, "m: more than 4 GiB");
}

TEST(PolyanyaMesh, WrittenFilesLoadAgain) {
    const test::ScratchFolder folder;
    const MeshImage image = parse_polyanya(kSmallMesh, "small.mesh").value();
    ASSERT_TRUE(write_polyanya(folder.path() / "a.mesh", image).ok());
    EXPECT_EQ(read_polyanya(folder.path() / "a.mesh").value(), image);
    EXPECT_EQ(load_polyanya(folder.path() / "a.mesh").value().num_polygons(), 3U);
    EXPECT_EQ(write_polyanya(folder.path() / "no" / "a.mesh", image).code, StatusCode::io_error);
}

TEST(PolyanyaMesh, DamageGivesAMeshOrAnError) {
    test::for_each_damage(kSmallMesh, 20'000, [](const std::string& text) {
        const auto image = parse_polyanya(text, "m");
        if (!image) {
            EXPECT_THAT(image.error().message, StartsWith("m:"));
            return;
        }
        const auto mesh = mesh::Mesh::build(image->source());
        EXPECT_TRUE(mesh || !mesh.error().message.empty());
    });
}

TEST(PolyanyaScenario, ReadsPointsThatAreNotCells) {
    const auto problems = parse_polyanya_scenario(
        "version 1\n0\ta b.mesh\t224\t238\t-73.0625\t-4.5\t1e2\t6\t0.5\n\n", "s");
    ASSERT_TRUE(problems) << problems.error().message;
    const PolyanyaProblem expected{0,           "a b.mesh", 224, 238, {-73.0625F, 0, -4.5F},
                                   {100, 0, 6}, 0.5};
    EXPECT_EQ(*problems, std::vector<PolyanyaProblem>{expected});
    const test::ScratchFolder folder;
    const auto path =
        folder.file("a.scen", "version 1\n0\ta b.mesh\t224\t238\t-73.0625\t-4.5\t1e2\t6\t0.5\n");
    EXPECT_EQ(load_polyanya_scenario(path).value(), *problems);
    EXPECT_EQ(load_polyanya_scenario(folder.path() / "b.scen").error().code, StatusCode::io_error);
}

TEST(PolyanyaScenario, ErrorsNameFileLineAndColumn) {
    const auto message = [](const char* text) {
        return parse_polyanya_scenario(text, "s").error().message;
    };
    EXPECT_THAT(message(""), HasSubstr("s:1:1: the file is empty"));
    EXPECT_THAT(message("version 2\n"), HasSubstr("s:1:9: scenario version '2'"));
    EXPECT_THAT(message("version 1\n0 m 1 1 0 0 x 0 1\n"), HasSubstr("s:2:13: goal x 'x'"));
    EXPECT_THAT(message("version 1\n0 m 1 1 0 0 0 0 -1\n"), HasSubstr("optimal length '-1'"));
    EXPECT_THAT(message("version 1\n0 m 1 1 0 0 0 0\n"), HasSubstr("8 fields"));
    EXPECT_THAT(message("version 1\n-1 m 1 1 0 0 0 0 0\n"), HasSubstr("bucket"));
    EXPECT_THAT(message("version 1\n0\t\t1\t1\t0\t0\t0\t0\t0\n"), HasSubstr("map name ''"));
}

using PublishedMeshes = test::NavmeshFiles;

TEST_F(PublishedMeshes, AllLoadAndReadBackAsWritten) {
    for (const auto& path : files("polyanya", ".mesh")) {
        const auto image = read_polyanya(path);
        if (path.filename() == "scene_mp_2p_01.mesh") {  // the only one of another version
            EXPECT_EQ(image.error().code, StatusCode::wrong_version);
            continue;
        }
        ASSERT_TRUE(image) << image.error().message;
        const auto text = format_polyanya(*image);
        ASSERT_TRUE(text) << path << ": " << text.error().message;
        EXPECT_EQ(parse_polyanya(*text, "again").value(), *image) << path;
        const auto mesh = load_polyanya(path);
        ASSERT_TRUE(mesh) << mesh.error().message;
        EXPECT_EQ(mesh->num_polygons(), image->num_polygons());
        EXPECT_EQ(mesh->num_portals(), image->portals.size());
    }
}

TEST_F(PublishedMeshes, ScenariosLoad) {
    for (const auto& path : files("polyanya", ".scen")) {
        const auto problems = load_polyanya_scenario(path);
        ASSERT_TRUE(problems) << problems.error().message;
        EXPECT_FALSE(problems->empty());
    }
}

/// Per vertex of a file, the polygons that it lists around it; -1 is a gap.
std::vector<std::vector<std::int32_t>> polygons_of_vertices(const std::filesystem::path& path) {
    std::istringstream in(read_file(path, std::size_t{1} << 30).value());
    std::string word;
    std::size_t vertices = 0;
    std::size_t polygons = 0;
    in >> word >> word >> vertices >> polygons;
    std::vector<std::vector<std::int32_t>> lists(vertices);
    for (auto& list : lists) {
        double coordinate = 0;
        std::size_t count = 0;
        in >> coordinate >> coordinate >> count;
        list.resize(count);
        for (auto& polygon : list) in >> polygon;
    }
    return lists;
}

// The order in which a vertex lists its polygons may differ.
TEST_F(PublishedMeshes, WrittenVerticesListTheSamePolygonsAndGaps) {
    const test::ScratchFolder folder;
    for (const auto& path : files("polyanya", ".mesh")) {
        const auto image = read_polyanya(path);
        if (!image) continue;
        const auto copy = folder.path() / "copy.mesh";
        ASSERT_TRUE(write_polyanya(copy, *image).ok());
        auto original = polygons_of_vertices(path);
        auto written = polygons_of_vertices(copy);
        for (auto& list : original) std::sort(list.begin(), list.end());
        for (auto& list : written) std::sort(list.begin(), list.end());
        EXPECT_EQ(original, written) << path;
    }
}

}  // namespace
}  // namespace cairn::formats
