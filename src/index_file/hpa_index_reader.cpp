#include "cairn/file.hpp"
#include "cairn/index_file/hpa_index_file.hpp"
#include "hpa/label_engine.hpp"
#include "hpa/snapshot.hpp"
#include "hpa_index_generated.h"
#include "index_file/hpa_index_validator.hpp"
#include "index_file/index_parts.hpp"
#include "overlay/component_labels.hpp"
#include "overlay/levels.hpp"

namespace cairn::index_file {
namespace {

Result<const schema::HpaIndex*> open(std::span<const std::byte> bytes, std::string_view name) {
    const IndexFormat format{schema::HpaIndexIdentifier(), kHpaIndexVersion, "an HPA* index"};
    return open_sealed<schema::HpaIndex>(bytes, name, format, [](const schema::HpaIndex& root) {
        return labels_aligned(root.labels());
    });
}

// Reads one file, whose outer shape is checked already.
class IndexReader {
public:
    IndexReader(const schema::HpaIndex& root, std::string_view name) : root_(root), name_(name) {}

    [[nodiscard]] Status options(hpa::Options& options) const;
    [[nodiscard]] Result<hpa::Index> index(const grid::Map& map,
                                           const std::shared_ptr<const void>& owner) const;

private:
    [[nodiscard]] Status corrupt(std::string_view what) const { return corrupt_index(name_, what); }
    [[nodiscard]] Status read_overlay(hpa::Snapshot& snapshot,
                                      const std::shared_ptr<const void>& owner) const;
    [[nodiscard]] Status read_records(const schema::Records* records, std::size_t count,
                                      const std::shared_ptr<const void>& owner,
                                      RecordStore& store) const;
    [[nodiscard]] Status read_labels(hpa::Snapshot& snapshot,
                                     const std::shared_ptr<const void>& owner) const;

    const schema::HpaIndex& root_;
    std::string_view name_;
};

Status IndexReader::options(hpa::Options& options) const {
    const schema::HpaOptions* file = root_.options();
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

Status IndexReader::read_records(const schema::Records* records, std::size_t count,
                                 const std::shared_ptr<const void>& owner,
                                 RecordStore& store) const {
    if (records == nullptr)
        return corrupt("the records of a level or of the move tables are missing");
    if (!index_file::read_records(*records, count, owner, store)) {
        return corrupt("the pages of a level or of the move tables do not fit together");
    }
    return {};
}

Status IndexReader::read_overlay(hpa::Snapshot& snapshot,
                                 const std::shared_ptr<const void>& owner) const {
    hpa::Overlay& overlay = snapshot.overlay;
    const hpa::Options& options = snapshot.options;
    overlay.base.partition =
        hpa::Partition(overlay.base.map.width(), overlay.base.map.height(), options.cluster_size,
                       options.branching, options.levels);
    for (int level = 1; level <= options.levels; ++level) {
        const schema::Records* records = root_.levels()->Get(static_cast<std::uint32_t>(level - 1));
        if (Status s = read_records(records, overlay.base.partition.clusters(level), owner,
                                    overlay.levels.emplace_back());
            !s.ok()) {
            return s;
        }
    }
    const std::size_t clusters = overlay.base.partition.clusters(1);
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
    const MapStamp stamp{{root_.width(), root_.height()}, root_.map_fingerprint()};
    if (Status s = check_map(name_, stamp, map); !s.ok()) return tl::unexpected(std::move(s));
    if (Status s = options(snapshot->options); !s.ok()) return tl::unexpected(std::move(s));
    snapshot->overlay.base.map = map;
    snapshot->id = hpa::fresh_snapshot_id(map, snapshot->options);
    if (Status s = read_overlay(*snapshot, owner); !s.ok()) return tl::unexpected(std::move(s));
    if (const std::string fault = overlay_fault(*snapshot); !fault.empty()) {
        return tl::unexpected(corrupt(fault));
    }
    for (int level = 1; level <= snapshot->options.levels; ++level) {
        if (const Status s = add_slot_bits(snapshot->overlay); !s.ok()) {
            return tl::unexpected(corrupt(s.message));
        }
    }
    snapshot->components = label_components(snapshot->overlay);
    if (root_.labels() == nullptr) {
        snapshot->labels_status = {StatusCode::unsupported, "the index file has no labels"};
    } else if (Status s = read_labels(*snapshot, owner); !s.ok()) {
        return tl::unexpected(std::move(s));
    }
    return hpa::Index(std::move(snapshot));
}

}  // namespace

Result<hpa::Index> index_from_bytes(std::span<const std::byte> bytes,
                                    const std::shared_ptr<const void>& owner, std::string_view name,
                                    const grid::Map& map) {
    return read_aligned(bytes, owner, [&](auto usable, const auto& kept) -> Result<hpa::Index> {
        const auto root = open(usable, name);
        if (!root) return tl::unexpected(root.error());
        return IndexReader(**root, name).index(map, kept);
    });
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
    const auto opened = open(aligned_bytes(bytes, memory), name);
    if (!opened) return tl::unexpected(opened.error());
    const schema::HpaIndex& root = **opened;
    HpaIndexFileInfo info;
    if (Status s = IndexReader(root, name).options(info.options); !s.ok()) {
        return tl::unexpected(std::move(s));
    }
    info.version = root.version();
    info.width = root.width();
    info.height = root.height();
    info.map_fingerprint = root.map_fingerprint();
    for (const schema::Records* level : *root.levels())
        info.level_bytes.push_back(page_bytes(level));
    info.table_bytes = page_bytes(root.move_tables());
    if (root.labels() != nullptr) info.label_bytes = label_array_bytes(arrays_of(*root.labels()));
    info.file_bytes = bytes.size();
    return info;
}

Result<HpaIndexFileInfo> inspect_index(const std::filesystem::path& path) {
    const auto file = MappedFile::open(path);
    if (!file) return tl::unexpected(file.error());
    return inspect_index_bytes(file->bytes(), path.string());
}

}  // namespace cairn::index_file
