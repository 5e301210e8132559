#include "mesh/shorten.hpp"

#include <algorithm>

#include "cairn/mesh/path.hpp"

namespace cairn::mesh {
namespace {

Point left_of(const MeshTopology& t, Link link) noexcept {
    const PortalEnds& ends = t.ends[portal_of(link)];
    return (link & 1) == 0 ? ends.left : ends.right;
}
Point right_of(const MeshTopology& t, Link link) noexcept { return left_of(t, twin(link)); }

/// The link that agents may cross, over a portal that is no point, which comes next after `link` on
/// the border of its polygon: on the left of it, or else on the right. kNone if there is no other.
/// O(links of the polygon).
Link next_on_border(const MeshData& mesh, Link link, bool left) noexcept {
    const MeshTopology& t = *mesh.topology;
    const Point base = left ? left_of(t, link) : right_of(t, link);
    Link best = kNone;
    Vector to_best;
    for (const Link other : mesh.links(mesh.polygon_of(link))) {
        if (mesh.open[other] == 0 || t.part(portal_of(other)) != 0 || t.same_whole(other, link))
            continue;
        const PortalEnds& ends = t.ends[portal_of(other)];
        if (same_seen_from_above(ends.left, ends.right)) continue;  // of a connection, for instance
        const Vector a = ends.left - base;
        const Vector b = ends.right - base;
        const Vector to{a.x + b.x, 0, a.z + b.z};
        if (best != kNone) {
            const double side = left ? cross(to, to_best) : cross(to_best, to);
            if (side < 0) continue;
            // Of two on one line through the base the nearer one comes first.
            const double far = to_best.x * to_best.x + to_best.z * to_best.z;
            if (side == 0 && to.x * to.x + to.z * to.z >= far) continue;
        }
        best = other;
        to_best = to;
    }
    return best;
}

/// Of the parts of a portal the one whose middle is nearest to a point.
Link nearest_part(const MeshTopology& t, Link link, const Point& at) noexcept {
    Portal best = portal_of(link);
    for (Portal p = best; p + 1 < t.ends.size() && t.part(p + 1) == t.part(p) + 1;) {
        ++p;
        if (distance(t.midpoints[p], at) < distance(t.midpoints[best], at)) best = p;
    }
    return 2 * best + (link & 1);
}

/// The cost of a corridor by the mesh's scoring.
Cost corridor_cost(const MeshData& mesh, const Place& start, const Place& goal,
                   std::span<const Link> links) {
    const auto end_cost = [&](const Place& end, Link link) -> std::uint64_t {
        return mesh.end_cost(end.polygon, mesh.anchor(end.polygon, end.point), mesh.place(link));
    };
    std::uint64_t sum = end_cost(start, links.front()) + end_cost(goal, twin(links.back()));
    for (std::size_t i = 1; i < links.size(); ++i) {
        sum += mesh.inside_cost(mesh.polygon_of(links[i]), mesh.place(twin(links[i - 1])),
                                mesh.place(links[i]));
    }
    return saturated(sum);
}

/// The length of the line through waypoints, each part times the area cost of the polygon that the
/// waypoint's link enters. The areas may not change between waypoints. `start`: where it begins.
double weighted_length(const MeshData& mesh, Polygon start, std::span<const Waypoint> waypoints) {
    double sum = 0;
    Polygon polygon = start;
    for (std::size_t i = 1; i < waypoints.size(); ++i) {
        if (waypoints[i - 1].link != kNone) polygon = mesh.polygon_of(twin(waypoints[i - 1].link));
        sum += distance(waypoints[i - 1].point, waypoints[i].point) * mesh.factor(polygon);
    }
    return sum;
}

}  // namespace

// Pulls the string, and finds the corridor's polygons and the places of bends in it.
void Shorten::pull(const Mesh& mesh, const Place& start, const Place& goal,
                   std::span<const Link> links, Funnel& funnel) {
    funnel.pull(mesh, start.point, goal.point, links, string_);
    polygons(mesh, start.polygon, links, polygons_);
    const MeshData& data = mesh.data();
    one_factor_ = true;
    for (std::size_t i = 0; i < polygons_.size(); ++i) {
        at_[polygons_[i]] = static_cast<std::uint32_t>(i);
        one_factor_ = one_factor_ && data.factor(polygons_[i]) == data.factor(start.polygon);
    }
    places_.assign(1, 0);
    std::uint32_t place = 0;
    for (std::size_t i = 1; i + 1 < string_.size(); ++i) {
        while (links[place] != string_[i].link) ++place;
        places_.push_back(place);
    }
    places_.push_back(static_cast<std::uint32_t>(links.size()));
}

// Finds the way around a bend's corner on its other side: from the polygon before the corner along
// the border of what lies behind the corner, until it comes back to the corridor.
bool Shorten::find_move(const MeshData& mesh, std::span<const Link> links, std::size_t bend,
                        Move& move) {
    const MeshTopology& t = *mesh.topology;
    const Waypoint& at = string_[bend];
    const bool left = same_seen_from_above(at.point, left_of(t, at.link));
    // A portal that is a point, or a part crossed there and back, is no corner.
    if (left == same_seen_from_above(at.point, right_of(t, at.link))) return false;
    Link next = kNone;
    for (move.first = places_[bend];; --move.first) {
        next = next_on_border(mesh, links[move.first], left);
        if (next == kNone) return false;
        if (move.first == 0 || !t.same_whole(next, links[move.first - 1])) break;
    }
    around_.clear();
    move.over_corner = true;
    while (next != kNone && around_.size() < kMostAround) {
        around_.push_back(nearest_part(t, next, at.point));
        move.over_corner =
            move.over_corner &&
            same_seen_from_above(left ? right_of(t, next) : left_of(t, next), at.point);
        const Polygon entered = mesh.polygon_of(twin(next));
        const std::uint32_t place = at_[entered];
        if (place < polygons_.size() && polygons_[place] == entered) {
            move.last = place;
            if (place <= places_[bend]) return false;
            move.before = bend;
            while (move.before > 0 && places_[move.before] >= move.first) --move.before;
            move.after = bend;
            while (places_[move.after] < move.last) ++move.after;
            return true;
        }
        next = next_on_border(mesh, twin(next), left);
    }
    return false;
}

// Whether the string of the moved corridor is shorter between the two waypoints that stay.
bool Shorten::helps(const Mesh& mesh, std::span<const Link> links, const Move& move,
                    Funnel& funnel) {
    const MeshData& data = mesh.data();
    const double factor = data.factor(polygons_[move.first]);
    const bool one_factor =
        one_factor_ && std::all_of(around_.begin(), around_.end(), [&](Link link) {
            return data.factor(data.polygon_of(twin(link))) == factor;
        });
    if (one_factor && move.over_corner) return true;
    const Point& from = string_[move.before].point;
    const Point& to = string_[move.after].point;
    // The waypoint before lies on a portal that has been crossed.
    const std::size_t first = move.before == 0 ? 0 : places_[move.before] + 1;
    const std::size_t last = places_[move.after];
    const auto begin = links.begin();
    part_.assign(begin + static_cast<std::ptrdiff_t>(first),
                 begin + static_cast<std::ptrdiff_t>(move.first));
    part_.insert(part_.end(), around_.begin(), around_.end());
    part_.insert(part_.end(), begin + static_cast<std::ptrdiff_t>(move.last),
                 begin + static_cast<std::ptrdiff_t>(last));
    constexpr double kShorter = 1 - 1e-6;
    if (one_factor) {
        const std::span<const Waypoint> old =
            std::span(string_).subspan(move.before, move.after - move.before + 1);
        const double most = length(old) * kShorter;
        if (distance(from, to) >= most) return false;
        funnel.pull(mesh, from, to, part_, trial_);
        return length(trial_) < most;
    }
    const Polygon start = polygons_[first];
    funnel.pull(mesh, from, to, links.subspan(first, last - first), trial_, Crossings::areas);
    const double most = weighted_length(data, start, trial_) * kShorter;
    funnel.pull(mesh, from, to, part_, trial_, Crossings::areas);
    return weighted_length(data, start, trial_) < most;
}

// `next`: the failure to begin at, in the order from the goal to the start.
bool Shorten::failed_before(const Failed& bend, std::size_t& next) const {
    const auto known = failed_.begin() + static_cast<std::ptrdiff_t>(known_failed_);
    const auto found = std::find(failed_.begin() + static_cast<std::ptrdiff_t>(next), known, bend);
    if (found == known) return false;
    next = static_cast<std::size_t>(found - failed_.begin()) + 1;
    return true;
}

// Moves the corridor around its bends, from the goal to the start, so that places before a move
// stay. Two moves keep apart.
bool Shorten::sweep(const Mesh& mesh, std::vector<Link>& links, Funnel& funnel) {
    bool moved = false;
    std::size_t stays = string_.size() - 1;  // the first waypoint after which links have moved
    known_failed_ = failed_.size();
    std::size_t next = 0;
    for (std::size_t bend = string_.size() - 1; bend-- > 1;) {
        const Failed key{string_[bend - 1].point, string_[bend].point, string_[bend + 1].point};
        if (failed_before(key, next)) {
            failed_.push_back(key);
            continue;
        }
        Move move;
        const bool found = bend < stays && find_move(mesh.data(), links, bend, move);
        if (found && move.after > stays) continue;
        if (!found || !helps(mesh, links, move, funnel)) {
            if (bend < stays) failed_.push_back(key);
            continue;
        }
        const auto first = links.begin() + static_cast<std::ptrdiff_t>(move.first);
        const auto at = links.erase(first, links.begin() + static_cast<std::ptrdiff_t>(move.last));
        links.insert(at, around_.begin(), around_.end());
        stays = move.before;
        bend = move.before + 1;
        moved = true;
    }
    failed_.erase(failed_.begin(), failed_.begin() + static_cast<std::ptrdiff_t>(known_failed_));
    return moved;
}

// The length of the string, or if areas differ in cost that of each part times its area cost.
double Shorten::string_cost(const Mesh& mesh, const Place& start, const Place& goal,
                            std::span<const Link> links, Funnel& funnel) {
    if (one_factor_) return length(string_) * mesh.data().factor(start.polygon);
    funnel.pull(mesh, start.point, goal.point, links, trial_, Crossings::areas);
    return weighted_length(mesh.data(), start.polygon, trial_);
}

std::optional<Cost> Shorten::run(const Mesh& mesh, const Place& start, const Place& goal, Cost most,
                                 std::vector<Link>& links, Funnel& funnel) {
    if (links.empty()) return std::nullopt;
    if (at_.size() < mesh.num_polygons()) at_.resize(mesh.num_polygons());
    original_ = links;
    failed_.clear();
    pull(mesh, start, goal, links, funnel);
    const double original_cost = string_cost(mesh, start, goal, links, funnel);
    bool moved = false;
    for (int i = 0; i < kMostSweeps && sweep(mesh, links, funnel); ++i) {
        moved = true;
        pull(mesh, start, goal, links, funnel);
    }
    if (!moved) return std::nullopt;
    // A string is the shortest seen from above: in space it may be longer than the one before.
    const Cost cost = corridor_cost(mesh.data(), start, goal, links);
    if (cost <= most && cost < kInfinity &&
        string_cost(mesh, start, goal, links, funnel) < original_cost)
        return cost;
    links = original_;
    pull(mesh, start, goal, links, funnel);
    return std::nullopt;
}

}  // namespace cairn::mesh
