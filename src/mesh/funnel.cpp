#include "cairn/mesh/funnel.hpp"

#include <cmath>

#include "core/memory.hpp"
#include "mesh/mesh_data.hpp"

namespace cairn::mesh {
namespace {

// Coordinates here are x and z, seen from above. At is a Point or a Bend.

// Twice the signed area of the triangle of three points. Positive where `to` lies to the left of
// the ray from `from` through `through`.
template <class At>
double area(const At& from, const At& through, const At& to) noexcept {
    return (through.x - from.x) * (to.z - from.z) - (through.z - from.z) * (to.x - from.x);
}

// The same, but 0 where the angle at `from` is within the rounding error of this computation.
template <class At>
double side(const At& from, const At& through, const At& to) noexcept {
    constexpr double kAngle = 1e-9;
    const double value = area(from, through, to);
    const double scale = (std::abs(through.x - from.x) + std::abs(through.z - from.z)) *
                         (std::abs(to.x - from.x) + std::abs(to.z - from.z));
    return std::abs(value) > kAngle * scale ? value : 0;
}

// The dot product of the vectors from `from` to `through` and to `to`: how far `to` lies in the
// direction of `through`, times the distance of `through`.
template <class At>
double along(const At& from, const At& through, const At& to) noexcept {
    return (through.x - from.x) * (to.x - from.x) + (through.z - from.z) * (to.z - from.z);
}

// Where the line from a to b crosses a portal. If rounding makes it miss the portal, or if it runs
// along the portal: the portal's point nearest to a or b.
Point crossing(const Point& left, const Point& right, const Point& a, const Point& b) noexcept {
    const double before = cross(right - left, a - left);
    const double behind = cross(right - left, b - left);
    if (before == behind) return nearest_between(left, right, a);
    const double share = before / (before - behind);  // of the line from a to b
    if (share <= 0) return nearest_between(left, right, a);
    if (share >= 1) return nearest_between(left, right, b);
    const double to_left = cross(b - a, left - a);
    const double to_right = cross(b - a, right - a);
    return between(left, right, to_left / (to_left - to_right));
}

// The ends of the portals of a corridor, left and right in the direction of walking. A corridor may
// cross a divided portal at one part and come back over another, because walking behind the portal
// is cheaper. The path then crosses at the midpoints of those two parts.
class Spans {
public:
    Spans(const MeshTopology& topology, std::span<const Link> links)
        : mesh_(topology), links_(links) {}

    // The ends at the link at `place` in the corridor.
    [[nodiscard]] PortalEnds at(std::size_t place) const noexcept {
        const Link link = links_[place];
        if (!mesh_.parts.empty() && turns_back(place)) {
            const Point& middle = mesh_.midpoints[portal_of(link)];
            return {middle, middle};
        }
        const PortalEnds& ends = mesh_.ends[portal_of(link)];
        return (link & 1) == 0 ? ends : PortalEnds{ends.right, ends.left};
    }

private:
    // Whether the link before or after this one crosses a part of the same portal.
    [[nodiscard]] bool turns_back(std::size_t place) const noexcept {
        const Link link = links_[place];
        return (place > 0 && mesh_.same_whole(links_[place - 1], link)) ||
               (place + 1 < links_.size() && mesh_.same_whole(links_[place + 1], link));
    }

    const MeshTopology& mesh_;
    std::span<const Link> links_;
};

// The point itself, or if it lies a little beyond a portal, because corners are rounded, its
// nearest point on the portal. From beyond the portal, its left end would be to the right.
Point in_front(const Point& point, const PortalEnds& ends) noexcept {
    constexpr double kLittle = 1e-3;  // of the length of the portal
    const Vector along = ends.left - ends.right;
    const double beyond = -cross(along, point - ends.right);
    const bool little = beyond > 0 && beyond <= kLittle * (along.x * along.x + along.z * along.z);
    return little ? nearest_between(ends.left, ends.right, point) : point;
}

// Makes the waypoints of a string from its bends, and between them the crossings that are wanted.
class Walk {
public:
    Walk(const Mesh& mesh, std::span<const Link> links, Crossings crossings,
         std::vector<Waypoint>& out)
        : mesh_(mesh), links_(links), crossings_(crossings), out_(out) {}

