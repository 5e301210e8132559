#include "bench_batch_report.hpp"

#include <algorithm>
#include <cmath>
#include <thread>

#include "bench_groups.hpp"
#include "reproduce_exhibit.hpp"
#include "text.hpp"

namespace cairn::app {
namespace {

using Maps = std::vector<const BatchBench*>;

/// A column's name in files, and its heading; those without one are not in the table.
struct Column {
    const char* name;
    const char* heading;
};
constexpr std::array kColumns{Column{"maps", "maps"},
                              Column{"planner", "planner"},
                              Column{"goals", "goals"},
                              Column{"paths", "paths"},
                              Column{"agents", "agents"},
                              Column{"loop_us", "loop us"},
                              Column{"one_thread_us", "one thr us"},
                              Column{"all_threads_us", "all thr us"},
                              Column{"times_loop", "x loop"},
                              Column{"times_one_thread", "x one thr"},
                              Column{"times_astar", "x A*"},
                              Column{"in_40_ms", "in 40 ms"},
                              Column{"in_16_7_ms", "in 16.7 ms"},
                              Column{"batch_agents", ""},
                              Column{"batch_bytes", ""},
                              Column{"wrong", "wrong"}};

/// One planner, crowd and form over the maps of a group.
BatchRun mean_of(const Maps& maps, std::size_t run) {
    BatchRun mean = maps.front()->runs[run];
    const auto count = static_cast<double>(maps.size());
    mean.agents = mean.wrong = 0;
    mean.loop_us = mean.one_thread_us = mean.threads_us = 0;
    std::array<double, kFrames.size()> each{};  // of frames: seconds an agent
    for (const BatchBench* map : maps) {
        const BatchRun& r = map->runs[run];
        mean.agents += r.agents;
        mean.wrong += r.wrong;
        mean.portion = std::max(mean.portion, r.portion);
        mean.portion_bytes = std::max(mean.portion_bytes, r.portion_bytes);
        mean.loop_us += r.loop_us / count;
        mean.one_thread_us += r.one_thread_us / count;
        mean.threads_us += r.threads_us / count;
        for (std::size_t f = 0; f < each.size(); ++f) each[f] += kFrames[f] / r.in_frame[f] / count;
    }
    for (std::size_t f = 0; f < each.size(); ++f) mean.in_frame[f] = kFrames[f] / each[f];
    return mean;
}

void add_rows(const std::string& group, const Maps& maps, Exhibit& exhibit) {
    const std::vector<BatchRun>& runs = maps.front()->runs;
    std::vector<BatchRun> baseline;
    for (std::size_t i = 0; i < runs.size(); ++i) {
        const BatchRun r = mean_of(maps, i);
        if (r.planner == runs.front().planner) baseline.push_back(r);
        const BatchRun& astar = baseline[i % baseline.size()];
        const auto fit = [&](std::size_t frame) {
            return static_cast<std::uint64_t>(std::floor(r.in_frame[frame]));
        };
        exhibit.rows.push_back({group, r.planner, r.shared ? "shared" : "random",
                                std::string(name(r.form)), r.agents, r.loop_us, r.one_thread_us,
                                r.threads_us, r.loop_us / r.threads_us,
                                r.one_thread_us / r.threads_us, astar.threads_us / r.threads_us,
                                fit(0), fit(1), r.portion, r.portion_bytes, r.wrong});
    }
}

std::vector<std::string> notes_of(const std::vector<BatchBench>& maps,
                                  const BatchMeasureOptions& options) {
    std::size_t portion = 0;
    std::uint64_t bytes = 0;
    std::vector<std::string> notes;
    for (const BatchBench& map : maps) {
        for (const BatchRun& run : map.runs) {
            portion = std::max(portion, run.portion);
            bytes = std::max(bytes, run.portion_bytes);
        }
        for (const std::string& note : map.notes)
            notes.push_back(fmt::format("{}/{}: {}", map.set, map.map, note));
    }
    const unsigned threads = options.threads > 0 ? static_cast<unsigned>(options.threads)
                                                 : std::thread::hardware_concurrency();
    notes.push_back(
        fmt::format("{} agents a map, of which the slower planners are asked for a part (agents), "
                    "on one thread and on {}.",
                    grouped(static_cast<std::uint64_t>(options.flags.agents)), threads));
    notes.push_back(fmt::format("In batches of at most {} agents, the largest of {}.",
                                grouped(portion), byte_size(static_cast<double>(bytes))));
    notes.emplace_back("x: all threads against the loop, one thread, and batches of A*.");
    return notes;
}

std::string text_of(const Exhibit& exhibit) {
    Exhibit shown{exhibit.name, exhibit.title, {}, {}, exhibit.notes};
    shown.rows.resize(exhibit.rows.size());
    for (std::size_t c = 0; c < kColumns.size(); ++c) {
        if (*kColumns[c].heading == '\0') continue;
        shown.columns.emplace_back(kColumns[c].heading);
        for (std::size_t r = 0; r < shown.rows.size(); ++r)
            shown.rows[r].push_back(exhibit.rows[r][c]);
    }
    return format_text(shown);
}

}  // namespace

BatchReport batch_report(const std::vector<BatchBench>& maps, bool per_map,
                         const BatchMeasureOptions& options) {
    Exhibit exhibit{"batches", "Many agents at once: microseconds an agent", {}, {}, {}};
    exhibit.columns.reserve(kColumns.size());
    for (const Column& column : kColumns) exhibit.columns.emplace_back(column.name);
    for (const auto& group : bench_groups(maps, per_map)) add_rows(group.name, group.maps, exhibit);
    exhibit.notes = notes_of(maps, options);
    BatchReport report{text_of(exhibit), format_csv(exhibit), to_json(exhibit), false};
    for (const BatchBench& map : maps) {
        for (const BatchRun& run : map.runs) report.wrong = report.wrong || run.wrong > 0;
    }
    return report;
}

}  // namespace cairn::app
