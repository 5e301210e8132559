#include "cairn/render/map_picture.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "canvas.hpp"

namespace cairn::render {

Result<Drawing> draw_map(const grid::Map& map, const MapPicture& picture) {
    Result<Canvas> canvas = Canvas::create(map, picture);
    if (!canvas) return tl::unexpected(std::move(canvas.error()));
    canvas->paths(picture);
    canvas->markers(picture);
    return canvas->finish();
}

Result<Drawing> figure(const std::vector<Drawing>& panels, int columns) {
    if (panels.empty()) return fail(StatusCode::bad_option, "a figure needs at least one panel");
    if (columns < 1) return fail(StatusCode::bad_option, "columns must be at least 1");
    const std::size_t n = std::min(panels.size(), static_cast<std::size_t>(columns));
    std::vector<double> widths(n);
    std::vector<double> heights((panels.size() + n - 1) / n);
    for (std::size_t i = 0; i < panels.size(); ++i) {
        widths[i % n] = std::max(widths[i % n], panels[i].width);
        heights[i / n] = std::max(heights[i / n], panels[i].height);
    }
    Drawing whole;
    whole.background = panels.front().background;
    double y = 0;
    for (std::size_t row = 0; row < heights.size(); y += heights[row++]) {
        double x = 0;
        for (std::size_t column = 0; column < n; x += widths[column++]) {
            const std::size_t i = row * n + column;
            if (i < panels.size()) append(whole, panels[i], x, y);
        }
        whole.width = std::max(whole.width, x);
    }
    whole.height = y;
    if (whole.width > kMaxPictureSide || whole.height > kMaxPictureSide) {
        return fail(StatusCode::too_large,
                    fmt::format("the panels together are {:.0f} x {:.0f} pixels, more than {}",
                                whole.width, whole.height, kMaxPictureSide));
    }
    return whole;
}

}  // namespace cairn::render
