#pragma once
// What the worlds of all planners have in common: the methods to answer queries, and agents that
// draw goals on their part of the world.

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
#include "crowd/index.hpp"
#include "crowd/world.hpp"

namespace cairn::app {

template <class P>
struct EngineWay : Way {
    typename P::Engine engine = P::Engine::automatic;
};

/// The engines that an index has. Those that an edit drops are unavailable until a worker has
/// rebuilt their data.
template <class P>
[[nodiscard]] std::vector<EngineWay<P>> engine_ways(const typename P::Index& index) {
    using Engine = typename P::Engine;
    const bool subgoals = std::same_as<P, subgoal::Planner>;
    std::vector<EngineWay<P>> ways{{{subgoals                        ? "A* on subgoals"
                                     : std::same_as<P, hna::Planner> ? "A* on the HNG"
                                                                     : "A* on level 1",
                                     false},
                                    Engine::astar}};
    if (index.options().levels != 1) ways.push_back({{"levels", subgoals}, Engine::levels});
    if (index.has_labels()) ways.push_back({{"labels", true}, Engine::cut_labels});
    return ways;
}

/// The query of all agents. On meshes it includes every crossing, which agents follow.
template <class P>
[[nodiscard]] typename P::Query crowd_query(typename P::Engine engine) {
    typename P::Query query;
    query.engine = engine;
    if constexpr (requires { query.crossings; }) query.crossings = mesh::Crossings::all;
    return query;
}

/// Whether devices support the planner.
template <class P>
inline constexpr bool kKnownToDevices = !std::same_as<P, haa::Planner>;

/// A crowd's labels on a device, copied there again when edits have changed them.
template <class P>
class CrowdDevice {
public:
    using Index = typename P::Index;

    explicit CrowdDevice(const batch::Device& device) : device_(device), searcher_(device) {
        times_.name = device.name();
    }

    [[nodiscard]] Status load(const Index& index, std::uint64_t version) {
        loaded_.reset();  // its memory may be needed
        const double begin = now();
        auto loaded = OnDevice::load(device_, index);
        if (!loaded) return std::move(loaded.error());
        times_.loaded.push_back(now() - begin);
        times_.bytes = loaded->bytes();
        loaded_ = std::move(*loaded);
        version_ = version;
        return {};
    }

    /// Times the device, and compares its answers with the host's. Loads the index first if its
    /// version is new. Errors: those of loading and of batches.
    [[nodiscard]] Result<Answers> ask(const Index& index, std::uint64_t version,
                                      std::span<const typename P::Request> requests,
                                      const BuildControl& control) {
        Status status = version == version_ && loaded_ ? Status{} : load(index, version);
        if (!status.ok()) return tl::unexpected(std::move(status));
        const double begin = now();
        const auto paths = searcher_.find_paths(*loaded_, requests, {}, control);
        const double seconds = now() - begin;
        if (!paths) return tl::unexpected(paths.error());
        status = host_.find_paths(index, requests, expected_, device_query(), {}, control);
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

    /// What devices answer.
    [[nodiscard]] static typename P::Query device_query() {
        typename P::Query query = crowd_query<P>(P::Engine::cut_labels);
        if constexpr (requires { query.smoothing; }) query.smoothing = hpa::Smoothing::none;
        if constexpr (requires { P::Detail::corridor; }) query.detail = P::Detail::corridor;
        return query;
    }

    [[nodiscard]] std::uint64_t differing(const batch::DeviceItems& paths) const {
        const auto& lists = [this]() -> const auto& {
            if constexpr (requires { expected_.polygons; }) {
                return expected_.polygons;
            } else {
                return expected_.cells;
            }
        }
        ();
        std::uint64_t count = 0;
        for (std::size_t i = 0; i < paths.size(); ++i) {
            const bool equal = paths.status[i] == expected_.status[i] &&
                               paths.cost[i] == expected_.cost[i] &&
                               std::ranges::equal(paths.of(i), lists[i]);
            count += equal ? 0 : 1;
        }
        return count;
    }

    batch::Device device_;
    batch::DeviceSearcher searcher_;
    std::optional<OnDevice> loaded_;
    std::uint64_t version_ = 0;  // of loaded_
    batch::Searcher<P> host_;
    typename P::Paths expected_;
    DeviceTimes times_;
};

template <class P>
class PlannerWorld : public CrowdWorld {
public:
    using Index = typename P::Index;
    using Request = typename P::Request;

    PlannerWorld(const Index& index, const CrowdControl& control)
        : index_(index, control.label_frames),
          control_(control),
          engines_(engine_ways<P>(index)),
          ways_(engines_.begin(), engines_.end()) {
        ways_.push_back({"A* for each agent"});
    }

    /// Loads the index on the device, if there is one, so that an unsuitable one is refused at
    /// once. Errors: unsupported (no labels among others); those of loading.
    [[nodiscard]] Status open_device() {
        if constexpr (kKnownToDevices<P>) {
            if (!control_.device) return {};
            if (!index_.get().has_labels())
                return {StatusCode::unsupported,
                        "--device: the index has no cut labels to copy there"};
            device_ = std::make_unique<CrowdDevice<P>>(*control_.device);
            Status status = device_->load(index_.get(), 0);
            if (!status.ok()) return {status.code, fmt::format("--device: {}", status.message)};
            ways_.insert(ways_.end() - 1, Way{"labels on the device", true, true});
        }
        return {};
    }

