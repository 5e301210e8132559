#include "closure_build.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <optional>

#include "closure_tree.hpp"
#include "closure_view.hpp"
#include "core/guarded.hpp"
#include "core/parallel_loop.hpp"
#include "core/separator/separator_order.hpp"
#include "core/separator/separator_tree.hpp"
#include "core/threads.hpp"

namespace cairn {
namespace {

constexpr std::size_t kMaxEdges = 0xffff'0000;  // their numbers have 32 bits

/// Sets the nodes and depths of the closure. The upper neighbours of a node are those in the graph
/// and, without the node itself, those of its children in the tree. False if a limit is passed.
bool find_edges(const Graph& graph, const SeparatorTree& tree, std::uint64_t max_steps,
                FlatClosure& closure) {
    const auto count = static_cast<std::uint32_t>(tree.node.size());
    closure.nodes.resize(count);
    std::vector<std::uint16_t>& depths = closure.depths;
    const std::uint32_t height =
        count == 0 ? 0 : *std::max_element(tree.depth.begin(), tree.depth.end());
    if (height > ClosureRow::kMaxDepth) return false;
    std::vector<std::uint64_t> row(height / 64 + 1);  // bit set: depths of upper neighbours
    std::uint64_t steps = 0;
    for (std::uint32_t p = count; p-- > 0;) {
        const std::uint32_t depth = tree.depth[p];
        const auto add = [&](std::uint32_t d) { row[d / 64] |= std::uint64_t{1} << (d % 64); };
        for (const std::uint32_t to : graph.neighbours(tree.node[p])) {
            if (tree.position[to] < p) add(tree.depth[tree.position[to]]);
        }
        for (std::uint32_t child = p + 1; child < tree.end[p]; child = tree.end[child]) {
            // The last edge of the child's row leads to its parent, p.
            const ClosureNode& below = closure.nodes[child];
            for (std::uint32_t e = 0; e + 1 < below.length; ++e) add(depths[below.first + e]);
        }
        ClosureNode& node = closure.nodes[p];
        node.first = static_cast<std::uint32_t>(depths.size());
        for (std::uint32_t word = 0; word * 64 < depth; ++word) {
            for (std::uint64_t bits = row[word]; bits != 0; bits &= bits - 1) {
                depths.push_back(static_cast<std::uint16_t>(word * 64 + std::countr_zero(bits)));
            }
            row[word] = 0;
        }
        const std::uint64_t degree = depths.size() - node.first;
        node.parent = tree.parent[p];
        node.node = tree.node[p];
        node.depth = static_cast<std::uint16_t>(depth);
        node.length = static_cast<std::uint16_t>(degree);
        steps += degree * degree / 2;
        if (steps > max_steps || depths.size() > kMaxEdges) return false;
    }
    closure.pad_depths();
    return true;
}

/// A closure while it is computed. Middles are unpacked to a word each.
struct Filling {
    const SeparatorTree& tree;
    FlatClosure& closure;
    BothWays<std::vector<std::uint32_t>> middles;  ///< by edge

    /// The costs and middles of one way, by edge.
    struct Edges {
        Cost* costs;
        std::uint32_t* middles;
    };
    [[nodiscard]] Edges edges(Way way) noexcept {
        const Way kept = closure.directed ? way : Way::up;
        return {closure.costs[kept].data(), middles[kept].data()};
    }
    /// The index of a node's edge to the ancestor at `depth`.
    [[nodiscard]] std::size_t find(const ClosureNode& node, std::uint32_t depth) const noexcept {
        const ClosureRow row{nullptr, closure.depths.data() + node.first, node.length};
        return std::size_t{node.first} + row.find(depth);
    }
};

/// Sets the costs of the closure edges to the least weight of a graph edge between the two nodes,
/// or to kInfinity if the graph has none.
void take_weights(const Graph& graph, Filling& filling) {
    const SeparatorTree& tree = filling.tree;
    FlatClosure& closure = filling.closure;
    const std::size_t edges = closure.depths.size() - ClosureArrays::kPadding;
    for (const Way way : ways(graph.directed)) {
        closure.costs[way].assign(edges, kInfinity);
        filling.middles[way].assign(edges, ClosureMiddle::kGraphEdge);
        for (std::uint32_t p = 0; p < tree.node.size(); ++p) {
            const std::uint32_t v = tree.node[p];
            const auto neighbours = graph.neighbours(v);
            const auto weights = way == Way::up ? graph.weights(v) : graph.back_weights(v);
            for (std::uint32_t i = 0; i < neighbours.size(); ++i) {
                const std::uint32_t to = tree.position[neighbours[i]];
                if (to >= p) continue;
                Cost& cost = closure.costs[way][filling.find(closure.nodes[p], tree.depth[to])];
                cost = std::min(cost, weights[i]);
            }
        }
    }
}

/// Shortens the edges of rows by paths over lower nodes.
class RowFiller {
public:
    explicit RowFiller(Filling& filling)
        : tree_(filling.tree), filling_(filling), closure_(filling.closure) {}

