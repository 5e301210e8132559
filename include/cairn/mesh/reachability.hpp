#pragma once
// Which polygons of a mesh a path can connect: "is it reachable at all", without a search.
//
// Strong components are found as in R. Tarjan, "Depth-first search and linear graph algorithms"
// (1972), without recursion.

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "cairn/mesh/mesh.hpp"

namespace cairn::mesh {

/// A box seen from above.
struct Box {
    static constexpr float kInfinite = std::numeric_limits<float>::infinity();

    float low_x = -kInfinite;
    float low_z = -kInfinite;
    float high_x = kInfinite;
    float high_z = kInfinite;
    friend bool operator==(const Box&, const Box&) = default;
};

/// Which polygons the open links of a mesh connect. Immutable once built; belongs to the snapshot
/// it was built from. All const members may be called from any thread. Four bytes a polygon, and
/// where links are one way eight, and up to 2 MiB; 20 a component.
class Reachability {
public:
    /// Up to so many strong components, those aside that are all of a component, reaches() looks
    /// into a table.
    static constexpr std::size_t kTabled = 4096;

    /// Nothing reaches anything.
    Reachability() = default;

    /// O(polygons + links), and where links are one way O(s / 64) for each of the pairs of s strong
    /// components, at most kTabled, that such a link joins.
    [[nodiscard]] static Reachability build(const Mesh& mesh);

    /// Which component a polygon is of, kNone if it is blocked. Components are connected whatever
    /// the sense of links, so none but polygons of the same one may reach each other; they are
    /// numbered from 0 in the order of their lowest polygon. Needs a polygon of the mesh.
    [[nodiscard]] std::uint32_t component(Polygon polygon) const noexcept {
        return component_[polygon];
    }
    /// The component of every polygon.
    [[nodiscard]] std::span<const std::uint32_t> components() const noexcept { return component_; }

    /// Whether a path leads from one polygon to another; none does if either is blocked. O(1),
    /// unless there are more than kTabled strong components of the kind named above: then a search
    /// over these, which takes memory of its own. Needs polygons of the mesh.
    [[nodiscard]] bool reaches(Polygon from, Polygon to) const {
        if (component_[from] != component_[to] || component_[from] == kNone) return false;
        return strong_.empty() || reaches_along(strong_[from], strong_[to]);
    }

    /// The number of components.
    [[nodiscard]] std::size_t count() const noexcept { return sizes_.size(); }
    /// The number of polygons, connections included, of component i < count().
    [[nodiscard]] std::size_t size(std::uint32_t i) const noexcept { return sizes_[i]; }
    /// All polygons of component i < count() lie in it. Infinite for the largest one.
    [[nodiscard]] const Box& box(std::uint32_t i) const noexcept { return boxes_[i]; }
    /// The component of most polygons, the lowest-numbered of those if several; kNone if none.
    [[nodiscard]] std::uint32_t largest() const noexcept;
    [[nodiscard]] std::size_t bytes() const noexcept;

private:
    void find_components(const Mesh& mesh);
    void find_boxes(const Mesh& mesh);
    void find_strong(const Mesh& mesh);
    void table_arcs();
    [[nodiscard]] bool reaches_along(std::uint32_t from, std::uint32_t to) const;
    [[nodiscard]] bool search(std::uint32_t from, std::uint32_t to) const;

    std::vector<std::uint32_t> component_;
    std::vector<std::uint32_t> sizes_;
    std::vector<Box> boxes_;
    // Strong component of each polygon, none where links lead both ways. Arcs lead to lower ones.
    std::vector<std::uint32_t> strong_;
    std::vector<std::uint32_t> first_arc_;
    std::vector<std::uint32_t> arcs_;
    // The row of a strong component, kNone if no arc touches it, and the rows: bits of rows.
    std::vector<std::uint32_t> row_;
    std::vector<std::uint64_t> table_;
    std::size_t words_ = 0;
};

}  // namespace cairn::mesh
