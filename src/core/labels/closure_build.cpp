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
    depths.resize(depths.size() + ClosureArrays::kPadding);
    return true;
}

/// A closure while it is computed. Middles are unpacked to a word each.
struct Filling {
    const SeparatorTree& tree;
    FlatClosure& closure;
    std::vector<std::uint32_t> middles;  ///< by edge

    [[nodiscard]] ClosureRow row(const ClosureNode& node) const noexcept {
        return {closure.costs.data() + node.first, closure.depths.data() + node.first, node.length};
    }
};

/// Sets the costs of the closure edges to the least weight of a graph edge between the two nodes,
/// or to kInfinity if the graph has none.
void take_weights(const Graph& graph, Filling& filling) {
    const SeparatorTree& tree = filling.tree;
    FlatClosure& closure = filling.closure;
    const std::size_t edges = closure.depths.size() - ClosureArrays::kPadding;
    closure.costs.assign(edges, kInfinity);
    filling.middles.assign(edges, ClosureMiddle::kGraphEdge);
    for (std::uint32_t p = 0; p < tree.node.size(); ++p) {
        const auto neighbours = graph.neighbours(tree.node[p]);
        const auto weights = graph.weights(tree.node[p]);
        for (std::uint32_t i = 0; i < neighbours.size(); ++i) {
            const std::uint32_t to = tree.position[neighbours[i]];
            if (to >= p) continue;
            const ClosureNode& node = closure.nodes[p];
            Cost& cost = closure.costs[node.first + filling.row(node).find(tree.depth[to])];
            cost = std::min(cost, weights[i]);
        }
    }
}

/// Shortens the edges of rows by paths over lower nodes.
class RowFiller {
public:
    explicit RowFiller(Filling& filling)
        : tree_(filling.tree),
          filling_(filling),
          closure_(filling.closure),
          middles_(filling.middles) {}

    /// Fills in the row of `p`. The rows of all nodes below `p` must be done.
    void fill(std::uint32_t p) {
        const std::uint32_t depth = tree_.depth[p];
        if (best_.size() < depth) best_.resize(depth);
        // An upper node is an ancestor of p, so its depth identifies it.
        const ClosureNode& node = closure_.nodes[p];
        for (std::size_t e = node.first; e < std::size_t{node.first} + node.length; ++e) {
            best_[closure_.depths[e]] = {closure_.costs[e], middles_[e]};
        }
        for (std::uint32_t lower = p + 1; lower < tree_.end[p];) {
            const ClosureNode& below = closure_.nodes[lower];
            const std::uint32_t to_p = filling_.row(below).find(depth);
            if (to_p == below.length) {  // then no node below it has an edge to p either
                lower = tree_.end[lower];
                continue;
            }
            take_paths_over(lower, p, below.first, std::size_t{below.first} + to_p);
            ++lower;
        }
        for (std::size_t e = node.first; e < std::size_t{node.first} + node.length; ++e) {
            const Edge& best = best_[closure_.depths[e]];
            closure_.costs[e] = best.cost;
            middles_[e] = best.middle;
        }
    }

private:
    struct Edge {
        Cost cost;
        std::uint32_t middle;
    };

    /// Tries the paths from p down to `lower` and up by its edges from `first` to before `to_p`,
    /// which is its edge to p. Of equals the graph's edge wins, then the node of the greatest
    /// place.
    void take_paths_over(std::uint32_t lower, std::uint32_t p, std::size_t first,
                         std::size_t to_p) {
        const Cost to_lower = closure_.costs[to_p];
        if (to_lower >= kInfinity) return;
        const bool first_is_edge = middles_[to_p] == ClosureMiddle::kGraphEdge;
        for (std::size_t e = first; e < to_p; ++e) {
            const Cost through = to_lower + closure_.costs[e];
            Edge& best = best_[closure_.depths[e]];
            if (through >= best.cost &&
                (through > best.cost || best.middle == ClosureMiddle::kGraphEdge)) {
                continue;
            }
            best.cost = through;
            best.middle = ClosureMiddle::pack(lower, p, first_is_edge,
                                              middles_[e] == ClosureMiddle::kGraphEdge);
        }
    }

