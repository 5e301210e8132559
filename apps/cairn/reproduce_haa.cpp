#include "reproduce_haa.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <optional>

#include "cairn/formats/movingai.hpp"
#include "cairn/grid/generate.hpp"
#include "problems.hpp"
#include "reproduce_haa_run.hpp"
#include "reproduce_haa_tables.hpp"

namespace cairn::app {
namespace {

namespace fs = std::filesystem;

constexpr std::array<int, 3> kShares{0, 20, 50};
constexpr std::array<int, 3> kMaxSizes{2, 4, 8};
constexpr int kAuthorsMaxSize = 2;
constexpr int kBuiltInSide = 96;

/// Where a case comes from; it is read when its turn comes.
struct Source {
    std::string set;
    int share = 0;
    int max_size = 0;
    fs::path map;                         // of the folder's maps, or the author's
    fs::path scenario{};                  // the author's
    std::optional<grid::MapKind> made{};  // on the spot
};

std::string folder_name(const fs::path& folder) {
    return (folder.has_filename() ? folder.filename() : folder.parent_path().filename()).string();
}

void add_settings(const Source& source, std::vector<Source>& out) {
    for (const int share : kShares) {
        for (const int size : kMaxSizes) {
            out.push_back(source);
            out.back().share = share;
            out.back().max_size = size;
        }
    }
}

Status add_folder(const fs::path& folder, int most, std::vector<Source>& out) {
    const auto files = expand_maps({folder.string()}, most);
    if (!files) return files.error();
    for (const fs::path& file : *files) add_settings({folder_name(folder), 0, 0, file}, out);
    return {};
}

/// The author's scenarios of one share: of each map beside it, or in `originals`.
Status add_scenarios(const fs::path& folder, int share, const fs::path& originals, int most,
                     std::vector<Source>& out) {
    std::error_code error;
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(folder, error)) {
        if (entry.path().extension() == ".scenario") files.push_back(entry.path());
    }
    if (error)
        return {StatusCode::io_error, fmt::format("{}: {}", folder.string(), error.message())};
    std::sort(files.begin(), files.end());
    const std::size_t kept =
        most > 0 ? std::min(files.size(), static_cast<std::size_t>(most)) : files.size();
    for (std::size_t i = 0; i < kept; ++i) {
        const fs::path& file = files[i * files.size() / kept];
        fs::path map = fs::path(file).replace_extension();
        if (!fs::exists(map, error)) map = originals / map.filename();
        out.push_back({"scenarios", share, kAuthorsMaxSize, map, file});
    }
    return {};
}

Status add_data(const fs::path& data, int most, std::vector<Source>& out) {
    for (const char* set : {"bg_orig", "bg512"}) {
        if (Status s = add_folder(data / "grid" / set, most, out); !s.ok()) return s;
    }
    std::error_code error;
    for (const int share : kShares) {
        const fs::path folder = data / "haa" / fmt::format("softobs_{}pct", share);
        if (!fs::is_directory(folder, error)) continue;
        const fs::path originals = data / "grid" / "bg_orig";
        if (Status s = add_scenarios(folder, share, originals, most, out); !s.ok()) return s;
    }
    return {};
}

Result<std::vector<Source>> sources(const HaaRequest& request) {
    std::vector<Source> out;
    Status status;
    if (request.built_in) {
        for (const auto kind : {grid::MapKind::rooms, grid::MapKind::caves})
            add_settings({"built-in", 0, 0, std::string(grid::name(kind)), {}, kind}, out);
    } else if (!request.maps.empty()) {
        status = add_folder(request.maps, request.max_maps, out);
    } else {
        const char* set = std::getenv("CAIRN_DATA");
        if (request.data.empty() && set == nullptr) {
            return fail(StatusCode::bad_option,
                        "--data: say where grid/bg_orig and grid/bg512 are, or set CAIRN_DATA, or "
                        "give any folder of maps with --maps, or try --example-only");
        }
        status = add_data(request.data.empty() ? fs::path(set) : fs::path(request.data),
                          request.max_maps, out);
    }
    if (!status.ok()) return tl::unexpected(std::move(status));
    // Rows of one set stand together.
    std::stable_sort(out.begin(), out.end(), [](const Source& a, const Source& b) {
        if (a.set != b.set) return false;
        return a.share != b.share ? a.share < b.share : a.max_size < b.max_size;
    });
    return out;
}

Result<HaaCase> read(const Source& source, std::uint64_t seed) {
    HaaCase out{source.set, source.map.filename().string(), source.share, source.max_size, {}};
    if (source.made) {
        grid::GenerateOptions options;
        options.kind = *source.made;
        options.width = options.height = kBuiltInSide;
        auto image = grid::generate(options);
        if (!image) return tl::unexpected(image.error());
        out.image = std::move(*image);
    } else {
        auto image = formats::read_map(source.map);
        if (!image) return tl::unexpected(image.error());
        out.image = std::move(*image);
    }
    if (source.scenario.empty()) {
        Status planted = grid::plant_trees(out.image, source.share, seed);
        if (!planted.ok()) return tl::unexpected(std::move(planted));
        return out;
    }
    auto scenario = formats::load_haa_scenario(source.scenario);
    if (!scenario) return tl::unexpected(scenario.error());
    out.problems = std::move(scenario->problems);
    return out;
}

}  // namespace

Status reproduce_haa(const HaaRequest& request, Context& context,
                     const std::function<Status(const Exhibit&)>& show, Json& report) {
    const auto all = sources(request);
    if (!all) return all.error();
    ProgressBar bar("reproduce");
    HaaControl control;
    control.pairs = request.pairs;
    control.seed = request.seed;
    control.cancel = &context.cancel;
    std::vector<HaaRun> runs;
    std::string first_wrong;
    for (const Source& source : *all) {
        const auto one = read(source, request.seed);
        if (!one) return one.error();
        auto run = measure_haa(*one, control);
        if (!run) return run.error();
        for (const HaaGraphRun& a : run->graphs) {
            if (first_wrong.empty() && a.wrong > 0)
                first_wrong = fmt::format("{}, {} %: {}", one->name, one->share, a.first_wrong);
        }
        runs.push_back(std::move(*run));
        bar.show(static_cast<double>(runs.size()) / static_cast<double>(all->size()));
    }
    bar.clear();
    for (auto* make : {haa_sizes, haa_lengths, haa_agents, haa_times, haa_published}) {
        const Exhibit exhibit = make(runs);
        if (exhibit.rows.empty()) continue;
        if (Status s = show(exhibit); !s.ok()) return s;
    }
    std::size_t problems = 0;
    for (const HaaRun& run : runs) problems += run.problems.size();
    const std::uint64_t wrong = wrong_answers(runs);
    report["wrong"] = wrong;
    report["cases"] = runs.size();
    report["problems"] = problems;
    report["pairs"] = request.pairs;
    report["seed"] = request.seed;
    if (wrong > 0) report["first_wrong"] = first_wrong;
    if (!context.json) {
        say("{} maps with their obstacles and sizes of agents, {} problems: {} answers that AA* or "
            "the agent's footprint contradict{}\n",
            runs.size(), problems, wrong, wrong > 0 ? "; the first: " + first_wrong : "");
    }
    return {};
}

}  // namespace cairn::app
