#pragma once
// HAA* indexes on disk, in the manner of HPA* ones: see hpa_index_file.hpp for what holds of both.
//
// A file is a FlatBuffer (schema: src/index_file/haa_index.fbs) and a checksum. Unlike those of
// other planners it contains its map, terrain bytes and annotation options: what the bytes mean,
// which agents there are. So it is all that an application needs. The clusters of the annotated
// abstraction are used in place and shared by the processes that load it. Clearances are found
// anew, by one linear pass per capability; views of agent classes are made when they are asked for,
// as those of an index built afresh: `prepare` the loaded index for agents that need labels.
//
// The bytes depend on the map and the options alone, whether the index was edited or not. An index
// loaded and saved again gives the same bytes.
//
// Any bytes are accepted or refused, and on an accepted file no query, view or edit crashes or runs
// on forever, even where somebody forged the checksum. On loading, for each agent class, nodes and
// inter-edges are those of the map, and intra-edges lead where the insides of clusters do. Only
// their costs are taken on trust, between the distance of the two nodes as the crow flies and a
// walk over all cells connected there.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "cairn/grid/terrain_image.hpp"
#include "cairn/haa/index.hpp"
#include "cairn/status.hpp"

namespace cairn::index_file {

/// The version of the format that this program writes, and the only one that it reads.
inline constexpr std::uint32_t kHaaIndexVersion = 1;

/// The bytes of an index's file. Errors: too_large (over 2^31 - 2^16 bytes: choose larger clusters,
/// fewer agents, or another abstraction). O(map + abstraction).
[[nodiscard]] Result<std::string> index_bytes(const haa::Index& index);

/// Writes an index to a file, which is replaced whole or not at all. Errors: too_large; io_error.
[[nodiscard]] Status save_index(const std::filesystem::path& path, const haa::Index& index);

/// Maps a file written by save_index into memory. Where there is an `image`, the index must be of
/// that terrain. The snapshot_id is that of an index built afresh. The file stays mapped as long as
/// the index or a copy lives; it may be replaced, but not be written to in place.
///
/// Errors, each naming the file: io_error; corrupt_file (not an index, damaged, cut short, or at
/// odds with its map); wrong_version; wrong_map (not that of `image`). Time: that of a pass over
/// map and abstraction for each agent class, on all cores, a part of building. Loads of one file
/// may run in any number of threads.
[[nodiscard]] Result<haa::Index> load_haa_index(const std::filesystem::path& path,
                                                const grid::TerrainImage* image = nullptr);

/// The same from memory: `bytes` stay valid and unchanged while `owner` lives, which the index
/// keeps. `name` stands for the file in messages. Bytes that are not aligned to 8 are copied.
[[nodiscard]] Result<haa::Index> haa_index_from_bytes(std::span<const std::byte> bytes,
                                                      const std::shared_ptr<const void>& owner,
                                                      std::string_view name,
                                                      const grid::TerrainImage* image = nullptr);

/// What a file says about itself.
struct HaaIndexFileInfo {
    std::uint32_t version = 0;
    int width = 0;
    int height = 0;
    std::uint64_t map_fingerprint = 0;  ///< AnnotatedMap::fingerprint of its map
    haa::AnnotationOptions annotation;
    haa::Options options;
    std::size_t terrain_bytes = 0;
    std::size_t graph_bytes = 0;  ///< the annotated abstraction
    std::size_t file_bytes = 0;
};

/// Reads what a file says about itself; the checksum is verified, but nothing is held against the
/// map. Errors: io_error, corrupt_file, wrong_version. O(file).
[[nodiscard]] Result<HaaIndexFileInfo> inspect_haa_index(const std::filesystem::path& path);
/// The same from memory.
[[nodiscard]] Result<HaaIndexFileInfo> inspect_haa_index_bytes(std::span<const std::byte> bytes,
                                                               std::string_view name);

}  // namespace cairn::index_file
