#include "cairn/hna/index.hpp"

#include <algorithm>

#include "core/guarded.hpp"
#include "hna/snapshot.hpp"

namespace cairn::hna {

const mesh::Mesh& Index::mesh() const noexcept { return snapshot_->overlay.base.mesh; }
const Options& Index::options() const noexcept { return snapshot_->options; }
bool Index::has_labels() const noexcept { return snapshot_->has_labels(); }
bool Index::has_closure() const noexcept { return snapshot_->has_closure(); }
const Status& Index::labels_status() const noexcept { return snapshot_->labels_status; }
std::uint64_t Index::snapshot_id() const noexcept { return snapshot_->id; }

std::uint32_t Index::cluster(int level, mesh::Polygon polygon) const noexcept {
    return snapshot_->partition().cluster(level, polygon);
}
std::uint32_t Index::clusters(int level) const noexcept {
    return snapshot_->partition().clusters(level);
}

StatusCode Index::reachable(mesh::Polygon from, mesh::Polygon to) const noexcept {
    const mesh::Mesh& m = mesh();
    const auto exists = [&](mesh::Polygon p) { return p < m.num_polygons() && !m.is_removed(p); };
    if (!exists(from)) return StatusCode::start_outside;
    if (!exists(to)) return StatusCode::goal_outside;
    if (m.blocked(from)) return StatusCode::start_blocked;
    if (m.blocked(to)) return StatusCode::goal_blocked;
    return snapshot_->reachability.reaches(from, to) ? StatusCode::ok : StatusCode::no_path;
}

namespace {

std::size_t hng_bytes(const Snapshot& s) noexcept {
    return s.first_hng.bytes() + s.upper_hng.bytes();
}

LevelStatistics level_statistics(const Snapshot& s, int level) {
    LevelStatistics result;
    result.level = level;
    result.clusters = s.partition().clusters(level);
    result.bytes = s.overlay.levels[static_cast<std::size_t>(level - 1)].bytes();
    const bool directed = s.overlay.base.directed();
    std::size_t nodes = 0;  // two for each inter-edge
    std::vector<mesh::Polygon> polygons;
    for (std::uint32_t id = 0; id < result.clusters; ++id) {
        const ClusterView view = s.overlay.cluster(level, id);
        nodes += view.count();
        result.most_inter_edges = std::max<std::size_t>(result.most_inter_edges, view.count());
        polygons.clear();
        s.partition().append_polygons(level, id, polygons);
        result.most_polygons = std::max(result.most_polygons, polygons.size());
        for (std::uint32_t i = 0; i < view.count(); ++i) {
            for (std::uint32_t j = 0; j < (directed ? view.count() : i); ++j) {
                if (i != j && view.cost(i, j) < kInfinity) ++result.intra_edges;
            }
        }
    }
    result.inter_edges = nodes / 2;
    if (result.clusters > 0) {
        result.inter_edges_per_cluster =
            static_cast<double>(nodes) / static_cast<double>(result.clusters);
    }
    return result;
}

}  // namespace

Result<IndexStatistics> Index::statistics() const noexcept try {
    const Snapshot& s = *snapshot_;
    IndexStatistics result;
    result.polygons = mesh().num_polygons();
    result.portals = mesh().num_portals();
    for (int level = 1; level <= s.top(); ++level) {
        result.levels.push_back(level_statistics(s, level));
        result.graph_bytes += result.levels.back().bytes;
    }
    result.mesh_bytes = mesh().bytes();
    result.partition_bytes = s.partition().bytes();
    result.graph_bytes += hng_bytes(s);
    result.row_bytes = s.rows.bytes();
    const std::size_t top_rows = s.top_rows.empty() ? 0 : s.top_rows.bytes();
    const bool centres = s.centre_rows.size() > 0;
    result.pccp_bytes = centres ? s.centre_rows.bytes() : top_rows;
    if (centres) result.row_bytes += top_rows;
    if (s.has_labels()) {
        result.label_bytes = s.labels->labels.label_bytes();
        result.label_piece = s.labels->labels.piece();
    }
    if (s.labels) result.closure_bytes = s.labels->labels.bytes() - result.label_bytes;
    result.reach_bytes = s.reachability.bytes() + s.locator.bytes();
    return result;
} catch (...) {
    return out_of_memory();
}

std::size_t Index::memory() const noexcept {
    const Snapshot& s = *snapshot_;
    std::size_t bytes = mesh().bytes() + s.partition().bytes() + hng_bytes(s) + s.rows.bytes() +
                        s.reachability.bytes() + s.locator.bytes();
    if (!s.top_rows.empty()) bytes += s.top_rows.bytes();
    if (s.centre_rows.size() > 0) bytes += s.centre_rows.bytes();
    for (const RecordStore& level : s.overlay.levels) bytes += level.bytes();
    if (s.labels) bytes += s.labels->labels.bytes();
    return bytes;
}

bool operator==(const Index& a, const Index& b) {
    const Snapshot& x = *a.snapshot_;
    const Snapshot& y = *b.snapshot_;
    return a.mesh() == b.mesh() && x.partition() == y.partition() &&
           x.overlay.levels == y.overlay.levels && x.rows == y.rows && x.top_rows == y.top_rows &&
           x.centre_rows == y.centre_rows;
}

}  // namespace cairn::hna
