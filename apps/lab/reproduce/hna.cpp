// The experiments of the HNA* paper (Rahmani, Pelechano 2020) on any meshes: hierarchies (section
// 7.1), and many agents at once on the processors and on a device (sections 6 and 7.2).

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <random>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "bench/batch_planners.hpp"
#include "bench/hna_connect.hpp"
#include "bench/measurement.hpp"
#include "bench/mesh_devices.hpp"
#include "cairn/batch/batch.hpp"
#include "cairn/batch/device.hpp"
#include "cairn/grid/generate.hpp"
#include "cairn/hna/hna.hpp"
#include "cairn/mesh/astar.hpp"
#include "cairn/mesh/from_grid.hpp"
#include "cairn/mesh/planner.hpp"
#include "cairn/mesh/reachability.hpp"
#include "inputs.hpp"
#include "map_sets.hpp"
#include "options/common.hpp"
#include "options/mesh.hpp"
#include "reproduce/reproduce.hpp"

namespace cairn::app {

namespace {

namespace fs = std::filesystem;
using mesh::Mesh;

/// The paper's parameters (section 7.1.2).
constexpr std::array kHnaLevels{1, 2, 3};
constexpr std::array kHnaMus{2, 4, 6, 8, 10, 15, 20};

/// A mesh with both scorings.
struct HnaMesh {
    std::string name;
    Mesh centres;
    Mesh midpoints;
};

/// Mean microseconds of a query, and of connecting S and G.
struct HnaTime {
    double total = 0;
    double connect = 0;
};

/// A query for a corridor by A* on a level, with one way to connect.
hna::Query astar_query(hna::ConnectBy connect, hna::SearchLevel level) {
    hna::Query query = crowd_query(hna::Engine::astar);
    query.connect = connect;
    query.search_level = level;
    return query;
}

/// Queries for all pairs on an index, alike except for their ends.
class PairQueries {
public:
    PairQueries(const hna::Index& index, std::span<const mesh::Request> pairs,
                const hna::Query& model)
        : index_(&index), pairs_(pairs), query_(model) {}

    /// The times of whole queries, and of `begin`, which connects S and G.
    HnaTime time(const MeasureOptions& options) {
        const auto connect = [&](std::size_t i) {
            assign(pairs_[i], query_);
            searcher_.begin(*index_, query_, answer_);
        };
        const auto whole = [&](std::size_t i) { find(i); };
        return {1e6 * mean(least_seconds({pairs_.size(), whole}, options)),
                1e6 * mean(least_seconds({pairs_.size(), connect}, options))};
    }

    const hna::Answer& find(std::size_t i) {
        assign(pairs_[i], query_);
        searcher_.find(*index_, query_, answer_);
        return answer_;
    }

