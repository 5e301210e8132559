#include "cairn/grid/map.hpp"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <bit>
#include <numbers>

#include "core/guarded.hpp"
#include "grid/map_checks.hpp"

namespace cairn::grid {
namespace {

// Calls use(cell, its legal moves) for each cell of `area`, which lies on the map.
template <class Use>
void for_each_moves(const Map& map, const Rect& area, const Use& use) {
    const MoveRules rules = map.options().rules;
    const auto is_free = [&](int x, int y) -> unsigned {
        return map.contains({x, y}) && map.passable(map.cell({x, y})) ? 1 : 0;
    };
    for (int y = area.y; y < area.y + area.height; ++y) {
        // Bit i of a column: whether (x, y - 1 + i) is free. Each column serves three cells.
        const auto column = [&](int x) {
            return is_free(x, y - 1) | is_free(x, y) << 1 | is_free(x, y + 1) << 2;
        };
        unsigned west = column(area.x - 1);
        unsigned here = column(area.x);
        for (int x = area.x; x < area.x + area.width; ++x) {
            const unsigned east = column(x + 1);
            const unsigned free = (here & 1) << kNorth | east << kNorthEast | here >> 2 << kSouth |
                                  west >> 2 << kSouthWest | (west >> 1 & 1) << kWest |
                                  (west & 1) << kNorthWest;
            const bool passable = (here & 2) != 0;
            use(map.cell({x, y}),
                passable ? legal_moves(static_cast<std::uint8_t>(free), rules) : std::uint8_t{0});
            west = here;
            here = east;
        }
    }
}

// The cells of each terrain.
std::array<std::uint64_t, 256> histogram_of(const PagedArray<std::uint8_t>& terrain) {
    // Neighbouring cells are often equal. Several counters keep them from waiting for each other.
    std::array<std::array<std::uint32_t, 256>, 4> counts{};
    terrain.for_each_run([&](std::span<const std::uint8_t> run) {
        for (std::size_t i = 0; i < run.size(); ++i) ++counts[i % 4][run[i]];
    });
    std::array<std::uint64_t, 256> histogram{};
    for (const auto& part : counts) {
        for (std::size_t t = 0; t < 256; ++t) histogram[t] += part[t];
    }
    return histogram;
}

// Writes the moves of a row of `width` cells. The rows hold a 0, then a byte for each cell, 1 if it
// is free, then a 0. A loop of constant rules takes many cells at once.
void write_moves(const std::uint8_t* north, const std::uint8_t* here, const std::uint8_t* south,
                 std::size_t width, const MoveRules& rules, std::uint8_t* out) {
    for (std::size_t x = 0; x < width; ++x) {
        const auto free = static_cast<std::uint8_t>(
            north[x + 1] | north[x + 2] << 1 | here[x + 2] << 2 | south[x + 2] << 3 |
            south[x + 1] << 4 | south[x] << 5 | here[x] << 6 | north[x] << 7);
        out[x] = static_cast<std::uint8_t>(legal_moves(free, rules) & -here[x + 1]);
    }
}

// The moves of all cells of a map of these terrain bytes.
PagedArray<std::uint8_t> all_moves(const Map& map, const PagedArray<std::uint8_t>& terrain) {
    const auto& [rules, costs, weights] = map.options();
    const auto width = static_cast<std::size_t>(map.width());
    std::vector<std::uint8_t> moves(map.size());
    // First a byte for each cell, 1 if it is free. A row's moves take the place of its bytes once
    // its neighbours have been read.
    std::uint8_t* next = moves.data();
    const auto& weight = weights.weight;
    terrain.for_each_run([&](std::span<const std::uint8_t> run) {
        for (const std::uint8_t t : run) *next++ = weight[t] != 0 ? 1 : 0;
    });
    std::array<std::vector<std::uint8_t>, 3> rows;  // north of a row, the row, south of it
    for (std::vector<std::uint8_t>& row : rows) row.assign(width + 2, 0);
    std::copy_n(moves.begin(), width, rows[1].begin() + 1);
    for (std::size_t first = 0; first < moves.size(); first += width) {
        if (first + width < moves.size()) {
            std::copy_n(moves.begin() + static_cast<std::ptrdiff_t>(first + width), width,
                        rows[2].begin() + 1);
        } else {
            std::fill(rows[2].begin(), rows[2].end(), std::uint8_t{0});
        }
        const auto write = [&](const MoveRules& constant) {
            write_moves(rows[0].data(), rows[1].data(), rows[2].data(), width, constant,
                        &moves[first]);
        };
        if (rules == MoveRules{}) {
            write(MoveRules{});
        } else {
            write(rules);
        }
        std::swap(rows[0], rows[1]);
        std::swap(rows[1], rows[2]);
    }
    return PagedArray<std::uint8_t>(std::span<const std::uint8_t>(moves));
}

}  // namespace

TerrainWeights TerrainWeights::movingai() noexcept {
    TerrainWeights weights;
    for (const char letter : {'.', 'G', 'S'})
        weights.weight[static_cast<unsigned char>(letter)] = 1;
    return weights;
}

TerrainWeights TerrainWeights::weighted() noexcept {
    TerrainWeights weights = movingai();
    for (std::uint8_t w = 1; w <= 9; ++w) weights.weight[static_cast<std::size_t>('0' + w)] = w;
    return weights;
}

TerrainWeights TerrainWeights::literal() noexcept {
    TerrainWeights weights;
    for (std::size_t i = 0; i < 256; ++i) weights.weight[i] = static_cast<std::uint8_t>(i);
    return weights;
}

Result<Map> Map::create(int width, int height, std::span<const std::uint8_t> terrain,
                        const MapOptions& options) noexcept try {
    return create(width, height, PagedArray<std::uint8_t>(terrain), options);
} catch (...) {
    return out_of_memory();
}

Result<Map> Map::create(int width, int height, PagedArray<std::uint8_t> terrain,
                        const MapOptions& options) noexcept try {
    if (Status s = check_shape(width, height, terrain.size(), options.costs, options.rules);
        !s.ok()) {
        return tl::unexpected(std::move(s));
    }
    Map map;
    map.set_shape(width, height, options);
    map.terrain_ = std::move(terrain);
    map.histogram_ = histogram_of(map.terrain_);
    map.derive_costs();

    map.moves_ = all_moves(map, map.terrain_);
    return map;
} catch (...) {
    return out_of_memory();
}

void Map::set_shape(int width, int height, const MapOptions& options) {
    width_ = width;
    height_ = height;
    options_ = options;
    for (std::size_t d = 0; d < kDirections; ++d)
        offsets_[d] = static_cast<Cell>(kDy[d] * width + kDx[d]);
}

Map::Parts Map::parts() const { return {width_, height_, options_, terrain_, moves_, histogram_}; }

Result<Map> Map::of_parts(Parts parts) noexcept try {
    if (Status s = check_shape(parts.width, parts.height, parts.terrain.size(), parts.options.costs,
                               parts.options.rules);
        !s.ok())
        return tl::unexpected(std::move(s));
    if (parts.moves.size() != parts.terrain.size())
        return fail(StatusCode::bad_option, "a map must have moves for each of its cells");
    Map map;
    map.set_shape(parts.width, parts.height, parts.options);
    map.terrain_ = std::move(parts.terrain);
    map.moves_ = std::move(parts.moves);
    map.histogram_ = parts.histogram;
    map.derive_costs();
    return map;
} catch (...) {
    return out_of_memory();
}

Result<Map> Map::edited(std::span<const TerrainEdit> edits) const noexcept try {
    if (Status s = check_edits(width_, height_, edits); !s.ok())
        return tl::unexpected(std::move(s));
    Map map = *this;
    PagedArray<std::uint8_t>::Editor terrain(terrain_);
    for (const auto& [area, value] : edits) {
        for (int y = area.y; y < area.y + area.height; ++y) {
            for (int x = area.x; x < area.x + area.width; ++x) {
                const Cell c = cell({x, y});
                --map.histogram_[terrain[c]];
                ++map.histogram_[value];
                terrain.set(c, value);
            }
        }
    }
    map.terrain_ = terrain.take();
    map.derive_costs();
    std::vector<Rect> areas;
    for (const TerrainEdit& edit : edits) areas.push_back(edit.area);
    map.edit_moves(areas);
    return map;
} catch (...) {
    return out_of_memory();
}

Result<Map> Map::with_terrain(PagedArray<std::uint8_t> terrain,
                              std::span<const Rect> areas) const noexcept try {
    if (Status s = check_shape(width_, height_, terrain.size(), options_.costs, options_.rules);
        !s.ok()) {
        return tl::unexpected(std::move(s));
    }
    std::vector<TerrainEdit> edits;
    for (const Rect& area : areas) edits.push_back({area, 0});
    if (Status s = check_edits(width_, height_, edits); !s.ok())
        return tl::unexpected(std::move(s));
    Map map = *this;
    // Areas may overlap. A cell that has been counted has its new byte here.
    PagedArray<std::uint8_t>::Editor counted(terrain_);
    for (const Rect& area : areas) {
        for (int y = area.y; y < area.y + area.height; ++y) {
            for (int x = area.x; x < area.x + area.width; ++x) {
                const Cell c = cell({x, y});
                if (counted[c] == terrain[c]) continue;
                --map.histogram_[counted[c]];
                ++map.histogram_[terrain[c]];
                counted.set(c, terrain[c]);
            }
        }
    }
    map.terrain_ = std::move(terrain);
    map.derive_costs();
    map.edit_moves(areas);
    return map;
} catch (...) {
    return out_of_memory();
}

Result<Map> Map::with_weights(const TerrainWeights& weights) const noexcept try {
    for (std::size_t t = 0; t < 256; ++t) {
        const bool was_free = options_.weights.weight[t] != 0;
        if (histogram_[t] == 0 || was_free == (weights.weight[t] != 0)) continue;
        return fail(StatusCode::bad_option,
                    fmt::format("weights: terrain byte {} is {} on the map, its new weight is {}",
                                t, was_free ? "free" : "an obstacle", weights.weight[t]));
    }
    Map map = *this;
    map.options_.weights = weights;
    map.derive_costs();
    return map;
} catch (...) {
    return out_of_memory();
}

// Finds the moves of the cells in `areas`, and next to them, again.
void Map::edit_moves(std::span<const Rect> areas) {
    PagedArray<std::uint8_t>::Editor moves(moves_);
    for (const Rect& area : areas) {
        const int left = std::max(area.x - 1, 0);
        const int top = std::max(area.y - 1, 0);
        const int right = std::min(area.x + area.width + 1, width_);
        const int bottom = std::min(area.y + area.height + 1, height_);
        for_each_moves(*this, {left, top, right - left, bottom - top},
                       [&](Cell c, std::uint8_t legal) {
                           if (legal != moves[c]) moves.set(c, legal);
                       });
    }
    moves_ = moves.take();
}

// Derives the costs of moves and the number of free cells from histogram_.
void Map::derive_costs() noexcept {
    std::uint32_t lightest = 255;
    std::uint32_t heaviest = 0;
    free_cells_ = 0;
    for (std::size_t t = 0; t < 256; ++t) {
        const std::uint32_t w = options_.weights.weight[t];
        if (w == 0 || histogram_[t] == 0) continue;
        free_cells_ += histogram_[t];
        lightest = std::min(lightest, w);
        heaviest = std::max(heaviest, w);
    }
    if (heaviest == 0) lightest = heaviest = 1;  // no free cell

    const CostModel& costs = options_.costs;
    uniform_ = lightest == heaviest;
    min_cost_ = {costs.straight * lightest, costs.diagonal * lightest};
    uniform_cost_ = min_cost_;
    const bool eight = options_.rules.neighbourhood == Neighbourhood::eight;
    bound_diagonal_ = eight ? min_cost_[1] : 2 * min_cost_[0];
    bounds_fit_ = false;  // so that the longest is computed without wrapping
    bounds_fit_ = distance_bound({0, 0}, {width_ - 1, height_ - 1}) < kInfinity;
    max_move_ = (eight ? costs.diagonal : costs.straight) * heaviest;
}

std::size_t Map::edge_count() const noexcept {
    std::size_t directed = 0;
    moves_.for_each_run([&](std::span<const std::uint8_t> run) {
        for (const std::uint8_t moves : run)
            directed += static_cast<std::size_t>(std::popcount(moves));
    });
    return directed / 2;
}

std::uint64_t Map::fingerprint() const noexcept {
    const std::array<std::uint32_t, 6> header{
        static_cast<std::uint32_t>(width_),
        static_cast<std::uint32_t>(height_),
        static_cast<std::uint32_t>(options_.rules.neighbourhood),
        static_cast<std::uint32_t>(options_.rules.corner),
        options_.costs.straight,
        options_.costs.diagonal};
    std::uint64_t hash = XXH3_64bits(header.data(), sizeof header);
    hash =
        XXH3_64bits_withSeed(options_.weights.weight.data(), options_.weights.weight.size(), hash);
    terrain_.for_each_run([&](std::span<const std::uint8_t> run) {
        hash = XXH3_64bits_withSeed(run.data(), run.size(), hash);
    });
    return hash;
}

bool operator==(const Map& a, const Map& b) {
    if (a.width_ != b.width_ || a.height_ != b.height_ || !(a.options_.rules == b.options_.rules) ||
        !(a.options_.costs == b.options_.costs) || !(a.options_.weights == b.options_.weights)) {
        return false;
    }
    for (Cell c = 0; c < a.size(); ++c) {
        if (a.terrain_[c] != b.terrain_[c]) return false;
    }
    return true;
}

int legal_direction(const Map& map, Cell from, Cell to) noexcept {
    const Point a = map.point(from);
    const Point b = map.point(to);
    const int dx = b.x - a.x;
    const int dy = b.y - a.y;
    if (std::abs(dx) > 1 || std::abs(dy) > 1 || (dx == 0 && dy == 0)) return -1;
    const int d = direction_of(dx, dy);
    return (map.moves(from) >> d & 1) != 0 ? d : -1;
}

double path_length(const Map& map, std::span<const Cell> path) {
    double length = 0;
    for (std::size_t i = 0; i + 1 < path.size(); ++i) {
        const Point a = map.point(path[i]);
        const Point b = map.point(path[i + 1]);
        const double weight = (map.weight(path[i]) + map.weight(path[i + 1])) / 2.0;
        length += (a.x != b.x && a.y != b.y) ? std::numbers::sqrt2 * weight : weight;
    }
    return length;
}

Cost path_cost(const Map& map, std::span<const Cell> path) {
    if (path.empty() || path.front() >= map.size() || !map.passable(path.front())) return kInfinity;
    std::uint64_t cost = 0;
    for (std::size_t i = 0; i + 1 < path.size(); ++i) {
        if (path[i + 1] >= map.size()) return kInfinity;
        const int d = legal_direction(map, path[i], path[i + 1]);
        if (d < 0) return kInfinity;
        cost += map.move_cost(path[i], d);
    }
    return saturated(cost);
}

Status check_shape(int width, int height, std::size_t cells, const CostModel& costs,
                   const MoveRules& rules) {
    if (rules.neighbourhood > Neighbourhood::eight || rules.corner > CornerRule::free) {
        return {StatusCode::bad_option,
                fmt::format("move rules {}, {}: there are no such rules",
                            static_cast<int>(rules.neighbourhood), static_cast<int>(rules.corner))};
    }
    if (width < 1 || height < 1 || width > Map::kMaxSide || height > Map::kMaxSide) {
        return {StatusCode::bad_option,
                fmt::format("a map of {} x {} cells: each side must be 1 to {}", width, height,
                            Map::kMaxSide)};
    }
    const auto expected = static_cast<std::size_t>(width) * static_cast<std::size_t>(height);
    if (cells != expected) {
        return {StatusCode::bad_option,
                fmt::format("{} terrain bytes for a map of {} x {} = {} cells", cells, width,
                            height, expected)};
    }
    if (costs.straight == 0 || costs.straight > costs.diagonal || costs.diagonal > 1'000'000 ||
        costs.diagonal > 2 * costs.straight) {
        return {StatusCode::bad_option,
                fmt::format(
                    "cost model {}, {}: needs 0 < straight <= diagonal <= 2 * straight, diagonal "
                    "at most 1,000,000",
                    costs.straight, costs.diagonal)};
    }
    return {};
}

Status check_edits(int width, int height, std::span<const TerrainEdit> edits) {
    for (const auto& [area, terrain] : edits) {
        const bool inside = area.width > 0 && area.height > 0 && area.x >= 0 && area.y >= 0 &&
                            area.width <= width - area.x && area.height <= height - area.y;
        if (inside) continue;
        return {StatusCode::bad_option,
                fmt::format("edit of {} x {} cells at {},{}: it must be non-empty and inside the "
                            "map of {} x {}",
                            area.width, area.height, area.x, area.y, width, height)};
    }
    return {};
}

std::uint64_t edited_id(std::uint64_t id, std::span<const TerrainEdit> edits) {
    for (const auto& [area, terrain] : edits) {
        const std::array<std::int32_t, 5> words{area.x, area.y, area.width, area.height, terrain};
        id = XXH3_64bits_withSeed(words.data(), sizeof words, id);
    }
    return id == 0 ? 1 : id;
}

bool suits_corners(const Map& map) noexcept {
    const auto& [rules, costs, weights] = map.options();
    return rules == MoveRules{} && map.uniform() && costs.straight < costs.diagonal &&
           costs.diagonal < 2 * costs.straight;
}

std::string objection_to_corners(const Map& map) {
    if (suits_corners(map)) return "";
    const auto& [rules, costs, weights] = map.options();
    if (rules.neighbourhood != Neighbourhood::eight) return "it has four neighbours, not eight";
    if (rules.corner != CornerRule::strict) return "its corner rule is not the strict one";
    if (!map.uniform()) return "its free cells have several weights";
    return fmt::format("its costs {}, {} are not straight < diagonal < 2 * straight",
                       costs.straight, costs.diagonal);
}

}  // namespace cairn::grid
