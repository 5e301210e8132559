#include "mesh/gates.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include "core/parallel_loop.hpp"

namespace cairn::mesh {
namespace {

// Angles below this, in radians, may be rounding errors of the coordinates.
constexpr double kNoiseAngle = 1e-4;
// A gate that comes this near to an end of a piece of border, as a share of the gate or the piece,
// passes through the end.
constexpr double kAtEnd = 1e-4;

bool lower(Flat a, Flat b) { return a.x != b.x ? a.x < b.x : a.z <= b.z; }

// The share of a piece, or 0 or 1 near its ends.
double at_end(double share, double piece, double gate) {
    const double near = kAtEnd * std::max(1.0, gate / piece);
    return share < near && share <= 0.5 ? 0 : share > 1 - near ? 1 : share;
}

/// Finds the gates that begin at corners where the surface turns around a wall.
class GateFinder {
public:
    GateFinder(const Walls& walls, double most) : walls_(walls), most_(most) {}

    /// Appends the gates that begin where a wall ends.
    void find(PieceAt wall, std::vector<FoundGate>& out) {
        if (!turn_around(wall)) return;
        windows_.clear();
        heap_.clear();
        seen_.clear();
        candidates_.clear();
        for (const Turn& turn : turns_)
            look(turn.in.polygon, turn.in.place, turn.out.place, cone_, kNone);
        while (!heap_.empty()) {
            std::pop_heap(heap_.begin(), heap_.end(), std::greater<>{});
            const std::uint32_t window = heap_.back().second;
            heap_.pop_back();
            const Window w = windows_[window];
            if (hidden(w.cone.right, w.cone.left)) continue;
            look(w.seen.polygon, w.seen.place, w.seen.place, w.cone, window);
        }
        std::sort(candidates_.begin(), candidates_.end(), [](const auto& a, const auto& b) {
            return std::tuple(dot(a.to, a.to), a.to.x, a.to.z, a.window, a.wall.place) <
                   std::tuple(dot(b.to, b.to), b.to.x, b.to.z, b.window, b.wall.place);
        });
        const std::size_t first = out.size();
        for (const Candidate& candidate : candidates_) {
            const bool known =
                std::any_of(out.begin() + static_cast<std::ptrdiff_t>(first), out.end(),
                            [&](const FoundGate& gate) { return gate.end == candidate.end; });
            if (!known && !hidden(candidate.to, candidate.to)) take(candidate, out);
        }
    }

private:
    // From the middle of a gate no end is seen through more than Walls::kMostDepth polygons.
    static constexpr std::uint32_t kMostDepth = 2 * Walls::kMostDepth;

    /// A polygon around the corner, with the pieces of its border that meet there.
    struct Turn {
        PieceAt in;
        PieceAt out;
    };
    /// What is seen of a polygon through an opening. Points are relative to the eye.
    struct Window {
        PieceAt seen;  // the piece of the opening in that polygon
        Cone cone;     // its rays end on the opening
        std::uint32_t parent = kNone;
        std::uint32_t depth = 0;  // the windows before it
    };
    // The nearest point of a wall. What lies behind the line at right angles to it has it in its
    // disc: its dot product with the point is above the limit.
    struct Seen {
        Flat at;
        double limit = 0;
    };
    struct Candidate {
        Flat to;
        Flat end;  // the same, not relative to the eye
        PieceAt wall;
        double share = 0;  // of the wall
        std::uint32_t window = kNone;
    };

    // Walks around the end of a wall until the next wall. False where the surface turns by less
    // than half a circle there. Sets what a gate from there can see: it must be at right angles or
    // more to both walls.
    bool turn_around(PieceAt wall) {
        constexpr std::size_t kMostTurns = 1 << 12;
        const BorderPiece& piece = walls_.piece(wall);
        eye_ = flat(piece.end);
        const Flat back = flat(piece.begin) - eye_;
        turns_.clear();
        bool turns_back = false;
        PieceAt in = wall;
        Flat onwards;
        while (turns_.size() < kMostTurns) {
            const PieceAt out = walls_.after(in);
            turns_.push_back({in, out});
            const BorderPiece& next = walls_.piece(out);
            onwards = flat(next.end) - flat(next.begin);
            const double side = cross(back, onwards);
            turns_back |= side > 0 || (side == 0 && dot(back, onwards) > 0 && turns_.size() > 1);
            if (next.wall()) break;
            in = walls_.at(next.side ^ 1);
        }
        if (!turns_back || !walls_.piece(turns_.back().out).wall()) return false;
        cone_.left = Flat{back.z, -back.x} + back * kNoiseAngle;
        cone_.right = Flat{-onwards.z, onwards.x} + onwards * kNoiseAngle;
        return true;
    }

