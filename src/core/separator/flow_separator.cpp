// Separators by maximum flows, for builds without METIS; and count_hops, which others use, too.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "vertex_separator.hpp"

namespace cairn {
namespace {

using Node = std::int32_t;

/// A node or state as an index.
[[nodiscard]] std::size_t at(Node v) noexcept { return static_cast<std::size_t>(v); }

[[nodiscard]] std::span<const Node> neighbours(const Piece& piece, Node v) noexcept {
    return piece.neighbours(at(v));
}

/// The largest number whose square is at most x. Exact: the loops correct the rounded root.
[[nodiscard]] std::uint64_t integer_root(std::uint64_t x) noexcept {
    auto root = static_cast<std::uint64_t>(std::sqrt(static_cast<double>(x)));
    while (root * root > x) --root;
    while ((root + 1) * (root + 1) <= x) ++root;
    return root;
}

/// The estimated label entries, in 256ths: each node of the piece has one for each node of the
/// separator, and each node of a side of n nodes has 2 sqrt(n) for later separators.
class Price {
public:
    [[nodiscard]] static std::uint64_t of(const SideCounts& counts) noexcept {
        return kUnit * counts[2] * (counts[0] + counts[1] + counts[2]) + within_side(counts[0]) +
               within_side(counts[1]);
    }
    /// The least price of a separator of `size` nodes in a piece of `all` nodes.
    [[nodiscard]] static std::uint64_t least(std::size_t size, std::size_t all) noexcept {
        return kUnit * size * all + 2 * within_side((all - size) / 2);
    }

private:
    static constexpr std::uint64_t kUnit = 256;
    [[nodiscard]] static std::uint64_t within_side(std::size_t nodes) noexcept {
        return 2 * nodes * integer_root(kUnit * kUnit * nodes);
    }
};

/// A maximum set of vertex-disjoint paths from source nodes to sink nodes, and so a minimum vertex
/// cut (Menger). Found by Dinic's algorithm: in phases, each of shortest augmenting paths.
///
/// A search has two states for each node: `entry`, reached from a neighbour, and `leave`, from
/// where it goes on to a neighbour. At a node on no path, entry leads to leave. At a node on a
/// path, entry pushes that path back: it leads to the `leave` of the path's node before.
class DisjointPaths {
public:
    enum class Role : std::uint8_t { source, middle, sink };

    std::vector<Role> role;  ///< by node; the caller sets it before run()

    /// Finds the paths; false if there are more than `limit`.
    [[nodiscard]] bool run(const Piece& piece, std::size_t limit) {
        piece_ = &piece;
        begin();
        std::size_t count = 0;
        while (find_levels()) {
            for (const Node v : active_) next_[at(v)] = kBack;
            for (const Node source : sources_) {
                if (on_path(source) || !augment(source)) continue;
                if (++count > limit) return false;
            }
        }
        return true;
    }

    /// After run(): sets `sides` to the minimum cut nearest to the sources, or to the sinks.
    void cut(bool at_sources, std::vector<Side>& sides) {
        const Role here = at_sources ? Role::source : Role::sink;
        const std::vector<Node>& before = at_sources ? before_ : after_;
        clear_levels();
        for (const Node v : active_) {
            if (role[at(v)] != here) continue;
            reach(entry(v), 0);
            if (!on_path(v)) reach(leave(v), 0);
        }
        for (std::size_t i = 0; i < queue_.size(); ++i) {
            const Node v = queue_[i] / 2;
            const Node previous = before[at(v)];
            if (queue_[i] == entry(v)) {
                if (previous == kNone) reach(leave(v), 0);
                if (previous >= 0) reach(leave(previous), 0);
                continue;
            }
            if (previous != kNone) reach(entry(v), 0);
            for (const Node to : neighbours(*piece_, v)) {
                if (is_active_[at(to)]) reach(entry(to), 0);
            }
        }
        const Side near = at_sources ? Side::left : Side::right;
        const Side far = at_sources ? Side::right : Side::left;
        for (std::size_t v = 0; v < sides.size(); ++v)
            sides[v] = role[v] == Role::source ? Side::left : Side::right;
        for (const Node v : active_) {
            sides[at(v)] = level_[at(leave(v))] >= 0   ? near
                           : level_[at(entry(v))] >= 0 ? Side::separator
                                                       : far;
        }
    }

private:
    static constexpr Node kNone = -1;     ///< before_, after_: the node is on no path
    static constexpr Node kPathEnd = -2;  ///< before_, after_: its path begins or ends here
    static constexpr Node kUnseen = -1;   ///< level_: not reached in this phase
    static constexpr Node kSpent = -2;    ///< level_: a dead end in this phase
    static constexpr Node kBack = -1;     ///< next_: back along the path, tried before all edges

