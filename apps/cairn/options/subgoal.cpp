#include "options/subgoal.hpp"
#include "options/common.hpp"

#include <fmt/format.h>

namespace cairn::app {

void SubgoalFlags::add_to(CLI::App& command) {
    using subgoal::Edges;
    using subgoal::ExtraEdges;
    own_ = {
        add_choice<Edges>(
            command, "--edges", options.edges,
            {{"direct", Edges::direct}, {"h-reachable", Edges::h_reachable}},
            "Subgoals joined by edges: direct-h-reachable ones; all h-reachable ones, for "
            "comparison"),
        command.add_flag("--no-prune", no_prune_,
                         "Keep edges and connectors that no taut path needs, as the paper does"),
        add_choice<ExtraEdges>(
            command, "--extra-edges", options.extra_edges,
            {{"none", ExtraEdges::none}, {"h-reachable", ExtraEdges::h_reachable}},
            "Edges that may be added so that a subgoal can stay on its level"),
        add_choice<ContractionOrder>(
            command, "--order", options.order,
            {{"number", ContractionOrder::number},
             {"ascending-degree", ContractionOrder::ascending_degree},
             {"descending-degree", ContractionOrder::descending_degree},
             {"fewest-extra-edges", ContractionOrder::fewest_extra_edges},
             {"random", ContractionOrder::random}},
            "In which order subgoals are asked whether they can stay on their level"),
    };
    for (CLI::Option* option : own_) option->group("Index of subgoal graphs");
}

Result<subgoal::Options> SubgoalFlags::checked(const IndexFlags& shared) const {
    subgoal::Options out = options;
    if (shared.options.levels < 0) {
        return fail(StatusCode::bad_option,
                    fmt::format("--levels {}: 1 is the simple subgoal graph, 2 a two-level one, "
                                "0 as many levels as there can be",
                                shared.options.levels));
    }
    out.levels = static_cast<std::uint32_t>(shared.options.levels);
    out.prune = !no_prune_;
    out.labels = shared.labels();
    out.label_bytes = shared.label_bytes();
    if (Status status = subgoal::check(out); !status.ok())
        return fail(status.code, as_option(std::move(status.message)));
    return out;
}

Result<subgoal::Index> SubgoalFlags::build(Context& context, const grid::Map& map,
                                           const IndexFlags& shared) const {
    const auto index_options = checked(shared);
    if (!index_options) return tl::unexpected(index_options.error());
    ProgressBar bar("building");
    BuildControl control;
    control.progress = bar.callback();
    control.cancel = &context.cancel;
    control.threads = shared.threads;
    auto built = subgoal::Index::build(map, *index_options, control);
    if (!built) return tl::unexpected(with_advice(std::move(built.error())));
    return built;
}

subgoal::Query subgoal_query(const hpa::Query& query) {
    subgoal::Query out;
    out.start = query.start;
    out.goal = query.goal;
    switch (query.detail) {
        case hpa::Detail::reachable:
        case hpa::Detail::cost:
            out.detail = subgoal::Detail::cost;
            break;
        case hpa::Detail::abstract_path:
            out.detail = subgoal::Detail::subgoals;
            break;
        case hpa::Detail::path:
            out.detail = subgoal::Detail::path;
            break;
    }
    switch (query.engine) {
        case hpa::Engine::automatic:
            out.engine = subgoal::Engine::automatic;
            break;
        case hpa::Engine::astar:
            out.engine = subgoal::Engine::astar;
            break;
        case hpa::Engine::levels:
            out.engine = subgoal::Engine::levels;
            break;
        case hpa::Engine::cut_labels:
            out.engine = subgoal::Engine::cut_labels;
            break;
    }
    out.nearest_reachable = query.nearest_reachable;
    out.limits = query.limits;
    return out;
}

Status with_advice(Status status) {
    if (status.code == StatusCode::unsupported)
        status.message += " (--planner hpa or --planner astar), or other map options";
    return status;
}

}  // namespace cairn::app
