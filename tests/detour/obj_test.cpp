// Wavefront OBJ files as triangles.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cairn/detour/triangles.hpp"
#include "support/empty_text.hpp"
#include "support/mutation.hpp"
#include "support/navmesh_files.hpp"
#include "support/scratch_folder.hpp"

namespace cairn::detour {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

/// One face of four corners among lines that are skipped.
const std::string kQuad =
    "# a floor\nmtllib none.mtl\no floor\nv 0 0 0\nv 0 0 4 1.0\nv 4 0.5 4\nvn 0 1 0\nvt 0 0\n"
    "v 4e0 0 0\ng top\nusemtl grass\ns off\nf 1 2 3 4\n";

TEST(Obj, PolygonsBecomeFans) {
    const auto quad = parse_obj(kQuad, "quad.obj");
    ASSERT_TRUE(quad) << quad.error().message;
    EXPECT_EQ(quad->vertices,
              (std::vector<mesh::Point>{{0, 0, 0}, {0, 0, 4}, {4, 0.5F, 4}, {4, 0, 0}}));
    EXPECT_EQ(quad->corners, (std::vector<std::uint32_t>{0, 1, 2, 0, 2, 3}));
    EXPECT_EQ(quad->size(), 2U);
}

TEST(Obj, CornersAreReadInAllForms) {
    const std::string vertices = "v 0 0 0\nv 0 0 1\nv 1 0 0\n";
    const auto corners = [&](const std::string& faces) {
        return parse_obj(vertices + faces, "m").value().corners;
    };
    const std::vector<std::uint32_t> triangle{0, 1, 2};
    EXPECT_EQ(corners("f 1 2 3"), triangle);
    EXPECT_EQ(corners("f 1/1 2/5 3/9\r\n"), triangle);
    EXPECT_EQ(corners("f 1//1 2//1 3//1 # last\n"), triangle);
    EXPECT_EQ(corners("f 1/1/1 2/1/1 3/1/1\n"), triangle);
    EXPECT_EQ(corners("f -3 -2 -1\nv 9 9 9\n"), triangle);
    EXPECT_EQ(corners("f 1 \\\n 2 \\\n 3\n"), triangle);
    EXPECT_TRUE(corners("").empty());
}

TEST(Obj, ErrorsNameFileLineAndColumn) {
    const auto message = [](const std::string& text) {
        const auto triangles = parse_obj(text, "m");
        return triangles ? std::string("read") : triangles.error().message;
    };
    EXPECT_THAT(message("v 0 0\n"), HasSubstr("m:1:6: coordinate ''"));
    EXPECT_THAT(message("v 0 x 0\n"), HasSubstr("m:1:5: coordinate 'x'"));
    EXPECT_THAT(message("v 0 nan 0\n"), HasSubstr("coordinate 'nan'"));
    EXPECT_THAT(message("v 0 0 1.1e7\n"), HasSubstr("coordinate '1.1e7'"));
    const std::string vertices = "v 0 0 0\nv 0 0 1\nv 1 0 0\n";
    EXPECT_THAT(message(vertices + "f 1 2\n"), HasSubstr("m:4:6: a face of 2 corners"));
    EXPECT_THAT(message(vertices + "f 1 2 4\n"), HasSubstr("m:4:7: corner '4': there are 3"));
    EXPECT_THAT(message(vertices + "f 1 2 0\n"), HasSubstr("corner '0'"));
    EXPECT_THAT(message(vertices + "f 1 2 -4\n"), HasSubstr("corner '-4'"));
    EXPECT_THAT(message(vertices + "f 1 2 99999999999999999999\n"), HasSubstr("corner '999"));
    EXPECT_THAT(message(vertices + "f 1 2 /3\n"), HasSubstr("corner '/3'"));
    // A backslash goes on with the next line only at the end of a line.
    EXPECT_THAT(message(vertices + "f 1 2 \\ 3\n"), HasSubstr("a face of 2 corners"));
    EXPECT_THAT(message(vertices + "f 1 2 \\"), HasSubstr("a face of 2 corners"));
    EXPECT_EQ(message(vertices + "f 1 2 3 \\"), "read");
    EXPECT_EQ(read_obj("/does/not/exist.obj").error().code, StatusCode::io_error);
}

TEST(Obj, FilesLoad) {
    const test::ScratchFolder folder;
    const auto quad = read_obj(folder.file("quad.obj", kQuad));
    ASSERT_TRUE(quad) << quad.error().message;
    EXPECT_EQ(quad->size(), 2U);
    EXPECT_THAT(read_obj(folder.file("bad.obj", "f 1 2 3\n")).error().message,
                HasSubstr("bad.obj:1:"));
}

TEST(Obj, TextsOfMoreThan4GiBAreRefusedUnread) {
    const test::EmptyText text((std::size_t{1} << 32) + 1);
    const auto triangles = parse_obj(text.view(), "m");
    ASSERT_FALSE(triangles);
    EXPECT_EQ(triangles.error().code, StatusCode::too_large);
    EXPECT_EQ(triangles.error().message, "m: more than 4 GiB");
}

TEST(Obj, DamageGivesTrianglesOrAnError) {
    test::for_each_damage(kQuad, 20'000, [](const std::string& text) {
        const auto triangles = parse_obj(text, "m");
        if (!triangles) {
            EXPECT_THAT(triangles.error().message, StartsWith("m:"));
            return;
        }
        for (const std::uint32_t corner : triangles->corners)
            ASSERT_LT(corner, triangles->vertices.size());
    });
}

using PublishedObj = test::NavmeshFiles;

TEST_F(PublishedObj, AllLoad) {
    for (const auto& path : files("obj", ".obj")) {
        const auto triangles = read_obj(path);
        ASSERT_TRUE(triangles) << triangles.error().message;
        EXPECT_GT(triangles->size(), 500U);
    }
}

}  // namespace
}  // namespace cairn::detour
