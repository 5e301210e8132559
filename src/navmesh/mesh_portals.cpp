#include "navmesh/mesh_portals.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "navmesh/mesh_borders.hpp"
#include "navmesh/mesh_polygons.hpp"

namespace cairn::navmesh {

namespace {

// An edge between two vertices, as a number, and the corner of a polygon from which it runs on.
struct EdgeUse {
    std::uint64_t edge = 0;
    std::uint32_t corner = 0;
};

// Portals and links as they are made, before links are grouped by polygon.
struct Made {
    MeshTopology& mesh;
    std::vector<Link> order{};  // the links of each polygon in the order it lists them

    // `ends` seen from `first`.
    Link add(Polygon first, Polygon second, const PortalEnds& ends, bool forth, bool back) {
        const auto link = static_cast<Link>(mesh.link_polygon.size());
        mesh.link_polygon.insert(mesh.link_polygon.end(), {first, second});
        mesh.passable.insert(mesh.passable.end(), {std::uint8_t{forth}, std::uint8_t{back}});
        mesh.ends.push_back(ends);
        mesh.midpoints.push_back(middle(ends.left, ends.right));
        return link;
    }
};

// The edges of all polygons, those between the same vertices side by side, by ascending corner.
std::vector<EdgeUse> sorted_edges(const MeshTopology& t) {
    std::vector<EdgeUse> uses;
    uses.reserve(t.corners.size());
    for (Polygon p = 0; p < t.num_polygons(); ++p) {
        if (t.is_connection(p)) continue;
        for (std::uint32_t c = t.first_corner[p]; c < t.first_corner[p + 1]; ++c) {
            const bool last = c + 1 == t.first_corner[p + 1];
            const std::uint64_t a = t.corners[c];
            const std::uint64_t b = t.corners[last ? t.first_corner[p] : c + 1];
            uses.push_back({a < b ? a << 32 | b : b << 32 | a, c});
        }
    }
    std::sort(uses.begin(), uses.end(), [](const EdgeUse& a, const EdgeUse& b) {
        return a.edge != b.edge ? a.edge < b.edge : a.corner < b.corner;
    });
    return uses;
}

std::string edge_name(std::uint64_t edge) {
    return fmt::format("the edge between vertices {} and {}", edge >> 32, edge & 0xffff'ffff);
}

// Per corner the one from which a neighbour's edge runs the other way, or kNone.
Status pair_edges(const MeshTopology& t, std::vector<std::uint32_t>& partner) {
    const std::vector<EdgeUse> uses = sorted_edges(t);
    partner.assign(t.corners.size(), kNone);
    for (std::size_t i = 0; i + 1 < uses.size(); ++i) {
        const std::uint64_t edge = uses[i].edge;
        if (uses[i + 1].edge != edge) continue;
        if (i + 2 < uses.size() && uses[i + 2].edge == edge) {
            return {StatusCode::corrupt_file,
                    edge_name(edge) + " is of more than two polygons: give portals instead"};
        }
        const std::uint32_t a = uses[i].corner;
        const std::uint32_t b = uses[i + 1].corner;
        if (t.corners[a] == t.corners[b]) {
            return {StatusCode::corrupt_file,
                    edge_name(edge) + " has both its polygons on the same side: a fold"};
        }
        partner[a] = b;
        partner[b] = a;
    }
    return {};
}

Status find_portals(Made& made) {
    MeshTopology& t = made.mesh;
    std::vector<std::uint32_t> partner;
    if (Status status = pair_edges(t, partner); !status.ok()) return status;
    if (Status status = check_borders(t, partner); !status.ok()) return status;
    std::vector<Polygon> owner(t.corners.size());
    for (Polygon p = 0; p < t.num_polygons(); ++p)
        std::fill(owner.begin() + t.first_corner[p], owner.begin() + t.first_corner[p + 1], p);
    std::vector<Link> link_at(t.corners.size());
    for (std::uint32_t c = 0; c < partner.size(); ++c) {
        const std::uint32_t other = partner[c];
        if (other == kNone) continue;
        if (other > c) {
            const PortalEnds ends{t.vertices[t.corners[other]], t.vertices[t.corners[c]]};
            link_at[c] = made.add(owner[c], owner[other], ends, true, true);
            link_at[other] = twin(link_at[c]);
        }
        made.order.push_back(link_at[c]);
    }
    return {};
}

void take_portals(const MeshSource& source, Made& made) {
    const MeshTopology& t = made.mesh;
    for (const PortalSource& portal : source.portals) {
        const Point& centre = t.centres[portal.first];
        const bool turned = cross(portal.begin - centre, portal.end - centre) < 0;
        const PortalEnds ends =
            turned ? PortalEnds{portal.begin, portal.end} : PortalEnds{portal.end, portal.begin};
        const Link link = made.add(portal.first, portal.second, ends, portal.forth, portal.back);
        made.order.insert(made.order.end(), {link, twin(link)});
    }
}

void connect(const MeshSource& source, Made& made) {
    Polygon polygon = made.mesh.num_polygons() - static_cast<Polygon>(source.connections.size());
    for (const ConnectionSource& c : source.connections) {
        if (c.from != kNone) {
            const Link on = made.add(c.from, polygon, {c.begin, c.begin}, true, c.both_ways);
            made.order.insert(made.order.end(), {on, twin(on)});
        }
        if (c.to != kNone) {
            const Link off = made.add(polygon, c.to, {c.end, c.end}, true, c.both_ways);
            made.order.insert(made.order.end(), {off, twin(off)});
        }
        ++polygon;
    }
}

void group_links(const std::vector<Link>& order, MeshTopology& t) {
    t.first_link.assign(t.first_corner.size(), 0);
    for (const Link link : order) ++t.first_link[t.link_polygon[link] + 1];
    for (std::size_t p = 1; p < t.first_link.size(); ++p) t.first_link[p] += t.first_link[p - 1];
    t.links.resize(order.size());
    t.link_place.assign(t.link_polygon.size(), 0);
    std::vector<std::uint32_t> count(t.first_link.size() - 1);
    for (const Link link : order) {
        const Polygon p = t.link_polygon[link];
        t.link_place[link] = count[p]++;
        t.links[t.first_link[p] + t.link_place[link]] = link;
    }
    t.directed = false;
    for (const Link link : order)
        t.directed = t.directed || t.passable[link] != t.passable[twin(link)];
}

}  // namespace

Status add_portals(const MeshSource& source, MeshTopology& t) {
    Made made{t, t.links};
    if (source.portals_given || !source.portals.empty()) {
        take_portals(source, made);
    } else if (Status status = find_portals(made); !status.ok()) {
        return status;
    }
    connect(source, made);
    group_links(made.order, t);
    return {};
}

}  // namespace cairn::navmesh