    // Walks to a bend of the string at the link at `place`, or to the goal, whose place comes after
    // the last link.
    void to(const Waypoint& bend, std::size_t place) {
        if (crossings_ != Crossings::corners) cross_to(bend.point, place);
        next_ = place + 1;
        out_.push_back(bend);
    }

private:
    void cross_to(const Point& point, std::size_t place) {
        for (; next_ < place; ++next_) {
            const Link link = links_[next_];
            if (crossings_ == Crossings::areas && !changes_area(link)) continue;
            const Point from = out_.back().point;
            out_.push_back({crossing(mesh_.left(link), mesh_.right(link), from, point), link});
        }
    }
    [[nodiscard]] bool changes_area(Link link) const noexcept {
        return mesh_.area(mesh_.polygon_of(link)) != mesh_.area(mesh_.polygon_of(twin(link)));
    }

    const Mesh& mesh_;
    std::span<const Link> links_;
    Crossings crossings_;
    std::vector<Waypoint>& out_;
    std::size_t next_ = 0;  // the place of the next link to be crossed
};

}  // namespace

std::size_t Funnel::memory() const noexcept { return memory_of(bends_, string_); }

Funnel::Bend Funnel::bend_at(const Point& point, std::size_t place, bool left) noexcept {
    return {double{point.x}, double{point.z}, 2 * std::uint64_t{place} + (left ? 1 : 0)};
}

// Portals lie on the borders of their polygons only up to rounding, and less exactly where tiles
// meet. A bend behind the line through the last two portal ends, left_ and right_, would turn the
// funnel inside out. It is moved onto that line, or to one of the two ends if it is near it: within
// kTimes its distance behind the line. `behind` is that distance times the length of the line.
void Funnel::bring_forward(Bend& bend, double behind) const noexcept {
    constexpr double kTimes = 100;
    const double x = left_.x - right_.x;
    const double z = left_.z - right_.z;
    const double squared = x * x + z * z;
    // Where the bend lies along the line: 0 at right_, 1 at left_.
    const double share = ((bend.x - right_.x) * x + (bend.z - right_.z) * z) / squared;
    const double near = kTimes * behind / squared;  // as a share of the line, too
    const Bend& own_end = bend.left() ? left_ : right_;
    const Bend& other_end = bend.left() ? right_ : left_;
    const double to_own = std::abs(share - (bend.left() ? 1 : 0));
    const double to_other = std::abs(share - (bend.left() ? 0 : 1));
    if (to_own <= near || to_other <= near) {
        const Bend& end = to_own <= near ? own_end : other_end;
        bend.x = end.x;
        bend.z = end.z;
        return;
    }
    bend.x = right_.x + share * x;
    bend.z = right_.z + share * z;
}

// Takes a portal's end as the new last point of one side of the funnel. Both sides bend outwards as
// seen from the apex, so the bends of its side that the point passes on the inside are removed. If
// they all are, it may pass bends of the other side, too: the string goes around those, and the
// apex moves along that side.
template <bool kLeft>
void Funnel::narrow(Bend bend) {
    Bend& last = kLeft ? left_ : right_;
    if (same_seen_from_above(last, bend)) return;
    if (const double behind = area(right_, left_, bend); behind > 0) bring_forward(bend, behind);
    last = bend;
    auto& [left, apex, right] = sides_;
    std::uint32_t& end = kLeft ? left : right;
    const std::uint32_t other = kLeft ? right : left;
    const auto inwards = [](std::uint32_t i) { return kLeft ? i + 1 : i - 1; };
    const auto outwards = [](std::uint32_t i) { return kLeft ? i - 1 : i + 1; };
    // Positive if `bend` lies outside the ray from one bend through another, seen from this side.
    const auto outside = [&](std::uint32_t from, std::uint32_t through) {
        const double left_of = side(bends_[from], bends_[through], bend);
        return kLeft ? left_of : -left_of;
    };
    if (end != apex && same_seen_from_above(bends_[end], bend)) return;
    while (end != apex && outside(inwards(end), end) <= 0) end = inwards(end);
    if (end == apex) {
        while (apex != other && outside(apex, inwards(apex)) <= 0) {
            const Bend& next = bends_[inwards(apex)];
            if (outside(apex, inwards(apex)) == 0) {
                // Both lie on one line through the apex: the string passes the nearer one first,
                // unless the apex lies between them.
                const double ahead = along(bends_[apex], next, bend);
                if (ahead <= 0) break;
                if (ahead < along(bends_[apex], next, next)) {
                    end = apex;
                    bends_[apex] = bend;
                    return append(bend);
                }
            }
            apex = inwards(apex);
            append(bends_[apex]);
        }
        end = apex;
        if (same_seen_from_above(bends_[apex], bend)) return;
    }
    end = outwards(end);
    bends_[end] = bend;
}

// Begins a new funnel at `bend`.
void Funnel::restart(const Bend& bend) {
    const auto middle = static_cast<std::uint32_t>(bends_.size() / 2);
    settled_ = string_.size();
    sides_ = {middle, middle, middle};
    bends_[middle] = origin_ = left_ = right_ = bend;
}

// Appends a bend to the string. The one before it is dropped if the string runs straight there.
void Funnel::append(const Bend& bend) {
    if (string_.size() > settled_) {
        const Bend& from = string_.size() > settled_ + 1 ? string_[string_.size() - 2] : origin_;
        const Bend& last = string_.back();
        if (side(from, last, bend) == 0 && along(last, from, bend) <= 0) string_.pop_back();
    }
    string_.push_back(bend);
}

// Draws the string taut to `bend` and begins a new funnel there.
void Funnel::finish(const Bend& bend) {
    narrow<true>(bend);
    for (std::uint32_t i = sides_.apex; i-- > sides_.left;) append(bends_[i]);
    if (string_.empty() || string_.back().place() != bend.place()) append(bend);
    restart(bend);
}

void Funnel::pull(const Mesh& mesh, const Point& start, const Point& goal,
                  std::span<const Link> links, std::vector<Waypoint>& out, Crossings crossings) {
    const std::size_t most_bends = 2 * links.size() + 5;  // two sides, with the apex in the middle
    if (bends_.size() < most_bends) bends_.resize(most_bends);
    string_.clear();
    const Spans spans(*mesh.data().topology, links);
    restart(bend_at(links.empty() ? start : in_front(start, spans.at(0)), 0, false));
    for (std::size_t i = 0; i < links.size(); ++i) {
        const PortalEnds ends = spans.at(i);
        const Bend left = bend_at(ends.left, i, true);
        const Bend right = bend_at(ends.right, i, false);
        if (same_seen_from_above(left, right)) {
            finish(left);  // every path goes through this point
            continue;
        }
        narrow<true>(left);
        narrow<false>(right);
    }
    finish(bend_at(goal, links.size(), false));

    out.clear();
    out.push_back({start, kNone});
    Walk walk(mesh, links, crossings, out);
    for (const Bend& bend : string_) {
        const bool end = bend.place() == links.size();
        if (end) {
            walk.to({goal, kNone}, bend.place());
            continue;
        }
        const PortalEnds ends = spans.at(bend.place());
        walk.to({bend.left() ? ends.left : ends.right, links[bend.place()]}, bend.place());
    }
}

double length(std::span<const Waypoint> waypoints) noexcept {
    double sum = 0;
    for (std::size_t i = 1; i < waypoints.size(); ++i)
        sum += distance(waypoints[i - 1].point, waypoints[i].point);
    return sum;
}

}  // namespace cairn::mesh
