// cairn render: pictures of maps and meshes, of their indexes, and of paths.

#include <algorithm>
#include <array>
#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include "cairn/haa/haa.hpp"
#include "cairn/hna/hna.hpp"
#include "cairn/hpa/hpa.hpp"
#include "cairn/index_file.hpp"
#include "cairn/render/closure_picture.hpp"
#include "cairn/render/haa_picture.hpp"
#include "cairn/render/hpa_picture.hpp"
#include "cairn/render/map_picture.hpp"
#include "cairn/render/mesh_picture.hpp"
#include "cairn/render/subgoal_picture.hpp"
#include "cairn/subgoal/subgoal.hpp"
#include "command.hpp"
#include "files.hpp"
#include "options/common.hpp"
#include "options/fields.hpp"
#include "options/grid.hpp"
#include "options/haa.hpp"
#include "options/mesh.hpp"
#include "text.hpp"

namespace cairn::app {
namespace {

/// A layer that --hide or --layers name. It shows a part of the index or of the route; the other
/// member is null.
template <class Layers, class Route>
struct LayerName {
    const char* name;
    bool Layers::*of_index;
    bool Route::*of_route;
    bool by_default = true;  ///< drawn without --layers

    void show(bool on, Layers& layers, std::optional<Route>& route) const {
        if (of_index != nullptr) layers.*of_index = on;
        if (of_route != nullptr && route) (*route).*of_route = on;
    }
};

constexpr std::array<LayerName<render::HpaLayers, render::HpaRoute>, 9> kHpaLayers{{
    {"clusters", &render::HpaLayers::clusters, nullptr},
    {"entrances", &render::HpaLayers::entrances, nullptr},
    {"nodes", &render::HpaLayers::nodes, nullptr},
    {"inter-edges", &render::HpaLayers::inter_edges, nullptr},
    {"connections", nullptr, &render::HpaRoute::connections},
    {"corridor", nullptr, &render::HpaRoute::corridor},
    {"abstract", nullptr, &render::HpaRoute::abstract_path},
    {"refined", nullptr, &render::HpaRoute::refined_path},
    {"smoothed", nullptr, &render::HpaRoute::smoothed_path},
}};
constexpr const char* kFootprints = "footprints";  // of HAA* only, not in the table

constexpr std::array<LayerName<render::SubgoalLayers, render::SubgoalRoute>, 7> kSubgoalLayers{{
    {"subgoals", &render::SubgoalLayers::subgoals, nullptr},
    {"edges", &render::SubgoalLayers::edges, nullptr},
    {"taut", &render::SubgoalLayers::taut, nullptr},
    {"levels", &render::SubgoalLayers::levels, nullptr, false},
    {"core", &render::SubgoalLayers::core, nullptr, false},
    {"connectors", nullptr, &render::SubgoalRoute::connectors},
    {"path", nullptr, &render::SubgoalRoute::path},
}};
constexpr const char* kArea = "area";  // what is direct-h-reachable from --from; needs no --to

constexpr std::array<LayerName<render::MeshLayers, render::MeshRoute>, 6> kMeshLayers{{
    {"clusters", &render::MeshLayers::clusters, nullptr},
    {"portals", &render::MeshLayers::portals, nullptr},
    {"inter-edges", &render::MeshLayers::inter_edges, nullptr},
    {"corridor", nullptr, &render::MeshRoute::corridor},
    {"abstract", nullptr, &render::MeshRoute::abstract_path},
    {"path", nullptr, &render::MeshRoute::string},
}};

template <class Layers>
std::vector<std::string> names_of(const Layers& layers) {
    return mapped(layers, [](const auto& layer) { return std::string(layer.name); });
}

bool holds(const std::vector<std::string>& names, const char* name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

/// Adds an option for layer names separated by commas. `help` has one {} for all names.
CLI::Option* add_layers(CLI::App& command, const char* name, std::vector<std::string>& value,
                        const std::vector<std::string>& names, const char* help) {
    return command.add_option(name, value, fmt::format(fmt::runtime(help), fmt::join(names, ", ")))
        ->delimiter(',')
        ->allow_extra_args(false)
        ->check(one_of(names))
        ->type_name("LAYERS")
        ->group("Picture");
}

/// The group "Picture": what pictures of maps and of meshes have in common.
struct PictureFlags {
    std::string output;
    FormatFlag format;
    std::string what = "graph";
    std::string from;  ///< empty: no path
    std::string to;
    std::string area;                 ///< empty: everything
    std::vector<std::string> hidden;  ///< layers
    bool no_legend = false;
    double scale = 1;

    /// Adds the output and its format.
    void add_output(CLI::App& command, const char* name, Context& context) {
        writes_file(add_value(command, name, output, "FILE", "Output",
                              "Picture to write: .png or .svg; - is standard output, an SVG "
                              "without --format")
                        ->required(),
                    context);
        format.add_to(command, {"svg", "png"});
    }
    [[nodiscard]] Outcome save(const Context& context,
                               const Result<render::Drawing>& drawing) const {
        return save_picture(context, what, drawing, output, format.extension(output, ".svg"),
                            scale);
    }
    /// Adds --from, --to and --area. `place` and `window`: the types of their values.
    void add_part(CLI::App& command, const char* place, const char* window) {
        add(command, "--from,--start", from, place, "Start of a path to draw");
        add(command, "--to,--goal", to, place, "Goal of a path to draw");
        add(command, "--area", area, window, "Draw only this part");
    }
    /// Adds the size, --title and --no-legend. `side`: the help of --side.
    template <class Picture>
    void add_frame(CLI::App& command, Picture& picture, const char* side) {
        add(command, "--side", picture.longest_side, "PIXELS", side);
        add(command, "--scale", scale, "FACTOR", "Enlarges a .png, 0.0625 to 16")
            ->capture_default_str();
        add(command, "--title", picture.title, "TEXT", "Text above the picture");
        command.add_flag("--no-legend", no_legend, "No legend")->group("Picture");
    }
    /// Whether the picture is one of the closure.
    [[nodiscard]] bool is_of_closure() const {
        return what == "tree" || what == "closure" || what == "repair";
    }
    /// bad_option if a picture of the closure would ignore an option or lacks one; else ok.
    /// `chosen`: layers that the command line names.
    [[nodiscard]] Status check_closure(const std::vector<std::string>& chosen) const {
        const char* message = nullptr;
        if (!chosen.empty()) {
            message = "has no layers to choose: leave --hide and --layers out";
        } else if (what == "closure") {
            if (from.empty()) message = "shows a climb: name its start with --from";
        } else if (!from.empty() || !to.empty()) {
            message = "is drawn without a path: leave --from and --to out";
        }
        if (message == nullptr) return {};
        return {StatusCode::bad_option, fmt::format("--what {} {}", what, message)};
    }
    template <class T>
    static CLI::Option* add(CLI::App& command, const char* name, T& value, const char* type,
                            const char* help) {
        return command.add_option(name, value, help)->type_name(type)->group("Picture");
    }

    /// Leaves out the layers that --hide names.
    template <class Names, class Layers, class Route>
    void hide(const Names& names, Layers& layers, std::optional<Route>& route) const {
        for (const auto& layer : names) {
            if (holds(hidden, layer.name)) layer.show(false, layers, route);
        }
    }
};

constexpr const char* kOneEndMissing = "--from and --to belong together: give both or neither";

struct Render : PictureFlags {
    std::string map_file;
    std::string planner = "hpa";
    std::string intra = "auto";
    bool no_grid = false;
    MapFlags map;
    IndexFlags index;
    QueryFlags query;
    EditFlags edit;
    HaaFlags haa;
    std::vector<CLI::Option*> haa_options;    ///< of pictures of HAA* only
    std::vector<std::string> subgoal_layers;  ///< of --layers; empty: the default

    void add_to(CLI::App& command);
    Outcome run(Context& context);
    /// bad_option if an option was given that the picture would ignore, or one that it needs is
    /// missing; else ok.
    [[nodiscard]] Status check_given() const;
    [[nodiscard]] Status check_what() const;
    /// Sets `picture` and `viewpoint` by the options. Errors: bad_option.
    [[nodiscard]] Status set_up();
    [[nodiscard]] Result<render::Drawing> draw(Context& context);
    [[nodiscard]] Result<render::Drawing> draw_hpa(Context& context, const grid::Map& grid_map);
    [[nodiscard]] Result<render::Drawing> draw_haa(Context& context);
    /// A picture of the closure. `edited` gives the index after edits.
    template <class Index, class Edited>
    [[nodiscard]] Result<render::Drawing> draw_closure(const Index& opened,
                                                       const Edited& edited) const;
    [[nodiscard]] Result<render::Drawing> draw_subgoal(Context& context, const grid::Map& grid_map);
    [[nodiscard]] Result<haa::Index> open_haa(Context& context) const;
    /// Finds the route of the picture, without and with smoothing. Errors: bad_option; the status
    /// of the query.
    [[nodiscard]] Status solve(const hpa::Index& opened);

    render::HaaPicture picture;            ///< HPA* and subgoal graphs use parts of it
    std::optional<grid::Point> viewpoint;  ///< the cell of the layer kArea, or where a climb begins
    std::optional<grid::Point> climb_goal;
    hpa::Answer abstract_answer;
    hpa::Answer smoothed_answer;
};

Status Render::check_what() const {
    if (edit.texts.empty() != (what != "repair")) {
        return {StatusCode::bad_option, edit.texts.empty()
                                            ? "--what repair shows an edit: give one with --edit"
                                            : "--edit: only --what repair shows edits"};
    }
    if (const auto edits = edit.edits(); !edits) return edits.error();
    if (!is_of_closure()) return {};
    return check_closure(hidden.empty() ? subgoal_layers : hidden);
}

Status Render::check_given() const {
    if (Status status = check_what(); !status.ok()) return status;
    if (planner != "haa") {
        constexpr const char* message = "is an option of HAA*: leave it out, or add --planner haa";
        Status status = haa.refuse_given(message);
        if (status.ok()) status = refuse_given(haa_options, message);
        if (!status.ok()) return status;
    }
    if (planner != "subgoal") {
        if (subgoal_layers.empty()) return {};
        return {StatusCode::bad_option,
                "--layers is for subgoal graphs: add --planner subgoal, or leave layers of HPA* "
                "and HAA* out with --hide"};
    }
    if (!index.file.empty()) {
        return {StatusCode::bad_option,
                "--index: pictures of subgoal graphs build their own; leave it out"};
    }
    if (hidden.empty()) return {};
    return {StatusCode::bad_option,
            "--hide is for HPA* and HAA*: name the layers wanted with --layers"};
}

Status Render::set_up() {
    picture.map.legend = !no_legend;
    picture.map.grid_lines = !no_grid;
    picture.layers.view.intra_edges = intra == "all"    ? render::IntraEdges::all
                                      : intra == "none" ? render::IntraEdges::none
                                                        : render::IntraEdges::automatic;
    if (!area.empty()) {
        picture.map.area = parse_rectangle(area, 0);
        if (!picture.map.area) {
            return {StatusCode::bad_option,
                    fmt::format("--area '{}': write column,row,width,height", area)};
        }
    }
    const bool draws_area = planner == "subgoal" && holds(subgoal_layers, kArea);
    if (draws_area && from.empty())
        return {StatusCode::bad_option, "--layers area: name the cell with --from"};
    const bool draws_climb = what == "closure";
    if (from.empty() != to.empty() && !((draws_area || draws_climb) && to.empty()))
        return {StatusCode::bad_option, kOneEndMissing};
    if (from.empty()) return {};
    const auto start = parse_point(from, "--from");
    if (!start) return start.error();
    if (draws_area || draws_climb) viewpoint = *start;
    if (to.empty()) return {};
    const auto goal = parse_point(to, "--to");
    if (!goal) return goal.error();
    if (draws_climb) {
        climb_goal = *goal;
        return {};
    }
    picture.route.emplace();
    picture.route->start = *start;
    picture.route->goal = *goal;
    return {};
}

Status Render::solve(const hpa::Index& opened) {
    render::HpaRoute& route = *picture.route;
    hpa::Searcher searcher;
    auto parsed = query.query<hpa::Planner>(opened.map().options().costs.straight);
    if (!parsed) return std::move(parsed.error());
    hpa::Query& route_query = *parsed;
    route_query.start = route.start;
    route_query.goal = route.goal;
    route_query.detail = hpa::Detail::path;
    if (route_query.smoothing == hpa::Smoothing::none) route.smoothed_path = false;
    searcher.find(opened, route_query, smoothed_answer);
    if (smoothed_answer.status != StatusCode::ok) {
        return {smoothed_answer.status,
                fmt::format("{} to {}: {}", from, to, describe(smoothed_answer.status))};
    }
    route.goal = route_query.goal = smoothed_answer.goal;
    route_query.smoothing = hpa::Smoothing::none;
    route_query.try_direct_line = false;  // a direct line has no abstract path to show
    searcher.find(opened, route_query, abstract_answer);
    route.abstract = &abstract_answer;
    route.smoothed = &smoothed_answer;
    return {};
}

constexpr render::Colour kRed{0xc2, 0x2f, 0x52};
constexpr render::Colour kGreen{0x1b, 0x7f, 0x4b};

template <class Index, class Edited>
Result<render::Drawing> Render::draw_closure(const Index& opened, const Edited& edited) const {
    if (what == "tree") return render::draw_tree(opened, picture.map);
    if (what == "closure") return render::draw_climb(opened, *viewpoint, climb_goal, picture.map);
    const auto edits = edit.edits();
    if (!edits) return tl::unexpected(edits.error());
    const Result<Index> after = edited(*edits);
    if (!after) return fail(after.error().code, "--edit: " + after.error().message);
    return render::draw_repair(opened, *after, *edits, picture.map);
}

Result<render::Drawing> Render::draw_hpa(Context& context, const grid::Map& grid_map) {
    if (what == "map" && !picture.route) return render::draw_map(grid_map, picture.map);
    Status given = index.file.empty() ? Status{} : index.fields.refuse_given(kWithFile);
    if (!given.ok()) return tl::unexpected(std::move(given));
    const auto opened = index.file.empty() ? index.build<hpa::Planner>(context, grid_map)
                                           : cairn::load<hpa::Index>(index.file, grid_map);
    if (!opened) return tl::unexpected(opened.error());
    if (is_of_closure())
        return draw_closure(*opened, [&](const auto& edits) { return opened->edited(edits); });
    if (picture.route) {
        if (Status status = solve(*opened); !status.ok()) return tl::unexpected(status);
    }
    const render::HpaPicture drawn{picture.map, picture.layers.view, picture.route};
    if (what == "figure") return render::draw_hpa_figure(*opened, drawn);
    if (what == "graph") return render::draw_hpa(*opened, drawn);
    picture.map.paths.push_back({smoothed_answer.cells, kRed, "path"});
    picture.map.markers.push_back({picture.route->start, kGreen, "S"});
    picture.map.markers.push_back({picture.route->goal, kRed, "G"});
    return render::draw_map(grid_map, picture.map);
}

Result<haa::Index> Render::open_haa(Context& context) const {
    const auto terrain = haa.load(map_file, map);
    if (!terrain) return tl::unexpected(terrain.error());
    if (index.file.empty()) {
        const auto annotated = haa.annotate(*terrain);
        if (!annotated) return tl::unexpected(annotated.error());
        return index.build<haa::Planner>(context, *annotated);
    }
    Status status = index.fields.refuse_given(kWithFile);
    if (status.ok()) status = map.refuse_given(kWithFile);
    if (status.ok()) status = haa.refuse_index_options(kWithFile);
    if (!status.ok()) return tl::unexpected(std::move(status));
    return cairn::load<haa::Index>(index.file, terrain->image);
}

Result<render::Drawing> Render::draw_haa(Context& context) {
    const auto opened = open_haa(context);
    if (!opened) return tl::unexpected(opened.error());
    const auto agent = haa.agent(opened->map());
    if (!agent) return tl::unexpected(agent.error());
    if (is_of_closure()) {
        Status status = haa.prepare(context, *opened, *agent, index.threads);
        if (!status.ok()) return tl::unexpected(std::move(status));
    }
    const auto view = opened->view(*agent);
    if (!view) return tl::unexpected(view.error());
    if (is_of_closure()) {
        return draw_closure(*view, [&](const auto& edits) -> Result<hpa::Index> {
            const auto after = opened->edited(translated(edits, opened->map().options().key));
            if (!after) return tl::unexpected(after.error());
            return after->view(*agent);
        });
    }
    picture.agent = *agent;
    auto& route = picture.route;
    if (route) {
        if (Status status = solve(*view); !status.ok()) return tl::unexpected(std::move(status));
    }
    if (what == "figure") return render::draw_haa_figure(*opened, picture);
    if (what == "map") {
        render::HpaLayers& graph = picture.layers.view;
        graph.clusters = graph.entrances = graph.nodes = graph.inter_edges = false;
        graph.intra_edges = render::IntraEdges::none;
        picture.layers.all_agents = false;
        if (route) {
            route->connections = route->corridor = route->abstract_path = false;
            route->refined_path = !route->smoothed_path;
        }
    }
    return render::draw_haa(*opened, picture);
}

Result<render::Drawing> Render::draw_subgoal(Context& context, const grid::Map& grid_map) {
    render::SubgoalPicture drawn{picture.map, {}, viewpoint, {}};
    if (picture.route)
        drawn.route = render::SubgoalRoute{picture.route->start, picture.route->goal};
    if (what == "map") subgoal_layers = {"path"};
    auto options = index.options<subgoal::Planner>();
    if (!options) return tl::unexpected(options.error());
    if (what == "figure") return render::draw_subgoal_figure(grid_map, *options, drawn);
    options->labels = options->labels && is_of_closure();  // nothing else needs them
    const auto built = subgoal::Index::build(grid_map, *options, {{}, &context.cancel, 0});
    if (!built) return tl::unexpected(built.error());
    if (is_of_closure())
        return draw_closure(*built, [&](const auto& edits) { return built->edited(edits); });
    for (const auto& layer : kSubgoalLayers) {
        const bool on =
            subgoal_layers.empty() ? layer.by_default : holds(subgoal_layers, layer.name);
        layer.show(on, drawn.layers, drawn.route);
    }
    subgoal::Answer answer;
    if (drawn.route) {
        subgoal::Query route_query;
        route_query.start = drawn.route->start;
        route_query.goal = drawn.route->goal;
        route_query.limits.cancel = &context.cancel;
        if (subgoal::Searcher(0).find(*built, route_query, answer) != StatusCode::ok) {
            return fail(answer.status, fmt::format("{},{} to {},{}: {}", route_query.start.x,
                                                   route_query.start.y, route_query.goal.x,
                                                   route_query.goal.y, describe(answer.status)));
        }
        drawn.route->answer = &answer;
    }
    return render::draw_subgoals(*built, drawn);
}

Result<render::Drawing> Render::draw(Context& context) {
    hide(kHpaLayers, picture.layers.view, picture.route);
    if (holds(hidden, kFootprints)) picture.layers.footprints = false;
    if (planner == "haa") return draw_haa(context);
    const auto grid_map = map.load(map_file);
    if (!grid_map) return tl::unexpected(grid_map.error());
    if (planner == "subgoal" && (what != "map" || picture.route))
        return draw_subgoal(context, *grid_map);
    return draw_hpa(context, *grid_map);
}

Outcome Render::run(Context& context) {
    if (Status status = check_given(); !status.ok()) return tl::unexpected(status);
    if (Status status = set_up(); !status.ok()) return tl::unexpected(status);
    if (what == "figure" && planner != "subgoal" && !picture.route) {
        return fail(StatusCode::bad_option,
                    "--what figure shows a query: give its start and goal with --from and --to");
    }
    return save(context, draw(context));
}

void Render::add_to(CLI::App& command) {
    using render::ClearanceStyle;
    add_word(command, "--what", what, {"map", "graph", "figure", "tree", "closure", "repair"},
             "Picture",
             "The map alone; with the abstract graph; or panels: HPA* or HAA* step by step, "
             "subgoal graphs without levels, with two, with as many as possible. Of the labels: "
             "the separator tree; the closure that climbs from the nodes nearest to --from and "
             "--to visit; the repair of the closure after --edit");
    add_word(command, "--planner", planner, {"hpa", "subgoal", "haa"}, "Picture",
             "Planner whose abstract graph is drawn");
    add_part(command, "X,Y", "X,Y,W,H");
    edit.add_to(command, "Picture", "With --what repair: change a rectangle of the map");
    auto hideable = names_of(kHpaLayers);
    hideable.emplace_back(kFootprints);
    add_layers(command, "--hide", hidden, hideable,
               "HPA*, HAA*: layers to leave out, separated by commas: {}");
    add_word(command, "--intra-edges", intra, {"auto", "none", "all"}, "Picture",
             "Intra-edges: all; none; auto leaves out levels if they would cover everything else");
    add(command, "--lowest-level", picture.layers.view.lowest_level, "N",
        "Lowest level drawn; 0: automatic");
    add(command, "--highest-level", picture.layers.view.highest_level, "N",
        "Highest level drawn; 0: automatic");
    add(command, "--cell", picture.map.cell, "PIXELS", "Pixels a cell, 1 to 64");
    add_frame(command, picture.map, "Longest side of the map in pixels, 64 to 8192");
    command.add_flag("--no-grid", no_grid, "No lines between cells")->group("Picture");
    haa.add_to(command);
    haa.add_agent_to(command);
    haa_options = {
        add_choice<ClearanceStyle>(command, "--clearance", picture.layers.clearance,
                                   {{"auto", ClearanceStyle::automatic},
                                    {"none", ClearanceStyle::none},
                                    {"shades", ClearanceStyle::shades},
                                    {"numbers", ClearanceStyle::numbers}},
                                   "Picture",
                                   "HAA*: clearances of the agent's capability: numbers where "
                                   "cells are large, else shades; neither; one of them"),
        command
            .add_flag("--all-agents", picture.layers.all_agents,
                      "HAA*: also the nodes and edges that only other agents use")
            ->group("Picture"),
    };
    auto drawable = names_of(kSubgoalLayers);
    drawable.insert(drawable.begin(), kArea);
    add_layers(command, "--layers", subgoal_layers, drawable,
               "Subgoal graphs: layers to draw, separated by commas: {}; area is what is "
               "direct-h-reachable from the start");
}

struct MeshRender : PictureFlags {
    std::string file;
    HnaFlags index;
    QueryFlags query;
    DiscFlags disc;

    void add_to(CLI::App& command);
    Outcome run(Context& context);
    /// Sets `picture` by the options. Errors: bad_option.
    [[nodiscard]] Status set_up();
    [[nodiscard]] Result<render::Drawing> draw(Context& context);
    [[nodiscard]] Result<render::Drawing> draw_closure(const hna::Index& opened) const;
    [[nodiscard]] Result<render::Drawing> draw_disc(Context& context) const;
    /// Finds the route of the picture. Errors: bad_option; the status of the query.
    [[nodiscard]] Status solve(const hna::Index& opened);

    render::MeshPicture picture;
    hna::Answer answer;
};

Status MeshRender::set_up() {
    picture.legend = !no_legend;
    if (!area.empty()) {
        const auto values = parse_numbers<double, 4>(area);
        if (!values || (*values)[2] <= 0 || (*values)[3] <= 0) {
            return {
                StatusCode::bad_option,
                fmt::format("--area '{}': write x,z,width,depth, for example -5,0,20,10", area)};
        }
        picture.window = render::MeshWindow{(*values)[0], (*values)[1], (*values)[2], (*values)[3]};
    }
    if (what == "repair") {
        return {StatusCode::bad_option,
                "--what repair shows an edit of cells, which meshes do not have: it is for maps"};
    }
    if (is_of_closure()) return check_closure(hidden);
    if (from.empty() != to.empty()) return {StatusCode::bad_option, kOneEndMissing};
    if (!from.empty()) picture.route.emplace();
    return {};
}

Status MeshRender::solve(const hna::Index& opened) {
    const auto start = parse_place(from, "--from", opened.mesh());
    if (!start) return start.error();
    const auto goal = parse_place(to, "--to", opened.mesh());
    if (!goal) return goal.error();
    auto parsed = query.query<hna::Planner>(opened.mesh().units_per_length());
    if (!parsed) return std::move(parsed.error());
    hna::Query& route_query = *parsed;
    route_query.start = *start;
    route_query.goal = *goal;
    route_query.detail = hna::Detail::path;
    const StatusCode code = hna::Searcher().find(opened, route_query, answer);
    if (code != StatusCode::ok)
        return {code, fmt::format("{} to {}: {}", from, to, describe(code))};
    picture.route->answer = &answer;
    return {};
}

Result<render::Drawing> MeshRender::draw_closure(const hna::Index& opened) const {
    if (what == "tree") return render::draw_tree(opened, picture);
    const auto start = parse_place(from, "--from", opened.mesh());
    if (!start) return tl::unexpected(start.error());
    if (to.empty()) return render::draw_climb(opened, start->point, std::nullopt, picture);
    const auto goal = parse_place(to, "--to", opened.mesh());
    if (!goal) return tl::unexpected(goal.error());
    return render::draw_climb(opened, start->point, goal->point, picture);
}

Result<render::Drawing> MeshRender::draw_disc(Context& context) const {
    if (from.empty() || is_of_closure())
        return fail(StatusCode::bad_option, "--radius is for a path: give --from and --to");
    const auto path = disc.find(context, index, file, from, to, query);
    if (!path) return tl::unexpected(path.error());
    return render::draw_disc_path(path->index, path->query, path->answer, picture);
}

Result<render::Drawing> MeshRender::draw(Context& context) {
    hide(kMeshLayers, picture.layers, picture.route);
    if (disc.given()) return draw_disc(context);
    if (what == "mesh" && !picture.route && is_mesh_file(file)) {
        const auto loaded = index.mesh.load(context, file);
        if (!loaded) return tl::unexpected(loaded.error());
        return render::draw_mesh(*loaded, picture);
    }
    const auto opened = index.load_or_build(context, file);
    if (!opened) return tl::unexpected(opened.error());
    if (is_of_closure()) return draw_closure(*opened);
    if (picture.route) {
        if (Status status = solve(*opened); !status.ok()) return tl::unexpected(status);
    }
    return what == "mesh" ? render::draw_mesh(opened->mesh(), picture)
                          : render::draw_hna(*opened, picture);
}

Outcome MeshRender::run(Context& context) {
    if (Status status = set_up(); !status.ok()) return tl::unexpected(status);
    return save(context, draw(context));
}

void MeshRender::add_to(CLI::App& command) {
    using render::IntraEdges;
    add_word(
        command, "--what", what, {"mesh", "graph", "tree", "closure", "repair"}, "Picture",
        "The mesh alone; with the hierarchical graph; the separator tree of the labels; or the "
        "closure of the labels that climbs from the inter-edges nearest to --from and --to "
        "visit. repair is for maps");
    add_part(command, "PLACE", "X,Z,W,D");
    add(command, "--level", picture.layers.level, "N",
        "Level whose clusters are drawn; 0: the highest");
    add_layers(command, "--hide", hidden, names_of(kMeshLayers),
               "Layers to leave out, separated by commas: {}");
    add_choice<IntraEdges>(
        command, "--intra-edges", picture.layers.intra_edges,
        {{"auto", IntraEdges::automatic}, {"none", IntraEdges::none}, {"all", IntraEdges::all}},
        "Picture",
        "Intra-edges: all; none; auto leaves them out if they would cover everything else");
    add_frame(command, picture, "Longest side of the mesh in pixels, 64 to 8192");
}

void add_grid_render(CLI::App& app, Context& context) {
    auto options = std::make_shared<Render>();
    CLI::App* command = add_command(
        app, context, "render",
        "Draw a map or a mesh, its index and a path as PNG or SVG. Layers show clusters, "
        "entrances, abstract nodes, inter-edges and intra-edges by level, the connections of start "
        "and goal, and the abstract, refined and smoothed path; for HAA* also terrain, clearance, "
        "the edges that an agent uses and the cells that it covers; for subgoal graphs subgoals, "
        "edges, levels and paths. Other pictures show the separator tree of the labels, a climb "
        "in their closure, and what an edit changes in it.",
        "  cairn render arena.map arena.png\n"
        "  cairn render arena.map path.svg --what map --from 1,3 --to 42,17\n"
        "  cairn render arena.map hpa.png --what figure --from 1,3 --to 42,17 --levels 2\n"
        "  cairn render arena.map close.png --area 0,0,60,40 --hide nodes,inter-edges\n"
        "  cairn render arena.map haa.png --planner haa --agent 2:ground+trees --from 1,3 --to "
        "42,17\n"
        "  cairn render arena.map ssg.png --planner subgoal --from 1,3 --to 42,17\n"
        "  cairn render arena.map levels.png --planner subgoal --levels 0 --layers levels,core\n"
        "  cairn render arena.map climbs.png --what closure --from 1,3 --to 42,17\n"
        "  cairn render arena.map repair.png --what repair --edit 20,0,1,30,@");
    reads_file(command->add_option("map", options->map_file, kMapHelp)->required(), context);
    options->add_output(*command, "output", context);
    options->map.add_to(*command);
    options->index.add_to(*command, Space::grid);
    options->index.add_file_to(*command, context);
    options->query.add_to(*command, context, Space::grid, "Longest path wanted, in straight steps");
    options->add_to(*command);
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
    reads_file(command->add_option("file", options->file, kMeshHelp)->required(), context);
    options->add_output(*command, "output,-o,--output", context);
    add_mesh_planner(*command);
    options->index.add_to(*command);
    options->query.add_to(*command, context, Space::mesh,
                          "Costliest path wanted, in units of length");
    options->disc.add_to(*command);
    options->add_to(*command);
    on_run(command, context, options);
}

}  // namespace

void add_render(CLI::App& app, Context& context) {
    context.mesh ? add_mesh_render(app, context) : add_grid_render(app, context);
}

}  // namespace cairn::app
