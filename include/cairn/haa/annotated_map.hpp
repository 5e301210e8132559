#pragma once
// A map of several terrains, annotated with clearances, which say where an agent fits (D. Harabor,
// A. Botea, "Hierarchical Path Planning for Multi-Size Agents in Heterogeneous Environments", CIG
// 2008).
//
//   clearance     of a cell for a capability: the size of the largest agent that can stand there
//   anchor        the cell that gives an agent's position: of its size x size cells the top-left
//                 one (as in the paper), or the middle one
//   class map     for one agent class, a grid::Map whose free cells are the anchors where such an
//                 agent can stand. A path of a point on the class map is a path of the agent's
//                 anchor on this map
//
// Annotated A* (AA*) tests clearance >= size on each cell that it reaches. A class map makes that
// test once for all cells, so grid::Astar on a class map is AA*.

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "cairn/grid/map.hpp"
#include "cairn/grid/terrain_image.hpp"
#include "cairn/haa/agent.hpp"
#include "cairn/paged_array.hpp"
#include "cairn/status.hpp"

namespace cairn::haa {

/// Which of the cells that an agent covers is its anchor.
enum class Anchor : std::uint8_t {
    top_left,  ///< the top-left one
    centred,   ///< the middle one; for an even size the middle cell further up and left
};

/// How a map is annotated.
struct AnnotationOptions {
    TerrainKey key = TerrainKey::movingai();
    /// 1 to 16 capabilities, each of at least one terrain. Agents name one by its position.
    std::vector<Capability> capabilities{Capability(terrain_set({kGround}))};
    /// The largest agent size, 1 to 16; capabilities.size() * max_size is at most 127.
    int max_size = 2;
    Anchor anchor = Anchor::top_left;
    grid::MoveRules rules;
    CostModel costs;

    friend bool operator==(const AnnotationOptions&, const AnnotationOptions&) = default;
};

/// ok, or bad_option with the option at fault. Thread-safe.
[[nodiscard]] Status check(const AnnotationOptions& options) noexcept;

/// An immutable map with clearances. Copies share their cells; const members may be called from any
/// thread. They are O(1) unless they say otherwise.
class AnnotatedMap {
public:
    /// Annotates `image` in O(cells) for each capability. Errors: bad_option (see `check`; sides or
    /// a cost model that grid::Map refuses).
    [[nodiscard]] static Result<AnnotatedMap> create(
        const grid::TerrainImage& image, const AnnotationOptions& options = {}) noexcept;

    /// This map with `edits` applied in order. Clearances may change up to max_size - 1 cells
    /// beyond the edited cells: see anchors_over. Time and new memory grow with that area, plus one
    /// pointer for each 4,096 cells of the map. Errors: bad_option (an area that is empty or
    /// reaches outside).
    [[nodiscard]] Result<AnnotatedMap> edited(
        std::span<const grid::TerrainEdit> edits) const noexcept;

    /// This map for agents with other terrain costs. `capabilities` include the terrains of those
    /// of this map, in their order, so clearances are shared. Errors: bad_option (other terrains,
    /// another number of capabilities, or a weight of 0). O(1) in the cells.
    [[nodiscard]] Result<AnnotatedMap> with_costs(
        std::span<const Capability> capabilities) const noexcept;

    [[nodiscard]] int width() const noexcept { return width_; }
    [[nodiscard]] int height() const noexcept { return height_; }
    [[nodiscard]] std::size_t size() const noexcept { return terrain_.size(); }
    [[nodiscard]] const AnnotationOptions& options() const noexcept { return options_; }

    [[nodiscard]] bool contains(grid::Point p) const noexcept {
        return p.x >= 0 && p.y >= 0 && p.x < width_ && p.y < height_;
    }
    /// Needs contains(p).
    [[nodiscard]] grid::Cell cell(grid::Point p) const noexcept { return grid::cell_of(width_, p); }
    /// The map's byte, whose meaning is in options().key. Needs cell < size().
    [[nodiscard]] std::uint8_t terrain(grid::Cell cell) const noexcept { return terrain_[cell]; }

    /// The size of the largest agent with this capability that can stand at an anchor, 0 to
    /// max_size. Needs capability < options().capabilities.size() and cell < size().
    [[nodiscard]] int clearance(std::uint32_t capability, grid::Cell cell) const noexcept {
        return clearance_[capability][cell];
    }

