#include "bench/batches.hpp"

#include <algorithm>
#include <array>
#include <CLI/CLI.hpp>
#include <cmath>
#include <cstddef>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <thread>
#include <type_traits>
#include <utility>

#include "bench/batch_planners.hpp"
#include "cairn/grid/astar.hpp"
#include "cairn/grid/components.hpp"
#include "inputs.hpp"
#include "jps_plus/jps_plus.hpp"
#include "options/common.hpp"

namespace cairn::app {

namespace {

/// Agents with the same goal, where goals are shared.
constexpr std::size_t kAgentsPerGoal = 100;
/// The least number of shared goals: with fewer, the figures would depend on chance.
constexpr std::size_t kLeastGoals = 20;
/// The least number of agents measured; fewer tell little.
constexpr std::size_t kLeastAgents = 16;
/// The share of a row's time that is spent on measuring each of kFrames.
constexpr double kFramesShare = 0.1;
/// The share of a row's time that is spent on estimating how fast the planner is.
constexpr double kFittingShare = 0.05;
constexpr std::array kForms{PathForm::cells, PathForm::turning, PathForm::cost};
constexpr std::array<const char*, kForms.size()> kFormNames{"every cell", "turning cells", "cost"};

/// Seconds of a frame at 25 and at 60 frames a second.
constexpr std::array kFrames{0.040, 1.0 / 60};

/// One planner, one crowd and one form of answer on one map.
struct BatchRun {
    std::string planner;
    bool shared = false;  ///< kAgentsPerGoal agents share a goal; else each has its own
    PathForm form = PathForm::cells;
    std::size_t agents = 0;         ///< whose paths were found
    std::size_t chunk = 0;          ///< most agents of one batch
    std::uint64_t chunk_bytes = 0;  ///< of the largest batch, as batch::Options counts
    double loop_us = 0;             ///< an agent, one query after another
    double one_thread_us = 0;       ///< an agent, in batches on one thread
    double threads_us = 0;          ///< an agent, in batches on all threads
    std::array<double, kFrames.size()> in_frame{};  ///< agents whose batch takes each of kFrames
    std::uint64_t wrong = 0;            ///< answers that differ from the loop's or contradict A*
    std::optional<DeviceRun> device{};  ///< if a device was measured
    std::string note;                   ///< why there are no labels, or no device
};

/// The requests of a crowd. Each has its own goal.
template <class Request>
struct Workload {
    std::vector<Request> requests;
    std::function<const grid::Map&(const Request&)> map_of;  ///< the map A* solves a request on
    /// Any start of a region has a path to any goal of the same region.
    std::function<std::uint64_t(const Request&)> region;
};

/// The most bytes of a batch with these answers, as batch::Options::max_bytes counts.
std::uint64_t bytes_of(const KeptAnswers& kept) {
    constexpr std::uint64_t kBytesPerRequest = 56;
    std::uint64_t bytes = kBytesPerRequest * kept.cells.size();
    for (const auto& list : kept.cells) bytes += 2 * sizeof(grid::Cell) * list.size();
    return bytes;
}

/// Measures planners on one map, the baseline first.
template <class Request>
class Batches {
public:
    Batches(Workload<Request> workload, const BatchMeasureOptions& options)
        : workload_(std::move(workload)), options_(&options) {
        sample_ = static_cast<std::size_t>(options.flags.sample);
    }

    /// Calls `done(run)` for every row. Errors: those of `done` and of batches; cancelled.
    template <class Done>
    [[nodiscard]] Status run(const RequestPlanner<Request>& planner, const Done& done) {
        const std::size_t agents = fitting(planner);
        std::string note;
        if (!planner.note.empty()) note = "without labels: " + planner.note;
        const auto twin = twin_of(planner, note);
        if (!twin) return twin.error();
        for (const bool shared : {false, true}) {
            const auto requests = crowd(agents, chunk_, shared);
            const std::size_t checked = std::min({agents, sample_, chunk_});
            const auto optima = optima_of(std::span(requests).first(checked));
            for (const PathForm form : kForms) {
                BatchRun out;
                out.planner = planner.name;
                out.note = note;
                out.shared = shared;
                out.form = form;
                out.agents = agents;
                out.chunk = std::min(agents, chunk_);
                if (Status s = measure(planner, requests, optima, out); !s.ok()) return s;
                if (Status s = measure_on(*twin, requests, out); !s.ok()) return s;
                if (Status s = done(out); !s.ok()) return s;
            }
        }
        return {};
    }

private:
    /// The planner on the device, if one is used. If the index is unsuitable for devices, a note
    /// gives the reason.
    [[nodiscard]] Result<std::optional<DeviceTwin>> twin_of(const RequestPlanner<Request>& planner,
                                                            std::string& note) const {
        if (!options_->device || !planner.on_device) return std::nullopt;
        auto twin = planner.on_device(*options_->device);
        if (twin) return *std::move(twin);
        if (twin.error().code == StatusCode::device_failed)
            return tl::unexpected(std::move(twin.error()));
        note += (note.empty() ? "" : "; ") + ("not on the device: " + twin.error().message);
        return std::nullopt;
    }

