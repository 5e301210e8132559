#include <algorithm>
#include <array>
#include <bit>

#include "io/hpa_index_validator.hpp"

namespace cairn::io {
namespace {

class LabelValidator {
public:
    LabelValidator(const Overlay& overlay, const hpa::LabelEngine& engine,
                   const CutLabelArrays& arrays)
        : overlay_(overlay), engine_(engine), arrays_(arrays) {}

    [[nodiscard]] std::string_view run() const {
        const std::size_t nodes = engine_.cells.size();
        if (arrays_.nodes.size() != nodes) return "there are not as many labels as nodes";
        if (nodes > 0 && arrays_.hops.empty()) return "there are no hops";
        for (std::uint32_t cluster = 0; cluster + 1 < engine_.first_node.size(); ++cluster) {
            const ClusterView view = overlay_.cluster(1, cluster);
            for (std::uint32_t slot = 0; slot < view.count(); ++slot) {
                if (const auto fault = node_fault(cluster, view, slot); !fault.empty())
                    return fault;
            }
        }
        return {};
    }

private:
    [[nodiscard]] std::string_view node_fault(std::uint32_t cluster, const ClusterView& view,
                                              std::uint32_t slot) const {
        const std::uint32_t node = engine_.first_node[cluster] + slot;
        const std::uint32_t place = arrays_.nodes[node].place;
        if (arrays_.places[place].node != node) return "two nodes have one place";
        const std::size_t begin = arrays_.places[place].edges;
        const std::size_t end = place + 1 < arrays_.places.size() ? arrays_.places[place + 1].edges
                                                                  : arrays_.head.size();
        if (begin > end) return "the adjacency is out of order";
        const Across across = neighbours_across(view, slot);
        for (const std::uint32_t head : arrays_.head.subspan(begin, end - begin)) {
            if (!adjacent(cluster, view, slot, arrays_.places[head].node, across)) {
                return "an edge joins nodes that are not neighbours";
            }
        }
        return {};
    }

    struct Across {
        std::array<std::uint32_t, grid::kDirections> nodes{};
        std::ptrdiff_t count = 0;
    };

    [[nodiscard]] Across neighbours_across(const ClusterView& view, std::uint32_t slot) const {
        Across across;
        for (std::uint32_t c = view.crossings(slot); c != 0; c &= c - 1) {
            const grid::Cell to = overlay_.map.step(view.base(slot), std::countr_zero(c));
            const std::uint32_t other = overlay_.cluster_of(1, to);
            across.nodes[static_cast<std::size_t>(across.count++)] =
                engine_.first_node[other] + overlay_.cluster(1, other).find(to);
        }
        return across;
    }

    [[nodiscard]] bool adjacent(std::uint32_t cluster, const ClusterView& view, std::uint32_t slot,
                                std::uint32_t other, const Across& across) const {
        const std::uint32_t first = engine_.first_node[cluster];
        if (other >= first && other - first < view.count()) {
            return other - first != slot && view.cost(other - first, slot) < kInfinity;
        }
        const auto end = across.nodes.begin() + across.count;
        return std::find(across.nodes.begin(), end, other) != end;
    }

    const Overlay& overlay_;
    const hpa::LabelEngine& engine_;
    const CutLabelArrays& arrays_;
};

}  // namespace

std::string_view label_fault(const Overlay& overlay, const hpa::LabelEngine& engine,
                             const CutLabelArrays& arrays) {
    return LabelValidator(overlay, engine, arrays).run();
}

}  // namespace cairn::io
