#pragma once
// The frame of an index file, the same for all planners: header, table of sections, checksums. A
// planner's body (see body.hpp) adds sections to a FrameWriter and reads them from a Frame.
// docs/index-files.md describes the layout.

#include <flatbuffers/flatbuffers.h>
#include <fmt/format.h>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "cairn/closure.hpp"
#include "cairn/cut_labels.hpp"
#include "cairn/index_file.hpp"
#include "cairn/n_level_graph.hpp"
#include "cairn/paged_array.hpp"
#include "cairn/status.hpp"
#include "core/guarded.hpp"
#include "overlay/record_store.hpp"

namespace cairn::index_file {

inline constexpr std::size_t kAlignment = 64;  ///< of sections, in bytes
/// A flag of an Entry: a program that does not know the section must refuse the file.
inline constexpr std::uint32_t kRequired = 1;

/// The sections. Their values are part of the format and are never reused. "Records" are the pages
/// of a RecordStore; "by level" means one section per level, with the level as its number.
enum class Section : std::uint16_t {
    meta = 1,         ///< index_meta.fbs
    clusters = 2,     ///< records, by level
    move_tables = 3,  ///< records
    // Labels: see CutLabelArrays.
    label_nodes = 16,
    label_entries,
    label_group_common,
    label_block_common,
    label_hops,
    label_wide_hops,
    label_places,
    label_head,
    label_groups,
    label_down_entries,  ///< this and the next two only of directed graphs
    label_down_hops,
    label_down_wide_hops,
    // The N-level graph: see NLevelArrays.
    level_vertices = 32,
    level_numbers,
    level_arcs,
    // The closure of the labels: see ClosureArrays.
    closure_places = 40,
    closure_nodes,
    closure_costs,
    closure_depths,
    closure_middles,
    closure_ranks,
    closure_down_costs,  ///< this and the next only of directed graphs
    closure_down_middles,
    // HPA* with its map.
    map_options = 56,      ///< grid_map.hpp: StoredMapOptions
    map_terrain,           ///< a byte per cell, row by row
    map_moves,             ///< the same: grid::Map::moves
    component_joins = 60,  ///< NodeComponents::joined
    node_first,            ///< hpa::LevelOneNodes::first
    node_cells,            ///< hpa::LevelOneNodes::cells
    component_labels,      ///< records: NodeComponents::labels
    // Of a file with its map, where the pages of records begin: a 64-bit number of words per page.
    cluster_pages = 104,  ///< of clusters, by level
    table_pages,          ///< of move_tables
    component_pages,      ///< of component_labels
    // Subgoal graphs.
    subgoal_tiles = 48,  ///< records
    // HAA*.
    terrain = 64,        ///< a byte per cell, row by row
    terrain_key,         ///< the terrain that each of the 256 bytes stands for
    agent_capabilities,  ///< haa::Capability
    // HNA*: see mesh::MeshSource.
    mesh_options = 80,
    mesh_vertices,
    mesh_first_corner,
    mesh_corners,
    mesh_areas,    ///< of all polygons, connections last
    mesh_blocked,  ///< a flag per polygon, connections last
    mesh_portals,
    mesh_connections,
    // Only if polygons were added or removed: see mesh::MeshNumbers.
    mesh_polygon_kinds,
    mesh_removed_portals,
    mesh_connection_corners,
    mesh_links,
    mesh_widths = 92,  ///< of whole portals, as mesh_portals; only if a width is limited
    mesh_radius,       ///< one double; only if it is not 0
    // HNA*: the overlay.
    parents = 96,    ///< by level: the cluster of each polygon or of each cluster one level below
    cluster_counts,  ///< one number per level; only if polygons were added or removed
    rows_towards,    ///< records, by level: see hna::LevelRows
    rows_away,       ///< records, by level; only if there are one-way portals
    centre_rows,     ///< records of the top level; only with Pccp::centres or centre_paths
};

/// The first bytes of a file. All numbers are little-endian.
struct Header {
    std::uint8_t magic[8];
    std::uint32_t frame_version;
    std::uint32_t format_version;
    char kind[8];  ///< the planner: lower-case letters, padded with 0
    std::uint64_t file_bytes;
    std::uint32_t sections;         ///< entries of the table
    std::uint32_t unused[3];        ///< 0
    std::uint64_t table_checksum;   ///< of the bytes from the table to the first section
    std::uint64_t header_checksum;  ///< of the header up to here
};
static_assert(sizeof(Header) == 64);

/// An entry of the table of sections, which follows the header. Entries are sorted by section and
/// number. Sections follow each other in that order, each at the next multiple of kAlignment.
struct Entry {
    std::uint16_t section;
    std::uint16_t number;  ///< distinguishes sections of one kind, for example by level; else 0
    std::uint32_t flags;
    std::uint64_t offset;    ///< from the begin of the file
    std::uint64_t bytes;     ///< without padding
    std::uint64_t checksum;  ///< of the section and its padding
};
static_assert(sizeof(Entry) == 32);

/// What identifies the files of one planner.
struct BodyFormat {
    std::string_view kind;   ///< see Header
    std::uint32_t version;   ///< Header::format_version
    std::string_view title;  ///< for messages, such as "an HPA* index"
};

/// Tells index files apart: the checksum of the header, which covers all others. Needs at least a
/// header.
[[nodiscard]] std::uint64_t file_id(std::span<const std::byte> bytes) noexcept;

/// Sets the size and the checksums in header and table to those of `bytes`. The rest may be damaged
/// or forged; too few bytes for a header stay as they are.
void seal(std::string& bytes);

/// The bytes of a file, valid as long as their owner lives.
struct FileBytes {
    std::span<const std::byte> bytes;
    std::shared_ptr<const void> owner;
};
[[nodiscard]] Result<FileBytes> read_index_file(const std::string& path,
                                                const LoadOptions& options);

/// For the store of an index: the file that another one replaces, with the edits of its log made.
struct Origin {
    std::uint64_t replaced = 0;    ///< file_id
    std::uint64_t generation = 0;  ///< batches of edits since the first file of the store
};

/// What a file that was saved in place of another says of it; zeros of others.
[[nodiscard]] Origin origin_of(const IndexFileInfo& info) noexcept;

/// Saves an index with its map, in place of the file that `origin` names, and sets `id` to the new
/// file's. Throws std::bad_alloc. Instantiated for planners whose stores can be opened.
template <class Index>
[[nodiscard]] Status save_replacing(const Index& index, const std::string& path,
                                    const Origin& origin, std::uint64_t& id);

/// A type whose values are stored as they are in memory, and used in place.
template <class T>
concept Plain = std::is_trivially_copyable_v<T> && alignof(T) <= alignof(std::uint64_t);

/// The options that a file keeps. A specialisation has a static visit(options, visitor), which
/// calls visitor(name, member) for each number or flag, and visitor(name, member, last) for each
/// enumeration, where `last` is its last enumerator.
template <class Options>
struct FileOptions;

/// Collects the contents of a file; pieces() lays them out.
class FrameWriter {
public:
    explicit FrameWriter(const BodyFormat& format, const SaveOptions& options = {})
        : format_(format), with_map_(options.with_map) {}

