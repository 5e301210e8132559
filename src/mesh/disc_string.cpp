#include "cairn/mesh/disc_string.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <tuple>

#include "cairn/mesh/locator.hpp"
#include "core/memory.hpp"
#include "mesh/clearance_data.hpp"
#include "mesh/mesh_build.hpp"

namespace cairn::mesh {
namespace {

// A wall may be nearer than the radius by this share of it, or by rounding errors of corners.
constexpr double kSlack = 1e-5;

double slack(Flat at, double radius) { return kSlack * radius + noise(at); }

Flat unit(Flat v) { return v * (1 / length(v)); }

// Two points of two segments that are nearest to each other.
struct NearPoints {
    double distance = 0;
    Flat on_first;
    Flat on_second;
};

NearPoints nearest(Flat a, Flat b, Flat c, Flat d) {
    const Flat first = b - a;
    const Flat second = d - c;
    const double turn = cross(first, second);
    if (turn != 0) {
        const double s = cross(c - a, second) / turn;
        const double t = cross(c - a, first) / turn;
        if (s >= 0 && s <= 1 && t >= 0 && t <= 1) return {0, a + first * s, a + first * s};
    }
    NearPoints best{std::numeric_limits<double>::infinity(), {}, {}};
    const auto offer = [&](Flat p, Flat q) {
        const double square = dot(p - q, p - q);
        if (square < best.distance) best = {square, p, q};
    };
    offer(a, c + second * nearest_share(c, d, a));
    offer(b, c + second * nearest_share(c, d, b));
    offer(a + first * nearest_share(a, b, c), c);
    offer(a + first * nearest_share(a, b, d), d);
    best.distance = std::sqrt(best.distance);
    return best;
}

// A box around a segment, with its sides along it.
class Around {
public:
    Around(Flat from, Flat to, double margin) : from_(from), margin_(margin) {
        size_ = length(to - from);
        if (size_ > 0) along_ = (to - from) * (1 / size_);
    }
    // Whether a segment lies beyond one side of the box; then it is farther than the margin.
    [[nodiscard]] bool misses(Flat a, Flat b) const {
        const double a_ahead = dot(along_, a - from_);
        const double b_ahead = dot(along_, b - from_);
        const double a_left = cross(along_, a - from_);
        const double b_left = cross(along_, b - from_);
        return std::min(a_ahead, b_ahead) > size_ + margin_ ||
               std::max(a_ahead, b_ahead) < -margin_ || std::min(a_left, b_left) > margin_ ||
               std::max(a_left, b_left) < -margin_;
    }

private:
    Flat from_;
    double margin_;
    Flat along_{1, 0};
    double size_ = 0;
};

// The middle of an arc around the origin that turns to a side, from one vector to another as long.
Flat middle_of_arc(Flat from, Flat to, int side) {
    if (dot(from, to) > 0) return unit(from + to) * length(from);
    const Flat chord = to - from;
    return unit(side > 0 ? Flat{chord.z, -chord.x} : Flat{-chord.z, chord.x}) * length(from);
}

// Fills in the points between the first and the last of such an arc, at equal angles. There are
// 2^n + 1 in all.
void fill_arc(std::span<Flat> points, int side) {
    const std::size_t steps = points.size() - 1;
    for (std::size_t step = steps; step > 1; step /= 2) {
        for (std::size_t i = 0; i < steps; i += step)
            points[i + step / 2] = middle_of_arc(points[i], points[i + step], side);
    }
}

int side_of(Onwards arc) { return arc == Onwards::arc_left ? 1 : -1; }

}  // namespace

Flat DiscString::Part::along() const noexcept { return {to_x - from_x, to_z - from_z}; }

/// Follows the line over the polygons, and looks for walls that are too near.
struct DiscString::Trace {
    DiscString& self;
    const Clearance& clearance;
    double radius;
    Polygon polygon;
    bool arrives = true;  // false once a wall was met on the way

    void go(Flat from, Flat to) {
        const Walls::Walk walk = clearance.data().walls.walk(polygon, from, to);
        polygon = walk.polygon;
        arrives = arrives && walk.arrives;
    }

