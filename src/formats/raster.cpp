#include "cairn/formats/raster.hpp"

#include <lodepng.h>

#include <algorithm>
#include <filesystem>

#include "cairn/formats/movingai.hpp"
#include "cairn/formats/nav2.hpp"
#include "cairn/formats/npy.hpp"
#include "cairn/parts.hpp"
#include "core/guarded.hpp"
#include "png_pixels.hpp"
#include "terrain_tiles.hpp"
#include "text.hpp"
#if CAIRN_HAS_TILED
#include "tiled_file.hpp"
#endif

namespace cairn::formats {
namespace {

/// Refuses pictures that are too large. Messages begin with `where`, the file or a place in it.
Status check_picture_size(std::string_view where, std::uint64_t width, std::uint64_t height,
                          std::uint32_t max_pixels = GreyImage::kMaxPixels) {
    constexpr std::uint64_t side = grid::Map::kMaxSide;
    if (width > side || height > side || width * height > max_pixels) {
        return {StatusCode::too_large,
                fmt::format("{}: a picture of {} x {} pixels: at most {} a side and {} in all",
                            where, width, height, side, max_pixels)};
    }
    return {};
}

/// The limit on pixels that a reader keeps to.
std::uint32_t most_pixels(const PictureLimits& limits) {
    return std::min(limits.max_pixels, GreyImage::kMaxPixels);
}

/// Refuses a picture that no reader would accept.
Status check_picture(const GreyImage& image) {
    const auto pixels = static_cast<std::int64_t>(image.width) * image.height;
    if (image.width < 1 || image.height < 1 ||
        !check_picture_size("", static_cast<std::uint64_t>(image.width),
                            static_cast<std::uint64_t>(image.height))
             .ok() ||
        image.grey.size() != static_cast<std::size_t>(pixels) ||
        (!image.alpha.empty() && image.alpha.size() != image.grey.size())) {
        return {StatusCode::bad_option,
                fmt::format("{} grey and {} alpha values for a picture of {} x {} pixels",
                            image.grey.size(), image.alpha.size(), image.width, image.height)};
    }
    return {};
}

/// Reads the numbers of a PGM header or plain body, between blanks and comments.
class PgmScanner {
public:
    PgmScanner(std::string_view bytes, std::string_view name) : bytes_(bytes), name_(name) {}

    [[nodiscard]] std::size_t left() const { return bytes_.size() - at_; }
    void skip(std::size_t count) { at_ += count; }
    [[nodiscard]] std::string_view rest() const { return bytes_.substr(at_); }
    [[nodiscard]] bool at_blank() const {
        return left() > 0 && (is_blank(bytes_[at_]) || bytes_[at_] == '\n');
    }

    /// Reads the next number into `value`, if it is in low..high.
    [[nodiscard]] Status number(const char* what, std::uint32_t low, std::uint32_t high,
                                std::uint32_t& value) {
        skip_blanks();
        const std::size_t begin = at_;
        while (left() > 0 && bytes_[at_] >= '0' && bytes_[at_] <= '9') ++at_;
        const auto parsed =
            parse_number<std::uint32_t>(bytes_.substr(begin, at_ - begin), low, high);
        if (!parsed) {
            const std::size_t shown = std::max<std::size_t>(at_ - begin, 1);
            return error_at(begin,
                            begin == bytes_.size()
                                ? fmt::format("the file ends where the {} should be", what)
                                : fmt::format("{} {}: needs a number from {} to {}", what,
                                              excerpt(bytes_.substr(begin, shown)), low, high));
        }
        value = *parsed;
        return {};
    }
    [[nodiscard]] Status error_here(std::string_view message) const {
        return error_at(at_, message);
    }
    [[nodiscard]] std::string here() const { return place(at_); }

private:
    void skip_blanks() {
        while (left() > 0) {
            if (at_blank()) {
                ++at_;
            } else if (bytes_[at_] == '#') {
                at_ = std::min(bytes_.find('\n', at_), bytes_.size());
            } else {
                return;
            }
        }
    }
    [[nodiscard]] std::string place(std::size_t at) const {
        return fmt::format("{}:{}", name_, line_and_column(bytes_, at));
    }
    [[nodiscard]] Status error_at(std::size_t at, std::string_view message) const {
        return {StatusCode::corrupt_file, fmt::format("{}: {}", place(at), message)};
    }

