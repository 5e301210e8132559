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
    /// Appends the links of a path from S over `steps`, at least one, to G. The steps are those of
    /// `level`, which must have rows and to which S and G must be connected. O(links).
    void run(const Snapshot& snapshot, int level, const Endpoint& start,
             std::span<const Step> steps, const Endpoint& goal, std::vector<mesh::Link>& links);
    /// Appends only the links up to the exit of the last of `steps`, with that exit.
    void run_to_exit(const Snapshot& snapshot, int level, const Endpoint& start,
                     std::span<const Step> steps, std::vector<mesh::Link>& links);
    /// For each step of the last call: the number of links up to its exit, with that exit.
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
    /// Writes the links of a walk into written_ from index `count` on; returns the end of them.
    [[nodiscard]] std::size_t write(const Walk& walk, std::size_t count);
    void append_written(std::size_t count, std::vector<mesh::Link>& links) const;
    void append_walks(std::vector<mesh::Link>& links);

    std::vector<Walk> walks_;
    std::vector<mesh::Link> written_;  // working memory of `write`
    std::vector<std::uint32_t> links_at_;
};

/// Appends the links from a start to a goal, of which `search` is a finished search towards the
/// goal; none if there is no path. Start and goal must lie in different polygons.
void unpack_search(const Snapshot& snapshot, const Endpoint& start, const ClusterSearch& search,
                   std::vector<mesh::Link>& links);

/// The cost of that path, or kInfinity.
[[nodiscard]] Cost search_cost(const Endpoint& start, const ClusterSearch& search);

}  // namespace cairn::hna
