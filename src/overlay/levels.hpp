#pragma once
// Makes the levels of an overlay, from scratch or after an edit. The planner makes level 1 from its
// map or mesh; the functions here make each higher level from the level below.

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "cairn/control.hpp"
#include "cairn/status.hpp"
#include "core/parallel_loop.hpp"
#include "core/sort_unique.hpp"
#include "overlay/level_search.hpp"
#include "overlay/overlay.hpp"

namespace cairn {

/// Makes the records of clusters of levels above the first, from those of the level below (HPA*
/// paper, section 3.4). One per thread.
template <BaseGraph Base>
class LevelBuilder {
public:
    /// The overlay must outlive the builder.
    explicit LevelBuilder(const Overlay<Base>& overlay) : overlay_(&overlay) {}

    /// The record of a cluster of `level` > 1. Its nodes are the nodes of its children that have an
    /// inter-edge to a node outside it; one search from each, confined to it, finds the costs. The
    /// overlay must hold the level below.
    [[nodiscard]] std::vector<std::uint32_t> record(int level, std::uint32_t cluster) {
        find_border(level, cluster);
        bases_.clear();
        infos_.clear();
        for (const BorderNode& node : border_) {
            bases_.push_back(node.base);
            infos_.push_back(node.crossings | node.slot << 8);
        }
        const bool directed = overlay_->base.directed();
        costs_.clear();
        for (std::size_t i = directed ? 0 : 1; i < border_.size(); ++i) {
            search_from(border_[i], level - 1, cluster);
            const std::size_t last = directed ? border_.size() : i;
            for (std::size_t j = 0; j < last; ++j)
                costs_.push_back(search_.exit_cost(border_[j].child, border_[j].slot));
        }
        return directed ? ClusterView::record_of_rows(bases_, infos_, costs_)
                        : ClusterView::record(bases_, infos_, costs_);
    }

private:
    /// A node of the level below that becomes a node of the cluster.
    struct BorderNode {
        std::uint32_t base;
        std::uint32_t child;      ///< its cluster on the level below
        std::uint32_t slot;       ///< in `child`
        std::uint32_t crossings;  ///< those that lead out of the cluster
    };

    /// Sets border_ to the nodes of the cluster, sorted by base node.
    void find_border(int level, std::uint32_t cluster) {
        border_.clear();
        const Base& base = overlay_->base;
        const typename Base::Area area = base.area(level, cluster);
        base.for_each_child(level, cluster, [&](std::uint32_t child) {
            const ClusterView view = overlay_->cluster(level - 1, child);
            for (std::uint32_t slot = 0; slot < view.count(); ++slot) {
                const std::uint32_t leaving = crossings_out_of(base, area, view, slot);
                if (leaving != 0) border_.push_back({view.base(slot), child, slot, leaving});
            }
        });
        std::sort(border_.begin(), border_.end(),
                  [](const BorderNode& a, const BorderNode& b) { return a.base < b.base; });
    }

    /// Finds the costs from a node to all nodes of `level` inside the cluster `confine` above.
    void search_from(const BorderNode& from, int level, std::uint32_t confine) {
        const ClusterView child = overlay_->cluster(level, from.child);
        start_costs_.resize(child.count());
        for (std::uint32_t slot = 0; slot < child.count(); ++slot) {
            start_costs_[slot] = child.cost(from.slot, slot);
        }
        typename LevelSearch<Base>::Task task;
        task.level = level;
        task.confine = confine;
        task.start = {from.child, start_costs_};
        search_.begin(*overlay_, task);
        search_.advance();
    }

