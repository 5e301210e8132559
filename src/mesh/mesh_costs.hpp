#pragma once
// What the ways inside polygons cost, in whole units.

#include "mesh/mesh_data.hpp"

namespace cairn::mesh {

/// Checks the options and fills what follows from them alone. Errors as Mesh::build.
[[nodiscard]] Status set_options(const MeshOptions& options, MeshData& data);

/// Says where each polygon's inside costs stand, and hashes all. too_large if there are too many.
[[nodiscard]] Status count_costs(MeshTopology& topology);

/// Chooses or checks the units to a length. Errors as Mesh::build.
[[nodiscard]] Status set_units(MeshData& data);

/// Keeps the units of a mesh that was changed, or coarser ones where they were chosen here and no
/// longer fit. Errors as Mesh::changed.
[[nodiscard]] Status keep_units(MeshData& data);

/// Whether a mesh could have come by its units, by changes and for its options; no path over it
/// reaches kInfinity then.
[[nodiscard]] bool units_fit(const MeshData& data);

/// All inside costs, and the halves if polygons' centres are what paths are scored by.
void set_costs(MeshData& data);
/// The costs of these polygons anew, as their areas have changed.
void change_costs(MeshData& data, std::span<const Polygon> polygons);

/// The costs of a changed mesh: those of polygons whose links are as they were are copied.
void carry_costs(MeshData& data, const MeshData& before);

/// Derives which links are open, the least area cost that occurs, and the fingerprint.
void finish(MeshData& data);

}  // namespace cairn::mesh
