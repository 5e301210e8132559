// Hashes of what worlds answer over a log of edits: the same for every compiler, machine and speed.
// If an intended change alters them, the failed test prints the new hashes, to be put here.

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "support/hash.hpp"
#include "world/cases.hpp"

namespace cairn::test {
namespace {

/// Adds the numbers of the edits, and the statuses, costs and steps of some paths after each.
template <class P>
void add_world(std::uint64_t seed, Hash& hash) {
    RandomMaps random(seed);
    const auto first = first_index<P>(random);
    WorldOptions options;
    options.order_edits = 9;  // so that fresh orders are used
    auto world = World<P>::create(first, options).value();
    WorldSearcher<P> searcher(world);
    BuildControl control;
    control.threads = 1;
    std::vector<typename P::Request> requests;
    typename P::Paths paths;
    for (int step = 0; step < 120; ++step) {
        hash.add(world.edit(small_edits<P>(random, first)).value());
        requests.clear();
        for (int i = 0; i < 4; ++i) requests.push_back(any_request<P>(random, first));
        EXPECT_TRUE(searcher.find_paths(requests, paths, {}, {}, control).ok());
        for (std::size_t i = 0; i < requests.size(); ++i) {
            hash.add(static_cast<std::uint64_t>(paths.status[i]));
            hash.add(paths.cost[i]);
            for (const auto place : steps_of(paths)[i]) hash.add(place);
        }
    }
}

template <class P>
std::string hash_of_worlds() {
    Hash hash;
    for (std::uint64_t seed = 1; seed <= 5; ++seed) add_world<P>(seed, hash);
    return hash.text();
}

TEST(WorldsGolden, AnswersOverALogOfEditsAreUnchanged) {
    EXPECT_EQ(hash_of_worlds<grid::AstarPlanner>(), "6eb2f0e9f35919ce");
    EXPECT_EQ(hash_of_worlds<grid::JpsPlanner>(), "5de126e1493eba59");
    EXPECT_EQ(hash_of_worlds<hpa::Planner>(), "8ca76c0ddc70ca22");
    EXPECT_EQ(hash_of_worlds<subgoal::Planner>(), "8c552ebfada578bd");
    EXPECT_EQ(hash_of_worlds<haa::Planner>(), "35f642002be96059");
    EXPECT_EQ(hash_of_worlds<mesh::AstarPlanner>(), "a52547db1a451182");
    EXPECT_EQ(hash_of_worlds<hna::Planner>(), "18d110d83f063239");
}

}  // namespace
}  // namespace cairn::test
