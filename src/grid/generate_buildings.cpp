#include <array>
#include <utility>
#include <vector>

#include "generate_kinds.hpp"

namespace cairn::grid {
namespace {

// Rooms by recursive division: a wall with a door divides a rectangle, and so on. A wall never ends
// in a door, so every part stays connected.

/// One cut of a room; `along` is the wall's first cell, `vertical` its direction.
struct Cut {
    bool vertical;
    Point along;
    int length;
};

void open_doors(const Drawing& d, const Cut& cut) {
    const int doors = cut.length > d.size && d.random.percent(d.density) ? 2 : 1;
    for (int i = 0; i < doors; ++i) {
        const int from = cut.length * i / doors;
        const int room = cut.length * (i + 1) / doors - from;
        const int width = std::min(room, d.random.between(1, std::max(1, d.size / 4)));
        const int at = from + d.random.between(0, room - width);
        d.fill(cut.vertical ? Rect{cut.along.x, cut.along.y + at, 1, width}
                            : Rect{cut.along.x + at, cut.along.y, width, 1},
               kGround);
    }
}

/// Cuts `room` in two, or leaves it whole if it is small or every place tried would block a door.
bool divide(const Drawing& d, Rect room, std::array<Rect, 2>& parts) {
    const bool vertical =
        room.width > room.height || (room.width == room.height && d.random.percent(50));
    const int side = vertical ? room.width : room.height;
    const int least = std::max(2, d.size * 2 / 3);
    if (side < 2 * least + 1) return false;
    if (side < d.size * 2 && d.random.percent(25)) return false;
    for (int attempt = 0; attempt < 8; ++attempt) {
        const int at = d.random.between(least, side - least - 1);
        const Cut cut{vertical, vertical ? Point{room.x + at, room.y} : Point{room.x, room.y + at},
                      vertical ? room.height : room.width};
        const Point before =
            vertical ? Point{cut.along.x, cut.along.y - 1} : Point{cut.along.x - 1, cut.along.y};
        const Point after = vertical ? Point{cut.along.x, cut.along.y + cut.length}
                                     : Point{cut.along.x + cut.length, cut.along.y};
        if (!d.is(before.x, before.y, kWall) || !d.is(after.x, after.y, kWall)) continue;
        d.fill(vertical ? Rect{cut.along.x, cut.along.y, 1, cut.length}
                        : Rect{cut.along.x, cut.along.y, cut.length, 1},
               kWall);
        open_doors(d, cut);
        parts[0] =
            vertical ? Rect{room.x, room.y, at, room.height} : Rect{room.x, room.y, room.width, at};
        parts[1] = vertical ? Rect{room.x + at + 1, room.y, room.width - at - 1, room.height}
                            : Rect{room.x, room.y + at + 1, room.width, room.height - at - 1};
        return true;
    }
    return false;
}

// Maze cells are squares of `size` cells with walls of one cell between them.

struct MazeGrid {
    int columns;
    int rows;
    int pitch;

