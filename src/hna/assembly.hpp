#pragma once
// Makes the snapshots of edited and changed meshes.

#include <memory>
#include <span>

#include "cairn/mesh/mesh.hpp"
#include "cairn/status.hpp"
#include "hna/snapshot.hpp"
#include "overlay/arc_changes.hpp"

namespace cairn::hna {

struct Reassembled {
    std::shared_ptr<Snapshot> snapshot;
    ArcChanges arcs;
};

/// As Index::edited. Inter-edges keep their numbers, unless these are worn out.
[[nodiscard]] Result<Reassembled> reassemble(const Snapshot& before,
                                             std::span<const mesh::PolygonEdit> edits);
/// As Index::changed. Inter-edges keep their numbers, unless these are worn out or everything is
/// built anew.
[[nodiscard]] Result<Reassembled> reassemble(const Snapshot& before,
                                             const mesh::MeshChange& change);

}  // namespace cairn::hna
