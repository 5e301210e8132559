// The tiles that become abstract nodes (HPA* paper, section 3.1). In the expected drawings 'o' is a
// node, of level 1 unless a test says otherwise.

#include <gtest/gtest.h>

#include "hpa/snapshot.hpp"
#include "hpa/verify.hpp"
#include "support/ascii_map.hpp"

namespace cairn::hpa::test {
namespace {

using cairn::test::ascii_map;
using grid::Cell;
using grid::Map;

// The map with its nodes of a level, drawn as rows.
std::string nodes(const Map& map, const Options& options, int level = 1) {
    const Index index = build(map, options);
    std::vector<Cell> cells;
    const Overlay& overlay = index.snapshot().overlay;
    for (std::uint32_t id = 0; id < overlay.base.partition.clusters(level); ++id) {
        const auto bases = overlay.cluster(level, id).bases();
        cells.insert(cells.end(), bases.begin(), bases.end());
    }
    return '\n' + cairn::test::draw(map, cells);
}

std::string rows(std::initializer_list<std::string_view> lines) {
    std::string text = "\n";
    for (const std::string_view line : lines) text += std::string(line) + '\n';
    return text;
}

Options clusters_with(int size, Transitions transitions = Transitions::by_width) {
    Options options;
    options.cluster_size = size;
    options.transitions = transitions;
    return options;
}

// The paper's T is 6 (wide_entrance): an entrance of five tiles is narrow.
TEST(Entrances, ANarrowOneHasOneTransitionInTheMiddle) {
    const Map map = ascii_map({"............",  //
                               "............",  //
                               "............",  //
                               "............",  //
                               "............",  //
                               ".....@......"});
    EXPECT_EQ(nodes(map, clusters_with(6)), rows({"............",  //
                                                  "............",  //
                                                  ".....oo.....",  //
                                                  "............",  //
                                                  "............",  //
                                                  ".....@......"}));
}

// A width of T = 6 tiles is wide, unless Options::transitions or wide_entrance says otherwise.
TEST(Entrances, AWideOneHasATransitionAtEachEnd) {
    const Map map = ascii_map({"............",  //
                               "............",  //
                               "............",  //
                               "............",  //
                               "............",  //
                               "............"});
    EXPECT_EQ(nodes(map, clusters_with(6)), rows({".....oo.....",  //
                                                  "............",  //
                                                  "............",  //
                                                  "............",  //
                                                  "............",  //
                                                  ".....oo....."}));
    EXPECT_EQ(nodes(map, clusters_with(6, Transitions::middle)), rows({"............",  //
                                                                       "............",  //
                                                                       "............",  //
                                                                       ".....oo.....",  //
                                                                       "............",  //
                                                                       "............"}));
    EXPECT_EQ(nodes(map, clusters_with(6, Transitions::every)), rows({".....oo.....",  //
                                                                      ".....oo.....",  //
                                                                      ".....oo.....",  //
                                                                      ".....oo.....",  //
                                                                      ".....oo.....",  //
                                                                      ".....oo....."}));
    Options narrow = clusters_with(6);
    narrow.wide_entrance = 7;
    EXPECT_EQ(nodes(map, narrow), nodes(map, clusters_with(6, Transitions::middle)));
}

// The middle of an entrance of w tiles is its tile floor(w / 2), counted from 0 from the north or
// west.
TEST(Entrances, TheMiddleOfAnEvenEntranceLiesSouthOrEastOfItsCentre) {
    const Map map = ascii_map({"....@@",  //
                               "....@@",  //
                               "......",  //
                               "......",  //
                               "@@....",  //
                               "@@...."});
    EXPECT_EQ(nodes(map, clusters_with(4)), rows({"....@@",  //
                                                  "....@@",  //
                                                  "......",  //
                                                  "...ooo",  //
                                                  "@@.o.o",  //
                                                  "@@.oo."}));
}

// An entrance ends where a tile on either side is blocked, and at the end of the border.
TEST(Entrances, AreMaximalAndFreeOnBothSides) {
    const Map map = ascii_map({"........",  //
                               "....@...",  //
                               "........",  //
                               "...@....",  //
                               "........",  //
                               "........",  //
                               "...@@...",  //
                               "........"});
    EXPECT_EQ(nodes(map, clusters_with(4)), rows({"...oo...",  //
                                                  "....@...",  //
                                                  "...oo...",  //
                                                  ".o.@..o.",  //
                                                  ".o....o.",  //
                                                  "...oo...",  //
                                                  "...@@...",  //
                                                  "...oo..."}));
}

// A tile with transitions over two borders is one node.
TEST(Entrances, OfTwoBordersMayShareATile) {
    const Map map = ascii_map({"............", "............", "............", "............",
                               "............", "............", "............", "............",
                               "............", "............", "............", "............"});
    EXPECT_EQ(nodes(map, clusters_with(6)), rows({".....oo.....",  //
                                                  "............",  //
                                                  "............",  //
                                                  "............",  //
                                                  "............",  //
                                                  "o....oo....o",  //
                                                  "o....oo....o",  //
                                                  "............",  //
                                                  "............",  //
                                                  "............",  //
                                                  "............",  //
                                                  ".....oo....."}));
    const IndexStatistics statistics = build(map, clusters_with(6)).statistics().value();
    EXPECT_EQ(statistics.abstract_nodes, 12U);
    EXPECT_EQ(statistics.inter_edges, 8U);
    EXPECT_EQ(statistics.intra_edges, 4 * 3U);
}

// Clusters of 3 x 3 cells on 7 x 7 cells: those at the right and bottom edge are one cell wide.
TEST(Entrances, OfSmallerClustersAtTheEdge) {
    const Map map = ascii_map({".......",  //
                               ".......",  //
                               ".......",  //
                               ".......",  //
                               ".......",  //
                               ".......",  //
                               "......."});
    EXPECT_EQ(nodes(map, clusters_with(3)), rows({".......",  //
                                                  "..oo.oo",  //
                                                  ".o..o.o",  //
                                                  ".o..o.o",  //
                                                  "..oo.oo",  //
                                                  ".o..o.o",  //
                                                  ".oooooo"}));
}

// Four clusters of two cells and one of a single cell.
TEST(Entrances, OfASingleRow) {
    EXPECT_EQ(nodes(ascii_map({"......@.."}), clusters_with(2)), rows({".oooo.@oo"}));
}

// The nodes of level 2 are the nodes of level 1 with a transition over a border of 2-clusters
// (section 3.4).
TEST(Entrances, OfHigherLevelsAreThoseOfLevelOneOnTheirBorders) {
    const Map map = ascii_map({"........",  //
                               "........",  //
                               "........",  //
                               "........"});
    Options options = clusters_with(2);
    options.levels = 2;
    EXPECT_EQ(nodes(map, options), rows({"........",  //
                                         ".ooooooo",  //
                                         ".o.o.o.o",  //
                                         ".oooooo."}));
    EXPECT_EQ(nodes(map, options, 2), rows({"........",  //
                                            "...oo...",  //
                                            "........",  //
                                            "...oo..."}));
}

}  // namespace
}  // namespace cairn::hpa::test
