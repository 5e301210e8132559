// The body of HNA* index files.

#include <algorithm>
#include <numeric>
#include <optional>

#include "cairn/hna/index.hpp"
#include "hna/snapshot.hpp"
#include "index_file/body.hpp"
#include "index_file/checks.hpp"
#include "index_file/hna_parts.hpp"
#include "overlay/levels.hpp"

namespace cairn::index_file {

template <>
struct FileOptions<hna::Options> {
    static void visit(hna::Options& o, auto&& visit) {
        visit("levels", o.levels);
        visit("mu", o.mu);
        visit("partitioner", o.partitioner, hna::Partitioner::growing);
        visit("pccp", o.pccp, hna::Pccp::centre_paths);
        visit("labels", o.labels);
        visit("label_bytes", o.label_bytes);
    }
};

namespace {

std::vector<std::uint32_t> parents_of(const hna::Snapshot& s, int level) {
    const hna::Partition& partition = s.partition();
    std::vector<std::uint32_t> parents(level == 1 ? s.mesh().num_polygons()
                                                  : partition.clusters(level - 1));
    for (std::uint32_t child = 0; child < parents.size(); ++child) {
        parents[child] =
            level == 1 ? partition.cluster(1, child) : partition.parent(level - 1, child);
    }
    return parents;
}

void add_rows(const hna::Snapshot& s, const hna::LevelRows& rows, int level, FrameWriter& out) {
    out.add(Section::rows_towards, rows.towards, level);
    if (s.overlay.base.directed()) out.add(Section::rows_away, rows.away, level);
}

// Clusters are in the order of their lowest members, unless polygons were added or removed.
bool read_partition(Frame& file, hna::Snapshot& snapshot) {
    const mesh::MeshTopology& mesh = *snapshot.mesh().topology;
    const auto counts = mesh.changed ? file.read<std::uint32_t>(Section::cluster_counts)
                                     : std::span<const std::uint32_t>();
    if (mesh.changed && counts.size() != static_cast<std::size_t>(snapshot.options.levels))
        return file.refuse("there is not one number of clusters to a level");
    std::vector<hna::Partition::Parents> levels;
    std::size_t below = mesh.num_polygons();
    for (int level = 1; level <= snapshot.options.levels; ++level) {
        const auto parents = file.read<std::uint32_t>(Section::parents, level);
        if (parents.size() != below)
            return file.refuse("a level does not divide all of the level below");
        std::uint32_t clusters = mesh.changed ? counts[static_cast<std::size_t>(level - 1)] : 0;
        if (clusters > below) return file.refuse("a level has more clusters than the level below");
        for (std::uint32_t child = 0; child < below; ++child) {
            if (level == 1 && mesh.is_removed(child)) {
                if (parents[child] != mesh::kNone)
                    return file.refuse("a polygon that was removed is in a cluster");
                continue;
            }
            if (!mesh.changed && parents[child] == clusters) ++clusters;
            if (parents[child] >= clusters)
                return file.refuse("the clusters of a level are out of order");
        }
        levels.push_back({parents, clusters});
        below = clusters;
    }
    if (!file.ok()) return false;
    snapshot.overlay.base.partition = std::make_shared<const hna::Partition>(levels);
    return true;
}

bool read_rows(Frame& file, const hna::Snapshot& snapshot, int level, hna::LevelRows& rows) {
    const std::size_t clusters = snapshot.partition().clusters(level);
    return file.read(Section::rows_towards, clusters, rows.towards, level) &&
           (!snapshot.overlay.base.directed() ||
            file.read(Section::rows_away, clusters, rows.away, level));
}

bool read_all_rows(Frame& file, hna::Snapshot& snapshot) {
    const int top = snapshot.top();
    if (!read_rows(file, snapshot, 1, snapshot.rows)) return false;
    if (wants_top_rows(snapshot) && !read_rows(file, snapshot, top, snapshot.top_rows))
        return false;
    return !from_centres(snapshot.options) ||
           file.read(Section::centre_rows, snapshot.partition().clusters(top),
                     snapshot.centre_rows);
}

// Levels are proven right one after another, each by the one below.
bool read_overlay(Frame& file, hna::Snapshot& snapshot) {
    if (!read_partition(file, snapshot) || !read_all_rows(file, snapshot)) return false;
    for (int level = 1; level <= snapshot.top(); ++level) {
        RecordStore& store = snapshot.overlay.levels.emplace_back();
        if (!file.read(Section::clusters, snapshot.partition().clusters(level), store, level))
            return false;
        if (const std::string fault = level_fault(snapshot, level); !fault.empty())
            return file.refuse(fault);
        if (const Status s = add_slot_bits(snapshot.overlay); !s.ok())
            return file.refuse(s.message);
    }
    hna::find_places(snapshot.overlay.base, 1, snapshot.rows);
    if (wants_top_rows(snapshot))
        hna::find_places(snapshot.overlay.base, snapshot.top(), snapshot.top_rows);
    make_hngs(snapshot);
    return true;
}

// Whether some cluster's inside leads from one inter-edge to the other.
bool adjacent(const hna::Overlay& overlay, const hna::InterEdge& a, const hna::InterEdge& b) {
    for (std::size_t i = 0; i < 2; ++i) {
        for (std::size_t j = 0; j < 2; ++j) {
            if (a.cluster[i] == b.cluster[j] &&
                overlay.cluster(1, a.cluster[i]).cost(a.slot[i], b.slot[j]) < kInfinity) {
                return true;
            }
        }
    }
    return false;
}

bool read_labels(Frame& file, hna::Snapshot& snapshot) {
    if (!file.has(Section::label_nodes)) {
        snapshot.labels_status = {StatusCode::unsupported, "the index file has no labels"};
        return true;
    }
    if (snapshot.overlay.base.directed())
        return file.refuse("there are labels, but one-way portals");
    hna::LabelEngine engine;
    engine.hng = snapshot.first_hng;
    if (!file.read(engine.labels)) return false;
    const hna::Hng& hng = *engine.hng;
    const auto fault = label_fault(
        engine.labels.arrays(), hng.count(), [&](std::uint32_t node, std::uint32_t other) {
            return other != node && adjacent(snapshot.overlay, hng[node], hng[other]);
        });
    if (fault) return file.refuse(fmt::format("cut labels: {}", fault->what));
    snapshot.labels = std::make_shared<const hna::LabelEngine>(std::move(engine));
    return true;
}

}  // namespace

template <>
struct Body<hna::Index> {
    static constexpr BodyFormat kFormat{"hna", 2, "an HNA* index"};

