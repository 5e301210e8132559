#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "any/holders.hpp"
#include "any/searchers.hpp"
#include "cairn/any_world.hpp"
#include "core/guarded.hpp"

namespace cairn {
namespace detail {

struct WorldHolder : Searchable {
    using Searchable::Searchable;
    [[nodiscard]] virtual Result<std::uint64_t> edit(const AnyEdits& edits) = 0;
    [[nodiscard]] virtual Result<AnyWorldSnapshot> snapshot() const = 0;
    [[nodiscard]] virtual std::uint64_t edits() const noexcept = 0;
    virtual bool work() noexcept = 0;
    [[nodiscard]] virtual Status work_status() const noexcept = 0;
};

struct WorldSearcherHolder : SearcherHolder {
    using SearcherHolder::SearcherHolder;
    virtual bool path_valid(const QueryHolder& query, const AnyRoute& route,
                            std::uint64_t edits) noexcept = 0;
    virtual Status replan(const QueryHolder& query, std::span<const AnyRoute> routes,
                          std::uint64_t edits, std::vector<std::uint32_t>& replaced,
                          PathsOfAnySpace& paths, ReplanWhat what, const BuildControl& control) = 0;
};

namespace {

template <class P>
class WorldSearcherOf final : public SearcherOf<P, WorldSearcher<P>, WorldSearcherHolder> {
public:
    using SearcherOf<P, WorldSearcher<P>, WorldSearcherHolder>::SearcherOf;

    bool path_valid(const QueryHolder& query, const AnyRoute& route,
                    std::uint64_t edits) noexcept override {
        this->set(query);
        Route<P> own;
        return own_route(route, own) && this->searcher_.path_valid(own, edits);
    }
    Status replan(const QueryHolder& query, std::span<const AnyRoute> routes, std::uint64_t edits,
                  std::vector<std::uint32_t>& replaced, PathsOfAnySpace& paths, ReplanWhat what,
                  const BuildControl& control) override {
        this->set(query);
        routes_.resize(routes.size());
        for (std::size_t i = 0; i < routes.size(); ++i) {
            if (!own_route(routes[i], routes_[i])) return wrong_places<P>();
        }
        typename P::Paths& own = own_paths<P>(paths);
        Replanned<P> out{std::move(replaced), std::move(own)};
        Status status = this->searcher_.replan(routes_, edits, out, what, this->query_, control);
        replaced = std::move(out.routes);
        own = std::move(out.paths);
        return status;
    }
    std::size_t memory() const noexcept override {
        return sizeof *this + this->memory_of_members() + memory_of(routes_);
    }

private:
    /// False if a place is not of this planner.
    [[nodiscard]] bool own_route(const AnyRoute& any, Route<P>& own) const noexcept {
        own.steps = any.steps;
        own.cost = any.cost;
        return convert<P>(any.request, this->query_, own.request);
    }

    std::vector<Route<P>> routes_;
};

template <class P>
struct WorldOf final : WorldHolder {
    explicit WorldOf(World<P> made) : WorldHolder(kPosition<P>), world(std::move(made)) {}

    std::unique_ptr<SearcherHolder> new_searcher(std::size_t cached_endpoints) const override {
        return std::make_unique<WorldSearcherOf<P>>(world, cached_endpoints);
    }
    Result<std::uint64_t> edit(const AnyEdits& edits) override {
        const auto own = edits_of<P>(edits);
        if (!own) return tl::unexpected(own.error());
        return world.edit(*own);
    }
    Result<AnyWorldSnapshot> snapshot() const override {
        const WorldSnapshot<P> now = world.snapshot();
        return AnyIndex::of<P>(now.index).map([&](AnyIndex index) {
            return AnyWorldSnapshot{std::move(index), now.edits};
        });
    }
    std::uint64_t edits() const noexcept override { return world.edits(); }
    bool work() noexcept override { return world.work(); }
    Status work_status() const noexcept override { return world.work_status(); }

