// The body of HAA* index files. An index that is read is checked against its map. If the check
// passes, no query, view or edit of the index reads out of bounds, runs forever or overflows a
// cost, whatever the bytes of the file were.

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <optional>

#include "cairn/grid/terrain_image.hpp"
#include "cairn/haa/index.hpp"
#include "haa/annotated_cluster.hpp"
#include "haa/entrances.hpp"
#include "haa/snapshot.hpp"
#include "index_file/body.hpp"
#include "index_file/checks.hpp"
#include "index_file/hpa_cluster_inside.hpp"
#include "overlay/cluster_view.hpp"

namespace cairn::index_file {

template <>
struct FileOptions<haa::Options> {
    static void visit(haa::Options& o, auto&& visit) {
        visit("cluster_size", o.cluster_size);
        visit("levels", o.levels);
        visit("branching", o.branching);
        visit("abstraction", o.abstraction, haa::Abstraction::low_quality);
        visit("transitions", o.transitions, haa::Transitions::best_clearance);
        visit("wide_entrance", o.wide_entrance);
        visit("shift", o.shift);
        visit("reach", o.reach);
        visit("move_tables", o.move_tables);
        visit("labels", o.labels);
        visit("label_bytes", o.label_bytes);
        visit("view_bytes", o.view_bytes);
    }
};

template <>
struct FileOptions<haa::AnnotationOptions> {
    static void visit(haa::AnnotationOptions& o, auto&& visit) {
        visit("max_size", o.max_size);
        visit("anchor", o.anchor, haa::Anchor::centred);
        visit("neighbourhood", o.rules.neighbourhood, grid::Neighbourhood::eight);
        visit("corner", o.rules.corner, grid::CornerRule::free);
        visit("straight", o.costs.straight);
        visit("diagonal", o.costs.diagonal);
    }
};

namespace {

using haa::AnnotatedCluster;

/// Checks clusters whose records are well formed. Each thread has its own check.
class AnnotatedClusterCheck {
public:
    explicit AnnotatedClusterCheck(const haa::Snapshot& snapshot)
        : snapshot_(&snapshot),
          finder_(snapshot.map, snapshot.partition, snapshot.options, snapshot.choosing_order) {}

    [[nodiscard]] std::string_view fault(std::uint32_t id) {
        const AnnotatedCluster cluster(snapshot_->clusters[id]);
        if (!has_nodes_of_map(id, cluster)) return "its nodes are not those of the map";
        if (cluster.count() < 2) return {};
        rect_ = snapshot_->partition.rect(1, id);
        inside_count_ = 0;
        for (std::uint32_t k = 0; k < snapshot_->map.classes(); ++k) {
            slots_.clear();
            cluster.for_each_node(k, [&](std::uint32_t slot, std::uint32_t /*crossings*/) {
                slots_.push_back(slot);
            });
            if (slots_.size() < 2) continue;
            const std::vector<std::uint32_t> record = haa::Projection(k)(cluster);
            if (!costs_plausible(cluster, ClusterView(record), inside_of(cluster, k)))
                return "an intra-edge has an impossible cost";
        }
        return {};
    }

private:
    /// The inside of the cluster as some agent classes see it.
    struct Inside {
        std::vector<std::uint8_t> weights;
        std::uint32_t lightest = 0;
        std::uint32_t heaviest = 0;
        // Per node: the part that it lies in (kNoPart if there is none), and that part's number of
        // cells.
        std::vector<std::uint16_t> part;
        std::vector<std::uint32_t> cells;
    };

    [[nodiscard]] bool has_nodes_of_map(std::uint32_t id, const AnnotatedCluster& cluster) {
        return cluster.all_nodes() == finder_.nodes(id);
    }

    // The inside of a cluster for an agent class. Classes with equal insides share one.
    [[nodiscard]] const Inside& inside_of(const AnnotatedCluster& cluster,
                                          std::uint32_t agent_class) {
        if (inside_count_ == insides_.size()) insides_.emplace_back();
        const haa::ClassWindow& window = finder_.windows()[agent_class];
        Inside& inside = insides_[inside_count_];
        window.read_inside(rect_, inside.weights);
        for (std::size_t i = 0; i < inside_count_; ++i) {
            if (insides_[i].weights == inside.weights) return insides_[i];
        }
        ++inside_count_;
        find_parts(cluster, window, inside);
        return inside;
    }

