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
namespace {

using haa::Transitions;
using hpa::DiagonalCrossings;

// All but best_clearance, which HPA* does not have.
hpa::Transitions as_hpa(Transitions transitions) {
    switch (transitions) {
        case Transitions::middle:
            return hpa::Transitions::middle;
        case Transitions::every:
            return hpa::Transitions::every;
        default:
            return hpa::Transitions::by_width;
    }
}

}  // namespace

std::string as_option(std::string message) {
    const auto word =
        message.begin() + static_cast<std::ptrdiff_t>(std::min(message.find(' '), message.size()));
    std::replace(message.begin(), word, '_', '-');
    return "--" + message;
}

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
    add(command.add_option("--neighbours", neighbours, "Cells that a cell's moves lead to")
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
                "Terrain: weighted - . G S cost 1, digits 1 to 9 their value, all else is an "
                "obstacle; movingai - digits are obstacles too; literal - the byte's value")
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

void IndexFlags::add_to(CLI::App& command) {
    shared_ = {
        command
            .add_option("--levels", options.levels,
                        "Abstract levels, 1 to 8; more never change a cost")
            ->type_name("N")
            ->capture_default_str(),
    };
    std::ranges::copy(labels_.add_to(command), std::back_inserter(shared_));
    clustered_ = {
        command
            .add_option("--cluster-size", options.cluster_size,
                        "Side of a cluster in cells, 2 to 64")
            ->type_name("N")
            ->capture_default_str(),
        command
            .add_option("--branching", options.branching,
                        "Clusters along the side of a cluster of the next level, 2 to 4")
            ->type_name("N")
            ->capture_default_str(),
        add_choice<Transitions>(command, "--transitions", transitions,
                                {{"by-width", Transitions::by_width},
                                 {"middle", Transitions::middle},
                                 {"every", Transitions::every},
                                 {"best-clearance", Transitions::best_clearance}},
                                "Transitions of an entrance: one in the middle, or two at the ends "
                                "if it is wide; always one; on every tile; HAA* alone: one where "
                                "clearance is greatest"),
        command
            .add_option("--wide-entrance", options.wide_entrance,
                        "Tiles from which an entrance is wide, at least 2")
            ->type_name("N")
            ->capture_default_str(),
        command.add_flag("--no-tables", no_tables_,
                         "Search inside clusters instead of keeping move tables: smaller, slower"),
    };
    own_ = {
        add_choice<DiagonalCrossings>(command, "--diagonals", options.diagonals,
                                      {{"needed", DiagonalCrossings::needed},
                                       {"none", DiagonalCrossings::none},
                                       {"every", DiagonalCrossings::every}},
                                      "Diagonal moves between clusters that become transitions"),
    };
    for (CLI::Option* option : shared_) option->group("Index");
    for (CLI::Option* option : clustered_) option->group("Index of HPA* and HAA*");
    for (CLI::Option* option : own_) option->group("Index of HPA*");
    add_threads(command, threads);
}

void add_threads(CLI::App& command, int& threads) {
    command.add_option("--threads", threads, "Threads to build with; 0: one per processor")
        ->check(CLI::Range(0, 1024).description(""))
        ->type_name("N")
        ->capture_default_str()
        ->group("Index");
}

void IndexFlags::add_file_to(CLI::App& command) {
    command
        .add_option("--index", file,
                    "Load the index from this file (cairn build) instead of building it; it has "
                    "its own options")
        ->type_name("FILE")
        ->group("Index");
}

Result<hpa::Options> IndexFlags::checked() const {
    hpa::Options out = options;
    if (transitions == Transitions::best_clearance) {
        return fail(
            StatusCode::bad_option,
            "--transitions best-clearance is for --planner haa: HPA*'s agents have no size");
    }
    out.transitions = as_hpa(transitions);
    out.move_tables = !no_tables_;
    out.labels = labels();
    out.label_bytes = label_bytes();
    if (Status status = hpa::check(out); !status.ok())
        return fail(status.code, as_option(std::move(status.message)));
    return out;
}

