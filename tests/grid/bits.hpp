#pragma once
// Random bit matrices, and sides at which errors at word borders show.

#include <random>

#include "grid/bit_grid.hpp"

namespace cairn::grid::test {

/// Sides of a BitGrid around one and two words of 64 bits, with and without its rim of one bit.
inline constexpr int kEdgeSides[] = {1,  2,  3,   61,  62,  63,  64,  65,
                                     66, 67, 126, 127, 128, 129, 130, 131};

/// A matrix with about `percent` per cent of its bits set.
inline BitGrid random_bits(std::mt19937& random, int width, int height, unsigned percent) {
    BitGrid::Editor editor(BitGrid(width, height));
    for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) {
            if (random() % 100 < percent) editor.set(x, y, true);
        }
    }
    return editor.take();
}

}  // namespace cairn::grid::test
