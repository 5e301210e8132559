// A program in C99 as users write it, in pieces. Each check runs on its own.

#include "checks.h"

#include <cairn.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FINE(call)                                  \
    do {                                            \
        if ((call) != CAIRN_OK) {                   \
            failed(__LINE__, cairn_last_message()); \
            return;                                 \
        }                                           \
    } while (0)

enum { kWidth = 12, kHeight = 5 };
static const char kCells[] =
    "......@....."
    "......@....."
    "......@....."
    "......@..TT."
    "............";

static cairn_map* new_map(int terrain) {
    cairn_map_options options = CAIRN_INIT(cairn_map_options);
    cairn_map* map = NULL;
    options.terrain = terrain;
    cairn_map_create(kWidth, kHeight, (const uint8_t*)kCells, 0, &options, &map);
    return map;
}

void check_first_path(check_failed failed) {
    cairn_map* map = NULL;
    cairn_index* index = NULL;
    cairn_searcher* searcher = NULL;
    cairn_answer* answer = NULL;
    cairn_path path = CAIRN_INIT(cairn_path);
    const cairn_cell start = {35, 252}, goal = {222, 217};
    FINE(cairn_check_version(CAIRN_VERSION_MAJOR, CAIRN_VERSION_MINOR));
    FINE(cairn_map_load("maps/rooms.map", NULL, &map));
    FINE(cairn_index_build("subgoal", map, NULL, 0, NULL, &index));
    FINE(cairn_searcher_create(index, &searcher));
    FINE(cairn_find(searcher, NULL, start, goal, &answer));
    FINE(cairn_answer_get(answer, &path));
    CHECK(path.num_cells == 675 && path.cost == 310820);
    cairn_map_free(map);
    cairn_index_free(index);
    CHECK(cairn_find(searcher, NULL, goal, start, &answer) == CAIRN_OK);
    CHECK(cairn_searcher_memory(searcher) > 0);
    cairn_answer_free(answer);
    cairn_searcher_free(searcher);
}

// Twice the weight costs twice as much. Indexes of planners for one weight do not change costs.
static void check_other_costs(check_failed failed, const cairn_index* index, uint32_t expected) {
    static const char kFree[] = {'.', 'G', 'S'};
    cairn_index_info info = CAIRN_INIT(cairn_index_info);
    cairn_index* other = NULL;
    cairn_searcher* searcher = NULL;
    cairn_answer* answer = NULL;
    cairn_path path = CAIRN_INIT(cairn_path);
    uint8_t weights[256] = {0};
    const cairn_cell a = {0, 0}, b = {11, 0};
    size_t i;
    for (i = 0; i < sizeof kFree; ++i) weights[(unsigned char)kFree[i]] = 2;
    FINE(cairn_index_get(index, &info));
    if (info.planner == cairn_planner_find("subgoal", CAIRN_GRID) ||
        info.planner == cairn_planner_find("jps", CAIRN_GRID)) {
        CHECK(cairn_index_with_costs(index, weights, sizeof weights, NULL, &other) ==
              CAIRN_UNSUPPORTED);
        return;
    }
    FINE(cairn_index_with_costs(index, weights, sizeof weights, NULL, &other));
    FINE(cairn_searcher_create(other, &searcher));
    FINE(cairn_find(searcher, NULL, a, b, &answer));
    FINE(cairn_answer_get(answer, &path));
    CHECK(path.cost == expected);
    cairn_answer_free(answer);
    cairn_searcher_free(searcher);
    cairn_index_free(other);
    weights['@'] = 1;
    CHECK(cairn_index_with_costs(index, weights, sizeof weights, NULL, &other) == CAIRN_BAD_OPTION);
}