    static void write(const hna::Index& index, FrameWriter& out) {
        const hna::Snapshot& s = index.snapshot();
        write_mesh(index.mesh(), out);
        out.options(s.options);
        std::vector<std::uint32_t> counts;
        for (int level = 1; level <= s.top(); ++level) {
            out.keep(Section::parents, parents_of(s, level), level);
            out.add(Section::clusters, s.overlay.levels[static_cast<std::size_t>(level - 1)],
                    level);
            counts.push_back(s.partition().clusters(level));
        }
        if (s.mesh().topology->changed) out.keep(Section::cluster_counts, std::move(counts));
        add_rows(s, s.rows, 1, out);
        if (wants_top_rows(s)) add_rows(s, s.top_rows, s.top(), out);
        if (from_centres(s.options)) out.add(Section::centre_rows, s.centre_rows);
        if (s.labels) out.add(s.labels->labels.arrays());
    }

    static std::shared_ptr<const hna::Snapshot> read(Frame& file, const mesh::Mesh* wanted) {
        const auto snapshot = std::make_shared<hna::Snapshot>();
        std::optional<mesh::Mesh> mesh;
        if (!file.read_options(snapshot->options) || !read_mesh(file, wanted, mesh)) return nullptr;
        if (const Status s = check(*mesh, snapshot->options); !s.ok())
            return file.refuse(s.message), nullptr;
        snapshot->overlay.base.mesh = std::move(*mesh);
        const mesh::Mesh& own = snapshot->overlay.base.mesh;
        // Searchers identify their caches by ids, so an id must not come from a file.
        snapshot->id = hna::fresh_snapshot_id(own, snapshot->options);
        if (!read_overlay(file, *snapshot) || !read_labels(file, *snapshot)) return nullptr;
        snapshot->reachability = mesh::Reachability::build(own);
        snapshot->locator = mesh::Locator(own);
        return snapshot;
    }
};

}  // namespace cairn::index_file

namespace cairn {

template Status save(const hna::Index&, const std::string&);
template Result<std::string> to_bytes(const hna::Index&);
template Result<hna::Index> load(const std::string&, const LoadOptions&);
template Result<hna::Index> load(const std::string&, const mesh::Mesh&, const LoadOptions&);
template Result<hna::Index> from_bytes(std::span<const std::byte>,
                                       const std::shared_ptr<const void>&, std::string_view);
template Result<hna::Index> from_bytes(std::span<const std::byte>,
                                       const std::shared_ptr<const void>&, std::string_view,
                                       const mesh::Mesh&);
template Result<hna::Options> index_options(const IndexFileInfo&);

}  // namespace cairn
