#include <lodepng.h>

#include "cairn/file.hpp"
#include "png_pixels.hpp"
#include "raster_limits.hpp"

namespace cairn::formats {
namespace {

/// Deflate cannot shrink data by more than this factor.
constexpr std::uint64_t kMaxCompression = 1032;

const unsigned char* unsigned_bytes(std::string_view bytes) {
    return reinterpret_cast<const unsigned char*>(bytes.data());
}

Status png_error(std::string_view name, unsigned error) {
    return {StatusCode::corrupt_file,
            fmt::format("{}: not a valid PNG picture: {}", name, lodepng_error_text(error))};
}

/// Reads the header and checks whether the picture may be decoded.
Status inspect(lodepng::State& state, std::string_view bytes, std::string_view name) {
    unsigned width = 0;
    unsigned height = 0;
    const unsigned error =
        lodepng_inspect(&width, &height, &state, unsigned_bytes(bytes), bytes.size());
    if (error != 0) return png_error(name, error);
    if (Status s = check_picture_size(name, width, height); !s.ok()) return s;
    const std::uint64_t size = lodepng_get_raw_size(width, height, &state.info_png.color);
    if (size / kMaxCompression > bytes.size()) {
        return {StatusCode::corrupt_file,
                fmt::format("{}: {} bytes cannot hold the {} x {} pixels that the "
                            "header claims",
                            name, bytes.size(), width, height)};
    }
    // The output has a filter byte a row beside the pixels, and somewhat more in interlaced
    // pictures.
    state.decoder.zlibsettings.max_output_size =
        static_cast<std::size_t>(size + std::uint64_t{height} * 16 + 4096);
    state.decoder.read_text_chunks = 0;
    state.decoder.remember_unknown_chunks = 0;
    return {};
}

bool is_grey(LodePNGColorType type) { return type == LCT_GREY || type == LCT_GREY_ALPHA; }

}  // namespace

Result<PngPixels> decode_png(std::string_view bytes, std::string_view name, bool as_rgb) {
    lodepng::State state;
    if (Status s = inspect(state, bytes, name); !s.ok()) return tl::unexpected(std::move(s));
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

Result<GreyImage> parse_png(std::string_view bytes, std::string_view name) {
    const auto pixels = decode_png(bytes, name, false);
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
}

Result<std::string> format_png(const GreyImage& image) {
    if (Status s = check_picture(image); !s.ok()) return tl::unexpected(std::move(s));
    std::vector<std::uint8_t> mixed;
    if (!image.alpha.empty()) {
        mixed.reserve(image.grey.size() * 2);
        for (std::size_t i = 0; i < image.grey.size(); ++i)
            mixed.insert(mixed.end(), {image.grey[i], image.alpha[i]});
    }
    unsigned char* out = nullptr;
    std::size_t size = 0;
    const unsigned error = lodepng_encode_memory(
        &out, &size, mixed.empty() ? image.grey.data() : mixed.data(),
        static_cast<unsigned>(image.width), static_cast<unsigned>(image.height),
        mixed.empty() ? LCT_GREY : LCT_GREY_ALPHA, 8);
    const PngBytes encoded(out);
    if (error != 0)
        return fail(StatusCode::too_large,
                    fmt::format("PNG picture: {}", lodepng_error_text(error)));
    return std::string(encoded.get(), encoded.get() + size);
}

Status write_png(const std::string& path, const GreyImage& image) {
    const auto bytes = format_png(image);
    if (!bytes) return {bytes.error().code, fmt::format("{}: {}", path, bytes.error().message)};
    return write_file_atomically(path, *bytes);
}

}  // namespace cairn::formats
