#include "closure_build.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <optional>

#include "closure_tree.hpp"
#include "closure_view.hpp"
#include "core/checkpoints.hpp"
#include "core/free_memory.hpp"
#include "core/guarded.hpp"
#include "core/parallel_loop.hpp"
#include "core/separator/separator_order.hpp"
#include "core/separator/separator_tree.hpp"
#include "core/threads.hpp"

namespace cairn {
namespace {

constexpr std::size_t kMaxEdges = 0xffff'0000;  // their numbers have 32 bits

/// Sets the nodes and depths of the closure. The upper neighbours of a node are those in the graph
/// and, without the node itself, those of its children in the tree. Returns the number of edges;
/// nothing if a limit is passed.
std::optional<std::size_t> find_edges(const Graph& graph, const SeparatorTree& tree,
                                      std::uint64_t max_steps, FlatClosure& closure) {
    const auto count = static_cast<std::uint32_t>(tree.node.size());
    closure.nodes.resize(count);
    const std::uint32_t height =
        count == 0 ? 0 : *std::max_element(tree.depth.begin(), tree.depth.end());
    if (height > ClosureRow::kMaxDepth) return std::nullopt;
    std::vector<std::uint64_t> upper(height / 64 + 1);  // bit set: depths of upper neighbours
    std::vector<std::uint16_t> row;                     // the same as a list
    std::size_t edges = 0;
    std::uint64_t steps = 0;
    for (std::uint32_t p = count; p-- > 0;) {
        const std::uint32_t depth = tree.depth[p];
        const auto add = [&](std::uint32_t d) { upper[d / 64] |= std::uint64_t{1} << (d % 64); };
        for (const std::uint32_t to : graph.neighbours(tree.node[p])) {
            if (tree.position[to] < p) add(tree.depth[tree.position[to]]);
        }
        for (std::uint32_t child = p + 1; child < tree.end[p]; child = tree.end[child]) {
            // The last edge of the child's row leads to its parent, p.
            const ClosureNode& below = closure.nodes[child];
            for (std::uint32_t e = 0; e + 1 < below.length; ++e)
                add(closure.depths[below.depths + e]);
        }
        ClosureNode& node = closure.nodes[p];
        row.clear();
        for (std::uint32_t word = 0; word * 64 < depth; ++word) {
            for (std::uint64_t bits = upper[word]; bits != 0; bits &= bits - 1) {
                row.push_back(static_cast<std::uint16_t>(word * 64 + std::countr_zero(bits)));
            }
            upper[word] = 0;
        }
        node.first = static_cast<std::uint32_t>(edges);
        node.depths = closure.add_depths(row);
        const std::uint64_t degree = row.size();
        edges += row.size();
        node.parent = tree.parent[p];
        node.node = tree.node[p];
        node.depth = static_cast<std::uint16_t>(depth);
        node.length = static_cast<std::uint16_t>(degree);
        steps += degree * degree / 2;
        if (steps > max_steps || edges > kMaxEdges) return std::nullopt;
    }
    closure.pad_depths();
    return edges;
}

/// A closure while it is computed. Until the end each cost has a flag: whether the edge has no
/// middle. So rows need no middles of the rows below.
struct Filling {
    static constexpr Cost kNoMiddle = kInfinity + 1;
    static_assert((kNoMiddle & kInfinity) == 0);

    const SeparatorTree& tree;
    FlatClosure& closure;

    [[nodiscard]] Cost* costs(Way way) noexcept {
        return closure.costs[closure.directed ? way : Way::up].data();
    }
    /// The index of a node's edge to the ancestor at `depth`.
    [[nodiscard]] std::size_t find(const ClosureNode& node, std::uint32_t depth) const noexcept {
        const ClosureRow row{nullptr, closure.depths.data() + node.depths, node.length};
        return std::size_t{node.first} + row.find(depth);
    }
};

/// Sets the costs of the closure edges to the least weight of a graph edge between the two nodes,
/// or to kInfinity if the graph has none.
void take_weights(const Graph& graph, std::size_t edges, Filling& filling) {
    const SeparatorTree& tree = filling.tree;
    FlatClosure& closure = filling.closure;
    for (const Way way : ways(graph.directed)) {
        closure.costs[way].assign(edges, kInfinity | Filling::kNoMiddle);
        for (std::uint32_t p = 0; p < tree.node.size(); ++p) {
            const std::uint32_t v = tree.node[p];
            const auto neighbours = graph.neighbours(v);
            const auto weights = way == Way::up ? graph.weights(v) : graph.back_weights(v);
            for (std::uint32_t i = 0; i < neighbours.size(); ++i) {
                const std::uint32_t to = tree.position[neighbours[i]];
                if (to >= p) continue;
                Cost& cost = closure.costs[way][filling.find(closure.nodes[p], tree.depth[to])];
                cost = std::min(cost, weights[i] | Filling::kNoMiddle);
            }
        }
    }
}

/// Rows of middles, packed, in the order in which they were filled. ClosureNode::middles is an
/// index into them until all rows are filled.
using PackedRows = BothWays<std::vector<std::uint8_t>>;

/// Shortens the edges of rows by paths over lower nodes, and packs their middles.
class RowFiller {
public:
    RowFiller(Filling& filling, PackedRows& packed)
        : tree_(filling.tree), filling_(filling), closure_(filling.closure), packed_(packed) {}

