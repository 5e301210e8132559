#include "mesh/walls.hpp"

#include <algorithm>
#include <array>
#include <limits>

namespace cairn::mesh {
namespace {

// Given portals are rounded. An end of one that is nearer to a corner of its polygons than this
// share of the portal is at that corner. A gap between two portals, or between a portal and a
// corner, is not a wall if it is shorter than this share of the portals beside it.
constexpr double kGap = 1.0 / 64;

// Whether the polygon belongs to the surface.
bool walkable(const MeshData& mesh, Polygon p) {
    const MeshTopology& t = *mesh.topology;
    return t.num_corners(p) > 2 && !bends(t.oddity(p)) && mesh.blocked[p] == 0 &&
           !mesh.closed(mesh.areas[p]);
}

template <class T>
std::vector<T> sorted(std::vector<T> values) {
    std::sort(values.begin(), values.end());
    return values;
}

double distance_to(Flat a, Flat b, Flat p) {
    return length(a + (b - a) * nearest_share(a, b, p) - p);
}

// The openings of a mesh.
class Openings {
public:
    explicit Openings(const MeshData& mesh) : mesh_(mesh), flat_(mesh.num_polygons(), false) {
        const MeshTopology& t = *mesh.topology;
        for (Polygon p = 0; p < mesh.num_polygons(); ++p)
            flat_[p] = walkable(mesh, p) && t.oddity(p) == Oddity::no_area;
        for (Link link = 0; link < mesh.num_links(); link += 2) add_portal(link);
        // The openings of each polygon without area. Two of them have only points between them.
        const std::vector<std::pair<Polygon, std::size_t>> at_flat = sorted(std::move(at_flat_));
        for (auto first = at_flat.begin(); first != at_flat.end();) {
            const auto last = std::find_if(first, at_flat.end(), [&](const auto& entry) {
                return entry.first != first->first;
            });
            dissolve({first, last});
            first = last;
        }
        std::erase_if(all_, [&](const Opening& o) { return flat_[o.first] || flat_[o.second]; });
    }
    std::vector<Opening> take() { return std::move(all_); }

private:
    void add_portal(Link link) {
        const MeshTopology& t = *mesh_.topology;
        const Polygon first = t.link_polygon[link];
        const Polygon second = t.link_polygon[twin(link)];
        if (first == kNone || t.part(portal_of(link)) != 0) return;
        const bool forth = t.passable[link] != 0;
        const bool back = t.passable[twin(link)] != 0;
        if (!(forth || back) || !walkable(mesh_, first) || !walkable(mesh_, second)) return;
        const PortalEnds& ends = t.ends[portal_of(link)];
        const double near = kGap * length(flat(ends.left) - flat(ends.right));
        add({first,
             second,
             {at_corner(ends.left, first, second, near),
              at_corner(ends.right, first, second, near)},
             forth,
             back,
             portal_of(link)});
    }

    // The corner of two polygons that is nearest to a point, or the point if none is near.
    [[nodiscard]] Point at_corner(const Point& point, Polygon first, Polygon second,
                                  double near) const {
        const MeshTopology& t = *mesh_.topology;
        Point nearest = point;
        for (const Polygon p : {first, second}) {
            for (std::uint32_t c = t.first_corner[p]; c < t.first_corner[p + 1]; ++c) {
                const Point& corner = t.vertices[t.corners[c]];
                const double away = length(flat(corner) - flat(point));
                if (away >= near) continue;
                near = away;
                nearest = corner;
            }
        }
        return nearest;
    }

    void add(const Opening& opening) {
        if (same_seen_from_above(opening.ends.left, opening.ends.right)) return;
        for (const Polygon p : {opening.first, opening.second}) {
            if (flat_[p]) at_flat_.emplace_back(p, all_.size());
        }
        all_.push_back(opening);
    }

    // An opening of a polygon without area, as seen when leaving it.
    struct Face {
        Polygon beyond = 0;
        PortalEnds ends;
        bool out = true;
        bool in = true;
    };

