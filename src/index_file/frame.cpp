#include "index_file/frame.hpp"

#include <xxhash.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <limits>
#include <new>

#include "cairn/file.hpp"
#include "core/guarded.hpp"
#include "index_file/body.hpp"
#include "index_meta_generated.h"

namespace cairn::index_file {
namespace {

static_assert(std::endian::native == std::endian::little,
              "index files are used in place, and their numbers are little-endian");

// No text file begins with the first byte. A transfer that translates line ends changes the last.
constexpr std::array<std::uint8_t, 8> kMagic{0x89, 'C', 'a', 'i', 'r', 'n', '\r', '\n'};

constexpr std::pair<Section, std::string_view> kNames[] = {
    {Section::meta, "meta"},
    {Section::clusters, "clusters"},
    {Section::move_tables, "move tables"},
    {Section::label_nodes, "labels/nodes"},
    {Section::label_entries, "labels/entries"},
    {Section::label_group_common, "labels/group common"},
    {Section::label_block_common, "labels/block common"},
    {Section::label_hops, "labels/hops"},
    {Section::label_wide_hops, "labels/wide hops"},
    {Section::label_places, "labels/places"},
    {Section::label_head, "labels/head"},
    {Section::label_groups, "labels/groups"},
    {Section::label_down_entries, "labels/down entries"},
    {Section::label_down_hops, "labels/down hops"},
    {Section::label_down_wide_hops, "labels/down wide hops"},
    {Section::closure_places, "closure/places"},
    {Section::closure_nodes, "closure/nodes"},
    {Section::closure_costs, "closure/costs"},
    {Section::closure_depths, "closure/depths"},
    {Section::closure_middles, "closure/middles"},
    {Section::closure_ranks, "closure/ranks"},
    {Section::closure_down_costs, "closure/down costs"},
    {Section::closure_down_middles, "closure/down middles"},
    {Section::level_vertices, "levels/vertices"},
    {Section::level_numbers, "levels/numbers"},
    {Section::level_arcs, "levels/arcs"},
    {Section::map_options, "map/options"},
    {Section::map_terrain, "map/terrain"},
    {Section::map_moves, "map/moves"},
    {Section::component_labels, "components/labels"},
    {Section::component_joins, "components/joins"},
    {Section::node_first, "nodes/first"},
    {Section::node_cells, "nodes/cells"},
    {Section::cluster_pages, "pages/clusters"},
    {Section::table_pages, "pages/move tables"},
    {Section::component_pages, "pages/components"},
    {Section::subgoal_tiles, "subgoals"},
    {Section::terrain, "terrain"},
    {Section::terrain_key, "terrain key"},
    {Section::agent_capabilities, "capabilities"},
    {Section::mesh_options, "mesh/options"},
    {Section::mesh_vertices, "mesh/vertices"},
    {Section::mesh_first_corner, "mesh/first corner"},
    {Section::mesh_corners, "mesh/corners"},
    {Section::mesh_areas, "mesh/areas"},
    {Section::mesh_blocked, "mesh/blocked"},
    {Section::mesh_portals, "mesh/portals"},
    {Section::mesh_connections, "mesh/connections"},
    {Section::mesh_polygon_kinds, "mesh/polygon kinds"},
    {Section::mesh_removed_portals, "mesh/removed portals"},
    {Section::mesh_connection_corners, "mesh/connection corners"},
    {Section::mesh_links, "mesh/links"},
    {Section::mesh_widths, "mesh/widths"},
    {Section::mesh_radius, "mesh/radius"},
    {Section::parents, "parents"},
    {Section::cluster_counts, "cluster counts"},
    {Section::rows_towards, "rows/towards"},
    {Section::rows_away, "rows/away"},
    {Section::centre_rows, "centre rows"},
};

// Empty if the section is unknown.
std::string_view name_of(std::uint16_t section) {
    for (const auto& [known, name] : kNames) {
        if (static_cast<std::uint16_t>(known) == section) return name;
    }
    return {};
}

std::string name_of(std::uint16_t section, std::uint16_t number) {
    const std::string_view known = name_of(section);
    std::string name = known.empty() ? fmt::format("unknown/{}", section) : std::string(known);
    return number == 0 ? name : fmt::format("{}/{}", name, number);
}

constexpr std::uint64_t aligned(std::uint64_t bytes) {
    return (bytes + (kAlignment - 1)) / kAlignment * kAlignment;
}

std::uint64_t checksum(const void* data, std::uint64_t bytes) { return XXH3_64bits(data, bytes); }

/// The checksum of bytes in several pieces.
class Checksum {
public:
    Checksum() : state_(XXH3_createState(), &XXH3_freeState) {
        if (state_ == nullptr) throw std::bad_alloc();
        XXH3_64bits_reset(state_.get());
    }
    void add(const void* data, std::uint64_t bytes) {
        XXH3_64bits_update(state_.get(), data, bytes);
    }
    [[nodiscard]] std::uint64_t value() const { return XXH3_64bits_digest(state_.get()); }

private:
    std::unique_ptr<XXH3_state_t, decltype(&XXH3_freeState)> state_;
};

std::uint64_t checksum(const Header& header) {
    return checksum(&header, offsetof(Header, header_checksum));
}

// Files of version 1 have no frame: they are FlatBuffers with these identifiers.
bool is_version_1(std::span<const std::byte> bytes) {
    if (bytes.size() < 8) return false;
    const std::string_view identifier(reinterpret_cast<const char*>(bytes.data()) + 4, 4);
    return identifier == "CRHP" || identifier == "CRHA" || identifier == "CRSG" ||
           identifier == "CRHN";
}

// Whether a text from a file can be printed: one line of ASCII, not too long.
bool is_message(const flatbuffers::String* text) {
    constexpr std::uint32_t kLongest = 1000;
    return text->size() <= kLongest &&
           std::all_of(text->begin(), text->end(), [](char c) { return c >= ' ' && c <= '~'; });
}

using Numbers = flatbuffers::Vector<flatbuffers::Offset<schema::Number>>;

bool read_list(const Numbers* list, std::vector<IndexFileNumber>& numbers) {
    if (list == nullptr) return true;
    for (const schema::Number* number : *list) {
        if (!is_message(number->name())) return false;
        numbers.push_back({number->name()->str(), number->value()});
    }
    return true;
}

auto add_list(flatbuffers::FlatBufferBuilder& builder,
              const std::vector<IndexFileNumber>& numbers) {
    std::vector<flatbuffers::Offset<schema::Number>> list;
    list.reserve(numbers.size());
    for (const IndexFileNumber& n : numbers)
        list.push_back(schema::CreateNumber(builder, builder.CreateString(n.name), n.value));
    return builder.CreateVector(list);
}

// The section with the places of the pages of records; meta if there is none.
Section pages_of(Section section) {
    switch (section) {
        case Section::clusters:
            return Section::cluster_pages;
        case Section::move_tables:
            return Section::table_pages;
        case Section::component_labels:
            return Section::component_pages;
        default:
            return Section::meta;
    }
}

// Splits the words of a store of `count` records into pages. False if they are not such pages.
bool split_pages(std::span<const std::uint32_t> words, std::size_t count,
                 std::vector<RecordStore::Record>& pages) {
    constexpr std::size_t kRecords = RecordStore::kPageRecords;
    const std::size_t page_count = (count + kRecords - 1) / kRecords;
    for (std::size_t i = 0; i < page_count; ++i) {
        if (words.size() <= kRecords || words[kRecords] > words.size()) return false;
        const RecordStore::Record page = words.first(words[kRecords]);
        if (!RecordStore::valid_page(page)) return false;
        pages.push_back(page);
        words = words.subspan(page.size());
    }
    if (!words.empty()) return false;
    // The last page's surplus records are empty.
    const std::size_t used = count - (page_count - 1) * kRecords;
    return pages.empty() || pages.back()[used] == pages.back().size();
}

// The fact of a file without labels whether an edit made them stale.
constexpr const char* kStaleLabels = "stale_labels";
// ClosureArrays::fresh_nodes and fresh_ancestors.
constexpr const char* kFreshNodes = "fresh_nodes";
constexpr const char* kFreshAncestors = "fresh_ancestors";
// Closure::FreshOrder.
constexpr const char* kOrderNodes = "order_nodes";
constexpr const char* kOrderAncestors = "order_ancestors";
// Origin.
constexpr const char* kReplacedFile = "replaced_file";
constexpr const char* kGeneration = "generation";
// CutLabelArrays::piece.
constexpr const char* kLabelPiece = "label_piece";
// ClosureArrays::directed.
constexpr const char* kDirected = "directed_labels";

// Calls use(section, array) for each array of CutLabelArrays, ClosureArrays or NLevelArrays.
// `directed`: they are of a directed graph.
template <class Arrays, class Use>
void for_each_array(Arrays& arrays, bool directed, Use&& use) {
    if constexpr (requires { arrays.group_common; }) {
        use(Section::label_nodes, arrays.nodes);
        use(Section::label_entries, arrays.up.entries);
        use(Section::label_group_common, arrays.group_common);
        use(Section::label_block_common, arrays.block_common);
        use(Section::label_hops, arrays.up.hops);
        use(Section::label_wide_hops, arrays.up.wide_hops);
        use(Section::label_places, arrays.places);
        use(Section::label_head, arrays.head);
        use(Section::label_groups, arrays.groups);
        if (!directed) return;
        use(Section::label_down_entries, arrays.down.entries);
        use(Section::label_down_hops, arrays.down.hops);
        use(Section::label_down_wide_hops, arrays.down.wide_hops);
    } else if constexpr (requires { arrays.middles; }) {
        use(Section::closure_places, arrays.places);
        use(Section::closure_nodes, arrays.nodes);
        use(Section::closure_costs, arrays.costs);
        use(Section::closure_depths, arrays.depths);
        use(Section::closure_middles, arrays.middles);
        use(Section::closure_ranks, arrays.ranks);
        if (!directed) return;
        use(Section::closure_down_costs, arrays.down_costs);
        use(Section::closure_down_middles, arrays.down_middles);
    } else {
        use(Section::level_vertices, arrays.vertices);
        use(Section::level_numbers, arrays.levels);
        use(Section::level_arcs, arrays.arcs);
    }
}

}  // namespace

std::uint64_t file_id(std::span<const std::byte> bytes) noexcept {
    std::uint64_t id = 0;
    std::memcpy(&id, bytes.data() + offsetof(Header, header_checksum), sizeof id);
    return id;
}

void seal(std::string& bytes) {
    if (bytes.size() < sizeof(Header)) return;
    const std::uint64_t size = bytes.size();
    Header header;
    std::memcpy(&header, bytes.data(), sizeof header);
    const std::uint64_t entries =
        std::min<std::uint64_t>(header.sections, (size - sizeof header) / sizeof(Entry));
    char* const table = bytes.data() + sizeof header;
    for (std::uint64_t i = 0; i < entries; ++i) {
        Entry entry;
        std::memcpy(&entry, table + i * sizeof entry, sizeof entry);
        if (entry.offset > size || entry.bytes > size - entry.offset) continue;
        const std::uint64_t covered = std::min(aligned(entry.bytes), size - entry.offset);
        entry.checksum = checksum(bytes.data() + entry.offset, covered);
        std::memcpy(table + i * sizeof entry, &entry, sizeof entry);
    }
    header.file_bytes = size;
    const std::uint64_t first_section = aligned(sizeof header + entries * sizeof(Entry));
    header.table_checksum = checksum(table, std::min(first_section, size) - sizeof header);
    header.header_checksum = checksum(header);
    std::memcpy(bytes.data(), &header, sizeof header);
}

Origin origin_of(const IndexFileInfo& info) noexcept {
    return {static_cast<std::uint64_t>(info.fact(kReplacedFile)),
            static_cast<std::uint64_t>(info.fact(kGeneration))};
}

void FrameWriter::origin(const Origin& origin) {
    fact(kReplacedFile, static_cast<std::int64_t>(origin.replaced));
    fact(kGeneration, static_cast<std::int64_t>(origin.generation));
}

void FrameWriter::map(int width, int height, std::uint64_t fingerprint, bool held) {
    info_.width = width;
    info_.height = height;
    info_.map_fingerprint = fingerprint;
    info_.holds_map = held;
}

void FrameWriter::add(Section section, const RecordStore& store, int number) {
    auto& parts = sections_[key(section, number)];
    std::vector<std::uint64_t> begins;  // of the pages, in words
    std::uint64_t words = 0;
    for (std::size_t i = 0; i < store.page_count(); ++i) {
        parts.push_back(std::as_bytes(store.page(i)));
        begins.push_back(words);
        words += store.page(i).size();
    }
    if (with_map_ && pages_of(section) != Section::meta)
        keep(pages_of(section), std::move(begins), number);
}

void FrameWriter::keep(Section section, RecordStore store, int number) {
    const auto kept = std::make_shared<const RecordStore>(std::move(store));
    kept_.push_back(kept);
    add(section, *kept, number);
}

void FrameWriter::add(const CutLabels& labels, const Status& labels_status) {
    const auto add_array = [this](Section section, auto values) { add(section, values); };
    const auto closure = std::make_shared<const Closure>(value_of(labels.closure().in_one_piece()));
    kept_.push_back(closure);
    const bool directed = closure->directed();
    if (directed) fact(kDirected, 1);
    if (const auto order = closure->fresh_order(); with_map_ && order) {
        fact(kOrderNodes, static_cast<std::int64_t>(order->nodes));
        fact(kOrderAncestors, static_cast<std::int64_t>(order->ancestors));
    }
    for_each_array(closure->arrays(), directed, add_array);
    if (closure->arrays().fresh_nodes > 0) {
        fact(kFreshNodes, static_cast<std::int64_t>(closure->arrays().fresh_nodes));
        fact(kFreshAncestors, static_cast<std::int64_t>(closure->arrays().fresh_ancestors));
    }
    if (labels_status.ok()) {
        const auto whole = std::make_shared<const CutLabels>(value_of(labels.in_one_piece()));
        kept_.push_back(whole);
        for_each_array(whole->arrays(), directed, add_array);
        if (whole->piece() > 0) fact(kLabelPiece, whole->piece());
        return;
    }
    fact(kStaleLabels, labels_status.code == StatusCode::stale_index ? 1 : 0);
    note(labels_status.message);
}

void FrameWriter::add(const NLevelArrays& levels) {
    for_each_array(levels, false, [this](Section section, auto values) { add(section, values); });
    fact("extra_edges", static_cast<std::int64_t>(levels.extra_edges));
}

std::span<const std::string_view> FrameWriter::pieces() {
    const auto options = add_list(meta_, info_.options);
    const auto facts = add_list(meta_, info_.facts);
    flatbuffers::Offset<flatbuffers::String> note;
    if (!note_.empty()) note = meta_.CreateString(note_.data(), note_.size());
    meta_.Finish(schema::CreateMeta(meta_, info_.width, info_.height, info_.map_fingerprint,
                                    info_.holds_map ? 1 : 0, options, facts, note));
    add(Section::meta, std::span<const std::uint8_t>(meta_.GetBufferPointer(), meta_.GetSize()));

    static constexpr std::array<char, kAlignment> kZeros{};
    const std::uint64_t table_end = sizeof(Header) + sections_.size() * sizeof(Entry);
    std::uint64_t end = aligned(table_end);
    std::vector<Entry> table;
    pieces_.emplace_back();  // of the head, once the checksums are known
    for (const auto& [key, parts] : sections_) {
        Checksum sum;
        std::uint64_t bytes = 0;
        const auto append = [&](const char* data, std::uint64_t size) {
            if (size == 0) return;
            pieces_.emplace_back(data, size);
            sum.add(data, size);
        };
        for (const auto& part : parts) {
            append(reinterpret_cast<const char*>(part.data()), part.size());
            bytes += part.size();
        }
        append(kZeros.data(), aligned(bytes) - bytes);
        table.push_back({key.first, key.second, kRequired, end, bytes, sum.value()});
        end += aligned(bytes);
    }
    Header header{};
    std::copy(kMagic.begin(), kMagic.end(), header.magic);
    header.frame_version = kIndexFrameVersion;
    header.format_version = format_.version;
    format_.kind.copy(header.kind, sizeof header.kind);
    header.file_bytes = end;
    header.sections = static_cast<std::uint32_t>(table.size());
    head_.assign(aligned(table_end), '\0');
    std::memcpy(head_.data() + sizeof header, table.data(), table.size() * sizeof(Entry));
    header.table_checksum = checksum(head_.data() + sizeof header, head_.size() - sizeof header);
    header.header_checksum = checksum(header);
    std::memcpy(head_.data(), &header, sizeof header);
    pieces_.front() = head_;
    return pieces_;
}

Result<Frame> Frame::open(std::span<const std::byte> bytes,
                          const std::shared_ptr<const void>& owner, std::string_view name,
                          FileChecks checks) {
    Frame frame(owner, name, checks);
    if (!bytes.empty() &&
        reinterpret_cast<std::uintptr_t>(bytes.data()) % alignof(std::uint64_t) != 0) {
        const auto copy = std::make_shared<std::vector<std::uint64_t>>((bytes.size() + 7) / 8);
        std::memcpy(copy->data(), bytes.data(), bytes.size());
        bytes = std::as_bytes(std::span(*copy)).first(bytes.size());
        frame.owner_ = copy;
    }
    frame.bytes_ = bytes;
    if (!frame.read_header(bytes) || !frame.read_table() || !frame.read_meta())
        return tl::unexpected(std::move(frame.status_));
    return frame;
}

bool Frame::read_header(std::span<const std::byte> bytes) {
    constexpr StatusCode kCorrupt = StatusCode::corrupt_file;
    if (bytes.empty()) return refuse(kCorrupt, "the file is empty; save the index again");
    if (is_version_1(bytes)) return refuse_version("index files", 1, kIndexFrameVersion);
    if (bytes.size() < sizeof header_ ||
        std::memcmp(bytes.data(), kMagic.data(), kMagic.size()) != 0) {
        return refuse(kCorrupt, "this is not an index file");
    }
    std::memcpy(&header_, bytes.data(), sizeof header_);
    if (checksum(header_) != header_.header_checksum) {
        return refuse(kCorrupt,
                      "the checksum of the header is wrong: the file is damaged; save the index "
                      "again");
    }
    if (header_.frame_version != kIndexFrameVersion)
        return refuse_version("index files", header_.frame_version, kIndexFrameVersion);
    if (header_.file_bytes != bytes.size()) {
        return refuse(kCorrupt,
                      fmt::format("the file has {} bytes instead of {}: it was cut short or "
                                  "written to; save the index again",
                                  bytes.size(), header_.file_bytes));
    }
    const std::string_view kind(header_.kind, sizeof header_.kind);
    info_.kind = kind.substr(0, kind.find('\0'));
    if (info_.kind.empty() ||
        kind.find_first_not_of('\0', info_.kind.size()) != std::string_view::npos ||
        !std::all_of(info_.kind.begin(), info_.kind.end(),
                     [](char c) { return c >= 'a' && c <= 'z'; })) {
        return refuse("the name of the planner is not valid");
    }
    info_.frame_version = header_.frame_version;
    info_.format_version = header_.format_version;
    info_.file_bytes = bytes.size();
    return true;
}

bool Frame::read_table() {
    const std::uint64_t size = bytes_.size();
    const std::uint64_t entries = header_.sections;
    std::uint64_t end = aligned(sizeof header_ + entries * sizeof(Entry));
    if (end > size) return refuse("the table of sections lies outside of the file");
    const std::byte* table = bytes_.data() + sizeof header_;
    if (checksum(table, end - sizeof header_) != header_.table_checksum) {
        return refuse(StatusCode::corrupt_file,
                      "the checksum of the table of sections is wrong: the file is damaged; save "
                      "the index again");
    }
    table_ = {reinterpret_cast<const Entry*>(table), header_.sections};
    const Entry* last = nullptr;
    for (const Entry& entry : table_) {
        const bool ascending = last == nullptr || std::pair(last->section, last->number) <
                                                      std::pair(entry.section, entry.number);
        if (!ascending || entry.offset != end || entry.bytes > size - end ||
            aligned(entry.bytes) > size - end) {
            return refuse("the sections are out of order or lie outside of the file");
        }
        end += aligned(entry.bytes);
        last = &entry;
        info_.sections.push_back({name_of(entry.section, entry.number), entry.bytes});
    }
    if (end != size) return refuse("there are bytes after the last section");
    used_.resize(entries);
    return true;
}

bool Frame::read_meta() {
    const auto bytes = read<std::uint8_t>(Section::meta);
    if (!ok()) return false;
    flatbuffers::Verifier verifier(bytes.data(), bytes.size());
    if (!verifier.VerifyBuffer<schema::Meta>())
        return refuse("parts of the section meta lie outside of it");
    const schema::Meta& meta = *flatbuffers::GetRoot<schema::Meta>(bytes.data());
    if (!read_list(meta.options(), info_.options) || !read_list(meta.facts(), info_.facts) ||
        (meta.note() != nullptr && !is_message(meta.note()))) {
        return refuse("the section meta has unreadable text");
    }
    if (meta.holds_map() > 1) return refuse("the section meta has an invalid flag");
    info_.width = meta.width();
    info_.height = meta.height();
    info_.map_fingerprint = meta.map_fingerprint();
    info_.holds_map = meta.holds_map() != 0;
    if (meta.note() != nullptr) note_ = meta.note()->str();
    return true;
}

bool Frame::refuse(Status status) {
    if (ok()) status_ = std::move(status);
    return false;
}

bool Frame::refuse(StatusCode code, std::string_view reason) {
    return refuse(Status{code, fmt::format("{}: {}", name_, reason)});
}

bool Frame::refuse(std::string_view reason) {
    return refuse(StatusCode::corrupt_file,
                  fmt::format("{}; build the index again from its map or mesh", reason));
}

bool Frame::refuse_contents(const Status& error) {
    if (error.code == StatusCode::out_of_memory) throw std::bad_alloc();
    return refuse(error.message);
}

bool Frame::refuse_map(std::string_view difference) {
    return refuse(StatusCode::wrong_map,
                  fmt::format("the index belongs to another map, {}; give that map, or build an "
                              "index of this one",
                              difference));
}

bool Frame::refuse_version(std::string_view files, std::uint32_t version, std::uint32_t supported) {
    return refuse(StatusCode::wrong_version,
                  fmt::format("version {} of {}, but this program reads version {}; build the "
                              "index again from its map or mesh",
                              version, files, supported));
}

bool Frame::expect(const BodyFormat& format) {
    if (info_.kind != format.kind) {
        return refuse(StatusCode::corrupt_file,
                      fmt::format("this is not a file of {}, but of the planner {}", format.title,
                                  info_.kind));
    }
    if (info_.format_version != format.version) {
        return refuse_version(fmt::format("files of {}", format.title), info_.format_version,
                              format.version);
    }
    for (const Entry& entry : table_) {
        if ((entry.flags & kRequired) == 0 || !name_of(entry.section).empty()) continue;
        return refuse(StatusCode::wrong_version,
                      fmt::format("it requires section {}, which this program does not know; build "
                                  "the index again from its map or mesh",
                                  entry.section));
    }
    return true;
}

bool Frame::all_used() {
    for (std::size_t i = 0; i < table_.size(); ++i) {
        if (used_[i] || (table_[i].flags & kRequired) == 0) continue;
        return refuse(fmt::format("the section {} contradicts the options",
                                  name_of(table_[i].section, table_[i].number)));
    }
    return ok();
}

bool Frame::check_shape(int width, int height) {
    if (!ok()) return false;
    if (info_.width == width && info_.height == height) return true;
    return refuse_map(fmt::format("of {} x {} cells instead of {} x {}", info_.width, info_.height,
                                  width, height));
}

const Entry* Frame::find(Section section, int number) const noexcept {
    const auto same = [&](const Entry& entry) {
        return entry.section == static_cast<std::uint16_t>(section) && entry.number == number;
    };
    const auto at = std::find_if(table_.begin(), table_.end(), same);
    return at == table_.end() ? nullptr : &*at;
}

bool Frame::has(Section section, int number) const noexcept {
    return find(section, number) != nullptr;
}

std::string Frame::title(Section section, int number) {
    return name_of(static_cast<std::uint16_t>(section), static_cast<std::uint16_t>(number));
}

std::span<const std::byte> Frame::section_bytes(Section section, int number) {
    if (!ok()) return {};
    const Entry* entry = find(section, number);
    if (entry == nullptr) {
        refuse(fmt::format("the section {} is missing", title(section, number)));
        return {};
    }
    const std::byte* begin = bytes_.data() + entry->offset;
    const bool verified = checks_ != FileChecks::none || section == Section::meta;
    if (verified && checksum(begin, aligned(entry->bytes)) != entry->checksum) {
        refuse(StatusCode::corrupt_file,
               fmt::format("the checksum of the section {} is wrong: the file is damaged; save the "
                           "index again",
                           title(section, number)));
        return {};
    }
    used_[static_cast<std::size_t>(entry - table_.data())] = true;
    return {begin, static_cast<std::size_t>(entry->bytes)};
}

bool Frame::read(Section section, std::size_t count, RecordStore& store, int number) {
    const auto words = read<std::uint32_t>(section, number);
    if (!ok()) return false;
    std::vector<RecordStore::Record> pages;
    const Section places = pages_of(section);
    if (trusted() && places != Section::meta && has(places, number)) {
        const auto begins = read<std::uint64_t>(places, number);
        const bool fit =
            begins.size() == (count + RecordStore::kPageRecords - 1) / RecordStore::kPageRecords &&
            std::ranges::all_of(begins, [&](auto b) { return b < words.size(); });
        if (!fit) return refuse("the pages of records do not fit together");
        pages.reserve(begins.size());
        for (const std::uint64_t begin : begins) pages.push_back(words.subspan(begin));
        store = RecordStore(count, pages, owner_);
        return true;
    }
    if (places != Section::meta && !pass_over(places, number)) return false;
    if (!split_pages(words, count, pages)) {
        return refuse(
            fmt::format("the pages of the section {} do not fit together", title(section, number)));
    }
    store = RecordStore(count, pages, owner_);
    return true;
}

template <class Arrays>
Arrays Frame::read_arrays(bool directed) {
    Arrays arrays;
    for_each_array(arrays, directed, [this]<class T>(Section section, std::span<const T>& values) {
        values = this->read<T>(section);
    });
    return arrays;
}

bool Frame::read(CutLabels& labels, Status& labels_status) {
    const bool directed = info_.fact(kDirected) != 0;
    auto arrays = read_arrays<ClosureArrays>(directed);
    arrays.directed = directed;
    arrays.fresh_nodes = static_cast<std::uint64_t>(info_.fact(kFreshNodes));
    arrays.fresh_ancestors = static_cast<std::uint64_t>(info_.fact(kFreshAncestors));
    Closure closure;
    const Closure::FreshOrder order{static_cast<std::uint64_t>(info_.fact(kOrderNodes)),
                                    static_cast<std::uint64_t>(info_.fact(kOrderAncestors))};
    const auto made = [&] {
        return trusted() && order.nodes > 0 ? Closure::in_place(arrays, order, owner_)
                                            : Closure::from_arrays(arrays, owner_);
    };
    if (!ok() || !take(made(), closure)) return false;
    labels_status = {};
    if (has(Section::label_nodes)) {
        auto label_arrays = read_arrays<CutLabelArrays>(directed);
        label_arrays.piece = static_cast<std::uint32_t>(info_.fact(kLabelPiece));
        return ok() &&
               take(CutLabels::from_arrays(std::move(closure), label_arrays, owner_), labels);
    }
    labels = CutLabels(std::move(closure));
    if (labels.has_labels() && note().empty()) return true;
    labels_status = {
        info_.fact(kStaleLabels) != 0 ? StatusCode::stale_index : StatusCode::too_large, note()};
    return !note().empty() || refuse("the labels are missing");
}

bool Frame::read(NLevelGraph& levels) {
    auto arrays = read_arrays<NLevelArrays>(false);
    arrays.extra_edges = static_cast<std::uint64_t>(info_.fact("extra_edges"));
    return ok() && take(NLevelGraph::from_arrays(arrays, owner_), levels);
}

Result<FileBytes> read_index_file(const std::string& path, const LoadOptions& options) {
    if (options.file != nullptr) return FileBytes{options.file->bytes(), options.file};
    if (options.copy) {
        auto bytes = read_file(path, std::numeric_limits<std::size_t>::max());
        if (!bytes) return tl::unexpected(std::move(bytes.error()));
        const auto owner = std::make_shared<const std::string>(std::move(*bytes));
        return FileBytes{std::as_bytes(std::span(*owner)), owner};
    }
    auto file = MappedFile::open(path);
    if (!file) return tl::unexpected(std::move(file.error()));
    const auto owner = std::make_shared<const MappedFile>(std::move(*file));
    return FileBytes{owner->bytes(), owner};
}

}  // namespace cairn::index_file

