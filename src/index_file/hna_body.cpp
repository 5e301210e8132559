// The body of HNA* index files: overlay, rows and labels. What is read is checked against the mesh;
// see hna_parts.hpp.

#include <algorithm>
#include <optional>

#include "cairn/hna/index.hpp"
#include "core/guarded.hpp"
#include "hna/cluster_search.hpp"
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

using hna::RowsView;
using mesh::Link;
using mesh::portal_of;
using mesh::twin;

bool same(RecordStore::Record record, const std::vector<std::uint32_t>& expected) {
    return std::equal(record.begin(), record.end(), expected.begin(), expected.end());
}

/// Checks the records and rows of clusters. Each thread has its own check.
///
/// Rows are checked without a search. If no cost exceeds that of a step plus the cost from there,
/// no cost is too high. If each cost equals that of its next step plus the cost from there, no cost
/// is too low: steps cost at least 1, so following them ends.
class HnaClusterCheck {
public:
    explicit HnaClusterCheck(const hna::Snapshot& snapshot)
        : snapshot_(&snapshot), builder_(snapshot.overlay) {}

    /// See cluster_fault.
    [[nodiscard]] std::string_view fault(int level, std::uint32_t cluster) {
        find_portals(level, cluster);
        const hna::LevelRows* rows = snapshot_->rows_of(level);
        if (rows != nullptr) {
            if (snapshot_->overlay.base.directed()) {
                const auto fault = rows_fault(rows->away[cluster], Direction::away);
                if (!fault.empty()) return fault;
            }
            // Last: record_from_rows takes the costs of these rows.
            const auto fault = rows_fault(rows->towards[cluster], Direction::towards);
            if (!fault.empty()) return fault;
        }
        if (!record_right(rows)) return "its inter-edges and intra-edges are not those of the mesh";
        if (level == snapshot_->top() && from_centres(snapshot_->options) && !centre_rows_right())
            return "its rows from centres are not those of the mesh";
        return {};
    }

private:
    enum class Direction : std::uint8_t { towards, away };

    [[nodiscard]] bool record_right(const hna::LevelRows* rows) {
        const auto& store = snapshot_->overlay.levels[static_cast<std::size_t>(level_ - 1)];
        return same(store[cluster_],
                    rows == nullptr ? builder_.record(level_, cluster_) : record_from_rows());
    }

    [[nodiscard]] bool centre_rows_right() {
        return same(snapshot_->centre_rows[cluster_],
                    hna::centre_rows(snapshot_->overlay.base, level_, cluster_, borders_,
                                     snapshot_->options.pccp == hna::Pccp::centre_paths, search_));
    }

    void find_portals(int level, std::uint32_t cluster) {
        level_ = level;
        cluster_ = cluster;
        polygons_.clear();
        borders_.clear();
        portals_.clear();
        const hna::MeshBase& base = snapshot_->overlay.base;
        const mesh::MeshData& mesh = snapshot_->mesh();
        base.partition->append_polygons(level, cluster, polygons_);
        for (const mesh::Polygon polygon : polygons_) {
            for (const Link link : mesh.links(polygon)) {
                if (base.crossings(link) == 0) continue;
                if (base.partition->cluster(level, mesh.polygon_of(twin(link))) != cluster) {
                    borders_.push_back(link);
                } else if (link % 2 == 0) {
                    portals_.push_back(portal_of(link));
                }
            }
        }
        std::sort(borders_.begin(), borders_.end());
        std::sort(portals_.begin(), portals_.end());
        portals_.insert(portals_.begin(), borders_.size(), 0);
        std::transform(borders_.begin(), borders_.end(), portals_.begin(), portal_of);
    }

    [[nodiscard]] std::uint32_t place_of(mesh::Portal portal) const {
        const auto inner = portals_.begin() + static_cast<std::ptrdiff_t>(borders_.size());
        auto found = std::lower_bound(portals_.begin(), inner, portal);
        if (found == inner || *found != portal)
            found = std::lower_bound(inner, portals_.end(), portal);
        return static_cast<std::uint32_t>(found - portals_.begin());
    }

