#pragma once
// Which polygons of a mesh are connected by a path, without a search.
//
// Strong components are found as in R. Tarjan, "Depth-first search and linear graph algorithms"
// (1972), without recursion.

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
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
/// it was built from. All const members may be called from any thread. Takes 4 bytes a polygon and
/// 24 a component. One-way links add 4 a polygon and 4 a strong component, and a table of up to
/// 2 MiB; without the table (see kTabled) 8 a strong component and 4 for each two that links join,
/// and a bit a strong component of working memory, which reaches() uses under a lock.
class Reachability {
public:
    /// Up to this many strong components (sets of polygons that all reach each other), reaches()
    /// uses a table. A strong component that is a whole component does not count.
    static constexpr std::size_t kTabled = 4096;

    /// Of a mesh without polygons.
    Reachability() = default;

    /// Finds which polygons of `mesh` are connected. Time O(polygons + links). With one-way links,
    /// and s strong components (s at most kTabled), also O(s / 64) for each pair of strong
    /// components that such a link joins. Errors: out_of_memory.
    [[nodiscard]] static Result<Reachability> build(const Mesh& mesh) noexcept;

    /// As build(after), where this object is of the mesh `before` that an edit or a change has
    /// turned into `after`. `touched`: all polygons that were edited, removed or added, and those
    /// that a new portal joins; any order, also twice. Errors: out_of_memory.
    ///
    /// This takes a copy of the components and a search around the touched polygons, over at most
    /// 4,096 polygons for each component that loses or gains some. Where that is not enough, where
    /// another component becomes the largest, and with one-way links, everything is built again.
    [[nodiscard]] Result<Reachability> changed(const Mesh& before, const Mesh& after,
                                               std::span<const Polygon> touched) const noexcept;

    /// The component of a polygon; kNone if it is blocked. Components ignore the direction of
    /// links, so only polygons of the same component can reach each other. They are numbered from 0
    /// in the order of their lowest polygon. Needs a polygon of the mesh.
    [[nodiscard]] std::uint32_t component(Polygon polygon) const noexcept {
        return component_[polygon];
    }
    /// The component of every polygon.
    [[nodiscard]] std::span<const std::uint32_t> components() const noexcept { return component_; }

    /// Whether a path leads from one polygon to another; false if either is blocked. O(1), unless
    /// there are more than kTabled strong components (counted as above): then a search over them,
    /// one at a time for all threads. Does not allocate. Needs polygons of the mesh.
    [[nodiscard]] bool reaches(Polygon from, Polygon to) const noexcept {
        if (component_[from] != component_[to] || component_[from] == kNone) return false;
        return strong_.empty() || reaches_along(strong_[from], strong_[to]);
    }

    /// The number of components.
    [[nodiscard]] std::size_t count() const noexcept { return sizes_.size(); }
    /// The number of polygons, connections included, of component i < count().
    [[nodiscard]] std::size_t size(std::uint32_t i) const noexcept { return sizes_[i]; }
    /// A box that contains all polygons of component i < count(). Infinite for the largest
    /// component.
    [[nodiscard]] const Box& box(std::uint32_t i) const noexcept { return boxes_[i]; }
    /// The component with most polygons; the lowest number if there are several, kNone if there is
    /// none. O(count()).
    [[nodiscard]] std::uint32_t largest() const noexcept;
    /// The bytes that the object takes.
    [[nodiscard]] std::size_t bytes() const noexcept;

private:
    void find_components(const Mesh& mesh);
    [[nodiscard]] bool update(const Mesh& before, const Mesh& after,
                              std::span<const Polygon> touched);
    void loosen(const Mesh& mesh, Polygon first, std::vector<Polygon>& loose);
    [[nodiscard]] bool collect(const Mesh& mesh, Polygon first, std::uint32_t most);
    [[nodiscard]] bool cut_off(const Mesh& mesh, std::vector<Polygon> around, std::uint32_t most);
    void add_component(const Mesh& mesh, std::span<const Polygon> polygons);
    [[nodiscard]] bool renumber(std::uint32_t most, std::uint32_t first_piece);
    void find_boxes(const Mesh& mesh);
    void find_strong(const Mesh& mesh);
    void table_arcs();
    [[nodiscard]] bool reaches_along(std::uint32_t from, std::uint32_t to) const noexcept;
    [[nodiscard]] bool search(std::uint32_t from, std::uint32_t to) const noexcept;

    /// The working memory of search().
    struct Scratch;

    std::vector<std::uint32_t> component_;
    std::vector<std::uint32_t> sizes_;
    std::vector<Polygon> first_;  // per component: its lowest polygon
    std::vector<Box> boxes_;
    // The strong component of each polygon; empty if all links lead both ways.
    std::vector<std::uint32_t> strong_;
    // Arcs: the strong components, of lower numbers, that links of a strong component enter.
    std::vector<std::uint32_t> first_arc_;
    std::vector<std::uint32_t> arcs_;
    // The row of each strong component, kNone if no arc touches it. In the table, bit j of row i
    // says whether the strong component of row i reaches that of row j.
    std::vector<std::uint32_t> row_;
    std::vector<std::uint64_t> table_;
    std::size_t words_ = 0;
    std::shared_ptr<Scratch> scratch_;  // only without a table
};

}  // namespace cairn::mesh
