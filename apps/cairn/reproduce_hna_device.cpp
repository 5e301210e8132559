#include "reproduce_hna_device.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <limits>

#include "cairn/batch/batch.hpp"
#include "cairn/hna/hna.hpp"
#include "cairn/mesh/planner.hpp"
#include "device_flag.hpp"

namespace cairn::app {
namespace {

using batch::DeviceEngine;
using batch::DevicePaths;

struct Way {
    DeviceEngine engine;
    const char* name;
    /// Searches take long, so that a crowd is cut to so many.
    std::size_t most;
};

constexpr std::size_t kMostSearched = 65'535;
constexpr std::size_t kMostOverPolygons = 8'192;
constexpr std::array kWays{
    Way{DeviceEngine::cut_labels, "labels", std::numeric_limits<std::size_t>::max()},
    Way{DeviceEngine::pccp, "PCCP", kMostSearched},
    Way{DeviceEngine::parallel_connect, "parallel connect", kMostSearched},
    Way{DeviceEngine::polygon_astar, "A*", kMostOverPolygons},
};

std::uint64_t differing(const DevicePaths& a, const mesh::Paths& b) {
    std::uint64_t count = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        const bool equal = a.status[i] == b.status[i] && a.cost[i] == b.cost[i] &&
                           std::ranges::equal(a.polygons(i), b.polygons[i]);
        count += equal ? 0 : 1;
    }
    return count;
}

/// The same on the processors.
Result<mesh::Paths> expected(const hna::Index& index, std::span<const mesh::Request> trips,
                             DeviceEngine engine, const BuildControl& build) {
    if (engine == DeviceEngine::polygon_astar)
        return batch::find_paths<mesh::AstarPlanner>(index.mesh(), trips, {}, {}, build);
    hna::Query model;
    model.engine =
        engine == DeviceEngine::cut_labels ? hna::Engine::cut_labels : hna::Engine::astar;
    model.detail = hna::Detail::corridor;
    return batch::find_paths<hna::Planner>(index, trips, model, {}, build);
}

}  // namespace

Result<HnaDevice> measure_device(const std::string& mesh, const hna::Index& index,
                                 std::span<const mesh::Request> trips, batch::DeviceKind kind,
                                 const HnaControl& control) {
    using Clock = std::chrono::steady_clock;
    constexpr int kRounds = 3;
    const auto device = open_device(kind, control.threads);
    if (!device) return tl::unexpected(device.error());
    const auto loaded = batch::DeviceIndex::load(*device, index);
    if (!loaded) return tl::unexpected(loaded.error());
    HnaDevice result{mesh, device->name(), loaded->bytes(), {}};
    BuildControl build;
    build.cancel = control.cancel;
    build.threads = control.threads;
    batch::DeviceSearcher searcher(*device);
    for (const Way& way : kWays) {
        const auto crowd = trips.first(std::min(trips.size(), way.most));
        HnaDeviceTime time{way.name, crowd.size(), std::numeric_limits<double>::infinity()};
        const auto right = expected(index, crowd, way.engine, build);
        if (!right) return tl::unexpected(right.error());
        for (int round = 0; round < kRounds; ++round) {
            const auto start = Clock::now();
            const auto routes = searcher.find_paths(*loaded, crowd, {way.engine}, build);
            const std::chrono::duration<double> taken = Clock::now() - start;
            if (!routes) return tl::unexpected(routes.error());
            if (build.cancelled()) return fail(StatusCode::cancelled);
            time.seconds = std::min(time.seconds, taken.count());
            if (round == 0) time.wrong = differing(*routes, *right);
        }
        const batch::DeviceStatistics& statistics = searcher.statistics();
        time.on_host = statistics.on_host;
        if (!crowd.empty())
            time.bytes =
                static_cast<double>(statistics.bytes_copied) / static_cast<double>(crowd.size());
        result.times.push_back(std::move(time));
    }
    return result;
}

Exhibit hna_crowd_device(const std::vector<HnaDevice>& devices) {
    Exhibit e{"hna-crowd-device",
              "Crowds on a device: milliseconds in which all agents have their corridors",
              {"mesh", "device", "engine", "agents", "ms", "us an agent", "bytes copied an agent",
               "by the host", "wrong", "bytes of the index"},
              {},
              {}};
    for (const HnaDevice& device : devices) {
        for (const HnaDeviceTime& t : device.times) {
            const auto agents = static_cast<double>(std::max<std::size_t>(t.agents, 1));
            e.rows.push_back({device.mesh, device.device, t.engine, t.agents, 1e3 * t.seconds,
                              1e6 * t.seconds / agents, t.bytes, t.on_host, t.wrong,
                              device.index_bytes});
        }
    }
    e.notes.emplace_back(
        "The best of three batches. Wrong: answers that differ, in their corridor or cost, from "
        "those of a batch on the processors. By the host: agents whose ends lie in one cluster.");
    return e;
}

}  // namespace cairn::app
