// A sequence of calls on an index of any planner: edits, labels, saving and loading, queries,
// cancelled calls and calls in which an allocation fails. Whatever the order, an index equals the
// one built from its map, answers agree with Dijkstra's algorithm, and earlier snapshots keep
// answering for their own map.
//
// The first byte chooses the planner, the second its options; then each call takes a byte for what
// it is and a few for its arguments.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "bytes.hpp"
#include "cairn/grid/dijkstra.hpp"
#include "cairn/haa/haa.hpp"
#include "cairn/hna/hna.hpp"
#include "cairn/hpa/hpa.hpp"
#include "cairn/index_file.hpp"
#include "cairn/mesh/dijkstra.hpp"
#include "cairn/subgoal/subgoal.hpp"
#include "haa_index_cases.hpp"
#include "hna_index_cases.hpp"
#include "hpa_index_cases.hpp"
#include "subgoal_index_cases.hpp"
#include "support/allocation_counter.hpp"

namespace {

using namespace cairn;
using fuzz::Bytes;
using fuzz::require;

/// A rectangle of a map of width x height cells, and the terrain of one of its cells.
template <class Map>
std::vector<grid::TerrainEdit> terrain_edits(Bytes& bytes, const Map& map) {
    const auto x = static_cast<int>(bytes.below(static_cast<std::size_t>(map.width())));
    const auto y = static_cast<int>(bytes.below(static_cast<std::size_t>(map.height())));
    const int width = 1 + bytes.byte() % std::min(4, map.width() - x);
    const int height = 1 + bytes.byte() % std::min(4, map.height() - y);
    const auto like = static_cast<grid::Cell>(bytes.below(map.size()));
    return {{{x, y, width, height}, map.terrain(like)}};
}

template <class Map>
grid::Point any_point(Bytes& bytes, const Map& map) {
    return {static_cast<int>(bytes.below(static_cast<std::size_t>(map.width()))),
            static_cast<int>(bytes.below(static_cast<std::size_t>(map.height())))};
}

Cost optimum_on(const grid::Map& map, grid::Point start, grid::Point goal) {
    const bool free = map.passable(map.cell(start)) && map.passable(map.cell(goal));
    return free ? grid::dijkstra_distances(map, start).value()[map.cell(goal)] : kInfinity;
}

/// What the sequence needs to know of a planner; here, what planners on a grid::Map share.
template <class P>
struct OnMap : P {
    using Base = P;
    using Engine = typename P::Engine;
    using Index = typename P::Index;
    using Query = typename P::Query;

    static auto edits(Bytes& bytes, const Index& index) {
        return terrain_edits(bytes, index.map());
    }
    /// `engines`: those that every index has.
    static Query query(Bytes& bytes, const Index& index, std::span<const Engine> engines) {
        Query query;
        query.start = any_point(bytes, index.map());
        query.goal = any_point(bytes, index.map());
        query.engine = engines[bytes.byte() % engines.size()];
        return query;
    }
    static Cost optimum(const Index& index, const Query& query) {
        return optimum_on(index.map(), query.start, query.goal);
    }
    static bool legal(const Index& index, const Query&, const typename P::Answer& answer) {
        return grid::path_cost(index.map(), answer.cells) == answer.cost;
    }
};

struct Hpa : OnMap<hpa::Planner> {
    static grid::Map map() { return fuzz::hpa_index_map(); }
    static Options options(std::uint8_t number) {
        const auto cases = fuzz::hpa_index_cases();
        return cases[number % cases.size()].options;
    }
    static Query query(Bytes& bytes, const Index& index) {
        constexpr std::array kEngines{Engine::automatic, Engine::astar, Engine::levels};
        return OnMap::query(bytes, index, kEngines);
    }
};

struct Subgoal : OnMap<subgoal::Planner> {
    static grid::Map map() { return fuzz::subgoal_index_map(); }
    static Options options(std::uint8_t number) {
        Options options;
        options.labels = number % 2 == 0;
        return options;
    }
    static Query query(Bytes& bytes, const Index& index) {
        constexpr std::array kEngines{Engine::automatic, Engine::astar};
        return OnMap::query(bytes, index, kEngines);
    }
};

struct Haa : haa::Planner {
    using Base = haa::Planner;
    using Engine = haa::Engine;
    static haa::AnnotatedMap map() {
        return haa::AnnotatedMap::create(fuzz::haa_index_image()).value();
    }
    static Options options(std::uint8_t number) {
        Options options;
        options.cluster_size = 4 + number % 3;
        options.labels = number % 2 == 0;
        return options;
    }
    static auto edits(Bytes& bytes, const Index& index) {
        return terrain_edits(bytes, index.map());
    }
    static Query query(Bytes& bytes, const Index& index) {
        Query query;
        query.start = any_point(bytes, index.map());
        query.goal = any_point(bytes, index.map());
        query.agent = index.map().agent(bytes.byte() % index.map().classes());
        return query;
    }
    static Cost optimum(const Index& index, const Query& query) {
        return optimum_on(index.map().class_map(query.agent).value(), query.start, query.goal);
    }
    static bool legal(const Index& index, const Query& query, const Answer& answer) {
        const auto map = index.map().class_map(query.agent).value();
        return grid::path_cost(map, answer.cells) == answer.cost;
    }
};

struct Hna : hna::Planner {
    using Base = hna::Planner;
    using Engine = hna::Engine;
    static mesh::Mesh map() { return mesh::Mesh::build(fuzz::hna_index_image().source()).value(); }
    static Options options(std::uint8_t number) {
        Options options;
        options.levels = 1 + number % 3;
        options.mu = 2 + number % 4;
        options.partitioner = hna::Partitioner::growing;
        return options;
    }
    static std::vector<mesh::PolygonEdit> edits(Bytes& bytes, const Index& index) {
        const auto polygon = bytes.below(index.mesh().num_polygons());
        return {{polygon, index.mesh().area(polygon), bytes.byte() % 2 == 0}};
    }
    static Query query(Bytes& bytes, const Index& index) {
        const auto place = [&] {
            const auto polygon = bytes.below(index.mesh().num_polygons());
            return mesh::Place{polygon, index.mesh().centre(polygon)};
        };
        Query query;
        query.start = place();
        query.goal = place();
        query.engine = bytes.byte() % 2 == 0 ? Engine::automatic : Engine::astar;
        return query;
    }
    static Cost optimum(const Index& index, const Query& query) {
        const mesh::Mesh& mesh = index.mesh();
        if (mesh.blocked(query.start.polygon) || mesh.blocked(query.goal.polygon)) return kInfinity;
        return mesh::path_cost(mesh, query.start, query.goal).value();
    }
    static bool legal(const Index&, const Query& query, const Answer& answer) {
        return answer.polygons.front() == query.start.polygon &&
               answer.polygons.back() == query.goal.polygon;
    }
};

template <class P>
class Sequence {
public:
    using Index = typename P::Index;

