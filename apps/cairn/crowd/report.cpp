#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <vector>

#include "crowd/run.hpp"
#include "text.hpp"

namespace cairn::app {
namespace {

double median(std::span<const double> sorted) {
    return sorted.empty() ? 0 : sorted[sorted.size() / 2];
}
double most(std::span<const double> sorted) { return sorted.empty() ? 0 : sorted.back(); }

std::vector<double> in_order(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return values;
}

/// The figures of one method.
struct Row {
    const WayTimes* way;
    double query = 0;   ///< seconds
    double served = 0;  ///< agents served if all of a frame is spent on queries

    Row(const WayTimes& times, double asked_a_second) : way(&times) {
        if (times.queries > 0) query = times.total() / times.queries;
        if (query > 0 && asked_a_second > 0) served = 1 / query / asked_a_second;
    }
    [[nodiscard]] double mean() const {
        return way->total() / static_cast<double>(way->frames.size());
    }
    [[nodiscard]] std::uint64_t fit(double seconds) const {
        return query > 0 ? static_cast<std::uint64_t>(seconds / query) : 0;
    }
};

constexpr double kFrame25 = 1.0 / 25;
constexpr double kFrame60 = 1.0 / 60;

/// Queries of an agent in a second.
double asked_a_second(const CrowdPlan& plan, const CrowdFigures& figures) {
    if (figures.frames == 0) return 0;
    return static_cast<double>(figures.queries) * kFramesASecond /
           (static_cast<double>(figures.frames) * plan.agents);
}

std::vector<Row> rows_of(const CrowdPlan& plan, const CrowdFigures& figures) {
    const double asked = asked_a_second(plan, figures);
    std::vector<Row> rows;
    rows.reserve(figures.ways.size() + 1);
    for (const WayTimes& way : figures.ways) {
        if (!way.frames.empty()) rows.emplace_back(way, asked);
    }
    if (!figures.walked.frames.empty()) rows.emplace_back(figures.walked, asked);
    return rows;
}

std::string ways_text(const CrowdPlan& plan, const CrowdFigures& figures) {
    const auto ms = [](double seconds) { return significant(1e3 * seconds); };
    Table table({"method", "frames", "mean ms", "median ms", "worst ms", "us a query",
                 "queries in 40 ms", "in 16.7 ms", "agents served"});
    for (const Row& row : rows_of(plan, figures)) {
        table.add({row.way->name, grouped(row.way->frames.size()), ms(row.mean()),
                   ms(median(row.way->frames)), ms(most(row.way->frames)),
                   significant(1e6 * row.query), grouped(row.fit(kFrame25)),
                   grouped(row.fit(kFrame60)), grouped(static_cast<std::uint64_t>(row.served))});
    }
    return table.text();
}

void add_edits(Facts& facts, const EditTimes& times, const CrowdPlan& plan,
               const CrowdFigures& figures) {
    if (times.edited.empty() && times.skipped == 0) return;
    const auto edited = in_order(times.edited);
    std::string skipped;
    if (times.skipped > 0)
        skipped = fmt::format(", {} left out as there was no room", grouped(times.skipped));
    facts.add(
        "edits",
        fmt::format("{} ({} blocked, {} freed{}): {} at the median, {} at most; {} paths cut "
                    "and found again",
                    grouped(edited.size()), grouped(times.blocked), grouped(times.freed), skipped,
                    duration(median(edited)), duration(most(edited)), grouped(figures.cut)));
    if (times.closed.empty()) return;
    const auto closed = in_order(times.closed);
    std::string used = fmt::format("used in {} of {} frames", grouped(figures.label_frames),
                                   grouped(static_cast<std::uint64_t>(figures.frames)));
    const bool crowded =
        plan.edits * plan.label_frames >= kFramesASecond && plan.edit_frames <= plan.label_frames;
    if (figures.label_frames == 0 && crowded)
        used = "never used, as the next edits came first: see --edit-frames";
    facts.add("labels",
              fmt::format("built by a worker in {} at the median, {} at most, {} times in more "
                          "than the {} ms allowed; {}",
                          duration(median(closed)), duration(most(closed)), grouped(times.late),
                          1000 * plan.label_frames / kFramesASecond, used));
}

void add_device(Facts& facts, const DeviceTimes* device) {
    if (device == nullptr) return;
    const auto loaded = in_order(device->loaded);
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
    facts.add("world", fmt::format("{} {}, planner {}", grouped(world.spots()), world.spot_word(),
                                   world.planner()));
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
            significant(asked_a_second(plan, figures)), grouped(figures.arrived),
            grouped(figures.cut), grouped(figures.no_path)));
    add_edits(facts, world.edit_times(), plan, figures);
    add_device(facts, world.device_times());
    facts.add("steps", fmt::format("{}; {} not allowed, {} times on something blocked",
                                   grouped(figures.steps), grouped(figures.illegal),
                                   grouped(figures.blocked)));
    facts.add("answers",
              fmt::format("{} compared, {} differ; {} refused", grouped(figures.compared),
                          grouped(figures.differing), grouped(figures.refused)));
    return facts.text() + '\n' + ways_text(plan, figures);
}