    [[nodiscard]] static Node entry(Node v) noexcept { return 2 * v; }
    [[nodiscard]] static Node leave(Node v) noexcept { return 2 * v + 1; }
    [[nodiscard]] bool on_path(Node v) const noexcept { return before_[at(v)] != kNone; }
    [[nodiscard]] bool is_free_sink(Node v) const noexcept {
        return role[at(v)] == Role::sink && !on_path(v);
    }

    /// Clears the paths, and finds the nodes that they may need: all but the sources and sinks
    /// whose neighbours all have the same role.
    void begin() {
        const std::size_t count = role.size();
        before_.assign(count, kNone);
        after_.assign(count, kNone);
        is_active_.assign(count, 0);
        level_.resize(2 * count);
        next_.resize(count);
        active_.clear();
        sources_.clear();
        for (Node v = 0; at(v) < count; ++v) {
            const Role own = role[at(v)];
            const auto near = neighbours(*piece_, v);
            if (own != Role::middle &&
                std::all_of(near.begin(), near.end(), [&](Node to) { return role[at(to)] == own; }))
                continue;
            is_active_[at(v)] = 1;
            active_.push_back(v);
            if (own == Role::source) sources_.push_back(v);
        }
    }

    void clear_levels() {
        for (const Node v : active_) level_[at(entry(v))] = level_[at(leave(v))] = kUnseen;
        queue_.clear();
    }

    void reach(Node state, Node level) {
        if (level_[at(state)] != kUnseen) return;
        level_[at(state)] = level;
        queue_.push_back(state);
    }

    /// Sets the levels of a phase, breadth-first from free sources. False if no free sink is found.
    [[nodiscard]] bool find_levels() {
        clear_levels();
        for (const Node source : sources_) {
            if (!on_path(source)) reach(leave(source), 0);
        }
        Node last = std::numeric_limits<Node>::max();
        for (std::size_t i = 0; i < queue_.size() && level_[at(queue_[i])] < last; ++i) {
            const Node v = queue_[i] / 2;
            const Node next = level_[at(queue_[i])] + 1;
            if (queue_[i] == entry(v)) {
                if (is_free_sink(v)) continue;
                if (const Node to = from_entry(v); to >= 0) reach(to, next);
                continue;
            }
            if (before_[at(v)] >= 0) reach(entry(v), next);
            for (const Node to : neighbours(*piece_, v)) {
                if (!may_enter(to)) continue;
                reach(entry(to), next);
                if (is_free_sink(to)) last = std::min(last, next);
            }
        }
        return last < std::numeric_limits<Node>::max();
    }

    [[nodiscard]] bool may_enter(Node v) const noexcept {
        return role[at(v)] != Role::source && is_active_[at(v)];
    }
    /// The state that the entry of `v` leads to; negative if there is none.
    [[nodiscard]] Node from_entry(Node v) const noexcept {
        const Node previous = before_[at(v)];
        if (previous == kNone) return leave(v);
        return previous >= 0 ? leave(previous) : kNone;
    }

    /// Finds and takes an augmenting path from a source along rising levels. False: there is none.
    [[nodiscard]] bool augment(Node source) {
        walk_.assign(1, leave(source));
        while (!walk_.empty()) {
            const Node state = walk_.back();
            const Node v = state / 2;
            if (state == entry(v) && is_free_sink(v)) {
                take_walk();
                return true;
            }
            const Node to = state == entry(v) ? rising(state, from_entry(v)) : next_from(v);
            if (to >= 0) {
                walk_.push_back(to);
            } else {
                level_[at(state)] = kSpent;
                walk_.pop_back();
            }
        }
        return false;
    }

    /// The state `to` if it is one level above the state `from`, otherwise kNone.
    [[nodiscard]] Node rising(Node from, Node to) const noexcept {
        return to >= 0 && level_[at(to)] == level_[at(from)] + 1 ? to : kNone;
    }

    /// The next state to try from leave(v); kNone if none is left.
    [[nodiscard]] Node next_from(Node v) {
        const auto near = neighbours(*piece_, v);
        for (Node& i = next_[at(v)]; i < static_cast<Node>(near.size()); ++i) {
            Node to = kNone;
            if (i == kBack) {
                if (before_[at(v)] >= 0) to = entry(v);
            } else if (may_enter(near[at(i)])) {
                to = entry(near[at(i)]);
            }
            if (to = rising(leave(v), to); to >= 0) return to;
        }
        return kNone;
    }

