// The run of `cairn crowd`, frame by frame: edits, queries, steps.

#include "crowd/run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <span>

#include "cairn/render/drawing.hpp"
#include "text.hpp"

namespace cairn::app {
namespace {

/// The most queries in a frame for methods on the host.
constexpr std::size_t kSample = 512;
/// The same for the baseline, which answers in one frame a second.
constexpr std::size_t kBaselineSample = 64;

class CrowdRun {
public:
    CrowdRun(CrowdWorld& world, const CrowdPlan& plan, const Context& context)
        : world_(&world), plan_(&plan), context_(&context), random_(plan.seed) {
        figures_.walked.name = "as walked";
        figures_.methods.reserve(world.methods().size());
        for (const Method& method : world.methods())
            figures_.methods.push_back({method.name, {}, 0, 0});
    }

    [[nodiscard]] Result<CrowdFigures> run() {
        walkers_.resize(static_cast<std::size_t>(plan_->agents));
        Status status = world_->place_agents(walkers_, plan_->goals, random_);
        if (status.ok()) status = start();
        if (!status.ok()) return tl::unexpected(std::move(status));
        ProgressBar bar("walking");
        const int frames = plan_->num_frames();
        for (int frame = 0; frame < frames && !context_->cancel.cancelled(); ++frame) {
            status = run_frame(frame);
            if (status.code == StatusCode::cancelled) break;
            if (!status.ok()) return tl::unexpected(std::move(status));
            bar.show(static_cast<double>(frame + 1) / frames);
        }
        figures_.stopped = context_->cancel.cancelled();
        world_->finish_work();
        for (MethodTimes& times : figures_.methods)
            std::sort(times.frames.begin(), times.frames.end());
        std::sort(figures_.walked.frames.begin(), figures_.walked.frames.end());
        return std::move(figures_);
    }

private:
    /// Finds the first paths of all agents.
    [[nodiscard]] Status start() {
        std::vector<std::uint32_t> all(walkers_.size());
        std::iota(all.begin(), all.end(), 0U);
        const auto answers = world_->find_paths(walkers_, all);
        if (!answers) return answers.error();
        if (context_->cancel.cancelled()) return fail(StatusCode::cancelled).value();
        world_->follow_paths(walkers_, all);
        figures_.start_seconds = answers->seconds;
        count_failures(*answers);
        figures_.no_path = 0;  // counted in frames only
        return write_picture(0);
    }

    [[nodiscard]] Status run_frame(int frame) {
        querying_.clear();
        is_querying_.assign(walkers_.size(), false);
        Status status = edit(frame);
        if (!status.ok()) return status;
        collect_queries(frame);
        if (status = find_paths(frame); !status.ok()) return status;
        const WalkCounts counts = world_->walk(walkers_, plan_->speed / kFramesPerSecond);
        figures_.steps += counts.steps;
        figures_.illegal += counts.illegal;
        figures_.blocked += counts.blocked;
        add_to_trace();
        ++figures_.frames;
        const int frames_done = frame + 1;
        if (frames_done % kFramesPerSecond != 0) return {};
        return write_picture(frames_done / kFramesPerSecond);
    }

    /// The number of events due in the `count` frames that end with `frame`.
    [[nodiscard]] static std::uint64_t due(double per_second, int frame, int count = 1) {
        const auto before = [per_second](int f) {  // the events before frame f
            return static_cast<std::uint64_t>(per_second * f / kFramesPerSecond);
        };
        return before(frame + 1) - before(frame + 1 - count);
    }

    /// Makes the changes due in this frame. Agents whose path they cut query in this frame.
    [[nodiscard]] Status edit(int frame) {
        if ((frame + 1) % plan_->edit_frames != 0) return {};
        const auto count = static_cast<int>(due(plan_->edits, frame, plan_->edit_frames));
        if (count == 0) return {};
        if (Status status = world_->edit(count, walkers_, random_); !status.ok()) return status;
        for (std::uint32_t i = 0; i < walkers_.size(); ++i) {
            if (!world_->stop_if_cut(walkers_[i])) continue;
            ++figures_.cut;
            add_query(i);
        }
        return {};
    }

    /// Adds agent `i` to those that query in this frame, once.
    void add_query(std::uint32_t i) {
        if (is_querying_[i]) return;
        is_querying_[i] = true;
        querying_.push_back(i);
    }

    /// Adds the other agents that query in this frame: those that have arrived, which get a new
    /// goal, and those whose turn it is. All agents take turns, as many in a frame as --rate says.
    void collect_queries(int frame) {
        for (std::uint32_t i = 0; i < walkers_.size(); ++i) {
            Walker& walker = walkers_[i];
            if (walker.walking || walker.lost || is_querying_[i]) continue;
            world_->draw_goal(walker, random_);
            ++figures_.arrived;
            add_query(i);
        }
        const std::uint64_t turns =
            std::min<std::uint64_t>(due(plan_->rate * plan_->agents, frame), walkers_.size());
        for (std::uint64_t i = 0; i < turns; ++i) {
            Walker& walker = walkers_[turn_];
            if (walker.lost && !walker.walking && !is_querying_[turn_])
                world_->draw_goal(walker, random_);
            add_query(turn_);
            turn_ = static_cast<std::uint32_t>((turn_ + 1) % walkers_.size());
        }
    }