    /// Fills in the row of `p`. The rows of all nodes below `p` must be done.
    void fill(std::uint32_t p) {
        for (const Way way : ways(closure_.directed)) fill(p, way);
    }

private:
    using Edges = Filling::Edges;

    void fill(std::uint32_t p, Way way) {
        const Edges edges = filling_.edges(way);
        const Edges back = filling_.edges(reverse(way));
        const std::uint32_t depth = tree_.depth[p];
        if (best_.size() < depth) best_.resize(depth);
        // An upper node is an ancestor of p, so its depth identifies it.
        const ClosureNode& node = closure_.nodes[p];
        for (std::size_t e = node.first; e < std::size_t{node.first} + node.length; ++e) {
            best_[closure_.depths[e]] = {edges.costs[e], edges.middles[e]};
        }
        for (std::uint32_t lower = p + 1; lower < tree_.end[p];) {
            const ClosureNode& below = closure_.nodes[lower];
            const std::size_t to_p = filling_.find(below, depth);
            if (to_p == std::size_t{below.first} + below.length) {
                lower = tree_.end[lower];  // no node below it has an edge to p either
                continue;
            }
            const bool is_edge = back.middles[to_p] == ClosureMiddle::kGraphEdge;
            if (back.costs[to_p] < kInfinity)
                take_paths(edges, {lower, p, back.costs[to_p], is_edge}, below.first, to_p);
            ++lower;
        }
        for (std::size_t e = node.first; e < std::size_t{node.first} + node.length; ++e) {
            const Edge& best = best_[closure_.depths[e]];
            edges.costs[e] = best.cost;
            edges.middles[e] = best.middle;
        }
    }

    struct Edge {
        Cost cost;
        std::uint32_t middle;
    };
    /// The half of a path between p and a node below.
    struct LowerHalf {
        std::uint32_t lower;
        std::uint32_t p;
        Cost cost;
        bool is_edge;  ///< of the graph
    };

    /// Tries the paths over the lower node of `half` and one of its edges, from `first` to before
    /// `end`. Of equals the graph's edge wins, then the node of the greatest place.
    void take_paths(const Edges& edges, const LowerHalf& half, std::size_t first, std::size_t end) {
        for (std::size_t e = first; e < end; ++e) {
            const Cost through = half.cost + edges.costs[e];
            Edge& best = best_[closure_.depths[e]];
            if (through >= best.cost &&
                (through > best.cost || best.middle == ClosureMiddle::kGraphEdge)) {
                continue;
            }
            best.cost = through;
            best.middle = ClosureMiddle::pack(half.lower, half.p, half.is_edge,
                                              edges.middles[e] == ClosureMiddle::kGraphEdge);
        }
    }