    /// The number of agent classes. They are numbered capability * max_size + size - 1.
    [[nodiscard]] std::uint32_t classes() const noexcept {
        return static_cast<std::uint32_t>(options_.capabilities.size()) *
               static_cast<std::uint32_t>(options_.max_size);
    }
    /// Whether the agent's capability and size are among the map's.
    [[nodiscard]] bool knows(Agent agent) const noexcept {
        return agent.capability < options_.capabilities.size() && agent.size >= 1 &&
               agent.size <= options_.max_size;
    }
    /// The number of an agent's class. Needs knows(agent).
    [[nodiscard]] std::uint32_t class_of(Agent agent) const noexcept {
        return agent.capability * static_cast<std::uint32_t>(options_.max_size) +
               static_cast<std::uint32_t>(agent.size - 1);
    }
    /// The capability and size of a class. Needs number < classes().
    [[nodiscard]] Agent agent(std::uint32_t number) const noexcept {
        const auto sizes = static_cast<std::uint32_t>(options_.max_size);
        return {number / sizes, static_cast<int>(number % sizes) + 1};
    }

    /// The cells that an agent covers at an anchor; some may lie outside the map.
    [[nodiscard]] grid::Rect footprint(int size, grid::Point anchor) const noexcept;
    /// The anchors on the map at which an agent of any size up to max_size may cover a cell of
    /// `area`, as one rectangle. `area` must intersect the map.
    [[nodiscard]] grid::Rect anchors_over(const grid::Rect& area) const noexcept;

    /// The weight of an anchor for an agent, as a grid::Map has it: 0 if the agent cannot stand
    /// there, otherwise the weight of the costliest terrain that it covers. Needs knows(agent) and
    /// anchor < size(). O(agent.size^2) if the capability has several weights, otherwise O(1).
    [[nodiscard]] std::uint8_t weight(Agent agent, grid::Cell anchor) const noexcept;

    /// The agent's class map; move rules and costs are those of this map. If all terrains of the
    /// capability have one weight, its bytes are the clearances, which it shares with this map, and
    /// only its moves take memory, a byte a cell. Otherwise its bytes are the weights. Errors:
    /// bad_option (no such agent). O(map).
    [[nodiscard]] Result<grid::Map> class_map(Agent agent) const noexcept;
    /// The agent's class map, made from `before`, the class_map of this agent on the map before an
    /// edit. `edits` are the changes of the anchors' weights, and `areas` hold all anchors whose
    /// clearance has changed (anchors_over). Errors and new memory: as grid::Map::edited. Time:
    /// that of grid::Map::edited for `edits` and `areas`.
    [[nodiscard]] Result<grid::Map> edited_class_map(
        const grid::Map& before, Agent agent, std::span<const grid::TerrainEdit> edits,
        std::span<const grid::Rect> areas) const noexcept;
    /// Whether class maps of a capability share the clearances. Needs capability <
    /// options().capabilities.size().
    [[nodiscard]] bool shares_clearances(std::uint32_t capability) const noexcept {
        return !weighted_[capability];
    }

    /// A hash of terrain and options, the same on every machine. O(map).
    [[nodiscard]] std::uint64_t fingerprint() const noexcept;
    /// The bytes of terrain and clearances, including memory shared with other snapshots.
    [[nodiscard]] std::size_t bytes() const noexcept {
        return terrain_.size() * (1 + clearance_.size());
    }

    /// Equal terrain and options. O(map).
    friend bool operator==(const AnnotatedMap& a, const AnnotatedMap& b);

private:
    using Bytes = PagedArray<std::uint8_t>;

    [[nodiscard]] std::uint8_t common_weight(std::uint32_t capability) const noexcept;
    [[nodiscard]] std::vector<std::uint8_t> clearances_of(std::uint32_t capability,
                                                          const grid::Rect& area) const;

    int width_ = 0;
    int height_ = 0;
    AnnotationOptions options_;
    Bytes terrain_;
    // Per capability:
    std::vector<std::array<std::uint8_t, 256>> weights_;  // by byte; 0 where it cannot stand
    std::vector<bool> weighted_;                          // weights differ
    std::vector<Bytes> clearance_;
};

/// ok, or bad_option if the map has no such agent. O(1). Thread-safe.
[[nodiscard]] Status check(const AnnotatedMap& map, Agent agent) noexcept;

}  // namespace cairn::haa