    [[nodiscard]] std::string_view rows_fault(RecordStore::Record record, Direction direction) {
        costs_.clear();
        if (borders_.empty())
            return record.empty() ? std::string_view{} : "it has rows but no inter-edges";
        if (record.empty() || !RowsView::well_sized(record)) return "its rows have a wrong size";
        const RowsView rows(record);
        if (!has_portals(rows)) return "its rows are not those of its portals";
        if (!read_costs(rows) || !none_too_high(direction) || !hops_right(rows, direction))
            return "a row has a wrong cost or next link";
        return {};
    }

    [[nodiscard]] bool has_portals(const RowsView& rows) const {
        if (rows.borders() != borders_.size() || rows.portals() != portals_.size()) return false;
        for (std::uint32_t place = 0; place < portals_.size(); ++place) {
            if (rows.portal(place) != portals_[place]) return false;
        }
        return true;
    }

    [[nodiscard]] bool read_costs(const RowsView& rows) {
        const auto n = static_cast<std::uint32_t>(borders_.size());
        costs_.reserve(portals_.size() * n);
        for (std::uint32_t place = 0; place < portals_.size(); ++place) {
            for (std::uint32_t b = 0; b < n; ++b) {
                const Cost cost = rows.cost(place, b);
                if (cost > kInfinity || (place == b && cost != 0)) return false;
                costs_.push_back(cost);
            }
        }
        return true;
    }

    // Whether a path through a polygon may come in over the twin of `entered` and go out over
    // `left`, both links of that polygon. With Direction::away, the reverse: in over the twin of
    // `left`, out over `entered`.
    [[nodiscard]] bool may_step(Direction direction, Link entered, Link left) const {
        const mesh::MeshData& mesh = snapshot_->mesh();
        if (direction == Direction::away) std::swap(entered, left);
        return mesh.open[twin(entered)] != 0 && mesh.open[left] != 0;
    }

    [[nodiscard]] bool none_too_high(Direction direction) {
        const mesh::MeshData& mesh = snapshot_->mesh();
        const std::size_t n = borders_.size();
        bool high = false;
        for (const mesh::Polygon polygon : polygons_) {
            const auto links = mesh.links(polygon);
            places_.clear();
            for (const Link link : links) places_.push_back(place_of(portal_of(link)));
            for (std::uint32_t i = 0; i < links.size(); ++i) {
                for (std::uint32_t j = 0; j < links.size(); ++j) {
                    if (i == j || !may_step(direction, links[i], links[j])) continue;
                    const Cost step = mesh.inside_cost(polygon, i, j);
                    const Cost* from = costs_.data() + places_[i] * n;
                    const Cost* to = costs_.data() + places_[j] * n;
                    for (std::size_t b = 0; b < n; ++b) high |= from[b] > step + to[b];
                }
            }
            if (high) return false;
        }
        return true;
    }

    [[nodiscard]] bool hops_right(const RowsView& rows, Direction direction) {
        const auto n = static_cast<std::uint32_t>(borders_.size());
        for (std::uint32_t place = 0; place < portals_.size(); ++place) {
            for (std::uint32_t b = 0; b < n; ++b) {
                if (!hop_right(rows, direction, place, b)) return false;
            }
        }
        return true;
    }

    [[nodiscard]] bool hop_right(const RowsView& rows, Direction direction, std::uint32_t place,
                                 std::uint32_t border) {
        const Cost cost = costs_[std::size_t{place} * borders_.size() + border];
        const std::uint32_t hop = rows.hop(place, border);
        if (place == border || cost == kInfinity) return hop == 0;
        const std::uint32_t next = hop / 2;  // see RowsView::hop
        if (next >= portals_.size() || next == place) return false;
        const Cost step = step_cost(direction, portals_[place], 2 * portals_[next] + hop % 2);
        const Cost onward = costs_[std::size_t{next} * borders_.size() + border];
        return step != kInfinity && onward != kInfinity && cost == step + onward;
    }

