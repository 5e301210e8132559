#pragma once
// Pictures of HAA*, as `cairn render --planner haa` draws them.

#include <filesystem>
#include <functional>
#include <string>

#include "cairn/render/haa_picture.hpp"
#include "command.hpp"
#include "haa_options.hpp"
#include "options.hpp"

namespace cairn::app {

struct HaaRender {
    HaaFlags haa;
    render::HaaLayers layers;  ///< but for those of the view

    /// Adds the groups of HAA*, and --clearance and --all-agents.
    void add_to(CLI::App& command, const std::string& group);

    /// Errors: bad_option if any of these options was given.
    [[nodiscard]] Status none(std::string_view message) const;

    /// Answers a route's query on the agent's view.
    using Solve = std::function<Status(const hpa::Index& view)>;
    /// Builds the index, or loads it from --index, and draws it. `picture` says all but the agent
    /// and the layers that are HAA*'s own; its route is read after `solve`. Errors: bad_option;
    /// those of the map, the index, the query and draw_haa.
    [[nodiscard]] Result<render::Drawing> draw(Context& context, const std::filesystem::path& file,
                                               const MapFlags& map, const IndexFlags& index,
                                               const std::string& what,
                                               const render::HpaPicture& picture,
                                               const Solve& solve) const;

private:
    [[nodiscard]] Result<haa::Index> open(Context& context, const std::filesystem::path& file,
                                          const MapFlags& map, const IndexFlags& index) const;

    std::vector<CLI::Option*> own_;
};

}  // namespace cairn::app
