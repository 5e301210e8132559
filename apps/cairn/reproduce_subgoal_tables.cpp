#include "reproduce_subgoal_tables.hpp"

#include <algorithm>

namespace cairn::app {
namespace {

constexpr double kMega = 1e6;
constexpr std::size_t kLevelsShown = 8;

double over(double a, double b) { return b > 0 ? a / b : 0; }

/// Sums of one variant over the maps of one set, or of all.
struct Sum {
    double maps = 0, queries = 0;
    double astar_seconds = 0, astar_expanded = 0;
    double build = 0, seconds = 0, expanded = 0;
    double bits = 0, graph = 0, level_bytes = 0, labels = 0;
    double subgoals = 0, edges = 0, taut_edges = 0;
    double levels = 0, core = 0, core_edges = 0, level_edges = 0, extra_edges = 0;
    std::uint64_t wrong = 0;

    void add(const SubgoalMap& m, double astar, const SubgoalRun& run) {
        const auto number = [](auto n) { return static_cast<double>(n); };
        const subgoal::IndexStatistics& s = run.size;
        maps += 1;
        queries += number(m.problems.size());
        astar_seconds += astar;
        astar_expanded += number(m.astar_expanded);
        build += run.build_seconds;
        seconds += run.seconds;
        expanded += number(run.expanded);
        bits += number(s.bit_bytes);
        graph += number(s.graph_bytes);
        level_bytes += number(s.level_bytes);
        labels += number(s.label_bytes);
        subgoals += number(s.subgoals);
        edges += number(s.edges);
        taut_edges += number(s.taut_edges);
        levels += number(s.levels.levels.size());
        level_edges += number(s.levels.edges);
        extra_edges += number(s.levels.extra_edges);
        wrong += run.wrong;
        if (s.levels.levels.empty()) return;
        core += s.levels.levels.back().vertices;
        core_edges += number(s.levels.levels.back().edges);
    }
};

Sum sum(const SubgoalExperiment& measured, std::size_t variant, const std::string& set) {
    Sum out;
    for (std::size_t i = 0; i < measured.maps.size(); ++i) {
        if (set == "all" || measured.maps[i]->set == set)
            out.add(*measured.maps[i], measured.astar_seconds[i], measured.runs[variant][i]);
    }
    return out;
}

/// The sets in their order, and "all" where there are several.
std::vector<std::string> sets(const SubgoalExperiment& measured) {
    std::vector<std::string> out;
    for (const SubgoalMap* m : measured.maps) {
        if (std::find(out.begin(), out.end(), m->set) == out.end()) out.push_back(m->set);
    }
    if (out.size() > 1) out.emplace_back("all");
    return out;
}

/// Queries on one map until what they save has made up for a dearer build; null if never, or if
/// there is nothing to make up for.
Json pays_after(const Sum& s, const Sum& plain) {
    const double saved = over(plain.seconds - s.seconds, s.queries);
    const double dearer = over(s.build - plain.build, s.maps);
    if (saved <= 0 || dearer <= 0) return nullptr;
    return dearer / saved;
}

/// What a query by this variant reads: the map's bits, and what its engine searches.
double state_bytes(const SubgoalVariant& variant, const Sum& s) {
    switch (variant.engine) {
        case subgoal::Engine::astar:
            return s.bits + s.graph;
        case subgoal::Engine::levels:
            return s.bits + s.level_bytes;
        default:
            return s.bits + s.labels;
    }
}

}  // namespace

std::uint64_t wrong_answers(const SubgoalExperiment& measured) {
    std::uint64_t wrong = 0;
    for (const auto& runs : measured.runs) {
        for (const SubgoalRun& run : runs) wrong += run.wrong;
    }
    return wrong;
}

Exhibit subgoal_table_1(const SubgoalExperiment& measured) {
    Exhibit out{
        "table-15-1",
        "Table 15.1: preprocessing, memory and speed, mean of maps and of queries",
        {"maps", "graph", "build ms", "paper ms", "map MB", "graph MB", "levels MB", "labels MB",
         "in all MB", "paper MB", "A*/graph", "paper A*/graph", "us", "expanded", "wrong"},
        {},
        {}};
    const std::vector<std::string> names = sets(measured);
    for (const std::string& set : names) {
        const Sum all = sum(measured, 0, set);
        const bool last = set == names.back();
        out.rows.push_back({set, "A* on the grid", nullptr, nullptr, nullptr, nullptr, nullptr,
                            nullptr, nullptr, nullptr, 1.0, nullptr,
                            over(all.astar_seconds, all.queries) * 1e6,
                            over(all.astar_expanded, all.queries), nullptr});
        for (std::size_t v = 0; v < measured.variants.size(); ++v) {
            const SubgoalVariant& variant = measured.variants[v];
            const Sum s = sum(measured, v, set);
            const auto paper = [&](double SubgoalPaperRow::*what, double unit) -> Json {
                if (!variant.paper || !last) return nullptr;
                return (*variant.paper).*what * unit;
            };
            out.rows.push_back(
                {set, variant.name, over(s.build, s.maps) * 1e3,
                 paper(&SubgoalPaperRow::build_seconds, 1e3), over(s.bits, s.maps) / kMega,
                 over(s.graph, s.maps) / kMega, over(s.level_bytes, s.maps) / kMega,
                 over(s.labels, s.maps) / kMega, over(state_bytes(variant, s), s.maps) / kMega,
                 paper(&SubgoalPaperRow::megabytes, 1), over(s.astar_seconds, s.seconds),
                 paper(&SubgoalPaperRow::times_faster, 1), over(s.seconds, s.queries) * 1e6,
                 over(s.expanded, s.queries), s.wrong});
        }
    }
    out.notes = {
        fmt::format("paper: its figures over all maps of its four sets; its A* takes {} ms",
                    kPaperAstarMilliseconds),
        "SSG, TSG, N-level: the paper's, all direct edges, subgoals in the order of their cells",
        "in tiles: the SSG as edits keep it current; the others are flat arrays",
        "taut: only edges that a taut path needs; no clearances are stored",
        "in all: what a query reads - the map's bits and the graph, its levels or its labels"};
    return out;
}

Exhibit subgoal_figure_12(const SubgoalExperiment& measured) {
    Exhibit out{"figure-15-12",
                "Figure 15.12: subgoals left on the highest level, mean of maps",
                {"maps", "graph", "subgoals", "levels", "core", "core %", "edges", "core edges",
                 "extra edges"},
                {},
                {}};
    for (const std::string& set : sets(measured)) {
        for (std::size_t v = 0; v < measured.variants.size(); ++v) {
            const SubgoalVariant& variant = measured.variants[v];
            if (variant.engine != subgoal::Engine::levels) continue;
            const Sum s = sum(measured, v, set);
            out.rows.push_back({set, variant.name, over(s.subgoals, s.maps), over(s.levels, s.maps),
                                over(s.core, s.maps), 100 * over(s.core, s.subgoals),
                                over(s.level_edges, s.maps), over(s.core_edges, s.maps),
                                over(s.extra_edges, s.maps)});
        }
    }
    out.notes = {"core: the subgoals of the highest level, and the edges between them",
                 "a graph of n levels of subgoals is one of n + 1 levels of cells"};
    return out;
}

Exhibit subgoal_levels(const SubgoalExperiment& measured) {
    Exhibit out{"levels",
                "Subgoals and edges by level, all maps together",
                {"graph", "level", "maps", "subgoals", "% of all", "edges", "edges a subgoal"},
                {},
                {"edges: between two subgoals of the level, and to higher levels",
                 "core: the highest level, whichever it is"}};
    for (std::size_t v = 0; v < measured.variants.size(); ++v) {
        const SubgoalVariant& variant = measured.variants[v];
        if (variant.options.levels == 1) continue;
        struct Level {
            std::uint64_t maps = 0, subgoals = 0, edges = 0;
        };
        std::vector<Level> below(kLevelsShown + 1);
        Level core;
        double all = 0;
        for (const SubgoalRun& run : measured.runs[v]) {
            const auto& levels = run.size.levels.levels;
            for (std::size_t l = 0; l < levels.size(); ++l) {
                Level& level = l + 1 == levels.size() ? core : below[std::min(l, kLevelsShown)];
                if (l <= kLevelsShown || l + 1 == levels.size()) ++level.maps;
                level.subgoals += levels[l].vertices;
                level.edges += levels[l].edges;
                all += levels[l].vertices;
            }
        }
        const auto add = [&](const Level& level, const std::string& name) {
            if (level.maps == 0) return;
            const auto subgoals = static_cast<double>(level.subgoals);
            out.rows.push_back({variant.name, name, level.maps, level.subgoals,
                                100 * over(subgoals, all), level.edges,
                                over(static_cast<double>(level.edges), subgoals)});
        };
        for (std::size_t l = 0; l < kLevelsShown; ++l) add(below[l], fmt::format("{}", l + 1));
        add(below[kLevelsShown], "higher");
        add(core, "core");
    }
    return out;
}

Exhibit subgoal_figure_3(const SubgoalExperiment& measured) {
    Exhibit out{"figure-15-3",
                "Figures 15.3 and 15.4: h-reachable and direct-h-reachable edges, mean of maps",
                {"maps", "edges between", "subgoals", "edges", "a subgoal", "graph MB", "build ms",
                 "expanded", "us", "A*/graph", "wrong"},
                {},
                {"searched by A*, ends connected to direct-h-reachable subgoals alike"}};
    for (const std::string& set : sets(measured)) {
        for (std::size_t v = 0; v < measured.variants.size(); ++v) {
            const Sum s = sum(measured, v, set);
            out.rows.push_back({set, measured.variants[v].name, over(s.subgoals, s.maps),
                                over(s.edges, s.maps), over(2 * s.edges, s.subgoals),
                                over(s.graph, s.maps) / kMega, over(s.build, s.maps) * 1e3,
                                over(s.expanded, s.queries), over(s.seconds, s.queries) * 1e6,
                                over(s.astar_seconds, s.seconds), s.wrong});
        }
    }
    return out;
}

Exhibit subgoal_orders(const SubgoalExperiment& measured) {
    Exhibit out{
        "orders",
        "Section 15.4.1: the order in which subgoals are asked whether they can stay behind",
        {"maps", "edges", "order", "levels", "core %", "core degree", "extra %", "build ms",
         "expanded", "us", "time/no levels", "pays after", "wrong"},
        {},
        {"extra %: extra edges, as a share of the graph's",
         "time/no levels: of queries, against A* on the same graph without levels",
         "pays after: queries on one map until they have saved the time of building levels"}};
    for (const std::string& set : sets(measured)) {
        Sum plain;
        for (std::size_t v = 0; v < measured.variants.size(); ++v) {
            const SubgoalVariant& variant = measured.variants[v];
            const Sum s = sum(measured, v, set);
            if (variant.options.levels == 1) plain = s;
            out.rows.push_back(
                {set, variant.options.prune ? "taut" : "all", variant.name, over(s.levels, s.maps),
                 100 * over(s.core, s.subgoals), over(2 * s.core_edges, s.core),
                 100 * over(s.extra_edges, s.taut_edges), over(s.build, s.maps) * 1e3,
                 over(s.expanded, s.queries), over(s.seconds, s.queries) * 1e6,
                 over(s.seconds, plain.seconds), pays_after(s, plain), s.wrong});
        }
    }
    return out;
}

}  // namespace cairn::app
