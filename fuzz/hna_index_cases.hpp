#pragma once
// The meshes and the indexes that the corpus of hna_index_fuzz consists of.

#include <string>
#include <vector>

#include "cairn/hna/index.hpp"
#include "cairn/mesh/mesh_image.hpp"

namespace cairn::fuzz {

/// The squares of a 6 x 4 lattice, without column 3 (the gap) and without square (1, 1), and a
/// connection over the gap (the bridge).
inline mesh::MeshImage hna_index_image() {
    constexpr std::uint32_t kWidth = 6;
    constexpr std::uint32_t kHeight = 4;
    mesh::MeshImage image;
    for (std::uint32_t z = 0; z <= kHeight; ++z) {
        for (std::uint32_t x = 0; x <= kWidth; ++x) {
            image.vertices.push_back(
                {static_cast<float>(x), static_cast<float>(x * z) / 8, static_cast<float>(z)});
        }
    }
    for (std::uint32_t z = 0; z < kHeight; ++z) {
        for (std::uint32_t x = 0; x < kWidth; ++x) {
            if (x == 3 || (x == 1 && z == 1)) continue;
            const std::uint32_t corner = z * (kWidth + 1) + x;
            image.corners.insert(image.corners.end(),
                                 {corner, corner + 1, corner + kWidth + 2, corner + kWidth + 1});
            image.first_corner.push_back(static_cast<std::uint32_t>(image.corners.size()));
        }
    }
    image.areas.resize(image.num_polygons());
    image.areas[4] = 1;
    image.connections.push_back({2, 3, {2.5F, 0, 0.5F}, {4.5F, 0, 0.5F}, 0, true});
    return image;
}

struct HnaIndexCase {
    std::string name;
    mesh::MeshOptions mesh;
    hna::Options options;
    bool one_way = false;  ///< the bridge leads one way only
    bool edited = false;   ///< a polygon is blocked, and there are no labels
    bool changed = false;  ///< polygons were removed and added; only case8 then has labels
};

inline std::vector<HnaIndexCase> hna_index_cases() {
    std::vector<HnaIndexCase> cases(9);
    for (std::size_t i = 0; i < cases.size(); ++i) {
        HnaIndexCase& c = cases[i];
        c.name = "case" + std::to_string(i);
        if (i == 4 || i == 6 || i == 8) c.mesh.scoring = mesh::Scoring::polygon_centres;
        if (i == 3 || i == 7) {
            c.mesh.scoring = mesh::Scoring::portal_parts;
            c.mesh.longest_part = 0.5;
        }
        c.mesh.area_costs[1] = 2;
        c.options.levels = 1 + static_cast<int>(i % 4);
        c.options.mu = 2 + static_cast<int>(i % 2);
        if (i == 3) c.options.pccp = hna::Pccp::none;
        if (i == 4) c.options.pccp = hna::Pccp::centre_paths;
        if (i == 6 || i == 8) c.options.pccp = hna::Pccp::centres;
        c.options.labels = i != 1;
        c.one_way = i == 2;
        c.edited = i == 5;
        c.changed = i > 6;
    }
    return cases;
}

/// The index after polygon 1 and the bridge (polygon 19) were removed, and a square in the gap
/// (polygon 20) and a bridge from it were added.
inline hna::Index with_another_bridge(const hna::Index& index) {
    const std::vector<mesh::Polygon> removed{1, 19};
    mesh::MeshImage added;
    added.vertices = {{3, 0, 0}, {4, 0, 0}, {4, 0.5F, 1}, {3, 0.375F, 1}};
    added.corners = {0, 1, 2, 3};
    added.first_corner.push_back(4);
    added.portals.push_back({2, 20, added.vertices[0], added.vertices[3], true, true});
    added.portals.push_back({20, 3, added.vertices[1], added.vertices[2], true, true});
    added.connections.push_back({20, 12, {3.5F, 0.25F, 0.5F}, {4.5F, 1.5F, 2.5F}, 0, true});
    return index.changed({removed, added.source()}).value();
}

/// The index of a case.
inline hna::Index build(const HnaIndexCase& c) {
    mesh::MeshImage image = hna_index_image();
    if (c.one_way) image.connections[0].both_ways = false;
    const auto mesh = mesh::Mesh::build(image.source(), c.mesh).value();
    hna::Index index = hna::Index::build(mesh, c.options).value();
    if (c.changed) {
        index = with_another_bridge(index);
        if (c.name == "case8") index = index.with_labels().value();
    }
    if (!c.edited) return index;
    const mesh::PolygonEdit edit{7, 1, true};
    return index.edited(std::span(&edit, 1)).value();
}

}  // namespace cairn::fuzz
