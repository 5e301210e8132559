// cairn-lab mesh-bench: planners side by side on navigation meshes, against A* and Detour.

#include <algorithm>
#include <array>
#include <CLI/CLI.hpp>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "bench/measurement.hpp"
#include "bench/shortest_line.hpp"
#include "cairn/hna/hna.hpp"
#include "cairn/mesh/astar.hpp"
#include "cairn/mesh/funnel.hpp"
#include "cairn/mesh/reachability.hpp"
#include "files.hpp"
#include "inputs.hpp"
#include "lab.hpp"
#include "options/grid.hpp"
#include "options/mesh.hpp"

#ifdef CAIRN_APP_DETOUR
#include <DetourCommon.h>

#include "bench/detour_calls.hpp"
#include "cairn/detour/nav_mesh.hpp"
#include "cairn/detour/tile_set.hpp"
#endif

namespace cairn::app {
namespace {

struct MeshReply {
    StatusCode status = StatusCode::no_path;
    Cost cost = kInfinity;  ///< by the mesh's scoring; kInfinity if the planner has no cost
    std::uint64_t expanded = 0;
    double length = 0;  ///< of the string pulled in the corridor; 0 if there is none
    double flat = 0;    ///< the same, seen from above
};

/// What is measured of one planner on one mesh.
struct MeshRun : PlannerRun {
    std::vector<double> flat;  ///< lengths of strings, seen from above
};

/// A planner as functions. Only `find` is timed; `reply` returns the result of the last `find`.
struct MeshPlanner {
    std::string name;
    std::function<void(const mesh::Request&)> find;
    std::function<MeshReply(const mesh::Request&)> reply;
};

/// A way to answer queries on an index, by a name for users.
struct IndexMethod {
    const char* name;
    hna::Engine engine;
    hna::ConnectBy connect;
    hna::Detail detail;
    bool shorten = false;
};

using hna::ConnectBy;
using hna::Detail;
constexpr std::array kMethods{
    IndexMethod{"labels-cost", hna::Engine::cut_labels, ConnectBy::automatic, Detail::cost},
    IndexMethod{"labels", hna::Engine::cut_labels, ConnectBy::automatic, Detail::corridor},
    IndexMethod{"labels-path", hna::Engine::cut_labels, ConnectBy::automatic, Detail::path},
    IndexMethod{"labels-short", hna::Engine::cut_labels, ConnectBy::automatic, Detail::path, true},
    IndexMethod{"climb-cost", hna::Engine::climb, ConnectBy::automatic, Detail::cost},
    IndexMethod{"climb", hna::Engine::climb, ConnectBy::automatic, Detail::corridor},
    IndexMethod{"hna", hna::Engine::astar, ConnectBy::automatic, Detail::corridor},
    IndexMethod{"hna-search", hna::Engine::astar, ConnectBy::search, Detail::corridor},
};

/// Sets the lengths of the string pulled in a corridor.
void pull_string(const mesh::Mesh& mesh, const mesh::Request& pair,
                 std::span<const mesh::Link> links, MeshReply& reply) {
    std::vector<mesh::Waypoint> waypoints;
    mesh::Funnel().pull(mesh, pair.start.point, pair.goal.point, links, waypoints);
    reply.length = mesh::length(waypoints);
    reply.flat = flat_length(waypoints);
}

/// A* over the polygons: the baseline.
MeshPlanner polygon_astar(const mesh::Mesh& mesh) {
    struct State {
        mesh::Astar astar;
        mesh::Path path;
    };
    const auto state = std::make_shared<State>();
    const auto find = [state, mesh](const mesh::Request& pair) {
        state->astar.find_path(mesh, pair.start, pair.goal, state->path);
    };
    const auto reply = [state, mesh](const mesh::Request& pair) -> MeshReply {
        const mesh::Path& path = state->path;
        MeshReply result{path.status, path.cost, path.statistics.expanded};
        if (path.status == StatusCode::ok) pull_string(mesh, pair, path.links, result);
        return result;
    };
    return {"astar", find, reply};
}

std::vector<std::string> mesh_planner_names() {
    std::vector<std::string> names;
    names.reserve(kMethods.size());
    for (const IndexMethod& method : kMethods) names.emplace_back(method.name);
    return names;
}

/// A planner on an index by its name. std::nullopt if the index does not support it.
std::optional<MeshPlanner> index_planner(const hna::Index& index, const std::string& name) {
    const auto method = std::find_if(kMethods.begin(), kMethods.end(),
                                     [&](const IndexMethod& m) { return name == m.name; });
    if (method == kMethods.end()) return std::nullopt;
    if (method->engine == hna::Engine::cut_labels && !index.has_labels()) return std::nullopt;
    if (method->engine == hna::Engine::climb && !index.has_closure()) return std::nullopt;
    struct State {
        hna::Searcher searcher;
        hna::Query query;
        hna::Answer answer;
    };
    const auto state = std::make_shared<State>();
    state->query.engine = method->engine;
    state->query.connect = method->connect;
    state->query.detail = method->detail;
    state->query.shorten = method->shorten;
    const auto find = [state, index](const mesh::Request& pair) {
        assign(pair, state->query);
        state->searcher.find(index, state->query, state->answer);
    };
    const auto reply = [state, index](const mesh::Request& pair) -> MeshReply {
        const hna::Answer& answer = state->answer;
        const hna::QueryStatistics& effort = answer.statistics;
        const bool listed =
            answer.status == StatusCode::ok && state->query.detail >= Detail::corridor;
        // The least cost, also where the corridor has moved.
        MeshReply result{answer.status, state->query.shorten ? answer.lower_bound : answer.cost,
                         effort.connect.expanded + effort.search.expanded};
        if (listed) pull_string(index.mesh(), pair, answer.links, result);
        return result;
    };
    return MeshPlanner{name, find, reply};
}

/// Measures one planner; `baseline` is null for A* itself.
MeshRun measure_mesh(const MeshPlanner& planner, const std::vector<mesh::Request>& pairs,
                     const MeshRun* baseline, const MeasureOptions& options) {
    MeshRun run;
    run.seconds =
        least_seconds({pairs.size(), [&](std::size_t i) { planner.find(pairs[i]); }}, options);
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        planner.find(pairs[i]);
        const MeshReply reply = planner.reply(pairs[i]);
        if (reply.status != StatusCode::ok ||
            (baseline != nullptr && reply.cost < kInfinity && reply.cost != baseline->cost[i])) {
            ++run.wrong;
        }
        run.cost.push_back(reply.cost);
        run.expanded.push_back(reply.expanded);
        run.length.push_back(reply.length);
        run.flat.push_back(reply.flat);
    }
    return run;
}

#ifdef CAIRN_APP_DETOUR

/// Detour's mesh and its calls.
struct DetourState {
    DetourState(detour::NavMesh mesh, std::size_t polygons)
        : nav_mesh(std::move(mesh)),
          refs(detour::PolyRefs::create(*nav_mesh).value()),
          calls(polygons) {}

