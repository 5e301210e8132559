#pragma once
// What the loops of searches call for each node that they expand or generate: a template parameter.
// NoObserver compiles to nothing, so queries that nobody traces run the same code as if there were
// no observers. The one that records is in core/trace_recorder.hpp.

#include <cstdint>

#include "cairn/cost.hpp"
#include "core/host_device.hpp"

namespace cairn {

/// Nodes are numbers of the search; `f` is g and the heuristic.
struct NoObserver {
    /// The observer of the same search on another level.
    [[nodiscard]] CAIRN_HOST_DEVICE NoObserver on(int /*level*/) const noexcept { return {}; }
    /// The observer of a search that begins at another node than the start: the goal.
    [[nodiscard]] CAIRN_HOST_DEVICE NoObserver from(std::uint32_t /*root*/) const noexcept {
        return {};
    }
    /// A search begins; not called if the query has only one.
    CAIRN_HOST_DEVICE void began() const noexcept {}
    CAIRN_HOST_DEVICE void expanded(std::uint32_t /*node*/, Cost /*g*/, Cost /*f*/) const noexcept {
    }
    CAIRN_HOST_DEVICE void generated(std::uint32_t /*node*/, std::uint32_t /*parent*/, Cost /*g*/,
                                     Cost /*f*/) const noexcept {}
    /// A node that the start is connected to.
    CAIRN_HOST_DEVICE void generated(std::uint32_t /*node*/, Cost /*g*/,
                                     Cost /*f*/) const noexcept {}
    /// After the search: it has found a path of this cost, with this node before the goal.
    void met(std::uint32_t /*node*/, Cost /*cost*/) const noexcept {}
};

}  // namespace cairn
