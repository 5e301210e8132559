#include "bench/shortest_line.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace cairn::app {

using mesh::kNone;
using mesh::Link;
using mesh::Point;
using mesh::Polygon;
using mesh::portal_of;
using mesh::twin;

double flat_length(std::span<const mesh::Waypoint> waypoints) {
    double sum = 0;
    for (std::size_t i = 1; i < waypoints.size(); ++i) {
        const Point& a = waypoints[i - 1].point;
        const Point& b = waypoints[i].point;
        sum += std::hypot(double{a.x} - double{b.x}, double{a.z} - double{b.z});
    }
    return sum;
}

ShortestLine::ShortestLine(const mesh::Mesh& mesh) : mesh_(mesh) {
    std::vector<std::uint32_t> above(2 * std::size_t{mesh.num_links()});
    std::iota(above.begin(), above.end(), 0U);
    const auto find = [&](std::uint32_t end) {
        while (above[end] != end) end = above[end] = above[above[end]];
        return end;
    };
    const auto at = [&](std::uint32_t end) {
        return end % 2 == 0 ? mesh.left(end / 2) : mesh.right(end / 2);
    };
    const auto unite = [&](std::uint32_t a, std::uint32_t b) { above[find(a)] = find(b); };
    for (Link link = 0; link < mesh.num_links(); link += 2) {
        if (!mesh.open(link) && !mesh.open(twin(link))) continue;
        unite(2 * link, 2 * twin(link) + 1);
        unite(2 * link + 1, 2 * twin(link));
    }
    for (Polygon p = 0; p < mesh.num_polygons(); ++p) {
        const auto links = mesh.links(p);
        for (std::size_t i = 0; i < 2 * links.size(); ++i) {
            const std::uint32_t a = 2 * links[i / 2] + static_cast<std::uint32_t>(i % 2);
            for (std::size_t j = 0; j < i; ++j) {
                const std::uint32_t b = 2 * links[j / 2] + static_cast<std::uint32_t>(j % 2);
                if (at(a) == at(b)) unite(a, b);
            }
        }
    }
    corners_.resize(above.size());
    // Around a corner inside the mesh there are as many portals as polygons; elsewhere there is one
    // portal less.
    std::vector<std::int32_t> surplus(above.size());
    for (std::uint32_t end = 0; end < above.size(); ++end) corners_[end] = find(end);
    for (Link link = 0; link < mesh.num_links(); link += 2) {
        if (mesh.part(mesh::portal_of(link)) != 0 || mesh.polygon_of(link) == kNone) continue;
        if (!mesh.open(link) || !mesh.open(twin(link))) continue;
        ++surplus[corners_[2 * link]];
        ++surplus[corners_[2 * link + 1]];
    }
    std::vector<std::uint32_t> seen;
    for (Polygon p = 0; p < mesh.num_polygons(); ++p) {
        seen.clear();
        for (const Link link : mesh.links(p)) {
            seen.push_back(corners_[2 * link]);
            seen.push_back(corners_[2 * link + 1]);
        }
        std::sort(seen.begin(), seen.end());
        seen.erase(std::unique(seen.begin(), seen.end()), seen.end());
        for (const std::uint32_t corner : seen) --surplus[corner];
    }
    inner_.resize(above.size());
    for (std::size_t i = 0; i < inner_.size(); ++i) inner_[i] = surplus[i] >= 0 ? 1 : 0;
}

double ShortestLine::cross(const Flat& from, const Flat& a, const Flat& b) noexcept {
    return (a.x - from.x) * (b.z - from.z) - (a.z - from.z) * (b.x - from.x);
}

double ShortestLine::distance(const Flat& a, const Flat& b) noexcept {
    return std::hypot(a.x - b.x, a.z - b.z);
}

ShortestLine::Flat ShortestLine::between(const Flat& a, const Flat& b, double share) noexcept {
    if (share <= 0) return a;
    if (share >= 1) return b;
    return {a.x + (b.x - a.x) * share, a.z + (b.z - a.z) * share};
}

double ShortestLine::over(const Flat& from, const Flat& left, const Flat& right, const Flat& to) {
    Flat end = to;
    const double of_from = cross(right, left, from);
    const double of_to = cross(right, left, to);
    if (of_from * of_to > 0) {  // both on one side: the mirror image of `to` is as far
        const double x = left.x - right.x;
        const double z = left.z - right.z;
        const double twice = 2 * of_to / (x * x + z * z);
        end = {to.x + twice * z, to.z - twice * x};
    }
    if (cross(from, end, left) < 0) return distance(from, left) + distance(left, end);
    if (cross(from, end, right) > 0) return distance(from, right) + distance(right, end);
    return distance(from, end);
}

void ShortestLine::push(Node node) {
    node.last = mesh_.polygon_of(twin(node.crossed)) == goal_polygon_;
    node.bound = node.length + over(node.root, node.left, node.right, goal_);
    open_.push_back(node);
    std::push_heap(open_.begin(), open_.end(),
                   [](const Node& a, const Node& b) { return a.bound > b.bound; });
}