    // Whether a gate to any point of the segment from a to b, or beyond it as seen from the eye,
    // has a wall in its disc.
    [[nodiscard]] bool hidden(Flat a, Flat b) const {
        return std::any_of(seen_.begin(), seen_.end(), [&](const Seen& u) {
            return dot(a, u.at) > u.limit && dot(b, u.at) > u.limit;
        });
    }

    // Looks at the border of a polygon, except two of its pieces.
    void look(Polygon polygon, std::uint32_t skip, std::uint32_t skip_too, const Cone& cone,
              std::uint32_t window) {
        const std::span<const BorderPiece> pieces = walls_.border(polygon);
        const std::uint32_t depth = window == kNone ? 0 : windows_[window].depth + 1;
        for (std::uint32_t i = 0; i < pieces.size(); ++i) {
            if (i == skip || i == skip_too) continue;
            const BorderPiece& piece = pieces[i];
            const Flat a = flat(piece.begin) - eye_;
            const Flat b = flat(piece.end) - eye_;
            if (piece.wall())
                add_candidate(cone, {.to = {}, .end = {}, .wall = {polygon, i}, .window = window});
            Flat right = a;
            Flat left = b;
            if (cross(a, b) <= 0 || !cone.clip(right, left)) continue;
            const Flat nearest = right + (left - right) * nearest_share(right, left, {});
            const double distance = length(nearest);
            if (distance >= most_ || hidden(right, left)) continue;
            if (piece.wall()) {
                if (!hidden(nearest, nearest))
                    seen_.push_back({nearest, distance * (distance + noise(eye_ + nearest))});
            } else if (const PieceAt seen = walls_.at(piece.side ^ 1);
                       depth < kMostDepth && !seen_through(seen.polygon, window)) {
                heap_.emplace_back(distance, static_cast<std::uint32_t>(windows_.size()));
                std::push_heap(heap_.begin(), heap_.end(), std::greater<>{});
                windows_.push_back({seen, {right, left}, window, depth});
            }
        }
    }

    // Whether a polygon is among those through which a window is seen. A line crosses no polygon
    // twice: what seems so is a rounding error.
    [[nodiscard]] bool seen_through(Polygon polygon, std::uint32_t window) const {
        for (; window != kNone; window = windows_[window].parent) {
            if (windows_[window].seen.polygon == polygon) return true;
        }
        return false;
    }

    // Adds the point of a wall that is nearest to the eye, if that is in the cone.
    void add_candidate(const Cone& cone, Candidate candidate) {
        const BorderPiece& wall = walls_.piece(candidate.wall);
        const Flat a = flat(wall.begin) - eye_;
        const Flat b = flat(wall.end) - eye_;
        if (cross(a, b) < -Cone::kNoAngle * length(a) * length(b)) return;
        const double nearest = nearest_share(a, b, {});
        const double share = at_end(nearest, length(b - a), length(a + (b - a) * nearest));
        candidate.share = share;
        candidate.end = share == 0   ? flat(wall.begin)
                        : share == 1 ? flat(wall.end)
                                     : flat(wall.begin) + (b - a) * share;
        candidate.to = candidate.end - eye_;
        const double square = dot(candidate.to, candidate.to);
        if (square > 0 && square < most_ * most_ && cone.holds(candidate.to))
            candidates_.push_back(candidate);
    }

