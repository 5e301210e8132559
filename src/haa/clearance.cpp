#include "haa/clearance.hpp"

#include <algorithm>

namespace cairn::haa {
namespace {

// The side of the largest free square whose top-left cell is each cell of `area`: one more than the
// least of those to the right, below and between. Counts up to `max_size`, so only cells up to
// max_size - 1 beyond the area matter.
std::vector<std::uint8_t> squares(const grid::Rect& area, int max_size,
                                  const std::function<bool(int, int)>& free) {
    const int width = area.width + max_size - 1;
    const int height = area.height + max_size - 1;
    std::vector<std::uint8_t> below(static_cast<std::size_t>(width) + 1, 0);
    std::vector<std::uint8_t> row(below.size(), 0);
    const auto columns = static_cast<std::size_t>(area.width);
    std::vector<std::uint8_t> out(columns * static_cast<std::size_t>(area.height));
    for (int y = height; y-- > 0; std::swap(row, below)) {
        for (auto x = static_cast<std::size_t>(width); x-- > 0;) {
            const int least = std::min({row[x + 1], below[x], below[x + 1]});
            const bool is_free = free(area.x + static_cast<int>(x), area.y + y);
            row[x] = static_cast<std::uint8_t>(is_free ? std::min(least + 1, max_size) : 0);
        }
        if (y >= area.height) continue;
        std::copy_n(row.begin(), columns, out.begin() + static_cast<std::ptrdiff_t>(columns) * y);
    }
    return out;
}

}  // namespace

std::vector<std::uint8_t> clearances(const grid::Rect& area, int max_size, Anchor anchor,
                                     const std::function<bool(int, int)>& free) {
    const int before = reach_before(anchor, max_size);
    if (before == 0) return squares(area, max_size, free);
    const grid::Rect corners{area.x - before, area.y - before, area.width + before,
                             area.height + before};
    const std::vector<std::uint8_t> square = squares(corners, max_size, free);
    std::vector<std::uint8_t> out;
    out.reserve(static_cast<std::size_t>(area.width) * static_cast<std::size_t>(area.height));
    for (int y = 0; y < area.height; ++y) {
        for (int x = 0; x < area.width; ++x) {
            // A square contains all smaller squares with the same anchor.
            int size = 0;
            while (size < max_size) {
                const int back = before - reach_before(anchor, size + 1);
                const std::size_t corner =
                    static_cast<std::size_t>(y + back) * static_cast<std::size_t>(corners.width) +
                    static_cast<std::size_t>(x + back);
                if (square[corner] <= size) break;
                ++size;
            }
            out.push_back(static_cast<std::uint8_t>(size));
        }
    }
    return out;
}

}  // namespace cairn::haa
