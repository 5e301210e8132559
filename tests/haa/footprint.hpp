#pragma once
// The reference for answers of HAA*: the moves of an agent by the terrain of every cell that it
// covers, without clearances, class maps or abstractions.

#include <span>
#include <string>
#include <vector>

#include "cairn/cost.hpp"
#include "cairn/haa/annotated_map.hpp"
#include "cairn/haa/haa.hpp"

namespace cairn::haa::test {

/// One agent on a terrain image. Points are anchors of the agent. Keeps pointers to the image and
/// the options.
class Footprint {
public:
    Footprint(const grid::TerrainImage& image, const AnnotationOptions& options, Agent agent)
        : image_(&image), options_(&options), agent_(agent) {}

    /// Whether all cells that the agent covers are on the map and of its terrains.
    [[nodiscard]] bool stands(grid::Point anchor) const { return weight(anchor) != 0; }
    /// The points where it can stand, row by row.
    [[nodiscard]] std::vector<grid::Point> anchors() const;
    /// The cost of a move, kInfinity if it is not legal.
    [[nodiscard]] Cost step(grid::Point from, grid::Point to) const;
    /// The cost of a path, kInfinity if it is not legal.
    [[nodiscard]] Cost path(std::span<const grid::Cell> cells) const;
    /// The least costs from `start`, where the agent can stand, to all points, by index():
    /// kInfinity if there is no path (Dijkstra).
    [[nodiscard]] std::vector<Cost> distances(grid::Point start) const;

    /// The number of a cell, row by row.
    [[nodiscard]] std::size_t index(grid::Point p) const {
        return static_cast<std::size_t>(p.y * image_->width + p.x);
    }

private:
    // The greatest weight of the cells covered; 0 where the agent cannot stand.
    [[nodiscard]] int weight(grid::Point anchor) const;

    const grid::TerrainImage* image_;
    const AnnotationOptions* options_;
    Agent agent_;
};

/// What is wrong with an answer to a query without limits between two anchors; empty if nothing.
/// `optimum` is the cost of the cheapest path, kInfinity if there is none.
[[nodiscard]] std::string fault_of(const Footprint& footprint, const Query& query,
                                   const Answer& answer, Cost optimum);

/// The query for the abstract path, refined but not smoothed, without a try of the direct line.
[[nodiscard]] Query unsmoothed(Agent agent, grid::Point start, grid::Point goal,
                               hpa::Engine engine = hpa::Engine::automatic);

/// The annotated map. Aborts if it is refused.
[[nodiscard]] AnnotatedMap annotated_map(const grid::TerrainImage& image,
                                         const AnnotationOptions& options);
/// The index of a map, built by the calling thread alone. Aborts if it is refused.
[[nodiscard]] Index build(const AnnotatedMap& map, const Options& options = {});

/// Every agent that a map has, by class number.
[[nodiscard]] std::vector<Agent> all_agents(const AnnotatedMap& map);

/// The capabilities of the author's code: 0 ground, 1 trees, 2 both.
[[nodiscard]] std::vector<Capability> three_capabilities();

}  // namespace cairn::haa::test
