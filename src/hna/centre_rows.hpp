#pragma once
// The paper's pre-calculated connecting paths (PCCP), from the centre of every polygon of a top
// cluster to each inter-edge of the cluster: the cost, and either the whole path (table 1) or the
// next cell (section 7.1.1). They are computed by algorithm 2 with one correction: the inter-edges
// of a polygon are those of the cluster that it lies in.
//
// Words of a record with p polygons and b inter-edges:
//     p | b | polygons, ascending | costs: p rows of b | next links: p rows of b
// With whole paths, these two parts replace the next links:
//     where each path begins in the last part: p rows of b, and its end | the links of all paths

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "cairn/cost.hpp"
#include "hna/cluster_search.hpp"

namespace cairn::hna {

/// Reads a record, which must outlive it. A border is the slot of an inter-edge in the cluster.
class CentreRowsView {
public:
    CentreRowsView(std::span<const std::uint32_t> record, bool whole_paths) noexcept
        : whole_paths_(whole_paths) {
        if (record.empty()) return;
        const std::size_t p = record[0];
        borders_ = record[1];
        polygons_ = record.subspan(2, p);
        costs_ = record.subspan(2 + p, p * borders_);
        links_ = record.subspan(2 + p + p * borders_);
    }

    [[nodiscard]] std::size_t borders() const noexcept { return borders_; }
    /// Per inter-edge the cost from the centre of a polygon of the cluster; kInfinity without a
    /// path.
    [[nodiscard]] std::span<const Cost> costs(mesh::Polygon polygon) const noexcept {
        return costs_.subspan(row(polygon) * borders_, borders_);
    }
    /// Appends the links of the path from a polygon to an inter-edge. The last one is
    /// `border_link`, the inter-edge's own. There must be a path.
    void append(const mesh::MeshData& mesh, mesh::Polygon polygon, std::uint32_t border,
                mesh::Link border_link, std::vector<mesh::Link>& links) const;

private:
    [[nodiscard]] std::size_t row(mesh::Polygon polygon) const noexcept {
        return static_cast<std::size_t>(
            std::lower_bound(polygons_.begin(), polygons_.end(), polygon) - polygons_.begin());
    }

    bool whole_paths_;
    std::size_t borders_ = 0;
    std::span<const std::uint32_t> polygons_;
    std::span<const Cost> costs_;
    std::span<const std::uint32_t> links_;  // next links, or the two parts of whole paths
};

/// The record of a cluster of a level, with whole paths or next links. `border_links` are the
/// cluster's inter-edges; without any the record is empty. Runs one search per inter-edge.
[[nodiscard]] std::vector<std::uint32_t> centre_rows(const MeshBase& base, int level,
                                                     std::uint32_t cluster,
                                                     std::span<const std::uint32_t> border_links,
                                                     bool whole_paths, ClusterSearch& search);

}  // namespace cairn::hna