// A* expands the start first, and ends at the goal.
static void check_steps(check_failed failed, cairn_searcher* searcher) {
    cairn_answer* answer = NULL;
    cairn_trace* trace = NULL;
    cairn_trace_list list = CAIRN_INIT(cairn_trace_list);
    cairn_path path = CAIRN_INIT(cairn_path);
    const cairn_cell a = {0, 0}, b = {11, 0};
    FINE(cairn_find_traced(searcher, NULL, a, b, 1000, &answer, &trace));
    FINE(cairn_trace_get(trace, &list));
    FINE(cairn_answer_get(answer, &path));
    CHECK(list.count > 50 && list.left_out == 0);
    CHECK(list.events[0].step == CAIRN_STEP_SOURCE && list.events[0].x == 0);
    CHECK(list.events[list.count - 1].step == CAIRN_STEP_END);
    CHECK(list.events[list.count - 1].g == path.cost);
    CHECK(list.events[list.count - 1].x == 11 && list.events[list.count - 1].y == 0);
    cairn_trace_free(trace);
    FINE(cairn_find_traced(searcher, NULL, a, b, 10, &answer, &trace));
    FINE(cairn_trace_get(trace, &list));
    CHECK(list.count == 10 && list.left_out > 40);
    cairn_trace_free(trace);
    cairn_answer_free(answer);
}

// Nodes lie where their ids say, edges join nodes and cost no less than a straight line of
// weight 1.
static void check_graph(check_failed failed, const cairn_index* index, int inter, int other_kind) {
    cairn_graph* graph = NULL;
    cairn_graph_lists lists = CAIRN_INIT(cairn_graph_lists);
    size_t i, of_kind[4] = {0, 0, 0, 0};
    FINE(cairn_graph_create(index, 1, 1, 0, &graph));
    FINE(cairn_graph_get(graph, &lists));
    CHECK(lists.level == 1 && lists.levels == 1 && lists.num_nodes > 1 && lists.num_edges > 0);
    for (i = 0; i < lists.num_nodes; ++i) {
        const double* place = lists.places + 3 * i;
        CHECK(place[0] + kWidth * place[1] == lists.ids[i] && place[2] == 0);
        CHECK(kCells[lists.ids[i]] == '.' && lists.node_levels[i] == 1);
        CHECK(lists.depths[i] < lists.num_nodes);
    }
    for (i = 0; i < lists.num_edges; ++i) {
        const double* a = lists.places + 3 * lists.edges[2 * i];
        const double* b = lists.places + 3 * lists.edges[2 * i + 1];
        CHECK(lists.edges[2 * i] < lists.num_nodes && lists.edges[2 * i + 1] < lists.num_nodes);
        CHECK(lists.costs[i] >= 408 * hypot(a[0] - b[0], a[1] - b[1]) && lists.costs[i] < 9999);
        CHECK(lists.kinds[i] < 4);
        ++of_kind[lists.kinds[i]];
    }
    CHECK((of_kind[CAIRN_EDGE_INTER] > 0) == inter && of_kind[other_kind] > 0);
    CHECK(of_kind[CAIRN_EDGE_INTER] + of_kind[other_kind] == lists.num_edges);
    CHECK((lists.num_clusters > 1) == inter && (lists.num_entrances > 0) == inter);
    for (i = 0; i < lists.num_entrances; ++i) {
        const int32_t* r = lists.entrances + 4 * i;
        CHECK(r[2] == 2 || r[3] == 2);
        CHECK(kCells[r[0] + kWidth * r[1]] == '.');
        CHECK(kCells[r[0] + r[2] - 1 + kWidth * (r[1] + r[3] - 1)] == '.');
    }
    cairn_graph_free(graph);
}

static void check_graphs(check_failed failed, const cairn_map* map) {
    const cairn_setting setting = {"cluster_size", "5"};
    cairn_index* index = NULL;
    FINE(cairn_index_build("hpa", map, &setting, 1, NULL, &index));
    check_graph(failed, index, 1, CAIRN_EDGE_INTRA);
    cairn_index_free(index);
    FINE(cairn_index_build("subgoal", map, NULL, 0, NULL, &index));
    check_graph(failed, index, 0, CAIRN_EDGE_TAUT);
    cairn_index_free(index);
}

