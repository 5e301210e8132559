// A crowd whose paths are computed on a GPU in every frame, or on the processors if there is none.

#include <cstdio>
#include <vector>

#include "cairn/batch/device.hpp"
#include "cairn/formats/movingai.hpp"
#include "cairn/mesh/from_grid.hpp"

int main(int argc, char** argv) {
    namespace batch = cairn::batch;
    const auto map = cairn::formats::load_map(argc > 1 ? argv[1] : "maps/rooms.map");
    if (!map) return std::puts(map.error().message.c_str()), 1;
    const auto mesh = cairn::mesh::mesh_from_grid(*map);
    if (!mesh) return std::puts(mesh.error().message.c_str()), 1;
    const auto index = cairn::hna::Index::build(*mesh);
    if (!index) return std::puts(index.error().message.c_str()), 1;

    const auto device = batch::Device::open();
    if (!device) return std::puts(device.error().message.c_str()), 1;
    const auto on_device = batch::DeviceIndex::load(*device, *index);
    if (!on_device) return std::puts(on_device.error().message.c_str()), 1;
    batch::DeviceSearcher searcher(*device);

    // All agents go to the middles of the same few polygons, which change from frame to frame.
    const auto middle = [&](cairn::mesh::Polygon polygon) {
        return cairn::mesh::Place{polygon, mesh->centre(polygon)};
    };
    for (std::uint32_t frame = 0; frame < 3; ++frame) {
        std::vector<cairn::mesh::Request> requests;
        requests.reserve(mesh->num_polygons());
        for (cairn::mesh::Polygon p = 0; p < mesh->num_polygons(); ++p)
            requests.push_back({middle(p), middle((p % 4 * 7 + frame) % mesh->num_polygons())});
        const auto paths = searcher.find_paths(*on_device, requests);
        if (!paths) return std::puts(paths.error().message.c_str()), 1;
        std::printf("frame %u: %zu corridors of %zu polygons in all, from %s\n", frame,
                    paths->size(), paths->items.size(), device->name().c_str());
    }
    return 0;
}
