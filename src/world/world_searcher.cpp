#include <algorithm>
#include <optional>
#include <utility>

#include "cairn/world/world.hpp"
#include "core/guarded.hpp"
#include "core/memory.hpp"
#include "world/changes.hpp"
#include "world/state.hpp"

namespace cairn {

/// What has changed in the world, up to the newest snapshot.
template <EditablePlanner P>
struct WorldSearcher<P>::Log {
    Changes<P> changes;
    std::vector<Request> requests;          // of the routes to find
    std::vector<std::uint32_t> improvable;  // routes
    std::vector<Cost> costs;                // of these routes

    [[nodiscard]] std::size_t memory() const noexcept {
        return changes.bytes() + memory_of(requests, improvable, costs);
    }
};

template <EditablePlanner P>
WorldSearcher<P>::WorldSearcher(const World<P>& world, std::size_t cached_endpoints) noexcept
    : world_(world.state_.get()), now_(world.snapshot()), searcher_(cached_endpoints) {}
template <EditablePlanner P>
WorldSearcher<P>::~WorldSearcher() = default;
template <EditablePlanner P>
WorldSearcher<P>::WorldSearcher(WorldSearcher&&) noexcept = default;
template <EditablePlanner P>
WorldSearcher<P>& WorldSearcher<P>::operator=(WorldSearcher&&) noexcept = default;

template <EditablePlanner P>
const typename P::Index& WorldSearcher<P>::newest() noexcept {
    if (version_ == world_->version.load(std::memory_order_acquire)) return now_.index;
    const ScopedLock lock(world_->mutex);
    version_ = world_->version.load(std::memory_order_relaxed);
    const StatusCode logged = guarded([&] {
        const std::uint64_t known = log_ ? now_.edits : 0;
        if (!log_) log_ = std::make_unique<Log>();
        log_->changes.append(world_->changes, known);
        log_->changes.forget(world_->options.remembered_areas);
        return StatusCode::ok;
    });
    if (logged != StatusCode::ok) log_.reset();
    now_ = world_->now.snapshot;
    return now_.index;
}

template <EditablePlanner P>
const WorldSnapshot<P>& WorldSearcher<P>::snapshot() noexcept {
    (void)newest();
    return now_;
}

template <EditablePlanner P>
StatusCode WorldSearcher<P>::find(const Query& query, Answer& answer) noexcept {
    return searcher_.find(newest(), query, answer);
}
template <EditablePlanner P>
StatusCode WorldSearcher<P>::begin(const Query& query, Answer& answer) noexcept {
    return searcher_.begin(newest(), query, answer);
}
template <EditablePlanner P>
bool WorldSearcher<P>::advance(std::uint64_t budget, Deadline until) noexcept {
    return searcher_.advance(budget, until);
}
template <EditablePlanner P>
StatusCode WorldSearcher<P>::costs(const Query& model, std::span<const Place> goals,
                                   std::span<Cost> costs) noexcept {
    return searcher_.costs(newest(), model, goals, costs);
}
template <EditablePlanner P>
StatusCode WorldSearcher<P>::costs(const Query& model, std::span<const Place> starts,
                                   std::span<const Place> goals, std::span<Cost> costs) noexcept {
    return searcher_.costs(newest(), model, starts, goals, costs);
}
template <EditablePlanner P>
StatusCode WorldSearcher<P>::find_nearest(const Query& model, std::span<const Place> goals,
                                          std::span<GoalCost> nearest,
                                          std::size_t& count) noexcept {
    return searcher_.find_nearest(newest(), model, goals, nearest, count);
}
template <EditablePlanner P>
StatusCode WorldSearcher<P>::find_nearest(const Query& model, std::span<const Place> goals,
                                          Answer& answer, std::size_t& nearest) noexcept {
    return searcher_.find_nearest(newest(), model, goals, answer, nearest);
}
template <EditablePlanner P>
Status WorldSearcher<P>::find_paths(std::span<const Request> requests, Paths& paths,
                                    const Query& model, const batch::Options& options,
                                    const BuildControl& control) noexcept {
    return batch_.find_paths(newest(), requests, paths, model, options, control);
}

template <EditablePlanner P>
std::optional<std::size_t> WorldSearcher<P>::changed_since(std::uint64_t edits) const noexcept {
    // Looking at every step takes no longer than looking at so many areas.
    constexpr std::size_t kMost = 32;
    if (!log_ || edits < log_->changes.forgotten) return std::nullopt;
    const std::size_t first = log_->changes.first_after(edits);
    if (log_->changes.areas.size() - first > kMost) return std::nullopt;
    return first;
}

template <EditablePlanner P>
bool WorldSearcher<P>::path_valid(const Route<P>& route, std::uint64_t edits) noexcept {
    (void)newest();
    return edits >= now_.edits || is_legal(route, changed_since(edits));
}

template <EditablePlanner P>
bool WorldSearcher<P>::is_legal(const Route<P>& route,
                                std::optional<std::size_t> first) const noexcept {
    if (!first) return all_legal<P>(now_.index, route, std::nullopt);
    return all_legal<P>(now_.index, route, std::span(log_->changes.areas).subspan(*first));
}

template <EditablePlanner P>
Status WorldSearcher<P>::replan(std::span<const Route<P>> routes, std::uint64_t edits,
                                Replanned<P>& out, ReplanWhat what, const Query& model,
                                const BuildControl& control) noexcept {
    return guarded([&]() -> Status {
        out.routes.clear();
        // All routes are checked and found on this snapshot, also if there are edits meanwhile.
        const Index& index = newest();
        if (!log_) {
            log_ = std::make_unique<Log>();
            log_->changes.forgotten = now_.edits;  // memory ran out when they were to be logged
        }
        log_->improvable.clear();
        log_->costs.clear();
        const std::optional<std::size_t> first = changed_since(edits);
        for (std::uint32_t i = 0; i < routes.size(); ++i) {
            if (!is_legal(routes[i], first)) {
                out.routes.push_back(i);
            } else if (what == ReplanWhat::improvable) {
                const Cost cost = cost_of_route<P>(index, routes[i]);
                if (!first || may_improve<P>(index, routes[i], cost, log_->changes, *first)) {
                    log_->improvable.push_back(i);
                    log_->costs.push_back(cost);
                }
            }
        }
        const auto find = [&](std::span<const std::uint32_t> chosen, const Query& query) {
            log_->requests.clear();
            for (const std::uint32_t i : chosen) log_->requests.push_back(routes[i].request);
            return batch_.find_paths(index, log_->requests, out.paths, query, {}, control);
        };
        if (!log_->improvable.empty()) {
            Query query = model;
            // Of the others, smoothing makes paths cheaper than costs tell.
            if (P::kExact) query.detail = P::Detail::cost;
            if (Status s = find(log_->improvable, query); !s.ok()) return s;
            for (std::size_t k = 0; k < log_->improvable.size(); ++k) {
                if (out.paths.status[k] == StatusCode::ok && out.paths.cost[k] < log_->costs[k])
                    out.routes.push_back(log_->improvable[k]);
            }
            std::sort(out.routes.begin(), out.routes.end());
        }
        return find(out.routes, model);
    });
}

template <EditablePlanner P>
std::size_t WorldSearcher<P>::memory() const noexcept {
    return memory_of(searcher_, batch_, log_);
}

template class WorldSearcher<grid::AstarPlanner>;
template class WorldSearcher<grid::JpsPlanner>;
#if CAIRN_HAS_HAA
template class WorldSearcher<haa::Planner>;
#endif
#if CAIRN_HAS_HNA
template class WorldSearcher<hna::Planner>;
#endif
#if CAIRN_HAS_HPA
template class WorldSearcher<hpa::Planner>;
#endif
#if CAIRN_HAS_MESH
template class WorldSearcher<mesh::AstarPlanner>;
#endif
#if CAIRN_HAS_SUBGOAL
template class WorldSearcher<subgoal::Planner>;
#endif

}  // namespace cairn
