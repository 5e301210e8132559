#include "cairn/detour/nav_mesh.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <span>
#include <tuple>
#include <typeinfo>
#include <utility>

#include "core/guarded.hpp"
#include "core/sort_unique.hpp"
#include "detour/detour_mesh.hpp"

namespace cairn::detour {
namespace {

using mesh::kNone;
using mesh::MeshImage;
using mesh::Point;
using mesh::Polygon;

// Computed in floats and in this order, as in Detour.
Point between(const Point& a, const Point& b, float share) {
    return {a.x + (b.x - a.x) * share, a.y + (b.y - a.y) * share, a.z + (b.z - a.z) * share};
}

// Where a polygon stands among those of a mesh converted from scratch: those with corners come
// first, tile by tile.
struct Rank {
    bool connection = false;
    unsigned tile = 0;
    unsigned place = 0;  // in its tile
    friend bool operator==(const Rank&, const Rank&) = default;
    friend bool operator<(const Rank& a, const Rank& b) {
        return std::tuple(a.connection, a.tile, a.place) <
               std::tuple(b.connection, b.tile, b.place);
    }
};

// A link of Detour between two polygons, `low` < `high`. They are ranked as in a mesh converted
// from scratch, so that portals do not depend on the order in which tiles were added.
struct Joint {
    Rank low;
    Rank high;
    bool upwards = false;     // from low to high
    std::uint32_t order = 0;  // among the links of the polygon that it leaves
    float rounding = 0;       // the unit to which its ends are rounded; 0 for a whole edge
    Point begin;
    Point end;

    friend bool operator<(const Joint& a, const Joint& b) {
        return std::tuple(a.low, a.high, !a.upwards, a.order) <
               std::tuple(b.low, b.high, !b.upwards, b.order);
    }
};

// Sets the part of a polygon's edge that a link crosses, as getPortalPoints computes it. Between
// tiles that can be a part of the edge, given in 255ths.
void set_segment(const dtMeshTile& tile, const dtPoly& poly, const dtLink& link, Joint& joint) {
    constexpr float kStep = 1.0F / 255.0F;
    const Point a = corner_of(tile, poly, link.edge);
    const Point b = corner_of(tile, poly, (link.edge + 1U) % poly.vertCount);
    const bool partial = link.side != 0xff && (link.bmin != 0 || link.bmax != 255);
    joint.begin = partial ? between(a, b, static_cast<float>(link.bmin) * kStep) : a;
    joint.end = partial ? between(a, b, static_cast<float>(link.bmax) * kStep) : b;
    if (partial) joint.rounding = (std::abs(b.x - a.x) + std::abs(b.z - a.z)) * kStep;
}

/// Makes the image of the polygons that `refs` numbers from `first` on, with all their portals.
class ImageOfNavMesh {
public:
    ImageOfNavMesh(const dtNavMesh& nav_mesh, const PolyRefs& refs, Polygon first)
        : nav_mesh_(nav_mesh), refs_(refs), first_(first) {}

    MeshImage make() {
        for (const int t : tiles()) add_tile(*nav_mesh_.getTile(t));
        std::sort(joints_.begin(), joints_.end());
        image_.portals_given = true;
        image_.odd_polygons = mesh::OddPolygons::accept;
        for (auto first = joints_.begin(); first != joints_.end();) {
            const auto end = std::find_if(first, joints_.end(), [&](const Joint& j) {
                return j.low != first->low || j.high != first->high;
            });
            add_portals({first, end});
            first = end;
        }
        return std::move(image_);
    }

private:
    /// The tiles of the polygons, and those around them, whose polygons may have links to them:
    /// Detour links only tiles that touch, and tiles above each other.
    std::vector<int> tiles() const {
        std::vector<int> tiles;
        for (Polygon p = first_; p < refs_.num_polygons(); ++p)
            tiles.push_back(static_cast<int>(nav_mesh_.decodePolyIdTile(refs_.ref(p))));
        sort_unique(tiles);
        for (std::size_t i = 0, own = first_ == 0 ? 0 : tiles.size(); i < own; ++i)
            append_around(nav_mesh_, *nav_mesh_.getTile(tiles[i]), tiles);
        sort_unique(tiles);
        return tiles;
    }

    void add_tile(const dtMeshTile& tile) {
        const auto first_vertex = static_cast<std::uint32_t>(image_.vertices.size());
        const dtPolyRef base = nav_mesh_.getPolyRefBase(&tile);
        bool added = false;
        for (int i = 0; i < tile.header->polyCount; ++i) {
            const dtPoly& poly = tile.polys[i];
            const dtPolyRef ref = base | static_cast<dtPolyRef>(i);
            const Polygon polygon = refs_.polygon(ref);
            if (polygon == kNone) continue;
            const bool is_new = polygon >= first_;
            added |= is_new;
            if (is_new && poly.getType() == DT_POLYTYPE_GROUND) {
                add_polygon(poly, first_vertex);
            } else if (is_new) {
                image_.connections.push_back({.from = kNone,
                                              .to = kNone,
                                              .begin = corner_of(tile, poly, 0),
                                              .end = corner_of(tile, poly, 1),
                                              .area = poly.getArea()});
            }
            add_joints(tile, poly, ref, /*all=*/is_new);
        }
        for (int v = 0; added && v < tile.header->vertCount; ++v)
            image_.vertices.push_back(point_at(&tile.verts[static_cast<std::size_t>(v) * 3]));
    }

