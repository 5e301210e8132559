// Building cut labels: limits, cancelling and threads; and labels over arrays, damaged ones
// included.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <random>

#include "cairn/cut_labels.hpp"
#include "sample_graphs.hpp"

namespace cairn {
namespace {

/// A copy of the arrays of labels, for tests to change.
struct LabelsCopy {
    explicit LabelsCopy(const CutLabelArrays& a)
        : nodes(a.nodes.begin(), a.nodes.end()),
          up(a.up),
          down(a.down),
          group_common(a.group_common.begin(), a.group_common.end()),
          block_common(a.block_common.begin(), a.block_common.end()),
          places(a.places.begin(), a.places.end()),
          head(a.head.begin(), a.head.end()),
          groups(a.groups.begin(), a.groups.end()),
          piece(a.piece) {}

    [[nodiscard]] CutLabelArrays arrays() const {
        return {nodes, up.arrays(), down.arrays(), group_common, block_common,
                piece, places,      head,          groups};
    }
    friend bool operator==(const LabelsCopy&, const LabelsCopy&) = default;

    struct OneWay {
        explicit OneWay(const CutLabelWay& a)
            : entries(a.entries.begin(), a.entries.end()),
              hops(a.hops.begin(), a.hops.end()),
              wide_hops(a.wide_hops.begin(), a.wide_hops.end()) {}
        [[nodiscard]] CutLabelWay arrays() const { return {entries, hops, wide_hops}; }
        friend bool operator==(const OneWay&, const OneWay&) = default;

