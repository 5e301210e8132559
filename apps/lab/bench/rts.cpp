// cairn-lab rts: the frames of a strategy game in which a door is closed and opened.

#include <CLI/CLI.hpp>

#include <algorithm>
#include <array>
#include <memory>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "bench/measurement.hpp"
#include "cairn/grid/generate.hpp"
#include "cairn/grid/jps.hpp"
#include "cairn/grid/path_check.hpp"
#include "cairn/hpa/hpa.hpp"
#include "cairn/subgoal/subgoal.hpp"
#include "cairn/world/world.hpp"
#include "lab.hpp"
#include "options/common.hpp"

namespace cairn::app {
namespace {

struct RtsOptions {
    int units = 500;
    int frames = 300;
    int toggles = 10;
    int side = 256;
    std::uint64_t seed = 1;
    int rounds = 3;
    Sheets sheets;

    Outcome run(Context& context);
};

/// How paths follow the door.
enum class Way : std::uint8_t {
    world,      ///< a World: only paths that the door concerns are found again
    all_again,  ///< Index::edited and with_labels; then every unit asks again
};
constexpr std::array kWays{Way::world, Way::all_again};
constexpr std::array<const char*, 2> kWayNames{"world", "all_again"};

struct Unit {
    std::vector<grid::Cell> path;  ///< never empty
    std::size_t at = 0;
    [[nodiscard]] std::span<const grid::Cell> rest() const { return std::span(path).subspan(at); }
};

/// A game: units walk a cell a frame from place to place. Equal options give equal games.
template <class P>
class Game {
public:
    using Index = typename P::Index;

    Game(const Index& index, const RtsOptions& options)
        : map_(index.map()), options_(options), random_(options.seed) {
        units_.resize(static_cast<std::size_t>(options.units));
        for (Unit& unit : units_) unit.path = {some_cell()};
        one_thread_.threads = 1;
    }

    /// Plays it and adds the time of each frame.
    Status play(World<P>& world, LeastTimes& times) {
        WorldSearcher<P> searcher(world);
        return play(
            times,
            [&](const grid::TerrainEdit& edit) -> Status {
                const auto number = world.edit({&edit, 1});
                if (!number) return number.error();
                std::vector<Route<P>> routes;
                for (const Unit& unit : units_) routes.push_back({request_of(unit), unit.rest()});
                Status status = searcher.replan(routes, *number - 1, replanned_,
                                                ReplanWhat::improvable, {}, one_thread_);
                for (std::size_t k = 0; status.ok() && k < replanned_.routes.size(); ++k)
                    follow(units_[replanned_.routes[k]], replanned_.paths.cells[k]);
                replaced_ += replanned_.routes.size();
                return status;
            },
            [&](std::span<const grid::Request> requests) {
                return searcher.find_paths(requests, paths_, {}, {}, one_thread_);
            },
            [&] { return searcher.snapshot().index.map(); });
    }
    Status play(Index index, LeastTimes& times) {
        batch::Searcher<P> searcher;
        const auto find = [&](std::span<const grid::Request> requests) {
            return searcher.find_paths(index, requests, paths_, {}, {}, one_thread_);
        };
        return play(
            times,
            [&](const grid::TerrainEdit& edit) -> Status {
                auto edited = index.edited({&edit, 1});
                if (edited) edited = edited->with_labels(one_thread_);
                if (!edited) return std::move(edited.error());
                index = *std::move(edited);
                std::vector<grid::Request> requests;
                for (const Unit& unit : units_) requests.push_back(request_of(unit));
                Status status = find(requests);
                for (std::size_t i = 0; status.ok() && i < units_.size(); ++i)
                    follow(units_[i], paths_.cells[i]);
                replaced_ += units_.size();
                return status;
            },
            find, [&] { return index.map(); });
    }

