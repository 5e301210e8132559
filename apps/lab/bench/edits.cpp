// cairn-lab bench --edits: the times of edits that follow each other, and of queries after them.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bench/bench.hpp"
#include "cairn/grid/jps.hpp"
#include "cairn/hpa/hpa.hpp"
#include "cairn/subgoal/subgoal.hpp"
#include "checks/random_edit.hpp"

namespace cairn::app {
namespace {

constexpr int kRequests = 8;  // after each edit; more than a searcher keeps the endpoints of
constexpr int kFreshEvery = 20;
constexpr int kDraws = 200;  // of squares, for one edit

/// An edit, requests on the edited map, and their costs by jump point search; without these on
/// maps that it does not support.
struct Step {
    grid::TerrainEdit edit;
    std::vector<Problem> requests;
    std::vector<Cost> optima;
};

/// Whether an edit changes a quarter of its square or more, and frees only squares that touch free
/// cells. Half of the squares of a game map lie inside walls, where an edit would do nothing.
bool matters(const grid::Map& map, const grid::TerrainEdit& edit) {
    const grid::Rect& area = edit.area;
    const bool frees = map.options().weights.weight[edit.terrain] != 0;
    int changed = 0;
    bool touches = false;
    for (std::int32_t y = area.y - 1; y <= area.y + area.height; ++y) {
        for (std::int32_t x = area.x - 1; x <= area.x + area.width; ++x) {
            const bool free = map.contains({x, y}) && map.passable(map.cell({x, y}));
            const bool inside =
                x >= area.x && x < area.x + area.width && y >= area.y && y < area.y + area.height;
            touches = touches || free;
            if (inside && free != frees) ++changed;
        }
    }
    return touches && 4 * changed >= area.width * area.height;
}

/// The next edit of a map; if none that matters is found, any.
grid::TerrainEdit draw(RandomEdits& random, const grid::Map& loaded, const grid::Map& map,
                       bool frees) {
    grid::TerrainEdit edit;
    for (int tries = 0; tries < kDraws; ++tries) {
        const grid::TerrainEdit blocking = random.next(loaded);
        const grid::TerrainEdit freeing = random.next(loaded);
        edit = frees ? freeing : blocking;
        if (matters(map, edit)) break;
    }
    return edit;
}

Result<std::vector<Step>> steps_of(const grid::Map& loaded, const EditOptions& wanted,
                                   const MeasureOptions& options) {
    std::vector<Step> steps;
    RandomEdits random(wanted.seed, wanted.side);
    grid::Map map = loaded;
    grid::Jps jps;
    grid::Path path;
    for (int i = 0; i < wanted.count; ++i) {
        if (options.cancelled()) return fail(StatusCode::cancelled);
        Step step{draw(random, loaded, map, i % 2 == 1), {}, {}};
        auto next = map.edited({&step.edit, 1});
        if (!next) return tl::unexpected(std::move(next.error()));
        map = *std::move(next);
        // A map on which no two cells are connected has no requests.
        if (auto requests =
                random_problems(map, kRequests, wanted.seed + static_cast<std::uint64_t>(i)))
            step.requests = *std::move(requests);
        if (const auto bits = grid::JpsMap::create(map)) {
            for (const Problem& p : step.requests) {
                jps.find_path(*bits, p.start, p.goal, path, {.cost_only = true});
                step.optima.push_back(path.cost);
            }
        }
        steps.push_back(std::move(step));
    }
    return steps;
}

/// The index that is measured, and what is timed on it.
enum Kind : std::uint8_t { kEdited, kLabelled, kFresh };
constexpr std::array<const char*, 3> kKinds{"edited", "with_labels", "fresh"};
enum Timed : std::uint8_t { kMake, kAskCost, kAskPath };
constexpr std::array<const char*, 3> kTimed{"made", "cost", "path"};

/// Measures one planner on one map.
template <class P>
class EditBench {
public:
    EditBench(const PlannerSpec& spec, const std::vector<Step>& steps, const EditOptions& wanted,
              const MeasureOptions& options)
        : steps_(steps),
          wanted_(wanted),
          options_(options),
          index_options_(spec.options_of<P>()),
          query_(spec.query_of<P>()) {
        query_.engine = P::Engine::automatic;
    }

