#include "separator_order.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>

#include "vertex_separator.hpp"

namespace cairn {
namespace {

/// Pieces this small are ordered by minimum degree: their adjacency fits one word a node.
constexpr std::size_t kSmall = 64;
constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

class Orderer {
public:
    Orderer(const Graph& graph, const BuildControl& control)
        : graph_(graph),
          control_(control),
          nodes_(graph.num_nodes()),
          local_(nodes_.size(), kNone) {
        for (std::uint32_t v = 0; v < nodes_.size(); ++v) nodes_[v] = v;
        order_.reserve(nodes_.size());
    }

    std::vector<std::uint32_t> run() {
        if (!nodes_.empty()) pieces_.push_back({0, nodes_.size(), false});
        while (!pieces_.empty()) {
            if (control_.cancelled()) return {};
            const Range range = pieces_.back();
            pieces_.pop_back();
            extract(range);
            if (!range.connected) {
                split_components(range);
            } else if (range.end - range.begin <= kSmall) {
                order_small(range);
            } else {
                dissect(range);
            }
        }
        return std::move(order_);
    }

private:
    /// A piece: part of nodes_.
    struct Range {
        std::size_t begin;
        std::size_t end;
        bool connected;
    };

    /// Makes piece_ the subgraph of the range's nodes.
    void extract(const Range& range) {
        for (std::size_t i = range.begin; i < range.end; ++i) {
            local_[nodes_[i]] = static_cast<std::uint32_t>(i - range.begin);
        }
        piece_.first_out.assign(1, 0);
        piece_.head.clear();
        for (std::size_t i = range.begin; i < range.end; ++i) {
            const auto row = static_cast<std::ptrdiff_t>(piece_.head.size());
            for (const std::uint32_t to : graph_.neighbours(nodes_[i])) {
                if (local_[to] == kNone || to == nodes_[i]) continue;
                piece_.head.push_back(static_cast<std::int32_t>(local_[to]));
            }
            std::sort(piece_.head.begin() + row, piece_.head.end());
            piece_.head.erase(std::unique(piece_.head.begin() + row, piece_.head.end()),
                              piece_.head.end());
            piece_.first_out.push_back(static_cast<std::int32_t>(piece_.head.size()));
        }
        for (std::size_t i = range.begin; i < range.end; ++i) local_[nodes_[i]] = kNone;
    }

    /// Reorders the range's nodes by component and makes each component a piece.
    void split_components(const Range& range) {
        const std::size_t count = range.end - range.begin;
        std::vector<std::uint32_t> found;
        std::vector<bool> seen(count, false);
        found.reserve(count);
        for (std::uint32_t root = 0; root < count; ++root) {
            if (seen[root]) continue;
            const std::size_t begin = found.size();
            found.push_back(root);
            seen[root] = true;
            for (std::size_t i = begin; i < found.size(); ++i) {
                for (auto e = piece_.first_out[found[i]]; e < piece_.first_out[found[i] + 1]; ++e) {
                    const auto to =
                        static_cast<std::uint32_t>(piece_.head[static_cast<std::size_t>(e)]);
                    if (seen[to]) continue;
                    seen[to] = true;
                    found.push_back(to);
                }
            }
            // Ascending, so that a piece does not depend on the way it was found.
            std::sort(found.begin() + static_cast<std::ptrdiff_t>(begin), found.end());
            pieces_.push_back({range.begin + begin, range.begin + found.size(), true});
        }
        for (std::uint32_t& v : found) v = nodes_[range.begin + v];
        std::copy(found.begin(), found.end(),
                  nodes_.begin() + static_cast<std::ptrdiff_t>(range.begin));
    }

    /// Eliminates nodes of least degree first; among equals, those that stand lowest.
    void order_small(const Range& range) {
        const std::size_t count = range.end - range.begin;
        std::array<std::uint64_t, kSmall> adjacent{};
        std::array<int, kSmall> height{};
        for (std::size_t v = 0; v < count; ++v) {
            for (auto e = piece_.first_out[v]; e < piece_.first_out[v + 1]; ++e) {
                adjacent[v] |= std::uint64_t{1} << piece_.head[static_cast<std::size_t>(e)];
            }
        }
        const std::size_t base = order_.size();
        order_.resize(base + count);
        std::uint64_t left = count == kSmall ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1;
        for (std::size_t rank = count; rank-- > 0;) {
            const auto v = cheapest(left, adjacent, height);
            left &= ~(std::uint64_t{1} << v);
            for (std::uint64_t rest = adjacent[v]; rest != 0; rest &= rest - 1) {
                const auto u = static_cast<std::size_t>(std::countr_zero(rest));
                adjacent[u] = (adjacent[u] | adjacent[v]) &
                              ~((std::uint64_t{1} << u) | (std::uint64_t{1} << v));
                height[u] = std::max(height[u], height[v] + 1);
            }
            order_[base + rank] = nodes_[range.begin + v];
        }
    }

    static std::size_t cheapest(std::uint64_t left,
                                const std::array<std::uint64_t, kSmall>& adjacent,
                                const std::array<int, kSmall>& height) {
        std::size_t best = 0;
        int best_key = std::numeric_limits<int>::max();
        for (; left != 0; left &= left - 1) {
            const auto v = static_cast<std::size_t>(std::countr_zero(left));
            const int key = std::popcount(adjacent[v]) * 2 + height[v];
            if (key < best_key) {
                best = v;
                best_key = key;
            }
        }
        return best;
    }

    void dissect(const Range& range) {
        find_separator(piece_, sides_);
        const std::size_t count = range.end - range.begin;
        std::array<std::vector<std::uint32_t>, 2> parts;
        for (std::size_t i = 0; i < count; ++i) {
            const std::uint32_t v = nodes_[range.begin + i];
            if (sides_[i] == Side::separator) {
                order_.push_back(v);
            } else {
                parts[static_cast<std::size_t>(sides_[i])].push_back(v);
            }
        }
        std::size_t at = range.begin;
        for (const auto& part : parts) {
            std::copy(part.begin(), part.end(), nodes_.begin() + static_cast<std::ptrdiff_t>(at));
            if (!part.empty()) pieces_.push_back({at, at + part.size(), false});
            at += part.size();
        }
    }

    const Graph& graph_;
    const BuildControl& control_;
    std::vector<std::uint32_t> nodes_;  ///< each piece's are contiguous
    std::vector<std::uint32_t> local_;
    std::vector<std::uint32_t> order_;
    std::vector<Range> pieces_;
    Piece piece_;
    std::vector<Side> sides_;
};

}  // namespace

std::vector<std::uint32_t> separator_order(const Graph& graph, const BuildControl& control) {
    return Orderer(graph, control).run();
}

}  // namespace cairn