    [[nodiscard]] std::uint64_t replaced() const noexcept { return replaced_; }
    [[nodiscard]] std::uint64_t wrong() const noexcept { return wrong_; }
    /// The numbers of the frames, from 0, in which the door is toggled.
    [[nodiscard]] bool toggles_at(int frame) const noexcept {
        const int every = std::max(1, options_.frames / std::max(1, options_.toggles));
        return options_.toggles > 0 && frame % every == every - 1 &&
               frame / every < options_.toggles;
    }

private:
    template <class Toggle, class Find, class Current>
    Status play(LeastTimes& times, const Toggle& toggle, const Find& find, const Current& current) {
        if (Status status = send_on(find); !status.ok()) return status;
        const grid::Rect door = busiest_door();
        bool closed = false;
        for (int frame = 0; frame < options_.frames; ++frame) {
            const double begin = now();
            Status status;
            if (toggles_at(frame)) {
                closed = !closed;
                status = toggle({door, static_cast<std::uint8_t>(closed ? '@' : '.')});
            }
            if (status.ok()) status = send_on(find);
            if (!status.ok()) return status;
            for (Unit& unit : units_) unit.at += unit.rest().size() > 1 ? 1 : 0;
            times.add(now() - begin);
            if (toggles_at(frame)) check(current());
        }
        return {};
    }
    /// Gives units that have arrived, or have no path, another goal.
    template <class Find>
    Status send_on(const Find& find) {
        arrived_.clear();
        requests_.clear();
        for (std::size_t i = 0; i < units_.size(); ++i) {
            if (units_[i].rest().size() > 1) continue;
            arrived_.push_back(i);
            requests_.push_back({map_.point(units_[i].path.back()), map_.point(some_cell())});
        }
        Status status = find(requests_);
        for (std::size_t k = 0; status.ok() && k < arrived_.size(); ++k)
            follow(units_[arrived_[k]], paths_.cells[k]);
        return status;
    }
    /// Counts paths that are not legal or, of exact planners, longer than the shortest.
    void check(const grid::Map& map) {
        const auto bits = grid::JpsMap::create(map);
        for (const Unit& unit : units_) {
            const Cost cost = grid::path_cost(map, unit.rest());
            if (!map.passable(unit.rest().front())) continue;  // the door was closed on it
            bool right = cost < kInfinity;
            if (right && P::kExact && bits) {
                const grid::Request ends = request_of(unit);
                jps_.find_path(*bits, ends.start, ends.goal, best_, {.cost_only = true});
                right = best_.cost == cost;
            }
            wrong_ += right ? 0 : 1;
        }
    }

    [[nodiscard]] grid::Cell some_cell() {
        grid::Cell cell = 0;
        while (!map_.passable(cell)) cell = static_cast<grid::Cell>(random_() % map_.size());
        return cell;
    }
    [[nodiscard]] grid::Request request_of(const Unit& unit) const {
        return {map_.point(unit.rest().front()), map_.point(unit.rest().back())};
    }
    static void follow(Unit& unit, std::span<const grid::Cell> cells) {
        if (cells.empty()) {
            unit = {{unit.rest().front()}, 0};
        } else {
            unit = {{cells.begin(), cells.end()}, 0};
        }
    }
    /// The cell with walls on both sides that most paths pass.
    [[nodiscard]] grid::Rect busiest_door() const {
        std::vector<int> passing(map_.size());
        for (const Unit& unit : units_) {
            for (const grid::Cell cell : unit.path) ++passing[cell];
        }
        const auto is_wall = [&](int x, int y) {
            return !map_.contains({x, y}) || !map_.passable(map_.cell({x, y}));
        };
        grid::Cell best = 0;
        for (grid::Cell cell = 1; cell < map_.size(); ++cell) {
            const auto [x, y] = map_.point(cell);
            const bool door = (is_wall(x - 1, y) && is_wall(x + 1, y)) ||
                              (is_wall(x, y - 1) && is_wall(x, y + 1));
            if (door && passing[cell] > passing[best]) best = cell;
        }
        const grid::Point p = map_.point(best);
        return {p.x, p.y, 1, 1};
    }