    // The cost of the step from a portal to the portal of `link`, through the polygon of `link`;
    // kInfinity if the cluster has no such step.
    [[nodiscard]] Cost step_cost(Direction direction, mesh::Portal from, Link link) const {
        const mesh::MeshData& mesh = snapshot_->mesh();
        const mesh::Polygon polygon = mesh.polygon_of(link);
        if (snapshot_->partition().cluster(level_, polygon) != cluster_) return kInfinity;
        const Link entered = mesh.polygon_of(2 * from) == polygon ? 2 * from : 2 * from + 1;
        if (mesh.polygon_of(entered) != polygon || !may_step(direction, entered, link))
            return kInfinity;
        return mesh.inside_cost(polygon, mesh.place(entered), mesh.place(link));
    }

    // The record of the cluster, from the costs of the rows towards its inter-edges.
    [[nodiscard]] std::vector<std::uint32_t> record_from_rows() const {
        const hna::Overlay& overlay = snapshot_->overlay;
        const std::size_t n = borders_.size();
        std::vector<std::uint32_t> infos;
        std::vector<Cost> costs;
        infos.reserve(n);
        costs.reserve(n * n);
        for (std::size_t i = 0; i < n; ++i) {
            const Link link = borders_[i];
            std::uint32_t slot = 0;
            if (level_ > 1) {
                const std::uint32_t child = overlay.cluster_of(level_ - 1, link);
                slot = overlay.cluster(level_ - 1, child).find(link);
            }
            infos.push_back(overlay.base.crossings(link) | slot << 8);
            const auto row = costs_.begin() + static_cast<std::ptrdiff_t>(i * n);
            const std::size_t length = overlay.base.directed() ? n : i;
            costs.insert(costs.end(), row, row + static_cast<std::ptrdiff_t>(length));
        }
        return overlay.base.directed() ? ClusterView::record_of_rows(borders_, infos, costs)
                                       : ClusterView::record(borders_, infos, costs);
    }

    const hna::Snapshot* snapshot_;
    LevelBuilder<hna::MeshBase> builder_;
    hna::ClusterSearch search_;
    // Of the current cluster.
    int level_ = 0;
    std::uint32_t cluster_ = 0;
    std::vector<mesh::Polygon> polygons_;
    std::vector<mesh::Link> borders_;    // inter-edges, ascending
    std::vector<mesh::Portal> portals_;  // those of the borders, then the others, ascending
    std::vector<Cost> costs_;            // of the current rows, by place and then by border
    std::vector<std::uint32_t> places_;  // of a polygon's portals in portals_
};

/// The fault of a level of a snapshot; empty if there is none: see cluster_fault. There must be one
/// record and, where the options want rows, one row record per cluster. O(rows * steps from a
/// portal) on all cores; without rows, as long as building the level.
std::string level_fault(const hna::Snapshot& snapshot, int level) {
    const auto fault = first_fault(
        snapshot.overlay.base.clusters(level), [&] { return HnaClusterCheck(snapshot); },
        [&](HnaClusterCheck& check, std::uint32_t id) { return check.fault(level, id); });
    if (!fault) return {};
    return fmt::format("level {}, cluster {}: {}", level, fault->id, fault->text);
}

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

