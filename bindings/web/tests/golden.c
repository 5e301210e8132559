/* Hashes of answers to seeded requests, which golden.mjs computes in the same way by the package:
 * prints a line for each, its name and the hash. */

#include <cairn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 97, HEIGHT = 83, QUERIES = 60 };

static uint32_t state;
static uint32_t below(uint32_t most) {
    state = state * 1664525u + 1013904223u;
    return (state >> 8) % most;
}

static uint64_t hash;
static void begin(uint32_t seed) {
    state = seed;
    hash = 0xcbf29ce484222325u;
}
static void add(uint64_t word) { hash = (hash ^ word) * 0x100000001b3u; }
static void end(const char* name) { printf("%s %016llx\n", name, (unsigned long long)hash); }

static void check(cairn_status status) {
    if (status == CAIRN_OK) return;
    fprintf(stderr, "%s\n", cairn_last_message());
    exit(1);
}

static cairn_map* grid_of(int weighted) {
    static uint8_t cells[WIDTH * HEIGHT];
    for (int i = 0; i < WIDTH * HEIGHT; ++i)
        cells[i] = (uint8_t)(below(100) < 25 ? 0 : weighted ? 1 + below(4) : 1);
    cairn_map_options options = CAIRN_INIT(cairn_map_options);
    options.terrain = CAIRN_WEIGHTS;
    cairn_map* map = NULL;
    check(cairn_map_create(WIDTH, HEIGHT, cells, 0, &options, &map));
    return map;
}

static void add_path(const cairn_answer* answer) {
    cairn_path path = CAIRN_INIT(cairn_path);
    check(cairn_answer_get(answer, &path));
    add(path.cost);
    for (size_t i = 0; i < path.num_cells; ++i) add(path.cells[i]);
    for (size_t i = 0; i < path.num_polygons; ++i) add(path.polygons[i]);
    for (size_t i = 0; i < path.num_waypoints; ++i) {
        const float xyz[3] = {path.waypoints[i].x, path.waypoints[i].y, path.waypoints[i].z};
        for (int k = 0; k < 3; ++k) {
            uint32_t bits;
            memcpy(&bits, &xyz[k], sizeof bits);
            add(bits);
        }
    }
}

static void add_queries(cairn_searcher* searcher, int mesh) {
    cairn_answer* answer = NULL;
    for (int i = 0; i < QUERIES; ++i) {
        const cairn_cell start = {(int32_t)below(WIDTH), (int32_t)below(HEIGHT)};
        const cairn_cell goal = {(int32_t)below(WIDTH), (int32_t)below(HEIGHT)};
        const cairn_place from = {start.x + .5, 0, start.y + .5, CAIRN_NONE};
        const cairn_place to = {goal.x + .5, 0, goal.y + .5, CAIRN_NONE};
        const cairn_status status = mesh ? cairn_find_on_mesh(searcher, NULL, &from, &to, &answer)
                                         : cairn_find(searcher, NULL, start, goal, &answer);
        add(status == CAIRN_OK);
        if (status == CAIRN_OK) add_path(answer);
    }
    cairn_answer_free(answer);
}

static void add_bytes(const cairn_index* index) {
    cairn_bytes* bytes = NULL;
    check(cairn_index_to_bytes(index, &bytes));
    const uint8_t* data = cairn_bytes_data(bytes);
    for (size_t i = 0; i < cairn_bytes_size(bytes); ++i) add(data[i]);
    cairn_bytes_free(bytes);
}

/* Queries, and the bytes of the index if it can be saved. Gives the index. */
static cairn_index* planner(const char* name, const char* kind, const cairn_map* map,
                            const cairn_setting* settings, size_t count, int saved) {
    cairn_index* index = NULL;
    cairn_searcher* searcher = NULL;
    begin(7);
    check(cairn_index_build(kind, map, settings, count, NULL, &index));
    check(cairn_searcher_create(index, &searcher));
    add_queries(searcher, strncmp(name, "hna", 3) == 0);
    if (saved) add_bytes(index);
    cairn_searcher_free(searcher);
    end(name);
    return index;
}

