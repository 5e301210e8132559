#pragma once
// How a closure lies in memory, and how its rows are read.
//
// The places are divided into pages of 32. A page points to the records of its places, and to the
// costs, depths and middles that they index. Built from scratch or read from a file, all pages
// point into the same arrays; an edit gives pages that change memory of their own.

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <vector>

#include "cairn/closure.hpp"
#include "cairn/paged_array.hpp"
#include "closure_edge.hpp"

namespace cairn {

/// The edges from a node to its upper neighbours, which are its ancestors, topmost first: each has
/// the depth of the upper node and the edge's cost.
struct ClosureRow {
    static constexpr std::uint32_t kMaxDepth = 0xffff;

    const Cost* cost = nullptr;
    const std::uint16_t* depth = nullptr;
    std::uint32_t length = 0;

    /// The index of the edge to the ancestor at `wanted`; `length` if there is none. Reads up to
    /// ClosureArrays::kPadding depths beyond the row.
    [[nodiscard]] std::uint32_t find(std::uint32_t wanted) const noexcept {
        constexpr std::uint32_t kLanes = 8;
        using Depths [[gnu::vector_size(2 * kLanes)]] = std::uint16_t;
        using Halves [[gnu::vector_size(2 * kLanes)]] = std::uint64_t;
        for (std::uint32_t i = 0; i < length; i += kLanes) {
            Depths depths;
            std::memcpy(&depths, depth + i, sizeof depths);
            const auto equal =
                reinterpret_cast<Halves>(depths == static_cast<std::uint16_t>(wanted));
            if ((equal[0] | equal[1]) == 0) continue;
            const bool low = equal[0] != 0;
            const int bit = std::countr_zero(low ? equal[0] : equal[1]);
            return std::min(length,
                            i + (low ? 0 : kLanes / 2) + static_cast<std::uint32_t>(bit) / 16);
        }
        return length;
    }
};

/// What the rows of a page have for one way.
struct ClosureCosts {
    const Cost* costs = nullptr;
    const std::uint8_t* middles = nullptr;
    friend bool operator==(const ClosureCosts&, const ClosureCosts&) = default;
};

/// Up to kPlaces places in a row.
struct ClosurePage {
    static constexpr unsigned kShift = 5;
    static constexpr std::uint32_t kPlaces = 1U << kShift;

    const ClosureNode* nodes = nullptr;
    const std::uint16_t* depths = nullptr;
    BothWays<ClosureCosts> way;
};

struct Closure::Storage {
    std::vector<ClosurePage> pages;
    std::vector<std::shared_ptr<const void>> owners;  ///< of the pages
    PagedArray<std::uint32_t> places;                 ///< by node; kNone if it was removed
    /// By place: its number in depth-first order of the tree. Empty if places are in this order.
    std::shared_ptr<const std::vector<std::uint32_t>> positions;
    /// By place: its rank. Empty if it is the place itself, as in a fresh order.
    std::shared_ptr<const std::vector<std::uint32_t>> ranks;
    /// Empty places that are not in the tree, ascending: roots without children. New nodes use
    /// them.
    std::vector<std::uint32_t> free_places;
    std::uint32_t num_places = 0;
    std::uint64_t ancestors = 0;  ///< the sum over nodes of their ancestors, themselves included
    std::uint64_t present = 0;    ///< nodes that were not removed
    std::uint64_t fresh_ancestors = 0;  ///< both when the order was fresh
    std::uint64_t fresh_present = 0;
    bool directed = false;
    ClosureArrays arrays;  ///< unless edited
    std::shared_ptr<const void> arrays_owner;

    [[nodiscard]] double mean_ancestors() const noexcept { return mean(ancestors, present); }
    [[nodiscard]] double fresh_mean() const noexcept {
        return mean(fresh_ancestors, fresh_present);
    }

private:
    static double mean(std::uint64_t sum, std::uint64_t count) noexcept {
        return count == 0 ? 0.0 : static_cast<double>(sum) / static_cast<double>(count);
    }
};

/// Reads a closure.
class ClosureView {
public:
    explicit ClosureView(const Closure::Storage& storage) noexcept
        : pages_(storage.pages.data()),
          positions_(storage.positions ? storage.positions->data() : nullptr),
          ranks_(storage.ranks ? storage.ranks->data() : nullptr),
          num_places_(storage.num_places),
          directed_(storage.directed) {}