    void find_parts(const AnnotatedCluster& cluster, const haa::ClassWindow& window,
                    Inside& inside) {
        inside.lightest = 255;
        inside.heaviest = 0;
        for (const std::uint8_t weight : inside.weights) {
            if (weight == 0) continue;
            inside.lightest = std::min<std::uint32_t>(inside.lightest, weight);
            inside.heaviest = std::max<std::uint32_t>(inside.heaviest, weight);
        }
        parts_.set(rect_,
                   [&](grid::Point p) { return window.moves(snapshot_->map.options().rules, p); });
        inside.part.assign(cluster.count(), ClusterInside::kNoPart);
        inside.cells.assign(cluster.count(), 0);
        for (std::uint32_t slot = 0; slot < cluster.count(); ++slot) {
            const grid::Point p = point(cluster.cell(slot));
            if (window.weight(p) == 0) continue;
            inside.part[slot] = parts_.part(parts_.local(p));
            inside.cells[slot] = parts_.part_size(inside.part[slot]);
        }
    }

    // Whether the costs of an agent class, whose nodes have the slots slots_, are possible.
    [[nodiscard]] bool costs_plausible(const AnnotatedCluster& cluster, const ClusterView& view,
                                       const Inside& inside) const {
        const haa::AnnotationOptions& options = snapshot_->map.options();
        const std::uint64_t costliest_move =
            std::uint64_t{inside.heaviest} *
            std::max(options.costs.straight, options.costs.diagonal);
        for (std::uint32_t i = 1; i < slots_.size(); ++i) {
            const std::uint32_t a = slots_[i];
            const grid::Point from = point(cluster.cell(a));
            const Cost most = saturated((inside.cells[a] - 1) * costliest_move);
            for (std::uint32_t j = 0; j < i; ++j) {
                const std::uint32_t b = slots_[j];
                const Cost cost = view.cost_both_ways(i, j);
                if (inside.part[a] != inside.part[b]) {
                    if (cost != kInfinity) return false;
                } else if (cost > most ||
                           cost < saturated(inside.lightest *
                                            distance_bound(from, point(cluster.cell(b))))) {
                    return false;
                }
            }
        }
        return true;
    }

    // The same as grid::Map::distance_bound on cells of weight 1.
    [[nodiscard]] std::uint64_t distance_bound(grid::Point p, grid::Point q) const noexcept {
        const haa::AnnotationOptions& options = snapshot_->map.options();
        const auto dx = static_cast<std::uint64_t>(std::abs(p.x - q.x));
        const auto dy = static_cast<std::uint64_t>(std::abs(p.y - q.y));
        const std::uint64_t both = std::min(dx, dy);
        const bool eight = options.rules.neighbourhood == grid::Neighbourhood::eight;
        const std::uint64_t diagonal =
            eight ? options.costs.diagonal : std::uint64_t{2} * options.costs.straight;
        return (dx + dy - 2 * both) * options.costs.straight + both * diagonal;
    }

    [[nodiscard]] grid::Point point(grid::Cell cell) const noexcept {
        return grid::point_of(snapshot_->map.width(), cell);
    }

