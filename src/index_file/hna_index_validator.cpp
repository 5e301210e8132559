#include "index_file/hna_index_validator.hpp"

#include <fmt/format.h>

#include "index_file/first_fault.hpp"
#include "index_file/hna_cluster_check.hpp"
#include "index_file/index_parts.hpp"

namespace cairn::index_file {
namespace {

// Whether some cluster's inside leads from one inter-edge to the other.
bool adjacent(const hna::Overlay& overlay, const hna::InterEdge& a, const hna::InterEdge& b) {
    for (std::size_t i = 0; i < 2; ++i) {
        for (std::size_t j = 0; j < 2; ++j) {
            if (a.cluster[i] == b.cluster[j] &&
                overlay.cluster(1, a.cluster[i]).cost(a.slot[i], b.slot[j]) < kInfinity) {
                return true;
            }
        }
    }
    return false;
}

}  // namespace

std::string level_fault(const hna::Snapshot& snapshot, int level) {
    const auto fault = first_fault(
        snapshot.overlay.base.clusters(level), [&] { return HnaClusterCheck(snapshot); },
        [&](HnaClusterCheck& check, std::uint32_t id) { return check.fault(level, id); });
    if (!fault) return {};
    return fmt::format("level {}, cluster {}: {}", level, fault->cluster, fault->what);
}

std::string_view label_fault(const hna::Overlay& overlay, const hna::Hng& hng,
                             const CutLabelArrays& arrays) {
    if (const auto fault = label_fault(arrays, hng.count()); !fault.empty()) return fault;
    for (std::uint32_t node = 0; node < hng.count(); ++node) {
        const auto fault = label_node_fault(arrays, node, [&](std::uint32_t other) {
            return other != node && adjacent(overlay, hng[node], hng[other]);
        });
        if (!fault.empty()) return fault;
    }
    return {};
}

}  // namespace cairn::index_file
