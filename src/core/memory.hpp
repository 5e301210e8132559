#pragma once
// The heap memory that objects hold, for memory() of searchers and bytes() of meshes.

#include <cstddef>
#include <memory>
#include <type_traits>

namespace cairn {

/// The bytes on the heap that one object holds: a vector (by its capacity), an array, a unique_ptr
/// (with its object), or anything that has memory(). O(items that hold memory).
template <class Part>
[[nodiscard]] std::size_t memory_of_part(const Part& part) noexcept {
    if constexpr (requires { part.memory(); }) {
        return part.memory();
    } else if constexpr (requires { part.get_deleter(); }) {
        return part == nullptr ? 0 : sizeof(*part) + memory_of_part(*part);
    } else {
        using Item = typename Part::value_type;
        std::size_t bytes = 0;
        if constexpr (requires { part.capacity(); }) bytes = part.capacity() * sizeof(Item);
        if constexpr (!std::is_trivially_destructible_v<Item>) {
            for (const Item& item : part) bytes += memory_of_part(item);
        }
        return bytes;
    }
}

/// The sum over several objects.
template <class... Parts>
[[nodiscard]] std::size_t memory_of(const Parts&... parts) noexcept {
    return (std::size_t{0} + ... + memory_of_part(parts));
}

/// The bytes on the heap that the lists of a planner's Answer hold.
template <class Answer>
[[nodiscard]] std::size_t memory_of_lists(const Answer& answer) noexcept {
    std::size_t bytes = 0;
    if constexpr (requires { answer.cells; }) bytes += memory_of(answer.cells);
    if constexpr (requires { answer.abstract_nodes; }) bytes += memory_of(answer.abstract_nodes);
    if constexpr (requires { answer.subgoals; }) bytes += memory_of(answer.subgoals);
    if constexpr (requires { answer.links; }) bytes += memory_of(answer.links);
    if constexpr (requires { answer.polygons; }) bytes += memory_of(answer.polygons);
    if constexpr (requires { answer.waypoints; }) bytes += memory_of(answer.waypoints);
    return bytes;
}

}  // namespace cairn
