#pragma once
// How an HNA* index is built (Rahmani, Pelechano: "Towards multi-agent path finding with
// hierarchical navigation meshes").

#include <cstdint>
#include <span>

#include "cairn/status.hpp"

namespace cairn {
struct Field;
}

namespace cairn::hna {

/// How polygons are merged to clusters, and clusters to larger ones (section 2).
enum class Partitioner : std::uint8_t {
    multilevel,  ///< MLkP: few inter-edges, balanced, every cluster connected. Needs METIS: see
                 ///< default_partitioner
    growing,     ///< one cluster after another, by the neighbour with the most portals to it
};

/// multilevel, or growing where Cairn was built without METIS (CAIRN_METIS=OFF). There multilevel
/// is `unsupported` for building an index and for Index::changed, which divide polygons; a file of
/// an index so divided is read and answers as anywhere.
[[nodiscard]] Partitioner default_partitioner() noexcept;

/// What is stored for the connect step (sections 5.1 and 7.1.1).
enum class Pccp : std::uint8_t {
    none,          ///< nothing: S and G are connected by a search each
    portals,       ///< from every portal of a top cluster to its inter-edges: cost and next portal.
                   ///< S and G are connected from where they are, exactly
    centres,       ///< from every polygon's centre: cost and next portal (the paper's "next cell").
                   ///< Paths are ranked as if S and G were at the centres
    centre_paths,  ///< the same with whole paths, as the paper's Table 1
};

struct Options {
    int levels = 1;  ///< abstract levels, 1 to 4; more levels never change a cost
    int mu = 40;     ///< nodes of a level merged to one of the next: 2 to 1,000
    Partitioner partitioner = default_partitioner();
    Pccp pccp = Pccp::portals;
    /// Build cut labels over the HNG of level 1, unless they would take more than `label_bytes`, or
    /// the mesh has one-way portals.
    bool labels = true;
    std::uint64_t label_bytes = std::uint64_t{256} << 20;

    /// The members by name (cairn/field.hpp).
    [[nodiscard]] static std::span<const Field> fields() noexcept;
    friend bool operator==(const Options&, const Options&) = default;
};

/// ok, or bad_option with the option at fault.
[[nodiscard]] Status check(const Options& options);

}  // namespace cairn::hna
