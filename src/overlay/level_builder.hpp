#pragma once
// Makes the record of one cluster of a level above the first, from those of the level below (HPA*
// paper, section 3.4).

#include <algorithm>
#include <cstdint>
#include <vector>

#include "overlay/level_search.hpp"

namespace cairn {

/// Not for several threads at once: each has its own.
template <BaseGraph Base>
class LevelBuilder {
public:
    /// The overlay outlives the builder and holds the levels below those asked for.
    explicit LevelBuilder(const Overlay<Base>& overlay) : overlay_(&overlay) {}

    /// The record of a cluster of `level` > 1: the children's nodes with an inter-edge that leaves
    /// or enters the cluster, and one search from each confined to it.
    [[nodiscard]] std::vector<std::uint32_t> record(int level, std::uint32_t cluster) {
        find_border(level, cluster);
        bases_.clear();
        infos_.clear();
        for (const BorderChild& node : border_) {
            bases_.push_back(node.base);
            infos_.push_back(node.crossings | node.slot << 8);
        }
        return overlay_->base.directed() ? with_rows(level, cluster)
                                         : with_triangle(level, cluster);
    }

private:
    struct BorderChild {
        std::uint32_t base;
        std::uint32_t child;
        std::uint32_t slot;
        std::uint32_t crossings;
    };

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
                  [](const BorderChild& a, const BorderChild& b) { return a.base < b.base; });
    }

    [[nodiscard]] std::vector<std::uint32_t> with_triangle(int level, std::uint32_t cluster) {
        costs_.clear();
        for (std::size_t i = 1; i < border_.size(); ++i) {
            search_from(border_[i], level - 1, cluster);
            for (std::size_t j = 0; j < i; ++j) append_cost(border_[j]);
        }
        return ClusterView::record(bases_, infos_, costs_);
    }

    [[nodiscard]] std::vector<std::uint32_t> with_rows(int level, std::uint32_t cluster) {
        costs_.clear();
        for (const BorderChild& from : border_) {
            search_from(from, level - 1, cluster);
            for (const BorderChild& to : border_) append_cost(to);
        }
        return ClusterView::record_of_rows(bases_, infos_, costs_);
    }

    void search_from(const BorderChild& from, int level, std::uint32_t confine) {
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

    void append_cost(const BorderChild& to) {
        costs_.push_back(search_.exit_cost(to.child, to.slot));
    }

    const Overlay<Base>* overlay_;
    LevelSearch<Base> search_;
    std::vector<BorderChild> border_;
    std::vector<Cost> start_costs_;
    std::vector<std::uint32_t> bases_;  // the record in the making
    std::vector<std::uint32_t> infos_;
    std::vector<Cost> costs_;
};

}  // namespace cairn
