#pragma once
// The host's part of batches on meshes: it locates the places of all requests, and answers those
// whose start and goal lie in one cluster.

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
    [[nodiscard]] Prepared prepare(mesh::Request& request) const;

    class Worker {
    public:
        /// Its items last until the next.
        [[nodiscard]] HostAnswer answer(const HnaHost& host, const mesh::Request& request);

    private:
        [[nodiscard]] HostAnswer by_astar(const HnaHost& host, const mesh::Request& request);

        hna::Searcher searcher_;
        hna::Answer answer_;
        mesh::Astar astar_;
        mesh::Path path_;
    };

private:
    /// Whether start and goal lie in one cluster; for A* over the polygons, in one polygon.
    [[nodiscard]] bool is_for_host(const mesh::Request& request) const noexcept;

    const hna::Index* index_ = nullptr;
    DeviceEngine engine_ = DeviceEngine::cut_labels;
    hna::Query query_;
};

}  // namespace cairn::batch