    const SeparatorTree& tree_;
    const Filling& filling_;
    FlatClosure& closure_;
    std::vector<std::uint32_t>& middles_;
    std::vector<Edge> best_;  ///< by depth of the upper node
};

/// Stores the middles of each row in as few bytes as its greatest needs.
void pack_middles(Filling& filling) {
    FlatClosure& closure = filling.closure;
    std::vector<std::uint8_t>& out = closure.middles;
    for (ClosureNode& node : closure.nodes) {
        const auto row = std::span(filling.middles).subspan(node.first, node.length);
        std::uint32_t all = 0;
        for (const std::uint32_t middle : row) all |= middle;
        node.middles = append_packed(node.length, ClosureMiddle::width(all), out,
                                     [&](std::uint32_t e) { return row[e]; });
    }
    out.resize(out.size() + ClosureArrays::kPadding);
}

/// std::nullopt if it is cancelled or takes more than `max_steps`, or if a node is too deep.
std::optional<FlatClosure> find_closure(const Graph& graph, const SeparatorTree& tree,
                                        std::uint64_t max_steps, const BuildControl& control) {
    FlatClosure closure;
    closure.places = tree.position;
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

Result<Closure> build_in(const Graph& graph, std::span<const std::uint32_t> order,
                         const ClosureOptions& options, const BuildControl& control) {
    const SeparatorTree tree = separator_tree(graph, order);
    auto closure = find_closure(graph, tree, options.max_steps, control);
    if (control.cancelled()) return fail(StatusCode::cancelled);
    if (!closure) {
        return fail(StatusCode::too_large,
                    fmt::format("the graph has no small separators: closing it takes more than {} "
                                "steps",
                                options.max_steps));
    }
    if (control.progress) control.progress(1.0);
    const auto owner = std::make_shared<const FlatClosure>(std::move(*closure));
    return Closure(storage_of(owner->arrays(), owner));
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

void set_order(Closure::Storage& storage, std::vector<std::uint32_t> positions,
               std::vector<std::uint32_t> ranks) {
    storage.positions = unless_identity(std::move(positions));
    storage.ranks = unless_identity(std::move(ranks));
}

std::shared_ptr<const Closure::Storage> storage_of(const ClosureArrays& arrays,
                                                   const std::shared_ptr<const void>& owner) {
    const auto storage = std::make_shared<Closure::Storage>();
    storage->arrays = arrays;
    storage->arrays_owner = owner;
    storage->num_places = static_cast<std::uint32_t>(arrays.nodes.size());
    storage->places = PagedArray<std::uint32_t>(arrays.places);
    for (std::size_t first = 0; first < arrays.nodes.size(); first += ClosurePage::kPlaces) {
        storage->pages.push_back({arrays.nodes.data() + first, arrays.costs.data(),
                                  arrays.depths.data(), arrays.middles.data()});
    }
    storage->owners.assign(storage->pages.size(), owner);
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

Result<Closure> Closure::build(const Graph& graph, const Options& options,
                               const BuildControl& control) noexcept try {
    if (Status status = check(graph, options, control); !status.ok())
        return tl::unexpected(std::move(status));
    constexpr double kOrderShare = 0.75;  // of the time
    const std::vector<std::uint32_t> order =
        separator_order(graph, {options.points, options.recuts}, part_of(control, 0, kOrderShare));
    if (control.cancelled()) return fail(StatusCode::cancelled);
    return build_in(graph, order, options, part_of(control, kOrderShare, 1));
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
    return build_in(graph, order, options, control);
} catch (...) {
    return out_of_memory();
}

}  // namespace cairn
