// cairn path: answers one query on a map or a mesh.

#include <CLI/CLI.hpp>

#include "cairn/grid/astar.hpp"
#include "cairn/hna/hna.hpp"
#include "cairn/mesh/astar.hpp"
#include "command.hpp"
#include "files.hpp"
#include "options/common.hpp"
#include "options/grid.hpp"
#include "options/mesh.hpp"
#include "options/planner.hpp"
#include "report/path.hpp"
#include "requests.hpp"
#include "text.hpp"
#include "trace.hpp"

namespace cairn::app {
namespace {

/// Start and goals as written on the command line, and the options of both kinds of input.
struct EndFlags {
    std::string start;
    std::vector<std::string> goals;       ///< the argument after the start: none or one
    std::vector<std::string> goal_flags;  ///< by --goal
    bool nearest = false;                 ///< go to the nearest of several goals
    bool compare = false;                 ///< with A*

    void add_to(CLI::App& command, const char* type) {
        command.add_option("start", start, "Start")->type_name(type);
        command.add_option("goal", goals, "Goal")->type_name(type)->expected(0, 1);
        command.add_option("--goal", goal_flags, "Another goal; may be repeated")
            ->type_name(type)
            ->allow_extra_args(false)
            ->group("Query");
        command.add_flag("--nearest-goal", nearest, "Go to the nearest of several goals")
            ->group("Query");
        command.add_flag("--compare", compare, "Solve it with A* too")->group("Output");
    }
    [[nodiscard]] bool given() const {
        return !start.empty() || !goals.empty() || !goal_flags.empty();
    }
    [[nodiscard]] bool several() const { return goals.size() + goal_flags.size() > 1; }
    /// All goals, at least one. Errors: bad_option (no goal).
    [[nodiscard]] Result<std::vector<std::string>> all_goals() const {
        std::vector<std::string> all = goals;
        all.insert(all.end(), goal_flags.begin(), goal_flags.end());
        if (all.empty()) {
            return fail(StatusCode::bad_option,
                        fmt::format("no goal: write one after the start '{}', or --goal", start));
        }
        return all;
    }
};

/// The refusal of --trace and --paths where there are several goals.
Outcome one_goal() {
    return fail(StatusCode::bad_option, "--trace and --paths take one goal, or --nearest-goal");
}

/// Prints the costs to several goals. `from` and `report` name the start, in the text and in JSON;
/// `goals` each goal in both; `heading`: of the lengths; `unit`: the cost of length 1.
Outcome show_costs(const Context& context, const std::string& from, const char* heading,
                   Json report, const std::vector<std::pair<std::string, Json>>& goals,
                   const std::vector<Cost>& costs, double unit) {
    Json list = Json::array();
    Table table({"goal", heading, "cost"});
    bool any_found = false;
    for (std::size_t i = 0; i < goals.size(); ++i) {
        const bool found = costs[i] != kInfinity;
        any_found = any_found || found;
        list.push_back({{"goal", goals[i].second}, {"cost", found ? Json(costs[i]) : Json()}});
        table.add({goals[i].first, found ? fmt::format("{:.2f}", costs[i] / unit) : "-",
                   found ? fmt::format("{}", costs[i]) : "no path"});
    }
    report["goals"] = std::move(list);
    say(context, report,
        fmt::format("from {}:\n\n{}\n--nearest-goal goes to the nearest\n", from, table.text()));
    return any_found ? kDone : kNoPath;
}

struct PathCommand {
    std::string map_file;
    EndFlags ends;
    EditFlags edit;
    bool cells = false;
    bool draw = false;
    MapFlags map;
    PlannerFlags planner;
    QueryFlags query;
    TraceFlags trace;
    std::string requests;
    PathsFlag paths;
    StatusesFlag statuses;

