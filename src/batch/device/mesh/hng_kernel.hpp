#pragma once
// One team answers a request by A* on the HNG, as in the paper's section 6. All lanes connect; the
// first one searches. With one lane a team this is one thread an agent.

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "batch/device/kernel_task.hpp"
#include "batch/device/mesh/endpoint.hpp"
#include "batch/device/mesh/hna_form.hpp"
#include "batch/device/mesh/refine.hpp"
#include "hna/hng_astar.hpp"

namespace cairn::batch {

template <class Team>
class HngKernel {
public:
    /// Bytes of scratch memory that a team needs, of any content.
    [[nodiscard]] static std::size_t scratch_bytes(const HnaForm& form) noexcept {
        return carved_bytes<Scratch>(form);
    }

    CAIRN_HOST_DEVICE HngKernel(const HnaForm& form, const HnaTask& task, const Team& team,
                                std::byte* scratch)
        : form_(form), task_(task), team_(team), carver_(scratch), scratch_(form, carver_) {
        for (std::uint32_t v = team.lane(); v < form.hng.count(); v += team.lanes())
            scratch_.labels[v] = {};
        team.sync();
    }

    /// All lanes call this with the same request.
    CAIRN_HOST_DEVICE void answer(std::uint32_t number) {
        answer_request(
            task_, number, team_,
            [this](const mesh::Request& request, RequestAnswer& answer) { find(request, answer); });
    }

private:
    using Heap = BasicOpenHeap<FixedEntries>;
    using Astar = hna::HngAstar<Heap>;

    struct Scratch {
        CAIRN_HOST_DEVICE Scratch(const HnaForm& form, Carver& carver) noexcept
            : labels(carver.take<hna::HngLabel>(form.hng.count())),
              to_goal(carver.take<Cost>(form.hng.count())),
              open_room(2 * (form.hng.count() + std::size_t{form.most_borders})),
              open(carver.take<OpenEntry>(open_room)),
              start(form, carver),
              goal(form, carver),
              path(form, carver) {}
        hna::HngLabel* labels;
        Cost* to_goal;
        std::size_t open_room;
        OpenEntry* open;
        EndpointMemory start;
        EndpointMemory goal;
        PathMemory path;
    };

    CAIRN_HOST_DEVICE void find(const mesh::Request& request, RequestAnswer& answer) {
        const MeshEndpoint start(form_, request.start, false, scratch_.start);
        const MeshEndpoint goal(form_, request.goal, true, scratch_.goal);
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
        cost = static_cast<Cost>(team_.first(cost));
        if (cost >= kInfinity) return;
        if (task_.query.corridors &&
            !refine(form_, task_, team_, start, goal, scratch_.path, vertices, answer)) {
            return;
        }
        answer.cost = cost;
    }

    /// Leaves the path in scratch_.path. kInfinity if there is none, or the memory did not do.
    [[nodiscard]] CAIRN_HOST_DEVICE Cost search(const MeshEndpoint& start, const MeshEndpoint& goal,
                                                std::size_t& vertices) {
        stamp_ += Astar::kNextStamp;
        Astar astar(Heap(FixedEntries(scratch_.open, scratch_.open_room)));
        const MeshForm& mesh = form_.mesh;
        const typename Astar::Memory memory{scratch_.labels, scratch_.to_goal, stamp_};
        const typename Astar::Bounds bounds{mesh.anchor(goal.place), mesh.least_factor, mesh.units};
        astar.begin(form_.hng, memory, bounds, kInfinity);
        const auto for_each_connector = [&](const MeshEndpoint& endpoint, auto&& use) {
            const auto all = form_.hng.of_cluster(endpoint.cluster);
            for (std::uint32_t slot = 0; slot < all.size(); ++slot) {
                if (endpoint.memory.costs[slot] < kInfinity)
                    use(all[slot], endpoint.memory.costs[slot]);
            }
        };
        for_each_connector(goal,
                           [&](std::uint32_t vertex, Cost cost) { astar.add_goal(vertex, cost); });
        for_each_connector(start, [&](std::uint32_t vertex, Cost cost) {
            astar.add_start(form_.hng.side_across(vertex, start.cluster), cost);
        });
        constexpr std::uint64_t kAll = ~std::uint64_t{0};
        static_cast<void>(astar.advance(kAll));
        if (astar.open().entries().overflown()) return kInfinity;
        std::uint32_t* const path = scratch_.path.vertices;
        for (std::uint32_t v = astar.last(); v != Astar::kNoVertex; v = astar.before(v))
            path[vertices++] = v;
        for (std::size_t i = 0; i < vertices / 2; ++i) {
            const std::uint32_t other = path[vertices - 1 - i];
            path[vertices - 1 - i] = path[i];
            path[i] = other;
        }
        return astar.cost();
    }

    const HnaForm& form_;
    const HnaTask& task_;
    const Team& team_;
    Carver carver_;
    Scratch scratch_;
    std::uint32_t stamp_ = 0;  // of the last search; chunks are too small to use them up
};

}  // namespace cairn::batch