    [[nodiscard]] Rect room(int column, int row) const {
        return {1 + column * pitch, 1 + row * pitch, pitch - 1, pitch - 1};
    }
    /// The wall between a room and the one to its east or south.
    [[nodiscard]] Rect wall(int column, int row, bool east) const {
        const Rect r = room(column, row);
        return east ? Rect{r.x + r.width, r.y, 1, r.height} : Rect{r.x, r.y + r.height, r.width, 1};
    }
};

/// Digs from a random room, always on from the newest one that has an undug neighbour. This makes
/// long winding corridors.
void dig_maze(const Drawing& d, const MazeGrid& grid) {
    const auto index = [&](int column, int row) {
        return static_cast<std::size_t>(row) * static_cast<std::size_t>(grid.columns) +
               static_cast<std::size_t>(column);
    };
    std::vector<bool> dug(index(0, grid.rows), false);
    std::vector<Point> trail{{d.random.below(grid.columns), d.random.below(grid.rows)}};
    dug[index(trail[0].x, trail[0].y)] = true;
    while (!trail.empty()) {
        const Point p = trail.back();
        std::array<int, 4> ways{};
        int count = 0;
        for (int way = 0; way < kDirections; way += 2) {
            const int x = p.x + kDx[static_cast<std::size_t>(way)];
            const int y = p.y + kDy[static_cast<std::size_t>(way)];
            if (x < 0 || y < 0 || x >= grid.columns || y >= grid.rows || dug[index(x, y)]) continue;
            ways[static_cast<std::size_t>(count++)] = way;
        }
        if (count == 0) {
            trail.pop_back();
            continue;
        }
        const auto way =
            static_cast<std::size_t>(ways[static_cast<std::size_t>(d.random.below(count))]);
        const Point next{p.x + kDx[way], p.y + kDy[way]};
        d.fill(
            grid.wall(std::min(p.x, next.x), std::min(p.y, next.y), way == kEast || way == kWest),
            kGround);
        dug[index(next.x, next.y)] = true;
        trail.push_back(next);
    }
}

// A city is made of blocks between streets; each block is houses, a park or a plaza.

/// The first cell and the length of every block along one axis; streets lie between them.
std::vector<std::pair<int, int>> lay_streets(const Drawing& d, int side) {
    std::vector<std::pair<int, int>> blocks;
    int at = d.random.between(1, 3);
    for (int number = 1; at < side; ++number) {
        const int length = std::max(4, d.random.between(d.size * 2 / 3, d.size * 4 / 3));
        blocks.emplace_back(at, length);
        const int street = number % 4 == 0 ? d.random.between(5, 6) : d.random.between(2, 3);
        at += length + street;
    }
    return blocks;
}

void draw_plaza(const Drawing& d, Rect block) {
    const int radius = std::min(block.width, block.height) / 6;
    const int cx = block.x + block.width / 2;
    const int cy = block.y + block.height / 2;
    for (int y = -radius; y <= radius; ++y) {
        for (int x = -radius; x <= radius; ++x) {
            if (x * x + y * y <= radius * radius) d.dot(cx + x, cy + y, kWater);
        }
    }
    for (const int x : {block.x + 2, block.x + block.width - 3}) {
        for (const int y : {block.y + 2, block.y + block.height - 3}) d.dot(x, y, kWall);
    }
}

void draw_park(const Drawing& d, Rect block) {
    for (int y = block.y + 1; y + 1 < block.y + block.height; ++y) {
        for (int x = block.x + 1; x + 1 < block.x + block.width; ++x) {
            if (d.random.percent(12)) d.dot(x, y, kTree);
        }
    }
}

/// A house with, if there is room, a yard inside and a passage into it.
void draw_house(const Drawing& d, Rect house) {
    d.fill(house, kWall);
    const int depth = std::max(2, std::min(house.width, house.height) / 4);
    const Rect yard{house.x + depth, house.y + depth, house.width - 2 * depth,
                    house.height - 2 * depth};
    if (yard.width < 3 || yard.height < 3 || d.random.percent(35)) return;
    d.fill(yard, kGround);
    const int x = yard.x + yard.width / 2;
    const int y = yard.y + yard.height / 2;
    switch (d.random.below(4)) {
        case 0:
            return d.fill({x, house.y, 1, depth}, kGround);
        case 1:
            return d.fill({x, yard.y + yard.height, 1, depth}, kGround);
        case 2:
            return d.fill({house.x, y, depth, 1}, kGround);
        default:
            return d.fill({yard.x + yard.width, y, depth, 1}, kGround);
    }
}

/// Houses with alleys one cell wide between them.
void draw_houses(const Drawing& d, Rect block) {
    std::vector<Rect> open{block};
    while (!open.empty()) {
        const Rect r = open.back();
        open.pop_back();
        const bool vertical = r.width > r.height;
        const int side = vertical ? r.width : r.height;
        if (side < 14 || d.random.percent(20)) {
            draw_house(d, r);
            continue;
        }
        const int at = d.random.between(side / 3, side - side / 3 - 1);
        open.push_back(vertical ? Rect{r.x, r.y, at, r.height} : Rect{r.x, r.y, r.width, at});
        open.push_back(vertical ? Rect{r.x + at + 1, r.y, r.width - at - 1, r.height}
                                : Rect{r.x, r.y + at + 1, r.width, r.height - at - 1});
    }
}

/// A street from the left side to the right, straight across everything.
void draw_avenue(const Drawing& d) {
    const std::int64_t w = d.image.width;
    const std::int64_t h = d.image.height;
    const std::int64_t from = d.random.below(std::max(1, d.image.height / 3));
    const std::int64_t rise = h - 1 - d.random.below(std::max(1, d.image.height / 3)) - from;
    const bool falling = d.random.percent(50);
    constexpr std::int64_t half_width = 3;
    for (std::int64_t y = 0; y < h; ++y) {
        for (std::int64_t x = 0; x < w; ++x) {
            const std::int64_t off = (from - y) * w + rise * x;
            if (off * off > half_width * half_width * (w * w + rise * rise)) continue;
            d.dot(static_cast<int>(x), static_cast<int>(falling ? y : h - 1 - y), kGround);
        }
    }
}

}  // namespace

void draw_rooms(const Drawing& d) {
    const int w = d.image.width;
    const int h = d.image.height;
    d.fill({0, 0, w, h}, kWall);
    if (w < 3 || h < 3) return d.fill({0, 0, w, h}, kGround);
    d.fill({1, 1, w - 2, h - 2}, kGround);
    std::vector<Rect> open{{1, 1, w - 2, h - 2}};
    while (!open.empty()) {
        const Rect room = open.back();
        open.pop_back();
        std::array<Rect, 2> parts;
        if (divide(d, room, parts)) open.insert(open.end(), parts.begin(), parts.end());
    }
}

void draw_maze(const Drawing& d) {
    const int pitch = d.size + 1;
    const MazeGrid grid{(d.image.width - 1) / pitch, (d.image.height - 1) / pitch, pitch};
    if (grid.columns < 1 || grid.rows < 1) return;
    d.fill({0, 0, d.image.width, d.image.height}, kWall);
    for (int row = 0; row < grid.rows; ++row) {
        for (int column = 0; column < grid.columns; ++column)
            d.fill(grid.room(column, row), kGround);
    }
    dig_maze(d, grid);
    if (d.density == 0) return;
    for (int row = 0; row < grid.rows; ++row) {
        for (int column = 0; column < grid.columns; ++column) {
            if (column + 1 < grid.columns && d.random.percent(d.density)) {
                d.fill(grid.wall(column, row, true), kGround);
            }
            if (row + 1 < grid.rows && d.random.percent(d.density)) {
                d.fill(grid.wall(column, row, false), kGround);
            }
        }
    }
}

void draw_city(const Drawing& d) {
    const auto columns = lay_streets(d, d.image.width);
    const auto rows = lay_streets(d, d.image.height);
    for (const auto& [y, height] : rows) {
        for (const auto& [x, width] : columns) {
            const Rect block{x, y, width, height};
            if (!d.random.percent(d.density)) {
                draw_houses(d, block);
            } else if (d.random.percent(50)) {
                draw_park(d, block);
            } else {
                draw_plaza(d, block);
            }
        }
    }
    draw_avenue(d);
}

}  // namespace cairn::grid
