// Annotated abstractions of seeded maps as hashes: the same for every compiler, optimisation level
// and machine. If an intended change alters them, put the hash that the failure prints here.

#include <gtest/gtest.h>

#include "haa/random_agents.hpp"
#include "support/hash.hpp"

namespace cairn::haa::test {
namespace {

std::string records_of(Abstraction abstraction) {
    RandomAgents random(41);
    cairn::test::Hash hash;
    for (int round = 0; round < 40; ++round) {
        const AnnotatedMap map = random.map(40, 4);
        Options options = random.options();
        options.abstraction = abstraction;
        for (const std::vector<std::uint32_t>& record : Clusters(map, options).records) {
            hash.add(record.size());
            for (const std::uint32_t word : record) hash.add(word);
        }
    }
    return hash.text();
}

TEST(GoldenAbstraction, InitialIsTheSameEverywhere) {
    EXPECT_EQ(records_of(Abstraction::initial), "10f06a484debc87d");
}
TEST(GoldenAbstraction, HighQualityIsTheSameEverywhere) {
    EXPECT_EQ(records_of(Abstraction::high_quality), "c2bcd8efa7a1d0dd");
}
TEST(GoldenAbstraction, LowQualityIsTheSameEverywhere) {
    EXPECT_EQ(records_of(Abstraction::low_quality), "343dcc2b8131725d");
}

}  // namespace
}  // namespace cairn::haa::test