    const char* planner() const noexcept override { return P::kName.data(); }
    bool exact() const noexcept override { return P::kExact; }
    const std::vector<Way>& ways() const noexcept override { return ways_; }
    bool ready(std::size_t way) const noexcept override {
        return !ways_[way].waits || index_.closed();
    }
    Status begin_frame(int frame) override { return index_.begin_frame(frame); }
    const EditTimes& edit_times() const noexcept override { return index_.times(); }
    const DeviceTimes* device_times() const noexcept override {
        return device_ ? &device_->times() : nullptr;
    }

    void draw_goal(Walker& walker, CrowdRandom& random) override {
        constexpr int kTries = 64;
        const auto& shared = goals_[walker.kind];
        // With a single goal, an agent that has arrived leaves for a place of its own and returns.
        const bool own = shared.empty() || (shared.size() == 1 && shared.front() == walker.spot());
        for (int i = 0; i < kTries; ++i) {
            walker.goal = own ? place(walker.kind, random) : shared[random() % shared.size()];
            if (walker.goal != walker.spot() && passable(walker.kind, walker.goal)) return;
        }
    }

    Result<Answers> ask(std::size_t way, std::span<Walker> walkers,
                        std::span<const std::uint32_t> who, bool take) override {
        std::vector<Request> requests;
        requests.reserve(who.size());
        for (const std::uint32_t i : who) requests.push_back(request_of(walkers[i]));
        const BuildControl control{{}, control_.cancel, control_.threads};
        if (way + 1 == ways_.size()) return ask_astar(requests, walkers, who, control);
        if constexpr (kKnownToDevices<P>) {
            if (ways_[way].on_device)
                return device_->ask(index_.get(), index_.version(), requests, control);
        }
        const double begin = now();
        Status status = searcher_.find_paths(index_.get(), requests, paths_,
                                             crowd_query<P>(engines_[way].engine), {}, control);
        const double seconds = now() - begin;
        if (!status.ok()) return tl::unexpected(std::move(status));
        if (take) {
            for (std::size_t i = 0; i < who.size(); ++i) send(walkers[who[i]], paths_, i);
        }
        return Answers{seconds, paths_.status, paths_.cost};
    }

    Walked walk(std::span<Walker> walkers, double length) override {
        Walked sum;
        for (Walker& walker : walkers) {
            if (walker.walks) go_on(walker, length, sum);
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

    /// Settles agents of all kinds in turn; `places` are those of each kind.
    [[nodiscard]] Status settle_on(std::vector<std::vector<Spot>> places, std::span<Walker> walkers,
                                   int goals, CrowdRandom& random) {
        places_ = std::move(places);
        goals_.resize(places_.size());
        passes_.resize(spots());
        std::vector<std::uint32_t> movable;
        for (std::uint32_t kind = 0; kind < places_.size(); ++kind) {
            if (places_[kind].size() < 2) continue;
            movable.push_back(kind);
            for (int i = 0; i < goals; ++i) goals_[kind].push_back(place(kind, random));
        }
        if (movable.empty()) {
            return {StatusCode::no_path,
                    fmt::format("no agent can go anywhere on this {}: nothing to do",
                                std::same_as<P, hna::Planner> ? "mesh" : "map")};
        }
        for (std::size_t i = 0; i < walkers.size(); ++i) {
            Walker& walker = walkers[i];
            walker.kind = movable[i % movable.size()];
            walker.spots = {place(walker.kind, random)};
            ++passes_[walker.spot()];
            draw_goal(walker, random);
        }
        return {};
    }
    [[nodiscard]] Spot place(std::uint32_t kind, CrowdRandom& random) const {
        return places_[kind][random() % places_[kind].size()];
    }

    [[nodiscard]] virtual bool passable(std::uint32_t kind, Spot spot) const noexcept = 0;
    [[nodiscard]] virtual Request request_of(const Walker& walker) const = 0;
    /// A* for each request, without an index.
    [[nodiscard]] virtual Result<Answers> ask_astar(std::span<const Request> requests,
                                                    std::span<Walker> walkers,
                                                    std::span<const std::uint32_t> who,
                                                    const BuildControl& control) = 0;
    /// Lets an agent follow one of the paths.
    virtual void send(Walker& walker, const Paths& paths, std::size_t number) = 0;
    /// Moves a walking agent on by `length`.
    virtual void go_on(Walker& walker, double length, Walked& sum) = 0;
    [[nodiscard]] virtual render::Position drawn_at(const Walker& walker) const = 0;
    [[nodiscard]] virtual Result<render::Drawing> draw(const render::Flow& flow,
                                                       const std::string& title) const = 0;

    CrowdIndex<P> index_;
    CrowdControl control_;
    std::vector<std::vector<Spot>> goals_;  // by kind: shared goals
    std::vector<std::uint32_t> passes_;
    Paths paths_;

private:
    std::vector<EngineWay<P>> engines_;
    std::vector<Way> ways_;
    std::vector<std::vector<Spot>> places_;   // by kind: the largest component
    std::unique_ptr<CrowdDevice<P>> device_;  // null if no device is used
    batch::Searcher<P> searcher_;
};

/// A world that is ready for agents, with control.device if there is one.
template <class World>
[[nodiscard]] Result<std::unique_ptr<CrowdWorld>> open_world(const typename World::Index& index,
                                                             const CrowdControl& control) {
    auto world = std::make_unique<World>(index, control);
    Status status = world->open_device();
    if constexpr (requires { world->read_maps(); }) {
        if (status.ok()) status = world->read_maps();
    }
    if (!status.ok()) return tl::unexpected(std::move(status));
    return world;
}

}  // namespace cairn::app
