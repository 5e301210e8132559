#include "reproduce/haa_tables.hpp"

#include <fmt/format.h>
#include <random>
#include <span>
#include <utility>

#include "cairn/grid/astar.hpp"
#include "cairn/grid/components.hpp"
#include "cairn/haa/haa.hpp"
#include "reproduce/reproduce.hpp"
#include "reproduce/textbook_haa.hpp"

namespace cairn::app {
namespace {

constexpr std::size_t kPaperGraphs = 2;  // the first of kHaaTableGraphs
constexpr int kMostDraws = 2'000'000;    // of one size on one map

/// An agent class on one map.
struct TableClass {
    grid::Map map;
    grid::Components components;
};

Result<std::vector<TableClass>> table_classes(const haa::AnnotatedMap& map) {
    std::vector<TableClass> classes;
    for (std::uint32_t k = 0; k < map.classes(); ++k) {
        auto class_map = map.class_map(map.agent(k));
        if (!class_map) return tl::unexpected(std::move(class_map.error()));
        auto components = grid::Components::build(*class_map);
        if (!components) return tl::unexpected(std::move(components.error()));
        classes.push_back({std::move(*class_map), std::move(*components)});
    }
    return classes;
}

std::vector<HaaTableProblem> drawn_problems(const haa::AnnotatedMap& map,
                                            const std::vector<TableClass>& classes, int pairs,
                                            std::uint64_t seed) {
    std::vector<HaaTableProblem> problems;
    const grid::Map& free = classes[map.class_of({kHaaCapabilities.size() - 1, 1})].map;
    std::vector<grid::Cell> places;
    for (grid::Cell c = 0; c < free.size(); ++c) {
        if (free.passable(c)) places.push_back(c);
    }
    if (places.empty()) return problems;
    std::mt19937_64 random(seed);
    for (int size = 1; size <= kHaaPaperSize; ++size) {
        int left = pairs / kHaaPaperSize + (size <= pairs % kHaaPaperSize ? 1 : 0);
        for (int draw = 0; left > 0 && draw < kMostDraws; ++draw) {
            const haa::Agent agent{static_cast<std::uint32_t>(random() % kHaaCapabilities.size()),
                                   size};
            const grid::Cell a = places[random() % places.size()];
            const grid::Cell b = places[random() % places.size()];
            if (a == b || !classes[map.class_of(agent)].components.connected(a, b)) continue;
            problems.push_back({agent, free.point(a), free.point(b)});
            --left;
        }
    }
    return problems;
}

/// The size of the map as the paper counts it: its 16,420 edges for 4,469 nodes are those of
/// Baldur's Gate if a diagonal may pass one obstacle, although its agents do not make such moves.
Result<LowLevelSize> paper_low_level(const grid::TerrainImage& image) {
    haa::AnnotationOptions options = haa_annotation(1);
    options.rules.corner = grid::CornerRule::both_blocked;
    const auto map = haa::AnnotatedMap::create(image, options);
    if (!map) return tl::unexpected(map.error());
    const auto free = map->class_map({kHaaCapabilities.size() - 1, 1});
    if (!free) return tl::unexpected(free.error());
    return low_level_size(*free);
}

/// The queries of one graph. Every answer is checked.
class TableQueries {
public:
    TableQueries(const haa::AnnotatedMap& map, const std::vector<TableClass>& classes,
                 std::span<const HaaTableProblem> problems)
        : map_(&map), classes_(&classes), problems_(problems) {}

    void solve(PaperHaa& graph, HaaTableGraph& out) {
        out.nodes = graph.num_nodes();
        out.inter_edges = graph.num_inter_edges();
        out.intra_edges = graph.num_intra_edges();
        for (const HaaTableProblem& p : problems_) {
            const PaperHaaAnswer answer = graph.find(p.agent, p.start, p.goal);
            out.answers.push_back({answer.cost, answer.insertion.expanded, answer.search.expanded,
                                   answer.refinement.expanded});
            check(p, answer.cost, answer.refined == answer.cost, answer.cells, out);
        }
    }

    [[nodiscard]] Status solve(const haa::Index& index, HaaTableGraph& out) {
        const auto size = index.statistics();
        if (!size) return size.error();
        out.nodes = size->nodes;
        out.inter_edges = size->inter_edges;
        out.intra_edges = size->intra_edges;
        haa::Searcher searcher(0);
        haa::Answer answer;
        haa::Query query;
        query.engine = hpa::Engine::astar;
        query.try_direct_line = false;
        query.smoothing = hpa::Smoothing::none;
        for (const HaaTableProblem& p : problems_) {
            query.start = p.start;
            query.goal = p.goal;
            query.agent = p.agent;
            const bool found = searcher.find(index, query, answer) == StatusCode::ok;
            const auto& effort = answer.statistics;
            out.answers.push_back({found ? answer.cost : kInfinity, effort.connect.expanded,
                                   effort.search.expanded, effort.refine.expanded});
            check(p, out.answers.back().cost, true, answer.cells, out);
        }
        return {};
    }

private:
    void check(const HaaTableProblem& p, Cost cost, bool refined,
               const std::vector<grid::Cell>& cells, HaaTableGraph& out) const {
        const grid::Map& map = (*classes_)[map_->class_of(p.agent)].map;
        const char* error = nullptr;
        if (cost == kInfinity) {
            error = "no path where AA* finds one";
        } else if (cost < p.optimum) {
            error = "a cost below AA*'s";
        } else if (!refined || cells.empty() || cells.front() != map.cell(p.start) ||
                   cells.back() != map.cell(p.goal) || path_cost(map, cells) != cost) {
            error = "an illegal path, or one of another cost";
        }
        if (error == nullptr || out.wrong++ > 0) return;
        out.first_wrong =
            fmt::format("{}: from {},{} to {},{}, {}, size {}", error, p.start.x, p.start.y,
                        p.goal.x, p.goal.y, kHaaCapabilityNames[p.agent.capability], p.agent.size);
    }