    /// Whether the file is to hold the map and all else that loading would compute.
    [[nodiscard]] bool with_map() const noexcept { return with_map_; }

    void origin(const Origin& origin);

    /// The map that the index belongs to, in cells (0 x 0 for a mesh), and whether the file has it.
    void map(int width, int height, std::uint64_t fingerprint, bool held);
    template <class Options>
    void options(Options options) {
        FileOptions<Options>::visit(options, [&](const char* name, auto& value, auto...) {
            info_.options.push_back({name, static_cast<std::int64_t>(value)});
        });
    }
    void fact(const char* name, std::int64_t value) { info_.facts.push_back({name, value}); }
    /// A message to users: why the index lacks something. The text must outlive the writer.
    void note(std::string_view text) { note_ = text; }

    /// Adds a section. The values must outlive the writer.
    template <Plain T>
    void add(Section section, std::span<const T> values, int number = 0) {
        sections_[key(section, number)] = {std::as_bytes(values)};
    }
    /// Adds a section and keeps its values.
    template <Plain T>
    void keep(Section section, std::vector<T> values, int number = 0) {
        const auto kept = std::make_shared<const std::vector<T>>(std::move(values));
        kept_.push_back(kept);
        add(section, std::span<const T>(*kept), number);
    }
    /// Adds a section and keeps the array.
    template <Plain T>
    void keep(Section section, PagedArray<T> values, int number = 0) {
        const auto kept = std::make_shared<const PagedArray<T>>(std::move(values));
        kept_.push_back(kept);
        auto& parts = sections_[key(section, number)];
        kept->for_each_run([&](std::span<const T> run) { parts.push_back(std::as_bytes(run)); });
    }
    /// With the map, a second section has the pages' places.
    void add(Section section, const RecordStore& store, int number = 0);
    /// The same, and keeps the records.
    void keep(Section section, RecordStore store, int number = 0);
    /// The closure, and the labels if there are any; else the status that says why not, which must
    /// outlive the writer. Keeps the labels.
    void add(const CutLabels& labels, const Status& labels_status);
    void add(const NLevelArrays& levels);

