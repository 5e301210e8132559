#pragma once
// The checks of a picture's size, for all readers and writers.

#include <fmt/format.h>

#include <string_view>

#include "cairn/formats/raster.hpp"

namespace cairn::formats {

/// Whether a picture of this size may be read; `where` opens the message.
[[nodiscard]] inline Status check_picture_size(std::string_view where, std::uint64_t width,
                                               std::uint64_t height) {
    constexpr std::uint64_t side = grid::Map::kMaxSide;
    if (width == 0 || height == 0) {
        return {StatusCode::corrupt_file,
                fmt::format("{}: a picture of {} x {} pixels is empty", where, width, height)};
    }
    if (width > side || height > side || width * height > GreyImage::kMaxPixels) {
        return {StatusCode::too_large,
                fmt::format("{}: a picture of {} x {} pixels: at most {} a side and {} in all",
                            where, width, height, side, GreyImage::kMaxPixels)};
    }
    return {};
}

/// Whether a reader would accept the size of `image`.
[[nodiscard]] inline Status check_picture(const GreyImage& image) {
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

}  // namespace cairn::formats
