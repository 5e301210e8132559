// Builds a whole index.

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

#include "cairn/hna/index.hpp"
#include "core/parallel_loop.hpp"
#include "core/part_of_work.hpp"
#include "core/separator/connected_parts.hpp"
#include "hna/cluster_builder.hpp"
#include "hna/index_build.hpp"
#include "hna/snapshot.hpp"
#include "overlay/levels.hpp"

namespace cairn::hna {

Partitioner default_partitioner() noexcept {
    return has_metis() ? Partitioner::multilevel : Partitioner::growing;
}

Status check_partitioner(const Options& options) {
    if (options.partitioner != Partitioner::multilevel || has_metis()) return {};
    return {StatusCode::unsupported,
            "the multilevel partitioner needs METIS, and Cairn was built without it: choose "
            "Partitioner::growing"};
}

Status check(const mesh::Mesh& mesh, const Options& options) {
    if (Status s = check(options); !s.ok()) return s;
    if (!from_centres(options) ||
        (!mesh.directed() && mesh.options().scoring == mesh::Scoring::polygon_centres)) {
        return {};
    }
    return {StatusCode::bad_option,
            "connecting paths from polygon centres need a mesh scored by polygon_centres and "
            "without one-way portals"};
}

std::vector<std::uint32_t> make_centre_rows(const Snapshot& snapshot, std::uint32_t cluster,
                                            ClusterSearch& search) {
    const int top = snapshot.top();
    return centre_rows(snapshot.overlay.base, top, cluster,
                       snapshot.overlay.cluster(top, cluster).bases(),
                       snapshot.options.pccp == Pccp::centre_paths, search);
}

std::uint64_t fresh_snapshot_id(const mesh::Mesh& mesh, const Options& o) {
    const std::array<std::int64_t, 4> shape{o.levels, o.mu, static_cast<int>(o.partitioner),
                                            static_cast<int>(o.pccp)};
    const std::uint64_t id = XXH3_64bits_withSeed(shape.data(), sizeof shape, mesh.fingerprint());
    return id == 0 ? 1 : id;
}

namespace {

using Records = std::vector<std::vector<std::uint32_t>>;

RecordStore stored(const Records& records) {
    return RecordStore(std::span<const std::vector<std::uint32_t>>(records));
}

/// The rows of all clusters of a level, while they are made.
struct RowRecords {
    explicit RowRecords(std::size_t clusters) : towards(clusters), away(clusters) {}
    void put(std::uint32_t cluster, ClusterRows rows) {
        towards[cluster] = std::move(rows.towards);
        away[cluster] = std::move(rows.away);
    }
    [[nodiscard]] LevelRows stored_rows(bool directed) const {
        return {stored(towards), directed ? stored(away) : RecordStore(), nullptr};
    }

