#include "cairn/render/map_picture.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <span>
#include <utility>
#include <vector>

#include "cairn/render/flow_picture.hpp"
#include "canvas.hpp"
#include "core/guarded.hpp"
#include "flow.hpp"

namespace cairn::render {
namespace {

constexpr std::size_t kFewestShades = 8;  // of a flow

/// The ground of a canvas. Bytes that no terrain uses stand for the shades of the flow.
class FlowGround {
public:
    explicit FlowGround(Canvas& canvas) : canvas_(canvas), ground_(map_ground(canvas)) {
        find_spare();
        if (spare_.size() < kFewestShades) simplify();
    }

    void paint(std::span<const std::uint32_t> passes) {
        const FlowColours colours(passes, spare_.size());
        for (std::size_t i = 0; i < colours.shades(); ++i)
            ground_.colours[spare_[i]] = colours.colour(i);
        auto kind = ground_.cells.begin();
        canvas_.for_each_cell([&](grid::Cell cell) {
            if (passes[cell] > 0 && canvas_.map().passable(cell))
                *kind = spare_[colours.shade(passes[cell])];
            ++kind;
        });
        colours.explain(canvas_.legend());
    }
    [[nodiscard]] Ground take() { return std::move(ground_); }

private:
    void find_spare() {
        std::array<bool, 256> used{};
        for (const std::uint8_t kind : ground_.cells) used[kind] = true;
        spare_.clear();
        for (std::size_t byte = 0; byte < used.size(); ++byte) {
            if (!used[byte]) spare_.push_back(static_cast<std::uint8_t>(byte));
        }
    }
    /// Frees bytes by telling only free cells from blocked ones.
    void simplify() {
        for (std::uint8_t& kind : ground_.cells)
            kind = canvas_.map().options().weights.weight[kind] == 0 ? 1 : 0;
        ground_.colours[0] = palette::free_cell;
        ground_.colours[1] = palette::obstacle;
        find_spare();
    }

    Canvas& canvas_;
    Ground ground_;
    std::vector<std::uint8_t> spare_;  // the bytes that no cell uses
};

}  // namespace

Result<Drawing> draw_map(const grid::Map& map, const MapPicture& picture) noexcept try {
    Result<Canvas> canvas = Canvas::create(map, picture);
    if (!canvas) return tl::unexpected(std::move(canvas.error()));
    canvas->paths(picture);
    canvas->markers(picture);
    return canvas->finish();
} catch (...) {
    return out_of_memory();
}

Result<Drawing> draw_flow(const grid::Map& map, const Flow& flow,
                          const MapPicture& picture) noexcept try {
    if (Status s = check_passes(flow, map.size(), "cells"); !s.ok())
        return tl::unexpected(std::move(s));
    Result<Canvas> canvas = Canvas::create(map, picture, [&](Canvas& on) {
        FlowGround ground(on);
        if (!flow.passes.empty()) ground.paint(flow.passes);
        return ground.take();
    });
    if (!canvas) return tl::unexpected(std::move(canvas.error()));
    canvas->paths(picture);
    const Position origin = canvas->corner({0, 0});
    std::vector<Position> agents = flow.agents;
    for (Position& at : agents)
        at = {origin.x + at.x * canvas->scale(), origin.y + at.y * canvas->scale()};
    add_agents(*canvas, std::move(agents), canvas->scale());
    canvas->markers(picture);
    return canvas->finish();
} catch (...) {
    return out_of_memory();
}

Result<Drawing> figure(const std::vector<Drawing>& panels, int columns) noexcept try {
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
} catch (...) {
    return out_of_memory();
}

}  // namespace cairn::render
