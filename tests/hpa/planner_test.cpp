// The tests of all planners (support/planner.hpp), for HPA*.

#include "hpa/planner.hpp"
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

INSTANTIATE_TYPED_TEST_SUITE_P(Hpa, PlannerBatches, hpa::test::Planner);
INSTANTIATE_TYPED_TEST_SUITE_P(Hpa, PlannerBlocked, hpa::test::Planner);
INSTANTIATE_TYPED_TEST_SUITE_P(Hpa, PlannerClimb, hpa::test::Planner);
INSTANTIATE_TYPED_TEST_SUITE_P(Hpa, PlannerCosts, hpa::test::Planner);
INSTANTIATE_TYPED_TEST_SUITE_P(Hpa, PlannerEdits, hpa::test::Planner);
INSTANTIATE_TYPED_TEST_SUITE_P(Hpa, PlannerEndpoints, hpa::test::Planner);
INSTANTIATE_TYPED_TEST_SUITE_P(Hpa, PlannerLimits, hpa::test::Planner);
INSTANTIATE_TYPED_TEST_SUITE_P(Hpa, PlannerReuse, hpa::test::Planner);
INSTANTIATE_TYPED_TEST_SUITE_P(Hpa, PlannerThreads, hpa::test::Planner);

}  // namespace cairn::test