    void add_polygon(const dtPoly& poly, std::uint32_t first_vertex) {
        for (unsigned c = 0; c < poly.vertCount; ++c)
            image_.corners.push_back(first_vertex + poly.verts[c]);
        image_.first_corner.push_back(static_cast<std::uint32_t>(image_.corners.size()));
        image_.areas.push_back(poly.getArea());
    }

    // Adds the joints of a polygon: all of them, or only those with added polygons.
    void add_joints(const dtMeshTile& tile, const dtPoly& poly, dtPolyRef ref, bool all) {
        const Rank own = rank(ref, poly);
        std::uint32_t order = 0;
        for (unsigned l = poly.firstLink; l != DT_NULL_LINK; l = tile.links[l].next) {
            const dtLink& link = tile.links[l];
            const Polygon to = refs_.polygon(link.ref);
            if (to == kNone || link.ref == ref || (!all && to < first_)) continue;
            const Rank other = rank(link.ref, *poly_of(nav_mesh_, link.ref).poly);
            Joint joint;
            joint.low = std::min(own, other);
            joint.high = std::max(own, other);
            joint.upwards = own < other;
            joint.order = order++;
            if (poly.getType() != DT_POLYTYPE_GROUND) {
                joint.begin = corner_of(tile, poly, link.edge == 0 ? 0 : 1);
                joint.end = joint.begin;
                joint.order = link.edge;  // the start of the connection comes first
            } else if (link.edge < poly.vertCount) {
                set_segment(tile, poly, link, joint);
            }
            joints_.push_back(joint);
        }
    }

    /// Adds the portals between two polygons from their joints, of which those upwards come first.
    /// Takes the direction with more links; if they are as many, the one with the finer rounding.
    void add_portals(std::span<const Joint> joints) {
        const auto downwards =
            std::find_if(joints.begin(), joints.end(), [](const Joint& j) { return !j.upwards; });
        const std::span<const Joint> up(joints.begin(), downwards);
        const std::span<const Joint> down(downwards, joints.end());
        if (joints.front().high.connection) return connect(up, down);
        const bool use_up =
            up.size() != down.size() ? up.size() > down.size() : rounding(up) <= rounding(down);
        for (const Joint& joint : use_up ? up : down) add_portal(joint, !up.empty(), !down.empty());
    }

    static float rounding(std::span<const Joint> joints) {
        float coarsest = 0;
        for (const Joint& joint : joints) coarsest = std::max(coarsest, joint.rounding);
        return coarsest;
    }

    /// Adds the portals between a polygon and an off-mesh connection. `down` has one joint for each
    /// end of the connection in the polygon, the start first. `up` has one for each of these ends
    /// where agents may enter the connection; that is always true of the start.
    void connect(std::span<const Joint> up, std::span<const Joint> down) {
        for (std::size_t i = 0; i < down.size(); ++i)
            add_portal(down[i], i < up.size(), /*back=*/true);
        if (!down.empty() || up.empty()) return;
        // Detour had no room for the link down.
        Joint joint = up.front();
        const dtMeshTile& tile = *nav_mesh_.getTile(static_cast<int>(joint.high.tile));
        joint.begin = corner_of(tile, tile.polys[joint.high.place], 0);
        joint.end = joint.begin;
        add_portal(joint, /*forth=*/true, /*back=*/false);
    }

    void add_portal(const Joint& joint, bool forth, bool back) {
        image_.portals.push_back({.first = refs_.of_tile(joint.low.tile)[joint.low.place],
                                  .second = refs_.of_tile(joint.high.tile)[joint.high.place],
                                  .begin = joint.begin,
                                  .end = joint.end,
                                  .forth = forth,
                                  .back = back});
    }

    Rank rank(dtPolyRef ref, const dtPoly& poly) const {
        return {poly.getType() != DT_POLYTYPE_GROUND, nav_mesh_.decodePolyIdTile(ref),
                nav_mesh_.decodePolyIdPoly(ref)};
    }

