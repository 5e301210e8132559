#pragma once
// Calls that are cancelled at every point where they report progress.

#include <gtest/gtest.h>

#include <algorithm>

#include "cairn/control.hpp"
#include "cairn/status.hpp"

namespace cairn::test {

/// Makes call(control) on one thread, cancelled at its first report of progress, then at its
/// second, and so on, until it succeeds. Expects the status cancelled each time, fractions that
/// never decrease and end at 1, and more than `least_reports` reports.
template <class Call>
void expect_cancelled_at_any_time(const Call& call, int least_reports) {
    int reports = 0;
    for (int after = 0;; ++after) {
        CancelFlag cancel;
        BuildControl control;
        control.threads = 1;
        control.cancel = &cancel;
        int seen = 0;
        double last = 0;
        control.progress = [&](double done) {
            EXPECT_GE(done, last);
            last = done;
            if (++seen > after) cancel.cancel();
        };
        const auto result = call(control);
        reports = std::max(reports, seen);
        if (result) {
            EXPECT_EQ(last, 1);
            break;
        }
        ASSERT_EQ(result.error().code, StatusCode::cancelled);
        ASSERT_LT(after, 1000);
    }
    EXPECT_GT(reports, least_reports);
}

}  // namespace cairn::test
