#include "batch/device/grid/subgoal_form.hpp"

#include <algorithm>
#include <cstddef>
#include <new>

#include "cairn/grid/line.hpp"
#include "core/guarded.hpp"
#include "subgoal/edit.hpp"
#include "subgoal/line_test.hpp"
#include "subgoal/snapshot.hpp"

namespace cairn::batch {

Status SubgoalArrays::check(const subgoal::Index& index) {
    const auto refuse = [](const char* why) { return Status{StatusCode::unsupported, why}; };
    if (!index.has_closure())
        return refuse(
            "the index has neither labels nor their closure (labels_status says why): build it "
            "with labels, or load the result of Index::with_labels");
    const subgoal::Snapshot& snapshot = index.snapshot();
    const CutLabels& labels = snapshot.labels;
    if (labels.num_nodes() != snapshot.nodes.size() ||
        (index.has_labels() && labels.num_nodes() > 0 && !labels.has_paths())) {
        return refuse(
            "the cut labels do not belong to the index's subgoals: build the index again");
    }
    if (index.options().edges != subgoal::Edges::direct)
        return refuse("devices follow only direct edges: build the index with Edges::direct");
    if (snapshot.connectors.empty())
        return refuse("the map has too many connectors for a table: use a subgoal::Searcher");
    return {};
}

bool SubgoalArrays::has_labels(const subgoal::Index& index) noexcept {
    return index.has_labels() && device_reads(index.snapshot().labels);
}

SubgoalArrays::SubgoalArrays(const subgoal::Index& index) {
    subgoal::Snapshot snapshot = index.snapshot();
    const bool renumbers = !snapshot.nodes.fresh();
    if (renumbers) {
        BuildControl control;
        control.threads = 1;
        if (!compact(snapshot, control).ok()) throw std::bad_alloc();
    }
    if (has_labels(index)) {
        const CutLabels& labels = index.snapshot().labels;
        labels_ = value_of(renumbers ? labels.in_one_piece(snapshot.labels.closure())
                                     : labels.in_one_piece());
    }
    closure_ = value_of(snapshot.labels.closure().in_one_piece());
    form_.closure = closure_form(closure_);
    places_ = snapshot.nodes.points();
    connectors_ = snapshot.connectors;
    form_.width = snapshot.map.width();
    form_.straight = snapshot.map.distance_bound({0, 0}, {1, 0});
    form_.diagonal = snapshot.map.distance_bound({0, 0}, {1, 1});
    form_.connectors = connectors_.view();
    form_.places = places_;
    form_.labels = labels_.arrays();
    const auto first = form_.connectors.first;
    for (std::size_t tile = 0; tile + 1 < first.size(); ++tile)
        form_.most_connectors = std::max(form_.most_connectors, first[tile + 1] - first[tile]);
    form_.most_stops = CellForm::stops_of(form_.places.size());
}

bool SubgoalArrays::is_for_host(const subgoal::Index& index, const grid::Request& request) {
    const subgoal::Snapshot& snapshot = index.snapshot();
    const subgoal::DiagonalBits& diagonals = snapshot.diagonals;
    if (diagonals.free_line(snapshot.map, snapshot.bits, request.start, request.goal) !=
        grid::LineShape::none) {
        return true;
    }
    return snapshot.options.prune && subgoal::two_turn_line(snapshot.map, snapshot.bits, diagonals,
                                                            request.start, request.goal);
}

}  // namespace cairn::batch
