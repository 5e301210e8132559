#pragma once
// The connect step of the HNA* paper (algorithm 1): one A* for each inter-edge of the cluster that
// holds the start or the goal, confined to that cluster. And the inter-edges of clusters, which are
// as many as such searches.

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "cairn/hna/index.hpp"
#include "cairn/mesh/astar.hpp"
#include "cairn/mesh/mesh.hpp"
#include "cairn/mesh/paths.hpp"
#include "cairn/status.hpp"

namespace cairn::app {

/// The inter-edges of the clusters of a level: their links, seen from inside.
class ClusterBorders {
public:
    ClusterBorders(const hna::Index& index, int level);

    [[nodiscard]] std::span<const mesh::Link> around(mesh::Polygon polygon) const {
        return links_[index_->cluster(level_, polygon)];
    }
    /// Equation 4: the sum of n(i) + m(i) over all requests, the inter-edges around S and around G.
    [[nodiscard]] std::uint64_t connects(std::span<const mesh::Request> requests) const;

private:
    const hna::Index* index_;
    int level_;
    std::vector<std::vector<mesh::Link>> links_;  // per cluster
};

/// The paper's connect step on a mesh without one-way portals. The index and the borders must
/// outlive it.
class PaperConnect {
public:
    PaperConnect(const hna::Index& index, int level, const ClusterBorders& borders)
        : index_(&index), level_(level), borders_(&borders) {}

    /// Prepares the clusters that hold the ends of some requests. Errors: out_of_memory.
    [[nodiscard]] Status prepare(std::span<const mesh::Request> requests);

    /// Connects S and G of a prepared request. If one cluster holds both, another A* looks for the
    /// path inside it, which the paper leaves out.
    void connect(const mesh::Request& request);
    [[nodiscard]] bool share_cluster(const mesh::Request& request) const {
        return index_->cluster(level_, request.start.polygon) ==
               index_->cluster(level_, request.goal.polygon);
    }
    /// Nodes expanded by all calls of `connect`.
    [[nodiscard]] std::uint64_t expanded() const noexcept { return expanded_; }

    /// How many of the costs that `connect` finds differ from those of Dijkstra's search. Errors:
    /// out_of_memory.
    [[nodiscard]] Result<std::uint64_t> wrong(const mesh::Request& request);

private:
    /// Fills in costs_: those between S or G and the inter-edges around it, in the order of
    /// ClusterBorders::around.
    void connect_end(const mesh::Place& end);
    [[nodiscard]] const mesh::Mesh& confined(mesh::Polygon polygon) const {
        return confined_.at(index_->cluster(level_, polygon));
    }

    const hna::Index* index_;
    int level_;
    const ClusterBorders* borders_;
    std::map<std::uint32_t, mesh::Mesh> confined_;  // per cluster: every other one is blocked
    mesh::Astar astar_;
    mesh::Path path_;
    std::vector<Cost> costs_;
    std::uint64_t expanded_ = 0;
};

}  // namespace cairn::app
