#pragma once
// Searches inside 1-clusters. A query without move tables often asks for one twice: to connect an
// end, to compare the path inside a cluster, and to write the cells of a leg.

#include <cstddef>
#include <cstdint>

#include "grid/local_search.hpp"
#include "hpa/snapshot.hpp"

namespace cairn::hpa {

/// Keeps the last search, and the window of its cluster. Use one per thread.
class ClusterSearch {
public:
    /// The search from a cell to all cells of its 1-cluster, valid until the next call. Runs it,
    /// and adds the effort, unless the last call was for the same snapshot and cell.
    [[nodiscard]] const grid::LocalSearch& from(const Snapshot& snapshot, grid::Cell source,
                                                grid::SearchStatistics& effort) {
        const GridBase& base = snapshot.overlay.base;
        const std::uint32_t cluster = snapshot.overlay.cluster_of(1, source);
        if (snapshot.id != snapshot_id_ || cluster != cluster_) {
            snapshot_id_ = 0;
            source_ = grid::kNoCell;
            local_.set_window(base.map, base.partition.rect(1, cluster));
            snapshot_id_ = snapshot.id;
            cluster_ = cluster;
        }
        if (source != source_) {
            source_ = grid::kNoCell;
            local_.run(local_.local(base.map.point(source)), &effort);
            source_ = source;
        }
        return local_;
    }

    /// Bytes held now.
    [[nodiscard]] std::size_t memory() const noexcept { return memory_of(local_); }

private:
    grid::LocalSearch local_;
    std::uint64_t snapshot_id_ = 0;  // 0: the window has no cluster
    std::uint32_t cluster_ = 0;
    grid::Cell source_ = grid::kNoCell;
};

}  // namespace cairn::hpa
