// The worlds of `cairn crowd` on maps, for HPA*, subgoal graphs and HAA*.

#include <algorithm>
#include <optional>
#include <utility>

#include "cairn/grid/components.hpp"
#include "cairn/grid/planners.hpp"
#include "cairn/render/flow_picture.hpp"
#include "crowd/planner_world.hpp"
#include "options/haa.hpp"
#include "text.hpp"

namespace cairn::app {
namespace {

using grid::Cell;
using grid::Map;
using grid::Rect;

/// The kinds of agents: one of each agent class with HAA*, else a single one that covers one cell.
template <class Index>
std::vector<haa::Agent> agent_kinds(const Index& /*index*/) {
    return {{}};
}
std::vector<haa::Agent> agent_kinds(const haa::Index& index) { return all_agents(index.map()); }

/// The map that an agent moves on.
template <class Index>
Result<grid::Map> map_of(const Index& index, haa::Agent /*agent*/) {
    return index.map();
}
Result<grid::Map> map_of(const haa::Index& index, haa::Agent agent) {
    return index.view(agent).map([](const hpa::Index& view) { return view.map(); });
}

/// Whether no agent can stand on a terrain.
template <class Index>
bool is_obstacle(const Index& index, std::uint8_t terrain) {
    return index.map().options().weights.weight[terrain] == 0;
}
bool is_obstacle(const haa::Index& index, std::uint8_t terrain) {
    return index.map().options().key.terrain[terrain] == haa::TerrainKey::kObstacle;
}

/// The cells that an agent covers.
template <class Index>
grid::Rect covered(const Index& /*index*/, haa::Agent /*agent*/, grid::Point at) {
    return {at.x, at.y, 1, 1};
}
grid::Rect covered(const haa::Index& index, haa::Agent agent, grid::Point at) {
    return index.map().footprint(agent.size, at);
}

/// Draws edits of a map under a crowd: small rectangles are blocked, and later get their old
/// terrain back.
template <class P>
class CrowdEdits {
public:
    using Index = typename P::Index;

    using Drawn = DrawnEdit<grid::TerrainEdit>;

    /// Marks all cells of the map as not taken.
    void clear_taken(std::size_t cells) { taken_.assign(cells, false); }
    /// Marks the cells of an agent, so that no edit blocks them.
    void take(const Index& index, haa::Agent agent, grid::Cell cell) {
        take(index, covered(index, agent, grid::point_of(index.map().width(), cell)));
    }

    /// The next change; std::nullopt if no room for one was found. Changes drawn for one edit block
    /// no cell twice, so that each can be undone alone. Errors: unsupported (no byte stands for an
    /// obstacle).
    [[nodiscard]] Result<std::optional<Drawn>> draw(const Index& index, CrowdRandom& random) {
        const auto obstacle = obstacle_byte(index);
        if (!obstacle) {
            return fail(StatusCode::unsupported,
                        "--edits: no byte of this map stands for an obstacle; add --edits 0");
        }
        if (!blocked_.empty() && random() % 2 == 0) {
            std::swap(blocked_[random() % blocked_.size()], blocked_.back());
            const grid::TerrainEdit freeing = blocked_.back();
            blocked_.pop_back();
            return Drawn{freeing, true};
        }
        for (int i = 0; i < kTries; ++i) {
            const grid::Rect area = rectangle(index, kSide - kSide * i / kTries, random);
            const std::uint8_t terrain = index.map().terrain(index.map().cell({area.x, area.y}));
            if (!may_block(index, area, terrain)) continue;
            take(index, area);
            blocked_.push_back({area, terrain});
            return Drawn{{area, *obstacle}, false};
        }
        return std::nullopt;
    }

private:
    static constexpr int kSide = 6;    // the longest side of the first rectangle tried
    static constexpr int kTries = 60;  // after every tenth the longest side is one cell shorter

    /// Marks the cells of a rectangle that lie on the map.
    void take(const Index& index, const grid::Rect& r) {
        const auto& map = index.map();
        for (int y = std::max(r.y, 0); y < std::min(r.y + r.height, map.height()); ++y) {
            for (int x = std::max(r.x, 0); x < std::min(r.x + r.width, map.width()); ++x)
                taken_[map.cell({x, y})] = true;
        }
    }

    [[nodiscard]] static std::optional<std::uint8_t> obstacle_byte(const Index& index) {
        if (is_obstacle(index, '@')) return std::uint8_t{'@'};
        for (int byte = 0; byte < 256; ++byte) {
            const auto terrain = static_cast<std::uint8_t>(byte);
            if (is_obstacle(index, terrain)) return terrain;
        }
        return std::nullopt;
    }