    detour::NavMesh nav_mesh;
    detour::PolyRefs refs;
    dtQueryFilter filter;
    DetourCalls<dtNavMeshQuery> calls;

    void set_lengths(const mesh::Request& pair, MeshReply& reply) {
        calls.pull(detour_pair(refs, pair));
        const std::span<const float> corners = calls.corners();
        for (std::size_t i = 3; i < corners.size(); i += 3) {
            reply.length += static_cast<double>(dtVdist(&corners[i - 3], &corners[i]));
            reply.flat += static_cast<double>(dtVdist2D(&corners[i - 3], &corners[i]));
        }
    }
};

/// Detour's mesh of a tile set, if the file is one.
using TileSet = detour::NavMesh;
Result<TileSet> read_tile_set(const std::filesystem::path& file) {
    if (extension_of(file) != ".bin") return TileSet();
    return detour::read_tile_set(file);
}

/// Takes the links away by which `percent` of all pairs of neighbours, chosen at random, are joined
/// in one direction.
void make_one_way(const TileSet& set, int percent, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    std::map<std::pair<dtPolyRef, dtPolyRef>, bool> closed;  // by ascending refs: back
    const auto is_closed = [&](dtPolyRef from, dtPolyRef to) {
        const auto found = closed.find({std::min(from, to), std::max(from, to)});
        return found != closed.end() && found->second == (from > to);
    };
    const auto for_each_tile = [&](auto&& use) {
        const dtNavMesh& tiles = *set;
        for (int i = 0; i < tiles.getMaxTiles(); ++i) {
            const dtMeshTile* const tile = tiles.getTile(i);
            if (tile->header == nullptr) continue;
            for (int p = 0; p < tile->header->polyCount; ++p)
                use(*tile, tile->polys[p], tiles.getPolyRefBase(tile) | static_cast<dtPolyRef>(p));
        }
    };
    for_each_tile([&](const dtMeshTile& tile, const dtPoly& polygon, dtPolyRef ref) {
        for (unsigned i = polygon.firstLink; i != DT_NULL_LINK; i = tile.links[i].next) {
            if (tile.links[i].ref <= ref) continue;
            if (random() % 100 < static_cast<std::uint64_t>(percent))
                closed.try_emplace({ref, tile.links[i].ref}, random() % 2 == 0);
        }
    });
    for_each_tile([&](const dtMeshTile& tile, dtPoly& polygon, dtPolyRef ref) {
        unsigned* at = &polygon.firstLink;
        while (*at != DT_NULL_LINK) {
            dtLink& link = tile.links[*at];
            if (is_closed(ref, link.ref)) {
                *at = link.next;
            } else {
                at = &link.next;
            }
        }
    });
}

Result<mesh::Mesh> mesh_of(const TileSet& tiles, const mesh::MeshOptions& options) {
    auto converted = detour::convert(*tiles, dtQueryFilter(), options);
    if (!converted) return tl::unexpected(std::move(converted.error()));
    return std::move(converted->mesh);
}

std::optional<MeshPlanner> detour_baseline(TileSet tiles, const mesh::Mesh& mesh) {
    if (tiles == nullptr) return std::nullopt;
    const auto state = std::make_shared<DetourState>(std::move(tiles), mesh.num_polygons());
    state->calls.query.init(state->nav_mesh.get(), kDetourNodes);
    const auto find = [state](const mesh::Request& pair) {
        state->calls.find(detour_pair(state->refs, pair), state->filter);
    };
    const auto reply = [state](const mesh::Request& pair) {
        MeshReply result;
        const bool whole = state->calls.complete();
        result.status = whole ? StatusCode::ok : StatusCode::no_path;
        if (whole) state->set_lengths(pair, result);
        return result;
    };
    return MeshPlanner{"detour", find, reply};
}

#else

using TileSet = std::nullptr_t;
Result<TileSet> read_tile_set(const std::filesystem::path& /*file*/) { return nullptr; }
void make_one_way(TileSet /*set*/, int /*percent*/, std::uint64_t /*seed*/) {}
Result<mesh::Mesh> mesh_of(TileSet /*tiles*/, const mesh::MeshOptions& /*options*/) {
    return fail(StatusCode::unsupported);
}
std::optional<MeshPlanner> detour_baseline(TileSet /*tiles*/, const mesh::Mesh& /*mesh*/) {
    return std::nullopt;
}

#endif

struct MeshBenchOptions {
    std::vector<std::filesystem::path> files;
    HnaFlags index;
    int one_way = 0;  ///< percent
    int pairs = 1000;
    int rounds = 3;
    bool lengths = false;
    std::uint64_t seed = 1;
    std::vector<std::string> planners;

