#pragma once
// Checks that several planners' bodies share: a parallel loop over clusters, and cut labels against
// the graph that they belong to.

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

    std::uint32_t id;  ///< of the cluster or node; kWhole if the fault concerns all of them
    std::string_view text;
};

/// The fault of the lowest of the clusters 0 to `count` - 1 that has one. Checks the clusters in
/// parallel; the result does not depend on the threads. fault_of(checker, cluster) returns what is
/// wrong with a cluster (empty if nothing is), the same at each call. new_checker() makes the
/// checker of one thread.
template <class NewChecker, class FaultOf>
[[nodiscard]] std::optional<Fault> first_fault(std::uint32_t count, NewChecker&& new_checker,
                                               FaultOf&& fault_of) {
    constexpr std::size_t kGrain = 32;
    std::atomic<std::uint32_t> first{count};
    const BuildControl control;
    PerWorker<decltype(new_checker())> checkers;
    checkers.begin(control);
    const auto check = [&](std::size_t worker, std::size_t begin, std::size_t end) {
        auto& checker = checkers.of(worker, new_checker);
        for (auto id = static_cast<std::uint32_t>(begin); id < end && id < first; ++id) {
            if (fault_of(checker, id).empty()) continue;
            std::uint32_t known = first;
            while (id < known && !first.compare_exchange_weak(known, id)) {
            }
        }
    };
    for_each_range(count, kGrain, control, check);
    if (first == count) return std::nullopt;
    return Fault{first, fault_of(checkers.of(0, new_checker), first)};
}

/// The fault of cut labels over a graph of `nodes` nodes. CutLabels::from_arrays must have accepted
/// `arrays`. Labels without fault have hops, and hops only lead from a node to others for which
/// adjacent(node, other) is true: all paths of the labels are paths of the graph. O(labels).
template <class Adjacent>
[[nodiscard]] std::optional<Fault> label_fault(const CutLabelArrays& arrays, std::size_t nodes,
                                               Adjacent&& adjacent) {
    if (arrays.nodes.size() != nodes)
        return Fault{Fault::kWhole, "the numbers of labels and nodes differ"};
    if (nodes > 0 && arrays.hops.empty()) return Fault{Fault::kWhole, "there are no hops"};
    for (std::uint32_t node = 0; node < nodes; ++node) {
        const std::uint32_t place = arrays.nodes[node].place;
        if (arrays.places[place].node != node) return Fault{node, "two nodes have the same place"};
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
