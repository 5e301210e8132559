#include "bench_batch_report.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <optional>
#include <thread>

#include "bench_groups.hpp"
#include "reproduce_exhibit.hpp"
#include "text.hpp"

namespace cairn::app {
namespace {

using Maps = std::vector<const BatchBench*>;

constexpr const char* kTitle = "Many agents at once: microseconds an agent";

/// A column's name in files, and its headings in the table and in that of the device; those
/// without are not in it.
struct Column {
    const char* name;
    const char* heading;
    const char* of_device = "";
};
constexpr std::array kColumns{Column{"maps", "maps", "maps"},
                              Column{"planner", "planner", "planner"},
                              Column{"goals", "goals", "goals"},
                              Column{"paths", "paths", "paths"},
                              Column{"agents", "agents", "agents"},
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
/// After those, if a device was asked; null where it was not.
constexpr std::array kDeviceColumns{Column{"device", ""},
                                    Column{"device_us", "", "device us"},
                                    Column{"device_host_us", "", "all thr us"},
                                    Column{"device_times_host", "", "x all thr"},
                                    Column{"device_bytes_copied", "", "bytes copied"},
                                    Column{"device_host_share", "", "host's share"},
                                    Column{"device_index_bytes", "", "index bytes"},
                                    Column{"device_wrong", "", "wrong"}};

/// Nothing unless it was asked on all maps.
std::optional<DeviceRun> device_mean_of(const Maps& maps, std::size_t run) {
    const auto count = static_cast<double>(maps.size());
    DeviceRun mean;
    for (const BatchBench* map : maps) {
        if (!map->runs[run].device) return std::nullopt;
        const DeviceRun& r = *map->runs[run].device;
        mean.us += r.us / count;
        mean.host_us += r.host_us / count;
        mean.bytes += r.bytes / count;
        mean.on_host += r.on_host / count;
        mean.index_bytes = std::max(mean.index_bytes, r.index_bytes);
        mean.wrong += r.wrong;
    }
    return mean;
}

/// One planner, crowd and form over the maps of a group.
BatchRun mean_of(const Maps& maps, std::size_t run) {
    BatchRun mean = maps.front()->runs[run];
    const auto count = static_cast<double>(maps.size());
    mean.agents = mean.wrong = 0;
    mean.device = device_mean_of(maps, run);
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

using Rows = std::vector<std::vector<Json>>;

void add_device_cells(const std::string& name, const BatchRun& run, std::vector<Json>& row) {
    if (!run.device) {
        row.resize(row.size() + kDeviceColumns.size());
        return;
    }
    const DeviceRun& d = *run.device;
    const std::vector<Json> cells{name,    d.us,      d.host_us,     d.host_us / d.us,
                                  d.bytes, d.on_host, d.index_bytes, d.wrong};
    row.insert(row.end(), cells.begin(), cells.end());
}

void add_rows(const std::string& group, const Maps& maps, Rows& rows) {
    const std::vector<BatchRun>& runs = maps.front()->runs;
    std::vector<BatchRun> baseline;
    for (std::size_t i = 0; i < runs.size(); ++i) {
        const BatchRun r = mean_of(maps, i);
        if (r.planner == runs.front().planner) baseline.push_back(r);
        const BatchRun& astar = baseline[i % baseline.size()];
        const auto fit = [&](std::size_t frame) {
            return static_cast<std::uint64_t>(std::floor(r.in_frame[frame]));
        };
        rows.push_back({group, r.planner, r.shared ? "shared" : "random", std::string(name(r.form)),
                        r.agents, r.loop_us, r.one_thread_us, r.threads_us,
                        r.loop_us / r.threads_us, r.one_thread_us / r.threads_us,
                        astar.threads_us / r.threads_us, fit(0), fit(1), r.portion, r.portion_bytes,
                        r.wrong});
        add_device_cells(maps.front()->device_name, r, rows.back());
    }
}

std::string full_name(const BatchBench& map) { return map.set + "/" + map.map; }

/// `all`: those of single maps, too.
Rows rows_of(const std::vector<BatchBench>& maps, bool per_map, bool all) {
    std::vector<BatchBench> whole;
    std::ranges::copy_if(maps, std::back_inserter(whole), std::not_fn(&BatchBench::stopped));
    Rows rows;
    for (const auto& group : bench_groups(whole, per_map)) {
        const bool single = group.maps.size() == 1 && group.name == full_name(*group.maps.front());
        if (all || !single) add_rows(group.name, group.maps, rows);
    }
    for (const BatchBench& map : maps) {
        if (map.stopped && (all || !per_map)) add_rows(full_name(map), {&map}, rows);
    }
    return rows;
}

/// What Ctrl-C has left out, if anything.
std::string left_out(const std::vector<BatchBench>& maps, std::size_t among) {
    const auto whole =
        static_cast<std::size_t>(std::ranges::count(maps, false, &BatchBench::stopped));
    if (whole == among) return {};
    const BatchBench& last = maps.back();
    const std::string part = last.stopped && !last.runs.empty()
                                 ? fmt::format(", and of {} the first rows", full_name(last))
                                 : "";
    return fmt::format("Cut off: {} of {} maps were measured{}.", whole, among, part);
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
            notes.push_back(fmt::format("{}: {}", full_name(map), note));
    }
    const unsigned threads = options.threads > 0 ? static_cast<unsigned>(options.threads)
                                                 : std::thread::hardware_concurrency();
    notes.push_back(
        fmt::format("{} agents a map, of which the slower planners are asked for a part (agents), "
                    "on one thread and on {}.",
                    grouped(static_cast<std::uint64_t>(options.flags.agents)), threads));
    if (portion > 0)
        notes.push_back(fmt::format("In batches of at most {} agents, the largest of {}.",
                                    grouped(portion), byte_size(static_cast<double>(bytes))));
    if (options.flags.device)
        notes.emplace_back(
            "On the device: bytes copied to it and back an agent; held against batches on all "
            "threads of the host, by labels and not smoothed, whose searches also answer a share.");
    notes.emplace_back("x: all threads against the loop, one thread, and batches of A*.");
    return notes;
}

std::vector<Column> all_columns() {
    std::vector<Column> all(kColumns.begin(), kColumns.end());
    all.insert(all.end(), kDeviceColumns.begin(), kDeviceColumns.end());
    return all;
}

/// Some columns of some rows.
Exhibit shown(std::string title, const Rows& rows, const char* Column::*heading) {
    Exhibit exhibit{"batches", std::move(title), {}, {}, {}};
    exhibit.rows.resize(rows.size());
    const std::vector<Column> columns = all_columns();
    for (std::size_t c = 0; c < columns.size(); ++c) {
        if (*(columns[c].*heading) == '\0') continue;
        exhibit.columns.emplace_back(columns[c].*heading);
        for (std::size_t r = 0; r < rows.size(); ++r) exhibit.rows[r].push_back(rows[r][c]);
    }
    return exhibit;
}

std::string text_of(const Rows& rows, const std::vector<std::string>& notes) {
    std::vector<Exhibit> tables{shown(kTitle, rows, &Column::heading)};
    Rows on_device;
    std::ranges::copy_if(rows, std::back_inserter(on_device),
                         [](const auto& row) { return !row[kColumns.size()].is_null(); });
    if (!on_device.empty()) {
        const auto name = on_device.front()[kColumns.size()].get<std::string>();
        tables.push_back(shown("The same on a device: " + name, on_device, &Column::of_device));
    }
    tables.back().notes = notes;
    std::string text;
    for (const Exhibit& table : tables) {
        if (!text.empty()) text += '\n';
        text += format_text(table);
    }
    return text;
}

/// Everything, for files. `device`: one was asked.
Exhibit filed(Rows rows, bool device, std::vector<std::string> notes) {
    std::vector<Column> columns = all_columns();
    if (!device) columns.resize(kColumns.size());
    for (auto& row : rows) row.resize(columns.size());
    Exhibit exhibit{"batches", kTitle, {}, std::move(rows), std::move(notes)};
    exhibit.columns.reserve(columns.size());
    for (const Column& column : columns) exhibit.columns.emplace_back(column.name);
    return exhibit;
}

}  // namespace

std::string map_text(const BatchBench& map) {
    Rows rows;
    if (!map.runs.empty()) add_rows(full_name(map), {&map}, rows);
    return rows.empty() ? "" : text_of(rows, {}) + '\n';
}

BatchReport batch_report(const std::vector<BatchBench>& maps, std::size_t among, bool per_map,
                         const BatchMeasureOptions& options) {
    Exhibit exhibit = filed(rows_of(maps, per_map, true), options.flags.device.has_value(),
                            notes_of(maps, options));
    BatchReport report;
    if (const std::string note = left_out(maps, among); !note.empty()) {
        report.stopped = true;
        exhibit.notes.push_back(note);
    }
    if (const Rows rows = rows_of(maps, per_map, !per_map); !rows.empty()) {
        report.text = text_of(rows, exhibit.notes);
    } else {
        for (const std::string& note : exhibit.notes) report.text += fmt::format("  {}\n", note);
    }
    report.csv = format_csv(exhibit);
    report.json = to_json(exhibit);
    report.json["stopped"] = report.stopped;
    for (const BatchBench& map : maps) {
        for (const BatchRun& run : map.runs)
            report.wrong = report.wrong || run.wrong > 0 || (run.device && run.device->wrong > 0);
    }
    return report;
}

}  // namespace cairn::app
