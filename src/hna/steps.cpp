#include "hna/steps.hpp"

namespace cairn::hna {

using mesh::Link;

void steps_from_nodes(const Overlay& overlay, int level, std::span<const Link> nodes,
                      std::vector<Step>& steps) {
    steps.clear();
    for (std::size_t i = 0; i + 1 < nodes.size(); i += 2) {
        const Link exit = nodes[i];
        const Link entry = nodes[i + 1];
        const std::uint32_t left = overlay.cluster_of(level, exit);
        const std::uint32_t entered = overlay.cluster_of(level, entry);
        steps.push_back({exit, overlay.cluster(level, left).find(exit), entered,
                         overlay.cluster(level, entered).find(entry)});
    }
}

bool steps_from_vertices(const HngView& hng, std::span<const std::uint32_t> path,
                         std::uint32_t start, std::uint32_t goal, std::vector<Step>& steps) {
    steps.clear();
    return for_each_step(hng, path, start, goal, [&](const Step& step) { steps.push_back(step); });
}

void append_nodes(std::span<const Step> steps, std::vector<Link>& nodes) {
    for (const Step& step : steps) {
        nodes.push_back(step.exit);
        nodes.push_back(mesh::twin(step.exit));
    }
}

}  // namespace cairn::hna