    Records towards;
    Records away;
};

std::vector<std::uint32_t> numbers_below(std::uint32_t count) {
    std::vector<std::uint32_t> numbers(count);
    std::iota(numbers.begin(), numbers.end(), 0U);
    return numbers;
}

/// Level 1, or the top level where that has rows.
Status build_with_rows(Snapshot& snapshot, int level, LevelRows& level_rows,
                       const BuildControl& control, Progress& progress) {
    Overlay& overlay = snapshot.overlay;
    const std::uint32_t clusters = overlay.base.clusters(level);
    Records records(clusters);
    RowRecords rows(clusters);
    const auto make = [&](ClusterBuilder& builder, std::uint32_t id) {
        RowedCluster cluster = builder.make(level, id);
        records[id] = std::move(cluster.record);
        rows.put(id, std::move(cluster.rows));
    };
    const auto new_worker = [&] { return ClusterBuilder(overlay); };
    if (Status s = for_each_item(clusters, control, progress, new_worker, make); !s.ok()) return s;
    level_rows = rows.stored_rows(overlay.base.directed());
    find_places(overlay.base, level, numbers_below(clusters), level_rows);
    return add_level(overlay, records);
}

Status build_centre_rows(Snapshot& snapshot, const BuildControl& control, Progress& progress) {
    const std::uint32_t clusters = snapshot.overlay.base.clusters(snapshot.top());
    Records records(clusters);
    const auto make = [&](ClusterSearch& search, std::uint32_t id) {
        records[id] = make_centre_rows(snapshot, id, search);
    };
    const auto new_worker = [] { return ClusterSearch(); };
    Status status = for_each_item(clusters, control, progress, new_worker, make);
    if (status.ok()) snapshot.centre_rows = stored(records);
    return status;
}

Status build_levels(Snapshot& snapshot, const BuildControl& control) {
    std::size_t clusters = 1;
    for (int level = 1; level <= snapshot.top(); ++level)
        clusters += snapshot.overlay.base.clusters(level);
    const std::uint32_t top_clusters = snapshot.overlay.base.clusters(snapshot.top());
    if (from_centres(snapshot.options)) clusters += top_clusters;
    Progress progress(control, clusters);
    return on_threads(control, [&] {
        Status status = build_with_rows(snapshot, 1, snapshot.rows, control, progress);
        for (int level = 2; level <= snapshot.top() && status.ok(); ++level) {
            status = level == snapshot.top() && wants_top_rows(snapshot)
                         ? build_with_rows(snapshot, level, snapshot.top_rows, control, progress)
                         : build_level(snapshot.overlay, control, progress);
        }
        if (status.ok() && from_centres(snapshot.options))
            status = build_centre_rows(snapshot, control, progress);
        return status;
    });
}

/// The built part; if it failed, `status` says why. Only a cancelled build is an error.
template <class T>
Result<std::shared_ptr<const T>> kept(Result<T> built, Status& status) {
    if (built) {
        status = {};
        return std::make_shared<const T>(std::move(*built));
    }
    if (built.error().code == StatusCode::cancelled) return tl::unexpected(built.error());
    status = std::move(built.error());
    return std::shared_ptr<const T>();
}

Status add_labels(Snapshot& snapshot, const BuildControl& control) {
    if (snapshot.overlay.base.directed()) {
        snapshot.labels_status = {StatusCode::unsupported,
                                  "labels need moves that go both ways; the mesh has one-way "
                                  "portals"};
        return {};
    }
    auto labels = kept(build_label_engine(snapshot.first_hng, snapshot.earlier_labels.get(),
                                          snapshot.options.label_bytes, control),
                       snapshot.labels_status);
    if (!labels) return labels.error();
    snapshot.labels = std::move(*labels);
    if (snapshot.labels) snapshot.earlier_labels.reset();
    return {};
}

/// The labels, if the options ask for them and there are none yet.
Status complete(Snapshot& snapshot, const BuildControl& control) {
    if (snapshot.options.labels && !snapshot.labels) {
        if (Status s = add_labels(snapshot, control); !s.ok()) return s;
    }
    if (control.progress) control.progress(1);
    return {};
}

}  // namespace

Status build_parts(Snapshot& snapshot, const BuildControl& control) {
    Overlay& overlay = snapshot.overlay;
    overlay.levels.clear();
    overlay.slot_bits.clear();
    snapshot.rows = {};
    snapshot.top_rows = {};
    snapshot.centre_rows = {};
    if (Status s = build_levels(snapshot, control); !s.ok()) return s;
    make_hngs(snapshot);
    snapshot.reachability = mesh::Reachability::build(overlay.base.mesh);
    snapshot.locator = mesh::Locator(overlay.base.mesh);
    return {};
}

namespace {

/// The index of a snapshot that has its overlay's base and its options.
Result<Index> built(std::shared_ptr<Snapshot> snapshot, const BuildControl& control) {
    constexpr double kParts = 0.5;  // their approximate share of the work
    if (Status s = build_parts(*snapshot, part_of(control, 0, kParts)); !s.ok())
        return tl::unexpected(std::move(s));
    if (Status s = complete(*snapshot, part_of(control, kParts, 1)); !s.ok())
        return tl::unexpected(std::move(s));
    return Index(std::move(snapshot));
}

}  // namespace

Result<Index> Index::build(const mesh::Mesh& mesh, const Options& options,
                           const BuildControl& control) {
    if (Status s = check(mesh, options); !s.ok()) return tl::unexpected(std::move(s));
    if (Status s = check_partitioner(options); !s.ok()) return tl::unexpected(std::move(s));
    if (Status s = check_threads(control); !s.ok()) return tl::unexpected(std::move(s));
    auto snapshot = std::make_shared<Snapshot>();
    snapshot->id = fresh_snapshot_id(mesh, options);
    snapshot->options = options;
    snapshot->overlay.base = {mesh, std::make_shared<const Partition>(mesh, options)};
    snapshot->labels_status = {StatusCode::unsupported, "the index was built without labels"};
    return built(std::move(snapshot), control);
}

Result<Index> Index::rebuilt(const BuildControl& control) const {
    if (Status s = check_threads(control); !s.ok()) return tl::unexpected(std::move(s));
    auto snapshot = std::make_shared<Snapshot>(*snapshot_);
    snapshot->labels.reset();
    snapshot->earlier_labels.reset();
    return built(std::move(snapshot), control);
}

Result<Index> Index::with_labels(const BuildControl& control) const {
    if (Status s = check_threads(control); !s.ok()) return tl::unexpected(std::move(s));
    auto snapshot = std::make_shared<Snapshot>(*snapshot_);
    if (Status s = complete(*snapshot, control); !s.ok()) return tl::unexpected(std::move(s));
    return Index(std::move(snapshot));
}

Index Index::without_labels() const {
    auto snapshot = std::make_shared<Snapshot>(*snapshot_);
    snapshot->labels.reset();
    snapshot->earlier_labels.reset();
    snapshot->labels_status = {StatusCode::unsupported, "the labels were left out"};
    return Index(std::move(snapshot));
}

}  // namespace cairn::hna