    /// Finds the paths of the agents that query in this frame, and compares them with those of the
    /// methods that are ready.
    [[nodiscard]] Status find_paths(int frame) {
        world_->take_snapshot();
        figures_.label_frames += world_->has_labels() ? 1 : 0;
        if (querying_.empty()) {
            figures_.walked.frames.push_back(0);
            return {};
        }
        // First, with caches as cold as in a game. The agents stay where they are until all methods
        // have answered the same requests.
        const auto followed = world_->find_paths(walkers_, querying_);
        if (!followed) return followed.error();
        if (context_->cancel.cancelled()) return fail(StatusCode::cancelled).value();
        record_time(figures_.walked, *followed);
        figures_.queries += querying_.size();
        count_failures(*followed);
        const std::size_t baseline = world_->methods().size() - 1;
        for (std::size_t method = 0; method <= baseline; ++method) {
            if (!world_->ready(method)) continue;
            if (method == baseline && frame % kFramesPerSecond != 0) continue;
            const std::size_t most = method == baseline                    ? kBaselineSample
                                     : world_->methods()[method].on_device ? querying_.size()
                                                                           : kSample;
            const auto positions = sample(most);
            const auto chosen =
                mapped(positions, [&](std::uint32_t position) { return querying_[position]; });
            const auto answers = world_->measure(method, walkers_, chosen);
            if (!answers) return answers.error();
            if (context_->cancel.cancelled()) return fail(StatusCode::cancelled).value();
            record_time(figures_.methods[method], *answers);
            compare(*followed, *answers, positions, method == baseline);
        }
        world_->follow_paths(walkers_, querying_);
        return {};
    }

    /// Up to `most` positions in querying_, evenly spread.
    [[nodiscard]] std::vector<std::uint32_t> sample(std::size_t most) const {
        const std::size_t size = std::min(most, querying_.size());
        std::vector<std::uint32_t> positions;
        positions.reserve(size);
        for (std::size_t i = 0; i < size; ++i)
            positions.push_back(static_cast<std::uint32_t>(i * querying_.size() / size));
        return positions;
    }

    /// Records the time of a batch, scaled up to all queries of the frame.
    void record_time(MethodTimes& times, const Answers& answers) const {
        const auto measured = static_cast<double>(answers.status.size());
        const auto all = static_cast<double>(querying_.size());
        times.frames.push_back(answers.seconds * all / measured);
        times.queries += all;
        times.measured += answers.status.size();
    }

    /// Counts the answers that are no path.
    void count_failures(const Answers& answers) {
        for (const StatusCode status : answers.status) {
            if (status == StatusCode::ok) continue;
            const bool none = status == StatusCode::no_path || status == StatusCode::goal_blocked;
            ++(none ? figures_.no_path : figures_.refused);
        }
    }

    /// Compares the answers that agents follow with those of another method, which are to the
    /// queries at `positions` in querying_.
    void compare(const Answers& followed, const Answers& other,
                 std::span<const std::uint32_t> positions, bool baseline) {
        figures_.differing += other.differing;
        for (std::size_t i = 0; i < positions.size(); ++i) {
            const std::uint32_t p = positions[i];
            ++figures_.compared;
            bool right = followed.status[p] == other.status[i];
            if (world_->exact()) right = right && followed.cost[p] == other.cost[i];
            if (baseline) right = right && other.cost[i] <= followed.cost[p];
            figures_.differing += right ? 0 : 1;
        }
    }

    /// Hashes the positions, as FNV-1a hashes bytes.
    void add_to_trace() {
        constexpr std::uint64_t kPrime = 0x100'0000'01b3;
        for (const Walker& walker : walkers_) {
            for (const std::uint64_t part :
                 {std::uint64_t{walker.spot()}, std::uint64_t{walker.goal},
                  static_cast<std::uint64_t>(1e6 * walker.progress)})
                figures_.trace = (figures_.trace ^ part) * kPrime;
        }
    }

    [[nodiscard]] Status write_picture(int second) const {
        if (plan_->frames.empty()) return {};
        const auto drawing = world_->draw_agents(
            walkers_, fmt::format("{} agents after {} s", walkers_.size(), second));
        if (!drawing) return drawing.error();
        return render::write_picture(fmt::format("{}{:04}.png", plan_->frames, second), *drawing);
    }

    CrowdWorld* world_;
    const CrowdPlan* plan_;
    const Context* context_;
    CrowdRandom random_;
    CrowdFigures figures_;
    std::vector<Walker> walkers_;
    std::vector<std::uint32_t> querying_;  // the agents that query in this frame
    std::vector<bool> is_querying_;        // the same, by agent
    std::uint32_t turn_ = 0;               // the next agent to query by --rate
};

}  // namespace

double MethodTimes::total() const noexcept {
    return std::accumulate(frames.begin(), frames.end(), 0.0);
}

Result<CrowdFigures> run_crowd(CrowdWorld& world, const CrowdPlan& plan, const Context& context) {
    return CrowdRun(world, plan, context).run();
}

}  // namespace cairn::app
