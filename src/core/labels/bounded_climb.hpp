#pragma once
// Climbing with bounds and a limit. Finds the same cost and the same path as Closure::distance and
// Closure::find_path, and reads fewer rows of the closure. See docs/labels.md, "Bounds".

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "cairn/closure.hpp"
#include "climb_query.hpp"

namespace cairn {

/// The limit of a first climb, which may prove too low. Then a second one has the cost found as its
/// limit, or none.
struct AssumedLimit {
    /// A path is assumed to cost at most the bound between its ends and 1 / part of it.
    Cost part = 10;
    /// Climbs from connectors that all lie higher in the tree assume nothing: they read so few rows
    /// that two climbs would take longer than one without a limit.
    std::uint32_t least_depth = 300;

    [[nodiscard]] Cost of(Cost bound) const noexcept {
        return saturated(std::uint64_t{bound} + bound / part);
    }
};

/// Bounds are those that NoBounds (climb_query.hpp) describes, with one more member:
///     end_to_end()    the bound between start and goal
template <class Bounds>
class BoundedClimb {
public:
    using Connectors = std::span<const Connector>;

    /// All but `assumed` must outlive the climbs.
    BoundedClimb(const Closure& closure, const Bounds& bounds, ClosureScratch& scratch,
                 const AssumedLimit& assumed = {}) noexcept
        : closure_(closure), bounds_(bounds), scratch_(scratch), assumed_(assumed) {}

    /// As Closure::distance if this cost is below `below`; else some cost that is not.
    [[nodiscard]] Cost distance(Connectors from, Connectors to, Cost below = kInfinity) const {
        if (closure_.storage() == nullptr || below == 0) return kInfinity;
        ClimbQuery query(*closure_.storage(), from, to, scratch_);
        const bool deep = is_deep(query);
        const Cost most = below - 1;
        Cost limit = deep ? std::min(most, assumed_.of(bounds_.end_to_end())) : most;
        for (;;) {
            if (deep || below < kInfinity) {
                query.run_within<ClimbQuery::kCostOnly>(bounds_, limit);
            } else {
                query.run<ClimbQuery::kCostOnly>();
            }
            if (query.cost <= limit || limit == most) return query.cost;
            limit = std::min(query.cost, most);
        }
    }

    /// As Closure::find_path.
    [[nodiscard]] Cost find_path(Connectors from, Connectors to,
                                 std::vector<std::uint32_t>& nodes) const {
        nodes.clear();
        if (closure_.storage() == nullptr) return kInfinity;
        ClimbQuery query(*closure_.storage(), from, to, scratch_);
        if (is_deep(query)) return find_path_of(distance(from, to), from, to, nodes);
        query.run<ClimbQuery::kWithPath>();
        return query.take_path(nodes);
    }

    /// The same if `cost` is what find_path returns; else kInfinity and no nodes.
    [[nodiscard]] Cost find_path_of(Cost cost, Connectors from, Connectors to,
                                    std::vector<std::uint32_t>& nodes) const {
        nodes.clear();
        if (closure_.storage() == nullptr || cost >= kInfinity) return kInfinity;
        ClimbQuery query(*closure_.storage(), from, to, scratch_);
        query.run_within<ClimbQuery::kWithPath>(bounds_, cost);
        return query.cost == cost ? query.take_path(nodes) : kInfinity;
    }

private:
    [[nodiscard]] bool is_deep(const ClimbQuery& query) const noexcept {
        return query.deepest() >= assumed_.least_depth;
    }

    const Closure& closure_;
    const Bounds& bounds_;
    ClosureScratch& scratch_;
    AssumedLimit assumed_;
};

}  // namespace cairn