    /// The number of answers whose cost is not A*'s. Also counts the others' effort.
    std::uint64_t wrong(const std::vector<Cost>& optima) {
        std::uint64_t count = 0;
        for (std::size_t i = 0; i < optima.size(); ++i) {
            const hna::Answer& answer = find(i);
            count += answer.cost != optima[i] ? 1 : 0;
            connect_expanded_ += answer.statistics.connect.expanded;
            highest_ = std::max(highest_, answer.searched_level);
            on_first_ += answer.searched_level == 1 ? 1 : 0;
        }
        return count;
    }
    // After `wrong`:
    /// Nodes that connecting expanded, for a pair at the mean.
    [[nodiscard]] double connect_expanded() const {
        return static_cast<double>(connect_expanded_) / static_cast<double>(pairs_.size());
    }
    /// The highest level that was searched, and the number of pairs for which it was level 1.
    [[nodiscard]] int highest_level() const { return highest_; }
    [[nodiscard]] std::uint64_t on_first_level() const { return on_first_; }

private:
    const hna::Index* index_;
    std::span<const mesh::Request> pairs_;
    hna::Searcher searcher_;
    hna::Query query_;
    hna::Answer answer_;
    std::uint64_t connect_expanded_ = 0;
    std::uint64_t on_first_ = 0;
    int highest_ = 0;
};

/// Figure 10: means over the clusters of a level that have inter-edges; others are whole islands.
struct InterEdges {
    double mean = 0;   ///< inter-edges of a cluster
    double bound = 0;  ///< on that number by equation 3, for clusters of the mean size
};
/// `level` must be the top level.
InterEdges count_inter_edges(const hna::Index& index, int level) {
    const Mesh& mesh = index.mesh();
    std::vector<std::uint64_t> polygons(index.clusters(level));
    std::vector<bool> on_border(index.clusters(level));
    std::size_t sides = 0;
    for (mesh::Polygon p = 0; p < mesh.num_polygons(); ++p) {
        const std::uint32_t cluster = index.cluster(level, p);
        ++polygons[cluster];
        sides = std::max(sides, mesh.links(p).size());
        for (const mesh::Link link : mesh.links(p)) {
            if (index.cluster(level, mesh.polygon_of(mesh::twin(link))) != cluster)
                on_border[cluster] = true;
        }
    }
    std::uint64_t clusters = 0;
    std::uint64_t inside = 0;
    for (std::size_t cluster = 0; cluster < polygons.size(); ++cluster) {
        if (!on_border[cluster]) continue;
        ++clusters;
        inside += polygons[cluster];
    }
    if (clusters == 0) return {};
    const auto inter_edges =
        static_cast<double>(index.statistics().value().levels.back().inter_edges);
    // The bound of a connected cluster of k polygons is I(1, k) = k (s - 2) + 2, which is linear in
    // k: its mean follows from the sum of all k. An inter-edge counts for both of its clusters.
    return {2 * inter_edges / static_cast<double>(clusters),
            static_cast<double>(inside * (sides - 2)) / static_cast<double>(clusters) + 2};
}

Result<hna::Index> build(const Mesh& mesh, int levels, int mu, hna::Pccp pccp, bool labels,
                         const MeasureOptions& measure) {
    hna::Options options;
    options.levels = levels;
    options.mu = mu;
    options.partitioner = hna::Partitioner::multilevel;  // the paper's
    options.pccp = pccp;
    options.labels = labels;
    return hna::Index::build(mesh, options, measure.control());
}

/// The experiments of section 7.1 on one mesh.
class HnaStudy {
public:
    HnaStudy(const HnaMesh& mesh, std::span<const mesh::Request> pairs,
             const MeasureOptions& options, Sheets& sheets)
        : mesh_(mesh), pairs_(pairs), options_(options), sheets_(sheets) {}

    /// Rows of the sheets "meshes" and "hierarchies", scored by centres as in the paper. Errors:
    /// cancelled; those of building an index.
    [[nodiscard]] Status hierarchies() {
        const auto reachability = mesh::Reachability::build(mesh_.centres).value();
        mesh::Astar astar;
        mesh::Path path;
        const auto solve = [&](std::size_t i) {
            astar.find_path(mesh_.centres, pairs_[i].start, pairs_[i].goal, path);
        };
        astar_us_ = 1e6 * mean(least_seconds({pairs_.size(), solve}, options_));
        for (std::size_t i = 0; i < pairs_.size(); ++i) {
            solve(i);
            optima_.push_back(path.cost);
        }
        sheets_.add("meshes", {{"mesh", mesh_.name},
                               {"polygons", mesh_.centres.num_polygons()},
                               {"connected", polygons_of_largest(reachability)},
                               {"astar_us", astar_us_}});
        for (const int levels : kHnaLevels) {
            for (const int mu : kHnaMus) {
                if (Status s = hierarchy(levels, mu); !s.ok()) return s;
                options_.step();
            }
        }
        return {};
    }

