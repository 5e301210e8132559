// cairn-lab mesh-bench: planners side by side on navigation meshes.

#include <algorithm>
#include <array>
#include <CLI/CLI.hpp>
#include <filesystem>
#include <functional>
#include <memory>
#include <numeric>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "bench/measurement.hpp"
#include "cairn/hna/hna.hpp"
#include "cairn/mesh/astar.hpp"
#include "cairn/mesh/funnel.hpp"
#include "cairn/mesh/reachability.hpp"
#include "files.hpp"
#include "lab.hpp"
#include "options/grid.hpp"
#include "options/mesh.hpp"

#ifdef CAIRN_APP_DETOUR
#include <DetourCommon.h>
#include <DetourNavMeshQuery.h>

#include "cairn/detour/nav_mesh.hpp"
#include "cairn/detour/tile_set.hpp"
#endif

namespace cairn::app {
namespace {

struct MeshPair {
    mesh::Place start;
    mesh::Place goal;
};

struct MeshReply {
    StatusCode status = StatusCode::no_path;
    Cost cost = kInfinity;  ///< by the mesh's scoring; kInfinity if the planner has no cost
    double length = 0;      ///< of the string pulled in the corridor; 0 if there is none
    std::uint64_t expanded = 0;
};

/// A method to answer queries. `ask` is timed; `reply` returns the last result.
struct MeshPlanner {
    std::string name;
    std::function<void(const MeshPair&)> ask;
    std::function<MeshReply(const MeshPair&)> reply;
};

using mesh::Mesh;
using mesh::Place;
using mesh::Polygon;

Place centre_of(const Mesh& mesh, Polygon polygon) { return {polygon, mesh.centre(polygon)}; }

/// Methods on an index.
struct Way {
    const char* name;
    hna::Engine engine;
    hna::ConnectBy connect;
    hna::Detail detail;
};

using hna::ConnectBy;
using hna::Detail;
constexpr std::array kWays{
    Way{"labels-cost", hna::Engine::cut_labels, ConnectBy::automatic, Detail::cost},
    Way{"labels", hna::Engine::cut_labels, ConnectBy::automatic, Detail::corridor},
    Way{"labels-path", hna::Engine::cut_labels, ConnectBy::automatic, Detail::path},
    Way{"hna", hna::Engine::astar, ConnectBy::automatic, Detail::corridor},
    Way{"hna-search", hna::Engine::astar, ConnectBy::search, Detail::corridor},
    Way{"levels", hna::Engine::levels, ConnectBy::automatic, Detail::corridor},
};

/// Centres of polygons of the largest component.
std::vector<MeshPair> random_pairs(const Mesh& mesh, int count, std::uint64_t seed) {
    const auto reachability = mesh::Reachability::build(mesh);
    const std::uint32_t largest = reachability.largest();
    std::vector<Polygon> polygons;
    for (Polygon p = 0; p < mesh.num_polygons(); ++p) {
        if (!mesh.is_connection(p) && !mesh.blocked(p) && reachability.component(p) == largest)
            polygons.push_back(p);
    }
    std::vector<MeshPair> pairs;
    if (polygons.empty()) return pairs;
    std::mt19937_64 random(seed);
    const auto draw = [&] { return centre_of(mesh, polygons[random() % polygons.size()]); };
    for (int i = 0; i < count; ++i) {
        const Place start = draw();
        pairs.push_back({start, draw()});
    }
    return pairs;
}

/// Pairs that no path connects; none if there is only one component.
std::vector<MeshPair> parted_pairs(const Mesh& mesh, int count, std::uint64_t seed) {
    const auto reachability = mesh::Reachability::build(mesh);
    std::vector<Polygon> polygons;
    for (Polygon p = 0; p < mesh.num_polygons(); ++p) {
        if (!mesh.is_connection(p) && !mesh.blocked(p)) polygons.push_back(p);
    }
    std::vector<MeshPair> pairs;
    if (reachability.count() < 2) return pairs;
    std::mt19937_64 random(seed);
    const auto draw = [&] { return polygons[random() % polygons.size()]; };
    while (static_cast<int>(pairs.size()) < count) {
        const Polygon start = draw();
        const Polygon goal = draw();
        if (reachability.component(start) != reachability.component(goal))
            pairs.push_back({centre_of(mesh, start), centre_of(mesh, goal)});
    }
    return pairs;
}

/// A* over the polygons: the baseline.
MeshPlanner polygon_astar(const Mesh& mesh) {
    struct State {
        mesh::Astar astar;
        mesh::Path path;
        mesh::Funnel funnel;
        std::vector<mesh::Waypoint> waypoints;
    };
    const auto state = std::make_shared<State>();
    const auto ask = [state, mesh](const MeshPair& pair) {
        state->astar.find_path(mesh, pair.start, pair.goal, state->path);
    };
    const auto reply = [state, mesh](const MeshPair& pair) {
        const mesh::Path& path = state->path;
        MeshReply result{path.status, path.cost, 0, path.statistics.expanded};
        if (path.status != StatusCode::ok) return result;
        state->funnel.pull(mesh, pair.start.point, pair.goal.point, path.links, state->waypoints);
        result.length = mesh::length(state->waypoints);
        return result;
    };
    return {"astar", ask, reply};
}

const std::vector<std::string>& mesh_planner_names() {
    static const std::vector<std::string> names = [] {
        std::vector<std::string> result;
        result.reserve(kWays.size());
        for (const Way& way : kWays) result.emplace_back(way.name);
        return result;
    }();
    return names;
}

/// A planner on an index by its name. std::nullopt if the index does not support it.
std::optional<MeshPlanner> index_planner(const hna::Index& index, const std::string& name) {
    const auto way =
        std::find_if(kWays.begin(), kWays.end(), [&](const Way& w) { return name == w.name; });
    if (way == kWays.end()) return std::nullopt;
    if (way->engine == hna::Engine::cut_labels && !index.has_labels()) return std::nullopt;
    struct State {
        hna::Searcher searcher;
        hna::Query query;
        hna::Answer answer;
        mesh::Funnel funnel;
        std::vector<mesh::Waypoint> waypoints;
    };
    const auto state = std::make_shared<State>();
    state->query.engine = way->engine;
    state->query.connect = way->connect;
    state->query.detail = way->detail;
    const auto ask = [state, index](const MeshPair& pair) {
        state->query.start = pair.start;
        state->query.goal = pair.goal;
        state->searcher.find(index, state->query, state->answer);
    };
    const auto reply = [state, index](const MeshPair& pair) {
        const hna::Answer& answer = state->answer;
        const hna::QueryStatistics& effort = answer.statistics;
        MeshReply result{answer.status, answer.cost, 0,
                         effort.connect.expanded + effort.search.expanded};
        if (answer.status != StatusCode::ok || state->query.detail < Detail::corridor)
            return result;
        state->funnel.pull(index.mesh(), pair.start.point, pair.goal.point, answer.links,
                           state->waypoints);
        result.length = mesh::length(state->waypoints);
        return result;
    };
    return MeshPlanner{name, ask, reply};
}

/// Measures one planner; `baseline` is null for A* itself. In the run, `error` is the excess length
/// of a string over the baseline's.
PlannerRun measure_mesh(const MeshPlanner& planner, const std::vector<MeshPair>& pairs,
                        const PlannerRun* baseline, const MeasureOptions& options) {
    PlannerRun run;
    run.planner = planner.name;
    const std::vector<double> least =
        least_seconds({pairs.size(), [&](std::size_t i) { planner.ask(pairs[i]); }}, options);
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        planner.ask(pairs[i]);
        const MeshReply reply = planner.reply(pairs[i]);
        if (reply.status != StatusCode::ok ||
            (baseline != nullptr && reply.cost < kInfinity && reply.cost != baseline->cost[i])) {
            ++run.wrong;
        }
        run.seconds.push_back(least[i]);
        run.cost.push_back(reply.cost);
        run.expanded.push_back(reply.expanded);
        run.length.push_back(reply.length);
        const bool comparable = baseline != nullptr && reply.length > 0 && baseline->length[i] > 0;
        run.error.push_back(comparable ? reply.length / baseline->length[i] - 1 : 0);
    }
    return run;
}

#ifdef CAIRN_APP_DETOUR

struct FreeQuery {
    void operator()(dtNavMeshQuery* query) const noexcept { dtFreeNavMeshQuery(query); }
};

/// Detour's mesh, its query object and their answers.
struct DetourState {
    static constexpr int kNodes = 65'535;

