#pragma once
// Labels the connected components of the graph of level 1, from scratch or after an edit.

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/union_find.hpp"
#include "overlay/components.hpp"
#include "overlay/overlay.hpp"

namespace cairn {

/// Whether a path inside the cluster joins the nodes at two slots, in at least one direction.
[[nodiscard]] inline bool joined_inside(const ClusterView& view, std::uint32_t a,
                                        std::uint32_t b) noexcept {
    return view.cost(a, b) < kInfinity || (view.directed() && view.cost(b, a) < kInfinity);
}

/// Calls unite(slot, slot) for pairs of nodes joined inside a cluster: not for all pairs, but for
/// enough to connect all nodes that are connected inside.
template <class Unite>
void unite_inside(const ClusterView& view, Unite&& unite) {
    for (std::uint32_t i = 1; i < view.count(); ++i) {
        for (std::uint32_t j = 0; j < i; ++j) {
            if (!joined_inside(view, i, j)) continue;
            unite(i, j);
            // Undirected: all nodes that i is joined to are joined to j, too.
            if (!view.directed()) break;
        }
    }
}

/// Calls use(NodeKey of the other end) for every inter-edge of a node of a cluster of level 1.
template <BaseGraph Base, class Use>
void for_each_inter_edge_of(const Overlay<Base>& overlay, const ClusterView& view,
                            std::uint32_t slot, Use&& use) {
    for (std::uint32_t c = view.crossings(slot); c != 0; c &= c - 1) {
        const std::uint32_t to = overlay.base.across(view.base(slot), std::countr_zero(c));
        const std::uint32_t cluster = overlay.cluster_of(1, to);
        use(overlay.key(1, cluster, overlay.cluster(1, cluster).find(to)));
    }
}

/// Calls use(slot, NodeKey of the other end) for every inter-edge of a cluster of level 1.
template <BaseGraph Base, class Use>
void for_each_inter_edge(const Overlay<Base>& overlay, const ClusterView& view, Use&& use) {
    for (std::uint32_t slot = 0; slot < view.count(); ++slot) {
        for_each_inter_edge_of(overlay, view, slot, [&](NodeKey across) { use(slot, across); });
    }
}

/// The sets of nodes that are connected inside some clusters of level 1 and by their inter-edges.
/// The rim, the nodes of other clusters at the other ends of these inter-edges, is included.
class LocalConnectivity {
public:
    static constexpr NodeKey kNone = 0xffff'ffff;
    using RimNode = std::pair<NodeKey, std::uint32_t>;  // a node of the rim, and its set

    /// `clusters` are sorted.
    template <BaseGraph Base>
    LocalConnectivity(const Overlay<Base>& overlay, std::span<const std::uint32_t> clusters);

    /// Numbers of sets are below this; not every number is used.
    [[nodiscard]] std::size_t set_limit() const noexcept { return own_ + rim_.size(); }
    /// The set of the node at `slot` of clusters[cluster_index].
    [[nodiscard]] std::uint32_t set_of(std::size_t cluster_index, std::uint32_t slot) {
        return sets_.find(first_[cluster_index] + slot);
    }
    /// The rim's nodes by ascending key, each once.
    [[nodiscard]] std::vector<RimNode> rim() {
        std::vector<RimNode> result;
        for (const auto& [key, node] : rim_) {
            if (result.empty() || result.back().first != key)
                result.emplace_back(key, sets_.find(node));
        }
        return result;
    }
    /// For every rim node, the least rim node of its set.
    [[nodiscard]] std::vector<std::pair<NodeKey, NodeKey>> rim_partition() {
        std::vector<NodeKey> least(set_limit(), kNone);
        std::vector<std::pair<NodeKey, NodeKey>> result;
        for (const auto& [key, set] : rim()) {
            least[set] = std::min(least[set], key);
            result.emplace_back(key, least[set]);
        }
        return result;
    }

private:
    // Unites the entries of rim_ that are the same node, reached by several inter-edges.
    void join_rim() {
        std::sort(rim_.begin(), rim_.end());
        for (std::size_t i = 1; i < rim_.size(); ++i) {
            if (rim_[i].first == rim_[i - 1].first) sets_.unite(rim_[i].second, rim_[i - 1].second);
        }
    }

