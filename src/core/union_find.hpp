#pragma once
// Disjoint sets of the numbers 0, 1, 2, ...

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

    /// The representative of x's set: its least member.
    [[nodiscard]] std::uint32_t find(std::uint32_t x) noexcept {
        while (parent_[x] != x) x = parent_[x] = parent_[parent_[x]];  // path halving
        return x;
    }
    void unite(std::uint32_t a, std::uint32_t b) noexcept {
        a = find(a);
        b = find(b);
        parent_[std::max(a, b)] = std::min(a, b);
    }
    /// Adds the next number as a set of its own, and returns it.
    std::uint32_t add() {
        parent_.push_back(static_cast<std::uint32_t>(parent_.size()));
        return parent_.back();
    }

private:
    std::vector<std::uint32_t> parent_;
};

}  // namespace cairn
