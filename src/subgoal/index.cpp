// The functions of subgoal::Index: how it is built, edited and given labels.

#include "cairn/subgoal/index.hpp"

#include <xxhash.h>

#include <array>

#include "core/guarded.hpp"
#include "core/labels/planner_labels.hpp"
#include "core/parallel_loop.hpp"
#include "core/threads.hpp"
#include "grid/endpoints.hpp"
#include "grid/map_checks.hpp"
#include "subgoal/edit.hpp"
#include "subgoal/engines.hpp"
#include "subgoal/reachability.hpp"
#include "subgoal/snapshot.hpp"
#include "subgoal/taut_graph.hpp"

namespace cairn::subgoal {

std::uint64_t fresh_snapshot_id(std::uint64_t fingerprint, const Options& options) {
    const std::array<std::int64_t, 5> shape{static_cast<int>(options.edges), options.prune,
                                            options.levels, static_cast<int>(options.extra_edges),
                                            static_cast<int>(options.order)};
    const std::uint64_t id = XXH3_64bits_withSeed(shape.data(), sizeof shape, fingerprint);
    return id == 0 ? 1 : id;
}

Status check(const grid::Map& map) {
    const std::string reason = grid::objection_to_corners(map);
    if (reason.empty()) return {};
    return {StatusCode::unsupported,
            "subgoal graphs do not serve this map: " + reason + "; use HPA* or A*"};
}

std::vector<grid::Cell> subgoal_cells(const SubgoalBits& bits) {
    std::vector<grid::Cell> cells;
    cells.reserve(bits.count());
    for (int y = 0; y < bits.height(); ++y) {
        bits.for_each_in_row(y, [&](int x, int) {
            cells.push_back(static_cast<grid::Cell>(y) * static_cast<grid::Cell>(bits.width()) +
                            static_cast<grid::Cell>(x));
        });
    }
    return cells;
}

namespace {

Result<Index> completed(const Snapshot& incomplete, OrderUse order, const BuildControl& control) {
    auto snapshot = std::make_shared<Snapshot>(incomplete);
    if (incomplete.options.labels && is_repaired(incomplete.labels.closure(), order)) {
        if (Status s = repair_labels(*snapshot, control); !s.ok())
            return tl::unexpected(std::move(s));
        return Index(std::move(snapshot));
    }
    BuildControl quick = control;  // numbering is too quick to tell of progress
    quick.progress = {};
    if (Status s = compact(*snapshot, quick); !s.ok()) return tl::unexpected(std::move(s));
    if (Status s = complete(*snapshot, control); !s.ok()) return tl::unexpected(std::move(s));
    return Index(std::move(snapshot));
}

Result<Index> build_index(const grid::Map& map, const Options& options,
                          const BuildControl& control) {
    auto snapshot = std::make_shared<Snapshot>();
    snapshot->id = fresh_snapshot_id(map.fingerprint(), options);
    snapshot->options = options;
    snapshot->map = map;
    snapshot->bits = SubgoalBits(map);
    constexpr double kGraphEnd = 0.2;  // the progress when the graph is built
    constexpr double kConnectorEnd = 0.25;
    auto graph = SubgoalGraph::build(snapshot->bits, options.edges, part_of(control, 0, kGraphEnd));
    if (!graph) return tl::unexpected(graph.error());
    snapshot->graph = std::move(*graph);
    if (Status s = add_connectors(*snapshot, part_of(control, kGraphEnd, kConnectorEnd)); !s.ok())
        return tl::unexpected(std::move(s));
    return completed(*snapshot, OrderUse::fresh_if_worn, part_of(control, kConnectorEnd, 1));
}

}  // namespace

Result<Index> Index::build(const grid::Map& map, const Options& options,
                           const BuildControl& control) noexcept try {
    if (Status s = check(options); !s.ok()) return tl::unexpected(std::move(s));
    if (Status s = check_threads(control); !s.ok()) return tl::unexpected(std::move(s));
    if (Status s = subgoal::check(map); !s.ok()) return tl::unexpected(std::move(s));
    return build_index(map, options, control);
} catch (...) {
    return out_of_memory();
}

Result<Index> Index::edited(std::span<const grid::TerrainEdit> edits) const noexcept try {
    auto map = snapshot_->map.edited(edits);
    if (!map) return tl::unexpected(map.error());
    if (Status s = subgoal::check(*map); !s.ok()) return tl::unexpected(std::move(s));
    auto edited = edit(*snapshot_, *map, edits);
    if (!edited) return tl::unexpected(edited.error());
    if (Status s = repair_closure(*snapshot_, *edited); !s.ok())
        return tl::unexpected(std::move(s));
    // A closure in a fresh order has places for removed nodes, too.
    const Snapshot& after = *edited->snapshot;
    const bool fresh_order = after.has_closure() && !after.labels.closure().in_pages();
    if (fresh_order || after.nodes.worn_out()) {
        BuildControl control;
        control.threads = 1;  // edits start no threads
        if (Status s = compact(*edited->snapshot, control); !s.ok())
            return tl::unexpected(std::move(s));
    }
    return Index(std::move(edited->snapshot));
} catch (...) {
    return out_of_memory();
}

Result<Index> Index::with_labels(const BuildControl& control) const noexcept try {
    const bool stale = labels_status().code == StatusCode::stale_index;
    if (complete() || has_labels() || (has_closure() && !stale)) return *this;
    if (Status s = check_threads(control); !s.ok()) return tl::unexpected(std::move(s));
    return completed(*snapshot_, OrderUse::fresh_if_worn, control);
} catch (...) {
    return out_of_memory();
}

Result<Index> Index::with_repaired_labels(const BuildControl& control) const noexcept try {
    if (!has_closure() || labels_status().code != StatusCode::stale_index) return *this;
    if (Status s = check_threads(control); !s.ok()) return tl::unexpected(std::move(s));
    return completed(*snapshot_, OrderUse::keep, control);
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
    return has_closure() ? snapshot_->labels.closure().wear() : 1.0;
}

bool Index::complete() const noexcept { return snapshot_->engines != nullptr; }
const grid::Map& Index::map() const noexcept { return snapshot_->map; }
const Options& Index::options() const noexcept { return snapshot_->options; }
bool Index::has_labels() const noexcept { return snapshot_->has_labels(); }
bool Index::has_closure() const noexcept { return snapshot_->has_closure(); }
const Status& Index::labels_status() const noexcept { return snapshot_->labels_status; }
std::uint64_t Index::snapshot_id() const noexcept { return snapshot_->id; }

Result<IndexStatistics> Index::statistics() const noexcept try {
    const Snapshot& s = *snapshot_;
    IndexStatistics out;
    out.free_cells = s.map.free_cells();
    out.subgoals = s.bits.count();
    out.edges = s.graph.arc_count() / 2;
    out.bit_bytes = s.bits.bytes();
    out.graph_bytes = s.graph.bytes();
    out.connector_bytes = s.diagonals.bytes() + s.connectors.bytes() + s.nodes.bytes();
    if (s.has_labels()) {
        out.label_bytes = s.labels.label_bytes();
        out.label_piece = s.labels.piece();
    }
    out.closure_bytes = s.labels.closure().bytes();
    if (!complete()) return out;
    out.taut_edges = s.engines->taut_edges;
    auto levels = s.engines->levels.statistics();
    if (!levels) return tl::unexpected(std::move(levels.error()));
    out.levels = std::move(*levels);
    out.level_bytes = s.engines->bytes();
    return out;
} catch (...) {
    return out_of_memory();
}

std::size_t Index::memory() const noexcept {
    const Snapshot& s = *snapshot_;
    return map().bytes() + s.bits.bytes() + s.graph.bytes() + s.diagonals.bytes() +
           s.connectors.bytes() + s.nodes.bytes() + s.labels.bytes() +
           (complete() ? s.engines->bytes() : 0);
}

StatusCode Index::reachable(grid::Point a, grid::Point b) const noexcept try {
    const grid::Map& m = map();
    if (const StatusCode status = grid::check_endpoints(m, a, b); status != StatusCode::ok)
        return status;
    Reachability from;
    from.start_from(*snapshot_, m.cell(a));
    return from.reaches(*snapshot_, m.cell(b)) ? StatusCode::ok : StatusCode::no_path;
} catch (...) {
    return out_of_memory();
}

bool operator==(const Index& a, const Index& b) {
    const Snapshot& x = *a.snapshot_;
    const Snapshot& y = *b.snapshot_;
    return x.options.edges == y.options.edges && x.map == y.map && x.bits == y.bits &&
           x.graph == y.graph;
}

Result<std::vector<grid::Cell>> subgoals(const Index& index) noexcept try {
    return subgoal_cells(index.snapshot().bits);
} catch (...) {
    return out_of_memory();
}

Result<std::vector<SubgoalEdge>> edges(const Index& index) noexcept try {
    const Snapshot& s = index.snapshot();
    std::vector<SubgoalEdge> out;
    const std::vector<grid::Cell> cells = subgoal_cells(s.bits);
    for (std::uint32_t node = 0; node < cells.size(); ++node) {
        const grid::Point p = s.map.point(cells[node]);
        for (const grid::Cell cell : s.graph.neighbours(p.x, p.y)) {
            if (cell < cells[node]) continue;
            const grid::Point q = s.map.point(cell);
            const bool taut = s.engines != nullptr && is_taut(s.nodes, p, q);
            out.push_back({cells[node], cell, taut});
        }
    }
    return out;
} catch (...) {
    return out_of_memory();
}

}  // namespace cairn::subgoal
