// Random meshes: lattices, mazes and storeys, with areas, connections, portals and blocked
// polygons.

#include "support/random_meshes.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <stdexcept>

#include "cairn/mesh/clearance.hpp"

namespace cairn::test {

using mesh::Mesh;
using mesh::Point;
using mesh::Polygon;

std::uint32_t MeshParts::vertex(float x, float y, float z) {
    vertices.push_back({x, y, z});
    return static_cast<std::uint32_t>(vertices.size() - 1);
}

Polygon MeshParts::polygon(std::initializer_list<std::uint32_t> vertex_numbers) {
    corners.insert(corners.end(), vertex_numbers);
    first_corner.push_back(static_cast<std::uint32_t>(corners.size()));
    return num_polygons() - 1;
}

Mesh MeshParts::build(const mesh::MeshOptions& options) const {
    const Result<Mesh> mesh = Mesh::build(source(), options);
    if (!mesh) throw std::runtime_error(mesh.error().message);
    std::vector<mesh::PolygonEdit> edits;
    edits.reserve(blocked.size());
    for (const Polygon p : blocked) edits.push_back({p, mesh->area(p), true});
    return edits.empty() ? *mesh : mesh->edited(edits).value();
}

namespace {

using Corners = std::vector<std::uint32_t>;

// A lattice of square cells, filled with polygons. finish() adds the polygons to the parts.
class Lattice {
public:
    Lattice(MeshParts& parts, RandomMaps& random, int width, int height)
        : parts_(parts), random_(random), width_(width), height_(height) {}

    // Adds the vertices, at height y; `jitter` moves each by up to 0.2 along every axis.
    void set_corners(float y, bool jitter) {
        first_vertex_ = static_cast<std::uint32_t>(parts_.vertices.size());
        const auto shift = [&] {
            return jitter ? static_cast<float>(random_.number(-20, 20)) / 100 : 0.0F;
        };
        for (int z = 0; z <= height_; ++z) {
            for (int x = 0; x <= width_; ++x) {
                // Drawn one by one: compilers evaluate arguments in any order.
                const float dx = shift();
                const float dy = shift();
                const float dz = shift();
                parts_.vertex(static_cast<float>(x) + dx, y + dy, static_cast<float>(z) + dz);
            }
        }
    }
    [[nodiscard]] std::uint32_t vertex(int x, int z) const {
        return first_vertex_ + static_cast<std::uint32_t>(z * (width_ + 1) + x);
    }
    // Fills a cell with a quad or, in `split_percent` of the cases, two triangles; clockwise or
    // not.
    void fill(int x, int z, int split_percent) {
        Corners quad{vertex(x, z), vertex(x + 1, z), vertex(x + 1, z + 1), vertex(x, z + 1)};
        if (random_.chance(30)) std::reverse(quad.begin(), quad.end());
        if (!random_.chance(split_percent)) {
            polygons_.push_back(quad);
            return;
        }
        polygons_.push_back({quad[0], quad[1], quad[2]});
        polygons_.push_back({quad[0], quad[2], quad[3]});
    }
    // Merges up to `merges` pairs of polygons whose union is convex, then adds all polygons to the
    // parts.
    void finish(int merges) {
        for (int i = 0; i < merges && polygons_.size() > 1; ++i) {
            const auto last = static_cast<int>(polygons_.size()) - 1;
            const auto a = static_cast<std::size_t>(random_.number(0, last));
            for (std::size_t b = 0; b < polygons_.size(); ++b) {
                if (b != a && merge(a, b)) break;
            }
        }
        for (const Corners& corners : polygons_) {
            parts_.corners.insert(parts_.corners.end(), corners.begin(), corners.end());
            parts_.first_corner.push_back(static_cast<std::uint32_t>(parts_.corners.size()));
        }
    }

private:
    // The cross product of the edges from corner i and from corner i + 1: its sign tells which way
    // the border turns.
    [[nodiscard]] double turn(const Corners& corners, std::size_t i) const {
        const std::size_t n = corners.size();
        const Point& a = parts_.vertices[corners[i]];
        const Point& b = parts_.vertices[corners[(i + 1) % n]];
        const Point& c = parts_.vertices[corners[(i + 2) % n]];
        return (double{b.x} - double{a.x}) * (double{c.z} - double{b.z}) -
               (double{b.z} - double{a.z}) * (double{c.x} - double{b.x});
    }
    [[nodiscard]] bool convex(const Corners& corners) const {
        for (std::size_t i = 0; i < corners.size(); ++i) {
            if (turn(corners, i) < 0) return false;
        }
        return true;
    }
    // Reverses a convex polygon whose border turns the negative way.
    void orient(Corners& corners) const {
        double turns = 0;
        for (std::size_t i = 0; i < corners.size(); ++i) turns += turn(corners, i);
        if (turns < 0) std::reverse(corners.begin(), corners.end());
    }
    // Replaces polygon a by its union with b, and removes b. False if they share no edge, or if the
    // union is not convex or meets a vertex twice.
    bool merge(std::size_t a, std::size_t b) {
        Corners first = polygons_[a];
        Corners second = polygons_[b];
        orient(first);
        orient(second);
        for (std::size_t i = 0; i < first.size(); ++i) {
            const std::uint32_t from = first[i];
            const std::uint32_t to = first[(i + 1) % first.size()];
            const auto shared = std::find(second.begin(), second.end(), to);
            if (shared == second.end()) continue;
            std::rotate(second.begin(), shared, second.end());
            if (second[1] != from) continue;
            std::rotate(first.begin(), first.begin() + static_cast<std::ptrdiff_t>(i) + 1,
                        first.end());
            first.insert(first.end(), second.begin() + 2, second.end());
            Corners sorted = first;
            std::sort(sorted.begin(), sorted.end());
            const bool twice = std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end();
            if (twice || !convex(first)) return false;
            polygons_[a] = first;
            polygons_.erase(polygons_.begin() + static_cast<std::ptrdiff_t>(b));
            return true;
        }
        return false;
    }

