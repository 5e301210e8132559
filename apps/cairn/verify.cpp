// cairn verify: holds an index against its map.

#include <algorithm>
#include <CLI/CLI.hpp>
#include <memory>
#include <optional>

#include "any_index.hpp"
#include "cairn/index_file.hpp"
#include "command.hpp"
#include "options.hpp"
#include "planner_options.hpp"
#include "query_checks.hpp"
#include "random_edit.hpp"
#include "text.hpp"

namespace cairn::app {
namespace {

/// The index of the bytes of one like it.
template <class Index>
Result<Index> reloaded(const Index& like, const std::shared_ptr<const std::string>& bytes) {
    const auto file = std::as_bytes(std::span(*bytes));
    if constexpr (IndexFileMap<Index>::kHeld)
        return from_bytes<Index>(file, bytes, "the index");
    else
        return from_bytes<Index>(file, bytes, "the index", like.map());
}

// What is spelled differently for the kinds of index.
hpa::Options without_engines(hpa::Options options) {
    options.labels = false;
    return options;
}
subgoal::Options without_engines(subgoal::Options options) {
    options.labels = false;
    options.levels = 1;
    return options;
}
haa::Options without_engines(haa::Options options) { return options; }

using Agents = std::vector<haa::Agent>;  ///< whose queries are asked; of HAA* alone

/// The index with all that its options ask for.
Result<hpa::Index> completed(const hpa::Index& index, const Agents& /*agents*/,
                             const BuildControl& control) {
    if (!index.options().labels) return index;
    auto labelled = index.with_labels(control);
    if (!labelled && labelled.error().code == StatusCode::too_large) return index;
    return labelled;
}
Result<subgoal::Index> completed(const subgoal::Index& index, const Agents& /*agents*/,
                                 const BuildControl& control) {
    return index.with_labels(control);
}
Result<haa::Index> completed(const haa::Index& index, const Agents& agents,
                             const BuildControl& control) {
    if (const auto labelled = index.with_labels(agents, control); !labelled)
        return tl::unexpected(labelled.error());
    return index;
}

/// How often to aim at an index, and aiming at it: once for each agent class.
template <class Index>
std::size_t aims(const Index& /*index*/, const Agents& /*agents*/) {
    return 1;
}
std::size_t aims(const haa::Index& /*index*/, const Agents& agents) { return agents.size(); }

/// Makes ready what the index keeps for the agents asked about.
template <class Index>
Status prepare(const Index& /*index*/, const Agents& /*agents*/, std::size_t /*which*/,
               const BuildControl& /*control*/) {
    return {};
}
Status prepare(const haa::Index& index, const Agents& agents, std::size_t which,
               const BuildControl& control) {
    const auto labelled = index.with_labels({&agents[which], 1}, control);
    return labelled ? Status{} : labelled.error();
}

template <class Index>
Status aim(QueryChecks& asked, const Index& index, const Agents& /*agents*/,
           std::size_t /*which*/) {
    asked.aim_at(askers_of(index));
    return {};
}
Status aim(QueryChecks& asked, const haa::Index& index, const Agents& agents, std::size_t which) {
    auto askers = askers_of(index, agents[which]);
    if (!askers) return std::move(askers.error());
    asked.aim_at(std::move(*askers));
    return {};
}

struct Verify {
    std::string map_file;
    CheckFlags flags;
    MapFlags map;
    PlannerFlags planner;

