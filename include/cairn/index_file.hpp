#pragma once
// Indexes on disk: "pre-computed (before a game ships), stored on disk, and loaded into memory at
// run time" (HPA* paper, section 3.1).
//
// All planners share one frame: a header, a table of sections with a checksum each, and the
// sections (docs/index-files.md has the layout). Large arrays are sections of their own and are
// used in place: a loaded index is mapped into memory and shared by all processes that load it.
// Only memory limits the size of a file.
//
//     index           the file holds  what loading computes, besides checking
//                     its map
//     hpa::Index      if asked        components; records, move tables, labels and their closure
//                                     stay in the file
//     subgoal::Index  if asked        from the map: obstacles and subgoals as bits, useful octants,
//                                     the table of connectors
//     haa::Index      yes: terrain    clearances; views of agent classes on first use
//     hna::Index      yes: the mesh   the mesh, its components and locator, flat graphs of levels
//
// Bytes are canonical. The bytes of an index without labels and closure, or with these built from
// scratch, depend only on the map and the options (hna: also on the partition), not on the edits
// that led to it. Only a subgoal::Index saved after an edit differs: it has no N-level graph (see
// subgoal::Index::complete). A closure that edits have repaired, and labels computed from it, do
// depend on the edits. They are saved with the nodes numbered afresh. An index that is loaded and
// saved again gives the same bytes.
//
// Damaged or forged bytes are refused, or accepted safely: on an accepted file no query, view or
// edit crashes, runs forever or gives an illegal path, even if the checksums were forged. Beyond
// that, loading checks:
//
//     hpa      Nodes and inter-edges must be those of the map, and every move of every table is
//              followed. Costs are only checked for their range. Hops of labels must follow edges,
//              and so must the paths inside edges of the closure; distances are not checked.
//     subgoal  The subgoal graph must equal that of the map exactly, so A* and every edit are
//              correct on any accepted file. Arcs of the N-level graph must join subgoals and be as
//              long as the octile distance; a query that cannot follow one returns corrupt_file.
//              Whether arcs or labels are missing is not checked: forged ones may lead to no path,
//              a longer path or a wrong cost.
//     haa      For each agent class, nodes and inter-edges must be those of the map. Intra-edges
//              must join nodes that are connected inside their cluster. Costs are only checked for
//              their range.
//     hna      Every inter-edge, cost and next link must be correct; any nested partition is
//              accepted. Hops of labels must follow edges, and so must the paths inside edges of
//              the closure; distances are not checked. A query whose labels promise a path that
//              does not exist returns corrupt_file.
//
// All functions may be called from any number of threads. Errors name the file. If memory runs out,
// the status is out_of_memory, without a message.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cairn/status.hpp"

