// A program in C outside Cairn: finds a path around a wall.

#include <cairn.h>
#include <stdio.h>

int main(void) {
    static const char cells[] =
        ".@."
        "...";
    cairn_map* map = NULL;
    cairn_index* index = NULL;
    cairn_searcher* searcher = NULL;
    cairn_answer* answer = NULL;
    cairn_path path = CAIRN_INIT(cairn_path);
    const cairn_cell start = {0, 0}, goal = {2, 0};
    if (cairn_check_version(CAIRN_VERSION_MAJOR, CAIRN_VERSION_MINOR) ||
        cairn_map_create(3, 2, (const uint8_t*)cells, 0, NULL, &map) ||
        cairn_index_build("hpa", map, NULL, 0, NULL, &index) ||
        cairn_searcher_create(index, &searcher) ||
        cairn_find(searcher, NULL, start, goal, &answer) || cairn_answer_get(answer, &path))
        return puts(cairn_last_message()), 1;
    printf("cairn %s: %u cells\n", cairn_version(), (unsigned)path.num_cells);
    cairn_answer_free(answer);
    cairn_searcher_free(searcher);
    cairn_index_free(index);
    cairn_map_free(map);
    return path.num_cells == 5 ? 0 : 1;
}
