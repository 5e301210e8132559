#include "mesh/mesh_portals.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "mesh/mesh_borders.hpp"
#include "mesh/mesh_polygons.hpp"
#include "mesh/segment.hpp"

namespace cairn::mesh {

namespace {

// An edge between two vertices, as a number, and the corner of a polygon from which it runs on.
struct EdgeUse {
    std::uint64_t edge = 0;
    std::uint32_t corner = 0;
};

// A portal before it is divided.
struct Whole {
    Polygon first = 0;
    Polygon second = 0;
    PortalEnds ends;  // seen from `first`
    bool forth = true;
    bool back = true;
    std::uint32_t parts = 1;

    [[nodiscard]] double length() const { return distance(ends.left, ends.right); }
};

// The portals that are added and their links: 2 * place in `wholes` + side.
struct Made {
    const MeshTopology& mesh;
    std::vector<Whole> wholes{};
    std::vector<Link> order{};  // the links of each polygon in the order it lists them

    Link add(const Whole& whole) {
        wholes.push_back(whole);
        return static_cast<Link>(2 * (wholes.size() - 1));
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
    const MeshTopology& t = made.mesh;
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
            link_at[c] = made.add({owner[c], owner[other], ends});
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
        const Link link = made.add({portal.first, portal.second, ends, portal.forth, portal.back});
        made.order.insert(made.order.end(), {link, twin(link)});
    }
}

void connect(const MeshSource& source, Made& made) {
    Polygon polygon = made.mesh.num_polygons() - static_cast<Polygon>(source.connections.size());
    for (const ConnectionSource& c : source.connections) {
        if (c.from != kNone) {
            const Link on = made.add({c.from, polygon, {c.begin, c.begin}, true, c.both_ways});
            made.order.insert(made.order.end(), {on, twin(on)});
        }
        if (c.to != kNone) {
            const Link off = made.add({polygon, c.to, {c.end, c.end}, true, c.both_ways});
            made.order.insert(made.order.end(), {off, twin(off)});
        }
        ++polygon;
    }
}

// Half the mean length of the portals that are not points; 0 if all are.
double fitting_part(const std::vector<Whole>& wholes) {
    double sum = 0;
    double count = 0;
    for (const Whole& whole : wholes) {
        const double length = whole.length();
        sum += length;
        if (length > 0) count += 1;
    }
    return count > 0 ? sum / count / 2 : 0;
}

// Says how many parts each portal gets.
Status divide(double longest, Made& made) {
    constexpr double kMostParts = 64;
    std::size_t portals = made.mesh.ends.size();
    for (Whole& whole : made.wholes) {
        const double parts = longest > 0 ? std::ceil(whole.length() / longest) : 1;
        whole.parts = static_cast<std::uint32_t>(std::clamp(parts, 1.0, kMostParts));
        portals += whole.parts;
    }
    if (portals <= kMostPolygons) return {};
    return {StatusCode::too_large,
            fmt::format("with parts of {} there are {} portals, more than {}", longest, portals,
                        kMostPolygons)};
}

void append_part(const Whole& whole, std::uint32_t part, MeshTopology& t) {
    t.link_polygon.insert(t.link_polygon.end(), {whole.first, whole.second});
    t.passable.insert(t.passable.end(), {std::uint8_t{whole.forth}, std::uint8_t{whole.back}});
    t.ends.push_back(whole.ends);
    const auto& [left, right] = whole.ends;
    t.midpoints.push_back(whole.parts == 1
                              ? middle(left, right)
                              : between(left, right, (2.0 * part + 1) / (2.0 * whole.parts)));
}

// Appends all parts of the portals, and their links to `order`.
void append_parts(const Made& made, bool numbered, MeshTopology& t, std::vector<Link>& order) {
    std::vector<Portal> first;
    first.reserve(made.wholes.size());
    for (const Whole& whole : made.wholes) {
        first.push_back(static_cast<Portal>(t.ends.size()));
        for (std::uint32_t part = 0; part < whole.parts; ++part) {
            append_part(whole, part, t);
            if (numbered) t.parts.push_back(static_cast<std::uint8_t>(part));
        }
    }
    order.reserve(t.link_polygon.size());
    for (const Link link : made.order) {
        const Link base = 2 * first[link / 2] + (link & 1);
        for (std::uint32_t part = 0; part < made.wholes[link / 2].parts; ++part)
            order.push_back(base + 2 * part);
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

Status add_portals(const MeshSource& source, MeshOptions& options, MeshTopology& t) {
    Made made{t};
    if (source.portals_given || !source.portals.empty()) {
        take_portals(source, made);
    } else if (Status status = find_portals(made); !status.ok()) {
        return status;
    }
    connect(source, made);
    const bool parts = options.scoring == Scoring::portal_parts;
    if (parts && options.longest_part == 0) options.longest_part = fitting_part(made.wholes);
    if (Status status = divide(options.longest_part, made); !status.ok()) return status;
    std::vector<Link> order = t.links;
    append_parts(made, parts, t, order);
    group_links(order, t);
    return {};
}

}  // namespace cairn::mesh