    detour::NavMesh nav_mesh;
    detour::PolyRefs refs;
    std::unique_ptr<dtNavMeshQuery, FreeQuery> query{dtAllocNavMeshQuery()};
    dtQueryFilter filter;
    std::vector<dtPolyRef> path;
    int count = 0;
    dtStatus status = DT_FAILURE;
    std::vector<float> corners;

    void ask(const MeshPair& pair) {
        count = 0;
        status = query->findPath(refs.ref(pair.start.polygon), refs.ref(pair.goal.polygon),
                                 &pair.start.point.x, &pair.goal.point.x, &filter, path.data(),
                                 &count, static_cast<int>(path.size()));
    }

    [[nodiscard]] double length(const MeshPair& pair) {
        constexpr std::size_t kAxes = 3;
        int corner_count = 0;
        query->findStraightPath(&pair.start.point.x, &pair.goal.point.x, path.data(), count,
                                corners.data(), nullptr, nullptr, &corner_count,
                                static_cast<int>(corners.size() / kAxes));
        double sum = 0;
        for (int i = 1; i < corner_count; ++i) {
            const float* at = corners.data() + kAxes * static_cast<std::size_t>(i);
            sum += static_cast<double>(dtVdist(at - kAxes, at));
        }
        return sum;
    }
};

Result<std::optional<MeshPlanner>> detour_baseline(const std::filesystem::path& file,
                                                   const mesh::Mesh& mesh) {
    if (extension_of(file) != ".bin") return std::nullopt;
    auto nav_mesh = detour::read_tile_set(file);
    if (!nav_mesh) return tl::unexpected(std::move(nav_mesh.error()));
    const auto state = std::make_shared<DetourState>();
    state->nav_mesh = std::move(*nav_mesh);
    state->refs = detour::PolyRefs(*state->nav_mesh);
    state->query->init(state->nav_mesh.get(), DetourState::kNodes);
    state->path.resize(std::size_t{mesh.num_polygons()} + 1);
    state->corners.resize(3 * (state->path.size() + 1));
    const auto ask = [state](const MeshPair& pair) { state->ask(pair); };
    const auto reply = [state](const MeshPair& pair) {
        MeshReply result;
        const bool whole =
            dtStatusSucceed(state->status) && !dtStatusDetail(state->status, DT_PARTIAL_RESULT);
        result.status = whole ? StatusCode::ok : StatusCode::no_path;
        if (whole) result.length = state->length(pair);
        return result;
    };
    return MeshPlanner{"detour", ask, reply};
}

#else

Result<std::optional<MeshPlanner>> detour_baseline(const std::filesystem::path& /*file*/,
                                                   const mesh::Mesh& /*mesh*/) {
    return std::nullopt;
}

#endif

struct MeshBenchOptions {
    std::vector<std::filesystem::path> files;
    HnaFlags index;
    int pairs = 1000;
    int rounds = 3;
    std::uint64_t seed = 1;
    std::vector<std::string> planners;