        std::vector<Cost> entries;
        std::vector<std::uint8_t> hops;
        std::vector<std::uint32_t> wide_hops;
    };
    std::vector<CutLabelNode> nodes;
    OneWay up;
    OneWay down;
    std::vector<std::uint32_t> group_common;
    std::vector<std::uint32_t> block_common;
    std::vector<CutLabelPlace> places;
    std::vector<std::uint32_t> head;
    std::vector<CutLabelGroup> groups;
    std::uint32_t piece;
};

/// Queries of every kind between random nodes: none may crash or return an overlong path.
void query_random_nodes(const CutLabels& labels, std::mt19937& dice) {
    if (labels.num_nodes() == 0) return;
    const auto node = [&] { return static_cast<std::uint32_t>(dice() % labels.num_nodes()); };
    CutLabels::Scratch scratch;
    std::vector<std::uint32_t> nodes;
    for (int round = 0; round < 5; ++round) {
        if (labels.has_labels()) static_cast<void>(labels.distance(node(), node()));
        const std::vector<Connector> from{{node(), 3}, {node(), 0}, {node(), 100}};
        const std::vector<Connector> to{{node(), 3}, {node(), 0}};
        static_cast<void>(labels.distance(from, to, scratch));
        static_cast<void>(labels.find_path(from, to, scratch, nodes));
        EXPECT_LE(nodes.size(), std::size_t{2} * labels.num_nodes() + 2);
    }
    static_cast<void>(labels.statistics());
}

/// Node 0 has an edge to each of `leaves` others.
Graph star_graph(std::uint32_t leaves) {
    std::vector<Edge> edges;
    for (std::uint32_t v = 1; v <= leaves; ++v) edges.push_back({0, v, v});
    return graph_from_edges(leaves + 1, edges).value();
}

TEST(CutLabelsThreads, DoNotChangeTheResult) {
    for (const auto& [name, graph] : test::sample_graphs()) {
        BuildControl one_thread;
        one_thread.threads = 1;
        BuildControl two_threads;
        two_threads.threads = 2;
        for (const std::uint32_t piece : {0U, 5U}) {
            CutLabels::Options options;
            options.piece = piece;
            const LabelsCopy by_one(CutLabels::build(graph, options, one_thread)->arrays());
            const LabelsCopy by_two(CutLabels::build(graph, options, two_threads)->arrays());
            EXPECT_TRUE(by_one == by_two) << name;
        }
    }
}

TEST(CutLabelsBuild, LeavesLabelsOutThatTakeMoreBytesThanAllowed) {
    const Graph graph = test::cluster_graph(20, 1);
    const CutLabels labels = CutLabels::build(graph).value();
    const CutLabels::Statistics stats = labels.statistics().value();
    CutLabels::Options options;
    options.max_bytes = stats.label_bytes + stats.hop_bytes + stats.tree_bytes;
    EXPECT_EQ(labels.label_bytes(), options.max_bytes);
    EXPECT_TRUE(CutLabels::build(graph, options)->has_labels());
    options.max_bytes = 1;
    const CutLabels climbing = CutLabels::build(graph, options).value();
    EXPECT_FALSE(climbing.has_labels());
    EXPECT_FALSE(climbing.has_hops());
    EXPECT_GT(climbing.label_bytes(), 1U);
    EXPECT_EQ(climbing.statistics()->closure_bytes, stats.closure_bytes);
    EXPECT_EQ(climbing.bytes(), stats.closure_bytes);
    CutLabels::Scratch scratch;
    Closure::Scratch climb_scratch;
    std::vector<std::uint32_t> path;
    std::vector<std::uint32_t> climbed;
    for (std::uint32_t v = 0; v < graph.num_nodes(); v += 3) {
        const std::vector<Connector> from{{v, 1}, {v / 2, 2}};
        const std::vector<Connector> to{{graph.num_nodes() - 1 - v, 0}};
        const Cost cost = labels.find_path(from, to, scratch, path);
        EXPECT_EQ(climbing.closure().distance(from, to, climb_scratch), cost);
        EXPECT_EQ(climbing.closure().find_path(from, to, climb_scratch, climbed), cost);
        EXPECT_EQ(climbed, path);
        EXPECT_EQ(climbing.distance(from, to, scratch), kInfinity);
        EXPECT_EQ(climbing.find_path(from, to, scratch, climbed), kInfinity);
    }
}

TEST(CutLabelsBuild, TakesTheSmallestPiecesThatTheBytesAllow) {
    const Graph graph = test::cluster_graph(30, 1);
    const auto bytes_at = [&](std::uint32_t piece) {
        CutLabels::Options options;
        options.piece = piece;
        return CutLabels::build(graph, options)->label_bytes();
    };
    std::uint64_t more = bytes_at(0);
    std::uint32_t before = 0;
    for (const std::uint32_t piece : CutLabels::Options::kPieces) {
        const std::uint64_t bytes = bytes_at(piece);
        EXPECT_LT(bytes, more);
        CutLabels::Options options;
        options.max_bytes = more;
        EXPECT_EQ(CutLabels::build(graph, options)->piece(), before);
        options.max_bytes = more - 1;
        EXPECT_EQ(CutLabels::build(graph, options)->piece(), piece);
        options.max_bytes = bytes;
        const CutLabels labels = CutLabels::build(graph, options).value();
        EXPECT_EQ(labels.piece(), piece);
        EXPECT_EQ(labels.label_bytes(), bytes);
        EXPECT_EQ(labels.bytes(), bytes + labels.closure().bytes());
        more = bytes;
        before = piece;
    }
    CutLabels::Options options;
    options.max_bytes = more - 1;
    EXPECT_FALSE(CutLabels::build(graph, options)->has_labels());
    EXPECT_EQ(CutLabels::build(graph, options)->label_bytes(), more);
}

TEST(CutLabelsBuild, RefusesMoreWorkThanAllowed) {
    const Graph graph = test::random_graph(500, 3000, 1, 9, 1);
    CutLabels::Options options;
    options.closure.max_steps = 10'000;
    const auto refused = CutLabels::build(graph, options);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, StatusCode::too_large);
}

TEST(CutLabelsBuild, CanBeCancelledAtEveryReport) {
    const Graph graph = test::cluster_graph(30, 1);
    int reports = 0;
    BuildControl control;
    double last = 0;
    control.progress = [&](double done) {
        EXPECT_GE(done, last);
        EXPECT_LE(done, 1.0);
        last = done;
        ++reports;
    };
    ASSERT_TRUE(CutLabels::build(graph, {}, control));
    EXPECT_EQ(last, 1.0);
    EXPECT_GE(reports, 3);
    EXPECT_LE(reports, 300);
    // The last report comes when nothing is left to cancel. On several threads a build may give
    // fewer reports than the one before.
    for (int stop = 0; stop < reports - 1; ++stop) {
        CancelFlag flag;
        int seen = 0;
        control.cancel = &flag;
        control.progress = [&](double done) {
            if (seen++ == stop && done < 1) flag.cancel();
        };
        const auto result = CutLabels::build(graph, {}, control);
        ASSERT_EQ(result.has_value(), !flag.cancelled()) << "report " << stop;
        ASSERT_TRUE(!result || stop > 0);
        if (!result) {
            EXPECT_EQ(result.error().code, StatusCode::cancelled);
        }
    }
}

TEST(CutLabelsBuild, RefusesNegativeThreads) {
    BuildControl control;
    control.threads = -1;
    const auto result = CutLabels::build(Graph{}, {}, control);
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, StatusCode::bad_option);
}

TEST(CutLabelsBuild, RecutsGiveSmallerLabelsAndAreLimited) {
    const Graph graph = test::cluster_graph(20, 1);
    CutLabels::Options options;
    const auto entries = [&](int recuts) {
        options.closure.recuts = recuts;
        return CutLabels::build(graph, options)->statistics().value().entries;
    };
    EXPECT_LT(entries(2), entries(0));
    for (const int recuts : {-1, ClosureOptions::kMostRecuts + 1}) {
        options.closure.recuts = recuts;
        EXPECT_EQ(CutLabels::build(graph, options).error().code, StatusCode::bad_option);
    }
}