    /// Fills in the row of `p`. The rows of all nodes below `p` must be done.
    void fill(std::uint32_t p) {
        std::uint32_t all = 0;
        for (const Way way : ways(closure_.directed)) all |= fill(p, way);
        for (const Way way : ways(closure_.directed)) {
            closure_.nodes[p].middles =
                append_packed(middles_[way], ClosureMiddle::width(all), packed_[way]);
        }
    }

private:
    /// Sets the costs and middles_ of one way. Returns all bits of the middles.
    std::uint32_t fill(std::uint32_t p, Way way) {
        Cost* const costs = filling_.costs(way);
        const Cost* const back = filling_.costs(reverse(way));
        const std::uint32_t depth = tree_.depth[p];
        if (best_.size() < depth) best_.resize(depth);
        // An upper node is an ancestor of p, so its depth identifies it.
        const ClosureNode& node = closure_.nodes[p];
        const std::uint16_t* const depths = closure_.depths.data() + node.depths;
        for (std::uint32_t e = 0; e < node.length; ++e)
            best_[depths[e]] = {costs[node.first + e] & kInfinity, ClosureMiddle::kGraphEdge};
        for (std::uint32_t lower = p + 1; lower < tree_.end[p];) {
            const ClosureNode& below = closure_.nodes[lower];
            const std::size_t to_p = filling_.find(below, depth);
            if (to_p == std::size_t{below.first} + below.length) {
                lower = tree_.end[lower];  // no node below it has an edge to p either
                continue;
            }
            const Cost half = back[to_p] & kInfinity;
            const bool is_edge = (back[to_p] & Filling::kNoMiddle) != 0;
            if (half < kInfinity) {
                take_paths(costs + below.first, {lower, p, half, is_edge},
                           std::span(closure_.depths).subspan(below.depths, to_p - below.first));
            }
            ++lower;
        }
        std::vector<std::uint32_t>& middles = middles_[way];
        middles.clear();
        std::uint32_t all = 0;
        for (std::uint32_t e = 0; e < node.length; ++e) {
            const Edge& best = best_[depths[e]];
            const bool no_middle = best.middle == ClosureMiddle::kGraphEdge;
            costs[node.first + e] = best.cost | (no_middle ? Filling::kNoMiddle : 0);
            middles.push_back(best.middle);
            all |= best.middle;
        }
        return all;
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

    /// Tries the paths over the lower node of `half` and one of its edges, with these depths and
    /// costs. Of equals the graph's edge wins, then the node of the greatest place.
    void take_paths(const Cost* costs, const LowerHalf& half,
                    std::span<const std::uint16_t> depths) {
        for (std::size_t e = 0; e < depths.size(); ++e) {
            const Cost through = half.cost + (costs[e] & kInfinity);
            Edge& best = best_[depths[e]];
            if (through >= best.cost &&
                (through > best.cost || best.middle == ClosureMiddle::kGraphEdge)) {
                continue;
            }
            best.cost = through;
            best.middle = ClosureMiddle::pack(half.lower, half.p, half.is_edge,
                                              (costs[e] & Filling::kNoMiddle) != 0);
        }
    }

    const SeparatorTree& tree_;
    Filling& filling_;
    FlatClosure& closure_;
    PackedRows& packed_;
    std::vector<Edge> best_;                        ///< by depth of the upper node
    BothWays<std::vector<std::uint32_t>> middles_;  ///< of the row, by edge
};

/// The rows of a closure, filled share by share, with checkpoints.
class ClosureFiller {
public:
    ClosureFiller(Filling& filling, const BuildControl& control)
        : filling_(filling), control_(control), shares_(filling.tree), packed_(parts()) {}

