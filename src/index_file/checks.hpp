#pragma once
// What the files of several planners are checked for.

#include <atomic>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>

#include "cairn/cut_labels.hpp"
#include "core/parallel_loop.hpp"

namespace cairn::index_file {

struct Fault {
    static constexpr std::uint32_t kWhole = std::numeric_limits<std::uint32_t>::max();

    std::uint32_t at;  ///< the cluster or node, or kWhole
    std::string_view what;
};

/// The first of the clusters 0 to `count` - 1 with a fault, if there is one; they are checked in
/// parallel, but the result does not depend on the threads. fault_of(worker, cluster) says what is
/// wrong with one, or nothing, the same each time it is asked; each worker of the loop has its own
/// from new_worker().
template <class NewWorker, class FaultOf>
[[nodiscard]] std::optional<Fault> first_fault(std::uint32_t count, NewWorker&& new_worker,
                                               FaultOf&& fault_of) {
    std::atomic<std::uint32_t> first{count};
    const BuildControl control;
    PerWorker<decltype(new_worker())> workers;
    workers.begin(control);
    for_each_range(count, 32, control, [&](std::size_t worker, std::size_t begin, std::size_t end) {
        auto& own = workers.of(worker, new_worker);
        for (auto id = static_cast<std::uint32_t>(begin); id < end && id < first; ++id) {
            if (fault_of(own, id).empty()) continue;
            std::uint32_t known = first;
            while (id < known && !first.compare_exchange_weak(known, id)) {
            }
        }
    });
    if (first == count) return std::nullopt;
    return Fault{first, fault_of(workers.of(0, new_worker), first)};
}

/// What is wrong with labels of `nodes` nodes whose arrays CutLabels::from_arrays has accepted.
/// Afterwards there are hops, and every edge that a hop can take from a node leads to another for
/// which adjacent(node, other) is true: any path the labels give is one. O(labels).
template <class Adjacent>
[[nodiscard]] std::optional<Fault> label_fault(const CutLabelArrays& arrays, std::size_t nodes,
                                               Adjacent&& adjacent) {
    if (arrays.nodes.size() != nodes)
        return Fault{Fault::kWhole, "there are not as many labels as nodes"};
    if (nodes > 0 && arrays.hops.empty()) return Fault{Fault::kWhole, "there are no hops"};
    for (std::uint32_t node = 0; node < nodes; ++node) {
        const std::uint32_t place = arrays.nodes[node].place;
        if (arrays.places[place].node != node) return Fault{node, "two nodes have one place"};
        const std::size_t begin = arrays.places[place].edges;
        const std::size_t end =
            place + 1 < arrays.places.size() ? arrays.places[place + 1].edges : arrays.head.size();
        if (begin > end) return Fault{node, "the adjacency is out of order"};
        for (const std::uint32_t head : arrays.head.subspan(begin, end - begin)) {
            if (!adjacent(node, arrays.places[head].node))
                return Fault{node, "an edge joins nodes that are not neighbours"};
        }
    }
    return std::nullopt;
}

}  // namespace cairn::index_file
