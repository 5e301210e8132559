#pragma once
// Indexes on disk: "pre-computed (before a game ships), stored on disk, and loaded into memory at
// run time" (HPA* paper, section 3.1).
//
// All planners share one frame: a header, a table of sections with a checksum each, and the
// sections (docs/index-files.md has the layout). Large arrays are sections of their own and are
// used in place: a loaded index is mapped into memory and shared by all processes that load it.
// There is no limit on the size of a file but memory's.
//
//     index         holds its map   what loading does beside checking
//     hpa::Index    no              nothing: records, move tables and labels stay in the file
//     subgoal::     no              obstacles and subgoals as bits, useful octants and the table of
//       Index                       connectors are made of the map
//     haa::Index    terrain         clearances are found; views of agent classes are made when they
//                                   are asked for
//     hna::Index    mesh            the mesh is built, with components, locator and top table
//
// Bytes are canonical. Those of an index without labels, or with labels built afresh, depend on map
// and options alone (hna: and on the partition and whether there is a table), not on the edits that
// led to it; only labels in the order of those before an edit show that. An index loaded and saved
// again gives the same bytes.
//
// Any bytes are accepted or refused, and on an accepted file no query, view or edit crashes, runs
// on forever or gives an illegal path, even where somebody forged the checksums. What else is
// checked:
//
//     hpa      Nodes and inter-edges are those of the map, and every move of every table is
//              followed. Costs and labels are taken on trust, within bounds.
//     subgoal  The subgoal graph is that of the map, to the bit, so A* and every edit are right
//              whatever the bytes were. Arcs of the N-level graph join subgoals and are as long as
//              the octile distance; where one cannot be followed the answer is corrupt_file. Which
//              arcs and labels there are is taken on trust: forged ones may give no path, a longer
//              one or a wrong cost.
//     haa      For each agent class nodes and inter-edges are those of the map, and intra-edges
//              lead where the insides of clusters do. Costs are taken on trust, within bounds.
//     hna      Every inter-edge, cost and next link is proven right; any nested partition is
//              accepted. Labels are taken on trust, within bounds: a path that they promise and do
//              not have is answered by corrupt_file.
//
// All functions may be called from any number of threads. Errors name the file. Where memory runs
// out the status is out_of_memory, without a message.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cairn/status.hpp"

namespace cairn {

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

/// What an index's file is held against, and whether the file holds it too.
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

/// Writes an index to a file, which is replaced whole or not at all. Errors: io_error;
/// out_of_memory. O(index); hna: O(mesh log mesh + index).
template <class Index>
[[nodiscard]] Status save(const Index& index, const std::filesystem::path& path);

/// The bytes of an index's file. Errors: out_of_memory.
template <class Index>
[[nodiscard]] Result<std::string> to_bytes(const Index& index);

struct LoadOptions {
    /// Reads the file into memory instead of mapping it. A mapped file may be replaced, as `save`
    /// does, but must not be truncated or written in place: the operating system may end a process
    /// that reads from it.
    bool copy = false;
};

/// Loads a file written by `save`. `map` must be the map that the index was made of, or an equal
/// one; of haa and hna, whose files hold their map, that is a check that may be left out. The index
/// has the labels, engines and table that the file has, except that an hna table that takes more
/// than 64 MiB and 16 times the file is left to be built again. Its snapshot_id is that of an index
/// built afresh. Without `copy` the file stays mapped as long as the index or a copy of it lives.
///
/// Errors: io_error; corrupt_file (not an index of this planner, damaged, cut short, or at odds
/// with its map); wrong_version; wrong_map; out_of_memory. Time, on all cores: hpa O(file), a small
/// part of building; subgoal that of finding the subgoal graph; haa a pass over map and abstraction
/// for each agent class; hna that of building the mesh and a pass over all rows.
template <class Index>
requires(IndexFileMap<Index>::kHeld)
    [[nodiscard]] Result<Index> load(const std::filesystem::path& path,
                                     const LoadOptions& options = {});
template <class Index>
[[nodiscard]] Result<Index> load(const std::filesystem::path& path,
                                 const typename IndexFileMap<Index>::type& map,
                                 const LoadOptions& options = {});

/// The same from memory: `bytes` stay valid and unchanged while `owner` lives, which the index
/// keeps. `name` stands for the file in messages. Bytes that are not aligned to 8 are copied.
template <class Index>
requires(IndexFileMap<Index>::kHeld)
    [[nodiscard]] Result<Index> from_bytes(std::span<const std::byte> bytes,
                                           const std::shared_ptr<const void>& owner,
                                           std::string_view name);
template <class Index>
[[nodiscard]] Result<Index> from_bytes(std::span<const std::byte> bytes,
                                       const std::shared_ptr<const void>& owner,
                                       std::string_view name,
                                       const typename IndexFileMap<Index>::type& map);

/// A number that a file has under a name: flags are 0 or 1, enumerators their number.
struct IndexFileNumber {
    std::string name;
    std::int64_t value = 0;
    friend bool operator==(const IndexFileNumber&, const IndexFileNumber&) = default;
};

struct IndexFileSection {
    std::string name;  ///< such as "clusters/1" or "labels/entries"; "unknown/700" if it is newer
    std::uint64_t bytes = 0;
    friend bool operator==(const IndexFileSection&, const IndexFileSection&) = default;
};

/// What a file says about itself.
struct IndexFileInfo {
    std::string kind;  ///< the planner: "hpa", "subgoal", "haa" or "hna"
    std::uint32_t frame_version = 0;
    std::uint32_t format_version = 0;  ///< of the planner's sections
    bool holds_map = false;
    int width = 0;   ///< of the map; 0 for a mesh
    int height = 0;  ///< of the map; 0 for a mesh
    std::uint64_t map_fingerprint = 0;
    std::vector<IndexFileNumber> options;  ///< as asked for when it was built; see index_options
    std::vector<IndexFileNumber> facts;    ///< such as "polygons" of a mesh
    std::vector<IndexFileSection> sections;
    std::uint64_t file_bytes = 0;

    /// The bytes of the section of that name and of those whose names continue it behind a slash:
    /// section_bytes("labels") is 0 if there are no labels.
    [[nodiscard]] std::uint64_t section_bytes(std::string_view name) const noexcept;
    /// Whether there is such a section.
    [[nodiscard]] bool has_section(std::string_view name) const noexcept;
    /// 0 if there is no such fact.
    [[nodiscard]] std::int64_t fact(std::string_view name) const noexcept;
};

/// Reads what a file of any planner and format version says about itself: header, table and the
/// small section of options, however large the file. Other sections are not looked at, and nothing
/// is held against a map. Errors: io_error; corrupt_file; wrong_version (of the frame);
/// out_of_memory.
[[nodiscard]] Result<IndexFileInfo> inspect(const std::filesystem::path& path);
/// The same from memory.
[[nodiscard]] Result<IndexFileInfo> inspect_bytes(std::span<const std::byte> bytes,
                                                  std::string_view name);

/// A file's options as the planner's own struct: hpa::Options (`labels` says whether the file has
/// them), subgoal::Options, haa::Options or hna::Options. Errors: corrupt_file (an option is
/// missing or out of range, or they are another planner's).
template <class Options>
[[nodiscard]] Result<Options> index_options(const IndexFileInfo& info);

}  // namespace cairn
