#pragma once
// Turns exceptions into statuses. A public function that may run out of memory is written as
//
//   Result<Thing> Thing::create() noexcept try {
//       ...
//   } catch (...) {
//       return out_of_memory();
//   }
//
// or runs a lambda in guarded().

#include <exception>
#include <new>
#include <stdexcept>
#include <utility>

#include "cairn/status.hpp"

namespace cairn {

/// The code out_of_memory, without a message, as whatever a call returns.
struct OutOfMemory {
    // NOLINTBEGIN(google-explicit-constructor): for `return out_of_memory();`
    operator StatusCode() const noexcept { return StatusCode::out_of_memory; }
    operator Status() const noexcept { return {StatusCode::out_of_memory, {}}; }
    template <class Value>
    operator Result<Value>() const noexcept {
        return tl::unexpected(Status{StatusCode::out_of_memory, {}});
    }
    // NOLINTEND(google-explicit-constructor)
};

/// In catch (...), ends the program if the exception is not a failed allocation: Cairn throws no
/// others. In WebAssembly it is not looked at: the runtime (bindings/web) has no types of
/// exceptions.
[[nodiscard]] inline OutOfMemory out_of_memory() noexcept {
#if !defined(__wasm__)
    if (std::current_exception() == nullptr) return {};
    try {
        throw;
    } catch (const std::bad_alloc&) {
    } catch (const std::length_error&) {  // a container asked for more than it can ever hold
    }
#endif
    return {};
}

/// Returns the Result, Status or StatusCode of work(), or out_of_memory if an allocation fails.
template <class Work>
[[nodiscard]] auto guarded(Work&& work) noexcept -> decltype(work()) try {
    return work();
} catch (...) {
    return out_of_memory();
}

/// For calls within Cairn: throws again that memory ran out. Another error is up to the caller.
template <class Value>
void rethrow_out_of_memory(const Result<Value>& result) {
    if (!result && result.error().code == StatusCode::out_of_memory) throw std::bad_alloc();
}

/// The value of a call within Cairn whose only error is out_of_memory, which is thrown again.
template <class Value>
[[nodiscard]] Value value_of(Result<Value> result) {
    if (!result) throw std::bad_alloc();
    return *std::move(result);
}

}  // namespace cairn
