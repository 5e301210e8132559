// cairn navmesh render: pictures of meshes, their index and a path.

#include <algorithm>
#include <array>
#include <optional>

#include "cairn/hna/hna.hpp"
#include "cairn/render/mesh_picture.hpp"
#include "choice.hpp"
#include "command.hpp"
#include "navmesh.hpp"
#include "navmesh_options.hpp"
#include "options.hpp"
#include "picture_file.hpp"

namespace cairn::app {
namespace {

struct NavmeshRender {
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
    HnaQueryFlags query;
    render::MeshPicture picture;

    Outcome run(Context& context);
    [[nodiscard]] Status set_up();
    void hide_layers();
    [[nodiscard]] Result<render::Drawing> draw(Context& context);
    [[nodiscard]] Status solve(const hna::Index& opened);

    hna::Answer answer;
};

/// The layers that --hide names, and where they are kept.
struct LayerName {
    const char* name;
    bool render::MeshLayers::*layer;
    bool render::MeshRoute::*route;
};
constexpr std::array<LayerName, 6> kLayerNames{{
    {"clusters", &render::MeshLayers::clusters, nullptr},
    {"portals", &render::MeshLayers::portals, nullptr},
    {"inter-edges", &render::MeshLayers::inter_edges, nullptr},
    {"corridor", nullptr, &render::MeshRoute::corridor},
    {"abstract", nullptr, &render::MeshRoute::abstract_path},
    {"path", nullptr, &render::MeshRoute::string},
}};

Status NavmeshRender::set_up() {
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

void NavmeshRender::hide_layers() {
    for (const LayerName& layer : kLayerNames) {
        if (std::find(hidden.begin(), hidden.end(), layer.name) == hidden.end()) continue;
        if (layer.layer != nullptr) picture.layers.*layer.layer = false;
        if (layer.route != nullptr && picture.route) (*picture.route).*layer.route = false;
    }
}

Status NavmeshRender::solve(const hna::Index& opened) {
    const auto start = parse_place(from, "--from", opened.mesh());
    if (!start) return start.error();
    const auto goal = parse_place(to, "--to", opened.mesh());
    if (!goal) return goal.error();
    hna::Query asked = query.between(opened.mesh(), *start, *goal);
    asked.detail = hna::Detail::path;
    const StatusCode code = hna::Searcher().find(opened, asked, answer);
    if (code != StatusCode::ok)
        return {code, fmt::format("{} to {}: {}", from, to, describe(code))};
    picture.route->answer = &answer;
    return {};
}

Result<render::Drawing> NavmeshRender::draw(Context& context) {
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

Outcome NavmeshRender::run(Context& context) {
    if (Status status = set_up(); !status.ok()) return tl::unexpected(status);
    return save_picture(context, what, draw(context), output, scale);
}

void add_picture_options(CLI::App& command, NavmeshRender& options) {
    using render::IntraEdges;
    const auto add = [&](CLI::Option* option, const char* type) {
        option->type_name(type)->group("Picture");
    };
    std::vector<std::string> layers;
    layers.reserve(kLayerNames.size());
    for (const LayerName& layer : kLayerNames) layers.emplace_back(layer.name);
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
        "Intra-edges: all; none; auto leaves them out where they would cover all else")
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

}  // namespace

void add_navmesh_render(CLI::App& group, Context& context) {
    auto options = std::make_shared<NavmeshRender>();
    CLI::App* command = add_command(
        group, context, "render",
        "Draw a mesh, its index and a path as PNG or SVG, seen from above: x to the right, z "
        "downwards. Polygons have the colours of their clusters, portals are white and dotted, "
        "inter-edges red; areas are tinted, blocked polygons hatched, and of polygons above each "
        "other the upper one is seen.",
        "  cairn navmesh render arena.mesh arena.png\n"
        "  cairn navmesh render arena.mesh path.svg --what mesh --from 5,0,5 --to 40,0,42\n"
        "  cairn navmesh render dungeon.crhn close.png --level 1 --area 10,-5,30,20");
    command->add_option("file", options->file, "Mesh or index file")->required();
    command->add_option("output,-o,--output", options->output, "Picture to write: .png or .svg")
        ->required()
        ->type_name("FILE")
        ->group("Output");
    options->index.add_to(*command);
    options->query.add_to(*command, context);
    add_picture_options(*command, *options);
    on_run(command, context, options);
}

}  // namespace cairn::app
