#include "reproduce_haa_tables.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <tuple>

namespace cairn::app {
namespace {

double over(double a, double b) { return b > 0 ? a / b : 0; }
double number(std::size_t n) { return static_cast<double>(n); }

/// Of a node in a record of the abstraction, its crossings included.
constexpr double kNodeBytes = 4;

using Runs = std::vector<const HaaRun*>;

/// The runs of one set, share and largest size.
struct Group {
    std::string set;
    int share = 0;
    int max_size = 0;
    Runs runs;

    [[nodiscard]] std::vector<Json> key() const {
        return {set, share, max_size == 1 ? "1" : fmt::format("1-{}", max_size)};
    }
};

/// In the order in which they were measured.
std::vector<Group> groups(const std::vector<HaaRun>& runs) {
    std::vector<Group> out;
    for (const HaaRun& run : runs) {
        auto at = std::find_if(out.begin(), out.end(), [&](const Group& g) {
            return g.set == run.set && g.share == run.share && g.max_size == run.max_size;
        });
        if (at == out.end()) {
            out.push_back({run.set, run.share, run.max_size, {}});
            at = out.end() - 1;
        }
        at->runs.push_back(&run);
    }
    return out;
}

std::vector<Json> row(std::vector<Json> key, std::vector<Json> figures) {
    key.insert(key.end(), figures.begin(), figures.end());
    return key;
}

struct Size {
    double maps = 0, cells = 0, low = 0;
    double nodes = 0, inter = 0, intra = 0, bytes = 0, build = 0;

    [[nodiscard]] double elements() const { return nodes + inter + intra; }
};

Size size_of(const Runs& runs, std::size_t abstraction) {
    Size out;
    for (const HaaRun* run : runs) {
        const HaaGraphRun& a = run->graphs[abstraction];
        out.maps += 1;
        out.cells += number(run->cells);
        out.low += number(run->low_nodes + run->low_edges);
        out.nodes += number(a.size.nodes);
        out.inter += number(a.size.inter_edges);
        out.intra += number(a.size.intra_edges);
        out.bytes += number(a.size.graph_bytes);
        out.build += a.build_seconds;
    }
    return out;
}

/// Length errors over some problems.
struct Errors {
    std::size_t asked = 0;
    std::size_t paths = 0;
    double plain = 0, smoothed = 0, corridor = 0, worst = 0;

