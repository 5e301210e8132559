#pragma once
// The kernel that answers requests by A* on the HNG (HNA* paper, section 6). All lanes connect and
// refine; lane 0 searches. With a team of one lane, a single thread serves each agent.

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "batch/device/kernel_task.hpp"
#include "batch/device/mesh/corridor.hpp"
#include "batch/device/mesh/endpoint.hpp"
#include "batch/device/mesh/hna_form.hpp"
#include "hna/hng_astar.hpp"

namespace cairn::batch {

template <class Team>
class HngKernel {
    using Heap = BasicOpenHeap<FixedEntries>;
    using Astar = hna::HngAstar<Heap, hna::HngView>;

public:
    struct Scratch {
        CAIRN_HOST_DEVICE Scratch(const HnaForm& form, Carver& carver) noexcept
            : borders(std::max(form.first.most_borders, form.top.most_borders)),
              portals(std::max(form.first.most_portals, form.top.most_portals)),
              labels(carver.take<hna::HngLabel>(form.first.hng.count())),
              to_goal(carver.take<Cost>(form.first.hng.count())),
              open_room(2 * (form.first.hng.count() + std::size_t{borders})),
              open(carver.take<OpenEntry>(open_room)),
              start(form.most_links, borders, portals, carver),
              goal(form.most_links, borders, portals, carver),
              path(form, carver) {}
        std::uint32_t borders;  // the most of a cluster of either level
        std::uint32_t portals;  // likewise
        hna::HngLabel* labels;
        Cost* to_goal;
        std::size_t open_room;
        OpenEntry* open;
        EndpointMemory start;
        EndpointMemory goal;
        PathMemory path;
    };

    CAIRN_HOST_DEVICE HngKernel(const HnaForm& form, const HnaTask& task, const Team& team,
                                const Scratch& scratch)
        : form_(form), task_(task), team_(team), scratch_(scratch) {
        for (std::uint32_t v = team.lane(); v < form.first.hng.count(); v += team.lanes())
            scratch_.labels[v] = {};
        team.sync();
    }

    CAIRN_HOST_DEVICE void find(const mesh::Request& request, RequestAnswer& answer) {
        const HnaLevelForm& level =
            form_.searched(task_.query.search_level, request.start.polygon, request.goal.polygon);
        const MeshEndpoint start(form_, level, request.start, EndpointRole::start, scratch_.start);
        const MeshEndpoint goal(form_, level, request.goal, EndpointRole::goal, scratch_.goal);
        if (task_.query.engine == DeviceEngine::parallel_connect) {
            start.search(form_, team_);
            goal.search(form_, team_);
        } else {
            start.connect(form_, team_);
            goal.connect(form_, team_);
        }
        Cost cost = kInfinity;
        std::size_t vertices = 0;
        if (team_.lane() == 0) cost = search(start, goal, vertices);
        cost = static_cast<Cost>(team_.broadcast(cost));
        if (cost >= kInfinity) return;
        if (task_.query.corridors &&
            !refine(form_, task_, team_, start, goal, scratch_.path, vertices, answer)) {
            return;
        }
        answer.cost = cost;
    }

private:
    /// The cost of the best path, whose vertices are written to scratch_.path. kInfinity if there
    /// is none, or if the open list was too small. Lane 0 calls this.
    [[nodiscard]] CAIRN_HOST_DEVICE Cost search(const MeshEndpoint& start, const MeshEndpoint& goal,
                                                std::size_t& vertices) {
        stamp_ += Astar::kNextStamp;
        Astar astar(Heap(FixedEntries(scratch_.open, scratch_.open_room)));
        const MeshForm& mesh = form_.mesh;
        const typename Astar::Memory memory{scratch_.labels, scratch_.to_goal, stamp_};
        const hna::HngBounds bounds{mesh.anchor(goal.place), mesh.least_factor, mesh.units};
        const hna::HngView& hng = start.level.hng;
        astar.begin(hng, memory, bounds, kInfinity);
        const auto for_each_connector = [&](const MeshEndpoint& endpoint, auto&& use) {
            const auto borders = hng.of_cluster(endpoint.cluster);
            for (std::uint32_t slot = 0; slot < borders.size(); ++slot) {
                if (endpoint.memory.costs[slot] < kInfinity)
                    use(borders[slot], endpoint.memory.costs[slot]);
            }
        };
        for_each_connector(goal,
                           [&](std::uint32_t vertex, Cost cost) { astar.add_goal(vertex, cost); });
        for_each_connector(start, [&](std::uint32_t vertex, Cost cost) {
            astar.add_start(hng.side_across(vertex, start.cluster), cost);
        });
        constexpr std::uint64_t kNoLimit = ~std::uint64_t{0};
        static_cast<void>(astar.advance(kNoLimit));
        if (astar.open().entries().overflown()) return kInfinity;
        const FixedList path = scratch_.path.vertices;
        for (std::uint32_t v = astar.last(); v != Astar::kNoVertex; v = astar.before(v))
            path[vertices++] = v;
        std::reverse(path.items, path.items + vertices);
        return astar.cost();
    }

    const HnaForm& form_;
    const HnaTask& task_;
    const Team& team_;
    Scratch scratch_;
    std::uint32_t stamp_ = 0;  // of the last search; a chunk of 2^24 requests uses 2^26 of them
};

}  // namespace cairn::batch
