#include "inputs.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cmath>

#include "cairn/formats/movingai.hpp"
#include "lab.hpp"

namespace cairn::app {

namespace fs = std::filesystem;

namespace {

/// The files named, with `most` files of this extension, or all if 0, in place of each folder.
Result<std::vector<fs::path>> expand(const std::vector<std::string>& inputs, const char* extension,
                                     int most) {
    std::vector<fs::path> files;
    for (const std::string& input : inputs) {
        std::error_code error;
        if (!fs::is_directory(input, error)) {
            files.emplace_back(input);
            continue;
        }
        const auto folder = files_in(input, {extension});
        if (!folder) return tl::unexpected(folder.error());
        std::ranges::move(spread(*folder, most), std::back_inserter(files));
    }
    if (files.empty())
        return fail(
            StatusCode::bad_option,
            fmt::format("no file given: name {0} files or a folder that holds some", extension));
    return files;
}

}  // namespace

Result<std::vector<fs::path>> expand_maps(const std::vector<std::string>& inputs, int most) {
    return expand(inputs, ".map", most);
}

Result<std::vector<fs::path>> expand_geometry(const std::vector<std::string>& inputs) {
    return expand(inputs, ".obj", 0);
}

void add_max_maps(CLI::App& command, int& most) {
    add_count(command, "--max-maps", most, 1'000'000, "Most maps of each folder, spread over it")
        ->group("Input");
}

Result<std::vector<fs::path>> files_in(const fs::path& folder,
                                       std::initializer_list<std::string_view> extensions) {
    std::vector<fs::path> files;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder, error)) {
        if (std::ranges::find(extensions, entry.path().extension()) != extensions.end())
            files.push_back(entry.path());
    }
    if (error)
        return fail(StatusCode::io_error, fmt::format("{}: {}", folder.string(), error.message()));
    std::sort(files.begin(), files.end());
    return files;
}

Status of_file(const fs::path& file, Status error) {
    error.message = fmt::format("{}: {}", file.string(), error.message);
    return error;
}

std::string folder_name(const fs::path& folder) {
    return (folder.has_filename() ? folder : folder.parent_path()).filename().string();
}

Result<std::vector<Problem>> problems_of(const fs::path& file, const grid::Map& map, int count,
                                         std::uint64_t seed) {
    const fs::path beside = fs::path(file).concat(".scen");
    std::error_code error;
    if (!fs::exists(beside, error)) return random_problems(map, count, seed);
    const auto scenario = formats::load_scenario(beside);
    if (!scenario) return tl::unexpected(scenario.error());
    std::vector<Problem> problems;
    for (const auto& p : spread(scenario->problems, count)) {
        if (map.contains(p.start) && map.contains(p.goal))
            problems.push_back({p.start, p.goal, p.optimal_length});
    }
    return problems;
}

Result<grid::Map> generated_map(grid::MapKind kind, int side, std::uint64_t seed) {
    return grid::generate({kind, side, side, seed, {}, {}})
        .and_then([](const grid::TerrainImage& image) { return grid::make_map(image); });
}

Result<grid::Map> with_weights(const grid::Map& map, WeightPattern pattern, std::uint64_t seed) {
    if (pattern == WeightPattern::none) return map;
    constexpr int kHeaviest = 9;
    const int side = pattern == WeightPattern::patches ? 7 : 1;
    const int columns = (map.width() - 1) / side + 1;
    const int rows = (map.height() - 1) / side + 1;
    std::mt19937_64 random(seed);
    std::vector<std::uint8_t> digits(static_cast<std::size_t>(columns) *
                                     static_cast<std::size_t>(rows));
    for (std::uint8_t& digit : digits)
        digit = static_cast<std::uint8_t>('1' + random() % kHeaviest);
    std::vector<std::uint8_t> terrain(map.size(), '@');
    for (grid::Cell cell = 0; cell < map.size(); ++cell) {
        const grid::Point p = map.point(cell);
        if (map.passable(cell))
            terrain[cell] = digits[static_cast<std::size_t>(p.y / side * columns + p.x / side)];
    }
    grid::MapOptions options = map.options();
    options.weights = grid::TerrainWeights::weighted();
    return grid::Map::create(map.width(), map.height(), terrain, options);
}

std::vector<mesh::Polygon> free_polygons(const mesh::Mesh& mesh) {
    std::vector<mesh::Polygon> polygons;
    for (mesh::Polygon p = 0; p < mesh.num_polygons(); ++p) {
        if (!mesh.is_connection(p) && !mesh.blocked(p)) polygons.push_back(p);
    }
    return polygons;
}