namespace cairn {

class MappedFile;
namespace grid {
class Map;
struct TerrainImage;
}  // namespace grid
namespace mesh {
class Mesh;
}
namespace hpa {
class Index;
}
namespace subgoal {
class Index;
}
namespace haa {
class Index;
}
namespace hna {
class Index;
}

/// The version of the frame that this program writes, and the only one that it reads.
inline constexpr std::uint32_t kIndexFrameVersion = 2;

/// The map type that a file is checked against, and whether files always hold the map.
template <class Index>
struct IndexFileMap;
template <>
struct IndexFileMap<hpa::Index> {
    using type = grid::Map;
    static constexpr bool kHeld = false;
};
template <>
struct IndexFileMap<subgoal::Index> {
    using type = grid::Map;
    static constexpr bool kHeld = false;
};
template <>
struct IndexFileMap<haa::Index> {
    using type = grid::TerrainImage;
    static constexpr bool kHeld = true;
};
template <>
struct IndexFileMap<hna::Index> {
    using type = mesh::Mesh;
    static constexpr bool kHeld = true;
};

struct SaveOptions {
    /// hpa, subgoal: also write the map. Such a file is loaded without a map. It takes two bytes a
    /// cell more; of hpa also, usually, half a byte for components, so that with FileChecks::none
    /// it is loaded in milliseconds, whatever its size. haa and hna files hold their map anyway.
    bool with_map = false;
};

/// Writes an index of any planner to a file, which is replaced completely or not at all. Errors:
/// io_error; out_of_memory. O(index); hna: O(mesh log mesh + index).
template <class Index>
[[nodiscard]] Status save(const Index& index, const std::string& path,
                          const SaveOptions& options = {}) noexcept;

/// The bytes that `save` writes. Errors: out_of_memory. Time as for save.
template <class Index>
[[nodiscard]] Result<std::string> to_bytes(const Index& index,
                                           const SaveOptions& options = {}) noexcept;

/// How much of a file is checked when it is loaded.
enum class FileChecks : std::uint8_t {
    /// All: whatever the bytes of the file are, the index is safe to use (see above).
    contents,
    /// Checksums only: finds damage, but trusts that Cairn wrote the file. A forged file may make
    /// queries read out of bounds.
    checksums,
    /// Nothing but header and table, so that other sections are only read where queries need them.
    /// For files of one's own: one that is damaged may give wrong answers or end the process.
    none,
};

struct LoadOptions {
    /// Reads the file into memory instead of mapping it. A mapped file may be replaced, as `save`
    /// does, but must not be truncated or written in place: the operating system may end a process
    /// that reads from it.
    bool copy = false;
    /// haa and hna check contents all the same.
    FileChecks checks = FileChecks::contents;
    /// The file, if the caller has mapped it: to drop its pages now and then
    /// (MappedFile::drop_pages). Then the path only names it, and `copy` is not read.
    std::shared_ptr<const MappedFile> file = nullptr;
};

/// Loads a file written by `save`. `map` must equal the map of the saved index, edits included. The
/// overload without `map` loads files that hold their map, without comparing maps. The index has
/// the labels, closure and engines that the file has. Its snapshot_id is that of an index built
/// from scratch. Without LoadOptions::copy the file stays mapped as long as the index or a copy of
/// it lives.
///
/// Errors: io_error; corrupt_file (not an index of this planner, damaged, truncated, or in
/// contradiction to its map); wrong_version; wrong_map; unsupported (no map is given and the
/// file holds none); out_of_memory. Time, on all cores: hpa: O(file), a small fraction of the time
/// to build; with FileChecks::none, of a file that holds its map, O(file / 4,096); subgoal: that of
/// building the subgoal graph; haa: one pass over map and abstraction for each agent class; hna:
/// that of building the mesh, and one pass over all rows.
template <class Index>
[[nodiscard]] Result<Index> load(const std::string& path, const LoadOptions& options = {}) noexcept;
template <class Index>
[[nodiscard]] Result<Index> load(const std::string& path,
                                 const typename IndexFileMap<Index>::type& map,
                                 const LoadOptions& options = {}) noexcept;

/// The same from memory. `bytes` must stay valid and unchanged as long as `owner`, which the index
/// keeps, lives. `name` stands for the file in messages. Bytes that are not aligned to 8 are
/// copied. Errors and time as for load, except io_error.
template <class Index>
[[nodiscard]] Result<Index> from_bytes(std::span<const std::byte> bytes,
                                       const std::shared_ptr<const void>& owner,
                                       std::string_view name,
                                       FileChecks checks = FileChecks::contents) noexcept;
template <class Index>
[[nodiscard]] Result<Index> from_bytes(std::span<const std::byte> bytes,
                                       const std::shared_ptr<const void>& owner,
                                       std::string_view name,
                                       const typename IndexFileMap<Index>::type& map,
                                       FileChecks checks = FileChecks::contents) noexcept;

/// A named number of a file. Flags are 0 or 1; a choice is the number of its enumerator.
struct IndexFileNumber {
    std::string name;
    std::int64_t value = 0;
    friend bool operator==(const IndexFileNumber&, const IndexFileNumber&) = default;
};

struct IndexFileSection {
    /// Such as "clusters/1" or "labels/entries"; "unknown/700" if this version does not know
    /// section 700.
    std::string name;
    std::uint64_t bytes = 0;
    friend bool operator==(const IndexFileSection&, const IndexFileSection&) = default;
};

/// The description of an index file.
struct IndexFileInfo {
    std::string kind;  ///< the planner: "hpa", "subgoal", "haa" or "hna"
    std::uint32_t frame_version = 0;
    std::uint32_t format_version = 0;  ///< of the planner's sections
    bool holds_map = false;
    int width = 0;   ///< of the map; 0 for a mesh
    int height = 0;  ///< of the map; 0 for a mesh
    std::uint64_t map_fingerprint = 0;
    std::vector<IndexFileNumber> options;  ///< that the index was built with; see index_options
    std::vector<IndexFileNumber> facts;    ///< such as "polygons" of a mesh
    std::vector<IndexFileSection> sections;
    std::uint64_t file_bytes = 0;

    /// The bytes of the section `name` and of all sections named `name/...`. For example,
    /// section_bytes("labels") is 0 if there are no labels.
    [[nodiscard]] std::uint64_t section_bytes(std::string_view name) const noexcept;
    /// Whether there is a section of exactly this name.
    [[nodiscard]] bool has_section(std::string_view name) const noexcept;
    /// The fact of this name; 0 if there is none.
    [[nodiscard]] std::int64_t fact(std::string_view name) const noexcept;
};

/// Reads the description of a file of any planner and format version: the header, the table and the
/// small section of options. Other sections are not read, so large files take no longer, and
/// nothing is compared with a map. Errors: io_error; corrupt_file; wrong_version (of the frame);
/// out_of_memory.
[[nodiscard]] Result<IndexFileInfo> inspect(const std::string& path) noexcept;
/// The same from memory.
[[nodiscard]] Result<IndexFileInfo> inspect_bytes(std::span<const std::byte> bytes,
                                                  std::string_view name) noexcept;

/// The options of a file as the planner's struct: hpa::Options (`labels` says whether the file has
/// a closure), subgoal::Options, haa::Options or hna::Options. Errors: corrupt_file (an option is
/// missing or out of range, or the file is another planner's).
template <class Options>
[[nodiscard]] Result<Options> index_options(const IndexFileInfo& info) noexcept;

}  // namespace cairn
