// The paper's running example: sections 3.1, 3.3 and 3.5, Table 1.

#include "cairn/grid/generate.hpp"
#include "cairn/hpa/hpa.hpp"
#include "reproduce_exhibit.hpp"

namespace cairn::app {
namespace {

constexpr int kExampleLevels = 2;

struct Example {
    grid::Map map;
    grid::Point start;
    grid::Point goal;
    grid::Path optimum;
    std::array<PaperAnswer, kExampleLevels> textbook;
    std::array<std::vector<PaperLevelSize>, kExampleLevels> sizes;
    std::array<hpa::Answer, kExampleLevels> cairn;
    std::array<hpa::IndexStatistics, kExampleLevels> index;
};

Result<Example> run_example() {
    const grid::ExampleProblem problem = grid::worked_example();
    auto map = grid::make_map(problem.image, example_map_options());
    if (!map) return tl::unexpected(map.error());
    Example e{std::move(*map), problem.start, problem.goal, {}, {}, {}, {}, {}};
    grid::Astar astar;
    astar.find_path(e.map, e.start, e.goal, e.optimum);
    for (int levels = 1; levels <= kExampleLevels; ++levels) {
        const auto slot = static_cast<std::size_t>(levels - 1);
        PaperHpa textbook(e.map, kPaperClusterSize, levels);
        e.sizes[slot] = textbook.sizes();
        e.textbook[slot] = textbook.find(e.start, e.goal, true);
        const auto index = hpa::Index::build(e.map, paper_index_options(levels));
        if (!index) return tl::unexpected(index.error());
        e.index[slot] = index->statistics();
        hpa::Query query = paper_query();
        query.start = e.start;
        query.goal = e.goal;
        hpa::Searcher().find(*index, query, e.cairn[slot]);
    }
    return e;
}

Exhibit example_sizes(const Example& e) {
    Exhibit out;
    out.name = "example";
    out.title = "Sections 3.1 and 3.4: the worked example, 40 x 40, four neighbours";
    out.columns = {"what", "paper", "measured"};
    const PaperLevelSize& first = e.sizes[0][0];
    out.rows = {
        {"free tiles", 1463U, e.index[0].map_nodes},
        {"edges between tiles", 2714U, e.index[0].map_edges},
        {"clusters of 10 x 10", 16U, e.index[0].levels[0].clusters},
        {"abstract nodes, with S and G", 68U, e.textbook[0].top_nodes},
        {"inter-edges", 43U, first.inter_edges},
        {"intra-edges", 88U, first.intra_edges},
        {"edges that link S and G", 2U, e.textbook[0].border_edges},
        {"nodes of level 2, with S and G", 14U, e.textbook[1].top_nodes},
    };
    out.notes = {
        "The paper's map is not published; ours is built to have its numbers. It has four "
        "neighbours: 2,714 edges are",
        "fewer than two a tile, and section 3.3 names the Manhattan distance, though section 4 "
        "uses octiles."};
    return out;
}

std::vector<Json> row(const std::string& technique, const std::string& source, std::uint64_t sg,
                      std::uint64_t main, std::uint64_t refine, const Json& searches,
                      const Json& length) {
    return {technique, source, sg, main, sg + main, refine, searches, length};
}

Exhibit table_1(const Example& e) {
    Exhibit out;
    out.name = "table-1";
    out.title = "Table 1: expanded nodes on the worked example";
    out.columns = {"technique", "source",     "SG",       "Main",
                   "Abstract",  "Refinement", "searches", "length"};
    const auto steps = [&](Cost cost) { return cost / e.map.options().costs.straight; };
    out.rows.push_back(row("L-0", "paper", 0, 1462, 0, nullptr, nullptr));
    out.rows.push_back(
        row("", "measured", 0, e.optimum.statistics.expanded, 0, nullptr, steps(e.optimum.cost)));
    constexpr std::array<std::array<std::uint64_t, 3>, kExampleLevels> paper{
        {{16, 67, 145}, {41, 7, 161}}};
    for (std::size_t l = 0; l < kExampleLevels; ++l) {
        const PaperAnswer& t = e.textbook[l];
        const hpa::Answer& c = e.cairn[l];
        const Json searches = l == 0 ? Json(12U) : Json(nullptr);
        out.rows.push_back(row(fmt::format("L-{}", l + 1), "paper", paper[l][0], paper[l][1],
                               paper[l][2], searches, nullptr));
        out.rows.push_back(row("", "measured", t.sg.expanded, t.main.expanded, t.refine.expanded,
                               t.refine_searches, steps(t.cost)));
        out.rows.push_back(row("", "Cairn's engine", c.statistics.connect.expanded,
                               c.statistics.search.expanded, c.statistics.refine.expanded, nullptr,
                               steps(c.cost)));
    }
    const std::string measured =
        "measured: Figures 9 and 10 word for word, one A* for every border node and every "
        "crossing; "
        "the goal is not counted.";
    const std::string failed = fmt::format(
        "Searches from S and G for border nodes they cannot reach inside the cluster expand {} "
        "(L-1) "
        "and {} (L-2) more, which the paper does not count: its SG of 16 is 8 each for the one "
        "node "
        "that S and G reach.",
        e.textbook[0].sg_failed.expanded, e.textbook[1].sg_failed.expanded);
    const std::string engine =
        "Cairn's engine: connects an end by one search over its whole cluster, refines a crossing "
        "by "
        "another, and expands entries, that is nodes reached by an inter-edge, so its counts mean "
        "something else. The length is the same.";
    out.notes = {measured, failed, engine};
    return out;
}

}  // namespace

Result<std::vector<Exhibit>> example_exhibits() {
    const auto example = run_example();
    if (!example) return tl::unexpected(example.error());
    return std::vector<Exhibit>{example_sizes(*example), table_1(*example)};
}

}  // namespace cairn::app
