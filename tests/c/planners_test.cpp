// The C library (cairn.h) answers as the C++ interface does, for every planner. The library under
// test is libcairn.so; the C++ interface is a second copy of Cairn, linked into this program.

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <vector>

#include "c/handles.hpp"
#include "cairn/any_world.hpp"
#include "support/allocation_counter.hpp"
#include "support/scale.hpp"
#include "support/scratch_folder.hpp"

namespace cairn::test {
namespace {

template <class P>
class CPlanner : public testing::Test {};
template <class List>
struct AsTypes;
template <class... P>
struct AsTypes<PlannerList<P...>> {
    using type = testing::Types<P...>;
};
TYPED_TEST_SUITE(CPlanner, AsTypes<AllPlanners>::type);

BuildControl on_one_thread() {
    BuildControl control;
    control.threads = 1;
    return control;
}

/// Everything that both interfaces need for planner P.
template <class P>
struct Both {
    explicit Both(std::uint64_t seed) : maps(both_maps<P>(seed)) {
        const auto control = on_one_thread_in_c();
        index = AnyIndex::build(P::kName, maps.map, {}, on_one_thread()).value();
        EXPECT_FINE(
            cairn_index_build(P::kName.data(), maps.c_map, nullptr, 0, &control, c_index.out()));
        EXPECT_FINE(cairn_searcher_create(c_index, c_searcher.out()));
        query = index->query().value();
    }
    BothMaps<P> maps;
    std::optional<AnyIndex> index;
    std::optional<AnyQuery> query;
    AnySearcher searcher;
    AnyAnswer answer;
    IndexHandle c_index;
    SearcherHandle c_searcher;
    AnswerHandle c_answer;
};

template <class T>
std::vector<T> list(const T* data, std::size_t count) {
    return {data, data + count};
}
template <class T>
std::vector<T> list(std::span<const T> span) {
    return {span.begin(), span.end()};
}

void expect_same(const AnyAnswer& expected, const cairn_answer* answer) {
    const AnswerDetails details = expected.details();
    auto path = CAIRN_INIT(cairn_path);
    ASSERT_FINE(cairn_answer_get(answer, &path));
    EXPECT_EQ(path.status, static_cast<int>(expected.status()));
    EXPECT_EQ(path.cost, expected.cost());
    EXPECT_EQ(path.lower_bound, details.lower_bound);
    EXPECT_EQ(path.engine, details.engine);
    EXPECT_EQ(path.expanded, details.expanded());
    EXPECT_EQ(list(path.cells, path.num_cells), list(details.cells));
    EXPECT_EQ(list(path.nodes, path.num_nodes), list(details.nodes));
    EXPECT_EQ(list(path.polygons, path.num_polygons), list(details.polygons));
    ASSERT_EQ(path.num_waypoints, details.waypoints.size());
    for (std::size_t i = 0; i < path.num_waypoints; ++i) {
        const mesh::Waypoint& w = details.waypoints[i];
        const cairn_waypoint& c = path.waypoints[i];
        EXPECT_EQ(c.link, w.link);
        EXPECT_TRUE(c.x == w.point.x && c.y == w.point.y && c.z == w.point.z);
    }
    if (const auto* const goal = std::get_if<grid::Point>(&details.goal)) {
        EXPECT_TRUE(path.goal_cell.x == goal->x && path.goal_cell.y == goal->y);
    } else {
        const auto& place = std::get<mesh::Place>(details.goal);
        EXPECT_EQ(path.goal_place.polygon, place.polygon);
        EXPECT_EQ(path.goal_place.x, place.point.x);
    }
}

TYPED_TEST(CPlanner, FindsTheSamePaths) {
    using P = TypeParam;
    std::size_t found = 0;
    for (std::uint64_t seed = 1; seed <= scaled(100); ++seed) {
        Both<P> both(seed);
        SearcherHandle other;  // the effort of a search depends on those before it
        ASSERT_FINE(cairn_searcher_create(both.c_index, other.out()));
        AnswerHandle sliced;
        for (const auto& start : both.maps.places) {
            for (const auto& goal : both.maps.places) {
                const StatusCode status =
                    both.searcher.find(*both.index, *both.query, start, goal, both.answer);
                ASSERT_EQ(c_find(both.c_searcher, nullptr, start, goal, both.c_answer.again()),
                          static_cast<int>(status));
                expect_same(both.answer, both.c_answer);
                if (status == StatusCode::ok) ++found;
                const bool reached =
                    status == StatusCode::ok || status == StatusCode::cost_too_large;
                EXPECT_EQ(c_reachable(other, nullptr, start, goal),
                          reached ? CAIRN_OK : static_cast<int>(status));
                const cairn_status begun = c_begin(other, nullptr, start, goal, sliced.again());
                if (begun != CAIRN_OK) {
                    EXPECT_EQ(begun, static_cast<int>(status));
                    continue;
                }
                while (cairn_advance(other, 1, 0) != 0) {
                }
                auto path = CAIRN_INIT(cairn_path);
                ASSERT_FINE(cairn_answer_get(sliced, &path));
                EXPECT_EQ(path.status, static_cast<int>(status));
                EXPECT_EQ(list(path.cells, path.num_cells), list(both.answer.details().cells));
                EXPECT_EQ(list(path.polygons, path.num_polygons),
                          list(both.answer.details().polygons));
            }
        }
    }
    EXPECT_GT(found, 40U);
}

TYPED_TEST(CPlanner, GivesTheSameCosts) {
    using P = TypeParam;
    for (std::uint64_t seed = 1; seed <= scaled(20); ++seed) {
        Both<P> both(seed);
        const auto& places = both.maps.places;
        const std::vector<AnyPlace> any(places.begin(), places.end());
        const PlaceList all(places);
        std::vector<Cost> expected(places.size() * places.size());
        std::vector<std::uint32_t> costs(expected.size());
        EXPECT_EQ(
            cairn_costs(both.c_searcher, nullptr, &all.places, &all.places, costs.data()),
            static_cast<int>(both.searcher.costs(*both.index, *both.query, any, any, expected)));
        EXPECT_EQ(costs, expected);
        for (const auto& start : places) {
            const PlaceList one({start});
            expected.assign(places.size(), 7);
            costs.assign(places.size(), 7);
            const StatusCode status =
                both.searcher.costs(*both.index, *both.query, start, any, expected);
            EXPECT_EQ(cairn_costs(both.c_searcher, nullptr, &one.places, &all.places, costs.data()),
                      static_cast<int>(status));
            if (status == StatusCode::ok) {
                EXPECT_EQ(costs, expected);
            }
            std::vector<GoalCost> nearest(3);
            std::size_t count = 0;
            std::vector<cairn_goal_cost> c_nearest(3);
            std::size_t c_count = 3;
            EXPECT_EQ(cairn_nearest(both.c_searcher, nullptr, &one.places, &all.places,
                                    c_nearest.data(), &c_count),
                      static_cast<int>(both.searcher.find_nearest(*both.index, *both.query, start,
                                                                  any, nearest, count)));
            if (status == StatusCode::ok) {
                ASSERT_EQ(c_count, count);
            }
            for (std::size_t i = 0; i < c_count; ++i) {
                EXPECT_EQ(c_nearest[i].goal, nearest[i].goal);
                EXPECT_EQ(c_nearest[i].cost, nearest[i].cost);
            }
            std::size_t which = 99;
            std::size_t c_which = 99;
            EXPECT_EQ(cairn_find_nearest(both.c_searcher, nullptr, &one.places, &all.places,
                                         both.c_answer.again(), &c_which),
                      static_cast<int>(both.searcher.find_nearest(*both.index, *both.query, start,
                                                                  any, both.answer, which)));
            EXPECT_EQ(c_which, which);
            expect_same(both.answer, both.c_answer);
        }
    }
}

/// The requests between all pairs of places, as C takes them: packed, in gaps, or backwards.
class RequestList {
public:
    enum Form { packed, gaps, backwards };