    /// Figure 7, rows of the sheet "offsets": the lengths of a path chosen by costs from polygon
    /// centres and of one chosen by costs from S and G, both pulled tight. Pairs are in the order
    /// of their straight distance.
    [[nodiscard]] Status offsets() {
        constexpr int kLevels = 2;
        constexpr int kMu = 10;
        const auto exact =
            build(mesh_.midpoints, kLevels, kMu, hna::Pccp::portals, /*labels=*/false, options_);
        if (!exact) return exact.error();
        const auto centres =
            build(mesh_.centres, kLevels, kMu, hna::Pccp::centres, /*labels=*/false, options_);
        if (!centres) return centres.error();
        const auto queries_on = [&](const hna::Index& index) {
            hna::Query query = astar_query(hna::ConnectBy::tables, hna::SearchLevel::automatic);
            query.detail = hna::Detail::path;
            return PairQueries(index, pairs_, query);
        };
        PairQueries by_portals = queries_on(*exact);
        PairQueries by_centres = queries_on(*centres);
        std::vector<std::array<double, 3>> offsets;  // distance, both lengths
        for (std::size_t i = 0; i < pairs_.size(); ++i) {
            const mesh::Point& a = pairs_[i].start.point;
            const mesh::Point& b = pairs_[i].goal.point;
            const double distance = std::hypot(double{a.x} - double{b.x}, double{a.y} - double{b.y},
                                               double{a.z} - double{b.z});
            offsets.push_back({distance, by_portals.find(i).length, by_centres.find(i).length});
        }
        std::ranges::sort(offsets);
        for (const auto& [distance, by_exact, by_centre] : offsets) {
            sheets_.add_detail("offsets", {{"mesh", mesh_.name},
                                           {"distance", distance},
                                           {"exact", by_exact},
                                           {"centres", by_centre}});
        }
        return {};
    }

private:
    [[nodiscard]] Status hierarchy(int levels, int mu) {
        const Mesh& mesh = mesh_.centres;
        const auto portals = build(mesh, levels, mu, hna::Pccp::portals, /*labels=*/true, options_);
        if (!portals) return portals.error();
        const auto paths =
            build(mesh, levels, mu, hna::Pccp::centre_paths, /*labels=*/false, options_);
        if (!paths) return paths.error();
        const auto next = build(mesh, levels, mu, hna::Pccp::centres, /*labels=*/false, options_);
        if (!next) return next.error();

        using hna::ConnectBy;
        using hna::SearchLevel;
        const auto queries = [&](const hna::Index& index, ConnectBy connect, SearchLevel level) {
            return PairQueries(index, pairs_, astar_query(connect, level));
        };
        PairQueries by_search = queries(*portals, ConnectBy::search, SearchLevel::top);
        PairQueries by_choice = queries(*portals, ConnectBy::search, SearchLevel::automatic);
        PairQueries by_rows = queries(*portals, ConnectBy::portals, SearchLevel::top);
        PairQueries by_paths = queries(*paths, ConnectBy::tables, SearchLevel::top);
        PairQueries by_labels(*portals, pairs_, crowd_query(hna::Engine::automatic));
        const HnaTime search = by_search.time(options_);
        const HnaTime choice = by_choice.time(options_);
        const HnaTime rows = by_rows.time(options_);
        const HnaTime pccp = by_paths.time(options_);
        const HnaTime labels = by_labels.time(options_);
        const auto paper = connect_as_paper(*portals, levels);
        if (!paper) return paper.error();
        const auto device = on_one_lane(*portals);
        if (!device) return device.error();
        if (options_.cancelled()) return fail(StatusCode::cancelled).value();
        const std::uint64_t wrong = by_search.wrong(optima_) + by_choice.wrong(optima_) +
                                    by_rows.wrong(optima_) + by_paths.wrong(optima_) +
                                    by_labels.wrong(optima_) + paper->wrong + device->wrong;
        const InterEdges edges = count_inter_edges(*portals, levels);
        const hna::IndexStatistics sizes = portals->statistics().value();
        sheets_.add(
            "hierarchies",
            {{"mesh", mesh_.name},
             {"levels", levels},
             {"mu", mu},
             {"astar_us", astar_us_},
             {"clusters", portals->clusters(levels)},
             {"searched", by_search.highest_level()},
             {"shared", paper->shared},
             {"connects", paper->connects},
             {"paper_connect_us", paper->connect_us},
             {"paper_expanded", paper->expanded},
             {"hna_us", search.total},
             {"hna_connect_us", search.connect},
             {"hna_expanded", by_search.connect_expanded()},
             {"choice_us", choice.total},
             {"choice_connect_us", choice.connect},
             {"choice_first", by_choice.on_first_level()},
             {"rows_us", rows.total},
             {"rows_connect_us", rows.connect},
             {"pccp_us", pccp.total},
             {"pccp_connect_us", pccp.connect},
             {"lane_rows_us", device->rows_us},
             {"lane_parallel_us", device->parallel_us},
             {"labels_us", labels.total},
             {"inter_edges", edges.mean},
             {"bound", edges.bound},
             {"polygons", mesh.num_polygons()},
             {"path_bytes", paths->statistics().value().pccp_bytes},  // whole paths (table 1)
             {"next_bytes",
              next->statistics().value().pccp_bytes},  // the next cell (section 7.1.1)
             {"portal_bytes", levels == 1 ? sizes.row_bytes : sizes.pccp_bytes},  // exact
             {"wrong", wrong}});
        return {};
    }

