#pragma once
// Turns a list into a set.

#include <algorithm>
#include <vector>

namespace cairn {

/// Sorts a list and removes repeats.
template <class T>
void sort_unique(std::vector<T>& list) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
}

}  // namespace cairn
