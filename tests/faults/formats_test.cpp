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
#include "cairn/formats/palette.hpp"
#include "cairn/formats/polyanya.hpp"
#include "cairn/formats/raster.hpp"
#include "cairn/grid/generate.hpp"
#include "cairn/hna/query.hpp"
#include "cairn/mesh/from_grid.hpp"
#include "cairn/n_level_graph.hpp"
#include "faults/planner_faults.hpp"
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
        "load_map", [&] { return load_map(path); },
        [](const auto& map) { return map->fingerprint(); });
    const grid::Map map = load_map(path).value();
    const std::vector<grid::TerrainEdit> edits{{{0, 0, 2, 2}, '.'}};
    expect_survives(
        "Map::edited", [&] { return map.edited(edits); },
        [](const auto& made) { return made->fingerprint(); });
    expect_survives(
        "mesh_from_grid", [&] { return mesh::mesh_from_grid(map); },
        [](const auto& mesh) { return mesh->fingerprint(); });
}

TEST(AllocationFaults, OfScenariosSayOutOfMemory) {
    const std::string text =
        "version 1\n0\ta.map\t9\t9\t1\t1\t2\t2\t1.41421356\n0\ta.map\t9\t9\t1\t1\t2\t1\t1\n";
    expect_survives(
        "parse_scenario", [&] { return parse_scenario(text, "a.scen"); },
        [](const auto& made) { return made->problems.size(); });
    const Scenario scenario = parse_scenario(text, "a.scen").value();
    expect_survives(
        "format_scenario", [&] { return format_scenario(scenario); }, digest_of_text);
    const std::string haa = corpus("haa_scenario/tabs.scenario");
    if (parse_haa_scenario(haa, "tabs")) {
        expect_survives(
            "parse_haa_scenario", [&] { return parse_haa_scenario(haa, "tabs"); },
            [](const auto& made) { return made->problems.size(); });
    }
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
    const std::string palette = corpus("palette/named.json");
    if (parse_palette(palette, "palette")) {
        expect_survives(
            "parse_palette", [&] { return parse_palette(palette, "palette"); },
            [](const auto& made) { return made->size(); });
    }
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
}

TEST(AllocationFaults, OfGeneratorsSayOutOfMemory) {
    grid::GenerateOptions options;
    options.width = options.height = 16;
    expect_survives(
        "generate", [&] { return grid::generate(options); }, size_of_terrain);
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
        [](const auto& labels) { return digest_of(labels->arrays().entries); });
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
    AnyAnswer answer;
    const auto find = [&] {
        return AnySearcher().find(index, query, grid::Point{1, 1}, grid::Point{3, 3}, answer);
    };
    if (find() == StatusCode::ok)
        expect_survives("AnySearcher::find", find, [&](StatusCode) { return answer.cost(); });
}

}  // namespace
}  // namespace cairn::test
