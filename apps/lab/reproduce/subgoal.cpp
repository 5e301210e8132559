#include "reproduce/subgoal.hpp"

#include <algorithm>
#include <array>
#include <map>

#include "cairn/formats/movingai.hpp"
#include "cairn/grid/astar.hpp"
#include "cairn/grid/generate.hpp"
#include "cairn/subgoal/subgoal.hpp"
#include "inputs.hpp"
#include "map_sets.hpp"
#include "reproduce/reproduce.hpp"

namespace cairn::app {

namespace {

namespace fs = std::filesystem;

/// The paper's graphs: all direct edges, subgoals in the order of their cells.
subgoal::Options paper_options(std::uint32_t levels) {
    subgoal::Options options;
    options.prune = false;
    options.labels = false;
    options.levels = levels;
    options.order = ContractionOrder::number;
    return options;
}

subgoal::Options taut_options(std::uint32_t levels) {
    subgoal::Options options;
    options.labels = false;
    options.levels = levels;
    return options;
}

bool is_shortest(const SubgoalMap& m, std::size_t i, const subgoal::Answer& answer) {
    const grid::Map& map = *m.map;
    return answer.status == StatusCode::ok && answer.cost == m.optima[i] && !answer.cells.empty() &&
           answer.cells.front() == map.cell(m.problems[i].start) &&
           answer.cells.back() == map.cell(m.problems[i].goal) &&
           path_cost(map, answer.cells) == answer.cost;
}

/// Reads the maps of a folder, with problems for each. Maps without two connected cells are left
/// out. Errors: those of expand_maps, formats::load_map and problems_of.
Result<std::vector<SubgoalMap>> load_set(const std::string& set, const fs::path& folder,
                                         const ExperimentOptions& experiment) {
    const auto files = expand_maps({folder.string()}, experiment.max_maps);
    if (!files) return tl::unexpected(files.error());
    std::vector<SubgoalMap> maps;
    for (const fs::path& file : *files) {
        auto map = formats::load_map(file);
        if (!map) return tl::unexpected(map.error());
        auto problems = problems_of(file, *map, experiment.pairs, experiment.seed);
        if (!problems && problems.error().code == StatusCode::no_path) continue;
        if (!problems) return tl::unexpected(of_file(file, problems.error()));
        maps.push_back({set, file.stem().string(), std::move(*map), std::move(*problems), {}});
    }
    return maps;
}

/// Adds the rows of one variant on one map. `map_key` begins each row; `astar` holds A*'s seconds.
Status measure_variant(const SubgoalVariant& variant, const SubgoalMap& m,
                       std::span<const double> astar, const MeasureOptions& options,
                       const Row& map_key, Sheets& sheets) {
    const double begin = processor_seconds();
    const auto index = subgoal::Index::build(*m.map, variant.options, {{}, options.cancel, 1});
    const double build_ms = 1e3 * (processor_seconds() - begin);
    if (!index) {
        return {index.error().code,
                fmt::format("{}, {}: {}", m.name, variant.name, index.error().message)};
    }
    subgoal::Searcher searcher(0);
    subgoal::Answer answer;
    subgoal::Query query;
    const bool unlabelled = variant.engine == subgoal::Engine::cut_labels && !index->has_labels();
    query.engine = unlabelled ? subgoal::Engine::automatic : variant.engine;
    const auto solve = [&](std::size_t i) {
        assign(m.problems[i], query);
        searcher.find(*index, query, answer);
    };
    std::uint64_t expanded = 0;
    std::uint64_t wrong = 0;  // answers that are not shortest paths
    for (std::size_t i = 0; i < m.problems.size(); ++i) {
        solve(i);
        expanded += answer.statistics.search.expanded;
        if (!is_shortest(m, i, answer)) ++wrong;
    }
    const std::vector<double> seconds = least_seconds({m.problems.size(), solve}, options);
    if (options.cancelled()) return stopped();

    const subgoal::IndexStatistics s = index->statistics().value();
    const auto& levels = s.levels.levels;
    const bool layered = !levels.empty();
    const std::size_t searched = variant.engine == subgoal::Engine::astar    ? s.graph_bytes
                                 : variant.engine == subgoal::Engine::levels ? s.level_bytes
                                                                             : s.label_bytes;
    const auto queries = static_cast<double>(std::max<std::size_t>(m.problems.size(), 1));
    const Row key = joined(map_key, {{"graph", variant.name},
                                     {"edge_set", variant.options.prune ? "taut" : "all"},
                                     {"level_option", variant.options.levels}});
    sheets.add("graphs",
               joined(key, {{"us", 1e6 * mean(seconds)},
                            {"astar_us", 1e6 * mean(astar)},
                            {"build_ms", build_ms},
                            {"expanded", static_cast<double>(expanded) / queries},
                            {"astar_expanded", static_cast<double>(m.astar_expanded) / queries},
                            {"queries", m.problems.size()},
                            {"bit_bytes", s.bit_bytes},
                            {"graph_bytes", s.graph_bytes},
                            {"level_bytes", s.level_bytes},
                            {"label_bytes", s.label_bytes},
                            {"read_bytes", s.bit_bytes + searched},
                            {"subgoals", s.subgoals},
                            {"edges", s.edges},
                            {"taut_edges", s.taut_edges},
                            {"levels", levels.size()},
                            {"core", layered ? levels.back().vertices : 0},
                            {"core_edges", layered ? levels.back().edges : 0},
                            {"level_edges", s.levels.edges},
                            {"extra_edges", s.levels.extra_edges},
                            {"wrong", wrong}}));
    for (std::size_t i = 0; i < seconds.size(); ++i) {
        sheets.add_detail(
            "queries",
            joined(key, {{"query", i}, {"us", 1e6 * seconds[i]}, {"astar_us", 1e6 * astar[i]}}));
    }
    for (std::size_t l = 0; l < levels.size(); ++l) {
        const Row level{
            {"level", l + 1}, {"subgoals", levels[l].vertices}, {"edges", levels[l].edges}};
        sheets.add_detail("levels", joined(key, level));
    }
    return {};
}

/// Table 15.1: Dragon Age: Origins, StarCraft, Warcraft III, Baldur's Gate II.
/// The folders that their scenarios name.
constexpr std::array<const char*, 4> kGames{"dao", "sc1", "wc3maps", "bgmaps"};

/// The folders of --maps, or of the paper's sets in --data.
Result<std::vector<fs::path>> set_folders(const ExperimentOptions& experiment) {
    std::vector<fs::path> folders(experiment.maps.begin(), experiment.maps.end());
    if (!folders.empty()) return folders;
    const auto root = data_folder(
        experiment.data, "MovingAI's sets dao, sc1, wc3maps512 and bg512 with their scenarios");
    if (!root) return tl::unexpected(root.error());
    const auto sets = find_map_sets(*root);
    if (!sets) return tl::unexpected(sets.error());
    for (const std::string_view game : kGames) {
        const FileSet files = chosen_maps(*root, *sets, [&](const MapSet& set) {
            return set.game == game && (game != kGames.back() || is_bg512(set));
        });
        if (files.empty()) {
            return fail(StatusCode::bad_option,
                        fmt::format("{}: no folder of maps that scenarios name maps/{}/... is "
                                    "there: name the folders of the sets with --maps",
                                    root->string(), game));
        }
        folders.push_back(files.front().parent_path());
    }
    return folders;
}

Result<std::vector<SubgoalMap>> load(const ExperimentOptions& experiment) {
    if (experiment.built_in) return built_in_subgoal_maps(experiment.pairs, experiment.seed);
    const auto folders = set_folders(experiment);
    if (!folders) return tl::unexpected(folders.error());
    std::vector<SubgoalMap> all;
    for (const fs::path& folder : *folders) {
        auto maps = load_set(folder_name(folder), folder, experiment);
        if (!maps) return maps;
        std::move(maps->begin(), maps->end(), std::back_inserter(all));
    }
    return all;
}

}  // namespace

std::vector<SubgoalVariant> table_variants() {
    subgoal::Options labels = taut_options(1);
    labels.labels = true;
    return {{"SSG", paper_options(1), subgoal::Engine::levels},
            {"TSG", paper_options(2), subgoal::Engine::levels},
            {"N-level", paper_options(0), subgoal::Engine::levels},
            {"SSG in tiles", paper_options(1), subgoal::Engine::astar},
            {"taut SSG", taut_options(1), subgoal::Engine::levels},
            {"taut TSG", taut_options(2), subgoal::Engine::levels},
            {"taut N-level", taut_options(0), subgoal::Engine::levels},
            {"cut labels", labels, subgoal::Engine::cut_labels}};
}

std::vector<SubgoalVariant> edge_variants() {
    std::vector<SubgoalVariant> out;
    for (const auto edges : {subgoal::Edges::h_reachable, subgoal::Edges::direct}) {
        subgoal::Options options = taut_options(1);
        options.edges = edges;
        out.push_back({edges == subgoal::Edges::direct ? "direct" : "h-reachable", options,
                       subgoal::Engine::astar});
    }
    return out;
}

std::vector<SubgoalVariant> order_variants() {
    const std::vector<std::pair<const char*, ContractionOrder>> orders{
        {"number", ContractionOrder::number},
        {"ascending degree", ContractionOrder::ascending_degree},
        {"descending degree", ContractionOrder::descending_degree},
        {"fewest extra edges", ContractionOrder::fewest_extra_edges},
        {"random", ContractionOrder::random}};
    std::vector<SubgoalVariant> out;
    for (const bool prune : {false, true}) {
        subgoal::Options options = taut_options(1);
        options.prune = prune;
        out.push_back({"no levels", options});
        options.levels = 0;
        for (const auto& [name, order] : orders) {
            options.order = order;
            out.push_back({name, options});
        }
    }
    return out;
}

Result<std::vector<SubgoalMap>> built_in_subgoal_maps(int pairs, std::uint64_t seed) {
    constexpr int kSide = 192;
    std::vector<SubgoalMap> maps;
    for (const auto kind :
         {grid::MapKind::rooms, grid::MapKind::caves, grid::MapKind::city, grid::MapKind::forest}) {
        auto map = generated_map(kind, kSide);
        if (!map) return tl::unexpected(map.error());
        auto problems = random_problems(*map, pairs, seed);
        if (!problems) return tl::unexpected(problems.error());
        const std::string name(grid::name(kind));
        maps.push_back({name, name, std::move(*map), std::move(*problems), {}});
    }
    return maps;
}

std::vector<const SubgoalMap*> sample(std::span<const SubgoalMap> maps, int most) {
    std::map<std::string, std::size_t> size;
    for (const SubgoalMap& m : maps) ++size[m.set];
    std::map<std::string, std::size_t> seen;
    std::vector<const SubgoalMap*> out;
    for (const SubgoalMap& m : maps) {
        // Keeps every (size / kept)th map of a set, beginning with the first.
        const std::size_t n = size[m.set];
        const std::size_t kept = most > 0 ? std::min(n, static_cast<std::size_t>(most)) : n;
        const std::size_t i = seen[m.set]++;
        if (i == 0 || i * kept / n != (i - 1) * kept / n) out.push_back(&m);
    }
    return out;
}

Status solve_by_astar(std::span<SubgoalMap> maps, const MeasureOptions& options) {
    grid::Astar astar;
    grid::Path path;
    for (SubgoalMap& m : maps) {
        if (options.cancelled()) return stopped();
        m.optima.clear();
        m.astar_expanded = 0;
        std::vector<Problem> solvable;
        for (const Problem& p : m.problems) {
            astar.find_path(*m.map, p.start, p.goal, path);
            if (path.cost >= kInfinity) continue;
            solvable.push_back(p);
            m.optima.push_back(path.cost);
            m.astar_expanded += path.statistics.expanded;
        }
        m.problems = std::move(solvable);
        if (options.step) options.step();
    }
    return {};
}

Status measure_variants(const char* study, std::span<const SubgoalVariant> variants,
                        const SubgoalMap& map, const MeasureOptions& options, Sheets& sheets) {
    grid::Astar astar;
    grid::Path path;
    const auto solve = [&](std::size_t i) {
        astar.find_path(*map.map, map.problems[i].start, map.problems[i].goal, path);
    };
    const std::vector<double> astar_seconds = least_seconds({map.problems.size(), solve}, options);
    for (const SubgoalVariant& variant : variants) {
        const Row key{{"study", study}, {"set", map.set}, {"map", map.name}};
        Status s = measure_variant(variant, map, astar_seconds, options, key, sheets);
        if (!s.ok()) return s;
        if (options.step) options.step();
    }
    return sheets.status();
}

Status reproduce_subgoal(const ExperimentOptions& experiment, Context& context, Sheets& sheets) {
    auto maps = load(experiment);
    if (!maps) return maps.error();
    const std::vector<const SubgoalMap*> every = sample(*maps, 0);
    const std::vector<const SubgoalMap*> some = sample(*maps, experiment.study_maps);
    struct Study {
        const char* name;
        std::vector<SubgoalVariant> variants;
        std::span<const SubgoalMap* const> maps;
    };
    const Study studies[] = {{"table", table_variants(), every},
                             {"edges", edge_variants(), some},
                             {"orders", order_variants(), some}};
    std::size_t all = every.size();
    for (const Study& study : studies) all += study.maps.size() * study.variants.size();
    Steps steps(all);
    const MeasureOptions options{.cancel = &context.cancel, .step = [&] { steps.add(); }};
    if (Status s = solve_by_astar(*maps, options); !s.ok()) return s;
    for (const Study& study : studies) {
        for (const SubgoalMap* map : study.maps) {
            Status s = measure_variants(study.name, study.variants, *map, options, sheets);
            if (!s.ok()) return s;
        }
    }
    return {};
}

}  // namespace cairn::app
