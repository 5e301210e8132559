#pragma once
// The graph while it is being partitioned: the vertices of the highest level so far, and the
// question of Listing 15.2 whether one of them can stay behind.

#include <cstdint>
#include <utility>
#include <vector>

#include "cairn/n_level_graph.hpp"
#include "core/open_heap.hpp"

namespace cairn {

/// There are three kinds of vertices: those left behind in earlier passes, which play no part any
/// more; those left behind in this pass (local), where paths may begin and end but not pass; the
/// others (high).
class Contraction {
public:
    Contraction(const Graph& graph, const NLevelOptions& options,
                const ExtraEdgeProperty& property);

    /// Whether the high vertex `s` can stay behind: no shortest path between two of its neighbours
    /// gets longer, given the extra edges that are allowed. These are kept for `leave_behind`.
    [[nodiscard]] bool examine(std::uint32_t s);
    [[nodiscard]] std::size_t extra_edges_in_hand() const noexcept { return extra_.size(); }

    /// Leaves behind the vertex that was examined last, with success.
    void leave_behind(std::uint32_t s, std::uint16_t level);

    /// Ends a pass that left some vertices behind: removes them from the rows of the high vertices.
    /// Returns the high vertices that may stay behind now though they could not before, by number.
    [[nodiscard]] std::vector<std::uint32_t> finish_pass();

    [[nodiscard]] bool is_high(std::uint32_t v) const noexcept { return levels_[v] == 0; }
    [[nodiscard]] std::uint32_t degree(std::uint32_t v) const noexcept {
        return static_cast<std::uint32_t>(rows_[v].size());
    }
    [[nodiscard]] std::uint64_t extra_edges() const noexcept { return extra_edges_; }

    /// After the last pass, by vertex: its level, 0 for high ones; and its edges to vertices that
    /// were not lower when it was left behind.
    [[nodiscard]] std::vector<std::uint16_t>& levels() noexcept { return levels_; }
    [[nodiscard]] std::vector<std::vector<NLevelArc>>& rows() noexcept { return rows_; }

private:
    static constexpr Cost kUnwanted = 0xffff'ffff;
    /// What is known of a vertex seen from the neighbour p of s.
    struct Mark {
        std::uint32_t stamp = 0;
        Cost distance = 0;
        Cost wanted = 0;  ///< a path no longer than this; kUnwanted if none
        [[nodiscard]] bool missing() const noexcept { return distance > wanted; }
    };

    Mark& touch(std::uint32_t v) noexcept {
        Mark& mark = marks_[v];
        if (mark.stamp != stamp_) mark = {stamp_, kInfinity, kUnwanted};
        return mark;
    }
    [[nodiscard]] bool may_join(std::uint32_t p, std::uint32_t q, Cost length) const;
    [[nodiscard]] bool take_extra_edges(std::uint32_t s, std::size_t from);
    void forget_marks() noexcept;
    void want(std::uint32_t q, Cost through) noexcept;
    void reach(std::uint32_t v, Cost distance) noexcept;
    void look_near(std::uint32_t s, std::size_t from);
    void finish_ways(std::uint32_t s, std::size_t from);
    void look_far(std::uint32_t s, std::size_t from);
    void add_edge(const Edge& edge);

    const NLevelOptions& options_;
    const ExtraEdgeProperty& property_;
    std::uint64_t max_extra_edges_ = 0;
    std::uint64_t extra_edges_ = 0;
    std::vector<std::vector<NLevelArc>> rows_;
    std::vector<std::uint16_t> levels_;
    /// Two neighbours for whose shortest path a high vertex was found to be needed. It stays needed
    /// as long as both are high and none of its edges becomes shorter.
    std::vector<std::pair<std::uint32_t, std::uint32_t>> needed_by_;
    std::vector<std::uint32_t> left_;       ///< behind, in this pass
    std::vector<std::uint32_t> shortened_;  ///< vertices with an edge that became shorter
    std::vector<Edge> extra_;
    std::vector<Mark> marks_;
    std::uint32_t stamp_ = 0;
    std::uint64_t missing_ = 0;  ///< paths that are wanted and not found yet
    Cost bound_ = 0;             ///< the longest path wanted
    std::vector<Cost> still_missing_;
    OpenHeap open_;
};

}  // namespace cairn