    std::size_t own_ = 0;               // nodes of the clusters
    std::vector<std::uint32_t> first_;  // per cluster: number of its first node in sets_
    UnionFind sets_{0};                 // the clusters' nodes, then the entries of rim_
    std::vector<RimNode> rim_;          // an entry per inter-edge: the node and its number in sets_
};

template <BaseGraph Base>
LocalConnectivity::LocalConnectivity(const Overlay<Base>& overlay,
                                     std::span<const std::uint32_t> clusters) {
    for (const std::uint32_t cluster : clusters) {
        first_.push_back(static_cast<std::uint32_t>(own_));
        own_ += overlay.cluster(1, cluster).count();
    }
    for (std::size_t i = 0; i < own_; ++i) sets_.add();

    for (std::size_t i = 0; i < clusters.size(); ++i) {
        const ClusterView view = overlay.cluster(1, clusters[i]);
        const std::uint32_t first = first_[i];
        unite_inside(view,
                     [&](std::uint32_t a, std::uint32_t b) { sets_.unite(first + a, first + b); });
        for_each_inter_edge(overlay, view, [&](std::uint32_t slot, NodeKey across) {
            const std::uint32_t cluster = overlay.cluster_of_key(1, across);
            const auto found = std::lower_bound(clusters.begin(), clusters.end(), cluster);
            if (found != clusters.end() && *found == cluster) {
                const auto other = static_cast<std::size_t>(found - clusters.begin());
                sets_.unite(first + slot, first_[other] + overlay.slot_of_key(1, across));
            } else {
                const std::uint32_t node = sets_.add();
                sets_.unite(first + slot, node);
                rim_.emplace_back(across, node);
            }
        });
    }
    join_rim();
}

/// Labels every node. O(size of the abstract graph).
template <BaseGraph Base>
[[nodiscard]] NodeComponents label_components(const Overlay<Base>& overlay) {
    const std::uint32_t clusters = overlay.base.clusters(1);
    std::vector<std::uint32_t> first(std::size_t{clusters} + 1);  // nodes of the clusters before
    for (std::uint32_t cluster = 0; cluster < clusters; ++cluster)
        first[cluster + 1] = first[cluster] + overlay.cluster(1, cluster).count();
    UnionFind sets(first.back());
    for (std::uint32_t cluster = 0; cluster < clusters; ++cluster) {
        const ClusterView view = overlay.cluster(1, cluster);
        const std::uint32_t own = first[cluster];
        unite_inside(view, [&](std::uint32_t a, std::uint32_t b) { sets.unite(own + a, own + b); });
        for_each_inter_edge(overlay, view, [&](std::uint32_t slot, NodeKey across) {
            sets.unite(own + slot,
                       first[overlay.cluster_of_key(1, across)] + overlay.slot_of_key(1, across));
        });
    }
    std::vector<std::uint32_t> labels(first.back());
    std::vector<std::uint32_t> joined;
    for (std::uint32_t node = 0; node < labels.size(); ++node) {
        const std::uint32_t least = sets.find(node);
        if (least == node) joined.push_back(static_cast<std::uint32_t>(joined.size()));
        labels[node] = least == node ? joined.back() : labels[least];
    }
    std::vector<std::vector<std::uint32_t>> records(clusters);
    for (std::uint32_t cluster = 0; cluster < clusters; ++cluster) {
        const auto own = component_record(
            std::span(labels).subspan(first[cluster], first[cluster + 1] - first[cluster]));
        records[cluster].assign(own.begin(), own.end());
    }
    return {RecordStore(records), PagedArray<std::uint32_t>(std::span<const std::uint32_t>(joined)),
            joined.size()};
}

/// The labels of nodes while an edit changes them.
template <BaseGraph Base>
class ComponentLabelEditor {
public:
    ComponentLabelEditor(const NodeComponents& before, const Overlay<Base>& after)
        : before_(&before), overlay_(&after) {}