    std::string_view bytes_;
    std::string_view name_;
    std::size_t at_ = 0;
};

/// A grey value of 0..maxval, scaled to 0..255.
std::uint8_t scaled(std::uint32_t value, std::uint32_t maxval) {
    return static_cast<std::uint8_t>((value * 255 + maxval / 2) / maxval);
}

Status read_plain(PgmScanner& in, std::size_t pixels, std::uint32_t maxval, GreyImage& image) {
    image.grey.reserve(std::min(pixels, in.left()));
    while (image.grey.size() < pixels) {
        std::uint32_t value = 0;
        if (Status s = in.number("grey value", 0, maxval, value); !s.ok()) return s;
        image.grey.push_back(scaled(value, maxval));
    }
    return {};
}

Status read_raw(PgmScanner& in, std::size_t pixels, std::uint32_t maxval, GreyImage& image) {
    const std::size_t pixel_bytes = maxval > 255 ? 2 : 1;
    if (!in.at_blank())
        return in.error_here("one blank must stand between the header and the pixels");
    in.skip(1);
    if (in.left() < pixels * pixel_bytes) {
        return in.error_here(
            fmt::format("{} bytes of pixels where {} x {} of {} bytes each are needed", in.left(),
                        image.width, image.height, pixel_bytes));
    }
    image.grey.reserve(pixels);
    const std::string_view body = in.rest();
    for (std::size_t i = 0; i < pixels; ++i) {
        std::uint32_t value = static_cast<std::uint8_t>(body[i * pixel_bytes]);
        if (pixel_bytes == 2) value = value << 8 | static_cast<std::uint8_t>(body[i * 2 + 1]);
        if (value > maxval) {
            return in.error_here(fmt::format("pixel ({}, {}) is {}, above the greatest value {}",
                                             i % static_cast<std::size_t>(image.width),
                                             i / static_cast<std::size_t>(image.width), value,
                                             maxval));
        }
        image.grey.push_back(scaled(value, maxval));
    }
    return {};
}

/// No deflate stream expands by more than this factor.
constexpr std::uint64_t kMaxCompression = 1032;

const unsigned char* unsigned_bytes(std::string_view bytes) {
    return reinterpret_cast<const unsigned char*>(bytes.data());
}

/// The library's number for a failed allocation.
constexpr unsigned kNoMemory = 83;

Status png_error(std::string_view name, unsigned error) {
    if (error == kNoMemory) return out_of_memory();
    return {StatusCode::corrupt_file,
            fmt::format("{}: not a valid PNG picture: {}", name, lodepng_error_text(error))};
}

/// Reads the header into `state`. Refuses a picture that is too large to decode.
Status inspect(lodepng::State& state, std::string_view bytes, std::string_view name,
               const PictureLimits& limits) {
    unsigned width = 0;
    unsigned height = 0;
    const unsigned error =
        lodepng_inspect(&width, &height, &state, unsigned_bytes(bytes), bytes.size());
    if (error != 0) return png_error(name, error);
    if (Status s = check_picture_size(name, width, height, most_pixels(limits)); !s.ok()) return s;
    const std::uint64_t size = lodepng_get_raw_size(width, height, &state.info_png.color);
    if (size / kMaxCompression > bytes.size()) {
        return {StatusCode::corrupt_file,
                fmt::format("{}: {} bytes cannot hold the {} x {} pixels that the "
                            "header claims",
                            name, bytes.size(), width, height)};
    }
    // Besides the pixels, the output has one filter byte for each row, more if interlaced.
    state.decoder.zlibsettings.max_output_size =
        static_cast<std::size_t>(size + std::uint64_t{height} * 16 + 4096);
    state.decoder.read_text_chunks = 0;
    state.decoder.remember_unknown_chunks = 0;
    return {};
}

bool is_pgm(std::string_view bytes) { return bytes.starts_with("P2") || bytes.starts_with("P5"); }
bool is_png(std::string_view bytes) { return bytes.starts_with("\x89PNG"); }

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

/// Whether bytes begin as XML or JSON, perhaps behind a byte order mark and blanks.
bool is_tiled(std::string_view bytes) {
    if (bytes.starts_with("\xef\xbb\xbf")) bytes.remove_prefix(3);
    bytes.remove_prefix(std::min(bytes.find_first_not_of(" \t\r\n"), bytes.size()));
    return bytes.starts_with('<') || bytes.starts_with('{');
}
#if CAIRN_HAS_TILED
Result<TerrainImage> terrain_of_tiled(Result<TiledMap> map) {
    return std::move(map).map([](TiledMap&& read) { return std::move(read.terrain); });
}
/// The terrain of a map whose tilesets are embedded.
Result<TerrainImage> parse_tiled_terrain(std::string_view bytes, std::string_view name,
                                         const PictureLimits& limits) {
    return terrain_of_tiled(parse_tiled(bytes, name, limits));
}
/// The terrain of a map at `path`, which may have tilesets beside it.
Result<TerrainImage> tiled_terrain_at(std::string_view bytes, const std::string& path,
                                      const PictureLimits& limits) {
    return terrain_of_tiled(parse_tiled_file(bytes, path, limits));
}
#else
Result<TerrainImage> parse_tiled_terrain(std::string_view /*bytes*/, std::string_view name,
                                         const PictureLimits& /*limits*/) {
    return fail(StatusCode::unsupported,
                fmt::format("{}: Cairn was built without maps of Tiled (CAIRN_TILED)", name));
}
Result<TerrainImage> tiled_terrain_at(std::string_view bytes, const std::string& path,
                                      const PictureLimits& limits) {
    return parse_tiled_terrain(bytes, path, limits);
}
#endif

bool is_grey(LodePNGColorType type) { return type == LCT_GREY || type == LCT_GREY_ALPHA; }

}  // namespace

Result<GreyImage> parse_pgm(std::string_view bytes, std::string_view name,
                            const PictureLimits& limits) noexcept try {
    PgmScanner in(bytes, name);
    if (!is_pgm(bytes)) {
        return tl::unexpected(in.error_here("a PGM picture begins with 'P2' or 'P5'"));
    }
    const bool raw = bytes[1] == '5';
    in.skip(2);
    if (!in.at_blank()) return tl::unexpected(in.error_here("a blank must follow 'P2' or 'P5'"));
    // Sides out of range have errors of their own.
    constexpr std::uint32_t kAnySide = std::numeric_limits<std::uint32_t>::max();
    std::uint32_t width = 0;
    std::uint32_t height = 0;
    std::uint32_t maxval = 0;
    Status status = in.number("width", 1, kAnySide, width);
    if (status.ok()) status = in.number("height", 1, kAnySide, height);
    if (status.ok()) status = check_picture_size(in.here(), width, height, most_pixels(limits));
    if (status.ok()) status = in.number("greatest value", 1, 65535, maxval);
    if (!status.ok()) return tl::unexpected(std::move(status));
    GreyImage image{static_cast<int>(width), static_cast<int>(height), {}, {}};
    const std::size_t pixels = std::size_t{width} * height;
    status = raw ? read_raw(in, pixels, maxval, image) : read_plain(in, pixels, maxval, image);
    if (!status.ok()) return tl::unexpected(std::move(status));
    return image;
} catch (...) {
    return out_of_memory();
}

Result<std::string> format_pgm(const GreyImage& image) noexcept try {
    if (Status s = check_picture(image); !s.ok()) return tl::unexpected(std::move(s));
    std::string bytes = fmt::format("P5\n{} {}\n255\n", image.width, image.height);
    bytes.append(image.grey.begin(), image.grey.end());
    return bytes;
} catch (...) {
    return out_of_memory();
}

Status write_pgm(const std::string& path, const GreyImage& image) noexcept try {
    return write_formatted(path, format_pgm(image));
} catch (...) {
    return out_of_memory();
}

Result<PngPixels> decode_png(std::string_view bytes, std::string_view name, bool as_rgb,
                             const PictureLimits& limits) {
    lodepng::State state;
    if (Status s = inspect(state, bytes, name, limits); !s.ok())
        return tl::unexpected(std::move(s));
    PngPixels out;
    out.grey = !as_rgb && is_grey(state.info_png.color.colortype);
    state.info_raw.colortype = out.grey ? LCT_GREY_ALPHA : LCT_RGBA;
    state.info_raw.bitdepth = 8;
    unsigned char* pixels = nullptr;
    const unsigned error = lodepng_decode(&pixels, &out.width, &out.height, &state,
                                          unsigned_bytes(bytes), bytes.size());
    out.bytes.reset(pixels);
    if (error != 0) return tl::unexpected(png_error(name, error));
    out.alpha = lodepng_can_have_alpha(&state.info_png.color) != 0;
    return out;
}

Result<GreyImage> parse_png(std::string_view bytes, std::string_view name,
                            const PictureLimits& limits) noexcept try {
    const auto pixels = decode_png(bytes, name, /*as_rgb=*/false, limits);
    if (!pixels) return tl::unexpected(pixels.error());
    const std::size_t count = std::size_t{pixels->width} * pixels->height;
    const std::size_t channels = pixels->grey ? 2 : 4;
    GreyImage image{static_cast<int>(pixels->width), static_cast<int>(pixels->height), {}, {}};
    image.grey.reserve(count);
    if (pixels->alpha) image.alpha.reserve(count);
    for (std::size_t i = 0; i < count; ++i) {
        const unsigned char* p = pixels->bytes.get() + i * channels;
        const unsigned value = pixels->grey ? p[0] : (unsigned{p[0]} + p[1] + p[2] + 1) / 3;
        image.grey.push_back(static_cast<std::uint8_t>(value));
        if (pixels->alpha) image.alpha.push_back(p[channels - 1]);
    }
    return image;
} catch (...) {
    return out_of_memory();
}

Result<std::string> format_png(const GreyImage& image) noexcept try {
    if (Status s = check_picture(image); !s.ok()) return tl::unexpected(std::move(s));
    std::vector<std::uint8_t> grey_alpha;
    grey_alpha.reserve(2 * image.alpha.size());
    for (std::size_t i = 0; i < image.alpha.size(); ++i)
        grey_alpha.insert(grey_alpha.end(), {image.grey[i], image.alpha[i]});
    // By the library's C functions: those of C++ leak if an allocation fails.
    unsigned char* encoded = nullptr;
    std::size_t size = 0;
    const bool grey = grey_alpha.empty();
    const unsigned error = lodepng_encode_memory(
        &encoded, &size, (grey ? image.grey : grey_alpha).data(),
        static_cast<unsigned>(image.width), static_cast<unsigned>(image.height),
        grey ? LCT_GREY : LCT_GREY_ALPHA, 8);
    const PngBytes bytes(encoded);
    if (error != 0) return out_of_memory();  // the only error of a picture that was checked
    return std::string(reinterpret_cast<const char*>(bytes.get()), size);
} catch (...) {
    return out_of_memory();
}

Status write_png(const std::string& path, const GreyImage& image) noexcept try {
    return write_formatted(path, format_png(image));
} catch (...) {
    return out_of_memory();
}

std::size_t max_picture_bytes(const PictureLimits& limits) {
    return std::size_t{most_pixels(limits)} * 8 + 4096;
}

Result<GreyImage> read_image(const std::string& path, const PictureLimits& limits) noexcept try {
    const auto bytes = read_file(path, max_picture_bytes(limits));
    if (!bytes) return tl::unexpected(bytes.error());
    if (is_pgm(*bytes)) return parse_pgm(*bytes, path, limits);
    if (is_png(*bytes)) return parse_png(*bytes, path, limits);
    return fail(StatusCode::corrupt_file,
                fmt::format("{}:1:1: neither a PGM nor a PNG picture", path));
} catch (...) {
    return out_of_memory();
}

Result<GreyImage> picture_of(const TerrainImage& image) noexcept try {
    const grid::TerrainWeights weights = grid::TerrainWeights::weighted();
    GreyImage picture{image.width, image.height, {}, {}};
    picture.grey.reserve(image.terrain.size());
    for (const std::uint8_t t : image.terrain)
        picture.grey.push_back(weights.weight[t] != 0 ? 254 : 0);
    return picture;
} catch (...) {
    return out_of_memory();
}

Result<TerrainImage> terrain_of(const GreyImage& image) noexcept try {
    TerrainImage terrain{image.width, image.height, {}};
    terrain.terrain.reserve(image.grey.size());
    for (std::size_t i = 0; i < image.grey.size(); ++i) {
        const bool opaque = image.alpha.empty() || image.alpha[i] >= 128;
        terrain.terrain.push_back(opaque && image.grey[i] >= 128 ? '.' : '@');
    }
    return terrain;
} catch (...) {
    return out_of_memory();
}

Result<TerrainImage> parse_terrain(std::string_view bytes, std::string_view name,
                                   const PictureLimits& limits) noexcept try {
    if (is_pgm(bytes)) return parse_pgm(bytes, name, limits).and_then(terrain_of);
    if (is_png(bytes)) return parse_png(bytes, name, limits).and_then(terrain_of);
    if (bytes.starts_with("\x93NUMPY")) return parse_npy_terrain(bytes, name, limits);
    if (is_tiled(bytes)) return parse_tiled_terrain(bytes, name, limits);
    return parse_map(bytes, name);
} catch (...) {
    return out_of_memory();
}

Result<TerrainImage> load_terrain(const std::string& path, const PictureLimits& limits) noexcept
    try {
    if (is_tile_pattern(path)) return load_terrain_tiles(path, limits);
    std::string extension = std::filesystem::path(path).extension().string();
    std::transform(extension.begin(), extension.end(), extension.begin(), lower);
    if (extension == ".map") return read_map(path);
    if (extension == ".pgm" || extension == ".png")
        return read_image(path, limits).and_then(terrain_of);
    if (extension == ".yaml" || extension == ".yml") {
        return load_occupancy_map(path, {.limits = limits}).map([](OccupancyMap&& map) {
            return std::move(map.terrain);
        });
    }
    if (extension == ".npy") {
        return read_file(path, max_picture_bytes(limits)).and_then([&](const std::string& bytes) {
            return parse_npy_terrain(bytes, path, limits);
        });
    }
    const bool names_tiled = extension == ".tmj" || extension == ".tmx";
    if (names_tiled || extension.empty()) {
        return read_file(path, max_picture_bytes(limits)).and_then([&](const std::string& bytes) {
            return names_tiled || is_tiled(bytes) ? tiled_terrain_at(bytes, path, limits)
                                                  : parse_terrain(bytes, path, limits);
        });
    }
    return fail(StatusCode::unsupported,
                fmt::format("{}: a map's name must end in .map, .npy, .pgm, .png, .tmj, .tmx, "
                            ".yaml or .yml",
                            path));
} catch (...) {
    return out_of_memory();
}

Result<grid::Map> load_terrain_map(const std::string& path, const grid::MapOptions& options,
                                   const PictureLimits& limits) noexcept try {
    return load_terrain(path, limits).and_then([&](const TerrainImage& image) {
        return in_file(path, grid::make_map(image, options));
    });
} catch (...) {
    return out_of_memory();
}

}  // namespace cairn::formats
