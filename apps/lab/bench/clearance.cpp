// cairn-lab clearance: one mesh for every radius. How many gates and pieces meshes have, how long
// reachable() takes, and what the classes of a DiscIndex take and save.

#include <algorithm>
#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "bench/measurement.hpp"
#include "cairn/hna/discs.hpp"
#include "cairn/mesh/clearance.hpp"
#include "cairn/mesh/reachability.hpp"
#include "inputs.hpp"
#include "lab.hpp"
#include "options/mesh.hpp"

namespace cairn::app {
namespace {

constexpr double kGreatestRadius = 1e7;  // of mesh::MeshOptions

struct ClearanceBench {
    std::vector<std::filesystem::path> files;
    NavmeshFlags mesh;
    double most_radius = 0;
    std::vector<double> radii{0.5, 1, 2};
    int pairs = 10'000;
    int rounds = 3;
    int threads = 1;
    std::uint64_t seed = 1;
    Sheets sheets;

    Outcome run(Context& context);

private:
    /// Measures one mesh and adds its rows.
    [[nodiscard]] Status bench(const std::filesystem::path& file, Context& context);
    /// Times reachable() for one radius. A wrong answer is one that differs from the reachability
    /// of the cut mesh for this radius.
    void ask(const std::string& name, const mesh::Clearance& clearance, double radius,
             std::span<const std::pair<mesh::Place, mesh::Place>> places,
             const MeasureOptions& measure);
    /// Builds a DiscIndex for the greatest radius, then for one more at a time, and times the
    /// queries of the radius added last.
    [[nodiscard]] Status bench_classes(const std::string& name, const mesh::Mesh& whole,
                                       const MeasureOptions& measure);
    /// Times corridors and whole paths of one radius between the places that it joins.
    void find_paths(const std::string& name, const hna::DiscIndex& index, double radius,
                    double more_bytes, const MeasureOptions& measure);
};

void ClearanceBench::find_paths(const std::string& name, const hna::DiscIndex& index, double radius,
                                double more_bytes, const MeasureOptions& measure) {
    const mesh::Mesh& whole = index.clearance().whole();
    std::vector<hna::DiscQuery> queries;
    for (const mesh::Request& pair : random_pairs(whole, pairs, seed)) {
        if (index.reachable(pair.start, pair.goal, radius) == StatusCode::ok)
            queries.push_back({.start = pair.start, .goal = pair.goal, .radius = radius});
    }
    hna::DiscSearcher searcher;
    hna::DiscAnswer answer;
    std::size_t no_line = 0;
    for (const hna::DiscQuery& query : queries) {
        searcher.find(index, query, answer);
        no_line += answer.waypoints.empty() ? 1 : 0;
    }
    const auto time = [&](hna::Detail detail) {
        const auto find = [&](std::size_t i) {
            queries[i].detail = detail;
            searcher.find(index, queries[i], answer);
        };
        return least_seconds({queries.size(), find}, measure);
    };
    const std::vector<double> corridors = time(hna::Detail::corridor);
    const std::vector<double> paths = time(hna::Detail::path);
    if (measure.cancelled() || queries.empty()) return;
    const double polygons = std::max(whole.num_polygons(), 1U);
    sheets.add("clearance_classes",
               {{"mesh", name},
                {"radius", radius},
                {"polygon_bytes", static_cast<double>(index.memory()) / polygons},
                {"more_polygon_bytes", more_bytes / polygons},
                {"queries", queries.size()},
                {"no_line", no_line},
                {"corridor_median_us", 1e6 * percentile(corridors, 50)},
                {"corridor_mean_us", 1e6 * mean(corridors)},
                {"corridor_p99_us", 1e6 * percentile(corridors, 99)},
                {"path_median_us", 1e6 * percentile(paths, 50)},
                {"path_mean_us", 1e6 * mean(paths)},
                {"path_p99_us", 1e6 * percentile(paths, 99)}});
}

Status ClearanceBench::bench_classes(const std::string& name, const mesh::Mesh& whole,
                                     const MeasureOptions& measure) {
    std::vector<double> falling = radii;
    std::erase(falling, 0);
    std::sort(falling.rbegin(), falling.rend());
    double bytes = 0;
    for (std::size_t i = 0; i < falling.size() && !measure.cancelled(); ++i) {
        const auto index =
            hna::DiscIndex::build(whole, std::span(falling).first(i + 1), {}, measure.control());
        if (!index) return index.error();
        const auto now = static_cast<double>(index->memory());
        find_paths(name, *index, falling[i], now - bytes, measure);
        bytes = now;
    }
    return {};
}

void ClearanceBench::ask(const std::string& name, const mesh::Clearance& clearance, double radius,
                         std::span<const std::pair<mesh::Place, mesh::Place>> places,
                         const MeasureOptions& measure) {
    std::vector<StatusCode> codes(places.size());
    const auto find = [&](std::size_t i) {
        codes[i] = clearance.reachable(places[i].first, places[i].second, radius);
    };
    const std::vector<double> seconds = least_seconds({places.size(), find}, measure);
    const auto narrowed = clearance.mesh().with_radius(radius);
    if (measure.cancelled() || !narrowed) return;
    const auto reachability = mesh::Reachability::build(*narrowed).value();
    std::size_t reached = 0;
    std::size_t no_path = 0;
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < places.size(); ++i) {
        const auto& [from, to] = places[i];
        const bool joined = reachability.reaches(from.polygon, to.polygon);
        reached += codes[i] == StatusCode::ok ? 1 : 0;
        no_path += codes[i] == StatusCode::no_path ? 1 : 0;
        if (codes[i] == (joined ? StatusCode::no_path : StatusCode::ok)) ++wrong;
    }
    sheets.add("clearance_reach", {{"mesh", name},
                                   {"radius", radius},
                                   {"median_us", 1e6 * percentile(seconds, 50)},
                                   {"mean_us", 1e6 * mean(seconds)},
                                   {"p99_us", 1e6 * percentile(seconds, 99)},
                                   {"queries", places.size()},
                                   {"reached", reached},
                                   {"no_path", no_path},
                                   {"wrong", wrong}});
}

Status ClearanceBench::bench(const std::filesystem::path& file, Context& context) {
    const auto whole = mesh.load(context, file);
    if (!whole) return whole.error();
    const MeasureOptions measure{.rounds = rounds, .threads = threads, .cancel = &context.cancel};
    mesh::Clearance clearance;
    const auto seconds = least_of_rounds(measure, [&]() -> Status {
        auto built = mesh::Clearance::build(*whole, {most_radius}, measure.control());
        if (!built) return std::move(built.error());
        clearance = std::move(*built);
        return {};
    });
    if (!seconds) return seconds.error();
    const std::string name = file.filename().string();
    const double polygons = std::max(whole->num_polygons(), 1U);
    sheets.add("clearance",
               {{"mesh", name},
                {"polygons", whole->num_polygons()},
                {"gates", clearance.gates().size()},
                {"pieces", clearance.mesh().num_polygons()},
                {"build_ms", 1e3 * *seconds},
                {"polygon_bytes", static_cast<double>(clearance.bytes()) / polygons},
                {"mesh_polygon_bytes", static_cast<double>(whole->bytes()) / polygons},
                {"cut_polygon_bytes", static_cast<double>(clearance.mesh().bytes()) / polygons}});
    std::vector<std::pair<mesh::Place, mesh::Place>> places;
    for (const mesh::Request& pair : random_pairs(*whole, pairs, seed))
        places.emplace_back(clearance.place(pair.start), clearance.place(pair.goal));
    for (const double radius : radii) {
        ask(name, clearance, radius, places, measure);
        if (measure.cancelled()) return fail(StatusCode::cancelled).value();
    }
    if (Status status = bench_classes(name, *whole, measure); !status.ok()) return status;
    return sheets.status();
}

Outcome ClearanceBench::run(Context& context) {
    for (const double radius : radii) {
        if (most_radius > 0 && radius > most_radius)
            return fail(StatusCode::bad_option, "a --radius is above --most-radius");
    }
    return sheets.for_each(files, context, [&](const auto& file) { return bench(file, context); });
}

}  // namespace

