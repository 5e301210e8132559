// cairn navmesh verify: holds an HNA* index against its mesh.

#include <algorithm>
#include <CLI/CLI.hpp>
#include <memory>
#include <span>

#include "cairn/index_file.hpp"
#include "command.hpp"
#include "navmesh.hpp"
#include "navmesh_checks.hpp"
#include "navmesh_options.hpp"
#include "text.hpp"

namespace cairn::app {
namespace {

struct NavmeshVerify {
    std::string file;
    CheckFlags flags;
    HnaFlags index;

    Outcome run(Context& context) const;
    [[nodiscard]] Result<Check> rebuilt(Context& context, const hna::Index& opened) const;
    [[nodiscard]] Result<Check> edited(Context& context, const hna::Index& opened,
                                       NavmeshChecks& asked) const;
    [[nodiscard]] Status ask(Context& context, const hna::Index& opened,
                             NavmeshChecks& asked) const;
};

/// Without what operator== does not compare.
hna::Options without_engines(hna::Options options) {
    options.labels = false;
    return options;
}

/// Whether building again, on one thread, gives the same.
Result<Check> NavmeshVerify::rebuilt(Context& context, const hna::Index& opened) const {
    Check check{"equal to an index built afresh on one thread"};
    BuildControl control = index.control(context);
    control.threads = 1;
    ProgressBar bar("rebuilding");
    control.progress = bar.callback();
    const auto built = hna::Index::build(opened.mesh(), without_engines(opened.options()), control);
    if (!built) return tl::unexpected(built.error());
    check.expect(*built == opened, [] { return "the index differs"; });
    return check;
}

/// Whether an index from the bytes of its file is the same.
Result<Check> reloaded(const hna::Index& opened) {
    Check check{"the same after saving and loading"};
    auto bytes = to_bytes(opened);
    if (!bytes) return tl::unexpected(bytes.error());
    const auto owner = std::make_shared<const std::string>(std::move(*bytes));
    const auto loaded =
        from_bytes<hna::Index>(std::as_bytes(std::span(*owner)), owner, "the index");
    if (!loaded) return tl::unexpected(loaded.error());
    const auto again = to_bytes(*loaded);
    if (!again) return tl::unexpected(again.error());
    check.expect(*loaded == opened && *again == *owner, [] { return "the bytes differ"; });
    return check;
}

/// Edits one after another: each must leave what a build afresh gives, and answer right, at once
/// and completed.
Result<Check> NavmeshVerify::edited(Context& context, const hna::Index& opened,
                                    NavmeshChecks& asked) const {
    constexpr int kPolygons = 3;
    constexpr int kQueries = 5;
    Check check{"edited: equal to an index built afresh"};
    hna::Index current = opened;
    ProgressBar bar("editing");
    for (int i = 0; i < flags.edits; ++i) {
        bar.show(static_cast<double>(i) / flags.edits);
        std::vector<mesh::PolygonEdit> list(kPolygons);
        for (mesh::PolygonEdit& edit : list) edit = asked.random_edit();
        auto next = current.edited(list);
        if (!next) return tl::unexpected(std::move(next.error()));
        const auto built = hna::Index::build(next->mesh(), without_engines(next->options()),
                                             index.control(context));
        if (!built) return tl::unexpected(built.error());
        check.expect(*built == *next,
                     [&] { return fmt::format("after {} edits of seed {}", i + 1, flags.seed); });
        asked.aim_at(*next);
        asked.ask(kQueries);
        auto complete = next->with_labels(index.control(context));
        if (!complete) return tl::unexpected(std::move(complete.error()));
        asked.aim_at(*complete);
        asked.ask(kQueries);
        current = std::move(*complete);
    }
    return check;
}

Status NavmeshVerify::ask(Context& context, const hna::Index& opened, NavmeshChecks& asked) const {
    constexpr int kGoals = 10;  // a start
    ProgressBar bar("asking");
    asked.aim_at(opened);
    for (int done = 0; done < flags.queries; done += kGoals) {
        if (context.cancel.cancelled())
            return {StatusCode::cancelled, std::string(describe(StatusCode::cancelled))};
        if (!asked.ask(std::min(kGoals, flags.queries - done)))
            return {StatusCode::no_path, file + ": the mesh has no free polygon to ask about"};
        bar.show(static_cast<double>(done) / flags.queries);
    }
    return {};
}

Outcome NavmeshVerify::run(Context& context) const {
    const auto opened = index.load_or_build(context, file);
    if (!opened) return tl::unexpected(opened.error());
    NavmeshChecks asked(flags.seed);
    std::vector<Check> list{check_mesh(opened->mesh())};
    auto same = rebuilt(context, *opened);
    if (!same) return tl::unexpected(std::move(same.error()));
    list.push_back(std::move(*same));
    same = reloaded(*opened);
    if (!same) return tl::unexpected(std::move(same.error()));
    list.push_back(std::move(*same));
    if (Status status = ask(context, *opened, asked); !status.ok())
        return tl::unexpected(std::move(status));
    auto after = edited(context, *opened, asked);
    if (!after) return tl::unexpected(std::move(after.error()));
    if (flags.edits > 0) list.push_back(std::move(*after));
    const std::vector<Check> of_queries = asked.checks();
    list.insert(list.begin() + 3, of_queries.begin(), of_queries.end());

    if (context.json) {
        say(Json{{"ok", all_hold(list)},
                 {"queries", flags.queries},
                 {"edits", flags.edits},
                 {"seed", flags.seed},
                 {"checks", checks_json(list)},
                 {"paths", asked.paths()}});
    } else {
        say("{}\n{} queries with a path\n", checks_text(list), grouped(asked.paths()));
    }
    return all_hold(list) ? kDone : kFailed;
}

}  // namespace

void add_navmesh_verify(CLI::App& group, Context& context) {
    auto options = std::make_shared<NavmeshVerify>();
    CLI::App* command = add_command(
        group, context, "verify",
        "Check an index against its mesh and against Dijkstra's algorithm. A fresh build must give "
        "the same index, as saving and loading must, and random queries must agree in what is "
        "reachable; every engine must "
        "find the least cost and a corridor that costs it; all of that after random edits of "
        "polygons too. Exit code 5 if something fails.",
        "  cairn navmesh verify arena.mesh\n"
        "  cairn navmesh verify dungeon.crhn --queries 100000 --seed 2\n"
        "  cairn navmesh verify dungeon.obj --levels 3 --mu 6 --edits 20");
    command->add_option("file", options->file, "Mesh or index file")->required();
    options->flags.add_to(*command, "polygons");
    options->index.add_to(*command);
    on_run(command, context, options);
}

}  // namespace cairn::app
