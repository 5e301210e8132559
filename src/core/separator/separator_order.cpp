#include "separator_order.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <span>

#include "small_order.hpp"
#include "vertex_separator.hpp"

namespace cairn {
namespace {

constexpr std::uint32_t kOutside = std::numeric_limits<std::uint32_t>::max();

class Orderer {
public:
    Orderer(const Graph& graph, std::uint64_t max_entries, const BuildControl& control,
            double share, int tries)
        : graph_(graph),
          max_entries_(max_entries),
          control_(control),
          share_(share),
          tries_(tries),
          nodes_(graph.num_nodes()),
          local_(nodes_.size(), kOutside) {
        for (std::uint32_t v = 0; v < nodes_.size(); ++v) nodes_[v] = v;
        order_.reserve(nodes_.size());
    }

    std::vector<std::uint32_t> run() {
        simplify();
        if (!nodes_.empty()) pieces_.push_back({0, nodes_.size(), false});
        while (!pieces_.empty()) {
            if (control_.cancelled() || entries_ / 2 > max_entries_) return {};
            report();
            const Range range = pieces_.back();
            pieces_.pop_back();
            extract(range);
            if (!range.connected && split_components(range)) continue;
            if (range.end - range.begin <= SmallOrder::kMost) {
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

    /// Sorts the neighbours of every node, and drops loops and parallel edges.
    void simplify() {
        first_out_.assign(1, 0);
        for (const std::uint32_t v : nodes_) {
            const auto row = static_cast<std::ptrdiff_t>(head_.size());
            for (const std::uint32_t to : graph_.neighbours(v)) {
                if (to != v) head_.push_back(to);
            }
            std::sort(head_.begin() + row, head_.end());
            head_.erase(std::unique(head_.begin() + row, head_.end()), head_.end());
            first_out_.push_back(head_.size());
        }
    }

    /// Makes piece_ the subgraph of the range's nodes. These are sorted, so its rows are.
    void extract(const Range& range) {
        for (std::size_t i = range.begin; i < range.end; ++i) {
            local_[nodes_[i]] = static_cast<std::uint32_t>(i - range.begin);
        }
        piece_.first_out.assign(1, 0);
        piece_.head.clear();
        for (std::size_t i = range.begin; i < range.end; ++i) {
            const std::uint32_t v = nodes_[i];
            for (std::size_t e = first_out_[v]; e < first_out_[v + 1]; ++e) {
                if (const std::uint32_t to = local_[head_[e]]; to != kOutside) {
                    piece_.head.push_back(static_cast<std::int32_t>(to));
                }
            }
            piece_.first_out.push_back(static_cast<std::int32_t>(piece_.head.size()));
        }
        for (std::size_t i = range.begin; i < range.end; ++i) local_[nodes_[i]] = kOutside;
    }

    /// Reorders the range's nodes by component and makes each component a piece. False, with
    /// nothing done, if there is only one.
    bool split_components(const Range& range) {
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
            if (found.size() == count && begin == 0) return false;
            std::sort(found.begin() + static_cast<std::ptrdiff_t>(begin), found.end());
            pieces_.push_back({range.begin + begin, range.begin + found.size(), true});
        }
        for (std::uint32_t& v : found) v = nodes_[range.begin + v];
        std::copy(found.begin(), found.end(),
                  nodes_.begin() + static_cast<std::ptrdiff_t>(range.begin));
        return true;
    }

    void order_small(const Range& range) {
        const std::size_t base = order_.size();
        order_.resize(base + piece_.num_nodes());
        const std::span<std::uint32_t> out(order_.data() + base, piece_.num_nodes());
        small_.order(piece_, out);
        for (std::uint32_t& v : out) v = nodes_[range.begin + v];
    }

    void dissect(const Range& range) {
        const bool fair = find_separator(piece_, sides_, tries_);
        const std::size_t count = range.end - range.begin;
        const std::size_t before = order_.size();
        std::array<std::vector<std::uint32_t>, 2> parts;
        for (std::size_t i = 0; i < count; ++i) {
            const std::uint32_t v = nodes_[range.begin + i];
            if (sides_[i] == Side::separator) {
                order_.push_back(v);
            } else {
                parts[static_cast<std::size_t>(sides_[i])].push_back(v);
            }
        }
        // Nearly every node of the piece has an entry for each node of a fair separator.
        if (fair) entries_ += std::uint64_t{order_.size() - before} * count;
        std::size_t at = range.begin;
        for (const auto& part : parts) {
            std::copy(part.begin(), part.end(), nodes_.begin() + static_cast<std::ptrdiff_t>(at));
            if (!part.empty()) pieces_.push_back({at, at + part.size(), false});
            at += part.size();
        }
    }

    /// Reports at most a hundred times.
    void report() {
        if (!control_.progress) return;
        const std::size_t percent = order_.size() * 100 / nodes_.size();
        if (percent <= reported_) return;
        reported_ = percent;
        control_.progress(share_ * static_cast<double>(percent) / 100);
    }

    const Graph& graph_;
    std::uint64_t max_entries_;
    const BuildControl& control_;
    double share_;
    int tries_;
    std::uint64_t entries_ = 0;  ///< an estimate for the separators found
    std::size_t reported_ = 0;
    std::vector<std::uint64_t> first_out_;  ///< the graph without loops and parallel edges
    std::vector<std::uint32_t> head_;
    std::vector<std::uint32_t> nodes_;  ///< each piece's are contiguous, and ascend
    std::vector<std::uint32_t> local_;
    std::vector<std::uint32_t> order_;
    std::vector<Range> pieces_;
    Piece piece_;
    std::vector<Side> sides_;
    SmallOrder small_;
};

}  // namespace

std::vector<std::uint32_t> separator_order(const Graph& graph, std::uint64_t max_entries,
                                           const BuildControl& control, double share, int tries) {
    return Orderer(graph, max_entries, control, share, tries).run();
}

}  // namespace cairn
