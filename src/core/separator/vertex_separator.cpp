#include "core/separator/vertex_separator.hpp"

#include <cmath>

namespace cairn {
namespace {

using Node = std::int32_t;

/// A node as an index.
[[nodiscard]] std::size_t at(Node v) noexcept { return static_cast<std::size_t>(v); }

/// A narrow band has at most this many nodes on either side of the middle of the order by key,
/// which bounds the size of the flow problem.
constexpr std::size_t kHalfBand = 4000;

/// The same for a wide band: the phases of a flow grow in number with the cut, and each searches
/// the band.
constexpr std::size_t kHalfWideBand = 25'000;

/// How many of `count` nodes are sources, and as many sinks: at least `least` of them, and so many
/// that the band between has at most `half_band` nodes on either side of its middle.
[[nodiscard]] std::size_t share_of(std::size_t count, std::size_t least,
                                   std::size_t half_band) noexcept {
    return std::max(least, count / 2 - std::min(half_band, count / 2));
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

}  // namespace

void SeparatorFinder::find(const Piece& piece, int recuts, std::vector<Side>& sides) {
    piece_ = &piece;
    count_ = piece.num_nodes();
    least_ = kNoPrice;
    key_.resize(count_);
    order_.resize(count_);
    cut_.resize(count_);
    best_.resize(count_);
    // Sources, and as many sinks: at least a quarter of the nodes each. The rest is the band. All
    // of them are in the cut or on their own sides, so every cut is balanced before it is refined.
    share_ = share_of(count_, count_ / 4, kHalfBand);
    if (!piece.points.empty()) try_coordinates();
    try_far_apart();
    const std::size_t wide = share_of(count_, count_ / 7, kHalfWideBand);
    for (int i = 0; i < recuts; ++i) {
        const std::uint64_t before = least_;
        try_beside_best(i % 2 == 0 ? share_ : wide);  // in turn a narrow and a wide band
        if (least_ == before) break;
    }
    sides = best_;
}

/// Tries cuts across the longer and then the shorter extent of the piece.
void SeparatorFinder::try_coordinates() {
    const std::vector<NodePoint>& points = piece_->points;
    NodePoint low = points.front();
    NodePoint high = low;
    for (const NodePoint p : points) {
        low = {std::min(low.x, p.x), std::min(low.y, p.y)};
        high = {std::max(high.x, p.x), std::max(high.y, p.y)};
    }
    const auto extent = [](Node from, Node to) { return std::int64_t{to} - from; };
    const bool wide = extent(low.x, high.x) >= extent(low.y, high.y);
    for (const bool by_x : {wide, !wide}) {
        for (std::size_t v = 0; v < count_; ++v) key_[v] = by_x ? points[v].x : points[v].y;
        try_key(share_);
    }
}

/// Sets `hops` to the distances from `root`, and returns a farthest node.
Node SeparatorFinder::measure_from(Node root, std::vector<Node>& hops) {
    reached_.assign(1, root);
    count_hops(*piece_, reached_, hops);
    return reached_.back();
}

/// Tries a cut between two nodes far apart and, where the coordinates are not known, one that
/// begins at a node far from both.
void SeparatorFinder::try_far_apart() {
    try_between(measure_from(0, from_a_));
    if (!piece_->points.empty()) return;
    std::size_t farthest = 0;
    const auto distance = [&](std::size_t v) { return std::min(from_a_[v], from_b_[v]); };
    for (std::size_t v = 1; v < count_; ++v) {
        if (distance(v) > distance(farthest)) farthest = v;
    }
    try_between(static_cast<Node>(farthest));
}

/// Tries a cut between node `a` and a node that is farthest from it.
void SeparatorFinder::try_between(Node a) {
    measure_from(measure_from(a, from_a_), from_b_);
    for (std::size_t v = 0; v < count_; ++v) key_[v] = from_a_[v] - from_b_[v];
    try_key(share_);
}

/// Tries the signed distance from the best cut as key, which finds cuts that are not straight.
void SeparatorFinder::try_beside_best(std::size_t share) {
    reached_.clear();
    for (std::size_t v = 0; v < count_; ++v) {
        if (best_[v] == Side::separator) reached_.push_back(static_cast<Node>(v));
    }
    count_hops(*piece_, reached_, key_);
    for (std::size_t v = 0; v < count_; ++v) {
        if (best_[v] == Side::left) key_[v] = -key_[v];
    }
    try_key(share);
}

/// Tries the minimum cuts between the first and the last `share` nodes in the order of key_.
void SeparatorFinder::try_key(std::size_t share) {
    using Role = DisjointPaths::Role;
    share = std::max<std::size_t>(share, 1);
    const std::int64_t least = *std::min_element(key_.begin(), key_.end());
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
        paths_.role[v] = rank(v) < low ? Role::source : rank(v) > high ? Role::sink : Role::middle;
    }
    if (!paths_.run(*piece_, max_useful_size())) return;
    paths_.cut_at_sinks(cut_);
    keep_if_cheaper(refine());
    paths_.cut_at_sources(cut_);
    keep_if_cheaper(refine());
}

/// Makes cut_, which has these counts, the best cut if it is balanced and cheaper.
void SeparatorFinder::keep_if_cheaper(const SideCounts& counts) {
    if (!is_balanced(counts) || Price::of(counts) >= least_) return;
    least_ = Price::of(counts);
    best_.swap(cut_);
    cut_.resize(count_);
}

/// The size of the largest separator that can have a lower price than the best. Bisection.
std::size_t SeparatorFinder::max_useful_size() const noexcept {
    std::size_t useful = 1;
    for (std::size_t too_large = count_ + 1; too_large - useful > 1;) {
        const std::size_t middle = useful + (too_large - useful) / 2;
        (Price::least(middle, count_) < least_ ? useful : too_large) = middle;
    }
    return useful;
}

/// Moves nodes of the separator to one side, and their neighbours on the other side into the
/// separator, as long as that lowers the price.
SideCounts SeparatorFinder::refine() {
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
bool SeparatorFinder::move(Node v, SideCounts& counts) {
    SideCounts near{};
    for (const Node to : piece_->neighbours(at(v))) ++near[static_cast<std::size_t>(cut_[at(to)])];
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
    for (const Node to : piece_->neighbours(at(v))) {
        if (cut_[at(to)] == static_cast<Side>(1 - to_side)) cut_[at(to)] = Side::separator;
    }
    return true;
}

void count_hops(const Piece& piece, std::vector<Node>& reached, std::vector<Node>& hops) {
    hops.assign(piece.num_nodes(), -1);
    for (const Node root : reached) hops[at(root)] = 0;
    for (std::size_t i = 0; i < reached.size(); ++i) {
        for (const Node to : piece.neighbours(at(reached[i]))) {
            if (hops[at(to)] >= 0) continue;
            hops[at(to)] = hops[at(reached[i])] + 1;
            reached.push_back(to);
        }
    }
}

}  // namespace cairn
