#pragma once
// The frame of an index file: header, table of sections, checksums. Each planner's body is a
// function that adds sections and one that reads them.

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

#include "cairn/cut_labels.hpp"
#include "cairn/index_file.hpp"
#include "cairn/n_level_graph.hpp"
#include "cairn/status.hpp"
#include "core/guarded.hpp"
#include "overlay/record_store.hpp"

namespace cairn::index_file {

inline constexpr std::size_t kAlignment = 64;  ///< of sections
inline constexpr std::uint32_t kRequired = 1;  ///< a flag: readers that do not know it refuse

/// The sections. Their numbers are part of the format and are never reused.
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
    // The N-level graph: see NLevelArrays.
    level_vertices = 32,
    level_numbers,
    level_arcs,
    // Subgoal graphs.
    subgoal_tiles = 48,  ///< records
    // HAA*.
    terrain = 64,        ///< row by row
    terrain_key,         ///< what each of the 256 bytes stands for
    agent_capabilities,  ///< haa::Capability
    // HNA*: see mesh::MeshSource and mesh::MeshNumbers.
    mesh_options = 80,
    mesh_vertices,
    mesh_first_corner,
    mesh_corners,
    mesh_areas,    ///< of all polygons, connections last
    mesh_blocked,  ///< likewise
    mesh_portals,
    mesh_connections,
    mesh_polygon_kinds,  ///< this and the following where polygons were added or removed
    mesh_removed_portals,
    mesh_connection_corners,
    mesh_links,
    parents = 96,    ///< by level: of polygons, or of the clusters of the level below
    cluster_counts,  ///< per level, where polygons were added or removed: some clusters may be
                     ///< empty
    rows_towards,    ///< records, by level: see hna::LevelRows
    rows_away,       ///< records, by level: where there are one-way portals
    centre_rows,     ///< records of the top level, with Pccp::centres and centre_paths
};

/// The first bytes of a file. All numbers are little-endian.
struct Header {
    std::uint8_t magic[8];
    std::uint32_t frame_version;
    std::uint32_t format_version;
    char kind[8];  ///< lower-case letters, the rest 0
    std::uint64_t file_bytes;
    std::uint32_t sections;
    std::uint32_t unused[3];
    std::uint64_t table_checksum;   ///< of all bytes up to the first section
    std::uint64_t header_checksum;  ///< of the bytes before it
};
static_assert(sizeof(Header) == 64);

/// A line of the table, which follows the header. Lines are in the order of section and number;
/// sections follow each other in that order, each at the next multiple of kAlignment.
struct Entry {
    std::uint16_t section;
    std::uint16_t number;  ///< which of several, such as a level; 0 of one alone
    std::uint32_t flags;
    std::uint64_t offset;
    std::uint64_t bytes;
    std::uint64_t checksum;  ///< of the section up to the next multiple of kAlignment
};
static_assert(sizeof(Entry) == 32);

/// One planner's files.
struct BodyFormat {
    std::string_view kind;
    std::uint32_t version;
    std::string_view what;  ///< "an HPA* index"
};

/// Sets size and checksums to fit the contents of `bytes`, whatever they are.
void seal(std::string& bytes);

/// What may stand in a section as it is in memory.
template <class T>
concept Plain = std::is_trivially_copyable_v<T> && alignof(T) <= alignof(std::uint64_t);

/// Calls visit(name, member) or visit(name, enumerator, last) for each option that a file keeps.
/// Specialised per planner.
template <class Options>
struct FileOptions;

class FrameWriter {
public:
    explicit FrameWriter(const BodyFormat& format) : format_(format) {}

    /// The map that the index belongs to.
    void map(int width, int height, std::uint64_t fingerprint, bool held);
    template <class Options>
    void options(Options options) {
        FileOptions<Options>::visit(options, [&](const char* name, auto& value, auto...) {
            info_.options.push_back({name, static_cast<std::int64_t>(value)});
        });
    }
    void fact(const char* name, std::int64_t value) { info_.facts.push_back({name, value}); }
    void note(std::string_view text) { note_ = text; }

