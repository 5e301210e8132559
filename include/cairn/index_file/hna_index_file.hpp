#pragma once
// HNA* indexes on disk, in the manner of HPA* ones: see hpa_index_file.hpp for what holds of both.
//
// A file is a FlatBuffer (schema: src/index_file/hna_index.fbs) and a checksum. It contains its
// mesh, with areas, blocked polygons and options, so it is all that an application needs. The mesh
// is built again, with all of Mesh::build's checks; components, the locator and the table of the
// top level are made anew. Clusters, rows and labels are used in place and shared by the processes
// that load the file.
//
// A mesh whose polygons have come and gone (Mesh::changed) keeps its numbers in a file.
//
// The bytes of an index without labels, or with labels built afresh, depend on the mesh, the
// options, the partition and whether there is a table, not on the edits that led to it. An index
// loaded and saved again gives the same bytes.
//
// Any bytes are accepted or refused, and on an accepted file no query or edit crashes or runs on
// forever, even where somebody forged the checksum. Of the abstract graph nothing is taken on
// trust: every inter-edge, cost and next link is proven right on loading, so all engines but the
// labels give the least cost. Any nested partition is accepted. Only labels are believed, within
// bounds: a path that they promise and do not have is told by StatusCode::corrupt_file.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cairn/hna/index.hpp"
#include "cairn/mesh/mesh.hpp"
#include "cairn/status.hpp"

namespace cairn::index_file {

/// The version of the format that this program writes, and the only one that it reads.
inline constexpr std::uint32_t kHnaIndexVersion = 2;

/// The bytes of an index's file. Errors: too_large (over 2^31 - 2^16 bytes: leave out labels or
/// Pccp, or choose a smaller mu). O(mesh log mesh + index).
[[nodiscard]] Result<std::string> index_bytes(const hna::Index& index);

/// Writes an index to a file, which is replaced whole or not at all. Errors: as index_bytes;
/// io_error.
[[nodiscard]] Status save_index(const std::filesystem::path& path, const hna::Index& index);

/// Maps a file written by save_index into memory. Where there is a `mesh`, the index must be of
/// that one or an equal one. The index has labels and a table if the file has, but a table that
/// takes more than 64 MiB and 16 times the file is left to Index::with_labels; its snapshot_id is
/// that of an index built afresh. The file stays mapped as long as the index or a copy lives; it
/// may be replaced, but not be written to in place.
///
/// Errors, each naming the file: io_error; corrupt_file (not an index, damaged, cut short, or at
/// odds with itself); wrong_version; wrong_map (not that of `mesh`). Time: that of building the
/// mesh, and of a pass over all rows for each way out of a portal, on all cores; a level between
/// the first and the last is searched again. Loads of one file may run in any number of threads.
[[nodiscard]] Result<hna::Index> load_hna_index(const std::filesystem::path& path,
                                                const mesh::Mesh* mesh = nullptr);

/// The same from memory: `bytes` stay valid and unchanged while `owner` lives, which the index
/// keeps. `name` stands for the file in messages. Bytes that are not aligned to 8 are copied.
[[nodiscard]] Result<hna::Index> hna_index_from_bytes(std::span<const std::byte> bytes,
                                                      const std::shared_ptr<const void>& owner,
                                                      std::string_view name,
                                                      const mesh::Mesh* mesh = nullptr);

/// What a file says about itself.
struct HnaIndexFileInfo {
    std::uint32_t version = 0;
    std::size_t polygons = 0;  ///< connections and those that are gone included
    std::uint64_t mesh_fingerprint = 0;
    mesh::Scoring scoring = mesh::Scoring::portal_midpoints;
    hna::Options options;
    bool has_labels = false;
    std::size_t mesh_bytes = 0;
    std::vector<std::size_t> level_bytes;  ///< [level - 1]: inter-edges and intra-edges
    std::size_t row_bytes = 0;             ///< of level 1
    std::size_t pccp_bytes = 0;            ///< rows of the top level, from centres and, where it is
                                           ///< another one, from portals
    std::size_t label_bytes = 0;
    std::size_t file_bytes = 0;
};

/// Reads what a file says about itself; the checksum is verified, but nothing is held against the
/// mesh. Errors: io_error, corrupt_file, wrong_version. O(file).
[[nodiscard]] Result<HnaIndexFileInfo> inspect_hna_index(const std::filesystem::path& path);
/// The same from memory.
[[nodiscard]] Result<HnaIndexFileInfo> inspect_hna_index_bytes(std::span<const std::byte> bytes,
                                                               std::string_view name);

}  // namespace cairn::index_file
