// Maps of Tiled: every encoding in both forms against an independent computation, marks of tiles,
// layers and groups, tilesets in other files, and errors.

#include "cairn/formats/tiled.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "formats/tiled_files.hpp"
#include "support/mutation.hpp"
#include "support/scratch_folder.hpp"
#include "support/source_folder.hpp"

namespace cairn::formats {
namespace {

using namespace test;  // NOLINT
using ::testing::HasSubstr;
using ::testing::StartsWith;

const TiledProperty kBlocked{"blocked", "bool", "true"};
const TiledProperty kOpen{"blocked", "bool", "false"};
const TiledProperty kWalkable{"walkable", "bool", "true"};
const TiledProperty kUnwalkable{"walkable", "bool", "false"};

TiledProperty with_cost(const std::string& value) { return {"cost", "float", value}; }
TiledProperty with_terrain(const std::string& value) { return {"terrain", "string", value}; }

std::string rows_of(const TerrainImage& image) {
    std::string out;
    for (int y = 0; y < image.height; ++y) {
        for (int x = 0; x < image.width; ++x) out += static_cast<char>(image.at(x, y));
        out += '\n';
    }
    return out;
}

/// A finite map of one layer whose tiles are 1, 2, ... with these marks, each in a cell of a row;
/// an empty cell is at the end.
TiledFile row_of(const std::vector<TiledProperties>& marks) {
    TiledFile map;
    map.width = static_cast<int>(marks.size()) + 1;
    map.height = 1;
    TiledChunk row{0, 0, map.width, 1, {}};
    map.tilesets.emplace_back();
    for (std::uint32_t id = 0; id < marks.size(); ++id) {
        map.tilesets[0].tiles.emplace_back(id, marks[id]);
        row.gids.push_back(id + 1);
    }
    row.gids.push_back(0);
    map.layers.push_back({"ground", {}, {row}, ""});
    return map;
}

/// The terrain of a map, which both forms must have.
std::string cells_of(const TiledFile& map, const PictureLimits& limits = {}) {
    const auto xml = parse_tiled(xml_of(map, {}), "a.tmx", limits);
    const auto json = parse_tiled(json_of(map, {}), "a.tmj", limits);
    if (!xml || !json) {
        EXPECT_EQ(xml.has_value(), json.has_value());
        EXPECT_EQ(xml ? "" : xml.error().message.substr(5),
                  json ? "" : json.error().message.substr(5));
        return xml ? "" : xml.error().message;
    }
    EXPECT_EQ(rows_of(xml->terrain), rows_of(json->terrain));
    EXPECT_EQ(xml->origin, json->origin);
    std::string out = rows_of(xml->terrain);
    out.pop_back();
    return out;
}

// What stands on a cell.

TEST(Tiled, PropertiesOfTilesSayWhatTheyAre) {
    EXPECT_EQ(cells_of(row_of({{}, {kBlocked}, {kOpen}, {kWalkable}, {kUnwalkable}})), ".@..@@");
    EXPECT_EQ(cells_of(row_of({{with_cost("1")},
                               {with_cost("3")},
                               {with_cost("9.0")},
                               {with_cost("0")},
                               {with_cost("-2")}})),
              ".39@@@");
    EXPECT_EQ(cells_of(row_of({{with_terrain("ground")},
                               {with_terrain("trees")},
                               {with_terrain("swamp")},
                               {with_terrain("water")}})),
              ".TSW@");
    EXPECT_EQ(
        cells_of(row_of({{with_cost("3"), kBlocked}, {kOpen, kUnwalkable}, {kBlocked, kWalkable}})),
        "@@@@");
    EXPECT_EQ(
        cells_of(row_of({{kBlocked, {"blocked ", "bool", "x"}, {"note", "string", "x"}}, {}})),
        "@.@");
}

TEST(Tiled, IfTilesAreOnlyWalkableAllOthersAreObstacles) {
    EXPECT_EQ(cells_of(row_of({{}, {kWalkable}, {with_cost("2")}, {with_terrain("trees")}})),
              "@.2T@");
    EXPECT_EQ(cells_of(row_of({{}, {kWalkable}, {kUnwalkable}})), "..@@");
    EXPECT_EQ(cells_of(row_of({{}, {kWalkable}, {kBlocked}})), "..@@");
}

TEST(Tiled, AnEmptyCellIsAnObstacleUnlessItIsSaidToBeFree) {
    PictureLimits limits;
    limits.tiled.empty_is_free = true;
    EXPECT_EQ(cells_of(row_of({{}, {kBlocked}}), limits), ".@.");
}

TEST(Tiled, AnotherPropertyMayMarkWalls) {
    PictureLimits limits;
    limits.tiled.property = "collides";
    const TiledProperty collides{"collides", "bool", "true"};
    EXPECT_EQ(cells_of(row_of({{}, {kBlocked}, {collides}, {kUnwalkable}}), limits), "..@@@");
    EXPECT_THAT(cells_of(row_of({{}, {kBlocked}}), limits), HasSubstr("'collides'"));
}

/// Two layers, the second above the first.
TiledFile two_layers(std::vector<std::uint32_t> low, std::vector<std::uint32_t> high,
                     const std::vector<TiledProperties>& marks) {
    TiledFile map = row_of(marks);
    map.width = static_cast<int>(low.size());
    map.layers[0].chunks = {{0, 0, map.width, 1, std::move(low)}};
    map.layers.push_back({"walls", {}, {{0, 0, map.width, 1, std::move(high)}}, ""});
    return map;
}

TEST(Tiled, AWallOfAnyLayerCountsAndTheHighestCost) {
    const std::vector<TiledProperties> marks{{}, {kBlocked}, {with_cost("5")}, {with_cost("2")}};
    EXPECT_EQ(cells_of(two_layers({1, 2, 3, 3, 4, 0, 2, 0}, {1, 1, 2, 4, 3, 3, 0, 0}, marks)),
              ".@@255@@");
}

TEST(Tiled, ALayerOfWallsStandsForProperties) {
    PictureLimits limits;
    limits.tiled.layer = "walls";
    const std::vector<TiledProperties> marks{{}, {kBlocked}, {with_cost("5")}, {kWalkable}};
    EXPECT_EQ(cells_of(two_layers({1, 2, 3, 0, 1, 0}, {0, 0, 0, 0, 4, 1}, marks), limits),
              "..5.@@");
    limits.tiled.layer = "wall";
    const std::string message = cells_of(two_layers({1}, {1}, marks), limits);
    EXPECT_THAT(message, HasSubstr("no tile layer 'wall': there are 'ground', 'walls'"));
}

TEST(Tiled, MarksOfLayersAndGroupsAreForTilesWithoutTheirOwn) {
    TiledFile map = two_layers({1, 1, 1, 1, 0}, {0, 1, 2, 3, 1}, {{}, {kOpen}, {with_cost("4")}});
    map.layers[1].properties = {kBlocked};
    EXPECT_EQ(cells_of(map), ".@.@@");
    map.layers[1].properties = {with_cost("7")};
    EXPECT_EQ(cells_of(map), ".7747");
    map.layers[1].properties.clear();
    map.layers[1].group = "upper";
    EXPECT_EQ(cells_of(map), "...4.");
    map.layers[1].group.clear();
    // Each property by itself.
    map.layers[1].properties = {with_cost("0")};
    EXPECT_EQ(cells_of(map), ".@@4@");
    map.tilesets[0].tiles[1].second = {kWalkable};
    map.layers[1].properties = {kBlocked};
    EXPECT_EQ(cells_of(map), ".@@@@");
    map.tilesets[0].tiles[1].second = {kOpen};
    map.layers[1].properties = {kUnwalkable};
    EXPECT_EQ(cells_of(map), ".@@@@");
    map.layers[1].properties.clear();
    map.layers[1].group = "upper";
    std::string xml = xml_of(map, {});
    const std::string group = "<group name=\"upper\">";
    xml.insert(xml.find(group) + group.size(), xml_of({kBlocked, with_cost("6")}));
    EXPECT_EQ(rows_of(parse_tiled(xml, "a.tmx").value().terrain), ".@6@@\n");
}

TEST(Tiled, TurnedTilesAreTheSameTiles) {
    TiledFile map = row_of({{}, {kBlocked}});
    map.layers[0].chunks[0].gids = {0x80000001U, 0xF0000002U, 0x40000000U};
    EXPECT_EQ(cells_of(map), ".@@");
}

TEST(Tiled, IsometricMapsHaveTheSameCells) {
    TiledFile map = row_of({{}, {kBlocked}});
    map.orientation = "isometric";
    EXPECT_EQ(cells_of(map), ".@@");
}

TEST(Tiled, PropertiesOfSeveralLinesAndOfClassesAreNotRead) {
    std::string xml = xml_of(row_of({{}, {kBlocked}}), {});
    const std::string at = "<properties>";
    xml.insert(
        xml.find(at) + at.size(),
        "<property name=\"story\">one\ntwo</property>\n<property name=\"box\" type=\"class\">"
        "<properties><property name=\"walkable\" type=\"bool\" value=\"true\"/></properties>"
        "</property>");
    EXPECT_EQ(rows_of(parse_tiled(xml, "a.tmx").value().terrain), ".@@\n");
}

// Every form.

/// The marks of the tiles of a random map, by number.
using MarksOf = std::map<std::uint32_t, TiledProperties>;

/// What a cell is, by the rule of the header; `gids` from the lowest layer to the highest.
char expected_cell(const std::vector<std::uint32_t>& gids, const MarksOf& marks) {
    const auto has = [&](std::uint32_t gid, const std::string& name, const std::string& value) {
        const auto found = marks.find(gid & 0x0FFFFFFFU);
        if (found == marks.end()) return false;
        return std::any_of(found->second.begin(), found->second.end(), [&](const auto& p) {
            return p.name == name && (value.empty() || p.value == value);
        });
    };
    char cell = '@';
    for (const std::uint32_t gid : gids) {
        if ((gid & 0x0FFFFFFFU) == 0) continue;
        if (has(gid, "blocked", "true") || has(gid, "walkable", "false")) return '@';
        if (cell == '@') cell = '.';
        for (const auto& [value, letter] :
             std::vector<std::pair<std::string, char>>{{"1", '.'}, {"2", '2'}, {"7", '7'}}) {
            if (has(gid, "cost", value)) cell = letter;
        }
        if (has(gid, "terrain", "water")) cell = 'W';
        if (has(gid, "terrain", "trees")) cell = 'T';
    }
    return cell;
}

/// A random map and what its cells must be.
struct RandomMap {
    TiledFile file;
    int left = 0;
    int top = 0;
    std::string cells;
    TiledTileset outside;  ///< of another file
};

RandomMap random_map(std::mt19937_64& random) {
    const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
    const std::vector<TiledProperties> pool{{},
                                            {kBlocked},
                                            {kOpen},
                                            {kUnwalkable},
                                            {kWalkable},
                                            {with_cost("1")},
                                            {with_cost("2")},
                                            {with_cost("7")},
                                            {with_terrain("water")},
                                            {with_terrain("trees"), kOpen}};
    RandomMap out;
    MarksOf marks;
    std::vector<std::uint32_t> known{0, 0};
    TiledFile& file = out.file;
    std::uint32_t first = 1;
    for (std::size_t i = 0; i < 3; ++i) {
        TiledTileset set;
        set.first = first;
        for (std::uint32_t id = 0; id < 6; ++id) {
            const auto& properties = pool[below(pool.size())];
            if (!properties.empty()) set.tiles.emplace_back(id, properties);
            marks[first + id] = properties;
            known.push_back(first + id);
        }
        first += 6 + static_cast<std::uint32_t>(below(100));
        file.tilesets.push_back(set);
    }
    marks[1] = {kBlocked};  // so that there is a mark
    file.tilesets[0].tiles.assign(1, {0, {kBlocked}});
    for (std::uint32_t id = 1; id < 6; ++id) marks[1 + id] = {};
    out.outside = file.tilesets[1];
    std::swap(file.tilesets[0], file.tilesets[2]);  // in any order

    file.width = 1 + static_cast<int>(below(20));
    file.height = 1 + static_cast<int>(below(15));
    file.infinite = below(2) == 0;
    const int x0 = file.infinite ? static_cast<int>(below(40)) - 20 : 0;
    const int y0 = file.infinite ? static_cast<int>(below(40)) - 20 : 0;
    std::map<std::pair<int, int>, std::vector<std::uint32_t>> stacks;
    int right = x0;
    int bottom = y0;
    out.left = x0 + file.width;
    out.top = y0 + file.height;
    const std::size_t layers = 1 + below(3);
    for (std::size_t l = 0; l < layers; ++l) {
        TiledLayer layer;
        layer.name = fmt::format("layer {}", l);
        if (l > 0) layer.group = "group";
        const int step_x = file.infinite ? 1 + static_cast<int>(below(7)) : file.width;
        const int step_y = file.infinite ? 1 + static_cast<int>(below(7)) : file.height;
        for (int y = 0; y < file.height; y += step_y) {
            for (int x = 0; x < file.width; x += step_x) {
                if (file.infinite && below(4) == 0) continue;  // a chunk without tiles
                TiledChunk chunk{x0 + x, y0 + y, step_x, step_y, {}};
                for (int dy = 0; dy < step_y; ++dy) {
                    for (int dx = 0; dx < step_x; ++dx) {
                        std::uint32_t gid = known[below(known.size())];
                        gid |= static_cast<std::uint32_t>(below(16)) << 28;
                        chunk.gids.push_back(gid);
                        stacks[{chunk.y + dy, chunk.x + dx}].push_back(gid);
                    }
                }
                out.left = std::min(out.left, chunk.x);
                out.top = std::min(out.top, chunk.y);
                right = std::max(right, chunk.x + step_x);
                bottom = std::max(bottom, chunk.y + step_y);
                layer.chunks.push_back(chunk);
            }
        }
        file.layers.push_back(layer);
    }
    for (int y = out.top; y < bottom; ++y) {
        for (int x = out.left; x < right; ++x) out.cells += expected_cell(stacks[{y, x}], marks);
        out.cells += '\n';
    }
    return out;
}

TEST(Tiled, EveryEncodingInBothFormsGivesTheSameCells) {
    std::mt19937_64 random(77);
    const ScratchFolder folder;
    for (int i = 0; i < scaled_count(60); ++i) {
        RandomMap made = random_map(random);
        for (const TiledEncoding& form : kTiledEncodings) {
            const std::string what = form.encoding + " " + form.compression;
            const std::string source =
                std::vector<std::string>{"", "a set.tsx", "a set.tsj"}[random() % 3];
            for (TiledTileset& set : made.file.tilesets)
                if (set.first == made.outside.first) set.source = source;
            if (source.ends_with("tsx")) folder.file(source, xml_of(made.outside, ""));
            if (source.ends_with("tsj")) folder.file(source, json_of(made.outside).dump());
            const std::string xml = folder.file("a.tmx", xml_of(made.file, form));
            const std::string json = folder.file("a.tmj", json_of(made.file, form));
            for (const std::string& path : {xml, json}) {
                const auto read = load_tiled(path);
                if (made.cells.empty()) {  // infinite, and every chunk left out
                    EXPECT_THAT(read.error().message, HasSubstr("without a chunk"));
                    continue;
                }
                ASSERT_TRUE(read) << what << ": " << read.error().message;
                ASSERT_EQ(rows_of(read->terrain), made.cells) << what << ' ' << i;
                ASSERT_EQ(read->origin, (grid::Point{made.left, made.top})) << what;
                const auto loaded = load_terrain(path);
                ASSERT_EQ(loaded.value(), read->terrain);
                if (!source.empty()) continue;
                ASSERT_EQ(parse_terrain(bytes_of(path), path).value(), read->terrain);
            }
        }
    }
}

TEST(Tiled, FilesThatTheEditorWroteAreRead) {
    const auto read = [](const std::string& name) {
        const std::string path = source_folder() / "fuzz/corpus/tiled" / name;
        return load_tiled(path).value();
    };
    const std::string cells = "@@@@@@@@\n.33.@...\n.33.@...\n........\n@@@@@@@@\n";
    EXPECT_EQ(rows_of(read("editor.tmj").terrain), cells);
    const TiledMap infinite = read("editor.tmx");  // the same at (-4, -2), in chunks of 16 x 16
    EXPECT_EQ(infinite.origin, (grid::Point{-16, -16}));
    std::string expected;
    for (int y = -16; y < 16; ++y) {
        for (int x = -16; x < 16; ++x) {
            const bool inside = x >= -4 && x < 4 && y >= -2 && y < 3;
            expected += inside ? cells[static_cast<std::size_t>((y + 2) * 9 + x + 4)] : '@';
        }
        expected += '\n';
    }
    EXPECT_EQ(rows_of(infinite.terrain), expected);
}

TEST(Tiled, AByteOrderMarkMayStandBeforeAFile) {
    const TiledFile map = row_of({{}, {kBlocked}});
    for (const std::string& bytes : {xml_of(map, {}), json_of(map, {})}) {
        const auto read = parse_terrain("\xef\xbb\xbf" + bytes, "a");
        ASSERT_TRUE(read) << read.error().message;
        EXPECT_EQ(rows_of(*read), ".@@\n");
    }
}

// Errors.

TEST(Tiled, ErrorsSayWhatIsWrong) {
    using enum StatusCode;
    struct Case {
        StatusCode code;
        std::string bytes;
        std::string message;
    };
    const auto map = [](const std::string& attributes, const std::string& inside) {
        return "<map orientation=\"orthogonal\" " + attributes + ">" + inside + "</map>";
    };
    const std::string sides = "width=\"2\" height=\"1\"";
    const std::string set =
        "<tileset firstgid=\"1\"><tile id=\"0\"><properties><property name=\"blocked\" "
        "type=\"bool\" value=\"true\"/></properties></tile></tileset>";
    const auto layer = [&](const std::string& data) {
        return map(sides, set + "<layer name=\"a\" " + sides + ">" + data + "</layer>");
    };
    const auto marked = [&](const std::string& property) {
        return map(sides, "<tileset firstgid=\"1\"><tile id=\"0\"><properties><property " +
                              property + "/></properties></tile></tileset>");
    };
    const std::string json = R"({"type":"map","orientation":"orthogonal","width":2,"height":1,)";
    const std::vector<Case> cases{
        {corrupt_file, "", "a.tmx:1:1: not JSON"},
        {corrupt_file, "<map", "a.tmx:1:"},
        {corrupt_file, "<map></mup>", "not XML"},
        {corrupt_file, "<!-- only this -->", "not XML"},
        {corrupt_file, "<other/>", "not a map of Tiled"},
        {unsupported, "<tileset/>", "a tileset: name a map"},
        {corrupt_file, "{}", "not a map of Tiled"},
        {corrupt_file, "[]", "neither a map nor a tileset"},
        {corrupt_file, "7", "neither a map nor a tileset"},
        {corrupt_file, "null", "neither a map nor a tileset"},
        {corrupt_file, "{\"type\": 1e999}", "not JSON that can be read"},
        {corrupt_file, "{\"layers\": {}}", "'layers' must be a list"},
        {corrupt_file, "{\"tilesets\": [1]}", "a tileset must be an object"},
        {corrupt_file, "{\"tilesets\": [null]}", "a tileset must be an object"},
        {corrupt_file, "{\"layers\": [[]]}", "a layer must be an object"},
        {corrupt_file, "{\"tiles\": 3}", "'tiles' must be a list"},
        {corrupt_file, "{\"data\": [-1]}", "'-1' in 'data'"},
        {corrupt_file, "{\"data\": [4294967296]}", "4294967296 in 'data'"},
        {corrupt_file, "{\"data\": [\"x\"]}", "'x' in 'data'"},
        {corrupt_file, "{\"data\": [{}]}", "'data' needs numbers"},
        {corrupt_file, "{\"data\": [[]]}", "'data' needs numbers"},
        {unsupported, "<map orientation=\"hexagonal\"/>", "the orientation 'hexagonal'"},
        {unsupported, "<map orientation=\"staggered\"/>", "the orientation 'staggered'"},
        {unsupported, "<map/>", "the orientation ''"},
        {unsupported, map(sides, ""), "no tile layer"},
        {corrupt_file, map(sides, "<tileset/>"), "firstgid '' of a tileset"},
        {corrupt_file, map(sides, "<tileset firstgid=\"0\"/>"), "firstgid '0'"},
        {unsupported, map(sides, "<tileset firstgid=\"1\" source=\"b.tsx\"/>"),
         "the tileset 'b.tsx' is another file"},
        {corrupt_file,
         map(sides,
             "<tileset firstgid=\"1\"><tile><properties><property name=\"cost\"/>"
             "</properties></tile></tileset>"),
         "id '' of a tile"},
        {corrupt_file, marked("name=\"blocked\" value=\"maybe\""), "'blocked': 'maybe'"},
        {corrupt_file, marked("name=\"walkable\""), "'walkable': ''"},
        {corrupt_file, marked("name=\"cost\" value=\"much\""), "the cost 'much'"},
        {unsupported, marked("name=\"cost\" value=\"10\""), "the cost '10'"},
        {unsupported, marked("name=\"cost\" value=\"2.5\""), "the cost '2.5'"},
        {unsupported, marked("name=\"cost\" value=\"1e300\""), "the cost '1e300'"},
        {unsupported, marked("name=\"terrain\" value=\"lava\""), "the terrain 'lava'"},
        {unsupported,
         marked("name=\"terrain\" value=\"water\"/><property name=\"cost\" value=\"2\""),
         "a tile with a cost and a terrain"},
        {corrupt_file, map("width=\"2\"", set + "<layer name=\"a\" " + sides + "/>"),
         "height '' of a map"},
        {corrupt_file, map("width=\"2\" height=\"32769\"", set + "<layer " + sides + "/>"),
         "height '32769'"},
        {corrupt_file, map("width=\"2\" height=\"2\"", set + "<layer name=\"a\" " + sides + "/>"),
         "the layer 'a' is 2 x 1 tiles large, the map 2 x 2"},
        {corrupt_file, layer(""), "the layer 'a': no tile data"},
        {corrupt_file, layer("<data/>"), "0 tiles where 2 are needed"},
        {corrupt_file, layer("<data><tile gid=\"x\"/></data>"), "gid 'x'"},
        {corrupt_file, layer("<data><tile/><tile/><tile/></data>"), "3 tiles where 2"},
        {corrupt_file, layer("<data encoding=\"csv\">1</data>"), "1 tiles where 2"},
        {corrupt_file, layer("<data encoding=\"csv\">1,0,1</data>"), "more than 2 tiles"},
        {corrupt_file, layer("<data encoding=\"csv\">1;0</data>"), "';' where a comma"},
        {corrupt_file, layer("<data encoding=\"csv\">1,x</data>"), "'x' is no number"},
        {corrupt_file, layer("<data encoding=\"csv\">1,4294967296</data>"), "is no number"},
        {unsupported, layer("<data encoding=\"hex\">00</data>"), "the encoding 'hex'"},
        {unsupported, layer("<data encoding=\"base64\" compression=\"lzma\">AA==</data>"),
         "the compression 'lzma'"},
        {corrupt_file, layer("<data encoding=\"base64\">AA!=</data>"), "'!' is not base64"},
        {corrupt_file, layer("<data encoding=\"base64\">A=AA</data>"), "'=' is not base64"},
        {corrupt_file, layer("<data encoding=\"base64\">AQ</data>"), "base64 is cut off"},
        {corrupt_file, layer("<data encoding=\"base64\">AQ==</data>"), "0 tiles where 2"},
        {corrupt_file, layer("<data encoding=\"base64\" compression=\"zlib\">AQ==</data>"),
         "not a zlib stream"},
        {corrupt_file, layer("<data encoding=\"base64\" compression=\"gzip\"/>"),
         "not a gzip stream"},
        {corrupt_file, layer("<data encoding=\"base64\" compression=\"zstd\">AAAAAAAA</data>"),
         "not a zstd frame"},
        {corrupt_file, layer("<data encoding=\"base64\" compression=\"zstd\"/>"),
         "the zstd frame is cut off"},
        {corrupt_file,
         map(sides,
             "<tileset firstgid=\"9\"><tile id=\"0\"><properties><property name=\"cost\" "
             "value=\"2\"/></properties></tile></tileset><layer name=\"a\" " +
                 sides + "><data encoding=\"csv\">9,8</data></layer>"),
         "the tile 8 is of no tileset"},
        {unsupported, map(sides, "<layer name=\"floor\" " + sides + "/><layer name=\"walls\"/>"),
         "nothing says where walls are: give tiles of a tileset, or a layer, the bool property "
         "'blocked', or walkable; or name the layer whose tiles are walls, of 'floor', 'walls'"},
        {corrupt_file, map("infinite=\"1\"", set + "<layer name=\"a\"><data/></layer>"),
         "an infinite map without a chunk"},
        {corrupt_file,
         map("infinite=\"1\"", set + "<layer><data><chunk x=\"0\" y=\"0\"/></data></layer>"),
         "width '' of a chunk"},
        {too_large,
         map("infinite=\"1\"",
             set + "<layer><data><chunk x=\"0\" y=\"0\" width=\"1\" height=\"1\"/><chunk "
                   "x=\"900000000\" y=\"0\" width=\"1\" height=\"1\"/></data></layer>"),
         "a map of 900000001 x 1 cells"},
        {unsupported, json + R"("layers":[{"type":"imagelayer","name":"sky"}]})", "no tile layer"},
        {corrupt_file, json + R"("tilesets":[{"firstgid":1,"tiles":{"0":{}}}]})",
         "'tiles' must be a list of objects, as Tiled 1.2 and later write it"},
        {corrupt_file, json + R"("tilesets":[{"firstgid":1,"source":"a\u0000b"}]})",
         "no name of a file"},
    };
    for (const Case& c : cases) {
        const auto read = parse_tiled(c.bytes, "a.tmx");
        ASSERT_FALSE(read) << c.bytes;
        EXPECT_EQ(read.error().code, c.code) << c.bytes;
        EXPECT_THAT(read.error().message, StartsWith("a.tmx:")) << c.bytes;
        EXPECT_THAT(read.error().message, HasSubstr(c.message)) << c.bytes;
    }
}

TEST(Tiled, SizesAreBounded) {
    TiledFile map = row_of({{}, {kBlocked}});
    PictureLimits limits;
    limits.max_pixels = 3;
    EXPECT_EQ(cells_of(map, limits), ".@@");
    limits.max_pixels = 2;
    EXPECT_THAT(cells_of(map, limits), HasSubstr("at most 32768 a side and 2 in all"));
    map.layers.push_back(map.layers[0]);
    limits.max_pixels = 5;  // fewer than both layers have
    EXPECT_THAT(cells_of(map, limits), HasSubstr("with 6 in all layers"));

    std::string deep = "{\"type\":\"map\",\"orientation\":\"orthogonal\"";
    std::string deep_xml = "<map orientation=\"orthogonal\">";
    for (int i = 0; i < 100; ++i) {
        deep += ",\"layers\":[{\"type\":\"group\"";
        deep_xml += "<group>";
    }
    for (int i = 0; i < 100; ++i) {
        deep += "}]";
        deep_xml += "</group>";
    }
    for (const std::string& bytes : {deep + "}", deep_xml + "</map>"}) {
        const auto read = parse_tiled(bytes, "a");
        ASSERT_FALSE(read);
        EXPECT_EQ(read.error().message, "a: layers are nested too deeply");
    }
    std::string skipped = "{\"x\":";  // any depth of what does not matter
    for (int i = 0; i < 100'000; ++i) skipped += "[";
    for (int i = 0; i < 100'000; ++i) skipped += "]";
    EXPECT_THAT(parse_tiled(skipped + "}", "a").error().message, HasSubstr("not a map"));

    std::string sets = "<map orientation=\"orthogonal\">";
    for (int i = 0; i < 1025; ++i) sets += "<tileset firstgid=\"1\"/>";
    EXPECT_EQ(parse_tiled(sets + "</map>", "a").error().code, StatusCode::too_large);
}

TEST(Tiled, DataThatUnpacksToMoreThanTheLayerHasIsRefused) {
    TiledFile map = row_of({{}, {kBlocked}});
    const std::vector<std::uint32_t> many(4'000'000, 1);  // 16 MB of tiles
    for (const char* compression : {"zlib", "gzip", "zstd"}) {
        const TiledEncoding form{"base64", compression};
        const std::string text = tile_text(many, form);
        std::string xml = xml_of(map, form);
        const std::string old = tile_text(map.layers[0].chunks[0].gids, form);
        xml.replace(xml.find(old), old.size(), text);
        const auto read = parse_tiled(xml, "a.tmx");
        ASSERT_FALSE(read);
        EXPECT_THAT(read.error().message, HasSubstr("more than 3 tiles")) << compression;
        xml.replace(xml.find(text), text.size(), base64_of("\x78" + std::string(9, '\x9c')));
        EXPECT_EQ(parse_tiled(xml, "a.tmx").error().code, StatusCode::corrupt_file);
    }
}

TEST(Tiled, FilesOfTilesetsAreBoundedTogether) {
    const ScratchFolder folder;
    TiledFile map = row_of({{}, {kBlocked}});
    const std::string set = xml_of(map.tilesets[0], "");
    folder.file("b.tsx", set + "<!--" + std::string(std::size_t{17} << 20, ' ') + "-->");
    map.tilesets[0].source = "b.tsx";
    for (std::uint32_t i = 1; i < 4; ++i) {
        EXPECT_TRUE(load_tiled(folder.file("a.tmx", xml_of(map, {})))) << i;
        map.tilesets.push_back({100 * i, {}, "b.tsx"});
    }
    EXPECT_EQ(load_tiled(folder.file("a.tmx", xml_of(map, {}))).error().code,
              StatusCode::too_large);
}

TEST(Tiled, TilesetsLieBesideTheMap) {
    const ScratchFolder folder;
    TiledFile map = row_of({{}, {kBlocked}});
    TiledTileset set = map.tilesets[0];
    map.tilesets[0].source = "sets/b.tsx";
    std::filesystem::create_directory(folder.path() / "sets");
    std::filesystem::create_directory(folder.path() / "maps");
    const std::string path = folder.file("a.tmx", xml_of(map, {}));
    const auto missing = load_tiled(path);
    ASSERT_FALSE(missing);
    EXPECT_EQ(missing.error().code, StatusCode::io_error);
    EXPECT_THAT(missing.error().message, HasSubstr("sets/b.tsx"));
    folder.file("sets/b.tsx", xml_of(set, ""));
    EXPECT_EQ(rows_of(load_tiled(path).value().terrain), ".@@\n");
    map.tilesets[0].source = "../sets/b.tsx";
    EXPECT_TRUE(load_tiled(folder.file("maps/a.tmj", json_of(map, {}))));
    map.tilesets[0].source = folder.path() / "sets" / "b.tsx";
    EXPECT_TRUE(load_tiled(folder.file("maps/a.tmj", json_of(map, {}))));
    for (const auto& [bytes, message] :
         std::vector<std::pair<std::string, std::string>>{{"<map/>", "b.tsx: not a tileset"},
                                                          {"<tileset", "b.tsx:1:"},
                                                          {"{\"tiles\": 1}", "b.tsx: 'tiles'"},
                                                          {"<tileset><tile id=\"x\"><properties>"
                                                           "<property/></properties></tile>"
                                                           "</tileset>",
                                                           "b.tsx: id 'x' of a tile"}}) {
        folder.file("sets/b.tsx", bytes);
        const auto read = load_tiled(path);
        ASSERT_FALSE(read) << bytes;
        EXPECT_EQ(read.error().code, StatusCode::corrupt_file);
        EXPECT_THAT(read.error().message, HasSubstr(message));
    }
    // Also of a map whose name says nothing, and behind blanks.
    folder.file("sets/b.tsx", xml_of(set, ""));
    map.tilesets[0].source = "sets/b.tsx";
    const auto unnamed = load_terrain(folder.file("level", "\n " + xml_of(map, {})));
    ASSERT_TRUE(unnamed) << unnamed.error().message;
    EXPECT_EQ(rows_of(*unnamed), ".@@\n");
    EXPECT_EQ(load_tiled(folder.path() / "none.tmx").error().code, StatusCode::io_error);
    EXPECT_EQ(load_tiled(folder.path()).error().code, StatusCode::io_error);
}

TEST(Tiled, DamagedFilesGiveAMapOrAnError) {
    std::mt19937_64 random(8);
    const RandomMap made = random_map(random);
    PictureLimits limits;
    limits.max_pixels = 1U << 16;
    for (const TiledEncoding& form : kTiledEncodings) {
        for (const std::string& bytes : {xml_of(made.file, form), json_of(made.file, form)}) {
            for_each_damage(bytes, 300, [&](const std::string& damaged) {
                const auto read = parse_tiled(damaged, "a.tmx", limits);
                if (read) {
                    const auto& [width, height, cells] = read->terrain;
                    EXPECT_EQ(cells.size(),
                              static_cast<std::size_t>(width) * static_cast<std::size_t>(height));
                } else {
                    EXPECT_THAT(read.error().message, StartsWith("a.tmx:"));
                }
            });
        }
    }
}

}  // namespace
}  // namespace cairn::formats
