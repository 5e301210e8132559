#include "path_report.hpp"

#include <algorithm>

#include "cairn/grid/smooth.hpp"
#include "text.hpp"

namespace cairn::app {
namespace {

/// Points separated by blanks, wrapped at 100 columns.
std::string wrapped(const grid::Map& map, const std::vector<grid::Cell>& cells,
                    const std::string& indent) {
    std::string out;
    std::size_t column = indent.size();
    for (const grid::Cell cell : cells) {
        const grid::Point p = map.point(cell);
        const std::string text = fmt::format("{},{}", p.x, p.y);
        if (column + text.size() + 1 > 100) {
            out += '\n' + indent;
            column = indent.size();
        } else if (!out.empty()) {
            out += ' ';
            ++column;
        }
        out += text;
        column += text.size();
    }
    return out;
}

}  // namespace

std::vector<grid::Cell> PathReport::points(bool every_cell) const {
    const auto all = [](std::span<const grid::Cell> list) {
        return std::vector<grid::Cell>(list.begin(), list.end());
    };
    if (reply.cells.empty()) return all(reply.nodes);
    if (every_cell) return all(reply.cells);
    std::vector<grid::Cell> out;
    waypoints(planner->map(), reply.cells, out);
    return out;
}

double PathReport::length() const {
    if (!reply.cells.empty()) return path_length(planner->map(), reply.cells);
    return static_cast<double>(reply.cost) / planner->map().options().costs.straight;
}

std::string PathReport::text(bool every_cell) const {
    Facts facts;
    facts.add("from", fmt::format("{},{}", start.x, start.y));
    facts.add("to", fmt::format("{},{}{}", reply.goal.x, reply.goal.y,
                                nearest ? " (the nearest goal)" : ""));
    if (reply.cost != kInfinity) {
        facts.add("length", fmt::format("{:.2f}   cost {}", length(), reply.cost));
        if (reply.lower_bound == reply.cost) {
            facts.add("", "known to be optimal");
        } else if (reply.lower_bound > reply.cost / 5 * 4) {  // else it says little
            facts.add("", fmt::format("at most {:.2f} % above the optimum",
                                      100.0 * (static_cast<double>(reply.cost) /
                                                   static_cast<double>(reply.lower_bound) -
                                               1)));
        }
    } else {
        facts.add("reachable", "yes");
    }
    facts.add("time", fmt::format("{}   {} nodes expanded, engine: {}", duration(seconds),
                                  grouped(reply.expanded()), reply.engine));
    if (astar) {
        facts.add("A*",
                  fmt::format("{}   {} nodes expanded, length {:.2f}", duration(astar->seconds),
                              grouped(astar->expanded), astar->length));
        facts.add(
            "compared",
            fmt::format("{} times faster, {:.2f} % longer", significant(astar->seconds / seconds),
                        astar->cost == 0 ? 0.0 : 100.0 * (reply.cost / double(astar->cost) - 1)));
    }
    const auto list = points(every_cell);
    if (!list.empty()) {
        const std::string label = reply.cells.empty() ? "nodes" : every_cell ? "cells" : "turns";
        facts.add(label, wrapped(planner->map(), list, std::string(astar ? 10 : 8, ' ')));
    }
    return facts.text();
}

Json PathReport::json(bool every_cell) const {
    const auto effort = [](const grid::SearchStatistics& s) {
        return Json{{"expanded", s.expanded}, {"generated", s.generated}};
    };
    Json out{{"start", {start.x, start.y}},
             {"goal", {reply.goal.x, reply.goal.y}},
             {"status", name(reply.status)},
             {"planner", planner->name()}};
    if (nearest) out["nearest_goal"] = *nearest;
    if (reply.cost != kInfinity) {
        out["length"] = length();
        out["cost"] = reply.cost;
        if (reply.abstract_cost)
            out["abstract_cost"] =
                *reply.abstract_cost == kInfinity ? Json{} : Json(*reply.abstract_cost);
        out["lower_bound"] = reply.lower_bound;
    }
    out["engine"] = reply.engine;
    out["seconds"] = seconds;
    for (const Phase& phase : reply.phases) out["statistics"][phase.name] = effort(phase.effort);
    Json list = Json::array();
    for (const grid::Cell cell : points(every_cell)) {
        const grid::Point p = planner->map().point(cell);
        list.push_back({p.x, p.y});
    }
    out[reply.cells.empty() ? planner->node_word()
        : every_cell        ? "cells"
                            : "turns"] = std::move(list);
    if (astar) {
        out["astar"] = {{"seconds", astar->seconds},
                        {"cost", astar->cost},
                        {"length", astar->length},
                        {"expanded", astar->expanded}};
    }
    return out;
}

Result<std::string> PathReport::drawing() const {
    constexpr int kMaxWidth = 200;
    constexpr int kMaxHeight = 200;
    const grid::Map& map = planner->map();
    if (map.width() > kMaxWidth || map.height() > kMaxHeight) {
        return fail(StatusCode::bad_option,
                    fmt::format("--draw: a map of {} x {} cells does not fit a terminal; cairn "
                                "render makes pictures of any size",
                                map.width(), map.height()));
    }
    std::string letters(map.size(), '#');
    for (grid::Cell c = 0; c < map.size(); ++c) {
        if (!map.passable(c)) continue;
        letters[c] = map.uniform() ? '.' : static_cast<char>('0' + std::min(map.weight(c), 9U));
    }
    for (const grid::Cell c : points(true)) letters[c] = 'o';
    letters[map.cell(start)] = 'S';
    letters[map.cell(reply.goal)] = 'G';
    std::string out;
    const auto width = static_cast<std::size_t>(map.width());
    for (std::size_t at = 0; at < letters.size(); at += width)
        out += letters.substr(at, width) + '\n';
    return out;
}

}  // namespace cairn::app
