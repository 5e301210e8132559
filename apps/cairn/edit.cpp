// cairn edit: edits the map of an index file, in the log beside it.

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "cairn/index_store.hpp"
#include "command.hpp"
#include "files.hpp"
#include "options/fields.hpp"
#include "options/grid.hpp"
#include "options/planner.hpp"
#include "text.hpp"

namespace cairn::app {
namespace {

struct Edit {
    std::string file;
    EditFlags edit;
    IndexFlags index;  ///< only --checks
    bool compact = false;

    Outcome run(Context& context) const {
        return with_planner_of(file, [&]<class P>() { return run_on<typename P::Index>(context); });
    }

private:
    template <class Index>
    [[nodiscard]] Outcome run_on(Context& context) const {
        const auto edits = edit.edits();
        if (!edits) return tl::unexpected(edits.error());
        const double begin = now();
        auto store =
            IndexStore<Index>::open(file, {.access = StoreAccess::write, .checks = index.checks});
        if (!store) return tl::unexpected(store.error());
        const double opened = now();
        if (!edits->empty()) {
            if (Status s = store->edit(*edits); !s.ok())
                return fail(s.code, "--edit: " + s.message);
        }
        const double edited = now();
        if (Status s = compact ? store->compact() : store->commit(); !s.ok())
            return tl::unexpected(std::move(s));
        const double written = now();
        say(context,
            {{"file", file},
             {"generation", store->generation()},
             {"logged", store->logged()},
             {"open_seconds", opened - begin},
             {"edit_seconds", edited - opened},
             {"commit_seconds", written - edited}},
            fmt::format("{}: generation {}, {} of them in the log; opened in {}, edited in {}, "
                        "written in {}\n",
                        file, store->generation(), store->logged(), duration(opened - begin),
                        duration(edited - opened), duration(written - edited)));
        return kDone;
    }
};

}  // namespace

void add_edit(CLI::App& app, Context& context) {
    auto options = std::make_shared<Edit>();
    CLI::App* command = add_command(
        app, context, "edit",
        "Edit the map of an index file that holds it (cairn build --with-map). The edits of a call "
        "are a batch in a log beside the file, FILE.edits, which path, verify and inspect follow; "
        "the file itself stays as it is. With --compact the index is saved with all edits made.",
        "  cairn edit city.cairn --edit 120,40,8,1,@        a wall of 8 cells\n"
        "  cairn edit city.cairn --compact");
    command->add_option("file", options->file, "Index file that holds its map")->required();
    options->edit.add_to(*command, "Map", "Change the map");
    command
        ->add_flag("--compact", options->compact,
                   "Save the index with all edits, and remove the log")
        ->group("Output");
    options->index.add_checks_to(*command);
    on_run(command, context, options);
}

}  // namespace cairn::app