    const SeparatorTree& tree_;
    Filling& filling_;
    FlatClosure& closure_;
    std::vector<Edge> best_;  ///< by depth of the upper node
};

/// Stores the middles of each row in as few bytes as its greatest needs.
void pack_middles(Filling& filling) {
    FlatClosure& closure = filling.closure;
    for (ClosureNode& node : closure.nodes) {
        const auto row = [&](Way way) {
            return std::span(filling.middles[way]).subspan(node.first, node.length);
        };
        std::uint32_t all = 0;
        for (const Way way : ways(closure.directed))
            for (const std::uint32_t middle : row(way)) all |= middle;
        for (const Way way : ways(closure.directed))
            node.middles = append_packed(row(way), ClosureMiddle::width(all), closure.middles[way]);
    }
}

/// std::nullopt if it is cancelled or takes more than `max_steps`, or if a node is too deep.
std::optional<FlatClosure> find_closure(const Graph& graph, const SeparatorTree& tree,
                                        std::uint64_t max_steps, const BuildControl& control) {
    FlatClosure closure;
    closure.places = tree.position;
    closure.directed = graph.directed;
    if (!find_edges(graph, tree, max_steps, closure)) return std::nullopt;
    Filling filling{tree, closure, {}};
    take_weights(graph, filling);
    const Shares shares(tree);
    shares.run(control, [&](std::uint32_t root) {
        RowFiller filler(filling);
        for (std::uint32_t p = tree.end[root]; p-- > root;) {
            if (control.cancelled()) return;
            filler.fill(p);
        }
    });
    RowFiller filler(filling);
    for (std::size_t i = shares.above.size(); i-- > 0;) {
        if (control.cancelled()) return std::nullopt;
        filler.fill(shares.above[i]);
    }
    if (control.cancelled()) return std::nullopt;
    pack_middles(filling);
    closure.pad_middles();
    return closure;
}

Status check(const Graph& graph, const ClosureOptions& options, const BuildControl& control) {
    if (Status s = check_threads(control); !s.ok()) return s;
    if (options.recuts < 0 || options.recuts > ClosureOptions::kMostRecuts) {
        return {StatusCode::bad_option,
                fmt::format("closure: recuts must be 0 to {}", ClosureOptions::kMostRecuts)};
    }
    if (!options.points.empty() && options.points.size() != graph.num_nodes()) {
        return {StatusCode::bad_option,
                "closure: there must be a point for each node of the graph, or none"};
    }
    if (graph.num_nodes() > kMaxGraphNodes || graph.num_arcs() > kMaxGraphArcs)
        return {StatusCode::too_large, "closure: the graph passes 2^31 - 2 nodes or arcs"};
    return {};
}

/// Whether `order` holds each number below `count` once.
bool is_permutation(std::span<const std::uint32_t> order, std::uint32_t count) {
    if (order.size() != count) return false;
    std::vector<bool> seen(count, false);
    for (const std::uint32_t v : order) {
        if (v >= count || seen[v]) return false;
        seen[v] = true;
    }
    return true;
}

/// The nodes of a closure in its order, topmost first; those without a place come last.
std::vector<std::uint32_t> order_of(const Closure::Storage& storage) {
    const ClosureView view(storage);
    std::vector<std::uint32_t> order;
    order.reserve(storage.places.size());
    for (const std::uint32_t place : place_tree(view).node) {
        if (view.node(place).node != ClosureNode::kNone) order.push_back(view.node(place).node);
    }
    for (std::uint32_t v = 0; v < storage.places.size(); ++v)
        if (storage.places[v] == ClosureNode::kNone) order.push_back(v);
    return order;
}

/// The memory of the closure of a graph in a given order.
Result<std::shared_ptr<const FlatClosure>> build_in(const Graph& graph,
                                                    std::span<const std::uint32_t> order,
                                                    const ClosureOptions& options,
                                                    const BuildControl& control) {
    const SeparatorTree tree = separator_tree(graph, order);
    const std::uint64_t max_steps =
        options.max_steps > 0
            ? options.max_steps
            : std::max<std::uint64_t>(10'000'000'000, std::uint64_t{10'000} * graph.num_nodes());
    auto closure = find_closure(graph, tree, max_steps, control);
    if (control.cancelled()) return fail(StatusCode::cancelled);
    if (!closure) {
        return fail(StatusCode::too_large,
                    fmt::format("the graph has no small separators: closing it takes more than {} "
                                "steps",
                                max_steps));
    }
    if (control.progress) control.progress(1.0);
    return std::make_shared<const FlatClosure>(std::move(*closure));
}

Closure in_fresh_order(const std::shared_ptr<const FlatClosure>& closure) {
    return Closure(storage_of(closure->arrays(), closure));
}

}  // namespace

namespace {

/// Null if each place has its own number.
std::shared_ptr<const std::vector<std::uint32_t>> unless_identity(
    std::vector<std::uint32_t> numbers) {
    std::uint32_t place = 0;
    for (const std::uint32_t number : numbers) {
        if (number != place++) {
            return std::make_shared<const std::vector<std::uint32_t>>(std::move(numbers));
        }
    }
    return nullptr;
}

}  // namespace

BothWays<ClosureCosts> FlatClosure::rows() const noexcept {
    const ClosureCosts up{costs.up.data(), middles.up.data()};
    return {up, directed ? ClosureCosts{costs.down.data(), middles.down.data()} : up};
}

void set_order(Closure::Storage& storage, std::vector<std::uint32_t> positions,
               std::vector<std::uint32_t> ranks) {
    storage.positions = unless_identity(std::move(positions));
    storage.ranks = unless_identity(std::move(ranks));
}

namespace {

/// The pages of a closure over these arrays. O(places / 32).
std::shared_ptr<Closure::Storage> pages_of(const ClosureArrays& arrays,
                                           const std::shared_ptr<const void>& owner) {
    auto storage = std::make_shared<Closure::Storage>();
    storage->arrays = arrays;
    storage->arrays_owner = owner;
    storage->num_places = static_cast<std::uint32_t>(arrays.nodes.size());
    storage->places = PagedArray<std::uint32_t>::in_place(arrays.places, owner);
    storage->directed = arrays.directed;
    storage->pages.reserve(arrays.nodes.size() / ClosurePage::kPlaces + 1);
    const ClosureCosts up{arrays.costs.data(), arrays.middles.data()};
    const ClosureCosts down =
        arrays.directed ? ClosureCosts{arrays.down_costs.data(), arrays.down_middles.data()} : up;
    for (std::size_t first = 0; first < arrays.nodes.size(); first += ClosurePage::kPlaces) {
        storage->pages.push_back({arrays.nodes.data() + first, arrays.depths.data(), {up, down}});
    }
    storage->owners.assign(storage->pages.size(), owner);
    return storage;
}

}  // namespace

