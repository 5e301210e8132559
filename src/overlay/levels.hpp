#pragma once
// Makes the levels of an overlay, from scratch or after an edit. The caller gives level 1, which
// depends on the base graph; higher levels follow from it.

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
#include "overlay/level_builder.hpp"
#include "overlay/overlay.hpp"

namespace cairn {

/// ok, or too_large where a level's keys need too many bits.
template <BaseGraph Base>
[[nodiscard]] Status check_keys(const Overlay<Base>& overlay, int level) {
    constexpr int kMaxKeyBits = 28;
    if (overlay.key_count(level) <= std::size_t{1} << kMaxKeyBits) return {};
    return {StatusCode::too_large, fmt::format("level {} has {} clusters of up to {} nodes, more "
                                               "than 2^{} in all: choose larger clusters",
                                               level, overlay.base.clusters(level),
                                               1U << overlay.bits(level), kMaxKeyBits)};
}

/// Adds the slot bits of the lowest level that has none yet. Errors: as check_keys. O(level).
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

/// Adds a level by its records, one per cluster. Errors: as check_keys.
template <BaseGraph Base>
[[nodiscard]] Status add_level(Overlay<Base>& overlay,
                               std::span<const std::vector<std::uint32_t>> records) {
    overlay.levels.emplace_back(records);
    return add_slot_bits(overlay);
}

/// Adds the level on top of those there are, of which there is at least one. Errors: cancelled, or
/// as check_keys.
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

/// Replaces records of a level, which are sorted by cluster. Returns the clusters whose record has
/// changed. The caller checks keys.
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

/// Makes clusters of a level above the first again. Returns those whose record has changed.
template <BaseGraph Base>
[[nodiscard]] std::vector<std::uint32_t> redo_level(Overlay<Base>& overlay, int level,
                                                    std::span<const std::uint32_t> clusters) {
    LevelBuilder<Base> builder(overlay);
    std::vector<RecordStore::Change> records;
    records.reserve(clusters.size());
    for (const std::uint32_t id : clusters) records.emplace_back(id, builder.record(level, id));
    return replace_records(overlay, level, std::move(records));
}

inline void make_set(std::vector<std::uint32_t>& clusters) {
    std::sort(clusters.begin(), clusters.end());
    clusters.erase(std::unique(clusters.begin(), clusters.end()), clusters.end());
}

/// The clusters of a level that hold any of `children`, clusters of the level below. Sorted.
template <BaseGraph Base>
[[nodiscard]] std::vector<std::uint32_t> parents(const Base& base, int level,
                                                 std::span<const std::uint32_t> children) {
    std::vector<std::uint32_t> result;
    result.reserve(children.size());
    for (const std::uint32_t child : children) result.push_back(base.parent(level, child));
    make_set(result);
    return result;
}

/// Makes again, level by level, the clusters above the `changed` clusters of level 1 (sorted).
/// Where a record stays the same, the clusters above it are skipped, unless `crossings_changed`
/// says that inter-edges have changed, whose costs no record holds. Errors: as check_keys.
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