    /// The paper's connect step, for a pair at the mean.
    struct AsPaper {
        double connects = 0;  ///< searches
        double connect_us = 0;
        double expanded = 0;
        std::uint64_t shared = 0;  ///< pairs inside one cluster
        std::uint64_t wrong = 0;
    };
    [[nodiscard]] Result<AsPaper> connect_as_paper(const hna::Index& index, int level) const {
        const ClusterBorders borders(index, level);
        PaperConnect paper(index, level, borders);
        if (Status s = paper.prepare(pairs_); !s.ok()) return tl::unexpected(std::move(s));
        const auto pairs = static_cast<double>(pairs_.size());
        AsPaper out;
        out.connects = static_cast<double>(borders.connects(pairs_)) / pairs;
        for (const mesh::Request& pair : pairs_) {
            const auto wrong = paper.wrong(pair);
            if (!wrong) return tl::unexpected(wrong.error());
            out.wrong += *wrong;
            out.shared += paper.share_cluster(pair) ? 1 : 0;
        }
        const std::uint64_t before = paper.expanded();
        for (const mesh::Request& pair : pairs_) paper.connect(pair);
        out.expanded = static_cast<double>(paper.expanded() - before) / pairs;
        const auto connect = [&](std::size_t i) { paper.connect(pairs_[i]); };
        out.connect_us = 1e6 * mean(least_seconds({pairs_.size(), connect}, options_));
        return out;
    }

    /// The kernels that a GPU would run, by one lane of the host: connected by rows, and by
    /// parallel connect. Microseconds of a request in a batch of all pairs.
    struct OneLane {
        double rows_us = 0;
        double parallel_us = 0;
        std::uint64_t wrong = 0;
    };
    [[nodiscard]] Result<OneLane> on_one_lane(const hna::Index& index) const {
        const auto device = open_device(batch::DeviceKind::host, /*threads=*/1);
        if (!device) return tl::unexpected(device.error());
        const auto loaded = batch::DeviceIndex::load(*device, index);
        if (!loaded) return tl::unexpected(loaded.error());
        MeasureOptions alone = options_;
        alone.threads = 1;
        batch::DeviceSearcher searcher(*device);
        OneLane out;
        const auto time = [&](batch::DeviceEngine engine, double& us) -> Status {
            batch::DeviceQuery query{engine};
            query.search_level = hna::SearchLevel::top;
            const auto seconds = least_of_rounds(alone, [&]() -> Status {
                const auto paths = searcher.find_paths(*loaded, pairs_, query, alone.control());
                if (!paths) return paths.error();
                out.wrong += std::ranges::equal(paths->cost, optima_) ? 0 : 1;
                return {};
            });
            if (!seconds) return seconds.error();
            us = 1e6 * *seconds / static_cast<double>(pairs_.size());
            return {};
        };
        Status status = time(batch::DeviceEngine::pccp, out.rows_us);
        if (status.ok()) status = time(batch::DeviceEngine::parallel_connect, out.parallel_us);
        if (!status.ok()) return tl::unexpected(std::move(status));
        return out;
    }

