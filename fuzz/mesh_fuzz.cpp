// Any numbers as a navigation mesh give a mesh or an error that names the fault. A mesh keeps what
// its header promises, edits that are undone leave it unchanged, and it can be cut along its gates.
//
// The bytes are words. The first letter of a keyword decides what follows it:
//     v x y z                           a vertex
//     p n i...                          a polygon of n corners
//     a n                               the area of the next polygon
//     f n                               an extra entry of first_corner
//     g                                 sets portals_given
//     o                                 accepts odd polygons
//     w width                           the width of the portal given last
//     j from to x y z x y z sides       a given portal
//                                       (sides: even leads forth, 0 or 1 leads back)
//     c from to x y z x y z area ways   a connection; one way if ways is 0
//     s                                 scoring by polygon centres
//     d length                          scoring by portal parts, with this longest_part
//     u units                           units_per_length
//     k area cost                       an area cost
//     r radius                          of the agents

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <sstream>
#include <string>

#include "bytes.hpp"
#include "cairn/mesh/clearance.hpp"
#include "cairn/mesh/mesh_image.hpp"
#include "cairn/mesh/reachability.hpp"

namespace {

using cairn::fuzz::require;
using namespace cairn::mesh;

/// No cost inside a polygon is greater.
constexpr cairn::Cost kMaxCost = 1U << 28;
constexpr double kAllAgents = std::numeric_limits<double>::infinity();

class Words {
public:
    Words(const std::uint8_t* data, std::size_t size)
        : in_(std::string(reinterpret_cast<const char*>(data), size)) {}

    bool next(std::string& word) { return static_cast<bool>(in_ >> word); }
    double real() {
        std::string word;
        return next(word) ? std::strtod(word.c_str(), nullptr) : 0;
    }
    std::uint32_t number() {
        std::string word;
        return next(word) ? static_cast<std::uint32_t>(std::strtoul(word.c_str(), nullptr, 10)) : 0;
    }
    Point point() {
        const auto x = static_cast<float>(real());
        const auto y = static_cast<float>(real());
        return {x, y, static_cast<float>(real())};
    }

private:
    std::istringstream in_;
};

/// A mesh image and options, read from words.
struct Case {
    MeshImage image;
    MeshOptions options;

