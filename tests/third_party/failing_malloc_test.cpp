// Libraries that Cairn uses allocate by malloc, too. Whatever allocation fails in them, a call says
// out_of_memory; but some of them cannot take that, and end the program or never return. Each call
// runs in a process of its own.

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <random>
#include <string>

#include "../../fuzz/hna_index_cases.hpp"
#include "cairn/detour/recast_builder.hpp"
#include "cairn/detour/tile_set.hpp"
#include "cairn/formats/nav2.hpp"
#include "cairn/formats/palette.hpp"
#include "cairn/formats/raster.hpp"
#include "cairn/formats/tiled.hpp"
#include "cairn/grid/generate.hpp"
#include "cairn/hpa/index.hpp"
#include "cairn/render/drawing.hpp"
#include "detour/small_tile_sets.hpp"
#include "support/allocation_faults.hpp"
#include "support/scratch_folder.hpp"
#include "support/source_folder.hpp"
#include "third_party/failing_malloc.hpp"

namespace cairn::test {
namespace {

/// Whether a library returns when its allocations fail.
enum class Library { returns, may_end_the_program };

/// How a process may end. A StatusCode follows kOther.
enum Exit { kOk, kOutOfMemory, kOutOfMemoryWithMessage, kOther };

/// Makes the call in a process of its own, with allocation `first` failing, and those after it if
/// `all_later`. Returns the Exit, or minus the signal that ended the process.
template <class Call>
int exit_of(const Call& call, std::uint64_t first, bool all_later) {
    std::fflush(nullptr);
    const pid_t child = fork();
    if (child == 0) {
        static_cast<void>(std::freopen("/dev/null", "w", stderr));
        const rlimit no_dump{0, 0};
        setrlimit(RLIMIT_CORE, &no_dump);
        const rlimit seconds{1, 1};  // for a library that never returns
        setrlimit(RLIMIT_CPU, &seconds);
        fail_malloc(first, all_later);
        const auto result = call();
        fail_malloc(0, false);
        const Ended end = ended(result);
        if (end.code == StatusCode::ok) _exit(kOk);
        if (end.code != StatusCode::out_of_memory) _exit(kOther + static_cast<int>(end.code));
        _exit(end.has_message ? kOutOfMemoryWithMessage : kOutOfMemory);
    }
    int status = 0;
    EXPECT_EQ(waitpid(child, &status, 0), child);
    return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
}

/// The allocations of a call, counted in a process of its own.
template <class Call>
std::uint64_t allocations_of(const Call& call) {
    std::array<int, 2> ends{};
    EXPECT_EQ(pipe(ends.data()), 0);
    if (fork() == 0) {
        fail_malloc(0, false);
        static_cast<void>(call());
        const std::uint64_t count = mallocs();
        _exit(write(ends[1], &count, sizeof count) == sizeof count ? 0 : 1);
    }
    std::uint64_t count = 0;
    EXPECT_EQ(read(ends[0], &count, sizeof count), static_cast<ssize_t>(sizeof count));
    close(ends[0]);
    close(ends[1]);
    wait(nullptr);
    return count;
}

/// Expects of a call that succeeds with enough memory: whichever allocation fails, alone or with
/// all later ones, it says out_of_memory without a message, or succeeds. Tries the first `each`
/// allocations, then `seeded` later ones.
template <class Call>
void expect_status(const std::string& name, Library library, const Call& call,
                   std::uint64_t each = 150, int seeded = 50) {
    if (!can_fail_malloc()) GTEST_SKIP() << "malloc cannot be replaced in this build";
    ASSERT_EQ(exit_of(call, 0, false), kOk) << name;
    const std::uint64_t count = allocations_of(call);
    ASSERT_GT(count, 0U) << name;
    int out_of_memory = 0;
    int ended = 0;
    const auto fail_at = [&](std::uint64_t first) {
        for (const bool all_later : {false, true}) {
            const int exit = exit_of(call, first, all_later);
            out_of_memory += exit == kOutOfMemory ? 1 : 0;
            ended += exit < 0 ? 1 : 0;
            const bool known = exit == kOk || exit == kOutOfMemory ||
                               (exit < 0 && library == Library::may_end_the_program);
            EXPECT_TRUE(known) << name << ", allocation " << first << " of " << count
                               << (all_later ? " and all later" : "") << ": exit " << exit;
        }
    };
    for (std::uint64_t first = 1; first <= std::min(count, each); ++first) fail_at(first);
    std::mt19937_64 random(count);
    for (int i = 0; i < seeded && count > each; ++i) fail_at(each + 1 + random() % (count - each));
    EXPECT_TRUE(out_of_memory > 0 || library == Library::may_end_the_program) << name;
    std::printf("%s: %d times out of memory, %d times the program ended\n", name.c_str(),
                out_of_memory, ended);
}

BuildControl on_threads(int threads) {
    BuildControl control;
    control.threads = threads;
    return control;
}

/// A picture that takes the PNG encoder some work.
formats::GreyImage picture() {
    formats::GreyImage image{70, 50, {}, {}};
    for (int i = 0; i < 70 * 50; ++i) image.grey.push_back(static_cast<std::uint8_t>(i * i / 7));
    return image;
}

TEST(FailingMalloc, OfPngPicturesSaysOutOfMemory) {
    const formats::GreyImage image = picture();
    expect_status("format_png", Library::may_end_the_program,
                  [&] { return formats::format_png(image); });
    const std::string png = formats::format_png(image).value();
    expect_status("parse_png", Library::returns, [&] { return formats::parse_png(png, "a.png"); });
}

TEST(FailingMalloc, OfYamlAndJsonSaysOutOfMemory) {
    const std::string yaml =
        "image: a.pgm\nresolution: 0.05\norigin: [1, 2, 0]\nnegate: 0\noccupied_thresh: 0.65\n"
        "free_thresh: 0.196\n";
    expect_status(
        "parse_occupancy_yaml", Library::returns,
        [&] { return formats::parse_occupancy_yaml(yaml, "a.yaml"); }, 1'000);
    const std::string palette = R"({"#ffffff": "ground", "#000000": "obstacle"})";
    expect_status("parse_palette", Library::returns,
                  [&] { return formats::parse_palette(palette, "palette"); });
}

TEST(FailingMalloc, OfTiledMapsSaysOutOfMemory) {
    for (const char* name :
         {"csv.tmj", "tiles.tmx", "zlib.tmx", "gzip.tmj", "zstd.tmx", "infinite.tmx"}) {
        const std::string bytes = bytes_of(source_folder() / "fuzz/corpus/tiled" / name);
        expect_status(name, Library::returns, [&] { return formats::parse_tiled(bytes, name); });
    }
}

TEST(FailingMalloc, OfDrawingSaysOutOfMemory) {
    render::Drawing drawing{60, 40, {255, 255, 255}, {}};
    drawing.layers.push_back({"shapes", render::Box{1, 1, 50, 30}, {}});
    std::vector<render::Shape>& shapes = drawing.layers.back().shapes;
    shapes.emplace_back(render::Boxes{});
    std::get<render::Boxes>(shapes.back()).boxes = {{0, 0, 20, 20}, {30, 5, 10, 10}};
    shapes.emplace_back(render::Discs{});
    std::get<render::Discs>(shapes.back()).centres = {{5, 5}, {12, 30}};
    expect_status("to_png", Library::may_end_the_program, [&] { return render::to_png(drawing); });
    render::Text text;
    text.at = {5, 20};
    text.text = "text";
    shapes.emplace_back(text);
    expect_status(
        "to_png with text", Library::may_end_the_program, [&] { return render::to_png(drawing); },
        0, 6);
}

TEST(FailingMalloc, OfTileSetsSaysOutOfMemory) {
    const detour::NavMesh nav_mesh = detour::small_nav_mesh();
    expect_status("format_tile_set", Library::returns,
                  [&] { return detour::format_tile_set(*nav_mesh); });
    const std::string tiles = detour::format_tile_set(*nav_mesh).value();
    expect_status("parse_tile_set", Library::returns,
                  [&] { return detour::parse_tile_set(tiles, "tiles.bin"); });
}

TEST(FailingMalloc, OfRecastSaysOutOfMemory) {
    const std::string obj = "v 0 0 0\nv 0 0 9\nv 9 0 9\nv 9 0 0\nf 1 2 3\nf 1 3 4\n";
    const detour::Triangles triangles = detour::parse_obj(obj, "a.obj").value();
    for (const int tile_size : {0, 16}) {
        detour::RecastOptions options;
        options.tile_size = tile_size;
        expect_status(tile_size == 0 ? "build_navmesh" : "build_navmesh in tiles",
                      Library::may_end_the_program,
                      [&] { return detour::build_navmesh(triangles, options, on_threads(1)); });
    }
}

TEST(FailingMalloc, OfPartitionsByMetisSaysOutOfMemory) {
    const auto mesh = mesh::Mesh::build(fuzz::hna_index_image().source()).value();
    hna::Options options;
    options.mu = 4;
    options.partitioner = hna::Partitioner::multilevel;
    const auto build = [&] { return hna::Index::build(mesh, options, on_threads(1)); };
    if (build()) expect_status("build by METIS", Library::may_end_the_program, build);
}

TEST(FailingMalloc, OfThreadsSaysOutOfMemory) {
    grid::GenerateOptions options;
    options.width = options.height = 64;
    const grid::Map map = grid::make_map(grid::generate(options).value()).value();
    expect_status("build on two threads", Library::may_end_the_program,
                  [&] { return hpa::Index::build(map, {}, on_threads(2)); });
}

}  // namespace
}  // namespace cairn::test
