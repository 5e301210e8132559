// Closures of edited graphs: they equal closures computed afresh for the same tree, and answer as
// Dijkstra's algorithm does.

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <vector>

#include "cairn/closure.hpp"
#include "cairn/cut_labels.hpp"
#include "core/labels/closure_view.hpp"
#include "core/labels/label_pages.hpp"
#include "sample_graphs.hpp"

namespace cairn {
namespace {

constexpr std::uint32_t kNone = ClosureNode::kNone;

/// A graph that can be edited: nodes keep their numbers.
class EditableGraph {
public:
    explicit EditableGraph(const Graph& graph)
        : directed_(graph.directed), present_(graph.num_nodes(), true) {
        arcs_.resize(graph.num_nodes());
        for (std::uint32_t v = 0; v < graph.num_nodes(); ++v) {
            for (std::uint32_t i = 0; i < graph.degree(v); ++i)
                add_edge(v, graph.neighbours(v)[i], graph.weights(v)[i], graph.back_weights(v)[i]);
        }
        changed_.clear();
    }

    [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(arcs_.size()); }
    [[nodiscard]] bool directed() const { return directed_; }
    [[nodiscard]] bool present(std::uint32_t v) const { return present_[v]; }
    /// By neighbour the cost of the edge to it, kInfinity if the edge only leads back.
    [[nodiscard]] const std::map<std::uint32_t, Cost>& arcs(std::uint32_t v) const {
        return arcs_[v];
    }

    /// An edge from a to b, and at the cost `back` from b to a. Keeps the shorter one of parallel
    /// edges.
    void add_edge(std::uint32_t a, std::uint32_t b, Cost cost, Cost back) {
        if (a == b) return;
        const auto lower = [](Cost& known, Cost other) { known = std::min(known, other); };
        lower(arcs_[a].try_emplace(b, kInfinity).first->second, cost);
        lower(arcs_[b].try_emplace(a, kInfinity).first->second, back);
        touch(a);
        touch(b);
    }
    /// An edge of random cost. If the graph is directed, so is the cost back; it may lead one way.
    void add_random_edge(std::uint32_t a, std::uint32_t b, std::mt19937& dice) {
        const auto random_cost = [&] { return static_cast<Cost>(1 + dice() % 30); };
        Cost cost = random_cost();
        Cost back = cost;
        if (directed_) {
            back = random_cost();
            if (dice() % 3 == 0) (dice() % 2 == 0 ? cost : back) = kInfinity;
        }
        add_edge(a, b, cost, back);
    }
    void remove_edge(std::uint32_t a, std::uint32_t b) {
        if (arcs_[a].erase(b) == 0) return;
        arcs_[b].erase(a);
        touch(a);
        touch(b);
    }
    void remove_node(std::uint32_t v) {
        while (!arcs_[v].empty()) remove_edge(v, arcs_[v].begin()->first);
        present_[v] = false;
        touch(v);
    }
    /// A number without a node, or the next one.
    std::uint32_t add_node(std::mt19937& dice) {
        std::uint32_t v = size();
        if (v > 0 && dice() % 2 == 0) v = static_cast<std::uint32_t>(dice() % v);
        if (v < size() && present_[v]) v = size();
        if (v == size()) {
            arcs_.emplace_back();
            present_.push_back(true);
        }
        present_[v] = true;
        touch(v);
        return v;
    }

    /// Adds numbers without nodes.
    void grow(std::uint32_t size) {
        arcs_.resize(size);
        present_.resize(size, false);
    }
    /// Adds a removed node again, with its edges in `whole` to nodes that are there.
    void restore_node(const EditableGraph& whole, std::uint32_t v) {
        present_[v] = true;
        touch(v);
        for (const auto& [to, cost] : whole.arcs(v)) {
            if (present_[to]) add_edge(v, to, cost, whole.arcs(to).at(v));
        }
    }

    /// The edits since the last call, applied to a closure.
    Result<Closure> apply(const Closure& closure) {
        std::sort(changed_.begin(), changed_.end());
        changed_.erase(std::unique(changed_.begin(), changed_.end()), changed_.end());
        GraphEdit edit;
        edit.num_nodes = size();
        edit.changed = changed_;
        edit.directed = directed_;
        edit.arcs = [this](std::uint32_t node, std::vector<GraphEdit::Arc>& out) {
            for (const auto& [to, cost] : arcs_[node])
                out.push_back({to, cost, arcs_[to].at(node)});
            return present_[node];
        };
        auto result = closure.edited(edit);
        changed_.clear();
        return result;
    }

