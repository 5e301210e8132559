#pragma once
// The observer of searches (core/search_observer.hpp) that records a trace.

#include <cstdint>
#include <unordered_map>
#include <utility>

#include "cairn/search_trace.hpp"
#include "core/search_observer.hpp"

namespace cairn {

/// Writes the events of one query to a trace.
class TraceRecorder {
public:
    /// Empties the trace.
    explicit TraceRecorder(SearchTrace& trace);
    TraceRecorder(const TraceRecorder&) = delete;
    TraceRecorder& operator=(const TraceRecorder&) = delete;

    /// To be called once, before the search. `unit`, `cells`: as in SearchTrace.
    void ends(TracePoint start, TracePoint goal, double unit, bool cells);
    /// A search begins. To be called for each search of a query, or for none if there is one.
    void begin_search();
    /// Sets the event's search.
    void generated(TraceEvent event);
    /// Sets the event's search and parent.
    void expanded(TraceEvent event);
    /// The best path so far leads over a node, or straight from TraceEvent::kStart, to the goal.
    void met(int level, std::uint32_t node, Cost cost) noexcept;
    /// Ends the trace. `found`: whether the answer is a path, of this cost if it comes from no
    /// search.
    void finish(bool found, Cost cost);

private:
    /// Closes the node that was expanded last.
    void close();
    void add(const TraceEvent& event);

    SearchTrace* trace_;
    TracePoint goal_;
    std::uint16_t search_ = 0;
    std::unordered_map<std::uint32_t, std::uint32_t> parents_;  // of the nodes of the search
    TraceEvent open_;                                           // the node expanded last
    bool is_open_ = false;                                      // it is not closed yet
    TraceEvent end_;                                            // if met_
    bool met_ = false;
};

/// A node of a search as a trace names it.
struct TraceNode {
    std::uint32_t node = TraceEvent::kStart;
    TracePoint place;
};

/// The observer that records. `Name`: a function from a node of the search to its TraceNode.
template <class Name>
class TraceObserver {
public:
    TraceObserver() = default;
    TraceObserver(TraceRecorder& recorder, int level, Name name)
        : recorder_(&recorder), name_(std::move(name)), level_(level) {}

    [[nodiscard]] TraceObserver on(int level) const {
        TraceObserver other = *this;
        other.level_ = level;
        return other;
    }
    [[nodiscard]] TraceObserver from(std::uint32_t root) const {
        TraceObserver other = *this;
        other.root_ = root;
        return other;
    }
    void began() const { recorder_->begin_search(); }
    void expanded(std::uint32_t node, Cost g, Cost f) const {
        recorder_->expanded(event(TraceStep::expanding, name_(node), TraceEvent::kStart, g, f));
    }
    void generated(std::uint32_t node, std::uint32_t parent, Cost g, Cost f) const {
        recorder_->generated(event(TraceStep::generating, name_(node), name_(parent).node, g, f));
    }
    void generated(std::uint32_t node, Cost g, Cost f) const {
        recorder_->generated(event(TraceStep::generating, name_(node), root_, g, f));
    }
    void met(std::uint32_t node, Cost cost) const {
        recorder_->met(level_, name_(node).node, cost);
    }

private:
    [[nodiscard]] TraceEvent event(TraceStep step, const TraceNode& node, std::uint32_t parent,
                                   Cost g, Cost f) const {
        return {step, static_cast<std::uint8_t>(level_), 0, node.node, parent, g, f, node.place};
    }

    TraceRecorder* recorder_ = nullptr;
    Name name_;
    int level_ = 0;
    std::uint32_t root_ = TraceEvent::kStart;
};

/// Returns use(observer), with an observer that records. Cold: compiled for size.
template <class Name, class Use>
[[gnu::cold, gnu::noinline]] auto use_recorder(TraceRecorder& trace, int level, const Name& name,
                                               const Use& use) {
    return use(TraceObserver(trace, level, name));
}
/// Returns use(observer): with an observer that records if `trace` is not null, else with
/// NoObserver. To be called once for each slice of a search, so that its loop is compiled for both.
template <class Name, class Use>
auto with_observer(TraceRecorder* trace, int level, const Name& name, const Use& use) {
    return trace == nullptr ? use(NoObserver()) : use_recorder(*trace, level, name, use);
}

}  // namespace cairn
