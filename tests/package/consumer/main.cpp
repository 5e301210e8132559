// A program outside Cairn: makes a map of 3 x 2 cells with one obstacle and counts its free cells.

#include <array>
#include <cairn/grid/map.hpp>
#include <cstdint>
#include <cstdio>

int main() {
    const std::array<std::uint8_t, 6> terrain{'.', '@', '.',  //
                                              '.', '.', '.'};
    const auto map = cairn::grid::Map::create(3, 2, terrain);
    if (!map) {
        std::fprintf(stderr, "%s\n", map.error().message.c_str());
        return 1;
    }
    std::printf("%zu free cells\n", map->free_cells());
    return map->free_cells() == 5 && !map->passable(map->cell({1, 0})) ? 0 : 1;
}
