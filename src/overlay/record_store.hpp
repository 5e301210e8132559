#pragma once
// The records of the clusters of one level (overlay/cluster_view.hpp): lists of 32-bit words of any
// length, with copy-on-write.
//
// Sixteen records form a page: seventeen offsets, then the records' words. Besides its words, a
// record takes an offset and a sixteenth of a pointer to its page. Copies of a store share
// everything; replacing records copies the table of pages and the pages that hold them. A page may
// be in a mapped file.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace cairn {

/// Const members may be called from any number of threads.
class RecordStore {
public:
    using Record = std::span<const std::uint32_t>;
    /// A record's number and its new words.
    using Change = std::pair<std::uint32_t, std::vector<std::uint32_t>>;
    static constexpr std::size_t kPageRecords = 16;

    RecordStore() = default;
    explicit RecordStore(std::span<const std::vector<std::uint32_t>> records);

    /// A store of `size` records over pages as page() returns them, which are not copied; `owner`
    /// keeps their memory alive. The caller has checked them by valid_page().
    RecordStore(std::size_t size, std::span<const Record> pages,
                const std::shared_ptr<const void>& owner);

    /// The number of records.
    [[nodiscard]] std::size_t size() const noexcept { return size_; }

    [[nodiscard]] Record operator[](std::size_t id) const noexcept {
        const std::uint32_t* page = pages_.get()[id / kPageRecords].get();
        const std::uint32_t first = page[id % kPageRecords];
        return {page + first, page[id % kPageRecords + 1] - first};
    }

    /// A store with some records replaced. `changes` are sorted by number, without repeats.
    [[nodiscard]] RecordStore with(std::span<const Change> changes) const;

    /// Adds empty records until there are `size`. O(pages).
    void grow(std::size_t size);

    [[nodiscard]] std::size_t page_count() const noexcept {
        return (size_ + kPageRecords - 1) / kPageRecords;
    }
    /// A page's words, offsets included.
    [[nodiscard]] Record page(std::size_t index) const noexcept {
        const std::uint32_t* words = pages_.get()[index].get();
        return {words, words[kPageRecords]};
    }
    /// Whether `words` is a page: its offsets ascend from just behind themselves to its end.
    [[nodiscard]] static bool valid_page(Record words) noexcept;

    /// The memory of the pages and the page table. The pages of empty records that grow() added
    /// share their memory.
    [[nodiscard]] std::size_t bytes() const noexcept;

    /// Whether all records are equal.
    friend bool operator==(const RecordStore& a, const RecordStore& b) noexcept;

private:
    using Page = std::shared_ptr<const std::uint32_t[]>;
    using Pages = std::vector<Page>;

    [[nodiscard]] Pages pages() const { return Pages(pages_.get(), pages_.get() + page_count()); }
    void set(Pages pages, std::size_t size);

    std::size_t size_ = 0;
    std::shared_ptr<const Page> pages_;  // the first of page_count() in a row
};

}  // namespace cairn
