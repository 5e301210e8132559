#include "render_haa.hpp"

#include "cairn/index_file.hpp"
#include "choice.hpp"

namespace cairn::app {

void HaaRender::add_to(CLI::App& command, const std::string& group) {
    using render::ClearanceStyle;
    haa.add_to(command);
    haa.add_agent_to(command);
    own_ = {
        add_choice<ClearanceStyle>(command, "--clearance", layers.clearance,
                                   {{"auto", ClearanceStyle::automatic},
                                    {"none", ClearanceStyle::none},
                                    {"shades", ClearanceStyle::shades},
                                    {"numbers", ClearanceStyle::numbers}},
                                   "HAA*: clearances of the agent's capability: numbers where "
                                   "cells are large, else shades; neither; one of them"),
        command.add_flag("--all-agents", layers.all_agents,
                         "HAA*: also the nodes and edges that serve other agents only"),
    };
    for (CLI::Option* option : own_) option->group(group);
}

Status HaaRender::none(std::string_view message) const {
    Status status = haa.none(message);
    return status.ok() ? refuse_given(own_, message) : status;
}

Result<haa::Index> HaaRender::open(Context& context, const std::filesystem::path& file,
                                   const MapFlags& map, const IndexFlags& index) const {
    const auto terrain = haa.load(file, map);
    if (!terrain) return tl::unexpected(terrain.error());
    if (index.file.empty()) return haa.build(context, *terrain, index);
    Status status = index.none(kWithFile);
    if (status.ok()) status = map.none(kWithFile);
    if (status.ok()) status = haa.none_of_an_index(kWithFile);
    if (!status.ok()) return tl::unexpected(std::move(status));
    return cairn::load<haa::Index>(index.file, terrain->image);
}

Result<render::Drawing> HaaRender::draw(Context& context, const std::filesystem::path& file,
                                        const MapFlags& map, const IndexFlags& index,
                                        const std::string& what, const render::HpaPicture& picture,
                                        const Solve& solve) const {
    if (Status status = index.only_clustered(); !status.ok())
        return tl::unexpected(std::move(status));
    const auto opened = open(context, file, map, index);
    if (!opened) return tl::unexpected(opened.error());
    const auto agent = haa.agent(opened->map());
    if (!agent) return tl::unexpected(agent.error());
    const auto view = opened->view(*agent);
    if (!view) return tl::unexpected(view.error());
    if (picture.route) {
        if (Status status = solve(*view); !status.ok()) return tl::unexpected(std::move(status));
    }
    render::HaaPicture drawn{picture.map, *agent, layers, picture.route};
    drawn.layers.view = picture.layers;
    if (what == "figure") return render::draw_haa_figure(*opened, drawn);
    if (what == "map") {
        render::HpaLayers& graph = drawn.layers.view;
        graph.clusters = graph.entrances = graph.nodes = graph.inter_edges = false;
        graph.intra_edges = render::IntraEdges::none;
        drawn.layers.all_agents = false;
        if (drawn.route) {
            drawn.route->connections = drawn.route->corridor = drawn.route->abstract_path = false;
            drawn.route->refined_path = !drawn.route->smoothed_path;
        }
    }
    return render::draw_haa(*opened, drawn);
}

}  // namespace cairn::app
