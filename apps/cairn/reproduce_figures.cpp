// Figures 5 to 8: effort, time, error and cluster size.

#include <algorithm>
#include <map>

#include "reproduce_exhibit.hpp"
#include "text.hpp"

namespace cairn::app {
namespace {

constexpr int kBinWidth = 50;            // of solution length, in straight steps
constexpr std::size_t kFewQueries = 20;  // a bin of fewer is not taken for an extreme

double count(const grid::SearchStatistics& s) { return static_cast<double>(s.expanded); }

double effort(const PaperAnswer& a) { return count(a.sg) + count(a.main) + count(a.refine); }

double error_percent(Cost length, Cost optimum) {
    return optimum == 0 ? 0 : 100 * (static_cast<double>(length) / optimum - 1);
}

/// Means over the queries of one solution length.
template <std::size_t N>
struct Bin {
    std::size_t queries = 0;
    std::array<double, N> sum{};

    [[nodiscard]] double mean(std::size_t i) const { return sum[i] / static_cast<double>(queries); }
};

/// The bins of all queries; `values(map, query's position)` gives what is averaged.
template <std::size_t N, class Values>
std::map<int, Bin<N>> bins(const std::vector<PaperMap>& maps, const Values& values) {
    std::map<int, Bin<N>> out;
    for (const PaperMap& m : maps) {
        const int unit = static_cast<int>(m.map->options().costs.straight) * kBinWidth;
        for (std::size_t i = 0; i < m.queries.size(); ++i) {
            Bin<N>& bin = out[static_cast<int>(m.queries[i].optimum) / unit * kBinWidth];
            const std::array<double, N> add = values(m, i);
            ++bin.queries;
            for (std::size_t k = 0; k < N; ++k) bin.sum[k] += add[k];
        }
    }
    return out;
}

template <std::size_t N>
Bin<N> together(const std::map<int, Bin<N>>& all) {
    Bin<N> sum;
    for (const auto& [from, bin] : all) {
        sum.queries += bin.queries;
        for (std::size_t k = 0; k < N; ++k) sum.sum[k] += bin.sum[k];
    }
    return sum;
}

}  // namespace

Exhibit figure_5(const std::vector<PaperMap>& maps) {
    constexpr std::size_t kNodes = kPaperLevels + 1;
    const auto all = bins<kNodes + kTimed>(maps, [](const PaperMap& m, std::size_t i) {
        std::array<double, kNodes + kTimed> v{};
        v[0] = count(m.queries[i].astar);
        for (std::size_t l = 0; l < kPaperLevels; ++l) v[l + 1] = effort(m.queries[i].levels[l]);
        for (std::size_t t = 0; t < kTimed; ++t) v[kNodes + t] = 1e6 * m.seconds[i][t];
        return v;
    });
    Exhibit out;
    out.name = "figure-5";
    out.title =
        "Figure 5: A* against HPA*, every path refined: mean expanded nodes, and time of A* / time";
    out.columns = {"length from",    "to",
                   "queries",        "A* nodes",
                   "1 level nodes",  "2 levels nodes",
                   "3 levels nodes", "A* us",
                   "1 level ratio",  "2 levels ratio",
                   "3 levels ratio", "Cairn ratio"};
    double most_nodes = 0;
    double most_time = 0;
    for (const auto& [from, bin] : all) {
        std::vector<Json> row{from, from + kBinWidth, bin.queries};
        for (std::size_t k = 0; k <= kNodes; ++k) row.emplace_back(bin.mean(k));
        for (std::size_t t = 1; t < kTimed; ++t)
            row.emplace_back(bin.mean(kNodes) / bin.mean(kNodes + t));
        out.rows.push_back(std::move(row));
        if (bin.queries < kFewQueries) continue;
        most_nodes = std::max(most_nodes, bin.mean(0) / bin.mean(1));
        most_time = std::max(most_time, bin.mean(kNodes) / bin.mean(kNodes + 1));
    }
    const auto sum = together(all);
    out.notes = {
        fmt::format("Paper: up to 10 times faster than A*; one level is best where every path is "
                    "refined. Measured, one level: up to {} times",
                    significant(most_nodes)),
        fmt::format("fewer nodes and {} times less time in a bin of {} queries or more; {} and {} "
                    "over all.",
                    significant(most_time), kFewQueries, significant(sum.mean(0) / sum.mean(1)),
                    significant(sum.mean(kNodes) / sum.mean(kNodes + 1))),
        "Nodes as the paper counts (see Table 1). Ratios: Cairn's engine in the paper's mode, "
        "which connects and refines by search;",
        "Cairn: its defaults, with labels and move tables, every path refined and smoothed."};
    return out;
}

Exhibit figure_6(const std::vector<PaperMap>& maps) {
    const auto all = bins<3 * kPaperLevels>(maps, [](const PaperMap& m, std::size_t i) {
        std::array<double, 3 * kPaperLevels> v{};
        for (std::size_t l = 0; l < kPaperLevels; ++l) {
            const PaperAnswer& a = m.queries[i].levels[l];
            v[3 * l] = count(a.main);
            v[3 * l + 1] = count(a.sg);
            v[3 * l + 2] = count(a.refine);
        }
        return v;
    });
    Exhibit out;
    out.name = "figure-6";
    out.title = "Figure 6: mean expanded nodes of HPA*, by what they are expanded for";
    out.columns = {"levels", "length from", "to",     "queries", "Main",
                   "SG",     "Refinement",  "Main %", "SG %",    "Refinement %"};
    for (std::size_t l = 0; l < kPaperLevels; ++l) {
        const auto add = [&](const Json& from, const Json& to, const auto& bin) {
            const double parts[] = {bin.mean(3 * l), bin.mean(3 * l + 1), bin.mean(3 * l + 2)};
            const double whole = std::max(parts[0] + parts[1] + parts[2], 1e-9);
            std::vector<Json> row{l + 1, from, to, bin.queries};
            for (const double part : parts) row.emplace_back(part);
            for (const double part : parts) row.emplace_back(100 * part / whole);
            out.rows.push_back(std::move(row));
        };
        for (const auto& [from, bin] : all) add(from, from + kBinWidth, bin);
        add("all", nullptr, together(all));
    }
    out.notes = {
        "Paper: with every level more the main search shrinks and SG grows; an abstract path whose "
        "S or G is reused gets cheaper."};
    return out;
}

Exhibit figure_7(const std::vector<PaperMap>& maps) {
    const auto all = bins<3>(maps, [](const PaperMap& m, std::size_t i) {
        const PaperQuery& q = m.queries[i];
        return std::array<double, 3>{error_percent(q.length, q.optimum),
                                     error_percent(q.paper_smoothed, q.optimum),
                                     error_percent(q.smoothed, q.optimum)};
    });
    Exhibit out;
    out.name = "figure-7";
    out.title = "Figure 7: mean length error in percent, (hl - ol) / ol x 100";
    out.columns = {"length from",      "to", "queries", "before smoothing", "paper's smoothing",
                   "Cairn's smoothing"};
    const auto add = [&](const Json& from, const Json& to, const Bin<3>& bin) {
        out.rows.push_back({from, to, bin.queries, bin.mean(0), bin.mean(1), bin.mean(2)});
    };
    for (const auto& [from, bin] : all) add(from, from + kBinWidth, bin);
    add("all", nullptr, together(all));
    out.notes = {
        "Paper: within 1 % of optimal; that is after smoothing. The error is the same for "
        "every number of levels, exactly.",
        "A straight line (section 3.2.3) is read as an octile one, never through a corner and "
        "never longer. "
        "Missing diagonal crossings of borders",
        "add to the error, not only missing transitions."};
    return out;
}

Exhibit figure_8(const std::vector<PaperMap>& maps) {
    Exhibit out;
    out.name = "figure-8";
    out.title =
        "Figure 8: mean expanded nodes of an abstract search with one level, by cluster size";
    out.columns = {"cluster size", "SG", "Main", "SG + Main"};
    double queries = 0;
    for (const PaperMap& m : maps) queries += static_cast<double>(m.problems.size());
    int best = 0;
    double least = 0;
    for (std::size_t s = 0; s < kClusterSizes.size(); ++s) {
        double sg = 0;
        double main = 0;
        for (const PaperMap& m : maps) {
            sg += count(m.size_sg[s]) / queries;
            main += count(m.size_main[s]) / queries;
        }
        out.rows.push_back({kClusterSizes[s], sg, main, sg + main});
        if (best == 0 || sg + main < least) {
            best = kClusterSizes[s];
            least = sg + main;
        }
    }
    out.notes = {fmt::format("Paper: the minimum is at cluster size 10. Measured: at {}.", best)};
    return out;
}

}  // namespace cairn::app