    [[nodiscard]] Status measure_on(const std::optional<DeviceTwin>& twin,
                                    std::span<const Request> requests, BatchRun& out) const {
        if constexpr (std::is_same_v<Request, grid::Request>) {
            if (!twin) return {};
            auto run = measure_on_device(*twin, requests, chunk_, out.form, options_->measure);
            if (!run) return std::move(run.error());
            out.device = *run;
        }
        return {};
    }

    /// The number of agents that a planner can serve in the time of a row, from a loop over twice
    /// as many agents each time. The first planner's paths also set the size of batches and of the
    /// sample.
    [[nodiscard]] std::size_t fitting(const RequestPlanner<Request>& planner) {
        const std::size_t all = workload_.requests.size();
        const double most = options_->flags.most_seconds;
        std::size_t tried = std::min(all, kLeastAgents / 2);
        double seconds = 0;
        do {
            tried = std::min(all, 2 * tried);
            KeptAnswers kept(tried);
            const double start = now();
            planner.loop(std::span(workload_.requests).first(tried), PathForm::cells, kept);
            seconds = std::max(now() - start, 1e-9);
            if (first_) chunk_ = chunk_of(kept);
        } while (tried < all && seconds < kFittingShare * most);
        const double each = seconds / static_cast<double>(tried);
        const auto in_time = [&](double time) {
            const double agents = std::min(static_cast<double>(all), time / each);
            return std::max(std::min(all, kLeastAgents), static_cast<std::size_t>(agents));
        };
        if (first_) sample_ = std::min(sample_, in_time(most / 4));
        first_ = false;
        // A round runs the loop, one thread and all threads, which may be as slow as one.
        const double runs = 3.0 * options_->measure.rounds;
        return in_time((1 - kFramesShare * kFrames.size()) * most / runs);
    }

    /// The number of agents whose batch takes about --batch-mb.
    [[nodiscard]] std::size_t chunk_of(const KeptAnswers& kept) const {
        const double each =
            static_cast<double>(bytes_of(kept)) / static_cast<double>(kept.cells.size());
        const double fit = static_cast<double>(options_->flags.chunk_mb << 20) / each;
        return std::max<std::size_t>(1, static_cast<std::size_t>(fit));
    }

    /// The first `agents` requests. With shared goals, kAgentsPerGoal agents of a chunk and region
    /// get the same goal; fewer where there would be fewer than kLeastGoals goals.
    [[nodiscard]] std::vector<Request> crowd(std::size_t agents, std::size_t chunk,
                                             bool shared) const {
        std::vector<Request> requests(
            workload_.requests.begin(),
            workload_.requests.begin() + static_cast<std::ptrdiff_t>(agents));
        for (std::size_t first = 0; shared && first < agents; first += chunk) {
            std::map<std::uint64_t, std::vector<std::size_t>> regions;
            for (std::size_t i = first; i < std::min(agents, first + chunk); ++i)
                regions[workload_.region(requests[i])].push_back(i);
            for (const auto& [region, members] : regions) {
                const std::size_t least = std::min(members.size(), kLeastGoals);
                const std::size_t goals = std::max(least, members.size() / kAgentsPerGoal);
                for (std::size_t m = goals; m < members.size(); ++m)
                    requests[members[m]].goal = requests[members[m % goals]].goal;
            }
        }
        return requests;
    }