    void read(Words& words) {
        for (std::string word; words.next(word);) read(word[0], words);
    }

private:
    void read(char keyword, Words& words) {
        if (keyword == 'v') image.vertices.push_back(words.point());
        if (keyword == 'p') read_polygon(words);
        if (keyword == 'a') image.areas.push_back(static_cast<std::uint8_t>(words.number()));
        if (keyword == 'f') image.first_corner.push_back(words.number());
        if (keyword == 'g') image.portals_given = true;
        if (keyword == 'o') image.odd_polygons = OddPolygons::accept;
        if (keyword == 'w' && !image.portals.empty())
            image.portals.back().width = static_cast<float>(words.real());
        if (keyword == 'r') options.radius = words.real();
        if (keyword == 's') options.scoring = Scoring::polygon_centres;
        if (keyword == 'd') {
            options.scoring = Scoring::portal_parts;
            options.longest_part = words.real();
        }
        if (keyword == 'u') options.units_per_length = words.real();
        if (keyword == 'k') {
            float& cost = options.area_costs[words.number() % kAreas];
            cost = static_cast<float>(words.real());
        }
        if (keyword == 'j') {
            const Polygon first = words.number();
            const Polygon second = words.number();
            const Point begin = words.point();
            const Point end = words.point();
            const std::uint32_t sides = words.number();
            image.portals.push_back({first, second, begin, end, sides % 2 == 0, sides < 2});
        }
        if (keyword == 'c') {
            const Polygon from = words.number();
            const Polygon to = words.number();
            const Point begin = words.point();
            const Point end = words.point();
            const auto area = static_cast<std::uint8_t>(words.number());
            image.connections.push_back({from, to, begin, end, area, words.number() != 0});
        }
    }
    void read_polygon(Words& words) {
        for (std::uint32_t n = std::min(words.number(), 100U); n > 0; --n)
            image.corners.push_back(words.number());
        image.first_corner.push_back(static_cast<std::uint32_t>(image.corners.size()));
    }
};

/// Twice the signed area of the triangle p, a, b in the plane of x and z.
double turn(const Point& p, const Point& a, const Point& b) {
    return (double{a.x} - double{p.x}) * (double{b.z} - double{p.z}) -
           (double{a.z} - double{p.z}) * (double{b.x} - double{p.x});
}

/// By how much a portal may turn the wrong way as seen from its polygon's centre: borders may bend
/// inwards a little, and centres are rounded.
double turn_error(const Mesh& mesh, Polygon polygon, const Point& a, const Point& b) {
    double greatest_coordinate = 0;
    for (const std::uint32_t corner : mesh.corners(polygon)) {
        const Point& p = mesh.vertices()[corner];
        greatest_coordinate =
            std::max({greatest_coordinate, std::abs(double{p.x}), std::abs(double{p.z})});
    }
    const Point centre = mesh.centre(polygon);
    const double extent =
        std::abs(double{b.x} - double{a.x}) + std::abs(double{b.z} - double{a.z}) +
        std::abs(double{centre.x} - double{a.x}) + std::abs(double{centre.z} - double{a.z});
    return 1 + 0x1p-18 * greatest_coordinate * extent;
}

void check_polygon(const Mesh& mesh, Polygon p) {
    const auto corners = mesh.corners(p);
    require(mesh.is_connection(p) ? corners.size() == 2 : corners.size() >= 3);
    double area = 0;
    for (const std::uint32_t corner : corners) require(corner < mesh.vertices().size());
    for (std::size_t i = 1; i + 1 < corners.size(); ++i)
        area += turn(mesh.vertices()[corners[0]], mesh.vertices()[corners[i]],
                     mesh.vertices()[corners[i + 1]]);
    require(mesh.is_connection(p) || mesh.oddity(p) != Oddity::none || area > 0);
    const auto links = mesh.links(p);
    for (std::uint32_t i = 0; i < links.size(); ++i) {
        require(links[i] < mesh.num_links() && mesh.polygon_of(links[i]) == p);
        require(mesh.place(links[i]) == i && mesh.inside_cost(p, i, i) == 0);
        const cairn::Cost end = mesh.end_cost(p, mesh.midpoint(links[i]), i);
        require(end > 0 && end <= kMaxCost);
        require(mesh.end_cost(p, mesh.centre(p), i) <= kMaxCost);
        for (std::uint32_t j = 0; j < i; ++j) {
            require(mesh.inside_cost(p, i, j) == mesh.inside_cost(p, j, i));
            require(mesh.inside_cost(p, i, j) > 0 && mesh.inside_cost(p, i, j) <= kMaxCost);
        }
    }
}

void check_links(const Mesh& mesh) {
    for (Link link = 0; link < mesh.num_links(); ++link) {
        require(mesh.polygon_of(link) < mesh.num_polygons());
        require(mesh.left(link) == mesh.right(twin(link)));
        const bool blocked =
            mesh.blocked(mesh.polygon_of(link)) || mesh.blocked(mesh.polygon_of(twin(link)));
        require(!(blocked && mesh.open(link)));
        require(mesh.directed() || mesh.open(link) == mesh.open(twin(link)));
        require(mesh.bound(link, mesh.midpoint(link)) <= 2 * kMaxCost);
        if ((link & 1) != 0 || mesh.num_odd() > 0) continue;
        const Polygon polygon = mesh.polygon_of(link);
        const Point right = mesh.right(link);
        const Point left = mesh.left(link);
        require(turn(mesh.centre(polygon), right, left) >= -turn_error(mesh, polygon, right, left));
    }
}

void check_edits(const Mesh& mesh) {
    std::vector<PolygonEdit> edits;
    std::vector<PolygonEdit> undo;
    for (Polygon p = 0; p < mesh.num_polygons(); p += 2) {
        edits.push_back({p, static_cast<std::uint8_t>(p % kAreas), p % 3 == 0});
        undo.push_back({p, mesh.area(p), false});
    }
    const Mesh edited = mesh.edited(edits).value();
    check_links(edited);
    const Mesh again = edited.edited(undo).value();
    require(again == mesh && again.fingerprint() == mesh.fingerprint());
}

/// Whether an error of Clearance::build can come from a mesh that Mesh::build has taken: units that
/// are too coarse for its pieces, or too many of them.
bool may_refuse(const Mesh& mesh, cairn::StatusCode code) {
    return code == cairn::StatusCode::too_large ||
           (code == cairn::StatusCode::bad_option && mesh.options().units_per_length > 0);
}

void check_clearance(const Mesh& mesh) {
    const auto built = Clearance::build(mesh);
    if (!built) {
        require(may_refuse(mesh, built.error().code));
        return;
    }
    const Clearance& clearance = *built;
    const Mesh& cut = clearance.mesh();
    require(clearance.whole() == mesh && cut.directed() == mesh.directed());
    std::uint32_t pieces = 0;
    for (Polygon p = 0; p < mesh.num_polygons(); ++p) {
        require(!clearance.pieces(p).empty());
        for (const Polygon piece : clearance.pieces(p)) {
            require(clearance.origin(piece) == p && cut.area(piece) == mesh.area(p));
            require(cut.blocked(piece) == mesh.blocked(p));
            ++pieces;
        }
    }
    require(pieces == cut.num_polygons());
    const Reachability whole = Reachability::build(mesh.with_radius(0).value()).value();
    constexpr Polygon kFew = 12;
    for (Polygon p = 0; p < std::min(mesh.num_polygons(), kFew); ++p) {
        const Place from = clearance.place({p, mesh.centre(p)});
        require(clearance.origin(from.polygon) == p);
        const double room = clearance.clearance(from, kAllAgents);
        require(room >= 0);
        for (Polygon q = 0; q < std::min(mesh.num_polygons(), kFew); ++q) {
            const Place to = clearance.place({q, mesh.centre(q)});
            bool reached = clearance.reachable(from, to, 0) == cairn::StatusCode::ok;
            require(reached == whole.reaches(p, q));
            for (const double share : {0.1, 0.5, 1.0}) {
                const double radius = room < 1e30 ? share * room : share;
                const bool now = clearance.reachable(from, to, radius) == cairn::StatusCode::ok;
                require(reached || !now);
                reached = now;
            }
        }
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    Words words(data, size);
    Case given;
    given.read(words);
    const auto mesh = Mesh::build(given.image.source(), given.options);
    if (!mesh) {
        require(!mesh.error().ok() && !mesh.error().message.empty());
        return 0;
    }
    for (Polygon p = 0; p < mesh->num_polygons(); ++p) check_polygon(*mesh, p);
    check_links(*mesh);
    check_edits(*mesh);
    require(Mesh::build(given.image.source(), given.options) == *mesh);
    const Reachability reachability = Reachability::build(*mesh).value();
    for (Link link = 0; link < mesh->num_links(); ++link) {
        if (mesh->open(link))
            require(reachability.reaches(mesh->polygon_of(link), mesh->polygon_of(twin(link))));
    }
    check_clearance(*mesh);
    return 0;
}
