#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "cairn/io/file.hpp"
#include "cairn/io/hpa_index_file.hpp"
#include "hpa/label_engine.hpp"
#include "hpa/snapshot.hpp"
#include "hpa_index_generated.h"
#include "io/hpa_index_seal.hpp"
#include "io/hpa_index_validator.hpp"

namespace cairn::io {
namespace {

template <class T>
std::span<const T> span_of(const flatbuffers::Vector<T>* vector) {
    if (vector == nullptr) return {};
    return {reinterpret_cast<const T*>(vector->Data()), vector->size()};
}

template <class T, class Struct>
std::span<const T> structs_of(const flatbuffers::Vector<const Struct*>* vector) {
    if (vector == nullptr) return {};
    return {reinterpret_cast<const T*>(vector->Data()), vector->size()};
}

CutLabelArrays arrays_of(const schema::Labels& labels) {
    return {structs_of<CutLabelNode>(labels.nodes()),
            span_of(labels.entries()),
            span_of(labels.group_common()),
            span_of(labels.block_common()),
            span_of(labels.hops()),
            span_of(labels.wide_hops()),
            structs_of<CutLabelPlace>(labels.places()),
            span_of(labels.head()),
            structs_of<CutLabelGroup>(labels.groups())};
}

// Reads one file, whose outer shape is checked already.
class IndexReader {
public:
    IndexReader(const schema::Index& root, std::string_view name) : root_(root), name_(name) {}

    [[nodiscard]] Status options(hpa::Options& options) const;
    [[nodiscard]] Result<hpa::Index> index(const grid::Map& map,
                                           const std::shared_ptr<const void>& owner) const;

private:
    [[nodiscard]] Status corrupt(std::string_view what) const {
        return {StatusCode::corrupt_file,
                fmt::format("{}: {}; build the index again from its map", name_, what)};
    }
    [[nodiscard]] Status check_map(const grid::Map& map) const;
    [[nodiscard]] Status read_overlay(hpa::Snapshot& snapshot,
                                      const std::shared_ptr<const void>& owner) const;
    [[nodiscard]] Status read_records(const schema::Records* records, std::size_t count,
                                      const std::shared_ptr<const void>& owner,
                                      RecordStore& store) const;
    [[nodiscard]] Status read_labels(hpa::Snapshot& snapshot,
                                     const std::shared_ptr<const void>& owner) const;

