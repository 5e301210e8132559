// Any bytes as the members of a map's options, an index's options and a query give a status or the
// right answer, for every planner. Members out of their ranges are refused.
//
// The bytes are taken one after another; those that are missing count as 0. First the planner, then
// the map: its sides, rules, costs and cells, whose bytes are weights. Then the options, and up to
// four queries. A struct is given by its fields (cairn/field.hpp): each keeps its usual value, or
// takes one of its range, or one near or beyond its ends.

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <limits>
#include <queue>
#include <span>
#include <utility>
#include <vector>

#include "bytes.hpp"
#include "cairn/cairn.hpp"
#include "cairn/mesh/from_grid.hpp"

namespace {

using namespace cairn;

using fuzz::require;

/// Also fills structs by their fields.
class Bytes : public fuzz::Bytes {
public:
    using fuzz::Bytes::Bytes;

    /// A value for a field.
    double value(const Field& field) {
        constexpr std::array kBeyond{-1.0, 99.0, 1e9, -1e30, 1e30};
        const std::uint8_t way = byte();
        if (way < 128) return field.usual();
        if (way < 144) return std::nan("");
        if (field.type == FieldType::choice) {
            if (way >= 160) return field.choices[byte() % field.choices.size()].value;
            return way % 2 == 0 ? -1 : 99;
        }
        if (way < 160) return kBeyond[byte() % kBeyond.size()];
        if (way < 176) return field.least - 1;
        if (way < 192) return field.most + 1;
        return std::min(field.least + byte(), field.most);
    }
    template <class T>
    T filled() {
        T object;
        for (const Field& field : T::fields()) {
            const double v = value(field);
            // An enum or a flag cannot hold every number.
            if (field.type == FieldType::choice && !(v >= -1 && v < 256)) continue;
            if (field.type == FieldType::flag && v != 0 && v != 1) continue;
            field.set(&object, v);
        }
        return object;
    }
};

constexpr std::uint64_t kUnreachable = ~std::uint64_t{0};

/// The least costs from `start`, in 64 bits.
std::vector<std::uint64_t> distances(const grid::Map& map, grid::Point start) {
    std::vector<std::uint64_t> distance(map.size(), kUnreachable);
    using Entry = std::pair<std::uint64_t, grid::Cell>;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> open;
    distance[map.cell(start)] = 0;
    open.emplace(0, map.cell(start));
    while (!open.empty()) {
        const auto [cost, cell] = open.top();
        open.pop();
        if (cost != distance[cell]) continue;
        for (unsigned moves = map.moves(cell); moves != 0; moves &= moves - 1) {
            const int direction = std::countr_zero(moves);
            const grid::Cell to = map.step(cell, direction);
            const std::uint64_t there = cost + map.move_cost(cell, direction);
            if (there >= distance[to]) continue;
            distance[to] = there;
            open.emplace(there, to);
        }
    }
    return distance;
}

/// Whether the planner finds a path wherever there is one.
template <class Index>
bool complete(const Index& index) {
    if constexpr (requires { index.options().diagonals; }) {
        return index.options().diagonals != hpa::DiagonalCrossings::none;
    }
    return true;
}

/// Checks the answer to a query whose members are in their ranges. `map` is the one that the agent
/// walks on.
template <class P>
void check(const typename P::Index& index, const grid::Map& map, const typename P::Query& query,
           const typename P::Answer& answer) {
    const bool nearest = [&] {
        if constexpr (requires { query.nearest_reachable; }) return query.nearest_reachable;
        return false;
    }();
    const auto free = [&](grid::Point p) { return map.contains(p) && map.passable(map.cell(p)); };
    switch (answer.status) {
        case StatusCode::start_outside:
            return require(!map.contains(query.start));
        case StatusCode::start_blocked:
            return require(map.contains(query.start) && !free(query.start));
        case StatusCode::goal_outside:
            return require(free(query.start) && !nearest && !map.contains(query.goal));
        case StatusCode::goal_blocked:
            return require(free(query.start) && !nearest && map.contains(query.goal) &&
                           !free(query.goal));
        case StatusCode::budget_exhausted:
            require(query.limits.max_expanded < 10'000);
            require(query.limits.partial_path || answer.cells.empty());
            require(answer.cells.empty() || (answer.cells.front() == map.cell(query.start) &&
                                             grid::path_cost(map, answer.cells) < kInfinity));
            return require(nearest ||
                           answer.lower_bound <= distances(map, query.start)[map.cell(query.goal)]);
        case StatusCode::over_cost_limit:
            return require(query.limits.max_cost < kInfinity - 1);
        case StatusCode::unsupported:  // an engine that the index does not have
            return;
        default:
            break;
    }
    require(free(query.start));
    grid::Point goal = query.goal;
    if constexpr (requires { answer.goal; }) goal = answer.goal;
    require(free(goal) && (nearest || goal == query.goal));
    const std::uint64_t distance = distances(map, query.start)[map.cell(goal)];
    if (answer.status == StatusCode::no_path)
        return require(distance == kUnreachable || !complete(index));
    require(distance != kUnreachable);
    if (answer.status == StatusCode::cost_too_large)
        return require(!P::kExact || distance >= kInfinity);
    require(answer.status == StatusCode::ok);
    if constexpr (requires { P::Detail::reachable; }) {
        if (query.detail == P::Detail::reachable) return require(answer.cost == kInfinity);
    }
    require(answer.cost < kInfinity && answer.cost <= query.limits.max_cost);
    require(P::kExact ? answer.cost == distance : answer.cost >= distance);
    if (query.detail != P::Detail::path) return;
    require(!answer.cells.empty() && answer.cells.front() == map.cell(query.start) &&
            answer.cells.back() == map.cell(goal) &&
            grid::path_cost(map, answer.cells) == answer.cost);
}

/// Builds an index with any options.
template <class P>
Result<typename P::Index> build(Bytes& bytes, const typename P::Map& map) {
    const auto options = bytes.filled<typename P::Options>();
    BuildControl control;
    constexpr std::array kThreads{1, 1, 1, 2, -1, 1025, std::numeric_limits<int>::max()};
    control.threads = kThreads[bytes.byte() % kThreads.size()];
    auto index = P::build(map, options, control);
    const bool in_range =
        check_fields(options).ok() && (std::is_same_v<typename P::Options, NoOptions> ||
                                       (control.threads >= 0 && control.threads <= 1024));
    const StatusCode code = index ? StatusCode::ok : index.error().code;
    // HNA* also refuses options that do not fit the mesh.
    if (!in_range || !std::is_same_v<P, hna::Planner>)
        require(in_range == (code != StatusCode::bad_option));
    return index;
}

/// Asks up to four queries of an index on a grid. map_of(query) is the map that the agent walks on,
/// or null if there is no such agent.
template <class P, class MapOf>
void ask(Bytes& bytes, const typename P::Index& index, MapOf&& map_of) {
    Searcher<P> searcher;
    typename P::Answer answer;
    for (int queries = bytes.number(1, 4); queries > 0; --queries) {
        auto query = bytes.filled<typename P::Query>();
        query.start = {bytes.number(-1, 8), bytes.number(-1, 8)};
        query.goal = {bytes.number(-1, 8), bytes.number(-1, 8)};
        searcher.find(index, query, answer);
        const grid::Map* const map = map_of(query);
        const bool good = check_fields(query).ok() && map != nullptr;
        require(good == (answer.status != StatusCode::bad_option));
        if (good) check<P>(index, *map, query, answer);
    }
}

template <class P>
void try_grid(Bytes& bytes, const grid::Map& map) {
    const auto index = build<P>(bytes, map);
    if (index) ask<P>(bytes, *index, [&](const auto&) { return &map; });
}

void try_haa(Bytes& bytes, const grid::Map& map) {
    haa::AnnotationOptions options;
    options.rules = map.options().rules;
    options.costs = map.options().costs;
    options.anchor = static_cast<haa::Anchor>(bytes.number(0, 2));
    options.max_size = bytes.number(0, 4);
    options.key = haa::TerrainKey::literal();
    for (int more = bytes.number(0, 2); more > 0; --more)
        options.capabilities.emplace_back(static_cast<haa::TerrainSet>(bytes.byte()));
    grid::TerrainImage image{map.width(), map.height(), {}};
    for (grid::Cell cell = 0; cell < map.size(); ++cell)
        image.terrain.push_back(map.terrain(cell) % 4);
    const auto annotated = haa::AnnotatedMap::create(image, options);
    if (!annotated) return require(annotated.error().code == StatusCode::bad_option);
    const auto index = build<haa::Planner>(bytes, *annotated);
    if (!index) return;
    Result<grid::Map> class_map = fail(StatusCode::bad_option);
    ask<haa::Planner>(bytes, *index, [&](const haa::Query& query) {
        class_map = annotated->class_map(query.agent);
        return class_map ? &*class_map : nullptr;
    });
}

void try_hna(Bytes& bytes, const grid::Map& map) {
    mesh::MeshOptions options;
    options.scoring = static_cast<mesh::Scoring>(bytes.number(0, 3));
    if (bytes.byte() % 4 == 3) options.units_per_length = std::ldexp(1.0, bytes.number(-20, 40));
    const auto mesh = mesh::mesh_from_grid(map, options);
    if (!mesh) return;
    const auto index = build<hna::Planner>(bytes, *mesh);
    if (!index) return;
    hna::Searcher searcher;
    hna::Answer answer;
    mesh::Astar astar;
    mesh::Path path;
    for (int queries = bytes.number(1, 4); queries > 0; --queries) {
        auto query = bytes.filled<hna::Query>();
        const auto coordinate = [&] { return static_cast<float>(bytes.number(-8, 72)) / 8; };
        query.start.point = {coordinate(), coordinate() - 4, coordinate()};
        query.goal.point = {coordinate(), coordinate() - 4, coordinate()};
        searcher.find(*index, query, answer);
        require(check_fields(query).ok() == (answer.status != StatusCode::bad_option));
        if (answer.status != StatusCode::ok || query.detail == hna::Detail::reachable) continue;
        require(astar.find_path(*mesh, answer.start, answer.goal, path) == StatusCode::ok);
        require(answer.cost == path.cost);
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    Bytes bytes({data, size});
    const int planner = bytes.number(0, 5);
    const int width = bytes.number(0, 8);
    const int height = bytes.number(0, 8);
    grid::MapOptions options;
    options.rules.neighbourhood = static_cast<grid::Neighbourhood>(bytes.number(0, 2));
    options.rules.corner = static_cast<grid::CornerRule>(bytes.number(0, 3));
    constexpr std::array<CostModel, 8> kCosts{
        CostModel{},      {1, 1}, {100, 142}, {899'658, 1'000'000},
        {70'000, 99'000}, {0, 1}, {10, 21},   {999'999, 1'000'001}};
    options.costs = kCosts[bytes.byte() % kCosts.size()];
    options.weights = grid::TerrainWeights::literal();
    std::vector<std::uint8_t> terrain(static_cast<std::size_t>(width * height));
    const int weights = bytes.number(0, 2);  // one weight, a few, or any
    for (std::uint8_t& cell : terrain) {
        cell = bytes.byte();
        if (weights == 0) cell = cell % 4 == 3 ? 0 : 252;
        if (weights == 1) cell = cell % 4;
    }
    const auto map = grid::Map::create(width, height, terrain, options);
    if (!map) {
        require(map.error().code == StatusCode::bad_option);
        return 0;
    }
    if (planner == 0) try_grid<grid::AstarPlanner>(bytes, *map);
    if (planner == 1) {
        if (const auto jump_points = grid::JpsMap::create(*map))
            ask<grid::JpsPlanner>(bytes, *jump_points, [&](const auto&) { return &*map; });
    }
    if (planner == 2) try_grid<hpa::Planner>(bytes, *map);
    if (planner == 3) try_haa(bytes, *map);
    if (planner == 4) try_grid<subgoal::Planner>(bytes, *map);
    if (planner == 5) try_hna(bytes, *map);
    return 0;
}