    [[nodiscard]] std::vector<Cost> optima_of(std::span<const Request> requests) {
        grid::Path path;
        std::vector<Cost> optima;
        optima.reserve(requests.size());
        for (const Request& request : requests) {
            if (cancelled()) break;
            astar_.find_path(workload_.map_of(request), request.start, request.goal, path,
                             {grid::OpenList::buckets, /*cost_only=*/true});
            optima.push_back(path.cost);
        }
        return optima;
    }

    [[nodiscard]] Status measure(const RequestPlanner<Request>& planner,
                                 std::span<const Request> requests, std::span<const Cost> optima,
                                 BatchRun& out) {
        for (std::size_t first = 0; first < requests.size(); first += chunk_) {
            const auto part = requests.subspan(first, std::min(chunk_, requests.size() - first));
            Status s = measure_chunk(planner, part, first == 0 ? optima : optima.first(0), out);
            if (!s.ok()) return s;
        }
        const double agents = 1e-6 * static_cast<double>(requests.size());
        for (double* time : {&out.loop_us, &out.one_thread_us, &out.threads_us}) *time /= agents;
        return measure_frames(planner, out);
    }

    /// Adds the least seconds of each method to its times. A round runs each method once.
    [[nodiscard]] Status measure_chunk(const RequestPlanner<Request>& planner,
                                       std::span<const Request> requests,
                                       std::span<const Cost> optima, BatchRun& out) {
        double loop = std::numeric_limits<double>::infinity();
        double one = loop;
        double all = loop;
        for (int round = 1; round <= options_->measure.rounds; ++round) {
            const KeptAnswers kept = run_loop(planner, requests, out.form, loop);
            if (cancelled()) return fail(StatusCode::cancelled).value();
            for (const bool threads : {false, true}) {
                Status s = run_batch(planner, requests, out.form,
                                     threads ? options_->measure.threads : 1, threads ? all : one);
                if (!s.ok()) return s;
                if (round > 1) continue;
                out.wrong += differing_from_loop(kept, paths_) +
                             contradicting(planner.exact, requests, paths_, optima, out.form);
            }
            out.chunk_bytes = std::max(out.chunk_bytes, bytes_of(kept));
        }
        out.loop_us += loop;
        out.one_thread_us += one;
        out.threads_us += all;
        return {};
    }

    [[nodiscard]] KeptAnswers run_loop(const RequestPlanner<Request>& planner,
                                       std::span<const Request> requests, PathForm form,
                                       double& least) const {
        KeptAnswers kept(requests.size());
        const double start = now();
        planner.loop(requests, form, kept);
        least = std::min(least, now() - start);
        return kept;
    }

    /// A batch with its answers in paths_. Lowers `least` to its seconds if these are fewer.
    /// Errors: those of batches; cancelled.
    [[nodiscard]] Status run_batch(const RequestPlanner<Request>& planner,
                                   std::span<const Request> requests, PathForm form, int threads,
                                   double& least) {
        const BuildControl control{{}, options_->measure.cancel, threads};
        const double start = now();
        Status status = planner.batch(requests, form, control, paths_);
        least = std::min(least, now() - start);
        if (status.ok() && cancelled()) return fail(StatusCode::cancelled).value();
        return status;
    }

    /// The number of answers of a batch that differ from the loop's.
    [[nodiscard]] static std::uint64_t differing_from_loop(const KeptAnswers& kept,
                                                           const grid::Paths& paths) {
        std::uint64_t wrong = 0;
        for (std::size_t i = 0; i < kept.cost.size(); ++i) {
            const bool same =
                kept.status[i] == paths.status[i] && kept.cost[i] == paths.cost[i] &&
                (paths.cells.size() == 0 || std::ranges::equal(kept.cells[i], paths.cells[i]));
            wrong += same ? 0 : 1;
        }
        return wrong;
    }

    /// The number of answers, among the first optima.size(), that A*'s costs prove wrong.
    [[nodiscard]] std::uint64_t contradicting(bool exact, std::span<const Request> requests,
                                              const grid::Paths& paths,
                                              std::span<const Cost> optima, PathForm form) const {
        std::uint64_t wrong = 0;
        for (std::size_t i = 0; i < optima.size(); ++i) {
            const Cost cost = paths.cost[i];
            const bool found = paths.status[i] == StatusCode::ok;
            const bool listed = found && form == PathForm::cells && paths.cells.size() > 0;
            const bool right =
                found == (optima[i] < kInfinity) &&
                (exact ? cost == optima[i] : cost >= optima[i]) &&
                (!listed || path_cost(workload_.map_of(requests[i]), paths.cells[i]) == cost);
            wrong += right ? 0 : 1;
        }
        return wrong;
    }

