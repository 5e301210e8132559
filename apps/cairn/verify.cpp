// cairn verify: holds an index against its map.

#include <algorithm>
#include <array>
#include <cmath>
#include <random>

#include "cairn/grid/dijkstra.hpp"
#include "cairn/hpa/searcher.hpp"
#include "cairn/io/hpa_index_file.hpp"
#include "command.hpp"
#include "index_report.hpp"
#include "options.hpp"
#include "text.hpp"

namespace cairn::app {
namespace {

/// One thing that must hold, and how often it did not.
struct Check {
    const char* what;
    std::uint64_t tried = 0;
    std::uint64_t failed = 0;
    std::string first = {};  ///< the first failure
    void expect(bool holds, const auto& describe_failure) {
        ++tried;
        if (holds) return;
        if (failed++ == 0) first = describe_failure();
    }
};

/// Random queries, every answer held against Dijkstra and the other engines.
class QueryChecks {
public:
    QueryChecks(const hpa::Index& index, std::uint64_t seed) : index_(index), random_(seed) {
        const grid::Map& map = index.map();
        for (grid::Cell c = 0; c < map.size(); ++c) {
            if (map.passable(c)) free_.push_back(c);
        }
    }

    /// Asks `count` queries from one start. False if there is no free cell.
    bool ask(int count);

    Check reachability{"reachable exactly where Dijkstra gets"};
    Check bounds{"no cost below the optimum, no lower bound above it"};
    Check legal{"every move legal, every cost the path's"};
    Check engines{"all engines give the same cost"};
    double error_sum = 0;  ///< of the default path
    double error_max = 0;
    std::uint64_t paths = 0;

private:
    grid::Point draw() { return index_.map().point(free_[random_() % free_.size()]); }
    void ask_one(grid::Point start, grid::Point goal, Cost optimum);

    const hpa::Index& index_;
    std::mt19937_64 random_;
    std::vector<grid::Cell> free_;
    hpa::Searcher searcher_;
    hpa::Answer answer_;
};

bool QueryChecks::ask(int count) {
    if (free_.empty()) return false;
    const grid::Point start = draw();
    const std::vector<Cost> optimum = dijkstra_distances(index_.map(), start);
    for (int i = 0; i < count; ++i) {
        const grid::Point goal = draw();
        ask_one(start, goal, optimum[index_.map().cell(goal)]);
    }
    return true;
}

void QueryChecks::ask_one(grid::Point start, grid::Point goal, Cost optimum) {
    const auto where = [&] {
        return fmt::format("{},{} to {},{}: {} of cost {}, optimum {}", start.x, start.y, goal.x,
                           goal.y, name(answer_.status), answer_.cost, optimum);
    };
    const bool exists = optimum != kInfinity;
    reachability.expect(index_.reachable(start, goal) == exists, where);
    std::array<Cost, 3> costs{};
    const std::array all{hpa::Engine::astar, hpa::Engine::levels, hpa::Engine::cut_labels};
    for (std::size_t i = 0; i < all.size(); ++i) {
        hpa::Query query;
        query.start = start;
        query.goal = goal;
        query.engine = all[i];
        query.smoothing = hpa::Smoothing::none;
        query.try_direct_line = false;
        costs[i] = costs[0];
        if (all[i] == hpa::Engine::cut_labels && !index_.has_labels()) continue;
        searcher_.find(index_, query, answer_);
        costs[i] = answer_.cost;
        reachability.expect((answer_.status == StatusCode::ok) == exists, where);
        if (answer_.status == StatusCode::ok)
            legal.expect(path_cost(index_.map(), answer_.cells) == answer_.cost, where);
        engines.expect(costs[i] == costs[0], where);
    }
    for (const auto smoothing :
         {hpa::Smoothing::none, hpa::Smoothing::corridor, hpa::Smoothing::straight_lines}) {
        hpa::Query query;
        query.start = start;
        query.goal = goal;
        query.smoothing = smoothing;
        searcher_.find(index_, query, answer_);
        if (answer_.status != StatusCode::ok || !exists) continue;
        legal.expect(path_cost(index_.map(), answer_.cells) == answer_.cost, where);
        bounds.expect(answer_.cost >= optimum && answer_.lower_bound <= optimum, where);
    }
    if (!exists || optimum == 0) return;
    const double error = static_cast<double>(answer_.cost) / optimum - 1;
    error_sum += error;
    error_max = std::max(error_max, error);
    ++paths;
}

struct Verify {
    std::string map_file;
    int queries = 1000;
    std::uint64_t seed = 1;
    MapFlags map;
    IndexFlags index;

