#include "path_report.hpp"

#include <algorithm>
#include <array>

#include "cairn/grid/smooth.hpp"
#include "text.hpp"

namespace cairn::app {
namespace {

const char* engine_name(const hpa::Answer& answer) {
    constexpr std::array<const char*, 4> names{"none needed", "A* on level 1", "levels",
                                               "cut labels"};
    if (answer.direct_line) return "straight line";
    return names[static_cast<std::size_t>(answer.engine)];
}

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

std::uint64_t PathReport::expanded() const {
    const hpa::QueryStatistics& s = answer.statistics;
    return s.connect.expanded + s.search.expanded + s.refine.expanded;
}

std::vector<grid::Cell> PathReport::points(bool every_cell) const {
    if (answer.cells.empty()) return answer.abstract_nodes;
    if (every_cell) return answer.cells;
    std::vector<grid::Cell> out;
    waypoints(index.map(), answer.cells, out);
    return out;
}

double PathReport::length() const {
    if (!answer.cells.empty()) return path_length(index.map(), answer.cells);
    return static_cast<double>(answer.cost) / index.map().options().costs.straight;
}

std::string PathReport::text(bool every_cell) const {
    Facts facts;
    facts.add("from", fmt::format("{},{}", start.x, start.y));
    facts.add("to", fmt::format("{},{}{}", answer.goal.x, answer.goal.y,
                                nearest ? " (the nearest goal)" : ""));
    if (answer.cost != kInfinity) {
        facts.add("length", fmt::format("{:.2f}   cost {}", length(), answer.cost));
        if (answer.lower_bound == answer.cost) {
            facts.add("", "known to be optimal");
        } else if (answer.lower_bound > answer.cost / 5 * 4) {  // else it says little
            facts.add("", fmt::format("at most {:.2f} % above the optimum",
                                      100.0 * (static_cast<double>(answer.cost) /
                                                   static_cast<double>(answer.lower_bound) -
                                               1)));
        }
    } else {
        facts.add("reachable", "yes");
    }
    facts.add("time", fmt::format("{}   {} nodes expanded, engine: {}", duration(seconds),
                                  grouped(expanded()), engine_name(answer)));
    if (astar) {
        facts.add("A*",
                  fmt::format("{}   {} nodes expanded, length {:.2f}", duration(astar->seconds),
                              grouped(astar->expanded), astar->length));
        facts.add(
            "compared",
            fmt::format("{} times faster, {:.2f} % longer", significant(astar->seconds / seconds),
                        astar->cost == 0 ? 0.0 : 100.0 * (answer.cost / double(astar->cost) - 1)));
    }
    const auto list = points(every_cell);
    if (!list.empty()) {
        const std::string label = answer.cells.empty() ? "nodes" : every_cell ? "cells" : "turns";
        facts.add(label, wrapped(index.map(), list, std::string(astar ? 10 : 8, ' ')));
    }
    return facts.text();
}

Json PathReport::json(bool every_cell) const {
    const auto effort = [](const grid::SearchStatistics& s) {
        return Json{{"expanded", s.expanded}, {"generated", s.generated}};
    };
    Json out{{"start", {start.x, start.y}},
             {"goal", {answer.goal.x, answer.goal.y}},
             {"status", name(answer.status)}};
    if (nearest) out["nearest_goal"] = *nearest;
    if (answer.cost != kInfinity) {
        out["length"] = length();
        out["cost"] = answer.cost;
        out["abstract_cost"] =
            answer.abstract_cost == kInfinity ? Json{} : Json(answer.abstract_cost);
        out["lower_bound"] = answer.lower_bound;
    }
    out["engine"] = engine_name(answer);
    out["seconds"] = seconds;
    out["statistics"] = {{"connect", effort(answer.statistics.connect)},
                         {"search", effort(answer.statistics.search)},
                         {"refine", effort(answer.statistics.refine)}};
    Json list = Json::array();
    for (const grid::Cell cell : points(every_cell)) {
        const grid::Point p = index.map().point(cell);
        list.push_back({p.x, p.y});
    }
    out[answer.cells.empty() ? "abstract_nodes" : every_cell ? "cells" : "turns"] = std::move(list);
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
    const grid::Map& map = index.map();
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
    letters[map.cell(answer.goal)] = 'G';
    std::string out;
    const auto width = static_cast<std::size_t>(map.width());
    for (std::size_t at = 0; at < letters.size(); at += width)
        out += letters.substr(at, width) + '\n';
    return out;
}

}  // namespace cairn::app
