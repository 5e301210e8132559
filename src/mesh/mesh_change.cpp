// The topology of a changed mesh. Only the lists of polygons that lose corners or links are made
// anew; those between them are copied in one piece.

#include "core/sort_unique.hpp"
#include "mesh/mesh_build.hpp"

namespace cairn::mesh {

namespace {

template <class T>
void copy_with_room(const std::vector<T>& from, std::size_t room, std::vector<T>& to) {
    to.reserve(from.size() + room);
    to.assign(from.begin(), from.end());
}

// Copies lists, one per polygon: that of polygon p is items[first[p]] up to, not including,
// items[first[p + 1]]. write(p) appends the new lists of the polygons `changed`, ascending.
template <class T, class Write>
void copy_lists(const std::vector<std::uint32_t>& first, const std::vector<T>& items,
                std::span<const Polygon> changed, std::vector<std::uint32_t>& new_first,
                std::vector<T>& new_items, Write&& write) {
    new_first.resize(first.size());
    Polygon from = 0;
    const auto copy_up_to = [&](std::size_t p) {
        const auto shift = static_cast<std::uint32_t>(new_items.size()) - first[from];
        new_items.insert(new_items.end(), items.begin() + first[from], items.begin() + first[p]);
        for (std::size_t i = from; i < p; ++i) new_first[i + 1] = first[i + 1] + shift;
    };
    for (const Polygon p : changed) {
        copy_up_to(p);
        write(p);
        new_first[p + 1] = static_cast<std::uint32_t>(new_items.size());
        from = p + 1;
    }
    copy_up_to(first.size() - 1);
}

// Takes the portals of a polygon out of a topology whose lists of links are those of `old`.
void clear_portals(const MeshTopology& old, Polygon p, MeshTopology& t) {
    for (std::uint32_t i = old.first_link[p]; i < old.first_link[p + 1]; ++i) {
        const Link link = old.links[i];
        t.link_polygon[link] = t.link_polygon[twin(link)] = kNone;
        t.passable[link] = t.passable[twin(link)] = 0;
        t.link_place[link] = t.link_place[twin(link)] = 0;
        t.ends[portal_of(link)] = {};
        t.midpoints[portal_of(link)] = {};
        if (!t.parts.empty()) t.parts[portal_of(link)] = 0;
        if (!t.widths.empty()) t.widths[portal_of(link)] = kNoLimit;
    }
}

// Appends the polygons that links of a polygon lead to.
void append_neighbours(const MeshTopology& t, Polygon p, std::vector<Polygon>& polygons) {
    for (std::uint32_t i = t.first_link[p]; i < t.first_link[p + 1]; ++i)
        polygons.push_back(t.link_polygon[twin(t.links[i])]);
}

}  // namespace

MeshTopology without(const MeshTopology& old, std::span<const Polygon> removed,
                     const MeshSource& added) {
    const std::size_t connections = added.connections.size();
    const std::size_t polygons = added.first_corner.size() + connections;
    const std::size_t portals = added.portals.size() + 2 * connections;
    MeshTopology t;
    copy_with_room(old.vertices, added.vertices.size() + 2 * connections, t.vertices);
    copy_with_room(old.centres, polygons, t.centres);
    copy_with_room(old.link_polygon, 2 * portals, t.link_polygon);
    copy_with_room(old.link_place, 2 * portals, t.link_place);
    copy_with_room(old.passable, 2 * portals, t.passable);
    copy_with_room(old.ends, portals, t.ends);
    copy_with_room(old.midpoints, portals, t.midpoints);
    t.parts = old.parts;
    t.widths = old.widths;
    t.oddities = old.oddities;
    t.connections = old.connections;
    t.removed = old.removed + static_cast<std::uint32_t>(removed.size());
    t.changed = true;

    std::vector<Polygon> relinked(removed.begin(), removed.end());
    for (const Polygon p : removed) {
        append_neighbours(old, p, relinked);
        t.centres[p] = {};
        if (!t.oddities.empty()) t.oddities[p] = Oddity::none;
        if (old.is_connection(p)) --t.connections;
        clear_portals(old, p, t);
    }
    sort_unique(relinked);
    t.first_corner.reserve(old.first_corner.size() + polygons);
    t.corners.reserve(old.corners.size() + added.corners.size() + 2 * connections);
    copy_lists(old.first_corner, old.corners, removed, t.first_corner, t.corners, [](Polygon) {});
    t.first_link.reserve(old.first_link.size() + polygons);
    t.links.reserve(old.links.size() + 2 * portals);
    copy_lists(old.first_link, old.links, relinked, t.first_link, t.links, [&](Polygon p) {
        const std::size_t first = t.links.size();
        for (std::uint32_t i = old.first_link[p]; i < old.first_link[p + 1]; ++i) {
            const Link link = old.links[i];
            if (t.link_polygon[link] == kNone) continue;
            t.link_place[link] = static_cast<std::uint32_t>(t.links.size() - first);
            t.links.push_back(link);
        }
    });
    return t;
}

std::vector<Polygon> relinked(const MeshTopology& before, std::span<const Polygon> removed,
                              const MeshTopology& after) {
    std::vector<Polygon> polygons(removed.begin(), removed.end());
    for (const Polygon p : removed) append_neighbours(before, p, polygons);
    const auto added =
        after.link_polygon.begin() + static_cast<std::ptrdiff_t>(before.link_polygon.size());
    polygons.insert(polygons.end(), added, after.link_polygon.end());
    for (Polygon p = before.num_polygons(); p < after.num_polygons(); ++p) polygons.push_back(p);
    sort_unique(polygons);
    return polygons;
}

}  // namespace cairn::mesh
