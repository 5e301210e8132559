#pragma once
// Pictures of subgoal graphs, as `cairn render --planner subgoal` draws them.

#include <string>
#include <vector>

#include "cairn/render/subgoal_picture.hpp"
#include "command.hpp"

namespace cairn::app {

struct SubgoalRender {
    std::vector<std::string> layers;  ///< those drawn; empty stands for the usual ones
    bool all_edges = false;

    /// Adds --layers and --all-edges.
    void add_to(CLI::App& command, const std::string& group);

    /// Whether --layers asks for what belongs to one cell, so that a start alone will do.
    [[nodiscard]] bool shows_area() const;
    /// Builds the graph and draws it. `picture` says all but the layers; of its route, start and
    /// goal. Errors: those of the build, of the query and of draw_subgoals.
    [[nodiscard]] Result<render::Drawing> draw(Context& context, const grid::Map& map,
                                               subgoal::Options options,
                                               render::SubgoalPicture picture) const;
    /// SSG, TSG and N-level graph side by side.
    [[nodiscard]] Result<render::Drawing> figure(const grid::Map& map, subgoal::Options options,
                                                 const render::SubgoalPicture& picture) const;

private:
    [[nodiscard]] bool wants(const char* layer) const;
};

}  // namespace cairn::app
