#include "bench_report.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "bench_groups.hpp"

namespace cairn::app {
namespace {

BenchRow make_row(const std::string& group, const std::vector<const MapBench*>& maps,
                  std::size_t planner) {
    BenchRow row;
    row.group = group;
    row.planner = maps.front()->runs[planner].planner;
    std::vector<const PlannerRun*> runs;
    std::vector<const PlannerRun*> baseline;
    double cells = 0;
    double build_seconds = 0;
    double bytes = 0;
    for (const MapBench* map : maps) {
        const PlannerRun& run = map->runs[planner];
        runs.push_back(&run);
        baseline.push_back(&map->runs.front());
        cells += static_cast<double>(map->cells);
        build_seconds += run.build_seconds;
        bytes += static_cast<double>(run.index_bytes);
        row.wrong += run.wrong;
        const PlannerRun* one[] = {&run};
        const PlannerRun* base[] = {&map->runs.front()};
        if (summarise(base).median_us < summarise(one).median_us) ++row.slower_at_median;
    }
    row.summary = summarise(runs);
    const Summary base = summarise(baseline);
    const auto n = static_cast<double>(maps.size());
    if (row.summary.mean_us > 0) {
        row.ratio = base.mean_us / row.summary.mean_us;
        row.median_ratio = base.median_us / row.summary.median_us;
    }
    row.build_ms = 1e3 * build_seconds / n;
    row.build_mcells = build_seconds > 0 ? 1e-6 * cells / build_seconds : 0;
    row.bytes_per_cell = bytes / cells;
    row.index_bytes = static_cast<std::size_t>(bytes / n);
    return row;
}

}  // namespace

std::vector<BenchRow> bench_rows(const std::vector<MapBench>& maps, bool per_map) {
    std::vector<BenchRow> rows;
    for (const auto& group : bench_groups(maps, per_map)) {
        for (std::size_t p = 0; p < group.maps.front()->runs.size(); ++p)
            rows.push_back(make_row(group.name, group.maps, p));
    }
    return rows;
}

std::string format_table(const std::vector<BenchRow>& rows) {
    std::size_t width = 5;
    for (const BenchRow& row : rows) width = std::max(width, row.group.size());
    std::string text = fmt::format(
        "{:{}}  {:13} {:>9} {:>9} {:>9} {:>8} {:>8} {:>8} {:>8} {:>9} {:>9} {:>7} {:>7} {:>6}\n",
        "maps", width, "planner", "mean us", "median us", "p99 us", "ratio", "median r", "error %",
        "max %", "expanded", "build ms", "Mcell/s", "B/cell", "wrong");
    std::string group;
    for (const BenchRow& row : rows) {
        if (!group.empty() && row.group != group) text += '\n';
        const Summary& s = row.summary;
        text += fmt::format(
            "{:{}}  {:13} {:9.2f} {:9.2f} {:9.1f} {:8.1f} {:8.1f} {:8.3f} {:8.2f} {:9.1f} {:9.2f} "
            "{:7.1f} {:7.2f} {:6}\n",
            row.group == group ? "" : row.group, width, row.planner, s.mean_us, s.median_us,
            s.p99_us, row.ratio, row.median_ratio, 100 * s.mean_error, 100 * s.max_error,
            s.mean_expanded, row.build_ms, row.build_mcells, row.bytes_per_cell, row.wrong);
        group = row.group;
    }
    return text;
}

std::string format_csv(const std::vector<BenchRow>& rows) {
    std::string text =
        "maps,planner,queries,mean_us,median_us,p99_us,ratio,median_ratio,mean_error,max_error,"
        "mean_expanded,"
        "build_ms,build_mcells_per_s,index_bytes,bytes_per_cell,maps_slower_at_median,wrong\n";
    for (const BenchRow& row : rows) {
        const Summary& s = row.summary;
        text += fmt::format(
            "{},{},{},{:.4f},{:.4f},{:.4f},{:.4f},{:.4f},{:.8f},{:.8f},{:.3f},{:.4f},{:.4f},{},{:."
            "4f},{},{}\n",
            row.group, row.planner, s.queries, s.mean_us, s.median_us, s.p99_us, row.ratio,
            row.median_ratio, s.mean_error, s.max_error, s.mean_expanded, row.build_ms,
            row.build_mcells, row.index_bytes, row.bytes_per_cell, row.slower_at_median, row.wrong);
    }
    return text;
}

std::vector<PhaseRun> phases_of(const std::vector<MapBench>& maps) {
    std::vector<PhaseRun> all;
    for (const MapBench& map : maps) all.insert(all.end(), map.phases.begin(), map.phases.end());
    return all;
}

std::vector<AgentRow> agents_of(const std::vector<MapBench>& maps) {
    std::vector<AgentRun> all;
    for (const MapBench& map : maps) all.insert(all.end(), map.agents.begin(), map.agents.end());
    return agent_rows(all);
}

std::string format_disagreements(const std::vector<MapBench>& maps) {
    std::string text;
    for (const MapBench& map : maps) {
        if (map.published.different > 0) {
            text += fmt::format(
                "{}/{}: {} of {} published lengths differ from A*'s, the first {}\n", map.set,
                map.map, map.published.different, map.published.compared, map.published.first);
        }
        for (const PlannerRun& run : map.runs) {
            if (!run.note.empty()) {
                text += fmt::format("{}/{}: {} without labels: {}\n", map.set, map.map, run.planner,
                                    run.note);
            }
            if (run.wrong > 0)
                text += fmt::format("{}/{}: {} answers of {} contradict A*\n", map.set, map.map,
                                    run.wrong, run.planner);
        }
    }
    return text;
}

Json to_json(const std::vector<BenchRow>& rows, const std::vector<MapBench>& maps) {
    Json list = Json::array();
    for (const BenchRow& row : rows) {
        const Summary& s = row.summary;
        list.push_back({{"maps", row.group},
                        {"planner", row.planner},
                        {"queries", s.queries},
                        {"mean_us", s.mean_us},
                        {"median_us", s.median_us},
                        {"p99_us", s.p99_us},
                        {"ratio", row.ratio},
                        {"median_ratio", row.median_ratio},
                        {"mean_error", s.mean_error},
                        {"max_error", s.max_error},
                        {"mean_expanded", s.mean_expanded},
                        {"build_ms", row.build_ms},
                        {"build_mcells_per_s", row.build_mcells},
                        {"index_bytes", row.index_bytes},
                        {"bytes_per_cell", row.bytes_per_cell},
                        {"maps_slower_at_median", row.slower_at_median},
                        {"wrong", row.wrong}});
    }
    Json published = Json::array();
    for (const MapBench& map : maps) {
        if (map.published.different == 0) continue;
        published.push_back({{"map", map.set + "/" + map.map},
                             {"compared", map.published.compared},
                             {"different", map.published.different},
                             {"first", map.published.first}});
    }
    Json out{{"rows", std::move(list)}, {"published_lengths_that_differ", std::move(published)}};
    if (const auto phases = phases_of(maps); !phases.empty()) out["phases"] = phases_json(phases);
    if (const auto agents = agents_of(maps); !agents.empty()) out["agents"] = agents_json(agents);
    return out;
}

}  // namespace cairn::app
