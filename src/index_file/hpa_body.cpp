// The body of HPA* index files. An index that is read is checked against its map. If the check
// passes, no query or edit of the index reads out of bounds, runs forever or overflows a cost,
// whatever the bytes of the file were.

#include <bit>
#include <functional>

#include "cairn/hpa/index.hpp"
#include "core/guarded.hpp"
#include "core/union_find.hpp"
#include "hpa/entrances.hpp"
#include "hpa/snapshot.hpp"
#include "index_file/body.hpp"
#include "index_file/checks.hpp"
#include "index_file/grid_map.hpp"
#include "index_file/hpa_cluster_inside.hpp"
#include "overlay/component_labels.hpp"
#include "overlay/levels.hpp"

namespace cairn::index_file {

template <>
struct FileOptions<hpa::Options> {
    static void visit(hpa::Options& o, auto&& visit) {
        visit("cluster_size", o.cluster_size);
        visit("levels", o.levels);
        visit("branching", o.branching);
        visit("wide_entrance", o.wide_entrance);
        visit("transitions", o.transitions, hpa::Transitions::by_cost);
        visit("diagonals", o.diagonals, hpa::DiagonalCrossings::every);
        visit("move_tables", o.move_tables);
        visit("labels", o.labels);
        visit("label_bytes", o.label_bytes);
    }
};

namespace {

/// Where the nodes of a cluster lie, by slot. A part is a set of cells that are connected inside
/// the cluster.
struct NodeParts {
    std::span<std::uint32_t> part;   ///< the number of the node's part
    std::span<std::uint32_t> cells;  ///< the number of cells in that part
};

// Whether a record has the size that follows from its number of nodes, and symmetric costs.
bool well_shaped(RecordStore::Record record) noexcept {
    if (record.empty()) return true;
    const ClusterView view(record);
    return ClusterView::well_sized(record) && view.count() > 0 && !view.directed();
}

// Whether an intra-edge costs, if its nodes are in the same part, at least the map's distance bound
// and at most what a walk over the whole part can cost, and kInfinity otherwise.
bool costs_plausible(const grid::Map& map, const ClusterView& view, const NodeParts& parts) {
    for (std::uint32_t a = 1; a < view.count(); ++a) {
        const grid::Point p = map.point(view.base(a));
        const Cost most = saturated(std::uint64_t{parts.cells[a] - 1} * map.max_move());
        for (std::uint32_t b = 0; b < a; ++b) {
            const Cost cost = view.cost(a, b);
            if (parts.part[a] != parts.part[b]) {
                if (cost != kInfinity) return false;
            } else if (cost > most || cost < map.distance_bound(p, map.point(view.base(b)))) {
                return false;
            }
        }
    }
    return true;
}

/// Checks 1-clusters. Each thread has its own check.
class FirstLevelCheck {
public:
    explicit FirstLevelCheck(const hpa::Snapshot& snapshot)
        : snapshot_(&snapshot),
          finder_(snapshot.overlay.base.map, snapshot.overlay.base.partition, snapshot.options) {}

    /// What is wrong with a well shaped cluster and its move tables; empty if nothing. Sets
    /// `parts`, numbered from 0 in the order of their first nodes.
    [[nodiscard]] std::string_view fault(std::uint32_t cluster, const NodeParts& parts) {
        const hpa::Overlay& overlay = snapshot_->overlay;
        const grid::Map& map = overlay.base.map;
        const ClusterView view = overlay.cluster(1, cluster);
        if (!has_nodes_of_map(cluster, view)) return "its nodes are not those of the map";
        inside_.set(overlay.base.partition.rect(1, cluster),
                    [&](grid::Point p) { return map.moves(map.cell(p)); });
        for (std::uint32_t slot = 0; slot < view.count(); ++slot) {
            const std::uint16_t part = inside_.part(inside_.local(map.point(view.base(slot))));
            parts.part[slot] = part;
            parts.cells[slot] = inside_.part_size(part);
        }
        if (!costs_plausible(map, view, parts)) return "an intra-edge has an impossible cost";
        return snapshot_->options.move_tables ? table_fault(cluster, view) : std::string_view{};
    }

private:
    [[nodiscard]] bool has_nodes_of_map(std::uint32_t cluster, const ClusterView& view) {
        const std::vector<hpa::BorderNode>& nodes = finder_.nodes(cluster);
        if (view.count() != nodes.size()) return false;
        for (std::uint32_t slot = 0; slot < view.count(); ++slot) {
            if (view.base(slot) != nodes[slot].cell ||
                view.crossings(slot) != nodes[slot].crossings || view.child_slot(slot) != 0) {
                return false;
            }
        }
        return true;
    }

