#pragma once
// The result of a batch of requests: flat arrays in the order of the requests.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "cairn/cost.hpp"
#include "cairn/status.hpp"

namespace cairn {

namespace batch {
template <class>
class ResultLists;
}

/// One list for each request of a batch, all in one array. Move-only, since a copy would be
/// expensive. The next batch written into this object reuses the array if it is large enough.
/// Member functions are O(1); const members may be called from any number of threads.
template <class T>
class Lists {
public:
    /// No requests.
    Lists() noexcept = default;
    Lists(Lists&& other) noexcept { *this = std::move(other); }
    Lists& operator=(Lists&& other) noexcept {
        std::swap(first_, other.first_);
        std::swap(items_, other.items_);
        std::swap(room_, other.room_);
        return *this;
    }
    Lists(const Lists&) = delete;
    Lists& operator=(const Lists&) = delete;
    ~Lists() = default;

    /// The number of requests.
    [[nodiscard]] std::size_t size() const noexcept { return first().size() - 1; }
    /// The list of a request; empty if it has none. Needs request < size().
    [[nodiscard]] std::span<const T> operator[](std::size_t request) const noexcept {
        return items().subspan(first_[request], first_[request + 1] - first_[request]);
    }
    /// Where each list begins, and where the last one ends: size() + 1 indexes into items().
    [[nodiscard]] std::span<const std::uint64_t> first() const noexcept {
        if (first_.empty()) return kNoLists;
        return first_;
    }
    /// The items of all lists, in the order of the requests.
    [[nodiscard]] std::span<const T> items() const noexcept {
        return {items_.get(), static_cast<std::size_t>(first().back())};
    }

    /// O(items).
    friend bool operator==(const Lists& a, const Lists& b) noexcept {
        return same(a.first(), b.first()) && same(a.items(), b.items());
    }

private:
    template <class>
    friend class batch::ResultLists;

    template <class Item>
    [[nodiscard]] static bool same(std::span<const Item> a, std::span<const Item> b) noexcept {
        return std::equal(a.begin(), a.end(), b.begin(), b.end());
    }

    static constexpr std::array<std::uint64_t, 1> kNoLists{0};

    std::vector<std::uint64_t> first_;  // empty until lists are written
    std::unique_ptr<T[]> items_;
    std::size_t room_ = 0;  // items that items_ holds
};

/// The status and cost of each request of a batch, in the order of the requests, as a single query
/// gives them. Requests that were still unanswered when the batch was cancelled have
/// StatusCode::cancelled. Those still unanswered when its budget or its time was used up have
/// StatusCode::budget_exhausted.
struct PathCosts {
    std::vector<StatusCode> status;
    std::vector<Cost> cost;  ///< kInfinity unless the status is ok
    friend bool operator==(const PathCosts&, const PathCosts&) = default;
};

}  // namespace cairn
