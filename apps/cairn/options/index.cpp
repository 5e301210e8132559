#include "options/index.hpp"

#include <CLI/CLI.hpp>

namespace cairn::app {

void IndexFlags::add_to(CLI::App& command, Space space) {
    constexpr std::array<std::string_view, 1> kNoOptions{"view_bytes"};  // not on the command line
    fields.add_to(command, space, FieldFlags::Table::options, "Index", kNoOptions);
    add_threads(command, threads);
}

void IndexFlags::add_file_to(CLI::App& command) {
    command
        .add_option("--index", file,
                    "Load the index from this file (cairn build) instead of building it; it has "
                    "its own options")
        ->type_name("FILE")
        ->group("Index");
}

BuildControl IndexFlags::control(Context& context) const {
    return {.progress = {}, .cancel = &context.cancel, .threads = threads};
}

Result<AnyIndex> IndexFlags::build(Context& context, const PlannerInfo& planner,
                                   const AnyMap& map) const {
    if (Status status = fields.check(planner); !status.ok())
        return tl::unexpected(std::move(status));
    ProgressBar bar("building");
    BuildControl building = control(context);
    building.progress = bar.callback();
    auto built = AnyIndex::build(planner.name, map, fields.settings(), building);
    if (built) return built;
    Status error = std::move(built.error());
    if (error.code == StatusCode::bad_option) error = fields.named(std::move(error));
    return tl::unexpected(with_advice(std::move(error)));
}

void add_threads(CLI::App& command, int& threads) {
    command.add_option("--threads", threads, "Threads to build with; 0: one per processor")
        ->check(CLI::Range(0, 1024).description(""))
        ->type_name("N")
        ->capture_default_str()
        ->group("Index");
}

Status with_advice(Status status) {
    if (status.code == StatusCode::unsupported)
        status.message += " (--planner hpa or --planner astar), or other map options";
    return status;
}

}  // namespace cairn::app