    // The point of a wall that is too near to a straight part, or to an arc point with its
    // direction, and the side on which the line shall pass it.
    struct Wall {
        Corner corner;
        double distance = 0;
    };

    // Calls visit(wall, nearest points) for the walls within the radius of a straight part.
    template <class Visit>
    void for_walls_near(Flat from, Flat to, Visit&& visit) {
        const Walls& walls = clearance.data().walls;
        const Around around(from, to, radius);
        ++self.round_;
        self.open_.assign(1, polygon);
        self.seen_[polygon] = self.round_;
        while (!self.open_.empty()) {
            const Polygon p = self.open_.back();
            self.open_.pop_back();
            for (const BorderPiece& piece : walls.border(p)) {
                if (around.misses(flat(piece.begin), flat(piece.end))) continue;
                const Polygon next = piece.wall() ? kNone : walls.at(piece.side ^ 1).polygon;
                if (next != kNone && self.seen_[next] == self.round_) continue;
                const NearPoints near = nearest(from, to, flat(piece.begin), flat(piece.end));
                if (near.distance >= radius) continue;
                if (next == kNone) {
                    visit(piece, near);
                } else {
                    self.open_.push_back(next);
                    self.seen_[next] = self.round_;
                }
            }
        }
    }

    std::optional<Wall> wall_near(Flat from, Flat to, Flat onwards) {
        std::optional<Wall> worst;
        for_walls_near(from, to, [&](const BorderPiece& piece, const NearPoints& near) {
            if (near.distance < radius - slack(near.on_second, radius) &&
                (!worst || near.distance < worst->distance))
                worst = wall_at(piece, near, onwards);
        });
        return worst;
    }

    // Whether a wall lies to the left of the point's string, near whose part it is.
    [[nodiscard]] bool left_of_string(const BorderPiece& piece, const NearPoints& near,
                                      std::size_t part) const {
        const std::vector<Waypoint>& string = self.string_;
        const Flat to = flat(string[part + 1].point);
        const Flat along = to - flat(string[part].point);
        const Flat at = near.on_second;
        const double here = cross(along, at - near.on_first);
        if (near.distance <= slack(at, radius)) {
            // The string touches the wall: that lies where its other end is, or if it runs along
            // the string, to its own right.
            const double begin = cross(along, flat(piece.begin) - near.on_first);
            const double end = cross(along, flat(piece.end) - near.on_first);
            const double far = std::abs(begin) > std::abs(end) ? begin : end;
            if (std::abs(far) > length(along) * slack(at, radius)) return far > 0;
            return dot(along, flat(piece.end) - flat(piece.begin)) < 0;
        }
        if (near.on_first == to && part + 2 < string.size()) {
            // Where the string turns left, what lies to its right is more than half a circle.
            const Flat next = flat(string[part + 2].point) - to;
            const bool left_of_next = cross(next, at - to) > 0;
            return cross(along, next) > 0 ? here > 0 && left_of_next : here > 0 || left_of_next;
        }
        return here > 0;
    }
    [[nodiscard]] bool left_of_string(const BorderPiece& piece) const {
        std::size_t nearest_part = 0;
        NearPoints best;
        for (std::size_t part = 0; part + 1 < self.string_.size(); ++part) {
            const NearPoints near =
                nearest(flat(self.string_[part].point), flat(self.string_[part + 1].point),
                        flat(piece.begin), flat(piece.end));
            if (part > 0 && near.distance >= best.distance) continue;
            best = near;
            nearest_part = part;
        }
        return left_of_string(piece, best, nearest_part);
    }

