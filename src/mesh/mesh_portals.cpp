// The portals of a mesh: checks that polygons touch only along shared edges, checks given portals,
// and makes the arrays of portals and links.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/sort_unique.hpp"
#include "mesh/mesh_build.hpp"

namespace cairn::mesh {

namespace {

// A k-d tree over some vertices (J. L. Bentley, "Multidimensional binary search trees used for
// associative searching", 1975) that finds those near a segment.
class CornerTree {
public:
    CornerTree() = default;
    // Over vertices[number] for all `numbers`; the vertices must outlive the tree. O(n log n).
    CornerTree(std::span<const Point> vertices, std::vector<std::uint32_t> numbers)
        : vertices_(vertices), numbers_(std::move(numbers)), axis_(numbers_.size(), 0) {
        arrange(0, numbers_.size());
    }

    // Calls visit(number), until it returns false, for all vertices within `near` of the segment
    // from a to b, and perhaps some others.
    template <class Visit>
    void visit(const Point& a, const Point& b, double near, Visit&& visit) const {
        (void)descend({a, b - a, near}, {0, numbers_.size()}, 0, 1, visit);
    }

private:
    struct Segment {
        Point from;
        Vector extent;  // from one end to the other
        double near = 0;
    };
    // A part of numbers_. Its middle element is its median along the axis of its greatest extent:
    // the elements before it lie below, those after it above.
    struct Node {
        std::size_t begin = 0;
        std::size_t end = 0;
    };

    static double coordinate(const Point& p, int axis) {
        return double{axis == 0 ? p.x : axis == 1 ? p.y : p.z};
    }
    static double coordinate(const Vector& v, int axis) {
        return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
    }
    [[nodiscard]] int longest_axis(std::size_t begin, std::size_t end) const {
        int longest = 0;
        double most = -1;
        for (int axis = 0; axis < 3; ++axis) {
            double low = coordinate(vertices_[numbers_[begin]], axis);
            double high = low;
            for (std::size_t i = begin + 1; i < end; ++i) {
                low = std::min(low, coordinate(vertices_[numbers_[i]], axis));
                high = std::max(high, coordinate(vertices_[numbers_[i]], axis));
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
            const double p = coordinate(vertices_[a], axis);
            const double q = coordinate(vertices_[b], axis);
            return p != q ? p < q : a < b;
        });
        axis_[middle] = static_cast<std::uint8_t>(axis);
        arrange(begin, middle);
        arrange(middle + 1, end);
    }

    // Visits the vertices of a node near the part of the segment from t0 to t1, as shares of its
    // length. False once `visit` has returned false.
    template <class Visit>
    bool descend(const Segment& segment, const Node& node, double t0, double t1,
                 Visit& visit) const {
        if (node.begin >= node.end) return true;
        const std::size_t middle = (node.begin + node.end) / 2;
        if (!visit(numbers_[middle])) return false;
        const int axis = axis_[middle];
        const double from = coordinate(segment.from, axis);
        const double extent = coordinate(segment.extent, axis);
        const double split = coordinate(vertices_[numbers_[middle]], axis);
        const double low = from + extent * (extent < 0 ? t1 : t0);
        const double high = from + extent * (extent < 0 ? t0 : t1);
        // The share at which the segment passes a coordinate. The coordinates below lie a margin
        // beyond the split, so both sides are searched a little too far.
        const auto share_at = [&](double value) {
            return std::clamp(extent == 0 ? t1 : (value - from) / extent, t0, t1);
        };
        if (low <= split + segment.near) {
            const double t = share_at(split + 2 * segment.near);
            const Node below{node.begin, middle};
            if (!(extent < 0 ? descend(segment, below, t, t1, visit)
                             : descend(segment, below, t0, t, visit)))
                return false;
        }
        if (high < split - segment.near) return true;
        const double t = extent == 0 ? t0 : share_at(split - 2 * segment.near);
        const Node above{middle + 1, node.end};
        return extent < 0 ? descend(segment, above, t0, t, visit)
                          : descend(segment, above, t, t1, visit);
    }

