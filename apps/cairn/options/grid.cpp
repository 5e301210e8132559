#include "options/grid.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>

#include "cairn/formats/raster.hpp"
#include "cairn/index_file.hpp"
#include "options/common.hpp"

namespace cairn::app {
Status refuse_given(const std::vector<CLI::Option*>& options, std::string_view message) {
    for (const CLI::Option* option : options) {
        if (option->count() > 0)
            return {StatusCode::bad_option, fmt::format("{} {}", option->get_name(), message)};
    }
    return {};
}

std::optional<std::vector<std::int64_t>> parse_integers(const std::string& text,
                                                        std::size_t count) {
    std::vector<std::int64_t> values;
    const char* at = text.data();
    const char* const end = at + text.size();
    while (values.size() < count) {
        std::int64_t value = 0;
        const auto [next, error] = std::from_chars(at, end, value);
        if (error != std::errc{}) return std::nullopt;
        values.push_back(value);
        at = next;
        if (values.size() < count && (at == end || *at++ != ',')) return std::nullopt;
    }
    if (at != end) return std::nullopt;
    return values;
}

Result<grid::Point> parse_point(const std::string& text, const std::string& what) {
    constexpr std::int64_t limit = 1'000'000'000;
    const auto values = parse_integers(text, 2);
    if (!values || std::abs((*values)[0]) > limit || std::abs((*values)[1]) > limit) {
        return fail(StatusCode::bad_option,
                    fmt::format("{} '{}': write column,row, for example 17,42", what, text));
    }
    return grid::Point{static_cast<std::int32_t>((*values)[0]),
                       static_cast<std::int32_t>((*values)[1])};
}

void MapFlags::add_to(CLI::App& command) {
    const auto add = [&](CLI::Option* option) {
        all_.push_back(option->capture_default_str()->group("Map"));
    };
    add(command.add_option("--neighbours", neighbours, "Neighbours of a cell")
            ->check(CLI::IsMember({"4", "8"}).description(""))
            ->type_name("4|8"));
    add(command
            .add_option(
                "--corners", corners,
                "Diagonal moves past obstacles: strict - both cells beside them must be free; "
                "both-blocked - one must; free - none")
            ->check(CLI::IsMember({"strict", "both-blocked", "free"}).description(""))
            ->type_name("strict|both-blocked|free"));
    add(command
            .add_option("--costs", costs,
                        "Straight and diagonal cost: two integers, or paper (100,142), or fine "
                        "(5741,8119)")
            ->type_name("S,D|paper|fine"));
    add(command
            .add_option(
                "--weights", weights,
                "Terrain: weighted - . G S cost 1, digits 1 to 9 their value, everything else is "
                "an obstacle; movingai - digits are obstacles too; literal - the byte's value")
            ->check(CLI::IsMember({"movingai", "weighted", "literal"}).description(""))
            ->type_name("movingai|weighted|literal"));
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
        const auto pair = parse_integers(costs, 2);
        constexpr std::int64_t limit = 1'000'000;
        if (!pair || (*pair)[0] < 1 || (*pair)[0] > limit || (*pair)[1] < 1 || (*pair)[1] > limit) {
            return fail(StatusCode::bad_option,
                        fmt::format("--costs '{}': write two integers from 1 to 1000000, such as "
                                    "408,577, or paper, or fine",
                                    costs));
        }
        out.costs = {static_cast<std::uint32_t>((*pair)[0]),
                     static_cast<std::uint32_t>((*pair)[1])};
    }
    return out;
}

Status MapFlags::no_weights(std::string_view message) const {
    return refuse_given({all_.back()}, message);
}

Status MapFlags::none(std::string_view message) const { return refuse_given(all_, message); }

Result<grid::Map> MapFlags::load(const std::filesystem::path& file) const {
    const auto map_options = options();
    if (!map_options) return tl::unexpected(map_options.error());
    return formats::load_terrain_map(file, *map_options);
}

}  // namespace cairn::app
