// Whatever allocation fails while a map, mesh or scenario is made, read or written, the call says
// out_of_memory.

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "../../fuzz/hna_index_cases.hpp"
#include "cairn/any.hpp"
#include "cairn/cut_labels.hpp"
#include "cairn/field.hpp"
#include "cairn/formats/haa_scenario.hpp"
#include "cairn/formats/movingai.hpp"
#include "cairn/formats/nav2.hpp"
#include "cairn/formats/npy.hpp"
#include "cairn/formats/palette.hpp"
#include "cairn/formats/polyanya.hpp"
#include "cairn/formats/raster.hpp"
#include "cairn/formats/tiled.hpp"
#include "cairn/formats/trace.hpp"
#include "cairn/grid/components.hpp"
#include "cairn/grid/dijkstra.hpp"
#include "cairn/grid/generate.hpp"
#include "cairn/hna/query.hpp"
#include "cairn/hpa/hpa.hpp"
#include "cairn/mesh/clearance.hpp"
#include "cairn/mesh/dijkstra.hpp"
#include "cairn/mesh/from_grid.hpp"
#include "cairn/n_level_graph.hpp"
#include "faults/planner_faults.hpp"
#include "support/random_maps.hpp"
#include "support/source_folder.hpp"

namespace cairn::test {
namespace {

using namespace formats;  // NOLINT

/// A file of the fuzz targets' corpus.
std::string corpus(const std::string& name) {
    return bytes_of(source_folder() / "fuzz" / "corpus" / name);
}

const auto size_of_terrain = [](const auto& image) { return digest_of(image->terrain); };
const auto digest_of_text = [](const Result<std::string>& text) { return digest_of(*text); };
const auto problems_of = [](const auto& made) { return made->problems.size(); };
/// The value of a call that writes the file.
auto bytes_in(const std::string& path) {
    return [&path](const Status&) { return digest_of(bytes_of(path)); };
}

TEST(AllocationFaults, OfMapFilesSayOutOfMemory) {
    const std::string text = corpus("map/small.map");
    ASSERT_FALSE(text.empty());
    expect_survives(
        "parse_map", [&] { return parse_map(text, "small.map"); }, size_of_terrain);
    const TerrainImage image = parse_map(text, "small.map").value();
    expect_survives(
        "format_map", [&] { return format_map(image); }, digest_of_text);
    expect_survives(
        "make_map", [&] { return grid::make_map(image); },
        [](const auto& map) { return map->fingerprint(); });
    const ScratchFolder folder;
    const std::string path = folder.path() / "a.map";
    expect_survives(
        "write_map", [&] { return write_map(path, image); },
        [&](const Status&) { return digest_of(bytes_of(path)); });
    expect_survives(
        "read_map", [&] { return read_map(path); }, size_of_terrain);
    expect_survives(
        "load_map", [&] { return load_map(path); },
        [](const auto& map) { return map->fingerprint(); });
    expect_survives(
        "load_terrain", [&] { return load_terrain(path); }, size_of_terrain);
    expect_survives(
        "load_terrain_map", [&] { return load_terrain_map(path); },
        [](const auto& map) { return map->fingerprint(); });
    const grid::Map map = load_map(path).value();
    const std::vector<grid::TerrainEdit> edits{{{0, 0, 2, 2}, '.'}};
    expect_survives(
        "Map::edited", [&] { return map.edited(edits); },
        [](const auto& made) { return made->fingerprint(); });
    expect_survives(
        "mesh_from_grid", [&] { return mesh::mesh_from_grid(map); },
        [](const auto& mesh) { return mesh->fingerprint(); });
    expect_survives(
        "Components::build", [&] { return grid::Components::build(map); },
        [](const auto& made) { return made->largest(); });
    const grid::Point start = free_points(map).front();
    expect_survives(
        "dijkstra_distances", [&] { return grid::dijkstra_distances(map, start); },
        [](const auto& costs) { return digest_of(*costs); });
}

TEST(AllocationFaults, OfScenariosSayOutOfMemory) {
    const std::string text =
        "version 1\n0\ta.map\t9\t9\t1\t1\t2\t2\t1.41421356\n0\ta.map\t9\t9\t1\t1\t2\t1\t1\n";
    expect_survives(
        "parse_scenario", [&] { return parse_scenario(text, "a.scen"); }, problems_of);
    const Scenario scenario = parse_scenario(text, "a.scen").value();
    expect_survives(
        "format_scenario", [&] { return format_scenario(scenario); }, digest_of_text);
    const ScratchFolder folder;
    const std::string path = folder.path() / "a.scen";
    expect_survives(
        "write_scenario", [&] { return write_scenario(path, scenario); }, bytes_in(path));
    expect_survives(
        "load_scenario", [&] { return load_scenario(path); }, problems_of);
    const std::string haa = "2\na.map\t1\t2\t3\t4\t4\t1\t5\n";
    expect_survives(
        "parse_haa_scenario", [&] { return parse_haa_scenario(haa, "a"); }, problems_of);
    const HaaScenario agents = parse_haa_scenario(haa, "a").value();
    expect_survives(
        "format_haa_scenario", [&] { return format_haa_scenario(agents); }, digest_of_text);
    expect_survives(
        "write_haa_scenario", [&] { return write_haa_scenario(path, agents); }, bytes_in(path));
    expect_survives(
        "load_haa_scenario", [&] { return load_haa_scenario(path); }, problems_of);
}

TEST(AllocationFaults, OfImagesSayOutOfMemory) {
    GreyImage image{7, 5, {}, {}};
    for (int i = 0; i < 35; ++i) image.grey.push_back(static_cast<std::uint8_t>(i * 7));
    expect_survives(
        "format_pgm", [&] { return format_pgm(image); }, digest_of_text);
    const std::string pgm = format_pgm(image).value();
    const auto digest_of_grey = [](const auto& made) { return digest_of(made->grey); };
    expect_survives(
        "parse_pgm", [&] { return parse_pgm(pgm, "a.pgm"); }, digest_of_grey);
    expect_survives(
        "format_png", [&] { return format_png(image); }, digest_of_text);
    const std::string png = format_png(image).value();
    expect_survives(
        "parse_png", [&] { return parse_png(png, "a.png"); }, digest_of_grey);
    const std::string yaml =
        "image: a.pgm\nresolution: 0.05\norigin: [1, 2, 0]\nnegate: 0\noccupied_thresh: 0.65\n"
        "free_thresh: 0.196\n";
    expect_survives(
        "parse_occupancy_yaml", [&] { return parse_occupancy_yaml(yaml, "a.yaml"); },
        [](const auto& made) { return digest_of(made->image); });
    const OccupancyYaml parsed = parse_occupancy_yaml(yaml, "a.yaml").value();
    expect_survives(
        "format_occupancy_yaml", [&] { return format_occupancy_yaml(parsed); }, digest_of_text);
    const ScratchFolder folder;
    folder.file("a.pgm", pgm);
    const std::string path = folder.file("a.yaml", yaml);
    expect_survives(
        "load_occupancy_map", [&] { return load_occupancy_map(path); },
        [](const auto& made) { return digest_of(made->terrain.terrain); });
    const OccupancyMap map = load_occupancy_map(path).value();
    const std::string written = folder.path() / "b.yaml";
    expect_survives(
        "write_occupancy_map", [&] { return write_occupancy_map(written, map); },
        bytes_in(written));
    expect_survives(
        "picture_of", [&] { return picture_of(map.terrain); }, digest_of_grey);
    expect_survives(
        "terrain_of", [&] { return terrain_of(image); }, size_of_terrain);
    expect_survives(
        "parse_terrain", [&] { return parse_terrain(png, "a"); }, size_of_terrain);
    const std::string copy = folder.path() / "copy";
    expect_survives(
        "write_pgm", [&] { return write_pgm(copy, image); }, bytes_in(copy));
    expect_survives(
        "write_png", [&] { return write_png(copy, image); }, bytes_in(copy));
    expect_survives(
        "read_image", [&] { return read_image(copy); }, digest_of_grey);
    const std::string text = R"({"#000000": "water", "#ffffff": 3, "#070707": "trees"})";
    const auto colours = [](const auto& made) { return made->size(); };
    expect_survives(
        "parse_palette", [&] { return parse_palette(text, "palette"); }, colours);
    const std::string palette_file = folder.file("palette.json", text);
    expect_survives(
        "load_palette", [&] { return load_palette(palette_file); }, colours);
    const TerrainPalette palette = load_palette(palette_file).value();
    const std::string dots = format_png({3, 1, {0, 7, 255}, {}}).value();
    expect_survives(
        "parse_terrain_png", [&] { return parse_terrain_png(dots, "a", palette); },
        size_of_terrain);
    const std::string dots_file = folder.file("dots.png", dots);
    expect_survives(
        "load_terrain_png", [&] { return load_terrain_png(dots_file, palette); }, size_of_terrain);
}

TEST(AllocationFaults, OfTiledMapsSayOutOfMemory) {
    const auto digest_of_map = [](const auto& map) { return digest_of(map->terrain.terrain); };
    for (const char* name : {"tiles.tmx", "csv.tmj", "zlib.tmx", "gzip.tmj", "zstd.tmx",
                             "infinite.tmj", "infinite.tmx"}) {
        const std::string bytes = corpus(std::string("tiled/") + name);
        ASSERT_FALSE(bytes.empty()) << name;
        expect_survives(
            name, [&] { return parse_tiled(bytes, name); }, digest_of_map);
    }
    const ScratchFolder folder;
    folder.file("a set of tiles.tsx",
                R"(<tileset><tile id="1"><properties><property name="blocked" value="true"/>)"
                R"(</properties></tile></tileset>)");
    const std::string path = folder.file(
        "a.tmj",
        R"({"type":"map","orientation":"orthogonal","width":2,"height":1,"tilesets":[{"firstgid":)"
        R"(1,"source":"a set of tiles.tsx"}],"layers":[{"type":"tilelayer","name":"a","width":2,)"
        R"("height":1,"data":[1,2]}]})");
    expect_survives(
        "load_tiled", [&] { return load_tiled(path); }, digest_of_map);
    expect_survives(
        "load_terrain", [&] { return load_terrain(path); }, size_of_terrain);
}

TEST(AllocationFaults, OfFieldsSayOutOfMemory) {
    const Field& reach = *find_field(hna::Query::fields(), "reach");
    const std::string number = "0.1234567890123456789012345678901234567890e1";
    expect_survives(
        "parse", [&] { return parse(reach, number); },
        [](const Result<double>& value) { return *value; });
}

TEST(AllocationFaults, OfMeshFilesSayOutOfMemory) {
    mesh::MeshImage image = fuzz::hna_index_image();
    image.connections.clear();  // the format has no connections, heights and areas
    for (mesh::Point& vertex : image.vertices) vertex.y = 0;
    std::fill(image.areas.begin(), image.areas.end(), std::uint8_t{0});
    expect_survives(
        "format_polyanya", [&] { return format_polyanya(image); }, digest_of_text);
    const std::string text = format_polyanya(image).value();
    expect_survives(
        "parse_polyanya", [&] { return parse_polyanya(text, "a.mesh"); },
        [](const auto& made) { return digest_of(made->corners); });
    const ScratchFolder folder;
    const std::string path = folder.path() / "a.mesh";
    expect_survives(
        "write_polyanya", [&] { return write_polyanya(path, image); }, bytes_in(path));
    expect_survives(
        "load_polyanya", [&] { return load_polyanya(path); },
        [](const auto& made) { return made->fingerprint(); });
    const std::string scenario =
        folder.file("a.scen", "version 1\n0\ta.mesh\t9\t9\t1\t1\t2\t2\t1.5\n");
    expect_survives(
        "load_polyanya_scenario", [&] { return load_polyanya_scenario(scenario); },
        [](const auto& made) { return made->size(); });
    const mesh::Mesh mesh = load_polyanya(path).value();
    const mesh::Place start{0, mesh.centre(0)};
    expect_survives(
        "costs_from", [&] { return mesh::costs_from(mesh, start); },
        [](const auto& costs) { return digest_of(*costs); });
    expect_survives(
        "costs_to", [&] { return mesh::costs_to(mesh, start); },
        [](const auto& costs) { return digest_of(*costs); });
    const mesh::Place goal{1, mesh.centre(1)};
    expect_survives(
        "path_cost", [&] { return mesh::path_cost(mesh, start, goal); },
        [](const auto& cost) { return *cost; });
}

TEST(AllocationFaults, OfClearancesSayOutOfMemory) {
    // With connections.
    const mesh::Mesh mesh = mesh::Mesh::build(fuzz::hna_index_image().source()).value();
    expect_survives(
        "Clearance", [&] { return mesh::Clearance::build(mesh); },
        [](const auto& made) { return made->mesh().fingerprint() + made->gates().size(); });
    // A row of squares joined one way, of more portals than are searched without memory.
    mesh::MeshImage row;
    row.portals_given = true;
    for (std::uint32_t i = 0; i < 1'200; ++i) {
        const auto x = static_cast<float>(i);
        row.vertices.insert(row.vertices.end(),
                            {{x, 0, 0}, {x + 1, 0, 0}, {x + 1, 0, 1}, {x, 0, 1}});
        row.corners.insert(row.corners.end(), {4 * i, 4 * i + 1, 4 * i + 2, 4 * i + 3});
        row.first_corner.push_back(4 * i + 4);
        if (i > 0) row.portals.push_back({i - 1, i, {x, 0, 0}, {x, 0, 1}, true, false});
    }
    const auto one_way = mesh::Clearance::build(mesh::Mesh::build(row.source()).value()).value();
    expect_survives(
        "reachable",
        [&] {
            return one_way.reachable({0, {0.5F, 0, 0.5F}}, {3, {3.5F, 0, 0.5F}}, 0.5);
        },
        [](StatusCode code) { return static_cast<int>(code); });
    expect_survives(
        "with_radius", [&] { return one_way.mesh().with_radius(0.1); },
        [](const auto& made) { return made->fingerprint(); });
}

TEST(AllocationFaults, OfGeneratorsSayOutOfMemory) {
    grid::GenerateOptions options;
    options.width = options.height = 16;
    expect_survives(
        "generate", [&] { return grid::generate(options); }, size_of_terrain);
    expect_survives(
        "worked_example", [&] { return grid::worked_example(); },
        [](const auto& made) { return digest_of(made->image.terrain); });
    const TerrainImage bare = grid::generate(options).value();
    TerrainImage image = bare;
    expect_survives(
        "plant_trees",
        [&] {
            std::copy(bare.terrain.begin(), bare.terrain.end(), image.terrain.begin());
            return grid::plant_trees(image, 30, 1);
        },
        [&](const Status&) { return digest_of(image.terrain); });
}

TEST(AllocationFaults, OfGraphEnginesSayOutOfMemory) {
    constexpr std::uint32_t kSide = 8;
    std::vector<Edge> edges;
    for (std::uint32_t v = 0; v < kSide * kSide; ++v) {
        if (v % kSide + 1 < kSide) edges.push_back({v, v + 1, 3 + v % 5});
        if (v + kSide < kSide * kSide) edges.push_back({v, v + kSide, 2 + v % 7});
    }
    expect_survives(
        "graph_from_edges", [&] { return graph_from_edges(kSide * kSide, edges); },
        [](const auto& made) { return made->num_arcs(); });
    const Graph graph = graph_from_edges(kSide * kSide, edges).value();
    const BuildControl control = on_one_thread();
    expect_survives(
        "CutLabels::build", [&] { return CutLabels::build(graph, {}, control); },
        [](const auto& labels) { return digest_of(labels->arrays().up.entries); });
    const CutLabels labels = CutLabels::build(graph, {}, control).value();
    expect_survives(
        "CutLabels::statistics", [&] { return labels.statistics(); },
        [](const auto& statistics) { return statistics->entries; });
    expect_survives(
        "NLevelGraph::build", [&] { return NLevelGraph::build(graph, {}, {}, control); },
        [](const auto& levels) { return levels->num_levels(); });
}

TEST(AllocationFaults, OfAnyPlannerSayOutOfMemory) {
    const grid::Map map = load_map(source_folder() / "maps" / "worked-example.map").value();
    const AnyMap any(map);
    const std::vector<Setting> options{{"labels", "false"}};
    const BuildControl control = on_one_thread();
    expect_survives(
        "AnyIndex::build", [&] { return AnyIndex::build("hpa", any, options, control); },
        [](const auto& index) { return index->memory(); });
    const AnyIndex index = AnyIndex::build("hpa", any, options, control).value();
    const std::vector<Setting> settings{{"engine", "astar"}};
    expect_survives(
        "AnyIndex::query", [&] { return index.query(settings); }, [](const auto&) { return 0; });
    const AnyQuery query = index.query(settings).value();
    const hpa::Query own;
    expect_survives(
        "AnyQuery::of", [&] { return AnyQuery::of<hpa::Planner>(own); },
        [](const auto&) { return 0; });
    const auto memory_of = [](const auto& made) { return made->memory(); };
    expect_survives(
        "AnyIndex::of", [&] { return AnyIndex::of<hpa::Planner>(*index.as<hpa::Planner>()); },
        memory_of);
    const std::vector<grid::TerrainEdit> cells{{{0, 0, 2, 2}, '@'}};
    const AnyEdits edits = cells;
    expect_survives(
        "AnyIndex::edited", [&] { return index.edited(edits); }, memory_of);
    expect_survives(
        "AnyIndex::with_labels", [&] { return index.with_labels(control); }, memory_of);
    const std::vector<AnyPlace> goals{grid::Point{3, 3}, grid::Point{5, 1}};
    std::vector<Cost> costs(2);
    expect_survives(
        "AnySearcher::costs",
        [&] {
            return AnySearcher().costs(index, query, grid::Point{1, 1}, goals, costs);
        },
        [&](StatusCode) { return digest_of(costs); });
    AnyAnswer answer;
    const auto find = [&] {
        return AnySearcher().find(index, query, grid::Point{1, 1}, grid::Point{3, 3}, answer);
    };
    if (find() == StatusCode::ok)
        expect_survives("AnySearcher::find", find, [&](StatusCode) { return answer.cost(); });
}

TEST(AllocationFaults, OfTracesSayOutOfMemory) {
    SearchTrace trace;
    for (std::uint32_t i = 0; i < 20; ++i)
        trace.events.push_back({TraceStep::generating, 0, 0, i, i + 1, i, i, {1.0 * i, 2.0 * i}});
    trace.path = {{1, 2}, {3, 4}};
    expect_survives(
        "format_trace", [&] { return format_trace(trace); }, digest_of_text);
    const ScratchFolder folder;
    const std::string path = folder.path() / "a.trace.json";
    expect_survives(
        "write_trace", [&] { return write_trace(path, trace); }, bytes_in(path));
}

TEST(AllocationFaults, OfArraysSayOutOfMemory) {
    const TerrainImage image{3, 2, {'.', '@', '.', '.', '@', '.'}};
    const std::string bytes = format_npy(image).value();
    expect_survives(
        "parse_npy_terrain", [&] { return parse_npy_terrain(bytes, "a.npy"); }, size_of_terrain);
    expect_survives(
        "format_npy", [&] { return format_npy(image); }, digest_of_text);
    const ScratchFolder folder;
    const std::string path = folder.path() / "a.npy";
    expect_survives(
        "write_npy", [&] { return write_npy(path, image); }, bytes_in(path));
    expect_survives(
        "load_terrain", [&] { return load_terrain(path); }, size_of_terrain);
    const std::vector<std::int32_t> numbers{1, 2, 3, 4, 5, 6, 7, 8};
    expect_survives(
        "format_npy of rows", [&] { return format_npy(numbers, 4); }, digest_of_text);
    const std::string requests = folder.file("r.npy", format_npy(numbers, 4).value());
    expect_survives(
        "load_npy_requests", [&] { return load_npy_requests(requests); },
        [](const auto& made) { return made->size(); });
    EXPECT_EQ(load_npy_requests(folder.path() / "none.npy").error().code, StatusCode::io_error);
}

}  // namespace
}  // namespace cairn::test
