// Builds use no random numbers of the C library and leave the program's own sequence alone, and the
// bytes of indexes do not depend on the threads.

#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "cairn/mesh/from_grid.hpp"
#include "small_indexes.hpp"

namespace cairn::index_file::test {
namespace {

constexpr const char* kChild = "RandomNumbers.DISABLED_PrintsWhatItFinds";

/// The bytes of an index, and the hash of its answers.
struct Built {
    std::string bytes;
    std::string answers;
    friend bool operator==(const Built&, const Built&) = default;
};

template <class Index>
Built built(const Index& index, const std::function<void(cairn::test::Hash&)>& ask) {
    cairn::test::Hash answers;
    ask(answers);
    return {bytes_of_index(index), answers.text()};
}

/// Asks the paths between some pairs of cells; set_up(query) completes a query.
template <class Planner, class SetUp>
void ask_on_grid(const typename Planner::Index& index, SetUp&& set_up, cairn::test::Hash& answers) {
    std::mt19937 random(3);
    Searcher<Planner> searcher;
    typename Planner::Answer answer;
    const auto place = [&](int length) {
        return static_cast<int>(random() % static_cast<unsigned>(length));
    };
    for (int i = 0; i < 100; ++i) {
        typename Planner::Query query;
        query.start = {place(index.map().width()), place(index.map().height())};
        query.goal = {place(index.map().width()), place(index.map().height())};
        set_up(query);
        searcher.find(index, query, answer);
        answers.add(static_cast<std::uint64_t>(answer.status));
        answers.add(answer.cost);
        for (const grid::Cell cell : answer.cells) answers.add(cell);
    }
}

Built build_hpa(const BuildControl& control) {
    const auto index = hpa::Index::build(noise_map(3, 150, 140, {}, 30), {}, control).value();
    EXPECT_TRUE(index.has_labels());
    return built(index, [&](cairn::test::Hash& answers) {
        ask_on_grid<hpa::Planner>(
            index, [](hpa::Query&) {}, answers);
    });
}

Built build_subgoal(const BuildControl& control) {
    const auto index = subgoal::Index::build(noise_map(4, 150, 140, {}, 30), {}, control).value();
    EXPECT_TRUE(index.has_labels());
    return built(index, [&](cairn::test::Hash& answers) {
        ask_on_grid<subgoal::Planner>(
            index, [](subgoal::Query&) {}, answers);
    });
}

Built build_haa(const BuildControl& control) {
    grid::TerrainImage image{150, 140, std::vector<std::uint8_t>(150 * 140, '.')};
    std::mt19937 random(5);
    for (std::uint8_t& t : image.terrain) {
        if (const auto number = random() % 100; number < 15) t = number < 5 ? '@' : 'T';
    }
    const auto map = haa::AnnotatedMap::create(image).value();
    const auto index = haa::Index::build(map, {}, control).value();
    const std::vector<haa::Agent> agents = all_agents(index);
    const auto prepared = index.with_labels({agents.data(), 2}, control).value();
    return built(prepared, [&](cairn::test::Hash& answers) {
        for (const haa::Agent agent : {agents[0], agents[1]})
            ask_on_grid<haa::Planner>(
                prepared, [&](haa::Query& q) { q.agent = agent; }, answers);
    });
}

Built build_hna(const BuildControl& control) {
    const auto mesh = mesh::mesh_from_grid(noise_map(6, 90, 90, {}, 20)).value();
    hna::Options options;
    options.mu = 5;
    options.levels = 2;
    const auto index = hna::Index::build(mesh, options, control).value();
    EXPECT_TRUE(index.has_labels());
    return built(index, [&](cairn::test::Hash& answers) {
        for_each_answer(index, 100'003, [&](const hna::Query&, const hna::Answer& answer) {
            answers.add(answer.cost);
            for (const mesh::Link link : answer.links) answers.add(link);
        });
    });
}

constexpr std::array kBuilds{build_hpa, build_subgoal, build_haa, build_hna};

TEST(RandomNumbers, TheSequenceOfTheProgramGoesOn) {
    std::srand(7);
    std::vector<int> expected(kBuilds.size() + 1);
    for (int& number : expected) number = std::rand();
    std::srand(7);
    EXPECT_EQ(std::rand(), expected[0]);
    for (std::size_t i = 0; i < kBuilds.size(); ++i) {
        static_cast<void>(kBuilds[i]({}));
        EXPECT_EQ(std::rand(), expected[i + 1]) << "after build " << i;
    }
}

TEST(RandomNumbers, TheSequenceGoesOnAfterMetisWithTheGnuLibrary) {
#if defined(__GLIBC__)
    if (!has_metis()) GTEST_SKIP() << "built without METIS";
    const auto mesh = mesh::mesh_from_grid(noise_map(6, 60, 60, {}, 20)).value();
    hna::Options options;
    options.partitioner = hna::Partitioner::multilevel;
    std::srand(7);
    const std::array expected{std::rand(), std::rand()};
    std::srand(7);
    EXPECT_EQ(std::rand(), expected[0]);
    const std::string bytes = bytes_of_index(build(mesh, options));
    EXPECT_EQ(std::rand(), expected[1]);
    std::srand(8);
    EXPECT_EQ(bytes_of_index(build(mesh, options)), bytes);
#else
    GTEST_SKIP() << "another C library";
#endif
}

/// For AnotherRandChangesNothing, in a process of its own.
TEST(RandomNumbers, DISABLED_PrintsWhatItFinds) {
    std::printf("rand %d\n", std::rand());
    for (const auto build : kBuilds) {
        const Built made = build({});
        std::printf("%s %s\n", hash_of(made.bytes).c_str(), made.answers.c_str());
    }
}

TEST(RandomNumbers, AnotherRandChangesNothing) {
    const auto output_with = [](const std::string& environment) {
        const std::string self = std::filesystem::read_symlink("/proc/self/exe").string();
        const std::string command = environment + " '" + self + "' --gtest_filter=" + kChild +
                                    " --gtest_also_run_disabled_tests";
        std::string output;
        std::FILE* const pipe = popen(command.c_str(), "r");
        if (pipe == nullptr) return output;
        std::array<char, 256> line{};
        while (std::fgets(line.data(), line.size(), pipe) != nullptr) {
            const std::string text = line.data();
            if (!text.starts_with("[") && !text.starts_with("Note")) output += text;
        }
        EXPECT_EQ(pclose(pipe), 0) << command;
        return output;
    };
    const std::string plain = output_with("");
    const std::string other = output_with(std::string("LD_PRELOAD='") + CAIRN_OTHER_RAND + "'");
    const auto rand_line = [](const std::string& output) {
        const std::size_t begin = output.find("rand ");
        return begin == std::string::npos ? ""
                                          : output.substr(begin, output.find('\n', begin) - begin);
    };
    const auto rest = [&](const std::string& output) {
        std::string text = output;
        text.erase(text.find("rand "), rand_line(output).size());
        return text.substr(0, text.find("1 test"));
    };
    ASSERT_NE(rand_line(plain), rand_line(other)) << "the other library was not used\n" << other;
    EXPECT_EQ(rest(plain), rest(other));
}

TEST(RandomNumbers, BytesDoNotDependOnTheNumberOfThreads) {
    BuildControl one;
    one.threads = 1;
    BuildControl two;
    two.threads = 2;
    for (std::size_t i = 0; i < kBuilds.size(); ++i)
        EXPECT_TRUE(kBuilds[i](one) == kBuilds[i](two)) << "build " << i;
}

}  // namespace
}  // namespace cairn::index_file::test