    // Appends the corners of walls within the radius of a part of the point's string, in their
    // order.
    void append_corners(std::size_t part) {
        const std::vector<Waypoint>& string = self.string_;
        const Flat from = flat(string[part].point);
        const Flat to = flat(string[part + 1].point);
        const Flat next = flat(string[std::min(part + 2, string.size() - 1)].point);
        const Flat along = to - from;
        const std::size_t first = self.corners_.size();
        for_walls_near(from, to, [&](const BorderPiece& piece, const NearPoints& near) {
            // Neighbouring tiles may have the same corner with different rounding.
            const auto of_string = [&](Flat corner) {
                const double most = slack(corner, 0);
                return length(from - corner) <= most || length(to - corner) <= most ||
                       length(next - corner) <= most;
            };
            if (of_string(near.on_second) || (near.on_first == from && part > 0)) return;
            const int side = left_of_string(piece, near, part) ? 1 : -1;
            for (const Point& corner : {piece.begin, piece.end}) {
                const Flat c = flat(corner);
                if (of_string(c)) continue;
                if (length(from + along * nearest_share(from, to, c) - c) < radius)
                    self.corners_.push_back({c.x, c.z, corner.y, radius, side});
            }
        });
        const auto ahead = [&](const Corner& c) { return dot(Flat{c.x, c.z} - from, along); };
        std::sort(self.corners_.begin() + static_cast<std::ptrdiff_t>(first), self.corners_.end(),
                  [&](const Corner& a, const Corner& b) {
                      return std::tuple(ahead(a), a.x, a.z, a.side) <
                             std::tuple(ahead(b), b.x, b.z, b.side);
                  });
    }

    // The corner around which a line has to go that comes too near to a wall or crosses it.
    Wall wall_at(const BorderPiece& piece, const NearPoints& near, Flat onwards) const {
        const Flat at = near.on_second;
        const bool left =
            near.distance > 0 ? cross(onwards, at - near.on_first) > 0 : left_of_string(piece);
        const int side = left ? 1 : -1;
        // Of the wall's ends the one that is nearest, or sticks out farthest towards the line.
        const double begin = side * cross(onwards, flat(piece.begin) - near.on_first);
        const double end = side * cross(onwards, flat(piece.end) - near.on_first);
        bool at_begin = begin < end;
        if (near.distance > 0 && at == flat(piece.begin)) at_begin = true;
        if (near.distance > 0 && at == flat(piece.end)) at_begin = false;
        const Point& corner = at_begin ? piece.begin : piece.end;
        return {{double{corner.x}, double{corner.z}, corner.y, radius, side, true}, near.distance};
    }

    // Goes along a straight part; the wall that is too near, if any.
    std::optional<Wall> straight(const Part& part) {
        const Flat from{part.from_x, part.from_z};
        const Flat to{part.to_x, part.to_z};
        auto wall = wall_near(from, to, to - from);
        if (!wall) go(from, to);
        return wall;
    }