    [[nodiscard]] std::uint32_t num_places() const noexcept { return num_places_; }
    [[nodiscard]] bool directed() const noexcept { return directed_; }
    [[nodiscard]] const ClosureNode& node(std::uint32_t place) const noexcept {
        return page(place).nodes[place % ClosurePage::kPlaces];
    }
    [[nodiscard]] ClosureRow row(std::uint32_t place, Way way = Way::up) const noexcept {
        const ClosurePage& p = page(place);
        const ClosureNode& node = p.nodes[place % ClosurePage::kPlaces];
        return {p.way[way].costs + node.first, p.depths + node.depths, node.length};
    }
    /// The packed middle of an edge; see ClosureMiddle.
    [[nodiscard]] std::uint32_t middle(std::uint32_t place, std::uint32_t edge,
                                       Way way) const noexcept {
        const std::uint32_t middles = node(place).middles;
        return ClosureMiddle::read(page(place).way[way].middles + (std::size_t{middles >> 2} << 2),
                                   middles & 3, edge);
    }
    /// The bytes of all middles of a row.
    [[nodiscard]] std::span<const std::uint8_t> middles(std::uint32_t place,
                                                        Way way) const noexcept {
        const ClosureNode& n = node(place);
        return {page(place).way[way].middles + (std::size_t{n.middles >> 2} << 2),
                std::size_t{n.length} << (n.middles & 3)};
    }
    /// Loads the record of a place into the cache. The place may be out of range.
    void prefetch_node(std::uint32_t place) const noexcept {
        if (place < num_places_) __builtin_prefetch(&node(place));
    }
    /// The same for the beginning of its row, without the costs.
    void prefetch_row(std::uint32_t place) const noexcept {
        if (place >= num_places_) return;
        __builtin_prefetch(row(place).depth);
        __builtin_prefetch(middles(place, Way::up).data());
    }
    /// The index of a place's edge to the ancestor at this depth; its number of edges if there is
    /// none.
    [[nodiscard]] std::uint32_t edge_to(std::uint32_t place, std::uint32_t depth) const noexcept {
        return row(place).find(depth);
    }
    /// The depth of the upper node of an edge.
    [[nodiscard]] std::uint32_t upper_depth(std::uint32_t place,
                                            std::uint32_t edge) const noexcept {
        return row(place).depth[edge];
    }
    /// The place's number in depth-first order: lower than those of all places below it.
    [[nodiscard]] std::uint32_t position(std::uint32_t place) const noexcept {
        return positions_ == nullptr ? place : positions_[place];
    }

    /// Of nodes with equally short paths over them, the one of the greatest rank is the middle.
    /// Places below have greater ranks. Edits keep the order of the ranks of places that stay.
    [[nodiscard]] std::uint32_t rank(std::uint32_t place) const noexcept {
        return ranks_ == nullptr ? place : ranks_[place];
    }

    /// Whether another closure has the page of this place, too: the same records and rows.
    [[nodiscard]] bool same_page(const ClosureView& other, std::uint32_t place) const noexcept {
        const ClosurePage& a = page(place);
        const ClosurePage& b = other.page(place);
        return a.nodes == b.nodes && same_rows(a, b);
    }
    /// Whether a place has the same record and row in another closure, but for the number of its
    /// node, and both lie in the same memory.
    [[nodiscard]] bool same_row(const ClosureView& other, std::uint32_t place) const noexcept {
        if (!same_rows(page(place), other.page(place))) return false;
        ClosureNode a = node(place);
        const ClosureNode& b = other.node(place);
        if ((a.node == ClosureNode::kNone) != (b.node == ClosureNode::kNone)) return false;
        a.node = b.node;
        return a == b;
    }

private:
    [[nodiscard]] static bool same_rows(const ClosurePage& a, const ClosurePage& b) noexcept {
        return a.depths == b.depths && a.way.up == b.way.up && a.way.down == b.way.down;
    }
    [[nodiscard]] const ClosurePage& page(std::uint32_t place) const noexcept {
        return pages_[place >> ClosurePage::kShift];
    }

    const ClosurePage* pages_;
    const std::uint32_t* positions_;
    const std::uint32_t* ranks_;
    std::uint32_t num_places_;
    bool directed_;
};

}  // namespace cairn