    /// Fills all rows. `graph` is that of the closure: names of checkpoints tell it apart.
    [[nodiscard]] Status run(std::uint64_t graph) {
        CheckpointedParts parts;
        parts.count = shares_.roots.size();
        parts.name = [&](std::size_t share) {
            return fmt::format("rows-{:016x}-{}", graph, shares_.roots[share]);
        };
        parts.make = [&](std::size_t, std::size_t share) { fill(share); };
        parts.pack = [&](std::size_t share) { return pack(share); };
        parts.unpack = [&](std::size_t share, std::string_view bytes) {
            return unpack(share, bytes);
        };
        if (Status status = for_each_part(parts, control_); !status.ok()) return status;
        parts.count = 1;
        parts.name = [&](std::size_t) { return fmt::format("rows-{:016x}-above", graph); };
        parts.make = [&](std::size_t, std::size_t) { fill(above()); };
        parts.pack = [&](std::size_t) { return pack(above()); };
        parts.unpack = [&](std::size_t, std::string_view bytes) { return unpack(above(), bytes); };
        if (Status status = for_each_part(parts, control_); !status.ok()) return status;
        collect();
        return {};
    }

private:
    /// The shares, and behind them the nodes above.
    [[nodiscard]] std::size_t parts() const noexcept { return shares_.roots.size() + 1; }
    [[nodiscard]] std::size_t above() const noexcept { return shares_.roots.size(); }

    /// Calls use(p) for the positions of a part, ascending.
    template <class Use>
    void for_each_position(std::size_t part, Use&& use) const {
        if (part == above()) {
            for (const std::uint32_t p : shares_.above) use(p);
        } else {
            const std::uint32_t root = shares_.roots[part];
            for (std::uint32_t p = root; p < filling_.tree.end[root]; ++p) use(p);
        }
    }
    [[nodiscard]] ClosureNode& node(std::uint32_t p) const { return filling_.closure.nodes[p]; }

    void fill(std::size_t part) {
        RowFiller filler(filling_, packed_[part]);
        if (part == above()) {
            for (std::size_t i = shares_.above.size(); i-- > 0 && !control_.cancelled();)
                filler.fill(shares_.above[i]);
        } else {
            const std::uint32_t root = shares_.roots[part];
            for (std::uint32_t p = filling_.tree.end[root]; p-- > root && !control_.cancelled();)
                filler.fill(p);
        }
    }

    [[nodiscard]] std::string pack(std::size_t part) {
        CheckpointWriter out;
        std::vector<std::uint32_t> middles;
        for_each_position(part, [&](std::uint32_t p) { middles.push_back(node(p).middles); });
        out.add<std::uint32_t>(middles);
        for (const Way way : ways(filling_.closure.directed)) {
            std::vector<Cost> costs;
            for_each_position(part, [&](std::uint32_t p) {
                const Cost* const row = filling_.costs(way) + node(p).first;
                costs.insert(costs.end(), row, row + node(p).length);
            });
            out.add<Cost>(costs);
            out.add<std::uint8_t>(packed_[part][way]);
        }
        return out.take();
    }
    [[nodiscard]] bool unpack(std::size_t part, std::string_view bytes) {
        CheckpointReader in(bytes);
        std::vector<std::uint32_t> middles;
        BothWays<std::vector<Cost>> costs;
        PackedRows packed;
        if (!in.take(middles)) return false;
        for (const Way way : ways(filling_.closure.directed))
            if (!in.take(costs[way]) || !in.take(packed[way])) return false;
        if (!in.at_end() || !fit(part, middles, costs, packed)) return false;
        auto next = middles.cbegin();
        for_each_position(part, [&](std::uint32_t p) { node(p).middles = *next++; });
        for (const Way way : ways(filling_.closure.directed)) {
            const Cost* from = costs[way].data();
            for_each_position(part, [&](std::uint32_t p) {
                std::copy_n(from, node(p).length, filling_.costs(way) + node(p).first);
                from += node(p).length;
            });
        }
        packed_[part] = std::move(packed);
        return true;
    }
    /// Whether the arrays of a checkpoint have the sizes of the part's rows.
    [[nodiscard]] bool fit(std::size_t part, std::span<const std::uint32_t> middles,
                           const BothWays<std::vector<Cost>>& costs,
                           const PackedRows& packed) const {
        std::size_t rows = 0;
        std::size_t edges = 0;
        bool inside = true;
        for_each_position(part, [&](std::uint32_t p) {
            const std::size_t row = rows++;
            edges += node(p).length;
            if (row >= middles.size()) return;
            const std::size_t begin = std::size_t{middles[row] >> 2} * 4;
            const std::uint32_t width = middles[row] & 3;
            const std::size_t end = begin + (std::size_t{node(p).length} << width);
            for (const Way way : ways(filling_.closure.directed))
                inside = inside && width <= 2 && end <= packed[way].size();
        });
        for (const Way way : ways(filling_.closure.directed))
            inside = inside && costs[way].size() == edges;
        return inside && rows == middles.size();
    }

