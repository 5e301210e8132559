// Whatever allocation fails while a picture is drawn, the call says out_of_memory.

#include "support/allocation_faults.hpp"

#include <gtest/gtest.h>

#include "../../fuzz/hna_index_cases.hpp"
#include "../../fuzz/hpa_index_cases.hpp"
#include "../../fuzz/subgoal_index_cases.hpp"
#include "cairn/render/closure_picture.hpp"
#include "cairn/render/hpa_picture.hpp"
#include "cairn/render/map_picture.hpp"
#include "cairn/render/mesh_picture.hpp"
#include "cairn/render/subgoal_picture.hpp"

namespace cairn::render {
namespace {

using cairn::test::expect_survives;

const auto shapes_of = [](const Result<Drawing>& drawing) {
    std::size_t shapes = 0;
    for (const Layer& layer : drawing->layers) shapes += layer.shapes.size();
    return shapes;
};

TEST(AllocationFaults, OfPicturesSayOutOfMemory) {
    const hpa::Index hpa = fuzz::build(fuzz::hpa_index_cases().back());
    expect_survives(
        "draw_map", [&] { return draw_map(hpa.map()); }, shapes_of);
    expect_survives(
        "draw_hpa", [&] { return draw_hpa(hpa); }, shapes_of);
    const subgoal::Index subgoal = subgoal::Index::build(fuzz::subgoal_index_map()).value();
    expect_survives(
        "draw_subgoals", [&] { return draw_subgoals(subgoal); }, shapes_of);
    expect_survives(
        "draw_tree", [&] { return draw_tree(subgoal); }, shapes_of);
    expect_survives(
        "draw_climb",
        [&] {
            return draw_climb(subgoal, {0, 0}, {{1, 1}});
        },
        shapes_of);
    expect_survives(
        "draw_repair", [&] { return draw_repair(hpa, hpa, {}); }, shapes_of);
    const mesh::MeshImage image = fuzz::hna_index_image();
    const auto mesh = mesh::Mesh::build(image.source()).value();
    expect_survives(
        "draw_mesh", [&] { return draw_mesh(mesh); }, shapes_of);

    const Drawing drawing = draw_hpa(hpa).value();
    expect_survives(
        "to_svg", [&] { return to_svg(drawing); },
        [](const Result<std::string>& text) { return *text; });
    expect_survives(
        "to_png", [&] { return to_png(drawing); },
        [](const Result<std::string>& bytes) { return *bytes; });
}

}  // namespace
}  // namespace cairn::render
