#include <algorithm>
#include <utility>

#include "cairn/grid/components.hpp"
#include "cairn/grid/planners.hpp"
#include "cairn/render/flow_picture.hpp"
#include "crowd/device.hpp"
#include "crowd/edits.hpp"
#include "crowd/index.hpp"
#include "crowd/planners.hpp"
#include "crowd/world.hpp"

namespace cairn::app {
namespace {

using grid::Cell;
using grid::Map;
using grid::Rect;

constexpr int kGoalTries = 64;

/// The direction of a legal step from one cell to the next, or -1.
int legal_step(const Map& map, Cell from, Cell to) noexcept {
    const grid::Point a = map.point(from);
    const grid::Point b = map.point(to);
    const int dx = b.x - a.x;
    const int dy = b.y - a.y;
    if (std::abs(dx) > 1 || std::abs(dy) > 1 || (dx == 0 && dy == 0)) return -1;
    const int direction = grid::direction_of(dx, dy);
    return (map.moves(from) >> direction & 1) != 0 ? direction : -1;
}

template <class P>
class GridWorld final : public CrowdWorld {
public:
    using Index = typename P::Index;
    using Request = typename P::Request;

    GridWorld(const Index& index, const CrowdControl& control)
        : index_(index, control.label_frames), control_(control), kinds_(agent_kinds(index)) {
        engines_ = engine_ways<P>(index);
        ways_.assign(engines_.begin(), engines_.end());
        ways_.push_back({"A* for each agent"});
    }

    void use(std::unique_ptr<CrowdDevice<Index, Request>> device) {
        device_ = std::move(device);
        ways_.insert(ways_.end() - 1, device_way());
    }

    /// After construction. Errors: as haa::Index::view.
    [[nodiscard]] Status read_maps() {
        std::vector<Map> maps;
        maps.reserve(kinds_.size());
        for (const haa::Agent agent : kinds_) {
            auto map = map_of(index_.get(), agent);
            if (!map) return std::move(map.error());
            maps.push_back(std::move(*map));
        }
        maps_ = std::move(maps);
        passes_.resize(maps_.front().size());
        return {};
    }

    const char* planner() const noexcept override { return P::kName.data(); }
    const char* spot_word() const noexcept override { return "cells"; }
    std::size_t spots() const noexcept override { return maps_.front().size(); }
    bool exact() const noexcept override { return P::kExact; }
    const std::vector<Way>& ways() const noexcept override { return ways_; }
    bool ready(std::size_t way) const noexcept override {
        return !ways_[way].waits || index_.closed();
    }

    Status settle(std::span<Walker> walkers, int goals, CrowdRandom& random) override {
        std::vector<std::uint32_t> movable;
        places_.resize(maps_.size());
        goals_.resize(maps_.size());
        for (std::uint32_t kind = 0; kind < maps_.size(); ++kind) {
            places_[kind] = largest_component(maps_[kind]);
            if (places_[kind].size() < 2) continue;
            movable.push_back(kind);
            for (int i = 0; i < goals; ++i) goals_[kind].push_back(place(kind, random));
        }
        if (movable.empty())
            return {StatusCode::no_path, "no agent can go anywhere on this map: nothing to do"};
        for (std::size_t i = 0; i < walkers.size(); ++i) {
            Walker& walker = walkers[i];
            walker.kind = movable[i % movable.size()];
            walker.spots = {place(walker.kind, random)};
            ++passes_[walker.spot()];
            draw_goal(walker, random);
        }
        return {};
    }

    void draw_goal(Walker& walker, CrowdRandom& random) override {
        const auto& shared = goals_[walker.kind];
        // With a single goal, an agent that has arrived leaves for a place of its own and returns.
        const bool own = shared.empty() || (shared.size() == 1 && shared.front() == walker.spot());
        for (int i = 0; i < kGoalTries; ++i) {
            walker.goal = own ? place(walker.kind, random) : shared[random() % shared.size()];
            if (walker.goal != walker.spot() && maps_[walker.kind].passable(walker.goal)) return;
        }
    }

    Result<Answers> ask(std::size_t way, std::span<Walker> walkers,
                        std::span<const std::uint32_t> who, bool take) override {
        std::vector<Request> requests;
        requests.reserve(who.size());
        for (const std::uint32_t i : who) requests.push_back(request_of(walkers[i]));
        BuildControl control;
        control.cancel = control_.cancel;
        control.threads = control_.threads;
        if (way + 1 == ways_.size()) return ask_astar(requests, walkers, who, control);
        if (ways_[way].on_device)
            return device_->ask(index_.get(), index_.version(), requests, control);
        const double begin = now();
        Status status = searcher_.find_paths(index_.get(), requests, paths_,
                                             crowd_query<P>(engines_[way].engine), {}, control);
        const double seconds = now() - begin;
        if (!status.ok()) return tl::unexpected(std::move(status));
        if (take) {
            for (std::size_t i = 0; i < who.size(); ++i)
                send(walkers[who[i]], paths_.status[i], paths_.cells[i]);
        }
        return Answers{seconds, paths_.status, paths_.cost};
    }