    const HnaMesh& mesh_;
    std::span<const mesh::Request> pairs_;
    const MeasureOptions& options_;
    Sheets& sheets_;
    double astar_us_ = 0;  // mean of A* over the polygons
    std::vector<Cost> optima_;
};

/// The most agents for which A* runs; its time is scaled up for larger crowds.
constexpr std::size_t kMostSearched = 2'000;
/// The largest crowd that is also measured on one thread and by single queries.
constexpr std::size_t kMostCompared = 65'535;
constexpr std::size_t kRequestsPerGoal = 100;

/// The sizes of crowds up to `largest`, ascending: `largest` itself and the paper's sizes below it.
/// 65,535 agents were the most of one launch on the paper's GPU.
std::vector<int> crowd_sizes(int largest) {
    std::vector<int> sizes;
    for (const int size : {1'000, 10'000, 65'535, 500'000}) {
        if (size < largest) sizes.push_back(size);
    }
    sizes.push_back(largest);
    return sizes;
}

using batch::DeviceEngine;

struct DeviceMethod {
    DeviceEngine engine;
    const char* name;  ///< in rows
    std::size_t most;  ///< agents of a crowd at most, as searches take long
};

constexpr std::size_t kMostOnDevice = 65'535;
constexpr std::size_t kMostOverPolygons = 8'192;
constexpr std::size_t kMostOnUpperLevels = 2'048;
/// The paper's hierarchies of GPU figures on upper levels (sections 7.1.2 and 7.2): levels and mu.
constexpr std::array kDeviceHierarchies{std::pair{2, 10}, std::pair{2, 20}, std::pair{3, 10}};
constexpr std::array kDeviceMethods{
    DeviceMethod{DeviceEngine::cut_labels, "labels", std::numeric_limits<std::size_t>::max()},
    DeviceMethod{DeviceEngine::pccp, "PCCP", kMostOnDevice},
    DeviceMethod{DeviceEngine::parallel_connect, "parallel connect", kMostOnDevice},
    DeviceMethod{DeviceEngine::polygon_astar, "A*", kMostOverPolygons},
};

/// Many agents at once on one mesh: the seconds in which every agent gets its corridor.
class Crowds {
public:
    /// S and G are to be connected to level `level` of the index.
    Crowds(std::string mesh, const hna::Index& index, int level, const MeasureOptions& options,
           Sheets& sheets)
        : mesh_(std::move(mesh)),
          index_(index),
          borders_(index, level),
          options_(options),
          sheets_(sheets) {}

    /// Rows of the sheet "crowds", one for each method. `compare`: also by batches on one thread,
    /// and by a loop of single queries. Errors: cancelled; those of batches.
    [[nodiscard]] Status measure(std::span<const mesh::Request> requests, bool compare) {
        const auto sample = requests.first(std::min(requests.size(), kMostSearched));
        const double scale =
            static_cast<double>(requests.size()) / static_cast<double>(sample.size());
        mesh::Paths optima;
        auto times = time(compare, [&](const BuildControl& control) {
            return astar_.find_paths(index_.mesh(), sample, optima,
                                     {.detail = mesh::Detail::corridor}, {}, control);
        });
        if (!times) return times.error();
        connects_ = borders_.connects(requests);
        add("A*", requests.size(), {scale * times->threads, scale * times->one_thread}, 0);

        std::vector<mesh::Request> shared(requests.begin(), requests.end());
        const std::size_t goals = std::max<std::size_t>(1, requests.size() / kRequestsPerGoal);
        for (std::size_t i = 0; i < shared.size(); ++i) shared[i].goal = requests[i % goals].goal;
        struct Method {
            const char* name;
            hna::Engine engine;
            std::span<const mesh::Request> requests;
        };
        mesh::Paths paths;
        for (const Method& method :
             {Method{"PCCP", hna::Engine::astar, requests},
              Method{"labels", hna::Engine::cut_labels, requests},
              Method{"labels, goals shared", hna::Engine::cut_labels, shared}}) {
            const hna::Query model = crowd_query(method.engine);
            times = time(compare, [&](const BuildControl& control) {
                return searcher_.find_paths(index_, method.requests, paths, model, {}, control);
            });
            if (!times) return times.error();
            if (compare) times->loop = loop(method.requests, model);
            std::uint64_t wrong = 0;
            for (std::size_t i = 0; i < sample.size(); ++i) {
                const bool same_goal = method.requests[i].goal == requests[i].goal;
                wrong += same_goal && paths.cost[i] != optima.cost[i] ? 1 : 0;
            }
            add(method.name, requests.size(), *times, wrong);
        }
        return {};
    }

