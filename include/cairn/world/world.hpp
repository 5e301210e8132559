#pragma once
// A world that changes while many threads find paths in it: the index of a map, the edits made so
// far, and the work that they leave.
//
//     auto world = World<hpa::Planner>::create(*hpa::Index::build(map));
//     WorldSearcher<hpa::Planner> searcher(*world);         // one per thread
//     world->edit(std::array{grid::TerrainEdit{door, '@'}});
//     searcher.find({.start = a, .goal = b}, answer);       // knows that the door is closed
//
//   edit       changes the map at once: when `edit` returns, every query that begins sees it.
//              Edits of several threads are made one after another, in the order of their numbers.
//   snapshot   the index after an edit, and that edit's number. It never changes, and lives as long
//              as somebody uses it.
//   work       what an edit leaves: labels, and a fresh order once the old one is worn out. A
//              worker thread of the world does it, or the caller by `work`.
//
// Determinism. All answers, paths included, depend only on the first index, the options and the
// edits in the order of their numbers; never on how fast the work is done. Labels that a snapshot
// gets later give the paths that it has given without them. A fresh order, which may change which
// of several paths of equal cost is found, is begun at an edit that wears the order out, and used
// from the edit WorldOptions::order_edits later on. If it is not done by then, this edit waits for
// it. So machines that make the same edits agree. With HAA* that holds for agents whose view has a
// closure when the world is created (haa::Index::with_labels).
//
// Guarantees. The costs and statuses of a snapshot are those of an index built from its map. Any
// member may be called from any thread, also while others edit. No call throws.

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "cairn/batch/batch.hpp"
#include "cairn/control.hpp"
#include "cairn/cost.hpp"
#include "cairn/planner.hpp"
#include "cairn/searcher.hpp"
#include "cairn/status.hpp"

namespace cairn {

struct WorldOptions {
    /// An edit repairs the labels itself if none of the last repairs took more microseconds than
    /// this; otherwise the worker does it. 0: never.
    std::uint32_t inline_microseconds = 1000;
    /// Whether the world has a worker thread. It is started when there is work for the first time.
    /// If it cannot be started, and without one, `work` does the work.
    bool worker = true;
    /// Threads of the worker while it finds a fresh order; as BuildControl::threads.
    int threads = 1;
    /// The number of edits from the one at which a fresh order is begun to the one from which on it
    /// is used, 1 to 1,000,000. More give the worker more time, but queries are slower until then.
    std::uint32_t order_edits = 64;
    /// The number of changed areas that paths can be checked against quickly (`path_valid`). Older
    /// paths are checked step by step.
    std::uint32_t remembered_areas = 1024;
};

/// A state of a world.
template <EditablePlanner P>
struct WorldSnapshot {
    typename P::Index index;
    std::uint64_t edits = 0;  ///< the number of edits made before it
};

template <EditablePlanner P>
class WorldSearcher;

/// A map that changes, and its index. See the head of this file. A moved-from world can only be
/// assigned to or destroyed. A world must outlive its searchers.
template <EditablePlanner P>
class World {
public:
    using Index = typename P::Index;
    using Edit = typename P::Edit;

    /// A world that begins with `index`, at 0 edits. Errors: bad_option; out_of_memory. O(1).
    [[nodiscard]] static Result<World> create(Index index,
                                              const WorldOptions& options = {}) noexcept;
    /// Stops the worker and waits for it: it ends at its next check of BuildControl::cancel.
    ~World();
    World(World&&) noexcept;
    World& operator=(World&&) noexcept;

    /// Makes an edit and returns its number: 1 for the first. Several changes at once are one edit
    /// with one number. Waits for edits that other threads make. Errors: those of the index's
    /// `edited`; the world has not changed then. Time: that of the index's `edited`; then, as
    /// WorldOptions::inline_microseconds says, that of repairing the labels; and with the edit from
    /// which on a fresh order is used, the time until that is there.
    [[nodiscard]] Result<std::uint64_t> edit(std::span<const Edit> edits) noexcept;

    /// The newest snapshot. Waits for no edit and no work: only while a pointer is copied. O(1).
    [[nodiscard]] WorldSnapshot<P> snapshot() const noexcept;
    /// The number of edits made. O(1).
    [[nodiscard]] std::uint64_t edits() const noexcept;