    [[nodiscard]] std::uint32_t operator[](NodeKey key) const {
        const std::uint32_t cluster = overlay_->cluster_of_key(1, key);
        const std::uint32_t slot = overlay_->slot_of_key(1, key);
        const auto found = changed_.find(cluster);
        return found == changed_.end() ? before_->label(cluster, slot)
                                       : labels_[found->second][slot];
    }
    void set(NodeKey key, std::uint32_t label) {
        const std::uint32_t cluster = overlay_->cluster_of_key(1, key);
        const auto [found, fresh] =
            changed_.try_emplace(cluster, static_cast<std::uint32_t>(labels_.size()));
        if (fresh) {
            const RecordStore::Record record = before_->labels[cluster];
            auto& labels = labels_.emplace_back(record.begin(), record.end());
            labels.resize(overlay_->cluster(1, cluster).count(),
                          record.empty() ? 0 : record.front());
        }
        labels_[found->second][overlay_->slot_of_key(1, key)] = label;
    }
    [[nodiscard]] RecordStore take() {
        std::vector<std::uint64_t> order;  // clusters, and the indexes of their labels
        for (const auto& [cluster, index] : changed_)
            order.push_back(std::uint64_t{cluster} << 32 | index);
        std::sort(order.begin(), order.end());
        std::vector<RecordStore::Change> changes;
        for (const std::uint64_t next : order) {
            const auto record = component_record(labels_[static_cast<std::uint32_t>(next)]);
            changes.push_back(
                {static_cast<std::uint32_t>(next >> 32), {record.begin(), record.end()}});
        }
        return before_->labels.with(changes);
    }

private:
    const NodeComponents* before_;
    const Overlay<Base>* overlay_;
    std::unordered_map<std::uint32_t, std::uint32_t> changed_;  // by cluster: index of its labels
    std::vector<std::vector<std::uint32_t>> labels_;            // by slot
};

/// Updates the labels after an edit that redid some clusters of level 1: label_redone_nodes() joins
/// components; find_parted(), if components may have been split, splits them.
template <BaseGraph Base>
class ComponentUpdate {
public:
    ComponentUpdate(const NodeComponents& before, const Overlay<Base>& overlay,
                    std::span<const std::uint32_t> redone)
        : overlay_(&overlay),
          redone_(redone),
          local_(overlay, redone),
          rim_(local_.rim()),
          labels_(before, overlay),
          joined_(before.joined),
          first_labels_(before.first_labels) {}

    /// Gives the redone nodes of each set the label of the set's rim nodes, whose labels are joined
    /// into one; a set without rim nodes gets a fresh label.
    void label_redone_nodes() {
        set_label_.assign(local_.set_limit(), LocalConnectivity::kNone);
        for (const auto& [key, set] : rim_) {
            const std::uint32_t label = root(joined_, labels_[key]);
            std::uint32_t& of_set = set_label_[set];
            if (of_set == LocalConnectivity::kNone) of_set = label;
            const std::uint32_t other = root(joined_, of_set);
            if (label != other) joined_.set(std::max(label, other), std::min(label, other));
        }
        for (std::size_t i = 0; i < redone_.size(); ++i) {
            for (std::uint32_t slot = 0; slot < overlay_->cluster(1, redone_[i]).count(); ++slot) {
                std::uint32_t& label = set_label_[local_.set_of(i, slot)];
                if (label == LocalConnectivity::kNone) label = fresh_label();
                labels_.set(overlay_->key(1, redone_[i], slot), label);
            }
        }
    }

    /// Relabels the parts that an edit has split off. Searches, one from each set of the rim, take
    /// turns; searches that meet form a group. The race for a label ends when at most one group of
    /// searches with that label still has nodes to expand. Ended groups are components.
    void find_parted() {
        std::vector<std::uint32_t> search_of_set(local_.set_limit(), LocalConnectivity::kNone);
        for (const auto& [key, set] : rim_) {
            if (search_of_set[set] == LocalConnectivity::kNone) {
                search_of_set[set] = met_.add();
                searches_.emplace_back();
            }
            reach(search_of_set[set], key);
        }
        for (std::vector<std::uint32_t> racing = racing_searches(); !racing.empty();
             racing = racing_searches()) {
            constexpr int kBurst = 16;  // expansions of a search between calls of racing_searches
            for (const std::uint32_t search : racing) {
                for (int i = 0; i < kBurst && !searches_[search].ended(); ++i) expand(search);
            }
        }
        relabel_ended();
    }

    [[nodiscard]] NodeComponents take() { return {labels_.take(), joined_.take(), first_labels_}; }

private:
    struct Search {
        std::vector<NodeKey> reached;  // in breadth-first order
        std::size_t next = 0;          // index of the first one not yet expanded
        [[nodiscard]] bool ended() const noexcept { return next == reached.size(); }
    };

    std::uint32_t fresh_label() {
        const auto label = static_cast<std::uint32_t>(joined_.size());
        joined_.push_back(label);
        return label;
    }
    [[nodiscard]] std::uint32_t label_of(std::uint32_t search) const {
        return root(joined_, labels_[searches_[search].reached.front()]);
    }

    void reach(std::uint32_t search, NodeKey key) {
        const auto [owner, fresh] = owner_.try_emplace(key, search);
        if (fresh) {
            searches_[search].reached.push_back(key);
        } else {
            met_.unite(owner->second, search);
        }
    }

