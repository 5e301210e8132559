#include "label_comparison_lines.hpp"

#include <algorithm>
#include <unordered_set>
#include <vector>

namespace cairn::bench {
namespace {

/// The number of leading entries that a distance query compares in two labels: those of the nodes'
/// common separators.
std::uint32_t common_entries(const CutLabelArrays& arrays, const CutLabelNode& a,
                             const CutLabelNode& b) {
    std::uint32_t common = std::min(a.length, b.length);
    const auto [low, high] = std::minmax(a.group, b.group);
    for (std::uint32_t g = low + 1; g <= high; ++g) {
        common = std::min(common, arrays.group_common[g]);
    }
    return common;
}

/// A set of cache lines.
class CacheLines {
public:
    /// Adds the lines of some memory.
    void add(const void* data, std::size_t bytes) {
        constexpr std::uintptr_t kLine = 64;  // bytes
        const auto begin = reinterpret_cast<std::uintptr_t>(data);
        for (std::uintptr_t at = begin / kLine; at * kLine < begin + bytes; ++at) {
            lines_.insert(at);
        }
    }
    [[nodiscard]] std::size_t count() const { return lines_.size(); }

private:
    std::unordered_set<std::uintptr_t> lines_;
};

}  // namespace

std::size_t lines_read(const CutLabels& labels, std::span<const std::uint32_t> from,
                       std::span<const std::uint32_t> to) {
    const CutLabelArrays& arrays = labels.arrays();
    CacheLines lines;
    const auto add = [&](std::span<const std::uint32_t> own, std::span<const std::uint32_t> other) {
        for (const std::uint32_t v : own) {
            const CutLabelNode& node = arrays.nodes[v];
            lines.add(&node, sizeof node);
            std::uint32_t longest = 0;
            for (const std::uint32_t u : other) {
                longest = std::max(longest, common_entries(arrays, node, arrays.nodes[u]));
            }
            if (longest > 0)
                lines.add(arrays.up.entries.data() + node.first, longest * sizeof(Cost));
        }
    };
    add(from, to);
    add(to, from);
    return lines.count();
}

std::vector<std::uint32_t> near_nodes(const Graph& graph, std::uint32_t node, std::size_t count) {
    std::vector<std::uint32_t> nodes{node};
    for (const std::uint32_t to : graph.neighbours(node)) {
        if (nodes.size() >= count) break;
        if (std::find(nodes.begin(), nodes.end(), to) == nodes.end()) nodes.push_back(to);
    }
    return nodes;
}

}  // namespace cairn::bench
