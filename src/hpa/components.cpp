#include "hpa/components.hpp"

#include <vector>

#include "hpa/local_connectivity.hpp"

namespace cairn::hpa {

NodeComponents::NodeComponents(const Overlay& overlay) {
    const std::size_t keys = overlay.key_count(1);
    UnionFind sets(keys);
    for (std::uint32_t cluster = 0; cluster < overlay.partition.clusters(1); ++cluster) {
        const ClusterView view = overlay.cluster(1, cluster);
        const NodeKey first = overlay.key(1, cluster, 0);
        unite_inside(view,
                     [&](std::uint32_t a, std::uint32_t b) { sets.unite(first + a, first + b); });
        for_each_inter_edge(overlay, view, [&](std::uint32_t slot, NodeKey across) {
            sets.unite(first + slot, across);
        });
    }
    std::vector<std::uint32_t> labels(keys, 0);
    std::vector<std::uint32_t> joined;
    for (std::uint32_t cluster = 0; cluster < overlay.partition.clusters(1); ++cluster) {
        for (std::uint32_t slot = 0; slot < overlay.cluster(1, cluster).count(); ++slot) {
            const NodeKey key = overlay.key(1, cluster, slot);
            const std::uint32_t first = sets.find(key);
            if (first == key) joined.push_back(static_cast<std::uint32_t>(joined.size()));
            labels[key] = first == key ? joined.back() : labels[first];
        }
    }
    labels_ = PagedArray<std::uint32_t>(std::span<const std::uint32_t>(labels));
    joined_ = PagedArray<std::uint32_t>(std::span<const std::uint32_t>(joined));
}

namespace {

// Beyond this many clusters an edit is better labelled afresh than compared set by set.
constexpr std::size_t kMostRedone = 32;

}  // namespace

/// One update of the labels: joins first, then what was parted.
class NodeComponents::Update {
public:
    Update(const NodeComponents& before, const Overlay& overlay,
           std::span<const std::uint32_t> redone)
        : overlay_(&overlay),
          redone_(redone),
          local_(overlay, redone),
          rim_(local_.rim()),
          labels_(before.labels_),
          joined_(before.joined_) {}

    void label_redone_nodes() {
        set_label_.assign(local_.set_limit(), LocalConnectivity::kNone);
        for (const auto& [key, set] : rim_) {
            const std::uint32_t label = root(labels_[key]);
            std::uint32_t& joint = set_label_[set];
            if (joint == LocalConnectivity::kNone) {
                joint = label;
            } else if (root(joint) != label) {
                joined_.set(label, root(joint));
            }
        }
        for (std::size_t i = 0; i < redone_.size(); ++i) {
            for (std::uint32_t slot = 0; slot < overlay_->cluster(1, redone_[i]).count(); ++slot) {
                std::uint32_t& label = set_label_[local_.set_of(i, slot)];
                if (label == LocalConnectivity::kNone) label = fresh_label();
                labels_.set(overlay_->key(1, redone_[i], slot), label);
            }
        }
    }

    /// Relabels what is no longer connected: searches spread from every set of the rim, one node
    /// each in turn, until all but one have met another or come to an end.
    void find_parted() {
        owner_.assign(overlay_->key_count(1), LocalConnectivity::kNone);
        std::vector<std::uint32_t> search_of_set(local_.set_limit(), LocalConnectivity::kNone);
        for (const auto& [key, set] : rim_) {
            if (search_of_set[set] == LocalConnectivity::kNone) {
                search_of_set[set] = met_.add();
                reached_.emplace_back();
            }
            reach(search_of_set[set], key);
        }
        next_.assign(reached_.size(), 0);
        // A label shared by searches that have not met: is it still one component?
        while (step_all()) {
        }
        relabel_ended();
    }

    NodeComponents take() {
        NodeComponents result;
        result.labels_ = labels_.take();
        result.joined_ = joined_.take();
        return result;
    }

private:
    [[nodiscard]] std::uint32_t root(std::uint32_t label) const {
        while (joined_[label] != label) label = joined_[label];
        return label;
    }
    std::uint32_t fresh_label() {
        const auto label = static_cast<std::uint32_t>(joined_.size());
        joined_.push_back(label);
        return label;
    }
    [[nodiscard]] std::uint32_t label_of(std::uint32_t search) const {
        return root(labels_[reached_[search].front()]);
    }

