// Meshes of rectangles, drawn in characters (drawn_parts and drawn_mesh of random_meshes.hpp).

#include <algorithm>
#include <array>
#include <map>
#include <stdexcept>
#include <string>

#include "support/random_meshes.hpp"

namespace cairn::test {

using mesh::Mesh;
using mesh::Point;
using mesh::Polygon;

namespace {

/// A rectangle of characters.
struct Box {
    int left = 0;
    int top = 0;
    int right = 0;   // exclusive
    int bottom = 0;  // exclusive
};

Point ground_point(int x, int z) { return {static_cast<float>(x), 0, static_cast<float>(z)}; }

/// The rectangle of each character, in the order in which the characters first occur row by row.
std::vector<Box> boxes_of(std::initializer_list<std::string_view> rows) {
    std::map<char, std::size_t> number;
    std::vector<Box> boxes;
    std::vector<int> areas;  // per box: how often its character occurs
    int z = 0;
    for (const std::string_view row : rows) {
        for (int x = 0; x < static_cast<int>(row.size()); ++x) {
            const char name = row[static_cast<std::size_t>(x)];
            if (name == '.' || name == '#') continue;
            const auto [entry, is_new] = number.try_emplace(name, boxes.size());
            if (is_new) {
                boxes.push_back({x, z, x + 1, z + 1});
                areas.push_back(0);
            }
            Box& box = boxes[entry->second];
            box.left = std::min(box.left, x);
            box.right = std::max(box.right, x + 1);
            box.bottom = z + 1;
            ++areas[entry->second];
        }
        ++z;
    }
    for (std::size_t i = 0; i < boxes.size(); ++i) {
        const Box& box = boxes[i];
        if ((box.right - box.left) * (box.bottom - box.top) != areas[i])
            throw std::runtime_error("character " + std::to_string(i) + " is no rectangle");
    }
    return boxes;
}

}  // namespace

MeshParts drawn_parts(std::initializer_list<std::string_view> rows) {
    MeshParts parts;
    parts.portals_given = true;
    const std::vector<Box> boxes = boxes_of(rows);
    for (Polygon b = 0; b < boxes.size(); ++b) {
        const Box& box = boxes[b];
        std::array<std::uint32_t, 4> corners{};
        const std::array<Point, 4> points{
            ground_point(box.left, box.top), ground_point(box.right, box.top),
            ground_point(box.right, box.bottom), ground_point(box.left, box.bottom)};
        for (std::size_t i = 0; i < 4; ++i)
            corners[i] = parts.vertex(points[i].x, points[i].y, points[i].z);
        parts.polygon({corners[0], corners[1], corners[2], corners[3]});
        for (Polygon a = 0; a < b; ++a) {
            const Point begin =
                ground_point(std::max(boxes[a].left, box.left), std::max(boxes[a].top, box.top));
            const Point end = ground_point(std::min(boxes[a].right, box.right),
                                           std::min(boxes[a].bottom, box.bottom));
            const bool touch = begin.x <= end.x && begin.z <= end.z;
            if (touch && begin != end) parts.portals.push_back({a, b, begin, end});
        }
    }
    return parts;
}

Mesh drawn_mesh(std::initializer_list<std::string_view> rows, const mesh::MeshOptions& options) {
    return drawn_parts(rows).build(options);
}

}  // namespace cairn::test
