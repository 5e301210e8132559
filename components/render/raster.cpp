#include "raster.hpp"

#include <lodepng.h>

#include <algorithm>
#include <string_view>

namespace cairn::render {

bool valid(const Raster& raster) noexcept {
    if (raster.width < 1 || raster.height < 1 || !(raster.pixel > 0)) return false;
    const std::size_t size =
        static_cast<std::size_t>(raster.width) * static_cast<std::size_t>(raster.height);
    return raster.pixels.size() == size && raster.palette.size() <= 256 &&
           std::all_of(raster.pixels.begin(), raster.pixels.end(),
                       [&](std::uint8_t p) { return p < raster.palette.size(); });
}

std::vector<std::vector<PixelRect>> rectangles(const Raster& raster, std::size_t most,
                                               std::size_t& background) {
    std::vector<std::vector<PixelRect>> found(raster.palette.size());
    // Per column, the position in `found` of the rectangle that starts there and reaches the row
    // above.
    struct Above {
        std::uint8_t colour = 0;
        std::size_t index = 0;
        int last_row = -2;
    };
    std::vector<Above> above(static_cast<std::size_t>(raster.width));
    std::size_t count = 0;
    const std::uint8_t* row = raster.pixels.data();
    for (int y = 0; y < raster.height; ++y, row += raster.width) {
        for (int x = 0, end = 0; x < raster.width; x = end) {
            const std::uint8_t colour = row[x];
            end = x + 1;
            while (end < raster.width && row[end] == colour) ++end;
            Above& over = above[static_cast<std::size_t>(x)];
            auto& same = found[colour];
            if (over.last_row == y - 1 && over.colour == colour &&
                same[over.index].width == end - x) {
                ++same[over.index].height;
            } else {
                if (++count > most) return {};
                over.colour = colour;
                over.index = same.size();
                same.push_back({x, y, end - x, 1});
            }
            over.last_row = y;
        }
    }
    const auto largest =
        std::max_element(found.begin(), found.end(),
                         [](const auto& a, const auto& b) { return a.size() < b.size(); });
    background = static_cast<std::size_t>(largest - found.begin());
    return found;
}

std::string encode_png(const Raster& raster) {
    lodepng::State state;
    state.info_raw.colortype = LCT_PALETTE;
    state.info_raw.bitdepth = 8;
    for (const Colour c : raster.palette) {
        lodepng_palette_add(&state.info_raw, c.r, c.g, c.b, 255);
    }
    std::vector<unsigned char> bytes;
    if (lodepng::encode(bytes, raster.pixels, static_cast<unsigned>(raster.width),
                        static_cast<unsigned>(raster.height), state) != 0) {
        return {};
    }
    return {bytes.begin(), bytes.end()};
}

std::string base64(const std::string& bytes) {
    constexpr std::string_view digits =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string text;
    text.reserve((bytes.size() + 2) / 3 * 4);
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        std::uint32_t word = 0;
        for (std::size_t k = 0; k < 3; ++k) {
            const auto byte = i + k < bytes.size() ? static_cast<std::uint8_t>(bytes[i + k]) : 0U;
            word = word << 8 | byte;
        }
        for (std::size_t k = 0; k < 4; ++k) {
            text += i + k <= bytes.size() ? digits[word >> (18 - 6 * k) & 63] : '=';
        }
    }
    return text;
}

}  // namespace cairn::render