    const dtNavMesh& nav_mesh_;
    const PolyRefs& refs_;
    Polygon first_;
    MeshImage image_;
    std::vector<Joint> joints_;
};

}  // namespace

bool plain_filter(const dtQueryFilter& filter) noexcept {
    return typeid(filter) == typeid(dtQueryFilter);
}

bool passes(const dtQueryFilter& filter, std::uint16_t flags) noexcept {
    return (flags & filter.getIncludeFlags()) != 0 && (flags & filter.getExcludeFlags()) == 0;
}

std::vector<int> all_tiles(const dtNavMesh& nav_mesh) {
    std::vector<int> tiles(static_cast<std::size_t>(nav_mesh.getMaxTiles()));
    std::iota(tiles.begin(), tiles.end(), 0);
    return tiles;
}

void append_around(const dtNavMesh& nav_mesh, const dtMeshTile& tile, std::vector<int>& tiles) {
    std::array<const dtMeshTile*, 32> layers{};  // Detour links no more at one position
    for (const unsigned x : {0U, 1U, ~0U}) {
        for (const unsigned y : {0U, 1U, ~0U}) {
            const int count =
                nav_mesh.getTilesAt(static_cast<int>(static_cast<unsigned>(tile.header->x) + x),
                                    static_cast<int>(static_cast<unsigned>(tile.header->y) + y),
                                    layers.data(), static_cast<int>(layers.size()));
            for (int i = 0; i < count; ++i) {
                const dtTileRef ref = nav_mesh.getTileRef(layers[static_cast<std::size_t>(i)]);
                tiles.push_back(static_cast<int>(nav_mesh.decodePolyIdTile(ref)));
            }
        }
    }
}

tl::unexpected<Status> derived_filter() {
    return fail(StatusCode::unsupported,
                "the filter is of a class derived from dtQueryFilter, whose functions Cairn does "
                "not call: give a dtQueryFilter with flags and area costs");
}

std::array<float, mesh::kAreas> area_costs_of(const dtQueryFilter& filter) noexcept {
    std::array<float, mesh::kAreas> costs{};
    for (std::size_t area = 0; area < mesh::kAreas; ++area)
        costs[area] = filter.getAreaCost(static_cast<int>(area));
    return costs;
}

void append_change(const mesh::MeshData& mesh, Polygon polygon, const dtPoly& poly,
                   const dtQueryFilter& filter, std::vector<mesh::PolygonEdit>& edits) {
    const mesh::PolygonEdit wanted{
        .polygon = polygon, .area = poly.getArea(), .blocked = !passes(filter, poly.flags)};
    const bool changed =
        polygon < mesh.num_polygons()
            ? mesh.areas[polygon] != wanted.area || (mesh.blocked[polygon] != 0) != wanted.blocked
            : wanted.blocked;
    if (changed) edits.push_back(wanted);
}

std::vector<mesh::PolygonEdit> changes_since(const mesh::MeshData& mesh, const dtNavMesh& nav_mesh,
                                             const PolyRefs& now, const dtQueryFilter& filter,
                                             std::span<const int> tiles) {
    constexpr std::size_t kAhead = 8;
    std::vector<mesh::PolygonEdit> edits;
    for (std::size_t i = 0; i < tiles.size(); ++i) {
        if (i + kAhead < tiles.size()) {  // tiles lie all over the memory
            const dtPoly* const polys = nav_mesh.getTile(tiles[i + kAhead])->polys;
            const std::size_t count =
                now.of_tile(static_cast<std::size_t>(tiles[i + kAhead])).size();
            for (std::size_t k = 0; k < std::min<std::size_t>(count, 8); k += 2)
                __builtin_prefetch(polys + k);
        }
        const dtPoly* poly = nav_mesh.getTile(tiles[i])->polys;
        for (const Polygon p : now.of_tile(static_cast<std::size_t>(tiles[i]))) {
            if (p != kNone) append_change(mesh, p, *poly, filter, edits);
            ++poly;
        }
    }
    std::ranges::sort(edits, {}, &mesh::PolygonEdit::polygon);
    return edits;
}

Result<MeshImage> image_of(const dtNavMesh& nav_mesh, const PolyRefs& refs) noexcept {
    return added_image(nav_mesh, refs, 0);
}

Result<MeshImage> added_image(const dtNavMesh& nav_mesh, const PolyRefs& refs,
                              Polygon first) noexcept try {
    return ImageOfNavMesh(nav_mesh, refs, first).make();
} catch (...) {
    return out_of_memory();
}

Result<ConvertedMesh> convert(const dtNavMesh& nav_mesh, const dtQueryFilter& filter,
                              const mesh::MeshOptions& options) noexcept try {
    if (!plain_filter(filter)) return derived_filter();
    ConvertedMesh converted{.mesh = {}, .refs = value_of(PolyRefs::create(nav_mesh))};
    mesh::MeshOptions with_costs = options;
    with_costs.area_costs = area_costs_of(filter);
    const MeshImage image = value_of(image_of(nav_mesh, converted.refs));
    auto mesh = mesh::Mesh::build(image.source(), with_costs);
    if (!mesh) return tl::unexpected(std::move(mesh.error()));
    const auto edits =
        changes_since(mesh->data(), nav_mesh, converted.refs, filter, all_tiles(nav_mesh));
    if (!edits.empty()) mesh = mesh->edited(edits);
    if (!mesh) return tl::unexpected(std::move(mesh.error()));
    converted.mesh = std::move(*mesh);
    return converted;
} catch (...) {
    return out_of_memory();
}

}  // namespace cairn::detour