    // Joins the polygons on both sides of one without area, whose openings are given.
    void dissolve(std::span<const std::pair<Polygon, std::size_t>> openings) {
        std::vector<Face> faces;
        for (const auto& [p, i] : openings) {
            const Opening& o = all_[i];
            const bool leaves = o.first == p;
            faces.push_back({leaves ? o.second : o.first,
                             leaves ? o.ends : PortalEnds{o.ends.right, o.ends.left},
                             leaves ? o.forth : o.back, leaves ? o.back : o.forth});
        }
        for (std::size_t i = 0; i < faces.size(); ++i) {
            for (std::size_t j = 0; j < i; ++j) join(faces[j], faces[i]);
        }
    }
    void join(const Face& a, const Face& b) {
        const Flat left = flat(a.ends.left);
        const Flat right = flat(a.ends.right);
        const Flat along = left - right;
        // On the other side the left end comes first.
        if (a.beyond == b.beyond || dot(along, flat(b.ends.left) - flat(b.ends.right)) >= 0) return;
        const double first = nearest_share(right, left, flat(b.ends.left));
        const double last = nearest_share(right, left, flat(b.ends.right));
        if (!(first < last)) return;
        const auto at = [&](double share) { return between(a.ends.right, a.ends.left, share); };
        // Leaving b's polygon, what is left for a is right.
        add({b.beyond, a.beyond, {at(last), at(first)}, b.in && a.out, a.in && b.out});
    }

    const MeshData& mesh_;
    std::vector<Opening> all_;
    std::vector<bool> flat_;  // per polygon: whether it has no area
    std::vector<std::pair<Polygon, std::size_t>> at_flat_;
};

// The border of one polygon.
class Border {
public:
    Border(const MeshTopology& t, Polygon p) {
        for (std::uint32_t c = t.first_corner[p]; c < t.first_corner[p + 1]; ++c)
            corners_.push_back(t.vertices[t.corners[c]]);
        open_.resize(corners_.size());
    }

    // Adds an opening, whose ends are given as seen when leaving the polygon.
    void open(const PortalEnds& ends, Side side) {
        const Flat begin = flat(ends.right);
        const Flat end = flat(ends.left);
        std::size_t best = 0;
        double least = std::numeric_limits<double>::infinity();
        for (std::size_t e = 0; e < corners_.size(); ++e) {
            const Flat a = flat(corner(e));
            const Flat b = flat(corner(e + 1));
            const double far = std::max(distance_to(a, b, begin), distance_to(a, b, end));
            if (far < least && dot(b - a, end - begin) > 0) {
                least = far;
                best = e;
            }
        }
        const double share = nearest_share(flat(corner(best)), flat(corner(best + 1)), begin);
        open_[best].push_back(
            {share, {ends.right, ends.left, side, static_cast<std::uint32_t>(best)}});
    }

    // Appends the pieces in order.
    void append_to(std::vector<BorderPiece>& out) {
        for (std::size_t e = 0; e < corners_.size(); ++e) append_edge(e, out);
    }

private:
    struct Open {
        double share = 0;  // of the edge, where the opening begins
        BorderPiece piece;
    };

    [[nodiscard]] const Point& corner(std::size_t i) const {
        return corners_[i == corners_.size() ? 0 : i];
    }
    void append_edge(std::size_t e, std::vector<BorderPiece>& out) {
        std::sort(open_[e].begin(), open_[e].end(), [](const Open& a, const Open& b) {
            return a.share != b.share ? a.share < b.share : a.piece.side < b.piece.side;
        });
        const std::size_t first = out.size();
        const Flat along = flat(corner(e + 1)) - flat(corner(e));
        Point from = corner(e);
        double size = 0;  // of the opening before
        // Appends the wall from `from` to an opening of some size, or to the corner. False where
        // that is only a gap.
        const auto close = [&](const Point& to, double next_size) {
            const Flat gap = flat(to) - flat(from);
            const bool wall = dot(gap, along) > 0 && length(gap) > kGap * (size + next_size);
            if (wall) out.push_back({from, to, kNone, static_cast<std::uint32_t>(e)});
            size = next_size;
            return wall;
        };
        for (const Open& open : open_[e]) {
            close(open.piece.begin, length(flat(open.piece.end) - flat(open.piece.begin)));
            out.push_back(open.piece);
            from = open.piece.end;
        }
        // The pieces lead from corner to corner.
        if (!close(corner(e + 1), 0) && out.size() > first) out.back().end = corner(e + 1);
        if (out.size() > first) out[first].begin = corner(e);
    }

