#pragma once
// Subgoal graph indexes on disk, in the manner of HPA* ones: see hpa_index_file.hpp for what holds
// of both.
//
// A file is a FlatBuffer (schema: src/index_file/subgoal_index.fbs) and a checksum. It is stamped
// with the format's version, the options and the fingerprint of the map, which it does not contain.
// It holds the subgoal graph and, if the index is complete, the N-level graph and the labels; all
// are used in place and shared by the processes that load it. What the map gives at some
// nanoseconds a cell is made anew: obstacles and subgoals as bits, the subgoals' cells, useful
// octants, and the table of connectors, which therefore nobody can forge.
//
// The bytes depend on the map, the options and the engines: those of an index without engines, or
// with engines built afresh, on map and options alone. An index loaded and saved again gives the
// same bytes.
//
// Any bytes are accepted or refused, and on an accepted file no query or edit crashes, runs on
// forever or gives an illegal path, even where somebody forged the checksum:
//
//   checked on loading  the subgoal graph is that of the map, to the bit: it is found anew and
//                       compared. Arcs of the N-level graph join subgoals and are as long as the
//                       octile distance between them; labels take edges of the subgoal graph alone.
//   at each query       arcs of the N-level graph are followed as lines or searched for; where
//                       there is no such path the answer is corrupt_file.
//   by the checksum     which arcs and levels the N-level graph has, the labels' costs and hops,
//   alone               numbers for statistics: forged ones may give no path, a longer one, or with
//                       labels, or where no cells are asked for, a wrong cost.
//
// A* on the subgoal graph, and with it every edit, is therefore right whatever the bytes were.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "cairn/grid/map.hpp"
#include "cairn/status.hpp"
#include "cairn/subgoal/index.hpp"

namespace cairn::index_file {

/// The version of the format that this program writes, and the only one that it reads.
inline constexpr std::uint32_t kSubgoalIndexVersion = 1;

/// The bytes of an index's file. Errors: too_large (over 2^31 - 2^16 bytes: leave out labels or
/// levels). O(index).
[[nodiscard]] Result<std::string> index_bytes(const subgoal::Index& index);

/// Writes an index to a file, which is replaced whole or not at all. Errors: too_large; io_error.
[[nodiscard]] Status save_index(const std::filesystem::path& path, const subgoal::Index& index);

/// Maps a file written by save_index into memory. `map` must be the map that the index was made of,
/// or an equal one. The index is complete and has labels if the one saved was and had; its
/// snapshot_id is that of an index built afresh. The file stays mapped as long as the index or a
/// copy lives; it may be replaced, but not be written to in place.
///
/// Errors, each naming the file: io_error; corrupt_file (not an index, damaged, cut short, or at
/// odds with its map); wrong_version; wrong_map. Time: O(map + file), and that of
/// finding the subgoal graph, on all cores; most of building is the engines. Loads of one file may
/// run in any number of threads.
[[nodiscard]] Result<subgoal::Index> load_subgoal_index(const std::filesystem::path& path,
                                                        const grid::Map& map);

/// The same from memory: `bytes` stay valid and unchanged while `owner` lives, which the index
/// keeps. `name` stands for the file in messages. Bytes that are not aligned to 8 are copied.
[[nodiscard]] Result<subgoal::Index> subgoal_index_from_bytes(
    std::span<const std::byte> bytes, const std::shared_ptr<const void>& owner,
    std::string_view name, const grid::Map& map);

/// What a file says about itself.
struct SubgoalIndexFileInfo {
    std::uint32_t version = 0;
    int width = 0;
    int height = 0;
    std::uint64_t map_fingerprint = 0;  ///< Map::fingerprint of the map it belongs to
    subgoal::Options options;           ///< as asked for when it was built
    bool complete = false;              ///< the file has engines
    bool has_labels = false;
    std::size_t graph_bytes = 0;  ///< the subgoal graph
    std::size_t level_bytes = 0;  ///< the N-level graph
    std::size_t label_bytes = 0;
    std::size_t file_bytes = 0;
};

/// Reads what a file says about itself; the checksum is verified, but nothing is held against a
/// map. Errors: io_error, corrupt_file, wrong_version. O(file).
[[nodiscard]] Result<SubgoalIndexFileInfo> inspect_subgoal_index(const std::filesystem::path& path);
/// The same from memory.
[[nodiscard]] Result<SubgoalIndexFileInfo> inspect_subgoal_index_bytes(
    std::span<const std::byte> bytes, std::string_view name);

}  // namespace cairn::index_file