    const haa::Snapshot* snapshot_;
    haa::EntranceFinder finder_;
    ClusterInside parts_;
    // Of the cluster that is being checked.
    grid::Rect rect_;
    std::vector<Inside> insides_;
    std::size_t inside_count_ = 0;
    std::vector<std::uint32_t> slots_;  // the nodes of the agent class being checked
};

/// What is wrong with the annotated clusters of a snapshot; empty if nothing. There must be one
/// record per cluster, the rest of the snapshot must be set, and its options checked.
///
/// If nothing is wrong, the nodes and inter-edges of every agent class are those that the map
/// gives. Take a class, two of its nodes in a cluster, and the cost of the cheapest path over the
/// intra-edges that it uses. This cost is finite exactly if the inside of the cluster connects the
/// nodes. Then it is at least a lower bound on the distance, and at most the cost of a walk over
/// every cell that is connected to them. So the check of HPA* files would find nothing wrong with
/// the first level of the class's view. O((map + abstraction + n^3 for n nodes of a cluster) *
/// classes), on all cores.
std::string abstraction_fault(const haa::Snapshot& snapshot) {
    const auto fault_at = [](std::uint32_t cluster, std::string_view fault) {
        return fmt::format("cluster {}: {}", cluster, fault);
    };
    for (std::uint32_t id = 0; id < snapshot.clusters.size(); ++id) {
        const RecordStore::Record record = snapshot.clusters[id];
        if (!record.empty() && !AnnotatedCluster::well_formed(record, snapshot.map.classes()))
            return fault_at(id, "its record has a wrong shape");
    }
    const auto fault = first_fault(
        snapshot.partition.clusters(1), [&] { return AnnotatedClusterCheck(snapshot); },
        [](AnnotatedClusterCheck& check, std::uint32_t id) { return check.fault(id); });
    return fault ? fault_at(fault->id, fault->text) : std::string{};
}

bool check_image(Frame& file, std::span<const std::uint8_t> terrain,
                 const grid::TerrainImage& image) {
    if (!file.check_shape(image.width, image.height)) return false;
    const auto at =
        std::mismatch(terrain.begin(), terrain.end(), image.terrain.begin(), image.terrain.end())
            .first;
    if (at == terrain.end()) return true;
    const auto cell = static_cast<int>(at - terrain.begin());
    return file.refuse_map(fmt::format("of the same size but with other terrain at ({}, {})",
                                       cell % image.width, cell / image.width));
}

bool read_annotation(Frame& file, haa::AnnotationOptions& options) {
    const auto key = file.read<std::uint8_t>(Section::terrain_key);
    const auto capabilities = file.read<haa::Capability>(Section::agent_capabilities);
    if (!file.ok()) return false;
    if (key.size() != options.key.terrain.size())
        return file.refuse("the terrain key does not have 256 entries");
    std::copy(key.begin(), key.end(), options.key.terrain.begin());
    options.capabilities.assign(capabilities.begin(), capabilities.end());
    return file.read_options(options);
}

bool read_map(Frame& file, const grid::TerrainImage* image, std::optional<haa::AnnotatedMap>& map) {
    const auto terrain = file.read<std::uint8_t>(Section::terrain);
    if (!file.ok()) return false;
    const IndexFileInfo& info = file.info();
    const std::int64_t cells = std::int64_t{info.width} * info.height;
    if (info.width < 1 || info.height < 1 || terrain.size() != static_cast<std::uint64_t>(cells))
        return file.refuse("the terrain does not have as many cells as the map");
    if (image != nullptr && !check_image(file, terrain, *image)) return false;
    haa::AnnotationOptions options;
    if (!read_annotation(file, options)) return false;
    auto annotated = haa::AnnotatedMap::create(
        {info.width, info.height, {terrain.begin(), terrain.end()}}, options);
    if (!annotated) return file.refuse_contents(annotated.error());
    if (annotated->fingerprint() != info.map_fingerprint)
        return file.refuse("the map does not have the fingerprint that the file names");
    map = std::move(*annotated);
    return true;
}

}  // namespace

template <>
struct Body<haa::Index> {
    static constexpr BodyFormat kFormat{"haa", 4, "a HAA* index"};

    static void write(const haa::Index& index, FrameWriter& out) {
        const haa::Snapshot& s = index.snapshot();
        const haa::AnnotationOptions& annotation = s.map.options();
        out.map(s.map.width(), s.map.height(), s.map.fingerprint(), /*held=*/true);
        out.options(s.options);
        out.options(annotation);
        std::vector<std::uint8_t> terrain(s.map.size());
        for (grid::Cell cell = 0; cell < terrain.size(); ++cell)
            terrain[cell] = s.map.terrain(cell);
        out.keep(Section::terrain, std::move(terrain));
        out.add(Section::terrain_key, std::span<const std::uint8_t>(annotation.key.terrain));
        out.add(Section::agent_capabilities,
                std::span<const haa::Capability>(annotation.capabilities));
        out.add(Section::clusters, s.clusters, 1);
    }

    static std::shared_ptr<const haa::Snapshot> read(Frame& file, const grid::TerrainImage* image) {
        std::optional<haa::AnnotatedMap> map;
        haa::Options options;
        if (!read_map(file, image, map) || !file.read_options(options)) return nullptr;
        // Searchers tell by the id whether their caches are for this snapshot, so it is computed,
        // not read from the file.
        const auto snapshot = std::make_shared<haa::Snapshot>(haa::start_snapshot(*map, options));
        if (!file.read(Section::clusters, snapshot->partition.clusters(1), snapshot->clusters, 1))
            return nullptr;
        const std::string fault = abstraction_fault(*snapshot);
        if (!fault.empty()) return file.refuse(fault), nullptr;
        return snapshot;
    }
};

template Status save_replacing(const haa::Index&, const std::string&, const Origin&,
                               std::uint64_t&);

}  // namespace cairn::index_file

namespace cairn {

template Status save(const haa::Index&, const std::string&, const SaveOptions&);
template Result<std::string> to_bytes(const haa::Index&, const SaveOptions&);
template Result<haa::Index> load(const std::string&, const LoadOptions&);
template Result<haa::Index> load(const std::string&, const grid::TerrainImage&, const LoadOptions&);
template Result<haa::Index> from_bytes(std::span<const std::byte>,
                                       const std::shared_ptr<const void>&, std::string_view,
                                       FileChecks);
template Result<haa::Index> from_bytes(std::span<const std::byte>,
                                       const std::shared_ptr<const void>&, std::string_view,
                                       const grid::TerrainImage&, FileChecks);
template Result<haa::Options> index_options(const IndexFileInfo&);

}  // namespace cairn
