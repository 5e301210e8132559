#pragma once
// Builds the labels of changed indexes, on a thread of its own.

#include <condition_variable>
#include <mutex>
#include <optional>
#include <thread>

#include "cairn/subgoal/index.hpp"

namespace gppc {

/// Works only on the newest index: a later one replaces the one in progress. Neither start nor take
/// waits for labels.
class Completer {
public:
    ~Completer();
    /// Starts to build the labels of `index`, which has none; cancels the work on any earlier
    /// index.
    void start(cairn::subgoal::Index index);
    /// The index of the last start, with labels. Empty before they are ready, and after it was
    /// taken.
    [[nodiscard]] std::optional<cairn::subgoal::Index> take();

private:
    void work(const std::stop_token& stop);

    std::mutex mutex_;
    std::condition_variable_any wake_;
    std::optional<cairn::subgoal::Index> waiting_;    // given to start, not begun yet
    std::optional<cairn::subgoal::Index> completed_;  // with labels, not taken yet
    cairn::CancelFlag cancel_;  // of the index in progress; changed under the lock
    std::jthread thread_;       // the last member, so that it ends first
};

}  // namespace gppc
