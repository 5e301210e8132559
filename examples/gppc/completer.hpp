#pragma once
// Gives changed indexes their labels, on a thread of its own.

#include <condition_variable>
#include <mutex>
#include <optional>
#include <thread>

#include "cairn/subgoal/index.hpp"

namespace gppc {

/// Works only on the newest index: a later one replaces the one in progress. No call waits.
class Completer {
public:
    ~Completer();
    /// Starts on `index`, which was edited or built without labels; gives up any earlier one.
    void start(cairn::subgoal::Index index);
    /// The index last started on, with labels, once they are ready; after that, nothing.
    [[nodiscard]] std::optional<cairn::subgoal::Index> take();

private:
    void work(const std::stop_token& stop);

    std::mutex mutex_;
    std::condition_variable_any wake_;
    std::optional<cairn::subgoal::Index> waiting_;
    std::optional<cairn::subgoal::Index> completed_;
    cairn::CancelFlag cancel_;  // of the index in work; changed under the lock
    std::jthread thread_;       // the last member, so that it ends first
};

}  // namespace gppc
