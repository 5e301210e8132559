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

// Whether `to` lies to the left of that ray (sign 1) or to its right (sign -1), by more than the
// rounding error of this computation.
template <class At>
bool outside(double sign, const At& from, const At& through, const At& to) noexcept {
    constexpr double kAngle = 1e-9;
    const double scale = (std::abs(through.x - from.x) + std::abs(through.z - from.z)) *
                         (std::abs(to.x - from.x) + std::abs(to.z - from.z));
    return sign * area(from, through, to) > kAngle * scale;
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

// The ends of the portals of a corridor, left and right in the direction of walking. A corridor may
// cross a divided portal at one part and come back over another, because walking behind the portal
// is cheaper. The path then crosses at the midpoints of those two parts.
class Funnel::Spans {
public:
    Spans(const MeshTopology& topology, std::span<const Link> links)
        : mesh_(topology), links_(links) {}

    [[nodiscard]] std::size_t size() const noexcept { return links_.size(); }
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

std::size_t Funnel::memory() const noexcept { return memory_of(ends_, bends_, string_); }

Funnel::Bend Funnel::bend_at(const Point& point, std::size_t place, bool left) noexcept {
    return {double{point.x}, double{point.z}, 2 * std::uint64_t{place} + (left ? 1 : 0)};
}

// Portals lie on the borders of their polygons only up to rounding, and less exactly where tiles
// meet. A bend behind the line through the last ends of both sides, last_, would turn the funnel
// inside out. It is moved onto that line, or to one of the two ends if it is near it: within
// kTimes its distance behind the line. `behind` is that distance times the length of the line.
void Funnel::bring_forward(Bend& bend, double behind) const noexcept {
    constexpr double kTimes = 100;
    const Bend& right = last_[kRight];
    const double x = last_[kLeft].x - right.x;
    const double z = last_[kLeft].z - right.z;
    const double squared = x * x + z * z;
    // Where the bend lies along the line: 0 at its right end, 1 at its left one.
    const double share = ((bend.x - right.x) * x + (bend.z - right.z) * z) / squared;
    const double near = kTimes * behind / squared;  // as a share of the line, too
    const Side own = bend.left() ? kLeft : kRight;
    const double to_own = std::abs(share - (bend.left() ? 1 : 0));
    const double to_other = std::abs(share - (bend.left() ? 0 : 1));
    if (to_own <= near || to_other <= near) {
        const Bend& end = last_[to_own <= near ? own : 1 - own];
        bend.x = end.x;
        bend.z = end.z;
        return;
    }
    bend.x = right.x + share * x;
    bend.z = right.z + share * z;
}

// Takes a portal's end as the new last point of one side of the funnel. Both sides bend outwards as
// seen from the apex, so the bends of its side that the point passes on the inside are removed. If
// they all are, it may pass bends of the other side, too: the string goes around those, and the
// apex moves along that side.
void Funnel::narrow(Side at, const Bend& portal_end) {
    Bend bend = portal_end;
    if (const double behind = area(last_[kRight], last_[kLeft], bend); behind > 0)
        bring_forward(bend, behind);
    last_[at] = bend;
    const std::uint32_t inwards = at == kLeft ? 1U : ~0U;  // added to a position
    const double sign = at == kLeft ? 1 : -1;
    std::uint32_t end = sides_[at];
    while (end != apex_ && !outside(sign, bends_[end + inwards], bends_[end], bend)) end += inwards;
    if (end == apex_) {
        if (pass_apex(at, bend)) return;
        end = apex_;
        if (same_seen_from_above(bends_[end], bend)) {
            sides_[at] = end;
            return;
        }
    }
    end -= inwards;
    bends_[end] = bend;
    sides_[at] = end;
}

// Moves the apex along the other side as far as the new end of this side passes its bends. Returns
// whether `bend` has become the apex itself.
bool Funnel::pass_apex(Side at, const Bend& bend) {
    const std::uint32_t inwards = at == kLeft ? 1U : ~0U;
    const double sign = at == kLeft ? 1 : -1;
    while (apex_ != sides_[1 - at]) {
        const Bend& apex = bends_[apex_];
        const Bend& next = bends_[apex_ + inwards];
        if (outside(sign, apex, next, bend)) return false;
        if (!outside(-sign, apex, next, bend)) {
            // Both lie on one line through the apex: the string passes the nearer one first, unless
            // the apex lies between them.
            const double ahead = along(apex, next, bend);
            if (ahead <= 0) return false;
            if (ahead < along(apex, next, next)) {
                sides_[at] = apex_;
                bends_[apex_] = bend;
                append(bend);
                return true;
            }
        }
        apex_ += inwards;
        append(next);
    }
    return false;
}

// Lists the ends of the portals from `place` on that differ from the last ones of their sides, up
// to a portal that is a point. Returns the place of that portal, or the number of links. No branch
// depends on which ends change, which is random.
std::size_t Funnel::list_ends(const Spans& spans, std::size_t place) {
    Bend* to = ends_.data();
    Bend left = last_[kLeft];
    Bend right = last_[kRight];
    const auto list = [&to](Bend& last, const Point& point, std::uint64_t end) {
        const Bend bend{double{point.x}, double{point.z}, end};
        *to = bend;
        to += same_seen_from_above(last, bend) ? 0 : 1;
        last = bend;
    };
    for (; place < spans.size(); ++place) {
        const PortalEnds ends = spans.at(place);
        if (same_seen_from_above(ends.left, ends.right)) break;
        list(left, ends.left, 2 * std::uint64_t{place} + 1);
        list(right, ends.right, 2 * std::uint64_t{place});
    }
    num_ends_ = static_cast<std::size_t>(to - ends_.data());
    return place;
}

// Begins a new funnel at `bend`.
void Funnel::restart(const Bend& bend) {
    const auto middle = static_cast<std::uint32_t>(bends_.size() / 2);
    settled_ = string_.size();
    apex_ = middle;
    sides_ = {middle, middle};
    last_ = {bend, bend};
    bends_[middle] = origin_ = bend;
}

// Appends a bend to the string. The one before it is dropped if the string runs straight there.
void Funnel::append(const Bend& bend) {
    if (string_.size() > settled_) {
        const Bend& from = string_.size() > settled_ + 1 ? string_[string_.size() - 2] : origin_;
        const Bend& last = string_.back();
        const bool straight = !outside(1, from, last, bend) && !outside(-1, from, last, bend);
        if (straight && along(last, from, bend) <= 0) string_.pop_back();
    }
    string_.push_back(bend);
}

// Draws the string taut to `bend` and begins a new funnel there.
void Funnel::finish(const Bend& bend) {
    narrow(kLeft, bend);
    for (std::uint32_t i = apex_; i-- > sides_[kLeft];) append(bends_[i]);
    if (string_.empty() || string_.back().place() != bend.place()) append(bend);
    restart(bend);
}

void Funnel::pull(const Mesh& mesh, const Point& start, const Point& goal,
                  std::span<const Link> links, std::vector<Waypoint>& out, Crossings crossings) {
    const std::size_t most_bends = 2 * links.size() + 5;  // two sides, with the apex in the middle
    if (bends_.size() < most_bends) bends_.resize(most_bends);
    if (ends_.size() < 2 * links.size() + 1) ends_.resize(2 * links.size() + 1);
    string_.clear();
    const Spans spans(*mesh.data().topology, links);
    restart(bend_at(links.empty() ? start : in_front(start, spans.at(0)), 0, false));
    for (std::size_t i = 0; i < links.size();) {
        i = list_ends(spans, i);
        for (const Bend& bend : std::span(ends_).first(num_ends_))
            narrow(bend.left() ? kLeft : kRight, bend);
        if (i == links.size()) break;
        finish(bend_at(spans.at(i).left, i, true));  // every path goes through this point
        ++i;
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
