#include "cairn/grid/generate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <random>
#include <utility>
#include <vector>

#include "core/guarded.hpp"

namespace cairn::grid {
namespace {

constexpr std::uint8_t kGround = '.';
constexpr std::uint8_t kWall = '@';
constexpr std::uint8_t kTree = 'T';
constexpr std::uint8_t kWater = 'W';

// Random integers that are the same on every platform. The distributions of the standard library
// are not, since each library has its own.
class Random {
public:
    explicit Random(std::uint64_t seed) : engine_(seed) {}

    // From 0 to n - 1. Needs n > 0.
    [[nodiscard]] int below(int n) {
        return static_cast<int>(((engine_() >> 32) * static_cast<std::uint64_t>(n)) >> 32);
    }
    // From low to high, both included. Needs low <= high.
    [[nodiscard]] int between(int low, int high) { return low + below(high - low + 1); }
    // True with a probability of `chance` %.
    [[nodiscard]] bool percent(int chance) { return below(100) < chance; }

private:
    std::mt19937_64 engine_;
};

bool contains(const TerrainImage& image, int x, int y) {
    return x >= 0 && y >= 0 && x < image.width && y < image.height;
}

// What the draw_ function of a map kind works on.
struct Drawing {
    TerrainImage& image;  // all ground at first
    Random& random;
    int size;  // as MapKind defines them, checked, with defaults filled in
    int density;
    std::uint64_t seed;

