#pragma once
// Which planner an index file is for.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>

#include "cairn/status.hpp"

namespace cairn::index_file {

enum class IndexKind : std::uint8_t {
    hpa,      ///< hpa_index_file.hpp
    subgoal,  ///< subgoal_index_file.hpp
    haa,      ///< haa_index_file.hpp
    hna,      ///< hna_index_file.hpp
};

/// The kind of an index file by its first eight bytes, or nothing if it is no index. O(1).
[[nodiscard]] std::optional<IndexKind> index_kind_of_bytes(
    std::span<const std::byte> bytes) noexcept;

/// The kind of the index in a file; whether the rest of it is sound shows on loading it. Errors:
/// io_error; corrupt_file (no index). O(1).
[[nodiscard]] Result<IndexKind> index_kind(const std::filesystem::path& path);

}  // namespace cairn::index_file
