#pragma once
// The option --memory: large arrays lie in a file, and the program drops their pages from memory
// when it holds too much.

#include <cstdint>
#include <string>

#include "cairn/status.hpp"

namespace cairn::app {

/// From now on, arrays of 1 MiB or more lie in a file of `folder`, which has no name and ends with
/// the program. When the program holds more than `most` bytes in memory, it drops the pages of
/// these arrays: the system keeps what it has room for, and reads the rest again when it is used.
/// So the work takes longer, but does not fail, where `most` is too little; what lies in small
/// pieces, such as the cells of a map, is never dropped. Call it once, before large arrays are made
/// and while the program has one thread. Errors: io_error (no such file can be made there);
/// out_of_memory. An array for which the disk has no room fails as if memory had run out.
[[nodiscard]] Status limit_memory(const std::string& folder, std::uint64_t most) noexcept;

}  // namespace cairn::app