    Walked walk(std::span<Walker> walkers, double length) override {
        Walked sum;
        for (Walker& walker : walkers) {
            const Map& map = maps_[walker.kind];
            if (walker.walks) go_on(map, walker, length, sum);
            sum.blocked += map.passable(walker.spot()) ? 0 : 1;
        }
        return sum;
    }

    Status begin_frame(int frame) override { return index_.begin_frame(frame); }

    Status edit(int count, int frame, std::span<const Walker> walkers,
                CrowdRandom& random) override {
        mark_taken(walkers);
        Status status = index_.edit(count, [&] { return edits_.draw(index_.get(), random); });
        if (status.ok()) status = read_maps();
        if (status.ok()) index_.close(frame);
        return status;
    }
    /// An agent in the middle of a step that has become illegal goes back.
    bool cut(Walker& walker) const override {
        if (!walker.walks) return false;
        const Map& map = maps_[walker.kind];
        for (std::size_t i = walker.at; i + 1 < walker.spots.size(); ++i) {
            if (legal_step(map, walker.spots[i], walker.spots[i + 1]) >= 0) continue;
            if (i == walker.at) walker.done = 0;
            return true;
        }
        return false;
    }
    const EditTimes& edit_times() const noexcept override { return index_.times(); }
    const DeviceTimes* device_times() const noexcept override {
        return device_ ? &device_->times() : nullptr;
    }

    Result<render::Drawing> draw_flow(const std::string& title) const override {
        render::MapPicture picture;
        picture.title = title;
        return render::draw_flow(maps_.front(), {passes_, {}}, picture);
    }
    Result<render::Drawing> draw_agents(std::span<const Walker> walkers,
                                        const std::string& title) const override {
        render::MapPicture picture;
        picture.title = title;
        render::Flow flow;
        flow.agents.reserve(walkers.size());
        for (const Walker& walker : walkers) flow.agents.push_back(position(walker));
        return render::draw_flow(maps_.front(), flow, picture);
    }

private:
    [[nodiscard]] static std::vector<Cell> largest_component(const Map& map) {
        const auto components = grid::Components::build(map);
        std::vector<Cell> cells;
        if (components.count() == 0) return cells;
        const std::uint32_t largest = components.largest();
        cells.reserve(components.size(largest));
        for (Cell cell = 0; cell < map.size(); ++cell) {
            if (components.of(cell) == largest) cells.push_back(cell);
        }
        return cells;
    }
    [[nodiscard]] Cell place(std::uint32_t kind, CrowdRandom& random) const {
        return places_[kind][random() % places_[kind].size()];
    }

    /// Whether it is between two cells.
    [[nodiscard]] static bool between(const Walker& walker) noexcept {
        return walker.walks && walker.done > 0;
    }

    /// Its request, from the next cell where it can turn.
    [[nodiscard]] Request request_of(const Walker& walker) const {
        const Map& map = maps_[walker.kind];
        const Cell from = between(walker) ? walker.spots[walker.at + 1] : walker.spot();
        Request request;
        request.start = map.point(from);
        request.goal = map.point(walker.goal);
        if constexpr (requires { request.agent; }) request.agent = kinds_[walker.kind];
        return request;
    }

    static void send(Walker& walker, StatusCode status, std::span<const Cell> cells) {
        const bool begun = between(walker);
        const bool found = status == StatusCode::ok && !cells.empty();
        std::vector<Spot> way{walker.spot()};
        if (begun && !found) way.push_back(walker.spots[walker.at + 1]);
        if (found) way.insert(way.end(), cells.begin() + (begun ? 0 : 1), cells.end());
        walker.spots = std::move(way);
        walker.at = 0;
        walker.walks = walker.spots.size() > 1;
        walker.lost = !found;
        if (!begun) walker.done = 0;
    }

    void go_on(const Map& map, Walker& walker, double length, Walked& sum) {
        walker.done += length;
        while (walker.walks) {
            const Cell next = walker.spots[walker.at + 1];
            const int direction = legal_step(map, walker.spot(), next);
            if (direction < 0) {
                ++sum.illegal;
                walker.walks = false;
                walker.done = 0;
                return;
            }
            const double step = static_cast<double>(map.move_cost(walker.spot(), direction)) /
                                map.options().costs.straight;
            if (walker.done < step) return;
            walker.done -= step;
            ++walker.at;
            ++passes_[next];
            ++sum.steps;
            walker.walks = walker.at + 1 < walker.spots.size();
        }
        walker.done = 0;
    }

