#pragma once
// A k-d tree over some vertices (J. L. Bentley, "Multidimensional binary search trees used for
// associative searching", 1975), asked for those near a segment.

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "mesh/mesh_data.hpp"

namespace cairn::mesh {

class CornerTree {
public:
    CornerTree() = default;
    /// Over vertices[number] for all `numbers`; the vertices must outlive the tree. O(n log n).
    CornerTree(std::span<const Point> vertices, std::vector<std::uint32_t> numbers)
        : vertices_(vertices), numbers_(std::move(numbers)), axis_(numbers_.size(), 0) {
        arrange(0, numbers_.size());
    }

    /// Calls visit(number), until it returns false, for all vertices within `near` of the segment,
    /// and perhaps some others.
    template <class Visit>
    void visit(const Point& a, const Point& b, double near, Visit&& visit) const {
        (void)descend({a, b - a, near}, {0, numbers_.size()}, 0, 1, visit);
    }

private:
    struct Segment {
        Point from;
        Vector way;
        double near = 0;
    };
    // The numbers from `begin` to `end` are partitioned by their median along the axis of their
    // greatest extent.
    struct Node {
        std::size_t begin = 0;
        std::size_t end = 0;
    };

    static double along(const Point& p, int axis) {
        return double{axis == 0 ? p.x : axis == 1 ? p.y : p.z};
    }
    static double along(const Vector& v, int axis) {
        return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
    }
    [[nodiscard]] int longest_axis(std::size_t begin, std::size_t end) const {
        int longest = 0;
        double most = -1;
        for (int axis = 0; axis < 3; ++axis) {
            double low = along(vertices_[numbers_[begin]], axis);
            double high = low;
            for (std::size_t i = begin + 1; i < end; ++i) {
                low = std::min(low, along(vertices_[numbers_[i]], axis));
                high = std::max(high, along(vertices_[numbers_[i]], axis));
            }
            if (high - low > most) longest = axis;
            most = std::max(most, high - low);
        }
        return longest;
    }

    void arrange(std::size_t begin, std::size_t end) {
        if (end - begin < 2) return;
        const int axis = longest_axis(begin, end);
        const auto at = [&](std::size_t i) {
            return numbers_.begin() + static_cast<std::ptrdiff_t>(i);
        };
        const std::size_t middle = (begin + end) / 2;
        std::nth_element(at(begin), at(middle), at(end), [&](std::uint32_t a, std::uint32_t b) {
            const double p = along(vertices_[a], axis);
            const double q = along(vertices_[b], axis);
            return p != q ? p < q : a < b;
        });
        axis_[middle] = static_cast<std::uint8_t>(axis);
        arrange(begin, middle);
        arrange(middle + 1, end);
    }

    // Searches along the part of the segment from t0 to t1, as shares of its length.
    template <class Visit>
    bool descend(const Segment& segment, const Node& node, double t0, double t1,
                 Visit& visit) const {
        if (node.begin >= node.end) return true;
        const std::size_t middle = (node.begin + node.end) / 2;
        if (!visit(numbers_[middle])) return false;
        const int axis = axis_[middle];
        const double from = along(segment.from, axis);
        const double way = along(segment.way, axis);
        const double split = along(vertices_[numbers_[middle]], axis);
        const double low = from + way * (way < 0 ? t1 : t0);
        const double high = from + way * (way < 0 ? t0 : t1);
        // Where the segment crosses the split, with a margin on either side.
        const auto passes = [&](double at) {
            return std::clamp(way == 0 ? t1 : (at - from) / way, t0, t1);
        };
        if (low <= split + segment.near) {
            const double t = passes(split + 2 * segment.near);
            const Node below{node.begin, middle};
            if (!(way < 0 ? descend(segment, below, t, t1, visit)
                          : descend(segment, below, t0, t, visit)))
                return false;
        }
        if (high < split - segment.near) return true;
        const double t = way == 0 ? t0 : passes(split - 2 * segment.near);
        const Node above{middle + 1, node.end};
        return way < 0 ? descend(segment, above, t0, t, visit)
                       : descend(segment, above, t, t1, visit);
    }

    std::span<const Point> vertices_;
    std::vector<std::uint32_t> numbers_;
    std::vector<std::uint8_t> axis_;
};

}  // namespace cairn::mesh
