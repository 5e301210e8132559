#pragma once
// A* on the HNG of one level (HNA* paper, algorithm 1).
//
// A vertex is expanded into the cluster across from the one it was reached in: inside that one the
// way to it was already shortest (CHECKLIST D22's lesson, applied to vertices).

#include <cstdint>
#include <span>
#include <vector>

#include "cairn/cut_labels.hpp"
#include "cairn/search_statistics.hpp"
#include "core/open_heap.hpp"
#include "hna/hng.hpp"

namespace cairn::hna {

/// Resumable. One per thread; memory for each vertex of the largest graph is kept.
///
/// Ties: of equal f the larger g is expanded first; of equal paths the one met first wins.
class HngSearch {
public:
    struct Task {
        std::uint32_t start_cluster = 0;
        std::span<const Connector> from;  ///< the start's, to vertices of that cluster
        std::span<const Connector> to;    ///< the goal's
        navmesh::Point anchor;            ///< the goal's, for the heuristic
        Cost bound = kInfinity;           ///< only paths cheaper than this are wanted
    };

    /// Prepares a search. Graph, mesh and connectors must outlive it.
    void begin(const Hng& hng, const navmesh::MeshData& mesh, const Task& task);
    /// Expands up to `budget` vertices more; true if that was not enough.
    bool advance(std::uint64_t budget);

    /// After the end: the least cost below the bound, or the bound.
    [[nodiscard]] Cost cost() const noexcept { return best_; }
    /// After the end: the vertices of that path, if there is one, into `path`.
    void find_path(std::vector<std::uint32_t>& path) const;
    [[nodiscard]] const SearchStatistics& statistics() const noexcept { return statistics_; }

private:
    static constexpr std::uint32_t kNoVertex = 0xffff'ffff;
    static constexpr std::uint32_t kSide = 1;
    static constexpr std::uint32_t kConnected = 2;  // to the goal
    struct Label {
        std::uint32_t stamp = 0;  // the search it is from, four times, plus the side and kConnected
        Cost g = kInfinity;
        Cost h = 0;  // from that side
        std::uint32_t parent = kNoVertex;
    };

    void reserve(const Hng& hng);
    void reach(std::uint32_t side, Cost g, std::uint32_t parent);

    const Hng* hng_ = nullptr;
    const navmesh::MeshData* mesh_ = nullptr;
    navmesh::Point anchor_;
    std::uint32_t stamp_ = 0;
    Cost best_ = kInfinity;
    std::uint32_t last_ = kNoVertex;
    std::vector<Label> labels_;
    std::vector<Cost> to_goal_;  // of the vertices that are kConnected
    OpenHeap open_;
    SearchStatistics statistics_;
};

}  // namespace cairn::hna