void check_grid(check_failed failed) {
    static const char* const kPlanners[] = {"hpa", "subgoal", "astar", "jps"};
    cairn_map* map = new_map(CAIRN_LETTERS);
    cairn_map_info info = CAIRN_INIT(cairn_map_info);
    uint8_t bytes[kWidth * kHeight];
    size_t i;
    FINE(cairn_map_get(map, &info));
    CHECK(info.kind == CAIRN_KIND_GRID && info.width == kWidth && info.height == kHeight);
    CHECK(info.free_cells == 54 && info.straight == 408 && info.diagonal == 577);
    FINE(cairn_map_copy_bytes(map, bytes, 0));
    CHECK(memcmp(bytes, kCells, sizeof bytes) == 0);
    for (i = 0; i < sizeof kPlanners / sizeof *kPlanners; ++i) {
        cairn_index* index = NULL;
        cairn_searcher* searcher = NULL;
        cairn_answer* answer = NULL;
        cairn_path path = CAIRN_INIT(cairn_path);
        uint32_t cost = 0;
        double length = 0;
        const cairn_cell a = {0, 0}, b = {11, 0}, wall = {6, 0}, outside = {12, 0};
        FINE(cairn_index_build(kPlanners[i], map, NULL, 0, NULL, &index));
        FINE(cairn_searcher_create(index, &searcher));
        FINE(cairn_find(searcher, NULL, a, b, &answer));
        FINE(cairn_answer_get(answer, &path));
        CHECK(path.status == CAIRN_OK && path.num_cells > 0);
        FINE(cairn_map_measure(map, path.cells, path.num_cells, &cost, &length));
        CHECK(cost == path.cost);
        // By way of (5, 4) and (7, 4), since corners are not cut: 4 diagonal steps to the first and
        // 1 straight, then 2, then 3 diagonal ones and 2 past the trees.
        CHECK(cost == 7 * 577 + 5 * 408 && fabs(length - (5 + 7 * sqrt(2.0))) < 1e-9);
        CHECK(cairn_find(searcher, NULL, a, wall, &answer) == CAIRN_GOAL_BLOCKED);
        CHECK(strcmp(cairn_last_message(), cairn_status_text(CAIRN_GOAL_BLOCKED)) == 0);
        CHECK(cairn_find(searcher, NULL, outside, a, &answer) == CAIRN_START_OUTSIDE);
        CHECK(cairn_find_on_mesh(searcher, NULL, NULL, NULL, &answer) == CAIRN_BAD_OPTION);
        check_other_costs(failed, index, 2 * cost);
        if (strcmp(kPlanners[i], "astar") == 0) check_steps(failed, searcher);
        cairn_answer_free(answer);
        cairn_searcher_free(searcher);
        cairn_index_free(index);
    }
    check_graphs(failed, map);
    CHECK(cairn_map_copy_clearances(map, 0, bytes) == CAIRN_UNSUPPORTED);
    cairn_map_free(map);
}

// A* on a mesh does not look for the polygons of places. The mesh is that of check_mesh.
static void check_steps_on_mesh(check_failed failed, const cairn_map* mesh, uint32_t expected) {
    const cairn_place start = {0.5, 0, 1, 0}, goal = {3, 5, 1, 2};
    cairn_index* index = NULL;
    cairn_searcher* searcher = NULL;
    cairn_answer* answer = NULL;
    cairn_trace* trace = NULL;
    cairn_trace_list list = CAIRN_INIT(cairn_trace_list);
    FINE(cairn_index_build("astar", mesh, NULL, 0, NULL, &index));
    FINE(cairn_searcher_create(index, &searcher));
    CHECK(cairn_find_traced_on_mesh(searcher, NULL, &start, &goal, 99, &answer, NULL) ==
          CAIRN_BAD_OPTION);
    FINE(cairn_find_traced_on_mesh(searcher, NULL, &start, &goal, 99, &answer, &trace));
    FINE(cairn_trace_get(trace, &list));
    CHECK(list.count > 2 && list.events[0].x == start.x && list.events[0].y == start.z);
    CHECK(list.events[list.count - 1].step == CAIRN_STEP_END);
    CHECK(list.events[list.count - 1].g == expected);
    cairn_trace_free(trace);
    cairn_answer_free(answer);
    cairn_searcher_free(searcher);
    cairn_index_free(index);
}