    grid::Map map_;  // as it was at first
    const RtsOptions& options_;
    std::mt19937_64 random_;
    BuildControl one_thread_;
    std::vector<Unit> units_;
    std::vector<std::size_t> arrived_;
    std::vector<grid::Request> requests_;
    grid::Paths paths_;
    Replanned<P> replanned_;
    std::uint64_t replaced_ = 0;
    std::uint64_t wrong_ = 0;
    grid::Jps jps_;
    grid::Path best_;
};

/// Plays the game of a planner in each way, round by round.
template <class P>
Status measure(const grid::Map& map, RtsOptions& options) {
    BuildControl control;
    control.threads = 1;
    const auto index = P::build(map, {}, control);
    if (!index) return index.error();
    std::array<LeastTimes, kWays.size()> times;
    std::array<std::uint64_t, kWays.size()> replaced{};
    std::array<std::uint64_t, kWays.size()> wrong{};
    for (int round = 0; round < options.rounds; ++round) {
        for (std::size_t way = 0; way < kWays.size(); ++way) {
            Game<P> game(*index, options);
            times[way].start_round();
            Status status;
            if (kWays[way] == Way::world) {
                auto world = World<P>::create(*index);
                status = world ? game.play(*world, times[way]) : world.error();
            } else {
                status = game.play(*index, times[way]);
            }
            if (!status.ok()) return status;
            replaced[way] = game.replaced();
            wrong[way] += game.wrong();
        }
    }
    const Game<P> game(*index, options);
    for (std::size_t way = 0; way < kWays.size(); ++way) {
        const std::vector<double>& seconds = times[way].seconds();
        std::vector<double> toggling;
        for (std::size_t frame = 0; frame < seconds.size(); ++frame) {
            if (game.toggles_at(static_cast<int>(frame))) toggling.push_back(seconds[frame]);
        }
        options.sheets.add(
            "rts", {{"planner", std::string(P::kName)},
                    {"way", kWayNames[way]},
                    {"units", options.units},
                    {"frames", options.frames},
                    {"toggles", toggling.size()},
                    {"mean_ms", 1e3 * mean(seconds)},
                    {"median_ms", 1e3 * percentile(seconds, 50)},
                    {"p99_ms", 1e3 * percentile(seconds, 99)},
                    {"worst_ms", 1e3 * percentile(seconds, 100)},
                    {"toggle_mean_ms", toggling.empty() ? Cell() : Cell(1e3 * mean(toggling))},
                    {"replaced", replaced[way]},
                    {"wrong", wrong[way]}});
    }
    return options.sheets.status();
}

Outcome RtsOptions::run(Context& context) {
    Status status = sheets.open();
    const auto image = grid::generate({.kind = grid::MapKind::rooms,
                                       .width = side,
                                       .height = side,
                                       .seed = seed,
                                       .size = {},
                                       .density = 100});
    const auto map = image ? grid::make_map(*image) : tl::unexpected(image.error());
    if (!map) return sheets.outcome(context, map.error());
    if (status.ok()) status = measure<subgoal::Planner>(*map, *this);
    if (status.ok()) status = measure<hpa::Planner>(*map, *this);
    return sheets.outcome(context, std::move(status));
}

}  // namespace

void add_rts(CLI::App& app, Context& context) {
    auto options = std::make_shared<RtsOptions>();
    CLI::App* command = add_command(
        app, context, "rts",
        "Plays a strategy game: units walk between the rooms of a building, a cell a frame, and "
        "the "
        "door that most paths pass is closed and opened again and again. In a World only the paths "
        "that this concerns are found again (world); otherwise the index is edited, gets labels in "
        "the same frame, and every unit asks again (all_again). One thread asks; the least time of "
        "each frame over all rounds counts.",
        "cairn-lab rts\n"
        "cairn-lab rts --units 5000 --side 1024");
    add_count(*command, "--units", options->units, 1'000'000, "Units");
    add_count(*command, "--frames", options->frames, 1'000'000, "Frames of a game");
    add_count(*command, "--toggles", options->toggles, 1'000'000,
              "How often the door is closed or opened");
    add_count(*command, "--side", options->side, 8'192, "Cells a side of the map");
    command->add_option("--seed", options->seed, "Seed of the map and the goals")
        ->capture_default_str();
    add_count(*command, "--rounds", options->rounds, 1000, "Games");
    options->sheets.add_to(*command);
    on_run(command, context, std::move(options));
}

}  // namespace cairn::app