/* Edits, single paths after each, and paths of agents that are found again. */
static void world_of(const char* name, const cairn_index* index) {
    enum { AGENTS = 20 };
    cairn_world* world = NULL;
    cairn_searcher* searcher = NULL;
    cairn_paths* paths = NULL;
    int32_t cells[4 * AGENTS];
    begin(11);
    cairn_world_options options = CAIRN_INIT(cairn_world_options);
    options.no_worker = 1;
    check(cairn_world_create(index, &options, &world));
    check(cairn_searcher_create_for_world(world, &searcher));
    for (int i = 0; i < 4 * AGENTS; ++i) cells[i] = (int32_t)below(i % 2 == 0 ? WIDTH : HEIGHT);
    cairn_requests requests = CAIRN_INIT(cairn_requests);
    requests.count = AGENTS;
    requests.cells = cells;
    check(cairn_find_paths(searcher, NULL, &requests, NULL, NULL, &paths));
    for (int i = 0; i < 10; ++i) {
        const cairn_terrain_edit edit = {(int32_t)below(WIDTH - 5), (int32_t)below(HEIGHT - 5),
                                         1 + (int32_t)below(5), 1 + (int32_t)below(5),
                                         (int32_t)below(2)};
        cairn_edits edits = CAIRN_INIT(cairn_edits);
        edits.count = 1;
        edits.cells = &edit;
        check(cairn_world_edit(world, &edits, NULL));
        while (cairn_world_work(world)) {
        }
        add_queries(searcher, 0);
    }
    cairn_path_lists lists = CAIRN_INIT(cairn_path_lists);
    check(cairn_paths_get(paths, &lists));
    cairn_routes routes = CAIRN_INIT(cairn_routes);
    routes.requests = &requests;
    routes.first = lists.first_cell;
    routes.steps = lists.cells;
    cairn_paths* again = NULL;
    check(cairn_replan(searcher, NULL, &routes, 0, 1, NULL, &again));
    check(cairn_paths_get(again, &lists));
    for (size_t i = 0; i < lists.count; ++i) {
        add(lists.routes[i]);
        add(lists.costs[i]);
    }
    for (size_t i = 0; i < lists.first_cell[lists.count]; ++i) add(lists.cells[i]);
    cairn_paths_free(again);
    cairn_paths_free(paths);
    cairn_searcher_free(searcher);
    cairn_world_free(world);
    end(name);
}

int main(void) {
    begin(1);
    cairn_map* uniform = grid_of(0);
    cairn_map* weighted = grid_of(1);

    const cairn_setting levels[] = {{"cluster_size", "10"}, {"levels", "2"}};
    cairn_index* indexes[] = {
        planner("hpa", "hpa", uniform, NULL, 0, 1),
        planner("hpa weighted", "hpa", weighted, levels, 2, 1),
        planner("subgoal", "subgoal", uniform, NULL, 0, 1),
        planner("astar", "astar", weighted, NULL, 0, 0),
        planner("jps", "jps", uniform, NULL, 0, 0),
    };
    world_of("world of hpa", indexes[0]);
    world_of("world of subgoal", indexes[2]);

    uint8_t key[256];
    memset(key, 255, sizeof key);
    key[1] = 0;
    cairn_agents agents = CAIRN_INIT(cairn_agents);
    agents.max_size = 2;
    agents.key = key;
    cairn_map* for_agents = NULL;
    check(cairn_map_with_agents(uniform, &agents, &for_agents));
    cairn_index_free(planner("haa", "haa", for_agents, NULL, 0, 1));

    cairn_map* mesh = NULL;
    check(cairn_mesh_from_grid(uniform, NULL, &mesh));
    cairn_index_free(planner("hna", "hna", mesh, NULL, 0, 1));

    for (size_t i = 0; i < sizeof indexes / sizeof *indexes; ++i) cairn_index_free(indexes[i]);
    cairn_map_free(mesh);
    cairn_map_free(for_agents);
    cairn_map_free(weighted);
    cairn_map_free(uniform);
    return 0;
}