    std::span<const Point> vertices_;
    std::vector<std::uint32_t> numbers_;
    std::vector<std::uint8_t> axis_;  // of the node whose middle element stands at this index
};

// An edge of a polygon with no polygon beyond it.
struct BorderEdge {
    std::uint32_t from = 0;  // vertex
    std::uint32_t to = 0;    // vertex
    Polygon polygon = 0;
};

// `partner` as for check_borders.
std::vector<BorderEdge> border_edges(const MeshTopology& t,
                                     const std::vector<std::uint32_t>& partner) {
    std::vector<BorderEdge> edges;
    edges.reserve(partner.size());
    for (Polygon p = 0; p < t.num_polygons(); ++p) {
        if (t.is_connection(p)) continue;
        const std::uint32_t end = t.first_corner[p + 1];
        for (std::uint32_t c = t.first_corner[p]; c < end; ++c) {
            if (partner[c] != kNone) continue;
            edges.push_back({t.corners[c], t.corners[c + 1 == end ? t.first_corner[p] : c + 1], p});
        }
    }
    return edges;
}

double dot(const Vector& a, const Vector& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

// How far a point lies beside the line through `from` along the unit vector `along`.
double beside(const Point& point, const Point& from, const Vector& along) {
    const Vector v = point - from;
    const double ahead = dot(v, along);
    return length({v.x - ahead * along.x, v.y - ahead * along.y, v.z - ahead * along.z});
}

// Looks for T-junctions: corners inside border edges of other polygons.
class Junctions {
public:
    Junctions(const MeshTopology& t, std::vector<BorderEdge> edges)
        : mesh_(t), edges_(std::move(edges)) {
        std::vector<std::uint32_t> vertices;
        vertices.reserve(2 * edges_.size());
        edges_at_.reserve(2 * edges_.size());
        for (const auto& [from, to, polygon] : edges_) {
            vertices.insert(vertices.end(), {from, to});
            edges_at_.insert(edges_at_.end(), {{from, to, polygon}, {to, from, polygon}});
        }
        sort_unique(vertices);
        std::sort(edges_at_.begin(), edges_at_.end(), [](const BorderEdge& a, const BorderEdge& b) {
            return a.from != b.from ? a.from < b.from : a.to < b.to;
        });
        tree_ = CornerTree(t.vertices, std::move(vertices));
        budget_ = 1000 * edges_.size() + 1'000'000;
    }

    [[nodiscard]] Status check() {
        for (const BorderEdge& edge : edges_) {
            Status status = check(edge);
            if (!status.ok()) return status;
        }
        return {};
    }

private:
    [[nodiscard]] Status check(const BorderEdge& edge) {
        const Point& a = mesh_.vertices[edge.from];
        const Point& b = mesh_.vertices[edge.to];
        const double size = distance(a, b);
        const double most = std::max({std::abs(a.x), std::abs(a.y), std::abs(a.z), std::abs(b.x),
                                      std::abs(b.y), std::abs(b.z)});
        // The error of rounded coordinates, and a small share of the edge.
        const double near = 4 * kNoise * most + 1e-5 * size;
        const Vector v = b - a;
        const Vector along{v.x / size, v.y / size, v.z / size};
        Status status;
        tree_.visit(a, b, near, [&](std::uint32_t vertex) {
            if (budget_-- == 0) {
                status = {StatusCode::too_large, "too many borders lie upon each other"};
                return false;
            }
            const Point& point = mesh_.vertices[vertex];
            const double ahead = dot(point - a, along);
            const bool inside = ahead > near && ahead < size - near;
            if (!inside || beside(point, a, along) > near) return true;
            const BorderEdge* other = edge_along(vertex, a, along, near);
            if (other == nullptr) return true;
            status = fault_of(
                "polygon", edge.polygon,
                fmt::format("vertex {}, a corner of polygon {}, lies inside its edge between "
                            "vertices {} and {}: give it that corner too, or give portals",
                            vertex, other->polygon, edge.from, edge.to));
            return false;
        });
        return status;
    }
    // A border edge at a vertex that runs along the line through `from`, or null.
    [[nodiscard]] const BorderEdge* edge_along(std::uint32_t vertex, const Point& from,
                                               const Vector& along, double near) {
        auto edge =
            std::lower_bound(edges_at_.begin(), edges_at_.end(), vertex,
                             [](const BorderEdge& e, std::uint32_t v) { return e.from < v; });
        for (; edge != edges_at_.end() && edge->from == vertex && budget_ > 1; ++edge, --budget_) {
            if (beside(mesh_.vertices[edge->to], from, along) <= near) return &*edge;
        }
        return nullptr;
    }

    const MeshTopology& mesh_;
    std::vector<BorderEdge> edges_;
    std::vector<BorderEdge> edges_at_;  // in both directions, sorted by BorderEdge::from
    CornerTree tree_;
    std::size_t budget_ = 0;  // comparisons that are left
};

// The border of a polygon seen from above, and how far off it given points may lie.
class Outline {
public:
    Outline(const MeshTopology& t, Polygon p)
        : vertices_(t.vertices),
          corners_(t.corners.data() + t.first_corner[p], t.first_corner[p + 1] - t.first_corner[p]),
          centre_(t.centres[p]) {
        double extent = 0;
        for (const std::uint32_t corner : corners_) {
            const Vector v = vertices_[corner] - vertices_[corners_[0]];
            extent = std::max({extent, std::abs(v.x), std::abs(v.z)});
        }
        slack_ = 0.01 * extent + 0.01;  // the tolerance that PortalSource promises
    }

    [[nodiscard]] double slack() const { return slack_; }
    [[nodiscard]] const Point& centre() const { return centre_; }
    [[nodiscard]] bool on_border(const Point& point) const {
        return distance_to_border(point) <= slack_;
    }
    [[nodiscard]] bool contains(const Point& point) const {
        bool inside = true;
        for (std::size_t i = 0; i < corners_.size() && inside; ++i)
            inside = cross(corner(i + 1) - corner(i), point - corner(i)) >= 0;
        return inside || on_border(point);
    }

private:
    [[nodiscard]] const Point& corner(std::size_t i) const {
        return vertices_[corners_[i == corners_.size() ? 0 : i]];
    }
    [[nodiscard]] double distance_to_border(const Point& point) const {
        double least = std::numeric_limits<double>::infinity();
        for (std::size_t i = 0; i < corners_.size(); ++i) {
            const Vector edge = corner(i + 1) - corner(i);
            const Vector v = point - corner(i);
            const double square = edge.x * edge.x + edge.z * edge.z;
            const double share = std::clamp((v.x * edge.x + v.z * edge.z) / square, 0.0, 1.0);
            least = std::min(least, length({v.x - share * edge.x, 0, v.z - share * edge.z}));
        }
        return least;
    }

    std::span<const Point> vertices_;
    std::span<const std::uint32_t> corners_;
    Point centre_;
    double slack_ = 0;
};

// How far to the left of the line from a to b a point lies, seen from above.
double left_of(const Point& point, const Point& a, const Point& b) {
    const Vector v = b - a;
    return cross(v, point - a) / length({v.x, 0, v.z});
}

// Checks a portal between two polygons with corners.
Status check_portal(const MeshTopology& t, std::size_t number, const PortalSource& portal) {
    const Outline first(t, portal.first);
    const Outline second(t, portal.second);
    for (const Outline* outline : {&first, &second}) {
        const Polygon polygon = outline == &first ? portal.first : portal.second;
        for (const Point& point : {portal.begin, portal.end, middle(portal.begin, portal.end)}) {
            if (outline->on_border(point)) continue;
            return fault_of("portal", number,
                            fmt::format("it does not lie on the border of polygon {}", polygon));
        }
    }
    // Of a portal that is nearly a point, no side can be told.
    const double slack = std::max(first.slack(), second.slack());
    const Vector along = portal.end - portal.begin;
    if (length({along.x, 0, along.z}) <= slack) return {};
    const double a = left_of(first.centre(), portal.begin, portal.end);
    const double b = left_of(second.centre(), portal.begin, portal.end);
    if ((a > 0) == (b > 0) && std::min(std::abs(a), std::abs(b)) > slack)
        return fault_of("portal", number, "both its polygons lie on the same side of it");
    return {};
}

// Checks a portal between a polygon and a connection.
Status check_landing(const MeshTopology& t, std::size_t number, const PortalSource& portal) {
    const bool connection_first = t.is_connection(portal.first);
    const Polygon polygon = connection_first ? portal.second : portal.first;
    const Polygon connection = connection_first ? portal.first : portal.second;
    const Outline outline(t, polygon);
    const std::uint32_t corner = t.first_corner[connection];
    for (const Point& point : {portal.begin, portal.end}) {
        if (!outline.contains(point)) {
            return fault_of("portal", number,
                            fmt::format("it lies outside polygon {}, which it joins to a "
                                        "connection",
                                        polygon));
        }
        const double away = std::min(distance(point, t.vertices[t.corners[corner]]),
                                     distance(point, t.vertices[t.corners[corner + 1]]));
        if (away > outline.slack())
            return fault_of("portal", number, "it lies at no end of its connection");
    }
    return {};
}

Status check_connection(const MeshTopology& t, std::size_t number,
                        const ConnectionSource& connection) {
    if (connection.from != kNone && !Outline(t, connection.from).contains(connection.begin))
        return fault_of("connection", number, "it begins outside its first polygon");
    if (connection.to != kNone && !Outline(t, connection.to).contains(connection.end))
        return fault_of("connection", number, "it ends outside its second polygon");
    return {};
}

}  // namespace

Status check_borders(const MeshTopology& t, const std::vector<std::uint32_t>& partner) {
    return Junctions(t, border_edges(t, partner)).check();
}

Status check_joins(const MeshSource& source, const MeshTopology& t) {
    for (std::size_t i = 0; i < source.portals.size(); ++i) {
        const PortalSource& portal = source.portals[i];
        const bool lands = t.is_connection(portal.first) || t.is_connection(portal.second);
        Status status = lands ? check_landing(t, i, portal) : check_portal(t, i, portal);
        if (!status.ok()) return status;
    }
    for (std::size_t i = 0; i < source.connections.size(); ++i) {
        Status status = check_connection(t, i, source.connections[i]);
        if (!status.ok()) return status;
    }
    return {};
}

namespace {

// An edge of a polygon.
struct EdgeUse {
    std::uint64_t edge = 0;    // its vertices: the lower one in the high 32 bits
    std::uint32_t corner = 0;  // of the polygon, from which the edge runs to the next corner
};

// A portal before it is divided.
struct Whole {
    Polygon first = 0;
    Polygon second = 0;
    PortalEnds ends;    // as seen when leaving `first`
    bool forth = true;  // can be crossed from `first` to `second`
    bool back = true;   // and from `second` to `first`
    float width = kNoLimit;
    std::uint32_t parts = 1;

