#pragma once
// The host's share of batches on meshes: it locates the places of all trips, and answers those
// whose ends lie in one cluster.

#include <span>

#include "batch/device/host_share.hpp"
#include "batch/device/mesh/hna_form.hpp"
#include "cairn/batch/device.hpp"
#include "cairn/hna/hna.hpp"
#include "cairn/mesh/astar.hpp"
#include "cairn/mesh/path.hpp"

namespace cairn::batch {

class HnaHost {
public:
    using Form = HnaForm;
    using Arrays = HnaArrays;

    void begin(const hna::Index& index, const DeviceQuery& query);
    [[nodiscard]] Settled settle(mesh::Request& trip) const;

    class Worker {
    public:
        /// Its items last until the next.
        [[nodiscard]] HostAnswer answer(const HnaHost& host, const mesh::Request& trip);

    private:
        [[nodiscard]] HostAnswer by_astar(const HnaHost& host, const mesh::Request& trip);

        hna::Searcher searcher_;
        hna::Answer answer_;
        mesh::Astar astar_;
        mesh::Path path_;
    };

private:
    [[nodiscard]] bool ends_together(const mesh::Request& trip) const noexcept;

    const hna::Index* index_ = nullptr;
    DeviceEngine engine_ = DeviceEngine::cut_labels;
    hna::Query query_;
};

}  // namespace cairn::batch