    explicit Sequence(Bytes& bytes) : bytes_(bytes), options_(P::options(bytes.byte())) {
        control_.threads = 1;
        index_ = P::build(P::map(), options_, control_).value();
        earlier_ = index_;
    }

    void run() {
        for (int calls = 0; calls < 24 && !bytes_.empty(); ++calls) step(bytes_.byte());
        require(*index_ == P::build(map_of(*index_), options_, control_).value());
    }

private:
    static const typename P::Map& map_of(const Index& index) {
        if constexpr (requires { index.mesh(); }) {
            return index.mesh();
        } else {
            return index.map();
        }
    }

    void step(std::uint8_t call) {
        switch (call % 8) {
            case 0:
                return edit();
            case 1:
                return add_labels();
            case 2:
                return save_and_load();
            case 3:
                earlier_ = index_;
                return;
            case 4:
                return ask(*earlier_);
            case 5:
                return cancel();
            default:
                return ask(*index_);
        }
    }

    /// Makes a call twice: with an allocation that fails, then without. The first may succeed, too.
    template <class Call>
    auto survived(Call&& call) {
        auto failed = [&] {
            const test::FailingAllocations failing(1 + bytes_.below(400));
            return call();
        }();
        if (!failed) require(failed.error().code == StatusCode::out_of_memory);
        auto made = call();
        require(made.has_value());
        if (failed) require(*failed == *made);
        return made;
    }

    void edit() {
        const auto edits = P::edits(bytes_, *index_);
        index_ = survived([&] { return index_->edited(edits); }).value();
    }
    void add_labels() {
        index_ = survived([&] { return index_->with_labels(control_); }).value();
    }
    void save_and_load() {
        const auto bytes = std::make_shared<const std::string>(to_bytes(*index_).value());
        const auto load = [&] {
            const auto view = std::as_bytes(std::span(*bytes));
            if constexpr (IndexFileMap<Index>::kHeld) {
                return from_bytes<Index>(view, bytes, "fuzz");
            } else {
                return from_bytes<Index>(view, bytes, "fuzz", map_of(*index_));
            }
        };
        const auto loaded = survived(load);
        require(*loaded == *index_);
        require(to_bytes(*loaded).value() == *bytes);
        index_ = *loaded;
    }

    void ask(const Index& index) {
        const typename P::Query query = P::query(bytes_, index);
        StatusCode status = [&] {
            const test::FailingAllocations failing(bytes_.below(300));
            return searcher_.find(index, query, answer_);
        }();
        if (status == StatusCode::out_of_memory) status = searcher_.find(index, query, answer_);
        const Cost optimum = P::optimum(index, query);
        require((status == StatusCode::ok) == (optimum < kInfinity));
        if (status != StatusCode::ok) return;
        require(P::kExact ? answer_.cost == optimum : answer_.cost >= optimum);
        require(P::legal(index, query, answer_));
    }

    void cancel() {
        CancelFlag yes;
        yes.cancel();
        BuildControl cancelled = control_;
        cancelled.cancel = &yes;
        const auto built = P::build(map_of(*index_), options_, cancelled);
        require(!built && built.error().code == StatusCode::cancelled);
        auto query = P::query(bytes_, *index_);
        query.limits.cancel = &yes;
        // A search that needs no expansion may be over before it looks.
        static_cast<void>(searcher_.find(*index_, query, answer_));
    }

    Bytes& bytes_;
    typename P::Options options_;
    BuildControl control_;
    std::optional<Index> index_;
    std::optional<Index> earlier_;
    Searcher<typename P::Base> searcher_;
    typename P::Answer answer_;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    Bytes bytes({data, size});
    switch (bytes.byte() % 4) {
        case 0:
            Sequence<Hpa>(bytes).run();
            break;
        case 1:
            Sequence<Subgoal>(bytes).run();
            break;
        case 2:
            Sequence<Haa>(bytes).run();
            break;
        default:
            Sequence<Hna>(bytes).run();
    }
    return 0;
}