    void add(const HaaRun& run, const HaaGraphRun& a, std::size_t i) {
        ++asked;
        const Cost optimum = run.problems[i].optimum;
        if (optimum >= kInfinity || optimum == 0 || a.plain[i] >= kInfinity) return;
        const auto error = [&](Cost cost) {
            return 100 * (static_cast<double>(cost) / static_cast<double>(optimum) - 1);
        };
        ++paths;
        plain += error(a.plain[i]);
        smoothed += error(a.smoothed[i]);
        corridor += error(a.corridor[i]);
        worst = std::max(worst, error(a.smoothed[i]));
    }
    [[nodiscard]] std::vector<Json> figures() const {
        const double n = number(paths);
        return {paths, asked - paths, over(plain, n), over(smoothed, n), over(corridor, n), worst};
    }
};

const char* paper_error(std::size_t abstraction) {
    return abstraction >= kLowQuality ? "6-10" : "3-5";
}

}  // namespace

std::uint64_t wrong_answers(const std::vector<HaaRun>& runs) {
    std::uint64_t wrong = 0;
    for (const HaaRun& run : runs) {
        for (const HaaGraphRun& a : run.graphs) wrong += a.wrong;
    }
    return wrong;
}

Exhibit haa_sizes(const std::vector<HaaRun>& runs) {
    Exhibit out{
        "sizes",
        "Table 1: sizes of the abstractions, mean of maps",
        {"maps", "soft %", "sizes", "graph", "nodes", "inter-edges", "intra-edges",
         "% of low level", "% of HQ", "paper %", "bytes a cell", "bytes, % of HQ", "collapse %",
         "build ms"},
        {},
        {"soft %: free tiles turned to soft obstacles",
         "sizes: of agents, with three capabilities each: ground, soft obstacles, both",
         "% of low level: against cells and moves of agents of size 1 that can stand on both",
         "edges and moves count once for both directions",
         "paper %: LQ is said to be more than 50 % smaller than HQ",
         "bytes a cell: of the abstraction, obstacles counted as cells; without views",
         "collapse %: of the bytes, the most that one node for both ends of an inter-edge saves",
         "build ms: of processor time, on one thread"}};
    for (const Group& group : groups(runs)) {
        const Size high = size_of(group.runs, kHighQuality);
        for (std::size_t a = 0; a < kHaaGraphs.size(); ++a) {
            const Size s = size_of(group.runs, a);
            out.rows.push_back(
                row(group.key(),
                    {kHaaGraphs[a], s.nodes / s.maps, s.inter / s.maps, s.intra / s.maps,
                     100 * over(s.elements(), s.low), 100 * over(s.elements(), high.elements()),
                     a >= kLowQuality ? Json("< 50") : Json(), over(s.bytes, s.cells),
                     100 * over(s.bytes, high.bytes), 100 * over(kNodeBytes * s.inter, s.bytes),
                     1e3 * s.build / s.maps}));
        }
    }
    return out;
}

Exhibit haa_lengths(const std::vector<HaaRun>& runs) {
    Exhibit out{"lengths",
                "Figure 5: how much longer than AA*'s paths are, mean of problems, %",
                {"maps", "soft %", "sizes", "graph", "paths", "without", "paper", "not smoothed",
                 "smoothed", "corridor", "worst smoothed", "wrong"},
                {},
                {"without: problems that neither AA* nor HAA* finds a path for, or that start at "
                 "their goal",
                 "initial and HQ give the same costs, which is checked",
                 "LQ, any reach: weak dominance by the paper's rule; LQ: by the library's default, "
                 "where what replaces a transition is near it",
                 "wrong: a path where AA* finds none or none where it does, a step that the agent "
                 "cannot make, a cost below AA*'s, costs that differ between engines"}};
    for (const Group& group : groups(runs)) {
        for (const std::size_t a : {kHighQuality, kLowQuality, kLowQuality + 1}) {
            Errors errors;
            std::uint64_t wrong = 0;
            for (const HaaRun* run : group.runs) {
                const HaaGraphRun& measured = run->graphs[a];
                wrong += measured.wrong + (a == kHighQuality ? run->graphs[kInitial].wrong : 0);
                for (std::size_t i = 0; i < run->problems.size(); ++i)
                    errors.add(*run, measured, i);
            }
            std::vector<Json> figures = errors.figures();
            figures.insert(figures.begin() + 2, paper_error(a));
            figures.insert(figures.begin(), kHaaGraphs[a]);
            figures.push_back(wrong);
            out.rows.push_back(row(group.key(), std::move(figures)));
        }
    }
    return out;
}

Exhibit haa_agents(const std::vector<HaaRun>& runs) {
    Exhibit out{"agents",
                "Figure 5 by agent: how much longer than AA*'s paths are, all maps together, %",
                {"soft %", "graph", "capability", "size", "paths", "without", "not smoothed",
                 "smoothed", "corridor", "worst smoothed"},
                {},
                {}};
    int largest = 0;
    for (const HaaRun& run : runs) largest = std::max(largest, run.max_size);
    std::map<std::tuple<int, std::size_t, std::uint32_t, int>, Errors> errors;
    for (const HaaRun& run : runs) {
        if (run.max_size != largest) continue;
        for (std::size_t i = 0; i < run.problems.size(); ++i) {
            const haa::Agent agent = run.problems[i].agent;
            for (const std::size_t a : {kHighQuality, kLowQuality, kLowQuality + 1})
                errors[{run.share, a, agent.capability, agent.size}].add(run, run.graphs[a], i);
        }
    }
    for (const auto& [key, sum] : errors) {
        if (sum.paths == 0) continue;
        const auto& [share, a, capability, size] = key;
        out.rows.push_back(
            row({share, kHaaGraphs[a], kHaaCapabilityNames[capability], size}, sum.figures()));
    }
    out.notes = {
        fmt::format("of the maps with agents of sizes up to {}; agents without a path "
                    "anywhere are left out",
                    largest)};
    return out;
}

Exhibit haa_times(const std::vector<HaaRun>& runs) {
    Exhibit out{"times",
                "Times against AA*, mean of problems with a path",
                {"maps", "soft %", "sizes", "graph", "AA* us", "paper", "cost", "abstract path",
                 "path", "smoothed", "prepared: cost", "prepared: abstract path", "prepared: path",
                 "prepared: smoothed", "smoothed us", "prepare ms", "view bytes a cell"},
                {},
                {"AA*: on class maps, bucket queue, canonical moves where terrain is uniform",
                 "cost, abstract path, path, smoothed: so many times faster than AA*",
                 "by A* on views without labels and move tables; prepared: with both",
                 "smoothed: the default query, which tries the straight line first; others do not",
                 "paper: about one order of magnitude, 6 ms on a Core2 Duo of 2.16 GHz",
                 "prepare ms, view bytes a cell: of one agent class, labels and tables included"}};
    for (const Group& group : groups(runs)) {
        for (const std::size_t a : {kHighQuality, kLowQuality, kLowQuality + 1}) {
            double astar = 0, paths = 0, views = 0, bytes = 0, prepare = 0;
            std::array<double, kHaaAsks> searched{};
            std::array<double, kHaaAsks> prepared{};
            for (const HaaRun* run : group.runs) {
                const HaaGraphRun& m = run->graphs[a];
                astar += run->astar_seconds;
                for (const HaaProblemRun& p : run->problems) paths += p.optimum < kInfinity ? 1 : 0;
                for (std::size_t k = 0; k < kHaaAsks; ++k) {
                    searched[k] += m.searched[k];
                    prepared[k] += m.prepared[k];
                }
                prepare += m.prepare_seconds;
                views += number(m.views);
                bytes += over(number(m.view_bytes), number(run->cells));
            }
            std::vector<Json> figures{kHaaGraphs[a], 1e6 * over(astar, paths), 10.0};
            for (const double s : searched) figures.emplace_back(over(astar, s));
            for (const double s : prepared) figures.emplace_back(over(astar, s));
            figures.emplace_back(1e6 * over(prepared[3], paths));
            figures.emplace_back(1e3 * over(prepare, views));
            figures.emplace_back(over(bytes, views));
            out.rows.push_back(row(group.key(), std::move(figures)));
        }
    }
    return out;
}

Exhibit haa_published(const std::vector<HaaRun>& runs) {
    Exhibit out{"scenarios",
                "The author's scenarios: his distances against AA*'s",
                {"maps", "soft %", "capability", "size", "problems", "cells agree", "cost agrees",
                 "no path"},
                {},
                {"cells agree: the distance is the number of cells on AA*'s path, both ends "
                 "included: strict corners, a diagonal step costs sqrt 2",
                 "cost agrees: it is the path's cost, rounded to a whole number"}};
    struct Count {
        std::uint64_t problems = 0, cells = 0, cost = 0, none = 0;
    };
    std::map<std::tuple<std::string, int, std::uint32_t, int>, Count> counts;
    for (const HaaRun& run : runs) {
        for (const HaaProblemRun& p : run.problems) {
            if (!p.published) continue;
            Count& count = counts[{run.set, run.share, p.agent.capability, p.agent.size}];
            ++count.problems;
            if (p.optimum >= kInfinity) {
                ++count.none;
                continue;
            }
            const double length = static_cast<double>(p.optimum) / CostModel{}.straight;
            count.cells += number(p.cells) == *p.published ? 1 : 0;
            count.cost += std::llround(length) == std::llround(*p.published) ? 1 : 0;
        }
    }
    for (const auto& [key, count] : counts) {
        const auto& [set, share, capability, size] = key;
        out.rows.push_back({set, share, kHaaCapabilityNames[capability], size, count.problems,
                            count.cells, count.cost, count.none});
    }
    return out;
}

}  // namespace cairn::app