void check_mesh(check_failed failed) {
    // Two squares side by side, and a ladder from the second to a third above it.
    const double vertices[] = {0, 0, 0, 2, 0, 0, 4, 0, 0, 0, 0, 2, 2, 0, 2,
                               4, 0, 2, 2, 5, 0, 4, 5, 0, 4, 5, 2, 2, 5, 2};
    const uint32_t first_corner[] = {0, 4, 8, 12};
    const uint32_t corners[] = {0, 1, 4, 3, 1, 2, 5, 4, 6, 7, 8, 9};
    cairn_connection ladder;
    cairn_mesh_arrays arrays = CAIRN_INIT(cairn_mesh_arrays);
    cairn_map* mesh = NULL;
    cairn_map_info info = CAIRN_INIT(cairn_map_info);
    cairn_index* index = NULL;
    cairn_searcher* searcher = NULL;
    cairn_answer* answer = NULL;
    cairn_path path = CAIRN_INIT(cairn_path);
    const cairn_place start = {0.5, 0, 1, CAIRN_NONE}, goal = {3, 5, 1, CAIRN_NONE};
    cairn_places places = CAIRN_INIT(cairn_places);
    const double points[] = {0.5, 0, 1, 3, 5, 1, 9, 9, 9};
    uint32_t polygons[3];
    double copied[30];
    uint32_t first_copied[5], corners_copied[14];
    uint8_t areas[4], blocked[4];
    memset(&ladder, 0, sizeof ladder);
    ladder.from = 1;
    ladder.to = 2;
    ladder.begin[0] = ladder.end[0] = 3.5;
    ladder.begin[2] = ladder.end[2] = 1;
    ladder.end[1] = 5;
    arrays.num_polygons = 3;
    arrays.vertices = vertices;
    arrays.num_vertices = 10;
    arrays.first_corner = first_corner;
    arrays.corners = corners;
    arrays.num_corners = 12;
    arrays.connections = &ladder;
    arrays.num_connections = 1;
    FINE(cairn_mesh_create(&arrays, NULL, &mesh));
    FINE(cairn_map_get(mesh, &info));
    CHECK(info.kind == CAIRN_KIND_MESH && info.num_polygons == 4 && info.num_corners == 14);
    CHECK(info.num_vertices >= 10 && info.num_vertices <= 12);
    CHECK(cairn_mesh_copy(mesh, NULL, first_copied, corners_copied, areas, blocked) == CAIRN_OK);
    CHECK(first_copied[3] == 12 && first_copied[4] == 14 && areas[0] == 0 && blocked[2] == 0);
    if (info.num_vertices == 10) {
        FINE(cairn_mesh_copy(mesh, copied, NULL, NULL, NULL, NULL));
        CHECK(memcmp(copied, vertices, sizeof vertices) == 0);
    }
    places.count = 3;
    places.points = points;
    FINE(cairn_mesh_locate(mesh, &places, polygons));
    CHECK(polygons[0] == 0 && polygons[1] == 2 && polygons[2] == CAIRN_NONE);
    FINE(cairn_index_build("hna", mesh, NULL, 0, NULL, &index));
    FINE(cairn_searcher_create(index, &searcher));
    FINE(cairn_find_on_mesh(searcher, NULL, &start, &goal, &answer));
    FINE(cairn_answer_get(answer, &path));
    CHECK(path.num_polygons == 4 && path.polygons[0] == 0 && path.polygons[3] == 2);
    CHECK(path.num_waypoints >= 3 && path.waypoints[0].x == 0.5f);
    CHECK(path.goal_place.polygon == 2);
    check_steps_on_mesh(failed, mesh, path.cost);
    CHECK(cairn_find(searcher, NULL, (cairn_cell){0, 0}, (cairn_cell){1, 1}, &answer) ==
          CAIRN_UNSUPPORTED);
    cairn_answer_free(answer);
    cairn_searcher_free(searcher);
    cairn_index_free(index);
    cairn_map_free(mesh);
}