    RequestList(const std::vector<grid::Point>& places, Form form) {
        for (const auto& [a, b] : pairs(places)) {
            cells_.insert(cells_.end(), {a.x, a.y, b.x, b.y});
            if (form == gaps) cells_.push_back(-7);
        }
        set(cells_, form, 4, given.cells, given.cells_stride);
    }
    RequestList(const std::vector<mesh::Place>& places, Form form) {
        for (const auto& [a, b] : pairs(places)) {
            points_.insert(points_.end(),
                           {a.point.x, a.point.y, a.point.z, b.point.x, b.point.y, b.point.z});
            polygons_.insert(polygons_.end(), {a.polygon, b.polygon});
            if (form == gaps) points_.push_back(-7);
        }
        set(points_, form, 6, given.points, given.points_stride);
        set(polygons_, form == backwards ? backwards : packed, 2, given.polygons,
            given.polygons_stride);
    }
    /// Agents for each request, in turns.
    void add_agents() {
        for (std::size_t i = 0; i < given.count; ++i)
            agents_.insert(agents_.end(),
                           {1 + static_cast<int>(i % 2), static_cast<int>(i / 2 % 2)});
        given.agents = agents_.data();
    }
    cairn_requests given = CAIRN_INIT(cairn_requests);

private:
    template <class Place>
    std::vector<std::pair<Place, Place>> pairs(const std::vector<Place>& places) {
        std::vector<std::pair<Place, Place>> out;
        for (const Place& a : places) {
            for (const Place& b : places) out.emplace_back(a, b);
        }
        given.count = out.size();
        return out;
    }
    template <class T>
    void set(std::vector<T>& numbers, Form form, std::size_t width, const T*& data,
             std::ptrdiff_t& stride) const {
        data = numbers.data();
        const auto bytes = static_cast<std::ptrdiff_t>(width * sizeof(T));
        if (form == gaps) stride = bytes + static_cast<std::ptrdiff_t>(sizeof(T));
        if (form != backwards) return;
        for (std::size_t i = 0; i < given.count / 2; ++i)
            std::swap_ranges(&numbers[i * width], &numbers[i * width] + width,
                             &numbers[(given.count - 1 - i) * width]);
        data = numbers.data() + (given.count - 1) * width;
        stride = -bytes;
    }
    std::vector<std::int32_t> cells_;
    std::vector<double> points_;
    std::vector<std::uint32_t> polygons_;
    std::vector<std::int32_t> agents_;
};

void expect_same(const AnyPaths& expected, const cairn_paths* paths) {
    auto lists = CAIRN_INIT(cairn_path_lists);
    ASSERT_FINE(cairn_paths_get(paths, &lists));
    ASSERT_EQ(lists.count, expected.size());
    for (std::size_t i = 0; i < lists.count; ++i) {
        EXPECT_EQ(lists.statuses[i], static_cast<std::uint8_t>(expected.status(i)));
        EXPECT_EQ(lists.costs[i], expected.cost(i));
        const auto range = [&](const std::uint64_t* first, const auto* items) {
            return std::span(items + first[i], items + first[i + 1]);
        };
        if (lists.first_cell != nullptr) {
            EXPECT_EQ(list(range(lists.first_cell, lists.cells)), list(expected.cells(i)));
        } else {
            EXPECT_EQ(list(range(lists.first_polygon, lists.polygons)), list(expected.polygons(i)));
            EXPECT_EQ(range(lists.first_waypoint, lists.waypoints).size(),
                      expected.waypoints(i).size());
        }
    }
}

TYPED_TEST(CPlanner, AnswersBatchesOfAnyForm) {
    using P = TypeParam;
    const auto control = on_one_thread_in_c();
    for (std::uint64_t seed = 1; seed <= scaled(20); ++seed) {
        Both<P> both(seed);
        PathsHandle paths;
        for (const auto form : {RequestList::packed, RequestList::gaps, RequestList::backwards}) {
            RequestList requests(both.maps.places, form);
            const bool agents = std::same_as<typename P::Map, haa::AnnotatedMap> && seed % 2 == 0;
            if (agents) requests.add_agents();
            std::vector<AnyRequest> any;
            for (const auto& a : both.maps.places) {
                for (const auto& b : both.maps.places) {
                    any.push_back({a, b});
                    const auto i = static_cast<std::uint32_t>(any.size() - 1);
                    if (agents)
                        any.back().agent = haa::Agent{i / 2 % 2, 1 + static_cast<int>(i % 2)};
                }
            }
            AnyPaths expected;
            ASSERT_TRUE(both.searcher
                            .find_paths(*both.index, *both.query, std::span<const AnyRequest>(any),
                                        expected, {}, on_one_thread())
                            .ok());
            ASSERT_FINE(cairn_find_paths(both.c_searcher, nullptr, &requests.given, nullptr,
                                         &control, paths.again()));
            expect_same(expected, paths);
        }
    }
}

/// Random edits in both forms, whose number is their position in a log.
class EditList {
public:
    EditList(RandomMaps& random, const grid::Map& map) { add(random.edits(map)); }
    EditList(RandomMaps& random, const haa::AnnotatedMap& map) {
        add({{{random.number(0, map.width() - 2), random.number(0, map.height() - 2), 2, 1}, '@'}});
    }
    EditList(RandomMaps& random, const mesh::Mesh& mesh) {
        const auto polygon = random_place(mesh, random).polygon;
        polygons_ = {{polygon, mesh.area(polygon), !mesh.blocked(polygon)}};
        c_polygons_ = {{polygon, mesh.area(polygon), mesh.blocked(polygon) ? 0U : 1U}};
        given.count = 1;
        given.polygons = c_polygons_.data();
    }
    [[nodiscard]] AnyEdits any() const {
        if (!polygons_.empty()) return std::span<const mesh::PolygonEdit>(polygons_);
        return std::span<const grid::TerrainEdit>(cells_);
    }
    cairn_edits given = CAIRN_INIT(cairn_edits);

private:
    void add(const std::vector<grid::TerrainEdit>& edits) {
        cells_ = edits;
        for (const grid::TerrainEdit& e : edits)
            c_cells_.push_back({e.area.x, e.area.y, e.area.width, e.area.height, e.terrain});
        given.count = c_cells_.size();
        given.cells = c_cells_.data();
    }
    std::vector<grid::TerrainEdit> cells_;
    std::vector<mesh::PolygonEdit> polygons_;
    std::vector<cairn_terrain_edit> c_cells_;
    std::vector<cairn_polygon_edit> c_polygons_;
};

template <class P>
const auto& map_in(const AnyIndex& index) {
    if constexpr (requires { index.as<P>()->mesh(); }) {
        return index.as<P>()->mesh();
    } else if constexpr (requires { index.as<P>()->map(); }) {
        return index.as<P>()->map();
    } else {
        return *index.as<P>();
    }
}

TYPED_TEST(CPlanner, EditsAndWorldsAgree) {
    using P = TypeParam;
    const auto control = on_one_thread_in_c();
    for (std::uint64_t seed = 1; seed <= scaled(20); ++seed) {
        Both<P> both(seed);
        RandomMaps random(seed + 1000);
        auto options = CAIRN_INIT(cairn_world_options);
        options.no_worker = 1;
        options.inline_microseconds = CAIRN_NONE;
        WorldHandle c_world;
        ASSERT_FINE(cairn_world_create(both.c_index, &options, c_world.out()));
        WorldOptions own_options;
        own_options.worker = false;
        own_options.inline_microseconds = 0;
        AnyWorld world = AnyWorld::create(*both.index, own_options).value();
        AnyWorldSearcher searcher(world);
        SearcherHandle c_searcher;
        ASSERT_FINE(cairn_searcher_create_for_world(c_world, c_searcher.out()));
        // A batch, an edit, and the broken paths again.
        RequestList requests(both.maps.places, RequestList::packed);
        std::vector<AnyRequest> any;
        for (const auto& a : both.maps.places) {
            for (const auto& b : both.maps.places) any.push_back({a, b});
        }
        AnyPaths expected;
        ASSERT_TRUE(searcher
                        .find_paths(*both.query, std::span<const AnyRequest>(any), expected, {},
                                    on_one_thread())
                        .ok());
        PathsHandle paths;
        ASSERT_FINE(cairn_find_paths(c_searcher, nullptr, &requests.given, nullptr, &control,
                                     paths.again()));
        expect_same(expected, paths);

        const EditList edits(random, map_in<P>(*both.index));
        const auto own_number = world.edit(edits.any());
        ASSERT_TRUE(own_number);
        std::uint64_t number = 0;
        ASSERT_FINE(cairn_world_edit(c_world, &edits.given, &number));
        EXPECT_EQ(number, *own_number);
        EXPECT_EQ(cairn_world_edits(c_world), 1U);
        IndexHandle c_edited;
        ASSERT_FINE(cairn_index_edited(both.c_index, &edits.given, c_edited.out()));
        ASSERT_FINE(cairn_searcher_set_index(both.c_searcher, c_edited));

        std::vector<AnyRoute> routes;
        auto lists = CAIRN_INIT(cairn_path_lists);
        ASSERT_FINE(cairn_paths_get(paths, &lists));
        for (std::size_t i = 0; i < any.size(); ++i) {
            const auto steps = expected.cells(i).empty() ? expected.polygons(i) : expected.cells(i);
            routes.push_back({any[i], steps, expected.cost(i)});
        }
        auto c_routes = CAIRN_INIT(cairn_routes);
        c_routes.requests = &requests.given;
        c_routes.first = lists.first_cell != nullptr ? lists.first_cell : lists.first_polygon;
        c_routes.steps = lists.first_cell != nullptr ? lists.cells : lists.polygons;
        c_routes.costs = lists.costs;
        std::vector<std::uint8_t> valid(routes.size());
        ASSERT_FINE(cairn_paths_valid(c_searcher, nullptr, &c_routes, 0, valid.data()));
        for (std::size_t i = 0; i < routes.size(); ++i)
            EXPECT_EQ(valid[i] != 0, searcher.path_valid(*both.query, routes[i], 0)) << i;
        for (const bool improvable : {false, true}) {
            AnyReplanned replanned;
            ASSERT_TRUE(searcher
                            .replan(*both.query, routes, 0, replanned,
                                    improvable ? ReplanWhat::improvable : ReplanWhat::broken,
                                    on_one_thread())
                            .ok());
            PathsHandle again;
            ASSERT_FINE(cairn_replan(c_searcher, nullptr, &c_routes, 0, improvable ? 1 : 0,
                                     &control, again.again()));
            expect_same(replanned.paths, again);
            auto found = CAIRN_INIT(cairn_path_lists);
            ASSERT_FINE(cairn_paths_get(again, &found));
            EXPECT_EQ(list(found.routes, found.count), replanned.routes);
        }
        // The world and the edited index give what the world in C++ gives.
        for (const auto& goal : both.maps.places) {
            const auto& start = both.maps.places[0];
            const StatusCode status = searcher.find(*both.query, start, goal, both.answer);
            for (cairn_searcher* const s : {&*c_searcher, &*both.c_searcher}) {
                ASSERT_EQ(c_find(s, nullptr, start, goal, both.c_answer.again()),
                          static_cast<int>(status));
                expect_same(both.answer, both.c_answer);
            }
        }
        while (cairn_world_work(c_world) != 0) {
        }
        EXPECT_FINE(cairn_world_work_status(c_world));
        IndexHandle snapshot;
        std::uint64_t edits_before = 0;
        ASSERT_FINE(cairn_world_snapshot(c_world, snapshot.out(), &edits_before));
        EXPECT_EQ(edits_before, 1U);
        // A world lives as long as its searchers.
        c_world.out();
        EXPECT_EQ(c_find(c_searcher, nullptr, both.maps.places[0], both.maps.places[1],
                         both.c_answer.again()),
                  c_find(both.c_searcher, nullptr, both.maps.places[0], both.maps.places[1],
                         both.c_answer.again()));
    }
}

TYPED_TEST(CPlanner, SavesAndLoadsAsTheSameFile) {
    using P = TypeParam;
    Both<P> both(3);
    auto info = CAIRN_INIT(cairn_index_info);
    ASSERT_FINE(cairn_index_get(both.c_index, &info));
    EXPECT_EQ(info.memory, both.index->memory());
    EXPECT_EQ(info.has_labels != 0, both.index->has_labels());
    EXPECT_EQ(info.has_closure != 0, both.index->has_closure());
    const ScratchFolder folder;
    const std::string file = folder.path() / "c.cairn";
    const std::string own_file = folder.path() / "own.cairn";
    BytesHandle bytes;
    if constexpr (IndexedPlanner<P>) {
        ASSERT_FINE(cairn_index_save(both.c_index, file.c_str()));
        ASSERT_TRUE(both.index->save(own_file).ok());
        EXPECT_TRUE(bytes_of(file) == bytes_of(own_file));
        ASSERT_FINE(cairn_index_to_bytes(both.c_index, bytes.out()));
        const std::string_view made(static_cast<const char*>(cairn_bytes_data(bytes)),
                                    cairn_bytes_size(bytes));
        EXPECT_TRUE(made == bytes_of(file));
        IndexHandle loaded;
        for (const bool from_file : {true, false}) {
            const auto load = [&](const cairn_map* map) {
                return from_file
                           ? cairn_index_load(file.c_str(), map, loaded.out())
                           : cairn_index_from_bytes(made.data(), made.size(), map, loaded.out());
            };
            ASSERT_FINE(load(both.maps.c_map));
            ASSERT_FINE(cairn_searcher_set_index(both.c_searcher, loaded));
            const auto& [a, b] = std::pair(both.maps.places[0], both.maps.places[1]);
            EXPECT_EQ(
                c_find(both.c_searcher, nullptr, a, b, both.c_answer.again()),
                static_cast<int>(both.searcher.find(*both.index, *both.query, a, b, both.answer)));
            expect_same(both.answer, both.c_answer);
            const bool held =
                P::kName == std::string_view("haa") || P::kName == std::string_view("hna");
            EXPECT_EQ(load(nullptr), held ? CAIRN_OK : CAIRN_UNSUPPORTED);
            EXPECT_NE(load(to_c(RandomMaps(9).noise({7, 7}, 30))), CAIRN_OK);
        }
        ASSERT_FINE(cairn_index_save_with_map(both.c_index, file.c_str()));
        for (const int checks : {CAIRN_CHECK_CONTENTS, CAIRN_CHECK_CHECKSUMS, CAIRN_CHECK_NONE}) {
            ASSERT_FINE(cairn_index_load_checked(file.c_str(), nullptr, checks, loaded.out()));
            ASSERT_FINE(cairn_searcher_set_index(both.c_searcher, loaded));
            const auto& [a, b] = std::pair(both.maps.places[0], both.maps.places[1]);
            c_find(both.c_searcher, nullptr, a, b, both.c_answer.again());
            both.searcher.find(*both.index, *both.query, a, b, both.answer);
            expect_same(both.answer, both.c_answer);
        }
        double value = 0;
        for (const Field& field : P::Options::fields()) {
            ASSERT_FINE(cairn_index_option(both.c_index, field.name.data(), &value));
            const double own = field.get(&both.index->template as<P>()->options());
            if (field.type != FieldType::choice) {
                EXPECT_EQ(value, own);
            }
        }
        EXPECT_EQ(cairn_index_option(both.c_index, "nonsense", &value), CAIRN_BAD_OPTION);
    } else {
        EXPECT_EQ(cairn_index_save(both.c_index, file.c_str()), CAIRN_UNSUPPORTED);
        EXPECT_EQ(cairn_index_to_bytes(both.c_index, bytes.out()), CAIRN_UNSUPPORTED);
    }
    auto planner = CAIRN_INIT(cairn_planner);
    ASSERT_FINE(cairn_planner_get(info.planner, &planner));
    EXPECT_EQ(planner.name, P::kName);
    MapHandle map;
    ASSERT_FINE(cairn_index_map(both.c_index, map.out()));
    auto of_index = CAIRN_INIT(cairn_map_info);
    auto of_map = CAIRN_INIT(cairn_map_info);
    ASSERT_FINE(cairn_map_get(map, &of_index));
    ASSERT_FINE(cairn_map_get(both.maps.c_map, &of_map));
    EXPECT_EQ(of_index.fingerprint, of_map.fingerprint);
    EXPECT_EQ(of_map.fingerprint, both.maps.map.fingerprint());
}

TYPED_TEST(CPlanner, QueriesHaveEverySettingAndLimit) {
    using P = TypeParam;
    Both<P> both(2);
    QueryHandle query;
    for (const Field& field : P::Query::fields()) {
        for (const Choice& choice : field.choices) {
            const cairn_setting setting{field.name.data(), choice.name.data()};
            ASSERT_FINE(cairn_query_create(both.c_index, &setting, 1, query.out()));
            const auto own =
                both.index->query(std::array{Setting{field.name, choice.name}}).value();
            for (const auto& goal : both.maps.places) {
                const auto& start = both.maps.places[0];
                EXPECT_EQ(c_find(both.c_searcher, query, start, goal, both.c_answer.again()),
                          static_cast<int>(
                              both.searcher.find(*both.index, own, start, goal, both.answer)));
                expect_same(both.answer, both.c_answer);
            }
        }
    }
    const cairn_setting wrong{"nonsense", "1"};
    EXPECT_EQ(cairn_query_create(both.c_index, &wrong, 1, query.out()), CAIRN_BAD_OPTION);
    EXPECT_EQ(query, nullptr);
    ASSERT_FINE(cairn_query_create(both.c_index, nullptr, 0, query.out()));
    auto limits = CAIRN_INIT(cairn_limits);
    limits.max_cost = 1;
    QueryHandle limited;
    ASSERT_FINE(cairn_query_with_limits(query, &limits, limited.out()));
    SearchLimits own_limits;
    own_limits.max_cost = 1;
    const AnyQuery own = both.query->with_limits(own_limits).value();
    for (const auto& goal : both.maps.places) {
        const auto& start = both.maps.places[0];
        EXPECT_EQ(c_find(both.c_searcher, limited, start, goal, both.c_answer.again()),
                  static_cast<int>(both.searcher.find(*both.index, own, start, goal, both.answer)));
    }
    Handle<cairn_cancel> cancel;
    ASSERT_FINE(cairn_cancel_create(cancel.out()));
    cairn_cancel_set(cancel);
    limits = CAIRN_INIT(cairn_limits);
    limits.cancel = cancel;
    ASSERT_FINE(cairn_query_with_limits(query, &limits, limited.out()));
    cancel.out();  // the query holds it
    for (const auto& goal : both.maps.places) {
        const cairn_status status =
            c_find(both.c_searcher, limited, both.maps.places[0], goal, both.c_answer.again());
        EXPECT_TRUE(status != CAIRN_BAD_OPTION && status != CAIRN_UNSUPPORTED);
    }
    const std::vector<std::uint32_t> cells{1, 2, 5};
    const auto own_blocked = both.query->with_blocked(cells);
    EXPECT_EQ(cairn_query_with_blocked(query, cells.data(), cells.size(), limited.out()),
              own_blocked ? CAIRN_OK : CAIRN_UNSUPPORTED);
    if (!own_blocked) return;
    for (const auto& goal : both.maps.places) {
        const auto& start = both.maps.places[0];
        EXPECT_EQ(c_find(both.c_searcher, limited, start, goal, both.c_answer.again()),
                  static_cast<int>(
                      both.searcher.find(*both.index, *own_blocked, start, goal, both.answer)));
        expect_same(both.answer, both.c_answer);
    }
}

TYPED_TEST(CPlanner, KeepsMemoryFlat) {
    using P = TypeParam;
    Both<P> both(5);
    const auto control = on_one_thread_in_c();
    RequestList requests(both.maps.places, RequestList::gaps);
    const PlaceList all(both.maps.places);
    std::vector<std::uint32_t> costs(both.maps.places.size() * both.maps.places.size());
    PathsHandle paths;
    const auto use = [&](std::uint64_t calls) {
        for (std::uint64_t i = 0; i < calls; ++i) {
            const auto& a = both.maps.places[i % both.maps.places.size()];
            const auto& b = both.maps.places[i / 8 % both.maps.places.size()];
            c_find(both.c_searcher, nullptr, a, b, both.c_answer.again());
            c_reachable(both.c_searcher, nullptr, a, b);
            if (i % 1000 != 0) continue;
            SearcherHandle searcher;
            QueryHandle query;
            AnswerHandle answer;
            EXPECT_FINE(cairn_searcher_create(both.c_index, searcher.out()));
            EXPECT_FINE(cairn_query_create(both.c_index, nullptr, 0, query.out()));
            c_find(searcher, query, a, b, answer.again());
            EXPECT_FINE(cairn_find_paths(both.c_searcher, nullptr, &requests.given, nullptr,
                                         &control, paths.again()));
            EXPECT_FINE(
                cairn_costs(both.c_searcher, nullptr, &all.places, &all.places, costs.data()));
            EXPECT_EQ(cairn_map_load("/nonsense.map", nullptr, MapHandle().out()), CAIRN_IO_ERROR);
        }
    };
    use(2000);
    const std::uint64_t before = allocated_bytes();
    const std::uint64_t calls = allocations();
    for (std::uint64_t i = 0; i < 100; ++i)
        c_find(both.c_searcher, nullptr, both.maps.places[i % 8], both.maps.places[i / 8 % 8],
               both.c_answer.again());
    EXPECT_EQ(allocations(), calls);
    use(scaled(1'000'000));
    if (counts_allocations()) {
        EXPECT_EQ(allocated_bytes(), before);
    }
}

}  // namespace
}  // namespace cairn::test