    const haa::AnnotatedMap* map_;
    const std::vector<TableClass>* classes_;
    std::span<const HaaTableProblem> problems_;
};

/// Fills in AA*'s answers. Returns how many differ from those on the class map.
std::uint64_t solve_by_annotated_astar(const haa::AnnotatedMap& map,
                                       const std::vector<TableClass>& classes,
                                       std::vector<HaaTableProblem>& problems) {
    AnnotatedAstar annotated(map);
    grid::Astar astar;
    grid::Path path;
    std::uint64_t wrong = 0;
    for (HaaTableProblem& p : problems) {
        SearchStatistics effort;
        p.optimum =
            annotated.find(p.agent, p.start, p.goal, {0, 0, map.width(), map.height()}, effort);
        p.expanded = effort.expanded;
        const grid::Map& class_map = classes[map.class_of(p.agent)].map;
        astar.find_path(class_map, p.start, p.goal, path, {grid::OpenList::buckets, true});
        if (path.status != StatusCode::ok || path.cost != p.optimum) ++wrong;
    }
    return wrong;
}

Status fill_tables(const HaaCase& input, const std::vector<int>& cluster_sizes, int pairs,
                   std::uint64_t seed, const MeasureOptions& options, HaaTables& out) {
    const auto map = haa::AnnotatedMap::create(input.image, haa_annotation(kHaaPaperSize));
    if (!map) return map.error();
    const auto classes = table_classes(*map);
    if (!classes) return classes.error();
    const auto low_level = paper_low_level(input.image);
    if (!low_level) return low_level.error();
    out.low = *low_level;
    out.problems = drawn_problems(*map, *classes, pairs, seed);
    const std::uint64_t wrong = solve_by_annotated_astar(*map, *classes, out.problems);
    for (const int cluster_size : cluster_sizes) {
        if (options.cancelled()) return stopped();
        auto& graphs = out.graphs.emplace_back();
        haa::Options index_options;
        index_options.cluster_size = cluster_size;
        if (Status s = haa::check(index_options); !s.ok()) return s;
        TableQueries queries(*map, *classes, out.problems);
        PaperHaa high(*map, cluster_size);
        PaperHaa low = high.low_quality();
        queries.solve(high, graphs[0]);
        queries.solve(low, graphs[1]);
        for (const auto abstraction :
             {haa::Abstraction::high_quality, haa::Abstraction::low_quality}) {
            index_options.abstraction = abstraction;
            const auto index = haa::Index::build(*map, index_options, options.control());
            if (!index) return index.error();
            const bool is_low = abstraction == haa::Abstraction::low_quality;
            HaaTableGraph& graph = graphs[kPaperGraphs + (is_low ? 1 : 0)];
            if (Status s = queries.solve(*index, graph); !s.ok()) return s;
        }
        if (wrong > 0) {
            graphs[0].wrong += wrong;
            graphs[0].first_wrong = "AA* and A* on the class map differ";
        }
    }
    return {};
}

}  // namespace

Result<HaaTables> measure_haa_tables(const HaaCase& input, const std::vector<int>& cluster_sizes,
                                     int pairs, std::uint64_t seed, const MeasureOptions& options) {
    HaaTables out;
    if (Status s = fill_tables(input, cluster_sizes, pairs, seed, options, out); !s.ok())
        return fail(s.code, fmt::format("{}: {}", input.name, s.message));
    return out;
}

void add_rows(const HaaCase& input, const std::vector<int>& cluster_sizes, const HaaTables& tables,
              Sheets& sheets) {
    for (std::size_t c = 0; c < tables.graphs.size(); ++c) {
        const Row key{{"set", input.set},
                      {"map", input.name},
                      {"share", input.share},
                      {"cluster_size", cluster_sizes[c]}};
        const auto& graphs = tables.graphs[c];
        for (std::size_t g = 0; g < graphs.size(); ++g) {
            sheets.add("paper_sizes", joined(key, {{"graph", kHaaTableGraphs[g]},
                                                   {"nodes", graphs[g].nodes},
                                                   {"inter_edges", graphs[g].inter_edges},
                                                   {"intra_edges", graphs[g].intra_edges},
                                                   {"low_nodes", tables.low.nodes},
                                                   {"low_edges", tables.low.edges},
                                                   {"problems", tables.problems.size()},
                                                   {"wrong", graphs[g].wrong},
                                                   {"note", graphs[g].first_wrong}}));
        }
        for (std::size_t i = 0; i < tables.problems.size(); ++i) {
            const HaaTableProblem& p = tables.problems[i];
            Row row{{"capability", kHaaCapabilityNames[p.agent.capability]},
                    {"size", p.agent.size},
                    {"optimum", p.optimum},
                    {"expanded", p.expanded}};
            for (std::size_t g = 0; g < graphs.size(); ++g) {
                const std::string name = kHaaTableGraphs[g];
                const HaaTableAnswer& answer = graphs[g].answers[i];
                row.emplace_back(name + " cost",
                                 answer.cost < kInfinity ? Cell(answer.cost) : Cell());
                row.emplace_back(name + " insertion", answer.insertion);
                row.emplace_back(name + " search", answer.search);
                row.emplace_back(name + " refinement", answer.refinement);
            }
            sheets.add_detail("paper_problems", joined(key, row));
        }
    }
}

}  // namespace cairn::app
