// A short program in C that finds a path with a subgoal graph.

#include <cairn.h>
#include <stdio.h>

int main(void) {
    cairn_map* map = NULL;
    cairn_index* index = NULL;
    cairn_searcher* searcher = NULL;
    cairn_answer* answer = NULL;
    cairn_path path = CAIRN_INIT(cairn_path);
    const cairn_cell start = {35, 252}, goal = {222, 217};

    if (cairn_map_load("maps/rooms.map", NULL, &map) ||
        cairn_index_build("subgoal", map, NULL, 0, NULL, &index) ||
        cairn_searcher_create(index, &searcher) ||           // one per thread
        cairn_find(searcher, NULL, start, goal, &answer) ||  // makes the answer; reused by others
        cairn_answer_get(answer, &path))
        return puts(cairn_last_message()), 1;
    printf("%zu cells, cost %u\n", path.num_cells, (unsigned)path.cost);

    cairn_answer_free(answer);
    cairn_searcher_free(searcher);
    cairn_index_free(index);
    cairn_map_free(map);
    return 0;
}
