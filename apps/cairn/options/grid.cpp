#include "options/grid.hpp"

#include <fmt/format.h>

#include <cstdlib>

#include "cairn/formats/movingai.hpp"
#include "options/common.hpp"
#include "text.hpp"

namespace cairn::app {

Status refuse_given(const std::vector<CLI::Option*>& options, std::string_view message) {
    for (const CLI::Option* option : options) {
        if (option->count() > 0)
            return {StatusCode::bad_option, fmt::format("{} {}", option->get_name(), message)};
    }
    return {};
}

Result<grid::Point> parse_point(const std::string& text, const std::string& name) {
    constexpr std::int32_t kLimit = 1'000'000'000;
    const auto at = parse_numbers<std::int32_t, 2>(text);
    if (!at || std::abs(std::int64_t{(*at)[0]}) > kLimit ||
        std::abs(std::int64_t{(*at)[1]}) > kLimit) {
        return fail(StatusCode::bad_option,
                    fmt::format("{} '{}': write column,row, for example 17,42", name, text));
    }
    return grid::Point{(*at)[0], (*at)[1]};
}

std::optional<grid::Rect> parse_rectangle(std::string_view text, std::int32_t least) {
    const auto numbers = parse_numbers<std::int32_t, 4>(text);
    if (!numbers) return std::nullopt;
    for (const std::int32_t number : *numbers) {
        if (number < least || number > grid::Map::kMaxSide) return std::nullopt;
    }
    return grid::Rect{(*numbers)[0], (*numbers)[1], (*numbers)[2], (*numbers)[3]};
}

void EditFlags::add_to(CLI::App& command, const char* group, const std::string& what) {
    command
        .add_option("--edit", texts,
                    what +
                        "; may be repeated. T is a letter of .map files; with --palette the "
                        "number of a terrain, 0 to f")
        ->type_name("X,Y,W,H,T")
        ->allow_extra_args(false)
        ->group(group);
}

Result<std::vector<grid::TerrainEdit>> EditFlags::edits() const {
    std::vector<grid::TerrainEdit> out;
    for (const std::string& text : texts) {
        const std::size_t comma = text.rfind(',');
        const auto area = parse_rectangle(text.substr(0, comma), -grid::Map::kMaxSide);
        if (!area || text.size() != comma + 2) {
            return fail(StatusCode::bad_option,
                        fmt::format("--edit '{}': write column,row,width,height,terrain, for "
                                    "example 10,4,3,1,@ for a wall",
                                    text));
        }
        out.push_back({*area, static_cast<std::uint8_t>(text[comma + 1])});
    }
    return out;
}

void add_picture_flags(CLI::App& command, formats::PictureLimits& limits, const char* group) {
    add_number(command, "--max-pixels", limits.max_pixels, 1, formats::GreyImage::kMaxPixels, "N",
               group, "Refuse pictures with more pixels, arrays and Tiled maps with more cells");
    const Names<formats::ArrayCells> cells{{"free", formats::ArrayCells::free},
                                           {"obstacles", formats::ArrayCells::obstacles},
                                           {"weights", formats::ArrayCells::weights}};
    add_choice(
        command, "--array-cells", limits.cells, cells, group,
        "What the numbers of a .npy map are: free - 0 is an obstacle, all else free; obstacles "
        "- 0 is free; weights - 1 to 9 are weights, 0 is an obstacle");
    command
        .add_option("--layer", limits.tiled.layer,
                    "The tiles of this layer of a Tiled map are its walls, all other cells free")
        ->type_name("NAME")
        ->group(group);
    add_value(command, "--wall-property", limits.tiled.property, "NAME", group,
              "The bool property that says which tiles of a Tiled map are walls; walkable says "
              "which are not");
    command
        .add_flag("--empty-is-free", limits.tiled.empty_is_free,
                  "Cells of a Tiled map on which no layer has a tile are free")
        ->group(group);
}

void MapFlags::add_to(CLI::App& command) {
    all_ = {
        add_word(command, "--neighbours", neighbours, {"4", "8"}, "Map", "Neighbours of a cell"),
        add_word(command, "--corners", corners, {"strict", "both-blocked", "free"}, "Map",
                 "Diagonal moves past obstacles: strict - both cells beside them must be free; "
                 "both-blocked - one must; free - none"),
        add_value(command, "--costs", costs, "S,D|paper|fine", "Map",
                  "Straight and diagonal cost: two integers, or paper (100,142), or fine "
                  "(5741,8119)"),
        add_word(command, "--weights", weights, {"movingai", "weighted", "literal"}, "Map",
                 "Terrain: weighted - . G S cost 1, digits 1 to 9 their value, everything else is "
                 "an obstacle; movingai - digits are obstacles too; literal - the byte's value, of "
                 "MovingAI maps"),
    };
    add_picture_flags(command, limits, "Map");
}

Result<grid::MapOptions> MapFlags::options() const {
    grid::MapOptions out;
    out.rules.neighbourhood =
        neighbours == "4" ? grid::Neighbourhood::four : grid::Neighbourhood::eight;
    out.rules.corner = corners == "strict"         ? grid::CornerRule::strict
                       : corners == "both-blocked" ? grid::CornerRule::both_blocked
                                                   : grid::CornerRule::free;
    out.weights = weights == "weighted"   ? grid::TerrainWeights::weighted()
                  : weights == "movingai" ? grid::TerrainWeights::movingai()
                                          : grid::TerrainWeights::literal();
    if (costs == "paper") {
        out.costs = CostModel::paper();
    } else if (costs == "fine") {
        out.costs = CostModel::fine();
    } else {
        const auto pair = parse_numbers<std::uint32_t, 2>(costs);
        constexpr std::uint32_t kLimit = 1'000'000;
        if (!pair || (*pair)[0] < 1 || (*pair)[0] > kLimit || (*pair)[1] < 1 ||
            (*pair)[1] > kLimit) {
            return fail(StatusCode::bad_option,
                        fmt::format("--costs '{}': write two integers from 1 to 1000000, such as "
                                    "408,577, or paper, or fine",
                                    costs));
        }
        out.costs = {(*pair)[0], (*pair)[1]};
    }
    return out;
}

Status MapFlags::refuse_weights(std::string_view message) const {
    return app::refuse_given({all_.back()}, message);
}

Status MapFlags::refuse_given(std::string_view message) const {
    return app::refuse_given(all_, message);
}

Result<grid::Map> MapFlags::load(const std::filesystem::path& file) const {
    const auto map_options = options();
    if (!map_options) return tl::unexpected(map_options.error());
    // Other formats than MovingAI's are read as letters, whose bytes are no weights.
    if (weights == "literal") return formats::load_map(file, *map_options);
    return formats::load_terrain_map(file, *map_options, limits);
}

}  // namespace cairn::app
