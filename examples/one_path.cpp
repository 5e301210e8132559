// The shortest program that finds a path: a map, two cells, and no index.

#include "cairn/cairn.hpp"

int main() {
    const auto map = cairn::load_map("maps/rooms.map");
    const auto path = cairn::find_path(*map, {35, 252}, {222, 217});
    return path ? 0 : 1;
}
