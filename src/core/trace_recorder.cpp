#include "core/trace_recorder.hpp"

namespace cairn {

TraceRecorder::TraceRecorder(SearchTrace& trace) : trace_(&trace) {
    trace.events.clear();
    trace.path.clear();
    trace.left_out = 0;
}

void TraceRecorder::ends(TracePoint start, TracePoint goal, double unit, bool cells) {
    trace_->unit = unit;
    trace_->cells = cells;
    goal_ = goal;
    add({TraceStep::source, 0, 0, TraceEvent::kStart, TraceEvent::kStart, 0, 0, start});
    add({TraceStep::destination, 0, 0, TraceEvent::kGoal, TraceEvent::kGoal, 0, 0, goal});
}

void TraceRecorder::begin_search() {
    close();
    parents_.clear();
    ++search_;
}

void TraceRecorder::generated(TraceEvent event) {
    event.search = search_;
    parents_[event.node] = event.parent;
    add(event);
}

void TraceRecorder::expanded(TraceEvent event) {
    close();
    event.search = search_;
    event.parent = parents_[event.node];
    add(event);
    open_ = event;
    is_open_ = true;
}

void TraceRecorder::met(int level, std::uint32_t node, Cost cost) noexcept {
    end_ = {TraceStep::end, static_cast<std::uint8_t>(level),
            search_,        TraceEvent::kGoal,
            node,           cost,
            cost,           goal_};
    met_ = true;
}

void TraceRecorder::finish(bool found, Cost cost) {
    close();
    if (!found) return;
    if (!met_) met(0, TraceEvent::kStart, cost);
    add(end_);
}

void TraceRecorder::close() {
    if (!is_open_) return;
    open_.step = TraceStep::closing;
    add(open_);
    is_open_ = false;
}

void TraceRecorder::add(const TraceEvent& event) {
    if (trace_->events.size() < trace_->max_events) {
        trace_->events.push_back(event);
    } else {
        ++trace_->left_out;
    }
}

}  // namespace cairn
