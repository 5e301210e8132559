// cairn path: answers one query.

#include <algorithm>
#include <CLI/CLI.hpp>
#include <optional>

#include "any_planner.hpp"
#include "cairn/grid/astar.hpp"
#include "command.hpp"
#include "options.hpp"
#include "path_report.hpp"
#include "planner_options.hpp"
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
    PlannerFlags planner;
    QueryFlags query;

    Outcome run(Context& context);
    [[nodiscard]] Result<std::vector<grid::TerrainEdit>> edits() const;
    [[nodiscard]] Result<std::unique_ptr<AnyPlanner>> open_planner(Context& context) const;
    Outcome cost_table(Context& context, AnyPlanner& opened, grid::Point start,
                       const std::vector<grid::Point>& goals) const;
    Outcome answer(Context& context, AnyPlanner& opened, grid::Point start,
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

Result<std::unique_ptr<AnyPlanner>> PathCommand::open_planner(Context& context) const {
    const auto loaded = planner.load(map_file, map);
    if (!loaded) return tl::unexpected(loaded.error());
    const auto list = edits();
    if (!list) return tl::unexpected(list.error());
    return planner.open(context, *loaded, *list, query);
}

/// A status in words, with the agent that does not fit.
std::string why(const AnyPlanner& planner, StatusCode code) {
    const bool start = code == StatusCode::start_blocked;
    const Mover* mover = planner.mover();
    if (mover == nullptr || (!start && code != StatusCode::goal_blocked))
        return std::string(describe(code));
    return fmt::format("agent {} does not fit at the {}",
                       agent_text(mover->index.map(), mover->agent), start ? "start" : "goal");
}

/// The least time of some answers, each after other queries.
double timed(AnyPlanner& planner, grid::Point start, grid::Point goal) {
    constexpr int kRounds = 5;
    double best = 0;
    for (int round = 0; round < kRounds; ++round) {
        forget_ends(planner);
        const double begin = now();
        planner.ask(start, goal);
        const double seconds = now() - begin;
        best = round == 0 ? seconds : std::min(best, seconds);
    }
    return best;
}

Comparison compare_with_astar(const grid::Map& map, grid::Point start, grid::Point goal) {
    constexpr int kRounds = 3;
    Comparison out;
    grid::Astar astar;
    grid::Path path;
    for (int round = 0; round < kRounds; ++round) {
        const double begin = now();
        astar.find_path(map, start, goal, path);
        const double seconds = now() - begin;
        out.seconds = round == 0 ? seconds : std::min(out.seconds, seconds);
    }
    out.cost = path.cost;
    out.length = path_length(map, path.cells);
    out.expanded = path.statistics.expanded;
    return out;
}

Outcome PathCommand::answer(Context& context, AnyPlanner& opened, grid::Point start,
                            const std::vector<grid::Point>& goals) const {
    PathReport report;
    report.planner = &opened;
    report.start = start;
    grid::Point goal = goals.front();
    StatusCode code = StatusCode::ok;
    if (goals.size() > 1) {
        std::size_t nearest = 0;
        code = opened.ask_nearest(start, goals, nearest);
        if (code == StatusCode::ok) {
            report.nearest = nearest;
            goal = goals[nearest];
        }
    } else {
        code = opened.ask(start, goal);
    }
    if (code != StatusCode::ok) {
        std::string message =
            fmt::format("{},{} to {},{}: {}", start.x, start.y, goal.x, goal.y, why(opened, code));
        const bool unreachable = code == StatusCode::goal_blocked || code == StatusCode::no_path;
        if (unreachable && planner.has_index()) message += "; --nearest goes as near as possible";
        if (code == StatusCode::unsupported) message += ": the index lacks what --engine asks for";
        return fail(code, std::move(message));
    }
    report.seconds = timed(opened, start, goal);
    report.reply = opened.reply();
    if (compare && report.reply.cost != kInfinity)
        report.astar = compare_with_astar(opened.map(), start, report.reply.goal);

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

Outcome PathCommand::cost_table(Context& context, AnyPlanner& opened, grid::Point start,
                                const std::vector<grid::Point>& goals) const {
    std::vector<Cost> costs(goals.size());
    const StatusCode code = opened.costs(start, goals, costs);
    if (code != StatusCode::ok)
        return fail(code, fmt::format("{},{}: {}", start.x, start.y, why(opened, code)));
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
        say("from {},{}{}:\n\n{}\n--nearest-goal goes to the nearest\n", start.x, start.y,
            std::string_view(opened.name()) == "hpa" ? ", before smoothing" : "", table.text());
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
    const auto opened = open_planner(context);
    if (!opened) return tl::unexpected(opened.error());
    if (goals.size() > 1 && !nearest_goal) return cost_table(context, **opened, *start, goals);
    return answer(context, **opened, *start, goals);
}

}  // namespace

void add_path(CLI::App& app, Context& context) {
    auto options = std::make_shared<PathCommand>();
    CLI::App* command = add_command(
        app, context, "path",
        "Find a path between two cells, given as column,row. Without --index the planner's index "
        "is built in memory first. Several goals give a table of costs, or with --nearest-goal the "
        "path to the nearest.",
        "  cairn path arena.map 1,3 42,17\n"
        "  cairn path arena.map 1,3 42,17 --index arena.cairn --compare\n"
        "  cairn path arena.map 1,3 42,17 --smoothing corridor --ring 2\n"
        "  cairn path arena.map 1,3 42,17 --planner subgoal --detail subgoals\n"
        "  cairn path arena.map 1,3 42,17 --planner haa --agent 2:ground+trees --draw\n"
        "  cairn path arena.map 1,3 42,17 --edit 20,0,1,30,@ --draw\n"
        "  cairn path arena.map 1,3 --goal 42,17 --goal 5,60 --nearest-goal --json");
    command->add_option("map", options->map_file, "Map: .map, .png, .pgm or Nav2 .yaml")
        ->required();
    command->add_option("start", options->start_text, "Start")->required()->type_name("X,Y");
    command->add_option("goal", options->goal_texts, "Goal")->type_name("X,Y")->expected(0, 1);
    options->map.add_to(*command);
    command
        ->add_option("--edit", options->edit_texts,
                     "Change a rectangle of the map first; may be repeated. T is a letter of .map "
                     "files, with --palette a terrain's number, 0 to f")
        ->type_name("X,Y,W,H,T")
        ->allow_extra_args(false)
        ->group("Map");
    options->planner.add_to(*command, /*bare=*/true);
    options->planner.add_file_to(*command);
    options->planner.haa.add_agent_to(*command);
    options->planner.haa.add_prepare_to(*command);
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
