#include "cairn/formats/palette.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <nlohmann/json.hpp>

#include "cairn/formats/raster.hpp"
#include "core/guarded.hpp"
#include "json_text.hpp"
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

/// Reads a palette event by event, as the parser's SAX interface calls it: a document of its own
/// would drop the first of two equal keys, and cannot be freed when memory runs out.
class PaletteReader {
public:
    PaletteReader(std::string_view text, std::string_view name) : text_(text), name_(name) {}

    // What the parser calls; false ends it.
    bool start_object(std::size_t /*size*/) { return depth_++ == 0 || refuse_shape(); }
    bool end_object() { return true; }
    bool start_array(std::size_t /*size*/) { return refuse_shape(); }
    bool end_array() { return true; }
    bool key(std::string& key) {
        key_ = std::move(key);
        return true;
    }
    bool string(const std::string& word) {
        return add(word == "obstacle" ? haa::TerrainKey::kObstacle : terrain_named(word));
    }
    bool number_unsigned(std::uint64_t number) {
        if (number >= haa::kMaxTerrains) return add(std::nullopt);
        return add(static_cast<std::uint8_t>(number));
    }
    bool number_integer(std::int64_t /*number*/) { return add(std::nullopt); }
    bool number_float(double /*number*/, const std::string& /*text*/) { return add(std::nullopt); }
    bool boolean(bool /*value*/) { return add(std::nullopt); }
    bool null() { return add(std::nullopt); }
    bool binary(Json::binary_t& /*value*/) { return add(std::nullopt); }
    bool parse_error(std::size_t byte, const std::string& /*token*/, const Json::exception& error) {
        status = json_error(name_, text_, byte, error);
        return false;
    }

    Status status{};
    TerrainPalette palette{};

private:
    bool refuse(std::string_view name, std::string_view what) {
        status = {StatusCode::corrupt_file, fmt::format("{}: {}", name, what)};
        return false;
    }
    bool refuse_shape() {
        return refuse(name_, R"(a palette is an object such as {"#00ff00": "trees"})");
    }
    bool add(std::optional<std::uint8_t> terrain) {
        if (depth_ == 0) return refuse_shape();
        const auto colour = colour_of(key_);
        if (!colour) return refuse(name_, fmt::format("'{}': a colour is written #rrggbb", key_));
        if (!terrain)
            return refuse(name_,
                          fmt::format("'{}': a terrain is ground, trees, swamp, water, t0 to t15, "
                                      "0 to 15, or obstacle",
                                      key_));
        if (!palette.emplace(*colour, *terrain).second)
            return refuse(name_, fmt::format("'{}': the colour is there twice", key_));
        if (palette.size() <= kMaxColours) return true;
        status = {StatusCode::too_large,
                  fmt::format("{}: more than {} colours", name_, kMaxColours)};
        return false;
    }

    std::string_view text_;
    std::string_view name_;
    int depth_ = 0;
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

Result<TerrainPalette> parse_palette(std::string_view text, std::string_view name) noexcept try {
    PaletteReader reader(text, name);
    static_cast<void>(Json::sax_parse(text, &reader));  // false if reader.status says why
    if (!reader.status.ok()) return tl::unexpected(std::move(reader.status));
    return std::move(reader.palette);
} catch (...) {
    return out_of_memory();
}

Result<TerrainPalette> load_palette(const std::string& path) noexcept try {
    return parse_file(path, kMaxPaletteBytes, parse_palette);
} catch (...) {
    return out_of_memory();
}

Result<grid::TerrainImage> parse_terrain_png(std::string_view bytes, std::string_view name,
                                             const TerrainPalette& palette,
                                             const PictureLimits& limits) noexcept try {
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
} catch (...) {
    return out_of_memory();
}

Result<grid::TerrainImage> load_terrain_png(const std::string& path, const TerrainPalette& palette,
                                            const PictureLimits& limits) noexcept try {
    return read_file(path, max_picture_bytes(limits)).and_then([&](const std::string& bytes) {
        return parse_terrain_png(bytes, path, palette, limits);
    });
} catch (...) {
    return out_of_memory();
}

}  // namespace cairn::formats
