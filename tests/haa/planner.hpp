#pragma once
// HAA* for the tests of all planners (support/planner.hpp). An AgentIndex is an index with one of
// its agents: it shows the class map of this agent and answers its queries. If it is built from a
// grid::Map, the agent has size 1; other agents share the abstraction.

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "cairn/batch/batch.hpp"
#include "haa/footprint.hpp"
#include "haa/random_agents.hpp"
#include "hpa/planner.hpp"
#include "support/planner.hpp"

namespace cairn::haa::test {

/// An annotated map, and the agent that queries are for.
struct AgentMap {
    AnnotatedMap map;
    Agent agent;
};

/// An annotated map with an agent whose class map is `map`. Its other agents are larger, or can
/// stand only on terrain of one weight.
[[nodiscard]] inline AgentMap agent_map(const grid::Map& map) {
    AnnotationOptions options;
    options.rules = map.options().rules;
    options.costs = map.options().costs;
    options.max_size = 3;
    options.key = {};
    options.capabilities = {Capability(1), Capability(0)};
    Capability& all_terrains = options.capabilities[1];
    std::vector<std::uint8_t> weights;  // of the map's terrains, by number of the terrain
    for (grid::Cell cell = 0; cell < map.size(); ++cell) {
        const std::uint8_t weight = map.options().weights.weight[map.terrain(cell)];
        const auto known = std::find(weights.begin(), weights.end(), weight);
        const auto terrain = static_cast<Terrain>(known - weights.begin());
        if (weight == 0) continue;
        if (known == weights.end()) weights.push_back(weight);
        options.key.terrain[map.terrain(cell)] = terrain;
        all_terrains.weight[terrain] = weight;
    }
    // Edits may write any byte whose weight is on the map.
    for (std::size_t byte = 0; byte < 256; ++byte) {
        const std::uint8_t weight = map.options().weights.weight[byte];
        const auto known = std::find(weights.begin(), weights.end(), weight);
        if (known == weights.end()) continue;
        options.key.terrain[byte] = static_cast<std::uint8_t>(known - weights.begin());
    }
    all_terrains.terrains =
        static_cast<TerrainSet>((1U << std::max<std::size_t>(weights.size(), 1)) - 1);
    grid::TerrainImage image{map.width(), map.height(), {}};
    for (grid::Cell cell = 0; cell < map.size(); ++cell) {
        image.terrain.push_back(map.terrain(cell));
    }
    return {annotated_map(image, options), {1, 1}};
}

class AgentIndex {
public:
    /// The index, with move tables and labels for the agent.
    [[nodiscard]] static Result<AgentIndex> build(const AgentMap& map, const Options& options,
                                                  const BuildControl& control = {}) {
        auto index = Index::build(map.map, options, control);
        if (!index) return tl::unexpected(std::move(index.error()));
        return AgentIndex(std::move(*index), map.agent).with_labels();
    }
    [[nodiscard]] static Result<AgentIndex> build(const grid::Map& map, const Options& options,
                                                  const BuildControl& control = {}) {
        return build(agent_map(map), options, control);
    }

    [[nodiscard]] Result<AgentIndex> edited(std::span<const grid::TerrainEdit> edits) const {
        auto index = index_.edited(edits);
        if (!index) return tl::unexpected(std::move(index.error()));
        return AgentIndex(std::move(*index), agent_);
    }
    [[nodiscard]] AgentIndex with_labels() const {
        EXPECT_TRUE(index_.with_labels({&agent_, 1}, cairn::test::one_thread()).has_value());
        return {index_, agent_};
    }

    [[nodiscard]] const Index& index() const noexcept { return index_; }
    [[nodiscard]] Agent agent() const noexcept { return agent_; }
    [[nodiscard]] const hpa::Index& view() const noexcept { return view_; }

    [[nodiscard]] const Options& options() const noexcept { return index_.options(); }
    [[nodiscard]] const grid::Map& map() const noexcept { return view_.map(); }
    [[nodiscard]] bool has_labels() const noexcept { return view_.has_labels(); }
    [[nodiscard]] bool has_closure() const noexcept { return view_.has_closure(); }
    [[nodiscard]] const Status& labels_status() const noexcept { return view_.labels_status(); }
    [[nodiscard]] std::uint64_t snapshot_id() const noexcept { return view_.snapshot_id(); }

    friend bool operator==(const AgentIndex& a, const AgentIndex& b) {
        return a.index_ == b.index_ && a.view_.map() == b.view_.map();
    }

private:
    AgentIndex(Index index, Agent agent)
        : index_(std::move(index)),
          agent_(agent),
          view_(cairn::test::value_or_abort(index_.view(agent))) {}

    Index index_;
    Agent agent_;
    hpa::Index view_;
};

/// A searcher that queries for the agent of the index.
class AgentSearcher {
public:
    explicit AgentSearcher(std::size_t cached_ends = 8) : searcher_(cached_ends) {}

