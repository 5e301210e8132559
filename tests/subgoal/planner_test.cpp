// The tests of all planners (support/planner.hpp), for subgoal graphs.

#include "subgoal/planner.hpp"
#include "support/planner_batches.hpp"
#include "support/planner_blocked.hpp"
#include "support/planner_climb.hpp"
#include "support/planner_costs.hpp"
#include "support/planner_edits.hpp"
#include "support/planner_endpoints.hpp"
#include "support/planner_limits.hpp"
#include "support/planner_reuse.hpp"
#include "support/planner_threads.hpp"

namespace cairn::test {

INSTANTIATE_TYPED_TEST_SUITE_P(Subgoal, PlannerBatches, subgoal::test::Planner);
INSTANTIATE_TYPED_TEST_SUITE_P(Subgoal, PlannerBlocked, subgoal::test::Planner);
INSTANTIATE_TYPED_TEST_SUITE_P(Subgoal, PlannerClimb, subgoal::test::Planner);
INSTANTIATE_TYPED_TEST_SUITE_P(Subgoal, PlannerCosts, subgoal::test::Planner);
INSTANTIATE_TYPED_TEST_SUITE_P(Subgoal, PlannerEdits, subgoal::test::Planner);
INSTANTIATE_TYPED_TEST_SUITE_P(Subgoal, PlannerEndpoints, subgoal::test::Planner);
INSTANTIATE_TYPED_TEST_SUITE_P(Subgoal, PlannerLimits, subgoal::test::Planner);
INSTANTIATE_TYPED_TEST_SUITE_P(Subgoal, PlannerReuse, subgoal::test::Planner);
INSTANTIATE_TYPED_TEST_SUITE_P(Subgoal, PlannerThreads, subgoal::test::Planner);

}  // namespace cairn::test