    // Sets a cell if it is on the map.
    void dot(int x, int y, std::uint8_t terrain) const {
        if (contains(image, x, y)) image.set(x, y, terrain);
    }
    // Sets the part of a rectangle that is on the map.
    void fill(Rect r, std::uint8_t terrain) const {
        const int right = std::min(r.x + r.width, image.width);
        const int bottom = std::min(r.y + r.height, image.height);
        for (int y = std::max(r.y, 0); y < bottom; ++y) {
            for (int x = std::max(r.x, 0); x < right; ++x) image.set(x, y, terrain);
        }
    }
    [[nodiscard]] bool is(int x, int y, std::uint8_t terrain) const {
        return contains(image, x, y) && image.at(x, y) == terrain;
    }
};

// A pseudo-random value, 0 to 65535, of a lattice point (the finaliser of splitmix64).
std::uint32_t lattice_value(std::uint64_t seed, int x, int y) {
    std::uint64_t h = seed ^ (static_cast<std::uint64_t>(static_cast<std::uint32_t>(x)) << 32) ^
                      static_cast<std::uint32_t>(y);
    h = (h ^ (h >> 30)) * 0xbf58476d1ce4e5b9U;
    h = (h ^ (h >> 27)) * 0x94d049bb133111ebU;
    return static_cast<std::uint32_t>((h ^ (h >> 31)) >> 48);
}

// The smoothstep 3t^2 - 2t^3 of t = numerator / denominator, in units of 1/65536.
std::uint64_t ease(int numerator, int denominator) {
    const std::uint64_t t =
        (static_cast<std::uint64_t>(numerator) << 16) / static_cast<std::uint64_t>(denominator);
    return (t * t * ((3U << 16) - 2 * t)) >> 32;
}

// Linear interpolation: a for t = 0 to b for t = 65536.
std::uint64_t blend(std::uint64_t a, std::uint64_t b, std::uint64_t t) {
    return (a * (65536 - t) + b * t) >> 16;
}

// Smooth noise over the plane, 0 to 65535, with hills about `scale` cells wide: a sum of octaves of
// interpolated lattice values, each half as wide and half as high as the octave before.
std::uint32_t smooth_noise(std::uint64_t seed, int x, int y, int scale, int octaves) {
    std::uint64_t sum = 0;
    std::uint64_t weight = 0;
    for (int octave = 0; octave < octaves && scale >= 2; ++octave, scale /= 2) {
        const std::uint64_t octave_seed =
            seed * 0x9e3779b97f4a7c15U + static_cast<std::uint64_t>(octave);
        const int left = x / scale;
        const int top = y / scale;
        const std::uint64_t across = ease(x % scale, scale);
        const std::uint64_t down = ease(y % scale, scale);
        const std::uint64_t upper = blend(lattice_value(octave_seed, left, top),
                                          lattice_value(octave_seed, left + 1, top), across);
        const std::uint64_t lower = blend(lattice_value(octave_seed, left, top + 1),
                                          lattice_value(octave_seed, left + 1, top + 1), across);
        const std::uint64_t strength = std::uint64_t{256} >> octave;
        sum += strength * blend(upper, lower, down);
        weight += strength;
    }
    return weight == 0 ? 0 : static_cast<std::uint32_t>(sum / weight);
}

// A slice of a rectangle: columns `at` to `at + length - 1`, or rows if not `by_columns`.
Rect slice(Rect r, bool by_columns, int at, int length) {
    return by_columns ? Rect{r.x + at, r.y, length, r.height}
                      : Rect{r.x, r.y + at, r.width, length};
}

void draw_open(const Drawing&) {}

void draw_random(const Drawing& d) {
    for (std::uint8_t& cell : d.image.terrain) {
        if (d.random.percent(d.density)) cell = kWall;
    }
}

// Rooms by recursive division: a wall with doors divides a rectangle, and each part is divided in
// turn. A wall never ends at a door of another wall, so no door is blocked.

// Opens a door in a wall. A long wall gets, with a probability of `density` %, one in each half.
void open_doors(const Drawing& d, Rect wall, bool vertical) {
    const int length = vertical ? wall.height : wall.width;
    const int doors = length > d.size && d.random.percent(d.density) ? 2 : 1;
    for (int i = 0; i < doors; ++i) {
        const int from = length * i / doors;
        const int available = length * (i + 1) / doors - from;
        const int width = std::min(available, d.random.between(1, std::max(1, d.size / 4)));
        const int at = from + d.random.between(0, available - width);
        d.fill(slice(wall, !vertical, at, width), kGround);
    }
}

// Cuts `room` in two by a wall. Returns false, and leaves it whole, if it is too small, by chance
// if it is shorter than 2 * size, or if every position tried would block a door.
bool divide(const Drawing& d, Rect room, std::array<Rect, 2>& parts) {
    const bool vertical =
        room.width > room.height || (room.width == room.height && d.random.percent(50));
    const int side = vertical ? room.width : room.height;
    const int min_side = std::max(2, d.size * 2 / 3);
    if (side < 2 * min_side + 1) return false;
    if (side < d.size * 2 && d.random.percent(25)) return false;
    for (int attempt = 0; attempt < 8; ++attempt) {
        const int at = d.random.between(min_side, side - min_side - 1);
        const Rect wall = slice(room, vertical, at, 1);
        // The cells beyond the wall's two ends.
        const Point before{wall.x - (vertical ? 0 : 1), wall.y - (vertical ? 1 : 0)};
        const Point after{wall.x + (vertical ? 0 : wall.width),
                          wall.y + (vertical ? wall.height : 0)};
        if (!d.is(before.x, before.y, kWall) || !d.is(after.x, after.y, kWall)) continue;
        d.fill(wall, kWall);
        open_doors(d, wall, vertical);
        parts = {slice(room, vertical, 0, at), slice(room, vertical, at + 1, side - at - 1)};
        return true;
    }
    return false;
}

void draw_rooms(const Drawing& d) {
    const int w = d.image.width;
    const int h = d.image.height;
    d.fill({0, 0, w, h}, kWall);
    if (w < 3 || h < 3) return d.fill({0, 0, w, h}, kGround);
    d.fill({1, 1, w - 2, h - 2}, kGround);
    std::vector<Rect> undivided{{1, 1, w - 2, h - 2}};
    while (!undivided.empty()) {
        const Rect room = undivided.back();
        undivided.pop_back();
        std::array<Rect, 2> parts;
        if (divide(d, room, parts)) undivided.insert(undivided.end(), parts.begin(), parts.end());
    }
}

// A maze's rooms are squares of size x size cells with walls one cell wide between them.

struct MazeGrid {
    int columns;  // of rooms
    int rows;
    int pitch;  // from one room to the next: size + 1