    /// Values that outlive the writer.
    template <Plain T>
    void add(Section section, std::span<const T> values, int number = 0) {
        sections_[key(section, number)] = {std::as_bytes(values)};
    }
    template <Plain T>
    void keep(Section section, std::vector<T> values, int number = 0) {
        const auto kept = std::make_shared<const std::vector<T>>(std::move(values));
        kept_.push_back(kept);
        add(section, std::span<const T>(*kept), number);
    }
    void add(Section section, const RecordStore& store, int number = 0);
    void add(const CutLabelArrays& labels);
    void add(const NLevelArrays& levels);

    /// The file.
    [[nodiscard]] std::string bytes();

private:
    using Key = std::pair<std::uint16_t, std::uint16_t>;
    static Key key(Section section, int number) {
        return {static_cast<std::uint16_t>(section), static_cast<std::uint16_t>(number)};
    }

    BodyFormat format_;
    IndexFileInfo info_;  ///< the map, options and facts
    std::string_view note_;
    std::map<Key, std::vector<std::span<const std::byte>>> sections_;
    std::vector<std::shared_ptr<const void>> kept_;
};

/// Reads a file. The first thing that is wrong is kept as `status`; what is read after that is
/// empty, so that readers may look at it after several steps.
class Frame {
public:
    /// Checks header and table and reads the small section. `bytes` live as long as `owner`, or as
    /// long as this where there is none.
    [[nodiscard]] static Result<Frame> open(std::span<const std::byte> bytes,
                                            const std::shared_ptr<const void>& owner,
                                            std::string_view name);

    [[nodiscard]] const Status& status() const noexcept { return status_; }
    [[nodiscard]] bool ok() const noexcept { return status_.ok(); }
    /// These record the error and return false. corrupt_file: the checksums are right, but the
    /// contents are at fault.
    bool refuse(std::string_view what);
    bool refuse(StatusCode code, std::string_view what);
    bool refuse(Status status);
    bool refuse_map(std::string_view what);

    [[nodiscard]] const IndexFileInfo& info() const noexcept { return info_; }
    [[nodiscard]] const std::string& note() const noexcept { return note_; }

    /// Whether the file is one of that kind and version, and needs no section that is unknown.
    bool expect(const BodyFormat& format);
    /// Whether all sections that the file needs were read.
    bool all_used();

    bool check_shape(int width, int height);
    /// Whether the file belongs to a grid map.
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

    /// Whether all options are there and in their ranges.
    template <class Options>
    bool read_options(Options& options);

    [[nodiscard]] bool has(Section section, int number = 0) const noexcept;
    /// A section as values; empty if it is missing or damaged.
    template <Plain T>
    [[nodiscard]] std::span<const T> read(Section section, int number = 0) {
        const std::span<const std::byte> bytes = section_bytes(section, number);
        if (bytes.size() % sizeof(T) != 0) {
            refuse(fmt::format("the size of the section {} is wrong", title(section, number)));
            return {};
        }
        return {reinterpret_cast<const T*>(bytes.data()), bytes.size() / sizeof(T)};
    }
    /// A store of `count` records that uses the section in place; their contents are not looked at.
    bool read(Section section, std::size_t count, RecordStore& store, int number = 0);
    /// Labels and an N-level graph in place, held together by CutLabels::from_arrays and
    /// NLevelGraph::from_arrays alone.
    bool read(CutLabels& labels);
    bool read(NLevelGraph& levels);

private:
    Frame(const std::shared_ptr<const void>& owner, std::string_view name)
        : owner_(owner), name_(name) {}
    bool read_header(std::span<const std::byte> bytes);
    bool refuse_version(std::string_view of, std::uint32_t version, std::uint32_t own);
    bool read_table();
    bool read_meta();
    [[nodiscard]] const Entry* find(Section section, int number) const noexcept;
    [[nodiscard]] std::span<const std::byte> section_bytes(Section section, int number);
    [[nodiscard]] static std::string title(Section section, int number);
    template <class Arrays>
    [[nodiscard]] Arrays read_arrays();
    template <class T>
    bool take(Result<T> made, T& value) {
        if (!made) return refuse(made.error().message);
        value = std::move(*made);
        return true;
    }

    std::span<const std::byte> bytes_;
    std::shared_ptr<const void> owner_;
    std::string_view name_;
    Header header_{};
    std::span<const Entry> table_;
    std::vector<bool> used_;  // by entry
    IndexFileInfo info_;
    std::string note_;
    Status status_;
};

/// Reads options by their names, and checks them; empty, or what is wrong.
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