    /// Rows of the sheet "device", one for each engine that the index supports. Of an index of
    /// several levels only searches on the top level are measured, by fewer agents. Errors:
    /// no_device, out_of_memory, cancelled.
    [[nodiscard]] Status measure_device(std::span<const mesh::Request> requests,
                                        batch::DeviceKind kind) const {
        const auto device = open_device(kind, options_.threads);
        if (!device) return device.error();
        const auto loaded = batch::DeviceIndex::load(*device, index_);
        if (!loaded) return loaded.error();
        batch::DeviceSearcher searcher(*device);
        const int levels = index_.options().levels;
        for (const DeviceMethod& method : kDeviceMethods) {
            const bool on_hng = method.engine == DeviceEngine::pccp ||
                                method.engine == DeviceEngine::parallel_connect;
            if (levels > 1 && !on_hng) continue;
            const std::size_t most = levels > 1 ? kMostOnUpperLevels : method.most;
            const auto crowd = requests.first(std::min(requests.size(), most));
            batch::DeviceQuery query{method.engine};
            if (levels > 1) query.search_level = hna::SearchLevel::top;
            const auto host_paths = paths_as_device(index_, crowd, query, options_.control());
            if (!host_paths) return host_paths.error();
            batch::DevicePaths paths;
            const auto seconds = least_of_rounds(options_, [&]() -> Status {
                auto found = searcher.find_paths(*loaded, crowd, query, options_.control());
                if (!found) return std::move(found.error());
                paths = *found;
                return {};
            });
            if (!seconds) return seconds.error();
            const batch::DeviceStatistics& effort = searcher.statistics();
            sheets_.add("device", {{"mesh", mesh_},
                                   {"device", device->name()},
                                   {"levels", levels},
                                   {"mu", index_.options().mu},
                                   {"engine", method.name},
                                   {"agents", crowd.size()},
                                   {"connects", borders_.connects(crowd)},  // equation 4
                                   {"ms", 1e3 * *seconds},
                                   {"bytes_an_agent", static_cast<double>(effort.bytes_copied) /
                                                          static_cast<double>(crowd.size())},
                                   {"on_host", effort.on_host},  // agents served by the host
                                   {"index_bytes", loaded->bytes()},
                                   {"wrong", differing(paths, *host_paths, host_paths->polygons)}});
        }
        return {};
    }

private:
    struct Seconds {
        double threads = 0;     ///< a batch on all threads
        double one_thread = 0;  ///< a batch on one thread; 0: not measured
        double loop = 0;        ///< one query after another by a searcher; 0: not measured
    };

    /// The seconds of a batch on all threads and, if `one_thread`, on one.
    template <class Batch>
    [[nodiscard]] Result<Seconds> time(bool one_thread, const Batch& batch) const {
        Seconds out;
        for (const bool alone : {true, false}) {
            if (alone && !one_thread) continue;
            MeasureOptions options = options_;
            if (alone) options.threads = 1;
            const auto least = least_of_rounds(options, [&] { return batch(options.control()); });
            if (!least) return tl::unexpected(least.error());
            (alone ? out.one_thread : out.threads) = *least;
        }
        return out;
    }

