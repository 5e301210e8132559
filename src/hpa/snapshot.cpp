#include "hpa/snapshot.hpp"

#include <xxhash.h>

#include <array>
#include <utility>
#include <vector>

#include "core/labels/earlier_labels.hpp"

namespace cairn::hpa {

std::uint64_t fresh_snapshot_id(const grid::Map& map, const Options& options) {
    const std::array<std::int64_t, 7> shape{
        options.cluster_size,  options.levels,
        options.branching,     static_cast<int>(options.transitions),
        options.wide_entrance, static_cast<int>(options.diagonals),
        options.move_tables};
    const std::uint64_t id = XXH3_64bits_withSeed(shape.data(), sizeof shape, map.fingerprint());
    return id == 0 ? 1 : id;
}

namespace {

// Writes for each node of `now` its number in `before`, or CutLabels::kNewNode. Both are numbered
// from scratch, over the same clusters.
void find_earlier(const Overlay& overlay, const LevelOneNodes& now, const LevelOneNodes& before,
                  std::span<std::uint32_t> out) {
    const auto place = [&](const LevelOneNodes& nodes, std::uint32_t number) {
        const grid::Cell cell = nodes.cell(number);
        return std::pair(overlay.cluster_of(1, cell), cell);
    };
    std::uint32_t old = 0;
    for (std::uint32_t number = 0; number < now.size(); ++number) {
        while (old < before.size() && place(before, old) < place(now, number)) ++old;
        const bool same = old < before.size() && before.cell(old) == now.cell(number);
        out[number] = same ? old : CutLabels::kNewNode;
    }
}

// Where the nodes lie.
std::vector<NodePoint> points_of(const grid::Map& map, const LevelOneNodes& nodes) {
    std::vector<NodePoint> points;
    points.reserve(nodes.size());
    for (std::uint32_t number = 0; number < nodes.size(); ++number) {
        const grid::Point p = map.point(nodes.cell(number));
        points.push_back({p.x, p.y});
    }
    return points;
}

Result<LabelEngine> build_label_engine(const Snapshot& snapshot, const BuildControl& control) {
    const LabelEngine* const before = snapshot.earlier_labels.get();
    const Overlay& overlay = snapshot.overlay;
    const LevelOneNodes& nodes = snapshot.nodes;
    const auto graph = LevelOneGraph{overlay, nodes}.whole();
    if (!graph) return tl::unexpected(graph.error());
    auto labels = build_labels(
        *graph, points_of(overlay.base.map, nodes), before == nullptr ? nullptr : &before->labels,
        [&](std::span<std::uint32_t> old_node) {
            find_earlier(overlay, nodes, before->nodes, old_node);
        },
        snapshot.options.label_bytes, control);
    if (!labels) return tl::unexpected(labels.error());
    return LabelEngine{nodes, std::move(*labels)};
}

}  // namespace

Status add_labels(Snapshot& snapshot, const BuildControl& control) {
    if (!snapshot.nodes.from_scratch()) snapshot.nodes = LevelOneNodes(snapshot.overlay);
    return keep_labels(snapshot, build_label_engine(snapshot, control));
}

}  // namespace cairn::hpa

template class cairn::LevelSearch<cairn::hpa::GridBase>;
