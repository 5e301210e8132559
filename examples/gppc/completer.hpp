#pragma once
// Builds the subgoal graphs and labels of changed maps, on a thread of its own.

#include <condition_variable>
#include <mutex>
#include <optional>
#include <thread>

#include "cairn/subgoal/index.hpp"

namespace gppc {

/// An index, and the microseconds that it took to build.
struct Completed {
    cairn::subgoal::Index index;
    double microseconds = 0;
};

/// Works towards one map at a time. No member waits for that work, but the destructor.
class Completer {
public:
    /// `index`: one to start from, of a similar map.
    explicit Completer(cairn::subgoal::Index index) : index_(std::move(index)) {}
    ~Completer();
    /// Starts to build the index of `map`, in place of any other map.
    void start(const cairn::grid::Map& map);
    /// Ends the work soon. There is nothing to take until it is started again.
    void stop();
    /// The index of the map with which `start` was last called. Empty before it is ready, and after
    /// it was taken.
    [[nodiscard]] std::optional<Completed> take();

private:
    void work(const std::stop_token& stop);

    std::mutex mutex_;
    std::condition_variable_any wake_;
    std::optional<cairn::grid::Map> wanted_;  // work that has not begun
    std::optional<Completed> completed_;      // not taken yet
    cairn::CancelFlag cancel_;                // of the work in progress; changed under the lock
    cairn::subgoal::Index index_;             // the thread's own, once it runs
    std::jthread thread_;                     // the last member, so that it ends first
};

}  // namespace gppc