void check_discs(check_failed failed) {
    // Two rooms with a door of one cell and one of two between them.
    static const char cells[] =
        "..........."
        "..........."
        "@.@@@@@@..@"
        "..........."
        "...........";
    const double radii[] = {0.9, 0.4};
    const cairn_setting settings[] = {{"levels", "1"}, {"mu", "4"}};
    cairn_map *grid = NULL, *mesh = NULL;
    cairn_discs* discs = NULL;
    cairn_discs_info info = CAIRN_INIT(cairn_discs_info);
    cairn_disc_searcher* searcher = NULL;
    cairn_disc_query query = CAIRN_INIT(cairn_disc_query);
    cairn_disc_path path = CAIRN_INIT(cairn_disc_path);
    double number = 0;
    size_t i, arcs = 0;
    FINE(cairn_map_create(11, 5, (const uint8_t*)cells, 0, NULL, &grid));
    FINE(cairn_mesh_from_grid(grid, NULL, &mesh));
    FINE(cairn_discs_build(mesh, radii, 2, settings, 2, NULL, &discs));
    cairn_map_free(grid);
    cairn_map_free(mesh);
    FINE(cairn_discs_get(discs, &info));
    CHECK(info.num_radii == 2 && info.radii[0] == 0.4 && info.radii[1] == 0.9);
    CHECK(info.num_gates > 0 && info.num_pieces > 0 && info.memory > 0);
    query.start.x = query.goal.x = 1.5;
    query.start.z = 1;
    query.goal.z = 4;
    query.start.polygon = query.goal.polygon = CAIRN_NONE;
    FINE(cairn_discs_clearance(discs, &query.start, &number));
    CHECK(fabs(number - 1) < 1e-6);
    CHECK(cairn_discs_reachable(discs, &query.start, &query.goal, 0.9) == CAIRN_OK);
    FINE(cairn_discs_widest(discs, &query.start, &query.goal, &number));
    CHECK(number == 0.9);
    FINE(cairn_disc_searcher_create(discs, &searcher));
    cairn_discs_free(discs);
    query.radius = 0.5;
    FINE(cairn_find_disc(searcher, &query, &path));
    CHECK(path.num_waypoints == 2 && fabs(path.length - 3) < 1e-6 && path.cost > 0);
    query.radius = 0.9;
    FINE(cairn_find_disc(searcher, &query, &path));
    CHECK(path.status == CAIRN_OK && path.length > 13 && path.num_polygons > 1);
    for (i = 0; i < path.num_waypoints; ++i) {
        const cairn_disc_waypoint* at = &path.waypoints[i];
        if (at->onwards == CAIRN_STRAIGHT) continue;
        CHECK(fabs(hypot(at->x - at->corner_x, at->z - at->corner_z) - 0.9) < 1e-4);
        ++arcs;
    }
    CHECK(arcs > 0);
    cairn_disc_searcher_free(searcher);
}