    /// Measures batches of about as many agents as a frame can have: small batches take longer for
    /// each agent.
    [[nodiscard]] Status measure_frames(const RequestPlanner<Request>& planner, BatchRun& out) {
        for (std::size_t f = 0; f < kFrames.size(); ++f) {
            constexpr std::size_t kMostFrames = 25;
            const double time = kFramesShare * options_->flags.most_seconds / kFrames[f];
            const double fit = 1e6 * kFrames[f] / out.threads_us;
            const std::size_t most = out.chunk;
            const auto agents = std::clamp<std::size_t>(static_cast<std::size_t>(fit), 1, most);
            const auto in_time =
                std::clamp<std::size_t>(static_cast<std::size_t>(time), 1, kMostFrames);
            const auto frames = std::min(in_time, out.agents / agents);
            const auto requests = crowd(agents * frames, agents, out.shared);
            double seconds = 0;
            for (std::size_t frame = 0; frame < frames; ++frame) {
                double took = std::numeric_limits<double>::infinity();
                const auto part = std::span(requests).subspan(frame * agents, agents);
                Status s = run_batch(planner, part, out.form, options_->measure.threads, took);
                if (!s.ok()) return s;
                seconds += took;
            }
            out.in_frame[f] = kFrames[f] * static_cast<double>(agents * frames) / seconds;
        }
        return {};
    }

    [[nodiscard]] bool cancelled() const noexcept { return options_->measure.cancelled(); }

