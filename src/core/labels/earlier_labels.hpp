#pragma once
// Cut labels of an edited graph, in the order of the labels from before the edit.

#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "cairn/control.hpp"
#include "cairn/cut_labels.hpp"
#include "cairn/graph.hpp"
#include "cairn/status.hpp"

namespace cairn {

/// Matches two ascending lists: sets out[i] to first + j where now[i] = before[j], or to
/// CutLabels::kNewNode if there is no such j. `out` is as long as `now`. O(now + before).
void match_earlier(std::span<const std::uint32_t> now, std::span<const std::uint32_t> before,
                   std::uint32_t first, std::span<std::uint32_t> out);

/// Labels of `graph` by earlier.rebuilt(). Builds fresh labels instead if the rebuilt ones would be
/// much larger than fresh ones or pass options.max_bytes. Errors: as CutLabels::build.
[[nodiscard]] Result<CutLabels> relabelled(const CutLabels& earlier, const Graph& graph,
                                           std::span<const std::uint32_t> old_node,
                                           const CutLabels::Options& options,
                                           const BuildControl& control);

/// Labels of `graph` with their closure, or only the closure if the labels take more than
/// `max_bytes`: by relabelled() if `earlier` is given and not worn out, else in a fresh order, for
/// nodes that lie at `points`. find_old_nodes(out) writes for each node its number in `earlier`, or
/// CutLabels::kNewNode. Errors: as CutLabels::build.
template <class FindOldNodes>
[[nodiscard]] Result<CutLabels> build_labels(const Graph& graph, std::span<const NodePoint> points,
                                             const CutLabels* earlier,
                                             FindOldNodes&& find_old_nodes, std::uint64_t max_bytes,
                                             const BuildControl& control) {
    CutLabels::Options options;
    options.max_bytes = max_bytes;
    options.points = points;
    if (earlier == nullptr || !(earlier->wear() < CutLabels::kWornOut))
        return CutLabels::build(graph, options, control);
    std::vector<std::uint32_t> old_node(graph.num_nodes());
    find_old_nodes(std::span(old_node));
    return relabelled(*earlier, graph, old_node, options, control);
}

/// ok, or too_large if `max_bytes` was too little for the labels.
[[nodiscard]] Status status_of_labels(const CutLabels& labels, std::uint64_t max_bytes);

/// Drops a snapshot's labels, their closure, and the labels that it keeps from before an edit.
template <class Snapshot>
void leave_out_labels(Snapshot& snapshot) {
    snapshot.labels.reset();
    snapshot.earlier_labels.reset();
    snapshot.labels_status = {StatusCode::unsupported, "the labels were left out"};
}

/// Stores the labels built for a snapshot, or only their closure, and in labels_status why there
/// are no labels. Errors: cancelled; out_of_memory, since an answer must not depend on the memory
/// that was free at a build.
template <class Snapshot, class Engine>
[[nodiscard]] Status keep_labels(Snapshot& snapshot, Result<Engine> built) {
    if (!built) {
        const StatusCode code = built.error().code;
        if (code == StatusCode::cancelled || code == StatusCode::out_of_memory)
            return std::move(built.error());
        snapshot.labels_status = std::move(built.error());
        return {};
    }
    snapshot.labels_status = status_of_labels(built->labels, snapshot.options.label_bytes);
    if (snapshot.labels_status.ok()) snapshot.earlier_labels.reset();
    snapshot.labels = std::make_shared<const Engine>(std::move(*built));
    return {};
}

}  // namespace cairn
