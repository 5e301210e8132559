#include <algorithm>
#include <array>
#include <bit>

#include "index_file/hpa_index_validator.hpp"
#include "index_file/index_parts.hpp"

namespace cairn::index_file {
namespace {

class LabelValidator {
public:
    LabelValidator(const hpa::Overlay& overlay, const hpa::LabelEngine& engine,
                   const CutLabelArrays& arrays)
        : overlay_(overlay), engine_(engine), arrays_(arrays) {}

    [[nodiscard]] std::string_view run() const {
        if (const auto fault = index_file::label_fault(arrays_, engine_.cells.size());
            !fault.empty())
            return fault;
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
        const Across across = neighbours_across(view, slot);
        return label_node_fault(
            arrays_, engine_.first_node[cluster] + slot,
            [&](std::uint32_t other) { return adjacent(cluster, view, slot, other, across); });
    }

    struct Across {
        std::array<std::uint32_t, grid::kDirections> nodes{};
        std::ptrdiff_t count = 0;
    };

    [[nodiscard]] Across neighbours_across(const ClusterView& view, std::uint32_t slot) const {
        Across across;
        for (std::uint32_t c = view.crossings(slot); c != 0; c &= c - 1) {
            const grid::Cell to = overlay_.base.map.step(view.base(slot), std::countr_zero(c));
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

    const hpa::Overlay& overlay_;
    const hpa::LabelEngine& engine_;
    const CutLabelArrays& arrays_;
};

}  // namespace

std::string_view label_fault(const hpa::Overlay& overlay, const hpa::LabelEngine& engine,
                             const CutLabelArrays& arrays) {
    return LabelValidator(overlay, engine, arrays).run();
}

}  // namespace cairn::index_file