    [[nodiscard]] std::string_view table_fault(std::uint32_t cluster, const ClusterView& view) {
        const grid::Rect rect = snapshot_->overlay.base.partition.rect(1, cluster);
        const auto cells = static_cast<std::uint32_t>(rect.width * rect.height);
        const RecordStore::Record words = snapshot_->tables[cluster];
        if (words.size() != std::size_t{view.count()} * hpa::MoveTables::words_for(cells))
            return "its move tables have a wrong size";
        const hpa::MoveTables tables(words, rect);
        for (std::uint32_t slot = 0; slot < view.count(); ++slot) {
            const grid::Point node = snapshot_->overlay.base.map.point(view.base(slot));
            const std::uint32_t local = inside_.local(node);
            const bool leads = snapshot_->inside_costs_fit()
                                   ? inside_.table_leads(tables, slot, local)
                                   : inside_.table_leads_from_some(tables, slot, local) &&
                                         leads_from_neighbours(tables, slot, view);
            if (!leads) return "a move table does not lead to its node";
        }
        return {};
    }

    // Whether a node's table has a move on each node to which it has an intra-edge.
    [[nodiscard]] bool leads_from_neighbours(const hpa::MoveTables& tables, std::uint32_t slot,
                                             const ClusterView& view) const {
        for (std::uint32_t other = 0; other < view.count(); ++other) {
            const grid::Point p = snapshot_->overlay.base.map.point(view.base(other));
            const bool leads = tables.entry(slot, inside_.local(p)) != hpa::MoveTables::kNoMove;
            if (leads != (view.cost(slot, other) < kInfinity)) return false;
        }
        return true;
    }

    const hpa::Snapshot* snapshot_;
    hpa::EntranceFinder finder_;
    ClusterInside inside_;
};

/// The nodes of one level, numbered cluster by cluster.
struct LevelNodes {
    std::vector<std::uint32_t> first;  // per cluster: the number of its first node
    std::vector<std::uint32_t> part;   // per node: its part, numbered as in part_cells_
    std::vector<std::uint32_t> cells;  // per node: the size of its part

    [[nodiscard]] NodeParts of(std::uint32_t cluster, std::uint32_t count) {
        return {std::span(part).subspan(first[cluster], count),
                std::span(cells).subspan(first[cluster], count)};
    }
};

/// Checks the levels and move tables of a snapshot. Needs its checked options, map and partition,
/// and levels and tables with one record per cluster.
///
/// If nothing is wrong, the nodes and inter-edges of every level are those that the map gives. An
/// intra-edge is finite only if the level below connects its nodes inside the cluster. Then it
/// costs at least the map's distance bound, and at most what a walk over every cell connected there
/// can cost; it must be finite if that is below kInfinity. Every move table leads by legal moves to
/// its node, from every cell connected to it, or, where costs inside clusters may not fit, at least
/// from the nodes with a finite intra-edge to it. O(records + cells).
class OverlayValidator {
public:
    explicit OverlayValidator(const hpa::Snapshot& snapshot)
        : snapshot_(snapshot), overlay_(snapshot.overlay) {}

    /// What is wrong; empty if nothing.
    std::string run() {
        for (int level = 1; level <= overlay_.base.partition.levels(); ++level) {
            std::string fault = number_nodes(level);
            if (fault.empty()) fault = level == 1 ? check_first_level() : check_level(level);
            if (!fault.empty()) return fault;
            below_ = std::move(here_);
        }
        return {};
    }

private:
    static std::string fault_at(int level, std::uint32_t cluster, std::string_view fault) {
        return fmt::format("level {}, cluster {}: {}", level, cluster, fault);
    }

    // Numbers a level's nodes and makes room for their parts.
    std::string number_nodes(int level) {
        const RecordStore& store = overlay_.levels[static_cast<std::size_t>(level - 1)];
        here_ = {};
        std::size_t nodes = 0;
        for (std::uint32_t cluster = 0; cluster < store.size(); ++cluster) {
            if (!well_shaped(store[cluster]))
                return fault_at(level, cluster, "its record has a wrong size");
            here_.first.push_back(static_cast<std::uint32_t>(nodes));
            nodes += ClusterView(store[cluster]).count();
        }
        here_.part.resize(nodes);
        here_.cells.resize(nodes);
        return {};
    }

