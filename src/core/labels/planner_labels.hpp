#pragma once
// The labels of a planner's snapshot: built, kept and left out.

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "cairn/control.hpp"
#include "cairn/cut_labels.hpp"
#include "cairn/graph.hpp"
#include "cairn/status.hpp"
#include "core/parallel_loop.hpp"

namespace cairn {

/// The most bytes for the labels of a map: `wanted`, or if that is 0, 64 a cell and at least 64
/// MiB.
[[nodiscard]] constexpr std::uint64_t most_label_bytes(std::uint64_t wanted,
                                                       std::uint64_t cells) noexcept {
    return wanted > 0 ? wanted : 64 * std::max(cells, std::uint64_t{1} << 20);
}

/// What labels do with the order of the closure that they are made for.
enum class OrderUse : std::uint8_t {
    fresh_if_worn,  ///< a fresh order if the closure is worn out
    keep,           ///< keep the order
};

/// Whether labels are repaired from a closure that edits have kept.
[[nodiscard]] inline bool is_repaired(const Closure& closure, OrderUse use) noexcept {
    return use == OrderUse::keep || (closure.num_nodes() > 0 && closure.wear() < Closure::kWornOut);
}

/// Labels of the graph of `outdated`, for its closure; or only this closure if the labels take more
/// than `max_bytes` even with pieces. Errors: as CutLabels::repaired.
[[nodiscard]] inline Result<CutLabels> repaired_labels(const CutLabels& outdated,
                                                       std::uint64_t max_bytes,
                                                       const BuildControl& control) {
    CutLabels::Options options;
    options.max_bytes = max_bytes;
    return outdated.repaired(options, control);
}

/// Labels of `graph`, whose nodes lie at `points`, with their closure, in a fresh order; or only
/// the closure if the labels take more than `max_bytes` even with pieces. `graph` is a Graph, which
/// is freed early if it is moved from. Errors: as CutLabels::build.
template <class AnyGraph>
[[nodiscard]] Result<CutLabels> build_labels(AnyGraph&& graph, std::span<const NodePoint> points,
                                             std::uint64_t max_bytes, const BuildControl& control) {
    CutLabels::Options options;
    options.max_bytes = max_bytes;
    options.closure.points = points;
    return CutLabels::build(std::forward<AnyGraph>(graph), options, control);
}

/// The closure of `graph`, whose nodes lie at `points`, in a fresh order. Errors: as
/// Closure::build.
[[nodiscard]] inline Result<Closure> closure_in_fresh_order(const Graph& graph,
                                                            std::span<const NodePoint> points,
                                                            const BuildControl& control) {
    Closure::Options options;
    options.points = points;
    return Closure::build(graph, options, control);
}

/// The closure of an edited graph: `before`, repaired; or a closure in a fresh order if that is
/// much smaller. Then `whole()` gives the graph, and `points()` tells where its nodes lie. Errors:
/// too_large, out_of_memory (as Closure::build).
template <class Whole, class Points>
[[nodiscard]] Result<Closure> repaired_closure(const Closure& before, const GraphEdit& edit,
                                               Whole&& whole, Points&& points) {
    auto closure = before.edited(edit);
    if (closure || closure.error().code != StatusCode::too_large) return closure;
    const Result<Graph> graph = whole();
    if (!graph) return tl::unexpected(graph.error());
    const std::vector<NodePoint> places = points();
    BuildControl control;
    control.threads = 1;  // edits start no threads
    return closure_in_fresh_order(*graph, places, control);
}

/// ok, or too_large if `max_bytes` was too little for the labels.
[[nodiscard]] inline Status status_of_labels(const CutLabels& labels, std::uint64_t max_bytes) {
    if (labels.has_labels()) return {};
    return {StatusCode::too_large, fmt::format("cut labels: {} bytes are needed, {} allowed",
                                               labels.label_bytes(), max_bytes)};
}

/// Why an edited index has no labels.
[[nodiscard]] inline Status stale_labels() {
    return {StatusCode::stale_index, "the map was edited after the labels were built"};
}

/// A copy of an index, on whose snapshot change(snapshot) was made. Errors: those of `change`, a
/// Status; bad_option (number of threads).
template <class Index, class Change>
[[nodiscard]] Result<Index> changed_copy(const Index& index, const BuildControl& control,
                                         Change&& change) {
    if (Status s = check_threads(control); !s.ok()) return tl::unexpected(std::move(s));
    using Snapshot = std::remove_cvref_t<decltype(index.snapshot())>;
    auto snapshot = std::make_shared<Snapshot>(index.snapshot());
    if (Status s = change(*snapshot); !s.ok()) return tl::unexpected(std::move(s));
    return Index(std::move(snapshot));
}

/// Drops a snapshot's labels and their closure.
template <class Snapshot>
void leave_out_labels(Snapshot& snapshot) {
    snapshot.labels.reset();
    snapshot.labels_status = {StatusCode::unsupported, "the labels were left out"};
}

/// Stores the labels built for a snapshot within `max_bytes`, or only their closure, and in
/// labels_status why there are no labels. Errors: cancelled; out_of_memory, since an answer must
/// not depend on the memory that was free at a build.
template <class Snapshot, class Engine>
[[nodiscard]] Status keep_labels(Snapshot& snapshot, Result<Engine> built,
                                 std::uint64_t max_bytes) {
    if (!built) {
        const StatusCode code = built.error().code;
        if (code == StatusCode::cancelled || code == StatusCode::out_of_memory)
            return std::move(built.error());
        snapshot.labels_status = std::move(built.error());
        return {};
    }
    snapshot.labels_status = status_of_labels(built->labels, max_bytes);
    snapshot.labels = std::make_shared<const Engine>(std::move(*built));
    return {};
}

}  // namespace cairn
