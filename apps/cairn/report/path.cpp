#include "report/path.hpp"

#include <algorithm>
#include <array>

#include "cairn/grid/smooth.hpp"
#include "options/haa.hpp"
#include "report/index.hpp"
#include "text.hpp"

namespace cairn::app {
namespace {

/// The letter of a cell in a drawing. `uniform`: all free cells have one weight.
char letter(std::uint32_t weight, bool uniform) {
    if (weight == 0) return '#';
    return uniform ? '.' : static_cast<char>('0' + std::min(weight, 9U));
}

/// The answer of HPA* or HAA*; null for other planners.
const hpa::Answer* hpa_answer(const AnyAnswer& answer) {
    const auto* const own = answer.as<hpa::Planner>();
    return own != nullptr ? own : answer.as<haa::Planner>();
}

/// The member of the JSON that lists the nodes of an answer.
const char* node_word(const AnyIndex& index) {
    return index.as<subgoal::Planner>() != nullptr ? "subgoals" : "abstract_nodes";
}

Json effort_json(const SearchStatistics& s) {
    return {{"expanded", s.expanded}, {"generated", s.generated}};
}

std::string place_text(const mesh::Place& place) {
    return fmt::format("{}   polygon {}", point_text(place.point), place.polygon);
}

/// Polygons or portals as "#17".
std::vector<std::string> numbered(const std::vector<std::uint32_t>& numbers) {
    return mapped(numbers, [](std::uint32_t number) { return fmt::format("#{}", number); });
}

/// The portals of inter-edges. `links`: the two links of each, one after the other.
std::vector<mesh::Portal> portals_of(const std::vector<mesh::Link>& links) {
    std::vector<mesh::Portal> out;
    out.reserve(links.size() / 2);
    for (std::size_t i = 0; i < links.size(); i += 2) out.push_back(mesh::portal_of(links[i]));
    return out;
}

}  // namespace

std::string engine_name(hna::Engine engine) {
    if (engine == hna::Engine::automatic) return "none";
    return text(*find_field(hna::Query::fields(), "engine"), static_cast<double>(engine));
}

Json place_json(const mesh::Place& place) {
    return {{"point", point_json(place.point)}, {"polygon", place.polygon}};
}

std::vector<grid::Cell> PathReport::points(bool every_cell) const {
    const auto copied = [](std::span<const grid::Cell> list) {
        return std::vector<grid::Cell>(list.begin(), list.end());
    };
    if (answer.cells.empty()) return copied(answer.nodes);
    if (every_cell) return copied(answer.cells);
    std::vector<grid::Cell> out;
    waypoints(planner->map, answer.cells, out);
    return out;
}

double PathReport::length() const {
    if (!answer.cells.empty()) return path_length(planner->map, answer.cells);
    return static_cast<double>(cost()) / planner->map.options().costs.straight;
}

std::string PathReport::text(bool every_cell) const {
    Facts facts;
    const auto& mover = planner->mover;
    if (mover) facts.add("agent", agent_text(mover->index.map(), mover->agent));
    facts.add("from", fmt::format("{},{}", start.x, start.y));
    facts.add("to",
              fmt::format("{},{}{}", goal().x, goal().y, nearest ? " (the nearest goal)" : ""));
    if (cost() != kInfinity) {
        facts.add("length", fmt::format("{:.2f}   cost {}", length(), cost()));
        if (answer.lower_bound == cost()) {
            facts.add("", "known to be optimal");
        } else if (answer.lower_bound > cost() / 5 * 4) {  // bounds above 25 % say little
            facts.add("", fmt::format("at most {:.2f} % above the optimum",
                                      100.0 * (static_cast<double>(cost()) /
                                                   static_cast<double>(answer.lower_bound) -
                                               1)));
        }
    } else {
        facts.add("reachable", "yes");
    }
    facts.add("time", fmt::format("{}   {} nodes expanded, engine: {}", duration(seconds),
                                  grouped(answer.expanded()), answer.engine));
    if (astar) {
        facts.add("A*",
                  fmt::format("{}   {} nodes expanded, length {:.2f}", duration(astar->seconds),
                              grouped(astar->expanded), astar->length));
        facts.add(
            "compared",
            fmt::format("{} times faster, {:.2f} % longer", significant(astar->seconds / seconds),
                        astar->cost == 0 ? 0.0 : 100.0 * (cost() / double(astar->cost) - 1)));
    }
    if (trace) trace->add_to(facts);
    if (paths) paths->add_to(facts);
    if (mover) {
        const haa::IndexStatistics statistics = mover->index.statistics().value();
        const auto size = [](std::size_t bytes) { return byte_size(static_cast<double>(bytes)); };
        facts.add("index", fmt::format("{} for all agents, {} of terrain and clearances, {} ready "
                                       "for this agent",
                                       size(statistics.graph_bytes), size(statistics.map_bytes),
                                       size(statistics.view_bytes)));
    }
    const auto list = mapped(points(every_cell), [&](grid::Cell cell) {
        const grid::Point p = planner->map.point(cell);
        return fmt::format("{},{}", p.x, p.y);
    });
    if (!list.empty()) {
        const std::string label = answer.cells.empty() ? "nodes" : every_cell ? "cells" : "turns";
        const std::size_t indent = astar ? 10 : 8;  // where the values of the facts begin
        facts.add(label, wrapped(list, indent));
    }
    return facts.text();
}

Json PathReport::json(bool every_cell) const {
    Json out{{"start", {start.x, start.y}},
             {"goal", {goal().x, goal().y}},
             {"status", name(planner->answer.status())},
             {"planner", planner->index.planner().name}};
    const auto& mover = planner->mover;
    if (mover) out["agent"] = agent_text(mover->index.map(), mover->agent);
    if (nearest) out["nearest_goal"] = *nearest;
    if (cost() != kInfinity) {
        out["length"] = length();
        out["cost"] = cost();
        if (const auto* own = hpa_answer(planner->answer))
            out["abstract_cost"] =
                own->abstract_cost == kInfinity ? Json{} : Json(own->abstract_cost);
        out["lower_bound"] = answer.lower_bound;
    }
    out["engine"] = answer.engine;
    out["seconds"] = seconds;
    for (const auto& [step, effort] : answer.effort) {
        if (!step.empty()) out["statistics"][std::string(step)] = effort_json(effort);
    }
    if (mover) {
        const haa::IndexStatistics statistics = mover->index.statistics().value();
        out["bytes"] = {{"graph", statistics.graph_bytes},
                        {"map", statistics.map_bytes},
                        {"view", statistics.view_bytes}};
    }
    out[answer.cells.empty() ? node_word(planner->index)
        : every_cell         ? "cells"
                             : "turns"] = mapped(points(every_cell), [&](grid::Cell cell) {
        const grid::Point p = planner->map.point(cell);
        return Json::array({p.x, p.y});
    });
    if (astar) {
        out["astar"] = {{"seconds", astar->seconds},
                        {"cost", astar->cost},
                        {"length", astar->length},
                        {"expanded", astar->expanded}};
    }
    if (trace) out["trace"] = trace->json();
    if (paths) out["paths"] = paths->json();
    return out;
}

std::string PathReport::ground() const {
    const grid::Map& map = planner->map;
    std::string letters(map.size(), '#');
    if (const auto& mover = planner->mover) {
        const haa::AnnotatedMap& terrain = mover->index.map();
        const haa::Capability& capability = terrain.options().capabilities[mover->agent.capability];
        bool uniform = true;
        for (haa::Terrain t = 0; t < haa::kMaxTerrains; ++t)
            uniform = uniform && (!capability.includes(t) || capability.weight[t] == 1);
        for (grid::Cell c = 0; c < map.size(); ++c)
            letters[c] = letter(terrain.weight({mover->agent.capability, 1}, c), uniform);
        return letters;
    }
    for (grid::Cell c = 0; c < map.size(); ++c) letters[c] = letter(map.weight(c), map.uniform());
    return letters;
}

void PathReport::draw_point(std::string& letters, grid::Cell point) const {
    const grid::Map& map = planner->map;
    const auto& mover = planner->mover;
    const grid::Point p = map.point(point);
    const grid::Rect covered =
        !mover ? grid::Rect{p.x, p.y, 1, 1} : mover->index.map().footprint(mover->agent.size, p);
    for (std::int32_t y = covered.y; y < covered.y + covered.height; ++y) {
        for (std::int32_t x = covered.x; x < covered.x + covered.width; ++x)
            letters[map.cell({x, y})] = 'o';
    }
}

Result<std::string> PathReport::drawing() const {
    constexpr int kMaxWidth = 200;
    constexpr int kMaxHeight = 200;
    const grid::Map& map = planner->map;
    if (map.width() > kMaxWidth || map.height() > kMaxHeight) {
        return fail(StatusCode::bad_option,
                    fmt::format("--draw: a map of {} x {} cells does not fit a terminal; cairn "
                                "render makes pictures of any size",
                                map.width(), map.height()));
    }
    std::string letters = ground();
    for (const grid::Cell c : points(true)) draw_point(letters, c);
    letters[map.cell(start)] = 'S';
    letters[map.cell(goal())] = 'G';
    std::string out;
    const auto width = static_cast<std::size_t>(map.width());
    for (std::size_t at = 0; at < letters.size(); at += width)
        out += letters.substr(at, width) + '\n';
    return out;
}

std::string MeshPathReport::text() const {
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
    if (trace) trace->add_to(facts);
    if (paths) paths->add_to(facts);
    // Where the values of the facts begin.
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
        const auto points = mapped(answer.waypoints,
                                   [](const auto& waypoint) { return point_text(waypoint.point); });
        facts.add("waypoints", wrapped(points, indent));
    }
    return facts.text();
}