    std::string check_first_level() {
        const auto fault = first_fault(
            overlay_.base.partition.clusters(1), [&] { return FirstLevelCheck(snapshot_); },
            [&](FirstLevelCheck& check, std::uint32_t cluster) {
                return check.fault(cluster,
                                   here_.of(cluster, overlay_.cluster(1, cluster).count()));
            });
        if (fault) return fault_at(1, fault->id, fault->text);
        number_parts();
        return {};
    }

    // Numbers the parts of all 1-clusters one after another.
    void number_parts() {
        for (std::uint32_t cluster = 0; cluster < overlay_.base.partition.clusters(1); ++cluster) {
            const NodeParts nodes = here_.of(cluster, overlay_.cluster(1, cluster).count());
            const auto first = static_cast<std::uint32_t>(part_cells_.size());
            for (std::size_t slot = 0; slot < nodes.part.size(); ++slot) {
                nodes.part[slot] += first;
                if (nodes.part[slot] < part_cells_.size()) continue;
                part_cells_.push_back(nodes.cells[slot]);
            }
        }
        parts_ = UnionFind(part_cells_.size());
    }

    std::string check_level(int level) {
        join_parts(level);
        for (std::uint32_t cluster = 0; cluster < overlay_.base.partition.clusters(level);
             ++cluster) {
            const std::string_view fault = cluster_fault(level, cluster);
            if (!fault.empty()) return fault_at(level, cluster, fault);
        }
        return {};
    }

    std::string_view cluster_fault(int level, std::uint32_t cluster) {
        const ClusterView view = overlay_.cluster(level, cluster);
        const auto bases = view.bases();
        if (std::adjacent_find(bases.begin(), bases.end(), std::greater_equal<>{}) != bases.end() ||
            !has_nodes_of_children(level, cluster, view)) {
            return "its nodes are not those of the level below";
        }
        const NodeParts nodes = here_.of(cluster, view.count());
        for (std::uint32_t slot = 0; slot < view.count(); ++slot) {
            const std::uint32_t child = overlay_.cluster_of(level - 1, view.base(slot));
            const std::uint32_t node = below_.first[child] + view.child_slot(slot);
            nodes.part[slot] = parts_.find(below_.part[node]);
            nodes.cells[slot] = part_cells_[nodes.part[slot]];
        }
        return costs_plausible(overlay_.base.map, view, nodes)
                   ? std::string_view{}
                   : "an intra-edge has an impossible cost";
    }

    // Whether the nodes are the children's nodes with inter-edges that leave the cluster.
    bool has_nodes_of_children(int level, std::uint32_t cluster, const ClusterView& view) const {
        const grid::Rect rect = overlay_.base.area(level, cluster);
        std::uint32_t found = 0;
        bool same = true;
        overlay_.base.for_each_child(level, cluster, [&](std::uint32_t id) {
            const ClusterView child = overlay_.cluster(level - 1, id);
            for (std::uint32_t slot = 0; slot < child.count(); ++slot) {
                const std::uint32_t leaving = crossings_out_of(overlay_.base, rect, child, slot);
                if (leaving == 0) continue;
                const std::uint32_t above = view.find(child.base(slot));
                same = same && above < view.count() && view.crossings(above) == leaving &&
                       view.child_slot(above) == slot;
                ++found;
            }
        });
        return same && found == view.count();
    }

    // Joins the parts that inter-edges of the level below connect inside clusters of `level`.
    void join_parts(int level) {
        const int below = level - 1;
        for (std::uint32_t id = 0; id < overlay_.base.partition.clusters(below); ++id) {
            const ClusterView view = overlay_.cluster(below, id);
            for (std::uint32_t slot = 0; slot < view.count(); ++slot) {
                const grid::Cell from = view.base(slot);
                for (std::uint32_t c = view.crossings(slot); c != 0; c &= c - 1) {
                    const grid::Cell to = overlay_.base.map.step(from, std::countr_zero(c));
                    if (to < from ||
                        overlay_.cluster_of(level, from) != overlay_.cluster_of(level, to)) {
                        continue;
                    }
                    const std::uint32_t other = overlay_.cluster_of(below, to);
                    const std::uint32_t across = overlay_.cluster(below, other).find(to);
                    join(below_.part[below_.first[id] + slot],
                         below_.part[below_.first[other] + across]);
                }
            }
        }
    }

