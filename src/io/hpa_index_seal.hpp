#pragma once
// The outer shape of an index file: a FlatBuffer and, behind it, its checksum.

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "cairn/cut_labels.hpp"
#include "cairn/status.hpp"

namespace cairn::io {

namespace schema {
struct Index;
}

inline constexpr std::size_t kChecksumBytes = 8;
/// FlatBuffers' own limit, less what a file needs beside its arrays.
inline constexpr std::size_t kMaxIndexBytes = (std::size_t{1} << 31) - (std::size_t{1} << 16);

/// Appends the checksum of what `bytes` holds.
void seal(std::string& bytes);

/// Checks identifier, checksum, version and that all parts lie inside the file. `bytes` must be
/// aligned to 8, as is what is found in them. The numbers found mean nothing yet.
[[nodiscard]] Result<const schema::Index*> open_sealed(std::span<const std::byte> bytes,
                                                       std::string_view name);

/// The bytes that labels take in a file.
[[nodiscard]] inline std::size_t label_array_bytes(const CutLabelArrays& a) noexcept {
    return a.nodes.size_bytes() + a.entries.size_bytes() + a.group_common.size_bytes() +
           a.block_common.size_bytes() + a.hops.size_bytes() + a.wide_hops.size_bytes() +
           a.places.size_bytes() + a.head.size_bytes() + a.groups.size_bytes();
}

}  // namespace cairn::io