    /// Adds walk_ to the paths. A path that it pushes back is rerouted along it.
    void take_walk() {
        const auto for_each_step = [&](auto&& use) {  // from the leave of a node to an entry
            for (std::size_t i = 0; i + 1 < walk_.size(); ++i) {
                const Node from = walk_[i];
                const Node to = walk_[i + 1];
                if (from % 2 == 1 && to % 2 == 0) use(from / 2, to / 2);
            }
        };
        // A step back within a node takes the node off its path.
        for_each_step([&](Node from, Node to) {
            if (from == to) before_[at(from)] = after_[at(from)] = kNone;
        });
        for_each_step([&](Node from, Node to) {
            if (from == to) return;
            after_[at(from)] = to;
            before_[at(to)] = from;
        });
        before_[at(walk_.front() / 2)] = kPathEnd;
        after_[at(walk_.back() / 2)] = kPathEnd;
        for (const Node state : walk_) level_[at(state)] = kSpent;
    }

    const Piece* piece_ = nullptr;
    std::vector<Node> before_;  ///< by node: the node before it on its path
    std::vector<Node> after_;   ///< by node: the node after it on its path
    std::vector<char> is_active_;
    std::vector<Node> active_;
    std::vector<Node> sources_;
    std::vector<Node> level_;  ///< by state: steps from the sources
    std::vector<Node> next_;   ///< by node: index of the edge to try next, or kBack
    std::vector<Node> queue_;  ///< states, in breadth-first order
    std::vector<Node> walk_;   ///< states of the augmenting path
};

/// Tries cuts by several keys and keeps the one of least price.
class FlowSeparatorSearch {
public:
    explicit FlowSeparatorSearch(const Piece& piece)
        : piece_(piece), count_(piece.num_nodes()), key_(count_), order_(count_), cut_(count_) {}

    [[nodiscard]] bool run(int recuts, std::vector<Side>& sides) {
        // Sources, and as many sinks: at least a quarter of the nodes each. The rest is the band.
        const std::size_t share =
            std::max(count_ / 4, count_ / 2 - std::min(kHalfBand, count_ / 2));
        try_far_apart(share);
        for (int i = 0; i < recuts && found(); ++i) {
            const std::uint64_t before = least_;
            try_beside_best(i % 2 == 0 ? share : count_ / 7);  // in turn a narrow and a wide band
            if (least_ == before) break;
        }
        if (found()) sides.swap(best_);
        return found();
    }

private:
    /// A narrow band has at most this many nodes on either side of the middle of the order by key,
    /// which bounds the size of the flow problem.
    static constexpr std::size_t kHalfBand = 4000;
    static constexpr std::uint64_t kNoPrice = std::numeric_limits<std::uint64_t>::max();

    [[nodiscard]] bool found() const noexcept { return least_ < kNoPrice; }

    /// Sets `hops` to the distances from `root`, and returns a farthest node.
    Node measure_from(Node root, std::vector<Node>& hops) {
        reached_.assign(1, root);
        count_hops(piece_, reached_, hops);
        return reached_.back();
    }

    /// Tries a cut between two nodes far apart, and one that begins at a node far from both.
    void try_far_apart(std::size_t share) {
        std::vector<Node> from_a;
        std::vector<Node> from_b;
        const auto try_between = [&](Node a) {
            measure_from(measure_from(a, from_a), from_b);
            for (std::size_t v = 0; v < count_; ++v) key_[v] = from_a[v] - from_b[v];
            try_key(share);
        };
        try_between(measure_from(0, from_a));
        std::size_t farthest = 0;
        const auto distance = [&](std::size_t v) { return std::min(from_a[v], from_b[v]); };
        for (std::size_t v = 1; v < count_; ++v) {
            if (distance(v) > distance(farthest)) farthest = v;
        }
        try_between(static_cast<Node>(farthest));
    }

    /// Tries the signed distance from the best cut as key, which finds cuts that are not straight.
    void try_beside_best(std::size_t share) {
        reached_.clear();
        for (std::size_t v = 0; v < count_; ++v) {
            if (best_[v] == Side::separator) reached_.push_back(static_cast<Node>(v));
        }
        count_hops(piece_, reached_, key_);
        for (std::size_t v = 0; v < count_; ++v) {
            if (best_[v] == Side::left) key_[v] = -key_[v];
        }
        try_key(share);
    }

