#include "cairn/navmesh/funnel.hpp"

#include "navmesh/mesh_data.hpp"
#include "navmesh/segment.hpp"

namespace cairn::navmesh {
namespace {

// Positive where `to` lies to the left of the ray from `from` through `through`, seen from above.
double side(const Point& from, const Point& through, const Point& to) noexcept {
    return cross(through - from, to - from);
}

bool same_seen_from_above(const Point& a, const Point& b) noexcept {
    return a.x == b.x && a.z == b.z;
}

// Where the line from a to b crosses a portal; where it runs along it, the nearest point to a.
Point crossing(const Point& left, const Point& right, const Point& a, const Point& b) noexcept {
    const double before = side(a, b, left);
    const double behind = side(a, b, right);
    if (before == behind) return nearest_between(left, right, a);
    return between(left, right, before / (before - behind));
}

// The waypoints of a string, from its bends.
class Walk {
public:
    Walk(const Mesh& mesh, std::span<const Link> links, Crossings crossings,
         std::vector<Waypoint>& out)
        : mesh_(mesh), links_(links), crossings_(crossings), out_(out) {}

    // To a bend of the string, at the link at `place`, or to the goal at that behind the last.
    void to(const Point& point, std::size_t place) {
        if (crossings_ != Crossings::corners) cross_to(point, place);
        next_ = place + 1;
        out_.push_back({point, place < links_.size() ? links_[place] : kNone});
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
    std::size_t next_ = 0;  // link to be crossed
};

}  // namespace

// The funnel's sides bend outwards, seen from the apex. A new end of one of them makes those bends
// of its side superfluous that it passes on the inside, and once it passes the apex, draws the
// string taut along the other side.
template <bool kLeft>
void Funnel::narrow(const Bend& bend) {
    auto& [left, apex, right] = ends_;
    std::uint32_t& end = kLeft ? left : right;
    const std::uint32_t other = kLeft ? right : left;
    const auto inwards = [](std::uint32_t i) { return kLeft ? i + 1 : i - 1; };
    const auto outwards = [](std::uint32_t i) { return kLeft ? i - 1 : i + 1; };
    // Positive: outside, for this side.
    const auto outside = [&bend](const Bend& from, const Bend& through) {
        const double left_of = side(from.point, through.point, bend.point);
        return kLeft ? left_of : -left_of;
    };
    if (end != apex && same_seen_from_above(bends_[end].point, bend.point)) return;
    while (end != apex && outside(bends_[inwards(end)], bends_[end]) <= 0) end = inwards(end);
    if (end == apex) {
        while (apex != other && outside(bends_[apex], bends_[inwards(apex)]) < 0) {
            apex = inwards(apex);
            string_.push_back(bends_[apex]);
        }
        end = apex;
        if (same_seen_from_above(bends_[apex].point, bend.point)) return;
    }
    end = outwards(end);
    bends_[end] = bend;
}

void Funnel::restart(const Bend& bend) {
    const auto middle = static_cast<std::uint32_t>(bends_.size() / 2);
    settled_ = string_.size();
    ends_ = {middle, middle, middle};
    bends_[middle] = bend;
}

// A bend at the very point where the string ends is none.
void Funnel::drop_bends_at_end() {
    const Bend end = string_.back();
    while (string_.size() - settled_ > 1 && string_[string_.size() - 2].point == end.point) {
        string_.pop_back();
        string_.back() = end;
    }
}

// The string ends at `bend`, which is the apex of a new funnel.
void Funnel::finish(const Bend& bend) {
    narrow<true>(bend);
    for (std::uint32_t i = ends_.apex; i-- > ends_.left;) string_.push_back(bends_[i]);
    if (string_.empty() || string_.back().place != bend.place) string_.push_back(bend);
    drop_bends_at_end();
    restart(bend);
}

void Funnel::pull(const Mesh& mesh, const Point& start, const Point& goal,
                  std::span<const Link> links, std::vector<Waypoint>& out, Crossings crossings) {
    if (bends_.size() < 2 * links.size() + 5) bends_.resize(2 * links.size() + 5);
    const auto count = static_cast<std::uint32_t>(links.size());
    string_.clear();
    restart({start, 0});
    for (std::uint32_t i = 0; i < count; ++i) {
        const Bend left{mesh.left(links[i]), i};
        const Bend right{mesh.right(links[i]), i};
        if (same_seen_from_above(left.point, right.point)) {
            finish(left);
            continue;
        }
        narrow<true>(left);
        narrow<false>(right);
    }
    finish({goal, count});

    out.clear();
    out.push_back({start, kNone});
    Walk walk(mesh, links, crossings, out);
    for (const Bend& bend : string_) walk.to(bend.point, bend.place);
}

double length(std::span<const Waypoint> waypoints) noexcept {
    double sum = 0;
    for (std::size_t i = 1; i < waypoints.size(); ++i)
        sum += distance(waypoints[i - 1].point, waypoints[i].point);
    return sum;
}

}  // namespace cairn::navmesh
