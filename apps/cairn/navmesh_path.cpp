// cairn navmesh path: answers one query on a mesh.

#include <algorithm>
#include <CLI/CLI.hpp>

#include "cairn/hna/hna.hpp"
#include "cairn/mesh/astar.hpp"
#include "command.hpp"
#include "navmesh.hpp"
#include "navmesh_options.hpp"
#include "navmesh_report.hpp"
#include "text.hpp"

namespace cairn::app {
namespace {

struct NavmeshPath {
    std::string file;
    std::string start_text;
    std::vector<std::string> goal_texts;
    bool nearest_goal = false;
    bool compare = false;
    bool polygons = false;
    int repeat = 5;
    HnaFlags index;
    HnaQueryFlags query;

    Outcome run(Context& context) const;

private:
    Outcome answer(Context& context, const hna::Index& opened, const mesh::Place& start,
                   const std::vector<mesh::Place>& goals) const;
    Outcome cost_table(Context& context, const hna::Index& opened, const mesh::Place& start,
                       const std::vector<mesh::Place>& goals) const;
    [[nodiscard]] std::string why(StatusCode code) const;
};

/// What A* over the mesh made of the same query.
struct Comparison {
    double seconds = 0;
    Cost cost = kInfinity;
    std::uint64_t expanded = 0;
};

struct Report {
    const hna::Index* index = nullptr;
    hna::Answer answer;
    hna::Detail detail = hna::Detail::path;
    double seconds = 0;
    bool polygons = false;
    std::optional<std::size_t> nearest;  ///< of several goals
    std::optional<Comparison> astar;

