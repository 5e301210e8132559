#pragma once
// The records of very many tiles, most of which are empty or stay as they are.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "overlay/record_store.hpp"

namespace cairn::subgoal {

/// As a RecordStore, but in bands of 1,024 records that copies share: a copy takes a pointer for
/// each band, and replacing records copies only the page tables of their bands. Const members may
/// be called from any number of threads.
class RecordBands {
public:
    static constexpr std::size_t kBandRecords = 1024;

    RecordBands() = default;
    /// `size` empty records.
    explicit RecordBands(std::size_t size) : bands_((size + kBandRecords - 1) / kBandRecords) {}

    /// No records at all, not even empty ones.
    [[nodiscard]] bool none() const noexcept { return bands_.empty(); }

    [[nodiscard]] RecordStore::Record operator[](std::size_t id) const noexcept {
        const RecordStore* const band = bands_[id / kBandRecords].get();
        return band == nullptr ? RecordStore::Record() : (*band)[id % kBandRecords];
    }

    /// These records with some replaced. `changes` are sorted by number, without repeats.
    [[nodiscard]] RecordBands with(std::vector<RecordStore::Change> changes) const {
        RecordBands out = *this;
        for (std::size_t i = 0; i < changes.size();) {
            const std::size_t band = changes[i].first / kBandRecords;
            const std::size_t first = i;
            for (; i < changes.size() && changes[i].first / kBandRecords == band; ++i)
                changes[i].first %= static_cast<std::uint32_t>(kBandRecords);
            RecordStore empty;
            if (bands_[band] == nullptr) empty.grow(kBandRecords);
            const RecordStore& old = bands_[band] == nullptr ? empty : *bands_[band];
            out.bands_[band] = std::make_shared<const RecordStore>(
                old.with(std::span(changes).subspan(first, i - first)));
        }
        return out;
    }

    [[nodiscard]] std::size_t bytes() const noexcept {
        std::size_t bytes = bands_.size() * sizeof(bands_[0]);
        for (const auto& band : bands_) bytes += band == nullptr ? 0 : band->bytes();
        return bytes;
    }

private:
    std::vector<std::shared_ptr<const RecordStore>> bands_;  // null: all records are empty
};

}  // namespace cairn::subgoal
