// The output of `cairn crowd`, as text and as JSON.

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <vector>

#include "crowd/run.hpp"
#include "text.hpp"

namespace cairn::app {
namespace {

// Of sorted values; 0 if there are none.
double median(std::span<const double> values) {
    return values.empty() ? 0 : values[values.size() / 2];
}
double most(std::span<const double> values) { return values.empty() ? 0 : values.back(); }

std::vector<double> sorted(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return values;
}

/// The figures of one method.
struct Row {
    const MethodTimes* times;
    double query = 0;   ///< seconds a query
    double served = 0;  ///< agents that it can serve: their queries take all its time

    /// `agent_queries`: queries of an agent in a second.
    Row(const MethodTimes& method, double agent_queries) : times(&method) {
        if (method.queries > 0) query = method.total() / method.queries;
        if (query > 0 && agent_queries > 0) served = 1 / query / agent_queries;
    }
    [[nodiscard]] double mean() const {
        return times->total() / static_cast<double>(times->frames.size());
    }
    [[nodiscard]] std::uint64_t queries_in(double seconds) const {
        return query > 0 ? static_cast<std::uint64_t>(seconds / query) : 0;
    }
};

constexpr double kFrameAt25Hz = 1.0 / 25;  // seconds
constexpr double kFrameAt60Hz = 1.0 / 60;

/// Queries of an agent in a second.
double queries_per_agent(const CrowdPlan& plan, const CrowdFigures& figures) {
    if (figures.frames == 0) return 0;
    return static_cast<double>(figures.queries) * kFramesPerSecond /
           (static_cast<double>(figures.frames) * plan.agents);
}

std::vector<Row> rows_of(const CrowdPlan& plan, const CrowdFigures& figures) {
    const double agent_queries = queries_per_agent(plan, figures);
    std::vector<Row> rows;
    rows.reserve(figures.methods.size() + 1);
    for (const MethodTimes& method : figures.methods) {
        if (!method.frames.empty()) rows.emplace_back(method, agent_queries);
    }
    if (!figures.walked.frames.empty()) rows.emplace_back(figures.walked, agent_queries);
    return rows;
}

std::string methods_text(const CrowdPlan& plan, const CrowdFigures& figures) {
    const auto ms = [](double seconds) { return significant(1e3 * seconds); };
    Table table({"method", "frames", "mean ms", "median ms", "worst ms", "us a query",
                 "queries in 40 ms", "in 16.7 ms", "agents served"});
    for (const Row& row : rows_of(plan, figures)) {
        table.add({row.times->name, grouped(row.times->frames.size()), ms(row.mean()),
                   ms(median(row.times->frames)), ms(most(row.times->frames)),
                   significant(1e6 * row.query), grouped(row.queries_in(kFrameAt25Hz)),
                   grouped(row.queries_in(kFrameAt60Hz)),
                   grouped(static_cast<std::uint64_t>(row.served))});
    }
    return table.text();
}

void add_edits(Facts& facts, const EditFigures& edits, const CrowdFigures& figures) {
    if (edits.edited.empty() && edits.skipped == 0) return;
    const auto edited = sorted(edits.edited);
    std::string skipped;
    if (edits.skipped > 0)
        skipped = fmt::format(", {} left out as there was no room", grouped(edits.skipped));
    facts.add(
        "edits",
        fmt::format("{} ({} blocked, {} freed{}): {} at the median, {} at most; {} paths cut "
                    "and found again",
                    grouped(edited.size()), grouped(edits.blocked), grouped(edits.freed), skipped,
                    duration(median(edited)), duration(most(edited)), grouped(figures.cut)));
    std::string failed;
    if (!edits.work.ok()) failed = fmt::format(", but failed: {}", describe(edits.work.code));
    facts.add("labels", fmt::format("ready in {} of {} frames; the work left at the end took {}{}",
                                    grouped(figures.label_frames),
                                    grouped(static_cast<std::uint64_t>(figures.frames)),
                                    duration(edits.left), failed));
}

void add_device(Facts& facts, const DeviceTimes* device) {
    if (device == nullptr) return;
    const auto loaded = sorted(device->loaded);
    facts.add(
        "device",
        fmt::format("{}; an index of {} copied there {} times, in {} at the median, {} at "
                    "most; whole answers compared",
                    device->name, byte_size(static_cast<double>(device->bytes)),
                    grouped(loaded.size()), duration(median(loaded)), duration(most(loaded))));
}

}  // namespace

std::string crowd_text(const CrowdWorld& world, const CrowdPlan& plan,
                       const CrowdFigures& figures) {
    const auto agents = static_cast<std::uint64_t>(plan.agents);
    const auto frames = static_cast<std::uint64_t>(figures.frames);
    Facts facts;
    facts.add("world", fmt::format("{} {}, planner {}", grouped(world.num_spots()),
                                   world.spot_word(), world.planner()));
    std::string goals = "goals of their own";
    if (plan.goals == 1) goals = "one goal for all";
    if (plan.goals > 1)
        goals = fmt::format("{} goals for all", grouped(static_cast<std::uint64_t>(plan.goals)));
    facts.add("agents",
              fmt::format("{}, {} a second, {}", grouped(agents), significant(plan.speed), goals));
    facts.add("frames", fmt::format("{} of 40 ms{}", grouped(frames),
                                    figures.stopped ? ", then stopped" : ""));
    facts.add("first paths",
              fmt::format("{} in {}", grouped(agents), duration(figures.start_seconds)));
    facts.add(
        "queries",
        fmt::format(
            "{:.1f} a frame, {} of an agent in a second: {} for new goals, {} since "
            "edits cut the path; {} without a path",
            frames == 0 ? 0.0 : static_cast<double>(figures.queries) / static_cast<double>(frames),
            significant(queries_per_agent(plan, figures)), grouped(figures.arrived),
            grouped(figures.cut), grouped(figures.no_path)));
    add_edits(facts, world.edit_figures(), figures);
    add_device(facts, world.device_times());
    facts.add("steps", fmt::format("{}; {} not allowed, {} times on something blocked",
                                   grouped(figures.steps), grouped(figures.illegal),
                                   grouped(figures.blocked)));
    facts.add("answers",
              fmt::format("{} compared, {} differ; {} refused", grouped(figures.compared),
                          grouped(figures.differing), grouped(figures.refused)));
    return facts.text() + '\n' + methods_text(plan, figures);
}

Json crowd_json(const CrowdWorld& world, const CrowdPlan& plan, const CrowdFigures& figures) {
    Json methods = Json::array();
    for (const Row& row : rows_of(plan, figures)) {
        methods.push_back({{"way", row.times->name},
                           {"frames", row.times->frames.size()},
                           {"asked", row.times->measured},
                           {"mean_ms", 1e3 * row.mean()},
                           {"median_ms", 1e3 * median(row.times->frames)},
                           {"worst_ms", 1e3 * most(row.times->frames)},
                           {"query_us", 1e6 * row.query},
                           {"queries_in_40_ms", row.queries_in(kFrameAt25Hz)},
                           {"queries_in_16_7_ms", row.queries_in(kFrameAt60Hz)},
                           {"agents_served", row.served}});
    }
    const EditFigures& edits = world.edit_figures();
    const auto edited = sorted(edits.edited);
    Json report{{"planner", world.planner()},
                {"places", world.num_spots()},
                {"place", world.spot_word()},
                {"agents", plan.agents},
                {"frames", figures.frames},
                {"stopped", figures.stopped},
                {"first_paths_ms", 1e3 * figures.start_seconds},
                {"queries", figures.queries},
                {"queries_an_agent_a_second", queries_per_agent(plan, figures)},
                {"arrived", figures.arrived},
                {"cut", figures.cut},
                {"no_path", figures.no_path},
                {"edits",
                 {{"made", edited.size()},
                  {"blocked", edits.blocked},
                  {"freed", edits.freed},
                  {"skipped", edits.skipped},
                  {"median_ms", 1e3 * median(edited)},
                  {"worst_ms", 1e3 * most(edited)},
                  {"frames_with_labels", figures.label_frames},
                  {"work_left_ms", 1e3 * edits.left},
                  {"work_status", name(edits.work.code)}}},
                {"steps", figures.steps},
                {"wrong",
                 {{"steps", figures.illegal},
                  {"places", figures.blocked},
                  {"refused", figures.refused},
                  {"differing", figures.differing}}},
                {"compared", figures.compared},
                {"trace", fmt::format("{:016x}", figures.trace)},
                {"ways", std::move(methods)}};
    if (const DeviceTimes* device = world.device_times(); device != nullptr) {
        const auto loaded = sorted(device->loaded);
        report["device"] = {{"name", device->name},
                            {"index_bytes", device->bytes},
                            {"loaded", loaded.size()},
                            {"load_median_ms", 1e3 * median(loaded)},
                            {"load_worst_ms", 1e3 * most(loaded)}};
    }
    return report;
}

}  // namespace cairn::app
