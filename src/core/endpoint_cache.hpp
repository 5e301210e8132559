#pragma once
// A cache of recent starts and goals with their connections, so that a goal which many agents
// share is connected once (HPA* paper, section 3.2.1).

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/memory.hpp"

namespace cairn {

/// A four-way set-associative cache. Endpoint::snapshot_id and Endpoint::cell are the key.
template <class Endpoint>
class EndpointCache {
public:
    explicit EndpointCache(std::size_t capacity) : sets_((capacity + kWays - 1) / kWays + 1) {}

    /// The endpoint of this key. If it is not cached: the least recently used endpoint of its set,
    /// but never `pinned`. The caller sees by its key that it has to be connected, and overwrites
    /// it. Valid until another call returns the same endpoint.
    [[nodiscard]] Endpoint& get(std::uint64_t snapshot_id, std::uint32_t cell,
                                const Endpoint* pinned = nullptr) {
        constexpr std::uint32_t kMultiplier = 0x9E37'79B1;  // Knuth's multiplicative hash
        auto& set = sets_[(cell * kMultiplier >> 8) % sets_.size()];
        Way* victim = nullptr;
        for (Way& way : set) {
            if (way.end.cell == cell && way.end.snapshot_id == snapshot_id) {
                way.used = ++clock_;
                return way.end;
            }
            if (&way.end != pinned && (victim == nullptr || way.used < victim->used)) victim = &way;
        }
        victim->used = ++clock_;
        return victim->end;
    }

    /// Bytes held now. O(capacity).
    [[nodiscard]] std::size_t memory() const noexcept { return memory_of(sets_); }

private:
    static constexpr std::size_t kWays = 4;
    struct Way {
        Endpoint end;
        std::uint64_t used = 0;

        [[nodiscard]] std::size_t memory() const noexcept { return end.memory(); }
    };
    std::vector<std::array<Way, kWays>> sets_;
    std::uint64_t clock_ = 0;
};

}  // namespace cairn
