// cairn verify: checks an index against its map or mesh.

#include <algorithm>
#include <array>
#include <CLI/CLI.hpp>
#include <concepts>
#include <memory>

#include "cairn/index_file.hpp"
#include "checks/grid.hpp"
#include "checks/mesh.hpp"
#include "checks/random_edit.hpp"
#include "command.hpp"
#include "files.hpp"
#include "options/grid.hpp"
#include "options/mesh.hpp"
#include "options/planner.hpp"
#include "text.hpp"

namespace cairn::app {
namespace {

/// The mesh or the map of an index.
template <class Index>
const auto& ground_of(const Index& index) {
    if constexpr (requires { index.mesh(); }) {
        return index.mesh();
    } else {
        return index.map();
    }
}
/// The options without labels and N-level graphs, which operator== of indexes ignores.
template <class Options>
Options without_engines(Options options) {
    if constexpr (!std::same_as<Options, haa::Options>) options.labels = false;
    if constexpr (std::same_as<Options, subgoal::Options>) options.levels = 1;
    return options;
}

/// The agents of the queries. For planners without agents the list holds one, which is ignored.
using Agents = std::vector<haa::Agent>;

/// The index with all parts that its options name and edits drop; without labels if they would be
/// too large.
template <class Index>
Result<Index> completed(const Index& index, const Agents& agents, const BuildControl& control) {
    if constexpr (requires { index.with_labels(agents, control); }) {
        return index.with_labels(agents, control);
    } else {
        if constexpr (std::same_as<Index, hpa::Index>) {
            if (!index.options().labels) return index;
        }
        return index.with_labels(control);
    }
}

/// Sets the queries of an index. With HAA* they are those of one agent, whose view gets its labels
/// first; other planners ignore the agent.
template <class Index>
Status set_queries(QueryChecks& checks, const Index& index, haa::Agent agent,
                   const BuildControl& control) {
    auto queries = [&]() -> Result<CheckedQueries> {
        if constexpr (std::same_as<Index, haa::Index>) {
            const auto labelled = index.with_labels({&agent, 1}, control);
            if (!labelled) return tl::unexpected(labelled.error());
            return checked_queries(index, agent);
        } else {
            return checked_queries(index);
        }
    }();
    if (!queries) return std::move(queries.error());
    checks.set_queries(std::move(*queries));
    return {};
}

/// Checks that a fresh build gives the same index.
template <class Index>
Result<Check> rebuilt(Context& context, const Index& opened, const char* condition, int threads) {
    Check check{condition};
    ProgressBar bar("rebuilding");
    const auto built = Index::build(ground_of(opened), without_engines(opened.options()),
                                    bar.control(context, threads));
    if (!built) return tl::unexpected(built.error());
    check.expect(*built == opened, [] { return "the index differs"; });
    return check;
}

/// Checks that saving and loading gives the same index.
template <class Index>
Result<Check> reloaded(const Index& opened) {
    Check check{"the same after saving and loading"};
    auto bytes = to_bytes(opened);
    if (!bytes) return tl::unexpected(bytes.error());
    const auto owner = std::make_shared<const std::string>(std::move(*bytes));
    const auto file = std::as_bytes(std::span(*owner));
    const auto loaded = [&] {
        if constexpr (IndexFileMap<Index>::kHeld) {
            return from_bytes<Index>(file, owner, "the index");
        } else {
            return from_bytes<Index>(file, owner, "the index", opened.map());
        }
    }();
    if (!loaded) return tl::unexpected(loaded.error());
    const auto again = to_bytes(*loaded);
    if (!again) return tl::unexpected(again.error());
    check.expect(*loaded == opened && *again == *owner, [] { return "the bytes differ"; });
    return check;
}

/// Makes edits one after another. After each, the index must equal a fresh build, and its answers
/// must be right, before and after the parts that edits drop are added again. `draw_edits(index)`
/// returns the parts of the next edit, `complete(index)` the index with all its parts.
/// `query(index, number)` checks some answers after edit `number`, counted from 0.
template <class Index, class DrawEdits, class Complete, class Query>
Result<Check> edited(const CheckFlags& flags, const BuildControl& control, const Index& opened,
                     const DrawEdits& draw_edits, const Complete& complete, const Query& query) {
    Check check{"edited: equal to an index built afresh"};
    Index current = opened;
    ProgressBar bar("editing");
    for (int i = 0; i < flags.edits; ++i) {
        bar.show(static_cast<double>(i) / flags.edits);
        const auto edits = draw_edits(current);
        auto next = current.edited(edits);
        if (!next) return tl::unexpected(std::move(next.error()));
        const auto built =
            Index::build(ground_of(*next), without_engines(next->options()), control);
        if (!built) return tl::unexpected(built.error());
        check.expect(*built == *next,
                     [&] { return fmt::format("after {} edits of seed {}", i + 1, flags.seed); });
        if (Status status = query(*next, i); !status.ok()) return tl::unexpected(std::move(status));
        auto whole = complete(*next);
        if (!whole) return tl::unexpected(std::move(whole.error()));
        if (Status status = query(*whole, i); !status.ok())
            return tl::unexpected(std::move(status));
        current = std::move(*whole);
    }
    return check;
}

/// Prints the checks, and the summary of the queries as JSON or as text.
Outcome report(const Context& context, const CheckFlags& flags, const std::vector<Check>& checks,
               const Json& summary, const std::string& summary_text) {
    Json out{{"ok", all_hold(checks)},
             {"queries", flags.queries},
             {"edits", flags.edits},
             {"seed", flags.seed},
             {"checks", checks_json(checks)}};
    out.update(summary);
    say(context, out, fmt::format("{}\n{}\n", checks_text(checks), summary_text));
    return all_hold(checks) ? kDone : kFailed;
}

constexpr int kGoals = 10;         // per start, as Dijkstra's algorithm runs once per start
constexpr int kQueriesOfEdit = 5;  // goals, each time an edited index is checked

struct Verify {
    std::string map_file;
    CheckFlags flags;
    MapFlags map;
    PlannerFlags planner;

