#pragma once
// The outer shape of an index file, whatever the planner: a FlatBuffer and, behind it, its
// checksum.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cairn/grid/map.hpp"
#include "cairn/status.hpp"

namespace cairn::index_file {

inline constexpr std::size_t kChecksumBytes = 8;
/// FlatBuffers' own limit, less what a file needs beside its arrays.
inline constexpr std::size_t kMaxIndexBytes = (std::size_t{1} << 31) - (std::size_t{1} << 16);

/// One planner's files.
struct IndexFormat {
    const char* identifier;  ///< FlatBuffers' file identifier, four characters
    std::uint32_t version;
    std::string_view what;  ///< "an HPA* index"
};

/// Appends the checksum of what `bytes` holds.
void seal(std::string& bytes);

/// Checks identifier, checksum and version. `bytes` must be aligned to 8.
[[nodiscard]] Status check_seal(std::span<const std::byte> bytes, std::string_view name,
                                const IndexFormat& format);

/// corrupt_file, for contents that are at fault though the checksum is right.
[[nodiscard]] Status corrupt_index(std::string_view name, std::string_view what);

struct MapShape {
    int width = 0;
    int height = 0;
    friend bool operator==(const MapShape&, const MapShape&) = default;
};

/// What a file says about the map it belongs to.
struct MapStamp {
    MapShape shape;
    std::uint64_t fingerprint = 0;
};

/// wrong_map, for a file that belongs to another map than the one given.
[[nodiscard]] Status wrong_map(std::string_view name, std::string_view what);

/// ok, or wrong_map.
[[nodiscard]] Status check_shape(std::string_view name, const MapShape& file,
                                 const MapShape& given);

/// ok, or wrong_map.
[[nodiscard]] Status check_map(std::string_view name, const MapStamp& stamp, const grid::Map& map);

/// The bytes themselves, or a copy of them in `memory`, at an address aligned to 8.
[[nodiscard]] std::span<const std::byte> aligned_bytes(std::span<const std::byte> bytes,
                                                       std::vector<std::uint64_t>& memory);

}  // namespace cairn::index_file
