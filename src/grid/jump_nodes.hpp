#pragma once
// The nodes of a jump point search: the few cells that it reaches.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "cairn/cost.hpp"
#include "cairn/grid/moves.hpp"
#include "core/memory.hpp"

namespace cairn::grid {

// A hash table of points. Unlike an array over all cells, it is small enough to stay in the cache.
// Nodes are numbered in the order in which they are added.
class JumpNodes {
public:
    struct Node {
        std::uint32_t key;     // y << 16 | x
        std::uint32_t parent;  // a node; the start is its own parent
        Cost g;
        std::uint32_t entry;  // how the search entered it: the search's own code

        [[nodiscard]] Point point() const noexcept {
            return {static_cast<std::int32_t>(key & 0xffff), static_cast<std::int32_t>(key >> 16)};
        }
    };

    // Removes all nodes. The slots need not be cleared: their stamps are below first_stamp_, so
    // they count as free.
    void begin() {
        first_stamp_ += static_cast<std::uint32_t>(nodes_.size());
        nodes_.clear();
        if (first_stamp_ < kMaxStamp && !slots_.empty()) return;
        slots_.assign(std::max<std::size_t>(slots_.size(), kMinSlots), {});
        first_stamp_ = 1;
    }

    // The node at p. If there is none, adds one with infinite g. Invalidates references to other
    // nodes.
    [[nodiscard]] std::uint32_t at(Point p) {
        const std::uint32_t key = key_of(p);
        std::size_t slot = home_slot(key);
        for (;; slot = (slot + 1) & (slots_.size() - 1)) {
            const std::uint32_t node = slots_[slot].stamp - first_stamp_;
            if (node >= nodes_.size()) break;
            if (slots_[slot].key == key) return node;
        }
        const auto node = static_cast<std::uint32_t>(nodes_.size());
        slots_[slot] = {key, first_stamp_ + node};
        nodes_.push_back({key, node, kInfinity, 0});
        if (2 * nodes_.size() > slots_.size()) grow();
        return node;
    }

    [[nodiscard]] std::uint32_t size() const noexcept {
        return static_cast<std::uint32_t>(nodes_.size());
    }
    [[nodiscard]] Node& operator[](std::uint32_t node) noexcept { return nodes_[node]; }
    [[nodiscard]] const Node& operator[](std::uint32_t node) const noexcept { return nodes_[node]; }

    // Appends the cells of the path to a node: a diagonal run and then a straight run lead from
    // each node to the next. The parents lead back to the start, so the cells are written from last
    // to first. `width`: of the map.
    void append_path(std::uint32_t last, Cell width, std::vector<Cell>& cells) const {
        std::size_t count = cells.size() + 1;
        const auto sign = [](int d) { return (d > 0) - (d < 0); };
        const auto for_each_jump = [&](const auto& use) {
            for (std::uint32_t to = last, from = nodes_[to].parent; from != to;
                 to = from, from = nodes_[to].parent) {
                use(nodes_[from].point(), nodes_[to].point());
            }
        };
        for_each_jump([&](Point a, Point b) {
            count += static_cast<std::size_t>(std::max(std::abs(b.x - a.x), std::abs(b.y - a.y)));
        });
        cells.resize(count);
        auto out = cells.end();
        *--out = cell_of(static_cast<std::int32_t>(width), nodes_[last].point());
        for_each_jump([&](Point a, Point b) {
            const Cell row = static_cast<Cell>(sign(a.y - b.y)) * width;
            const auto column = static_cast<Cell>(sign(a.x - b.x));
            const int columns = std::abs(b.x - a.x);
            const int rows = std::abs(b.y - a.y);
            Cell cell = *out;
            for (int i = columns - rows; i > 0; --i) *--out = cell += column;
            for (int i = rows - columns; i > 0; --i) *--out = cell += row;
            for (int i = std::min(columns, rows); i > 0; --i) *--out = cell += row + column;
        });
    }

    // Appends the cells of the nodes on the path to `last`, from the start on.
    void append_nodes(std::uint32_t last, Cell width, std::vector<Cell>& cells) const {
        const auto first = static_cast<std::ptrdiff_t>(cells.size());
        for (std::uint32_t node = last;; node = nodes_[node].parent) {
            cells.push_back(cell_of(static_cast<std::int32_t>(width), nodes_[node].point()));
            if (nodes_[node].parent == node) break;
        }
        std::reverse(cells.begin() + first, cells.end());
    }

    // Bytes held now.
    [[nodiscard]] std::size_t memory() const noexcept { return memory_of(slots_, nodes_); }

private:
    static constexpr std::size_t kMinSlots = 1024;
    // first_stamp_ stays below this. A map has at most 2^30 cells, so stamps fit 32 bits.
    static constexpr std::uint32_t kMaxStamp = 1U << 31;
    struct Slot {
        std::uint32_t key;
        std::uint32_t stamp;  // first_stamp_ + node; any other value if the slot is free
    };

    [[nodiscard]] static std::uint32_t key_of(Point p) noexcept {
        return static_cast<std::uint32_t>(p.y) << 16 | static_cast<std::uint32_t>(p.x);
    }
    // The slot at which the search for a key begins.
    [[nodiscard]] std::size_t home_slot(std::uint32_t key) const noexcept {
        return static_cast<std::size_t>(key * std::uint64_t{0x9E37'79B9'7F4A'7C15} >> 32) &
               (slots_.size() - 1);
    }

    void grow() {
        slots_.assign(2 * slots_.size(), {});
        first_stamp_ = 1;
        for (std::uint32_t node = 0; node < nodes_.size(); ++node) {
            std::size_t slot = home_slot(nodes_[node].key);
            while (slots_[slot].stamp != 0) slot = (slot + 1) & (slots_.size() - 1);
            slots_[slot] = {nodes_[node].key, first_stamp_ + node};
        }
    }

    std::vector<Slot> slots_;
    std::vector<Node> nodes_;
    std::uint32_t first_stamp_ = 1;
};

}  // namespace cairn::grid
