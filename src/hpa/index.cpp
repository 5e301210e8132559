#include "cairn/hpa/index.hpp"

#include <algorithm>
#include <bit>

#include "cairn/hpa/query.hpp"
#include "core/guarded.hpp"
#include "core/labels/planner_labels.hpp"
#include "core/parallel_loop.hpp"
#include "grid/endpoints.hpp"
#include "grid/flood.hpp"
#include "grid/map_checks.hpp"
#include "hpa/assembly.hpp"
#include "hpa/connect.hpp"
#include "hpa/snapshot.hpp"

namespace cairn::hpa {
namespace {

std::size_t finite_intra_edges(const ClusterView& view) {
    std::size_t count = 0;
    for (std::uint32_t i = 0; i < view.count(); ++i) {
        for (std::uint32_t j = 0; j < i; ++j) count += view.cost(i, j) < kInfinity ? 1 : 0;
    }
    return count;
}

// Counts each node on the highest level on which it is a node, and each inter-edge on its own
// level.
void count_nodes_and_inter_edges(const Overlay& overlay, std::vector<LevelStatistics>& levels) {
    for (std::uint32_t id = 0; id < overlay.base.partition.clusters(1); ++id) {
        const ClusterView view = overlay.cluster(1, id);
        for (std::uint32_t slot = 0; slot < view.count(); ++slot) {
            int node_level = 1;
            for (std::uint32_t c = view.crossings(slot); c != 0; c &= c - 1) {
                const grid::Cell to = overlay.base.map.step(view.base(slot), std::countr_zero(c));
                const int level = overlay.base.border_level(view.base(slot), to);
                node_level = std::max(node_level, level);
                if (view.base(slot) < to) ++levels[static_cast<std::size_t>(level - 1)].inter_edges;
            }
            ++levels[static_cast<std::size_t>(node_level - 1)].nodes;
        }
    }
}

}  // namespace

const grid::Map& Index::map() const noexcept { return snapshot_->overlay.base.map; }
const Options& Index::options() const noexcept { return snapshot_->options; }
bool Index::has_labels() const noexcept { return snapshot_->has_labels(); }
bool Index::has_closure() const noexcept { return snapshot_->has_closure(); }
const Status& Index::labels_status() const noexcept { return snapshot_->labels_status; }
std::uint64_t Index::snapshot_id() const noexcept { return snapshot_->id; }

StatusCode Index::reachable(grid::Point a, grid::Point b) const noexcept try {
    const grid::Map& m = map();
    if (const StatusCode status = grid::check_endpoints(m, a, b); status != StatusCode::ok)
        return status;
    Connect connect;
    Endpoint from;
    Endpoint to;
    grid::SearchStatistics effort;
    connect.to_first_level(*snapshot_, m.cell(a), from, effort);
    connect.to_first_level(*snapshot_, m.cell(b), to, effort);
    const std::uint32_t component = Connect::component(*snapshot_, from);
    const bool connected =
        (component != kNoComponent && component == Connect::component(*snapshot_, to)) ||
        (from.clusters[0] == to.clusters[0] &&
         connect.inside_cost(*snapshot_, from.cell, to.cell, effort) < kInfinity) ||
        (!snapshot_->inside_costs_fit() && grid::Flood().connects(m, from.cell, to.cell));
    return connected ? StatusCode::ok : StatusCode::no_path;
} catch (...) {
    return out_of_memory();
}

Result<IndexStatistics> Index::statistics() const noexcept try {
    const Snapshot& s = *snapshot_;
    IndexStatistics result;
    result.map_nodes = map().free_cells();
    result.map_edges = map().edge_count();
    result.levels.resize(s.overlay.levels.size());
    count_nodes_and_inter_edges(s.overlay, result.levels);
    for (std::size_t l = 0; l < result.levels.size(); ++l) {
        LevelStatistics& level = result.levels[l];
        const RecordStore& store = s.overlay.levels[l];
        level.level = static_cast<int>(l) + 1;
        level.clusters = store.size();
        level.bytes = store.bytes();
        for (std::size_t id = 0; id < store.size(); ++id) {
            level.intra_edges += finite_intra_edges(ClusterView(store[id]));
        }
        result.abstract_nodes += level.nodes;
        result.inter_edges += level.inter_edges;
        result.intra_edges += level.intra_edges;
        result.graph_bytes += level.bytes;
    }
    const auto map_size = static_cast<double>(result.map_nodes + result.map_edges);
    result.overhead_percent =
        map_size > 0 ? 100.0 * static_cast<double>(result.intra_edges) / map_size : 0;
    result.component_bytes = s.components.bytes();
    result.number_bytes = s.nodes.bytes();
    result.table_bytes = s.options.move_tables ? s.tables.bytes() : 0;
    if (s.has_labels()) {
        result.label_bytes = s.labels->labels.label_bytes();
        result.label_piece = s.labels->labels.piece();
    }
    if (s.labels) result.closure_bytes = s.labels->labels.bytes() - result.label_bytes;
    return result;
} catch (...) {
    return out_of_memory();
}

std::size_t Index::memory() const noexcept {
    const Snapshot& s = *snapshot_;
    std::size_t bytes = map().bytes() + s.components.bytes() + s.nodes.bytes();
    for (const RecordStore& level : s.overlay.levels) bytes += level.bytes();
    if (s.options.move_tables) bytes += s.tables.bytes();
    if (s.labels) bytes += s.labels->labels.bytes();
    return bytes;
}

bool operator==(const Index& a, const Index& b) {
    const Snapshot& x = *a.snapshot_;
    const Snapshot& y = *b.snapshot_;
    Options options = x.options;
    options.labels = y.options.labels;
    options.label_bytes = y.options.label_bytes;
    if (!(options == y.options) || !(x.overlay.base.map == y.overlay.base.map)) return false;
    return x.overlay.levels == y.overlay.levels && x.tables == y.tables;
}

Result<Index> Index::build(const grid::Map& map, const Options& options,
                           const BuildControl& control) noexcept try {
    if (Status s = check(options); !s.ok()) return tl::unexpected(std::move(s));
    if (Status s = check_threads(control); !s.ok()) return tl::unexpected(std::move(s));
    auto snapshot = assemble(map, options, fresh_snapshot_id(map.fingerprint(), options),
                             from_entrances, control);
    if (!snapshot) return tl::unexpected(std::move(snapshot.error()));
    return Index(std::move(*snapshot));
} catch (...) {
    return out_of_memory();
}

Result<Index> Index::with_costs(const grid::TerrainWeights& weights,
                                const BuildControl& control) const noexcept try {
    if (Status s = check_threads(control); !s.ok()) return tl::unexpected(std::move(s));
    const auto map = this->map().with_weights(weights);
    if (!map) return tl::unexpected(map.error());
    // Transitions by cost follow the weights, so nodes may change.
    const bool same_nodes =
        options().transitions != Transitions::by_cost || (this->map().uniform() && map->uniform());
    auto after = with_other_costs(*snapshot_, *map, reweighted_id(snapshot_->id, weights),
                                  same_nodes, control);
    if (!after) return tl::unexpected(std::move(after.error()));
    return Index(std::move(*after));
} catch (...) {
    return out_of_memory();
}

Result<Index> Index::with_labels(const BuildControl& control) const noexcept try {
    if (has_labels() || (has_closure() && labels_status().code != StatusCode::stale_index))
        return *this;
    return changed_copy(*this, control, [&](Snapshot& s) {
        return add_labels(s, OrderUse::fresh_if_worn, control);
    });
} catch (...) {
    return out_of_memory();
}

Result<Index> Index::with_repaired_labels(const BuildControl& control) const noexcept try {
    if (!has_closure() || labels_status().code != StatusCode::stale_index) return *this;
    return changed_copy(*this, control,
                        [&](Snapshot& s) { return add_labels(s, OrderUse::keep, control); });
} catch (...) {
    return out_of_memory();
}

Result<Index> Index::with_fresh_order(const BuildControl& control) const noexcept try {
    if (!has_closure()) return *this;
    return changed_copy(*this, control, [&](Snapshot& s) { return add_fresh_closure(s, control); });
} catch (...) {
    return out_of_memory();
}

double Index::wear() const noexcept {
    return has_closure() ? snapshot_->labels->labels.closure().wear() : 1.0;
}

Result<Index> Index::without_labels() const noexcept try {
    auto snapshot = std::make_shared<Snapshot>(*snapshot_);
    leave_out_labels(*snapshot);
    return Index(std::move(snapshot));
} catch (...) {
    return out_of_memory();
}

Result<Index> Index::edited(std::span<const grid::TerrainEdit> edits) const noexcept try {
    auto map = snapshot_->overlay.base.map.edited(edits);
    if (!map) return tl::unexpected(map.error());
    auto after =
        reassemble(*snapshot_, std::move(*map), grid::edited_id(snapshot_->id, edits),
                   clusters_around(snapshot_->overlay.base.partition, edits), from_entrances);
    if (!after) return tl::unexpected(std::move(after.error()));
    if (Status s = repair_closure(*snapshot_, *after); !s.ok()) return tl::unexpected(std::move(s));
    return Index(std::move(after->snapshot));
} catch (...) {
    return out_of_memory();
}

}  // namespace cairn::hpa