    /// A* for each request: a batch for each kind of agent, on its map.
    [[nodiscard]] Result<Answers> ask_astar(std::span<const Request> requests,
                                            std::span<Walker> walkers,
                                            std::span<const std::uint32_t> who,
                                            const BuildControl& control) {
        Answers answers;
        answers.status.resize(requests.size());
        answers.cost.resize(requests.size());
        grid::AstarQuery model;
        model.limits.cancel = control_.cancel;
        for (std::uint32_t kind = 0; kind < maps_.size(); ++kind) {
            std::vector<grid::Request> own;
            std::vector<std::size_t> places;
            for (std::size_t i = 0; i < requests.size(); ++i) {
                if (walkers[who[i]].kind != kind) continue;
                own.push_back({requests[i].start, requests[i].goal});
                places.push_back(i);
            }
            const double begin = now();
            Status status = astar_.find_paths(maps_[kind], own, astar_paths_, model, {}, control);
            answers.seconds += now() - begin;
            if (!status.ok()) return tl::unexpected(std::move(status));
            for (std::size_t i = 0; i < own.size(); ++i) {
                answers.status[places[i]] = astar_paths_.status[i];
                answers.cost[places[i]] = astar_paths_.cost[i];
            }
        }
        return answers;
    }

    /// Marks the cells under agents, and shared goals.
    void mark_taken(std::span<const Walker> walkers) {
        edits_.clear_taken(spots());
        const auto take = [&](std::uint32_t kind, Cell cell) {
            edits_.take(index_.get(), kinds_[kind], cell);
        };
        for (const Walker& walker : walkers) {
            take(walker.kind, walker.spot());
            if (between(walker)) take(walker.kind, walker.spots[walker.at + 1]);
        }
        for (std::uint32_t kind = 0; kind < goals_.size(); ++kind) {
            for (const Cell goal : goals_[kind]) take(kind, goal);
        }
    }

    /// The centre of the cells that the agent covers, in cells.
    [[nodiscard]] render::Position position(const Walker& walker) const {
        const Map& map = maps_[walker.kind];
        const Rect r = covered(index_.get(), kinds_[walker.kind], map.point(walker.spot()));
        render::Position out{r.x + r.width / 2.0, r.y + r.height / 2.0};
        if (!between(walker)) return out;
        const grid::Point a = map.point(walker.spot());
        const grid::Point b = map.point(walker.spots[walker.at + 1]);
        const int direction = legal_step(map, walker.spot(), walker.spots[walker.at + 1]);
        if (direction < 0) return out;
        const double share = walker.done * map.options().costs.straight /
                             static_cast<double>(map.move_cost(walker.spot(), direction));
        return {out.x + share * (b.x - a.x), out.y + share * (b.y - a.y)};
    }

    CrowdIndex<P> index_;
    CrowdControl control_;
    std::vector<haa::Agent> kinds_;
    std::vector<EngineWay<P>> engines_;
    std::vector<Way> ways_;
    std::vector<Map> maps_;                  // by kind
    std::vector<std::vector<Cell>> places_;  // by kind: the largest component
    std::vector<std::vector<Cell>> goals_;   // by kind: shared goals
    std::vector<std::uint32_t> passes_;
    CrowdEdits<P> edits_;
    std::unique_ptr<CrowdDevice<Index, Request>> device_;  // null if no device is used
    batch::Searcher<P> searcher_;
    grid::Paths paths_;
    batch::Searcher<grid::AstarPlanner> astar_;
    grid::Paths astar_paths_;
};

template <class P>
Result<std::unique_ptr<CrowdWorld>> make(const typename P::Index& index,
                                         const CrowdControl& control) {
    auto world = std::make_unique<GridWorld<P>>(index, control);
    if (Status status = world->read_maps(); !status.ok()) return tl::unexpected(std::move(status));
    if constexpr (kKnownToDevices<P>) {
        if (!control.device) return world;
        auto device = crowd_device<P>(*control.device, index);
        if (!device) return tl::unexpected(std::move(device.error()));
        world->use(std::move(*device));
    }
    return world;
}

}  // namespace

Result<std::unique_ptr<CrowdWorld>> make_world(const hpa::Index& index,
                                               const CrowdControl& control) {
    return make<hpa::Planner>(index, control);
}

Result<std::unique_ptr<CrowdWorld>> make_world(const subgoal::Index& index,
                                               const CrowdControl& control) {
    return make<subgoal::Planner>(index, control);
}

Result<std::unique_ptr<CrowdWorld>> make_world(const haa::Index& index,
                                               const CrowdControl& control) {
    if (control.device)
        return fail(StatusCode::bad_option,
                    "--device: a device plans for agents of one class; leave it out");
    BuildControl build;
    build.cancel = control.cancel;
    build.threads = control.threads;
    if (index.options().labels || index.options().move_tables) {
        if (const auto labelled = index.with_labels(agent_kinds(index), build); !labelled)
            return tl::unexpected(labelled.error());
    }
    return make<haa::Planner>(index, control);
}

}  // namespace cairn::app
