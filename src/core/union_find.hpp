#pragma once
// Disjoint sets.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

namespace cairn {

class UnionFind {
public:
    explicit UnionFind(std::size_t size) : parent_(size) {
        std::iota(parent_.begin(), parent_.end(), 0U);
    }

    [[nodiscard]] std::uint32_t find(std::uint32_t x) noexcept {
        while (parent_[x] != x) x = parent_[x] = parent_[parent_[x]];
        return x;
    }
    /// The smaller representative stays.
    void unite(std::uint32_t a, std::uint32_t b) noexcept {
        a = find(a);
        b = find(b);
        parent_[std::max(a, b)] = std::min(a, b);
    }
    std::uint32_t add() {
        parent_.push_back(static_cast<std::uint32_t>(parent_.size()));
        return parent_.back();
    }

private:
    std::vector<std::uint32_t> parent_;
};

}  // namespace cairn
