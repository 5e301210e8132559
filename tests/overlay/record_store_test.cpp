// The store of the records of a level, with pages that copies share.

#include "overlay/record_store.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>

namespace cairn {
namespace {

using Records = std::vector<std::vector<std::uint32_t>>;

void expect_holds(const RecordStore& store, const Records& records) {
    RC_ASSERT(store.size() == records.size());
    for (std::size_t i = 0; i < records.size(); ++i) {
        RC_ASSERT(std::vector<std::uint32_t>(store[i].begin(), store[i].end()) == records[i]);
    }
    for (std::size_t i = 0; i < store.page_count(); ++i) {
        RC_ASSERT(RecordStore::valid_page(store.page(i)));
    }
}

RC_GTEST_PROP(RecordStore, HoldsItsRecords, (const Records& records)) {
    expect_holds(RecordStore(std::span<const std::vector<std::uint32_t>>(records)), records);
}

// A changed copy holds the changes, the original does not, and untouched pages are shared.
RC_GTEST_PROP(RecordStore, CopiesOnWrite, ()) {
    const auto size = *rc::gen::inRange<std::size_t>(1, 100);
    const auto records =
        *rc::gen::container<Records>(size, rc::gen::arbitrary<std::vector<std::uint32_t>>());
    const auto changes = *rc::gen::container<std::map<std::uint32_t, std::vector<std::uint32_t>>>(
        rc::gen::inRange<std::uint32_t>(0, static_cast<std::uint32_t>(size)),
        rc::gen::arbitrary<std::vector<std::uint32_t>>());
    const RecordStore store{std::span<const std::vector<std::uint32_t>>(records)};
    const std::vector<RecordStore::Change> list(changes.begin(), changes.end());
    const RecordStore changed = store.with(list);

    Records expected = records;
    for (const auto& [id, record] : changes) expected[id] = record;
    expect_holds(changed, expected);
    expect_holds(store, records);
    for (std::size_t page = 0; page < store.page_count(); ++page) {
        const auto first =
            changes.lower_bound(static_cast<std::uint32_t>(page * RecordStore::kPageRecords));
        const bool touched =
            first != changes.end() && first->first < (page + 1) * RecordStore::kPageRecords;
        RC_ASSERT((store.page(page).data() == changed.page(page).data()) == !touched);
    }
}

TEST(RecordStore, PagesThatAreAddedShareTheirMemory) {
    RecordStore store;
    store.grow(RecordStore::kPageRecords);
    const std::size_t one_page = store.bytes();
    store.grow(100 * RecordStore::kPageRecords);
    EXPECT_EQ(store.page_count(), 100U);
    EXPECT_LT(store.bytes(), 30 * one_page);
    const std::vector<RecordStore::Change> change{{800, {7}}};
    const std::size_t added = store.with(change).bytes() - store.bytes();
    EXPECT_GT(added, 0U);
    EXPECT_LT(added, 3 * one_page);
}

TEST(RecordStore, PagesWithWrongOffsetsAreInvalid) {
    const Records records(16, {1, 2, 3});
    const RecordStore store{std::span<const std::vector<std::uint32_t>>(records)};
    const RecordStore::Record page = store.page(0);
    std::vector<std::uint32_t> words(page.begin(), page.end());
    EXPECT_TRUE(RecordStore::valid_page(words));
    EXPECT_FALSE(RecordStore::valid_page({}));
    EXPECT_FALSE(RecordStore::valid_page(RecordStore::Record(words).first(16)));
    EXPECT_FALSE(RecordStore::valid_page(RecordStore::Record(words).first(words.size() - 1)));
    for (std::size_t i = 0; i <= RecordStore::kPageRecords; ++i) {
        std::vector<std::uint32_t> broken = words;
        broken[i] = 0xffff'ffff;
        EXPECT_FALSE(RecordStore::valid_page(broken)) << i;
    }
}

}  // namespace
}  // namespace cairn
