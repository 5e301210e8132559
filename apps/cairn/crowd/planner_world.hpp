#pragma once
// What the worlds of all planners have in common: a map that edits change, the methods that are
// measured, a device, and agents that draw goals on their component of the world.

#include <fmt/format.h>

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "cairn/batch/batch.hpp"
#include "cairn/batch/device.hpp"
#include "cairn/haa/haa.hpp"
#include "cairn/hna/hna.hpp"
#include "cairn/hpa/hpa.hpp"
#include "cairn/render/flow_picture.hpp"
#include "cairn/subgoal/subgoal.hpp"
#include "command.hpp"
#include "crowd/world.hpp"
#include "text.hpp"

namespace cairn::app {

/// Whether an index can answer by an engine. Levels count only if there are several.
template <class P>
[[nodiscard]] bool answers_by(const typename P::Index& index, typename P::Engine engine) noexcept {
    using Engine = typename P::Engine;
    if (engine == Engine::cut_labels) return index.has_labels();
    if (engine == Engine::climb) return index.has_closure();
    if constexpr (requires { Engine::levels; }) {
        if (engine != Engine::levels) return true;
        if constexpr (requires { index.complete(); }) {
            if (!index.complete()) return false;  // edits drop the levels of subgoal graphs
        }
        return index.options().levels != 1;
    }
    return true;
}

template <class P>
struct EngineMethod : Method {
    typename P::Engine engine;
};

/// The engines that an index has.
template <class P>
[[nodiscard]] std::vector<EngineMethod<P>> engine_methods(const typename P::Index& index) {
    using Engine = typename P::Engine;
    const char* const astar = std::same_as<P, subgoal::Planner> ? "A* on subgoals"
                              : std::same_as<P, hna::Planner>   ? "A* on the HNG"
                                                                : "A* on level 1";
    std::vector<EngineMethod<P>> methods{{{astar}, Engine::astar}};
    if constexpr (requires { Engine::levels; }) methods.push_back({{"levels"}, Engine::levels});
    methods.push_back({{"climbing"}, Engine::climb});
    methods.push_back({{"labels"}, Engine::cut_labels});
    std::erase_if(methods, [&](const auto& m) { return !answers_by<P>(index, m.engine); });
    return methods;
}

/// The query of all agents. On meshes it returns every crossing of a portal, which agents follow.
template <class P>
[[nodiscard]] typename P::Query crowd_query(typename P::Engine engine) {
    typename P::Query query;
    query.engine = engine;
    if constexpr (requires { query.crossings; }) query.crossings = mesh::Crossings::all;
    return query;
}

/// Whether a device can answer queries of the planner in a crowd.
template <class P>
inline constexpr bool kRunsOnDevices = !std::same_as<P, haa::Planner>;

/// A crowd's labels on a device. They are copied there again after edits.
template <class P>
class CrowdDevice {
public:
    explicit CrowdDevice(const batch::Device& device) : device_(device), searcher_(device) {
        times_.name = device.name();
    }

    [[nodiscard]] Status load(const WorldSnapshot<P>& snapshot) {
        loaded_.reset();  // first, since memory may not be enough for both
        const double begin = now();
        auto loaded = OnDevice::load(device_, snapshot.index);
        if (!loaded) return std::move(loaded.error());
        times_.loaded.push_back(now() - begin);
        times_.bytes = loaded->bytes();
        if constexpr (std::same_as<P, hna::Planner>) {
            const auto statistics = snapshot.index.statistics();
            if (!statistics) return statistics.error();
            query_.engine = statistics->label_piece == 0 ? batch::DeviceEngine::cut_labels
                                                         : batch::DeviceEngine::climb;
        }
        loaded_ = std::move(*loaded);
        edits_ = snapshot.edits;
        return {};
    }

    /// Times the device, and compares its answers with the host's. Loads the index first if it is
    /// not the one loaded. Errors: those of loading and of batches.
    [[nodiscard]] Result<Answers> find_paths(const WorldSnapshot<P>& snapshot,
                                             std::span<const typename P::Request> requests,
                                             const BuildControl& control) {
        Status status = loaded_ && snapshot.edits == edits_ ? Status{} : load(snapshot);
        if (!status.ok()) return tl::unexpected(std::move(status));
        const double begin = now();
        const auto paths = searcher_.find_paths(*loaded_, requests, query_, control);
        const double seconds = now() - begin;
        if (!paths) return tl::unexpected(paths.error());
        status = host_.find_paths(snapshot.index, requests, expected_, device_query(), {}, control);
        if (!status.ok()) return tl::unexpected(std::move(status));
        return Answers{seconds,
                       {paths->status.begin(), paths->status.end()},
                       {paths->cost.begin(), paths->cost.end()},
                       differing(*paths)};
    }

