#include "inherited_order.hpp"

#include <algorithm>
#include <limits>

namespace cairn {
namespace {

constexpr std::uint32_t kNoPlace = std::numeric_limits<std::uint32_t>::max();

/// The tree of some labels. Places count from 1: 0 is a common root, so every place has a path up
/// to it.
class OldTree {
public:
    /// False if the labels are damaged.
    bool take(std::span<const CutLabelNode> nodes) {
        const std::size_t count = nodes.size() + 1;
        std::vector<std::uint32_t> length(count, 0);
        for (const CutLabelNode& node : nodes) {
            if (node.place >= nodes.size() || length[node.place + 1] != 0) return false;
            length[node.place + 1] = node.length;
        }
        parent_.assign(count, 0);
        end_.assign(count, 0);
        std::vector<std::uint32_t> way{0};
        for (std::uint32_t p = 1; p < count; ++p) {
            if (length[p] == 0 || length[p] > way.size()) return false;
            close(way, length[p], p);
            parent_[p] = way.back();
            way.push_back(p);
        }
        close(way, 0, static_cast<std::uint32_t>(count));
        return true;
    }

    /// Whether b lies below a or is a.
    [[nodiscard]] bool over(std::uint32_t a, std::uint32_t b) const {
        return a <= b && b < end_[a];
    }
    [[nodiscard]] bool related(std::uint32_t a, std::uint32_t b) const {
        return a < b ? b < end_[a] : a < end_[b];
    }
    [[nodiscard]] std::uint32_t lowest_common(std::uint32_t a, std::uint32_t b) const {
        while (!over(a, b)) a = parent_[a];
        return a;
    }

private:
    /// Ends the subtrees on the path down to `keep` places.
    void close(std::vector<std::uint32_t>& way, std::size_t keep, std::uint32_t end) {
        for (; way.size() > keep; way.pop_back()) end_[way.back()] = end;
    }

    std::vector<std::uint32_t> parent_;
    std::vector<std::uint32_t> end_;
};

class InheritedOrder {
public:
    InheritedOrder(const CutLabelArrays& old, const Graph& graph,
                   std::span<const std::uint32_t> old_node)
        : old_(old), graph_(graph), old_node_(old_node) {}

    std::vector<std::uint32_t> run() {
        if (!tree_.take(old_.nodes)) return {};
        const std::uint32_t count = graph_.num_nodes();
        place_.assign(count, kNoPlace);
        moved_.assign(count, false);
        for (std::uint32_t v = 0; v < count; ++v) {
            if (old_node_[v] != CutLabels::kNewNode) place_[v] = old_.nodes[old_node_[v]].place + 1;
        }
        for (std::uint32_t v = 0; v < count; ++v) {
            if (place_[v] == kNoPlace) insert(v);
        }
        lift();
        return sorted();
    }

private:
    /// Puts a new node below the lowest place that is over or under all its neighbours.
    void insert(std::uint32_t v) {
        std::uint32_t low = 0;
        bool parted = false;
        for (const std::uint32_t to : graph_.neighbours(v)) {
            const std::uint32_t at = place_[to];
            if (at == kNoPlace) continue;
            if (!tree_.related(low, at)) {
                low = tree_.lowest_common(low, at);
                parted = true;
            } else if (!parted && low < at) {
                low = at;
            }
        }
        move(v, low);
    }

    /// Moves nodes up until no edge joins two branches.
    void lift() {
        std::vector<std::uint32_t> nodes;
        std::vector<std::uint32_t> across(graph_.num_nodes(), 0);
        for (std::uint32_t v = 0; v < graph_.num_nodes(); ++v) {
            for (const std::uint32_t to : graph_.neighbours(v)) {
                if (!tree_.related(place_[v], place_[to])) ++across[v];
            }
            if (across[v] > 0) nodes.push_back(v);
        }
        std::stable_sort(nodes.begin(), nodes.end(),
                         [&](std::uint32_t a, std::uint32_t b) { return across[a] > across[b]; });
        for (const std::uint32_t v : nodes) {
            std::uint32_t at = place_[v];
            for (const std::uint32_t to : graph_.neighbours(v)) {
                if (!tree_.related(at, place_[to])) at = tree_.lowest_common(at, place_[to]);
            }
            if (at != place_[v]) move(v, at);
        }
    }

    /// Moves a node directly below the node at `place`, above all other nodes there.
    void move(std::uint32_t v, std::uint32_t place) {
        place_[v] = place;
        moved_[v] = true;
    }

    [[nodiscard]] std::vector<std::uint32_t> sorted() const {
        std::vector<std::uint64_t> keys(graph_.num_nodes());
        for (std::uint32_t v = 0; v < keys.size(); ++v) {
            const std::uint64_t place = std::uint64_t{place_[v]} * 2 + (moved_[v] ? 1 : 0);
            keys[v] = place << 31 | v;
        }
        std::sort(keys.begin(), keys.end());
        std::vector<std::uint32_t> order(keys.size());
        std::transform(keys.begin(), keys.end(), order.begin(), [](std::uint64_t key) {
            return static_cast<std::uint32_t>(key & 0x7fff'ffff);
        });
        return order;
    }

    const CutLabelArrays& old_;
    const Graph& graph_;
    std::span<const std::uint32_t> old_node_;
    OldTree tree_;
    std::vector<std::uint32_t> place_;
    std::vector<bool> moved_;
};

}  // namespace

std::vector<std::uint32_t> inherited_order(const CutLabelArrays& old, const Graph& graph,
                                           std::span<const std::uint32_t> old_node) {
    return InheritedOrder(old, graph, old_node).run();
}

}  // namespace cairn