    /// The seconds of single queries; every corridor is kept.
    [[nodiscard]] double loop(std::span<const mesh::Request> requests, hna::Query query) const {
        std::vector<std::vector<mesh::Polygon>> corridors;
        hna::Searcher searcher;
        hna::Answer answer;
        const auto prepare = [&] {
            corridors.assign(requests.size(), {});
            searcher = hna::Searcher();
            answer = {};
        };
        return least_time(options_.rounds, prepare, [&] {
            for (std::size_t i = 0; i < requests.size(); ++i) {
                assign(requests[i], query);
                searcher.find(index_, query, answer);
                corridors[i] = answer.polygons;
            }
        });
    }

    void add(const char* method, std::size_t agents, const Seconds& time, std::uint64_t wrong) {
        const auto ms = [](double seconds) { return seconds > 0 ? Cell(1e3 * seconds) : Cell(); };
        sheets_.add("crowds", {{"mesh", mesh_},
                               {"agents", agents},
                               {"way", method},
                               {"threads_ms", ms(time.threads)},
                               {"one_thread_ms", ms(time.one_thread)},
                               {"loop_ms", ms(time.loop)},
                               {"polygons", index_.mesh().num_polygons()},
                               {"connects", connects_},  // equation 4
                               {"wrong", wrong}});
    }

