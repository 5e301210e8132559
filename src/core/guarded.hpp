#pragma once
// The boundary that no exception crosses: every public function that may allocate runs in
// guarded().

#include <new>
#include <stdexcept>
#include <type_traits>
#include <utility>

#include "cairn/status.hpp"

namespace cairn {

namespace detail {

template <class Value>
struct OutOfMemory {  // of a Result
    static Value value() noexcept { return tl::unexpected(Status{StatusCode::out_of_memory, {}}); }
};
template <>
struct OutOfMemory<Status> {
    static Status value() noexcept { return {StatusCode::out_of_memory, {}}; }
};
template <>
struct OutOfMemory<StatusCode> {
    static StatusCode value() noexcept { return StatusCode::out_of_memory; }
};

}  // namespace detail

/// Returns what `work()` returns, a Result, a Status or a StatusCode; out_of_memory, without a
/// message, if an allocation fails.
template <class Work>
[[nodiscard]] auto guarded(Work&& work) noexcept -> decltype(work()) {
    using Value = decltype(work());
    try {
        return work();
    } catch (const std::bad_alloc&) {
        return detail::OutOfMemory<Value>::value();
    } catch (const std::length_error&) {  // a container asked for more than it can ever hold
        return detail::OutOfMemory<Value>::value();
    }
}

}  // namespace cairn
