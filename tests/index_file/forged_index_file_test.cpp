// Forged index files: damaged ones with valid checksums. Each is refused, or its index is safe to
// use: queries end, paths are legal, and only the answers named below may be wrong.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "cairn/hpa/lazy_path.hpp"
#include "sections.hpp"
#include "small_indexes.hpp"
#include "subgoal/engines.hpp"
#include "support/mesh_dijkstra.hpp"
#include "support/mutation.hpp"
#include "support/scale.hpp"

namespace cairn::index_file::test {
namespace {

using ::testing::HasSubstr;

/// An index in which only nodes high in the tree have labels.
template <class Options>
auto with_pieces(const grid::Map& map, Options options) {
    options.label_bytes = build(map, options).statistics().value().label_bytes - 1;
    auto index = build(map, options);
    EXPECT_GT(index.statistics().value().label_piece, 0U);
    return index;
}

/// Kinds 0 to 3: one to four levels, with or without move tables and labels. Kind 4 has pieces
/// without labels.
hpa::Index small_hpa(std::size_t kind) {
    hpa::Options options;
    options.cluster_size = 4;
    if (kind == 4) return with_pieces(noise_map(4, 28, 28, {}, 22), options);
    options.levels = 1 + static_cast<int>(kind);
    options.move_tables = kind % 2 == 0;
    options.labels = kind / 2 == 0;
    return build(noise_map(4, 12, 12, {}, 22), options);
}

// Queries an accepted index by all engines and options for every `stride`-th pair of cells. Every
// path must be legal.
void query_all(const hpa::Index& index, grid::Cell stride) {
    const grid::Map& map = index.map();
    hpa::Searcher searcher;
    hpa::Answer answer;
    hpa::LazyPath lazy;
    const auto cells = static_cast<grid::Cell>(map.size());
    for (grid::Cell pair = stride / 2; pair < cells * cells; pair += stride) {
        for (const hpa::Engine engine : engines(index)) {
            hpa::Query q = query(map, pair / cells, pair % cells, engine);
            q.smoothing = static_cast<hpa::Smoothing>(pair % 4);
            q.connect = static_cast<hpa::ConnectRule>(pair / 3 % 3);
            q.detail = pair % 5 == 0 ? hpa::Detail::abstract_path : hpa::Detail::path;
            if (searcher.find(index, q, answer) != StatusCode::ok) continue;
            if (q.detail == hpa::Detail::path) {
                ASSERT_LT(grid::path_cost(map, answer.cells), kInfinity);
                ASSERT_EQ(answer.cells.front(), pair / cells);
                ASSERT_EQ(answer.cells.back(), pair % cells);
            } else if (lazy.begin(index, answer) == StatusCode::ok) {
                while (lazy.next()) {
                }
            }
        }
    }
}

// Queries an index after an edit, when it has old records next to new ones.
void edit_and_query(const hpa::Index& index, std::uint64_t cell, grid::Cell stride) {
    const hpa::Index edited = toggled(index, cell);
    query_all(edited, stride);
    const auto labelled = edited.with_labels();
    if (labelled) query_all(*labelled, stride * 2);
}

void check_accepted(const hpa::Index& /*built*/, const hpa::Index& loaded, std::uint64_t number) {
    query_all(loaded, number % 97 == 0 ? 31 : 1999);
    if (number % 7 == 0) edit_and_query(loaded, number, 1999);
}

/// Kinds 0 to 3: one to four levels; 1 has h-reachable edges, 2 no labels, 3 is edited and thus has
/// neither levels nor labels. Kind 4 has pieces without labels.
subgoal::Index small_subgoals(std::size_t kind) {
    subgoal::Options options;
    if (kind == 4) return with_pieces(noise_map(4, 28, 28, {}, 15), options);
    options.edges = kind == 1 ? subgoal::Edges::h_reachable : subgoal::Edges::direct;
    options.levels = static_cast<std::uint32_t>(1 + kind);
    options.labels = kind != 2;
    const subgoal::Index index = build(noise_map(4, 13, 17, {}, 15), options);
    return kind == 3 ? toggled(index, 40) : index;
}

// Queries an accepted index for every `stride`-th pair of cells. A* must find the paths of the
// built index, and a path by levels must cost what the answer says; labels may give a wrong cost.
void query_all(const subgoal::Index& index, const subgoal::Index& built, grid::Cell stride) {
    const grid::Map& map = index.map();
    subgoal::Searcher searcher;
    subgoal::Answer answer;
    subgoal::Answer expected;
    const auto cells = static_cast<grid::Cell>(map.size());
    for (grid::Cell pair = stride / 2; pair < cells * cells; pair += stride) {
        for (const subgoal::Engine engine : engines(index)) {
            subgoal::Query q = query(map, pair / cells, pair % cells, engine);
            q.nearest_reachable = pair % 3 == 0;
            searcher.find(index, q, answer);
            if (engine == subgoal::Engine::astar) {
                searcher.find(built, q, expected);
                ASSERT_EQ(answer.status, expected.status);
                ASSERT_EQ(answer.cells, expected.cells);
            }
            if (answer.status != StatusCode::ok) continue;
            const Cost cost = grid::path_cost(map, answer.cells);
            ASSERT_LT(cost, kInfinity);
            ASSERT_TRUE(engine == subgoal::Engine::cut_labels || cost == answer.cost);
            ASSERT_EQ(answer.cells.front(), pair / cells);
            ASSERT_EQ(answer.cells.back(), map.cell(answer.goal));
        }
    }
}

// Queries an index after an edit: it has old records next to new ones, and new labels take the
// order of the old ones.
void edit_and_query(const subgoal::Index& index, std::uint64_t cell, grid::Cell stride) {
    const subgoal::Index edited = toggled(index, cell);
    const subgoal::Index fresh = build(edited.map(), index.options());
    ASSERT_TRUE(edited == fresh);
    query_all(edited, fresh, stride);
    const auto completed = edited.with_labels();
    ASSERT_TRUE(completed.has_value());
    query_all(*completed, fresh, stride);
}

void check_accepted(const subgoal::Index& built, const subgoal::Index& loaded,
                    std::uint64_t number) {
    ASSERT_TRUE(loaded == built || loaded.options().edges != built.options().edges);
    query_all(loaded, built, number % 97 == 0 ? 131 : 4999);
    if (number % 7 == 0) edit_and_query(loaded, number, 4999);
}

// Queries an accepted index; every path must be legal.
void query_all(const haa::Index& index, std::uint64_t stride) {
    for_each_answer(index, stride, [&](const haa::Query& query, const haa::Answer& answer) {
        if (answer.status != StatusCode::ok) return;
        const auto view = index.view(query.agent);
        ASSERT_TRUE(view.has_value());
        ASSERT_LT(grid::path_cost(view->map(), answer.cells), kInfinity);
        ASSERT_EQ(view->map().point(answer.cells.front()), query.start);
    });
}

void check_accepted(const haa::Index& /*built*/, const haa::Index& loaded, std::uint64_t number) {
    query_all(loaded, number % 17 == 0 ? 499 : 4999);
    if (number % 5 != 0) return;
    const haa::Index edited = toggled(loaded, number);
    query_all(edited, 1999);
    ASSERT_TRUE(edited.with_labels(std::array{edited.map().agent(0)}).has_value());
    query_all(edited, 1999);
}

// Queries an accepted index for every `stride`-th pair of polygons. Only labels may give a wrong
// cost, and their paths must be legal, too.
void query_all(const hna::Index& index, std::uint64_t stride) {
    const cairn::test::MeshDijkstra oracle(index.mesh());
    for_each_answer(index, stride, [&](const hna::Query& query, const hna::Answer& answer) {
        const bool labels = query.engine == hna::Engine::cut_labels;
        if (answer.status == StatusCode::ok) {
            const Cost path_cost = oracle.cost_of(query.start, query.goal, answer.links);
            ASSERT_LT(path_cost, kInfinity);
            ASSERT_TRUE(labels || path_cost == answer.cost);
        }
        if (labels || index.mesh().blocked(query.start.polygon)) return;
        ASSERT_EQ(oracle.cost(query.start, query.goal), answer.cost);
    });
}

void check_accepted(const hna::Index& /*built*/, const hna::Index& loaded, std::uint64_t number) {
    query_all(loaded, number % 97 == 0 ? 3 : 199);
    const auto polygon = static_cast<mesh::Polygon>(number % loaded.mesh().num_polygons());
    if (number % 7 != 0 || loaded.mesh().is_removed(polygon)) return;
    const hna::Index edited = toggled(loaded, polygon);
    query_all(edited, 199);
    const auto completed = edited.with_labels();
    if (completed) query_all(*completed, 199);
}

/// Loads a forged file of a built index. `number` counts the forgeries: some of those accepted are
/// checked more thoroughly.
template <class Index>
void check_forged(const Index& built, const std::string& forged, std::uint64_t number) {
    const auto loaded = read_like(built, forged);
    static_cast<void>(inspect_bytes(as_bytes(forged), "forged"));
    if (loaded)
        check_accepted(built, *loaded, number);
    else
        ASSERT_TRUE(loaded.error().message.starts_with("test.cairn: "));
}

/// Flips each of about `share` of all bits, one at a time; then forges `count` files by changes of
/// words and as many by mutations.
template <class Index>
void forge(const Index& built, double share, std::uint64_t count, std::uint64_t seed) {
    const std::string bytes = bytes_of_index(built);
    // An odd step reaches all eight bits of the bytes.
    const std::size_t step = cairn::test::stride(share) | 1;
    for (std::size_t bit = 0; bit < bytes.size() * 8; bit += step)
        ASSERT_NO_FATAL_FAILURE(check_forged(built, resealed(flipped(bytes, bit)), bit)) << bit;
    std::mt19937_64 random(seed);
    for (std::uint64_t i = cairn::test::scaled(count); i > 0; --i) {
        ASSERT_NO_FATAL_FAILURE(check_forged(built, resealed(with_words_changed(bytes, random)), i))
            << i;
        ASSERT_NO_FATAL_FAILURE(
            check_forged(built, resealed(cairn::test::mutated(bytes, random)), i))
            << i;
    }
}

class ForgedHpa : public testing::TestWithParam<std::size_t> {};
class ForgedSubgoals : public testing::TestWithParam<std::size_t> {};
class ForgedHaa : public testing::TestWithParam<std::size_t> {};
class ForgedHna : public testing::TestWithParam<std::size_t> {};

TEST_P(ForgedHpa, AreRefusedOrSafe) {
    const bool large = GetParam() == 4;
    forge(small_hpa(GetParam()), large ? 0.05 : 1, large ? 1000 : 4000, GetParam());
}
TEST_P(ForgedSubgoals, AreRefusedOrSafe) {
    const bool large = GetParam() == 4;
    forge(small_subgoals(GetParam()), large ? 0.01 : 0.04, large ? 500 : 2000, GetParam());
}
TEST_P(ForgedHaa, AreRefusedOrSafe) {
    forge(fuzz::build(fuzz::haa_index_cases()[GetParam()]), 0.1, 1000, GetParam());
}
TEST_P(ForgedHna, AreRefusedOrSafe) {
    forge(fuzz::build(fuzz::hna_index_cases()[GetParam()]), 0.3, 4000, GetParam());
}

INSTANTIATE_TEST_SUITE_P(Kinds, ForgedHpa, testing::Range(std::size_t{0}, std::size_t{5}));
INSTANTIATE_TEST_SUITE_P(Kinds, ForgedSubgoals, testing::Range(std::size_t{0}, std::size_t{5}));
INSTANTIATE_TEST_SUITE_P(Cases, ForgedHaa, testing::Range(std::size_t{0}, std::size_t{6}));
INSTANTIATE_TEST_SUITE_P(Cases, ForgedHna, testing::Range(std::size_t{0}, std::size_t{9}));

template <class Index>
class ForgedSections : public testing::Test {};
using Indexes = testing::Types<hpa::Index, subgoal::Index, haa::Index, hna::Index>;
TYPED_TEST_SUITE(ForgedSections, Indexes);

TYPED_TEST(ForgedSections, ThatAreMissingOrOfAnotherSizeAreRefusedOrSafe) {
    std::uint64_t number = 0;
    for (const auto& c : Planner<TypeParam>::cases()) {
        const TypeParam built = fuzz::build(c);
        const std::string file = bytes_of_index(built);
        const Sections sections = sections_of(file);
        ASSERT_EQ(with_sections(file, sections), file);
        for (const auto& [key, contents] : sections) {
            SCOPED_TRACE(c.name + ", section " + std::to_string(key.first));
            Sections without = sections;
            without.erase(key);
            ASSERT_NO_FATAL_FAILURE(check_forged(built, with_sections(file, without), ++number));
            const std::string longer = contents + std::string(8, '\0');
            for (const std::string& forged :
                 {std::string(), contents.substr(0, contents.size() / 2), contents + '\0', longer,
                  contents + contents}) {
                Sections changed = sections;
                changed[key] = forged;
                ASSERT_NO_FATAL_FAILURE(
                    check_forged(built, with_sections(file, changed), ++number));
            }
        }
    }
}

TYPED_TEST(ForgedSections, OfAnotherIndexAreRefusedOrSafe) {
    std::vector<TypeParam> indexes;
    for (const auto& c : Planner<TypeParam>::cases()) indexes.push_back(fuzz::build(c));
    indexes.push_back(Planner<TypeParam>::index_of_other_map());
    std::uint64_t number = 0;
    for (const TypeParam& built : indexes) {
        const std::string file = bytes_of_index(built);
        for (const TypeParam& other : indexes) {
            for (const auto& [key, contents] : sections_of(bytes_of_index(other))) {
                SCOPED_TRACE(key.first);
                Sections changed = sections_of(file);
                changed[key] = contents;
                ASSERT_NO_FATAL_FAILURE(
                    check_forged(built, with_sections(file, changed), ++number));
            }
        }
    }
}

/// The error of the index of a case when change(sections) has changed its file.
template <class Index, class Change>
std::string refusal(std::size_t number, const Change& change) {
    const Index built = fuzz::build(Planner<Index>::cases()[number]);
    const std::string file = bytes_of_index(built);
    Sections sections = sections_of(file);
    change(sections);
    const auto loaded = read_like(built, with_sections(file, sections));
    return loaded ? "accepted" : loaded.error().message;
}

/// Puts the sections from `first` to `last` of the index of a case in place of those of `sections`.
template <class Index>
void take(std::size_t number, Section first, Section last, Sections& sections) {
    const auto from = key_of(first);
    const auto to = key_of(last, 0xffff);
    std::erase_if(sections, [&](const auto& s) { return s.first >= from && s.first <= to; });
    for (auto& [key, contents] :
         sections_of(bytes_of_index(fuzz::build(Planner<Index>::cases()[number])))) {
        if (key >= from && key <= to) sections[key] = contents;
    }
}

TEST(ForgedSection, OfHaaAreRefusedByTheirSizes) {
    EXPECT_THAT(
        refusal<haa::Index>(0, [](Sections& s) { s[key_of(Section::terrain_key)].pop_back(); }),
        HasSubstr("the terrain key does not have 256 entries"));
    EXPECT_THAT(refusal<haa::Index>(0, [](Sections& s) { s[key_of(Section::terrain)].pop_back(); }),
                HasSubstr("the terrain does not have as many cells as the map"));
}

TEST(ForgedSection, OfMeshesAreRefusedByTheirSizes) {
    const auto refused = [](Section section, const auto& change) {
        return refusal<hna::Index>(0, [&](Sections& s) { change(s[key_of(section)]); });
    };
    EXPECT_THAT(refused(Section::mesh_first_corner, [](std::string& s) { s.clear(); }),
                HasSubstr("the corners of the polygons are missing"));
    EXPECT_THAT(refused(Section::mesh_areas, [](std::string& s) { s += '\0'; }),
                HasSubstr("the numbers of areas and polygons differ"));
    EXPECT_THAT(refused(Section::mesh_blocked, [](std::string& s) { s += '\0'; }),
                HasSubstr("the numbers of polygons and their flags differ"));
    EXPECT_THAT(refused(Section::mesh_options, [](std::string& s) { s += s; }),
                HasSubstr("the size of the section mesh/options is wrong"));
    EXPECT_THAT(refused(Section::mesh_options, [](std::string& s) { s.pop_back(); }),
                HasSubstr("the size of the section mesh/options is wrong"));
}

// Case 2 has one-way links.
TEST(ForgedSection, OfLabelsAreRefusedWhereTheyLeadTheWrongWay) {
    EXPECT_THAT(refusal<hna::Index>(2,
                                    [](Sections& s) {
                                        take<hna::Index>(0, Section::label_nodes,
                                                         Section::closure_down_middles, s);
                                    }),
                HasSubstr("the section closure/down costs is missing"));
    const auto swapped = [](std::initializer_list<std::pair<Section, Section>> sections) {
        return refusal<hna::Index>(2, [&](Sections& s) {
            for (const auto& [a, b] : sections) std::swap(s[key_of(a)], s[key_of(b)]);
        });
    };
    EXPECT_THAT(swapped({{Section::closure_costs, Section::closure_down_costs},
                         {Section::closure_middles, Section::closure_down_middles}}),
                HasSubstr("an edge joins nodes that are not neighbours"));
    EXPECT_THAT(swapped({{Section::label_entries, Section::label_down_entries},
                         {Section::label_hops, Section::label_down_hops},
                         {Section::label_wide_hops, Section::label_down_wide_hops}}),
                HasSubstr("hops do not follow arcs"));
}

// Of a case's options, bit 0 means three levels, bit 1 labels, bit 2 h-reachable edges.
TEST(ForgedSection, OfSubgoalGraphsAreRefusedUnderOtherOptions) {
    EXPECT_THAT(refusal<subgoal::Index>(0,
                                        [](Sections& s) {
                                            take<subgoal::Index>(1, Section::level_vertices,
                                                                 Section::level_arcs, s);
                                        }),
                HasSubstr("there are more levels than the options allow"));
    EXPECT_THAT(refusal<subgoal::Index>(
                    2,
                    [](Sections& s) {
                        for (auto i = Section::label_nodes; i <= Section::label_groups;
                             i = Section{static_cast<std::uint16_t>(static_cast<int>(i) + 1)})
                            s.erase(key_of(i));
                    }),
                HasSubstr("the labels are missing"));
}

// Case 0 has one level and direct edges, which refining follows without a test.
TEST(ForgedSection, ALevelArcThatIsNoEdgeIsRefused) {
    const subgoal::Index built = fuzz::build(fuzz::subgoal_index_cases()[0]);
    const subgoal::Snapshot& snapshot = built.snapshot();
    const NLevelArrays& arrays = snapshot.engines->levels.arrays();
    const std::vector<grid::Point> places = snapshot.nodes.points();
    std::uint32_t v = 0;
    while (arrays.vertices[v].first == arrays.vertices[v + 1].first) ++v;
    const auto edges = snapshot.graph.neighbours(places[v].x, places[v].y);
    std::uint32_t head = 0;
    while (head == v || std::ranges::count(edges, built.map().cell(places[head])) != 0) ++head;
    ASSERT_LT(head, places.size());
    const NLevelArc arc{head, built.map().distance_bound(places[v], places[head])};
    const std::size_t at = arrays.vertices[v].first * sizeof arc;
    const auto change = [&](Sections& sections) {
        std::memcpy(sections[key_of(Section::level_arcs)].data() + at, &arc, sizeof arc);
    };
    EXPECT_THAT(refusal<subgoal::Index>(0, change),
                HasSubstr("an arc of the n-level graph is no edge"));
}

// A file says which map it belongs to by the map's fingerprint. Forged, the contents tell.
TEST(ForgedSection, OfAnotherMapAreRefusedByTheirContents) {
    for (const std::size_t number : {3U, 7U}) {
        const subgoal::Index other = build(Planner<subgoal::Index>::index_of_other_map().map(),
                                           fuzz::subgoal_index_cases()[number].options);
        const auto refused = [&](Section first, Section last) {
            const subgoal::Index own = fuzz::build(fuzz::subgoal_index_cases()[number]);
            const std::string file = bytes_of_index(own);
            Sections sections = sections_of(file);
            for (const auto& [key, contents] : sections_of(bytes_of_index(other))) {
                if (key >= key_of(first) && key <= key_of(last, 0xffff)) sections[key] = contents;
            }
            const auto loaded = read_like(own, with_sections(file, sections));
            return loaded ? "accepted" : loaded.error().message;
        };
        EXPECT_THAT(refused(Section::subgoal_tiles, Section::subgoal_tiles),
                    HasSubstr(number == 7 ? "the nodes are not the subgoals of the map"
                                          : "the edges are not those of the map"));
        EXPECT_THAT(refused(Section::level_vertices, Section::level_arcs),
                    HasSubstr("the numbers of vertices and subgoals differ"));
        EXPECT_THAT(refused(Section::label_nodes, Section::label_groups),
                    HasSubstr("cut labels: labels and closure are of different graphs"));
        EXPECT_THAT(refused(Section::closure_places, Section::closure_ranks),
                    HasSubstr("cut labels: labels and closure are of different graphs"));
    }
}

}  // namespace
}  // namespace cairn::index_file::test
