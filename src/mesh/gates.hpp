#pragma once
// The gates of a mesh: its narrow places.
//
// A gate is a straight line across the surface from wall to wall that is the diameter of a disc
// with no wall inside. Such discs lie where the clearance has a saddle (the medial axis of the
// walls has its narrowest places there), so that discs of radius r can move from one place to
// another exactly where a line leads that crosses no gate narrower than 2 r. No two gates cross:
// between corners they are edges of the Gabriel graph of the walls, K. R. Gabriel, R. R. Sokal, "A
// new statistical approach to geographic variation analysis" (1969).

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "cairn/control.hpp"
#include "cairn/status.hpp"
#include "mesh/walls.hpp"

namespace cairn::mesh {

/// A point on the border of a polygon.
struct BorderPoint {
    PieceAt at;
    /// Of the piece, 0 to below 1, except that of the piece of an opening's second polygon, which
    /// counts from the piece's end: so both polygons have the same share. kCorner: where the piece
    /// begins.
    double share = kCorner;
    static constexpr double kCorner = -1;
    friend bool operator==(const BorderPoint&, const BorderPoint&) = default;
};

/// A straight line across a polygon.
struct Chord {
    BorderPoint from;
    BorderPoint to;
};

/// A gate: a line across one polygon or several, as chords in their order.
struct FoundGate {
    Flat begin;
    Flat end;
    double width = 0;
    std::vector<Chord> chords;
};

/// All gates narrower than `most`, narrowest first. Of two that cross by rounding errors the wider
/// one is left out, unless they cross at a corner of polygons. A gate along several openings may
/// come twice, once along either side of them. O(corners * polygons in sight). Errors: cancelled.
[[nodiscard]] Result<std::vector<FoundGate>> find_gates(const Walls& walls, double most,
                                                        const BuildControl& control);

}  // namespace cairn::mesh