    Status run(const grid::Map& map) {
        const auto index = P::build(map, index_options_, options_.control());
        if (!index) return index.error();
        for (int round = 0; round < options_.rounds && !wrong_; ++round) {
            for (auto& of_kind : times_) {
                for (LeastTimes& times : of_kind) times.start_round();
            }
            if (Status status = make_all(*index); !status.ok()) return status;
        }
        return {};
    }

    void add_rows(const Row& key, Sheets& sheets) const {
        for (const Kind kind : {kEdited, kLabelled, kFresh}) {
            for (const Timed timed : {kMake, kAskCost, kAskPath}) {
                const std::vector<double>& seconds = times_[kind][timed].seconds();
                if (seconds.empty() || wrong_) continue;
                sheets.add("edits", joined(key, {{"index", kKinds[kind]},
                                                 {"timed", kTimed[timed]},
                                                 {"count", seconds.size()},
                                                 {"median_us", 1e6 * percentile(seconds, 50)},
                                                 {"p95_us", 1e6 * percentile(seconds, 95)},
                                                 {"max_us", 1e6 * percentile(seconds, 100)}}));
            }
        }
        const bool labels = label_bytes_ > 0 && fresh_label_bytes_ > 0;
        sheets.add(
            "edit_summary",
            joined(key, {{"label_bytes", label_bytes_},
                         {"fresh_label_bytes", fresh_label_bytes_},
                         {"label_wear", labels ? Cell(static_cast<double>(label_bytes_) /
                                                      static_cast<double>(fresh_label_bytes_))
                                               : Cell()},
                         {"index_bytes", index_bytes_},
                         {"fresh_index_bytes", fresh_index_bytes_},
                         {"compared", compared_},
                         {"wrong", wrong_ ? 1 : 0},
                         {"note", note_}}));
    }

private:
    using Index = typename P::Index;

    /// Makes all edits, one after another, until an answer is wrong.
    Status make_all(Index current) {
        for (int i = 1; i <= wanted_.count; ++i) {
            const Step& step = steps_[static_cast<std::size_t>(i - 1)];
            const auto due = [&](int every) { return i % every == 0 || i == wanted_.count; };
            expected_ = P::kExact ? step.optima : std::vector<Cost>();

            Status status = make(kEdited, current, [&] { return current.edited({&step.edit, 1}); });
            if (status.ok()) ask(kEdited, current, step, i);
            if (status.ok() && !wrong_ && wanted_.labels_every > 0 && due(wanted_.labels_every) &&
                incomplete(current)) {
                status = make(kLabelled, current,
                              [&] { return current.with_labels(options_.control()); });
                if (status.ok()) ask(kLabelled, current, step, i);
            }
            if (status.ok() && !wrong_ && due(kFreshEvery)) {
                Index fresh = current;
                status = make(kFresh, fresh, [&] {
                    return P::build(current.map(), index_options_, options_.control());
                });
                if (status.ok()) ask(kFresh, fresh, step, i);
                if (status.ok()) status = measure_bytes(current, fresh);
            }
            if (!status.ok() || wrong_) return status;
        }
        return {};
    }

    /// Whether the index lacks the labels that its options ask for, or else its levels.
    static bool incomplete(const Index& index) {
        if (index.options().labels) return !index.has_labels();
        if constexpr (requires { index.complete(); }) return !index.complete();
        return false;
    }

    /// Replaces an index by the result of `call`, which alone is timed.
    template <class Call>
    Status make(Kind kind, Index& index, const Call& call) {
        if (options_.cancelled()) return fail(StatusCode::cancelled).value();
        const double start = now();
        auto result = call();
        times_[kind][kMake].add(now() - start);
        if (!result) return std::move(result.error());
        index = *std::move(result);
        return {};
    }

