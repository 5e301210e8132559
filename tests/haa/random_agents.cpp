// Random terrain, agents and options, and the clusters built from them.

#include "haa/random_agents.hpp"

#include <algorithm>
#include <array>

#include <gtest/gtest.h>

#include "haa/cluster_builder.hpp"
#include "haa/footprint.hpp"

namespace cairn::haa::test {

grid::TerrainImage RandomAgents::image(const Size& size) {
    constexpr std::array<std::uint8_t, 4> letters{'@', '.', 'T', 'S'};
    const auto letter = [&] { return letters[static_cast<std::size_t>(number(0, 3))]; };
    grid::TerrainImage image{size.width, size.height, {}};
    image.terrain.assign(static_cast<std::size_t>(size.width * size.height), '.');
    for (int patches = number(0, 6); patches > 0; --patches) {
        const int left = number(0, size.width - 1);
        const int top = number(0, size.height - 1);
        const int right = std::min(left + number(0, 7), size.width - 1);
        const int bottom = std::min(top + number(0, 7), size.height - 1);
        const std::uint8_t patch = letter();
        for (int y = top; y <= bottom; ++y) {
            for (int x = left; x <= right; ++x) image.set(x, y, patch);
        }
    }
    const int density = chance(30) ? 0 : number(1, 40);
    for (std::uint8_t& t : image.terrain) {
        if (chance(density)) t = letter();
    }
    return image;
}

grid::MoveRules RandomAgents::rules() {
    if (chance(15)) return {grid::Neighbourhood::four, grid::CornerRule::strict};
    return {grid::Neighbourhood::eight, static_cast<grid::CornerRule>(number(0, 2))};
}

AnnotationOptions RandomAgents::agents(int largest) {
    AnnotationOptions options;
    options.capabilities.clear();
    const bool weighted = chance(40);
    for (int count = number(1, 4); count > 0; --count) {
        // Any set but the empty one of ground, trees and swamp, terrains 0 to 2.
        Capability capability(static_cast<TerrainSet>(number(1, 7)));
        for (std::size_t t = 0; t < 3 && weighted; ++t) {
            capability.weight[t] = static_cast<std::uint8_t>(number(1, chance(30) ? 9 : 2));
        }
        options.capabilities.push_back(capability);
    }
    options.max_size = number(1, largest);
    options.anchor = chance(50) ? Anchor::top_left : Anchor::centred;
    options.rules = rules();
    options.costs = costs();
    return options;
}

Options RandomAgents::options() {
    Options options;
    options.cluster_size = chance(30) ? 10 : number(2, 16);
    options.abstraction = static_cast<Abstraction>(number(0, 2));
    options.transitions = static_cast<Transitions>(number(0, 3));
    options.wide_entrance = number(2, 8);
    options.shift = number(0, 4);
    options.reach = chance(30) ? 64 : number(1, 6);
    return options;
}

AnnotatedMap RandomAgents::map(int longest, int largest) {
    const AnnotationOptions options = agents(largest);
    return AnnotatedMap::create(image(size(longest)), options).value();
}

void make_views(RandomAgents& random, const Index& index) {
    for (const Agent agent : all_agents(index.map())) {
        if (random.chance(30)) {
            ASSERT_TRUE(index.view(agent));
        } else if (random.chance(15)) {
            ASSERT_TRUE(index.with_labels({&agent, 1}).has_value());
        }
    }
}

Clusters::Clusters(const AnnotatedMap& map, const Options& options)
    : partition(map.width(), map.height(), options.cluster_size, options.branching, 1) {
    const std::vector<std::uint8_t> order = choosing_order(map);
    ClusterBuilder builder(map, partition, options, order);
    for (std::uint32_t id = 0; id < partition.clusters(1); ++id) {
        records.push_back(builder.record(id));
    }
}

AnnotatedMap annotated(std::initializer_list<std::string_view> rows,
                       const AnnotationOptions& options) {
    grid::TerrainImage image{
        static_cast<int>(rows.begin()->size()), static_cast<int>(rows.size()), {}};
    for (const std::string_view row : rows) {
        image.terrain.insert(image.terrain.end(), row.begin(), row.end());
    }
    return AnnotatedMap::create(image, options).value();
}

}  // namespace cairn::haa::test