    /// Does a piece of the outstanding work on the calling thread: labels for the newest snapshot,
    /// or a step towards a fresh order. First waits for the worker to finish its piece. False if
    /// there was nothing to do. Call it until it returns false to have labels.
    bool work() noexcept;
    /// ok, or why the last piece of work failed: out_of_memory, too_large. Queries are answered
    /// without its result, and the next edit tries again.
    [[nodiscard]] Status work_status() const noexcept;

private:
    friend class WorldSearcher<P>;
    struct State;
    explicit World(std::unique_ptr<State> state) noexcept;
    std::unique_ptr<State> state_;
};

/// The rest of a path that an agent follows.
template <EditablePlanner P>
struct Route {
    /// From where the agent stands to where it goes.
    typename P::Request request;
    /// Every cell or polygon from the one where the agent stands to the end.
    std::span<const typename P::Step> steps;
    /// What these steps cost. Read on meshes only, for ReplanWhat::improvable.
    Cost cost = kInfinity;
};

/// Which routes `replan` replaces.
enum class ReplanWhat : std::uint8_t {
    broken,      ///< those that edits have broken
    improvable,  ///< also those to which edits have opened a cheaper path
};

/// The routes that were replaced, ascending by their index in the list, and for each a path.
template <EditablePlanner P>
struct Replanned {
    std::vector<std::uint32_t> routes;
    typename P::Paths paths;  ///< in the order of `routes`
};

/// Answers queries on the newest snapshot of a world, and keeps their working memory. Use one
/// object per thread. Each call takes the newest snapshot first: one comparison, unless there is a
/// new one. Nothing here throws; statuses and allocations are those of cairn::Searcher and
/// batch::Searcher.
template <EditablePlanner P>
class WorldSearcher {
public:
    using Index = typename P::Index;
    using Query = typename P::Query;
    using Answer = typename P::Answer;
    using Place = typename P::Place;
    using Request = typename P::Request;
    using Paths = typename P::Paths;

    /// `cached_endpoints`: as for Searcher.
    explicit WorldSearcher(const World<P>& world, std::size_t cached_endpoints = 8) noexcept;
    ~WorldSearcher();
    WorldSearcher(WorldSearcher&&) noexcept;
    WorldSearcher& operator=(WorldSearcher&&) noexcept;

    /// The newest snapshot, which the last call used if no edit came between. Valid until the next
    /// call.
    [[nodiscard]] const WorldSnapshot<P>& snapshot() noexcept;

    /// As Searcher::find.
    StatusCode find(const Query& query, Answer& answer) noexcept;
    /// As Searcher::begin and Searcher::advance: the query stays on the snapshot that it began on.
    StatusCode begin(const Query& query, Answer& answer) noexcept;
    bool advance(std::uint64_t budget = std::numeric_limits<std::uint64_t>::max(),
                 Deadline until = {}) noexcept;
    /// As Searcher::costs.
    StatusCode costs(const Query& model, std::span<const Place> goals,
                     std::span<Cost> costs) noexcept;
    /// As Searcher::costs of all pairs.
    StatusCode costs(const Query& model, std::span<const Place> starts,
                     std::span<const Place> goals, std::span<Cost> costs) noexcept;
    /// As Searcher::find_nearest of several goals.
    StatusCode find_nearest(const Query& model, std::span<const Place> goals,
                            std::span<GoalCost> nearest, std::size_t& count) noexcept;
    /// As Searcher::find_nearest.
    StatusCode find_nearest(const Query& model, std::span<const Place> goals, Answer& answer,
                            std::size_t& nearest) noexcept;
    /// As batch::Searcher::find_paths.
    [[nodiscard]] Status find_paths(std::span<const Request> requests, Paths& paths,
                                    const Query& model = {}, const batch::Options& options = {},
                                    const BuildControl& control = {}) noexcept;

    /// Whether every step of a route is legal now. The route must have been legal when `edits`
    /// edits had been made (WorldSnapshot::edits). False only if an edit since then has changed
    /// one of its cells or polygons, or a corner that it passes. Time: O(1) if there was no edit;
    /// else looks at the steps near the changed areas (grid::first_illegal_step), on meshes at each
    /// polygon. If the areas are no longer remembered, or are more than 32, looks at each step.
    [[nodiscard]] bool path_valid(const Route<P>& route, std::uint64_t edits) noexcept;

    /// Replaces routes that were found when `edits` edits had been made, in one batch: those that
    /// are broken, and on demand those that can be improved. A route can only be improved if an
    /// edit since has freed or cheapened an area, or made the route itself costlier, and if the
    /// costs to the area and from there to the goal, by a lower bound, are less than that of the
    /// route; such routes are found again, and replaced if the new path costs less. A broken route
    /// to whose goal no path leads is replaced by that status. Errors: as find_paths; then `out`
    /// has no meaning. Time: that of path_valid for each route, and of the batch.
    [[nodiscard]] Status replan(std::span<const Route<P>> routes, std::uint64_t edits,
                                Replanned<P>& out, ReplanWhat what = ReplanWhat::broken,
                                const Query& model = {}, const BuildControl& control = {}) noexcept;

    /// The working memory held now, in bytes, as Searcher::memory.
    [[nodiscard]] std::size_t memory() const noexcept;

private:
    struct Log;

    /// Takes the newest snapshot and what has changed.
    const Index& newest() noexcept;
    /// The first of the logged changes after so many edits; none if they are not all there, or are
    /// too many.
    [[nodiscard]] std::optional<std::size_t> changed_since(std::uint64_t edits) const noexcept;

    /// Whether all steps are legal in now_, given the first change since they were.
    [[nodiscard]] bool is_legal(const Route<P>& route,
                                std::optional<std::size_t> first) const noexcept;

    const typename World<P>::State* world_;
    std::uint64_t version_ = 0;  // of the world at the last call
    WorldSnapshot<P> now_;
    std::unique_ptr<Log> log_;  // null before the first call, and if memory ran out
    Searcher<P> searcher_;
    batch::Searcher<P> batch_;
};

}  // namespace cairn