    // Appends the gate to a candidate if there is no wall in its disc.
    void take(const Candidate& candidate, std::vector<FoundGate>& out) {
        chain_.clear();
        for (std::uint32_t w = candidate.window; w != kNone; w = windows_[w].parent)
            chain_.push_back(windows_[w].seen);
        std::reverse(chain_.begin(), chain_.end());
        FoundGate gate{eye_, candidate.end, length(candidate.to), {}};
        Polygon first = candidate.wall.polygon;
        if (!chain_.empty()) first = walls_.at(walls_.piece(chain_.front()).side ^ 1).polygon;
        const auto turn = std::find_if(turns_.begin(), turns_.end(),
                                       [&](const Turn& t) { return t.in.polygon == first; });
        BorderPoint from{turn->out};
        Polygon middle = first;
        for (const PieceAt beyond : chain_) {
            const PieceAt here = walls_.at(walls_.piece(beyond).side ^ 1);
            const BorderPiece& piece = walls_.piece(here);
            const double common = crossing(walls_.openings()[piece.side / 2], gate);
            const double share = (piece.side & 1) == 0 ? common : 1 - common;
            gate.chords.push_back({from, border_point(here, share, common)});
            from = border_point(beyond, 1 - share, common);
            const Flat at =
                flat(piece.begin) - eye_ + (flat(piece.end) - flat(piece.begin)) * share;
            if (2 * dot(at, candidate.to) < dot(candidate.to, candidate.to))
                middle = beyond.polygon;
        }
        gate.chords.push_back(
            {from, border_point(candidate.wall, candidate.share, candidate.share)});
        const double radius = gate.width / 2;
        const Flat centre = (gate.begin + gate.end) * 0.5;
        if (walls_.clearance(middle, centre, radius) >= radius - noise(centre) - kNoise * radius)
            out.push_back(std::move(gate));
    }

    // The point at a share of a piece: a corner at its ends. `stored`: the share as a BorderPoint
    // has it.
    [[nodiscard]] BorderPoint border_point(PieceAt at, double share, double stored) const {
        if (share == 0) return {at};
        if (share == 1) return {walls_.after(at)};
        return {at, stored};
    }

    // Where a gate crosses an opening, as a share from its right end to its left. The same for both
    // directions of the gate, bit for bit.
    [[nodiscard]] static double crossing(const Opening& opening, const FoundGate& gate) {
        const Flat right = flat(opening.ends.right);
        const bool forth = lower(gate.begin, gate.end);
        const Flat from = forth ? gate.begin : gate.end;
        const Flat to = forth ? gate.end - from : gate.begin - from;
        const Flat along = flat(opening.ends.left) - right;
        const double across = cross(along, to);
        return at_end(across == 0 ? 0 : cross(from - right, to) / across, length(along),
                      gate.width);
    }

    const Walls& walls_;
    double most_;
    Flat eye_;                 // the corner
    std::vector<Turn> turns_;  // the polygons around it
    Cone cone_;                // where gates from it may lead
    std::vector<Window> windows_;
    std::vector<std::pair<double, std::uint32_t>> heap_;  // distances and windows
    std::vector<Seen> seen_;
    std::vector<Candidate> candidates_;
    std::vector<PieceAt> chain_;
};

/// Keeps gates that do not cross.
class Planar {
public:
    explicit Planar(const Walls& walls) : walls_(walls), chords_(walls.num_polygons()) {}

    /// Whether a gate neither crosses one that was kept before nor is the same; keeps it if so.
    bool keep(const FoundGate& gate) {
        for (const Chord& chord : gate.chords) {
            const auto [low, high] = ends_of(chord);
            for (const Kept& kept : chords_[chord.from.at.polygon]) {
                const bool crosses = kept.inside(low) != kept.inside(high) && !kept.ends_at(low) &&
                                     !kept.ends_at(high);
                if (crosses || same(kept, gate)) return false;
            }
        }
        for (const Chord& chord : gate.chords) {
            if (const auto [low, high] = ends_of(chord); low != high)
                chords_[chord.from.at.polygon].push_back({low, high, gate.begin, gate.end});
        }
        return true;
    }

private:
    // The chord of a gate.
    struct Kept {
        double low = 0;  // how far along the border it ends, in pieces
        double high = 0;
        Flat gate_begin;
        Flat gate_end;