    StatusCode find(const AgentIndex& index, const hpa::Query& query, Answer& answer) {
        return searcher_.find(index.index(), agent_query(index, query), answer);
    }
    StatusCode begin(const AgentIndex& index, const hpa::Query& query, Answer& answer) {
        return searcher_.begin(index.index(), agent_query(index, query), answer);
    }
    bool advance(std::uint64_t budget = std::numeric_limits<std::uint64_t>::max(),
                 Deadline until = {}) {
        return searcher_.advance(budget, until);
    }
    StatusCode costs(const AgentIndex& index, const hpa::Query& model,
                     std::span<const grid::Point> goals, std::span<Cost> costs) {
        return searcher_.costs(index.index(), agent_query(index, model), goals, costs);
    }
    StatusCode find_nearest(const AgentIndex& index, const hpa::Query& query,
                            std::span<const grid::Point> goals, Answer& answer,
                            std::size_t& nearest) {
        return searcher_.find_nearest(index.index(), agent_query(index, query), goals, answer,
                                      nearest);
    }

private:
    [[nodiscard]] static Query agent_query(const AgentIndex& index, const hpa::Query& query) {
        return query_of(query, index.agent());
    }

    Searcher searcher_;
};

/// A batch searcher that queries for the agent of the index.
class AgentBatchSearcher {
public:
    [[nodiscard]] Status find_paths(const AgentIndex& index,
                                    std::span<const grid::Request> requests, grid::Paths& paths,
                                    const hpa::Query& model, const batch::Options& options = {},
                                    const BuildControl& control = {}) {
        std::vector<Request> agent_requests;
        agent_requests.reserve(requests.size());
        for (const grid::Request& request : requests)
            agent_requests.push_back({request.start, request.goal, index.agent()});
        return searcher_.find_paths(index.index(), agent_requests, paths, query_of(model, {}),
                                    options, control);
    }

private:
    batch::Searcher<haa::Planner> searcher_;
};

/// The traits of HAA*: those of HPA*, with agents and annotated maps.
struct Planner : hpa::test::Planner {
    using Index = AgentIndex;
    using Searcher = AgentSearcher;
    using BatchSearcher = AgentBatchSearcher;

    /// Clusters of 2, 6 and 10 cells, every abstraction, all transitions.
    [[nodiscard]] static Options variant(int number) {
        Options options;
        options.cluster_size = 2 + number % 3 * 4;
        options.move_tables = number % 2 == 0;
        options.levels = number / 2 % 2 == 0 ? 3 : 1;
        options.abstraction = static_cast<Abstraction>((number + number / 3) % 3);
        options.transitions = static_cast<Transitions>(number % 4);
        return options;
    }
    template <class Map>
    [[nodiscard]] static Index build(const Map& map, const Options& options) {
        return cairn::test::value_or_abort(Index::build(map, options, cairn::test::one_thread()));
    }
    template <class Map>
    [[nodiscard]] static Index any_index(Random& random, const Map& map) {
        RandomAgents agents(static_cast<std::uint64_t>(random.number(0, 1 << 30)));
        Options options = agents.options();
        options.levels = random.number(1, 4);
        options.branching = random.number(2, 4);
        options.move_tables = random.chance(50);
        options.labels = random.chance(70);
        return build(map, options);
    }
    [[nodiscard]] static Index with_labels(const Index& index) { return index.with_labels(); }
    [[nodiscard]] static Index rebuilt(const Index& index) {
        return build(AgentMap{index.index().map(), index.agent()}, index.options());
    }

    /// A random map, and an agent that can stand on at least a quarter of its cells.
    [[nodiscard]] static AgentMap any_map(Random& random, const Random::Size& size) {
        RandomAgents agents(static_cast<std::uint64_t>(random.number(0, 1 << 30)));
        for (;;) {
            const AnnotatedMap map = annotated_map(agents.image(size), agents.agents(4));
            const auto last = static_cast<int>(map.classes()) - 1;
            const Agent agent = map.agent(static_cast<std::uint32_t>(agents.number(0, last)));
            const auto cells = cairn::test::value_or_abort(map.class_map(agent));
            if (4 * cairn::test::free_points(cells).size() >= cells.size()) return {map, agent};
        }
    }
    [[nodiscard]] static std::uint8_t terrain(const Index& index, grid::Cell cell) {
        return index.index().map().terrain(cell);
    }
    [[nodiscard]] static std::vector<grid::TerrainEdit> edits(cairn::test::RandomMaps& random,
                                                              const Index& index) {
        std::vector<grid::TerrainEdit> edits = random.edits(index.map());
        for (grid::TerrainEdit& edit : edits) {
            const grid::Cell cell = index.map().cell(random.point(index.map()));
            edit.terrain = random.chance(40) ? std::uint8_t{'@'} : terrain(index, cell);
        }
        return edits;
    }

    [[nodiscard]] static Query any_query(Random& random, const Index& index, grid::Point start,
                                         grid::Point goal) {
        return random.query(start, goal, index.has_labels());
    }
    [[nodiscard]] static std::string fault(const Index& index, const Query& query,
                                           const Answer& answer, Cost optimum) {
        return hpa::test::fault_of(index.view(), query, answer, optimum);
    }
    [[nodiscard]] static bool agrees(const Index& index, const Searcher&, const Query& query,
                                     const Answer& answer) {
        return (index.view().reachable(query.start, answer.goal) == StatusCode::ok) ==
               (answer.status == StatusCode::ok);
    }
    [[nodiscard]] static bool complete(const Index&) { return true; }
    [[nodiscard]] static std::string describe(const Index& index, const Query& query) {
        return fmt::format("\nsize {} of up to {}, abstraction {}, transitions {}",
                           index.agent().size, index.index().map().options().max_size,
                           static_cast<int>(index.options().abstraction),
                           static_cast<int>(index.options().transitions)) +
               hpa::test::describe(index.view(), query);
    }
};

}  // namespace cairn::haa::test
