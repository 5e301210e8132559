#pragma once
// Running out of memory as a status: no exception crosses the public interface.

#include <new>
#include <string>
#include <type_traits>
#include <utility>

#include "cairn/status.hpp"

namespace cairn {

/// What `work()`, which gives a Result or a Status, gives; too_large if there is not enough memory
/// for `what`.
template <class Work>
[[nodiscard]] auto within_memory(const char* what, Work&& work) -> decltype(work()) {
    try {
        return work();
    } catch (const std::bad_alloc&) {
        Status status{StatusCode::too_large, std::string(what) + ": not enough memory"};
        if constexpr (std::is_same_v<decltype(work()), Status>)
            return status;
        else
            return tl::unexpected(std::move(status));
    }
}

}  // namespace cairn