    [[nodiscard]] double length() const { return distance(ends.left, ends.right); }
};

// The portals to be added, before they are divided. Links here are 2 * place in `wholes` + side.
struct Made {
    const MeshTopology& mesh;
    std::vector<Whole> wholes{};
    std::vector<Link> order{};  // the links of each polygon in the order it lists them

    Link add(const Whole& whole) {
        wholes.push_back(whole);
        return static_cast<Link>(2 * (wholes.size() - 1));
    }
};

// The edges of all polygons, sorted by EdgeUse::edge, then by corner.
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

// Finds for each corner the partner of the edge that begins there: the corner at which the
// neighbouring polygon begins the same edge, in the other direction, or kNone.
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

// Makes a portal of every edge that two polygons share. A folded one may have an edge twice.
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
        if (other == kNone || owner[other] == owner[c]) continue;
        if (other > c) {
            const PortalEnds ends{t.vertices[t.corners[other]], t.vertices[t.corners[c]]};
            link_at[c] = made.add({owner[c], owner[other], ends});
            link_at[other] = twin(link_at[c]);
        }
        made.order.push_back(link_at[c]);
    }
    return {};
}

// Takes the portals that the source gives.
void take_portals(const MeshSource& source, Made& made) {
    const MeshTopology& t = made.mesh;
    for (const PortalSource& portal : source.portals) {
        // A polygon without area has its centre on the portal or anywhere beside it.
        const bool from_second = t.oddity(portal.first) != Oddity::none;
        const Point& centre = t.centres[from_second ? portal.second : portal.first];
        const bool begins_left =
            (cross(portal.begin - centre, portal.end - centre) < 0) != from_second;
        const PortalEnds ends = begins_left ? PortalEnds{portal.begin, portal.end}
                                            : PortalEnds{portal.end, portal.begin};
        const Link link =
            made.add({portal.first, portal.second, ends, portal.forth, portal.back, portal.width});
        made.order.insert(made.order.end(), {link, twin(link)});
    }
}

// Whether nobody can tell the left end of a portal from its right end, as a string needs it.
bool has_no_sides(const MeshTopology& t, const Whole& whole) {
    if (t.is_connection(whole.first) || t.is_connection(whole.second)) return false;
    const Oddity first = t.oddity(whole.first);
    const Oddity second = t.oddity(whole.second);
    if (bends(first) || bends(second)) return true;
    if (first != Oddity::none && second != Oddity::none) return true;
    return !check_portal(t, 0, {whole.first, whole.second, whole.ends.left, whole.ends.right}).ok();
}

// Narrows the portals without sides to their midpoints (OddPolygons::accept).
void narrow(Made& made) {
    for (Whole& whole : made.wholes) {
        if (has_no_sides(made.mesh, whole))
            whole.ends.left = whole.ends.right = middle(whole.ends.left, whole.ends.right);
    }
}

// Makes the portals between connections and the polygons that they join; each is a point.
void connect(const MeshSource& source, Made& made) {
    Polygon polygon = made.mesh.num_polygons() - static_cast<Polygon>(source.connections.size());
    for (const ConnectionSource& c : source.connections) {
        if (c.from != kNone) {
            const Link entry = made.add({c.from, polygon, {c.begin, c.begin}, true, c.both_ways});
            made.order.insert(made.order.end(), {entry, twin(entry)});
        }
        if (c.to != kNone) {
            const Link exit = made.add({polygon, c.to, {c.end, c.end}, true, c.both_ways});
            made.order.insert(made.order.end(), {exit, twin(exit)});
        }
        ++polygon;
    }
}

constexpr double kMostParts = 64;

std::uint32_t num_parts(const Whole& whole, double longest) {
    return static_cast<std::uint32_t>(
        std::clamp(std::ceil(whole.length() / longest), 1.0, kMostParts));
}

// The pairs of links that the polygons would have with parts of at most `longest`. `links` is
// scratch memory: a number for each polygon.
double pairs_of_links(const Made& made, double longest, std::vector<double>& links) {
    links.assign(made.mesh.num_polygons(), 0);
    for (const Whole& whole : made.wholes) {
        const std::uint32_t parts = num_parts(whole, longest);
        links[whole.first] += parts;
        links[whole.second] += parts;
    }
    double sum = 0;
    for (const double n : links) sum += n * n;
    return sum;
}

// The automatic longest_part: the length of the longest portal divided by the largest whole number
// up to kMost with which there are at most kTimes as many pairs of links as without parts. The
// bytes of an index grow with these pairs, and so does the time of searches. 0 if all portals are
// points.
double fitting_part(const Made& made) {
    constexpr double kTimes = 3;
    constexpr std::uint32_t kMost = 1U << 12;
    double longest = 0;
    for (const Whole& whole : made.wholes) longest = std::max(longest, whole.length());
    if (longest == 0) return 0;
    std::vector<double> links;
    const double most = kTimes * pairs_of_links(made, longest, links);
    std::uint32_t fits = 1;
    for (std::uint32_t step = kMost / 2; step > 0; step /= 2) {
        if (pairs_of_links(made, longest / (fits + step), links) <= most) fits += step;
    }
    return longest / fits;
}

// Sets the number of parts of each portal: the fewest that are not longer than `longest`, but at
// most kMostParts; 1 if `longest` is 0. Errors: too_large.
Status divide(double longest, Made& made) {
    std::size_t portals = made.mesh.ends.size();
    for (Whole& whole : made.wholes) {
        whole.parts = longest > 0 ? num_parts(whole, longest) : 1;
        portals += whole.parts;
    }
    if (portals <= kMostPolygons) return {};
    return {StatusCode::too_large,
            fmt::format("with parts of {} there are {} portals, more than {}", longest, portals,
                        kMostPolygons)};
}

// Appends a part of a portal, which has the ends of the whole and a midpoint of its own.
void append_part(const Whole& whole, std::uint32_t part, MeshTopology& t) {
    t.link_polygon.insert(t.link_polygon.end(), {whole.first, whole.second});
    t.passable.insert(t.passable.end(), {std::uint8_t{whole.forth}, std::uint8_t{whole.back}});
    t.ends.push_back(whole.ends);
    const auto& [left, right] = whole.ends;
    t.midpoints.push_back(whole.parts == 1
                              ? middle(left, right)
                              : between(left, right, (2.0 * part + 1) / (2.0 * whole.parts)));
}

// Appends the widths of all parts, if the mesh has a limited one.
void append_widths(const Made& made, MeshTopology& t) {
    const bool limited = std::any_of(made.wholes.begin(), made.wholes.end(),
                                     [](const Whole& whole) { return whole.width != kNoLimit; });
    if (t.widths.empty() && !limited) return;
    t.widths.reserve(t.ends.size());
    std::size_t added = 0;
    for (const Whole& whole : made.wholes) added += whole.parts;
    t.widths.resize(t.ends.size() - added, kNoLimit);
    for (const Whole& whole : made.wholes)
        t.widths.insert(t.widths.end(), whole.parts, whole.width);
}

// Appends all parts of the portals, numbered for MeshTopology::parts or not. Returns their links in
// the order of `made.order`.
std::vector<Link> append_parts(const Made& made, bool numbered, MeshTopology& t) {
    std::vector<Portal> first;
    first.reserve(made.wholes.size());
    for (const Whole& whole : made.wholes) {
        first.push_back(static_cast<Portal>(t.ends.size()));
        for (std::uint32_t part = 0; part < whole.parts; ++part) {
            append_part(whole, part, t);
            if (numbered) t.parts.push_back(static_cast<std::uint8_t>(part));
        }
    }
    append_widths(made, t);
    std::vector<Link> order;
    order.reserve(made.order.size());
    for (const Link link : made.order) {
        const Link base = 2 * first[link / 2] + (link & 1);
        for (std::uint32_t part = 0; part < made.wholes[link / 2].parts; ++part)
            order.push_back(base + 2 * part);
    }
    return order;
}

// Appends links to the lists of their polygons, each polygon's in the order of `added`. Those that
// are there keep their places. Sets `directed`.
void append_links(const std::vector<Link>& added, MeshTopology& t) {
    const std::size_t polygons = t.num_polygons();
    std::size_t end = t.links.size();  // of the lists that are not moved yet
    t.first_link.resize(polygons + 1, t.first_link.back());
    t.link_place.resize(t.link_polygon.size());
    std::vector<std::uint32_t> more(polygons);  // per polygon: how many are added
    for (const Link link : added) {
        const Polygon p = t.link_polygon[link];
        t.link_place[link] = t.first_link[p + 1] - t.first_link[p] + more[p]++;
    }
    auto shift = static_cast<std::uint32_t>(added.size());
    t.links.resize(end + shift);
    for (std::size_t p = polygons; shift > 0 && p-- > 0;) {
        const std::size_t begin = t.first_link[p + 1];
        t.first_link[p + 1] += shift;
        if (more[p] == 0) continue;
        std::copy_backward(t.links.data() + begin, t.links.data() + end,
                           t.links.data() + end + shift);
        end = begin;
        shift -= more[p];
    }
    for (const Link link : added)
        t.links[t.first_link[t.link_polygon[link]] + t.link_place[link]] = link;
    t.directed = false;
    for (std::size_t link = 0; link < t.passable.size(); link += 2)
        t.directed |= t.passable[link] != t.passable[link + 1];
}

}  // namespace

Status add_portals(const MeshSource& source, MeshOptions& options, MeshTopology& t) {
    Made made{t};
    if (source.portals_given || !source.portals.empty()) {
        take_portals(source, made);
    } else if (Status status = find_portals(made); !status.ok()) {
        return status;
    }
    if (source.odd_polygons == OddPolygons::accept) narrow(made);
    connect(source, made);
    const bool parts = options.scoring == Scoring::portal_parts;
    if (parts && options.longest_part == 0) options.longest_part = fitting_part(made);
    if (Status status = divide(options.longest_part, made); !status.ok()) return status;
    append_links(append_parts(made, parts, t), t);
    return {};
}

}  // namespace cairn::mesh