    void reach(std::uint32_t search, NodeKey key) {
        if (owner_[key] == LocalConnectivity::kNone) {
            owner_[key] = search;
            reached_[search].push_back(key);
        } else {
            met_.unite(owner_[key], search);
        }
    }

    void expand(std::uint32_t search, NodeKey key) {
        const std::uint32_t cluster = overlay_->cluster_of_key(1, key);
        const std::uint32_t slot = overlay_->slot_of_key(1, key);
        const ClusterView view = overlay_->cluster(1, cluster);
        for (std::uint32_t other = 0; other < view.count(); ++other) {
            if (view.cost(slot, other) < kInfinity) reach(search, overlay_->key(1, cluster, other));
        }
        for_each_inter_edge_of(*overlay_, view, slot,
                               [&](NodeKey across) { reach(search, across); });
    }

    // Expands one node of every search whose label another live group of searches shares. False
    // when there is none.
    bool step_all() {
        // Groups of searches that have met, and whether one of them can go on.
        std::vector<bool> live(reached_.size(), false);
        for (std::uint32_t s = 0; s < reached_.size(); ++s) {
            if (next_[s] < reached_[s].size()) live[met_.find(s)] = true;
        }
        bool stepped = false;
        for (std::uint32_t s = 0; s < reached_.size(); ++s) {
            if (next_[s] == reached_[s].size() || !has_live_rival(s, live)) continue;
            expand(s, reached_[s][next_[s]++]);
            stepped = true;
        }
        return stepped;
    }

    bool has_live_rival(std::uint32_t search, const std::vector<bool>& live) {
        for (std::uint32_t s = 0; s < reached_.size(); ++s) {
            if (met_.find(s) == s && s != met_.find(search) && live[s] &&
                label_of(s) == label_of(search))
                return true;
        }
        return false;
    }

    // Groups that came to an end are components of their own, but for one that may keep the label.
    void relabel_ended() {
        std::vector<bool> live(reached_.size(), false);
        for (std::uint32_t s = 0; s < reached_.size(); ++s) {
            if (next_[s] < reached_[s].size()) live[met_.find(s)] = true;
        }
        std::vector<std::uint32_t> kept;  // labels that a group has kept
        for (std::uint32_t s = 0; s < reached_.size(); ++s) {
            if (met_.find(s) == s && live[s]) kept.push_back(label_of(s));
        }
        std::vector<std::pair<std::uint32_t, std::uint32_t>> fresh;  // group, label
        for (std::uint32_t s = 0; s < reached_.size(); ++s) {
            if (met_.find(s) != s || live[s]) continue;
            if (std::find(kept.begin(), kept.end(), label_of(s)) == kept.end()) {
                kept.push_back(label_of(s));
            } else {
                fresh.emplace_back(s, fresh_label());
            }
        }
        for (const auto& [group, label] : fresh) {
            for (std::uint32_t s = 0; s < reached_.size(); ++s) {
                if (met_.find(s) != group) continue;
                for (const NodeKey key : reached_[s]) labels_.set(key, label);
            }
        }
    }

    const Overlay* overlay_;
    std::span<const std::uint32_t> redone_;
    LocalConnectivity local_;
    std::vector<LocalConnectivity::RimNode> rim_;
    PagedArray<std::uint32_t>::Editor labels_;
    PagedArray<std::uint32_t>::Editor joined_;
    std::vector<std::uint32_t> set_label_;

    std::vector<std::uint32_t> owner_;           // per key: the search that reached it first
    std::vector<std::vector<NodeKey>> reached_;  // per search, in order
    std::vector<std::size_t> next_;              // per search: the first node not yet expanded
    UnionFind met_{0};
};

NodeComponents NodeComponents::updated(const Overlay& before, const Overlay& after,
                                       std::span<const std::uint32_t> redone) const {
    if (redone.empty()) return *this;
    // Every parting leaves a label behind: start afresh before they outnumber the nodes.
    if (before.bits(1) != after.bits(1) || joined_.size() > labels_.size())
        return NodeComponents(after);
    if (redone.size() > kMostRedone) return NodeComponents(after);
    Update update(*this, after, redone);
    update.label_redone_nodes();
    if (LocalConnectivity(before, redone).rim_partition() !=
        LocalConnectivity(after, redone).rim_partition()) {
        update.find_parted();
    }
    return update.take();
}

}  // namespace cairn::hpa
