#pragma once
// The layers of a picture of subgoal graphs, painted one by one onto a canvas.

#include <cstdint>
#include <string>
#include <vector>

#include "cairn/render/subgoal_picture.hpp"
#include "canvas.hpp"
#include "subgoal/engines.hpp"

namespace cairn::render {

class SubgoalPainter {
public:
    /// The index must have what `layers` need.
    SubgoalPainter(const subgoal::Index& index, const SubgoalLayers& layers, Canvas& canvas);

    /// The layer below the graph, the graph, and those above it.
    void area(grid::Point from);
    void graph();
    void route(const SubgoalRoute& route);

private:
    /// Subgoals of one colour and size.
    struct Rank {
        std::string label;
        Colour colour;
        double size = 1;
        std::vector<Position> at;
    };

    void edges();
    void subgoals();
    void level_edges();
    void levels();
    void core();
    void separators();
    void connectors(const SubgoalRoute& route);
    void path(const subgoal::Answer& answer);

    [[nodiscard]] const subgoal::Snapshot& snapshot() const noexcept { return index_->snapshot(); }
    [[nodiscard]] const subgoal::Engines& engines() const noexcept { return *snapshot().engines; }
    [[nodiscard]] Position at(std::uint32_t node) const noexcept {
        return canvas_->centre(engines().cells[node]);
    }
    [[nodiscard]] bool is_edge(std::uint32_t a, std::uint32_t b) const noexcept;
    [[nodiscard]] double radius() const noexcept;
    void segments(const char* name, Segments lines, const std::string& label);
    /// Smaller ones below larger ones; the legend in the order given.
    void ranks(const char* name, std::vector<Rank> ranks);

    const subgoal::Index* index_;
    SubgoalLayers layers_;
    Canvas* canvas_;
    Rank in_area_;  // painted above the graph
};

}  // namespace cairn::render
