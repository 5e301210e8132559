#pragma once
// Connections of recent starts and goals, for reuse: a goal that many units head for is inserted
// once, and popular places stay connected (HPA* paper, section 3.2.1).

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/memory.hpp"

namespace cairn {

/// A four-way set-associative cache of endpoints; the least recently used one of a set is replaced
/// first. An Endpoint has the members `snapshot_id` and `cell`, its key. The caller connects a
/// replaced one anew.
template <class Endpoint>
class EndpointCache {
public:
    explicit EndpointCache(std::size_t capacity) : sets_((capacity + kWays - 1) / kWays + 1) {}

    /// The endpoint kept for `cell` of this snapshot, or one to overwrite, which is never `pinned`.
    /// Valid until another call returns the same one.
    [[nodiscard]] Endpoint& get(std::uint64_t snapshot_id, std::uint32_t cell,
                                const Endpoint* pinned = nullptr) {
        auto& set = sets_[(cell * 0x9E37'79B1U >> 8) % sets_.size()];
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