    /// Removed nodes become nodes without edges.
    [[nodiscard]] Graph graph() const {
        std::vector<Edge> edges;
        std::vector<Arc> arcs;
        for (std::uint32_t v = 0; v < size(); ++v) {
            for (const auto& [to, cost] : arcs_[v]) {
                if (cost < kInfinity) arcs.push_back({v, to, cost});
                if (v < to) edges.push_back({v, to, cost});
            }
        }
        return directed_ ? graph_from_arcs(size(), arcs).value()
                         : graph_from_edges(size(), edges).value();
    }

private:
    void touch(std::uint32_t v) { changed_.push_back(v); }

    bool directed_;
    std::vector<bool> present_;
    std::vector<std::map<std::uint32_t, Cost>> arcs_;
    std::vector<std::uint32_t> changed_;
};

/// A closure edge as it must be.
struct ExpectedEdge {
    Cost cost = kInfinity;
    std::uint32_t middle = kNone;  ///< place, or kNone for an edge of the graph
    [[nodiscard]] bool is_graph_edge() const { return middle == kNone; }
};

/// Compares a closure with one computed for its tree by the definition, place by place.
void expect_closure_of(const EditableGraph& graph, const Closure& closure) {
    const ClosureView view(*closure.storage());
    const std::uint32_t places = view.num_places();
    std::vector<std::vector<std::uint32_t>> path(places);  // by place: from the root down to it
    const auto path_of = [&](std::uint32_t place) {
        std::vector<std::uint32_t> out;
        for (std::uint32_t at = place; at != kNone; at = view.node(at).parent) out.push_back(at);
        std::reverse(out.begin(), out.end());
        return out;
    };
    std::vector<std::uint32_t> by_depth(places);
    std::vector<std::uint32_t> place_of(graph.size(), kNone);
    for (std::uint32_t p = 0; p < places; ++p) {
        path[p] = path_of(p);
        ASSERT_EQ(path[p].size(), view.node(p).depth + 1U);
        by_depth[p] = p;
        const std::uint32_t node = view.node(p).node;
        if (node == kNone) continue;
        ASSERT_LT(node, graph.size());
        ASSERT_TRUE(graph.present(node));
        ASSERT_EQ(place_of[node], kNone);
        place_of[node] = p;
    }
    std::sort(by_depth.begin(), by_depth.end(),
              [&](std::uint32_t a, std::uint32_t b) { return path[a].size() > path[b].size(); });
    ASSERT_EQ(closure.directed(), graph.directed() && places > 0);
    // By depth of the upper node.
    std::vector<std::map<std::uint32_t, BothWays<ExpectedEdge>>> rows(places);
    for (std::uint32_t v = 0; v < graph.size(); ++v) {
        ASSERT_EQ(place_of[v] != kNone, graph.present(v)) << v;
        for (const auto& [to, cost] : graph.arcs(v)) {
            const std::uint32_t lower = place_of[v];
            const std::uint32_t upper = place_of[to];
            if (path[lower].size() < path[upper].size()) continue;
            const std::size_t depth = path[upper].size() - 1;
            ASSERT_EQ(path[lower][depth], upper) << "edge " << v << " to " << to << " across";
            auto& edge = rows[lower][static_cast<std::uint32_t>(depth)];
            edge.up.cost = cost;
            edge.down.cost = graph.arcs(to).at(v);
        }
    }
    // The tree passes edges on, of empty places, too.
    for (const std::uint32_t p : by_depth) {
        const std::uint32_t parent = view.node(p).parent;
        if (parent == kNone) continue;
        for (const auto& [depth, edge] : rows[p]) {
            if (depth + 1 < path[parent].size()) rows[parent].try_emplace(depth);
        }
    }
    for (const std::uint32_t middle : by_depth) {
        const auto& row = rows[middle];
        for (const auto& [low, to_low] : row) {
            for (const auto& [high, to_high] : row) {
                if (high >= low) break;
                const std::uint32_t lower = path[middle][low];
                for (const Way way : kBothWays) {
                    const Cost cost = to_low[reverse(way)].cost + to_high[way].cost;
                    ExpectedEdge& edge = rows[lower].at(high)[way];
                    if (cost >= kInfinity || cost > edge.cost) continue;
                    if (cost == edge.cost &&
                        (edge.is_graph_edge() || view.rank(edge.middle) > view.rank(middle))) {
                        continue;
                    }
                    edge = {cost, middle};
                }
            }
        }
    }
    for (std::uint32_t p = 0; p < places; ++p) {
        ASSERT_EQ(view.row(p).length, rows[p].size()) << "place " << p;
        std::uint32_t e = 0;
        for (const auto& entry : rows[p]) {
            const std::uint32_t depth = entry.first;
            ASSERT_EQ(view.row(p).depth[e], depth);
            for (const Way way : kBothWays) {
                const ExpectedEdge& edge = entry.second[way];
                ASSERT_EQ(view.row(p, way).cost[e], edge.cost)
                    << "place " << p << " to depth " << depth;
                std::uint32_t packed = ClosureMiddle::kGraphEdge;
                if (!edge.is_graph_edge()) {
                    const auto& halves = rows[edge.middle];
                    const auto own = static_cast<std::uint32_t>(path[p].size() - 1);
                    packed = ClosureMiddle::pack(edge.middle, p,
                                                 halves.at(own)[reverse(way)].is_graph_edge(),
                                                 halves.at(depth)[way].is_graph_edge());
                }
                ASSERT_EQ(view.middle(p, e, way), packed) << "place " << p << " to depth " << depth;
            }
            ++e;
        }
    }
    for (std::uint32_t p = 0; p < places; ++p) {
        const std::uint32_t parent = view.node(p).parent;
        if (parent == kNone) continue;
        ASSERT_LT(view.position(parent), view.position(p));
        ASSERT_LT(view.rank(parent), view.rank(p));
    }
}

/// Labels that are repaired after each edit, or after several.
class RepairedLabels {
public:
    /// Repairs the labels, sometimes with pieces, and compares them with labels computed from
    /// nothing.
    void repair(const Closure& closure) {
        CutLabels::Options options;
        if (++repairs_ % 4 == 0) piece_ = (piece_ + 3) % 11;
        options.piece = piece_;
        labels_ = CutLabels(closure, labels_).repaired(options).value();
        ASSERT_TRUE(labels_.in_pages());
        ASSERT_EQ(labels_.piece(), piece_);
        const CutLabels expected = CutLabels(closure).repaired(options).value();
        ASSERT_EQ(labels_.label_bytes(), expected.label_bytes());
        options.max_bytes = labels_.label_bytes() * (1 + repairs_ % 7) / 5;
        const CutLabels small = CutLabels(closure, labels_).repaired(options).value();
        if (small.has_labels()) {
            ASSERT_LE(small.label_bytes(), options.max_bytes);
        }
        ASSERT_TRUE(std::ranges::equal(labels_.arrays().nodes, expected.arrays().nodes));
        const ClosureView view(*closure.storage());
        for (std::uint32_t place = 0; place < view.num_places(); ++place) {
            const bool has_label = expected.pages()->way(Way::up).has(place);
            ASSERT_EQ(labels_.pages()->way(Way::up).has(place), has_label);
            if (!has_label) continue;
            const std::uint32_t length = LabelPage::padded(view.node(place).depth + 1U);
            for (const Way way : kBothWays) {
                const LabelRow row = labels_.pages()->way(way).row(place);
                const LabelRow wanted = expected.pages()->way(way).row(place);
                ASSERT_TRUE(std::equal(row.entries, row.entries + length, wanted.entries)) << place;
                ASSERT_TRUE(std::equal(row.lasts, row.lasts + length, wanted.lasts)) << place;
            }
        }
    }
    [[nodiscard]] const CutLabels& labels() const { return labels_; }

private:
    CutLabels labels_;
    std::uint32_t piece_ = 0;
    std::uint32_t repairs_ = 0;
};

/// Compares costs and paths with Dijkstra's algorithm, from some nodes to all, and with labels.
void expect_answers(const EditableGraph& editable, const Closure& closure, std::mt19937& dice) {
    const Graph graph = editable.graph();
    CutLabels::Options options;
    options.piece = static_cast<std::uint32_t>(dice() % 3 * (dice() % 8));
    const CutLabels labels = CutLabels::build(closure, options).value();
    const CutLabels paged = CutLabels(closure).repaired().value();
    options.piece = static_cast<std::uint32_t>(1 + dice() % 8);
    const CutLabels pieced = CutLabels(closure).repaired(options).value();
    ASSERT_EQ(labels.num_nodes(), graph.num_nodes());
    Closure::Scratch scratch;
    CutLabels::Scratch label_scratch;
    std::vector<std::uint32_t> nodes;
    std::vector<std::uint32_t> by_labels;
    for (int round = 0; round < 3 && graph.num_nodes() > 0; ++round) {
        const auto s = static_cast<std::uint32_t>(dice() % graph.num_nodes());
        const std::vector<Cost> distance = test::dijkstra(graph, s);
        for (std::uint32_t t = 0; t < graph.num_nodes(); ++t) {
            const std::vector<Connector> from{{s, 0}};
            const std::vector<Connector> to{{t, 0}};
            const bool removed = !editable.present(s) || !editable.present(t);
            const Cost expected = removed ? kInfinity : distance[t];
            ASSERT_EQ(closure.distance(from, to, scratch), expected) << s << " to " << t;
            ASSERT_EQ(closure.find_path(from, to, scratch, nodes), expected);
            ASSERT_EQ(nodes.empty(), expected == kInfinity);
            if (removed) continue;
            ASSERT_EQ(labels.distance(from, to, label_scratch), expected);
            ASSERT_EQ(labels.find_path(from, to, label_scratch, by_labels), expected);
            ASSERT_EQ(nodes, by_labels) << s << " to " << t;
            ASSERT_EQ(paged.distance(s, t), expected);
            ASSERT_EQ(paged.find_path(from, to, label_scratch, by_labels), expected);
            ASSERT_EQ(nodes, by_labels) << s << " to " << t;
            ASSERT_EQ(pieced.distance(from, to, label_scratch), expected);
            ASSERT_EQ(pieced.find_path(from, to, label_scratch, by_labels), expected);
            ASSERT_EQ(nodes, by_labels) << s << " to " << t;
            if (nodes.empty()) continue;
            ASSERT_EQ(nodes.front(), s);
            ASSERT_EQ(nodes.back(), t);
            ASSERT_EQ(test::path_cost(graph, nodes), expected);
        }
    }
}

void edit_at_random(EditableGraph& graph, std::mt19937& dice) {
    const auto below = [&](std::size_t n) { return static_cast<std::uint32_t>(dice() % n); };
    if (graph.size() == 0 || below(5) == 0) {
        const std::uint32_t v = graph.add_node(dice);
        for (std::uint32_t k = below(5); k > 0; --k) {
            const std::uint32_t to = below(graph.size());
            if (graph.present(to)) graph.add_random_edge(v, to, dice);
        }
        return;
    }
    const std::uint32_t v = below(graph.size());
    if (!graph.present(v)) return;
    const std::uint32_t kind = below(4);
    if (kind == 0) return graph.remove_node(v);
    const std::uint32_t to = below(graph.size());
    if (kind == 1 && graph.present(to)) graph.add_random_edge(v, to, dice);
    if (kind < 2 || graph.arcs(v).empty()) return;
    const auto at = std::next(graph.arcs(v).begin(), below(graph.arcs(v).size()));
    const std::uint32_t other = at->first;
    graph.remove_edge(v, other);
    if (kind == 3) graph.add_random_edge(v, other, dice);
}

TEST(ClosureEdit, EqualsOneComputedAfreshForTheSameTree) {
    std::mt19937 dice(3);
    for (const auto& [name, sample] : test::all_sample_graphs()) {
        SCOPED_TRACE(name);
        if (sample.num_nodes() > 500) continue;
        EditableGraph graph(sample);
        Closure closure = Closure::build(graph.graph()).value();
        RepairedLabels labels;
        for (int step = 0; step < 30; ++step) {
            SCOPED_TRACE(step);
            for (auto edits = 1 + dice() % 6; edits > 0; --edits) edit_at_random(graph, dice);
            auto edited = graph.apply(closure);
            ASSERT_TRUE(edited.has_value()) << edited.error().message;
            closure = *edited;
            ASSERT_NO_FATAL_FAILURE(expect_closure_of(graph, closure));
            if (dice() % 3 > 0) {
                ASSERT_NO_FATAL_FAILURE(labels.repair(closure));
            }
            if (step % 5 == 0) {
                ASSERT_NO_FATAL_FAILURE(expect_answers(graph, closure, dice));
            }
        }
    }
}

/// A graph of clusters, with directions or without.
Graph clusters(std::uint32_t size, bool directed) {
    const Graph graph = test::cluster_graph(size, 1);
    return directed ? test::directed_version(graph, 1000, 9000, 1) : graph;
}

/// Tests of directed graphs and of undirected ones.
class ClosureEdits : public testing::TestWithParam<bool> {};
INSTANTIATE_TEST_SUITE_P(Graphs, ClosureEdits, testing::Bool(),
                         [](const auto& kind) { return kind.param ? "directed" : "undirected"; });

TEST_P(ClosureEdits, TakeAGraphToPiecesAndBack) {
    std::mt19937 dice(5);
    EditableGraph graph(clusters(4, GetParam()));
    const EditableGraph whole = graph;
    Closure closure = Closure::build(graph.graph()).value();
    RepairedLabels labels;
    std::vector<std::uint32_t> order(graph.size());
    for (std::uint32_t v = 0; v < order.size(); ++v) order[v] = v;
    for (int round = 0; round < 3; ++round) {
        std::shuffle(order.begin(), order.end(), dice);
        for (const std::uint32_t v : order) {
            graph.remove_node(v);
            closure = graph.apply(closure).value();
            ASSERT_NO_FATAL_FAILURE(labels.repair(closure));
        }
        EXPECT_EQ(closure.num_edges(), 0U);
        std::shuffle(order.begin(), order.end(), dice);
        for (const std::uint32_t v : order) {
            graph.restore_node(whole, v);
            closure = graph.apply(closure).value();
            ASSERT_NO_FATAL_FAILURE(expect_closure_of(graph, closure));
            ASSERT_NO_FATAL_FAILURE(labels.repair(closure));
        }
        ASSERT_NO_FATAL_FAILURE(expect_answers(graph, closure, dice));
        EXPECT_LE(closure.num_places(), 3 * graph.size());
    }
}

TEST_P(ClosureEdits, BuildAGraphFromNothing) {
    std::mt19937 dice(9);
    EditableGraph graph(GetParam() ? graph_from_arcs(0, {}).value() : Graph{});
    Closure closure;
    RepairedLabels labels;
    for (int step = 0; step < 400; ++step) {
        edit_at_random(graph, dice);
        closure = graph.apply(closure).value();
        ASSERT_NO_FATAL_FAILURE(expect_closure_of(graph, closure));
        if (closure.num_nodes() == 0) continue;
        ASSERT_NO_FATAL_FAILURE(labels.repair(closure));
    }
    ASSERT_NO_FATAL_FAILURE(expect_answers(graph, closure, dice));
}

TEST_P(ClosureEdits, WithoutAChangeGiveTheSame) {
    EditableGraph graph(clusters(4, GetParam()));
    const Closure closure = Closure::build(graph.graph()).value();
    const Closure same = graph.apply(closure).value();
    EXPECT_EQ(same.num_places(), closure.num_places());
    EXPECT_EQ(same.wear(), 1.0);
    EXPECT_NO_FATAL_FAILURE(expect_closure_of(graph, same));
}

TEST_P(ClosureEdits, SurviveBeingSaved) {
    std::mt19937 dice(4);
    EditableGraph graph(clusters(5, GetParam()));
    Closure closure = Closure::build(graph.graph()).value();
    for (int step = 0; step < 40; ++step) {
        for (int edit = 0; edit < 5; ++edit) edit_at_random(graph, dice);
        closure = graph.apply(closure).value();
        const Closure whole = closure.in_one_piece().value();
        const Closure read = Closure::from_arrays(whole.arrays(), nullptr).value();
        ASSERT_NO_FATAL_FAILURE(expect_closure_of(graph, read));
        EXPECT_EQ(whole.wear(), closure.wear());
        EXPECT_EQ(read.wear(), closure.wear());
        // The next edits must find the same tree.
        if (step % 2 == 0) closure = whole;
    }
    ASSERT_NO_FATAL_FAILURE(expect_answers(graph, closure, dice));
}

// After many edits a planner takes a closure in a fresh order, which has fewer places.
TEST_P(ClosureEdits, LeaveNoLabelsOfAnOrderBefore) {
    std::mt19937 dice(12);
    EditableGraph graph(clusters(5, GetParam()));
    Closure closure = Closure::build(graph.graph()).value();
    CutLabels labels(closure);
    for (std::uint32_t v = 0; v < graph.size(); ++v) {
        if (v % 7 != 0) graph.remove_node(v);
        closure = graph.apply(closure).value();
        labels = CutLabels(closure, labels).repaired().value();
    }
    const Graph left =
        GetParam() ? graph_from_arcs(3, {}).value() : graph_from_edges(3, {}).value();
    const Closure fresh = Closure::build(left).value();
    ASSERT_LT(fresh.num_places(), closure.num_places());
    const CutLabels with_fresh(fresh, labels);
    EditableGraph small(left);
    small.add_random_edge(0, 2, dice);
    const Closure edited = small.apply(fresh).value();
    const CutLabels repaired = CutLabels(edited, with_fresh).repaired().value();
    const CutLabels expected = CutLabels(edited).repaired().value();
    EXPECT_EQ(repaired.label_bytes(), expected.label_bytes());
    for (std::uint32_t s = 0; s < 3; ++s)
        for (std::uint32_t t = 0; t < 3; ++t)
            EXPECT_EQ(repaired.distance(s, t), expected.distance(s, t));
}

TEST(ClosureEdit, IsRefusedWhereAFreshOrderIsMuchSmaller) {
    const EditableGraph whole(test::cluster_graph(30, 1));
    const Closure small = Closure::build(graph_from_edges(1, {}).value()).value();
    EditableGraph graph(graph_from_edges(1, {}).value());
    graph.grow(whole.size());
    for (std::uint32_t v = 1; v < graph.size(); ++v) graph.restore_node(whole, v);
    graph.restore_node(whole, 0);
    const auto refused = graph.apply(small);
    ASSERT_FALSE(refused.has_value());
    EXPECT_EQ(refused.error().code, StatusCode::too_large);
}

TEST_P(ClosureEdits, CanBeRenumbered) {
    std::mt19937 dice(6);
    EditableGraph graph(clusters(5, GetParam()));
    Closure closure = Closure::build(graph.graph()).value();
    for (int edit = 0; edit < 40; ++edit) edit_at_random(graph, dice);
    closure = graph.apply(closure).value();
    std::vector<std::uint32_t> now(graph.size(), kNone);
    std::vector<std::uint32_t> before;
    for (std::uint32_t v = graph.size(); v-- > 0;) {
        if (!graph.present(v)) continue;
        now[v] = static_cast<std::uint32_t>(before.size());
        before.push_back(v);
    }
    const auto count = static_cast<std::uint32_t>(before.size());
    const Closure renumbered = closure.renumbered(now, count).value();
    EXPECT_EQ(renumbered.num_nodes(), count);
    EXPECT_EQ(renumbered.wear(), closure.wear());
    EXPECT_EQ(renumbered.num_edges(), closure.num_edges());
    Closure::Scratch scratch;
    std::vector<std::uint32_t> path;
    std::vector<std::uint32_t> expected;
    for (std::uint32_t a = 0; a < count; a += 3) {
        for (std::uint32_t b = 0; b < count; b += 2) {
            const std::vector<Connector> from{{a, 0}};
            const std::vector<Connector> to{{b, 0}};
            const std::vector<Connector> old_from{{before[a], 0}};
            const std::vector<Connector> old_to{{before[b], 0}};
            ASSERT_EQ(renumbered.find_path(from, to, scratch, path),
                      closure.find_path(old_from, old_to, scratch, expected));
            for (std::uint32_t& v : expected) v = now[v];
            ASSERT_EQ(path, expected);
        }
    }
    EXPECT_EQ(closure.renumbered(now, count - 1).error().code, StatusCode::bad_option);
    now.pop_back();
    EXPECT_EQ(closure.renumbered(now, count).error().code, StatusCode::bad_option);
}

// The graph with other random costs of the same edges.
EditableGraph with_other_costs(const EditableGraph& graph, std::mt19937& dice) {
    const auto other = [&](Cost cost) {
        return cost < kInfinity ? static_cast<Cost>(1 + dice() % 50) : kInfinity;
    };
    EditableGraph result = graph;
    for (std::uint32_t v = 0; v < graph.size(); ++v) {
        for (const auto& [to, cost] : graph.arcs(v)) {
            if (to < v) continue;
            result.remove_edge(v, to);
            const Cost there = other(cost);
            const Cost back = graph.arcs(to).at(v);
            result.add_edge(v, to, there, graph.directed() ? other(back) : there);
        }
    }
    return result;
}

// Edits and changes of costs of one graph in turn.
void change_costs(const Graph& sample, std::mt19937& dice) {
    EditableGraph graph(sample);
    Closure closure = Closure::build(sample).value();
    const Closure same = closure.with_costs(sample).value();
    ASSERT_TRUE(std::ranges::equal(same.arrays().nodes, closure.arrays().nodes));
    ASSERT_TRUE(std::ranges::equal(same.arrays().costs, closure.arrays().costs));
    ASSERT_EQ(same.arrays().fresh_nodes, 0U);
    for (int round = 0; round < 4; ++round) {
        const EditableGraph other = with_other_costs(graph, dice);
        const Closure after = closure.with_costs(other.graph()).value();
        ASSERT_EQ(after.num_nodes(), graph.size());
        if (graph.size() == 0) return;
        ASSERT_FALSE(after.in_pages());
        ASSERT_LE(after.wear(), closure.wear() * 1.0001);
        ASSERT_NO_FATAL_FAILURE(expect_closure_of(other, after));
        ASSERT_NO_FATAL_FAILURE(expect_answers(other, after, dice));
        for (int edges = 0; edges < 3; ++edges) {
            const auto a = static_cast<std::uint32_t>(dice() % graph.size());
            const auto b = static_cast<std::uint32_t>(dice() % graph.size());
            if (a != b) graph.add_random_edge(a, b, dice);
        }
        auto edited = graph.apply(closure);
        if (!edited) return;
        closure = std::move(*edited);
    }
}

TEST(ClosureCosts, AreThoseOfAClosureComputedAfreshForTheSameTree) {
    std::mt19937 dice(77);
    for (const auto& [name, graph] : test::all_sample_graphs()) {
        SCOPED_TRACE(name);
        ASSERT_NO_FATAL_FAILURE(change_costs(graph, dice));
    }
}

TEST(ClosureCosts, NeedAsManyNodes) {
    const Graph graph = test::cluster_graph(3, 1);
    const Closure closure = Closure::build(graph).value();
    const Graph other = test::cluster_graph(4, 1);
    EXPECT_EQ(closure.with_costs(other).error().code, StatusCode::bad_option);
    EXPECT_EQ(Closure().with_costs(graph).error().code, StatusCode::bad_option);
    Closure::Options options;
    options.max_steps = 1;
    EXPECT_EQ(closure.with_costs(graph, options).error().code, StatusCode::too_large);
}

TEST(ClosureEdit, RefusesOneOfAnotherKindOfGraph) {
    const std::vector<std::uint32_t> first{0};
    GraphEdit edit;
    edit.num_nodes = 100;
    edit.arcs = [](std::uint32_t, std::vector<GraphEdit::Arc>&) { return true; };
    for (const bool directed : {false, true}) {
        const Closure closure = Closure::build(clusters(2, directed)).value();
        EXPECT_EQ(closure.directed(), directed);
        edit.directed = !directed;
        EXPECT_EQ(closure.edited(edit).error().code, StatusCode::bad_option);
        edit.directed = directed;
        EXPECT_TRUE(closure.edited(edit));
        edit.changed = first;
        EXPECT_EQ(Closure().edited(edit)->directed(), directed);
        edit.changed = {};
    }
}

TEST(ClosureEdit, RefusesNodesThatDoNotExist) {
    const Closure closure = Closure::build(test::cluster_graph(2, 1)).value();
    const std::uint32_t count = closure.num_nodes();
    GraphEdit edit;
    edit.arcs = [](std::uint32_t, std::vector<GraphEdit::Arc>&) { return true; };
    const auto refused = [&](std::vector<std::uint32_t> changed, std::uint32_t nodes) {
        edit.changed = changed;
        edit.num_nodes = nodes;
        const auto result = closure.edited(edit);
        return !result && result.error().code == StatusCode::bad_option;
    };
    EXPECT_FALSE(refused({0}, count));
    EXPECT_TRUE(refused({0}, count - 1));
    EXPECT_TRUE(refused({count}, count));
    EXPECT_TRUE(refused({1, 0}, count));
    EXPECT_TRUE(refused({1, 1}, count));
    edit.arcs = [](std::uint32_t, std::vector<GraphEdit::Arc>& arcs) {
        arcs.push_back({1000, 1});
        return true;
    };
    EXPECT_TRUE(refused({0}, count));
    edit.arcs = [](std::uint32_t, std::vector<GraphEdit::Arc>& arcs) {
        arcs.push_back({1, 0});
        return true;
    };
    EXPECT_TRUE(refused({0}, count));
}

}  // namespace
}  // namespace cairn
