// cairn-lab detour-bench: PathQuery beside dtNavMeshQuery, call by call.

#include "lab.hpp"

#ifdef CAIRN_APP_DETOUR

#include <algorithm>
#include <CLI/CLI.hpp>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "bench/detour_calls.hpp"
#include "bench/measurement.hpp"
#include "cairn/detour/path_query.hpp"
#include "cairn/detour/tile_set.hpp"
#include "cairn/hna/hna.hpp"
#include "cairn/mesh/reachability.hpp"
#include "inputs.hpp"
#include "options/fields.hpp"

namespace cairn::app {
namespace {

/// Microseconds of one call over all pairs.
Row times(const std::string& whose, const std::vector<double>& us) {
    return {{whose + "_mean_us", mean(us)},
            {whose + "_median_us", percentile(us, 50)},
            {whose + "_p99_us", percentile(us, 99)}};
}

struct DetourBenchOptions {
    std::vector<std::filesystem::path> files;
    int pairs = 1000;
    int rounds = 3;
    bool alternate = false;
    std::uint64_t seed = 1;
    IndexFlags index;
    Sheets sheets;

    Outcome run(Context& context);

private:
    /// Measures one tile set and adds its rows.
    [[nodiscard]] Status bench(const std::filesystem::path& file, Context& context);
};

/// Both programs on one mesh.
class Beside {
public:
    Beside(const dtNavMesh& nav_mesh, const detour::PathIndex& index)
        : index_(index),
          ours_(index.index().mesh().num_polygons(), index),
          theirs_(index.index().mesh().num_polygons()),
          ready_(dtStatusSucceed(theirs_.query.init(&nav_mesh, kDetourNodes))) {}
    [[nodiscard]] bool ready() const noexcept { return ready_; }

    /// Takes away the pairs on which Detour runs out of nodes. Returns how many, and counts in
    /// `wrong` those of the others on which the two disagree about whether a path leads to the end.
    std::size_t keep_comparable(std::vector<DetourPair>& pairs, std::uint64_t& wrong) {
        return std::erase_if(pairs, [&](const DetourPair& pair) {
            theirs_.find(pair, index_.filter());
            if (theirs_.out_of_nodes()) return true;
            ours_.find(pair, index_.filter());
            const bool reachable = index_.reachable(pair.start, pair.end);
            if (ours_.complete() != theirs_.complete() || reachable != theirs_.complete()) ++wrong;
            return false;
        });
    }

    /// The times of findPath, with `strings` also of findStraightPath, as columns. In each round
    /// Detour answers all pairs and then Cairn, or with `alternate` both answer one after the
    /// other.
    [[nodiscard]] Row compare(std::span<const DetourPair> pairs, bool strings, bool alternate,
                              const MeasureOptions& options) {
        const std::size_t n = pairs.size();
        const auto call = [&](auto& calls, const DetourPair& pair) {
            calls.find(pair, index_.filter());
            if (strings) calls.pull(pair);
        };
        const std::vector<double> seconds = least_seconds({2 * n,
                                                           [&](std::size_t i) {
                                                               const DetourPair& pair =
                                                                   pairs[alternate ? i / 2 : i % n];
                                                               if (alternate ? i % 2 == 0 : i < n) {
                                                                   call(theirs_, pair);
                                                               } else {
                                                                   call(ours_, pair);
                                                               }
                                                           }},
                                                          options);
        std::vector<double> theirs(n);
        std::vector<double> ours(n);
        std::vector<double> ratios(n);
        for (std::size_t i = 0; i < n; ++i) {
            theirs[i] = 1e6 * seconds[alternate ? 2 * i : i];
            ours[i] = 1e6 * seconds[alternate ? 2 * i + 1 : n + i];
            ratios[i] = theirs[i] / ours[i];
        }
        const Row ratio{{"times", percentile(theirs, 50) / percentile(ours, 50)},
                        {"pair_p1", percentile(ratios, 1)},
                        {"pair_median", percentile(ratios, 50)},
                        {"pair_p99", percentile(ratios, 99)}};
        return joined(joined(times("detour", theirs), times("cairn", ours)), ratio);
    }