    void join(std::uint32_t a, std::uint32_t b) {
        a = parts_.find(a);
        b = parts_.find(b);
        if (a == b) return;
        parts_.unite(a, b);
        part_cells_[std::min(a, b)] += part_cells_[std::max(a, b)];
    }

    const hpa::Snapshot& snapshot_;
    const hpa::Overlay& overlay_;
    LevelNodes below_;
    LevelNodes here_;
    // The parts of 1-clusters, joined where clusters of the current level connect them, and the
    // number of cells by the root of each part.
    UnionFind parts_{0};
    std::vector<std::uint32_t> part_cells_;
};

// Whether an edge of the 1-level abstract graph joins two nodes.
bool adjacent(const hpa::Overlay& overlay, const hpa::LevelOneNodes& nodes, std::uint32_t a,
              std::uint32_t b) {
    const grid::Cell cell = nodes.cell(a);
    const grid::Cell other = nodes.cell(b);
    const std::uint32_t cluster = overlay.cluster_of(1, cell);
    const ClusterView view = overlay.cluster(1, cluster);
    const std::uint32_t slot = view.find(cell);
    if (overlay.cluster_of(1, other) == cluster)
        return a != b && view.cost(view.find(other), slot) < kInfinity;
    for (std::uint32_t c = view.crossings(slot); c != 0; c &= c - 1) {
        if (overlay.base.across(cell, std::countr_zero(c)) == other) return true;
    }
    return false;
}

// The fact of a file with its map how many bits of a NodeKey hold the slot, by level.
std::string slot_bits_fact(int level) { return fmt::format("slot_bits_{}", level); }
// NodeComponents::first_labels.
constexpr const char* kFirstLabels = "first_labels";

void write_nodes(const hpa::Snapshot& snapshot, FrameWriter& out) {
    const hpa::Overlay& overlay = snapshot.overlay;
    for (int level = 1; level <= snapshot.options.levels; ++level)
        out.fact(slot_bits_fact(level).c_str(), overlay.bits(level));
    // Those after edits are numbered otherwise.
    NodeComponents components = label_components(overlay);
    out.fact(kFirstLabels, static_cast<std::int64_t>(components.first_labels));
    out.keep(Section::component_labels, std::move(components.labels));
    out.keep(Section::component_joins, std::move(components.joined));
    const hpa::LevelOneNodes nodes =
        snapshot.nodes.from_scratch() ? snapshot.nodes : hpa::LevelOneNodes(overlay);
    out.keep(Section::node_first, nodes.first());
    out.keep(Section::node_cells, nodes.cells());
}

// Of a trusted file.
bool read_nodes(Frame& file, hpa::Snapshot& snapshot) {
    hpa::Overlay& overlay = snapshot.overlay;
    for (int level = 1; level <= snapshot.options.levels; ++level)
        overlay.slot_bits.push_back(
            static_cast<std::uint8_t>(file.info().fact(slot_bits_fact(level))));
    const std::size_t clusters = overlay.base.partition.clusters(1);
    if (!file.read(Section::component_labels, clusters, snapshot.components.labels)) return false;
    snapshot.components.joined = file.read_array<std::uint32_t>(Section::component_joins);
    snapshot.components.first_labels = static_cast<std::size_t>(file.info().fact(kFirstLabels));
    snapshot.nodes = {file.read_array<std::uint32_t>(Section::node_first),
                      file.read_array<grid::Cell>(Section::node_cells)};
    if (!file.ok()) return false;
    return snapshot.nodes.first().size() == clusters ||
           file.refuse("the nodes are not those of the clusters");
}

bool pass_over_nodes(Frame& file) {
    return file.pass_over(Section::component_labels) && file.pass_over(Section::component_pages) &&
           file.pass_over(Section::component_joins) && file.pass_over(Section::node_first) &&
           file.pass_over(Section::node_cells);
}

bool read_overlay(Frame& file, hpa::Snapshot& snapshot) {
    hpa::Overlay& overlay = snapshot.overlay;
    const hpa::Options& options = snapshot.options;
    overlay.base.partition =
        hpa::Partition(overlay.base.map.width(), overlay.base.map.height(), options.cluster_size,
                       options.branching, options.levels);
    for (int level = 1; level <= options.levels; ++level) {
        if (!file.read(Section::clusters, overlay.base.partition.clusters(level),
                       overlay.levels.emplace_back(), level)) {
            return false;
        }
    }
    const std::size_t clusters = overlay.base.partition.clusters(1);
    if (options.move_tables) {
        if (!file.read(Section::move_tables, clusters, snapshot.tables)) return false;
    } else {
        snapshot.tables.grow(clusters);
    }
    const bool held = file.info().holds_map;
    if (file.trusted() && held) return read_nodes(file, snapshot);
    if (!file.trusted()) {
        if (const std::string fault = OverlayValidator(snapshot).run(); !fault.empty())
            return file.refuse(fault);
    }
    for (int level = 1; level <= options.levels; ++level) {
        if (const Status s = add_slot_bits(overlay); !s.ok()) return file.refuse(s.message);
    }
    snapshot.components = label_components(overlay);
    snapshot.nodes = hpa::LevelOneNodes(overlay);
    return !held || pass_over_nodes(file);
}

// The labels for nodes that are numbered from scratch, as those of a file are.
CutLabels fresh_labels(const hpa::Snapshot& snapshot) {
    const CutLabels& labels = snapshot.labels->labels;
    if (snapshot.nodes.from_scratch()) return labels;
    hpa::Snapshot fresh = snapshot;
    hpa::renumber(fresh);
    return value_of(labels.in_one_piece(fresh.labels->labels.closure()));
}

bool read_labels(Frame& file, hpa::Snapshot& snapshot) {
    if (!snapshot.options.labels) {
        snapshot.labels_status = {StatusCode::unsupported, "the index file has no labels"};
        return true;
    }
    hpa::LabelEngine engine{snapshot.nodes, {}};
    if (!file.read(engine.labels, snapshot.labels_status)) return false;
    if (!file.trusted()) {
        const auto fault = label_fault(engine.labels, engine.nodes.size(), false,
                                       [&](std::uint32_t a, std::uint32_t b) {
                                           return adjacent(snapshot.overlay, engine.nodes, a, b);
                                       });
        if (fault) return file.refuse(fmt::format("cut labels: {}", fault->text));
    }
    snapshot.labels = std::make_shared<const hpa::LabelEngine>(std::move(engine));
    return true;
}

}  // namespace

template <>
struct Body<hpa::Index> {
    static constexpr BodyFormat kFormat{"hpa", 4, "an HPA* index"};