    Outcome run(Context& context);
    [[nodiscard]] Result<GridPlanner> open_planner(Context& context) {
        if (Status status = planner.take(map_file); !status.ok())
            return tl::unexpected(std::move(status));
        const auto loaded = planner.load(map_file, map);
        if (!loaded) return tl::unexpected(loaded.error());
        const auto parsed = edit.edits();
        if (!parsed) return tl::unexpected(parsed.error());
        return planner.open(context, *loaded, *parsed, query);
    }
    Outcome cost_table(Context& context, GridPlanner& opened, grid::Point start,
                       const std::vector<grid::Point>& goals) const;
    Outcome answer(Context& context, GridPlanner& opened, grid::Point start,
                   const std::vector<grid::Point>& goals) const;
    Outcome answer_requests(Context& context);
};

/// A status in words; if an agent does not fit, the words name the agent.
std::string why(const GridPlanner& planner, StatusCode code) {
    const bool start = code == StatusCode::start_blocked;
    if (!planner.mover || (!start && code != StatusCode::goal_blocked))
        return std::string(describe(code));
    return fmt::format("agent {} does not fit at the {}",
                       agent_text(planner.mover->index.map(), planner.mover->agent),
                       start ? "start" : "goal");
}

Comparison compare_with_astar(const grid::Map& map, grid::Point start, grid::Point goal) {
    constexpr int kRounds = 3;
    Comparison out;
    grid::Astar astar;
    grid::Path path;
    out.seconds = least_time(kRounds, [&] { astar.find_path(map, start, goal, path); });
    out.cost = path.cost;
    out.length = path_length(map, path.cells);
    out.expanded = path.statistics.expanded;
    return out;
}

Outcome PathCommand::answer(Context& context, GridPlanner& opened, grid::Point start,
                            const std::vector<grid::Point>& goals) const {
    PathReport report;
    report.planner = &opened;
    report.start = start;
    std::size_t nearest = 0;
    const StatusCode code =
        goals.size() == 1
            ? opened.find(start, goals.front())
            : opened.searcher.find_nearest(opened.index, opened.query, start,
                                           std::vector<AnyPlace>(goals.begin(), goals.end()),
                                           opened.answer, nearest);
    const grid::Point goal = goals[code == StatusCode::ok ? nearest : 0];
    if (goals.size() > 1) report.nearest = nearest;
    auto traced = trace.write([&](SearchTrace& events) {
        AnyAnswer answer;
        opened.searcher.trace(opened.index, opened.query, start, goal, answer, events);
        return answer.details().engine;
    });
    if (!traced) return tl::unexpected(std::move(traced.error()));
    report.trace = std::move(*traced);
    if (code != StatusCode::ok) {
        std::string message =
            fmt::format("{},{} to {},{}: {}", start.x, start.y, goal.x, goal.y, why(opened, code));
        const bool unreachable = code == StatusCode::goal_blocked || code == StatusCode::no_path;
        if (unreachable && opened.index.planner().has_index)
            message += "; --nearest goes as near as possible";
        if (code == StatusCode::unsupported)
            message += ": the index does not support this --engine";
        return fail(code, std::move(message));
    }
    constexpr int kRounds = 5;  // the shortest time is shown
    report.seconds = least_time(
        kRounds, [&] { opened.forget_endpoints(); }, [&] { opened.find(start, goal); });
    report.answer = opened.answer.details();
    if (ends.compare && opened.answer.cost() != kInfinity)
        report.astar = compare_with_astar(opened.map, start, report.goal());
    std::vector<std::int32_t> rows;
    append_rows(0, report.answer.cells, opened.map.width(), rows);
    auto written = paths.write(rows);
    if (!written) return tl::unexpected(std::move(written.error()));
    report.paths = std::move(*written);

    if (draw && !context.json) {
        const auto drawing = report.drawing();
        if (!drawing) return tl::unexpected(drawing.error());
        say("{}\n", *drawing);
    }
    say(context, report.json(cells), report.text(cells));
    return kDone;
}

Outcome PathCommand::cost_table(Context& context, GridPlanner& opened, grid::Point start,
                                const std::vector<grid::Point>& goals) const {
    std::vector<Cost> costs(goals.size());
    const std::vector<AnyPlace> places(goals.begin(), goals.end());
    const StatusCode code = opened.searcher.costs(opened.index, opened.query, start, places, costs);
    if (code != StatusCode::ok)
        return fail(code, fmt::format("{},{}: {}", start.x, start.y, why(opened, code)));
    const auto names = mapped(goals, [](const grid::Point& goal) {
        return std::pair(fmt::format("{},{}", goal.x, goal.y), Json::array({goal.x, goal.y}));
    });
    const bool smooths = opened.index.planner().name == hpa::Planner::kName;
    return show_costs(context,
                      fmt::format("{},{}{}", start.x, start.y, smooths ? ", before smoothing" : ""),
                      "length", {{"start", {start.x, start.y}}}, names, costs,
                      opened.map.options().costs.straight);
}

Outcome PathCommand::answer_requests(Context& context) {
    if (ends.given() || ends.nearest || ends.compare || draw || cells || trace.given()) {
        return fail(StatusCode::bad_option,
                    "--requests takes neither start nor goal, and no --nearest-goal, --compare, "
                    "--draw, --cells and --trace");
    }
    const auto loaded = load_requests(requests);
    if (!loaded) return tl::unexpected(loaded.error());
    auto opened = open_planner(context);
    if (!opened) return tl::unexpected(std::move(opened.error()));
    return answer_batch(context, opened->searcher,
                        {.index = opened->index,
                         .query = opened->query,
                         .requests = std::span(*loaded),
                         .unit = double(opened->map.options().costs.straight),
                         .threads = planner.index.threads},
                        paths, statuses);
}

Outcome PathCommand::run(Context& context) {
    if (!requests.empty()) return answer_requests(context);
    if (statuses.given()) return fail(StatusCode::bad_option, "--statuses is for --requests");
    if (ends.start.empty()) return fail(StatusCode::bad_option, "start is required, or --requests");
    if ((trace.given() || paths.given()) && ends.several() && !ends.nearest) return one_goal();
    const auto start = parse_point(ends.start, "start");
    if (!start) return tl::unexpected(start.error());
    const auto texts = ends.all_goals();
    if (!texts) return tl::unexpected(texts.error());
    std::vector<grid::Point> goals;
    for (const std::string& text : *texts) {
        const auto goal = parse_point(text, "goal");
        if (!goal) return tl::unexpected(goal.error());
        goals.push_back(*goal);
    }
    auto opened = open_planner(context);
    if (!opened) return tl::unexpected(std::move(opened.error()));
    if (goals.size() > 1 && !ends.nearest) return cost_table(context, *opened, *start, goals);
    return answer(context, *opened, *start, goals);
}

struct MeshPath {
    std::string file;
    EndFlags ends;
    std::vector<std::string> goal_texts;  ///< all goals, set by `run`
    bool polygons = false;
    int repeat = 5;  ///< rounds to time; the shortest is shown
    HnaFlags index;
    QueryFlags flags;
    DiscFlags disc;
    TraceFlags trace;
    bool trace_astar = false;  ///< trace A*
    std::string requests;
    PathsFlag paths;
    StatusesFlag statuses;

