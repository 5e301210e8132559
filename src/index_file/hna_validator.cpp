#include "index_file/hna_parts.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "hna/cluster_search.hpp"
#include "index_file/checks.hpp"
#include "overlay/levels.hpp"

namespace cairn::index_file {

using hna::RowsView;
using mesh::Link;
using mesh::portal_of;
using mesh::twin;

namespace {

bool same(RecordStore::Record record, const std::vector<std::uint32_t>& expected) {
    return std::equal(record.begin(), record.end(), expected.begin(), expected.end());
}

/// Checks the records and rows of clusters. Use one per thread.
///
/// No search is needed. If no cost exceeds that of a step plus the cost from there, none is above
/// the least cost. If each cost equals that of its next step plus the cost from there, and
/// following next steps ends, none is below the least cost.
class HnaClusterCheck {
public:
    /// Needs the snapshot's options, mesh, partition and rows, the records of the level to check,
    /// and valid records with slot bits of all levels below.
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

    struct Cell {
        std::uint32_t border;
        std::uint32_t place;
    };

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
        if (borders_.empty()) return record.empty() ? std::string_view{} : "it has rows to nowhere";
        if (record.empty() || !RowsView::well_sized(record)) return "its rows have a wrong size";
        const RowsView rows(record);
        if (!has_portals(rows)) return "its rows are not those of its portals";
        if (!read_costs(rows) || !none_too_high(direction) || !hops_right(rows, direction))
            return "a row does not lead as it says";
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

    // Whether a path inside a polygon may enter it against `entered` and leave it by `left`; in
    // rows away from the inter-edges, the reverse.
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
        still_.clear();
        const auto n = static_cast<std::uint32_t>(borders_.size());
        for (std::uint32_t place = 0; place < portals_.size(); ++place) {
            for (std::uint32_t b = 0; b < n; ++b) {
                if (!hop_right(rows, direction, place, b)) return false;
            }
        }
        return chains_end(rows);
    }

    [[nodiscard]] bool hop_right(const RowsView& rows, Direction direction, std::uint32_t place,
                                 std::uint32_t border) {
        const Cost cost = costs_[std::size_t{place} * borders_.size() + border];
        const std::uint32_t hop = rows.hop(place, border);
        if (place == border || cost == kInfinity) return hop == 0;
        const std::uint32_t next = hop / 2;
        if (next >= portals_.size() || next == place) return false;
        const Cost step = step_cost(direction, portals_[place], 2 * portals_[next] + hop % 2);
        const Cost rest = costs_[std::size_t{next} * borders_.size() + border];
        if (step == kInfinity || rest == kInfinity || cost != step + rest) return false;
        if (step == 0) still_.push_back({border, place});
        return true;
    }

    // The cost of the step from a portal inside the polygon of `link` to that; kInfinity if it is
    // none inside the cluster.
    [[nodiscard]] Cost step_cost(Direction direction, mesh::Portal from, Link link) const {
        const mesh::MeshData& mesh = snapshot_->mesh();
        const mesh::Polygon polygon = mesh.polygon_of(link);
        if (snapshot_->partition().cluster(level_, polygon) != cluster_) return kInfinity;
        const Link entered = mesh.polygon_of(2 * from) == polygon ? 2 * from : 2 * from + 1;
        if (mesh.polygon_of(entered) != polygon || !may_step(direction, entered, link))
            return kInfinity;
        return mesh.inside_cost(polygon, mesh.place(entered), mesh.place(link));
    }

    // Steps that cost something lower the rest, so only the others can run in a circle.
    [[nodiscard]] bool chains_end(const RowsView& rows) {
        std::sort(still_.begin(), still_.end(), [](const Cell& a, const Cell& b) {
            return a.border != b.border ? a.border < b.border : a.place < b.place;
        });
        std::uint32_t chain = 0;
        for (std::size_t i = 0; i < still_.size(); ++i) {
            const std::uint32_t border = still_[i].border;
            if (i == 0 || still_[i - 1].border != border) {
                chain_.assign(portals_.size(), 0);
                chain = 0;
            }
            ++chain;
            std::uint32_t place = still_[i].place;
            while (place != border && chain_[place] == 0) {
                chain_[place] = chain;
                place = rows.hop(place, border) / 2;
            }
            if (place != border && chain_[place] == chain) return false;
        }
        return true;
    }

    // Of the rows towards the inter-edges, which are at hand.
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
    std::vector<mesh::Link> borders_;    // ascending
    std::vector<mesh::Portal> portals_;  // those of the borders, then the others, ascending
    std::vector<Cost> costs_;            // of the current rows
    std::vector<std::uint32_t> places_;  // of a polygon's portals
    std::vector<Cell> still_;            // cells whose next step costs nothing
    std::vector<std::uint32_t> chain_;   // by place
};

}  // namespace

std::string_view cluster_fault(const hna::Snapshot& snapshot, int level, std::uint32_t cluster) {
    return HnaClusterCheck(snapshot).fault(level, cluster);
}

std::string level_fault(const hna::Snapshot& snapshot, int level) {
    const auto fault = first_fault(
        snapshot.overlay.base.clusters(level), [&] { return HnaClusterCheck(snapshot); },
        [&](HnaClusterCheck& check, std::uint32_t id) { return check.fault(level, id); });
    if (!fault) return {};
    return fmt::format("level {}, cluster {}: {}", level, fault->at, fault->what);
}

}  // namespace cairn::index_file