    static void write(const hpa::Index& index, FrameWriter& out) {
        const hpa::Snapshot& s = index.snapshot();
        const grid::Map& map = s.overlay.base.map;
        out.map(map.width(), map.height(), map.fingerprint(), out.with_map());
        hpa::Options options = s.options;
        options.labels = s.has_closure();
        out.options(options);
        for (int level = 1; level <= options.levels; ++level)
            out.add(Section::clusters, s.overlay.levels[static_cast<std::size_t>(level - 1)],
                    level);
        if (options.move_tables) out.add(Section::move_tables, s.tables);
        if (s.labels) out.add(fresh_labels(s), s.labels_status);
        if (!out.with_map()) return;
        write_map(map, out);
        write_nodes(s, out);
    }

    static std::shared_ptr<const hpa::Snapshot> read(Frame& file, const grid::Map* map) {
        const auto snapshot = std::make_shared<hpa::Snapshot>();
        if (!read_map(file, map, snapshot->overlay.base.map) ||
            !file.read_options(snapshot->options))
            return nullptr;
        // Searchers tell by the id whether their caches are for this snapshot, so it is computed,
        // not read from the file.
        snapshot->id = hpa::fresh_snapshot_id(file.info().map_fingerprint, snapshot->options);
        if (!read_overlay(file, *snapshot) || !read_labels(file, *snapshot)) return nullptr;
        return snapshot;
    }
};

template Status save_replacing(const hpa::Index&, const std::string&, const Origin&,
                               std::uint64_t&);

}  // namespace cairn::index_file

namespace cairn {

template Status save(const hpa::Index&, const std::string&, const SaveOptions&);
template Result<std::string> to_bytes(const hpa::Index&, const SaveOptions&);
template Result<hpa::Index> load(const std::string&, const LoadOptions&);
template Result<hpa::Index> load(const std::string&, const grid::Map&, const LoadOptions&);
template Result<hpa::Index> from_bytes(std::span<const std::byte>,
                                       const std::shared_ptr<const void>&, std::string_view,
                                       FileChecks);
template Result<hpa::Index> from_bytes(std::span<const std::byte>,
                                       const std::shared_ptr<const void>&, std::string_view,
                                       const grid::Map&, FileChecks);
template Result<hpa::Options> index_options(const IndexFileInfo&);

}  // namespace cairn