    /// Times the requests of a step, then checks the answers.
    void ask(Kind kind, const Index& index, const Step& step, int edit) {
        const std::size_t count = step.requests.size();
        if (count == 0) return;
        cairn::Searcher<P>& searcher = searchers_[kind];
        const auto find = [&](typename P::Detail detail, std::size_t i) {
            query_.detail = detail;
            assign(step.requests[i], query_);
            searcher.find(index, query_, answer_);
            return answer_.status == StatusCode::ok ? answer_.cost : kInfinity;
        };
        // As in other measurements, caches and memory are warm. The searcher also lets go of the
        // index before this one, which is then freed.
        for (std::size_t i = 0; i < count; ++i) find(P::Detail::path, i);
        const MeasureOptions once{1, options_.threads, options_.cancel};
        const auto time = [&](Timed timed, typename P::Detail detail) {
            const TimedQueries queries{count, [&](std::size_t i) { find(detail, i); }};
            for (const double s : least_seconds(queries, once)) times_[kind][timed].add(s);
        };
        time(kAskCost, P::Detail::cost);
        time(kAskPath, P::Detail::path);
        for (std::size_t i = 0; i < count && !wrong_; ++i) {
            const Cost cost = find(P::Detail::cost, i);
            const Cost path_cost = find(P::Detail::path, i);
            if (expected_.size() == i) expected_.push_back(cost);
            const std::string mistake = edit_mistake(index.map(), {cost, path_cost, answer_.cells},
                                                     expected_[i], P::kExact);
            ++compared_;
            if (mistake.empty()) continue;
            wrong_ = true;
            const Problem& p = step.requests[i];
            note_ = fmt::format("edit {}, index {}, from {},{} to {},{}: {}", edit, kKinds[kind],
                                p.start.x, p.start.y, p.goal.x, p.goal.y, mistake);
        }
    }

    Status measure_bytes(const Index& current, const Index& fresh) {
        const auto own = current.statistics();
        if (!own) return own.error();
        const auto built = fresh.statistics();
        if (!built) return built.error();
        label_bytes_ = own->label_bytes;
        index_bytes_ = own->bytes();
        fresh_label_bytes_ = built->label_bytes;
        fresh_index_bytes_ = built->bytes();
        if (index_options_.labels && wanted_.labels_every > 0 && !current.has_labels() && !wrong_)
            note_ = "without labels: " + current.labels_status().message;
        return {};
    }

    const std::vector<Step>& steps_;
    const EditOptions& wanted_;
    const MeasureOptions& options_;
    typename P::Options index_options_;
    typename P::Query query_;
    typename P::Answer answer_;
    std::array<cairn::Searcher<P>, 3> searchers_{cairn::Searcher<P>(0), cairn::Searcher<P>(0),
                                                 cairn::Searcher<P>(0)};  // by Kind
    std::array<std::array<LeastTimes, 3>, 3> times_;                      // by Kind and Timed
    std::vector<Cost> expected_;  // costs of the requests of the present step
    std::size_t compared_ = 0;
    std::size_t label_bytes_ = 0;  // the bytes are those after the last edit
    std::size_t fresh_label_bytes_ = 0;
    std::size_t index_bytes_ = 0;
    std::size_t fresh_index_bytes_ = 0;
    bool wrong_ = false;
    std::string note_;
};

}  // namespace

std::string edit_mistake(const grid::Map& map, const EditAnswer& answer, Cost expected,
                         bool exact) {
    if (answer.cost != expected)
        return fmt::format("the cost is {} instead of {}", answer.cost, expected);
    if (answer.path_cost > expected || (exact && answer.path_cost < expected))
        return fmt::format("the path costs {}, which should be {}", answer.path_cost, expected);
    if (answer.path_cost < kInfinity && path_cost(map, answer.cells) != answer.path_cost)
        return fmt::format("the path does not cost {}, or is not legal", answer.path_cost);
    return {};
}

Status measure_edits(const grid::Map& map, std::span<const PlannerSpec> planners,
                     const EditOptions& wanted, const MeasureOptions& options, const Row& key,
                     Sheets& sheets) {
    const auto steps = steps_of(map, wanted, options);
    if (!steps) return steps.error();
    for (const PlannerSpec& spec : planners) {
        const Row own = joined(key, {{"planner", spec.name},
                                     {"edits", wanted.count},
                                     {"edit_size", wanted.side},
                                     {"labels_every", wanted.labels_every}});
        const auto measured = [&](auto bench) {
            Status status = bench.run(map);
            if (status.ok()) bench.add_rows(own, sheets);
            return status;
        };
        Status status;
        if (spec.is<hpa::Planner>())
            status = measured(EditBench<hpa::Planner>(spec, *steps, wanted, options));
        if (spec.is<subgoal::Planner>())
            status = measured(EditBench<subgoal::Planner>(spec, *steps, wanted, options));
        if (!status.ok() || sheets.wrong() > 0) return status;
    }
    return {};
}

}  // namespace cairn::app
