#pragma once
// The map and the indexes that the corpus of haa_index_fuzz consists of.

#include <string>
#include <string_view>
#include <vector>

#include "cairn/haa/index.hpp"

namespace cairn::fuzz {

/// Ground, trees (T), swamp (S) and obstacles.
inline grid::TerrainImage haa_index_image() {
    static constexpr std::string_view kCells =
        "......T........"
        ".@@..TT...@...."
        "..@......@@..S.";
    std::string text;
    for (int i = 0; i < 3; ++i) text += kCells;
    text += "...@....SS@..@.";
    return {15, 10, {text.begin(), text.end()}};
}

struct HaaIndexCase {
    std::string name;
    haa::AnnotationOptions annotation;
    haa::Options options;
};

inline std::vector<HaaIndexCase> haa_index_cases() {
    using haa::Capability;
    const haa::TerrainSet ground = haa::terrain_set({haa::kGround});
    Capability ground_trees_swamp(haa::terrain_set({haa::kGround, haa::kTrees, haa::kSwamp}));
    std::vector<HaaIndexCase> cases;
    for (int i = 0; i < 6; ++i) {
        haa::AnnotationOptions annotation;
        annotation.max_size = 1 + i % 3;
        annotation.anchor = i % 2 == 0 ? haa::Anchor::top_left : haa::Anchor::centred;
        annotation.rules.corner = static_cast<grid::CornerRule>(i % 3);
        ground_trees_swamp.weight[haa::kSwamp] = static_cast<std::uint8_t>(i < 3 ? 1 : 4);
        annotation.capabilities = {Capability(ground), ground_trees_swamp};
        haa::Options options;
        options.cluster_size = i < 3 ? 5 : 4;
        options.levels = 1 + i % 2;
        options.abstraction = static_cast<haa::Abstraction>(i % 3);
        options.transitions = static_cast<haa::Transitions>(i % 4);
        options.labels = i % 2 == 0;
        cases.push_back({"case" + std::to_string(i), annotation, options});
    }
    return cases;
}

/// The index of a case.
inline haa::Index build(const HaaIndexCase& c) {
    const auto map = haa::AnnotatedMap::create(haa_index_image(), c.annotation).value();
    return haa::Index::build(map, c.options).value();
}

}  // namespace cairn::fuzz
