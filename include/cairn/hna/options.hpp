#pragma once
// The options of an HNA* index (Rahmani, Pelechano: "Towards multi-agent path finding with
// hierarchical navigation meshes").

#include <cstdint>
#include <span>

#include "cairn/status.hpp"

namespace cairn {
struct Field;
}

namespace cairn::hna {

/// How polygons are merged into clusters, and clusters into larger ones (section 2).
enum class Partitioner : std::uint8_t {
    /// The paper's: METIS's multi-level k-way partitioning (MLkP), for comparisons. It draws from
    /// the C library's rand(): the clusters, and which of several equally cheap paths is found,
    /// depend on that library. With the GNU C library the program's own sequence of rand() is put
    /// back, unless another thread calls rand() at the same time; with others it is reseeded.
    /// Builds
    /// without METIS (CAIRN_METIS=OFF, the default) refuse it as `unsupported`, but load and query
    /// files of indexes with such clusters.
    multilevel,
    /// One cluster after another grows by the neighbour that shares most portals with it; then
    /// polygons move between clusters while that leaves fewer portals between them.
    growing,
};

/// The pre-calculated connecting paths that are stored for the connect step (sections 5.1 and
/// 7.1.1). Level 1 always has those of `portals`, which unpack its intra-edges.
enum class Pccp : std::uint8_t {
    none,          ///< none for a top level above 1: A* on it connects S and G by a search each
    portals,       ///< from every portal of a top cluster to its inter-edges: cost and next portal.
                   ///< S and G are connected exactly, from their own positions
    centres,       ///< from every polygon's centre: cost and next portal (the paper's "next cell").
                   ///< Needs Scoring::polygon_centres, which puts S and G at the centres, and no
                   ///< one-way portals
    centre_paths,  ///< the same with whole paths, as in the paper's Table 1
};

/// The options of an index.
struct Options {
    int levels = 1;  ///< abstract levels, 1 to 4; more levels never change a cost
    int mu = 20;     ///< about how many nodes of a level form one of the next, 2 to 1,000
    Partitioner partitioner = Partitioner::growing;
    Pccp pccp = Pccp::portals;
    /// Build cut labels over the HNG of level 1, and their closure. If labels of all nodes would
    /// take more than `label_bytes`, only nodes high in the separator tree have some, and queries
    /// climb the closure up to these: slower, with the same answers. With one-way portals the graph
    /// is directed, and both take up to twice the bytes.
    bool labels = true;
    /// The most bytes without the closure; 0: 1,024 a polygon, at least 64 MiB.
    std::uint64_t label_bytes = 0;

    /// The members by name (cairn/field.hpp).
    [[nodiscard]] static std::span<const Field> fields() noexcept;
    friend bool operator==(const Options&, const Options&) = default;
};

/// ok, or bad_option with the option at fault. O(1). Thread-safe.
[[nodiscard]] Status check(const Options& options) noexcept;

}  // namespace cairn::hna
