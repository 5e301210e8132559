#include "overlay/record_store.hpp"

#include <algorithm>
#include <array>

#include "cairn/paged_array.hpp"

namespace cairn {
namespace {

constexpr std::size_t kHeader = RecordStore::kPageRecords + 1;

using PageRecords = std::array<RecordStore::Record, RecordStore::kPageRecords>;

std::shared_ptr<const std::uint32_t[]> make_page(const PageRecords& records) {
    std::size_t words = kHeader;
    for (const auto& record : records) words += record.size();
    auto page = unwritten_page<std::uint32_t>(words);
    std::uint32_t offset = kHeader;
    for (std::size_t i = 0; i < records.size(); ++i) {
        page[static_cast<std::ptrdiff_t>(i)] = offset;
        std::copy(records[i].begin(), records[i].end(), page.get() + offset);
        offset += static_cast<std::uint32_t>(records[i].size());
    }
    page[RecordStore::kPageRecords] = offset;
    return page;
}

}  // namespace

RecordStore::RecordStore(std::span<const std::vector<std::uint32_t>> records) {
    Pages pages;
    for (std::size_t first = 0; first < records.size(); first += kPageRecords) {
        PageRecords page;
        for (std::size_t i = 0; i < std::min(kPageRecords, records.size() - first); ++i) {
            page[i] = records[first + i];
        }
        pages.push_back(make_page(page));
    }
    set(std::move(pages), records.size());
}

RecordStore::RecordStore(std::size_t size, std::span<const Record> pages,
                         const std::shared_ptr<const void>& owner) {
    Pages table;
    table.reserve(pages.size());
    for (const Record page : pages) table.push_back(Page(owner, page.data()));
    set(std::move(table), size);
}

void RecordStore::set(Pages pages, std::size_t size) {
    const auto owner = std::make_shared<Pages>(std::move(pages));
    pages_ = std::shared_ptr<const Page>(owner, owner->data());
    size_ = size;
}

RecordStore RecordStore::with(std::span<const Change> changes) const {
    if (changes.empty()) return *this;
    Pages table = pages();
    for (std::size_t i = 0; i < changes.size();) {
        const std::size_t page = changes[i].first / kPageRecords;
        PageRecords records;
        for (std::size_t r = 0; r < kPageRecords; ++r) {
            const std::size_t id = page * kPageRecords + r;
            if (id < size_) records[r] = (*this)[id];
        }
        for (; i < changes.size() && changes[i].first / kPageRecords == page; ++i) {
            records[changes[i].first % kPageRecords] = changes[i].second;
        }
        table[page] = make_page(records);
    }
    RecordStore result;
    result.set(std::move(table), size_);
    return result;
}

// The last page holds empty records beyond the size already, so only whole pages are added.
void RecordStore::grow(std::size_t size) {
    if (size <= size_) return;
    Pages table = pages();
    const std::size_t count = (size + kPageRecords - 1) / kPageRecords;
    if (count > table.size()) table.resize(count, make_page({}));
    set(std::move(table), size);
}

bool RecordStore::valid_page(Record words) noexcept {
    if (words.size() < kHeader || words[0] != kHeader || words[kPageRecords] != words.size())
        return false;
    return std::is_sorted(words.begin(), words.begin() + kHeader);
}

std::size_t RecordStore::bytes() const noexcept {
    std::size_t words = 0;
    for (std::size_t i = 0; i < page_count(); ++i) {
        if (i == 0 || page(i).data() != page(i - 1).data()) words += page(i).size();
    }
    return words * sizeof(std::uint32_t) + page_count() * sizeof(Page);
}

bool operator==(const RecordStore& a, const RecordStore& b) noexcept {
    if (a.size() != b.size()) return false;
    for (std::size_t i = 0; i < a.size(); ++i) {
        if (!std::equal(a[i].begin(), a[i].end(), b[i].begin(), b[i].end())) return false;
    }
    return true;
}

}  // namespace cairn
