#include "cairn/mesh/from_grid.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bitset>

#include "cairn/mesh/mesh_image.hpp"
#include "core/guarded.hpp"

namespace cairn::mesh {

namespace {

using grid::Rect;

std::int64_t cells_of(const Rect& r) { return std::int64_t{r.width} * r.height; }

Point corner(int x, int z) { return {static_cast<float>(x), 0, static_cast<float>(z)}; }

// Merges cells of one weight into rectangles, which become the polygons of a mesh image. Row y of
// the map lies at z = y of the mesh.
class Merger {
public:
    explicit Merger(const grid::Map& map) : map_(map), owner_(map.size(), kNone) {}

    [[nodiscard]] MeshImage run(const std::array<std::uint8_t, 256>& area_of_weight) {
        for (grid::Cell c = 0; c < map_.size(); ++c) {
            if (!map_.passable(c) || owner_[c] != kNone) continue;
            cover(best_from(map_.point(c)));
            image_.areas.push_back(area_of_weight[map_.weight(c)]);
        }
        for (Polygon p = 0; p < rects_.size(); ++p) add_portals(p);
        image_.portals_given = true;
        return std::move(image_);
    }

private:
    // Whether all cells of a rectangle have this weight and are not covered yet.
    [[nodiscard]] bool fits(const Rect& r, std::uint32_t weight) const {
        for (int y = r.y; y < r.y + r.height; ++y) {
            for (int x = r.x; x < r.x + r.width; ++x) {
                if (!map_.contains({x, y})) return false;
                const grid::Cell c = map_.cell({x, y});
                if (map_.weight(c) != weight || owner_[c] != kNone) return false;
            }
        }
        return true;
    }
    // The larger of two rectangles of free cells with this corner: the one as wide as possible, and
    // the one as high as possible. Looks at no more than about twice its cells.
    [[nodiscard]] Rect best_from(const grid::Point& p) const {
        const std::uint32_t weight = map_.weight(map_.cell(p));
        Rect wide{p.x, p.y, 1, 1};
        while (fits({p.x + wide.width, p.y, 1, 1}, weight)) ++wide.width;
        while (fits({p.x, p.y + wide.height, wide.width, 1}, weight)) ++wide.height;
        Rect high{p.x, p.y, 1, 1};
        while (fits({p.x, p.y + high.height, 1, 1}, weight)) ++high.height;
        while (fits({p.x + high.width, p.y, 1, high.height}, weight)) ++high.width;
        return cells_of(high) > cells_of(wide) ? high : wide;
    }
    // Makes a rectangle the next polygon.
    void cover(const Rect& r) {
        const auto polygon = static_cast<Polygon>(rects_.size());
        for (int y = r.y; y < r.y + r.height; ++y) {
            const auto first = owner_.begin() + map_.cell({r.x, y});
            std::fill(first, first + r.width, polygon);
        }
        rects_.push_back(r);
        const auto vertex = static_cast<std::uint32_t>(image_.vertices.size());
        image_.vertices.insert(image_.vertices.end(), {corner(r.x, r.y), corner(r.x + r.width, r.y),
                                                       corner(r.x + r.width, r.y + r.height),
                                                       corner(r.x, r.y + r.height)});
        image_.corners.insert(image_.corners.end(), {vertex, vertex + 1, vertex + 2, vertex + 3});
        image_.first_corner.push_back(static_cast<std::uint32_t>(image_.corners.size()));
    }
    [[nodiscard]] Polygon owner_at(int x, int y) const {
        return map_.contains({x, y}) ? owner_[map_.cell({x, y})] : kNone;
    }
    // Adds a polygon's portals on its right side, from top to bottom, then those on its lower side,
    // from left to right. The polygons on the other two sides add theirs.
    void add_portals(Polygon p) {
        const Rect& r = rects_[p];
        const int right = r.x + r.width;
        const int below = r.y + r.height;
        for (int y = r.y, end = y; y < below; y = end) {
            const Polygon other = owner_at(right, y);
            while (end < below && owner_at(right, end) == other) ++end;
            if (other == kNone) continue;
            image_.portals.push_back({p, other, corner(right, y), corner(right, end)});
        }
        for (int x = r.x, end = x; x < right; x = end) {
            const Polygon other = owner_at(x, below);
            while (end < right && owner_at(end, below) == other) ++end;
            if (other == kNone) continue;
            image_.portals.push_back({p, other, corner(x, below), corner(end, below)});
        }
    }

    const grid::Map& map_;
    std::vector<Polygon> owner_;  // per cell: the polygon that covers it, or kNone
    std::vector<Rect> rects_;     // per polygon
    MeshImage image_;
};

}  // namespace

Result<Mesh> mesh_from_grid(const grid::Map& map, const MeshOptions& options) noexcept try {
    std::bitset<256> occurs;
    for (grid::Cell c = 0; c < map.size(); ++c) occurs.set(map.weight(c));
    occurs.reset(0);
    if (occurs.count() > kAreas) {
        return fail(StatusCode::unsupported,
                    fmt::format("the map has cells of {} weights, a mesh at most {} areas",
                                occurs.count(), kAreas));
    }
    MeshOptions priced = options;
    priced.area_costs = MeshOptions::all_ones();
    std::array<std::uint8_t, 256> area_of_weight{};
    std::uint8_t area = 0;
    for (std::size_t weight = 1; weight < 256; ++weight) {
        if (!occurs.test(weight)) continue;
        priced.area_costs[area] = static_cast<float>(weight);
        area_of_weight[weight] = area++;
    }
    const MeshImage image = Merger(map).run(area_of_weight);
    return Mesh::build(image.source(), priced);
} catch (...) {
    return out_of_memory();
}

}  // namespace cairn::mesh
