#pragma once
// The thread that works for a world. Where a program has one thread, there is none.

#if defined(__STDCPP_THREADS__)
#include <condition_variable>
#include <system_error>
#include <thread>
#endif

#include <utility>

#include "core/mutex.hpp"

namespace cairn {

#if defined(__STDCPP_THREADS__)
class Worker {
public:
    /// Starts the thread with run() unless it was started. Returns whether there is one.
    template <class Run>
    [[nodiscard]] bool start(Run&& run) {
        if (thread_.joinable()) return true;
        try {
            thread_ = std::thread(std::forward<Run>(run));
        } catch (const std::system_error&) {
            return false;
        }
        return true;
    }
    /// Called by the thread: waits until ready(), which is called under `lock`.
    template <class Ready>
    void wait(UniqueLock& lock, Ready&& ready) {
        wake_.wait(lock, std::forward<Ready>(ready));
    }
    /// Lets the thread look again whether it is ready.
    void wake() noexcept { wake_.notify_one(); }
    /// Waits for the end of the thread, if it was started.
    void join() {
        if (thread_.joinable()) thread_.join();
    }

private:
    std::condition_variable wake_;
    std::thread thread_;
};
#else
class Worker {
public:
    template <class Run>
    [[nodiscard]] bool start(Run&& /*run*/) noexcept {
        return false;
    }
    template <class Ready>
    void wait(UniqueLock& /*lock*/, Ready&& /*ready*/) noexcept {}
    void wake() noexcept {}
    void join() noexcept {}
};
#endif

}  // namespace cairn
