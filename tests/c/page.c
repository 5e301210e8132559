// The code of docs/c.md and docs/start.md, compiled as it stands there, by #include, and run.

#include <cairn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "checks.h"

#define main start_program
#include "start_1.inc"
#undef main

int check_page_start(void) { return start_program(); }

struct unit {
    int32_t cells[4];
    int32_t health;
};

static int show_progress(void* user, double fraction) {
    (void)user;
    return fraction < 0;
}

void check_page_first_path(check_failed failed) {
    cairn_map* map = NULL;
    cairn_index* index = NULL;
    cairn_searcher* searcher = NULL;
    cairn_answer* answer = NULL;
    cairn_path path = CAIRN_INIT(cairn_path);
    const cairn_cell start = {35, 252}, goal = {222, 217};
#include "c_1.inc"
    CHECK(path.num_cells == 675);
    cairn_answer_free(answer);
    cairn_searcher_free(searcher);
    cairn_index_free(index);
    cairn_map_free(map);
}

void check_page_many(check_failed failed) {
    static const struct unit units[2] = {{{1, 3, 242, 217}, 9}, {{35, 252, 222, 217}, 5}};
    const int32_t* const cells = units[0].cells;
    const size_t n = 2;
    cairn_map* map = NULL;
    cairn_index *index = NULL, *unused = NULL;
    cairn_searcher* searcher = NULL;
    cairn_query* query = NULL;
    cairn_paths* paths = NULL;
    CHECK(cairn_map_load("maps/rooms.map", NULL, &map) == CAIRN_OK);
    {
#include "c_2.inc"
        CHECK(query != NULL);
    }
    {
#include "c_3.inc"
        CHECK(cairn_index_build("subgoal", map, NULL, 0, &control, &unused) == CAIRN_OK);
    }
    CHECK(cairn_searcher_create(index, &searcher) == CAIRN_OK);
    {
        size_t i;
#include "c_4.inc"
        CHECK(lists.count == n);
        for (i = 0; i < lists.count; ++i) {
            const int32_t* wanted = units[i].cells;
            CHECK(lists.cells[lists.first_cell[i]] == (uint32_t)(wanted[1] * 256 + wanted[0]));
            CHECK(lists.cells[lists.first_cell[i + 1] - 1] ==
                  (uint32_t)(wanted[3] * 256 + wanted[2]));
        }
    }
    cairn_paths_free(paths);
    cairn_query_free(query);
    cairn_searcher_free(searcher);
    cairn_index_free(unused);
    cairn_index_free(index);
    cairn_map_free(map);
}

void check_page_world(check_failed failed) {
    enum { kSide = 20 };
    uint8_t cells[kSide * kSide];
    const cairn_cell a = {3, 7}, b = {15, 7};
    uint64_t number = 0;
    cairn_map* map = NULL;
    cairn_index* index = NULL;
    cairn_world* world = NULL;
    cairn_searcher* searcher = NULL;
    cairn_answer* answer = NULL;
    size_t y;
    memset(cells, '.', sizeof cells);
    for (y = 0; y < kSide; ++y) cells[y * kSide + 12] = y == 7 || y == 8 ? '.' : '@';
    CHECK(cairn_map_create(kSide, kSide, cells, 0, NULL, &map) == CAIRN_OK);
    CHECK(cairn_index_build("hpa", map, NULL, 0, NULL, &index) == CAIRN_OK);
    {
#include "c_5.inc"
    } CHECK(number == 1);
    CHECK(cairn_find(searcher, NULL, a, b, &answer) == CAIRN_NO_PATH);
    cairn_answer_free(answer);
    cairn_searcher_free(searcher);
    cairn_world_free(world);
    cairn_index_free(index);
    cairn_map_free(map);
}

void check_page_discs(check_failed failed) {
    // Two rooms with a door of one cell at the left and one of two at the right.
    static const char kRooms[] =
        "..........."
        "..........."
        "@.@@@@@@..@"
        "..........."
        "...........";
    cairn_map *grid = NULL, *mesh = NULL;
    cairn_discs* discs = NULL;
    cairn_disc_searcher* searcher = NULL;
    CHECK(cairn_map_create(11, 5, (const uint8_t*)kRooms, 0, NULL, &grid) == CAIRN_OK);
    CHECK(cairn_mesh_from_grid(grid, NULL, &mesh) == CAIRN_OK);
    {
#include "c_6.inc"
        CHECK(path.status == CAIRN_OK && path.num_waypoints == 2 && fabs(path.length - 3) < 1e-6);
    }
    cairn_disc_searcher_free(searcher);
    cairn_discs_free(discs);
    cairn_map_free(mesh);
    cairn_map_free(grid);
}
