// cairn render: pictures of maps and meshes, of their indexes, and of paths.

#include <algorithm>
#include <array>
#include <CLI/CLI.hpp>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cairn/hna/hna.hpp"
#include "cairn/hpa/hpa.hpp"
#include "cairn/index_file.hpp"
#include "cairn/render/haa_picture.hpp"
#include "cairn/render/hpa_picture.hpp"
#include "cairn/render/map_picture.hpp"
#include "cairn/render/mesh_picture.hpp"
#include "cairn/render/subgoal_picture.hpp"
#include "cairn/subgoal/subgoal.hpp"
#include "command.hpp"
#include "files.hpp"
#include "options/common.hpp"
#include "options/grid.hpp"
#include "options/haa.hpp"
#include "options/index.hpp"
#include "options/mesh.hpp"
#include "options/query.hpp"

namespace cairn::app {
namespace {

/// The picture of --planner haa.
struct HaaRender {
    HaaFlags haa;
    render::HaaLayers layers;  ///< without those of the view

    /// Adds the groups of HAA*, and --clearance and --all-agents.
    void add_to(CLI::App& command, const std::string& group);

    /// Errors: bad_option if any of these options was given.
    [[nodiscard]] Status none(std::string_view message) const;

    /// Answers a route's query on the agent's view.
    using Solve = std::function<Status(const hpa::Index& view)>;
    /// Builds the index, or loads it from --index, and draws it. `picture` holds everything except
    /// the agent and HAA*'s own layers; its route is read after `solve`. Errors: bad_option; those
    /// of the map, the index, the query and draw_haa.
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
                         "HAA*: also the nodes and edges that only other agents use"),
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
    if (index.file.empty()) {
        const auto annotated = haa.annotate(*terrain);
        if (!annotated) return tl::unexpected(annotated.error());
        return index.build<haa::Planner>(context, *annotated);
    }
    Status status = index.fields.none(kWithFile);
    if (status.ok()) status = map.none(kWithFile);
    if (status.ok()) status = haa.none_of_an_index(kWithFile);
    if (!status.ok()) return tl::unexpected(std::move(status));
    return cairn::load<haa::Index>(index.file, terrain->image);
}

Result<render::Drawing> HaaRender::draw(Context& context, const std::filesystem::path& file,
                                        const MapFlags& map, const IndexFlags& index,
                                        const std::string& what, const render::HpaPicture& picture,
                                        const Solve& solve) const {
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

/// The picture of --planner subgoal.
struct SubgoalRender {
    std::vector<std::string> layers;  ///< those drawn; empty: the default
    bool all_edges = false;

    /// Adds --layers and --all-edges.
    void add_to(CLI::App& command, const std::string& group);

    /// Whether --layers names a layer of a single cell, so that --from alone is enough.
    [[nodiscard]] bool shows_area() const;
    /// Builds the graph and draws it. `picture` holds everything except the layers; of its route,
    /// start and goal are used. Errors: those of the build, of the query and of draw_subgoals.
    [[nodiscard]] Result<render::Drawing> draw(Context& context, const grid::Map& map,
                                               subgoal::Options options,
                                               render::SubgoalPicture picture) const;
    /// SSG, TSG and N-level graph side by side.
    [[nodiscard]] Result<render::Drawing> figure(const grid::Map& map, subgoal::Options options,
                                                 const render::SubgoalPicture& picture) const;

private:
    [[nodiscard]] bool wants(const char* layer) const;
};

struct SubgoalLayerName {
    const char* name;
    bool render::SubgoalLayers::*layer;
    bool render::SubgoalRoute::*route;
    bool usual;
};
constexpr const char* kArea = "area";
constexpr std::array<SubgoalLayerName, 8> kSubgoalLayerNames{{
    {"subgoals", &render::SubgoalLayers::subgoals, nullptr, true},
    {"edges", &render::SubgoalLayers::edges, nullptr, true},
    {"taut", &render::SubgoalLayers::taut, nullptr, true},
    {"levels", &render::SubgoalLayers::levels, nullptr, false},
    {"core", &render::SubgoalLayers::core, nullptr, false},
    {"separators", &render::SubgoalLayers::separators, nullptr, false},
    {"connectors", nullptr, &render::SubgoalRoute::connectors, true},
    {"path", nullptr, &render::SubgoalRoute::path, true},
}};

void SubgoalRender::add_to(CLI::App& command, const std::string& group) {
    std::vector<std::string> names{kArea};
    for (const SubgoalLayerName& layer : kSubgoalLayerNames) names.emplace_back(layer.name);
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
                  "Subgoal graphs: levels over all edges, as in the paper, instead of the taut "
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
    for (const SubgoalLayerName& layer : kSubgoalLayerNames) {
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

struct Render {
    std::string map_file;
    std::string output;
    std::string planner = "hpa";
    std::string what = "graph";
    std::string from;
    std::string to;
    std::string area;
    std::string intra = "auto";
    std::vector<std::string> hidden;
    bool no_legend = false;
    bool no_grid = false;
    double scale = 1;
    MapFlags map;
    IndexFlags index;
    QueryFlags query;
    SubgoalRender subgoal;
    HaaRender haa;
    render::HpaPicture picture;
    std::optional<grid::Point> viewpoint;  ///< a start without a goal

    Outcome run(Context& context);
    [[nodiscard]] Status check_given() const;
    [[nodiscard]] Status set_up();
    void hide_layers();
    [[nodiscard]] Result<render::Drawing> draw(Context& context);
    [[nodiscard]] Result<render::Drawing> draw_hpa(Context& context, const grid::Map& grid_map);
    [[nodiscard]] Result<render::Drawing> draw_subgoal(Context& context, const grid::Map& grid_map);
    [[nodiscard]] Status solve(const hpa::Index& opened);

    hpa::Answer abstract_answer;
    hpa::Answer smoothed_answer;
};

/// The layers that --hide names, and where they are kept.
struct LayerName {
    const char* name;
    bool render::HpaLayers::*layer;
    bool render::HpaRoute::*route;
    bool render::HaaLayers::*haa = nullptr;
};
constexpr std::array<LayerName, 10> kLayerNames{{
    {"clusters", &render::HpaLayers::clusters, nullptr},
    {"entrances", &render::HpaLayers::entrances, nullptr},
    {"nodes", &render::HpaLayers::nodes, nullptr},
    {"inter-edges", &render::HpaLayers::inter_edges, nullptr},
    {"connections", nullptr, &render::HpaRoute::connections},
    {"corridor", nullptr, &render::HpaRoute::corridor},
    {"abstract", nullptr, &render::HpaRoute::abstract_path},
    {"refined", nullptr, &render::HpaRoute::refined_path},
    {"smoothed", nullptr, &render::HpaRoute::smoothed_path},
    {"footprints", nullptr, nullptr, &render::HaaLayers::footprints},
}};

Status Render::set_up() {
    picture.map.legend = !no_legend;
    picture.map.grid_lines = !no_grid;
    picture.layers.intra_edges = intra == "all"    ? render::IntraEdges::all
                                 : intra == "none" ? render::IntraEdges::none
                                                   : render::IntraEdges::automatic;
    if (!area.empty()) {
        const auto values = parse_integers(area, 4);
        const bool fits = values && std::all_of(values->begin(), values->end(), [](auto v) {
                              return v >= 0 && v <= grid::Map::kMaxSide;
                          });
        if (!fits) {
            return {StatusCode::bad_option,
                    fmt::format("--area '{}': write column,row,width,height", area)};
        }
        const auto at = [&](std::size_t i) { return static_cast<std::int32_t>((*values)[i]); };
        picture.map.area = grid::Rect{at(0), at(1), at(2), at(3)};
    }
    const bool alone = planner == "subgoal" && subgoal.shows_area();
    if (alone && from.empty())
        return {StatusCode::bad_option, "--layers area: name the cell with --from"};
    if (from.empty() != to.empty() && !(alone && to.empty()))
        return {StatusCode::bad_option, "--from and --to belong together: give both or neither"};
    if (from.empty()) return {};
    const auto start = parse_point(from, "--from");
    if (!start) return start.error();
    if (alone) viewpoint = *start;
    if (to.empty()) return {};
    const auto goal = parse_point(to, "--to");
    if (!goal) return goal.error();
    picture.route.emplace();
    picture.route->start = *start;
    picture.route->goal = *goal;
    return {};
}

/// Answers the query by the abstract graph, without and with smoothing.
Status Render::solve(const hpa::Index& opened) {
    render::HpaRoute& route = *picture.route;
    hpa::Searcher searcher;
    auto parsed = query.query<hpa::Planner>(opened.map().options().costs.straight);
    if (!parsed) return std::move(parsed.error());
    hpa::Query& asked = *parsed;
    asked.start = route.start;
    asked.goal = route.goal;
    asked.detail = hpa::Detail::path;
    if (asked.smoothing == hpa::Smoothing::none) route.smoothed_path = false;
    searcher.find(opened, asked, smoothed_answer);
    if (smoothed_answer.status != StatusCode::ok) {
        return {smoothed_answer.status,
                fmt::format("{} to {}: {}", from, to, describe(smoothed_answer.status))};
    }
    route.goal = asked.goal = smoothed_answer.goal;
    asked.smoothing = hpa::Smoothing::none;
    asked.try_direct_line = false;  // it has no abstract path to show
    searcher.find(opened, asked, abstract_answer);
    route.abstract = &abstract_answer;
    route.smoothed = &smoothed_answer;
    return {};
}

Result<render::Drawing> Render::draw_subgoal(Context& context, const grid::Map& grid_map) {
    render::SubgoalPicture drawn{picture.map, {}, viewpoint, {}};
    if (picture.route)
        drawn.route = render::SubgoalRoute{picture.route->start, picture.route->goal};
    if (what == "map") subgoal.layers = {"path"};
    const auto options = index.options<subgoal::Planner>();
    if (!options) return tl::unexpected(options.error());
    return what == "figure" ? subgoal.figure(grid_map, *options, drawn)
                            : subgoal.draw(context, grid_map, *options, std::move(drawn));
}

void Render::hide_layers() {
    for (const LayerName& layer : kLayerNames) {
        if (std::find(hidden.begin(), hidden.end(), layer.name) == hidden.end()) continue;
        if (layer.layer != nullptr) picture.layers.*layer.layer = false;
        if (layer.route != nullptr && picture.route) (*picture.route).*layer.route = false;
        if (layer.haa != nullptr) haa.layers.*layer.haa = false;
    }
}

Result<render::Drawing> Render::draw_hpa(Context& context, const grid::Map& grid_map) {
    if (what == "map" && !picture.route) return render::draw_map(grid_map, picture.map);
    Status given = index.file.empty() ? Status{} : index.fields.none(kWithFile);
    if (!given.ok()) return tl::unexpected(std::move(given));
    const auto opened = index.file.empty() ? index.build<hpa::Planner>(context, grid_map)
                                           : cairn::load<hpa::Index>(index.file, grid_map);
    if (!opened) return tl::unexpected(opened.error());
    if (picture.route) {
        if (Status status = solve(*opened); !status.ok()) return tl::unexpected(status);
    }
    if (what == "figure") return render::draw_hpa_figure(*opened, picture);
    if (what == "graph") return render::draw_hpa(*opened, picture);
    picture.map.paths.push_back({smoothed_answer.cells, {0xc2, 0x2f, 0x52}, "path"});
    picture.map.markers.push_back({picture.route->start, {0x1b, 0x7f, 0x4b}, "S"});
    picture.map.markers.push_back({picture.route->goal, {0xc2, 0x2f, 0x52}, "G"});
    return render::draw_map(grid_map, picture.map);
}

Result<render::Drawing> Render::draw(Context& context) {
    hide_layers();
    if (planner == "haa") {
        return haa.draw(context, map_file, map, index, what, picture,
                        [this](const hpa::Index& view) { return solve(view); });
    }
    const auto grid_map = map.load(map_file);
    if (!grid_map) return tl::unexpected(grid_map.error());
    if (planner == "subgoal" && (what != "map" || picture.route))
        return draw_subgoal(context, *grid_map);
    return draw_hpa(context, *grid_map);
}

/// Options of other planners would be ignored.
Status Render::check_given() const {
    if (planner != "haa") {
        Status status = haa.none("is an option of HAA*: leave it out, or add --planner haa");
        if (!status.ok()) return status;
    }
    if (planner != "subgoal") {
        if (subgoal.layers.empty() && !subgoal.all_edges) return {};
        return {StatusCode::bad_option,
                "--layers and --all-edges are for subgoal graphs: add --planner subgoal, or leave "
                "layers of HPA* and HAA* out with --hide"};
    }
    if (!index.file.empty()) {
        return {StatusCode::bad_option,
                "--index: pictures of subgoal graphs build their own; leave it out"};
    }
    if (hidden.empty()) return {};
    return {StatusCode::bad_option,
            "--hide is for HPA* and HAA*: name the layers wanted with --layers"};
}

Outcome Render::run(Context& context) {
    if (Status status = check_given(); !status.ok()) return tl::unexpected(status);
    if (Status status = set_up(); !status.ok()) return tl::unexpected(status);
    if (what == "figure" && planner != "subgoal" && !picture.route) {
        return fail(StatusCode::bad_option,
                    "--what figure shows a query: give its start and goal with --from and --to");
    }
    return save_picture(context, what, draw(context), output, scale);
}

void add_picture_options(CLI::App& command, Render& options) {
    const std::string group = "Picture";
    const auto add = [&](CLI::Option* option, const char* type) {
        option->type_name(type)->group(group);
    };
    std::vector<std::string> layers;
    layers.reserve(kLayerNames.size());
    for (const LayerName& layer : kLayerNames) layers.emplace_back(layer.name);
    add(command
            .add_option("--what", options.what,
                        "The map alone; with the abstract graph; or panels: HPA* or HAA* step by "
                        "step, subgoal graphs without levels, with two, with as many as possible")
            ->check(CLI::IsMember({"map", "graph", "figure"}).description(""))
            ->capture_default_str(),
        "map|graph|figure");
    add(command.add_option("--planner", options.planner, "Planner whose abstract graph is drawn")
            ->check(CLI::IsMember({"hpa", "subgoal", "haa"}).description(""))
            ->capture_default_str(),
        "hpa|subgoal|haa");
    add(command.add_option("--from,--start", options.from, "Start of a path to draw"), "X,Y");
    add(command.add_option("--to,--goal", options.to, "Goal of a path to draw"), "X,Y");
    add(command.add_option("--area", options.area, "Draw only this part"), "X,Y,W,H");
    add(command
            .add_option("--hide", options.hidden,
                        fmt::format("HPA*, HAA*: layers to leave out, separated by commas: {}",
                                    fmt::join(layers, ", ")))
            ->delimiter(',')
            ->allow_extra_args(false)
            ->check(CLI::IsMember(layers).description("")),
        "LAYERS");
    add(command
            .add_option("--intra-edges", options.intra,
                        "Intra-edges: all; none; auto leaves out levels if they would cover "
                        "everything else")
            ->check(CLI::IsMember({"auto", "none", "all"}).description(""))
            ->capture_default_str(),
        "auto|none|all");
    add(command.add_option("--lowest-level", options.picture.layers.lowest_level,
                           "Lowest level drawn; 0: automatic"),
        "N");
    add(command.add_option("--highest-level", options.picture.layers.highest_level,
                           "Highest level drawn; 0: automatic"),
        "N");
    add(command.add_option("--cell", options.picture.map.cell, "Pixels a cell, 1 to 64"), "PIXELS");
    add(command.add_option("--side", options.picture.map.longest_side,
                           "Longest side of the map in pixels, 64 to 8192"),
        "PIXELS");
    add(command.add_option("--scale", options.scale, "Enlarges a .png, 0.0625 to 16")
            ->capture_default_str(),
        "FACTOR");
    add(command.add_option("--title", options.picture.map.title, "Text above the picture"), "TEXT");
    command.add_flag("--no-legend", options.no_legend, "No legend")->group(group);
    command.add_flag("--no-grid", options.no_grid, "No lines between cells")->group(group);
}

struct MeshRender {
    std::string file;
    std::string output;
    std::string what = "graph";
    std::string from;
    std::string to;
    std::string area;
    std::vector<std::string> hidden;
    bool no_legend = false;
    double scale = 1;
    HnaFlags index;
    QueryFlags query;
    render::MeshPicture picture;

    Outcome run(Context& context);
    [[nodiscard]] Status set_up();
    void hide_layers();
    [[nodiscard]] Result<render::Drawing> draw(Context& context);
    [[nodiscard]] Status solve(const hna::Index& opened);

    hna::Answer answer;
};

/// The layers that --hide names, and where they are kept.
struct MeshLayerName {
    const char* name;
    bool render::MeshLayers::*layer;
    bool render::MeshRoute::*route;
};
constexpr std::array<MeshLayerName, 6> kMeshLayerNames{{
    {"clusters", &render::MeshLayers::clusters, nullptr},
    {"portals", &render::MeshLayers::portals, nullptr},
    {"inter-edges", &render::MeshLayers::inter_edges, nullptr},
    {"corridor", nullptr, &render::MeshRoute::corridor},
    {"abstract", nullptr, &render::MeshRoute::abstract_path},
    {"path", nullptr, &render::MeshRoute::string},
}};

Status MeshRender::set_up() {
    picture.legend = !no_legend;
    if (!area.empty()) {
        const auto values = parse_numbers(area, 4);
        if (!values || (*values)[2] <= 0 || (*values)[3] <= 0) {
            return {
                StatusCode::bad_option,
                fmt::format("--area '{}': write x,z,width,depth, for example -5,0,20,10", area)};
        }
        picture.window = render::MeshWindow{(*values)[0], (*values)[1], (*values)[2], (*values)[3]};
    }
    if (from.empty() != to.empty())
        return {StatusCode::bad_option, "--from and --to belong together: give both or neither"};
    if (!from.empty()) picture.route.emplace();
    return {};
}

void MeshRender::hide_layers() {
    for (const MeshLayerName& layer : kMeshLayerNames) {
        if (std::find(hidden.begin(), hidden.end(), layer.name) == hidden.end()) continue;
        if (layer.layer != nullptr) picture.layers.*layer.layer = false;
        if (layer.route != nullptr && picture.route) (*picture.route).*layer.route = false;
    }
}

Status MeshRender::solve(const hna::Index& opened) {
    const auto start = parse_place(from, "--from", opened.mesh());
    if (!start) return start.error();
    const auto goal = parse_place(to, "--to", opened.mesh());
    if (!goal) return goal.error();
    auto parsed = query.query<hna::Planner>(opened.mesh().units_per_length());
    if (!parsed) return std::move(parsed.error());
    hna::Query& asked = *parsed;
    asked.start = *start;
    asked.goal = *goal;
    asked.detail = hna::Detail::path;
    const StatusCode code = hna::Searcher().find(opened, asked, answer);
    if (code != StatusCode::ok)
        return {code, fmt::format("{} to {}: {}", from, to, describe(code))};
    picture.route->answer = &answer;
    return {};
}

Result<render::Drawing> MeshRender::draw(Context& context) {
    hide_layers();
    if (what == "mesh" && !picture.route && is_mesh_file(file)) {
        const auto loaded = index.mesh.load(context, file);
        if (!loaded) return tl::unexpected(loaded.error());
        return render::draw_mesh(*loaded, picture);
    }
    const auto opened = index.load_or_build(context, file);
    if (!opened) return tl::unexpected(opened.error());
    if (picture.route) {
        if (Status status = solve(*opened); !status.ok()) return tl::unexpected(status);
    }
    return what == "mesh" ? render::draw_mesh(opened->mesh(), picture)
                          : render::draw_hna(*opened, picture);
}

Outcome MeshRender::run(Context& context) {
    if (Status status = set_up(); !status.ok()) return tl::unexpected(status);
    return save_picture(context, what, draw(context), output, scale);
}

void add_picture_options(CLI::App& command, MeshRender& options) {
    using render::IntraEdges;
    const auto add = [&](CLI::Option* option, const char* type) {
        option->type_name(type)->group("Picture");
    };
    std::vector<std::string> layers;
    layers.reserve(kMeshLayerNames.size());
    for (const MeshLayerName& layer : kMeshLayerNames) layers.emplace_back(layer.name);
    add(command
            .add_option("--what", options.what, "The mesh alone, or with the hierarchical graph")
            ->check(CLI::IsMember({"mesh", "graph"}).description(""))
            ->capture_default_str(),
        "mesh|graph");
    add(command.add_option("--from,--start", options.from, "Start of a path to draw"), "PLACE");
    add(command.add_option("--to,--goal", options.to, "Goal of a path to draw"), "PLACE");
    add(command.add_option("--area", options.area, "Draw only this part"), "X,Z,W,D");
    add(command.add_option("--level", options.picture.layers.level,
                           "Level whose clusters are drawn; 0: the highest"),
        "N");
    add(command
            .add_option("--hide", options.hidden,
                        fmt::format("Layers to leave out, separated by commas: {}",
                                    fmt::join(layers, ", ")))
            ->delimiter(',')
            ->allow_extra_args(false)
            ->check(CLI::IsMember(layers).description("")),
        "LAYERS");
    add_choice<IntraEdges>(
        command, "--intra-edges", options.picture.layers.intra_edges,
        {{"auto", IntraEdges::automatic}, {"none", IntraEdges::none}, {"all", IntraEdges::all}},
        "Intra-edges: all; none; auto leaves them out if they would cover everything else")
        ->group("Picture");
    add(command.add_option("--side", options.picture.longest_side,
                           "Longest side of the mesh in pixels, 64 to 8192"),
        "PIXELS");
    add(command.add_option("--scale", options.scale, "Enlarges a .png, 0.0625 to 16")
            ->capture_default_str(),
        "FACTOR");
    add(command.add_option("--title", options.picture.title, "Text above the picture"), "TEXT");
    command.add_flag("--no-legend", options.no_legend, "No legend")->group("Picture");
}

void add_grid_render(CLI::App& app, Context& context) {
    auto options = std::make_shared<Render>();
    CLI::App* command = add_command(
        app, context, "render",
        "Draw a map or a mesh, its index and a path as PNG or SVG. Layers show clusters, "
        "entrances, abstract nodes, inter-edges and intra-edges by level, the connections of start "
        "and goal, and the abstract, refined and smoothed path; for HAA* also terrain, clearance, "
        "the edges that an agent uses and the cells that it covers; for subgoal graphs subgoals, "
        "edges, levels, separators and paths.",
        "  cairn render arena.map arena.png\n"
        "  cairn render arena.map path.svg --what map --from 1,3 --to 42,17\n"
        "  cairn render arena.map hpa.png --what figure --from 1,3 --to 42,17 --levels 2\n"
        "  cairn render arena.map close.png --area 0,0,60,40 --hide nodes,inter-edges\n"
        "  cairn render arena.map haa.png --planner haa --agent 2:ground+trees --from 1,3 --to "
        "42,17\n"
        "  cairn render arena.map ssg.png --planner subgoal --from 1,3 --to 42,17\n"
        "  cairn render arena.map levels.png --planner subgoal --levels 0 --layers levels,core");
    command->add_option("map", options->map_file, "Map: .map, .png, .pgm or Nav2 .yaml")
        ->required();
    command->add_option("output", options->output, "Picture to write: .png or .svg")->required();
    options->map.add_to(*command);
    options->index.add_to(*command, Space::grid);
    options->index.add_file_to(*command);
    options->query.add_to(*command, context, Space::grid, "Longest path wanted, in straight steps");
    add_picture_options(*command, *options);
    options->haa.add_to(*command, "Picture");
    options->subgoal.add_to(*command, "Picture");
    on_run(command, context, options);
}

void add_mesh_render(CLI::App& app, Context& context) {
    auto options = std::make_shared<MeshRender>();
    CLI::App* command = add_command(
        app, context, "render",
        "Draw a mesh, its index and a path as PNG or SVG, seen from above: x to the right, z "
        "downwards. Polygons have the colours of their clusters, portals are white and dotted, "
        "inter-edges red; areas are tinted, blocked polygons hatched, and of polygons above each "
        "other the upper one is drawn.",
        "  cairn render arena.mesh arena.png\n"
        "  cairn render arena.mesh path.svg --what mesh --from 5,0,5 --to 40,0,42\n"
        "  cairn render dungeon.crhn close.png --level 1 --area 10,-5,30,20");
    command->add_option("file", options->file, "Mesh or index file")->required();
    command->add_option("output,-o,--output", options->output, "Picture to write: .png or .svg")
        ->required()
        ->type_name("FILE")
        ->group("Output");
    add_mesh_planner(*command);
    options->index.add_to(*command);
    options->query.add_to(*command, context, Space::mesh,
                          "Costliest path wanted, in units of length");
    add_picture_options(*command, *options);
    on_run(command, context, options);
}

}  // namespace

void add_render(CLI::App& app, Context& context) {
    context.mesh ? add_mesh_render(app, context) : add_grid_render(app, context);
}

}  // namespace cairn::app
