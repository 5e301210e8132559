#pragma once
// A* on the HNG of one level, with its own working memory.

#include <cstdint>
#include <span>
#include <vector>

#include "cairn/cut_labels.hpp"
#include "cairn/search_statistics.hpp"
#include "core/memory.hpp"
#include "hna/hng.hpp"
#include "hna/hng_astar.hpp"

namespace cairn::hna {

/// Resumable. One per thread; memory for each vertex of the largest graph is kept.
class HngSearch {
public:
    struct Task {
        std::uint32_t start_cluster = 0;
        std::span<const Connector> from;  ///< connectors of S, to vertices of its cluster
        std::span<const Connector> to;    ///< connectors of G
        mesh::Point anchor;               ///< the position of G, for the heuristic
        Cost bound = kInfinity;           ///< only paths cheaper than this are wanted
    };

    /// Prepares a search. Graph, mesh and connectors must outlive it.
    void begin(const Hng& hng, const mesh::MeshData& mesh, const Task& task);
    /// Expands up to `budget` more vertices; true if the search is not finished.
    bool advance(std::uint64_t budget) { return astar_.advance(budget); }

    /// When finished: the least cost below the bound, or the bound.
    [[nodiscard]] Cost cost() const noexcept { return astar_.cost(); }
    /// When finished: the vertices of that path, if there is one, into `path`.
    void find_path(std::vector<std::uint32_t>& path) const;
    [[nodiscard]] const SearchStatistics& statistics() const noexcept {
        return astar_.statistics();
    }
    /// Bytes held now.
    [[nodiscard]] std::size_t memory() const noexcept {
        return memory_of(labels_, to_goal_, astar_.open().entries());
    }

private:
    using Search = HngAstar<OpenHeap>;

    void reserve(const Hng& hng);

    std::uint32_t stamp_ = 0;
    std::vector<HngLabel> labels_;
    std::vector<Cost> to_goal_;  // of the vertices that are connected to the goal
    Search astar_;
};

}  // namespace cairn::hna