    Outcome run(Context& context) const;
    [[nodiscard]] BuildControl control(Context& context) const {
        return {.progress = {}, .cancel = &context.cancel, .threads = planner.index.threads};
    }
    [[nodiscard]] Result<Agents> agents(const AnyIndex& opened) const;
    template <class Index>
    [[nodiscard]] Result<std::vector<Check>> check(Context& context, const Index& opened,
                                                   const Agents& who, QueryChecks& asked) const;
    template <class Index>
    [[nodiscard]] Result<Check> rebuilt(Context& context, const Index& opened) const;
    template <class Index>
    [[nodiscard]] Result<Check> edited(Context& context, const Index& opened, const Agents& who,
                                       QueryChecks& asked) const;
    /// Asks all queries of an index, as many of each agent class.
    template <class Index>
    [[nodiscard]] Status ask(Context& context, const Index& opened, const Agents& who,
                             QueryChecks& asked) const;
    [[nodiscard]] Outcome report(Context& context, const std::vector<Check>& checks,
                                 const QueryChecks& asked) const;
};

/// Whether building again, or saving and loading, gives the same.
template <class Index>
Result<Check> Verify::rebuilt(Context& context, const Index& opened) const {
    if (!planner.index.file.empty()) {
        Check check{"equal to an index built afresh"};
        ProgressBar bar("rebuilding");
        BuildControl building = control(context);
        building.progress = bar.callback();
        const auto built = Index::build(opened.map(), without_engines(opened.options()), building);
        if (!built) return tl::unexpected(built.error());
        check.expect(*built == opened, [] { return "the file differs"; });
        return check;
    }
    Check check{"the same after saving and loading"};
    auto bytes = to_bytes(opened);
    if (!bytes) return tl::unexpected(bytes.error());
    const auto owner = std::make_shared<const std::string>(std::move(*bytes));
    const auto loaded = reloaded(opened, owner);
    if (!loaded) return tl::unexpected(loaded.error());
    const auto again = to_bytes(*loaded);
    if (!again) return tl::unexpected(again.error());
    check.expect(*loaded == opened && *again == *owner, [] { return "the bytes differ"; });
    return check;
}

/// Edits one after another: each must leave what a build afresh gives, and answer right, at once
/// and completed.
template <class Index>
Result<Check> Verify::edited(Context& context, const Index& opened, const Agents& who,
                             QueryChecks& asked) const {
    constexpr int kSide = 8;
    constexpr int kQueries = 5;
    Check check{"edited: equal to an index built afresh"};
    RandomEdits random(flags.seed, kSide);
    Index index = opened;
    ProgressBar bar("editing");
    for (int i = 0; i < flags.edits; ++i) {
        bar.show(static_cast<double>(i) / flags.edits);
        const grid::TerrainEdit edit = random.next(index.map());
        auto next = index.edited({&edit, 1});
        if (!next) return tl::unexpected(std::move(next.error()));
        const auto built =
            Index::build(next->map(), without_engines(next->options()), control(context));
        if (!built) return tl::unexpected(built.error());
        check.expect(*built == *next,
                     [&] { return fmt::format("after {} edits of seed {}", i + 1, flags.seed); });
        // One agent class after another, an edit each.
        const std::size_t which = static_cast<std::size_t>(i) % aims(opened, who);
        Status status = aim(asked, *next, who, which);
        if (!status.ok()) return tl::unexpected(std::move(status));
        asked.ask(kQueries);
        auto complete = completed(*next, who, control(context));
        if (!complete) return tl::unexpected(std::move(complete.error()));
        status = aim(asked, *complete, who, which);
        if (!status.ok()) return tl::unexpected(std::move(status));
        asked.ask(kQueries);
        index = std::move(*complete);
    }
    return check;
}

template <class Index>
Result<std::vector<Check>> Verify::check(Context& context, const Index& opened, const Agents& who,
                                         QueryChecks& asked) const {
    std::vector<Check> list;
    auto same = rebuilt(context, opened);
    if (!same) return tl::unexpected(std::move(same.error()));
    list.push_back(std::move(*same));
    if (Status status = ask(context, opened, who, asked); !status.ok())
        return tl::unexpected(std::move(status));
    if (flags.edits == 0) return list;
    auto after = edited(context, opened, who, asked);
    if (!after) return tl::unexpected(std::move(after.error()));
    list.push_back(std::move(*after));
    return list;
}

template <class Index>
Status Verify::ask(Context& context, const Index& opened, const Agents& who,
                   QueryChecks& asked) const {
    constexpr int kGoals = 10;  // a start
    const auto groups = static_cast<int>(aims(opened, who));
    int done = 0;
    bool any = false;
    ProgressBar bar("asking");
    for (int group = 0; group < groups; ++group) {
        const auto which = static_cast<std::size_t>(group);
        Status status = prepare(opened, who, which, control(context));
        if (status.ok()) status = aim(asked, opened, who, which);
        if (!status.ok()) return status;
        const int end = static_cast<int>(std::int64_t{flags.queries} * (group + 1) / groups);
        while (done < end) {
            if (context.cancel.cancelled())
                return {StatusCode::cancelled, std::string(describe(StatusCode::cancelled))};
            if (!asked.ask(std::min(kGoals, end - done))) break;
            any = true;
            done += kGoals;
            bar.show(static_cast<double>(done) / flags.queries);
        }
        done = end;
    }
    if (any) return {};
    return {StatusCode::no_path, map_file + ": the map has no free cell to ask about"};
}

/// --agent, or all that a HAA* index knows.
Result<Agents> Verify::agents(const AnyIndex& opened) const {
    const auto* index = std::get_if<haa::Index>(&opened);
    if (index == nullptr) return Agents{};
    if (planner.haa.names_agent()) {
        const auto one = planner.haa.agent(index->map());
        if (!one) return tl::unexpected(one.error());
        return Agents{*one};
    }
    Agents all;
    all.reserve(index->map().classes());
    for (std::uint32_t k = 0; k < index->map().classes(); ++k) all.push_back(index->map().agent(k));
    return all;
}

Outcome Verify::report(Context& context, const std::vector<Check>& checks,
                       const QueryChecks& asked) const {
    const bool good = all_hold(checks);
    if (context.json) {
        say(Json{{"ok", good},
                 {"queries", flags.queries},
                 {"edits", flags.edits},
                 {"seed", flags.seed},
                 {"checks", checks_json(checks)},
                 {"paths", asked.paths()},
                 {"mean_error", asked.mean_error()},
                 {"max_error", asked.max_error()}});
    } else {
        say("{}\n{} queries with a path; as usually asked for they are {:.2f} % above the optimum "
            "on average, {:.1f} % at most\n",
            checks_text(checks), grouped(asked.paths()), 100 * asked.mean_error(),
            100 * asked.max_error());
    }
    return good ? kDone : kFailed;
}

Outcome Verify::run(Context& context) const {
    const auto loaded = planner.load(map_file, map);
    if (!loaded) return tl::unexpected(loaded.error());
    const auto opened = planner.load_or_build(context, *loaded);
    if (!opened) return tl::unexpected(opened.error());
    const auto who = agents(*opened);
    if (!who) return tl::unexpected(who.error());
    QueryChecks asked(flags.seed);
    auto list =
        std::visit([&](const auto& index) { return check(context, index, *who, asked); }, *opened);
    if (!list) return tl::unexpected(std::move(list.error()));
    const std::vector<Check> of_queries = asked.checks();
    list->insert(list->begin() + 1, of_queries.begin(), of_queries.end());
    return report(context, *list, asked);
}

}  // namespace

void add_verify(CLI::App& app, Context& context) {
    auto options = std::make_shared<Verify>();
    CLI::App* command = add_command(
        app, context, "verify",
        "Check an index against its map and against Dijkstra's algorithm. A fresh build must give "
        "the same index, and random queries must agree in what is reachable; no path may be "
        "illegal or cheaper than the optimum (of subgoal graphs: nor dearer), and all engines must "
        "agree; all of that after random edits too. Agents of HAA* are held against every cell "
        "that "
        "they cover; all agent classes are asked unless --agent names one. Exit code 5 if "
        "something "
        "fails.",
        "  cairn verify arena.map --index arena.cairn\n"
        "  cairn verify arena.map --planner subgoal --levels 0 --edits 20\n"
        "  cairn verify arena.map --planner haa --capabilities ground,ground+trees --max-size 3\n"
        "  cairn verify arena.map --corners free --levels 3 --queries 100000 --seed 2");
    command->add_option("map", options->map_file, "Map: .map, .png, .pgm or Nav2 .yaml")
        ->required();
    options->flags.add_to(*command, "8 x 8 cells");
    options->map.add_to(*command);
    options->planner.add_to(*command, /*bare=*/false);
    options->planner.add_file_to(*command);
    options->planner.haa.add_agent_to(*command);
    on_run(command, context, options);
}

}  // namespace cairn::app
