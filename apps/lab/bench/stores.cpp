// cairn-lab stores: index files that hold their map. How long they take to open, queries and edits
// on them, and how much of them is in memory then.

#include <unistd.h>

#include <algorithm>
#include <array>
#include <CLI/CLI.hpp>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <variant>
#include <vector>

#include "bench/measurement.hpp"
#include "cairn/any.hpp"
#include "cairn/file.hpp"
#include "lab.hpp"
#include "options/fields.hpp"
#include "text.hpp"

namespace cairn::app {
namespace {

struct Request {
    grid::Point start;
    grid::Point goal;
};

/// Pairs of free cells.
std::vector<Request> random_requests(const grid::Map& map, int count, std::uint64_t seed) {
    std::vector<Request> requests;
    if (map.free_cells() == 0) return requests;
    std::mt19937_64 random(seed);
    const auto free_point = [&] {
        for (;;) {
            const auto cell = static_cast<grid::Cell>(random() % map.size());
            if (map.passable(cell)) return map.point(cell);
        }
    };
    for (int i = 0; i < count; ++i) {
        const grid::Point start = free_point();
        requests.push_back({start, free_point()});
    }
    return requests;
}

/// The bytes of the process that are in memory, shared pages of files included; 0 if the system
/// does not tell.
double resident_bytes() {
    std::ifstream in("/proc/self/statm");
    double pages = 0;
    double resident = 0;
    return in >> pages >> resident ? resident * static_cast<double>(::sysconf(_SC_PAGESIZE)) : 0;
}

struct StoreBench {
    std::vector<std::filesystem::path> files;
    IndexFlags index;  ///< only --checks
    int queries = 1000;
    int edits = 20;
    int rounds = 3;
    std::uint64_t seed = 1;
    std::uint64_t most_resident = 0;  ///< 0: no bound
    Sheets sheets;

    Outcome run(Context& context) {
        return sheets.for_each(files, context,
                               [&](const auto& file) { return bench(file, context); });
    }

private:
    /// Costs of an exact planner, by request.
    struct Optima {
        std::size_t free_cells = 0;  ///< of the map
        std::vector<Cost> costs;
    };

    [[nodiscard]] Status bench(const std::filesystem::path& file, const Context& context);
    /// Times one detail of all requests; sets the columns that begin with `name`.
    [[nodiscard]] Status time(const AnyIndex& opened, const std::vector<Request>& requests,
                              const char* name, const MeasureOptions& measure, Row& row,
                              std::vector<Cost>& costs) const;
    /// Times edits, each of a map as the last one left it.
    [[nodiscard]] Status time_edits(AnyIndex edited, const MeasureOptions& measure, Row& row) const;

    /// Drops the pages of the file if the process holds more than the bound.
    void keep_bound() const {
        if (most_resident > 0 && resident_bytes() > static_cast<double>(most_resident))
            file_->drop_pages();
    }

