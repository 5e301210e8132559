#include "batch/device/grid/cell_planners.hpp"

#include "cairn/grid/line.hpp"
#include "hpa/snapshot.hpp"
#include "subgoal/engines.hpp"
#include "subgoal/line_test.hpp"
#include "subgoal/snapshot.hpp"

namespace cairn::batch {

subgoal::Query SubgoalPlanner::query(const DeviceGridQuery& asked) {
    subgoal::Query query;
    query.engine = subgoal::Engine::cut_labels;
    query.detail = asked.paths ? subgoal::Detail::path : subgoal::Detail::cost;
    return query;
}

bool SubgoalPlanner::is_for_host(const subgoal::Index& index, const grid::Request& request) {
    const subgoal::Snapshot& snapshot = index.snapshot();
    const subgoal::DiagonalBits& diagonals = snapshot.engines->diagonals;
    if (diagonals.free_line(snapshot.map, snapshot.bits, request.start, request.goal) !=
        grid::LineShape::none) {
        return true;
    }
    return snapshot.options.prune && subgoal::two_turn_line(snapshot.map, snapshot.bits, diagonals,
                                                            request.start, request.goal);
}

hpa::Query HpaPlanner::query(const DeviceGridQuery& asked) {
    hpa::Query query;
    query.engine = hpa::Engine::cut_labels;
    query.detail = asked.paths ? hpa::Detail::path : hpa::Detail::cost;
    query.smoothing = hpa::Smoothing::none;
    return query;
}

bool HpaPlanner::is_for_host(const hpa::Index& index, const grid::Request& request) {
    const grid::Map& map = index.map();
    const hpa::Partition& partition = index.snapshot().overlay.base.partition;
    if (partition.cluster(1, request.start) == partition.cluster(1, request.goal)) return true;
    return map.uniform() &&
           grid::free_line(map, request.start, request.goal).shape != grid::LineShape::none;
}

}  // namespace cairn::batch
