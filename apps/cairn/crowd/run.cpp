#include "crowd/run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <span>

#include "cairn/render/drawing.hpp"

namespace cairn::app {
namespace {

/// The most queries in a frame for a method on the host whose paths no agent follows.
constexpr std::size_t kSample = 512;
/// The most agents for which the baseline is run. It runs once a second.
constexpr std::size_t kBaselineSample = 64;

class CrowdRun {
public:
    CrowdRun(CrowdWorld& world, const CrowdPlan& plan, const Context& context)
        : world_(&world), plan_(&plan), context_(&context), random_(plan.seed) {
        figures_.walked.name = "as walked";
        figures_.ways.reserve(world.ways().size());
        for (const Way& way : world.ways()) figures_.ways.push_back({way.name, {}, 0, 0});
    }

    [[nodiscard]] Result<CrowdFigures> run() {
        walkers_.resize(static_cast<std::size_t>(plan_->agents));
        Status status = world_->settle(walkers_, plan_->goals, random_);
        if (status.ok()) status = start();
        if (!status.ok()) return tl::unexpected(std::move(status));
        ProgressBar bar("walking");
        const int frames = plan_->num_frames();
        for (int frame = 0; frame < frames && !figures_.stopped; ++frame) {
            status = run_frame(frame);
            if (status.code == StatusCode::cancelled) break;
            if (!status.ok()) return tl::unexpected(std::move(status));
            bar.show(static_cast<double>(frame + 1) / frames);
        }
        figures_.stopped = context_->cancel.cancelled();
        for (WayTimes& way : figures_.ways) std::sort(way.frames.begin(), way.frames.end());
        std::sort(figures_.walked.frames.begin(), figures_.walked.frames.end());
        return std::move(figures_);
    }

private:
    /// The best method on the host that is ready, other than the baseline. Agents follow its paths.
    [[nodiscard]] std::size_t leader() const {
        const std::vector<Way>& ways = world_->ways();
        std::size_t way = ways.size() - 2;
        while (way > 0 && (ways[way].on_device || !world_->ready(way))) --way;
        return way;
    }

    /// Finds the first paths of all agents.
    [[nodiscard]] Status start() {
        std::vector<std::uint32_t> all(walkers_.size());
        std::iota(all.begin(), all.end(), 0U);
        const auto answers = world_->ask(leader(), walkers_, all, true);
        if (!answers) return answers.error();
        if (context_->cancel.cancelled()) return fail(StatusCode::cancelled).value();
        figures_.start_seconds = answers->seconds;
        count(*answers);
        figures_.no_path = 0;
        return picture(0);
    }

    [[nodiscard]] Status run_frame(int frame) {
        Status status = world_->begin_frame(frame);
        if (!status.ok()) return status;
        asking_.clear();
        is_asking_.assign(walkers_.size(), false);
        if (status = edit(frame); !status.ok()) return status;
        gather(frame);
        if (status = ask(frame); !status.ok()) return status;
        const Walked walked = world_->walk(walkers_, plan_->speed / kFramesASecond);
        figures_.steps += walked.steps;
        figures_.illegal += walked.illegal;
        figures_.blocked += walked.blocked;
        add_to_trace();
        ++figures_.frames;
        return (frame + 1) % kFramesASecond == 0 ? picture((frame + 1) / kFramesASecond) : Status{};
    }

    /// The number of events that are due in the `frames` frames up to and including `frame`.
    [[nodiscard]] static std::uint64_t due(double per_second, int frame, int frames = 1) {
        const auto until = [per_second](int f) {
            return static_cast<std::uint64_t>(per_second * f / kFramesASecond);
        };
        return until(frame + 1) - until(frame + 1 - frames);
    }

    [[nodiscard]] Status edit(int frame) {
        if ((frame + 1) % plan_->edit_frames != 0) return {};
        const auto count = static_cast<int>(due(plan_->edits, frame, plan_->edit_frames));
        if (count == 0) return {};
        if (Status status = world_->edit(count, frame, walkers_, random_); !status.ok())
            return status;
        for (std::uint32_t i = 0; i < walkers_.size(); ++i) {
            if (!world_->cut(walkers_[i])) continue;
            ++figures_.cut;
            add(i);
        }
        return {};
    }

    /// Adds an agent to those that query in this frame, unless it is among them.
    void add(std::uint32_t i) {
        if (is_asking_[i]) return;
        is_asking_[i] = true;
        asking_.push_back(i);
    }

    /// Collects the agents that query in a frame: those that have arrived, which get a new goal,
    /// and some of the others in turn.
    void gather(int frame) {
        for (std::uint32_t i = 0; i < walkers_.size(); ++i) {
            Walker& walker = walkers_[i];
            if (walker.walks || walker.lost || is_asking_[i]) continue;
            world_->draw_goal(walker, random_);
            ++figures_.arrived;
            add(i);
        }
        const std::uint64_t turns = due(plan_->rate * plan_->agents, frame);
        for (std::uint64_t n = std::min<std::uint64_t>(turns, walkers_.size()); n > 0; --n) {
            Walker& walker = walkers_[turn_];
            if (walker.lost && !walker.walks && !is_asking_[turn_])
                world_->draw_goal(walker, random_);
            add(turn_);
            turn_ = static_cast<std::uint32_t>((turn_ + 1) % walkers_.size());
        }
    }

