#pragma once
// The refine step: from the steps of an abstract path to the links of its corridor.

#include <span>
#include <vector>

#include "core/memory.hpp"
#include "hna/connect.hpp"
#include "hna/snapshot.hpp"
#include "hna/steps.hpp"

namespace cairn::hna {

class Unpack {
public:
    /// Appends the links that a path of a level with rows crosses, from S over `steps`, at least
    /// one, to G. Start and goal are connected to that level, by rows or by a search. O(links).
    void run(const Snapshot& snapshot, int level, const Endpoint& start,
             std::span<const Step> steps, const Endpoint& goal, std::vector<mesh::Link>& links);
    /// The first part of that, up to the exit of the last of `steps`.
    void leave(const Snapshot& snapshot, int level, const Endpoint& start,
               std::span<const Step> steps, std::vector<mesh::Link>& links);
    /// For each step of the last call, the number of links before it.
    [[nodiscard]] std::vector<std::uint32_t>& links_at() noexcept { return links_at_; }

    /// Bytes held now.
    [[nodiscard]] std::size_t memory() const noexcept {
        return memory_of(walks_, written_, links_at_);
    }

private:
    /// A walk inside a cluster, from one of its portals to one of its inter-edges.
    struct Walk {
        RowsView rows;
        std::uint32_t place = 0;
        std::uint32_t border = 0;
    };

    void list_walks(const LevelRows& rows, std::span<const Step> steps);
    void leave_start(const Snapshot& snapshot, int level, const Endpoint& start, const Step& step,
                     std::vector<mesh::Link>& links);
    void reach_goal(const Snapshot& snapshot, int level, const Step& step, const Endpoint& goal,
                    std::vector<mesh::Link>& links);
    /// Writes the links of a walk after the first `count`; returns the new number of links.
    [[nodiscard]] std::size_t write(const Walk& walk, std::size_t count);
    void append_written(std::size_t count, std::vector<mesh::Link>& links) const;
    void append_walks(std::vector<mesh::Link>& links);

    std::vector<Walk> walks_;
    std::vector<mesh::Link> written_;
    std::vector<std::uint32_t> links_at_;
};

/// Appends the links from a start to the goal from which `search` was run backwards; none if there
/// is no path. Their polygons must differ.
void unpack_search(const Snapshot& snapshot, const Endpoint& start, const ClusterSearch& search,
                   std::vector<mesh::Link>& links);

/// The cost of that path, or kInfinity.
[[nodiscard]] Cost search_cost(const Endpoint& start, const ClusterSearch& search);

}  // namespace cairn::hna