    /// Joins the packed rows in the order of positions, and takes the flags from the costs.
    void collect() {
        FlatClosure& closure = filling_.closure;
        const std::span<const ClosureNode> nodes = closure.nodes;
        for (const Way way : ways(closure.directed)) {
            std::size_t size = 0;
            for (const PackedRows& rows : packed_) size += rows[way].size();
            closure.middles[way].reserve(size + ClosureArrays::kPadding);
            for (Cost& cost : closure.costs[way]) cost &= kInfinity;
        }
        std::size_t share = 0;
        for (std::uint32_t p = 0; p < nodes.size(); ++p) {
            while (share < above() && p >= filling_.tree.end[shares_.roots[share]])
                packed_[share++] = {};
            const bool in_share = share < above() && p >= shares_.roots[share];
            const PackedRows& rows = packed_[in_share ? share : above()];
            ClosureNode& own = closure.nodes[p];
            const std::uint32_t width = own.middles & 3;
            const std::size_t begin = std::size_t{own.middles >> 2} * 4;
            own.middles = static_cast<std::uint32_t>(closure.middles.up.size() / 4) << 2 | width;
            for (const Way way : ways(closure.directed)) {
                append_bytes(std::span(rows[way]).subspan(begin, std::size_t{own.length} << width),
                             closure.middles[way]);
            }
        }
        packed_.clear();
        closure.pad_middles();
    }

    Filling& filling_;
    const BuildControl& control_;
    const Shares shares_;
    std::vector<PackedRows> packed_;  ///< by part
};

/// A hash of a graph and the order of its nodes, for names of checkpoints.
std::uint64_t hash_of(const Graph& graph, std::span<const std::uint32_t> order) {
    return CheckpointHash()
        .add<std::uint32_t>(graph.first_out)
        .add<std::uint32_t>(graph.head)
        .add<Cost>(graph.weight)
        .add<Cost>(graph.back)
        .add(order)
        .value();
}

/// A graph that the builder may free when it needs it no longer, if it is its own.
struct BorrowedGraph {
    const Graph& graph;
    Graph* own = nullptr;  ///< null, or the graph

    void free() const {
        if (own != nullptr) *own = {};
    }
};

/// The closure of a graph, which is freed. Errors: too_large (more than `max_steps`, or a node is
/// too deep); those of for_each_part.
Result<FlatClosure> find_closure(const BorrowedGraph& borrowed, const SeparatorTree& tree,
                                 std::uint64_t max_steps, const BuildControl& control) {
    const Graph& graph = borrowed.graph;
    FlatClosure closure;
    closure.places = tree.position;
    closure.directed = graph.directed;
    const std::optional<std::size_t> edges = find_edges(graph, tree, max_steps, closure);
    if (!edges) {
        return fail(StatusCode::too_large,
                    fmt::format("the graph has no small separators: closing it takes more than {} "
                                "steps",
                                max_steps));
    }
    Filling filling{tree, closure};
    take_weights(graph, *edges, filling);
    const std::uint64_t hash = keeps_checkpoints(control) ? hash_of(graph, tree.node) : 0;
    borrowed.free();
    if (Status status = ClosureFiller(filling, control).run(hash); !status.ok())
        return tl::unexpected(std::move(status));
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
Result<std::shared_ptr<const FlatClosure>> build_in(const BorrowedGraph& borrowed,
                                                    std::span<const std::uint32_t> order,
                                                    const ClosureOptions& options,
                                                    const BuildControl& control) {
    const SeparatorTree tree = separator_tree(borrowed.graph, order);
    const std::uint64_t max_steps =
        options.max_steps > 0
            ? options.max_steps
            : std::max<std::uint64_t>(10'000'000'000,
                                      std::uint64_t{10'000} * borrowed.graph.num_nodes());
    auto closure = find_closure(borrowed, tree, max_steps, control);
    if (control.cancelled()) return fail(StatusCode::cancelled);
    if (!closure) return tl::unexpected(std::move(closure.error()));
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

namespace {

/// The closure of a graph in a fresh order.
Result<Closure> build_freshly(const BorrowedGraph& borrowed, const ClosureOptions& options,
                              const BuildControl& control) {
    if (Status status = check(borrowed.graph, options, control); !status.ok())
        return tl::unexpected(std::move(status));
    constexpr double kOrderShare = 0.75;  // of the time
    const auto order = separator_order(borrowed.graph, {options.points, options.recuts},
                                       part_of(control, 0, kOrderShare));
    if (!order) return tl::unexpected(order.error());
    return_free_memory(borrowed.graph.num_nodes());
    return build_in(borrowed, *order, options, part_of(control, kOrderShare, 1))
        .map(in_fresh_order);
}

}  // namespace

Result<Closure> Closure::build(const Graph& graph, const Options& options,
                               const BuildControl& control) noexcept try {
    return build_freshly({graph}, options, control);
} catch (...) {
    return out_of_memory();
}

Result<Closure> Closure::build(Graph&& graph, const Options& options,
                               const BuildControl& control) noexcept try {
    return build_freshly({graph, &graph}, options, control);
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
    return build_in({graph}, order, options, control).map(in_fresh_order);
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
    const auto built = build_in({graph}, order_of(*storage_), options, control);
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
