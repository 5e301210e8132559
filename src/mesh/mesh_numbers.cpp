#include "mesh/mesh_numbers.hpp"

#include <algorithm>
#include <utility>

#include "mesh/mesh_build.hpp"
#include "mesh/mesh_data.hpp"

namespace cairn::mesh {

namespace {

PolygonKind kind_of(const MeshTopology& t, Polygon p) {
    if (t.is_removed(p)) return PolygonKind::removed;
    return t.is_connection(p) ? PolygonKind::connection : PolygonKind::with_corners;
}

// Per polygon of the dense mesh: its number in the mesh.
std::vector<Polygon> numbers_in_mesh(const std::vector<PolygonKind>& polygons) {
    std::vector<Polygon> numbers;
    numbers.reserve(polygons.size());
    for (const PolygonKind kind : {PolygonKind::with_corners, PolygonKind::connection}) {
        for (Polygon p = 0; p < polygons.size(); ++p) {
            if (polygons[p] == kind) numbers.push_back(p);
        }
    }
    return numbers;
}

tl::unexpected<Status> corrupt(const char* what) { return fail(StatusCode::corrupt_file, what); }

// Makes the topology of a mesh from that of its dense mesh and the numbers.
class Renumbering {
public:
    Renumbering(const MeshTopology& dense, const MeshNumbers& numbers, bool parts)
        : dense_(dense),
          numbers_(numbers),
          parts_(parts),
          number_(numbers_in_mesh(numbers.polygons)) {}

    // Makes the topology. Says what does not fit, or null if all fits.
    [[nodiscard]] const char* fault() {
        if (!polygons_fit()) return "there are other polygons than it says";
        if (!portals_fit()) return "there are other portals than it says";
        add_vertices();
        if (!connections_fit()) return "a connection begins or ends elsewhere than it says";
        add_polygons();
        add_portals();
        return add_links() ? nullptr : "the links of a polygon are not those of its portals";
    }
    [[nodiscard]] MeshTopology take() { return std::move(made_); }
    // Per polygon of the dense mesh: its number in the mesh.
    [[nodiscard]] const std::vector<Polygon>& number() const noexcept { return number_; }

private:
    [[nodiscard]] std::uint32_t with_corners() const noexcept {
        return dense_.num_polygons() - dense_.connections;
    }
    [[nodiscard]] bool polygons_fit() const {
        const auto& all = numbers_.polygons;
        return number_.size() == dense_.num_polygons() &&
               static_cast<std::size_t>(std::count(
                   all.begin(), all.end(), PolygonKind::connection)) == dense_.connections &&
               static_cast<std::size_t>(std::count(all.begin(), all.end(), PolygonKind::removed)) ==
                   all.size() - number_.size();
    }
    [[nodiscard]] bool portals_fit() const {
        const auto& removed = numbers_.removed_portals;
        return static_cast<std::size_t>(std::count(removed.begin(), removed.end(), 0)) ==
                   dense_.ends.size() &&
               std::all_of(removed.begin(), removed.end(),
                           [](std::uint8_t flag) { return flag <= 1; }) &&
               parts_fit();
    }
    // Whether the parts of each portal still have successive numbers.
    [[nodiscard]] bool parts_fit() const {
        const auto& removed = numbers_.removed_portals;
        Portal from = 0;
        for (std::size_t portal = 0; portal < removed.size(); ++portal) {
            if (removed[portal] != 0) continue;
            if (dense_.part(from++) != 0 && removed[portal - 1] != 0) return false;
        }
        return true;
    }
    // Leaves out the last vertices of the dense mesh: the copies that its connections have.
    void add_vertices() {
        made_.vertices.assign(
            dense_.vertices.begin(),
            dense_.vertices.end() - 2 * static_cast<std::ptrdiff_t>(dense_.connections));
    }
    [[nodiscard]] bool connections_fit() const {
        const auto& corners = numbers_.connection_corners;
        if (corners.size() != 2 * std::size_t{dense_.connections}) return false;
        const std::size_t first = dense_.vertices.size() - corners.size();
        for (std::size_t i = 0; i < corners.size(); ++i) {
            if (corners[i] >= made_.vertices.size() ||
                made_.vertices[corners[i]] != dense_.vertices[first + i]) {
                return false;
            }
        }
        return true;
    }