    std::string mesh_;
    const hna::Index& index_;
    ClusterBorders borders_;
    const MeasureOptions& options_;
    Sheets& sheets_;
    std::uint64_t connects_ = 0;  // of the crowd that is measured
    batch::Searcher<hna::Planner> searcher_;
    batch::Searcher<mesh::AstarPlanner> astar_;
};

/// Crowds on an index of one level with mu 20, scored by centres: the paper's best for one map.
Status measure_crowds(const HnaMesh& mesh, const ExperimentOptions& experiment,
                      const MeasureOptions& options, Sheets& sheets) {
    const auto index =
        build(mesh.centres, /*levels=*/1, /*mu=*/20, hna::Pccp::portals, /*labels=*/true, options);
    if (!index) return index.error();
    const auto requests = random_pairs(mesh.midpoints, experiment.agents, experiment.seed);
    if (requests.empty()) return {StatusCode::bad_option, mesh.name + ": a mesh without polygons"};
    Crowds crowds(mesh.name, *index, /*level=*/1, options, sheets);
    const std::size_t compared = std::min(requests.size(), kMostCompared);
    for (const int agents : crowd_sizes(experiment.agents)) {
        const auto count = static_cast<std::size_t>(agents);
        Status s = crowds.measure(std::span(requests).first(count), count == compared);
        if (!s.ok()) return s;
        options.step();
    }
    if (!experiment.device) return {};
    if (Status s = crowds.measure_device(requests, *experiment.device); !s.ok()) return s;
    for (const auto& [levels, mu] : kDeviceHierarchies) {
        const auto upper =
            build(mesh.centres, levels, mu, hna::Pccp::portals, /*labels=*/false, options);
        if (!upper) return upper.error();
        const Crowds on_top(mesh.name, *upper, levels, options, sheets);
        if (Status s = on_top.measure_device(requests, *experiment.device); !s.ok()) return s;
    }
    return {};
}

/// Whether a file begins as a tile set of Detour, in either byte order, or as a polyanya mesh.
bool is_mesh(const fs::path& file) {
    std::array<char, 4> start{};
    std::ifstream(file, std::ios::binary).read(start.data(), start.size());
    const std::string_view text(start.data(), start.size());
    return text == "TESM" || text == "MSET" || text == "mesh";
}

/// The meshes of the folder --data, or of the largest folder of tile sets below it; without tile
/// sets those of polyanya.
Result<FileSet> mesh_files(const ExperimentOptions& experiment) {
    const auto root =
        data_folder(experiment.maps.empty() ? experiment.data : experiment.maps.front(),
                    "a folder of meshes (.bin, .mesh)");
    if (!root) return tl::unexpected(root.error());
    auto sets = file_sets(*root, {".bin", ".mesh"});
    if (!sets) return tl::unexpected(sets.error());
    for (FileSet& set : *sets) std::erase_if(set, [](const auto& f) { return !is_mesh(f); });
    std::erase_if(*sets, [](const FileSet& set) { return set.empty(); });
    // Folders of tile sets, if there are any.
    std::vector<FileSet> tiled;
    std::ranges::copy_if(*sets, std::back_inserter(tiled), [](const FileSet& set) {
        return std::ranges::any_of(set, [](const auto& f) { return f.extension() == ".bin"; });
    });
    FileSet files = chosen_set(*root, tiled.empty() ? *sets : tiled);
    if (files.empty()) {
        return fail(StatusCode::io_error,
                    fmt::format("{}: no mesh (.bin, .mesh) is there", root->string()));
    }
    if (experiment.max_maps > 0 && files.size() > static_cast<std::size_t>(experiment.max_maps))
        files.resize(static_cast<std::size_t>(experiment.max_maps));
    return files;
}

/// A mesh loaded with each scoring by `load(scoring)`.
template <class Load>
Result<HnaMesh> load_scored(std::string name, const Load& load) {
    auto midpoints = load(mesh::Scoring::portal_midpoints);
    if (!midpoints) return tl::unexpected(std::move(midpoints.error()));
    auto centres = load(mesh::Scoring::polygon_centres);
    if (!centres) return tl::unexpected(std::move(centres.error()));
    return HnaMesh{std::move(name), std::move(*centres), std::move(*midpoints)};
}

/// A cave of some 1,500 polygons.
Result<HnaMesh> built_in_mesh(std::uint64_t seed) {
    const auto map = generated_map(grid::MapKind::caves, 160, seed);
    if (!map) return tl::unexpected(map.error());
    return load_scored("caves", [&](mesh::Scoring scoring) {
        mesh::MeshOptions options;
        options.scoring = scoring;
        return mesh::mesh_from_grid(*map, options);
    });
}

Result<std::vector<HnaMesh>> load_all(const ExperimentOptions& experiment, Context& context) {
    std::vector<HnaMesh> meshes;
    if (experiment.built_in) {
        auto mesh = built_in_mesh(experiment.seed);
        if (!mesh) return tl::unexpected(std::move(mesh.error()));
        meshes.push_back(std::move(*mesh));
        return meshes;
    }
    const auto files = mesh_files(experiment);
    if (!files) return tl::unexpected(files.error());
    for (const fs::path& file : *files) {
        auto mesh = load_scored(file.stem().string(), [&](mesh::Scoring scoring) {
            NavmeshFlags flags;
            flags.scoring = scoring;
            return flags.load(context, file);
        });
        if (!mesh) return tl::unexpected(std::move(mesh.error()));
        if (mesh->midpoints.directed()) continue;  // paths from centres need both directions
        meshes.push_back(std::move(*mesh));
    }
    return meshes;
}

}  // namespace

Status reproduce_hna(const ExperimentOptions& experiment, Context& context, Sheets& sheets) {
    const auto meshes = load_all(experiment, context);
    if (!meshes) return meshes.error();
    const bool crowds = experiment.agents > 0;
    Steps steps(meshes->size() * (crowds ? crowd_sizes(experiment.agents).size()
                                         : kHnaLevels.size() * kHnaMus.size()));
    const MeasureOptions options{
        .threads = experiment.threads, .cancel = &context.cancel, .step = [&] { steps.add(); }};
    for (const HnaMesh& mesh : *meshes) {
        Status status = sheets.status();
        if (crowds && status.ok()) {
            status = measure_crowds(mesh, experiment, options, sheets);
        } else if (status.ok()) {
            const auto pairs = random_pairs(mesh.midpoints, experiment.pairs, experiment.seed);
            HnaStudy study(mesh, pairs, options, sheets);
            status = study.hierarchies();
            if (status.ok()) status = study.offsets();
        }
        if (!status.ok()) return status;
    }
    return {};
}

}  // namespace cairn::app
