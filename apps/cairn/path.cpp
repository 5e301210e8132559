// cairn path: answers one query.

#include <algorithm>
#include <optional>

#include "cairn/grid/astar.hpp"
#include "cairn/grid/nearest.hpp"
#include "cairn/grid/smooth.hpp"
#include "cairn/hpa/searcher.hpp"
#include "command.hpp"
#include "options.hpp"
#include "path_report.hpp"
#include "text.hpp"

namespace cairn::app {
namespace {

struct PathCommand {
    std::string map_file;
    std::string start_text;
    std::vector<std::string> goal_texts;
    std::vector<std::string> more_goals;
    std::vector<std::string> edit_texts;
    bool nearest_goal = false;
    bool compare = false;
    bool cells = false;
    bool draw = false;
    MapFlags map;
    IndexFlags index;
    QueryFlags query;

    Outcome run(Context& context);
    [[nodiscard]] Result<std::vector<grid::TerrainEdit>> edits() const;
    [[nodiscard]] Result<hpa::Index> open_index(Context& context) const;
    Outcome cost_table(Context& context, const hpa::Index& opened, grid::Point start,
                       const std::vector<grid::Point>& goals) const;
    Outcome answer(Context& context, const hpa::Index& opened, grid::Point start,
                   const std::vector<grid::Point>& goals) const;
};

Result<std::vector<grid::TerrainEdit>> PathCommand::edits() const {
    std::vector<grid::TerrainEdit> out;
    for (const std::string& text : edit_texts) {
        const std::size_t comma = text.rfind(',');
        const auto area =
            comma == std::string::npos ? std::nullopt : parse_integers(text.substr(0, comma), 4);
        const bool fits = area && std::all_of(area->begin(), area->end(), [](std::int64_t v) {
                              return std::abs(v) <= grid::Map::kMaxSide;
                          });
        if (!fits || text.size() != comma + 2) {
            return fail(StatusCode::bad_option,
                        fmt::format("--edit '{}': write column,row,width,height,terrain, for "
                                    "example 10,4,3,1,@ for a wall",
                                    text));
        }
        const auto at = [&](std::size_t i) { return static_cast<std::int32_t>((*area)[i]); };
        out.push_back({{at(0), at(1), at(2), at(3)}, static_cast<std::uint8_t>(text[comma + 1])});
    }
    return out;
}

Result<hpa::Index> PathCommand::open_index(Context& context) const {
    const auto grid_map = map.load(map_file);
    if (!grid_map) return tl::unexpected(grid_map.error());
    const auto list = edits();
    if (!list) return tl::unexpected(list.error());
    auto opened = index.load_or_build(context, *grid_map);
    if (!opened || list->empty()) return opened;
    auto edited = opened->edited(*list);
    if (!edited) return fail(edited.error().code, "--edit: " + edited.error().message);
    return edited;
}

/// Two free cells far apart, to warm up with: a query between them also drives the ends of the
/// query to be timed from the searcher's cache.
hpa::Query warm_up_query(const grid::Map& map, hpa::Query query) {
    query.start = nearest_passable(map, {0, 0}).value_or(query.start);
    query.goal = nearest_passable(map, {map.width() - 1, map.height() - 1}).value_or(query.goal);
    query.limits = {};
    return query;
}

/// The least time of some answers, each after another query.
double timed(hpa::Searcher& searcher, const hpa::Index& index, const hpa::Query& query,
             hpa::Answer& answer) {
    constexpr int kRounds = 5;
    hpa::Answer other;
    double best = 0;
    for (int round = 0; round < kRounds; ++round) {
        searcher.find(index, warm_up_query(index.map(), query), other);
        const double begin = now();
        searcher.find(index, query, answer);
        const double seconds = now() - begin;
        best = round == 0 ? seconds : std::min(best, seconds);
    }
    return best;
}

Comparison compare_with_astar(const hpa::Index& index, const hpa::Answer& answer,
                              grid::Point start) {
    constexpr int kRounds = 3;
    Comparison out;
    grid::Astar astar;
    grid::Path path;
    for (int round = 0; round < kRounds; ++round) {
        const double begin = now();
        astar.find_path(index.map(), start, answer.goal, path);
        const double seconds = now() - begin;
        out.seconds = round == 0 ? seconds : std::min(out.seconds, seconds);
    }
    out.cost = path.cost;
    out.length = path_length(index.map(), path.cells);
    out.expanded = path.statistics.expanded;
    return out;
}

Outcome PathCommand::answer(Context& context, const hpa::Index& opened, grid::Point start,
                            const std::vector<grid::Point>& goals) const {
    PathReport report{opened, start, {}, 0, std::nullopt, std::nullopt};
    hpa::Searcher searcher(0);
    hpa::Query asked = query.between(opened.map(), start, goals.front());
    if (goals.size() > 1) {
        std::size_t nearest = 0;
        searcher.find_nearest(opened, asked, goals, report.answer, nearest);
        if (report.answer.status == StatusCode::ok) {
            report.nearest = nearest;
            asked.goal = goals[nearest];
        }
    } else {
        searcher.find(opened, asked, report.answer);
    }
    if (const StatusCode code = report.answer.status; code != StatusCode::ok) {
        std::string message = fmt::format("{},{} to {},{}: {}", start.x, start.y, asked.goal.x,
                                          asked.goal.y, describe(code));
        if (code == StatusCode::goal_blocked || code == StatusCode::no_path)
            message += "; --nearest goes as near as possible";
        return fail(code, std::move(message));
    }
    report.seconds = timed(searcher, opened, asked, report.answer);
    if (compare && asked.detail != hpa::Detail::reachable)
        report.astar = compare_with_astar(opened, report.answer, start);

    if (context.json) {
        say(report.json(cells));
        return kDone;
    }
    if (draw) {
        const auto drawing = report.drawing();
        if (!drawing) return tl::unexpected(drawing.error());
        say("{}\n", *drawing);
    }
    say("{}", report.text(cells));
    return kDone;
}

Outcome PathCommand::cost_table(Context& context, const hpa::Index& opened, grid::Point start,
                                const std::vector<grid::Point>& goals) const {
    std::vector<Cost> costs(goals.size());
    hpa::Searcher searcher;
    const StatusCode code = searcher.costs(opened, start, goals, costs);
    if (code != StatusCode::ok)
        return fail(code, fmt::format("{},{}: {}", start.x, start.y, describe(code)));
    const double step = opened.map().options().costs.straight;
    Json list = Json::array();
    Table table({"goal", "length", "cost"});
    for (std::size_t i = 0; i < goals.size(); ++i) {
        Json entry{{"goal", {goals[i].x, goals[i].y}}, {"cost", nullptr}};
        const std::string goal = fmt::format("{},{}", goals[i].x, goals[i].y);
        if (costs[i] == kInfinity) {
            table.add({goal, "-", "no path"});
        } else {
            entry["cost"] = costs[i];
            table.add({goal, fmt::format("{:.2f}", costs[i] / step), fmt::format("{}", costs[i])});
        }
        list.push_back(std::move(entry));
    }
    if (context.json) {
        say(Json{{"start", {start.x, start.y}}, {"goals", std::move(list)}});
    } else {
        say("before smoothing, from {},{}:\n\n{}\n--nearest-goal goes to the nearest\n", start.x,
            start.y, table.text());
    }
    return std::all_of(costs.begin(), costs.end(), [](Cost c) { return c == kInfinity; }) ? kNoPath
                                                                                          : kDone;
}

Outcome PathCommand::run(Context& context) {
    const auto start = parse_point(start_text, "start");
    if (!start) return tl::unexpected(start.error());
    std::vector<std::string> texts = goal_texts;
    texts.insert(texts.end(), more_goals.begin(), more_goals.end());
    if (texts.empty())
        return fail(StatusCode::bad_option, "no goal: write one behind the start, or --goal X,Y");
    std::vector<grid::Point> goals;
    for (const std::string& text : texts) {
        const auto goal = parse_point(text, "goal");
        if (!goal) return tl::unexpected(goal.error());
        goals.push_back(*goal);
    }
    const auto opened = open_index(context);
    if (!opened) return tl::unexpected(opened.error());
    if (goals.size() > 1 && !nearest_goal) return cost_table(context, *opened, *start, goals);
    return answer(context, *opened, *start, goals);
}

}  // namespace

void add_path(CLI::App& app, Context& context) {
    auto options = std::make_shared<PathCommand>();
    CLI::App* command = add_command(
        app, context, "path",
        "Find a path between two cells, given as column,row. Without --index the map's index is "
        "built in memory first. Several goals give a table of costs, or with --nearest-goal the "
        "path to the nearest.",
        "  cairn path arena.map 1,3 42,17\n"
        "  cairn path arena.map 1,3 42,17 --index arena.cairn --compare\n"
        "  cairn path arena.map 1,3 42,17 --smoothing corridor --ring 2\n"
        "  cairn path arena.map 1,3 42,17 --edit 20,0,1,30,@ --draw\n"
        "  cairn path arena.map 1,3 --goal 42,17 --goal 5,60 --nearest-goal --json");
    command->add_option("map", options->map_file, "Map: .map, .png, .pgm or Nav2 .yaml")
        ->required();
    command->add_option("start", options->start_text, "Start")->required()->type_name("X,Y");
    command->add_option("goal", options->goal_texts, "Goal")->type_name("X,Y")->expected(0, 1);
    options->map.add_to(*command);
    command
        ->add_option("--edit", options->edit_texts,
                     "Change a rectangle of the map first; may be repeated")
        ->type_name("X,Y,W,H,T")
        ->allow_extra_args(false)
        ->group("Map");
    options->index.add_to(*command);
    options->index.add_file_to(*command);
    options->query.add_to(*command, context);
    command->add_option("--goal", options->more_goals, "Another goal; may be repeated")
        ->type_name("X,Y")
        ->allow_extra_args(false)
        ->group("Query");
    command->add_flag("--nearest-goal", options->nearest_goal, "Go to the nearest of several goals")
        ->group("Query");
    const std::string group = "Output";
    command->add_flag("--compare", options->compare, "Solve it with A* too")->group(group);
    command->add_flag("--cells", options->cells, "List every cell instead of the turning points")
        ->group(group);
    command->add_flag("--draw", options->draw, "Draw the path over the map in letters")
        ->group(group);
    on_run(command, context, options);
}

}  // namespace cairn::app
