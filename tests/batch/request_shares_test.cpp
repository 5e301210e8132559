// How the requests of a batch are dealt to several processes.

#include "batch/host/request_shares.hpp"

#include <gtest/gtest.h>

#include <random>
#include <set>
#include <tuple>
#include <vector>

namespace cairn::batch::test {
namespace {

using Requests = std::vector<grid::Request>;

/// Requests between random cells of a square, or between a few goals and random starts.
Requests random_requests(std::size_t count, std::uint32_t seed, int goals = 0) {
    std::mt19937 random(seed);
    const auto cell = [&] {
        return grid::Point{static_cast<int>(random() % 500), static_cast<int>(random() % 500)};
    };
    std::vector<grid::Point> shared;
    for (int i = 0; i < goals; ++i) shared.push_back(cell());
    Requests requests;
    for (std::size_t i = 0; i < count; ++i)
        requests.push_back({cell(), goals == 0 ? cell() : shared[random() % shared.size()]});
    return requests;
}

/// The process of each request, dealt as by processes that each know a slice of them.
std::vector<std::size_t> dealt(const Requests& requests, std::size_t processes) {
    PlaceExtents extents;
    for (std::size_t p = 0; p < processes; ++p) {
        const Slice own = slice_of(requests.size(), processes, p);
        extents.include(std::span<const grid::Request>(requests).subspan(own.begin, own.size()));
    }
    std::vector<std::vector<RequestKey>> keys(processes);
    std::vector<std::uint64_t> sizes(kBlocks);
    for (std::size_t p = 0; p < processes; ++p) {
        const Slice own = slice_of(requests.size(), processes, p);
        make_keys(std::span<const grid::Request>(requests).subspan(own.begin, own.size()), extents,
                  static_cast<std::uint32_t>(own.begin), {}, keys[p]);
        const std::vector<std::uint64_t> own_sizes = sizes_of_blocks(keys[p]);
        for (std::size_t block = 0; block < kBlocks; ++block) sizes[block] += own_sizes[block];
    }
    const RequestShares shares(sizes, static_cast<std::uint32_t>(processes));
    std::vector<std::size_t> out(requests.size(), processes);
    for (std::size_t p = 0; p < processes; ++p) {
        const Slice own = slice_of(requests.size(), processes, p);
        const RequestShares::Dealt dealt = shares.deal(keys[p]);
        std::size_t next = 0;
        for (std::size_t to = 0; to < processes; ++to) {
            for (std::uint32_t i = 0; i < dealt.counts[to]; ++i) {
                const std::size_t request = own.begin + dealt.order[next];
                if (i > 0) {  // those for a process stay in their order
                    EXPECT_LT(dealt.order[next - 1], dealt.order[next]);
                }
                EXPECT_EQ(out[request], processes) << "dealt twice";
                EXPECT_EQ(shares.process_of(keys[p][dealt.order[next]]), to);
                out[request] = to;
                ++next;
            }
        }
        EXPECT_EQ(next, own.size());
    }
    return out;
}

TEST(RequestShares, SlicesCoverAllItemsOnce) {
    for (const std::uint64_t items : {0U, 1U, 6U, 7U, 1000U}) {
        for (std::uint64_t processes = 1; processes <= 9; ++processes) {
            std::uint64_t end = 0;
            for (std::uint64_t p = 0; p < processes; ++p) {
                const Slice slice = slice_of(items, processes, p);
                EXPECT_EQ(slice.begin, end);
                EXPECT_GE(slice.size(), items / processes);
                EXPECT_LE(slice.size(), items / processes + 1);
                end = slice.end;
            }
            EXPECT_EQ(end, items);
        }
    }
    EXPECT_EQ(slice_of(std::uint64_t{1} << 40, 1U << 20, (1U << 20) - 1).end,
              std::uint64_t{1} << 40);
}

TEST(RequestShares, EveryRequestHasOneProcessAndAllHaveAboutAsMany) {
    Requests same(90'000, {{3, 4}, {5, 6}});
    const std::vector<Requests> cases{
        random_requests(90'000, 1), random_requests(90'000, 2, 20), same,
        random_requests(5, 3),      random_requests(1, 4),          {},
    };
    for (const Requests& requests : cases) {
        for (const std::size_t processes : {1U, 2U, 3U, 8U}) {
            std::vector<std::size_t> counts(processes);
            for (const std::size_t process : dealt(requests, processes)) {
                ASSERT_LT(process, processes);
                ++counts[process];
            }
            if (requests.size() < 1000) continue;
            const double fair = double(requests.size()) / double(processes);
            for (const std::size_t count : counts) EXPECT_NEAR(double(count), fair, 0.05 * fair);
        }
    }
}

TEST(RequestShares, APatternOfTheRequestsDoesNotUnbalanceThem) {
    // As many of one kind as of the other, in turn.
    Requests requests = random_requests(200'000, 5);
    for (std::size_t i = 0; i < requests.size(); i += 2) requests[i].goal = {0, 0};
    std::size_t first = 0;
    for (const std::size_t process : dealt(requests, 2)) first += process == 0 ? 1 : 0;
    EXPECT_NEAR(double(first), 100'000.0, 5000.0);
}

TEST(RequestShares, MostGoalsStayWithOneProcess) {
    // Each of the eight parts of the map (request_order.hpp) has its share of a goal's requests.
    const Requests requests = random_requests(100'000, 6, 1000);
    const std::vector<std::size_t> processes = dealt(requests, 4);
    std::set<std::tuple<int, int, std::size_t>> pairs;
    std::set<std::tuple<int, int, std::size_t>> in_turn;
    for (std::size_t i = 0; i < requests.size(); ++i) {
        const grid::Request& r = requests[i];
        const int part = (r.start.x >= 250 ? 1 : 0) + (r.start.y >= 250 ? 2 : 0);
        pairs.insert({r.goal.x * 500 + r.goal.y, part, processes[i]});
        in_turn.insert({r.goal.x * 500 + r.goal.y, part, i % 4});
    }
    EXPECT_LT(pairs.size(), in_turn.size() * 3 / 4);
}

TEST(RequestShares, KeysOfSlicesAreThoseOfAllRequests) {
    const Requests requests = random_requests(1000, 7);
    PlaceExtents extents;
    extents.include(std::span<const grid::Request>(requests));
    std::vector<RequestKey> all;
    make_keys(std::span<const grid::Request>(requests), extents, 0, {}, all);
    std::vector<RequestKey> part;
    make_keys(std::span<const grid::Request>(requests).subspan(300, 200), extents, 300, {}, part);
    for (std::size_t i = 0; i < part.size(); ++i) {
        EXPECT_EQ(part[i].endpoints, all[300 + i].endpoints);
        EXPECT_EQ(part[i].request, 300 + i);
    }
    std::vector<RequestKey> sorted;
    sort_requests(std::span<const grid::Request>(requests), {}, sorted);
    std::sort(all.begin(), all.end());
    for (std::size_t i = 0; i < all.size(); ++i) EXPECT_EQ(all[i].request, sorted[i].request);
}

}  // namespace
}  // namespace cairn::batch::test