    World<P> world;
};

template <class P>
Result<std::unique_ptr<WorldHolder>> make_world(const AnyIndex& index,
                                                const WorldOptions& options) {
    auto made = World<P>::create(*index.as<P>(), options);
    if (!made) return tl::unexpected(std::move(made.error()));
    return std::make_unique<WorldOf<P>>(std::move(*made));
}

}  // namespace
}  // namespace detail

AnyWorld::AnyWorld(std::unique_ptr<detail::WorldHolder> held) noexcept : held_(std::move(held)) {}
AnyWorld::~AnyWorld() = default;
AnyWorld::AnyWorld(AnyWorld&&) noexcept = default;
AnyWorld& AnyWorld::operator=(AnyWorld&&) noexcept = default;

Result<AnyWorld> AnyWorld::create(const AnyIndex& index, const WorldOptions& options) noexcept {
    return guarded([&]() -> Result<AnyWorld> {
        auto made = detail::with_planner<Result<std::unique_ptr<detail::WorldHolder>>>(
            index.planner(), [&]<class P>() { return detail::make_world<P>(index, options); });
        if (!made) return tl::unexpected(std::move(made.error()));
        return AnyWorld(std::move(*made));
    });
}

const PlannerInfo& AnyWorld::planner() const noexcept { return planners()[held_->planner]; }
Result<std::uint64_t> AnyWorld::edit(const AnyEdits& edits) noexcept {
    return guarded([&] { return held_->edit(edits); });
}
Result<AnyWorldSnapshot> AnyWorld::snapshot() const noexcept {
    return guarded([&] { return held_->snapshot(); });
}
std::uint64_t AnyWorld::edits() const noexcept { return held_->edits(); }
bool AnyWorld::work() noexcept { return held_->work(); }
Status AnyWorld::work_status() const noexcept { return held_->work_status(); }

AnyWorldSearcher::AnyWorldSearcher(const AnyWorld& world, std::size_t cached_endpoints) noexcept
    : world_(world.held_.get()), searcher_(cached_endpoints) {}

Result<AnyWorldSnapshot> AnyWorldSearcher::snapshot() const noexcept {
    return guarded([&] { return world_->snapshot(); });
}
StatusCode AnyWorldSearcher::find(const AnyQuery& query, const AnyPlace& start,
                                  const AnyPlace& goal, AnyAnswer& answer) noexcept {
    return searcher_.find_on(*world_, query, start, goal, answer);
}
StatusCode AnyWorldSearcher::begin(const AnyQuery& query, const AnyPlace& start,
                                   const AnyPlace& goal, AnyAnswer& answer) noexcept {
    return searcher_.begin_on(*world_, query, start, goal, answer);
}
bool AnyWorldSearcher::advance(std::uint64_t budget, Deadline until) noexcept {
    return searcher_.advance(budget, until);
}
StatusCode AnyWorldSearcher::costs(const AnyQuery& query, const AnyPlace& start,
                                   std::span<const AnyPlace> goals,
                                   std::span<Cost> costs) noexcept {
    return searcher_.costs_on(*world_, query, start, goals, costs);
}
StatusCode AnyWorldSearcher::costs(const AnyQuery& query, std::span<const AnyPlace> starts,
                                   std::span<const AnyPlace> goals,
                                   std::span<Cost> costs) noexcept {
    return searcher_.costs_on(*world_, query, starts, goals, costs);
}
StatusCode AnyWorldSearcher::find_nearest(const AnyQuery& query, const AnyPlace& start,
                                          std::span<const AnyPlace> goals,
                                          std::span<GoalCost> nearest,
                                          std::size_t& count) noexcept {
    return searcher_.find_nearest_on(*world_, query, start, goals, nearest, count);
}
StatusCode AnyWorldSearcher::find_nearest(const AnyQuery& query, const AnyPlace& start,
                                          std::span<const AnyPlace> goals, AnyAnswer& answer,
                                          std::size_t& nearest) noexcept {
    return searcher_.find_nearest_on(*world_, query, start, goals, answer, nearest);
}
Status AnyWorldSearcher::find_paths(const AnyQuery& query, const AnyRequests& requests,
                                    AnyPaths& paths, const batch::Options& options,
                                    const BuildControl& control) noexcept {
    return searcher_.find_paths_on(*world_, query, requests, paths, options, control);
}

detail::WorldSearcherHolder* AnyWorldSearcher::searcher_for(const AnyQuery& query) {
    return static_cast<detail::WorldSearcherHolder*>(
        searcher_.searcher_of(*world_, query, nullptr));
}

bool AnyWorldSearcher::path_valid(const AnyQuery& query, const AnyRoute& route,
                                  std::uint64_t edits) noexcept {
    bool valid = false;
    const StatusCode status = guarded([&] {
        auto* const searcher = searcher_for(query);
        valid = searcher != nullptr && searcher->path_valid(*query.held_, route, edits);
        return StatusCode::ok;
    });
    return status == StatusCode::ok && valid;
}

Status AnyWorldSearcher::replan(const AnyQuery& query, std::span<const AnyRoute> routes,
                                std::uint64_t edits, AnyReplanned& out, ReplanWhat what,
                                const BuildControl& control) noexcept {
    return guarded([&]() -> Status {
        auto* const searcher = searcher_for(query);
        if (searcher == nullptr) return detail::wrong_query();
        return searcher->replan(*query.held_, routes, edits, out.routes, out.paths.paths_, what,
                                control);
    });
}

std::size_t AnyWorldSearcher::memory() const noexcept { return searcher_.memory(); }

}  // namespace cairn
