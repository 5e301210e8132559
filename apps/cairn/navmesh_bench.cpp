// `cairn navmesh bench`: planners side by side on navigation meshes.

#include <algorithm>
#include <CLI/CLI.hpp>
#include <numeric>

#include "cairn/mesh/reachability.hpp"
#include "detour_baseline.hpp"
#include "navmesh.hpp"
#include "navmesh_measurement.hpp"
#include "navmesh_options.hpp"
#include "options.hpp"
#include "text.hpp"

namespace cairn::app {
namespace {

struct BenchOptions {
    std::vector<std::filesystem::path> files;
    HnaFlags index;
    int pairs = 1000;
    int rounds = 3;
    std::uint64_t seed = 1;
    std::vector<std::string> planners;

    Outcome run(Context& context) const;
};

/// What was measured on one mesh.
struct MeshBench {
    std::string name;
    std::size_t polygons = 0;
    std::size_t connected = 0;  ///< of the largest component
    double build_ms = 0;
    hna::IndexStatistics sizes;
    std::vector<PlannerRun> runs;
    std::vector<std::string> notes;
    std::vector<std::pair<std::string, double>> no_path_us;  ///< mean, where nothing connects
};

double mean(const std::vector<double>& values) {
    if (values.empty()) return 0;
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

/// The mean string of a planner over that of another, for pairs where both have one.
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
    MeshRun(Context& context, const BenchOptions& options) : context_(context), options_(options) {
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
                bench_.notes.push_back(name + ": the index cannot be asked so");
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
    const BenchOptions& options_;
    MeasureOptions measure_;
    MeshBench bench_;
    std::vector<MeshPair> pairs_;
    std::vector<MeshPair> parted_;
};

/// Detour's run, or null.
const PlannerRun* detour_of(const MeshBench& bench) {
    const auto found = std::find_if(bench.runs.begin(), bench.runs.end(),
                                    [](const PlannerRun& run) { return run.planner == "detour"; });
    return found == bench.runs.end() ? nullptr : &*found;
}

std::string text_of(const MeshBench& bench) {
    const hna::IndexStatistics& s = bench.sizes;
    const auto each = [&](std::size_t bytes) {
        return significant(static_cast<double>(bytes) / static_cast<double>(bench.polygons));
    };
    std::string text = fmt::format(
        "{}: {} polygons, {} of them connected; index in {:.0f} ms\n"
        "bytes a polygon: {} (graph {}, rows {}, PCCP {}, labels {}, other {}), mesh "
        "{}\n",
        bench.name, grouped(bench.polygons), grouped(bench.connected), bench.build_ms,
        each(s.bytes()), each(s.graph_bytes), each(s.row_bytes), each(s.pccp_bytes),
        each(s.label_bytes), each(s.partition_bytes + s.reach_bytes), each(s.mesh_bytes));
    Table table({"planner", "mean us", "median us", "p99 us", "times A*", "times Detour",
                 "expanded", "length / A*", "no path us", "wrong"});
    const PlannerRun* detour = detour_of(bench);
    const PlannerRun& astar = bench.runs.front();
    for (std::size_t i = 0; i < bench.runs.size(); ++i) {
        const PlannerRun& run = bench.runs[i];
        const PlannerRun* one[] = {&run};
        const Summary summary = summarise(one);
        const double length = length_ratio(run, astar);
        const auto times = [&](const PlannerRun& base) {
            return significant(mean(base.seconds) / mean(run.seconds));
        };
        table.add({run.planner, significant(summary.mean_us), significant(summary.median_us),
                   significant(summary.p99_us), times(astar),
                   detour != nullptr ? times(*detour) : "-", significant(summary.mean_expanded),
                   length > 0 ? fmt::format("{:.4f}", length) : "-",
                   i < bench.no_path_us.size() ? significant(bench.no_path_us[i].second) : "-",
                   fmt::format("{}", run.wrong)});
    }
    text += table.text();
    for (const std::string& note : bench.notes) text += note + '\n';
    return text;
}

Json json_of(const MeshBench& bench) {
    Json rows = Json::array();
    for (std::size_t i = 0; i < bench.runs.size(); ++i) {
        const PlannerRun& run = bench.runs[i];
        const PlannerRun* one[] = {&run};
        const Summary summary = summarise(one);
        Json row{{"planner", run.planner},
                 {"queries", summary.queries},
                 {"mean_us", summary.mean_us},
                 {"median_us", summary.median_us},
                 {"p99_us", summary.p99_us},
                 {"mean_expanded", summary.mean_expanded},
                 {"length_ratio", length_ratio(run, bench.runs.front())},
                 {"wrong", run.wrong}};
        if (i < bench.no_path_us.size()) row["no_path_us"] = bench.no_path_us[i].second;
        rows.push_back(std::move(row));
    }
    return {{"mesh", bench.name},
            {"polygons", bench.polygons},
            {"connected", bench.connected},
            {"build_ms", bench.build_ms},
            {"index_bytes", bench.sizes.bytes()},
            {"pccp_bytes", bench.sizes.pccp_bytes},
            {"label_bytes", bench.sizes.label_bytes},
            {"planners", std::move(rows)},
            {"notes", bench.notes}};
}

Outcome BenchOptions::run(Context& context) const {
    MeshRun measure(context, *this);
    Json document = Json::array();
    std::uint64_t wrong = 0;
    for (const std::filesystem::path& file : files) {
        auto bench = measure.run(file);
        if (!bench) return tl::unexpected(std::move(bench.error()));
        for (const PlannerRun& run : bench->runs) wrong += run.wrong;
        if (context.json) {
            document.push_back(json_of(*bench));
        } else {
            say("{}{}", document.empty() && &file == &files.front() ? "" : "\n", text_of(*bench));
        }
    }
    if (context.json) say(document);
    return wrong == 0 ? kDone : kFailed;
}

}  // namespace

void add_navmesh_bench(CLI::App& group, Context& context) {
    auto options = std::make_shared<BenchOptions>();
    options->planners = mesh_planner_names();
    CLI::App* command =
        add_command(group, context, "bench",
                    "Measures planners side by side on meshes: A* over the polygons, Detour's "
                    "findPath on tile sets and geometry, and HNA* by every engine. Pairs of "
                    "polygon centres of the largest component; every cost is held against A*'s.",
                    "cairn navmesh bench level.bin\n"
                    "cairn navmesh bench *.mesh --levels 2 --mu 15 --planners hna,labels --table");
    command->add_option("mesh", options->files, "Meshes, or index files of them")->required();
    command->add_option("--pairs", options->pairs, "Pairs a mesh, and as many without a path")
        ->type_name("N")
        ->check(CLI::Range(1, 1'000'000))
        ->capture_default_str();
    command->add_option("--rounds", options->rounds, "Times that all is asked; the least counts")
        ->type_name("N")
        ->check(CLI::Range(1, 1000))
        ->capture_default_str();
    command->add_option("--seed", options->seed, "Another seed draws other pairs")
        ->capture_default_str();
    command->add_option("--planners", options->planners, "Which ways of asking the index")
        ->delimiter(',')
        ->check(CLI::IsMember(mesh_planner_names()))
        ->type_name("NAME,...");
    options->index.add_to(*command);
    on_run(command, context, std::move(options));
}

}  // namespace cairn::app