void add_clearance(CLI::App& app, Context& context) {
    auto options = std::make_shared<ClearanceBench>();
    CLI::App* command = add_command(
        app, context, "clearance",
        "Cuts meshes along their narrow places, so that one mesh serves agents of every radius: "
        "the gates and pieces, the time of the cut, bytes for each polygon (of the clearance "
        "itself, the mesh, and the cut mesh), the time of reachable() between random places, and "
        "the bytes and times of a DiscIndex with one class more at a time, the greatest radius "
        "first.",
        "cairn-lab clearance level.bin\n"
        "cairn-lab clearance *.mesh --radius 0.5,1 --most-radius 1");
    command->add_option("mesh", options->files, "Meshes")->required();
    command->add_option("--radius", options->radii, "Radii of the agents")
        ->delimiter(',')
        ->check(CLI::Range(0.0, kGreatestRadius))
        ->type_name("LENGTH,...")
        ->capture_default_str();
    command
        ->add_option("--most-radius", options->most_radius,
                     "The greatest radius: wider places are not cut; 0: any")
        ->check(CLI::Range(0.0, kGreatestRadius))
        ->type_name("LENGTH")
        ->capture_default_str();
    add_count(*command, "--pairs", options->pairs, 1'000'000, "Pairs of places of a mesh")
        ->type_name("N");
    add_count(*command, "--rounds", options->rounds, 1000, "Repetitions; the shortest time counts")
        ->type_name("N");
    add_count(*command, "--threads", options->threads, 1024, "Threads that cut")->type_name("N");
    command->add_option("--seed", options->seed, "Seed of the pairs")->capture_default_str();
    options->mesh.add_to(*command);
    options->sheets.add_to(*command);
    on_run(command, context, std::move(options));
}

}  // namespace cairn::app
