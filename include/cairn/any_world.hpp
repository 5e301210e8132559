#pragma once
// Worlds (cairn/world/world.hpp) of planners chosen by name at run time.
//
//     auto world = AnyWorld::create(*AnyIndex::build("hpa", *map));
//     AnyWorldSearcher searcher(*world);                          // one per thread
//     world->edit(std::array{grid::TerrainEdit{door, '@'}});
//     searcher.find(*query, start, goal, answer);                 // knows that the door is closed
//
// Answers, guarantees and determinism are those of World and WorldSearcher.

#include "cairn/parts.hpp"

#if CAIRN_HAS_WORLD

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "cairn/any.hpp"
#include "cairn/world/world.hpp"

namespace cairn {

namespace detail {

struct WorldHolder;
struct WorldSearcherHolder;

}  // namespace detail

/// A state of a world, as WorldSnapshot.
struct AnyWorldSnapshot {
    AnyIndex index;
    std::uint64_t edits = 0;  ///< the number of edits made before it
};

/// A map that changes, and the index of any planner, as World. Any member may be called from any
/// thread. A moved-from world can only be assigned to or destroyed. A world must outlive its
/// searchers.
class AnyWorld {
public:
    /// A world that begins with `index`, at 0 edits. Errors: those of World::create. O(1).
    [[nodiscard]] static Result<AnyWorld> create(const AnyIndex& index,
                                                 const WorldOptions& options = {}) noexcept;
    /// As World's.
    ~AnyWorld();
    AnyWorld(AnyWorld&&) noexcept;
    AnyWorld& operator=(AnyWorld&&) noexcept;

    [[nodiscard]] const PlannerInfo& planner() const noexcept;
    /// As World::edit. Errors: those of World::edit; unsupported (the edits are of another space).
    [[nodiscard]] Result<std::uint64_t> edit(const AnyEdits& edits) noexcept;
    /// As World::snapshot, with one allocation. Errors: out_of_memory.
    [[nodiscard]] Result<AnyWorldSnapshot> snapshot() const noexcept;
    /// As World::edits.
    [[nodiscard]] std::uint64_t edits() const noexcept;
    /// As World::work.
    bool work() noexcept;
    /// As World::work_status.
    [[nodiscard]] Status work_status() const noexcept;

private:
    friend class AnyWorldSearcher;
    explicit AnyWorld(std::unique_ptr<detail::WorldHolder> held) noexcept;
    std::unique_ptr<detail::WorldHolder> held_;
};

/// The rest of a path that an agent follows, as Route.
struct AnyRoute {
    /// From where the agent stands to where it goes.
    AnyRequest request;
    /// Every cell or polygon from the one where the agent stands to the end.
    std::span<const std::uint32_t> steps;
    /// What these steps cost. Read on meshes only, for ReplanWhat::improvable.
    Cost cost = kInfinity;
};

/// The routes that were replaced, as Replanned. Reuse one object for many calls.
struct AnyReplanned {
    std::vector<std::uint32_t> routes;  ///< ascending by their index in the list
    AnyPaths paths;                     ///< in the order of `routes`
};

/// Answers queries on the newest snapshot of a world of any planner, as WorldSearcher. Use one
/// object per thread. A call costs one virtual call more than with the planner's own class, and one
/// pass over lists of places, requests and routes, which are copied. Statuses and allocations are
/// those of WorldSearcher. The status is also unsupported if world, query and places belong to
/// different planners.
class AnyWorldSearcher {
public:
    /// `cached_endpoints`: as for Searcher.
    explicit AnyWorldSearcher(const AnyWorld& world, std::size_t cached_endpoints = 8) noexcept;

    /// The newest snapshot, as AnyWorld::snapshot; the next call uses it or a later one. Where only
    /// the number is needed, AnyWorld::edits does without the allocation.
    [[nodiscard]] Result<AnyWorldSnapshot> snapshot() const noexcept;

    /// As Searcher::find.
    StatusCode find(const AnyQuery& query, const AnyPlace& start, const AnyPlace& goal,
                    AnyAnswer& answer) noexcept;
    /// As AnySearcher::begin and AnySearcher::advance: the query stays on the snapshot that it
    /// began on.
    StatusCode begin(const AnyQuery& query, const AnyPlace& start, const AnyPlace& goal,
                     AnyAnswer& answer) noexcept;
    bool advance(std::uint64_t budget = std::numeric_limits<std::uint64_t>::max(),
                 Deadline until = {}) noexcept;
    /// As Searcher::costs.
    StatusCode costs(const AnyQuery& query, const AnyPlace& start, std::span<const AnyPlace> goals,
                     std::span<Cost> costs) noexcept;
    /// As Searcher::costs of all pairs.
    StatusCode costs(const AnyQuery& query, std::span<const AnyPlace> starts,
                     std::span<const AnyPlace> goals, std::span<Cost> costs) noexcept;
    /// As Searcher::find_nearest of several goals.
    StatusCode find_nearest(const AnyQuery& query, const AnyPlace& start,
                            std::span<const AnyPlace> goals, std::span<GoalCost> nearest,
                            std::size_t& count) noexcept;
    /// As Searcher::find_nearest.
    StatusCode find_nearest(const AnyQuery& query, const AnyPlace& start,
                            std::span<const AnyPlace> goals, AnyAnswer& answer,
                            std::size_t& nearest) noexcept;
    /// As AnySearcher::find_paths.
    [[nodiscard]] Status find_paths(const AnyQuery& query, const AnyRequests& requests,
                                    AnyPaths& paths, const batch::Options& options = {},
                                    const BuildControl& control = {}) noexcept;

    /// As WorldSearcher::path_valid. `query` gives the agent if the route's request has none. False
    /// also if query or places are of another planner, or if memory runs out in the first call.
    [[nodiscard]] bool path_valid(const AnyQuery& query, const AnyRoute& route,
                                  std::uint64_t edits) noexcept;
    /// As WorldSearcher::replan.
    [[nodiscard]] Status replan(const AnyQuery& query, std::span<const AnyRoute> routes,
                                std::uint64_t edits, AnyReplanned& out,
                                ReplanWhat what = ReplanWhat::broken,
                                const BuildControl& control = {}) noexcept;

    /// The working memory held now, in bytes, as Searcher::memory.
    [[nodiscard]] std::size_t memory() const noexcept;

private:
    /// The searcher of the world's planner; null if the query is of another one.
    [[nodiscard]] detail::WorldSearcherHolder* searcher_for(const AnyQuery& query);

    const detail::WorldHolder* world_;
    AnySearcher searcher_;
};

}  // namespace cairn

#endif