    // Goes along an arc.
    std::optional<Wall> arc(const Corner& corner, Flat from, Flat to) {
        const Flat centre{corner.x, corner.z};
        std::array<Flat, 9> points;
        const Flat begin = from - centre;
        const Flat end = to - centre;
        // Steps of about 45 degrees at most, but two at least.
        const double angle = dot(begin, end) / dot(begin, begin);
        const std::size_t steps = angle < 0 ? 8 : angle < 0.7 ? 4 : 2;
        points[0] = begin;
        points[steps] = end;
        fill_arc(std::span(points).first(steps + 1), corner.side);
        for (std::size_t i = 1; i <= steps; ++i) {
            const Flat at = centre + points[i];
            go(centre + points[i - 1], at);
            if (i == steps) break;  // the next straight part begins there
            const Flat outwards = points[i] * corner.side;
            if (auto wall = wall_near(at, at, {-outwards.z, outwards.x}); wall) return wall;
        }
        return std::nullopt;
    }
};

// The line that passes two corners at their radii and sides, between the points where it touches
// their circles. False if there is none.
bool DiscString::tangent(const Corner& a, const Corner& b, Part& part) noexcept {
    const Flat from{a.x, a.z};
    const Flat to{b.x, b.z};
    const double size = length(to - from);
    const double a_left = a.side * a.radius;
    const double b_left = b.side * b.radius;
    // The distances to the left of the line differ by the sine of its angle with the centres' line.
    const double sine = size > 0 ? (b_left - a_left) / size : 2;
    if (!(std::abs(sine) <= 1)) return false;
    const double cosine = std::sqrt(1 - sine * sine);
    const Flat centres = (to - from) * (1 / size);
    const Flat along{centres.x * cosine + centres.z * sine, centres.z * cosine - centres.x * sine};
    const Flat left{-along.z, along.x};
    const Flat begin = from - left * a_left;
    const Flat end = to - left * b_left;
    part = {begin.x, begin.z, end.x, end.z};
    return true;
}

// Takes the corners that the line turns around, in order, and makes its straight parts. A corner
// that it turns around the wrong way is left out. False if there is no line.
bool DiscString::tighten() {
    turns_.assign(1, 0);
    parts_.clear();
    const auto last = static_cast<std::uint32_t>(corners_.size()) - 1;
    const auto leave_out = [&] {
        corners_[turns_.back()].turned = false;
        turns_.pop_back();
        parts_.pop_back();
    };
    for (std::uint32_t i = 1; i <= last; ++i) {
        Corner& corner = corners_[i];
        if (i != last && !corner.turned) continue;
        while (true) {
            Part part;
            const bool possible = tangent(corners_[turns_.back()], corner, part);
            const Corner& before = corners_[turns_.back()];
            if (!possible) {
                // A corner of polygons that is too near to one of a wall is never passed.
                if (turns_.size() > 1 && before.radius == 0) {
                    corners_[turns_.back()].side = 0;
                    leave_out();
                    continue;
                }
                if (i == last || corner.radius != 0) return false;
                corner.side = 0;
                corner.turned = false;
                break;
            }
            if (turns_.size() > 1 && cross(parts_.back().along(), part.along()) * before.side < 0) {
                leave_out();
                continue;
            }
            parts_.push_back(part);
            turns_.push_back(i);
            break;
        }
    }
    return true;
}

// Has the line turn around the corners that it passes too near or on the wrong side: in each part
// of the line the worst. False if there are none.
bool DiscString::turn_around_more() {
    bool more = false;
    for (std::size_t k = 0; k + 1 < turns_.size(); ++k) {
        const Part& part = parts_[k];
        const Flat from{part.from_x, part.from_z};
        const Flat along = part.along();
        const double size = length(along);
        if (size == 0) continue;
        double worst = 0;
        std::uint32_t at = kNone;
        for (std::uint32_t i = turns_[k] + 1; i < turns_[k + 1]; ++i) {
            const Corner& c = corners_[i];
            const Flat to = Flat{c.x, c.z} - from;
            const double ahead = dot(to, along);
            if (c.side == 0 || ahead <= 0 || ahead >= size * size) continue;
            const double missing = c.radius - c.side * cross(along, to) / size;
            if (missing <= slack({c.x, c.z}, c.radius) || missing <= worst) continue;
            worst = missing;
            at = i;
        }
        if (at == kNone) continue;
        corners_[at].turned = true;
        more = true;
    }
    return more;
}

// Makes the line past the corners. False if there is none.
bool DiscString::pull_tight() {
    constexpr int kMostRounds = 200;
    for (int round = 0; round < kMostRounds; ++round) {
        if (!tighten()) return false;
        if (!turn_around_more()) return true;
    }
    return false;
}

// Adds a corner that lies beside part k of the line, or marks it if it is there.
bool DiscString::add(std::size_t k, const Corner& corner) {
    const Flat from{parts_[k].from_x, parts_[k].from_z};
    const Flat along = parts_[k].along();
    const auto ahead = [&](const Corner& c) { return dot(Flat{c.x, c.z} - from, along); };
    // A corner behind the part comes before the corner at which that begins, for instance.
    std::size_t before = turns_[k];
    std::size_t after = turns_[k + 1];
    if (ahead(corner) < 0 && k > 0) {
        after = before;
        before = turns_[k - 1];
    } else if (ahead(corner) > dot(along, along) && k + 2 < turns_.size()) {
        before = after;
        after = turns_[k + 2];
    }
    std::size_t place = before + 1;
    for (std::size_t i = before; i <= after; ++i) {
        Corner& c = corners_[i];
        if (c.x == corner.x && c.z == corner.z && c.side == corner.side) {
            if (c.turned) return false;
            c.turned = true;
            return true;
        }
        if (i > before && i < after && ahead(c) < ahead(corner)) place = i + 1;
    }
    corners_.insert(corners_.begin() + static_cast<std::ptrdiff_t>(place), corner);
    return true;
}

// Appends the line past corners_, whose first and last are its ends, without the last.
StatusCode DiscString::section(const Clearance& clearance, double radius, Polygon first,
                               std::vector<DiscWaypoint>& out) {
    const Mesh& whole = clearance.whole();
    constexpr int kMostRounds = 1000;
    const auto waypoint = [&](Flat at, Polygon polygon) {
        DiscWaypoint made;
        made.point = {static_cast<float>(at.x), 0, static_cast<float>(at.z)};
        made.point.y = height(whole, polygon, made.point);
        made.polygon = polygon;
        return made;
    };
    const std::size_t begin = out.size();
    for (int round = 0; round < kMostRounds; ++round) {
        if (!pull_tight()) return StatusCode::no_path;
        out.resize(begin);
        Trace trace{*this, clearance, radius, first};
        std::optional<Trace::Wall> wall;
        std::size_t k = 0;
        for (;; ++k) {
            const Part& part = parts_[k];
            DiscWaypoint at = waypoint({part.from_x, part.from_z}, trace.polygon);
            if (k == 0) at.point.y = corners_.front().y;
            out.push_back(at);
            wall = trace.straight(part);
            if (wall || k + 1 == parts_.size()) break;
            const Corner& corner = corners_[turns_[k + 1]];
            if (corner.radius == 0) continue;
            at = waypoint({part.to_x, part.to_z}, trace.polygon);
            at.onwards = corner.side > 0 ? Onwards::arc_left : Onwards::arc_right;
            at.corner = {static_cast<float>(corner.x), corner.y, static_cast<float>(corner.z)};
            out.push_back(at);
            wall = trace.arc(corner, {part.to_x, part.to_z},
                             {parts_[k + 1].from_x, parts_[k + 1].from_z});
            if (wall) break;
        }
        if (!wall) return trace.arrives ? StatusCode::ok : StatusCode::no_path;
        if (!add(k, wall->corner)) return StatusCode::no_path;
    }
    return StatusCode::no_path;
}

StatusCode DiscString::pull(const Clearance& clearance, double radius, const Place& start,
                            const Place& goal, std::span<const Link> links,
                            std::vector<DiscWaypoint>& out) noexcept try {
    out.clear();
    const Mesh& mesh = clearance.mesh();
    const Walls& walls = clearance.data().walls;
    const auto room = [&](const Place& place) {
        return walls.clearance(clearance.origin(place.polygon), flat(place.point), radius);
    };
    if (room(start) < radius - slack(flat(start.point), radius)) return StatusCode::start_blocked;
    if (room(goal) < radius - slack(flat(goal.point), radius)) return StatusCode::goal_blocked;
    if (seen_.size() < clearance.whole().num_polygons())
        seen_.resize(clearance.whole().num_polygons());
    funnel_.pull(mesh, start.point, goal.point, links, string_);
    const auto fixed = [](const Point& p) { return Corner{double{p.x}, double{p.z}, p.y, 0, 0}; };
    Polygon first = clearance.origin(start.polygon);
    Trace trace{*this, clearance, radius, first};
    corners_.assign(1, fixed(start.point));
    for (std::size_t i = 1; i < string_.size(); ++i) {
        const auto& [point, link] = string_[i];
        if (i > 1) trace.polygon = clearance.origin(mesh.polygon_of(twin(string_[i - 1].link)));
        if (!clearance.whole().is_connection(trace.polygon)) trace.append_corners(i - 1);
        const bool last = i + 1 == string_.size();
        const Point left = last ? point : mesh.left(link);
        const Point right = last ? point : mesh.right(link);
        if (same_seen_from_above(left, right)) {
            // The goal, or the end of a connection.
            corners_.push_back(fixed(point));
            const bool stays =
                same_seen_from_above(string_[i - 1].point, point) && corners_.size() == 2;
            if (stays || clearance.whole().is_connection(first)) {
                out.push_back({string_[i - 1].point, first, Onwards::straight, {}});
            } else if (const StatusCode code = section(clearance, radius, first, out);
                       code != StatusCode::ok) {
                out.clear();
                return code;
            }
            corners_.assign(1, fixed(point));
            if (!last) first = clearance.origin(mesh.polygon_of(twin(link)));
            continue;
        }
        const double near =
            walls.clearance(clearance.origin(mesh.polygon_of(link)), flat(point), radius);
        const bool at_wall = near <= slack(flat(point), radius);
        if (!at_wall && near < radius) continue;
        const int side = same_seen_from_above(point, left) ? 1 : -1;
        corners_.push_back(
            {double{point.x}, double{point.z}, point.y, at_wall ? radius : 0, side, true});
    }
    DiscWaypoint end;
    end.point = goal.point;
    end.polygon = clearance.origin(goal.polygon);
    out.push_back(end);
    return StatusCode::ok;
} catch (...) {
    out.clear();
    return StatusCode::out_of_memory;
}

std::size_t DiscString::memory() const noexcept {
    return funnel_.memory() + memory_of(string_, corners_, turns_, parts_, seen_, open_);
}

StatusCode polyline(std::span<const DiscWaypoint> waypoints, double tolerance,
                    std::vector<LinePoint>& out) noexcept try {
    constexpr std::size_t kMostChords = 4096;
    out.clear();
    if (!(tolerance > 0)) return StatusCode::bad_option;
    std::vector<Flat> arc;
    for (std::size_t i = 0; i < waypoints.size(); ++i) {
        const DiscWaypoint& from = waypoints[i];
        out.push_back({from.point.x, from.point.y, from.point.z});
        if (from.onwards == Onwards::straight || i + 1 == waypoints.size()) continue;
        const DiscWaypoint& to = waypoints[i + 1];
        const Flat centre = flat(from.corner);
        const int side = side_of(from.onwards);
        const Flat begin = flat(from.point) - centre;
        const Flat end = flat(to.point) - centre;
        std::size_t chords = 1;
        // A chord is farthest from its arc in their middles.
        for (Flat next = end;
             chords < kMostChords && length(begin) - length((begin + next) * 0.5) > tolerance;
             chords *= 2)
            next = middle_of_arc(begin, next, side);
        arc.assign(chords + 1, begin);
        arc.back() = end;
        fill_arc(arc, side);
        const double rise = (double{to.point.y} - from.point.y) / static_cast<double>(chords);
        for (std::size_t k = 1; k < chords; ++k) {
            const Flat at = centre + arc[k];
            out.push_back({at.x, from.point.y + rise * static_cast<double>(k), at.z});
        }
    }
    return StatusCode::ok;
} catch (...) {
    out.clear();
    return StatusCode::out_of_memory;
}

double length(std::span<const DiscWaypoint> waypoints) noexcept {
    double sum = 0;
    for (std::size_t i = 1; i < waypoints.size(); ++i) {
        const DiscWaypoint& from = waypoints[i - 1];
        const Flat a = flat(from.point);
        const Flat b = flat(waypoints[i].point);
        if (from.onwards == Onwards::straight) {
            sum += length(b - a);
            continue;
        }
        // Halves the arc until its chords are as long as itself.
        const Flat centre = flat(from.corner);
        const int side = side_of(from.onwards);
        const Flat begin = a - centre;
        Flat end = b - centre;
        double chords = 1;
        for (int halving = 0; halving < 12; ++halving, chords *= 2)
            end = middle_of_arc(begin, end, side);
        sum += chords * length(end - begin);
    }
    return sum;
}

}  // namespace cairn::mesh