    [[nodiscard]] const DeviceTimes& times() const noexcept { return times_; }

private:
    using OnDevice = std::conditional_t<std::same_as<P, hna::Planner>, batch::DeviceIndex,
                                        batch::DeviceGridIndex>;

    /// The query that devices answer, for the host.
    [[nodiscard]] static typename P::Query device_query() {
        typename P::Query query = crowd_query<P>(P::Engine::cut_labels);
        if constexpr (requires { query.smoothing; }) query.smoothing = hpa::Smoothing::none;
        if constexpr (requires { P::Detail::corridor; }) query.detail = P::Detail::corridor;
        return query;
    }

    /// The cells or polygons that the host found, a list for each query.
    [[nodiscard]] const auto& expected_spots() const noexcept {
        if constexpr (requires { expected_.polygons; }) {
            return expected_.polygons;
        } else {
            return expected_.cells;
        }
    }

    /// The number of the device's answers that differ from the host's.
    [[nodiscard]] std::uint64_t differing(const batch::DeviceItems& paths) const {
        std::uint64_t count = 0;
        for (std::size_t i = 0; i < paths.size(); ++i) {
            const bool equal = paths.status[i] == expected_.status[i] &&
                               paths.cost[i] == expected_.cost[i] &&
                               std::ranges::equal(paths.of(i), expected_spots()[i]);
            count += equal ? 0 : 1;
        }
        return count;
    }

    batch::Device device_;
    batch::DeviceSearcher searcher_;
    std::optional<OnDevice> loaded_;
    std::conditional_t<std::same_as<P, hna::Planner>, batch::DeviceQuery, batch::DeviceGridQuery>
        query_;
    std::uint64_t edits_ = 0;  // made before loaded_
    batch::Searcher<P> host_;
    typename P::Paths expected_;
    DeviceTimes times_;
};

/// The world of an index of planner P. Derived classes say how agents move. Agents follow
/// Engine::automatic, whose paths do not depend on the speed of the worker: with the closure it
/// takes labels or climbs, which gives the same paths; an index without the closure never gets one
/// by edits, nor labels.
template <class P>
class PlannerWorld : public CrowdWorld {
public:
    using Planner = P;
    using Index = typename P::Index;
    using Request = typename P::Request;

    PlannerWorld(World<P> world, const CrowdControl& control)
        : world_(std::move(world)),
          searcher_(world_),
          now_(searcher_.snapshot()),
          control_(control),
          engines_(engine_methods<P>(now_.index)),
          methods_(engines_.begin(), engines_.end()) {
        methods_.push_back({"A* for each agent"});
    }

    /// Reads the map, and loads the index on the device of the control, if there is one: errors
    /// show before the run. Call it once. Errors: unsupported (the index has no labels for a
    /// device); those of loading and of reading the map.
    [[nodiscard]] Status open() {
        if constexpr (kRunsOnDevices<P>) {
            if (control_.device) {
                if (!now_.index.has_labels())
                    return {StatusCode::unsupported,
                            "--device: the index has no cut labels to copy there"};
                device_ = std::make_unique<CrowdDevice<P>>(*control_.device);
                Status status = device_->load(now_);
                if (!status.ok()) return {status.code, fmt::format("--device: {}", status.message)};
                methods_.insert(methods_.end() - 1, Method{"labels on the device", true});
            }
        }
        return read_map();
    }

    const char* planner() const noexcept override { return P::kName.data(); }
    bool exact() const noexcept override { return P::kExact; }
    const std::vector<Method>& methods() const noexcept override { return methods_; }
    void take_snapshot() override { now_ = searcher_.snapshot(); }
    bool ready(std::size_t method) const noexcept override {
        if (method < engines_.size()) return answers_by<P>(now_.index, engines_[method].engine);
        return !methods_[method].on_device || has_labels();
    }
    bool has_labels() const noexcept override { return now_.index.has_labels(); }
    const EditFigures& edit_figures() const noexcept override { return figures_; }
    const DeviceTimes* device_times() const noexcept override {
        return device_ ? &device_->times() : nullptr;
    }