std::shared_ptr<const Closure::Storage> storage_of(const ClosureArrays& arrays,
                                                   const std::shared_ptr<const void>& owner) {
    const auto storage = pages_of(arrays, owner);
    for (const ClosureNode& node : arrays.nodes) {
        if (node.node == ClosureNode::kNone) continue;
        storage->ancestors += node.depth + 1U;
        ++storage->present;
    }
    const bool is_fresh = arrays.fresh_nodes == 0;
    storage->fresh_present = is_fresh ? storage->present : arrays.fresh_nodes;
    storage->fresh_ancestors = is_fresh ? storage->ancestors : arrays.fresh_ancestors;
    const SeparatorTree tree = place_tree(ClosureView(*storage));
    for (std::uint32_t p = 0; p < storage->num_places; ++p) {
        const bool is_root = arrays.nodes[p].parent == ClosureNode::kNone;
        const std::uint32_t position = tree.position[p];
        if (arrays.nodes[p].node == ClosureNode::kNone && is_root &&
            tree.end[position] == position + 1)
            storage->free_places.push_back(p);
    }
    set_order(*storage, tree.position, {arrays.ranks.begin(), arrays.ranks.end()});
    return storage;
}

std::optional<Closure::FreshOrder> Closure::fresh_order() const noexcept {
    if (storage_ == nullptr || in_pages() || storage_->positions || storage_->ranks ||
        !storage_->free_places.empty() || storage_->fresh_present != storage_->present ||
        storage_->fresh_ancestors != storage_->ancestors)
        return std::nullopt;
    return FreshOrder{storage_->present, storage_->ancestors};
}

Result<Closure> Closure::in_place(const ClosureArrays& arrays, const FreshOrder& order,
                                  const std::shared_ptr<const void>& owner) noexcept try {
    const auto storage = pages_of(arrays, owner);
    storage->present = storage->fresh_present = order.nodes;
    storage->ancestors = storage->fresh_ancestors = order.ancestors;
    return Closure(storage);
} catch (...) {
    return out_of_memory();
}

Result<Closure> Closure::build(const Graph& graph, const Options& options,
                               const BuildControl& control) noexcept try {
    if (Status status = check(graph, options, control); !status.ok())
        return tl::unexpected(std::move(status));
    constexpr double kOrderShare = 0.75;  // of the time
    const std::vector<std::uint32_t> order =
        separator_order(graph, {options.points, options.recuts}, part_of(control, 0, kOrderShare));
    if (control.cancelled()) return fail(StatusCode::cancelled);
    return build_in(graph, order, options, part_of(control, kOrderShare, 1)).map(in_fresh_order);
} catch (...) {
    return out_of_memory();
}

Result<Closure> Closure::build_in_order(const Graph& graph, std::span<const std::uint32_t> order,
                                        const Options& options,
                                        const BuildControl& control) noexcept try {
    if (Status status = check(graph, options, control); !status.ok())
        return tl::unexpected(std::move(status));
    if (!is_permutation(order, graph.num_nodes())) {
        return fail(StatusCode::bad_option,
                    "closure: the order must hold each node of the graph once");
    }
    return build_in(graph, order, options, control).map(in_fresh_order);
} catch (...) {
    return out_of_memory();
}

Result<Closure> Closure::with_costs(const Graph& graph, const Options& options,
                                    const BuildControl& control) const noexcept try {
    if (Status status = check(graph, options, control); !status.ok())
        return tl::unexpected(std::move(status));
    if (graph.num_nodes() != num_nodes()) {
        return fail(StatusCode::bad_option,
                    "closure: the graph must have as many nodes as that of the closure");
    }
    if (storage_ == nullptr) return *this;
    const auto built = build_in(graph, order_of(*storage_), options, control);
    if (!built) return tl::unexpected(built.error());
    Closure closure = in_fresh_order(*built);
    const Storage& fresh = *closure.storage_;
    if (fresh.fresh_present == storage_->fresh_present &&
        fresh.fresh_ancestors == storage_->fresh_ancestors)
        return closure;
    ClosureArrays arrays = (*built)->arrays();
    arrays.fresh_nodes = storage_->fresh_present;
    arrays.fresh_ancestors = storage_->fresh_ancestors;
    return Closure(storage_of(arrays, *built));
} catch (...) {
    return out_of_memory();
}

}  // namespace cairn
