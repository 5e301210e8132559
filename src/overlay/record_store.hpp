#pragma once
// Variable-length word records under copy-on-write: the clusters of one level.
//
// Sixteen records form a page: seventeen offsets, then their words, so an index costs one word and
// a sixteenth of a pointer a cluster beyond its contents. Copies share pages; replacing records
// copies only the pages they stand on. A page may live in a mapped file.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace cairn {

class RecordStore {
public:
    using Record = std::span<const std::uint32_t>;
    using Change = std::pair<std::uint32_t, std::vector<std::uint32_t>>;
    static constexpr std::size_t kPageRecords = 16;

    RecordStore() = default;
    explicit RecordStore(std::span<const std::vector<std::uint32_t>> records);

    /// Pages that live in memory kept alive by `owner`; `pages` as `page` returns them. The caller
    /// has checked them: see `valid_page`.
    RecordStore(std::size_t size, std::span<const Record> pages,
                const std::shared_ptr<const void>& owner);

    [[nodiscard]] std::size_t size() const noexcept { return size_; }

    [[nodiscard]] Record operator[](std::size_t id) const noexcept {
        const std::uint32_t* page = pages_[id / kPageRecords].get();
        const std::uint32_t first = page[id % kPageRecords];
        return {page + first, page[id % kPageRecords + 1] - first};
    }

    /// A store with some records replaced. `changes` are sorted by record, without repeats.
    [[nodiscard]] RecordStore with(std::span<const Change> changes) const;

    /// Adds empty records up to a size. O(pages added).
    void grow(std::size_t size);

    [[nodiscard]] std::size_t page_count() const noexcept { return pages_.size(); }
    /// A page's words, offsets included.
    [[nodiscard]] Record page(std::size_t index) const noexcept {
        const std::uint32_t* words = pages_[index].get();
        return {words, words[kPageRecords]};
    }
    /// Whether `words` has the shape of a page: offsets that start after themselves, ascend and end
    /// at its end.
    [[nodiscard]] static bool valid_page(Record words) noexcept;

    /// Memory of pages and page table.
    [[nodiscard]] std::size_t bytes() const noexcept;

    /// Equal records.
    friend bool operator==(const RecordStore& a, const RecordStore& b) noexcept;

private:
    std::size_t size_ = 0;
    std::vector<std::shared_ptr<const std::uint32_t[]>> pages_;
};

}  // namespace cairn