    /// The file, in pieces that follow each other; valid as long as the writer and the values that
    /// were added. To be called once, after all else.
    [[nodiscard]] std::span<const std::string_view> pieces();

private:
    using Key = std::pair<std::uint16_t, std::uint16_t>;
    static Key key(Section section, int number) {
        return {static_cast<std::uint16_t>(section), static_cast<std::uint16_t>(number)};
    }

    BodyFormat format_;
    bool with_map_;
    IndexFileInfo info_;  ///< the map, options and facts
    std::string_view note_;
    std::map<Key, std::vector<std::span<const std::byte>>> sections_;
    std::vector<std::shared_ptr<const void>> kept_;
    flatbuffers::FlatBufferBuilder meta_;
    std::string head_;  ///< header and table
    std::vector<std::string_view> pieces_;
};

/// Reads a file. The first error is kept as `status`; every later read gives nothing. So a reader
/// may read several sections before it looks at the status.
class Frame {
public:
    /// Checks header and table and reads the section meta. `bytes` live as long as `owner`, or if
    /// that is null, as long as the frame. `name` stands for the file in messages; it outlives the
    /// frame.
    [[nodiscard]] static Result<Frame> open(std::span<const std::byte> bytes,
                                            const std::shared_ptr<const void>& owner,
                                            std::string_view name,
                                            FileChecks checks = FileChecks::contents);

    /// Whether the contents of sections are trusted: FileChecks::checksums and none.
    [[nodiscard]] bool trusted() const noexcept { return checks_ != FileChecks::contents; }

    [[nodiscard]] const Status& status() const noexcept { return status_; }
    [[nodiscard]] bool ok() const noexcept { return status_.ok(); }
    /// These return false, and record an error if there is none yet. A reason gets the name of the
    /// file in front; without a code it is corrupt_file, and the message ends with the advice to
    /// build the index again. A Status is kept as it is.
    bool refuse(std::string_view reason);
    bool refuse(StatusCode code, std::string_view reason);
    bool refuse(Status status);
    /// Refuses what could not be made of the file's contents. Throws std::bad_alloc if memory ran
    /// out, which is not the file's fault.
    bool refuse_contents(const Status& error);
    /// wrong_map. `difference` describes the file's map: "of 8 x 8 cells instead of 9 x 9".
    bool refuse_map(std::string_view difference);

    [[nodiscard]] const IndexFileInfo& info() const noexcept { return info_; }
    [[nodiscard]] const std::string& note() const noexcept { return note_; }

    // These refuse the file and return false if the answer is no.

    /// Whether the file has this kind and version, and no required section that is unknown.
    bool expect(const BodyFormat& format);
    /// Whether all required sections were read.
    bool all_used();
    /// Whether the file belongs to a map of this size.
    bool check_shape(int width, int height);
    /// Whether the file belongs to a grid map of this size and fingerprint.
    template <class Map>
    bool check_map(const Map& map) {
        if (!check_shape(map.width(), map.height())) return false;
        const std::uint64_t fingerprint = map.fingerprint();
        if (fingerprint == info_.map_fingerprint) return true;
        return refuse_map(
            fmt::format("of the same size but with other terrain, costs or rules "
                        "(fingerprint {:016x} instead of {:016x})",
                        info_.map_fingerprint, fingerprint));
    }