// Clusters are numbered in the order of their lowest members, and so need no counts, unless
// polygons were added or removed.
bool read_partition(Frame& file, hna::Snapshot& snapshot) {
    const mesh::MeshTopology& mesh = *snapshot.mesh().topology;
    const auto counts = mesh.changed ? file.read<std::uint32_t>(Section::cluster_counts)
                                     : std::span<const std::uint32_t>();
    if (mesh.changed && counts.size() != static_cast<std::size_t>(snapshot.options.levels))
        return file.refuse("the number of clusters is not given for each level");
    std::vector<hna::Partition::Parents> levels;
    std::size_t below = mesh.num_polygons();
    for (int level = 1; level <= snapshot.options.levels; ++level) {
        const auto parents = file.read<std::uint32_t>(Section::parents, level);
        if (parents.size() != below)
            return file.refuse("the clusters of a level do not contain all of the level below");
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

// The check of each level relies on the levels below.
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

// Whether the inside of some cluster connects an inter-edge to another.
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

// The labels for nodes that are numbered from scratch, as those of a file are.
CutLabels fresh_labels(const hna::Snapshot& snapshot) {
    const CutLabels& labels = snapshot.labels->labels;
    if (snapshot.first_hng.from_scratch()) return labels;
    hna::Snapshot fresh = snapshot;
    hna::renumber(fresh);
    return value_of(labels.in_one_piece(fresh.labels->labels.closure()));
}

bool read_labels(Frame& file, hna::Snapshot& snapshot) {
    if (!file.has(Section::closure_nodes)) {
        snapshot.labels_status = {StatusCode::unsupported, "the index file has no labels"};
        return true;
    }
    hna::LabelEngine engine;
    if (!file.read(engine.labels, snapshot.labels_status)) return false;
    const hna::Hng& hng = snapshot.first_hng;
    const bool directed = snapshot.overlay.base.directed();
    const auto fault = label_fault(
        engine.labels, hng.size(), directed, [&](std::uint32_t node, std::uint32_t other) {
            return other != node && adjacent(snapshot.overlay, hng[node], hng[other]);
        });
    if (fault) return file.refuse(fmt::format("cut labels: {}", fault->text));
    snapshot.labels = std::make_shared<const hna::LabelEngine>(std::move(engine));
    return true;
}

}  // namespace

std::string_view cluster_fault(const hna::Snapshot& snapshot, int level, std::uint32_t cluster) {
    return HnaClusterCheck(snapshot).fault(level, cluster);
}

template <>
struct Body<hna::Index> {
    static constexpr BodyFormat kFormat{"hna", 4, "an HNA* index"};

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
        if (s.labels) out.add(fresh_labels(s), s.labels_status);
    }

    static std::shared_ptr<const hna::Snapshot> read(Frame& file, const mesh::Mesh* wanted) {
        const auto snapshot = std::make_shared<hna::Snapshot>();
        std::optional<mesh::Mesh> mesh;
        if (!file.read_options(snapshot->options) || !read_mesh(file, wanted, mesh)) return nullptr;
        if (const Status s = check(*mesh, snapshot->options); !s.ok())
            return file.refuse(s.message), nullptr;
        snapshot->overlay.base.mesh = std::move(*mesh);
        const mesh::Mesh& own = snapshot->overlay.base.mesh;
        // Searchers tell by the id whether their caches are for this snapshot, so it is computed,
        // not read from the file.
        snapshot->id = hna::fresh_snapshot_id(own, snapshot->options);
        if (!read_overlay(file, *snapshot) || !read_labels(file, *snapshot)) return nullptr;
        snapshot->reachability = value_of(mesh::Reachability::build(own));
        snapshot->locator = value_of(mesh::Locator::create(own));
        return snapshot;
    }
};

}  // namespace cairn::index_file

namespace cairn {

template Status save(const hna::Index&, const std::string&, const SaveOptions&);
template Result<std::string> to_bytes(const hna::Index&, const SaveOptions&);
template Result<hna::Index> load(const std::string&, const LoadOptions&);
template Result<hna::Index> load(const std::string&, const mesh::Mesh&, const LoadOptions&);
template Result<hna::Index> from_bytes(std::span<const std::byte>,
                                       const std::shared_ptr<const void>&, std::string_view,
                                       FileChecks);
template Result<hna::Index> from_bytes(std::span<const std::byte>,
                                       const std::shared_ptr<const void>&, std::string_view,
                                       const mesh::Mesh&, FileChecks);
template Result<hna::Options> index_options(const IndexFileInfo&);

}  // namespace cairn