    /// Tries the minimum cuts between the first and the last `share` nodes in the order of key_.
    void try_key(std::size_t share) {
        share = std::max<std::size_t>(share, 1);
        const Node least = *std::min_element(key_.begin(), key_.end());
        const auto rank = [&](std::size_t v) {
            return static_cast<std::uint64_t>(key_[v] - least) << 32 | v;
        };
        for (std::size_t v = 0; v < count_; ++v) order_[v] = rank(v);
        const auto first = order_.begin() + static_cast<std::ptrdiff_t>(share);
        const auto last = order_.end() - 1 - static_cast<std::ptrdiff_t>(share);
        std::nth_element(order_.begin(), first, order_.end());
        const std::uint64_t low = *first;
        std::nth_element(first, last, order_.end());
        const std::uint64_t high = *last;
        paths_.role.resize(count_);
        for (std::size_t v = 0; v < count_; ++v) {
            paths_.role[v] = rank(v) < low    ? DisjointPaths::Role::source
                             : rank(v) > high ? DisjointPaths::Role::sink
                                              : DisjointPaths::Role::middle;
        }
        if (!paths_.run(piece_, max_useful_size())) return;
        for (const bool at_sources : {true, false}) {
            paths_.cut(at_sources, cut_);
            const SideCounts counts = refine();
            if (!is_balanced(counts) || Price::of(counts) >= least_) continue;
            least_ = Price::of(counts);
            best_.swap(cut_);
            cut_.resize(count_);
        }
    }

    /// The size of the largest separator that can have a lower price than the best. Bisection.
    [[nodiscard]] std::size_t max_useful_size() const noexcept {
        std::size_t useful = 1;
        for (std::size_t too_large = count_ + 1; too_large - useful > 1;) {
            const std::size_t middle = useful + (too_large - useful) / 2;
            (Price::least(middle, count_) < least_ ? useful : too_large) = middle;
        }
        return useful;
    }

    /// Moves nodes of the separator to one side, and their neighbours on the other side into the
    /// separator, as long as that lowers the price.
    SideCounts refine() {
        constexpr int kPasses = 4;
        SideCounts counts = count_sides(cut_);
        bool moved = true;
        for (int pass = 0; pass < kPasses && moved; ++pass) {
            moved = false;
            for (Node v = 0; at(v) < count_; ++v) {
                if (cut_[at(v)] == Side::separator) moved |= move(v, counts);
            }
        }
        return counts;
    }

    /// Moves one node of the separator, as refine() says; false if no move lowers the price.
    [[nodiscard]] bool move(Node v, SideCounts& counts) {
        SideCounts near{};
        for (const Node to : neighbours(piece_, v)) ++near[static_cast<std::size_t>(cut_[at(to)])];
        SideCounts best = counts;
        std::size_t to_side = 2;
        for (std::size_t side = 0; side < 2; ++side) {
            SideCounts then = counts;
            then[2] += near[1 - side] - 1;
            then[side] += 1;
            then[1 - side] -= near[1 - side];
            if (!is_balanced(then) || Price::of(then) >= Price::of(best)) continue;
            best = then;
            to_side = side;
        }
        if (to_side == 2) return false;
        counts = best;
        cut_[at(v)] = static_cast<Side>(to_side);
        for (const Node to : neighbours(piece_, v)) {
            if (cut_[at(to)] == static_cast<Side>(1 - to_side)) cut_[at(to)] = Side::separator;
        }
        return true;
    }

    const Piece& piece_;
    std::size_t count_;
    std::vector<Node> key_;             ///< by node
    std::vector<std::uint64_t> order_;  ///< key and node, partly sorted
    std::vector<Node> reached_;
    DisjointPaths paths_;
    std::vector<Side> cut_;           ///< by node: the cut that is being tried
    std::vector<Side> best_;          ///< by node: the best cut so far
    std::uint64_t least_ = kNoPrice;  ///< the price of best_
};

}  // namespace

void count_hops(const Piece& piece, std::vector<Node>& reached, std::vector<Node>& hops) {
    hops.assign(piece.num_nodes(), -1);
    for (const Node root : reached) hops[at(root)] = 0;
    for (std::size_t i = 0; i < reached.size(); ++i) {
        for (const Node to : neighbours(piece, reached[i])) {
            if (hops[at(to)] >= 0) continue;
            hops[at(to)] = hops[at(reached[i])] + 1;
            reached.push_back(to);
        }
    }
}

bool flow_separator(const Piece& piece, int recuts, std::vector<Side>& sides) {
    return FlowSeparatorSearch(piece).run(recuts, sides);
}

}  // namespace cairn
