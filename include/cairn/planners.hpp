#pragma once
// All planners of this build as a list of types, for code that is written once for all of them.
// Includes the headers of every planner. Programs that choose a planner at run time include
// cairn/any.hpp instead, which compiles faster.

#include "cairn/grid/planners.hpp"
#include "cairn/parts.hpp"

#if CAIRN_HAS_HAA
#include "cairn/haa/haa.hpp"
#endif
#if CAIRN_HAS_HNA
#include "cairn/hna/hna.hpp"
#endif
#if CAIRN_HAS_HPA
#include "cairn/hpa/hpa.hpp"
#endif
#if CAIRN_HAS_MESH
#include "cairn/mesh/planner.hpp"
#endif
#if CAIRN_HAS_SUBGOAL
#include "cairn/subgoal/subgoal.hpp"
#endif

namespace cairn {

/// A list of planners, as types.
template <class... P>
struct PlannerList {
    /// Calls use.operator()<P>() for each planner.
    template <class Use>
    static constexpr void for_each(Use&& use) {
        (use.template operator()<P>(), ...);
    }
};

namespace detail {

// Ends the list below, which has a comma behind each planner.
struct NoPlanner {};
// `type` is the PlannerList `List` followed by the planners of `Rest`, without NoPlanner.
template <class List, class... Rest>
struct Planners {
    using type = List;
};
template <class... Listed, class P, class... Rest>
struct Planners<PlannerList<Listed...>, P, Rest...> : Planners<PlannerList<Listed..., P>, Rest...> {
};
template <class... Listed, class... Rest>
struct Planners<PlannerList<Listed...>, NoPlanner, Rest...>
    : Planners<PlannerList<Listed...>, Rest...> {};

}  // namespace detail

/// The planners of grids, then those of meshes; of each space those with an index first.
using AllPlanners = detail::Planners<PlannerList<>,
#if CAIRN_HAS_HPA
                                     hpa::Planner,
#endif
#if CAIRN_HAS_SUBGOAL
                                     subgoal::Planner,
#endif
#if CAIRN_HAS_HAA
                                     haa::Planner,
#endif
                                     grid::AstarPlanner, grid::JpsPlanner,
#if CAIRN_HAS_HNA
                                     hna::Planner,
#endif
#if CAIRN_HAS_MESH
                                     mesh::AstarPlanner,
#endif
                                     detail::NoPlanner>::type;

}  // namespace cairn