    std::vector<Point> corners_;
    std::vector<std::vector<Open>> open_;  // per edge
};

}  // namespace

Walls::Walls(const MeshData& mesh) : openings_(Openings(mesh).take()) {
    const MeshTopology& t = *mesh.topology;
    std::vector<std::uint32_t> first(mesh.num_polygons() + std::size_t{1});
    for (const Opening& opening : openings_) {
        ++first[opening.first + 1];
        ++first[opening.second + 1];
    }
    for (std::size_t p = 1; p < first.size(); ++p) first[p] += first[p - 1];
    std::vector<Side> sides(2 * openings_.size());
    std::vector<std::uint32_t> next(first.begin(), first.end() - 1);
    for (Side side = 0; side < sides.size(); ++side) {
        const Opening& opening = openings_[side / 2];
        sides[next[(side & 1) == 0 ? opening.first : opening.second]++] = side;
    }
    place_.resize(sides.size());
    first_.reserve(first.size());
    for (Polygon p = 0; p < mesh.num_polygons(); ++p) {
        if (walkable(mesh, p) && t.oddity(p) == Oddity::none) {
            Border border(t, p);
            for (std::uint32_t i = first[p]; i < first[p + 1]; ++i) {
                const PortalEnds& ends = openings_[sides[i] / 2].ends;
                border.open((sides[i] & 1) == 0 ? ends : PortalEnds{ends.right, ends.left},
                            sides[i]);
            }
            border.append_to(pieces_);
        }
        for (std::size_t i = first_.back(); i < pieces_.size(); ++i) {
            if (!pieces_[i].wall())
                place_[pieces_[i].side] = static_cast<std::uint32_t>(i) - first_.back();
        }
        first_.push_back(static_cast<std::uint32_t>(pieces_.size()));
    }
}

namespace {

// A look around from a point, for the nearest wall.
class Look {
public:
    Look(const Walls& walls, Flat eye, double most) : walls_(walls), eye_(eye) {
        nearest_.distance = most;
    }

    Walls::Nearest from(Polygon polygon) noexcept {
        stand_in(polygon);
        for (std::size_t i = 0; i < num_around_; ++i) look({around_[i]}, kNone, nullptr);
        return nearest_;
    }

private:
    // A polygon that is seen, and those through which it is seen.
    struct Frame {
        Polygon polygon = 0;
        const Frame* before = nullptr;
        std::uint32_t depth = 0;
    };
    // Adds a polygon that holds the eye, unless it is known. If very many do, they count as walls.
    void stand_in(Polygon p) {
        const auto end = around_.begin() + num_around_;
        if (std::find(around_.begin(), end, p) != end) return;
        if (num_around_ == around_.size()) {
            nearest_ = {0, eye_, {}};
        } else {
            around_[num_around_++] = p;
        }
    }

    void look(const Frame& frame, std::uint32_t entry, const Cone* cone) noexcept;

