// Whatever allocation fails while a call finds an error and makes its message, the call returns
// that error or out_of_memory.

#include <gtest/gtest.h>

#include <string>

#include "../../fuzz/hna_index_cases.hpp"
#include "../../fuzz/hpa_index_cases.hpp"
#include "../../fuzz/subgoal_index_cases.hpp"
#include "cairn/any.hpp"
#include "cairn/file.hpp"
#include "cairn/formats/haa_scenario.hpp"
#include "cairn/formats/movingai.hpp"
#include "cairn/formats/nav2.hpp"
#include "cairn/formats/palette.hpp"
#include "cairn/formats/polyanya.hpp"
#include "cairn/formats/raster.hpp"
#include "cairn/formats/tiled.hpp"
#include "cairn/hna/hna.hpp"
#include "cairn/hpa/hpa.hpp"
#include "cairn/index_file.hpp"
#include "support/allocation_faults.hpp"
#include "support/scratch_folder.hpp"

namespace cairn::test {
namespace {

using namespace formats;  // NOLINT

constexpr auto kCorrupt = StatusCode::corrupt_file;
constexpr auto kIo = StatusCode::io_error;
constexpr auto kBadOption = StatusCode::bad_option;

TEST(ErrorFaults, OfReadersAreThoseErrorsOrOutOfMemory) {
    const ScratchFolder folder;
    const std::string bad =
        folder.file("a long enough name to need memory", "neither this nor that");
    const std::string none = (folder.path() / "there is no file of this name").string();
    const std::string text = "text that is not what the reader wants to find";
    const auto check = [&](std::string_view name, auto&& read, auto&& parse) {
        expect_error_survives(name, kIo, [&] { return read(none); });
        expect_error_survives(name, kCorrupt, [&] { return read(bad); });
        expect_error_survives(name, kCorrupt, [&] { return parse(text, bad); });
    };
    check(
        "map", [](auto& path) { return load_map(path); },
        [](auto& bytes, auto& name) { return parse_map(bytes, name); });
    check(
        "scenario", [](auto& path) { return load_scenario(path); },
        [](auto& bytes, auto& name) { return parse_scenario(bytes, name); });
    check(
        "agents", [](auto& path) { return load_haa_scenario(path); },
        [](auto& bytes, auto& name) { return parse_haa_scenario(bytes, name); });
    check(
        "mesh", [](auto& path) { return load_polyanya(path); },
        [](auto& bytes, auto& name) { return parse_polyanya(bytes, name); });
    check(
        "mesh scenario", [](auto& path) { return load_polyanya_scenario(path); },
        [](auto& bytes, auto& name) { return parse_polyanya_scenario(bytes, name); });
    check(
        "palette", [](auto& path) { return load_palette(path); },
        [](auto& bytes, auto& name) { return parse_palette(bytes, name); });
    check(
        "yaml", [](auto& path) { return load_occupancy_map(path); },
        [](auto& bytes, auto& name) { return parse_occupancy_yaml(bytes, name); });
    check(
        "Tiled map", [](auto& path) { return load_tiled(path); },
        [](auto& bytes, auto& name) { return parse_tiled(bytes, name); });
    check(
        "picture", [](auto& path) { return read_image(path); },
        [](auto& bytes, auto& name) { return parse_png(bytes, name); });
    check(
        "terrain", [](auto& path) { return load_terrain_map(path); },
        [](auto& bytes, auto& name) { return parse_terrain(bytes, name); });
    check(
        "terrain picture", [](auto& path) { return load_terrain_png(path, {}); },
        [](auto& bytes, auto& name) { return parse_terrain_png(bytes, name, {}); });
    check(
        "index file", [](auto& path) { return inspect(path); },
        [](auto& bytes, auto& name) {
            return inspect_bytes(std::as_bytes(std::span(bytes)), name);
        });
    const grid::Map map = fuzz::hpa_index_map();
    check(
        "index", [&](auto& path) { return load<hpa::Index>(path, map); },
        [&](auto& bytes, auto& name) {
            return from_bytes<hpa::Index>(std::as_bytes(std::span(bytes)), nullptr, name, map);
        });
    const LoadOptions copy{.copy = true};
    check(
        "copied index", [&](auto& path) { return load<hna::Index>(path, copy); },
        [&](auto& bytes, auto& name) {
            return from_bytes<hna::Index>(std::as_bytes(std::span(bytes)), nullptr, name);
        });
    expect_error_survives("any index", kIo, [&] { return AnyIndex::load(none); });
    expect_error_survives("any index", kCorrupt, [&] { return AnyIndex::load(bad); });
    expect_error_survives("mapped", kIo, [&] { return MappedFile::open(none); });
}

TEST(ErrorFaults, OfWritersAreThoseErrorsOrOutOfMemory) {
    const ScratchFolder folder;
    const std::string nowhere = (folder.path() / "there is no such folder" / "file").string();
    const TerrainImage image{2, 1, {'.', '@'}};
    const GreyImage grey{2, 1, {0, 255}, {}};
    const auto check = [&](std::string_view name, auto&& write) {
        expect_error_survives(name, kIo, [&] { return write(nowhere); });
    };
    check("map", [&](auto& path) { return write_map(path, image); });
    check("scenario", [&](auto& path) { return write_scenario(path, {}); });
    check("agents", [&](auto& path) { return write_haa_scenario(path, {}); });
    check("pgm", [&](auto& path) { return write_pgm(path, grey); });
    check("png", [&](auto& path) { return write_png(path, grey); });
    const OccupancyMap occupancy{image, {1.0, {}, 0.0, 1}};
    check("yaml", [&](auto& path) { return write_occupancy_map(path, occupancy); });
    const mesh::MeshImage mesh;
    check("mesh", [&](auto& path) { return write_polyanya(path, mesh); });
    const auto index = fuzz::build(fuzz::hpa_index_cases().front());
    check("index", [&](auto& path) { return save(index, path); });
    const auto any = AnyIndex::of<hpa::Planner>(index).value();
    check("any index", [&](auto& path) { return any.save(path); });

    // What cannot be written.
    const std::string path = (folder.path() / "file").string();
    const TerrainImage empty{};
    expect_error_survives("map", kBadOption, [&] { return write_map(path, empty); });
    const Scenario scenario{{{0, "a\nname of two lines", 1, 1, {}, {}, 0}}};
    expect_error_survives("scenario", kBadOption, [&] { return write_scenario(path, scenario); });
    const HaaScenario agents{{{"a\nname of two lines", {}, {}, 1, 1, 0}}};
    expect_error_survives("agents", kBadOption, [&] { return write_haa_scenario(path, agents); });
    const GreyImage short_grey{2, 2, {0}, {}};
    expect_error_survives("pgm", kBadOption, [&] { return write_pgm(path, short_grey); });
    expect_error_survives("png", kBadOption, [&] { return write_png(path, short_grey); });
    OccupancyYaml yaml;
    yaml.image = "\xff is not a letter of any name that YAML can hold";
    expect_error_survives("yaml", kBadOption, [&] { return format_occupancy_yaml(yaml); });
}

TEST(ErrorFaults, OfOptionsAreThoseErrorsOrOutOfMemory) {
    const grid::Map map = fuzz::hpa_index_map();
    const AnyMap any_map(map);
    const auto build = [&](std::string_view planner, const std::vector<Setting>& settings) {
        return [&, planner, settings] { return AnyIndex::build(planner, any_map, settings); };
    };
    const std::vector<Setting> unknown{{"cluster_sizes", "10"}};
    const std::vector<Setting> bad{{"cluster_size", "ten thousand million cells"}};
    const std::vector<Setting> far{{"levels", "900"}};
    for (const auto& settings : {unknown, bad, far})
        expect_error_survives("build", kBadOption, build("hpa", settings));
    expect_error_survives("planner", StatusCode::unsupported, build("hpb", {}));
    expect_error_survives("planner of meshes", StatusCode::unsupported, build("hna", {}));
    hpa::Options options;
    options.levels = 900;
    expect_error_survives("check", kBadOption, [&] { return check_fields(options); });
    expect_error_survives("hpa", kBadOption, [&] { return hpa::Index::build(map, options); });
    IndexFileInfo info;
    expect_error_survives("options of a file", kCorrupt,
                          [&] { return index_options<hpa::Options>(info); });
}

}  // namespace
}  // namespace cairn::test
