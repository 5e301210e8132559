#pragma once
// Builds the subgoal graphs and labels of changed maps, on a thread of its own.

#include <condition_variable>
#include <mutex>
#include <optional>
#include <span>
#include <thread>
#include <vector>

#include "cairn/subgoal/index.hpp"

namespace gppc {

/// Works only towards the newest map: a change ends the work on the map before it. Neither change
/// nor take waits for that work.
class Completer {
public:
    /// `index`: of the map before the first change.
    explicit Completer(cairn::subgoal::Index index) : index_(std::move(index)) {}
    ~Completer();
    /// Starts to build the index of the map with these edits.
    void change(std::span<const cairn::grid::TerrainEdit> edits);
    /// The index of the newest map. Empty before it is ready, and after it was taken.
    [[nodiscard]] std::optional<cairn::subgoal::Index> take();

private:
    void work(const std::stop_token& stop);

    std::mutex mutex_;
    std::condition_variable_any wake_;
    std::vector<cairn::grid::TerrainEdit> waiting_;   // edits that index_ does not have
    std::optional<cairn::subgoal::Index> completed_;  // not taken yet
    cairn::CancelFlag cancel_;     // of the labels in progress; changed under the lock
    cairn::subgoal::Index index_;  // the thread's own, once it runs
    std::jthread thread_;          // the last member, so that it ends first
};

}  // namespace gppc