    Outcome run(Context& context);

private:
    [[nodiscard]] Outcome answer_requests(Context& context) const;
    Outcome disc_path(Context& context) const;
    [[nodiscard]] Result<std::optional<TraceReport>> write_trace(const hna::Index& opened,
                                                                 const hna::Query& query) const;
    Outcome answer(Context& context, const hna::Index& opened, hna::Query query,
                   const std::vector<mesh::Place>& goals) const;
    Outcome cost_table(Context& context, const hna::Index& opened, const hna::Query& query,
                       const std::vector<mesh::Place>& goals) const;
    [[nodiscard]] std::string why(StatusCode code) const {
        const std::string goal =
            goal_texts.size() > 1 ? fmt::format("{} goals", goal_texts.size()) : goal_texts.front();
        std::string out = fmt::format("{} to {}: {}", ends.start, goal, describe(code));
        if (code == StatusCode::goal_blocked || code == StatusCode::no_path ||
            code == StatusCode::goal_outside)
            out += "; --nearest goes as near as possible";
        if (code == StatusCode::start_outside) out += "; --reach looks further";
        if (code == StatusCode::unsupported)
            out += ": the index does not support this --engine or --connect";
        return out;
    }
};

Comparison compare_with_astar(const mesh::Mesh& mesh, const hna::Answer& answer, int rounds) {
    Comparison out;
    mesh::Astar astar;
    mesh::Path path;
    out.seconds =
        least_time(rounds, [&] { astar.find_path(mesh, answer.start, answer.goal, path); });
    out.cost = path.cost;
    out.expanded = path.statistics.expanded;
    return out;
}

Outcome MeshPath::disc_path(Context& context) const {
    if (goal_texts.size() > 1 || ends.compare || trace.given() || paths.given()) {
        return fail(StatusCode::bad_option,
                    "--radius takes one goal, and is not for --compare (A* knows no radius), "
                    "--trace and --paths");
    }
    const auto path =
        disc.find(context, index, file, ends.start, goal_texts.front(), flags, repeat);
    if (!path) return tl::unexpected(path.error());
    const DiscPathReport report{*path, polygons};
    say(context, report.json(), report.text());
    return kDone;
}

// Traces HNA*, or A* between the places that HNA* has located.
Result<std::optional<TraceReport>> MeshPath::write_trace(const hna::Index& opened,
                                                         const hna::Query& query) const {
    return trace.write([&](SearchTrace& events) {
        hna::Answer answer;
        hna::Searcher::trace(opened, query, answer, events);
        if (!trace_astar) return engine_name(answer.engine);
        mesh::AstarAnswer path;
        mesh::AstarSearcher::trace(opened.mesh(), {answer.start, answer.goal}, path, events);
        return std::string("plain A*");
    });
}

Outcome MeshPath::answer_requests(Context& context) const {
    if (ends.given() || ends.nearest || ends.compare || polygons || trace.given() || disc.given()) {
        return fail(StatusCode::bad_option,
                    "--requests takes neither start nor goal, and no --nearest-goal, --compare, "
                    "--polygons, --trace and --radius");
    }
    const auto loaded = load_mesh_requests(requests);
    if (!loaded) return tl::unexpected(loaded.error());
    const auto opened = index.load_or_build(context, file);
    if (!opened) return tl::unexpected(opened.error());
    const double unit = opened->mesh().units_per_length();
    const auto query = flags.query<hna::Planner>(unit);
    if (!query) return tl::unexpected(query.error());
    const auto any_index = AnyIndex::of<hna::Planner>(*opened);
    if (!any_index) return tl::unexpected(any_index.error());
    const auto any_query = AnyQuery::of<hna::Planner>(*query);
    if (!any_query) return tl::unexpected(any_query.error());
    AnySearcher searcher;
    return answer_batch(context, searcher,
                        {.index = *any_index,
                         .query = *any_query,
                         .requests = std::span(*loaded),
                         .unit = unit,
                         .threads = index.index.threads},
                        paths, statuses);
}

Outcome MeshPath::run(Context& context) {
    if (!requests.empty()) return answer_requests(context);
    if (statuses.given()) return fail(StatusCode::bad_option, "--statuses is for --requests");
    if (ends.start.empty()) return fail(StatusCode::bad_option, "start is required, or --requests");
    if ((trace.given() || paths.given()) && ends.several() && !ends.nearest) return one_goal();
    if (disc.given()) {
        auto all = ends.all_goals();
        if (!all) return tl::unexpected(all.error());
        goal_texts = std::move(*all);
        return disc_path(context);
    }
    const auto opened = index.load_or_build(context, file);
    if (!opened) return tl::unexpected(opened.error());
    const auto start = parse_place(ends.start, "start", opened->mesh());
    if (!start) return tl::unexpected(start.error());
    auto texts = ends.all_goals();
    if (!texts) return tl::unexpected(texts.error());
    goal_texts = std::move(*texts);
    std::vector<mesh::Place> goals;
    goals.reserve(goal_texts.size());
    for (const std::string& text : goal_texts) {
        const auto goal = parse_place(text, "goal", opened->mesh());
        if (!goal) return tl::unexpected(goal.error());
        goals.push_back(*goal);
    }
    auto query = flags.query<hna::Planner>(opened->mesh().units_per_length());
    if (!query) return tl::unexpected(std::move(query.error()));
    query->start = *start;
    query->goal = goals.front();
    if (goals.size() > 1 && !ends.nearest) return cost_table(context, *opened, *query, goals);
    return answer(context, *opened, *query, goals);
}

Outcome MeshPath::cost_table(Context& context, const hna::Index& opened, const hna::Query& query,
                             const std::vector<mesh::Place>& goals) const {
    std::vector<Cost> costs(goals.size());
    const StatusCode code = hna::Searcher().costs(opened, query, goals, costs);
    if (code != StatusCode::ok) return fail(code, why(code));
    const auto names =
        mapped(goal_texts, [](const std::string& text) { return std::pair(text, Json(text)); });
    const double units = opened.mesh().units_per_length();
    return show_costs(context, ends.start, "in lengths",
                      {{"start", place_json(query.start)}, {"units_per_length", units}}, names,
                      costs, units);
}

Outcome MeshPath::answer(Context& context, const hna::Index& opened, hna::Query query,
                         const std::vector<mesh::Place>& goals) const {
    hna::Searcher searcher;
    MeshPathReport report;
    report.index = &opened;
    report.detail = query.detail;
    report.polygons = polygons;
    std::size_t nearest = 0;
    const StatusCode code =
        goals.size() == 1 ? searcher.find(opened, query, report.answer)
                          : searcher.find_nearest(opened, query, goals, report.answer, nearest);
    if (goals.size() > 1) report.nearest = nearest;
    query.goal = goals[code == StatusCode::ok ? nearest : 0];
    auto traced = write_trace(opened, query);
    if (!traced) return tl::unexpected(std::move(traced.error()));
    report.trace = std::move(*traced);
    if (code != StatusCode::ok) return fail(code, why(code));
    report.seconds = least_time(repeat, [&] { searcher.find(opened, query, report.answer); });
    if (ends.compare) report.astar = compare_with_astar(opened.mesh(), report.answer, repeat);
    std::vector<double> rows;
    append_rows(0, report.answer.waypoints, rows);
    auto written = paths.write(rows);
    if (!written) return tl::unexpected(std::move(written.error()));
    report.paths = std::move(*written);
    say(context, report.json(), report.text());
    return kDone;
}

void add_grid_path(CLI::App& app, Context& context) {
    auto options = std::make_shared<PathCommand>();
    CLI::App* command = add_command(
        app, context, "path",
        "Find a path on a map or a mesh. On maps start and goal are cells, column,row. Without "
        "--index the planner's index is first built in memory. Several goals give a table of "
        "costs, or with --nearest-goal the path to the nearest.",
        "  cairn path arena.map 1,3 42,17\n"
        "  cairn path arena.map 1,3 42,17 --index arena.cairn --compare\n"
        "  cairn path arena.map 1,3 42,17 --smoothing corridor --ring 2\n"
        "  cairn path arena.map 1,3 42,17 --planner subgoal --detail subgoals\n"
        "  cairn path arena.map 1,3 42,17 --planner haa --agent 2:ground+trees --draw\n"
        "  cairn path arena.map 1,3 42,17 --edit 20,0,1,30,@ --draw\n"
        "  cairn path arena.map 1,3 42,17 --planner jps --trace jps.trace.json\n"
        "  cairn path arena.map --requests r.npy --paths paths.npy --statuses s.csv\n"
        "  cairn path arena.map 1,3 --goal 42,17 --goal 5,60 --nearest-goal --json");
    reads_file(command->add_option("map", options->map_file, kMapHelp)->required(), context);
    options->ends.add_to(*command, "X,Y");
    options->map.add_to(*command);
    options->edit.add_to(*command, "Map", "Change a rectangle of the map first");
    options->planner.add_to(*command, /*bare=*/true);
    options->planner.index.add_file_to(*command, context);
    options->planner.haa.add_agent_to(*command);
    options->planner.haa.add_prepare_to(*command);
    options->query.add_to(*command, context, Space::grid, "Longest path wanted, in straight steps");
    const std::string group = "Output";
    command->add_flag("--cells", options->cells, "List every cell instead of the turning points")
        ->group(group);
    command->add_flag("--draw", options->draw, "Draw the path over the map in letters")
        ->group(group);
    options->trace.add_to(*command, context);
    options->paths.add_to(*command, context);
    options->statuses.add_to(*command, context);
    reads_file(command->add_option("--requests", options->requests,
                                   "Answer many requests instead: a .npy of integers, n x 4 (start "
                                   "x, y, goal x, y), or a .scen"),
               context)
        ->type_name("FILE")
        ->group("Query");
    on_run(command, context, options);
}

void add_mesh_path(CLI::App& app, Context& context) {
    auto options = std::make_shared<MeshPath>();
    CLI::App* command = add_command(
        app, context, "path",
        "Find a path over a mesh. Start and goal are points x,y,z (y is up), points x,z on the "
        "surface nearest to height 0, or polygons such as '#17', which stand for their centres. "
        "Takes an index file, or a mesh, whose index is then built in memory. Several goals give a "
        "table of costs, or with --nearest-goal the path to the nearest.",
        "  cairn path arena.mesh 5,0,5 40,0,42\n"
        "  cairn path dungeon.crhn 12,10,3 '#17' --compare\n"
        "  cairn path dungeon.crhn 12,10,3 --goal '#17' --goal '#40' --nearest-goal\n"
        "  cairn path dungeon.crhn --requests r.npy --paths paths.npy --statuses s.csv\n"
        "  cairn path dungeon.obj 12,3 60,-8 --radius 0.5\n"
        "  cairn path dungeon.obj 12,3 60,-8 --detail corridor --json");
    reads_file(command->add_option("file", options->file, kMeshHelp)->required(), context);
    options->ends.add_to(*command, "PLACE");
    add_mesh_planner(*command);
    options->index.add_to(*command);
    options->flags.add_to(*command, context, Space::mesh,
                          "Costliest path wanted, in units of length");
    options->disc.add_to(*command);
    add_number(*command, "--repeat", options->repeat, 1, 1'000'000, "N", "Output",
               "Repetitions: the shortest time is shown");
    command->add_flag("--polygons", options->polygons, "List the polygons of the corridor")
        ->group("Output");
    options->paths.add_to(*command, context);
    options->statuses.add_to(*command, context);
    reads_file(command->add_option("--requests", options->requests,
                                   "Answer many requests instead: a .npy of numbers, n x 6 (start "
                                   "x, y, z, goal x, y, z)"),
               context)
        ->type_name("FILE")
        ->group("Query");
    options->trace.add_to(*command, context);
    command->add_flag("--trace-astar", options->trace_astar, "With --trace: trace A* over the mesh")
        ->group("Output");
    on_run(command, context, options);
}

}  // namespace

void add_path(CLI::App& app, Context& context) {
    context.mesh ? add_mesh_path(app, context) : add_grid_path(app, context);
}

}  // namespace cairn::app