    Outcome run(Context& context);
    [[nodiscard]] BuildControl control(Context& context) const {
        return {{}, &context.cancel, planner.index.threads};
    }
    /// --agent, or all agent classes of a HAA* index.
    [[nodiscard]] Result<Agents> agents(const AnyIndex& opened) const {
        const auto* const index = opened.as<haa::Planner>();
        if (index == nullptr) return Agents(1);
        if (planner.haa.names_agent()) {
            const auto one = planner.haa.agent(index->map());
            if (!one) return tl::unexpected(one.error());
            return Agents{*one};
        }
        return all_agents(index->map());
    }
    template <class Index>
    [[nodiscard]] Result<std::vector<Check>> check(Context& context, const Index& opened,
                                                   const Agents& agents_used,
                                                   QueryChecks& queries) const;
    /// Runs the queries of --queries on an index, the same number for each agent.
    template <class Index>
    [[nodiscard]] Status run_queries(Context& context, const Index& opened,
                                     const Agents& agents_used, QueryChecks& queries) const;
};

template <class Index>
Result<std::vector<Check>> Verify::check(Context& context, const Index& opened,
                                         const Agents& agents_used, QueryChecks& queries) const {
    std::vector<Check> list;
    auto same =
        planner.index.file.empty()
            ? reloaded(opened)
            : rebuilt(context, opened, "equal to an index built afresh", planner.index.threads);
    if (!same) return tl::unexpected(std::move(same.error()));
    list.push_back(std::move(*same));
    if (Status status = run_queries(context, opened, agents_used, queries); !status.ok())
        return tl::unexpected(std::move(status));
    if (flags.edits == 0) return list;
    constexpr int kSide = 8;
    RandomEdits random(flags.seed, kSide);
    auto after = edited(
        flags, control(context), opened,
        [&](const Index& index) { return std::array{random.next(index.map())}; },
        [&](const Index& index) { return completed(index, agents_used, control(context)); },
        [&](const Index& index, int number) {
            // The agents take turns, one for each edit.
            const haa::Agent agent =
                agents_used[static_cast<std::size_t>(number) % agents_used.size()];
            Status status = set_queries(queries, index, agent, control(context));
            if (status.ok()) queries.run(kQueriesOfEdit);
            return status;
        });
    if (!after) return tl::unexpected(std::move(after.error()));
    list.push_back(std::move(*after));
    return list;
}

template <class Index>
Status Verify::run_queries(Context& context, const Index& opened, const Agents& agents_used,
                           QueryChecks& queries) const {
    int done = 0;
    bool any = false;
    ProgressBar bar("querying");
    for (std::size_t i = 0; i < agents_used.size(); ++i) {
        Status status = set_queries(queries, opened, agents_used[i], control(context));
        if (!status.ok()) return status;
        const auto total = static_cast<std::uint64_t>(flags.queries);
        const int end = static_cast<int>(total * (i + 1) / agents_used.size());
        while (done < end) {
            if (context.cancel.cancelled()) return fail(StatusCode::cancelled).value();
            const int count = std::min(kGoals, end - done);
            if (!queries.run(count)) break;  // no free cell for this agent
            any = true;
            done += count;
            bar.show(static_cast<double>(done) / flags.queries);
        }
        done = end;
    }
    if (any) return {};
    return {StatusCode::no_path, map_file + ": the map has no free cell"};
}

Outcome Verify::run(Context& context) {
    if (Status status = planner.take(map_file); !status.ok())
        return tl::unexpected(std::move(status));
    const auto loaded = planner.load(map_file, map);
    if (!loaded) return tl::unexpected(loaded.error());
    const auto opened = planner.load_or_build(context, *loaded);
    if (!opened) return tl::unexpected(opened.error());
    const auto agents_used = agents(*opened);
    if (!agents_used) return tl::unexpected(agents_used.error());
    QueryChecks queries(flags.seed);
    auto list = visit_index(
        *opened, [&](const auto& index) { return check(context, index, *agents_used, queries); });
    if (!list) return tl::unexpected(std::move(list.error()));
    const std::vector<Check> of_queries = queries.checks();
    list->insert(list->begin() + 1, of_queries.begin(), of_queries.end());
    return report(
        context, flags, *list,
        {{"paths", queries.paths()},
         {"mean_error", queries.mean_error()},
         {"max_error", queries.max_error()}},
        fmt::format("{} queries with a path; with default options they are {:.2f} % above "
                    "the optimum on average, {:.1f} % at most",
                    grouped(queries.paths()), 100 * queries.mean_error(),
                    100 * queries.max_error()));
}

struct MeshVerify {
    std::string file;
    CheckFlags flags;
    HnaFlags index;