    [[nodiscard]] static grid::Rect rectangle(const Index& index, int longest,
                                              CrowdRandom& random) {
        const auto below = [&](int end) {
            return static_cast<int>(random() % static_cast<std::uint64_t>(end));
        };
        const int width = 1 + below(std::min(longest, index.map().width()));
        const int height = 1 + below(std::min(longest, index.map().height()));
        const int x = below(index.map().width() - width + 1);
        const int y = below(index.map().height() - height + 1);
        return {x, y, width, height};
    }

    /// Requires one terrain in the whole rectangle, so that one edit can restore it.
    [[nodiscard]] bool may_block(const Index& index, const grid::Rect& area,
                                 std::uint8_t terrain) const {
        if (is_obstacle(index, terrain)) return false;
        for (int y = area.y; y < area.y + area.height; ++y) {
            for (int x = area.x; x < area.x + area.width; ++x) {
                const grid::Cell cell = index.map().cell({x, y});
                if (taken_[cell] || index.map().terrain(cell) != terrain) return false;
            }
        }
        return true;
    }

    std::vector<bool> taken_;                 // by cell
    std::vector<grid::TerrainEdit> blocked_;  // the edits that free what is blocked
};

template <class P>
class GridWorld final : public PlannerWorld<P> {
public:
    using Base = PlannerWorld<P>;
    using Index = typename P::Index;
    using Request = typename P::Request;

    GridWorld(World<P> world, const CrowdControl& control)
        : Base(std::move(world), control), kinds_(agent_kinds(index())) {}

    const char* spot_word() const noexcept override { return "cells"; }
    std::size_t num_spots() const noexcept override { return maps_.front().size(); }

    Status place_agents(std::span<Walker> walkers, int goals, CrowdRandom& random) override {
        return Base::place_agents_on(mapped(maps_, largest_component), walkers, goals, random);
    }

    bool stop_if_cut(Walker& walker) override {
        if (!Base::stop_if_cut(walker)) return false;
        const Map& map = maps_[walker.kind];
        if (between_cells(walker) &&
            grid::legal_direction(map, walker.spot(), walker.spots[walker.at + 1]) < 0)
            walker.progress = 0;
        return true;
    }

private:
    using Drawn = typename Base::Drawn;

    [[nodiscard]] static std::vector<Cell> largest_component(const Map& map) {
        const auto components = grid::Components::build(map).value();
        std::vector<Cell> cells;
        if (components.count() == 0) return cells;
        const std::uint32_t largest = components.largest();
        cells.reserve(components.size(largest));
        for (Cell cell = 0; cell < map.size(); ++cell) {
            if (components.of(cell) == largest) cells.push_back(cell);
        }
        return cells;
    }
    /// Whether an agent has left a cell and not reached the next.
    [[nodiscard]] static bool between_cells(const Walker& walker) noexcept {
        return walker.walking && walker.progress > 0;
    }

    /// An agent between two cells turns at the next one.
    [[nodiscard]] Request request_of(const Walker& walker) const override {
        const Map& map = maps_[walker.kind];
        const Cell from = between_cells(walker) ? walker.spots[walker.at + 1] : walker.spot();
        Request request;
        request.start = map.point(from);
        request.goal = map.point(walker.goal);
        if constexpr (requires { request.agent; }) request.agent = kinds_[walker.kind];
        return request;
    }

    void follow(Walker& walker, const grid::Paths& paths, std::size_t number) override {
        const auto cells = paths.cells[number];
        const bool begun = between_cells(walker);
        const bool found = paths.status[number] == StatusCode::ok && !cells.empty();
        // The path found begins at the next cell if a step has begun, else at the agent's cell.
        std::vector<Spot> path{walker.spot()};
        if (begun && !found) path.push_back(walker.spots[walker.at + 1]);
        if (found) path.insert(path.end(), cells.begin() + (begun ? 0 : 1), cells.end());
        walker.spots = std::move(path);
        walker.at = 0;
        walker.walking = walker.spots.size() > 1;
        walker.lost = !found;
        if (!begun) walker.progress = 0;
    }

    void advance(Walker& walker, double length, WalkCounts& sum) override {
        const Map& map = maps_[walker.kind];
        walker.progress += length;
        while (walker.walking) {
            const Cell next = walker.spots[walker.at + 1];
            const int direction = grid::legal_direction(map, walker.spot(), next);
            if (direction < 0) {
                ++sum.illegal;
                walker.walking = false;
                walker.progress = 0;
                return;
            }
            const double step = static_cast<double>(map.move_cost(walker.spot(), direction)) /
                                map.options().costs.straight;
            if (walker.progress < step) return;
            walker.progress -= step;
            ++walker.at;
            ++passes_[next];
            ++sum.steps;
            walker.walking = walker.at + 1 < walker.spots.size();
        }
        walker.progress = 0;
    }