    Sheets sheets;

    Outcome run(Context& context);

private:
    /// The index of a file; `tiles` is its tile set, if it is one, or null. Makes portals one-way.
    [[nodiscard]] Result<hna::Index> load_or_build(Context& context,
                                                   const std::filesystem::path& file,
                                                   const TileSet& tiles) const;
    /// Measures one mesh and adds its rows.
    [[nodiscard]] Status bench(const std::filesystem::path& file, Context& context);
    /// Compares the lengths of strings with the shortest lines and with Detour's strings.
    void compare_lengths(const std::string& name, const mesh::Mesh& mesh,
                         std::span<const mesh::Request> requests, std::span<const MeshRun> runs);
};

/// The mean ratio of string lengths, `run` to `base`, over pairs for which both have a string.
double length_ratio(const PlannerRun& run, const PlannerRun& base) {
    std::vector<double> ratios;
    for (std::size_t i = 0; i < run.length.size(); ++i) {
        if (run.length[i] > 0 && base.length[i] > 0)
            ratios.push_back(run.length[i] / base.length[i]);
    }
    return mean(ratios);
}

Result<hna::Index> MeshBenchOptions::load_or_build(Context& context,
                                                   const std::filesystem::path& file,
                                                   const TileSet& tiles) const {
    if (one_way == 0) return index.load_or_build(context, file);
    if (tiles == nullptr)
        return fail(StatusCode::bad_option, "--one-way is for Detour's tile sets (.bin)");
    const auto options = index.mesh.options();
    if (!options) return tl::unexpected(options.error());
    make_one_way(tiles, one_way, seed);
    const auto mesh = mesh_of(tiles, *options);
    if (!mesh) return tl::unexpected(mesh.error());
    return index.index.build<hna::Planner>(context, *mesh);
}

Status MeshBenchOptions::bench(const std::filesystem::path& file, Context& context) {
    auto tiles = read_tile_set(file);
    if (!tiles) return std::move(tiles.error());
    const double begin = now();
    const auto built = load_or_build(context, file, *tiles);
    if (!built) return built.error();
    const double build_ms = 1e3 * (now() - begin);
    const mesh::Mesh& mesh = built->mesh();
    std::vector<MeshPlanner> measured{polygon_astar(mesh)};
    if (auto detour = detour_baseline(std::move(*tiles), mesh))
        measured.push_back(std::move(*detour));
    std::string notes;
    for (const std::string& name : planners) {
        if (auto planner = index_planner(*built, name)) {
            measured.push_back(std::move(*planner));
        } else {
            notes += (notes.empty() ? "" : "; ") + name;
            notes += ": the index does not support this planner";
        }
    }
    const auto reachability = mesh::Reachability::build(mesh).value();
    const hna::IndexStatistics sizes = built->statistics().value();
    const std::string name = file.filename().string();
    sheets.add("mesh_index", {{"mesh", name},
                              {"polygons", mesh.num_polygons()},
                              {"connected", polygons_of_largest(reachability)},
                              {"build_ms", build_ms},
                              {"index_bytes", sizes.bytes()},
                              {"graph_bytes", sizes.graph_bytes},
                              {"row_bytes", sizes.row_bytes},
                              {"pccp_bytes", sizes.pccp_bytes},
                              {"label_bytes", sizes.label_bytes},
                              {"closure_bytes", sizes.closure_bytes},
                              {"partition_bytes", sizes.partition_bytes},
                              {"reach_bytes", sizes.reach_bytes},
                              {"mesh_bytes", sizes.mesh_bytes},
                              {"note", notes}});
    const MeasureOptions options{.rounds = rounds, .cancel = &context.cancel};
    const auto connected = random_pairs(
        mesh, pairs, seed, [&](mesh::Polygon p, auto& /*random*/) { return mesh.centre(p); });
    const auto unconnected = unconnected_pairs(mesh, reachability, pairs, seed);
    std::vector<MeshRun> runs;
    for (const MeshPlanner& planner : measured) {
        const MeshRun* const baseline = runs.empty() ? nullptr : &runs.front();
        runs.push_back(measure_mesh(planner, connected, baseline, options));
        runs.back().planner = planner.name;
        const MeshRun& run = runs.back();
        const auto find = [&](std::size_t i) { planner.find(unconnected[i]); };
        const double no_path_us = 1e6 * mean(least_seconds({unconnected.size(), find}, options));
        if (options.cancelled()) return fail(StatusCode::cancelled).value();
        const Summary s = summarise(run);
        const double length = length_ratio(run, runs.front());
        sheets.add("mesh_bench", {{"mesh", name},
                                  {"planner", planner.name},
                                  {"mean_us", s.mean_us},
                                  {"median_us", s.median_us},
                                  {"p99_us", s.p99_us},
                                  {"mean_expanded", s.mean_expanded},
                                  {"length_ratio", length > 0 ? Cell(length) : Cell()},
                                  {"no_path_us", unconnected.empty() ? Cell() : Cell(no_path_us)},
                                  {"queries", s.queries},
                                  {"wrong", run.wrong}});
    }
    if (lengths) compare_lengths(name, mesh, connected, runs);
    return sheets.status();
}

void MeshBenchOptions::compare_lengths(const std::string& name, const mesh::Mesh& mesh,
                                       std::span<const mesh::Request> requests,
                                       std::span<const MeshRun> runs) {
    ShortestLine shortest_line(mesh);
    std::vector<double> shortest;
    for (std::size_t i = 0; i < requests.size(); ++i) {
        shortest.push_back(shortest_line.find(requests[i]));
        for (const MeshRun& run : runs) {
            if (run.flat[i] > 0) shortest[i] = std::min(shortest[i], run.flat[i]);
        }
    }
    const auto detour = std::find_if(runs.begin(), runs.end(),
                                     [](const MeshRun& run) { return run.planner == "detour"; });
    for (const MeshRun& run : runs) {
        std::vector<double> ratios;
        double flat = 0;
        double least = 0;
        double own = 0;
        double detours = 0;
        for (std::size_t i = 0; i < requests.size(); ++i) {
            if (!(run.flat[i] > 0 && shortest[i] > 0)) continue;
            ratios.push_back(run.flat[i] / shortest[i]);
            flat += run.flat[i];
            least += shortest[i];
            if (detour == runs.end() || !(detour->length[i] > 0)) continue;
            own += run.length[i];
            detours += detour->length[i];
        }
        if (ratios.empty()) continue;
        sheets.add("mesh_lengths", {{"mesh", name},
                                    {"planner", run.planner},
                                    {"sum", flat / least},
                                    {"mean", mean(ratios)},
                                    {"p99", percentile(ratios, 99)},
                                    {"worst", percentile(ratios, 100)},
                                    {"sum_to_detour", detours > 0 ? Cell(own / detours) : Cell()}});
    }
}

Outcome MeshBenchOptions::run(Context& context) {
    return sheets.for_each(files, context, [&](const auto& file) { return bench(file, context); });
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
    add_count(*command, "--pairs", options->pairs, 1'000'000,
              "Pairs a mesh, and as many without a path")
        ->type_name("N");
    add_count(*command, "--rounds", options->rounds, 1000, "Repetitions; the shortest time counts")
        ->type_name("N");
    command->add_option("--seed", options->seed, "Seed of the pairs and one-way portals")
        ->capture_default_str();
    add_count(*command, "--one-way", options->one_way, 100,
              "Tile sets: close the portals between this percentage of all pairs of neighbours in "
              "one direction, chosen at random")
        ->type_name("PERCENT");
    command->add_option("--planners", options->planners, "Planners to measure")
        ->delimiter(',')
        ->check(one_of(mesh_planner_names()))
        ->type_name("NAME,...");
    command->add_flag("--lengths", options->lengths,
                      "Compare the lengths of strings with those of the shortest lines, seen from "
                      "above, and with Detour's strings");
    options->index.add_to(*command);
    options->sheets.add_to(*command);
    on_run(command, context, std::move(options));
}

}  // namespace cairn::app