    const Walls& walls_;
    Flat eye_;
    Walls::Nearest nearest_;
    std::array<Polygon, 64> around_{};  // the polygons that hold the eye
    std::size_t num_around_ = 0;
};

// Looks at the border of a polygon, but for the piece through which it is seen. `cone`: what can be
// seen of it, null if the eye is in it.
void Look::look(const Frame& frame, std::uint32_t entry, const Cone* cone) noexcept {
    const std::span<const BorderPiece> pieces = walls_.border(frame.polygon);
    for (std::uint32_t i = 0; i < pieces.size(); ++i) {
        if (i == entry) continue;
        const BorderPiece& piece = pieces[i];
        Flat a = flat(piece.begin) - eye_;
        Flat b = flat(piece.end) - eye_;
        // What lies beyond a line that is too far away is too far, too.
        const double turn = cross(a, b);
        const double most = nearest_.distance;
        if (turn > 0 && turn * turn >= most * most * dot(b - a, b - a)) continue;
        // Whether the eye is on the line of the piece, or behind it.
        const double noise = Cone::kNoAngle * length(a) * length(b);
        const bool edge_on = turn <= noise;
        if (cone != nullptr) {
            if (edge_on &&
                (turn < -noise || !piece.wall() || !cone->holds(length(a) < length(b) ? a : b)))
                continue;
            if (!edge_on && !cone->clip(a, b)) continue;
        } else if (edge_on && !piece.wall()) {
            if (dot(a, b) <= 0) stand_in(walls_.at(piece.side ^ 1).polygon);
            continue;
        }
        const Flat nearest = a + (b - a) * nearest_share(a, b, {});
        const double distance = length(nearest);
        if (distance >= nearest_.distance) continue;
        if (piece.wall() || frame.depth == Walls::kMostDepth) {
            nearest_ = {distance, eye_ + nearest, flat(piece.end) - flat(piece.begin)};
            continue;
        }
        // A line crosses no polygon twice: what seems so is a rounding error.
        const PieceAt beyond = walls_.at(piece.side ^ 1);
        bool crossed = false;
        for (const Frame* f = &frame; f != nullptr && !crossed; f = f->before)
            crossed = f->polygon == beyond.polygon;
        if (crossed) continue;
        const Cone seen{a, b};
        look({beyond.polygon, &frame, frame.depth + 1}, beyond.place, &seen);
    }
}

}  // namespace

Walls::Nearest Walls::nearest(Polygon polygon, Flat point, double most) const noexcept {
    return Look(*this, point, most).from(polygon);
}

Walls::Walk Walls::walk(Polygon polygon, Flat from, Flat to) const noexcept {
    const Flat along = to - from;
    const double near = noise(from);
    const double size = length(along);
    std::uint32_t entry = kNone;
    for (std::uint32_t step = 0; step < num_polygons(); ++step) {
        // The piece at which the line leaves the polygon. Where rounding errors make it miss the
        // polygon, the opening that `to` is farthest beyond.
        const std::span<const BorderPiece> pieces = border(polygon);
        const BorderPiece* exit = nullptr;
        int best = 0;
        double farthest = 0;
        for (std::uint32_t i = 0; i < pieces.size(); ++i) {
            if (i == entry) continue;
            const Flat begin = flat(pieces[i].begin);
            const Flat end = flat(pieces[i].end);
            const double beyond = -cross(end - begin, to - begin);
            if (beyond <= near * length(end - begin)) continue;
            const double right = cross(along, begin - from);
            const double left = cross(along, end - from);
            const bool crosses = right <= near * size && left >= -near * size && right < left;
            const int rank = (crosses ? 2 : 0) + (pieces[i].wall() ? 0 : 1);
            const double far = beyond / length(end - begin);
            if (exit != nullptr && (rank < best || (rank == best && far <= farthest))) continue;
            exit = &pieces[i];
            best = rank;
            farthest = far;
        }
        if (exit == nullptr) return {polygon, true};
        // A wall that is not crossed is hardly in the way: it only bends a little.
        if (exit->wall()) return {polygon, best == 0 && farthest <= 100 * near};
        const PieceAt next = at(exit->side ^ 1);
        polygon = next.polygon;
        entry = next.place;
    }
    return {polygon, false};
}

}  // namespace cairn::mesh