    /// Nanoseconds of PathIndex::reachable at the mean.
    [[nodiscard]] double reachable_ns(std::span<const DetourPair> pairs,
                                      const MeasureOptions& options) {
        const double seconds = least_time(options.rounds, [&] {
            for (const DetourPair& pair : pairs)
                reached_ += index_.reachable(pair.start, pair.end) ? 1U : 0U;
        });
        return 1e9 * seconds / static_cast<double>(pairs.size());
    }

private:
    detour::PathIndex index_;
    DetourCalls<detour::PathQuery> ours_;
    DetourCalls<dtNavMeshQuery> theirs_;
    bool ready_ = false;
    std::size_t reached_ = 0;  // by reachable_ns, so that no call is left out
};

Status DetourBenchOptions::bench(const std::filesystem::path& file, Context& context) {
    const auto nav_mesh = detour::read_tile_set(file.string());
    if (!nav_mesh) return nav_mesh.error();
    const auto options_of_index = index.options<hna::Planner>();
    if (!options_of_index) return options_of_index.error();
    ProgressBar bar("building");
    const double begin = now();
    const auto built = detour::PathIndex::build(
        **nav_mesh, dtQueryFilter(), {*options_of_index, {}}, bar.control(context, index.threads));
    const double build_ms = 1e3 * (now() - begin);
    bar.clear();
    if (!built) return of_file(file, built.error());
    const mesh::Mesh& mesh = built->index().mesh();
    const auto reachability = mesh::Reachability::build(mesh).value();
    const hna::IndexStatistics sizes = built->index().statistics().value();
    const std::string name = file.stem().string();
    const auto a_polygon = [&](std::size_t bytes) {
        return static_cast<double>(bytes) / std::max(1U, mesh.num_polygons());
    };
    sheets.add("detour_index",
               {{"mesh", name},
                {"polygons", mesh.num_polygons()},
                {"connected", polygons_of_largest(reachability)},
                {"components", reachability.count()},
                {"build_ms", build_ms},
                {"labels", built->index().has_labels() ? "yes" : "no"},
                {"label_bytes_per_polygon", a_polygon(sizes.label_bytes)},
                {"bytes_per_polygon", a_polygon(sizes.bytes() + sizes.mesh_bytes)}});

    const auto centre = [&](mesh::Polygon p, auto& /*random*/) { return mesh.centre(p); };
    const MeasureOptions options{.rounds = rounds, .cancel = &context.cancel};
    Beside beside(**nav_mesh, *built);
    if (!beside.ready()) return {StatusCode::out_of_memory, {}};
    const auto measure = [&](const std::string& pairs_of,
                             const std::vector<mesh::Request>& requests, bool strings) {
        std::vector<DetourPair> chosen;
        chosen.reserve(requests.size());
        for (const mesh::Request& request : requests)
            chosen.push_back(detour_pair(built->refs(), request));
        std::uint64_t wrong = 0;
        const std::size_t out_of_nodes = beside.keep_comparable(chosen, wrong);
        if (chosen.empty()) return;
        const Row row = beside.compare(chosen, strings, alternate, options);
        if (options.cancelled()) return;
        sheets.add("detour_bench", joined({{"mesh", name},
                                           {"polygons", mesh.num_polygons()},
                                           {"pairs", pairs_of},
                                           {"calls", strings ? "findPath + string" : "findPath"},
                                           {"compared", chosen.size()},
                                           {"out_of_nodes", out_of_nodes},
                                           {"reachable_ns", beside.reachable_ns(chosen, options)},
                                           {"wrong", wrong}},
                                          row));
    };
    const auto connected = random_pairs(mesh, pairs, seed, centre);
    measure("connected", connected, false);
    measure("connected", connected, true);
    measure("unreachable", unconnected_pairs(mesh, reachability, pairs, seed), false);
    if (options.cancelled()) return fail(StatusCode::cancelled).value();
    return sheets.status();
}

Outcome DetourBenchOptions::run(Context& context) {
    return sheets.for_each(files, context, [&](const auto& file) { return bench(file, context); });
}

}  // namespace

void add_detour_bench(CLI::App& app, Context& context) {
    auto options = std::make_shared<DetourBenchOptions>();
    CLI::App* command = add_command(
        app, context, "detour-bench",
        "Measures Cairn's PathQuery beside Detour's dtNavMeshQuery (65,535 nodes) on tile sets: "
        "findPath, and findPath with findStraightPath, between random polygons of the largest "
        "component; and findPath where no path exists. Pairs on which Detour runs out of nodes are "
        "counted apart. `times`: Detour's median as a multiple of Cairn's; pair_...: percentiles "
        "of that multiple over single pairs.",
        "cairn-lab detour-bench level.bin\n"
        "cairn-lab detour-bench *.bin --pairs 500 --rounds 5 --out OUT");
    command->add_option("tiles", options->files, "Tile sets (.bin)")->required();
    add_count(*command, "--pairs", options->pairs, 1'000'000,
              "Pairs a mesh, and as many without a path")
        ->type_name("N");
    add_count(*command, "--rounds", options->rounds, 1000,
              "Repetitions, of which the shortest time of each call counts")
        ->type_name("N");
    command->add_flag("--alternate", options->alternate,
                      "Both answer each pair one after the other, so that Cairn finds the caches "
                      "full of Detour's search; else each answers all pairs of a round in turn");
    command->add_option("--seed", options->seed, "Seed of the pairs")->capture_default_str();
    options->index.add_to(*command, Space::mesh);
    options->sheets.add_to(*command);
    on_run(command, context, std::move(options));
}

}  // namespace cairn::app

#else

namespace cairn::app {

// Without Detour there is no such command.
void add_detour_bench(CLI::App& /*app*/, Context& /*context*/) {}

}  // namespace cairn::app

#endif
