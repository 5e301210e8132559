// Whatever allocation fails in a call of the C library, the call says so, and can be made again.

#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "../../fuzz/hna_index_cases.hpp"
#include "../../fuzz/hpa_index_cases.hpp"
#include "c/handles.hpp"
#include "support/allocation_faults.hpp"
#include "support/scratch_folder.hpp"

namespace cairn::test {
namespace {

/// Expects that a call returns CAIRN_OUT_OF_MEMORY, with a message, or CAIRN_OK, whichever
/// allocation fails.
void expect_call_survives(
    const char* name, const std::function<cairn_status()>& call,
    const std::function<std::uint64_t()>& value = [] { return 0U; }) {
    expect_survives(
        name, [&] { return static_cast<StatusCode>(call()); },
        [&](StatusCode /*code*/) { return value(); });
}

struct CFaultCase {
    std::string planner;
    MapHandle map;
    std::function<cairn_status(cairn_searcher*, const cairn_query*, cairn_answer**)> find;
    cairn_places start = CAIRN_INIT(cairn_places);
    cairn_places goals = CAIRN_INIT(cairn_places);
    cairn_requests requests = CAIRN_INIT(cairn_requests);
    cairn_edits edits = CAIRN_INIT(cairn_edits);
};

std::uint64_t cost_of(const cairn_answer* answer) {
    auto path = CAIRN_INIT(cairn_path);
    EXPECT_EQ(cairn_answer_get(answer, &path), CAIRN_OK);
    return path.cost + path.num_cells + path.num_waypoints;
}

std::uint64_t costs_of(const cairn_paths* paths) {
    auto lists = CAIRN_INIT(cairn_path_lists);
    EXPECT_EQ(cairn_paths_get(paths, &lists), CAIRN_OK);
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < lists.count; ++i) sum = 31 * sum + lists.costs[i];
    return sum;
}

void expect_planner_survives(const CFaultCase& c) {
    SCOPED_TRACE(c.planner);
    auto control = on_one_thread_in_c();
    const ScratchFolder folder;
    const std::string file = folder.path() / "a.cairn";
    IndexHandle index;
    const auto memory = [&] {
        auto info = CAIRN_INIT(cairn_index_info);
        EXPECT_EQ(cairn_index_get(index, &info), CAIRN_OK);
        return info.memory;
    };
    expect_call_survives(
        "build",
        [&] {
            return cairn_index_build(c.planner.c_str(), c.map, nullptr, 0, &control, index.out());
        },
        memory);
    if (testing::Test::HasFatalFailure()) return;
    IndexHandle other;
    expect_call_survives("edited",
                         [&] { return cairn_index_edited(index, &c.edits, other.out()); });
    if (c.edits.polygons != nullptr) {
        constexpr double kTriangle[] = {90, 0, 90, 91, 0, 90, 90, 0, 91};
        constexpr std::uint32_t kFirst[] = {0, 3};
        constexpr std::uint32_t kCorners[] = {0, 1, 2};
        auto added = CAIRN_INIT(cairn_mesh_arrays);
        added.num_polygons = 1;
        added.vertices = kTriangle;
        added.num_vertices = 3;
        added.first_corner = kFirst;
        added.corners = kCorners;
        added.num_corners = 3;
        auto change = CAIRN_INIT(cairn_mesh_change);
        change.added = &added;
        change.edits = c.edits.polygons;
        change.num_edits = c.edits.count;
        MapHandle map;
        expect_call_survives("mesh changed",
                             [&] { return cairn_mesh_changed(c.map, &change, map.out()); });
        expect_call_survives("changed",
                             [&] { return cairn_index_changed(index, &change, other.out()); });
    }
    expect_call_survives("save", [&] { return cairn_index_save(index, file.c_str()); });
    BytesHandle bytes;
    expect_call_survives(
        "to_bytes", [&] { return cairn_index_to_bytes(index, bytes.out()); },
        [&] { return cairn_bytes_size(bytes); });
    expect_call_survives("from_bytes", [&] {
        return cairn_index_from_bytes(cairn_bytes_data(bytes), cairn_bytes_size(bytes), c.map,
                                      other.out());
    });
    SearcherHandle searcher;
    QueryHandle query;
    QueryHandle limited;
    expect_call_survives("searcher", [&] { return cairn_searcher_create(index, searcher.out()); });
    const cairn_setting setting{"detail", "path"};
    expect_call_survives("query",
                         [&] { return cairn_query_create(index, &setting, 1, query.out()); });
    const auto limits = CAIRN_INIT(cairn_limits);
    expect_call_survives("limits",
                         [&] { return cairn_query_with_limits(query, &limits, limited.out()); });
    expect_call_survives("find", [&] {
        SearcherHandle fresh;
        AnswerHandle answer;
        const cairn_status made = cairn_searcher_create(index, fresh.out());
        return made != CAIRN_OK ? made : c.find(fresh, query, answer.again());
    });
    AnswerHandle answer;
    expect_call_survives(
        "find again", [&] { return c.find(searcher, query, answer.again()); },
        [&] { return cost_of(answer); });
    std::vector<std::uint32_t> costs(c.goals.count);
    expect_call_survives("costs", [&] {
        SearcherHandle fresh;
        const cairn_status made = cairn_searcher_create(index, fresh.out());
        return made != CAIRN_OK ? made
                                : cairn_costs(fresh, nullptr, &c.start, &c.goals, costs.data());
    });
    PathsHandle paths;
    expect_call_survives(
        "find_paths",
        [&] {
            SearcherHandle fresh;
            const cairn_status made = cairn_searcher_create(index, fresh.out());
            return made != CAIRN_OK ? made
                                    : cairn_find_paths(fresh, nullptr, &c.requests, nullptr,
                                                       &control, paths.again());
        },
        [&] { return costs_of(paths); });
    auto options = CAIRN_INIT(cairn_world_options);
    options.no_worker = 1;
    WorldHandle world;
    IndexHandle snapshot;
    expect_call_survives("world", [&] {
        cairn_status status = cairn_world_create(index, &options, world.out());
        if (status == CAIRN_OK) status = cairn_world_edit(world, &c.edits, nullptr);
        if (status == CAIRN_OK) status = cairn_world_snapshot(world, snapshot.out(), nullptr);
        return status;
    });
}

TEST(CFaults, OfGridsSayOutOfMemory) {
    const grid::Map map = fuzz::hpa_index_map();
    const std::int32_t start[2] = {0, 0};
    const std::int32_t goals[4] = {0, 3, 4, 3};
    const std::int32_t requests[8] = {0, 0, 0, 3, 4, 3, 0, 0};
    const cairn_terrain_edit edit{2, 1, 1, 1, '@'};
    for (const char* const planner : {"hpa"}) {
        CFaultCase c{planner, to_c(map), {}};
        c.find = [](cairn_searcher* s, const cairn_query* q, cairn_answer** answer) {
            return cairn_find(s, q, {0, 0}, {0, 3}, answer);
        };
        c.start.count = 1;
        c.start.cells = start;
        c.goals.count = 2;
        c.goals.cells = goals;
        c.requests.count = 2;
        c.requests.cells = requests;
        c.edits.count = 1;
        c.edits.cells = &edit;
        expect_planner_survives(c);
    }
    const auto bytes = bytes_of_map(map);
    MapHandle made;
    expect_call_survives("map", [&] {
        return cairn_map_create(map.width(), map.height(), bytes.data(), 0, nullptr, made.out());
    });
    MapHandle agents;
    expect_call_survives("agents",
                         [&] { return cairn_map_with_agents(made, nullptr, agents.out()); });
    expect_call_survives("mesh", [&] { return cairn_mesh_from_grid(made, nullptr, agents.out()); });
    const ScratchFolder folder;
    const std::string file = folder.path() / "a.map";
    expect_call_survives("map save", [&] { return cairn_map_save(made, file.c_str()); });
    expect_call_survives("map load",
                         [&] { return cairn_map_load(file.c_str(), nullptr, agents.out()); });
}

TEST(CFaults, OfMeshesSayOutOfMemory) {
    const mesh::MeshImage image = fuzz::hna_index_image();
    const auto mesh = mesh::Mesh::build(image.source()).value();
    std::vector<double> centres;
    for (const mesh::Polygon p : {0U, 15U, 9U}) {
        const mesh::Point centre = mesh.centre(p);
        centres.insert(centres.end(), {centre.x, centre.y, centre.z});
    }
    const cairn_polygon_edit edit{2, 0, 1};
    CFaultCase c{"hna", to_c(image), {}};
    c.find = [&](cairn_searcher* s, const cairn_query* q, cairn_answer** answer) {
        const cairn_place a{centres[0], centres[1], centres[2], CAIRN_NONE};
        const cairn_place b{centres[3], centres[4], centres[5], CAIRN_NONE};
        return cairn_find_on_mesh(s, q, &a, &b, answer);
    };
    c.start.count = 1;
    c.start.points = centres.data();
    c.goals.count = 2;
    c.goals.points = centres.data() + 3;
    c.requests.count = 1;
    c.requests.points = centres.data();
    c.edits.count = 1;
    c.edits.polygons = &edit;
    expect_planner_survives(c);
    const MeshArrays arrays(image);
    MapHandle made;
    expect_call_survives("mesh",
                         [&] { return cairn_mesh_create(&arrays.arrays, nullptr, made.out()); });
}

TEST(CFaults, MessagesNeedNoMemory) {
    MapHandle map;
    const FailingAllocations failing(1, true);
    const std::uint8_t byte = '.';
    EXPECT_EQ(cairn_map_create(1, 1, &byte, 0, nullptr, map.out()), CAIRN_OUT_OF_MEMORY);
    EXPECT_STREQ(cairn_last_message(), cairn_status_text(CAIRN_OUT_OF_MEMORY));
    EXPECT_EQ(map, nullptr);
}

}  // namespace
}  // namespace cairn::test
