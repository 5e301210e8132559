#pragma once
// The parts of an HNA* index. They are immutable once the index is shared.

#include <cstdint>
#include <memory>

#include "cairn/hna/options.hpp"
#include "cairn/mesh/locator.hpp"
#include "cairn/mesh/reachability.hpp"
#include "hna/centre_rows.hpp"
#include "hna/hng.hpp"
#include "hna/level_one_graph.hpp"
#include "hna/mesh_base.hpp"
#include "hna/rows.hpp"
#include "overlay/record_store.hpp"

namespace cairn::hna {

/// The rows of all clusters of a level.
struct LevelRows {
    RecordStore towards;  // per cluster: paths from its portals to its inter-edges
    RecordStore away;     // the other way; without one-way portals no records: `towards` serves
    /// Per link of the mesh: the place of its portal in the rows of the link's cluster. Without
    /// meaning for portals that cannot be crossed. Follows from the rows.
    std::shared_ptr<const std::vector<std::uint32_t>> places;

    [[nodiscard]] bool empty() const noexcept { return towards.size() == 0; }
    [[nodiscard]] RowsView to_borders(std::uint32_t cluster) const noexcept {
        return RowsView(towards[cluster]);
    }
    [[nodiscard]] RowsView from_borders(std::uint32_t cluster) const noexcept {
        return RowsView(away.size() == 0 ? towards[cluster] : away[cluster]);
    }
    [[nodiscard]] std::size_t bytes() const noexcept {
        return towards.bytes() + (away.size() == 0 ? 0 : away.bytes()) +
               (places ? places->size() * sizeof(std::uint32_t) : 0);
    }
    friend bool operator==(const LevelRows& a, const LevelRows& b) {
        return a.towards == b.towards && a.away == b.away;
    }
};

/// Sets LevelRows::places for the links of some clusters of a level, whose rows are new.
void find_places(const MeshBase& base, int level, std::span<const std::uint32_t> clusters,
                 LevelRows& rows);
/// The same for all clusters.
void find_places(const MeshBase& base, int level, LevelRows& rows);

/// Cut labels over the HNG of level 1, whose vertices are their nodes.
struct LabelEngine {
    CutLabels labels;  // or only their closure
};

struct Snapshot {
    std::uint64_t id = 0;
    Options options;
    Overlay overlay;
    LevelRows rows;           // of level 1
    Hng first_hng;            // of level 1
    Hng upper_hng;            // of a top level above level 1
    LevelRows top_rows;       // of a top level above level 1; empty with Pccp::none
    RecordStore centre_rows;  // of the top level, with Pccp::centres and centre_paths; else empty
    mesh::Reachability reachability;
    mesh::Locator locator;
    std::shared_ptr<const LabelEngine> labels;  ///< null if there is not even a closure
    Status labels_status;                       // ok, or why there are no labels

    [[nodiscard]] const mesh::MeshData& mesh() const noexcept { return overlay.base.mesh.data(); }
    [[nodiscard]] const Partition& partition() const noexcept { return *overlay.base.partition; }
    [[nodiscard]] int top() const noexcept { return overlay.base.levels(); }
    [[nodiscard]] const Hng& top_hng() const noexcept { return top() == 1 ? first_hng : upper_hng; }
    [[nodiscard]] bool has_labels() const noexcept {
        return labels != nullptr && labels_status.ok();
    }
    [[nodiscard]] bool has_closure() const noexcept { return labels != nullptr; }
    [[nodiscard]] CentreRowsView centre_rows_of(std::uint32_t cluster) const noexcept {
        return CentreRowsView(centre_rows[cluster], options.pccp == Pccp::centre_paths);
    }
    /// Rows of a level, if there are any; level 1 always has them.
    [[nodiscard]] const LevelRows* rows_of(int level) const noexcept {
        if (level == 1) return &rows;
        return level == top() && !top_rows.empty() ? &top_rows : nullptr;
    }
};

/// Numbers the inter-edges of level 1 and of the top level from scratch.
void make_hngs(Snapshot& snapshot);

/// Numbers the inter-edges of level 1 from scratch, and with them the nodes of the closure. Labels
/// must be left out before.
void renumber(Snapshot& snapshot);

/// Whether the options ask for connecting paths from polygon centres.
[[nodiscard]] constexpr bool from_centres(const Options& options) noexcept {
    return options.pccp == Pccp::centres || options.pccp == Pccp::centre_paths;
}
/// Whether a snapshot's options and partition ask for rows of a top level above the first.
[[nodiscard]] inline bool wants_top_rows(const Snapshot& snapshot) noexcept {
    return snapshot.options.pccp != Pccp::none && snapshot.top() > 1;
}
/// ok, or bad_option: an option is out of range or does not fit the mesh.
[[nodiscard]] Status check(const mesh::Mesh& mesh, const Options& options);

/// ok, or unsupported if this build does not have the partitioner.
[[nodiscard]] Status check_partitioner(const Options& options);
/// The id of an index built from scratch. Never 0.
[[nodiscard]] std::uint64_t fresh_snapshot_id(const mesh::Mesh& mesh, const Options& options);

}  // namespace cairn::hna
