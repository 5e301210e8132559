#pragma once
// What the host does of a portion of a batch: it locates the places of all trips, and answers those
// that are not for a device.

#include <oneapi/tbb/enumerable_thread_specific.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "cairn/batch/device.hpp"
#include "cairn/hna/searcher.hpp"
#include "cairn/navmesh/astar.hpp"
#include "cairn/navmesh/path.hpp"

namespace cairn::batch {

class HostShare {
public:
    /// Prepares for a portion. The index must outlive it.
    void begin(const hna::Index& index, const DeviceQuery& query, std::size_t trips);

    /// Locates trip i of the portion, on any thread. True if it is for the device; else `status`
    /// and `cost` are its answer.
    [[nodiscard]] bool locate(std::uint32_t i, MeshTrip& trip, StatusCode& status, Cost& cost);
    /// Answers a trip itself, on any thread.
    void answer(std::uint32_t i, const MeshTrip& trip, StatusCode& status, Cost& cost);

    /// Polygons of the corridor of a trip that was answered here; else 0.
    [[nodiscard]] std::uint32_t length(std::uint32_t i) const noexcept { return lengths_[i]; }
    /// How many trips were answered here.
    [[nodiscard]] std::size_t answered() const;
    /// Writes all corridors that were found here: trip i's to items[first[i]].
    void write(std::span<const std::uint64_t> first, navmesh::Polygon* items) const;

private:
    struct Corridor {
        std::uint32_t trip = 0;
        std::uint32_t length = 0;
        std::size_t first = 0;  // in polygons
    };
    struct Worker {
        hna::Searcher searcher;
        hna::Answer answer;
        navmesh::Astar astar;
        navmesh::Path path;
        std::vector<Corridor> corridors;
        std::vector<navmesh::Polygon> polygons;
        std::size_t answered = 0;
    };

    [[nodiscard]] bool ends_together(const MeshTrip& trip) const noexcept;
    /// Leaves the corridor in worker.answer.
    void ask(Worker& worker, const MeshTrip& trip) const;

    const hna::Index* index_ = nullptr;
    DeviceEngine engine_ = DeviceEngine::cut_labels;
    hna::Query query_;
    std::vector<std::uint32_t> lengths_;
    oneapi::tbb::enumerable_thread_specific<Worker> workers_;
};

}  // namespace cairn::batch