Result<hpa::Index> IndexFlags::build(Context& context, const grid::Map& map) const {
    const auto index_options = checked();
    if (!index_options) return tl::unexpected(index_options.error());
    ProgressBar bar("building");
    BuildControl control;
    control.progress = bar.callback();
    control.cancel = &context.cancel;
    control.threads = threads;
    return hpa::Index::build(map, *index_options, control);
}

Result<hpa::Index> IndexFlags::load_or_build(Context& context, const grid::Map& map) const {
    if (file.empty()) return build(context, map);
    if (Status status = none(kWithFile); !status.ok()) return tl::unexpected(std::move(status));
    return cairn::load<hpa::Index>(file, map);
}

Status IndexFlags::only_shared() const {
    Status status = refuse_given(
        clustered_, "is an option of HPA* and HAA*: leave it out, or add --planner hpa");
    return status.ok() ? only_clustered() : status;
}

Status IndexFlags::only_clustered() const {
    return refuse_given(own_, "is an option of HPA*: leave it out, or add --planner hpa");
}

Status IndexFlags::none(std::string_view message) const {
    for (const auto* group : {&shared_, &clustered_, &own_}) {
        if (Status status = refuse_given(*group, message); !status.ok()) return status;
    }
    return {};
}

void QueryFlags::add_to(CLI::App& command, Context& context) {
    using hpa::ConnectRule;
    using hpa::Detail;
    using hpa::Engine;
    using hpa::Smoothing;
    add_choice<Detail>(command, "--detail", query.detail,
                       {{"reachable", Detail::reachable},
                        {"cost", Detail::cost},
                        {"abstract", Detail::abstract_path},
                        {"subgoals", Detail::abstract_path},
                        {"path", Detail::path}},
                       "How much of the answer is wanted; abstract nodes and subgoals are "
                       "what HPA* and subgoal graphs have on the way")
        ->group("Query");
    limits_.add_to(command, context, "Longest path wanted, in straight steps");
    indexed_ = {
        add_choice<Engine>(command, "--engine", query.engine,
                           {{"auto", Engine::automatic},
                            {"astar", Engine::astar},
                            {"levels", Engine::levels},
                            {"labels", Engine::cut_labels}},
                           "How the index's graph is searched; all give the same cost"),
        command.add_flag("--nearest", query.nearest_reachable,
                         "If the goal cannot be reached, go as near as possible"),
    };
    own_ = {
        add_choice<Smoothing>(command, "--smoothing", query.smoothing,
                              {{"none", Smoothing::none},
                               {"lines", Smoothing::straight_lines},
                               {"corridor", Smoothing::corridor}},
                              "How the path is straightened; corridor searches the clusters around "
                              "it exactly"),
        add_choice<ConnectRule>(command, "--connect", query.connect,
                                {{"all", ConnectRule::all},
                                 {"sparse", ConnectRule::sparse},
                                 {"towards-goal", ConnectRule::towards_goal}},
                                "Abstract nodes that start and goal are connected to"),
        command.add_flag("--no-direct-line", no_direct_line_, "Do not try the straight line first"),
        command
            .add_option("--ring", query.corridor_ring,
                        "Rings of clusters around the path for --smoothing corridor, 0 to 64")
            ->type_name("N")
            ->capture_default_str(),
    };
    for (CLI::Option* option : indexed_) option->group("Query");
    for (CLI::Option* option : own_) option->group("Query of HPA* and HAA*");
}

Status QueryFlags::only_shared() const {
    return refuse_given(own_, "is an option of HPA*: leave it out, or add --planner hpa");
}

Status QueryFlags::none_of_an_index() const {
    return refuse_given(indexed_, "needs an index: leave it out, or choose another --planner");
}

SearchLimits QueryFlags::limits(const grid::Map& map) const {
    return limits_.limits(map.options().costs.straight);
}

hpa::Query QueryFlags::between(const grid::Map& map, grid::Point start, grid::Point goal) const {
    hpa::Query out = query;
    out.start = start;
    out.goal = goal;
    out.try_direct_line = !no_direct_line_;
    out.limits = limits(map);
    return out;
}

}  // namespace cairn::app
