#include "haa/cluster_builder.hpp"

#include <algorithm>

#include "overlay/cluster_view.hpp"

namespace cairn::haa {

ClusterBuilder::ClusterBuilder(const AnnotatedMap& map, const hpa::Partition& partition,
                               const Options& options, const Serving& serving)
    : map_(&map),
      partition_(&partition),
      options_(&options),
      serving_(&serving),
      finder_(map, partition, options, serving),
      groups_(serving.classes()),
      group_of_(serving.classes()) {}

std::vector<std::uint32_t> ClusterBuilder::record(std::uint32_t cluster) {
    const grid::Rect rect = partition_->rect(1, cluster);
    const std::vector<AnnotatedNode>& nodes = finder_.nodes(cluster);
    if (nodes.empty()) return {};
    group_classes(rect);
    search(rect, nodes);
    collect_edges(ClusterView::triangle(nodes.size()));
    return AnnotatedCluster::record(nodes, edges_of_pair_, edges_);
}

void ClusterBuilder::group_classes(const grid::Rect& rect) {
    group_count_ = 0;
    for (std::uint32_t k = 0; k < group_of_.size(); ++k) {
        // The next unused group holds the weights of class k, so the loop below ends there.
        std::vector<std::uint8_t>& weights = groups_[group_count_].weights;
        finder_.windows()[k].read_inside(rect, weights);
        std::uint32_t group = 0;
        while (groups_[group].weights != weights) ++group;
        group_of_[k] = group;
        if (group == group_count_) ++group_count_;
    }
}

void ClusterBuilder::search(const grid::Rect& rect, std::span<const AnnotatedNode> nodes) {
    const auto width = static_cast<grid::Cell>(map_->width());
    places_.clear();
    for (const AnnotatedNode& node : nodes) {
        const auto x = node.cell % width - static_cast<std::uint32_t>(rect.x);
        const auto y = node.cell / width - static_cast<std::uint32_t>(rect.y);
        places_.push_back(y * static_cast<std::uint32_t>(rect.width) + x);
    }
    for (std::size_t g = 0; g < group_count_; ++g) {
        Group& group = groups_[g];
        group.costs.assign(ClusterView::triangle(nodes.size()), kInfinity);
        standing_.clear();
        for (std::uint32_t slot = 0; slot < nodes.size(); ++slot) {
            if (group.weights[places_[slot]] != 0) standing_.push_back(slot);
        }
        if (standing_.size() < 2) continue;
        local_.set_window(rect, group.weights, map_->options().rules, map_->options().costs);
        for (std::size_t i = 1; i < standing_.size(); ++i) {
            local_.run(places_[standing_[i]]);
            for (std::size_t j = 0; j < i; ++j) {
                group.costs[ClusterView::triangle(standing_[i], standing_[j])] =
                    local_.distance(places_[standing_[j]]);
            }
        }
    }
}

void ClusterBuilder::collect_edges(std::size_t pairs) {
    const bool keep_all = options_->abstraction == Abstraction::initial;
    edges_of_pair_.clear();
    edges_.clear();
    for (std::size_t pair = 0; pair < pairs; ++pair) {
        const std::size_t before = edges_.size();
        for (const std::uint8_t k : serving_->order()) {
            const Cost cost = groups_[group_of_[k]].costs[pair];
            if (cost < kInfinity && (keep_all || !dominated(k, pair))) edges_.push_back({cost, k});
        }
        edges_of_pair_.push_back(static_cast<std::uint8_t>(edges_.size() - before));
    }
}

// Strong dominance: another class that serves `agent_class` has an edge of at most the same cost. A
// class never pays less than one that it serves, so the costs are equal. Some nearest serving class
// lies between the two and has that cost, too.
bool ClusterBuilder::dominated(std::uint8_t agent_class, std::size_t pair) const noexcept {
    const Cost cost = groups_[group_of_[agent_class]].costs[pair];
    const auto nearest = serving_->nearest(agent_class);
    return std::any_of(nearest.begin(), nearest.end(), [&](std::uint8_t other) {
        return groups_[group_of_[other]].costs[pair] == cost;
    });
}

}  // namespace cairn::haa