    void expand(std::uint32_t search) {
        const NodeKey key = searches_[search].reached[searches_[search].next++];
        const std::uint32_t cluster = overlay_->cluster_of_key(1, key);
        const std::uint32_t slot = overlay_->slot_of_key(1, key);
        const ClusterView view = overlay_->cluster(1, cluster);
        for (std::uint32_t other = 0; other < view.count(); ++other) {
            if (joined_inside(view, slot, other)) reach(search, overlay_->key(1, cluster, other));
        }
        for_each_inter_edge_of(*overlay_, view, slot,
                               [&](NodeKey across) { reach(search, across); });
    }

    // The groups of searches that have met, each named by one of its searches.
    std::vector<std::uint32_t> groups() {
        std::vector<std::uint32_t> result;
        for (std::uint32_t s = 0; s < searches_.size(); ++s) {
            if (met_.find(s) == s) result.push_back(s);
        }
        return result;
    }

    bool group_ended(std::uint32_t group) {
        for (std::uint32_t s = 0; s < searches_.size(); ++s) {
            if (met_.find(s) == group && !searches_[s].ended()) return false;
        }
        return true;
    }

    // The searches with nodes to expand, if another group with the same label has nodes to expand.
    std::vector<std::uint32_t> racing_searches() {
        std::vector<std::uint32_t> live = groups();
        std::erase_if(live, [this](std::uint32_t group) { return group_ended(group); });
        std::vector<std::uint32_t> racing;
        for (std::uint32_t s = 0; s < searches_.size(); ++s) {
            const auto rival = [&](std::uint32_t group) {
                return group != met_.find(s) && label_of(group) == label_of(s);
            };
            if (!searches_[s].ended() && std::any_of(live.begin(), live.end(), rival))
                racing.push_back(s);
        }
        return racing;
    }

    // Ended groups are components. One group of each label keeps it, if possible one not ended.
    void relabel_ended() {
        std::vector<std::uint32_t> kept;  // labels that a group keeps
        std::vector<std::uint32_t> ended;
        for (const std::uint32_t group : groups()) {
            if (group_ended(group)) {
                ended.push_back(group);
            } else {
                kept.push_back(label_of(group));
            }
        }
        for (const std::uint32_t group : ended) {
            const std::uint32_t label = label_of(group);
            if (std::find(kept.begin(), kept.end(), label) == kept.end()) {
                kept.push_back(label);
            } else {
                relabel(group, fresh_label());
            }
        }
    }

    void relabel(std::uint32_t group, std::uint32_t label) {
        for (std::uint32_t s = 0; s < searches_.size(); ++s) {
            if (met_.find(s) != group) continue;
            for (const NodeKey key : searches_[s].reached) labels_.set(key, label);
        }
    }

    const Overlay<Base>* overlay_;
    std::span<const std::uint32_t> redone_;
    LocalConnectivity local_;
    std::vector<LocalConnectivity::RimNode> rim_;
    ComponentLabelEditor<Base> labels_;
    PagedArray<std::uint32_t>::Editor joined_;
    std::vector<std::uint32_t> set_label_;  // per set of local_, or kNone
    std::size_t first_labels_;
    std::vector<Search> searches_;
    std::unordered_map<NodeKey, std::uint32_t> owner_;  // the search that reached a node first
    UnionFind met_{0};                                  // of searches
};

/// The components of the overlay `after`, which differs from `before` in the clusters `redone` of
/// level 1 (sorted). `components` are those of `before`. O(redone clusters) if these connect their
/// rim as before; otherwise searches also expand about as many nodes as the smaller parts have.
template <BaseGraph Base>
[[nodiscard]] NodeComponents updated_components(const NodeComponents& components,
                                                const Overlay<Base>& before,
                                                const Overlay<Base>& after,
                                                std::span<const std::uint32_t> redone) {
    // For more clusters than this, labelling all nodes is faster than an update.
    constexpr std::size_t kMaxRedone = 32;
    // Every split adds a label, and chains of joins grow with the number of labels.
    constexpr std::size_t kMaxNewLabels = 256;
    if (redone.empty()) return components;
    if (redone.size() > kMaxRedone || before.bits(1) != after.bits(1) ||
        components.joined.size() > components.first_labels + kMaxNewLabels) {
        return label_components(after);
    }
    ComponentUpdate<Base> update(components, after, redone);
    update.label_redone_nodes();
    if (LocalConnectivity(before, redone).rim_partition() !=
        LocalConnectivity(after, redone).rim_partition()) {
        update.find_parted();
    }
    return update.take();
}

}  // namespace cairn
