// The tests of all planners, run for HAA*.

#include "haa/planner.hpp"
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

INSTANTIATE_TYPED_TEST_SUITE_P(Haa, PlannerBatches, haa::test::Planner);
INSTANTIATE_TYPED_TEST_SUITE_P(Haa, PlannerBlocked, haa::test::Planner);
INSTANTIATE_TYPED_TEST_SUITE_P(Haa, PlannerClimb, haa::test::Planner);
INSTANTIATE_TYPED_TEST_SUITE_P(Haa, PlannerCosts, haa::test::Planner);
INSTANTIATE_TYPED_TEST_SUITE_P(Haa, PlannerEdits, haa::test::Planner);
INSTANTIATE_TYPED_TEST_SUITE_P(Haa, PlannerEndpoints, haa::test::Planner);
INSTANTIATE_TYPED_TEST_SUITE_P(Haa, PlannerLimits, haa::test::Planner);
INSTANTIATE_TYPED_TEST_SUITE_P(Haa, PlannerReuse, haa::test::Planner);
INSTANTIATE_TYPED_TEST_SUITE_P(Haa, PlannerThreads, haa::test::Planner);

}  // namespace cairn::test
