#pragma once
// Gives changed indexes their labels, on a thread of its own.

#include <condition_variable>
#include <mutex>
#include <optional>
#include <thread>

#include "cairn/subgoal/index.hpp"

namespace gppc {

/// Works on the newest index only: one that comes in later takes the place of what is going on, and
/// nobody waits for anything.
class Completer {
public:
    ~Completer();
    /// Begins with `index`, which was edited, or built without labels; gives up any earlier one.
    void start(cairn::subgoal::Index index);
    /// The index last started with, with labels, once they are ready; then nothing again.
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
