// Sets of maps are found by what is in their files, whatever their folders are called.

#include "map_sets.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "cairn/formats/movingai.hpp"
#include "lab/lab_test.hpp"
#include "support/scratch_folder.hpp"

namespace cairn::app {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class MapSets : public ::testing::Test {
protected:
    /// Writes a map of free tiles, one in `trees_one_in` a tree; 0: none.
    void map(const std::string& file, int width, int height, std::size_t trees_one_in = 0) const {
        std::vector<std::uint8_t> terrain(static_cast<std::size_t>(width * height), '.');
        for (std::size_t i = 0; trees_one_in > 0 && i < terrain.size(); i += trees_one_in)
            terrain[i] = 'T';
        write_folder(file);
        ASSERT_TRUE(formats::write_map(path(file), {width, height, terrain}).ok());
    }
    /// Writes a scenario beside a map that names it in a folder.
    void scenario(const std::string& file, const std::string& named) const {
        formats::Scenario scenario;
        scenario.problems.push_back({0, named, 60, 50, {0, 0}, {3, 0}, 3});
        ASSERT_TRUE(formats::write_scenario(path(file + ".scen"), scenario).ok());
    }
    void text(const std::string& file, const std::string& what) const {
        write_folder(file);
        std::ofstream(path(file)) << what;
    }
    [[nodiscard]] std::string path(const std::string& file) const {
        return (folder_.path() / file).string();
    }
    [[nodiscard]] std::vector<MapSet> found() const {
        return find_map_sets(folder_.path()).value();
    }
    /// The folder of the set chosen, relative to the scratch folder.
    [[nodiscard]] std::string chosen(bool (*is)(const MapSet&) noexcept) const {
        const FileSet files = chosen_maps(folder_.path(), found(), is);
        return files.empty() ? "none"
                             : files.front().parent_path().lexically_relative(folder_.path());
    }

    test::ScratchFolder folder_;

private:
    void write_folder(const std::string& file) const {
        std::filesystem::create_directories((folder_.path() / file).parent_path());
    }
};

TEST_F(MapSets, AreDescribedByTheirFiles) {
    map("a/b/one.map", 60, 50, 5);
    map("a/b/two.map", 320, 70, 5);
    scenario("a/b/two.map", "maps/dao/two.map");
    text("a/b/readme.txt", "no map");
    const auto sets = found();
    ASSERT_EQ(sets.size(), 1U);
    EXPECT_EQ(sets[0].files.size(), 2U);
    EXPECT_EQ(sets[0].least_side, 50);
    EXPECT_EQ(sets[0].most_side, 320);
    EXPECT_EQ(sets[0].soft, 20);
    EXPECT_EQ(sets[0].game, "dao");
    EXPECT_FALSE(find_map_sets(folder_.path() / "nowhere"));
}

TEST_F(MapSets, ThePapersSetHasNoTreesAndSidesOf50To320) {
    EXPECT_EQ(chosen(is_paper_set), "none");
    map("trees/one.map", 60, 50, 5);
    map("small/one.map", 49, 50);
    map("large/one.map", 321, 50);
    EXPECT_EQ(chosen(is_paper_set), "none");
    map("deep/in/one.map", 50, 320);
    EXPECT_EQ(chosen(is_paper_set), "deep/in");
    map("more/one.map", 50, 320);
    map("more/two.map", 50, 60);
    EXPECT_EQ(chosen(is_paper_set), "more");
    // A folder with a file that is no map is no set, and the folder itself comes first.
    text("more/broken.map", "type octile");
    EXPECT_EQ(chosen(is_paper_set), "deep/in");
    map("one.map", 60, 60);
    EXPECT_EQ(chosen(is_paper_set), ".");
}

TEST_F(MapSets, Bg512IsToldByItsScenariosAndItsSides) {
    map("other/one.map", 512, 512);
    scenario("other/one.map", "maps/rooms/one.map");
    map("original/one.map", 60, 60);
    scenario("original/one.map", "maps/bgmaps/one.map");
    EXPECT_EQ(chosen(is_bg512), "none");
    map("scaled/one.map", 512, 512);
    EXPECT_EQ(chosen(is_bg512), "none");
    scenario("scaled/one.map", "maps/bgmaps/one.map");
    EXPECT_EQ(chosen(is_bg512), "scaled");
}

TEST_F(MapSets, EveryPaperFindsItsSets) {
    const auto reproduce = [&](const std::string& arguments) {
        return test::run_lab(folder_.path(), "reproduce " + arguments);
    };
    for (const char* paper : {"hpa", "haa", "subgoal", "hna"}) {
        const test::Ran ran = reproduce(std::string(paper) + " --data .");
        EXPECT_NE(ran.code, 0) << paper;
        EXPECT_THAT(ran.err, HasSubstr("is there")) << paper;
    }
    map("any/name/one.map", 60, 50);
    EXPECT_EQ(reproduce("hpa --data . --pairs 2 --out hpa").code, 0);
    for (const char* game : {"dao", "sc1", "wc3maps", "bgmaps"}) {
        const int side = std::string(game) == "bgmaps" ? 512 : 60;
        const std::string file = std::string("set of ") + game + "/one.map";
        map(file, side, side);
        EXPECT_NE(reproduce("subgoal --data . --pairs 2 --out subgoal").code, 0);
        scenario(file, std::string("maps/") + game + "/one.map");
    }
    EXPECT_EQ(reproduce("subgoal --data . --pairs 2 --out subgoal").code, 0);
    std::vector<std::string> sets;
    for (const test::CsvRow& row : test::csv_file(path("subgoal/graphs.csv"))) {
        if (sets.empty() || sets.back() != row.text("set")) sets.push_back(row.text("set"));
    }
    sets.resize(std::min<std::size_t>(sets.size(), 4));
    EXPECT_THAT(sets, ElementsAre("set of dao", "set of sc1", "set of wc3maps", "set of bgmaps"));
}

TEST_F(MapSets, FilesAreGroupedByFolder) {
    text("a/1.x", "");
    text("a/b/2.x", "");
    text("a/b/3.y", "");
    text("a/b/4.z", "");
    const auto sets = file_sets(folder_.path(), {".x", ".y"}).value();
    ASSERT_EQ(sets.size(), 2U);
    EXPECT_THAT(sets[0], ElementsAre(path("a/1.x")));
    EXPECT_THAT(sets[1], ElementsAre(path("a/b/2.x"), path("a/b/3.y")));
    EXPECT_EQ(chosen_set(folder_.path(), sets), sets[1]);
    EXPECT_EQ(chosen_set(folder_.path() / "a", sets), sets[0]);
    EXPECT_EQ(chosen_set(path("a/"), sets), sets[0]);
    EXPECT_THAT(chosen_set(folder_.path(), {}), IsEmpty());
}

}  // namespace
}  // namespace cairn::app
