#pragma once
// Mutexes and their locks: those of the standard library, or empty ones where a program has one
// thread and the library has none, as in WebAssembly.

#if defined(__STDCPP_THREADS__)
#include <mutex>
#endif

namespace cairn {

#if defined(__STDCPP_THREADS__)
using Mutex = std::mutex;
using ScopedLock = std::scoped_lock<Mutex>;
using UniqueLock = std::unique_lock<Mutex>;
#else
class Mutex {
public:
    Mutex() noexcept = default;
    Mutex(const Mutex&) = delete;
    Mutex& operator=(const Mutex&) = delete;
};

class [[nodiscard]] UniqueLock {
public:
    explicit UniqueLock(Mutex& /*mutex*/) noexcept {}
    UniqueLock(const UniqueLock&) = delete;
    UniqueLock& operator=(const UniqueLock&) = delete;
    ~UniqueLock() {}  // not =default, so that a lock is not an unused variable
    void lock() noexcept {}
    void unlock() noexcept {}
};

using ScopedLock = UniqueLock;
#endif

}  // namespace cairn
