// Files, scenarios and pictures through cairn.h.

#include <gmock/gmock.h>

#include <cmath>
#include <fstream>
#include <string>
#include <vector>

#include "c/handles.hpp"
#include "cairn/formats/movingai.hpp"
#include "cairn/formats/polyanya.hpp"
#include "cairn/parts.hpp"
#include "support/scratch_folder.hpp"
#include "support/source_folder.hpp"

namespace cairn::test {
namespace {

using testing::HasSubstr;

std::string text_in(const cairn_bytes* bytes) {
    return {static_cast<const char*>(cairn_bytes_data(bytes)), cairn_bytes_size(bytes)};
}

std::vector<std::uint8_t> cells_of(const cairn_map* map) {
    auto info = CAIRN_INIT(cairn_map_info);
    EXPECT_FINE(cairn_map_get(map, &info));
    std::vector<std::uint8_t> bytes(static_cast<std::size_t>(info.width) *
                                    static_cast<std::size_t>(info.height));
    EXPECT_FINE(cairn_map_copy_bytes(map, bytes.data(), 0));
    return bytes;
}

TEST(CFiles, MapsAreWrittenAndReadInEveryFormat) {
    const ScratchFolder folder;
    const grid::Map map = RandomMaps(4).uniform_map({33, 20});
    std::vector<std::uint8_t> bytes;  // '.' and '@' alone, which all formats hold
    for (grid::Cell c = 0; c < map.size(); ++c) bytes.push_back(map.passable(c) ? '.' : '@');
    auto options = CAIRN_INIT(cairn_map_options);
    options.resolution = 0.5;
    options.origin_x = -3;
    options.origin_y = 7;
    MapHandle c_map;
    ASSERT_FINE(cairn_map_create(33, 20, bytes.data(), 0, &options, c_map.out()));
    for (const char* const name : {"a.map", "a.png", "a.PGM", "a.yaml"}) {
        const std::string file = folder.path() / name;
        ASSERT_FINE(cairn_map_save(c_map, file.c_str()));
        MapHandle read;
        ASSERT_FINE(cairn_map_load(file.c_str(), nullptr, read.out()));
        EXPECT_EQ(cells_of(read), bytes) << name;
        auto info = CAIRN_INIT(cairn_map_info);
        ASSERT_FINE(cairn_map_get(read, &info));
        EXPECT_EQ(info.resolution, std::string(name) == "a.yaml" ? 0.5 : 0);
        if (std::string(name) == "a.yaml") continue;
        const std::string contents = bytes_of(file);
        ASSERT_FINE(cairn_map_parse(contents.data(), contents.size(), nullptr, read.out()));
        EXPECT_EQ(cells_of(read), bytes) << name;
    }
    EXPECT_EQ(cairn_map_save(c_map, (folder.path() / "a.txt").c_str()), CAIRN_UNSUPPORTED);
    EXPECT_EQ(cairn_map_save(c_map, "/nonsense/a.map"), CAIRN_IO_ERROR);
    MapHandle read;
    EXPECT_EQ(cairn_map_load((folder.path() / "none.map").c_str(), nullptr, read.out()),
              CAIRN_IO_ERROR);
    EXPECT_EQ(cairn_map_load("a.txt", nullptr, read.out()), CAIRN_UNSUPPORTED);
    EXPECT_EQ(cairn_map_parse("nonsense", 8, nullptr, read.out()), CAIRN_CORRUPT_FILE);
    EXPECT_EQ(cairn_map_parse("", 0, nullptr, read.out()), CAIRN_CORRUPT_FILE);
}

TEST(CFiles, WeightsBecomeLettersAndDigits) {
    const ScratchFolder folder;
    const std::string file = folder.path() / "a.map";
    const std::uint8_t bytes[6] = {0, 1, 2, 9, 1, 0};
    auto options = CAIRN_INIT(cairn_map_options);
    options.terrain = CAIRN_WEIGHTS;
    MapHandle map;
    ASSERT_FINE(cairn_map_create(3, 2, bytes, 0, &options, map.out()));
    ASSERT_FINE(cairn_map_save(map, file.c_str()));
    EXPECT_THAT(bytes_of(file), HasSubstr("@.2\n9.@"));
    const std::uint8_t heavy[2] = {1, 200};
    ASSERT_FINE(cairn_map_create(2, 1, heavy, 0, &options, map.out()));
    EXPECT_EQ(cairn_map_save(map, file.c_str()), CAIRN_BAD_OPTION);
}

TEST(CFiles, PositionsInTheWorldConvert) {
    const std::vector<std::uint8_t> bytes(12, '.');
    auto options = CAIRN_INIT(cairn_map_options);
    MapHandle map;
    std::int32_t cell[2];
    double point[2];
    ASSERT_FINE(cairn_map_create(4, 3, bytes.data(), 0, &options, map.out()));
    EXPECT_EQ(cairn_map_to_cell(map, 0, 0, cell), CAIRN_UNSUPPORTED);
    options.resolution = 2;
    options.origin_x = 10;
    options.origin_y = 20;
    ASSERT_FINE(cairn_map_create(4, 3, bytes.data(), 0, &options, map.out()));
    ASSERT_FINE(cairn_map_to_cell(map, 11, 21, cell));  // the lower left cell
    EXPECT_TRUE(cell[0] == 0 && cell[1] == 2);
    ASSERT_FINE(cairn_map_to_world(map, 3, 0, point));  // the upper right one
    EXPECT_TRUE(point[0] == 17 && point[1] == 25);
    ASSERT_FINE(cairn_map_to_cell(map, std::nan(""), 1e300, cell));
}

TEST(CFiles, PalettesGiveAgentsTheirTerrain) {
    const ScratchFolder folder;
    const std::string palette =
        folder.file("palette.json", R"({"#ffffff": "ground", "#000000": "water"})");
    const std::uint8_t bytes[4] = {'.', '@', '.', '.'};
    MapHandle picture;
    ASSERT_FINE(cairn_map_create(2, 2, bytes, 0, nullptr, picture.out()));
    const std::string file = folder.path() / "a.png";
    ASSERT_FINE(cairn_map_save(picture, file.c_str()));
    auto options = CAIRN_INIT(cairn_map_options);
    options.palette = palette.c_str();
    MapHandle map;
    // picture_of writes free cells as 254, which the palette lacks.
    EXPECT_EQ(cairn_map_load(file.c_str(), &options, map.out()), CAIRN_CORRUPT_FILE);
    const std::string other =
        folder.file("other.json", R"({"#fefefe": "ground", "#000000": "water"})");
    options.palette = other.c_str();
    ASSERT_FINE(cairn_map_load(file.c_str(), &options, map.out()));
    EXPECT_EQ(cells_of(map), (std::vector<std::uint8_t>{0, 3, 0, 0}));
    auto agents = CAIRN_INIT(cairn_agents);
    agents.key_numbers = 1;
    MapHandle for_agents;
    ASSERT_FINE(cairn_map_with_agents(map, &agents, for_agents.out()));
    EXPECT_EQ(cells_of(for_agents), cells_of(map));
    EXPECT_EQ(cairn_map_with_agents(for_agents, &agents, map.out()), CAIRN_UNSUPPORTED);
}

TEST(CFiles, TiledMapsAreReadByTheOptions) {
    const ScratchFolder folder;
    const std::string text =
        R"(<map orientation="orthogonal" width="3" height="1"><tileset firstgid="1"><tile id="1">)"
        R"(<properties><property name="solid" type="bool" value="true"/></properties></tile>)"
        R"(</tileset><layer name="all" width="3" height="1"><data encoding="csv">1,2,0</data>)"
        R"(</layer></map>)";
    const std::string file = folder.file("a.tmx", text);
    auto options = CAIRN_INIT(cairn_map_options);
    MapHandle map;
    EXPECT_EQ(cairn_map_load(file.c_str(), &options, map.out()), CAIRN_UNSUPPORTED);
    options.wall_property = "solid";
    ASSERT_FINE(cairn_map_load(file.c_str(), &options, map.out()));
    EXPECT_EQ(cells_of(map), (std::vector<std::uint8_t>{'.', '@', '@'}));
    options.empty_is_free = 1;
    ASSERT_FINE(cairn_map_parse(text.data(), text.size(), &options, map.out()));
    EXPECT_EQ(cells_of(map), (std::vector<std::uint8_t>{'.', '@', '.'}));
    options.layer = "all";
    ASSERT_FINE(cairn_map_load(file.c_str(), &options, map.out()));
    EXPECT_EQ(cells_of(map), (std::vector<std::uint8_t>{'@', '@', '.'}));
}

TEST(CFiles, MeshesAreReadAndWritten) {
    const ScratchFolder folder;
    const std::string file = folder.path() / "a.mesh";
    MapHandle mesh;
    MapHandle read;
    ASSERT_FINE(
        cairn_mesh_from_grid(to_c(RandomMaps(6).uniform_map({20, 20})), nullptr, mesh.out()));
    ASSERT_FINE(cairn_map_save(mesh, file.c_str()));
    ASSERT_FINE(cairn_mesh_load(file.c_str(), nullptr, nullptr, read.out()));
    auto a = CAIRN_INIT(cairn_map_info);
    auto b = CAIRN_INIT(cairn_map_info);
    ASSERT_FINE(cairn_map_get(mesh, &a));
    ASSERT_FINE(cairn_map_get(read, &b));
    EXPECT_EQ(a.num_polygons, b.num_polygons);
    EXPECT_EQ(a.num_corners, b.num_corners);
    EXPECT_EQ(cairn_map_save(mesh, (folder.path() / "a.map").c_str()), CAIRN_UNSUPPORTED);
    EXPECT_EQ(cairn_mesh_load("a.txt", nullptr, nullptr, read.out()), CAIRN_UNSUPPORTED);
    EXPECT_EQ(cairn_mesh_load("none.mesh", nullptr, nullptr, read.out()), CAIRN_IO_ERROR);
#if CAIRN_HAS_DETOUR
    const std::string floor =
        folder.file("floor.obj", "v 0 0 0\nv 0 0 20\nv 20 0 20\nv 20 0 0\nf 1 2 3 4\n");
    const cairn_setting fine{"cell_size", "0.5"};
    auto options = CAIRN_INIT(cairn_mesh_options);
    options.recast = &fine;
    options.num_recast = 1;
    const auto control = on_one_thread_in_c();
    ASSERT_FINE(cairn_mesh_load(floor.c_str(), &options, &control, read.out()));
    ASSERT_FINE(cairn_map_get(read, &b));
    EXPECT_GE(b.num_polygons, 1U);
    const cairn_setting wrong{"cell_sze", "0.5"};
    options.recast = &wrong;
    EXPECT_EQ(cairn_mesh_load(floor.c_str(), &options, &control, read.out()), CAIRN_BAD_OPTION);
    EXPECT_THAT(cairn_last_message(), HasSubstr("cell_size"));
#endif
}

TEST(CFiles, ScenariosBecomeRequests) {
    const ScratchFolder folder;
    formats::Scenario scenario;
    scenario.problems.push_back({1, "a.map", 30, 20, {1, 2}, {3, 4}, 5.5});
    scenario.problems.push_back({1, "a.map", 30, 20, {5, 6}, {7, 8}, 9.25});
    const std::string file = folder.path() / "a.scen";
    ASSERT_TRUE(formats::write_scenario(file, scenario).ok());
    Handle<cairn_problems> problems;
    ASSERT_FINE(cairn_problems_load(file.c_str(), CAIRN_GRID, problems.out()));
    auto list = CAIRN_INIT(cairn_problem_list);
    ASSERT_FINE(cairn_problems_get(problems, &list));
    ASSERT_EQ(list.count, 2U);
    EXPECT_EQ(std::vector<std::int32_t>(list.cells, list.cells + 8),
              (std::vector<std::int32_t>{1, 2, 3, 4, 5, 6, 7, 8}));
    EXPECT_TRUE(list.lengths[0] == 5.5 && list.lengths[1] == 9.25 && list.points == nullptr);
    ASSERT_FINE(cairn_problems_load(file.c_str(), CAIRN_MESH, problems.out()));
    ASSERT_FINE(cairn_problems_get(problems, &list));
    EXPECT_TRUE(list.count == 2 && list.points[0] == 1 && list.points[2] == 2);
    EXPECT_EQ(cairn_problems_load("none.scen", CAIRN_GRID, problems.out()), CAIRN_IO_ERROR);
    EXPECT_EQ(cairn_problems_load(file.c_str(), 2, problems.out()), CAIRN_BAD_OPTION);
}

#if CAIRN_HAS_RENDER

TEST(CPictures, ShowMapsIndexesAndPaths) {
    const ScratchFolder folder;
    const auto control = on_one_thread_in_c();
    const grid::Map grid = RandomMaps(7).uniform_map({24, 24});
    const MapHandle map = to_c(grid);
    const auto points = free_points(grid);
    MapHandle agents;
    MapHandle mesh;
    const std::vector<std::uint8_t> open(400, '.');
    MapHandle empty;
    ASSERT_FINE(cairn_map_create(20, 20, open.data(), 0, nullptr, empty.out()));
    ASSERT_FINE(cairn_map_with_agents(empty, nullptr, agents.out()));
    ASSERT_FINE(cairn_mesh_from_grid(map, nullptr, mesh.out()));
    struct Drawn {
        const char* planner;
        const cairn_map* map;
    };
    for (const Drawn& c : {Drawn{"hpa", map}, Drawn{"subgoal", map}, Drawn{"astar", map},
                           Drawn{"haa", agents}, Drawn{"hna", mesh}}) {
        SCOPED_TRACE(c.planner);
        IndexHandle index;
        SearcherHandle searcher;
        AnswerHandle answer;
        ASSERT_FINE(cairn_index_build(c.planner, c.map, nullptr, 0, &control, index.out()));
        ASSERT_FINE(cairn_searcher_create(index, searcher.out()));
        if (c.map == mesh) {
            const cairn_place a{points[0].x + .5, 0, points[0].y + .5, CAIRN_NONE};
            const cairn_place b{points[1].x + .5, 0, points[1].y + .5, CAIRN_NONE};
            cairn_find_on_mesh(searcher, nullptr, &a, &b, answer.again());
        } else {
            cairn_find(searcher, nullptr, {points[0].x, points[0].y}, {points[1].x, points[1].y},
                       answer.again());
        }
        const cairn_answer* const answers[1] = {answer};
        auto picture = CAIRN_INIT(cairn_picture);
        picture.answers = answers;
        picture.num_answers = 1;
        picture.title = "a title";
        BytesHandle bytes;
        const bool has_index = std::string(c.planner) != "astar";
        EXPECT_EQ(cairn_draw_index(index, &picture, bytes.out()),
                  has_index ? CAIRN_OK : CAIRN_UNSUPPORTED);
        if (has_index) {
            EXPECT_THAT(text_in(bytes), HasSubstr("a title"));
        }
        EXPECT_EQ(cairn_draw_map(c.map, &picture, bytes.out()),
                  c.map == agents ? CAIRN_UNSUPPORTED : CAIRN_OK);
        if (c.map == agents) continue;
        const std::string svg = text_in(bytes);
        EXPECT_THAT(svg, HasSubstr("<svg"));
        picture.num_answers = 0;
        ASSERT_FINE(cairn_draw_map(c.map, &picture, bytes.out()));
        if (c.map == map) {
            EXPECT_LT(text_in(bytes).size(), svg.size());  // no path
        }
        picture.format = CAIRN_PNG;
        ASSERT_FINE(cairn_draw_map(c.map, &picture, bytes.out()));
        EXPECT_THAT(text_in(bytes), testing::StartsWith("\x89PNG"));
        const std::string file = folder.path() / "a.png";
        ASSERT_FINE(cairn_bytes_save(bytes, file.c_str()));
        EXPECT_TRUE(bytes_of(file) == text_in(bytes));
        picture.longest_side = -5;
        EXPECT_EQ(cairn_draw_map(c.map, &picture, bytes.out()), CAIRN_BAD_OPTION);
        picture.longest_side = 0;
        picture.area[0] = 1e30;
        picture.area[2] = -1;
        EXPECT_EQ(cairn_draw_map(c.map, &picture, bytes.out()), CAIRN_BAD_OPTION);
    }
}

#endif

}  // namespace
}  // namespace cairn::test