    [[nodiscard]] Rect room(int column, int row) const {
        return {1 + column * pitch, 1 + row * pitch, pitch - 1, pitch - 1};
    }
    // The wall between a room and its neighbour to the east, or else to the south.
    [[nodiscard]] Rect wall(int column, int row, bool east) const {
        return slice(room(column, row), east, pitch - 1, 1);
    }
};

// Removes walls until all rooms are connected, by depth-first search from a random room. This makes
// long winding corridors.
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
        std::array<std::size_t, 4> directions{};  // to rooms not dug yet
        int count = 0;
        for (std::size_t i = 0; i < kDirections; i += 2) {
            const int x = p.x + kDx[i];
            const int y = p.y + kDy[i];
            if (x < 0 || y < 0 || x >= grid.columns || y >= grid.rows || dug[index(x, y)]) continue;
            directions[static_cast<std::size_t>(count++)] = i;
        }
        if (count == 0) {
            trail.pop_back();
            continue;
        }
        const std::size_t taken = directions[static_cast<std::size_t>(d.random.below(count))];
        const Point next{p.x + kDx[taken], p.y + kDy[taken]};
        d.fill(grid.wall(std::min(p.x, next.x), std::min(p.y, next.y), p.y == next.y), kGround);
        dug[index(next.x, next.y)] = true;
        trail.push_back(next);
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
    // Opens further walls, which makes loops.
    for (int row = 0; row < grid.rows; ++row) {
        for (int column = 0; column < grid.columns; ++column) {
            if (column + 1 < grid.columns && d.random.percent(d.density)) {
                d.fill(grid.wall(column, row, /*east=*/true), kGround);
            }
            if (row + 1 < grid.rows && d.random.percent(d.density)) {
                d.fill(grid.wall(column, row, /*east=*/false), kGround);
            }
        }
    }
}

// A city is made of blocks between streets; each block is houses, a park or a plaza.

// The first cell and the length of every block along one axis. Streets lie between the blocks;
// every fourth is wide.
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

// A round pool in the middle, and a pillar near each corner.
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

// A house; a large one may have a yard inside, with a passage into it.
void draw_house(const Drawing& d, Rect house) {
    d.fill(house, kWall);
    const int depth = std::max(2, std::min(house.width, house.height) / 4);
    const Rect yard{house.x + depth, house.y + depth, house.width - 2 * depth,
                    house.height - 2 * depth};
    if (yard.width < 3 || yard.height < 3 || d.random.percent(35)) return;
    d.fill(yard, kGround);
    const int x = yard.x + yard.width / 2;
    const int y = yard.y + yard.height / 2;
    const std::array<Rect, 4> passages{{{x, house.y, 1, depth},
                                        {x, yard.y + yard.height, 1, depth},
                                        {house.x, y, depth, 1},
                                        {yard.x + yard.width, y, depth, 1}}};
    d.fill(passages[static_cast<std::size_t>(d.random.below(4))], kGround);
}

// Houses with alleys one cell wide between them.
void draw_houses(const Drawing& d, Rect block) {
    std::vector<Rect> undivided{block};
    while (!undivided.empty()) {
        const Rect r = undivided.back();
        undivided.pop_back();
        const bool vertical = r.width > r.height;
        const int side = vertical ? r.width : r.height;
        if (side < 14 || d.random.percent(20)) {
            draw_house(d, r);
            continue;
        }
        const int at = d.random.between(side / 3, side - side / 3 - 1);
        undivided.push_back(slice(r, vertical, 0, at));
        undivided.push_back(slice(r, vertical, at + 1, side - at - 1));
    }
}

// A straight street across the whole map: from row `from` at the left down by `rise` rows, or the
// same upwards.
void draw_avenue(const Drawing& d) {
    const std::int64_t w = d.image.width;
    const std::int64_t h = d.image.height;
    const std::int64_t from = d.random.below(std::max(1, d.image.height / 3));
    const std::int64_t rise = h - 1 - d.random.below(std::max(1, d.image.height / 3)) - from;
    const bool falling = d.random.percent(50);
    constexpr std::int64_t half_width = 3;
    for (std::int64_t y = 0; y < h; ++y) {
        for (std::int64_t x = 0; x < w; ++x) {
            // The distance to the street's middle, times the length of the vector (w, rise).
            const std::int64_t offset = (from - y) * w + rise * x;
            if (offset * offset > half_width * half_width * (w * w + rise * rise)) continue;
            d.dot(static_cast<int>(x), static_cast<int>(falling ? y : h - 1 - y), kGround);
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

// Caves: random rock, smoothed on a coarse grid, enlarged, and smoothed again.

// How many of a cell's eight neighbours are rock; beyond the map all is rock.
int rock_around(const TerrainImage& image, int x, int y) {
    int count = 0;
    for (std::size_t i = 0; i < kDirections; ++i) {
        const int nx = x + kDx[i];
        const int ny = y + kDy[i];
        if (!contains(image, nx, ny) || image.at(nx, ny) == kWall) ++count;
    }
    return count;
}

// A cell becomes what most cells around it are; in a tie it stays.
void smooth(TerrainImage& image) {
    TerrainImage next = image;
    for (int y = 0; y < image.height; ++y) {
        for (int x = 0; x < image.width; ++x) {
            const int rock = rock_around(image, x, y);
            if (rock != 4) next.set(x, y, rock > 4 ? kWall : kGround);
        }
    }
    image = std::move(next);
}

// Turns regions of ground (joined by straight steps) of fewer than `min_cells` cells into rock.
void fill_pockets(TerrainImage& image, std::size_t min_cells) {
    constexpr std::uint8_t kSeen = 1;
    std::vector<Point> region;
    for (int y = 0; y < image.height; ++y) {
        for (int x = 0; x < image.width; ++x) {
            if (image.at(x, y) != kGround) continue;
            region.assign(1, {x, y});
            image.set(x, y, kSeen);
            for (std::size_t i = 0; i < region.size(); ++i) {
                for (std::size_t j = 0; j < kDirections; j += 2) {
                    const Point p{region[i].x + kDx[j], region[i].y + kDy[j]};
                    if (!contains(image, p.x, p.y) || image.at(p.x, p.y) != kGround) continue;
                    image.set(p.x, p.y, kSeen);
                    region.push_back(p);
                }
            }
            if (region.size() >= min_cells) continue;
            for (const Point p : region) image.set(p.x, p.y, kWall);
        }
    }
    for (std::uint8_t& cell : image.terrain) {
        if (cell == kSeen) cell = kGround;
    }
}

void draw_caves(const Drawing& d) {
    const int k = d.size;  // a coarse cell becomes k x k cells
    TerrainImage coarse{(d.image.width + k - 1) / k, (d.image.height + k - 1) / k, {}};
    coarse.terrain.assign(
        static_cast<std::size_t>(coarse.width) * static_cast<std::size_t>(coarse.height), kGround);
    draw_random({coarse, d.random, d.size, d.density, d.seed});
    for (int i = 0; i < 5; ++i) smooth(coarse);
    for (int y = 0; y < d.image.height; ++y) {
        for (int x = 0; x < d.image.width; ++x) d.image.set(x, y, coarse.at(x / k, y / k));
    }
    for (int i = 0; i < std::min(2 * k - 2, 8); ++i) smooth(d.image);
    fill_pockets(d.image, static_cast<std::size_t>(32 * k * k));
}

// A tree of size 3 is a plus sign, others are squares.
void draw_tree(const Drawing& d, int x, int y, int size) {
    if (size == 3) {
        d.fill({x - 1, y, 3, 1}, kTree);
        d.fill({x, y - 1, 1, 3}, kTree);
    } else {
        d.fill({x, y, size, size}, kTree);
    }
}

void draw_forest(const Drawing& d) {
    const std::uint64_t cells = d.image.terrain.size();
    const std::uint64_t wanted = cells * static_cast<std::uint64_t>(d.density) / 100;
    std::uint64_t covered = 0;
    // There are no trees where the noise is low: these are clearings. The number of attempts is
    // bounded, since everything else may be full of trees.
    for (std::uint64_t attempt = 0; covered < wanted && attempt < 16 * cells + 64; ++attempt) {
        const int x = d.random.below(d.image.width);
        const int y = d.random.below(d.image.height);
        const auto noise = static_cast<int>(smooth_noise(d.seed, x, y, 48, 3) >> 8);  // 0 to 255
        if (d.random.between(70, 190) > noise || d.image.at(x, y) != kGround) continue;
        const int size = d.random.between(1, d.size);
        draw_tree(d, x, y, size);
        covered += static_cast<std::uint64_t>(size == 3 ? 5 : size * size);
    }
}

// The share of land, in percent, that each weight from 1 to 9 gets: plains are common, peaks rare.
constexpr std::array<std::uint64_t, 9> kLandShare{22, 18, 15, 12, 10, 8, 6, 5, 4};

// The lowest height of each weight, 1 first, so that every weight gets its share; lower is water.
std::array<std::uint32_t, 9> height_bounds(const std::vector<std::uint16_t>& heights,
                                           int lake_percent) {
    std::vector<std::uint64_t> below(65537, 0);  // of each height: the cells that are lower
    for (const std::uint16_t h : heights) ++below[h + std::size_t{1}];
    for (std::size_t i = 1; i < below.size(); ++i) below[i] += below[i - 1];
    const std::uint64_t water = heights.size() * static_cast<std::uint64_t>(lake_percent) / 100;
    const std::uint64_t land = heights.size() - water;
    std::array<std::uint32_t, 9> bounds{};
    std::uint64_t share = 0;  // of the land, in percent, that lies lower
    for (std::size_t i = 0; i < bounds.size(); ++i) {
        const std::uint64_t rank = water + land * share / 100;
        const auto above = std::upper_bound(below.begin(), below.end(), rank);
        bounds[i] = static_cast<std::uint32_t>(above - below.begin() - 1);
        share += kLandShare[i];
    }
    return bounds;
}

void draw_terrain(const Drawing& d) {
    std::vector<std::uint16_t> heights;
    heights.reserve(d.image.terrain.size());
    for (int y = 0; y < d.image.height; ++y) {
        for (int x = 0; x < d.image.width; ++x) {
            heights.push_back(static_cast<std::uint16_t>(smooth_noise(d.seed, x, y, d.size, 6)));
        }
    }
    const auto bounds = height_bounds(heights, d.density);
    for (std::size_t i = 0; i < heights.size(); ++i) {
        const auto weight =
            std::upper_bound(bounds.begin(), bounds.end(), heights[i]) - bounds.begin();
        d.image.terrain[i] = weight == 0 ? kWater : static_cast<std::uint8_t>('0' + weight);
    }
}

// An option's range and default.
struct Range {
    int low;
    int high;
    int usual;
};

struct KindInfo {
    const char* name;
    Range size;
    Range density;
    void (*draw)(const Drawing&);
};

const KindInfo& info(MapKind kind) noexcept {
    static constexpr std::array<KindInfo, kMapKinds.size()> kinds{{
        {"open", {0, 1 << 20, 0}, {0, 100, 0}, draw_open},
        {"random", {0, 1 << 20, 0}, {0, 100, 25}, draw_random},
        {"rooms", {4, 1000, 12}, {0, 100, 30}, draw_rooms},
        {"maze", {1, 1000, 1}, {0, 100, 0}, draw_maze},
        {"caves", {1, 64, 2}, {0, 100, 47}, draw_caves},
        {"city", {8, 1000, 26}, {0, 100, 15}, draw_city},
        {"forest", {1, 3, 3}, {0, 60, 20}, draw_forest},
        {"terrain", {4, 4096, 64}, {0, 90, 15}, draw_terrain},
    }};
    return kinds[static_cast<std::size_t>(kind)];
}

Status check(const char* option, int value, int low, int high) {
    if (value >= low && value <= high) return {};
    return {StatusCode::bad_option,
            fmt::format("{} {}: must be {} to {}", option, value, low, high)};
}

}  // namespace

std::string_view name(MapKind kind) noexcept {
    return static_cast<std::size_t>(kind) < kMapKinds.size() ? info(kind).name : "unknown";
}

std::optional<MapKind> map_kind(std::string_view name) noexcept {
    for (const MapKind kind : kMapKinds) {
        if (info(kind).name == name) return kind;
    }
    return std::nullopt;
}

Result<TerrainImage> generate(const GenerateOptions& options) noexcept try {
    if (static_cast<std::size_t>(options.kind) >= kMapKinds.size()) {
        return fail(StatusCode::bad_option,
                    fmt::format("map kind {} is not known", static_cast<int>(options.kind)));
    }
    const KindInfo& kind = info(options.kind);
    const int size = options.size.value_or(kind.size.usual);
    const int density = options.density.value_or(kind.density.usual);
    for (const Status& s : {check("width", options.width, 1, Map::kMaxSide),
                            check("height", options.height, 1, Map::kMaxSide),
                            check("size", size, kind.size.low, kind.size.high),
                            check("density", density, kind.density.low, kind.density.high)}) {
        if (!s.ok()) return fail(s.code, fmt::format("{} map: {}", kind.name, s.message));
    }
    TerrainImage image{options.width, options.height, {}};
    image.terrain.assign(
        static_cast<std::size_t>(options.width) * static_cast<std::size_t>(options.height),
        kGround);
    Random random(options.seed);
    kind.draw({image, random, size, density, options.seed});
    return image;
} catch (...) {
    return out_of_memory();
}

Status plant_trees(TerrainImage& image, int percent, std::uint64_t seed) noexcept try {
    if (Status s = check("percent", percent, 0, 100); !s.ok()) return s;
    std::mt19937_64 random(seed);
    for (std::uint8_t& cell : image.terrain) {
        if (cell != kGround && cell != 'G') continue;
        if (random() % 100 < static_cast<std::uint64_t>(percent)) cell = kTree;
    }
    return {};
} catch (...) {
    return out_of_memory();
}

}  // namespace cairn::grid