Json crowd_json(const CrowdWorld& world, const CrowdPlan& plan, const CrowdFigures& figures) {
    Json ways = Json::array();
    for (const Row& row : rows_of(plan, figures)) {
        ways.push_back({{"way", row.way->name},
                        {"frames", row.way->frames.size()},
                        {"asked", row.way->asked},
                        {"mean_ms", 1e3 * row.mean()},
                        {"median_ms", 1e3 * median(row.way->frames)},
                        {"worst_ms", 1e3 * most(row.way->frames)},
                        {"query_us", 1e6 * row.query},
                        {"queries_in_40_ms", row.fit(kFrame25)},
                        {"queries_in_16_7_ms", row.fit(kFrame60)},
                        {"agents_served", row.served}});
    }
    const EditTimes& times = world.edit_times();
    const auto edited = in_order(times.edited);
    const auto closed = in_order(times.closed);
    Json report{{"planner", world.planner()},
                {"places", world.spots()},
                {"place", world.spot_word()},
                {"agents", plan.agents},
                {"frames", figures.frames},
                {"stopped", figures.stopped},
                {"first_paths_ms", 1e3 * figures.start_seconds},
                {"queries", figures.queries},
                {"queries_an_agent_a_second", asked_a_second(plan, figures)},
                {"arrived", figures.arrived},
                {"cut", figures.cut},
                {"no_path", figures.no_path},
                {"edits",
                 {{"blocked", times.blocked},
                  {"freed", times.freed},
                  {"skipped", times.skipped},
                  {"median_ms", 1e3 * median(edited)},
                  {"worst_ms", 1e3 * most(edited)},
                  {"labels_median_ms", 1e3 * median(closed)},
                  {"labels_worst_ms", 1e3 * most(closed)},
                  {"labels_late", times.late},
                  {"frames_with_labels", figures.label_frames}}},
                {"steps", figures.steps},
                {"wrong",
                 {{"steps", figures.illegal},
                  {"places", figures.blocked},
                  {"refused", figures.refused},
                  {"differing", figures.differing}}},
                {"compared", figures.compared},
                {"trace", fmt::format("{:016x}", figures.trace)},
                {"ways", std::move(ways)}};
    if (const DeviceTimes* device = world.device_times(); device != nullptr) {
        const auto loaded = in_order(device->loaded);
        report["device"] = {{"name", device->name},
                            {"index_bytes", device->bytes},
                            {"loaded", loaded.size()},
                            {"load_median_ms", 1e3 * median(loaded)},
                            {"load_worst_ms", 1e3 * most(loaded)}};
    }
    return report;
}

}  // namespace cairn::app