    [[nodiscard]] std::string text() const;
    [[nodiscard]] Json json() const;

private:
    [[nodiscard]] double units() const { return index->mesh().units_per_length(); }
    [[nodiscard]] std::uint64_t expanded() const {
        const hna::QueryStatistics& s = answer.statistics;
        return s.connect.expanded + s.search.expanded + s.refine.expanded;
    }
};

const char* engine_name(hna::Engine engine) {
    switch (engine) {
        case hna::Engine::astar:
            return "astar";
        case hna::Engine::levels:
            return "levels";
        case hna::Engine::cut_labels:
            return "labels";
        case hna::Engine::automatic:
            break;
    }
    return "none needed";
}

std::string place_text(const mesh::Place& place) {
    return fmt::format("{}   polygon {}", point_text(place.point), place.polygon);
}

Json place_json(const mesh::Place& place) {
    return {{"point", point_json(place.point)}, {"polygon", place.polygon}};
}

/// Numbers as "#17".
template <class Numbers>
std::vector<std::string> numbered(const Numbers& numbers) {
    std::vector<std::string> out;
    out.reserve(numbers.size());
    for (const std::uint32_t number : numbers) out.push_back(fmt::format("#{}", number));
    return out;
}

/// The portals of inter-edges, whose two links stand one behind the other.
std::vector<mesh::Portal> portals_of(const std::vector<mesh::Link>& links) {
    std::vector<mesh::Portal> out;
    out.reserve(links.size() / 2);
    for (std::size_t i = 0; i < links.size(); i += 2) out.push_back(mesh::portal_of(links[i]));
    return out;
}

std::string Report::text() const {
    Facts facts;
    facts.add("from", place_text(answer.start));
    facts.add("to", place_text(answer.goal) + (answer.goal_moved ? ", the nearest place" : "") +
                        (nearest ? ", the nearest goal" : ""));
    if (detail == hna::Detail::reachable) {
        facts.add("reachable", "yes");
    } else {
        const double cost = answer.cost / units();
        facts.add("cost", fmt::format("{:.2f}   {} units", cost, answer.cost));
    }
    if (detail == hna::Detail::path) facts.add("length", fmt::format("{:.2f}", answer.length));
    facts.add("time", fmt::format("{}   {} nodes expanded, engine: {}", duration(seconds),
                                  grouped(expanded()), engine_name(answer.engine)));
    if (astar) {
        facts.add("A*", fmt::format("{}   {} nodes expanded, cost {:.2f}", duration(astar->seconds),
                                    grouped(astar->expanded), astar->cost / units()));
        facts.add("compared",
                  fmt::format("{} times faster", significant(astar->seconds / seconds)));
    }
    const std::size_t indent = detail == hna::Detail::abstract_path ? 13 : 11;
    if (detail == hna::Detail::abstract_path)
        facts.add("inter-edges", wrapped(numbered(portals_of(answer.abstract_nodes)), indent));
    if (detail >= hna::Detail::corridor) {
        std::string corridor = fmt::format("{} polygons", grouped(answer.polygons.size()));
        if (polygons || detail == hna::Detail::corridor)
            corridor = wrapped(numbered(answer.polygons), indent);
        facts.add("corridor", corridor);
    }
    if (detail == hna::Detail::path) {
        std::vector<std::string> points;
        points.reserve(answer.waypoints.size());
        for (const auto& waypoint : answer.waypoints) points.push_back(point_text(waypoint.point));
        facts.add("waypoints", wrapped(points, indent));
    }
    return facts.text();
}

Json Report::json() const {
    const auto effort = [](const SearchStatistics& s) {
        return Json{{"expanded", s.expanded}, {"generated", s.generated}};
    };
    Json out{{"start", place_json(answer.start)},
             {"goal", place_json(answer.goal)},
             {"status", name(answer.status)},
             {"goal_moved", answer.goal_moved}};
    if (nearest) out["nearest_goal"] = *nearest;
    if (detail != hna::Detail::reachable) {
        out["cost"] = answer.cost;
        out["units_per_length"] = units();
    }
    if (detail == hna::Detail::path) out["length"] = answer.length;
    out["engine"] = engine_name(answer.engine);
    out["seconds"] = seconds;
    out["statistics"] = {{"connect", effort(answer.statistics.connect)},
                         {"search", effort(answer.statistics.search)},
                         {"refine", effort(answer.statistics.refine)}};
    if (detail >= hna::Detail::abstract_path) {
        out["abstract_level"] = answer.abstract_level;
        out["inter_edges"] = portals_of(answer.abstract_nodes);
    }
    if (detail >= hna::Detail::corridor) {
        out["polygons"] = answer.polygons;
        std::vector<mesh::Portal> crossed;
        crossed.reserve(answer.links.size());
        for (const mesh::Link link : answer.links) crossed.push_back(mesh::portal_of(link));
        out["portals"] = std::move(crossed);
    }
    if (detail == hna::Detail::path) {
        Json points = Json::array();
        for (const auto& waypoint : answer.waypoints) points.push_back(point_json(waypoint.point));
        out["waypoints"] = std::move(points);
    }
    if (astar) {
        out["astar"] = {
            {"seconds", astar->seconds}, {"cost", astar->cost}, {"expanded", astar->expanded}};
    }
    return out;
}

Comparison compare_with_astar(const mesh::Mesh& mesh, const hna::Answer& answer, int rounds) {
    Comparison out;
    mesh::Astar astar;
    mesh::Path path;
    for (int round = 0; round < rounds; ++round) {
        const double begin = now();
        astar.find_path(mesh, answer.start, answer.goal, path);
        const double seconds = now() - begin;
        out.seconds = round == 0 ? seconds : std::min(out.seconds, seconds);
    }
    out.cost = path.cost;
    out.expanded = path.statistics.expanded;
    return out;
}

std::string NavmeshPath::why(StatusCode code) const {
    const std::string goal =
        goal_texts.size() > 1 ? fmt::format("{} goals", goal_texts.size()) : goal_texts.front();
    std::string out = fmt::format("{} to {}: {}", start_text, goal, describe(code));
    if (code == StatusCode::goal_blocked || code == StatusCode::no_path ||
        code == StatusCode::goal_outside)
        out += "; --nearest goes as near as possible";
    if (code == StatusCode::start_outside) out += "; --reach looks further";
    if (code == StatusCode::unsupported) out += ": the index lacks what --engine or --connect asks";
    return out;
}

Outcome NavmeshPath::run(Context& context) const {
    const auto opened = index.load_or_build(context, file);
    if (!opened) return tl::unexpected(opened.error());
    const auto start = parse_place(start_text, "--from", opened->mesh());
    if (!start) return tl::unexpected(start.error());
    std::vector<mesh::Place> goals;
    goals.reserve(goal_texts.size());
    for (const std::string& text : goal_texts) {
        const auto goal = parse_place(text, "--to", opened->mesh());
        if (!goal) return tl::unexpected(goal.error());
        goals.push_back(*goal);
    }
    if (goals.size() > 1 && !nearest_goal) return cost_table(context, *opened, *start, goals);
    return answer(context, *opened, *start, goals);
}

Outcome NavmeshPath::cost_table(Context& context, const hna::Index& opened,
                                const mesh::Place& start,
                                const std::vector<mesh::Place>& goals) const {
    std::vector<Cost> costs(goals.size());
    const StatusCode code = hna::Searcher().costs(opened, {.start = start}, goals, costs);
    if (code != StatusCode::ok) return fail(code, why(code));
    const double units = opened.mesh().units_per_length();
    Json list = Json::array();
    Table table({"goal", "cost", "units"});
    for (std::size_t i = 0; i < goals.size(); ++i) {
        const bool found = costs[i] != kInfinity;
        list.push_back({{"goal", goal_texts[i]}, {"cost", found ? Json(costs[i]) : Json()}});
        table.add({goal_texts[i], found ? fmt::format("{:.2f}", costs[i] / units) : "-",
                   found ? fmt::format("{}", costs[i]) : "no path"});
    }
    if (context.json) {
        say(Json{
            {"start", place_json(start)}, {"units_per_length", units}, {"goals", std::move(list)}});
    } else {
        say("from {}:\n\n{}\n--nearest-goal goes to the nearest\n", start_text, table.text());
    }
    return std::all_of(costs.begin(), costs.end(), [](Cost c) { return c == kInfinity; }) ? kNoPath
                                                                                          : kDone;
}

Outcome NavmeshPath::answer(Context& context, const hna::Index& opened, const mesh::Place& start,
                            const std::vector<mesh::Place>& goals) const {
    hna::Query asked = query.between(opened.mesh(), start, goals.front());
    hna::Searcher searcher;
    Report report;
    report.index = &opened;
    report.detail = asked.detail;
    report.polygons = polygons;
    StatusCode code = StatusCode::ok;
    if (goals.size() > 1) {
        std::size_t nearest = 0;
        code = searcher.find_nearest(opened, asked, goals, report.answer, nearest);
        if (code == StatusCode::ok) {
            report.nearest = nearest;
            asked.goal = goals[nearest];
        }
    } else {
        code = searcher.find(opened, asked, report.answer);
    }
    if (code != StatusCode::ok) return fail(code, why(code));
    for (int round = 0; round < repeat; ++round) {
        const double begin = now();
        searcher.find(opened, asked, report.answer);
        const double seconds = now() - begin;
        report.seconds = round == 0 ? seconds : std::min(report.seconds, seconds);
    }
    if (compare) report.astar = compare_with_astar(opened.mesh(), report.answer, repeat);
    if (context.json) {
        say(report.json());
    } else {
        say("{}", report.text());
    }
    return kDone;
}

}  // namespace

void add_navmesh_path(CLI::App& group, Context& context) {
    auto options = std::make_shared<NavmeshPath>();
    CLI::App* command = add_command(
        group, context, "path",
        "Find a path over a mesh. Ends are points x,y,z (y is up), points x,z of the surface that "
        "is nearest to height 0, or polygons such as '#17', which stand for their centres. Takes "
        "an index file, or a mesh, whose index is then built in memory. Several goals give a table "
        "of costs, or with --nearest-goal the path to the nearest.",
        "  cairn navmesh path arena.mesh --from 5,0,5 --to 40,0,42\n"
        "  cairn navmesh path dungeon.crhn --from 12,10,3 --to '#17' --compare\n"
        "  cairn navmesh path dungeon.crhn --from 12,10,3 --to '#17' --to '#40' --nearest-goal\n"
        "  cairn navmesh path dungeon.obj --from 12,3 --to 60,-8 --detail corridor --json");
    command->add_option("file", options->file, "Mesh or index file")->required();
    options->index.add_to(*command);
    command->add_option("--from,--start", options->start_text, "Start")
        ->required()
        ->type_name("PLACE")
        ->group("Query");
    command->add_option("--to,--goal", options->goal_texts, "Goal; may be repeated")
        ->required()
        ->type_name("PLACE")
        ->allow_extra_args(false)
        ->group("Query");
    command->add_flag("--nearest-goal", options->nearest_goal, "Go to the nearest of several goals")
        ->group("Query");
    options->query.add_to(*command, context);
    command->add_option("--repeat", options->repeat, "Times to ask: the shortest is shown")
        ->check(CLI::Range(1, 1'000'000).description(""))
        ->type_name("N")
        ->capture_default_str()
        ->group("Output");
    command->add_flag("--compare", options->compare, "Solve it with A* over the mesh too")
        ->group("Output");
    command->add_flag("--polygons", options->polygons, "List the polygons of the corridor")
        ->group("Output");
    on_run(command, context, options);
}

}  // namespace cairn::app