std::vector<mesh::Request> random_pairs(const mesh::Mesh& mesh, int count, std::uint64_t seed,
                                        const DrawPoint& draw) {
    const auto reachability = mesh::Reachability::build(mesh).value();
    const std::uint32_t largest = reachability.largest();
    auto polygons = free_polygons(mesh);
    std::erase_if(polygons, [&](auto p) { return reachability.component(p) != largest; });
    std::vector<mesh::Request> pairs;
    if (polygons.empty()) return pairs;
    std::mt19937_64 random(seed);
    const auto place = [&]() -> mesh::Place {
        const mesh::Polygon polygon = polygons[random() % polygons.size()];
        return {polygon, draw(polygon, random)};
    };
    while (static_cast<int>(pairs.size()) < count) {
        const mesh::Place start = place();
        const mesh::Place goal = place();
        // One-way portals may lead only back; a polygon always reaches itself.
        if (reachability.reaches(start.polygon, goal.polygon)) pairs.push_back({start, goal});
    }
    return pairs;
}

std::vector<mesh::Request> random_pairs(const mesh::Mesh& mesh, int count, std::uint64_t seed) {
    return random_pairs(mesh, count, seed, [&](mesh::Polygon polygon, std::mt19937_64& random) {
        double x = 0;
        double y = 0;
        double z = 0;
        double sum = 0;
        for (const std::uint32_t corner : mesh.corners(polygon)) {
            const auto weight = static_cast<double>(1 + random() % 1000);
            const mesh::Point& p = mesh.vertices()[corner];
            x += weight * double{p.x};
            y += weight * double{p.y};
            z += weight * double{p.z};
            sum += weight;
        }
        return mesh::Point{static_cast<float>(x / sum), static_cast<float>(y / sum),
                           static_cast<float>(z / sum)};
    });
}

std::vector<mesh::Request> unconnected_pairs(const mesh::Mesh& mesh,
                                             const mesh::Reachability& reachability, int count,
                                             std::uint64_t seed) {
    const auto polygons = free_polygons(mesh);
    std::vector<mesh::Request> pairs;
    if (reachability.count() < 2) return pairs;
    std::mt19937_64 random(seed);
    const auto draw = [&] { return polygons[random() % polygons.size()]; };
    while (static_cast<int>(pairs.size()) < count) {
        const mesh::Polygon start = draw();
        const mesh::Polygon goal = draw();
        if (reachability.component(start) != reachability.component(goal))
            pairs.push_back({{start, mesh.centre(start)}, {goal, mesh.centre(goal)}});
    }
    return pairs;
}

std::size_t polygons_of_largest(const mesh::Reachability& reachability) {
    return reachability.count() == 0 ? 0 : reachability.size(reachability.largest());
}

namespace {

/// The largest rounding error of published lengths: old scenarios have two decimals, newer ones
/// enough to ignore it.
double rounding(std::span<const Problem> problems) {
    const bool two_decimals = std::all_of(problems.begin(), problems.end(), [](const auto& p) {
        const double hundredths = 100 * p.published;
        return std::abs(hundredths - std::round(hundredths)) < 1e-6;
    });
    return two_decimals ? 0.00501 : 0.0;
}

}  // namespace

PublishedCheck check_published(const grid::Map& map, std::span<const Problem> problems,
                               std::span<const Cost> costs, std::span<const double> lengths) {
    constexpr double kTolerance = 1e-5;
    PublishedCheck out;
    const grid::MoveRules& rules = map.options().rules;
    if (rules.neighbourhood != grid::Neighbourhood::eight ||
        rules.corner != grid::CornerRule::strict || !map.uniform()) {
        return out;
    }
    const double rounded = rounding(problems);
    for (std::size_t i = 0; i < problems.size(); ++i) {
        const Problem& p = problems[i];
        if (p.published < 0) continue;
        ++out.compared;
        const bool found = costs[i] != kInfinity;
        const double length = lengths[i];
        const double tolerance = std::max(rounded, kTolerance * length);
        if (found && std::abs(length - p.published) <= tolerance) continue;
        if (out.different++ > 0) continue;
        out.first =
            fmt::format("{},{} to {},{}: published {:.8g}, A* {}", p.start.x, p.start.y, p.goal.x,
                        p.goal.y, p.published, found ? fmt::format("{:.8g}", length) : "no path");
    }
    return out;
}

}  // namespace cairn::app