    void draw_goal(Walker& walker, CrowdRandom& random) override {
        constexpr int kTries = 64;
        const auto& shared = goals_[walker.kind];
        // With a single shared goal, an agent on that goal goes to one of its own in between.
        const bool own = shared.empty() || (shared.size() == 1 && shared.front() == walker.spot());
        for (int i = 0; i < kTries; ++i) {
            walker.goal = own ? random_spot(walker.kind, random) : shared[random() % shared.size()];
            if (walker.goal != walker.spot() && passable(walker.kind, walker.goal)) return;
        }
    }

    Result<Answers> find_paths(std::span<const Walker> walkers,
                               std::span<const std::uint32_t> chosen) override {
        return find_by(P::Engine::automatic, requests_of(walkers, chosen), found_);
    }
    Result<Answers> measure(std::size_t method, std::span<const Walker> walkers,
                            std::span<const std::uint32_t> chosen) override {
        const std::vector<Request> requests = requests_of(walkers, chosen);
        if (method < engines_.size()) return find_by(engines_[method].engine, requests, measured_);
        if constexpr (kRunsOnDevices<P>) {
            if (methods_[method].on_device)
                return device_->find_paths(now_, requests, batch_control());
        }
        return find_by_astar(requests, walkers, chosen, batch_control());
    }
    void follow_paths(std::span<Walker> walkers, std::span<const std::uint32_t> chosen) override {
        for (std::size_t i = 0; i < chosen.size(); ++i) follow(walkers[chosen[i]], found_, i);
    }

    Status edit(int count, std::span<const Walker> walkers, CrowdRandom& random) override {
        legal_at_ = now_.edits;
        mark_taken(walkers);
        std::vector<Edit> edits;
        for (int i = 0; i < count; ++i) {
            const auto drawn = draw_edit(random);
            if (!drawn) return drawn.error();
            if (!*drawn) {
                ++figures_.skipped;
                continue;
            }
            edits.push_back((*drawn)->edit);
            ++((*drawn)->frees ? figures_.freed : figures_.blocked);
        }
        if (edits.empty()) return {};
        const double begin = now();
        const auto number = world_.edit(edits);
        figures_.edited.push_back(now() - begin);
        if (!number) return number.error();
        take_snapshot();
        return read_map();
    }
    bool stop_if_cut(Walker& walker) override {
        const auto rest = std::span(walker.spots).subspan(walker.at);
        return walker.walking && !searcher_.path_valid({request_of(walker), rest}, legal_at_);
    }
    void finish_work() override {
        const double begin = now();
        while (!batch_control().cancelled() && world_.work()) {
        }
        figures_.left = now() - begin;
        figures_.work = world_.work_status();
    }

    WalkCounts walk(std::span<Walker> walkers, double length) override {
        WalkCounts sum;
        for (Walker& walker : walkers) {
            if (walker.walking) advance(walker, length, sum);
            sum.blocked += passable(walker.kind, walker.spot()) ? 0 : 1;
        }
        return sum;
    }

    Result<render::Drawing> draw_flow(const std::string& title) const override {
        return draw({passes_, {}}, title);
    }
    Result<render::Drawing> draw_agents(std::span<const Walker> walkers,
                                        const std::string& title) const override {
        render::Flow flow;
        flow.agents.reserve(walkers.size());
        for (const Walker& walker : walkers) flow.agents.push_back(drawn_at(walker));
        return draw(flow, title);
    }

protected:
    using Paths = typename P::Paths;
    using Edit = typename P::Edit;
    using Drawn = DrawnEdit<Edit>;

    [[nodiscard]] const Index& index() const noexcept { return now_.index; }

    /// Places agents of all kinds in turn. `spots`: those that each kind can use.
    [[nodiscard]] Status place_agents_on(std::vector<std::vector<Spot>> spots,
                                         std::span<Walker> walkers, int goals,
                                         CrowdRandom& random) {
        component_ = std::move(spots);
        goals_.resize(component_.size());
        passes_.resize(num_spots());
        std::vector<std::uint32_t> movable;
        for (std::uint32_t kind = 0; kind < component_.size(); ++kind) {
            if (component_[kind].size() < 2) continue;
            movable.push_back(kind);
            for (int i = 0; i < goals; ++i) goals_[kind].push_back(random_spot(kind, random));
        }
        if (movable.empty()) {
            return {StatusCode::no_path,
                    fmt::format("no agent can go anywhere on this {}: nothing to do",
                                std::same_as<P, hna::Planner> ? "mesh" : "map")};
        }
        for (std::size_t i = 0; i < walkers.size(); ++i) {
            Walker& walker = walkers[i];
            walker.kind = movable[i % movable.size()];
            walker.spots = {random_spot(walker.kind, random)};
            ++passes_[walker.spot()];
            draw_goal(walker, random);
        }
        return {};
    }
    [[nodiscard]] Spot random_spot(std::uint32_t kind, CrowdRandom& random) const {
        return component_[kind][random() % component_[kind].size()];
    }