    MeshParts& parts_;
    RandomMaps& random_;
    int width_;
    int height_;
    std::uint32_t first_vertex_ = 0;
    std::vector<Corners> polygons_;
};

// Fills all cells but `hole_percent` of them. The cell at the origin is always filled.
void fill_lattice(Lattice& lattice, RandomMaps& random, const RandomMaps::Size& size,
                  int hole_percent) {
    const int split_percent = random.chance(50) ? 50 : 10;
    for (int z = 0; z < size.height; ++z) {
        for (int x = 0; x < size.width; ++x) {
            if ((x == 0 && z == 0) || !random.chance(hole_percent))
                lattice.fill(x, z, split_percent);
        }
    }
}

MeshParts lattice_parts(RandomMaps& random, const RandomMaps::Size& size, bool jitter,
                        int hole_percent) {
    MeshParts parts;
    Lattice lattice(parts, random, size.width, size.height);
    lattice.set_corners(0, jitter);
    fill_lattice(lattice, random, size, hole_percent);
    lattice.finish(random.number(0, 12));
    return parts;
}

// A perfect maze, made by a random depth-first search. The rooms are the cells with two even
// coordinates; the cells between them are passages or walls.
MeshParts maze_parts(RandomMaps& random, int longest) {
    MeshParts parts;
    const int side = std::max(2, longest / 2);
    Lattice lattice(parts, random, 2 * side, 2 * side);
    lattice.set_corners(0, random.chance(50));
    constexpr int kSplitPercent = 20;
    std::vector<bool> seen(static_cast<std::size_t>(side * side));
    std::vector<int> trail{random.number(0, side * side - 1)};
    constexpr std::array<std::array<int, 2>, 4> kSteps{{{1, 0}, {0, 1}, {-1, 0}, {0, -1}}};
    seen[static_cast<std::size_t>(trail.back())] = true;
    lattice.fill(2 * (trail.back() % side), 2 * (trail.back() / side), kSplitPercent);
    while (!trail.empty()) {
        const int x = trail.back() % side;
        const int z = trail.back() / side;
        const int first = random.number(0, 3);
        bool moved = false;
        for (int i = 0; i < 4 && !moved; ++i) {
            const auto& step = kSteps[static_cast<std::size_t>((first + i) % 4)];
            const int to_x = x + step[0];
            const int to_z = z + step[1];
            if (to_x < 0 || to_z < 0 || to_x >= side || to_z >= side) continue;
            const int room = to_z * side + to_x;
            if (seen[static_cast<std::size_t>(room)]) continue;
            seen[static_cast<std::size_t>(room)] = true;
            lattice.fill(2 * x + step[0], 2 * z + step[1], kSplitPercent);
            lattice.fill(2 * to_x, 2 * to_z, kSplitPercent);
            trail.push_back(room);
            moved = true;
        }
        if (!moved) trail.pop_back();
    }
    lattice.finish(random.number(0, 4));
    return parts;
}

// Two lattices above each other. A ramp along their right side rises over rows 0 to 2; in half of
// the meshes with 5 or more rows another one leads down again over rows 3 and 4.
MeshParts storey_parts(RandomMaps& random, const RandomMaps::Size& size) {
    constexpr float kHeight = 4;
    const int height = std::max(size.height, 3);
    const bool jitter = random.chance(70);
    MeshParts parts;
    Lattice ground(parts, random, size.width, height);
    ground.set_corners(0, jitter);
    fill_lattice(ground, random, {size.width, height}, 10);
    Lattice upper(parts, random, size.width, height);
    upper.set_corners(kHeight, jitter);
    fill_lattice(upper, random, {size.width, height}, 10);
    ground.finish(3);
    upper.finish(3);
    const auto x = static_cast<float>(size.width + 1);  // of the ramps' right side
    const int w = size.width;  // column of the lattices' rightmost vertices
    const std::array<std::uint32_t, 4> low{ground.vertex(w, 0), ground.vertex(w, 1),
                                           parts.vertex(x, 0, 0), parts.vertex(x, 0, 1)};
    const std::array<std::uint32_t, 4> high{upper.vertex(w, 2), upper.vertex(w, 3),
                                            parts.vertex(x, kHeight, 2),
                                            parts.vertex(x, kHeight, 3)};
    parts.polygon({low[0], low[2], low[3], low[1]});
    parts.polygon({low[1], low[3], high[2], high[0]});
    parts.polygon({high[0], high[2], high[3], high[1]});
    if (height >= 5 && random.chance(50)) {
        const std::uint32_t left = ground.vertex(w, 4);
        const std::uint32_t right = parts.vertex(x, 0, 4);
        parts.polygon({high[1], high[3], right, left});
        parts.polygon({left, right, parts.vertex(x, 0, 5), ground.vertex(w, 5)});
    }
    return parts;
}

}  // namespace

MeshParts mesh_of_kind(MeshKind kind, RandomMaps& random, int longest) {
    const RandomMaps::Size size = random.size(longest);
    switch (kind) {
        case MeshKind::storeys:
            return storey_parts(random, size);
        case MeshKind::islands:
            return lattice_parts(random, size, /*jitter=*/random.chance(60), 50);
        case MeshKind::corridors:
            return maze_parts(random, longest);
        case MeshKind::flat:
            return lattice_parts(random, size, /*jitter=*/false, random.number(0, 30));
        case MeshKind::lattice:
            break;
    }
    return lattice_parts(random, size, /*jitter=*/true, random.number(0, 30));
}

void add_areas(MeshParts& parts, RandomMaps& random) {
    parts.areas.resize(parts.num_polygons());
    const int plain_percent = random.number(20, 90);
    for (std::uint8_t& area : parts.areas)
        area = static_cast<std::uint8_t>(random.chance(plain_percent) ? 0 : random.number(1, 3));
}

void add_connections(MeshParts& parts, RandomMaps& random) {
    const Mesh mesh = parts.build();
    const int count = random.number(1, 3);
    for (int i = 0; i < count; ++i) {
        const mesh::Place from = random_place(mesh, random);
        const mesh::Place to = random_place(mesh, random);
        const auto area = static_cast<std::uint8_t>(random.chance(80) ? 0 : random.number(1, 2));
        parts.connections.push_back(
            {from.polygon, to.polygon, from.point, to.point, area, random.chance(60)});
    }
}

void give_portals(MeshParts& parts, RandomMaps& random, int percent) {
    const Mesh mesh = parts.build();
    parts.portals.clear();
    // A connection has two portals, which come after those between polygons.
    const std::uint32_t found =
        mesh.num_portals() - 2 * static_cast<std::uint32_t>(parts.connections.size());
    for (mesh::Portal i = 0; i < found; ++i) {
        mesh::PortalSource portal;
        portal.first = mesh.polygon_of(2 * i);
        portal.second = mesh.polygon_of(2 * i + 1);
        portal.begin = mesh.left(2 * i);
        portal.end = mesh.right(2 * i);
        if (random.chance(percent)) (random.chance(50) ? portal.forth : portal.back) = false;
        if (random.chance(50)) std::swap(portal.begin, portal.end);
        parts.portals.push_back(portal);
    }
    parts.portals_given = true;
}

Mesh random_mesh(std::uint64_t seed, const RandomMeshOptions& options) {
    RandomMaps random(seed);
    MeshParts parts =
        mesh_of_kind(static_cast<MeshKind>(random.number(0, 4)), random, options.longest);
    mesh::MeshOptions mesh = options.mesh;
    if (random.chance(20)) {
        mesh.scoring = mesh::Scoring::polygon_centres;
        mesh.longest_part = 0;
    } else if (seed % 4 == 3) {
        mesh.scoring = mesh::Scoring::portal_parts;
        mesh.longest_part = seed % 8 == 3 ? 0.4 : 0.7;
    }
    const bool areas = random.chance(50);
    if (areas && options.areas) {
        add_areas(parts, random);
        mesh.area_costs[1] = 2.5F;
        mesh.area_costs[2] = 0.5F;
        mesh.area_costs[3] = std::numeric_limits<float>::infinity();
    }
    const bool connections = random.chance(30);
    if (connections && options.connections) add_connections(parts, random);
    if (!options.one_way) {
        for (mesh::ConnectionSource& c : parts.connections) c.both_ways = true;
    }
    if (random.chance(40)) {
        give_portals(parts, random, options.one_way && random.chance(60) ? 30 : 0);
    }
    const bool blocks = random.chance(30);
    for (Polygon p = 0; p < parts.num_polygons() && blocks && options.blocks; ++p) {
        if (random.chance(15)) parts.blocked.push_back(p);
    }
    return parts.build(mesh);
}

Mesh mesh_with_widths(std::uint64_t seed, double radius, const RandomMeshOptions& options) {
    const auto clearance = mesh::Clearance::build(random_mesh(seed, options)).value();
    return clearance.mesh().with_radius(radius).value();
}

Mesh mesh_with_links_at_points(std::uint64_t seed) {
    RandomMaps random(seed);
    MeshParts parts = mesh_of_kind(static_cast<MeshKind>(random.number(0, 4)), random, 4);
    if (random.chance(30)) add_areas(parts, random);
    const bool one_way = random.chance(30);
    const Mesh mesh = parts.build();
    const int last = static_cast<int>(mesh.num_polygons()) - 1;
    const int count = random.number(4, 16);
    for (int i = 0; i < count; ++i) {
        mesh::ConnectionSource c;
        c.from = static_cast<Polygon>(random.number(0, last));
        c.to = static_cast<Polygon>(random.number(0, last));
        c.begin = mesh.vertices()[mesh.corners(c.from)[0]];
        c.end = mesh.vertices()[mesh.corners(c.to)[0]];
        // Some join both sides of a portal at its middle.
        if (const auto links = mesh.links(c.from); !links.empty() && random.chance(60)) {
            c.begin = mesh.midpoint(links[0]);
            if (random.chance(50)) {
                c.to = mesh.polygon_of(mesh::twin(links[0]));
                c.end = c.begin;
            }
        }
        c.both_ways = !one_way || random.chance(60);
        parts.connections.push_back(c);
    }
    mesh::MeshOptions options;
    options.scoring = static_cast<mesh::Scoring>(seed % 3);
    options.area_costs[1] = 2.5F;
    options.area_costs[2] = 0.5F;
    options.area_costs[3] = std::numeric_limits<float>::infinity();
    return parts.build(options);
}

mesh::Place random_place(const Mesh& mesh, Polygon polygon, RandomMaps& random) {
    const auto corners = mesh.corners(polygon);
    if (random.chance(10)) {
        const auto last = static_cast<int>(corners.size()) - 1;
        return {polygon,
                mesh.vertices()[corners[static_cast<std::size_t>(random.number(0, last))]]};
    }
    // A weighted mean of the corners; on the border, of the first two corners only.
    const bool border = random.chance(10);
    std::array<double, 3> sum{};
    double sum_of_weights = 0;
    for (std::size_t i = 0; i < corners.size(); ++i) {
        const double weight = border && i > 1 ? 0 : random.number(1, 1000);
        const Point& p = mesh.vertices()[corners[i]];
        sum[0] += weight * double{p.x};
        sum[1] += weight * double{p.y};
        sum[2] += weight * double{p.z};
        sum_of_weights += weight;
    }
    return {
        polygon,
        {static_cast<float>(sum[0] / sum_of_weights), static_cast<float>(sum[1] / sum_of_weights),
         static_cast<float>(sum[2] / sum_of_weights)}};
}

mesh::Place random_place(const Mesh& mesh, RandomMaps& random) {
    std::vector<Polygon> polygons;
    polygons.reserve(mesh.num_polygons());
    for (Polygon p = 0; p < mesh.num_polygons(); ++p) {
        if (!mesh.is_connection(p) && !mesh.is_removed(p)) polygons.push_back(p);
    }
    const auto chosen = random.number(0, static_cast<int>(polygons.size()) - 1);
    return random_place(mesh, polygons[static_cast<std::size_t>(chosen)], random);
}

}  // namespace cairn::test
