// Building an index, whole or again after an edit (HPA* paper, sections 3.1, 3.4, A.1).

#include "cairn/hpa/index.hpp"
#include "core/parallel_loop.hpp"
#include "grid/map_checks.hpp"
#include "hpa/assembly.hpp"
#include "hpa/snapshot.hpp"

namespace cairn::hpa {

namespace {

// Clusters as the entrances of the map make them.
FirstLevel from_entrances(const Snapshot& snapshot) {
    return [builder = ClusterBuilder(snapshot.overlay.base, snapshot.options)](
               std::uint32_t cluster) mutable { return builder.level_one(cluster); };
}

}  // namespace

Result<Index> Index::build(const grid::Map& map, const Options& options,
                           const BuildControl& control) {
    if (Status s = check(options); !s.ok()) return tl::unexpected(std::move(s));
    if (Status s = check_threads(control); !s.ok()) return tl::unexpected(std::move(s));
    auto snapshot =
        assemble(map, options, fresh_snapshot_id(map, options), from_entrances, control);
    if (!snapshot) return tl::unexpected(std::move(snapshot.error()));
    return Index(std::move(*snapshot));
}

Result<Index> Index::with_labels(const BuildControl& control) const {
    if (has_labels()) return *this;
    if (Status s = check_threads(control); !s.ok()) return tl::unexpected(std::move(s));
    auto snapshot = std::make_shared<Snapshot>(*snapshot_);
    if (Status s = add_labels(*snapshot, control); !s.ok()) return tl::unexpected(std::move(s));
    if (!snapshot->labels) return tl::unexpected(snapshot->labels_status);
    return Index(std::move(snapshot));
}

Index Index::without_labels() const {
    auto snapshot = std::make_shared<Snapshot>(*snapshot_);
    snapshot->labels.reset();
    snapshot->earlier_labels.reset();
    snapshot->labels_status = {StatusCode::unsupported, "the labels were left out"};
    return Index(std::move(snapshot));
}

Result<Index> Index::edited(std::span<const grid::TerrainEdit> edits) const {
    auto map = snapshot_->overlay.base.map.edited(edits);
    if (!map) return tl::unexpected(map.error());
    std::vector<grid::Rect> areas;
    for (const grid::TerrainEdit& edit : edits) areas.push_back(edit.area);
    auto snapshot =
        reassemble(*snapshot_, std::move(*map), grid::edited_id(snapshot_->id, edits),
                   clusters_around(snapshot_->overlay.base.partition, areas), from_entrances);
    if (!snapshot) return tl::unexpected(std::move(snapshot.error()));
    return Index(std::move(*snapshot));
}

}  // namespace cairn::hpa
