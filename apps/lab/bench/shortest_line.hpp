#pragma once
// The shortest line between two places of a mesh, seen from above: the optimum that pulled strings
// are compared with.
//
// A search over intervals of portals, as in M. Cui, D. Harabor, A. Grastien, "Compromise-free
// pathfinding on a navigation mesh" (Polyanya), 2017. Costs of areas do not count.

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "cairn/mesh/mesh.hpp"
#include "cairn/mesh/paths.hpp"

namespace cairn::app {

/// The length of the line through waypoints, seen from above.
[[nodiscard]] double flat_length(std::span<const mesh::Waypoint> waypoints);

/// Finds shortest lines on one mesh. Exact up to rounding on meshes without odd polygons.
class ShortestLine {
public:
    /// O(links of each polygon, squared).
    explicit ShortestLine(const mesh::Mesh& mesh);

    /// The length of the shortest line, seen from above; infinity if there is none. Places must
    /// have polygons. It may be cut short by the rounding of portals where tiles meet.
    [[nodiscard]] double find(const mesh::Request& request);

private:
    struct Flat {
        double x = 0;
        double z = 0;
    };
    /// A line from the start that turns last at `root`, and may go on over part of the portal of
    /// `crossed`, from `right` to `left`.
    struct Node {
        double bound = 0;  // of the length of a line to the goal; the length itself if `last`
        double length = 0;
        std::uint32_t corner = mesh::kNone;  // at the root; kNone: the start
        mesh::Link crossed = mesh::kNone;    // kNone: none yet, the line is in the start's polygon
        bool last = false;
        Flat root;
        Flat left;
        Flat right;
    };

    static Flat flat(const mesh::Point& p) noexcept { return {double{p.x}, double{p.z}}; }
    static double cross(const Flat& from, const Flat& a, const Flat& b) noexcept;
    static double distance(const Flat& a, const Flat& b) noexcept;
    static Flat between(const Flat& a, const Flat& b, double share) noexcept;
    /// The length of the shortest line from `from` over the segment to `to`.
    static double over(const Flat& from, const Flat& left, const Flat& right, const Flat& to);

    void push(Node node);
    void expand(const Node& node);
    void leave(const Node& node, mesh::Link link);
    bool is_new(const Node& node, mesh::Link link);

    const mesh::Mesh mesh_;
    // Per end of a link, 2 * link for the left one: the corner there. Polygons that share a point
    // have one corner there if portals that end at the point join them around it.
    std::vector<std::uint32_t> corners_;
    std::vector<std::uint8_t> inner_;  // per corner: portals join the polygons all around it
    Flat goal_;
    mesh::Polygon goal_polygon_ = mesh::kNone;
    std::vector<Node> open_;
    std::unordered_map<std::uint32_t, double> least_;  // per corner: the shortest line to it so far
    // Per root's corner and link of a portal that ends there: the shortest line over it so far.
    std::unordered_map<std::uint64_t, double> around_;
};

}  // namespace cairn::app
