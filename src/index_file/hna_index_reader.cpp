#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "cairn/file.hpp"
#include "cairn/index_file/hna_index_file.hpp"
#include "hna/snapshot.hpp"
#include "hna_index_generated.h"
#include "index_file/hna_index_mesh.hpp"
#include "index_file/hna_index_validator.hpp"
#include "index_file/index_parts.hpp"
#include "overlay/levels.hpp"

namespace cairn::index_file {
namespace {

using Owner = std::shared_ptr<const void>;

Result<const schema::HnaIndex*> open(std::span<const std::byte> bytes, std::string_view name) {
    const IndexFormat format{schema::HnaIndexIdentifier(), kHnaIndexVersion, "an HNA* index"};
    return open_sealed<schema::HnaIndex>(bytes, name, format, [](const schema::HnaIndex& root) {
        return labels_aligned(root.labels());
    });
}

// Of all clusters of a level.
void find_places(const hna::Snapshot& snapshot, int level, hna::LevelRows& rows) {
    std::vector<std::uint32_t> all(snapshot.partition().clusters(level));
    std::iota(all.begin(), all.end(), 0U);
    hna::find_places(snapshot.overlay.base, level, all, rows);
}

// Reads one file, whose outer shape is checked already.
class HnaIndexReader {
public:
    HnaIndexReader(const schema::HnaIndex& root, std::string_view name)
        : root_(root), name_(name) {}

    [[nodiscard]] Status options(hna::Options& options) const;
    /// Whether there is a mesh.
    [[nodiscard]] Status check_mesh() const;
    [[nodiscard]] Result<hna::Index> index(const mesh::Mesh* wanted, const Owner& owner) const;

private:
    [[nodiscard]] Status corrupt(std::string_view what) const { return corrupt_index(name_, what); }
    [[nodiscard]] Result<mesh::Mesh> mesh(const mesh::Mesh* wanted) const;
    [[nodiscard]] Status read_partition(hna::Snapshot& snapshot) const;
    [[nodiscard]] Status read_records(const schema::Records* records, std::size_t count,
                                      const Owner& owner, RecordStore& store) const;
    [[nodiscard]] Status read_rows(const schema::HnaRows* file, const hna::Snapshot& snapshot,
                                   int level, const Owner& owner, hna::LevelRows& rows) const;
    [[nodiscard]] Status read_all_rows(hna::Snapshot& snapshot, const Owner& owner) const;
    [[nodiscard]] Status read_overlay(hna::Snapshot& snapshot, const Owner& owner) const;
    [[nodiscard]] Status read_labels(hna::Snapshot& snapshot, const Owner& owner) const;