    [[nodiscard]] Status ask(int frame) {
        const std::size_t first = leader();
        if (first > 0 && world_->ways()[first].waits) ++figures_.label_frames;
        if (asking_.empty()) {
            figures_.walked.frames.push_back(0);
            return {};
        }
        // The other methods are queried first, before the agents take new paths: all methods start
        // from the same positions.
        struct Other {
            std::vector<std::uint32_t> who;  // positions in asking_
            Answers answers;
            bool baseline;
        };
        std::vector<Other> others;
        const std::size_t baseline = world_->ways().size() - 1;
        for (std::size_t way = 0; way <= baseline; ++way) {
            const bool asked =
                way != baseline ? way != first && world_->ready(way) : frame % kFramesASecond == 0;
            if (!asked) continue;
            const std::size_t most = way == baseline                 ? kBaselineSample
                                     : world_->ways()[way].on_device ? asking_.size()
                                                                     : kSample;
            auto positions = sample(most);
            std::vector<std::uint32_t> who;
            who.reserve(positions.size());
            for (const std::uint32_t p : positions) who.push_back(asking_[p]);
            auto answers = world_->ask(way, walkers_, who, false);
            if (!answers) return answers.error();
            if (context_->cancel.cancelled()) return fail(StatusCode::cancelled).value();
            time(figures_.ways[way], *answers);
            others.push_back({std::move(positions), std::move(*answers), way == baseline});
        }
        const auto answers = world_->ask(first, walkers_, asking_, true);
        if (!answers) return answers.error();
        if (context_->cancel.cancelled()) return fail(StatusCode::cancelled).value();
        time(figures_.ways[first], *answers);
        time(figures_.walked, *answers);
        figures_.queries += asking_.size();
        count(*answers);
        for (const Other& other : others)
            compare(*answers, other.who, other.answers, other.baseline);
        return {};
    }

    /// Up to `most` positions in asking_, evenly spread.
    [[nodiscard]] std::vector<std::uint32_t> sample(std::size_t most) const {
        const std::size_t size = std::min(most, asking_.size());
        std::vector<std::uint32_t> positions;
        positions.reserve(size);
        for (std::size_t i = 0; i < size; ++i)
            positions.push_back(static_cast<std::uint32_t>(i * asking_.size() / size));
        return positions;
    }

    /// Records the time of a batch, scaled up to all queries of the frame.
    void time(WayTimes& way, const Answers& answers) const {
        const auto asked = static_cast<double>(answers.status.size());
        const auto all = static_cast<double>(asking_.size());
        way.frames.push_back(answers.seconds * all / asked);
        way.queries += all;
        way.asked += answers.status.size();
    }

    /// Counts the answers that are no path.
    void count(const Answers& answers) {
        for (const StatusCode status : answers.status) {
            if (status == StatusCode::ok) continue;
            const bool none = status == StatusCode::no_path || status == StatusCode::goal_blocked;
            ++(none ? figures_.no_path : figures_.refused);
        }
    }

    /// Compares the answers of another method, which was asked at these positions in asking_, with
    /// those that the agents follow.
    void compare(const Answers& all, std::span<const std::uint32_t> positions, const Answers& some,
                 bool baseline) {
        figures_.differing += some.differing;
        for (std::size_t i = 0; i < positions.size(); ++i) {
            const std::uint32_t p = positions[i];
            ++figures_.compared;
            bool right = all.status[p] == some.status[i];
            if (world_->exact()) right = right && all.cost[p] == some.cost[i];
            if (baseline) right = right && some.cost[i] <= all.cost[p];
            figures_.differing += right ? 0 : 1;
        }
    }

    void add_to_trace() {
        for (const Walker& walker : walkers_) {
            for (const std::uint64_t part :
                 {std::uint64_t{walker.spot()}, std::uint64_t{walker.goal},
                  static_cast<std::uint64_t>(1e6 * walker.done)})
                figures_.trace = (figures_.trace ^ part) * 0x100'0000'01b3;
        }
    }

    [[nodiscard]] Status picture(int second) const {
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
    std::vector<std::uint32_t> asking_;
    std::vector<bool> is_asking_;
    std::uint32_t turn_ = 0;  // the next agent to query again
};

}  // namespace

double WayTimes::total() const noexcept {
    return std::accumulate(frames.begin(), frames.end(), 0.0);
}

Result<CrowdFigures> run_crowd(CrowdWorld& world, const CrowdPlan& plan, const Context& context) {
    return CrowdRun(world, plan, context).run();
}

}  // namespace cairn::app
