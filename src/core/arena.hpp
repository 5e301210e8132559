#pragma once
// Memory for many small arrays that are all freed at once.

#include <algorithm>
#include <cstddef>
#include <vector>

namespace cairn {

/// Gives out arrays of plain objects, which stay where they are until the arena goes.
template <class T>
class Arena {
public:
    /// Arrays are taken from blocks of `block` objects; longer ones get a block of their own.
    explicit Arena(std::size_t block) : block_(block) {}

    [[nodiscard]] T* take(std::size_t count) {
        if (blocks_.empty() || blocks_.back().size() - used_ < count) {
            blocks_.emplace_back(std::max(count, block_));
            used_ = 0;
        }
        T* const array = blocks_.back().data() + used_;
        used_ += count;
        return array;
    }

private:
    std::vector<std::vector<T>> blocks_;
    std::size_t used_ = 0;  ///< of the last block
    std::size_t block_;
};

}  // namespace cairn
