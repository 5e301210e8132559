#pragma once
// Turns exceptions into statuses: public functions that return out_of_memory run in guarded().

#include <new>
#include <stdexcept>
#include <type_traits>

#include "cairn/status.hpp"

namespace cairn {

/// The result of a call whose allocation failed: the code, without a message.
template <class Value>
[[nodiscard]] Value out_of_memory() noexcept {
    constexpr StatusCode kCode = StatusCode::out_of_memory;
    if constexpr (std::is_same_v<Value, StatusCode>) {
        return kCode;
    } else if constexpr (std::is_same_v<Value, Status>) {
        return Status{kCode, {}};
    } else {
        return tl::unexpected(Status{kCode, {}});
    }
}

/// Returns the Result, Status or StatusCode of work(), or out_of_memory if an allocation fails.
template <class Work>
[[nodiscard]] auto guarded(Work&& work) noexcept -> decltype(work()) {
    using Value = decltype(work());
    try {
        return work();
    } catch (const std::bad_alloc&) {
        return out_of_memory<Value>();
    } catch (const std::length_error&) {  // a container asked for more than it can ever hold
        return out_of_memory<Value>();
    }
}

}  // namespace cairn