TEST(CutLabelsBuild, NeedsAPointForEachNodeOrNone) {
    const Graph graph = test::cluster_graph(3, 1);
    std::vector<NodePoint> points(graph.num_nodes() + 1, NodePoint{3, -4});
    CutLabels::Options options;
    for (const std::uint32_t count : {1U, graph.num_nodes() - 1, graph.num_nodes() + 1}) {
        options.closure.points = std::span(points).first(count);
        EXPECT_EQ(CutLabels::build(graph, options).error().code, StatusCode::bad_option) << count;
    }
    options.closure.points = std::span(points).first(graph.num_nodes());
    EXPECT_TRUE(CutLabels::build(graph, options).has_value());
}

// A square of 20 x 20 clusters: its middle row, of some 60 nodes at most, separates it.
TEST(CutLabelsBuild, StatisticsAddUp) {
    const Graph graph = test::cluster_graph(20, 1);
    const CutLabels labels = CutLabels::build(graph).value();
    const CutLabels::Statistics stats = labels.statistics().value();
    EXPECT_EQ(stats.entries, labels.arrays().up.entries.size());
    EXPECT_EQ(stats.label_bytes, stats.entries * sizeof(Cost));
    EXPECT_GT(stats.mean_entries, 1.0);
    EXPECT_LT(stats.mean_entries, stats.max_entries);
    EXPECT_GT(stats.root_separator, 0U);
    EXPECT_LE(stats.root_separator, 60U);
    EXPECT_GT(stats.depth, 5U);
    EXPECT_GT(stats.groups, stats.depth);
}

TEST(CutLabelsArrays, MakeTheLabelsAgainWithoutACopy) {
    for (const auto& [name, graph] : test::sample_graphs()) {
        CutLabels::Options options;
        options.piece = graph.num_nodes() % 4;
        const CutLabels labels = CutLabels::build(graph, options).value();
        const auto copy = std::make_shared<const LabelsCopy>(labels.arrays());
        const auto again = CutLabels::from_arrays(labels.closure(), copy->arrays(), copy);
        ASSERT_TRUE(again) << name << ": " << again.error().message;
        EXPECT_EQ(again->arrays().up.entries.data(), copy->up.entries.data());
        for (std::uint32_t s = 0; s < graph.num_nodes(); s += 7) {
            for (std::uint32_t t = 0; t < graph.num_nodes(); t += 5) {
                EXPECT_EQ(labels.distance(s, t), again->distance(s, t));
            }
        }
    }
}

// The labels of accepted arrays may be wrong, but queries end and stay within bounds.
TEST(CutLabelsArrays, AnyDamageIsRefusedOrHarmless) {
    std::mt19937 dice(11);
    const auto damage = [&](auto& vector) {
        if (vector.empty()) return;
        using Value = typename std::remove_reference_t<decltype(vector)>::value_type;
        if (dice() % 8 == 0) {
            vector.resize(dice() % (vector.size() + 3));
            return;
        }
        auto& value = vector[dice() % vector.size()];
        unsigned char bytes[sizeof(Value)];
        std::memcpy(bytes, &value, sizeof(Value));
        bytes[dice() % sizeof(Value)] = static_cast<unsigned char>(dice());
        std::memcpy(&value, bytes, sizeof(Value));
    };
    // The last graph has a node of more than 255 edges, so that its labels have wide hops.
    const Graph star = star_graph(300);
    for (const Graph& graph : {test::cluster_graph(8, 1), test::random_graph(60, 900, 1, 3, 1),
                               star, test::directed_version(star, 1, 9, 1)}) {
        int accepted = 0;
        for (int round = 0; round < 3000; ++round) {
            CutLabels::Options options;
            options.piece = round % 2 == 0 ? 0 : 4;
            const CutLabels labels = CutLabels::build(graph, options).value();
            const auto copy = std::make_shared<LabelsCopy>(labels.arrays());
            for (std::uint32_t times = 1 + dice() % 4; times > 0; --times) {
                LabelsCopy::OneWay& way = dice() % 2 == 0 ? copy->up : copy->down;
                switch (dice() % 9) {
                    case 0:
                        damage(copy->nodes);
                        break;
                    case 1:
                        damage(way.entries);
                        break;
                    case 2:
                        damage(way.hops);
                        break;
                    case 3:
                        damage(way.wide_hops);
                        break;
                    case 4:
                        damage(copy->head);
                        break;
                    case 5:
                        damage(copy->group_common);
                        break;
                    case 6:
                        damage(copy->places);
                        break;
                    case 7:
                        damage(copy->groups);
                        break;
                    default:
                        damage(copy->block_common);
                        break;
                }
            }
            const auto result = CutLabels::from_arrays(labels.closure(), copy->arrays(), copy);
            if (!result) {
                EXPECT_EQ(result.error().code, StatusCode::corrupt_file);
                continue;
            }
            ++accepted;
            query_random_nodes(*result, dice);
        }
        EXPECT_GT(accepted, 100);
    }
}

}  // namespace
}  // namespace cairn
