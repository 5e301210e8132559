#pragma once
// Comparisons of labels and closures of HPA* indexes, and of the answers by them.

#include "cairn/cut_labels.hpp"
#include "cairn/hpa/index.hpp"
#include "hpa/random_cases.hpp"

namespace cairn::hpa::test {

/// The labels of an index, or only their closure. Needs has_closure().
[[nodiscard]] const CutLabels& labels_of(const Index& index);

/// Whether the labels of two indexes have the same entries in the same order.
[[nodiscard]] bool same_labels(const Index& a, const Index& b);

/// Expects the costs that the labels of `fresh`, an index built from scratch, give, and paths
/// without fault.
void expect_fresh_answers(RandomCases& random, const Index& index, const Index& fresh);

/// Expects that climbing in `climbing` finds what the labels of `labelled` find, an index of the
/// same order.
void expect_equal_answers(RandomCases& random, const Index& climbing, const Index& labelled);

}  // namespace cairn::hpa::test
