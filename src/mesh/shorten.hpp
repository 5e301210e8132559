#pragma once
// Shortens the string of a corridor by moving the corridor: over corners inside the mesh that the
// string bends around, and to the other side of small obstacles.

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "cairn/mesh/funnel.hpp"
#include "cairn/mesh/mesh.hpp"
#include "core/memory.hpp"
#include "mesh/mesh_data.hpp"

namespace cairn::mesh {

/// Moves corridors. Holds the scratch memory: 4 bytes a polygon of the mesh, and what grows with
/// the longest corridor. Deterministic.
class Shorten {
public:
    /// Moves the corridor `links` from start to goal where its string becomes shorter or, if areas
    /// differ in cost, cheaper. Returns the cost of the moved corridor by the mesh's scoring;
    /// std::nullopt if it has not moved. A corridor that would cost more than `most` does not move.
    /// O(links of the polygons passed), at most kMostSweeps times.
    std::optional<Cost> run(const Mesh& mesh, const Place& start, const Place& goal, Cost most,
                            std::vector<Link>& links, Funnel& funnel);
    /// The string of the corridor that the last run left in `links`, which were not empty.
    [[nodiscard]] std::span<const Waypoint> string() const noexcept { return string_; }

    /// Bytes held now.
    [[nodiscard]] std::size_t memory() const noexcept {
        return memory_of(at_, polygons_, string_, places_, failed_, around_, part_, trial_,
                         original_);
    }

private:
    /// Most times that the string is pulled again.
    static constexpr int kMostSweeps = 16;
    /// Most portals that a way around the other side crosses.
    static constexpr std::size_t kMostAround = 24;

    /// Links first to last - 1 of the corridor are replaced by around_. The string changes between
    /// its waypoints `before` and `after`.
    struct Move {
        std::size_t first = 0;
        std::size_t last = 0;
        std::size_t before = 0;
        std::size_t after = 0;
        bool over_corner = false;  // around_ leads past the bend alone: the string gets shorter
    };
    /// A bend where no move helped, and the bends beside it.
    struct Failed {
        Point before;
        Point at;
        Point after;
        friend bool operator==(const Failed&, const Failed&) = default;
    };

    void pull(const Mesh& mesh, const Place& start, const Place& goal, std::span<const Link> links,
              Funnel& funnel);
    double string_cost(const Mesh& mesh, const Place& start, const Place& goal,
                       std::span<const Link> links, Funnel& funnel);
    bool sweep(const Mesh& mesh, std::vector<Link>& links, Funnel& funnel);
    bool find_move(const MeshData& mesh, std::span<const Link> links, std::size_t bend, Move& move);
    bool helps(const Mesh& mesh, std::span<const Link> links, const Move& move, Funnel& funnel);
    bool failed_before(const Failed& bend, std::size_t& next) const;

    std::vector<std::uint32_t> at_;      // per polygon: where it may be in polygons_
    std::vector<Polygon> polygons_;      // of the corridor
    bool one_factor_ = true;             // whether they have one area cost
    std::vector<Waypoint> string_;       // of the corridor
    std::vector<std::uint32_t> places_;  // per waypoint: of its link in the corridor
    std::vector<Failed> failed_;         // from the goal to the start
    std::size_t known_failed_ = 0;       // how many are those of the last sweep
    std::vector<Link> around_;           // the way around the other side
    std::vector<Link> part_;             // of a corridor
    std::vector<Waypoint> trial_;
    std::vector<Link> original_;
};

}  // namespace cairn::mesh