    [[nodiscard]] virtual bool passable(std::uint32_t kind, Spot spot) const noexcept = 0;
    /// Reads what the world keeps of the map besides the index, at first and after each edit.
    [[nodiscard]] virtual Status read_map() { return {}; }
    /// Marks the places under agents and shared goals: `draw_edit` blocks none of them.
    virtual void mark_taken(std::span<const Walker> walkers) = 0;
    /// The next change; std::nullopt if no room for one was found. Errors: unsupported (nothing can
    /// be blocked).
    [[nodiscard]] virtual Result<std::optional<Drawn>> draw_edit(CrowdRandom& random) = 0;
    /// From where the agent can turn to its goal.
    [[nodiscard]] virtual Request request_of(const Walker& walker) const = 0;
    /// The baseline: A* for each request, without an index.
    [[nodiscard]] virtual Result<Answers> find_by_astar(std::span<const Request> requests,
                                                        std::span<const Walker> walkers,
                                                        std::span<const std::uint32_t> chosen,
                                                        const BuildControl& control) = 0;
    /// Lets an agent follow paths[number], or wait where it is if that is no path.
    virtual void follow(Walker& walker, const Paths& paths, std::size_t number) = 0;
    /// Moves a walking agent on by `length`, and adds to `sum`.
    virtual void advance(Walker& walker, double length, WalkCounts& sum) = 0;
    /// The agent's position in pictures of agents.
    [[nodiscard]] virtual render::Position drawn_at(const Walker& walker) const = 0;
    [[nodiscard]] virtual Result<render::Drawing> draw(const render::Flow& flow,
                                                       const std::string& title) const = 0;

    std::vector<std::vector<Spot>> goals_;  // by kind: shared goals
    std::vector<std::uint32_t> passes_;     // by spot: agents that began there or entered it
    Paths measured_;                        // that nobody follows

private:
    [[nodiscard]] std::vector<Request> requests_of(std::span<const Walker> walkers,
                                                   std::span<const std::uint32_t> chosen) const {
        return mapped(chosen, [&](std::uint32_t i) { return request_of(walkers[i]); });
    }
    [[nodiscard]] BuildControl batch_control() const {
        return {{}, control_.cancel, control_.threads};
    }
    [[nodiscard]] Result<Answers> find_by(typename P::Engine engine,
                                          std::span<const Request> requests, Paths& paths) {
        const double begin = now();
        Status status =
            searcher_.find_paths(requests, paths, crowd_query<P>(engine), {}, batch_control());
        const double seconds = now() - begin;
        if (!status.ok()) return tl::unexpected(std::move(status));
        return Answers{seconds, paths.status, paths.cost};
    }

    World<P> world_;
    WorldSearcher<P> searcher_;
    WorldSnapshot<P> now_;
    CrowdControl control_;
    EditFigures figures_;
    Paths found_;
    std::uint64_t legal_at_ = 0;  // the number of edits at which all agents' paths were legal
    std::vector<EngineMethod<P>> engines_;
    std::vector<Method> methods_;  // the engines, the device if there is one, and the baseline
    std::vector<std::vector<Spot>> component_;  // by kind: the spots of the largest component
    std::unique_ptr<CrowdDevice<P>> device_;    // null if no device is used
};

/// Makes a world of class W that is ready for agents. Errors: those of open.
template <class W>
[[nodiscard]] Result<std::unique_ptr<CrowdWorld>> open_world(const typename W::Index& index,
                                                             const CrowdControl& control) {
    auto kept = World<typename W::Planner>::create(index, control.world);
    if (!kept) return tl::unexpected(std::move(kept.error()));
    auto world = std::make_unique<W>(*std::move(kept), control);
    Status status = world->open();
    if (!status.ok()) return tl::unexpected(std::move(status));
    return world;
}

}  // namespace cairn::app
