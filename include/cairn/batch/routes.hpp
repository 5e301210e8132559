#pragma once
// What many agents ask for at once, and the answers: flat arrays in the order of the questions.

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "cairn/cost.hpp"
#include "cairn/grid/moves.hpp"
#include "cairn/grid/path.hpp"
#include "cairn/haa/agent.hpp"
#include "cairn/mesh/funnel.hpp"
#include "cairn/mesh/mesh.hpp"
#include "cairn/status.hpp"

namespace cairn::batch {

/// From where to where on a grid.
struct CellTrip {
    grid::Point start;
    grid::Point goal;
    friend bool operator==(const CellTrip&, const CellTrip&) = default;
};

/// From where to where, and who.
struct AgentTrip {
    grid::Point start;
    grid::Point goal;
    haa::Agent agent;
    friend bool operator==(const AgentTrip&, const AgentTrip&) = default;
};

/// From where to where on a navigation mesh; places are located as those of hna::Query.
struct MeshTrip {
    mesh::Place start;
    mesh::Place goal;
    friend bool operator==(const MeshTrip&, const MeshTrip&) = default;
};

/// One list for each trip, end to end in one array, which is not to be copied by mistake. Where
/// lists are asked for again, the array is used again if it is large enough.
template <class T>
class Lists {
public:
    /// No trips.
    Lists() : first_{0} {}
    Lists(Lists&& other) noexcept : Lists() { *this = std::move(other); }
    Lists& operator=(Lists&& other) noexcept {
        std::swap(first_, other.first_);
        std::swap(items_, other.items_);
        std::swap(room_, other.room_);
        return *this;
    }
    Lists(const Lists&) = delete;
    Lists& operator=(const Lists&) = delete;
    ~Lists() = default;

    [[nodiscard]] std::size_t size() const noexcept { return first_.size() - 1; }
    /// The list of a trip, below size(). Empty where the trip has none.
    [[nodiscard]] std::span<const T> operator[](std::size_t trip) const noexcept {
        return items().subspan(first_[trip], first_[trip + 1] - first_[trip]);
    }
    /// size() + 1 indexes into items().
    [[nodiscard]] std::span<const std::uint64_t> first() const noexcept { return first_; }
    [[nodiscard]] std::span<const T> items() const noexcept {
        return {items_.get(), first_.back()};
    }

    friend bool operator==(const Lists& a, const Lists& b) noexcept {
        return a.first_ == b.first_ && std::ranges::equal(a.items(), b.items());
    }

private:
    template <class>
    friend class Gathered;

    std::vector<std::uint64_t> first_;  // never empty
    std::unique_ptr<T[]> items_;
    std::size_t room_ = 0;  // items that items_ holds
};

/// Per trip what a single query for it answers: Answer::status and Answer::cost. A trip that was
/// not come to before the batch was cancelled has StatusCode::cancelled, and one for which the
/// batch's own budget did not last StatusCode::budget_exhausted.
struct Costs {
    std::vector<StatusCode> status;
    std::vector<Cost> cost;
    friend bool operator==(const Costs&, const Costs&) = default;
};

struct CellRoutes : Costs {
    /// Answer::cells, or the cells of grid::waypoints.
    Lists<grid::Cell> cells;
    friend bool operator==(const CellRoutes&, const CellRoutes&) = default;
};

struct MeshRoutes : Costs {
    Lists<mesh::Polygon> polygons;    ///< Answer::polygons
    Lists<mesh::Waypoint> waypoints;  ///< Answer::waypoints
    friend bool operator==(const MeshRoutes&, const MeshRoutes&) = default;
};

/// Which cells of a path are wanted.
enum class Cells : std::uint8_t {
    all,      ///< every one
    turning,  ///< the start, those where the direction changes, the goal
};

struct Options {
    Cells cells = Cells::all;
    /// Memory that the batch may take while it runs, the result included: 56 bytes a trip (88 on
    /// meshes) and each list twice, as it is gathered and in its place; what lists have in common
    /// at their ends mostly takes less. On top of that come a searcher and half a megabyte for each
    /// kind of list a thread, or as much again as it has gathered, up to 8 megabytes.
    std::uint64_t max_bytes = std::numeric_limits<std::uint64_t>::max();
    /// What all trips together may spend: each spends 1, and 1 more for each node that its main
    /// search expands (labels expand none). It is spent in the order in which trips are taken up,
    /// which depends on the trips alone. A trip taken up while
    /// something is left is answered whole; all after it have StatusCode::budget_exhausted. Bounds
    /// set here cost up to 4,096 lists of memory more.
    std::uint64_t max_spent = std::numeric_limits<std::uint64_t>::max();
    /// Trips that are not taken up within this time have StatusCode::budget_exhausted. Which those
    /// are is a matter of chance, unlike anything else here. 0: none are taken up.
    std::chrono::nanoseconds max_time = std::chrono::nanoseconds::max();
};

}  // namespace cairn::batch
