#include "reproduce/hna_crowds.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <limits>
#include <span>

#include "cairn/batch/batch.hpp"
#include "cairn/hna/hna.hpp"
#include "cairn/mesh/planner.hpp"
#include "options/common.hpp"
#include "reproduce/reproduce.hpp"

namespace cairn::app {

namespace {

using batch::DeviceEngine;
using batch::DevicePaths;

struct DeviceWay {
    DeviceEngine engine;
    const char* name;
    /// The most agents of a crowd, as searches take long.
    std::size_t most;
};

constexpr std::size_t kMostOnDevice = 65'535;
constexpr std::size_t kMostOverPolygons = 8'192;
constexpr std::array kDeviceWays{
    DeviceWay{DeviceEngine::cut_labels, "labels", std::numeric_limits<std::size_t>::max()},
    DeviceWay{DeviceEngine::pccp, "PCCP", kMostOnDevice},
    DeviceWay{DeviceEngine::parallel_connect, "parallel connect", kMostOnDevice},
    DeviceWay{DeviceEngine::polygon_astar, "A*", kMostOverPolygons},
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

/// The expected answers, from a batch on the processors.
Result<mesh::Paths> expected(const hna::Index& index, std::span<const mesh::Request> requests,
                             DeviceEngine engine, const BuildControl& build) {
    if (engine == DeviceEngine::polygon_astar)
        return batch::find_paths<mesh::AstarPlanner>(index.mesh(), requests, {}, {}, build);
    hna::Query model;
    model.engine =
        engine == DeviceEngine::cut_labels ? hna::Engine::cut_labels : hna::Engine::astar;
    model.detail = hna::Detail::corridor;
    return batch::find_paths<hna::Planner>(index, requests, model, {}, build);
}

}  // namespace

Result<HnaDevice> measure_device(const std::string& mesh, const hna::Index& index,
                                 std::span<const mesh::Request> requests, batch::DeviceKind kind,
                                 const HnaControl& control) {
    using Clock = std::chrono::steady_clock;
    const auto device = open_device(kind, control.threads);
    if (!device) return tl::unexpected(device.error());
    const auto loaded = batch::DeviceIndex::load(*device, index);
    if (!loaded) return tl::unexpected(loaded.error());
    HnaDevice result{mesh, device->name(), loaded->bytes(), {}};
    BuildControl build;
    build.cancel = control.cancel;
    build.threads = control.threads;
    batch::DeviceSearcher searcher(*device);
    for (const DeviceWay& way : kDeviceWays) {
        const auto crowd = requests.first(std::min(requests.size(), way.most));
        HnaDeviceTime time{way.name, crowd.size(), std::numeric_limits<double>::infinity()};
        const auto right = expected(index, crowd, way.engine, build);
        if (!right) return tl::unexpected(right.error());
        for (int round = 0; round < kRounds; ++round) {
            const auto start = Clock::now();
            const auto paths = searcher.find_paths(*loaded, crowd, {way.engine}, build);
            const std::chrono::duration<double> taken = Clock::now() - start;
            if (!paths) return tl::unexpected(paths.error());
            if (build.cancelled()) return fail(StatusCode::cancelled);
            time.seconds = std::min(time.seconds, taken.count());
            if (round == 0) time.wrong = differing(*paths, *right);
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

namespace {

using Clock = std::chrono::steady_clock;

/// The most agents for which A* runs; its time is scaled up for larger crowds.
constexpr std::size_t kMostSearched = 2'000;
/// The largest crowd on which all methods run.
constexpr std::size_t kMostCompared = 65'535;
constexpr int kRequestsPerGoal = 100;

/// Measures crowds on one mesh.
class Crowds {
public:
    Crowds(const hna::Index& index, const HnaControl& control)
        : index_(&index), control_(&control) {}

    [[nodiscard]] Result<HnaCrowd> measure(std::span<const mesh::Request> requests, bool compare) {
        HnaCrowd crowd;
        crowd.agents = static_cast<int>(requests.size());
        crowd.compared = compare;
        const auto sample = requests.first(std::min(requests.size(), kMostSearched));
        const double scale =
            static_cast<double>(requests.size()) / static_cast<double>(sample.size());
        const auto astar = [&](std::span<const mesh::Request> some, mesh::Paths& to,
                               const BuildControl& build) {
            return astar_.find_paths(index_->mesh(), some, to, {}, {}, build);
        };
        mesh::Paths optima;
        if (Status s = run(sample, astar, compare, crowd.astar, optima); !s.ok())
            return tl::unexpected(std::move(s));
        for (double* seconds : {&crowd.astar.one_thread, &crowd.astar.threads}) *seconds *= scale;

        std::vector<mesh::Request> shared(requests.begin(), requests.end());
        for (std::size_t i = 0; i < shared.size(); ++i)
            shared[i].goal =
                requests[i % std::max<std::size_t>(1, requests.size() / kRequestsPerGoal)].goal;
        mesh::Paths paths;
        struct Run {
            hna::Engine engine;
            std::span<const mesh::Request> requests;
            HnaCrowdTime& time;
        };
        for (const Run& asked : {Run{hna::Engine::astar, requests, crowd.pccp},
                                 Run{hna::Engine::cut_labels, requests, crowd.labels},
                                 Run{hna::Engine::cut_labels, shared, crowd.shared}}) {
            hna::Query model;
            model.engine = asked.engine;
            model.detail = hna::Detail::corridor;
            const auto ask = [&](std::span<const mesh::Request> all, mesh::Paths& to,
                                 const BuildControl& build) {
                return searcher_.find_paths(*index_, all, to, model, {}, build);
            };
            if (Status s = run(asked.requests, ask, compare, asked.time, paths); !s.ok())
                return tl::unexpected(std::move(s));
            if (compare) asked.time.loop = loop(asked.requests, model);
            if (asked.requests.data() == requests.data()) {
                for (std::size_t i = 0; i < sample.size(); ++i)
                    crowd.wrong += paths.cost[i] != optima.cost[i] ? 1 : 0;
            }
        }
        return crowd;
    }

private:
    [[nodiscard]] static double since(Clock::time_point start) {
        return std::chrono::duration<double>(Clock::now() - start).count();
    }

    template <class Ask>
    [[nodiscard]] Status run(std::span<const mesh::Request> requests, const Ask& ask,
                             bool one_thread, HnaCrowdTime& time, mesh::Paths& paths) {
        const auto least = [&](int threads, double& seconds) -> Status {
            BuildControl build;
            build.cancel = control_->cancel;
            build.threads = threads;
            seconds = std::numeric_limits<double>::infinity();
            for (int round = 0; round < kRounds; ++round) {
                const auto start = Clock::now();
                if (Status s = ask(requests, paths, build); !s.ok()) return s;
                seconds = std::min(seconds, since(start));
                if (build.cancelled()) return fail(StatusCode::cancelled).value();
            }
            return {};
        };
        if (one_thread) {
            if (Status s = least(1, time.one_thread); !s.ok()) return s;
        }
        return least(control_->threads, time.threads);
    }

    /// The seconds of single queries; every corridor is kept.
    [[nodiscard]] double loop(std::span<const mesh::Request> requests, hna::Query query) const {
        double least = std::numeric_limits<double>::infinity();
        for (int round = 0; round < kRounds; ++round) {
            std::vector<std::vector<mesh::Polygon>> corridors(requests.size());
            hna::Searcher searcher;
            hna::Answer answer;
            const auto start = Clock::now();
            for (std::size_t i = 0; i < requests.size(); ++i) {
                query.start = requests[i].start;
                query.goal = requests[i].goal;
                searcher.find(*index_, query, answer);
                corridors[i] = answer.polygons;
            }
            least = std::min(least, since(start));
        }
        return least;
    }

    const hna::Index* index_;
    const HnaControl* control_;
    batch::Searcher<hna::Planner> searcher_;
    batch::Searcher<mesh::AstarPlanner> astar_;
};

}  // namespace

std::vector<int> crowd_sizes(int largest) {
    std::vector<int> sizes;
    for (const int size : {1'000, 10'000, 65'535, 500'000}) {
        if (size < largest) sizes.push_back(size);
    }
    sizes.push_back(largest);
    return sizes;
}

Result<HnaCrowds> measure_crowds(const HnaMesh& mesh, int largest, std::uint64_t seed,
                                 const HnaControl& control) {
    hna::Options options;
    options.mu = 20;
    BuildControl build;
    build.cancel = control.cancel;
    const auto index = hna::Index::build(mesh.centres, options, build);
    if (!index) return tl::unexpected(index.error());
    HnaMesh drawn = mesh;
    draw_pairs(drawn, largest, seed);
    std::vector<mesh::Request> requests;
    requests.reserve(drawn.pairs.size());
    for (const auto& [start, goal] : drawn.pairs) requests.push_back({start, goal});
    HnaCrowds result{mesh.name, mesh.centres.num_polygons(), {}, {}};
    Crowds crowds(*index, control);
    if (requests.empty())
        return fail(StatusCode::bad_option, mesh.name + ": a mesh without polygons");
    const std::size_t compared =
        std::min({requests.size(), static_cast<std::size_t>(largest), kMostCompared});
    for (const int agents : crowd_sizes(largest)) {
        const auto count = static_cast<std::size_t>(agents);
        auto crowd = crowds.measure(std::span(requests).first(count), count == compared);
        if (!crowd) return tl::unexpected(std::move(crowd.error()));
        result.crowds.push_back(*crowd);
        control.step();
    }
    if (control.device) {
        auto device = measure_device(mesh.name, *index, requests, *control.device, control);
        if (!device) return tl::unexpected(std::move(device.error()));
        result.device = *std::move(device);
    }
    return result;
}

Status add_rows(const HnaCrowds& mesh, Sheets& sheets) {
    for (const HnaCrowd& crowd : mesh.crowds) {
        const std::pair<const char*, const HnaCrowdTime&> ways[] = {
            {"A*", crowd.astar},
            {"PCCP", crowd.pccp},
            {"labels", crowd.labels},
            {"labels, goals shared", crowd.shared}};
        for (const auto& [name, time] : ways) {
            const auto ms = [](double seconds) {
                return seconds > 0 ? Cell(1e3 * seconds) : Cell();
            };
            Status status =
                sheets.add("crowds", {{"mesh", mesh.name},
                                      {"agents", crowd.agents},
                                      {"way", name},
                                      {"threads_ms", ms(time.threads)},
                                      {"one_thread_ms", ms(time.one_thread)},
                                      {"loop_ms", ms(time.loop)},
                                      {"polygons", mesh.polygons},
                                      {"wrong", &time == &crowd.labels ? crowd.wrong : 0}});
            if (!status.ok()) return status;
        }
    }
    if (!mesh.device) return {};
    for (const HnaDeviceTime& time : mesh.device->times) {
        Status status = sheets.add("device", {{"mesh", mesh.name},
                                              {"device", mesh.device->device},
                                              {"engine", time.engine},
                                              {"agents", time.agents},
                                              {"ms", 1e3 * time.seconds},
                                              {"bytes_an_agent", time.bytes},
                                              {"on_host", time.on_host},
                                              {"index_bytes", mesh.device->index_bytes},
                                              {"wrong", time.wrong}});
        if (!status.ok()) return status;
    }
    return {};
}

}  // namespace cairn::app