namespace cairn {

std::uint64_t IndexFileInfo::section_bytes(std::string_view name) const noexcept {
    std::uint64_t bytes = 0;
    for (const IndexFileSection& section : sections) {
        const std::string_view own = section.name;
        if (own.starts_with(name) && (own.size() == name.size() || own[name.size()] == '/'))
            bytes += section.bytes;
    }
    return bytes;
}

bool IndexFileInfo::has_section(std::string_view name) const noexcept {
    return std::any_of(sections.begin(), sections.end(),
                       [&](const IndexFileSection& section) { return section.name == name; });
}

std::int64_t IndexFileInfo::fact(std::string_view name) const noexcept {
    const auto at = std::find_if(facts.begin(), facts.end(),
                                 [&](const IndexFileNumber& fact) { return fact.name == name; });
    return at == facts.end() ? 0 : at->value;
}

Result<IndexFileInfo> inspect_bytes(std::span<const std::byte> bytes,
                                    std::string_view name) noexcept try {
    const auto frame = index_file::Frame::open(bytes, nullptr, name);
    if (!frame) return tl::unexpected(frame.error());
    return frame->info();
} catch (...) {
    return out_of_memory();
}

Result<IndexFileInfo> inspect(const std::string& path) noexcept try {
    const auto file = MappedFile::open(path);
    if (!file) return tl::unexpected(file.error());
    return inspect_bytes(file->bytes(), path);
} catch (...) {
    return out_of_memory();
}

}  // namespace cairn
