#include "batch/device/subgoal_host.hpp"

#include "cairn/grid/smooth.hpp"
#include "grid/ends.hpp"
#include "subgoal/engines.hpp"
#include "subgoal/snapshot.hpp"
#include "subgoal/two_turn_line.hpp"

namespace cairn::batch {
namespace {

/// Whether a query might be answered by a line, which devices do not look for.
bool has_line(const subgoal::Snapshot& snapshot, const CellTrip& trip) {
    const subgoal::DiagonalBits& diagonals = snapshot.engines->diagonals;
    if (diagonals.free_line(snapshot.map, snapshot.bits, trip.start, trip.goal) !=
        grid::LineShape::none) {
        return true;
    }
    return snapshot.options.prune &&
           subgoal::two_turn_line(snapshot.map, snapshot.bits, diagonals, trip.start, trip.goal);
}

}  // namespace

void SubgoalHost::begin(const subgoal::Index& index, const DeviceGridQuery& query) {
    index_ = &index;
    query_ = {};
    query_.engine = subgoal::Engine::cut_labels;
    query_.detail = query.paths ? subgoal::Detail::path : subgoal::Detail::cost;
    cells_ = query.cells;
}

Settled SubgoalHost::settle(const CellTrip& trip) const {
    const subgoal::Snapshot& snapshot = index_->snapshot();
    StatusCode status = grid::check_start(snapshot.map, trip.start);
    if (status == StatusCode::ok) status = grid::check_goal(snapshot.map, trip.goal);
    return {status, status == StatusCode::ok && !has_line(snapshot, trip)};
}

HostAnswer SubgoalHost::Worker::answer(const SubgoalHost& host, const CellTrip& trip) {
    subgoal::Query query = host.query_;
    query.start = trip.start;
    query.goal = trip.goal;
    searcher_.find(*host.index_, query, answer_);
    if (host.cells_ == Cells::all || answer_.cells.empty())
        return {answer_.status, answer_.cost, answer_.cells};
    grid::waypoints(host.index_->map(), answer_.cells, turning_);
    return {answer_.status, answer_.cost, turning_};
}

}  // namespace cairn::batch
