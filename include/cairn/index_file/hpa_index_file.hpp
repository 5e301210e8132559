#pragma once
// HPA* indexes on disk: "pre-computed (before a game ships), stored on disk, and loaded into memory
// at run time" (HPA* paper, section 3.1).
//
// A file is a FlatBuffer (schema: src/index_file/hpa_index.fbs) and a checksum. It is stamped with
// the format's version, the options and the fingerprint of the map, which it does not contain.
// Loading maps the file into memory and rebuilds nothing: records, move tables and labels stay in
// the file and are shared by all processes that load it.
//
// The bytes are canonical: those of an index without labels, or with labels built afresh, depend on
// map and options alone, whether it was edited or not. Only labels in the order of those before an
// edit (Index::with_labels) show that. An index loaded and saved again gives the same bytes.
//
// Any bytes are accepted or refused, and on an accepted file no query or edit crashes or runs on
// forever, even where somebody forged the checksum: which nodes, inter-edges and connections there
// are is checked against the map, and every move of every table is followed. Only costs and labels
// are taken on trust, within bounds.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cairn/grid/map.hpp"
#include "cairn/hpa/index.hpp"
#include "cairn/status.hpp"

namespace cairn::index_file {

/// The version of the format that this program writes, and the only one that it reads.
inline constexpr std::uint32_t kHpaIndexVersion = 1;

/// The bytes of an index's file. Errors: too_large (over 2^31 - 2^16 bytes: leave out labels or
/// move tables, or choose larger clusters). O(index).
[[nodiscard]] Result<std::string> index_bytes(const hpa::Index& index);

/// Writes an index to a file, which is replaced whole or not at all. Errors: too_large; io_error.
[[nodiscard]] Status save_index(const std::filesystem::path& path, const hpa::Index& index);

/// Maps a file written by save_index into memory. `map` must be the map that the index was made of,
/// or an equal one. The index has labels if the file has; its snapshot_id is that of an index built
/// afresh. The file stays mapped as long as the index or a copy lives; it may be replaced, but not
/// be written to in place.
///
/// Errors, each naming the file: io_error; corrupt_file (not an index, damaged, cut short, or at
/// odds with its map); wrong_version; wrong_map. Time O(file), a small part of building. Loads of
/// one file may run in any number of threads.
[[nodiscard]] Result<hpa::Index> load_index(const std::filesystem::path& path,
                                            const grid::Map& map);

/// The same from memory: `bytes` stay valid and unchanged while `owner` lives, which the index
/// keeps. `name` stands for the file in messages. Bytes that are not aligned to 8 are copied.
[[nodiscard]] Result<hpa::Index> index_from_bytes(std::span<const std::byte> bytes,
                                                  const std::shared_ptr<const void>& owner,
                                                  std::string_view name, const grid::Map& map);

/// What a file says about itself.
struct HpaIndexFileInfo {
    std::uint32_t version = 0;
    int width = 0;
    int height = 0;
    std::uint64_t map_fingerprint = 0;     ///< Map::fingerprint of the map it belongs to
    hpa::Options options;                  ///< `labels` says whether the file has them
    std::vector<std::size_t> level_bytes;  ///< [level - 1]
    std::size_t table_bytes = 0;           ///< move tables
    std::size_t label_bytes = 0;
    std::size_t file_bytes = 0;
};

/// Reads what a file says about itself; the checksum is verified, but nothing is held against a
/// map. Errors: io_error, corrupt_file, wrong_version. O(file).
[[nodiscard]] Result<HpaIndexFileInfo> inspect_index(const std::filesystem::path& path);
/// The same from memory.
[[nodiscard]] Result<HpaIndexFileInfo> inspect_index_bytes(std::span<const std::byte> bytes,
                                                           std::string_view name);

}  // namespace cairn::index_file
