#pragma once
// Agents as they are: every cell that one covers is looked at, at every step. What answers are
// judged by; it knows nothing of clearances, class maps and abstractions.

#include <span>
#include <string>
#include <vector>

#include "cairn/cost.hpp"
#include "cairn/haa/annotated_map.hpp"
#include "cairn/haa/haa.hpp"

namespace cairn::haa::test {

class Footprint {
public:
    Footprint(const grid::TerrainImage& image, const AnnotationOptions& options, Agent agent)
        : image_(&image), options_(&options), agent_(agent) {}

    /// Whether the agent stands on nothing but its terrains, all of it on the map.
    [[nodiscard]] bool stands(grid::Point anchor) const { return weight(anchor) != 0; }
    /// Where it can stand.
    [[nodiscard]] std::vector<grid::Point> anchors() const;
    /// The cost of a step, kInfinity where it is not legal.
    [[nodiscard]] Cost step(grid::Point from, grid::Point to) const;
    /// The cost of a path, kInfinity where it is not legal.
    [[nodiscard]] Cost path(std::span<const grid::Cell> cells) const;
    /// Dijkstra: the least costs from `start`, where it stands, to all anchors, row by row.
    [[nodiscard]] std::vector<Cost> distances(grid::Point start) const;

    [[nodiscard]] std::size_t index(grid::Point p) const {
        return static_cast<std::size_t>(p.y * image_->width + p.x);
    }

private:
    [[nodiscard]] int weight(grid::Point anchor) const;

    const grid::TerrainImage* image_;
    const AnnotationOptions* options_;
    Agent agent_;
};

/// What is wrong with an answer to a query without limits between two anchors, where the cheapest
/// path costs `optimum` (kInfinity: there is none); empty if nothing.
[[nodiscard]] std::string fault_of(const Footprint& footprint, const Query& query,
                                   const Answer& answer, Cost optimum);

/// The query for the bare abstract path, refined.
[[nodiscard]] Query unsmoothed(Agent agent, grid::Point start, grid::Point goal,
                               hpa::Engine engine = hpa::Engine::automatic);

/// The annotated map. Aborts where there is none.
[[nodiscard]] AnnotatedMap annotated_map(const grid::TerrainImage& image,
                                         const AnnotationOptions& options);
/// The index of a map, built by the calling thread alone. Aborts where there is none.
[[nodiscard]] Index build(const AnnotatedMap& map, const Options& options = {});

/// Every agent that a map knows.
[[nodiscard]] std::vector<Agent> all_agents(const AnnotatedMap& map);

/// The author's: ground, trees, and both.
[[nodiscard]] std::vector<Capability> three_capabilities();

}  // namespace cairn::haa::test
