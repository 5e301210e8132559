#include "render_subgoal.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <array>

#include "cairn/subgoal/subgoal.hpp"

namespace cairn::app {
namespace {

struct LayerName {
    const char* name;
    bool render::SubgoalLayers::*layer;
    bool render::SubgoalRoute::*route;
    bool usual;
};
constexpr const char* kArea = "area";
constexpr std::array<LayerName, 8> kLayerNames{{
    {"subgoals", &render::SubgoalLayers::subgoals, nullptr, true},
    {"edges", &render::SubgoalLayers::edges, nullptr, true},
    {"taut", &render::SubgoalLayers::taut, nullptr, true},
    {"levels", &render::SubgoalLayers::levels, nullptr, false},
    {"core", &render::SubgoalLayers::core, nullptr, false},
    {"separators", &render::SubgoalLayers::separators, nullptr, false},
    {"connectors", nullptr, &render::SubgoalRoute::connectors, true},
    {"path", nullptr, &render::SubgoalRoute::path, true},
}};

}  // namespace

void SubgoalRender::add_to(CLI::App& command, const std::string& group) {
    std::vector<std::string> names{kArea};
    for (const LayerName& layer : kLayerNames) names.emplace_back(layer.name);
    command
        .add_option("--layers", layers,
                    fmt::format("Subgoal graphs: layers to draw, separated by commas: {}; area is "
                                "what is direct-h-reachable from the start",
                                fmt::join(names, ", ")))
        ->delimiter(',')
        ->allow_extra_args(false)
        ->check(CLI::IsMember(names).description(""))
        ->type_name("LAYERS")
        ->group(group);
    command
        .add_flag("--all-edges", all_edges,
                  "Subgoal graphs: levels over all edges, as the paper has them, not over the taut "
                  "ones")
        ->group(group);
}

bool SubgoalRender::wants(const char* layer) const {
    return std::find(layers.begin(), layers.end(), layer) != layers.end();
}

bool SubgoalRender::shows_area() const { return wants(kArea); }

Result<render::Drawing> SubgoalRender::draw(Context& context, const grid::Map& map,
                                            subgoal::Options options,
                                            render::SubgoalPicture picture) const {
    options.prune = !all_edges;
    options.labels = wants("separators");  // nothing else needs them
    const auto index = subgoal::Index::build(map, options, {{}, &context.cancel, 0});
    if (!index) return tl::unexpected(index.error());
    for (const LayerName& layer : kLayerNames) {
        const bool on = layers.empty() ? layer.usual : wants(layer.name);
        if (layer.layer != nullptr) picture.layers.*layer.layer = on;
        if (layer.route != nullptr && picture.route) (*picture.route).*layer.route = on;
    }
    subgoal::Answer answer;
    if (picture.route) {
        subgoal::Query query;
        query.start = picture.route->start;
        query.goal = picture.route->goal;
        query.limits.cancel = &context.cancel;
        subgoal::Searcher searcher(0);
        if (searcher.find(*index, query, answer) != StatusCode::ok) {
            return fail(answer.status,
                        fmt::format("{},{} to {},{}: {}", query.start.x, query.start.y,
                                    query.goal.x, query.goal.y, describe(answer.status)));
        }
        picture.route->answer = &answer;
    }
    return render::draw_subgoals(*index, picture);
}

Result<render::Drawing> SubgoalRender::figure(const grid::Map& map, subgoal::Options options,
                                              const render::SubgoalPicture& picture) const {
    options.prune = !all_edges;
    return render::draw_subgoal_figure(map, options, picture);
}

}  // namespace cairn::app