// Whether no shorter line leads from the same root over a portal that ends there: otherwise lines
// would go round and round it.
bool ShortestLine::is_new(const Node& node, Link link) {
    const std::uint64_t key = std::uint64_t{node.corner} << 32 | link;
    const auto [best, fresh] = around_.try_emplace(key, node.length);
    if (!fresh && best->second <= node.length) return false;
    best->second = node.length;
    return true;
}

// Goes on over one portal of the polygon that the node has entered.
void ShortestLine::leave(const Node& node, Link link) {
    const Flat left = flat(mesh_.left(link));
    const Flat right = flat(mesh_.right(link));
    // The shares of the way from `right` to `left` between which the root sees the portal.
    double first = 0;
    double last = 1;
    const auto sign = [&](const Flat& through, const Flat& to) {
        const double value = cross(node.root, through, to);
        const double scale = distance(node.root, through) * distance(node.root, to);
        return std::abs(value) <= 1e-12 * scale ? 0 : value;
    };
    const double to_left = distance(node.root, node.left);
    const double to_right = distance(node.root, node.right);
    if (node.crossed == kNone || to_left == 0 || to_right == 0) {
        // The line begins in the polygon: it sees all of it.
    } else if (sign(node.right, node.left) <= 0) {
        // The line runs along the portal, and turns at the end that it comes to first.
        (to_left < to_right ? last : first) = to_left < to_right ? 0 : 1;
    } else {
        const double right_of_right = sign(node.right, right);
        const double right_of_left = sign(node.right, left);
        if (right_of_left < 0) {
            first = 1;
        } else if (right_of_right < 0) {
            first = right_of_right / (right_of_right - right_of_left);
        }
        const double left_of_left = sign(node.left, left);
        const double left_of_right = sign(node.left, right);
        if (left_of_right > 0) {
            last = 0;
        } else if (left_of_left > 0) {
            last = left_of_right / (left_of_right - left_of_left);
        }
    }
    const Flat from = between(right, left, first);
    const Flat to = between(right, left, last);
    const bool at_root = distance(node.root, left) == 0 || distance(node.root, right) == 0;
    if (last > first && (!at_root || is_new(node, link))) {
        push({0, node.length, node.corner, link, false, node.root, to, from});
    }
    if (node.crossed == kNone) return;
    const auto turn = [&](const Flat& at, const Point& end, std::uint32_t corner, const Flat& l,
                          const Flat& r) {
        const Flat portal_end = flat(end);
        if (at.x != portal_end.x || at.z != portal_end.z || inner_[corner] != 0) return;
        const double length = node.length + distance(node.root, at);
        const auto [best, fresh] = least_.try_emplace(corner, length);
        if (!fresh && best->second < length) {
            if (best->second < length - 1e-9 * length) return;
        } else {
            best->second = length;
        }
        push({0, length, corner, link, false, at, l, r});
    };
    if (first > 0)
        turn(node.right, mesh_.right(node.crossed), corners_[2 * node.crossed + 1], from, right);
    if (last < 1) turn(node.left, mesh_.left(node.crossed), corners_[2 * node.crossed], left, to);
}

void ShortestLine::expand(const Node& node) {
    const Polygon polygon = mesh_.polygon_of(twin(node.crossed));
    const auto same_portal = [&](Link link) {
        return portal_of(link) - mesh_.part(portal_of(link)) ==
               portal_of(node.crossed) - mesh_.part(portal_of(node.crossed));
    };
    for (const Link link : mesh_.links(polygon)) {
        if (same_portal(link) || !mesh_.open(link) || mesh_.part(portal_of(link)) != 0) continue;
        leave(node, link);
    }
}

double ShortestLine::find(const mesh::Request& request) {
    goal_ = flat(request.goal.point);
    goal_polygon_ = request.goal.polygon;
    const Flat start = flat(request.start.point);
    if (request.start.polygon == goal_polygon_) return distance(start, goal_);
    open_.clear();
    least_.clear();
    around_.clear();
    Node first;
    first.root = start;
    for (const Link link : mesh_.links(request.start.polygon)) {
        if (mesh_.open(link) && mesh_.part(portal_of(link)) == 0) leave(first, link);
    }
    while (!open_.empty()) {
        std::pop_heap(open_.begin(), open_.end(),
                      [](const Node& a, const Node& b) { return a.bound > b.bound; });
        Node node = open_.back();
        open_.pop_back();
        if (node.last) return node.bound;
        const Point left = mesh_.left(node.crossed);
        const Point right = mesh_.right(node.crossed);
        if (left.x == right.x && left.z == right.z) {
            // A portal that is a point: every line passes it.
            node.length += distance(node.root, node.left);
            node.root = node.left;
            node.corner = corners_[2 * node.crossed];
        }
        if (node.corner != kNone) {
            const auto best = least_.find(node.corner);
            if (best != least_.end() && best->second < node.length - 1e-9 * node.length) continue;
        }
        expand(node);
    }
    return std::numeric_limits<double>::infinity();
}

}  // namespace cairn::app
