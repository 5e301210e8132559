#include "haa/cluster_builder.hpp"

#include <algorithm>

namespace cairn::haa {

ClusterBuilder::ClusterBuilder(const AnnotatedMap& map, const hpa::Partition& partition,
                               const Options& options, std::span<const std::uint8_t> choosing_order)
    : map_(&map),
      partition_(&partition),
      options_(&options),
      finder_(map, partition, options, choosing_order),
      groups_(map.classes()),
      group_of_(map.classes()),
      slots_(map.classes()) {}

std::vector<std::uint32_t> ClusterBuilder::record(std::uint32_t cluster) {
    return record_of(partition_->rect(1, cluster), finder_.nodes(cluster));
}

std::vector<std::uint32_t> ClusterBuilder::record_with_costs(
    std::uint32_t cluster, std::span<const std::uint32_t> before) {
    const grid::Rect rect = partition_->rect(1, cluster);
    finder_.read_windows(rect);
    return record_of(rect, AnnotatedCluster(before).all_nodes());
}

std::vector<std::uint32_t> ClusterBuilder::record_of(const grid::Rect& rect,
                                                     std::span<const AnnotatedNode> nodes) {
    if (nodes.empty()) return {};
    group_classes(rect);
    list_nodes(nodes);
    search(rect, nodes);
    collect_edges();
    return AnnotatedCluster::record(nodes, edges_, map_->classes());
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

void ClusterBuilder::list_nodes(std::span<const AnnotatedNode> nodes) {
    classes_.clear();
    for (std::vector<std::uint32_t>& slots : slots_) slots.clear();
    for (std::uint32_t slot = 0; slot < nodes.size(); ++slot) {
        classes_.push_back(nodes[slot].classes());
        for (std::size_t k = 0; k < slots_.size(); ++k) {
            if (classes_.back()[k]) slots_[k].push_back(slot);
        }
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
        ClassSet members;
        for (std::size_t k = 0; k < group_of_.size(); ++k) members.set(k, group_of_[k] == g);
        sources_.clear();
        for (std::uint32_t slot = 0; slot < nodes.size(); ++slot) {
            if ((classes_[slot] & members).any()) sources_.push_back(slot);
        }
        Group& group = groups_[g];
        group.costs.assign(nodes.size() * nodes.size(), kInfinity);
        if (sources_.size() < 2) continue;
        local_.set_window(rect, group.weights, map_->options().rules, map_->options().costs);
        for (std::size_t i = 1; i < sources_.size(); ++i) {
            local_.run(places_[sources_[i]]);
            for (std::size_t j = 0; j < i; ++j) {
                const Cost cost = local_.distance(places_[sources_[j]]);
                group.costs[sources_[i] * nodes.size() + sources_[j]] = cost;
                group.costs[sources_[j] * nodes.size() + sources_[i]] = cost;
            }
        }
    }
}

void ClusterBuilder::collect_edges() {
    edges_.clear();
    for (std::uint32_t a = 1; a < classes_.size(); ++a) {
        for (std::uint32_t b = 0; b < a; ++b) {
            if ((classes_[a] & classes_[b]).any()) add_edges(a, b);
        }
    }
}

// Adds the edges between two nodes. Classes of equal cost share one (strong dominance), but not in
// the initial abstraction.
void ClusterBuilder::add_edges(std::uint32_t a, std::uint32_t b) {
    const ClassSet both = classes_[a] & classes_[b];
    const bool initial = options_->abstraction == Abstraction::initial;
    const auto first = static_cast<std::ptrdiff_t>(edges_.size());
    for (std::uint32_t k = 0; k < group_of_.size(); ++k) {
        if (!both[k]) continue;
        const Cost cost = groups_[group_of_[k]].costs[a * classes_.size() + b];
        if (cost >= kInfinity || (!initial && has_stop(k, a, b))) continue;
        const auto same =
            std::find_if(edges_.begin() + first, edges_.end(),
                         [&](const AnnotatedEdge& e) { return !initial && e.cost == cost; });
        if (same != edges_.end()) {
            same->classes.set(k);
        } else {
            edges_.push_back({a, b, cost, {}});
            edges_.back().classes.set(k);
        }
    }
    std::stable_sort(
        edges_.begin() + first, edges_.end(),
        [](const AnnotatedEdge& x, const AnnotatedEdge& y) { return x.cost < y.cost; });
}

// Whether a shortest path of a class from `a` to `b` passes another node of its own.
bool ClusterBuilder::has_stop(std::uint32_t agent_class, std::uint32_t a,
                              std::uint32_t b) const noexcept {
    const std::vector<Cost>& costs = groups_[group_of_[agent_class]].costs;
    const Cost* from_a = &costs[a * classes_.size()];
    const Cost* from_b = &costs[b * classes_.size()];
    const std::vector<std::uint32_t>& slots = slots_[agent_class];
    return std::any_of(slots.begin(), slots.end(), [&](std::uint32_t via) {
        return via != a && via != b && from_a[via] + from_b[via] <= from_a[b];
    });
}

}  // namespace cairn::haa