    const Overlay<Base>* overlay_;
    LevelSearch<Base> search_;
    std::vector<BorderNode> border_;
    std::vector<Cost> start_costs_;
    std::vector<std::uint32_t> bases_;  // the parts of the record, see ClusterView::record
    std::vector<std::uint32_t> infos_;
    std::vector<Cost> costs_;
};

/// Checks that the NodeKeys of a level fit: ok, or too_large.
template <BaseGraph Base>
[[nodiscard]] Status check_keys(const Overlay<Base>& overlay, int level) {
    constexpr int kMaxKeyBits = 28;  // a LevelSearch takes 16 bytes a key: 4 GiB
    if (overlay.key_count(level) <= std::size_t{1} << kMaxKeyBits) return {};
    return {StatusCode::too_large, fmt::format("level {} has {} clusters of up to {} nodes, more "
                                               "than 2^{} in all: choose larger clusters",
                                               level, overlay.base.clusters(level),
                                               1U << overlay.bits(level), kMaxKeyBits)};
}

/// Computes slot_bits of the lowest level that has none yet. Errors: as check_keys. O(clusters).
template <BaseGraph Base>
[[nodiscard]] Status add_slot_bits(Overlay<Base>& overlay) {
    const RecordStore& store = overlay.levels[overlay.slot_bits.size()];
    std::uint32_t most = 0;
    for (std::size_t i = 0; i < store.size(); ++i) {
        most = std::max(most, ClusterView(store[i]).count());
    }
    overlay.slot_bits.push_back(bits_for_slots(most));
    return check_keys(overlay, static_cast<int>(overlay.slot_bits.size()));
}

/// Adds a level on top, given its records, one per cluster. Errors: as check_keys.
template <BaseGraph Base>
[[nodiscard]] Status add_level(Overlay<Base>& overlay,
                               std::span<const std::vector<std::uint32_t>> records) {
    overlay.levels.emplace_back(records);
    return add_slot_bits(overlay);
}

/// Builds and adds a level on top; level 1 must be there. Errors: cancelled, or as check_keys.
template <BaseGraph Base>
[[nodiscard]] Status build_level(Overlay<Base>& overlay, const BuildControl& control,
                                 Progress& progress) {
    const int level = static_cast<int>(overlay.levels.size()) + 1;
    std::vector<std::vector<std::uint32_t>> records(overlay.base.clusters(level));
    const auto make = [&](LevelBuilder<Base>& builder, std::uint32_t id) {
        records[id] = builder.record(level, id);
    };
    const auto new_worker = [&] { return LevelBuilder<Base>(overlay); };
    if (Status s = for_each_item(overlay.base.clusters(level), control, progress, new_worker, make);
        !s.ok()) {
        return s;
    }
    return add_level(overlay, records);
}

/// Replaces records of a level; `records` are sorted by cluster. Returns the clusters whose record
/// differs from the old one. The caller must check_keys.
template <BaseGraph Base>
[[nodiscard]] std::vector<std::uint32_t> replace_records(Overlay<Base>& overlay, int level,
                                                         std::vector<RecordStore::Change> records) {
    RecordStore& store = overlay.levels[static_cast<std::size_t>(level - 1)];
    std::erase_if(records, [&](const RecordStore::Change& change) {
        const RecordStore::Record old = store[change.first];
        return std::equal(change.second.begin(), change.second.end(), old.begin(), old.end());
    });
    std::vector<std::uint32_t> changed;
    changed.reserve(records.size());
    std::uint32_t most = 0;
    for (const auto& [id, record] : records) {
        changed.push_back(id);
        most = std::max(most, ClusterView(record).count());
    }
    store = store.with(records);
    auto& bits = overlay.slot_bits[static_cast<std::size_t>(level - 1)];
    bits = std::max(bits, bits_for_slots(most));
    return changed;
}

/// Makes some clusters of a level above the first anew. Returns those whose record has changed.
template <BaseGraph Base>
[[nodiscard]] std::vector<std::uint32_t> redo_level(Overlay<Base>& overlay, int level,
                                                    std::span<const std::uint32_t> clusters) {
    LevelBuilder<Base> builder(overlay);
    std::vector<RecordStore::Change> records;
    records.reserve(clusters.size());
    for (const std::uint32_t id : clusters) records.emplace_back(id, builder.record(level, id));
    return replace_records(overlay, level, std::move(records));
}

/// The clusters of a level that hold any of `children`, of the level below. Sorted, each once.
template <BaseGraph Base>
[[nodiscard]] std::vector<std::uint32_t> parents(const Base& base, int level,
                                                 std::span<const std::uint32_t> children) {
    std::vector<std::uint32_t> result;
    result.reserve(children.size());
    for (const std::uint32_t child : children) result.push_back(base.parent(level, child));
    sort_unique(result);
    return result;
}

/// After clusters of level 1 have changed (`changed`, sorted): makes the clusters above them anew,
/// level by level. A cluster whose children's records stay the same is skipped, unless
/// `crossings_changed`: costs of inter-edges, which are in no record, may differ. Errors: as
/// check_keys.
template <BaseGraph Base>
[[nodiscard]] Status redo_levels_above(Overlay<Base>& overlay, std::vector<std::uint32_t> changed,
                                       bool crossings_changed) {
    const int levels = static_cast<int>(overlay.levels.size());
    for (int level = 2; level <= levels && !changed.empty(); ++level) {
        std::vector<std::uint32_t> above = parents(overlay.base, level, changed);
        changed = redo_level(overlay, level, above);
        if (crossings_changed) changed = std::move(above);
    }
    for (int level = 1; level <= levels; ++level) {
        if (Status s = check_keys(overlay, level); !s.ok()) return s;
    }
    return {};
}

}  // namespace cairn
