#include "core/labels/earlier_labels.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace cairn {
namespace {

// The most bytes for labels of `nodes` nodes in the order of `earlier`: one and a half times an
// estimate for fresh labels, and a constant, because the estimate is poor for few nodes.
std::uint64_t max_inherited_bytes(const CutLabels& earlier, std::uint32_t nodes) {
    constexpr double kMostWear = 1.5;
    constexpr std::uint64_t kSmall = 1U << 16;
    if (earlier.num_nodes() == 0) return kSmall;
    const auto bytes = static_cast<double>(earlier.label_bytes());
    const double fresh = bytes / std::max(1.0, earlier.wear()) * nodes / earlier.num_nodes();
    return static_cast<std::uint64_t>(kMostWear * fresh) + kSmall;
}

}  // namespace

void match_earlier(std::span<const std::uint32_t> now, std::span<const std::uint32_t> before,
                   std::uint32_t first, std::span<std::uint32_t> out) {
    std::size_t j = 0;
    for (std::size_t i = 0; i < now.size(); ++i) {
        while (j < before.size() && before[j] < now[i]) ++j;
        const bool old = j < before.size() && before[j] == now[i];
        out[i] = old ? first + static_cast<std::uint32_t>(j) : CutLabels::kNewNode;
    }
}

Status status_of_labels(const CutLabels& labels, std::uint64_t max_bytes) {
    if (labels.has_labels()) return {};
    return {StatusCode::too_large, fmt::format("cut labels: {} bytes are needed, {} allowed",
                                               labels.label_bytes(), max_bytes)};
}

Result<CutLabels> relabelled(const CutLabels& earlier, const Graph& graph,
                             std::span<const std::uint32_t> old_node,
                             const CutLabels::Options& options, const BuildControl& control) {
    CutLabels::Options rebuild_options = options;
    rebuild_options.max_bytes =
        std::min(options.max_bytes, max_inherited_bytes(earlier, graph.num_nodes()));
    double reported = 0;  // progress must not fall if a fresh build follows the rebuild
    BuildControl both = control;
    if (control.progress) {
        both.progress = [&](double done) {
            if (done > reported) control.progress(reported = done);
        };
    }
    auto labels = earlier.rebuilt(graph, old_node, rebuild_options, both);
    if (labels ? labels->has_labels() : labels.error().code != StatusCode::too_large) return labels;
    return CutLabels::build(graph, options, both);
}

}  // namespace cairn
