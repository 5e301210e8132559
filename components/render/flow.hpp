#pragma once
// What pictures of flows over maps share with those over meshes: colours for the numbers of agents
// that have passed, and the dots of agents.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "cairn/render/flow_picture.hpp"
#include "palette.hpp"
#include "sheet.hpp"

namespace cairn::render {

/// Maps numbers of agents to shades, evenly by their logarithm.
class FlowColours {
public:
    static constexpr std::size_t kMostShades = 48;

    explicit FlowColours(std::span<const std::uint32_t> passes, std::size_t shades = kMostShades)
        : most_(passes.empty() ? 0 : *std::max_element(passes.begin(), passes.end())),
          shades_(std::min(shades, kMostShades)) {}

    [[nodiscard]] std::size_t shades() const noexcept { return shades_; }
    [[nodiscard]] Colour colour(std::size_t shade) const noexcept {
        return palette::ramp(
            shades_ < 2 ? 1.0 : static_cast<double>(shade) / static_cast<double>(shades_ - 1));
    }
    /// The shade, below shades(), of a number of agents above 0.
    [[nodiscard]] std::size_t shade(std::uint32_t passes) const noexcept {
        if (most_ < 2) return shades_ - 1;
        const double share = std::log(static_cast<double>(passes)) / std::log(most_);
        return static_cast<std::size_t>(std::lround(share * static_cast<double>(shades_ - 1)));
    }
    [[nodiscard]] Colour of(std::uint32_t passes) const noexcept { return colour(shade(passes)); }

    /// Adds an entry for each power of ten, and for the greatest number.
    void explain(Legend& legend) const {
        if (most_ == 0) return;
        for (std::uint64_t n = 1; n < most_; n *= 10) {
            legend.box(of(static_cast<std::uint32_t>(n)),
                       n == 1 ? "1 agent has passed" : fmt::format("{}", n));
        }
        legend.box(of(most_), most_ == 1 ? "1 agent has passed" : fmt::format("{} at most", most_));
    }

private:
    std::uint32_t most_;
    std::size_t shades_;
};

/// ok, or bad_option if passes are given, but not one for each of `count` "cells" or "polygons".
[[nodiscard]] inline Status check_passes(const Flow& flow, std::size_t count, const char* places) {
    if (flow.passes.empty() || flow.passes.size() == count) return {};
    return {StatusCode::bad_option,
            fmt::format("passes: {} numbers for {} {}", flow.passes.size(), count, places)};
}

/// Draws agents as dots that suit cells or polygons of `detail` pixels.
inline void add_agents(Sheet& sheet, std::vector<Position> agents, double detail) {
    if (agents.empty()) return;
    const Colour colour = palette::smoothed_path;
    sheet.legend().disc(colour, fmt::format("agents: {}", agents.size()));
    sheet.add("agents", Discs{std::move(agents), std::clamp(0.4 * detail, 1.2, 3.5), colour});
}

}  // namespace cairn::render