    void add_polygons() {
        std::vector<Polygon> dense_number(numbers_.polygons.size(), kNone);
        for (Polygon p = 0; p < number_.size(); ++p) dense_number[number_[p]] = p;
        made_.centres.resize(dense_number.size());
        if (!dense_.oddities.empty()) made_.oddities.resize(dense_number.size());
        made_.first_corner.reserve(dense_number.size() + 1);
        made_.corners.reserve(dense_.corners.size());
        for (Polygon p = 0; p < dense_number.size(); ++p) {
            if (dense_number[p] != kNone) add_polygon(p, dense_number[p]);
            made_.first_corner.push_back(static_cast<std::uint32_t>(made_.corners.size()));
        }
        made_.connections = dense_.connections;
        made_.removed = static_cast<std::uint32_t>(dense_number.size() - number_.size());
        made_.changed = true;
        made_.directed = dense_.directed;
    }
    // Adds polygon p, which is polygon `from` of the dense mesh.
    void add_polygon(Polygon p, Polygon from) {
        made_.centres[p] = dense_.centres[from];
        if (!dense_.oddities.empty()) made_.oddities[p] = dense_.oddities[from];
        const bool connection = from >= with_corners();
        const auto first = connection
                               ? numbers_.connection_corners.begin() + 2 * (from - with_corners())
                               : dense_.corners.begin() + dense_.first_corner[from];
        made_.corners.insert(made_.corners.end(), first, first + dense_.num_corners(from));
    }

    void add_portals() {
        const std::size_t portals = numbers_.removed_portals.size();
        made_.ends.resize(portals);
        made_.midpoints.resize(portals);
        made_.parts.resize(parts_ ? portals : 0);
        if (!dense_.widths.empty()) made_.widths.resize(portals, kNoLimit);
        made_.link_polygon.assign(2 * portals, kNone);
        made_.passable.resize(2 * portals);
        Portal from = 0;  // of the dense mesh
        for (Portal portal = 0; portal < portals; ++portal) {
            if (numbers_.removed_portals[portal] != 0) continue;
            made_.ends[portal] = dense_.ends[from];
            made_.midpoints[portal] = dense_.midpoints[from];
            if (parts_) made_.parts[portal] = dense_.parts[from];
            if (!dense_.widths.empty()) made_.widths[portal] = dense_.widths[from];
            for (std::uint32_t side = 0; side < 2; ++side) {
                made_.link_polygon[2 * portal + side] =
                    number_[dense_.link_polygon[2 * from + side]];
                made_.passable[2 * portal + side] = dense_.passable[2 * from + side];
            }
            ++from;
        }
    }

    // False if numbers_.links does not hold each link once, with those of its polygon.
    [[nodiscard]] bool add_links() {
        made_.links = numbers_.links;
        made_.first_link.assign(made_.first_corner.size(), 0);
        for (const Polygon p : made_.link_polygon) {
            if (p != kNone) ++made_.first_link[p + 1];
        }
        for (std::size_t p = 1; p < made_.first_link.size(); ++p)
            made_.first_link[p] += made_.first_link[p - 1];
        if (made_.links.size() != made_.first_link.back()) return false;
        made_.link_place.assign(made_.link_polygon.size(), 0);
        std::vector<bool> seen(made_.link_polygon.size());
        for (Polygon p = 0; p < made_.num_polygons(); ++p) {
            for (std::uint32_t i = made_.first_link[p]; i < made_.first_link[p + 1]; ++i) {
                const Link link = made_.links[i];
                if (link >= seen.size() || seen[link] || made_.link_polygon[link] != p)
                    return false;
                seen[link] = true;
                made_.link_place[link] = i - made_.first_link[p];
            }
        }
        return true;
    }

