#pragma once
// The steps that building and editing an index share.

#include <cstdint>
#include <vector>

#include "cairn/control.hpp"
#include "hna/cluster_search.hpp"
#include "hna/snapshot.hpp"

namespace cairn::hna {

/// The centre rows of a cluster of the top level.
[[nodiscard]] std::vector<std::uint32_t> make_centre_rows(const Snapshot& snapshot,
                                                          std::uint32_t cluster,
                                                          ClusterSearch& search);

/// All parts that follow from the options and the overlay's base, except labels. Errors: cancelled,
/// or as check_keys.
[[nodiscard]] Status build_parts(Snapshot& snapshot, const BuildControl& control);

}  // namespace cairn::hna