    Outcome run(Context& context) const;
    [[nodiscard]] Result<Check> rebuilt(Context& context, const hpa::Index& opened) const;
    [[nodiscard]] Status ask(Context& context, QueryChecks& checks) const;
};

/// Whether building again, or saving and loading, gives the same.
Result<Check> Verify::rebuilt(Context& context, const hpa::Index& opened) const {
    if (!index.file.empty()) {
        Check check{"equal to an index built afresh"};
        ProgressBar bar("rebuilding");
        hpa::Options options = opened.options();
        options.labels = false;
        const auto built = hpa::Index::build(
            opened.map(), options,
            {.progress = bar.callback(), .cancel = &context.cancel, .threads = index.threads});
        if (!built) return tl::unexpected(built.error());
        check.expect(*built == opened, [] { return "the file differs"; });
        return check;
    }
    Check check{"the same after saving and loading"};
    auto bytes = io::index_bytes(opened);
    if (!bytes) return tl::unexpected(bytes.error());
    const auto owner = std::make_shared<const std::string>(std::move(*bytes));
    const auto loaded =
        io::index_from_bytes(std::as_bytes(std::span(*owner)), owner, "the index", opened.map());
    if (!loaded) return tl::unexpected(loaded.error());
    const auto again = io::index_bytes(*loaded);
    if (!again) return tl::unexpected(again.error());
    check.expect(*loaded == opened && *again == *owner, [] { return "the bytes differ"; });
    return check;
}

Status Verify::ask(Context& context, QueryChecks& checks) const {
    constexpr int kGoals = 10;  // a start
    ProgressBar bar("asking");
    for (int asked = 0; asked < queries; asked += kGoals) {
        if (context.cancel.cancelled())
            return {StatusCode::cancelled, std::string(describe(StatusCode::cancelled))};
        if (!checks.ask(std::min(kGoals, queries - asked)))
            return {StatusCode::no_path, map_file + ": the map has no free cell to ask about"};
        bar.show(static_cast<double>(asked) / queries);
    }
    return {};
}

Outcome Verify::run(Context& context) const {
    const auto grid_map = map.load(map_file);
    if (!grid_map) return tl::unexpected(grid_map.error());
    const auto opened = index.load_or_build(context, *grid_map);
    if (!opened) return tl::unexpected(opened.error());
    const auto same = rebuilt(context, *opened);
    if (!same) return tl::unexpected(same.error());
    QueryChecks asked(*opened, seed);
    if (Status status = ask(context, asked); !status.ok()) return tl::unexpected(status);

    const double mean_error =
        asked.paths == 0 ? 0 : asked.error_sum / static_cast<double>(asked.paths);
    Json list = Json::array();
    std::string text;
    bool good = true;
    for (const Check& check :
         {*same, asked.reachability, asked.bounds, asked.legal, asked.engines}) {
        good = good && check.failed == 0;
        list.push_back({{"check", check.what}, {"tried", check.tried}, {"failed", check.failed}});
        if (check.failed > 0) list.back()["first"] = check.first;
        text += fmt::format("{}  {:<52} {:>10}\n", check.failed == 0 ? "ok  " : "FAIL", check.what,
                            grouped(check.tried));
        if (check.failed > 0)
            text += fmt::format("      {} failed, the first: {}\n", check.failed, check.first);
    }
    if (context.json) {
        say(Json{{"ok", good},
                 {"queries", queries},
                 {"seed", seed},
                 {"checks", std::move(list)},
                 {"paths", asked.paths},
                 {"mean_error", mean_error},
                 {"max_error", asked.error_max}});
    } else {
        say("{}\n{} queries with a path; smoothed they are {:.2f} % above the optimum on average, "
            "{:.1f} % at most\n",
            text, grouped(asked.paths), 100 * mean_error, 100 * asked.error_max);
    }
    return good ? kDone : kFailed;
}

}  // namespace

void add_verify(CLI::App& app, Context& context) {
    auto options = std::make_shared<Verify>();
    CLI::App* command = add_command(
        app, context, "verify",
        "Check an index against its map and against Dijkstra's algorithm. A fresh build must give "
        "the same index, and random queries must agree in what is reachable; no path may be "
        "illegal or cheaper than the optimum, and all engines must agree. Exit code 5 if something "
        "fails.",
        "  cairn verify arena.map --index arena.cairn\n"
        "  cairn verify arena.map --corners free --levels 3 --queries 100000 --seed 2");
    command->add_option("map", options->map_file, "Map: .map, .png, .pgm or Nav2 .yaml")
        ->required();
    command->add_option("--queries", options->queries, "Random queries to ask")
        ->check(CLI::Range(1, 1'000'000'000).description(""))
        ->type_name("N")
        ->capture_default_str()
        ->group("Query");
    command->add_option("--seed", options->seed, "Other seeds, other queries")
        ->type_name("N")
        ->capture_default_str()
        ->group("Query");
    options->map.add_to(*command);
    options->index.add_to(*command);
    options->index.add_file_to(*command);
    on_run(command, context, options);
}

}  // namespace cairn::app