    const MeshTopology& dense_;
    const MeshNumbers& numbers_;
    bool parts_;                   // whether portals may have parts
    std::vector<Polygon> number_;  // in the mesh, per dense polygon
    MeshTopology made_;
};

}  // namespace

MeshNumbers numbers_of(const Mesh& mesh) {
    const MeshTopology& t = *mesh.data().topology;
    MeshNumbers numbers;
    numbers.polygons.reserve(t.num_polygons());
    for (Polygon p = 0; p < t.num_polygons(); ++p) {
        numbers.polygons.push_back(kind_of(t, p));
        if (!t.is_connection(p)) continue;
        const auto corners = mesh.corners(p);
        numbers.connection_corners.insert(numbers.connection_corners.end(), corners.begin(),
                                          corners.end());
    }
    numbers.removed_portals.reserve(t.ends.size());
    for (Portal portal = 0; portal < t.ends.size(); ++portal)
        numbers.removed_portals.push_back(t.link_polygon[2 * portal] == kNone ? 1 : 0);
    numbers.links = t.links;
    numbers.units = mesh.units_per_length();
    return numbers;
}

PortalSource portal_source(const Mesh& mesh, Portal portal) {
    const MeshTopology& t = *mesh.data().topology;
    const Link link = 2 * portal;
    return {.first = t.link_polygon[link],
            .second = t.link_polygon[twin(link)],
            .begin = mesh.right(link),
            .end = mesh.left(link),
            .forth = t.passable[link] != 0,
            .back = t.passable[twin(link)] != 0,
            .width = t.width(portal)};
}

MeshImage dense_image(const Mesh& mesh) {
    const MeshTopology& t = *mesh.data().topology;
    std::vector<Polygon> dense_number(t.num_polygons(), kNone);
    const std::vector<Polygon> number = numbers_in_mesh(numbers_of(mesh).polygons);
    MeshImage image;
    image.vertices = t.vertices;
    for (Polygon p = 0; p < number.size(); ++p) {
        const Polygon from = number[p];
        const auto corners = mesh.corners(from);
        dense_number[from] = p;
        if (t.is_connection(from)) {
            image.connections.push_back({kNone, kNone, t.vertices[corners[0]],
                                         t.vertices[corners[1]], mesh.area(from), true});
            continue;
        }
        image.corners.insert(image.corners.end(), corners.begin(), corners.end());
        image.first_corner.push_back(static_cast<std::uint32_t>(image.corners.size()));
        image.areas.push_back(mesh.area(from));
    }
    image.portals_given = true;
    for (Link link = 0; link < mesh.num_links(); link += 2) {
        if (t.link_polygon[link] == kNone || t.part(portal_of(link)) != 0) continue;
        PortalSource portal = portal_source(mesh, portal_of(link));
        portal.first = dense_number[portal.first];
        portal.second = dense_number[portal.second];
        image.portals.push_back(portal);
    }
    return image;
}

std::vector<std::uint8_t> dense(const Mesh& mesh, const std::vector<std::uint8_t>& values) {
    const std::vector<Polygon> number = numbers_in_mesh(numbers_of(mesh).polygons);
    std::vector<std::uint8_t> result(number.size());
    std::transform(number.begin(), number.end(), result.begin(),
                   [&](Polygon p) { return values[p]; });
    return result;
}

Result<Mesh> renumbered(const Mesh& dense, const MeshNumbers& numbers, const MeshOptions& options) {
    const bool parts = options.scoring == Scoring::portal_parts;
    Renumbering renumbering(*dense.data().topology, numbers, parts);
    if (const char* fault = renumbering.fault(); fault != nullptr) return corrupt(fault);
    auto topology = std::make_shared<MeshTopology>(renumbering.take());
    if (Status status = count_costs(*topology); !status.ok())
        return tl::unexpected(std::move(status));
    auto data = std::make_shared<MeshData>();
    if (Status status = set_options(options, *data); !status.ok())
        return tl::unexpected(std::move(status));
    data->accepts_odd = dense.data().accepts_odd;
    data->areas.resize(topology->num_polygons());
    data->blocked.assign(topology->num_polygons(), 1);
    for (Polygon p = 0; p < dense.num_polygons(); ++p) {
        data->areas[renumbering.number()[p]] = dense.data().areas[p];
        data->blocked[renumbering.number()[p]] = dense.data().blocked[p];
    }
    data->topology = std::move(topology);
    data->units = numbers.units;
    if (!units_fit(*data)) return corrupt("its costs have units that do not fit it");
    set_costs(*data);
    finish(*data);
    return Mesh(std::move(data));
}

}  // namespace cairn::mesh