    /// A* for each request: a batch for each kind of agent, on its map.
    [[nodiscard]] Result<Answers> find_by_astar(std::span<const Request> requests,
                                                std::span<const Walker> walkers,
                                                std::span<const std::uint32_t> chosen,
                                                const BuildControl& control) override {
        Answers answers;
        answers.status.resize(requests.size());
        answers.cost.resize(requests.size());
        grid::AstarQuery query;
        query.limits.cancel = control.cancel;
        for (std::uint32_t kind = 0; kind < maps_.size(); ++kind) {
            std::vector<grid::Request> of_kind;
            std::vector<std::size_t> positions;  // of these requests among all
            for (std::size_t i = 0; i < requests.size(); ++i) {
                if (walkers[chosen[i]].kind != kind) continue;
                of_kind.push_back({requests[i].start, requests[i].goal});
                positions.push_back(i);
            }
            const double begin = now();
            Status status =
                astar_.find_paths(maps_[kind], of_kind, astar_paths_, query, {}, control);
            answers.seconds += now() - begin;
            if (!status.ok()) return tl::unexpected(std::move(status));
            for (std::size_t i = 0; i < of_kind.size(); ++i) {
                answers.status[positions[i]] = astar_paths_.status[i];
                answers.cost[positions[i]] = astar_paths_.cost[i];
            }
        }
        return answers;
    }

    /// Reads the map of each kind. Errors: as haa::Index::view.
    [[nodiscard]] Status read_map() override {
        std::vector<Map> maps;
        maps.reserve(kinds_.size());
        for (const haa::Agent agent : kinds_) {
            auto map = map_of(index(), agent);
            if (!map) return std::move(map.error());
            maps.push_back(std::move(*map));
        }
        maps_ = std::move(maps);
        return {};
    }
    void mark_taken(std::span<const Walker> walkers) override {
        edits_.clear_taken(maps_.front().size());
        const auto take = [&](std::uint32_t kind, Cell cell) {
            edits_.take(index(), kinds_[kind], cell);
        };
        for (const Walker& walker : walkers) {
            take(walker.kind, walker.spot());
            if (between_cells(walker)) take(walker.kind, walker.spots[walker.at + 1]);
        }
        for (std::uint32_t kind = 0; kind < goals_.size(); ++kind) {
            for (const Cell goal : goals_[kind]) take(kind, goal);
        }
    }
    Result<std::optional<Drawn>> draw_edit(CrowdRandom& random) override {
        return edits_.draw(index(), random);
    }

    [[nodiscard]] bool passable(std::uint32_t kind, Spot cell) const noexcept override {
        return maps_[kind].passable(cell);
    }

    [[nodiscard]] Result<render::Drawing> draw(const render::Flow& flow,
                                               const std::string& title) const override {
        render::MapPicture picture;
        picture.title = title;
        return render::draw_flow(maps_.front(), flow, picture);
    }
    /// The centre of the cells that the agent covers, in cells.
    [[nodiscard]] render::Position drawn_at(const Walker& walker) const override {
        const Map& map = maps_[walker.kind];
        const Rect r = covered(index(), kinds_[walker.kind], map.point(walker.spot()));
        render::Position out{r.x + r.width / 2.0, r.y + r.height / 2.0};
        if (!between_cells(walker)) return out;
        const grid::Point a = map.point(walker.spot());
        const grid::Point b = map.point(walker.spots[walker.at + 1]);
        const int direction =
            grid::legal_direction(map, walker.spot(), walker.spots[walker.at + 1]);
        if (direction < 0) return out;
        const double share = walker.progress * map.options().costs.straight /
                             static_cast<double>(map.move_cost(walker.spot(), direction));
        return {out.x + share * (b.x - a.x), out.y + share * (b.y - a.y)};
    }

    using Base::goals_;
    using Base::index;
    using Base::passes_;

    std::vector<haa::Agent> kinds_;
    std::vector<Map> maps_;  // by kind
    CrowdEdits<P> edits_;
    batch::Searcher<grid::AstarPlanner> astar_;
    grid::Paths astar_paths_;
};

}  // namespace

Result<std::unique_ptr<CrowdWorld>> make_world(const AnyIndex& index, const CrowdControl& control) {
    if (const auto* hpa_index = index.as<hpa::Planner>())
        return open_world<GridWorld<hpa::Planner>>(*hpa_index, control);
    if (const auto* subgoals = index.as<subgoal::Planner>())
        return open_world<GridWorld<subgoal::Planner>>(*subgoals, control);
    const haa::Index& agents = *index.as<haa::Planner>();
    if (control.device)
        return fail(StatusCode::bad_option,
                    "--device: a device plans for agents of one class; leave it out");
    if (agents.options().labels || agents.options().move_tables) {
        const auto labelled =
            agents.with_labels(agent_kinds(agents), {{}, control.cancel, control.threads});
        if (!labelled) return tl::unexpected(labelled.error());
    }
    return open_world<GridWorld<haa::Planner>>(agents, control);
}

}  // namespace cairn::app