    Workload<Request> workload_;
    const BatchMeasureOptions* options_;
    bool first_ = true;       // no planner has run yet
    std::size_t sample_ = 0;  // most answers compared with A*'s
    std::size_t chunk_ = 0;   // most agents of a batch
    grid::Paths paths_;       // of the last batch
    grid::Astar astar_;
};

/// Options to build each index once: its build time is not measured.
MeasureOptions build_options(const BatchMeasureOptions& options) {
    MeasureOptions out = options.measure;
    out.rounds = 1;
    return out;
}

Row row_of(const BatchRun& run, const BatchMeasureOptions& options) {
    const auto whole = [&](std::size_t frame) {
        return static_cast<std::uint64_t>(std::floor(run.in_frame[frame]));
    };
    const int threads = options.measure.threads;
    const std::optional<DeviceRun>& device = run.device;
    const auto of_device = [&](auto DeviceRun::*figure) {
        return device ? Cell((*device).*figure) : Cell();
    };
    return {{"planner", run.planner},
            {"goals", run.shared ? "shared" : "random"},
            {"paths", kFormNames[static_cast<std::size_t>(run.form)]},
            {"loop_us", run.loop_us},
            {"one_thread_us", run.one_thread_us},
            {"all_threads_us", run.threads_us},
            {"in_40_ms", whole(0)},
            {"in_16_7_ms", whole(1)},
            {"agents", run.agents},
            {"batch_agents", run.chunk},
            {"batch_bytes", run.chunk_bytes},
            {"threads",
             threads > 0 ? static_cast<unsigned>(threads) : std::thread::hardware_concurrency()},
            {"device", device ? Cell(options.device->name()) : Cell()},
            {"device_us", of_device(&DeviceRun::us)},
            {"device_host_us", of_device(&DeviceRun::host_us)},
            {"device_bytes_copied", of_device(&DeviceRun::bytes)},
            {"device_host_share", of_device(&DeviceRun::on_host)},
            {"device_index_bytes", of_device(&DeviceRun::index_bytes)},
            {"wrong", run.wrong + (device ? device->wrong : 0)},
            {"note", run.note}};
}

template <class Request, class Planners>
Status measure_all(Workload<Request> workload, Planners planners,
                   std::span<const PlannerSpec> specs, const BatchMeasureOptions& options,
                   const Row& key, Sheets& sheets) {
    for (const PlannerSpec& spec : specs) {
        if (spec.is<grid::JpsPlanner>() || spec.is<jps_plus::Planner>()) {
            return {
                StatusCode::bad_option,
                fmt::format("--planners: {} has no batches: leave it out of --agents", spec.name)};
        }
    }
    Batches<Request> batches(std::move(workload), options);
    const auto rows = static_cast<double>(specs.size() * kForms.size() * 2);
    double rows_done = 0;
    const auto done = [&](const BatchRun& run) {
        if (options.progress) options.progress(++rows_done / rows);
        return sheets.add("batches", joined(key, row_of(run, options)));
    };
    for (const PlannerSpec& spec : specs) {
        const auto planner = planners.get(spec);
        Status status = planner ? batches.run(*planner, done) : planner.error();
        if (!status.ok()) return status;
    }
    return {};
}

}  // namespace

void BatchFlags::add_to(CLI::App& command) {
    CLI::Option* crowd = add_count(
        command, "--agents", agents, 10'000'000,
        "Find the paths of N agents at once, between random points: in a loop of single queries, "
        "in batches on one thread, and on all --threads; with every cell, turning cells, or the "
        "cost only; to random goals, or goals shared by 100 agents");
    for (const char* other : {"--edits", "--phases", "--queries", "--random"})
        crowd->excludes(command.get_option(other));
    CLI::Option* const others[] = {
        add_count(command, "--sample", sample, 10'000'000,
                  "Run A* for at most this many of the agents, and compare their costs with its "
                  "costs"),
        command
            .add_option("--most-seconds", most_seconds,
                        "Time for each row; slower planners serve only a part of the crowd. A map "
                        "has six rows for each planner, A* included, and takes about a minute with "
                        "the default planners, without building their indexes")
            ->check(CLI::Range(0.0, 1e6))
            ->capture_default_str(),
        command
            .add_option("--batch-mb", chunk_mb,
                        "Split larger crowds into batches whose paths take about this many MB")
            ->check(CLI::Range(1, 1'000'000))
            ->capture_default_str(),
        add_device_flag(command, device,
                        "Also run planners with cut labels on a device: gpu; host - the processors "
                        "in its place; auto - a GPU if there is one")};
    crowd->group("Many agents");
    for (CLI::Option* option : others) option->needs(crowd)->group("Many agents");
}

Status measure_batches(const grid::Map& map, std::span<const PlannerSpec> planners,
                       const BatchMeasureOptions& options, const Row& key, Sheets& sheets) {
    const auto problems = random_problems(map, options.flags.agents, options.seed);
    if (!problems) return problems.error();
    Workload<grid::Request> workload;
    workload.requests.reserve(problems->size());
    for (const Problem& p : *problems) workload.requests.push_back({p.start, p.goal});
    workload.map_of = [&](const grid::Request&) -> const grid::Map& { return map; };
    workload.region =
        [&map, components = grid::Components::build(map).value()](const grid::Request& request) {
            return std::uint64_t{components.of(map.cell(request.start))};
        };
    return measure_all(std::move(workload), CellPlanners(map, build_options(options)), planners,
                       options, key, sheets);
}

Status measure_batches(const haa::AnnotatedMap& map, std::span<const PlannerSpec> planners,
                       const BatchMeasureOptions& options, const Row& key, Sheets& sheets) {
    const auto problems = agent_problems(map, options.flags.agents, options.seed);
    if (!problems) return problems.error();
    Workload<haa::Request> workload;
    workload.requests.reserve(problems->queries.size());
    for (std::size_t i = 0; i < problems->queries.size(); ++i) {
        const Problem& p = problems->queries[i];
        workload.requests.push_back({p.start, p.goal, problems->agents[problems->owner(i)]});
    }
    std::vector<grid::Components> components;
    components.reserve(problems->maps.size());
    for (const grid::Map& own : problems->maps)
        components.push_back(grid::Components::build(own).value());
    workload.map_of = [&](const haa::Request& request) -> const grid::Map& {
        return problems->map_of(request.agent);
    };
    workload.region = [&](const haa::Request& request) {
        const std::size_t number = problems->number_of(request.agent);
        return std::uint64_t{number} << 32 | components[number].of(map.cell(request.start));
    };
    return measure_all(std::move(workload), AgentPlanners(map, *problems, build_options(options)),
                       planners, options, key, sheets);
}

}  // namespace cairn::app
