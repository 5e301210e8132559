// cairn-mpi batch: answers the requests of a file by many processes.

#include <algorithm>
#include <array>
#include <CLI/CLI.hpp>
#include <filesystem>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "cairn/formats/npy.hpp"
#include "cairn/hna/hna.hpp"
#include "cairn/index_file.hpp"
#include "commands.hpp"
#include "exchange.hpp"
#include "files.hpp"
#include "options/common.hpp"
#include "options/planner.hpp"
#include "output_array.hpp"
#include "processes.hpp"
#include "requests.hpp"

namespace cairn::mpi {
namespace {

using app::Context;
using app::Outcome;

/// Most requests of a chunk for each process: rows of them are written in one call.
constexpr std::int64_t kMostChunk = 1 << 24;

struct BatchCommand {
    explicit BatchCommand(Processes& all) : processes(all) {}

    Processes& processes;
    std::string index_file;
    std::vector<std::string> files;  ///< the map, if there is one; requests; output
    app::MapFlags map;
    app::PlannerFlags planner;
    app::QueryFlags query;
    std::int64_t chunk = 1 << 20;
    int threads = 0;
    std::string paths_file;  ///< empty: paths are not written
    bool progress = false;

    Outcome run(Context& context);

private:
    /// An index with the query of all requests.
    struct Opened {
        AnyIndex index;
        AnyQuery query;
        std::uint64_t snapshot = 0;  ///< of a grid: Index::snapshot_id, which tells edits apart
        double unit = 1;             ///< the cost of length 1
        int width = 0;               ///< of the map of a grid
    };
    [[nodiscard]] Result<Opened> open_grid(Context& context);
    [[nodiscard]] Result<Opened> open_mesh();
    template <class Request>
    [[nodiscard]] Outcome answer_file(Context& context);
    [[nodiscard]] const std::string& requests_file() const { return files[files.size() - 2]; }
};

Result<BatchCommand::Opened> BatchCommand::open_grid(Context& context) {
    planner.index.threads = threads;
    Result<AnyIndex> index = fail(StatusCode::unsupported);
    if (files.size() == 3) {
        planner.index.file = index_file;
        const auto loaded = planner.load(files.front(), map);
        if (!loaded) return tl::unexpected(loaded.error());
        index = AnyIndex::load(index_file, &*loaded, {.checks = planner.index.checks});
    } else {
        Status status = map.refuse_given("is for a MAP: name it before the requests");
        if (!status.ok()) return tl::unexpected(std::move(status));
        index = app::load_with_edits(index_file, planner.index.checks);
    }
    if (!index) return tl::unexpected(std::move(index.error()));
    auto ready = planner.ready(context, *index, query);
    if (!ready) return tl::unexpected(std::move(ready.error()));
    const std::uint64_t snapshot =
        app::visit_index(*index, [](const auto& own) { return own.snapshot_id(); });
    return Opened{std::move(ready->index), std::move(ready->query), snapshot,
                  double(ready->map.options().costs.straight), ready->map.width()};
}

Result<BatchCommand::Opened> BatchCommand::open_mesh() {
    auto index = AnyIndex::load(index_file);
    if (!index) return tl::unexpected(std::move(index.error()));
    const hna::Index& own = *index->as<hna::Planner>();
    const double unit = own.mesh().units_per_length();
    const auto own_query = query.query<hna::Planner>(unit);
    if (!own_query) return tl::unexpected(own_query.error());
    auto any_query = AnyQuery::of<hna::Planner>(*own_query);
    if (!any_query) return tl::unexpected(std::move(any_query.error()));
    return Opened{std::move(*index), std::move(*any_query), 0, unit, 0};
}

/// How far all processes are, shown by the first one: on a terminal as a bar, with --progress in
/// lines.
class Advance {
public:
    Advance(const Processes& processes, bool lines, std::uint64_t requests)
        : lines_(lines), requests_(requests), begin_(app::now()) {
        if (processes.first()) bar_.emplace("answering");
    }
    void show(std::uint64_t done) {
        if (!bar_) return;
        bar_->show(requests_ == 0 ? 1 : double(done) / double(requests_));
        if (!lines_) return;
        bar_->clear();
        fmt::print(stderr, "{} of {} requests, {}\n", app::grouped(done), app::grouped(requests_),
                   app::duration(app::now() - begin_));
    }

private:
    bool lines_;
    std::uint64_t requests_;
    double begin_;
    std::optional<app::ProgressBar> bar_;
};

template <class Request>
Outcome BatchCommand::answer_file(Context& context) {
    std::optional<Opened> opened;
    std::optional<formats::NpyRequests<Request>> requests;
    std::array<std::uint64_t, 4> inputs{};  // what must be the same at all processes
    Status status = processes.together([&]() -> Status {
        auto info = inspect(index_file);
        if (!info) return std::move(info.error());
        auto file = formats::NpyRequests<Request>::open(requests_file());
        if (!file) return std::move(file.error());
        constexpr std::uint64_t kMostRequests = std::numeric_limits<std::int32_t>::max();
        if (file->size() > kMostRequests) {
            return {StatusCode::too_large,
                    fmt::format("{}: {} requests: at most {}, whose numbers are int32",
                                requests_file(), file->size(), kMostRequests)};
        }
        auto planner_of_index = context.mesh ? open_mesh() : open_grid(context);
        if (!planner_of_index) return std::move(planner_of_index.error());
        inputs = {info->file_bytes, info->map_fingerprint, file->size(),
                  planner_of_index->snapshot};
        requests.emplace(std::move(*file));
        opened.emplace(std::move(*planner_of_index));
        return {};
    });
    if (!status.ok()) return tl::unexpected(std::move(status));
    const bool same = processes.same(inputs);
    BuildControl control;
    control.cancel = &context.cancel;
    control.threads = threads;
    status = processes.together([&]() -> Status {
        if (same) return {};
        return {StatusCode::wrong_map,
                fmt::format("{} and {} are not the same files at all processes", index_file,
                            requests_file())};
    });
    if (!status.ok()) return tl::unexpected(std::move(status));

    const double begin = app::now();
    using Paths = PathExchange<Request>;
    OutputArray<std::int32_t> output(processes, app::kStatusColumns);
    OutputArray<typename Paths::Number> path_output(processes, Paths::kColumns);
    status = output.create(files.back());
    if (status.ok() && !paths_file.empty()) status = path_output.create(paths_file);
    if (!status.ok()) return tl::unexpected(std::move(status));
    std::optional<Paths> paths;
    if (!paths_file.empty()) paths.emplace(processes, path_output, opened->width);
    Exchange<Request> exchange(processes, opened->index, opened->query, control);
    Advance advance(processes, progress, requests->size());
    const std::uint64_t step =
        static_cast<std::uint64_t>(chunk) * static_cast<std::uint64_t>(processes.count());
    for (std::uint64_t done = 0; done < requests->size(); done += step) {
        const batch::Slice all{done, std::min(requests->size(), done + step)};
        status = exchange.answer(*requests, all, output, paths ? &*paths : nullptr);
        if (!status.ok()) return tl::unexpected(std::move(status));
        advance.show(all.end);
    }
    status = output.finish(requests->size());
    if (status.ok() && paths) status = path_output.finish(paths->rows());
    if (status.ok()) status = output.commit();
    if (status.ok() && paths) status = path_output.commit();
    if (!status.ok()) return tl::unexpected(std::move(status));
    Totals totals = exchange.totals();
    processes.sum(totals.numbers);
    processes.end();
    if (!processes.first()) return totals.found() > 0 || requests->size() == 0 ? 0 : app::kNoPath;

    app::BatchReport report;
    report.planner = std::string(opened->index.planner().name);
    report.requests = requests->size();
    report.seconds = app::now() - begin;
    report.length = double(totals.cost()) / opened->unit;
    for (std::size_t code = 0; code < Totals::kCodes; ++code) {
        if (totals.numbers[code] > 0)
            report.statuses[static_cast<StatusCode>(code)] = totals.numbers[code];
    }
    if (paths) report.paths = app::RowsReport{paths_file, paths->rows()};
    report.status_rows = app::RowsReport{files.back(), report.requests};
    app::say(context, report.json(), report.text());
    return report.found() > 0 || report.requests == 0 ? app::kDone : app::kNoPath;
}

Outcome BatchCommand::run(Context& context) {
    processes.begin();
    // A path that is not written need not be found.
    if (paths_file.empty()) query.fields.set_unless_given("detail", "cost");
    // Another process may not have come so far.
    if (Status status = processes.agree({}); !status.ok()) return tl::unexpected(std::move(status));
    if (threads == 0) threads = processes.threads();
    return context.mesh ? answer_file<mesh::Request>(context) : answer_file<grid::Request>(context);
}

}  // namespace

void add_batch(CLI::App& app, Context& context, Processes& processes) {
    auto options = std::make_shared<BatchCommand>(processes);
    CLI::App* command = app::add_command(
        app, context, "batch",
        "Answer the requests of a file by all processes: an array n x 4 of integers (start x, y, "
        "goal x, y) or on meshes n x 6 of numbers (start x, y, z, goal x, y, z). OUT.npy gets a "
        "row "
        "of int32 for each request: its number, from 0, its status (0: ok) and the cost of its "
        "path (-1: none). MAP is that of an index that does not hold its map: hpa, subgoal.",
        "  mpirun -n 4 cairn-mpi batch arena.cairn arena.map requests.npy out.npy\n"
        "  mpirun -n 4 cairn-mpi batch agents.cairn requests.npy out.npy --agent 2:ground\n"
        "  mpirun -n 4 cairn-mpi batch dungeon.crhn requests.npy out.npy --progress");
    command->add_option("index", options->index_file, "Index file (cairn build)")->required();
    command->add_option("files", options->files, "[MAP] REQUESTS.npy OUT.npy")
        ->required()
        ->expected(2, context.mesh ? 2 : 3);
    if (!context.mesh) {
        options->map.add_to(*command);
        options->planner.haa.add_agent_to(*command);
        options->planner.haa.add_prepare_to(*command);
        options->planner.index.add_checks_to(*command);
    }
    options->query.add_to(*command, context, context.mesh ? Space::mesh : Space::grid,
                          "Longest path wanted, in units of length");
    command->get_option("--detail")->default_str("cost; path with --paths");
    command
        ->add_option("--paths", options->paths_file,
                     "Write paths as rows of numbers, a request and a point: .npy")
        ->type_name("FILE")
        ->group("Output");
    const char* const group = "Processes";
    app::add_number(*command, "--threads", options->threads, 0, 1024, "N", group,
                    "Threads of each process; 0: its share of the host's processors");
    app::add_number(*command, "--chunk", options->chunk, 1, kMostChunk, "N", group,
                    "Requests that a process holds at a time");
    command->add_flag("--progress", options->progress, "Write a line after each chunk")
        ->group("Output");
    app::on_run(command, context, options);
}

}  // namespace cairn::mpi
