#include "edit_measurement.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <random>

#include "cairn/hpa/index.hpp"
#include "command.hpp"
#include "text.hpp"

namespace cairn::app {

Result<EditRun> measure_edits(const grid::Map& map, hpa::Options options, int count,
                              std::uint64_t seed) {
    options.labels = false;
    const auto index = hpa::Index::build(map, options);
    if (!index) return tl::unexpected(index.error());
    std::vector<grid::Cell> cells[2];  // blocked, free
    for (grid::Cell c = 0; c < map.size(); ++c) cells[map.passable(c) ? 1 : 0].push_back(c);

    EditRun run;
    run.levels = options.levels;
    std::mt19937_64 random(seed);
    for (int i = 0; i < count; ++i) {
        const auto& kind = cells[i % 2].empty() ? cells[1 - i % 2] : cells[i % 2];
        const grid::Cell cell = kind[random() % kind.size()];
        const grid::Point p = map.point(cell);
        const grid::TerrainEdit edit{{p.x, p.y, 1, 1},
                                     static_cast<std::uint8_t>(map.passable(cell) ? '@' : '.')};
        const double start = now();
        const auto edited = index->edited({&edit, 1});
        run.seconds.push_back(now() - start);
        if (!edited) return tl::unexpected(edited.error());
    }
    std::sort(run.seconds.begin(), run.seconds.end());
    return run;
}

namespace {

// All edits of a set under one number of levels.
struct EditRow {
    std::string set;
    int levels = 1;
    std::vector<double> seconds;

    [[nodiscard]] double median_us() const { return 1e6 * seconds[seconds.size() / 2]; }
    [[nodiscard]] double p99_us() const { return 1e6 * seconds[seconds.size() * 99 / 100]; }
    [[nodiscard]] double max_us() const { return 1e6 * seconds.back(); }
};

std::vector<EditRow> edit_rows(const std::vector<EditRun>& runs) {
    std::map<std::pair<std::string, int>, std::vector<double>> groups;
    for (const EditRun& run : runs) {
        auto& all = groups[{run.set, run.levels}];
        all.insert(all.end(), run.seconds.begin(), run.seconds.end());
    }
    std::vector<EditRow> rows;
    for (auto& [group, seconds] : groups) {
        std::sort(seconds.begin(), seconds.end());
        rows.push_back({group.first, group.second, std::move(seconds)});
    }
    return rows;
}

}  // namespace

std::string format_edits(const std::vector<EditRun>& runs) {
    Table table({"edits of one cell", "levels", "edits", "median us", "p99 us", "max us"});
    for (const EditRow& row : edit_rows(runs)) {
        table.add({row.set, std::to_string(row.levels), std::to_string(row.seconds.size()),
                   fmt::format("{:.1f}", row.median_us()), fmt::format("{:.1f}", row.p99_us()),
                   fmt::format("{:.1f}", row.max_us())});
    }
    return table.text();
}

Json edits_json(const std::vector<EditRun>& runs) {
    Json list = Json::array();
    for (const EditRow& row : edit_rows(runs)) {
        list.push_back({{"maps", row.set},
                        {"levels", row.levels},
                        {"edits", row.seconds.size()},
                        {"median_us", row.median_us()},
                        {"p99_us", row.p99_us()},
                        {"max_us", row.max_us()}});
    }
    return list;
}

}  // namespace cairn::app