    std::shared_ptr<const MappedFile> file_;
    std::optional<Optima> optima_;
};

Status StoreBench::time(const AnyIndex& opened, const std::vector<Request>& requests,
                        const char* name, const MeasureOptions& measure, Row& row,
                        std::vector<Cost>& costs) const {
    const Setting detail{"detail", name};
    const auto query = opened.query({&detail, 1});
    if (!query) return query.error();
    AnySearcher searcher(0);
    AnyAnswer answer;
    costs.assign(requests.size(), kInfinity);
    const auto find = [&](std::size_t i) {
        searcher.find(opened, *query, requests[i].start, requests[i].goal, answer);
        costs[i] = answer.cost();
        if (i % 8 == 0) keep_bound();
    };
    MeasureOptions once = measure;
    once.rounds = 1;
    const std::vector<double> first = least_seconds({requests.size(), find}, once);
    const std::vector<double> seconds = least_seconds({requests.size(), find}, measure);
    if (measure.cancelled()) return fail(StatusCode::cancelled).value();
    const std::string prefix = name;
    row.push_back({prefix + "_first_mean_us", 1e6 * mean(first)});
    row.push_back({prefix + "_median_us", 1e6 * percentile(seconds, 50)});
    row.push_back({prefix + "_mean_us", 1e6 * mean(seconds)});
    row.push_back({prefix + "_p99_us", 1e6 * percentile(seconds, 99)});
    return {};
}

Status StoreBench::time_edits(AnyIndex edited, const MeasureOptions& measure, Row& row) const {
    std::vector<double> seconds;
    std::mt19937_64 random(seed);
    const auto map = std::get<grid::Map>(edited.map());
    constexpr int kSide = 8;
    for (int i = 0; i < edits && map.width() > kSide && map.height() > kSide; ++i) {
        if (measure.cancelled()) return fail(StatusCode::cancelled).value();
        const auto below = [&](int n) {
            return static_cast<int>(random() % static_cast<unsigned>(n));
        };
        const grid::TerrainEdit edit{
            {below(map.width() - kSide), below(map.height() - kSide), kSide, kSide},
            static_cast<std::uint8_t>(i % 2 == 0 ? '@' : '.')};
        const double begin = now();
        auto next = edited.edited(std::span(&edit, 1));
        seconds.push_back(now() - begin);
        if (!next) return next.error();
        edited = std::move(*next);
    }
    row.push_back({"edits", seconds.size()});
    row.push_back({"edit_median_ms", 1e3 * percentile(seconds, 50)});
    row.push_back({"edit_p95_ms", 1e3 * percentile(seconds, 95)});
    return {};
}

Status StoreBench::bench(const std::filesystem::path& file, const Context& context) {
    const MeasureOptions measure{.rounds = rounds, .cancel = &context.cancel};
    std::optional<AnyIndex> opened;
    const double resident = resident_bytes();
    const auto seconds = least_of_rounds(measure, [&]() -> Status {
        opened.reset();
        auto mapped = MappedFile::open(file.string());
        if (!mapped) return std::move(mapped.error());
        file_ = std::make_shared<const MappedFile>(std::move(*mapped));
        auto loaded =
            AnyIndex::load(file.string(), nullptr, {.checks = index.checks, .file = file_});
        if (!loaded) return std::move(loaded.error());
        opened = std::move(*loaded);
        return {};
    });
    if (!seconds) return seconds.error();
    const AnyMap any_map = opened->map();
    const auto* const map = std::get_if<grid::Map>(&any_map);
    if (map == nullptr) {
        return {StatusCode::unsupported,
                file.string() + ": not an index of hpa or subgoal, whose maps are grids"};
    }
    std::error_code error;
    Row row{{"file", file.filename().string()},
            {"planner", opened->planner().name},
            {"cells", map->size()},
            {"free_cells", map->free_cells()},
            {"file_bytes", static_cast<double>(std::filesystem::file_size(file, error))},
            {"open_ms", 1e3 * *seconds}};
    const std::vector<Request> requests = random_requests(*map, queries, seed);
    row.push_back({"queries", requests.size()});
    std::vector<Cost> costs;
    std::vector<Cost> path_costs;
    if (Status s = time(*opened, requests, "cost", measure, row, costs); !s.ok()) return s;
    if (Status s = time(*opened, requests, "path", measure, row, path_costs); !s.ok()) return s;
    row.push_back({"resident_bytes", std::max(resident_bytes() - resident, 0.0)});
    if (Status s = time_edits(*opened, measure, row); !s.ok()) return s;
    if (opened->planner().exact && !optima_) optima_ = Optima{map->free_cells(), costs};
    std::uint64_t wrong = 0;
    std::vector<double> cost_errors;
    std::vector<double> path_errors;
    if (optima_ && optima_->free_cells == map->free_cells()) {
        for (std::size_t i = 0; i < requests.size(); ++i) {
            const Cost optimum = optima_->costs[i];
            const bool found = optimum < kInfinity;
            if (found != (costs[i] < kInfinity) || costs[i] < optimum || path_costs[i] < optimum)
                ++wrong;
            if (!found || optimum == 0) continue;
            cost_errors.push_back(static_cast<double>(costs[i]) / optimum - 1);
            path_errors.push_back(static_cast<double>(path_costs[i]) / optimum - 1);
        }
    }
    const bool compared = !cost_errors.empty();
    row.push_back({"cost_error", compared ? Cell(mean(cost_errors)) : Cell()});
    row.push_back({"path_error", compared ? Cell(mean(path_errors)) : Cell()});
    row.push_back({"wrong", wrong});
    return sheets.add("stores", row);
}

}  // namespace

void add_stores(CLI::App& app, Context& context) {
    auto options = std::make_shared<StoreBench>();
    CLI::App* command = add_command(
        app, context, "stores",
        "Measures index files of grids that hold their map (cairn build --with-map): the time to "
        "open them, costs and paths of random requests, the first time and then, the bytes of the "
        "process that are in memory afterwards, and edits of 8 x 8 cells. If the first file is of "
        "an exact planner, others of the same map are compared with its costs.",
        "cairn-lab stores city.subgoal.cairn city.hpa.cairn --checks none");
    command->add_option("files", options->files, "Index files of one map, an exact one first")
        ->required();
    options->index.add_checks_to(*command);
    add_count(*command, "--queries", options->queries, 1'000'000, "Random requests")
        ->type_name("N");
    add_count(*command, "--edits", options->edits, 100'000, "Edits")->type_name("N");
    add_count(*command, "--rounds", options->rounds, 1000, "Repetitions; the shortest time counts")
        ->type_name("N");
    command->add_option("--seed", options->seed, "Seed of requests and edits")
        ->capture_default_str();
    command
        ->add_option(
            "--resident", options->most_resident,
            "Drop the pages of the file when the process holds more than this (2G), looked "
            "at after every eighth request; 0: never")
        ->transform(CLI::AsSizeValue(false).description(""))
        ->type_name("SIZE");
    options->sheets.add_to(*command);
    on_run(command, context, std::move(options));
}

}  // namespace cairn::app