        [[nodiscard]] bool inside(double at) const { return low < at && at < high; }
        [[nodiscard]] bool ends_at(double at) const { return at == low || at == high; }
    };

    // Whether two gates are the same, but for rounding: each was found from an end of its own.
    static bool same(const Kept& kept, const FoundGate& gate) {
        const double near = noise(gate.begin) + noise(gate.end) + kAtEnd * gate.width;
        const auto at = [&](Flat a, Flat b) { return length(a - b) <= near; };
        return (at(kept.gate_begin, gate.begin) && at(kept.gate_end, gate.end)) ||
               (at(kept.gate_begin, gate.end) && at(kept.gate_end, gate.begin));
    }

    [[nodiscard]] double position(const BorderPoint& p) const {
        if (p.share == BorderPoint::kCorner) return p.at.place;
        const Side side = walls_.piece(p.at).side;
        return p.at.place + (side != kNone && (side & 1) != 0 ? 1 - p.share : p.share);
    }
    [[nodiscard]] std::pair<double, double> ends_of(const Chord& chord) const {
        return std::minmax({position(chord.from), position(chord.to)});
    }

    const Walls& walls_;
    std::vector<std::vector<Kept>> chords_;  // per polygon
};

/// A chord along an opening as one of the opening's first polygon.
Chord on_first_side(const Walls& walls, const Chord& chord) {
    if (chord.from.share != BorderPoint::kCorner || chord.to.share != BorderPoint::kCorner)
        return chord;
    const bool forth = walls.after(chord.from.at) == chord.to.at;
    if (!forth && walls.after(chord.to.at) != chord.from.at) return chord;
    const Side side = walls.piece(forth ? chord.from.at : chord.to.at).side;
    if (side == kNone || (side & 1) == 0) return chord;
    const PieceAt first = walls.at(side ^ 1);
    const Chord back{{walls.after(first)}, {first}};
    return forth ? back : Chord{back.to, back.from};
}

/// A gate is found from both ends. Gives it the form that is the same for both: it begins at the
/// end that comes first by its coordinates.
void unify(const Walls& walls, FoundGate& gate) {
    for (Chord& chord : gate.chords) chord = on_first_side(walls, chord);
    if (lower(gate.begin, gate.end)) return;
    std::swap(gate.begin, gate.end);
    std::reverse(gate.chords.begin(), gate.chords.end());
    for (Chord& chord : gate.chords) std::swap(chord.from, chord.to);
}

}  // namespace

Result<std::vector<FoundGate>> find_gates(const Walls& walls, double most,
                                          const BuildControl& control) {
    std::vector<std::vector<FoundGate>> found(walls.num_polygons());
    cairn::Progress progress(control, std::max<std::size_t>(found.size(), 1));
    const auto new_worker = [&] { return GateFinder(walls, most); };
    Status status = for_each_item(walls.num_polygons(), control, progress, new_worker,
                                  [&](GateFinder& finder, std::uint32_t p) {
                                      const std::span<const BorderPiece> pieces = walls.border(p);
                                      for (std::uint32_t i = 0; i < pieces.size(); ++i) {
                                          if (pieces[i].wall()) finder.find({p, i}, found[p]);
                                      }
                                  });
    if (!status.ok()) return tl::unexpected(std::move(status));
    std::vector<FoundGate> gates;
    for (std::vector<FoundGate>& part : found) {
        std::move(part.begin(), part.end(), std::back_inserter(gates));
        part = {};
    }
    for (FoundGate& gate : gates) unify(walls, gate);
    std::stable_sort(gates.begin(), gates.end(), [](const FoundGate& a, const FoundGate& b) {
        return std::tuple(a.width, a.begin.x, a.begin.z, a.end.x, a.end.z) <
               std::tuple(b.width, b.begin.x, b.begin.z, b.end.x, b.end.z);
    });
    Planar planar(walls);
    std::erase_if(gates, [&](const FoundGate& gate) { return !planar.keep(gate); });
    return gates;
}

}  // namespace cairn::mesh
