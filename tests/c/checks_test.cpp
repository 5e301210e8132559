// Runs the checks written in C, and checks what all functions of cairn.h have in common.

#include "c/checks.h"

#include <gmock/gmock.h>

#include <cmath>
#include <cstring>
#include <fstream>
#include <functional>
#include <limits>
#include <regex>
#include <set>
#include <sstream>
#include <thread>

#include "c/handles.hpp"
#include "cairn/any.hpp"
#include "support/code_blocks.hpp"
#include "support/scale.hpp"
#include "support/source_folder.hpp"

namespace cairn::test {
namespace {

using testing::HasSubstr;

void report_failure(int line, const char* text) {
    ADD_FAILURE_AT("tests/c/checks.c", line) << text;
}

TEST(CInC, FirstPath) { check_first_path(report_failure); }
TEST(CInC, Grids) { check_grid(report_failure); }
TEST(CInC, Meshes) { check_mesh(report_failure); }
TEST(CInC, Agents) { check_agents(report_failure); }
TEST(CInC, Worlds) { check_world(report_failure); }
TEST(CInC, Discs) { check_discs(report_failure); }
TEST(CInC, Control) { check_control(report_failure); }

void report_in_page(int line, const char* text) { ADD_FAILURE_AT("tests/c/page.c", line) << text; }

TEST(CPage, Start) {
    testing::internal::CaptureStdout();
    EXPECT_EQ(check_page_start(), 0);
    EXPECT_EQ(testing::internal::GetCapturedStdout(), code_blocks("docs/start.md", "text").at(0));
}

TEST(CPage, FirstPath) { check_page_first_path(report_in_page); }
TEST(CPage, OptionsControlAndBatches) { check_page_many(report_in_page); }
TEST(CPage, Worlds) { check_page_world(report_in_page); }
TEST(CPage, Discs) { check_page_discs(report_in_page); }

MapHandle some_map() { return to_c(RandomMaps(3).uniform_map({30, 20})); }

TEST(CStatus, HasTheNamesOfTheCppInterface) {
    for (int code = 0; code <= 20; ++code) {
        EXPECT_EQ(cairn_status_name(code), name(static_cast<StatusCode>(code)));
        EXPECT_EQ(cairn_status_text(code), describe(static_cast<StatusCode>(code)));
    }
    for (const int code : {21, -1, 256, 1 << 30}) EXPECT_STREQ(cairn_status_name(code), "unknown");
}

TEST(CStatus, MessagesAreOfTheThreadAndOfAnyLength) {
    MapHandle map;
    EXPECT_EQ(cairn_map_load("/nonsense/file.map", nullptr, map.out()), CAIRN_IO_ERROR);
    EXPECT_THAT(cairn_last_message(), HasSubstr("/nonsense/file.map"));
    std::thread([] { EXPECT_STREQ(cairn_last_message(), ""); }).join();
    ASSERT_EQ(some_map() != nullptr, true);  // a call that succeeds leaves the message
    EXPECT_THAT(cairn_last_message(), HasSubstr("/nonsense/file.map"));
    const std::string longer(5000, 'x');
    EXPECT_EQ(cairn_map_load(longer.c_str(), nullptr, map.out()), CAIRN_IO_ERROR);
    EXPECT_EQ(std::strlen(cairn_last_message()), 1023U);
}

TEST(CVersion, IsChecked) {
    EXPECT_STREQ(cairn_version(), CAIRN_VERSION_STRING);
    EXPECT_EQ(cairn_check_version(CAIRN_VERSION_MAJOR, CAIRN_VERSION_MINOR), CAIRN_OK);
    EXPECT_EQ(cairn_check_version(CAIRN_VERSION_MAJOR + 1, 0), CAIRN_WRONG_VERSION);
    EXPECT_EQ(cairn_check_version(CAIRN_VERSION_MAJOR, CAIRN_VERSION_MINOR + 1),
              CAIRN_WRONG_VERSION);
    EXPECT_EQ(cairn_has("hpa"), 1);
    EXPECT_EQ(cairn_has("world"), 1);
    EXPECT_EQ(cairn_has("nonsense"), 0);
    EXPECT_EQ(cairn_has(nullptr), 0);
}

TEST(CPlanners, ListTheFieldsOfTheCppInterface) {
    ASSERT_EQ(cairn_num_planners(), planners().size());
    for (std::uint32_t p = 0; p < planners().size(); ++p) {
        const PlannerInfo& own = planners()[p];
        auto info = CAIRN_INIT(cairn_planner);
        ASSERT_FINE(cairn_planner_get(p, &info));
        EXPECT_EQ(info.name, own.name);
        EXPECT_EQ(info.summary, own.summary);
        EXPECT_EQ(info.exact != 0, own.exact);
        EXPECT_EQ(info.has_index != 0, own.has_index);
        EXPECT_EQ(info.has_labels != 0, own.has_labels);
        EXPECT_EQ(cairn_planner_find(info.name, info.space), p);
        ASSERT_EQ(info.num_options, own.options.size());
        ASSERT_EQ(info.num_query_fields, own.query.size());
        for (const auto which : {CAIRN_OPTIONS, CAIRN_QUERY}) {
            const auto fields = which == CAIRN_OPTIONS ? own.options : own.query;
            for (std::uint32_t f = 0; f < fields.size(); ++f) {
                auto field = CAIRN_INIT(cairn_field);
                ASSERT_FINE(cairn_planner_field(p, which, f, &field));
                EXPECT_EQ(field.name, fields[f].name);
                EXPECT_EQ(field.help, fields[f].help);
                EXPECT_EQ(field.type, static_cast<int>(fields[f].type));
                EXPECT_EQ(field.least, fields[f].least);
                EXPECT_EQ(field.most, fields[f].most);
                ASSERT_EQ(field.num_choices, fields[f].choices.size());
                if (field.num_choices == 0) {
                    EXPECT_EQ(field.usual, fields[f].usual());
                } else {
                    const auto usual = static_cast<std::uint32_t>(field.usual);
                    EXPECT_EQ(cairn_planner_choice(p, which, f, usual),
                              text(fields[f], fields[f].usual()));
                }
                for (std::uint32_t c = 0; c < field.num_choices; ++c)
                    EXPECT_EQ(cairn_planner_choice(p, which, f, c), fields[f].choices[c].name);
                EXPECT_EQ(cairn_planner_choice(p, which, f, field.num_choices), nullptr);
            }
            auto field = CAIRN_INIT(cairn_field);
            EXPECT_EQ(
                cairn_planner_field(p, which, static_cast<std::uint32_t>(fields.size()), &field),
                CAIRN_BAD_OPTION);
        }
    }
    auto info = CAIRN_INIT(cairn_planner);
    EXPECT_EQ(cairn_planner_get(cairn_num_planners(), &info), CAIRN_BAD_OPTION);
    EXPECT_EQ(cairn_planner_find("nonsense", CAIRN_GRID), CAIRN_NONE);
    EXPECT_EQ(cairn_planner_find("hpa", 7), CAIRN_NONE);
    EXPECT_EQ(cairn_planner_find(nullptr, CAIRN_GRID), CAIRN_NONE);
}

TEST(CStructs, OfOlderAndNewerProgramsAreRead) {
    const std::uint8_t bytes[4] = {1, 2, 0, 1};
    MapHandle map;
    struct Newer {
        cairn_map_options options;
        std::uint64_t later;
    } newer{CAIRN_INIT(cairn_map_options), 0};
    newer.options.size = sizeof newer;
    newer.options.terrain = CAIRN_WEIGHTS;
    EXPECT_FINE(cairn_map_create(2, 2, bytes, 0, &newer.options, map.out()));
    auto info = CAIRN_INIT(cairn_map_info);
    EXPECT_FINE(cairn_map_get(map, &info));
    EXPECT_EQ(info.free_cells, 3U);
    newer.later = 1;  // an option that this library does not know
    EXPECT_EQ(cairn_map_create(2, 2, bytes, 0, &newer.options, map.out()), CAIRN_BAD_OPTION);
    EXPECT_EQ(map, nullptr);
    newer.options.size = offsetof(cairn_map_options, terrain);  // an older program, without it
    EXPECT_FINE(cairn_map_create(2, 2, bytes, 0, &newer.options, map.out()));
    info = CAIRN_INIT(cairn_map_info);
    info.size = offsetof(cairn_map_info, free_cells);
    EXPECT_FINE(cairn_map_get(map, &info));
    EXPECT_EQ(info.width, 2);
    EXPECT_EQ(info.straight, 0U);  // not written
    for (const std::uint32_t size : {0U, 3U, 5000U, 0xffffffffU}) {
        newer.options.size = size;
        EXPECT_EQ(cairn_map_create(2, 2, bytes, 0, &newer.options, map.out()), CAIRN_BAD_OPTION);
    }
    info.size = 0;
    EXPECT_EQ(cairn_map_get(some_map(), &info), CAIRN_BAD_OPTION);
}

TEST(CArguments, NullIsRefusedEverywhere) {
    const MapHandle map = some_map();
    IndexHandle index;
    SearcherHandle searcher;
    ASSERT_FINE(cairn_index_build("hpa", map, nullptr, 0, nullptr, index.out()));
    ASSERT_FINE(cairn_searcher_create(index, searcher.out()));
    MapHandle made;
    IndexHandle made_index;
    QueryHandle query;
    AnswerHandle answer;
    PathsHandle paths;
    BytesHandle bytes;
    WorldHandle world;
    Handle<cairn_graph> graph;
    Handle<cairn_trace> trace;
    auto places = CAIRN_INIT(cairn_places);
    auto requests = CAIRN_INIT(cairn_requests);
    auto routes = CAIRN_INIT(cairn_routes);
    auto edits = CAIRN_INIT(cairn_edits);
    const cairn_cell cell{0, 0};
    std::size_t count = 1;
    std::uint32_t cost = 0;
    double value = 0;
    const std::vector<std::function<cairn_status()>> calls = {
        [&] { return cairn_map_create(2, 2, nullptr, 0, nullptr, made.out()); },
        [&] { return cairn_map_load(nullptr, nullptr, made.out()); },
        [&] { return cairn_map_load("x.map", nullptr, nullptr); },
        [&] { return cairn_map_parse(nullptr, 3, nullptr, made.out()); },
        [&] { return cairn_map_save(nullptr, "x.map"); },
        [&] { return cairn_map_save(map, nullptr); },
        [&] { return cairn_map_with_agents(nullptr, nullptr, made.out()); },
        [&] { return cairn_map_get(map, nullptr); },
        [&] { return cairn_map_copy_bytes(map, nullptr, 0); },
        [&] { return cairn_map_to_cell(map, 0, 0, nullptr); },
        [&] { return cairn_map_to_world(map, 0, 0, nullptr); },
        [&] { return cairn_map_measure(map, nullptr, 3, nullptr, nullptr); },
        [&] { return cairn_mesh_create(nullptr, nullptr, made.out()); },
        [&] { return cairn_mesh_load(nullptr, nullptr, nullptr, made.out()); },
        [&] { return cairn_mesh_from_grid(nullptr, nullptr, made.out()); },
        [&] { return cairn_mesh_copy(nullptr, nullptr, nullptr, nullptr, nullptr, nullptr); },
        [&] { return cairn_mesh_locate(map, nullptr, &cost); },
        [&] { return cairn_index_build(nullptr, map, nullptr, 0, nullptr, made_index.out()); },
        [&] { return cairn_index_build("hpa", nullptr, nullptr, 0, nullptr, made_index.out()); },
        [&] { return cairn_index_build("hpa", map, nullptr, 2, nullptr, made_index.out()); },
        [&] { return cairn_index_load(nullptr, map, made_index.out()); },
        [&] { return cairn_index_load_checked(nullptr, map, CAIRN_CHECK_NONE, made_index.out()); },
        [&] { return cairn_index_load_checked("a", map, 3, made_index.out()); },
        [&] { return cairn_index_load_checked("a", map, -1, made_index.out()); },
        [&] { return cairn_index_save_with_map(index, nullptr); },
        [&] { return cairn_index_from_bytes(nullptr, 0, map, made_index.out()); },
        [&] { return cairn_index_save(index, nullptr); },
        [&] { return cairn_index_to_bytes(nullptr, bytes.out()); },
        [&] { return cairn_index_get(index, nullptr); },
        [&] { return cairn_index_map(nullptr, made.out()); },
        [&] { return cairn_index_option(index, nullptr, &value); },
        [&] { return cairn_index_option(index, "levels", nullptr); },
        [&] { return cairn_index_edited(index, nullptr, made_index.out()); },
        [&] { return cairn_index_changed(index, nullptr, made_index.out()); },
        [&] { return cairn_mesh_changed(map, nullptr, made.out()); },
        [&] { return cairn_index_with_labels(nullptr, nullptr, 0, nullptr, made_index.out()); },
        [&] { return cairn_index_with_costs(index, nullptr, 256, nullptr, made_index.out()); },
        [&] { return cairn_graph_create(nullptr, 1, 1, 0, graph.out()); },
        [&] { return cairn_graph_create(index, 1, 1, 0, nullptr); },
        [&] { return cairn_graph_get(nullptr, nullptr); },
        [&] { return cairn_map_copy_clearances(map, 0, nullptr); },
        [&] {
            return cairn_find_traced(searcher, nullptr, cell, cell, 9, answer.again(), nullptr);
        },
        [&] {
            return cairn_find_traced_on_mesh(searcher, nullptr, nullptr, nullptr, 9, nullptr,
                                             trace.again());
        },
        [&] { return cairn_trace_get(nullptr, nullptr); },
        [&] { return cairn_query_create(nullptr, nullptr, 0, query.out()); },
        [&] { return cairn_query_with_limits(nullptr, nullptr, query.out()); },
        [&] { return cairn_query_with_blocked(nullptr, nullptr, 0, query.out()); },
        [&] { return cairn_world_create(nullptr, nullptr, world.out()); },
        [&] { return cairn_world_edit(nullptr, &edits, nullptr); },
        [&] { return cairn_world_snapshot(nullptr, made_index.out(), nullptr); },
        [&] { return cairn_world_work_status(nullptr); },
        [&] { return cairn_searcher_create(nullptr, SearcherHandle().out()); },
        [&] { return cairn_searcher_create_for_world(nullptr, SearcherHandle().out()); },
        [&] { return cairn_searcher_set_index(searcher, nullptr); },
        [&] { return cairn_find(nullptr, nullptr, cell, cell, answer.again()); },
        [&] { return cairn_find(searcher, nullptr, cell, cell, nullptr); },
        [&] { return cairn_begin(nullptr, nullptr, cell, cell, answer.again()); },
        [&] { return cairn_reachable(nullptr, nullptr, cell, cell); },
        [&] { return cairn_costs(searcher, nullptr, &places, nullptr, &cost); },
        [&] { return cairn_costs(searcher, nullptr, &places, &places, nullptr); },
        [&] { return cairn_nearest(searcher, nullptr, &places, &places, nullptr, &count); },
        [&] {
            return cairn_find_nearest(searcher, nullptr, &places, &places, answer.again(), nullptr);
        },
        [&] { return cairn_answer_get(nullptr, nullptr); },
        [&] {
            return cairn_find_paths(searcher, nullptr, nullptr, nullptr, nullptr, paths.again());
        },
        [&] { return cairn_find_paths(searcher, nullptr, &requests, nullptr, nullptr, nullptr); },
        [&] { return cairn_paths_get(paths, nullptr); },
        [&] { return cairn_paths_valid(searcher, nullptr, &routes, 0, nullptr); },
        [&] { return cairn_replan(searcher, nullptr, nullptr, 0, 0, nullptr, paths.again()); },
        [&] { return cairn_problems_load(nullptr, 0, Handle<cairn_problems>().out()); },
        [&] { return cairn_problems_get(nullptr, nullptr); },
        [&] { return cairn_draw_map(nullptr, nullptr, bytes.out()); },
        [&] { return cairn_draw_index(nullptr, nullptr, bytes.out()); },
        [&] { return cairn_bytes_save(nullptr, "x"); },
        [&] { return cairn_cancel_create(nullptr); },
        [&] { return cairn_planner_get(0, nullptr); },
        [&] { return cairn_planner_field(0, 0, 0, nullptr); },
    };
    for (std::size_t i = 0; i < calls.size(); ++i)
        EXPECT_EQ(calls[i](), CAIRN_BAD_OPTION) << "call " << i;
    EXPECT_EQ(cairn_paths_valid(searcher, nullptr, &routes, 0, reinterpret_cast<uint8_t*>(&cost)),
              CAIRN_UNSUPPORTED);
    EXPECT_EQ(cairn_advance(nullptr, 0, 0), 0);
    EXPECT_EQ(cairn_searcher_memory(nullptr), 0U);
    EXPECT_EQ(cairn_world_edits(nullptr), 0U);
    EXPECT_EQ(cairn_world_work(nullptr), 0);
    EXPECT_EQ(cairn_bytes_data(nullptr), nullptr);
    EXPECT_EQ(cairn_bytes_size(nullptr), 0U);
    cairn_cancel_set(nullptr);
    cairn_cancel_reset(nullptr);
    free_handle(static_cast<cairn_problems*>(nullptr));
}

TEST(CArguments, NumbersOutOfRangeAreRefused) {
    MapHandle map;
    const std::uint8_t byte = 1;
    auto options = CAIRN_INIT(cairn_map_options);
    options.corner = 3;
    EXPECT_EQ(cairn_map_create(1, 1, &byte, 0, &options, map.out()), CAIRN_BAD_OPTION);
    EXPECT_THAT(cairn_last_message(), HasSubstr("corner"));
    for (const double wrong : {-1.0, HUGE_VAL, -HUGE_VAL, std::nan("")}) {
        options = CAIRN_INIT(cairn_map_options);
        options.resolution = wrong;
        EXPECT_EQ(cairn_map_create(1, 1, &byte, 0, &options, map.out()), CAIRN_BAD_OPTION);
        EXPECT_THAT(cairn_last_message(), HasSubstr("resolution"));
        EXPECT_EQ(cairn_map_load("maps/rooms.map", &options, map.out()), CAIRN_BAD_OPTION);
        if (wrong == -1) continue;
        for (double cairn_map_options::*const member :
             {&cairn_map_options::origin_x, &cairn_map_options::origin_y,
              &cairn_map_options::yaw}) {
            options = CAIRN_INIT(cairn_map_options);
            options.resolution = 0.5;
            options.*member = wrong;
            EXPECT_EQ(cairn_map_create(1, 1, &byte, 0, &options, map.out()), CAIRN_BAD_OPTION);
            options.resolution = 0;  // there is no position
            EXPECT_FINE(cairn_map_create(1, 1, &byte, 0, &options, map.out()));
        }
    }
    EXPECT_EQ(cairn_map_create(0, 1, &byte, 0, nullptr, map.out()), CAIRN_BAD_OPTION);
    EXPECT_EQ(cairn_map_create(1, 1 << 16, &byte, 0, nullptr, map.out()), CAIRN_BAD_OPTION);
    auto arrays = CAIRN_INIT(cairn_mesh_arrays);
    const std::uint32_t first[2] = {0, 9};
    const std::uint32_t corners[3] = {0, 1, 2};
    arrays.num_polygons = 1;
    arrays.first_corner = first;
    arrays.corners = corners;
    arrays.num_corners = 3;
    EXPECT_EQ(cairn_mesh_create(&arrays, nullptr, map.out()), CAIRN_BAD_OPTION);
    IndexHandle index;
    const MapHandle grid = some_map();
    EXPECT_EQ(cairn_index_build("hna", grid, nullptr, 0, nullptr, index.out()), CAIRN_UNSUPPORTED);
    const cairn_setting setting{"levels", "99"};
    EXPECT_EQ(cairn_index_build("hpa", grid, &setting, 1, nullptr, index.out()), CAIRN_BAD_OPTION);
    EXPECT_THAT(cairn_last_message(), HasSubstr("levels"));
    ASSERT_FINE(cairn_index_build("hpa", grid, nullptr, 0, nullptr, index.out()));
    const cairn_terrain_edit edit{0, 0, 1, 1, 256};
    auto edits = CAIRN_INIT(cairn_edits);
    edits.count = 1;
    IndexHandle edited;
    EXPECT_EQ(cairn_index_edited(index, &edits, edited.out()), CAIRN_BAD_OPTION);
    edits.cells = &edit;
    EXPECT_EQ(cairn_index_edited(index, &edits, edited.out()), CAIRN_BAD_OPTION);
    const cairn_polygon_edit polygon{0, 0, 1};
    edits.cells = nullptr;
    edits.polygons = &polygon;
    EXPECT_EQ(cairn_index_edited(index, &edits, edited.out()), CAIRN_UNSUPPORTED);
}

/// A number that is often small, sometimes extreme.
std::int32_t any_number(RandomMaps& random) {
    switch (random.number(0, 5)) {
        case 0:
            return random.number(-1000, 1000);
        case 1:
            return std::numeric_limits<std::int32_t>::min();
        case 2:
            return std::numeric_limits<std::int32_t>::max();
        default:
            return random.number(-2, 12);
    }
}
double any_double(RandomMaps& random) {
    switch (random.number(0, 7)) {
        case 0:
            return std::numeric_limits<double>::quiet_NaN();
        case 1:
            return std::numeric_limits<double>::infinity();
        case 2:
            return -1e300;
        default:
            return random.number(-4, 20) / 2.0;
    }
}

TEST(CArguments, AnyNumbersGiveAResultOrAnError) {
    const MapHandle grid = some_map();
    const auto control = on_one_thread_in_c();
    IndexHandle index;
    ASSERT_FINE(cairn_index_build("hpa", grid, nullptr, 0, &control, index.out()));
    std::set<cairn_status> statuses;
    for (std::uint64_t seed = 1; seed <= scaled(2000); ++seed) {
        RandomMaps random(seed);
        const auto number = [&] { return any_number(random); };
        const auto unsigned_number = [&] { return static_cast<std::uint32_t>(number()); };
        // Maps.
        const std::vector<std::uint8_t> bytes(100,
                                              static_cast<std::uint8_t>(random.number(0, 255)));
        auto options = CAIRN_INIT(cairn_map_options);
        options.terrain = random.number(-1, 3);
        options.neighbours = random.number(-1, 2);
        options.corner = random.number(-1, 3);
        options.straight = unsigned_number();
        options.diagonal = unsigned_number();
        options.resolution = any_double(random);
        options.yaw = any_double(random);
        MapHandle map;
        statuses.insert(cairn_map_create(random.number(0, 10), random.number(0, 10), bytes.data(),
                                         0, &options, map.out()));
        std::int32_t cell[2];
        double point[2];
        if (map != nullptr) {
            statuses.insert(cairn_map_to_cell(map, any_double(random), any_double(random), cell));
            statuses.insert(cairn_map_to_world(map, number(), number(), point));
        }
        auto agents = CAIRN_INIT(cairn_agents);
        const std::vector<std::uint8_t> capabilities(16 * 16, 1);
        agents.max_size = number();
        agents.capabilities = capabilities.data();
        agents.num_capabilities = unsigned_number();
        statuses.insert(cairn_map_with_agents(grid, &agents, map.out()));
        // Meshes.
        std::vector<double> vertices;
        for (int i = 0; i < 24; ++i) vertices.push_back(any_double(random));
        std::vector<std::uint32_t> first;
        std::vector<std::uint32_t> corners;
        for (int i = 0; i < 4; ++i) first.push_back(unsigned_number());
        if (random.chance(70)) first = {0, 3, 6, 9};
        for (int i = 0; i < 12; ++i)
            corners.push_back(random.chance(95) ? static_cast<std::uint32_t>(random.number(0, 7))
                                                : unsigned_number());
        const std::uint8_t areas[3] = {0, static_cast<std::uint8_t>(random.number(0, 255)), 1};
        const cairn_portal portal{unsigned_number(), unsigned_number(),  {any_double(random)},
                                  {0, 0, 1},         any_double(random), random.number(-1, 3)};
        const cairn_connection connection{unsigned_number(),    unsigned_number(), {1, 0, 1},
                                          {any_double(random)}, number(),          number()};
        auto arrays = CAIRN_INIT(cairn_mesh_arrays);
        arrays.num_polygons = 3;
        arrays.vertices = vertices.data();
        arrays.num_vertices = 8;
        arrays.first_corner = first.data();
        arrays.corners = corners.data();
        arrays.num_corners = corners.size();
        if (random.chance(50)) arrays.areas = areas;
        if (random.chance(30)) arrays.portals = &portal;
        arrays.num_portals = arrays.portals == nullptr ? 0 : 1;
        if (random.chance(30)) arrays.connections = &connection;
        arrays.num_connections = arrays.connections == nullptr ? 0 : 1;
        auto mesh_options = CAIRN_INIT(cairn_mesh_options);
        if (random.chance(30)) {
            mesh_options.scoring = random.number(-1, 3);
            mesh_options.units_per_length = any_double(random);
            mesh_options.radius = any_double(random);
        }
        mesh_options.accept_odd = random.number(0, 1);
        statuses.insert(cairn_mesh_create(&arrays, &mesh_options, map.out()));
        // Edits, requests, routes and options of an index and its world.
        const cairn_terrain_edit edit{number(), number(), number(), number(), number()};
        auto edits = CAIRN_INIT(cairn_edits);
        edits.count = 1;
        edits.cells = &edit;
        IndexHandle edited;
        statuses.insert(cairn_index_edited(index, &edits, edited.out()));
        auto world_options = CAIRN_INIT(cairn_world_options);
        world_options.no_worker = 1;
        world_options.threads = random.chance(20) ? number() : 0;
        world_options.order_edits = random.chance(20) ? unsigned_number() : 0;
        WorldHandle world;
        statuses.insert(cairn_world_create(index, &world_options, world.out()));
        if (world == nullptr) continue;
        statuses.insert(cairn_world_edit(world, &edits, nullptr));
        SearcherHandle searcher;
        ASSERT_FINE(cairn_searcher_create_for_world(world, searcher.out()));
        const std::int32_t cells[8] = {number(), number(), number(), number(),
                                       number(), number(), number(), number()};
        auto requests = CAIRN_INIT(cairn_requests);
        requests.count = 2;
        requests.cells = cells;
        auto batch_options = CAIRN_INIT(cairn_batch_options);
        batch_options.turning = number();
        batch_options.max_bytes = random.chance(20) ? unsigned_number() : 0;
        PathsHandle paths;
        statuses.insert(cairn_find_paths(searcher, nullptr, &requests, &batch_options, &control,
                                         paths.again()));
        const std::uint64_t first_step[3] = {0, static_cast<std::uint64_t>(random.number(0, 2)), 2};
        const std::uint32_t steps[2] = {unsigned_number(), unsigned_number()};
        auto routes = CAIRN_INIT(cairn_routes);
        routes.requests = &requests;
        routes.first = first_step;
        routes.steps = steps;
        std::uint8_t valid[2];
        statuses.insert(cairn_paths_valid(searcher, nullptr, &routes, unsigned_number(), valid));
    }
    EXPECT_TRUE(statuses.contains(CAIRN_OK));
    EXPECT_TRUE(statuses.contains(CAIRN_BAD_OPTION));
    EXPECT_FALSE(statuses.contains(CAIRN_OUT_OF_MEMORY));
}

TEST(CThreads, ShareAnIndex) {
    const grid::Map map = RandomMaps(8).uniform_map({60, 60});
    const MapHandle c_map = to_c(map);
    const auto control = on_one_thread_in_c();
    IndexHandle index;
    ASSERT_FINE(cairn_index_build("subgoal", c_map, nullptr, 0, &control, index.out()));
    const auto points = free_points(map);
    std::vector<std::uint32_t> expected;
    const auto costs_of_all = [&] {
        SearcherHandle searcher;
        AnswerHandle answer;
        EXPECT_EQ(cairn_searcher_create(index, searcher.out()), CAIRN_OK);
        std::vector<std::uint32_t> costs;
        for (std::size_t i = 0; i + 7 < points.size(); i += 5) {
            c_find(searcher, nullptr, points[i], points[points.size() - 1 - i], answer.again());
            auto path = CAIRN_INIT(cairn_path);
            EXPECT_EQ(cairn_answer_get(answer, &path), CAIRN_OK);
            costs.push_back(path.cost);
        }
        return costs;
    };
    expected = costs_of_all();
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i) threads.emplace_back([&] { EXPECT_EQ(costs_of_all(), expected); });
    for (std::thread& thread : threads) thread.join();
}

/// The lines of a file.
std::string text_of(const std::filesystem::path& path) {
    std::ifstream in(path);
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
}

TEST(CSymbols, AreTheFunctionsOfTheHeader) {
    std::set<std::string> listed;
    std::istringstream lines(text_of(source_folder() / "bindings/c/symbols.txt"));
    std::string before;
    for (std::string line; std::getline(lines, line);) {
        EXPECT_LT(before, line) << "symbols.txt is not sorted";
        listed.insert(before = line);
    }
    const std::string header = text_of(source_folder() / "bindings/c/include/cairn.h");
    const std::regex declaration(R"(CAIRN_API [^;(]*?(cairn_\w+)\()");
    std::set<std::string> declared;
    for (std::sregex_iterator i(header.begin(), header.end(), declaration), end; i != end; ++i)
        declared.insert((*i)[1]);
    EXPECT_EQ(declared, listed);
}

}  // namespace
}  // namespace cairn::test