    Sheets sheets;

    Outcome run(Context& context);
};

/// The measurements of one mesh.
struct MeshBench {
    std::string name;
    std::size_t polygons = 0;
    std::size_t connected = 0;  ///< of the largest component
    double build_ms = 0;
    hna::IndexStatistics sizes;
    std::vector<PlannerRun> runs;
    std::vector<std::string> notes;
    std::vector<std::pair<std::string, double>> no_path_us;  ///< mean over pairs without a path
};

double mean(const std::vector<double>& values) {
    if (values.empty()) return 0;
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

/// The mean string length of a planner divided by another's, over pairs for which both have one.
double length_ratio(const PlannerRun& run, const PlannerRun& base) {
    double sum = 0;
    double count = 0;
    for (std::size_t i = 0; i < run.length.size(); ++i) {
        if (run.length[i] <= 0 || base.length[i] <= 0) continue;
        sum += run.length[i] / base.length[i];
        count += 1;
    }
    return count > 0 ? sum / count : 0;
}

class MeshRun {
public:
    MeshRun(Context& context, const MeshBenchOptions& options)
        : context_(context), options_(options) {
        measure_.rounds = options.rounds;
        measure_.cancel = &context.cancel;
    }

    Result<MeshBench> run(const std::filesystem::path& file) {
        bench_ = {};
        bench_.name = file.filename().string();
        const double begin = now();
        auto index = options_.index.load_or_build(context_, file);
        if (!index) return tl::unexpected(std::move(index.error()));
        bench_.build_ms = 1e3 * (now() - begin);
        const mesh::Mesh& mesh = index->mesh();
        const auto reachability = mesh::Reachability::build(mesh);
        bench_.sizes = index->statistics();
        bench_.polygons = mesh.num_polygons();
        if (reachability.count() > 0) bench_.connected = reachability.size(reachability.largest());
        pairs_ = random_pairs(mesh, options_.pairs, options_.seed);
        parted_ = parted_pairs(mesh, options_.pairs, options_.seed);
        add(polygon_astar(mesh));
        auto detour = detour_baseline(file, mesh);
        if (!detour) return tl::unexpected(std::move(detour.error()));
        if (*detour) add(**detour);
        for (const std::string& name : options_.planners) {
            const auto planner = index_planner(*index, name);
            if (planner) {
                add(*planner);
            } else {
                bench_.notes.push_back(name + ": the index does not support this planner");
            }
        }
        if (context_.cancel.cancelled()) return fail(StatusCode::cancelled);
        return bench_;
    }

private:
    void add(const MeshPlanner& planner) {
        const PlannerRun* baseline = bench_.runs.empty() ? nullptr : &bench_.runs.front();
        bench_.runs.push_back(measure_mesh(planner, pairs_, baseline, measure_));
        if (parted_.empty()) return;
        const auto ask = [&](std::size_t i) { planner.ask(parted_[i]); };
        bench_.no_path_us.emplace_back(planner.name,
                                       1e6 * mean(least_seconds({parted_.size(), ask}, measure_)));
    }

    Context& context_;
    const MeshBenchOptions& options_;
    MeasureOptions measure_;
    MeshBench bench_;
    std::vector<MeshPair> pairs_;
    std::vector<MeshPair> parted_;
};

Status add_rows(const MeshBench& bench, Sheets& sheets) {
    const hna::IndexStatistics& sizes = bench.sizes;
    std::string notes;
    for (const std::string& note : bench.notes) notes += (notes.empty() ? "" : "; ") + note;
    Status status = sheets.add("mesh_index", {{"mesh", bench.name},
                                              {"polygons", bench.polygons},
                                              {"connected", bench.connected},
                                              {"build_ms", bench.build_ms},
                                              {"index_bytes", sizes.bytes()},
                                              {"graph_bytes", sizes.graph_bytes},
                                              {"row_bytes", sizes.row_bytes},
                                              {"pccp_bytes", sizes.pccp_bytes},
                                              {"label_bytes", sizes.label_bytes},
                                              {"partition_bytes", sizes.partition_bytes},
                                              {"reach_bytes", sizes.reach_bytes},
                                              {"mesh_bytes", sizes.mesh_bytes},
                                              {"note", notes}});
    for (std::size_t i = 0; i < bench.runs.size() && status.ok(); ++i) {
        const PlannerRun& run = bench.runs[i];
        const PlannerRun* one[] = {&run};
        const Summary s = summarise(one);
        const double length = length_ratio(run, bench.runs.front());
        const bool parted = i < bench.no_path_us.size();
        status = sheets.add("mesh_bench",
                            {{"mesh", bench.name},
                             {"planner", run.planner},
                             {"mean_us", s.mean_us},
                             {"median_us", s.median_us},
                             {"p99_us", s.p99_us},
                             {"mean_expanded", s.mean_expanded},
                             {"length_ratio", length > 0 ? Cell(length) : Cell()},
                             {"no_path_us", parted ? Cell(bench.no_path_us[i].second) : Cell()},
                             {"queries", s.queries},
                             {"wrong", run.wrong}});
    }
    return status;
}

Outcome MeshBenchOptions::run(Context& context) {
    Status status = sheets.open();
    MeshRun measure(context, *this);
    for (std::size_t i = 0; i < files.size() && status.ok(); ++i) {
        const auto bench = measure.run(files[i]);
        status = bench ? add_rows(*bench, sheets) : bench.error();
    }
    return sheets.outcome(context, std::move(status));
}

}  // namespace

void add_mesh_bench(CLI::App& app, Context& context) {
    auto options = std::make_shared<MeshBenchOptions>();
    options->planners = mesh_planner_names();
    CLI::App* command =
        add_command(app, context, "mesh-bench",
                    "Measures planners side by side on meshes: A* over the polygons, Detour's "
                    "findPath on tile sets and geometry, and HNA* by every engine. Pairs of "
                    "polygon centres of the largest component; every cost is compared with A*'s.",
                    "cairn-lab mesh-bench level.bin\n"
                    "cairn-lab mesh-bench *.mesh --levels 2 --mu 15 --planners hna,labels");
    command->add_option("mesh", options->files, "Meshes, or index files of them")->required();
    command->add_option("--pairs", options->pairs, "Pairs a mesh, and as many without a path")
        ->type_name("N")
        ->check(CLI::Range(1, 1'000'000))
        ->capture_default_str();
    command->add_option("--rounds", options->rounds, "Repetitions; the shortest time counts")
        ->type_name("N")
        ->check(CLI::Range(1, 1000))
        ->capture_default_str();
    command->add_option("--seed", options->seed, "Seed of the pairs")->capture_default_str();
    command->add_option("--planners", options->planners, "Planners to measure")
        ->delimiter(',')
        ->check(CLI::IsMember(mesh_planner_names()))
        ->type_name("NAME,...");
    options->index.add_to(*command);
    options->sheets.add_to(*command);
    on_run(command, context, std::move(options));
}

}  // namespace cairn::app
