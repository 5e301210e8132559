#include "cairn/grid/generate.hpp"

#include <fmt/format.h>

#include <random>

#include "generate_kinds.hpp"

namespace cairn::grid {
namespace {

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

void draw_open(const Drawing&) {}

void draw_random(const Drawing& d) {
    for (std::uint8_t& cell : d.image.terrain) {
        if (d.random.percent(d.density)) cell = kWall;
    }
}

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

Status check_options(const GenerateOptions& options, int size, int density) {
    if (static_cast<std::size_t>(options.kind) >= kMapKinds.size()) {
        return {StatusCode::bad_option,
                fmt::format("map kind {} is not known", static_cast<int>(options.kind))};
    }
    const KindInfo& kind = info(options.kind);
    for (const Status& s : {check("width", options.width, 1, Map::kMaxSide),
                            check("height", options.height, 1, Map::kMaxSide),
                            check("size", size, kind.size.low, kind.size.high),
                            check("density", density, kind.density.low, kind.density.high)}) {
        if (!s.ok()) return {s.code, fmt::format("{} map: {}", kind.name, s.message)};
    }
    return {};
}

/// A well-mixed value of a lattice point (the finaliser of splitmix64).
std::uint32_t lattice(std::uint64_t seed, int x, int y) {
    std::uint64_t h = seed ^ (static_cast<std::uint64_t>(static_cast<std::uint32_t>(x)) << 32) ^
                      static_cast<std::uint32_t>(y);
    h = (h ^ (h >> 30)) * 0xbf58476d1ce4e5b9U;
    h = (h ^ (h >> 27)) * 0x94d049bb133111ebU;
    return static_cast<std::uint32_t>((h ^ (h >> 31)) >> 48);
}

/// 3t^2 - 2t^3 of t = numerator / denominator, in 1/65536.
std::uint64_t ease(int numerator, int denominator) {
    const std::uint64_t t =
        (static_cast<std::uint64_t>(numerator) << 16) / static_cast<std::uint64_t>(denominator);
    return (t * t * ((3U << 16) - 2 * t)) >> 32;
}

std::uint64_t blend(std::uint64_t a, std::uint64_t b, std::uint64_t t) {
    return (a * (65536 - t) + b * t) >> 16;
}

}  // namespace

std::uint32_t smooth_noise(std::uint64_t seed, int x, int y, int scale, int octaves) {
    std::uint64_t sum = 0;
    std::uint64_t weight = 0;
    for (int octave = 0; octave < octaves && scale >= 2; ++octave, scale /= 2) {
        const std::uint64_t layer = seed * 0x9e3779b97f4a7c15U + static_cast<std::uint64_t>(octave);
        const int left = x / scale;
        const int top = y / scale;
        const std::uint64_t across = ease(x % scale, scale);
        const std::uint64_t down = ease(y % scale, scale);
        const std::uint64_t upper =
            blend(lattice(layer, left, top), lattice(layer, left + 1, top), across);
        const std::uint64_t lower =
            blend(lattice(layer, left, top + 1), lattice(layer, left + 1, top + 1), across);
        const std::uint64_t strength = std::uint64_t{256} >> octave;
        sum += strength * blend(upper, lower, down);
        weight += strength;
    }
    return weight == 0 ? 0 : static_cast<std::uint32_t>(sum / weight);
}

std::string_view name(MapKind kind) noexcept { return info(kind).name; }

std::optional<MapKind> map_kind(std::string_view name) noexcept {
    for (const MapKind kind : kMapKinds) {
        if (info(kind).name == name) return kind;
    }
    return std::nullopt;
}

Result<TerrainImage> generate(const GenerateOptions& options) {
    const bool known = static_cast<std::size_t>(options.kind) < kMapKinds.size();
    const KindInfo& kind = info(known ? options.kind : MapKind::open);
    const int size = options.size.value_or(kind.size.usual);
    const int density = options.density.value_or(kind.density.usual);
    if (Status s = check_options(options, size, density); !s.ok())
        return tl::unexpected(std::move(s));
    TerrainImage image{options.width, options.height, {}};
    image.terrain.assign(
        static_cast<std::size_t>(options.width) * static_cast<std::size_t>(options.height),
        kGround);
    Random random(options.seed);
    kind.draw({image, random, size, density, options.seed});
    return image;
}

Status plant_trees(TerrainImage& image, int percent, std::uint64_t seed) {
    if (Status s = check("percent", percent, 0, 100); !s.ok()) return s;
    std::mt19937_64 random(seed);
    for (std::uint8_t& cell : image.terrain) {
        if (cell != kGround && cell != 'G') continue;
        if (random() % 100 < static_cast<std::uint64_t>(percent)) cell = kTree;
    }
    return {};
}

}  // namespace cairn::grid