    /// Whether the file has all options, each in its range; sets `options`.
    template <class Options>
    bool read_options(Options& options);

    [[nodiscard]] bool has(Section section, int number = 0) const noexcept;
    /// The values of a section, in place. Refuses the file if the section is missing or damaged.
    template <Plain T>
    [[nodiscard]] std::span<const T> read(Section section, int number = 0) {
        const std::span<const std::byte> bytes = section_bytes(section, number);
        if (bytes.size() % sizeof(T) != 0) {
            refuse(fmt::format("the size of the section {} is wrong", title(section, number)));
            return {};
        }
        return {reinterpret_cast<const T*>(bytes.data()), bytes.size() / sizeof(T)};
    }
    /// The values of a section, in place, as an array.
    template <Plain T>
    [[nodiscard]] PagedArray<T> read_array(Section section, int number = 0) {
        return PagedArray<T>::in_place(read<T>(section, number), owner_);
    }
    /// Verifies the checksum of a section that is not needed, if the file has it.
    bool pass_over(Section section, int number = 0) {
        return !has(section, number) || (static_cast<void>(section_bytes(section, number)), ok());
    }
    /// A store of `count` records, in place. Unless the file is trusted, checks the pages, but not
    /// the contents of records.
    bool read(Section section, std::size_t count, RecordStore& store, int number = 0);
    /// A closure and labels, in place, or only a closure; `labels_status` then says why. A closure
    /// in a fresh order of a trusted file is not checked. Otherwise checks only what
    /// Closure::from_arrays and CutLabels::from_arrays check.
    bool read(CutLabels& labels, Status& labels_status);
    /// An N-level graph, in place. Checks only what NLevelGraph::from_arrays checks.
    bool read(NLevelGraph& levels);

private:
    Frame(const std::shared_ptr<const void>& owner, std::string_view name, FileChecks checks)
        : owner_(owner), name_(name), checks_(checks) {}
    bool read_header(std::span<const std::byte> bytes);
    bool refuse_version(std::string_view files, std::uint32_t version, std::uint32_t supported);
    bool read_table();
    bool read_meta();
    [[nodiscard]] const Entry* find(Section section, int number) const noexcept;
    [[nodiscard]] std::span<const std::byte> section_bytes(Section section, int number);
    [[nodiscard]] static std::string title(Section section, int number);
    template <class Arrays>
    [[nodiscard]] Arrays read_arrays(bool directed);
    template <class T>
    bool take(Result<T> made, T& value) {
        if (!made) return refuse_contents(made.error());
        value = std::move(*made);
        return true;
    }

    std::span<const std::byte> bytes_;
    std::shared_ptr<const void> owner_;
    std::string_view name_;
    FileChecks checks_;
    Header header_{};
    std::span<const Entry> table_;
    std::vector<bool> used_;  // by entry: whether the section was read
    IndexFileInfo info_;
    std::string note_;
    Status status_;
};

/// Reads options by their names and checks them. Returns what is wrong; empty if nothing is.
template <class Options>
[[nodiscard]] std::string read_numbers(std::span<const IndexFileNumber> numbers, Options& options) {
    std::string fault;
    FileOptions<Options>::visit(options, [&]<class T>(const char* name, T& value, auto... last) {
        const auto at = std::find_if(numbers.begin(), numbers.end(),
                                     [&](const IndexFileNumber& n) { return n.name == name; });
        if (at == numbers.end()) {
            fault = fmt::format("the option {} is missing", name);
            return;
        }
        bool known = true;
        if constexpr (std::is_enum_v<T>)
            known = at->value >= 0 && (... && (at->value <= static_cast<std::int64_t>(last)));
        else if constexpr (std::same_as<T, bool>)
            known = at->value == 0 || at->value == 1;
        else if constexpr (sizeof(T) < sizeof(at->value))
            known = std::in_range<T>(at->value);
        if (!known)
            fault = fmt::format("the option {} has an unknown value", name);
        else
            value = static_cast<T>(at->value);
    });
    return fault.empty() ? check(options).message : fault;
}

template <class Options>
bool Frame::read_options(Options& options) {
    if (!ok()) return false;
    const std::string fault = read_numbers<Options>(info_.options, options);
    return fault.empty() || refuse(fault);
}

}  // namespace cairn::index_file