// Trees that cost more. `index` is that of check_agents.
static void check_costs_of_agents(check_failed failed, const cairn_index* index) {
    const uint8_t costs[32] = {1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
                               1, 5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
    const cairn_setting setting = {"capability", "1"};
    const cairn_cell a = {9, 4}, b = {9, 3};
    cairn_index* other = NULL;
    cairn_query* query = NULL;
    cairn_searcher* searcher = NULL;
    cairn_answer* answer = NULL;
    cairn_path path = CAIRN_INIT(cairn_path);
    CHECK(cairn_index_with_costs(index, costs, 16, NULL, &other) == CAIRN_BAD_OPTION);
    CHECK(cairn_index_with_costs(index, costs, 17, NULL, &other) == CAIRN_BAD_OPTION);
    FINE(cairn_index_with_costs(index, costs, 32, NULL, &other));
    FINE(cairn_query_create(other, &setting, 1, &query));
    FINE(cairn_searcher_create(other, &searcher));
    FINE(cairn_find(searcher, query, a, b, &answer));
    FINE(cairn_answer_get(answer, &path));
    CHECK(path.cost == 408 * 6 / 2);
    cairn_answer_free(answer);
    cairn_searcher_free(searcher);
    cairn_query_free(query);
    cairn_index_free(other);
}

// The graph of an agent class, and the clearances that it comes from.
static void check_graph_of_agents(check_failed failed, const cairn_index* index,
                                  const cairn_map* map) {
    cairn_graph* graph = NULL;
    cairn_graph_lists lists = CAIRN_INIT(cairn_graph_lists);
    uint8_t clearances[kWidth * kHeight];
    size_t i;
    FINE(cairn_graph_create(index, 1, 1, 1, &graph));
    FINE(cairn_graph_get(graph, &lists));
    CHECK(lists.level == 1 && lists.levels == 1 && lists.num_clusters == 1);
    CHECK(lists.clusters[2] == kWidth && lists.clusters[3] == kHeight);
    CHECK(lists.num_nodes == 0 && lists.num_edges == 0 && lists.num_polygons == 0);
    cairn_graph_free(graph);
    CHECK(cairn_graph_create(index, 2, 1, 1, &graph) == CAIRN_BAD_OPTION && graph == NULL);
    CHECK(cairn_graph_create(index, 1, 3, 1, &graph) == CAIRN_BAD_OPTION);
    CHECK(cairn_graph_create(index, 1, 1, -1, &graph) == CAIRN_BAD_OPTION);
    FINE(cairn_map_copy_clearances(map, 0, clearances));
    for (i = 0; i < sizeof clearances; ++i) CHECK((clearances[i] > 0) == (kCells[i] == '.'));
    CHECK(cairn_map_copy_clearances(map, 2, clearances) == CAIRN_BAD_OPTION);
}

void check_agents(check_failed failed) {
    cairn_map* grid = new_map(CAIRN_LETTERS);
    cairn_agents agents = CAIRN_INIT(cairn_agents);
    const uint8_t capabilities[32] = {1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
                                      1, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
    const int32_t prepared[4] = {1, 0, 1, 1};
    cairn_map* map = NULL;
    cairn_map_info info = CAIRN_INIT(cairn_map_info);
    cairn_index *index = NULL, *labelled = NULL;
    cairn_index_info about = CAIRN_INIT(cairn_index_info);
    cairn_searcher* searcher = NULL;
    cairn_paths* paths = NULL;
    cairn_path_lists lists = CAIRN_INIT(cairn_path_lists);
    cairn_requests requests = CAIRN_INIT(cairn_requests);
    const int32_t cells[8] = {9, 4, 9, 3, 9, 4, 9, 3};
    const int32_t of_requests[4] = {1, 0, 1, 1};
    agents.capabilities = capabilities;
    agents.num_capabilities = 2;
    FINE(cairn_map_with_agents(grid, &agents, &map));
    cairn_map_free(grid);
    FINE(cairn_map_get(map, &info));
    CHECK(info.kind == CAIRN_KIND_AGENTS && info.num_capabilities == 2 && info.max_size == 2);
    FINE(cairn_index_build("haa", map, NULL, 0, NULL, &index));
    FINE(cairn_index_with_labels(index, prepared, 2, NULL, &labelled));
    FINE(cairn_index_get(labelled, &about));
    CHECK(about.memory > 0);
    check_costs_of_agents(failed, labelled);
    check_graph_of_agents(failed, labelled, map);
    FINE(cairn_searcher_create(labelled, &searcher));
    requests.count = 2;
    requests.cells = cells;
    requests.agents = of_requests;
    FINE(cairn_find_paths(searcher, NULL, &requests, NULL, NULL, &paths));
    FINE(cairn_paths_get(paths, &lists));
    CHECK(lists.count == 2 && lists.statuses[0] == CAIRN_GOAL_BLOCKED);
    CHECK(lists.statuses[1] == CAIRN_OK && lists.costs[1] == 408 * 3 / 2);
    CHECK(lists.first_cell[2] - lists.first_cell[1] == 2 && lists.routes == NULL);
    cairn_paths_free(paths);
    cairn_searcher_free(searcher);
    cairn_index_free(labelled);
    cairn_index_free(index);
    cairn_map_free(map);
}

void check_world(check_failed failed) {
    cairn_map* map = new_map(CAIRN_LETTERS);
    cairn_index* index = NULL;
    cairn_world* world = NULL;
    cairn_searcher* searcher = NULL;
    cairn_answer* answer = NULL;
    cairn_trace* trace = (cairn_trace*)1;  // what it is before does not matter
    const cairn_cell a = {0, 0}, b = {11, 0};
    const cairn_terrain_edit close = {6, 4, 1, 1, '@'}, open = {6, 0, 1, 1, '.'};
    cairn_edits edits = CAIRN_INIT(cairn_edits);
    uint64_t number = 0;
    FINE(cairn_index_build("hpa", map, NULL, 0, NULL, &index));
    FINE(cairn_world_create(index, NULL, &world));
    FINE(cairn_searcher_create_for_world(world, &searcher));
    CHECK(cairn_find(searcher, NULL, a, b, &answer) == CAIRN_OK);
    edits.count = 1;
    edits.cells = &close;
    FINE(cairn_world_edit(world, &edits, &number));
    CHECK(number == 1 && cairn_world_edits(world) == 1);
    CHECK(cairn_find(searcher, NULL, a, b, &answer) == CAIRN_NO_PATH);
    CHECK(cairn_reachable(searcher, NULL, a, b) == CAIRN_NO_PATH);
    edits.cells = &open;
    FINE(cairn_world_edit(world, &edits, NULL));
    CHECK(cairn_find(searcher, NULL, a, b, &answer) == CAIRN_OK);
    CHECK(cairn_searcher_set_index(searcher, index) == CAIRN_UNSUPPORTED);
    cairn_world_free(world);
    CHECK(cairn_find(searcher, NULL, a, b, &answer) == CAIRN_OK);
    CHECK(cairn_find_traced(searcher, NULL, a, b, 9, &answer, &trace) == CAIRN_UNSUPPORTED);
    CHECK(trace == NULL);
    cairn_answer_free(answer);
    cairn_searcher_free(searcher);
    cairn_index_free(index);
    cairn_map_free(map);
}

typedef struct progress_log {
    int calls;
    double last;
    int stop_at;
} progress_log;

static int on_progress(void* user, double fraction) {
    progress_log* log = (progress_log*)user;
    if (fraction < log->last) log->calls = -1000000;
    log->last = fraction;
    return ++log->calls == log->stop_at;
}

static void run_in_turn(void* context, size_t tasks, cairn_task task, void* data) {
    size_t i;
    for (i = 0; i < tasks; ++i) task(data, i);
    ++*(int*)context;
}

void check_control(check_failed failed) {
    enum { kSide = 200 };
    uint8_t* bytes = (uint8_t*)malloc(kSide * kSide);
    cairn_map_options options = CAIRN_INIT(cairn_map_options);
    cairn_control control = CAIRN_INIT(cairn_control);
    progress_log log = {0, 0, 0};
    int runs = 0;
    cairn_map* map = NULL;
    cairn_index* index = NULL;
    cairn_cancel* cancel = NULL;
    size_t i;
    for (i = 0; i < kSide * kSide; ++i) bytes[i] = (uint8_t)(i * 2654435761u >> 29 != 0);
    options.terrain = CAIRN_WEIGHTS;
    FINE(cairn_map_create(kSide, kSide, bytes + (kSide - 1) * kSide, -kSide, &options, &map));
    control.progress = on_progress;
    control.user = &log;
    FINE(cairn_index_build("hpa", map, NULL, 0, &control, &index));
    CHECK(log.calls > 1 && log.last == 1);
    cairn_index_free(index);
    log.calls = 0;
    log.last = 0;
    log.stop_at = 1;
    CHECK(cairn_index_build("hpa", map, NULL, 0, &control, &index) == CAIRN_CANCELLED);
    CHECK(index == NULL);
    FINE(cairn_cancel_create(&cancel));
    log.calls = 0;
    log.last = 0;
    control.cancel = cancel;
    CHECK(cairn_index_build("hpa", map, NULL, 0, &control, &index) == CAIRN_CANCELLED);
    // The function has set the flag.
    control.progress = NULL;
    CHECK(cairn_index_build("hpa", map, NULL, 0, &control, &index) == CAIRN_CANCELLED);
    cairn_cancel_reset(cancel);
    control.run = run_in_turn;
    control.context = &runs;
    control.workers = 3;
    FINE(cairn_index_build("hpa", map, NULL, 0, &control, &index));
    CHECK(runs > 0);
    cairn_index_free(index);
    control.workers = 0;
    CHECK(cairn_index_build("hpa", map, NULL, 0, &control, &index) == CAIRN_BAD_OPTION);
    cairn_cancel_free(cancel);
    cairn_map_free(map);
    free(bytes);
}