    const schema::Index& root_;
    std::string_view name_;
};

Status IndexReader::options(hpa::Options& options) const {
    const schema::Options* file = root_.options();
    if (file == nullptr) return corrupt("the options are missing");
    if (file->transitions() > static_cast<std::uint8_t>(hpa::Transitions::every) ||
        file->diagonals() > static_cast<std::uint8_t>(hpa::DiagonalCrossings::every) ||
        file->move_tables() > 1) {
        return corrupt("an option has an unknown value");
    }
    options.cluster_size = file->cluster_size();
    options.levels = file->levels();
    options.branching = file->branching();
    options.wide_entrance = file->wide_entrance();
    options.label_bytes = file->label_bytes();
    options.transitions = static_cast<hpa::Transitions>(file->transitions());
    options.diagonals = static_cast<hpa::DiagonalCrossings>(file->diagonals());
    options.move_tables = file->move_tables() != 0;
    options.labels = root_.labels() != nullptr;
    if (const Status status = check(options); !status.ok()) return corrupt(status.message);
    if (root_.levels() == nullptr ||
        root_.levels()->size() != static_cast<std::uint32_t>(options.levels)) {
        return corrupt("the number of levels is not that of the options");
    }
    return {};
}

Status IndexReader::check_map(const grid::Map& map) const {
    const auto wrong = [this](const std::string& what) {
        return Status{StatusCode::wrong_map,
                      fmt::format("{}: the index belongs to another map, {}; give that map, or "
                                  "build an index of this one",
                                  name_, what)};
    };
    if (map.width() != root_.width() || map.height() != root_.height()) {
        return wrong(fmt::format("of {} x {} cells instead of {} x {}", root_.width(),
                                 root_.height(), map.width(), map.height()));
    }
    if (const std::uint64_t fingerprint = map.fingerprint();
        fingerprint != root_.map_fingerprint()) {
        return wrong(fmt::format(
            "of the same size but with other terrain, costs or rules (fingerprint {:016x} instead "
            "of {:016x})",
            root_.map_fingerprint(), fingerprint));
    }
    return {};
}

Status IndexReader::read_records(const schema::Records* records, std::size_t count,
                                 const std::shared_ptr<const void>& owner,
                                 RecordStore& store) const {
    if (records == nullptr)
        return corrupt("the records of a level or of the move tables are missing");
    std::vector<RecordStore::Record> pages;
    if (!split_pages(span_of(records->words()), count, pages)) {
        return corrupt("the pages of a level or of the move tables do not fit together");
    }
    store = RecordStore(count, pages, owner);
    return {};
}

Status IndexReader::read_overlay(hpa::Snapshot& snapshot,
                                 const std::shared_ptr<const void>& owner) const {
    Overlay& overlay = snapshot.overlay;
    const hpa::Options& options = snapshot.options;
    overlay.partition = Partition(overlay.map.width(), overlay.map.height(), options.cluster_size,
                                  options.branching, options.levels);
    for (int level = 1; level <= options.levels; ++level) {
        const schema::Records* records = root_.levels()->Get(static_cast<std::uint32_t>(level - 1));
        if (Status s = read_records(records, overlay.partition.clusters(level), owner,
                                    overlay.levels.emplace_back());
            !s.ok()) {
            return s;
        }
    }
    const std::size_t clusters = overlay.partition.clusters(1);
    if (options.move_tables)
        return read_records(root_.move_tables(), clusters, owner, snapshot.tables);
    if (root_.move_tables() != nullptr) return corrupt("there are move tables against the options");
    snapshot.tables = RecordStore(std::vector<std::vector<std::uint32_t>>(clusters));
    return {};
}

Status IndexReader::read_labels(hpa::Snapshot& snapshot,
                                const std::shared_ptr<const void>& owner) const {
    hpa::LabelEngine engine = hpa::number_label_nodes(snapshot.overlay);
    const CutLabelArrays arrays = arrays_of(*root_.labels());
    auto labels = CutLabels::from_arrays(arrays, owner);
    if (!labels) return corrupt(labels.error().message);
    if (const std::string_view fault = label_fault(snapshot.overlay, engine, arrays);
        !fault.empty()) {
        return corrupt(fmt::format("cut labels: {}", fault));
    }
    engine.labels = std::move(*labels);
    snapshot.labels = std::make_shared<const hpa::LabelEngine>(std::move(engine));
    return {};
}

Result<hpa::Index> IndexReader::index(const grid::Map& map,
                                      const std::shared_ptr<const void>& owner) const {
    auto snapshot = std::make_shared<hpa::Snapshot>();
    if (Status s = check_map(map); !s.ok()) return tl::unexpected(std::move(s));
    if (Status s = options(snapshot->options); !s.ok()) return tl::unexpected(std::move(s));
    snapshot->overlay.map = map;
    snapshot->id = hpa::fresh_snapshot_id(map, snapshot->options);
    if (Status s = read_overlay(*snapshot, owner); !s.ok()) return tl::unexpected(std::move(s));
    if (const std::string fault = overlay_fault(*snapshot); !fault.empty()) {
        return tl::unexpected(corrupt(fault));
    }
    for (int level = 1; level <= snapshot->options.levels; ++level) {
        if (const Status s = hpa::add_slot_bits(snapshot->overlay); !s.ok()) {
            return tl::unexpected(corrupt(s.message));
        }
    }
    snapshot->components = hpa::NodeComponents(snapshot->overlay);
    if (root_.labels() == nullptr) {
        snapshot->labels_status = {StatusCode::unsupported, "the index file has no labels"};
    } else if (Status s = read_labels(*snapshot, owner); !s.ok()) {
        return tl::unexpected(std::move(s));
    }
    return hpa::Index(std::move(snapshot));
}

// The bytes themselves, or a copy of them in `memory`, at an address where they can be used.
std::span<const std::byte> aligned_bytes(std::span<const std::byte> bytes,
                                         std::vector<std::uint64_t>& memory) {
    if (reinterpret_cast<std::uintptr_t>(bytes.data()) % alignof(std::uint64_t) == 0) return bytes;
    memory.resize((bytes.size() + 7) / 8);
    std::memcpy(memory.data(), bytes.data(), bytes.size());
    return std::as_bytes(std::span(memory)).first(bytes.size());
}

std::size_t bytes_of(const schema::Records* records) {
    return records == nullptr ? 0 : span_of(records->words()).size_bytes();
}

}  // namespace

Result<hpa::Index> index_from_bytes(std::span<const std::byte> bytes,
                                    const std::shared_ptr<const void>& owner, std::string_view name,
                                    const grid::Map& map) {
    const auto memory = std::make_shared<std::vector<std::uint64_t>>();
    const std::span<const std::byte> usable = aligned_bytes(bytes, *memory);
    const auto root = open_sealed(usable, name);
    if (!root) return tl::unexpected(root.error());
    if (!memory->empty()) return IndexReader(**root, name).index(map, memory);
    return IndexReader(**root, name).index(map, owner);
}

Result<hpa::Index> load_index(const std::filesystem::path& path, const grid::Map& map) {
    auto file = MappedFile::open(path);
    if (!file) return tl::unexpected(file.error());
    const auto owner = std::make_shared<const MappedFile>(std::move(*file));
    return index_from_bytes(owner->bytes(), owner, path.string(), map);
}

Result<HpaIndexFileInfo> inspect_index_bytes(std::span<const std::byte> bytes,
                                             std::string_view name) {
    std::vector<std::uint64_t> memory;
    const auto opened = open_sealed(aligned_bytes(bytes, memory), name);
    if (!opened) return tl::unexpected(opened.error());
    const schema::Index& root = **opened;
    HpaIndexFileInfo info;
    if (Status s = IndexReader(root, name).options(info.options); !s.ok()) {
        return tl::unexpected(std::move(s));
    }
    info.version = root.version();
    info.width = root.width();
    info.height = root.height();
    info.map_fingerprint = root.map_fingerprint();
    for (const schema::Records* level : *root.levels()) info.level_bytes.push_back(bytes_of(level));
    info.table_bytes = bytes_of(root.move_tables());
    if (root.labels() != nullptr) info.label_bytes = label_array_bytes(arrays_of(*root.labels()));
    info.file_bytes = bytes.size();
    return info;
}

Result<HpaIndexFileInfo> inspect_index(const std::filesystem::path& path) {
    const auto file = MappedFile::open(path);
    if (!file) return tl::unexpected(file.error());
    return inspect_index_bytes(file->bytes(), path.string());
}

}  // namespace cairn::io
