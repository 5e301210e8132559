#include "cairn/render/flow_picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "canvas.hpp"
#include "flow_colours.hpp"
#include "mesh_canvas.hpp"
#include "mesh_layers.hpp"

namespace cairn::render {
namespace {

constexpr std::size_t kFewestShades = 8;

Status check_passes(const Flow& flow, std::size_t places, const char* what) {
    if (flow.passes.empty() || flow.passes.size() == places) return {};
    return {StatusCode::bad_option,
            fmt::format("passes: {} numbers for {} {}", flow.passes.size(), places, what)};
}

/// Terrain colours, with the shades of the flow as the bytes that no terrain uses.
class FlowGround {
public:
    FlowGround(const grid::Map& map, const grid::Rect& area, Legend& legend)
        : map_(&map), area_(area), ground_(map_ground(map, area, legend)) {
        find_spare();
        if (spare_.size() < kFewestShades) plain();
    }

    void paint(std::span<const std::uint32_t> passes, Legend& legend) {
        const FlowColours colours(passes, spare_.size());
        for (std::size_t i = 0; i < colours.shades(); ++i)
            ground_.colours[spare_[i]] = colours.colour(i);
        std::size_t at = 0;
        for (int y = area_.y; y < area_.y + area_.height; ++y) {
            for (int x = area_.x; x < area_.x + area_.width; ++x, ++at) {
                const grid::Cell cell = map_->cell({x, y});
                if (passes[cell] > 0 && map_->passable(cell))
                    ground_.cells[at] = spare_[colours.shade(passes[cell])];
            }
        }
        colours.explain(legend);
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
    /// For terrain that uses nearly all bytes: only free and blocked cells.
    void plain() {
        for (std::uint8_t& kind : ground_.cells)
            kind = map_->options().weights.weight[kind] == 0 ? 1 : 0;
        ground_.colours[0] = palette::free_cell;
        ground_.colours[1] = palette::obstacle;
        find_spare();
    }

    const grid::Map* map_;
    grid::Rect area_;
    Ground ground_;
    std::vector<std::uint8_t> spare_;
};

/// `detail`: the size in pixels to which the dots are fitted.
Discs dots(std::vector<Position> centres, double detail) {
    return {std::move(centres), std::clamp(0.4 * detail, 1.2, 3.5), palette::smoothed_path};
}
std::string agents_text(const Discs& dots) {
    return fmt::format("agents: {}", dots.centres.size());
}

}  // namespace

Result<Drawing> draw_flow(const grid::Map& map, const Flow& flow, const MapPicture& picture) {
    if (Status s = check_passes(flow, map.size(), "cells"); !s.ok())
        return tl::unexpected(std::move(s));
    Result<Canvas> canvas = Canvas::create(map, picture, [&](const Canvas& on, Legend& legend) {
        FlowGround ground(map, on.area(), legend);
        if (!flow.passes.empty()) ground.paint(flow.passes, legend);
        return ground.take();
    });
    if (!canvas) return tl::unexpected(std::move(canvas.error()));
    canvas->paths(picture);
    if (!flow.agents.empty()) {
        const Position origin = canvas->corner({0, 0});
        std::vector<Position> centres = flow.agents;
        for (Position& at : centres)
            at = {origin.x + at.x * canvas->scale(), origin.y + at.y * canvas->scale()};
        Discs discs = dots(std::move(centres), canvas->scale());
        canvas->legend().disc(discs.fill, agents_text(discs));
        canvas->layer("agents").shapes.emplace_back(std::move(discs));
    }
    canvas->markers(picture);
    return canvas->finish();
}

Result<Drawing> draw_flow(const mesh::Mesh& mesh, const Flow& flow, const MeshPicture& picture) {
    if (Status s = check_passes(flow, mesh.num_polygons(), "polygons"); !s.ok())
        return tl::unexpected(std::move(s));
    Result<MeshCanvas> canvas = MeshCanvas::create(mesh, picture);
    if (!canvas) return tl::unexpected(std::move(canvas.error()));
    MeshPicture bare = picture;
    bare.route.reset();
    MeshPainter painter(*canvas, nullptr, bare);
    if (!flow.passes.empty()) painter.show_flow(flow.passes);
    painter.ground();
    painter.connections();
    if (!flow.agents.empty()) {
        std::vector<Position> centres;
        centres.reserve(flow.agents.size());
        for (const Position& at : flow.agents)
            centres.push_back(canvas->at({static_cast<float>(at.x), 0, static_cast<float>(at.y)}));
        Sheet& sheet = canvas->sheet();
        Discs discs = dots(std::move(centres), canvas->detail());
        sheet.legend().disc(discs.fill, agents_text(discs));
        sheet.layer("agents").shapes.emplace_back(std::move(discs));
    }
    return canvas->sheet().finish();
}

}  // namespace cairn::render