    const schema::HnaIndex& root_;
    std::string_view name_;
};

Status HnaIndexReader::options(hna::Options& options) const {
    const schema::HnaOptions* file = root_.options();
    if (file == nullptr) return corrupt("the options are missing");
    if (file->partitioner() > static_cast<std::uint8_t>(hna::Partitioner::growing) ||
        file->pccp() > static_cast<std::uint8_t>(hna::Pccp::centre_paths) || file->labels() > 1) {
        return corrupt("an option has an unknown value");
    }
    options.levels = file->levels();
    options.mu = file->mu();
    options.partitioner = static_cast<hna::Partitioner>(file->partitioner());
    options.pccp = static_cast<hna::Pccp>(file->pccp());
    options.labels = file->labels() != 0;
    options.label_bytes = file->label_bytes();
    if (const Status status = check(options); !status.ok()) return corrupt(status.message);
    if (root_.levels() == nullptr ||
        root_.levels()->size() != static_cast<std::uint32_t>(options.levels)) {
        return corrupt("the number of levels is not that of the options");
    }
    return {};
}

Status HnaIndexReader::check_mesh() const {
    if (root_.mesh() == nullptr) return corrupt("the mesh is missing");
    constexpr auto kLast = static_cast<std::uint8_t>(mesh::Scoring::portal_parts);
    return root_.mesh()->scoring() > kLast ? corrupt("the scoring is unknown") : Status{};
}

Result<mesh::Mesh> HnaIndexReader::mesh(const mesh::Mesh* wanted) const {
    if (Status s = check_mesh(); !s.ok()) return tl::unexpected(std::move(s));
    if (wanted != nullptr && wanted->fingerprint() != root_.mesh()->fingerprint()) {
        return tl::unexpected(
            wrong_map(name_, fmt::format("with fingerprint {:016x} instead of {:016x}",
                                         root_.mesh()->fingerprint(), wanted->fingerprint())));
    }
    auto mesh = read_mesh(*root_.mesh());
    if (!mesh) return tl::unexpected(corrupt(mesh.error().message));
    if (wanted != nullptr && !(*mesh == *wanted))
        return tl::unexpected(wrong_map(name_, "which has the same fingerprint"));
    return mesh;
}

// Clusters are in the order of their lowest members, unless polygons have come and gone.
Status HnaIndexReader::read_partition(hna::Snapshot& snapshot) const {
    const mesh::MeshTopology& mesh = *snapshot.mesh().topology;
    std::vector<hna::Partition::Parents> levels;
    levels.reserve(root_.levels()->size());
    std::size_t below = mesh.num_polygons();
    for (const schema::HnaLevel* level : *root_.levels()) {
        const auto parents = span_of<std::uint32_t>(level->parents());
        if (parents.size() != below)
            return corrupt("a level does not divide all of the level below");
        std::uint32_t clusters = mesh.changed ? level->count() : 0;
        if (clusters > below) return corrupt("a level has more clusters than the level below");
        for (std::uint32_t child = 0; child < below; ++child) {
            if (levels.empty() && mesh.is_gone(child)) {
                if (parents[child] != mesh::kNone)
                    return corrupt("a polygon that is gone is in a cluster");
                continue;
            }
            if (!mesh.changed && parents[child] == clusters) ++clusters;
            if (parents[child] >= clusters)
                return corrupt("the clusters of a level are out of order");
        }
        levels.push_back({parents, clusters});
        below = clusters;
    }
    snapshot.overlay.base.partition = std::make_shared<const hna::Partition>(levels);
    return {};
}

Status HnaIndexReader::read_records(const schema::Records* records, std::size_t count,
                                    const Owner& owner, RecordStore& store) const {
    if (records == nullptr) return corrupt("the records or rows of a level are missing");
    if (!index_file::read_records(*records, count, owner, store))
        return corrupt("the pages of a level do not fit together");
    return {};
}

Status HnaIndexReader::read_rows(const schema::HnaRows* file, const hna::Snapshot& snapshot,
                                 int level, const Owner& owner, hna::LevelRows& rows) const {
    if (file == nullptr) return corrupt("the rows of a level are missing");
    const std::size_t clusters = snapshot.partition().clusters(level);
    if (Status s = read_records(file->towards(), clusters, owner, rows.towards); !s.ok()) return s;
    if (snapshot.overlay.base.directed())
        return read_records(file->away(), clusters, owner, rows.away);
    return file->away() == nullptr ? Status{} : corrupt("there are rows for one-way portals");
}

Status HnaIndexReader::read_all_rows(hna::Snapshot& snapshot, const Owner& owner) const {
    if (Status s = read_rows(root_.rows(), snapshot, 1, owner, snapshot.rows); !s.ok()) return s;
    if (wants_top_rows(snapshot) != (root_.top_rows() != nullptr) ||
        from_centres(snapshot.options) != (root_.centre_rows() != nullptr)) {
        return corrupt("the rows are not those that the options ask for");
    }
    const int top = snapshot.top();
    if (root_.top_rows() != nullptr) {
        Status s = read_rows(root_.top_rows(), snapshot, top, owner, snapshot.top_rows);
        if (!s.ok()) return s;
    }
    if (root_.centre_rows() == nullptr) return {};
    return read_records(root_.centre_rows(), snapshot.partition().clusters(top), owner,
                        snapshot.centre_rows);
}

// Levels are proven right one after another, each by the one below.
Status HnaIndexReader::read_overlay(hna::Snapshot& snapshot, const Owner& owner) const {
    if (Status s = read_partition(snapshot); !s.ok()) return s;
    if (Status s = read_all_rows(snapshot, owner); !s.ok()) return s;
    for (int level = 1; level <= snapshot.top(); ++level) {
        const schema::HnaLevel* file = root_.levels()->Get(static_cast<std::uint32_t>(level - 1));
        RecordStore& store = snapshot.overlay.levels.emplace_back();
        if (Status s =
                read_records(file->clusters(), snapshot.partition().clusters(level), owner, store);
            !s.ok()) {
            return s;
        }
        if (const std::string fault = level_fault(snapshot, level); !fault.empty())
            return corrupt(fault);
        if (const Status s = add_slot_bits(snapshot.overlay); !s.ok()) return corrupt(s.message);
    }
    find_places(snapshot, 1, snapshot.rows);
    if (wants_top_rows(snapshot)) find_places(snapshot, snapshot.top(), snapshot.top_rows);
    return {};
}

Status HnaIndexReader::read_labels(hna::Snapshot& snapshot, const Owner& owner) const {
    if (root_.labels() == nullptr) {
        snapshot.labels_status = {StatusCode::unsupported, "the index file has no labels"};
        return {};
    }
    if (snapshot.overlay.base.directed()) return corrupt("there are labels, but one-way portals");
    hna::LabelEngine engine;
    engine.hng = snapshot.first_hng;
    const CutLabelArrays arrays = arrays_of(*root_.labels());
    auto labels = CutLabels::from_arrays(arrays, owner);
    if (!labels) return corrupt(labels.error().message);
    const std::string_view fault = label_fault(snapshot.overlay, *engine.hng, arrays);
    if (!fault.empty()) return corrupt(fmt::format("cut labels: {}", fault));
    engine.labels = std::move(*labels);
    snapshot.labels = std::make_shared<const hna::LabelEngine>(std::move(engine));
    return {};
}

Result<hna::Index> HnaIndexReader::index(const mesh::Mesh* wanted, const Owner& owner) const {
    auto snapshot = std::make_shared<hna::Snapshot>();
    if (Status s = options(snapshot->options); !s.ok()) return tl::unexpected(std::move(s));
    auto mesh = this->mesh(wanted);
    if (!mesh) return tl::unexpected(mesh.error());
    if (const Status s = check(*mesh, snapshot->options); !s.ok())
        return tl::unexpected(corrupt(s.message));
    snapshot->overlay.base.mesh = std::move(*mesh);
    // Ids are how searchers know what they have cached: never a file's to say.
    const mesh::Mesh& own = snapshot->overlay.base.mesh;
    snapshot->id = hna::fresh_snapshot_id(own, snapshot->options);
    if (Status s = read_overlay(*snapshot, owner); !s.ok()) return tl::unexpected(std::move(s));
    make_hngs(*snapshot);
    if (Status s = read_labels(*snapshot, owner); !s.ok()) return tl::unexpected(std::move(s));
    snapshot->reachability = mesh::Reachability::build(own);
    snapshot->locator = mesh::Locator(own);
    return hna::Index(std::move(snapshot));
}

std::size_t row_bytes(const schema::HnaRows* rows) {
    return rows == nullptr ? 0 : page_bytes(rows->towards()) + page_bytes(rows->away());
}

}  // namespace

Result<hna::Index> hna_index_from_bytes(std::span<const std::byte> bytes, const Owner& owner,
                                        std::string_view name, const mesh::Mesh* mesh) {
    return read_aligned(bytes, owner, [&](auto usable, const auto& kept) -> Result<hna::Index> {
        const auto root = open(usable, name);
        if (!root) return tl::unexpected(root.error());
        return HnaIndexReader(**root, name).index(mesh, kept);
    });
}

Result<hna::Index> load_hna_index(const std::filesystem::path& path, const mesh::Mesh* mesh) {
    auto file = MappedFile::open(path);
    if (!file) return tl::unexpected(file.error());
    const auto owner = std::make_shared<const MappedFile>(std::move(*file));
    return hna_index_from_bytes(owner->bytes(), owner, path.string(), mesh);
}

Result<HnaIndexFileInfo> inspect_hna_index_bytes(std::span<const std::byte> bytes,
                                                 std::string_view name) {
    std::vector<std::uint64_t> memory;
    const auto opened = open(aligned_bytes(bytes, memory), name);
    if (!opened) return tl::unexpected(opened.error());
    const schema::HnaIndex& root = **opened;
    const HnaIndexReader reader(root, name);
    HnaIndexFileInfo info;
    if (Status s = reader.options(info.options); !s.ok()) return tl::unexpected(std::move(s));
    if (Status s = reader.check_mesh(); !s.ok()) return tl::unexpected(std::move(s));
    info.version = root.version();
    info.polygons = num_polygons(*root.mesh());
    info.mesh_fingerprint = root.mesh()->fingerprint();
    info.scoring = static_cast<mesh::Scoring>(root.mesh()->scoring());
    info.has_labels = root.labels() != nullptr;
    info.mesh_bytes = mesh_bytes(*root.mesh());
    info.level_bytes.reserve(root.levels()->size());
    for (const schema::HnaLevel* level : *root.levels())
        info.level_bytes.push_back(page_bytes(level->clusters()));
    info.row_bytes = row_bytes(root.rows());
    info.pccp_bytes = row_bytes(root.top_rows()) + page_bytes(root.centre_rows());
    if (root.labels() != nullptr) info.label_bytes = label_array_bytes(arrays_of(*root.labels()));
    info.file_bytes = bytes.size();
    return info;
}

Result<HnaIndexFileInfo> inspect_hna_index(const std::filesystem::path& path) {
    const auto file = MappedFile::open(path);
    if (!file) return tl::unexpected(file.error());
    return inspect_hna_index_bytes(file->bytes(), path.string());
}

}  // namespace cairn::index_file