Json MeshPathReport::json() const {
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
    out["searched_level"] = answer.searched_level;
    out["seconds"] = seconds;
    out["statistics"] = {{"connect", effort_json(answer.statistics.connect)},
                         {"search", effort_json(answer.statistics.search)},
                         {"refine", effort_json(answer.statistics.refine)}};
    if (detail >= hna::Detail::abstract_path) {
        out["abstract_level"] = answer.abstract_level;
        out["inter_edges"] = portals_of(answer.abstract_nodes);
    }
    if (detail >= hna::Detail::corridor) {
        out["polygons"] = answer.polygons;
        out["portals"] = mapped(answer.links, mesh::portal_of);
    }
    if (detail == hna::Detail::path) {
        out["waypoints"] = mapped(answer.waypoints,
                                  [](const auto& waypoint) { return point_json(waypoint.point); });
    }
    if (astar) {
        out["astar"] = {
            {"seconds", astar->seconds}, {"cost", astar->cost}, {"expanded", astar->expanded}};
    }
    if (trace) out["trace"] = trace->json();
    if (paths) out["paths"] = paths->json();
    return out;
}

std::string DiscPathReport::text() const {
    const hna::DiscAnswer& answer = path.answer;
    const double units = path.index.clearance().mesh().units_per_length();
    Facts facts;
    facts.add("from", place_text(answer.start));
    facts.add("to", place_text(answer.goal));
    facts.add("radius", fmt::format("{:g}", path.query.radius));
    facts.add("cost", fmt::format("{:.2f}   {} units", answer.cost / units, answer.cost));
    facts.add("length", fmt::format("{:.2f}", answer.length));
    facts.add("time",
              fmt::format("{}   engine: {}", duration(path.seconds), engine_name(answer.engine)));
    constexpr std::size_t kIndent = 11;
    facts.add("corridor", polygons ? wrapped(numbered(answer.polygons), kIndent)
                                   : fmt::format("{} polygons", grouped(answer.polygons.size())));
    const auto points = mapped(answer.waypoints, [](const mesh::DiscWaypoint& waypoint) {
        const std::string at = point_text(waypoint.point);
        return waypoint.onwards == mesh::Onwards::straight ? at : at + " arc";
    });
    facts.add("waypoints", wrapped(points, kIndent));
    return facts.text();
}

Json DiscPathReport::json() const {
    const hna::DiscAnswer& answer = path.answer;
    constexpr std::array kOnwards{"straight", "arc_left", "arc_right"};
    return {{"start", place_json(answer.start)},
            {"goal", place_json(answer.goal)},
            {"status", name(answer.status)},
            {"radius", path.query.radius},
            {"cost", answer.cost},
            {"units_per_length", path.index.clearance().mesh().units_per_length()},
            {"length", answer.length},
            {"engine", engine_name(answer.engine)},
            {"seconds", path.seconds},
            {"polygons", answer.polygons},
            {"waypoints", mapped(answer.waypoints, [&](const mesh::DiscWaypoint& waypoint) {
                 Json out{{"point", point_json(waypoint.point)},
                          {"onwards", kOnwards[static_cast<std::size_t>(waypoint.onwards)]}};
                 if (waypoint.onwards != mesh::Onwards::straight)
                     out["corner"] = point_json(waypoint.corner);
                 return out;
             })}};
}

}  // namespace cairn::app
