#include "cairn/formats/palette.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <nlohmann/json.hpp>

#include "cairn/formats/raster.hpp"
#include "png_pixels.hpp"
#include "text.hpp"

namespace cairn::formats {
namespace {

using Json = nlohmann::json;

constexpr std::array<std::string_view, 4> kNames{"ground", "trees", "swamp", "water"};
constexpr std::size_t kMaxColours = 65'536;
constexpr std::size_t kMaxPaletteBytes = std::size_t{4} << 20;

Status corrupt(std::string_view name, std::string_view what) {
    return {StatusCode::corrupt_file, fmt::format("{}: {}", name, what)};
}

/// The colour of a key "#rrggbb".
std::optional<std::uint32_t> colour_of(std::string_view key) {
    if (key.size() != 7 || key.front() != '#') return std::nullopt;
    std::uint32_t value = 0;
    const auto [end, error] = std::from_chars(key.data() + 1, key.data() + 7, value, 16);
    if (error != std::errc{} || end != key.data() + 7) return std::nullopt;
    return value;
}

std::optional<std::uint8_t> terrain_from(const Json& value) {
    if (value.is_number_unsigned()) {
        const auto number = value.get<std::uint64_t>();
        if (number < haa::kMaxTerrains) return static_cast<std::uint8_t>(number);
    }
    if (!value.is_string()) return std::nullopt;
    const auto& word = value.get_ref<const std::string&>();
    if (word == "obstacle") return haa::TerrainKey::kObstacle;
    return terrain_named(word);
}

/// Reads a palette event by event. Json itself would silently drop the first of two equal keys.
class PaletteReader {
public:
    explicit PaletteReader(std::string_view name) : name_(name) {}

    /// Json::parse calls this for each part of the text; false makes it drop the part.
    bool operator()(int depth, Json::parse_event_t event, const Json& part) {
        using Event = Json::parse_event_t;
        if (!status.ok()) return false;
        if (depth == 0 && event != Event::object_start && event != Event::object_end)
            refuse_shape();
        if (depth > 0 && (event == Event::object_start || event == Event::array_start))
            refuse_shape();
        if (event == Event::key) key_ = part.get<std::string>();
        if (event == Event::value && depth == 1) add(part);
        return status.ok();
    }

    Status status{};
    TerrainPalette palette{};

private:
    void refuse_shape() {
        status = corrupt(name_, R"(a palette is an object such as {"#00ff00": "trees"})");
    }
    void add(const Json& value) {
        const auto colour = colour_of(key_);
        const auto terrain = terrain_from(value);
        if (!colour) {
            status = corrupt(name_, fmt::format("'{}': a colour is written #rrggbb", key_));
        } else if (!terrain) {
            status =
                corrupt(name_, fmt::format("'{}': a terrain is ground, trees, swamp, water, t0 "
                                           "to t15, 0 to 15, or obstacle",
                                           key_));
        } else if (!palette.emplace(*colour, *terrain).second) {
            status = corrupt(name_, fmt::format("'{}': the colour is there twice", key_));
        } else if (palette.size() > kMaxColours) {
            status = {StatusCode::too_large,
                      fmt::format("{}: more than {} colours", name_, kMaxColours)};
        }
    }

    std::string_view name_;
    std::string key_;
};

}  // namespace

std::optional<haa::Terrain> terrain_named(std::string_view name) noexcept {
    const auto found = std::find(kNames.begin(), kNames.end(), name);
    if (found != kNames.end()) return static_cast<haa::Terrain>(found - kNames.begin());
    if (name.size() < 2 || name.size() > 3 || name.front() != 't') return std::nullopt;
    const auto number = parse_number<unsigned>(name.substr(1), 0, haa::kMaxTerrains - 1);
    if (!number) return std::nullopt;
    return static_cast<haa::Terrain>(*number);
}

std::string terrain_name(haa::Terrain terrain) {
    return terrain < kNames.size() ? std::string(kNames[terrain]) : fmt::format("t{}", terrain);
}

Result<TerrainPalette> parse_palette(std::string_view text, std::string_view name) {
    PaletteReader reader(name);
    try {
        [[maybe_unused]] const Json ignored =  // the reader has stored what matters
            Json::parse(text, [&](int depth, Json::parse_event_t event, const Json& part) {
                return reader(depth, event, part);
            });
    } catch (const Json::parse_error& error) {
        const std::size_t offset = std::clamp<std::size_t>(error.byte, 1, text.size() + 1) - 1;
        return tl::unexpected(
            corrupt(fmt::format("{}:{}", name, line_and_column(text, offset)), "not JSON"));
    } catch (const Json::exception&) {  // such as a number too large for its type
        return tl::unexpected(corrupt(name, "not JSON that can be read"));
    }
    if (!reader.status.ok()) return tl::unexpected(std::move(reader.status));
    return std::move(reader.palette);
}

Result<TerrainPalette> load_palette(const std::string& path) {
    return parse_file(path, kMaxPaletteBytes, parse_palette);
}

Result<grid::TerrainImage> parse_terrain_png(std::string_view bytes, std::string_view name,
                                             const TerrainPalette& palette,
                                             const PictureLimits& limits) {
    const auto pixels = decode_png(bytes, name, /*as_rgb=*/true, limits);
    if (!pixels) return tl::unexpected(pixels.error());
    grid::TerrainImage image{static_cast<int>(pixels->width), static_cast<int>(pixels->height), {}};
    const std::size_t count = std::size_t{pixels->width} * pixels->height;
    image.terrain.reserve(count);
    // The colour looked up last: neighbouring pixels mostly have one colour.
    std::uint32_t last_colour = ~0U;
    std::uint8_t last_terrain = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const unsigned char* p = pixels->bytes.get() + 4 * i;
        const bool opaque = p[3] >= 128;
        if (!opaque) {
            image.terrain.push_back(haa::TerrainKey::kObstacle);
            continue;
        }
        const std::uint32_t colour = std::uint32_t{p[0]} << 16 | std::uint32_t{p[1]} << 8 | p[2];
        if (colour != last_colour) {
            const auto found = palette.find(colour);
            if (found == palette.end()) {
                return tl::unexpected(
                    corrupt(name, fmt::format("pixel {},{}: the palette has no colour #{:06x}",
                                              i % pixels->width, i / pixels->width, colour)));
            }
            last_colour = colour;
            last_terrain = found->second;
        }
        image.terrain.push_back(last_terrain);
    }
    return image;
}

Result<grid::TerrainImage> load_terrain_png(const std::string& path, const TerrainPalette& palette,
                                            const PictureLimits& limits) {
    return read_file(path, max_picture_bytes(limits)).and_then([&](const std::string& bytes) {
        return parse_terrain_png(bytes, path, palette, limits);
    });
}

}  // namespace cairn::formats