    Outcome run(Context& context) const;
    [[nodiscard]] Status run_queries(Context& context, const hna::Index& opened,
                                     NavmeshChecks& queries) const {
        ProgressBar bar("querying");
        queries.set_index(opened);
        for (int done = 0; done < flags.queries; done += kGoals) {
            if (context.cancel.cancelled()) return fail(StatusCode::cancelled).value();
            if (!queries.run(std::min(kGoals, flags.queries - done)))
                return {StatusCode::no_path, file + ": the mesh has no free polygon"};
            bar.show(static_cast<double>(done) / flags.queries);
        }
        return {};
    }
};

Outcome MeshVerify::run(Context& context) const {
    const auto opened = index.load_or_build(context, file);
    if (!opened) return tl::unexpected(opened.error());
    NavmeshChecks queries(flags.seed);
    std::vector<Check> list{check_mesh(opened->mesh())};
    const BuildControl control{{}, &context.cancel, index.index.threads};
    for (auto same : {rebuilt(context, *opened, "equal to an index built afresh on one thread", 1),
                      reloaded(*opened)}) {
        if (!same) return tl::unexpected(std::move(same.error()));
        list.push_back(std::move(*same));
    }
    if (Status status = run_queries(context, *opened, queries); !status.ok())
        return tl::unexpected(std::move(status));
    constexpr std::size_t kPolygons = 3;
    auto after = edited(
        flags, control, *opened,
        [&](const hna::Index& /*index*/) {
            std::array<mesh::PolygonEdit, kPolygons> edits;
            for (mesh::PolygonEdit& edit : edits) edit = queries.random_edit();
            return edits;
        },
        [&](const hna::Index& edited_index) { return completed(edited_index, {}, control); },
        [&](const hna::Index& edited_index, int /*number*/) {
            queries.set_index(edited_index);
            queries.run(kQueriesOfEdit);
            return Status{};
        });
    if (!after) return tl::unexpected(std::move(after.error()));
    const std::vector<Check> of_queries = queries.checks();
    list.insert(list.end(), of_queries.begin(), of_queries.end());
    if (flags.edits > 0) list.push_back(std::move(*after));
    return report(context, flags, list, {{"paths", queries.paths()}},
                  grouped(queries.paths()) + " queries with a path");
}

void add_grid_verify(CLI::App& app, Context& context) {
    auto options = std::make_shared<Verify>();
    CLI::App* command = add_command(
        app, context, "verify",
        "Check an index against its map or mesh and against Dijkstra's algorithm. A fresh build "
        "must give the same index, and random queries must agree on reachability. No path may be "
        "illegal or cheaper than the optimum; with subgoal graphs every path must cost the "
        "optimum. All engines must agree. All of this must also hold after random edits. Agents of "
        "HAA* are compared with every cell that they cover, for all agent classes unless --agent "
        "names one. Exit code 5 if something fails.",
        "  cairn verify arena.map --index arena.cairn\n"
        "  cairn verify arena.map --planner subgoal --levels 0 --edits 20\n"
        "  cairn verify arena.map --planner haa --capabilities ground,ground+trees --max-size 3\n"
        "  cairn verify arena.map --corners free --levels 3 --queries 100000 --seed 2");
    reads_file(command->add_option("map", options->map_file, kMapHelp)->required(), context);
    options->flags.add_to(*command, "8 x 8 cells");
    options->map.add_to(*command);
    options->planner.add_to(*command, /*bare=*/false);
    options->planner.index.add_file_to(*command, context);
    options->planner.haa.add_agent_to(*command);
    on_run(command, context, options);
}

void add_mesh_verify(CLI::App& app, Context& context) {
    auto options = std::make_shared<MeshVerify>();
    CLI::App* command = add_command(
        app, context, "verify",
        "Check an index against its mesh and against Dijkstra's algorithm. A fresh build must give "
        "the same index, and so must saving and loading. Random queries must agree on "
        "reachability, and every engine must find the least cost and a corridor of that cost. All "
        "of this must also hold after random edits of polygons. Exit code 5 if something fails.",
        "  cairn verify arena.mesh\n"
        "  cairn verify dungeon.crhn --queries 100000 --seed 2\n"
        "  cairn verify dungeon.obj --levels 3 --mu 6 --edits 20");
    reads_file(command->add_option("file", options->file, kMeshHelp)->required(), context);
    options->flags.add_to(*command, "polygons");
    add_mesh_planner(*command);
    options->index.add_to(*command);
    on_run(command, context, options);
}

}  // namespace

void add_verify(CLI::App& app, Context& context) {
    context.mesh ? add_mesh_verify(app, context) : add_grid_verify(app, context);
}

}  // namespace cairn::app
