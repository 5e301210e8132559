#include "bench/batch_planners.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <limits>
#include <memory>
#include <type_traits>
#include <utility>

#include "cairn/batch/batch.hpp"
#include "cairn/grid/astar.hpp"
#include "cairn/grid/planners.hpp"
#include "cairn/grid/smooth.hpp"
#include "cairn/haa/haa.hpp"
#include "cairn/hpa/hpa.hpp"
#include "cairn/subgoal/subgoal.hpp"
#include "command.hpp"

namespace cairn::app {

namespace {

batch::Options options_for(PathForm form) {
    batch::Options options;
    options.cells = form == PathForm::turning ? batch::Cells::turning : batch::Cells::all;
    return options;
}

/// `ask(request, form)` answers with a status, a cost and cells.
template <class Request, class Ask>
auto loop_of(int width, const CancelFlag* cancel, Ask ask) {
    return [width, cancel, ask = std::make_shared<Ask>(std::move(ask)),
            turning = std::vector<grid::Cell>()](std::span<const Request> requests, PathForm form,
                                                 KeptAnswers& kept) mutable {
        for (std::size_t i = 0; i < requests.size(); ++i) {
            if (cancel != nullptr && cancel->cancelled()) return;
            const auto& answer = (*ask)(requests[i], form);
            kept.status[i] = answer.status;
            kept.cost[i] = answer.cost;
            if (answer.cells.empty()) continue;
            if (form == PathForm::turning) grid::waypoints(width, answer.cells, turning);
            kept.cells[i] = form == PathForm::turning ? turning : answer.cells;
        }
    };
}

template <class Query>
void take_form(Query& query, PathForm form) {
    using Detail = decltype(query.detail);
    query.detail = form == PathForm::cost ? Detail::cost : Detail::path;
}

template <class P>
auto batch_of(const typename P::Index& index, const typename P::Query& model) {
    return [index, model, batches = std::make_shared<batch::Searcher<P>>()](
               std::span<const typename P::Request> requests, PathForm form,
               const BuildControl& control, grid::Paths& paths) {
        auto query = model;
        take_form(query, form);
        return batches->find_paths(index, requests, paths, query, options_for(form), control);
    };
}

grid::AstarQuery astar_query(grid::OpenList open, PathForm form) {
    grid::AstarQuery query;
    query.open = open;
    take_form(query, form);
    return query;
}

/// The planner on a device, which finds paths by labels and does not smooth them.
template <class P>
auto device_twin_of(const typename P::Index& index) {
    return [index](const batch::Device& device) -> Result<DeviceTwin> {
        auto loaded = batch::DeviceGridIndex::load(device, index);
        if (!loaded) return tl::unexpected(std::move(loaded.error()));
        typename P::Query model;
        model.engine = decltype(model.engine)::cut_labels;
        if constexpr (requires { model.smoothing; }) model.smoothing = hpa::Smoothing::none;
        return DeviceTwin{std::move(*loaded), std::make_shared<batch::DeviceSearcher>(device),
                          batch_of<P>(index, model)};
    };
}

template <class P>
auto planner_of(const PlannerSpec& spec, const typename P::Index& index,
                const typename P::Query& model, const CancelFlag* cancel) {
    using Request = typename P::Request;
    using Answer = typename P::Answer;
    RequestPlanner<Request> planner{std::string(spec.name), spec.exact(), {}, {}, {}};
    planner.batch = batch_of<P>(index, model);
    if constexpr (std::is_same_v<Request, grid::Request>)
        planner.on_device = device_twin_of<P>(index);
    planner.loop =
        loop_of<Request>(index.map().width(), cancel,
                         [index, query = model, searcher = cairn::Searcher<P>(), answer = Answer()](
                             const Request& request, PathForm form) mutable -> const Answer& {
                             take_form(query, form);
                             assign(request, query);
                             searcher.find(index, query, answer);
                             return answer;
                         });
    return planner;
}

/// `map_of(request)`: the map that A* is to search.
template <class Request, class MapOf>
auto astar_loop(int width, const CancelFlag* cancel, grid::OpenList open, MapOf map_of) {
    return loop_of<Request>(
        width, cancel,
        [open, map_of, astar = grid::Astar(), path = grid::Path()](
            const Request& request, PathForm form) mutable -> const grid::Path& {
            astar.find_path(map_of(request), request.start, request.goal, path,
                            {open, form == PathForm::cost});
            return path;
        });
}

/// Annotated A*: a batch for each agent class, on its map.
Status ask_classes(batch::Searcher<grid::AstarPlanner>& batches, const AgentProblems& problems,
                   std::span<const haa::Request> requests, const grid::AstarQuery& astar,
                   const batch::Options& options, const BuildControl& control, grid::Paths& all) {
    grid::Paths paths;
    all.status.resize(requests.size());
    all.cost.resize(requests.size());
    all.cells = {};
    std::vector<grid::Request> own;
    std::vector<std::size_t> place;
    for (std::size_t a = 0; a < problems.agents.size(); ++a) {
        own.clear();
        place.clear();
        for (std::size_t i = 0; i < requests.size(); ++i) {
            if (requests[i].agent != problems.agents[a]) continue;
            own.push_back({requests[i].start, requests[i].goal});
            place.push_back(i);
        }
        Status status = batches.find_paths(problems.maps[a], own, paths, astar, options, control);
        if (!status.ok()) return status;
        for (std::size_t i = 0; i < own.size(); ++i) {
            all.status[place[i]] = paths.status[i];
            all.cost[place[i]] = paths.cost[i];
        }
    }
    return {};
}

}  // namespace

std::string_view name(PathForm form) noexcept {
    switch (form) {
        case PathForm::turning:
            return "turning cells";
        case PathForm::cost:
            return "cost";
        case PathForm::cells:
            break;
    }
    return "every cell";
}

Status check_batches(const PlannerSpec& spec) {
    if (!spec.is<grid::JpsPlanner>()) return {};
    return {StatusCode::bad_option,
            fmt::format("--planners: {} has no batches: leave it out of --agents", spec.name)};
}

Result<RequestPlanner<grid::Request>> CellPlanners::get(const PlannerSpec& spec) {
    if (spec.is<grid::AstarPlanner>() && !spec.for_agents) {
        RequestPlanner<grid::Request> planner{std::string(spec.name), true, {}, {}, {}};
        const grid::OpenList open = spec.query_of<grid::AstarPlanner>().open;
        planner.batch = [map = map_, open,
                         batches = std::make_shared<batch::Searcher<grid::AstarPlanner>>()](
                            std::span<const grid::Request> requests, PathForm form,
                            const BuildControl& control, grid::Paths& routes) {
            return batches->find_paths(*map, requests, routes, astar_query(open, form),
                                       options_for(form), control);
        };
        planner.loop = astar_loop<grid::Request>(
            map_->width(), measure_.cancel, open,
            [map = map_](const grid::Request&) -> const grid::Map& { return *map; });
        return planner;
    }
    const auto indexed =
        [&]<class P>(IndexCache<P>& indexes) -> Result<RequestPlanner<grid::Request>> {
        double seconds = 0;
        const auto index = indexes.get(*map_, spec.options_of<P>(), measure_, seconds);
        if (!index) return tl::unexpected(index.error());
        auto planner = planner_of<P>(spec, *index, spec.query_of<P>(), measure_.cancel);
        if (index->options().labels && !index->has_labels())
            planner.note = index->labels_status().message;
        return planner;
    };
    if (spec.is<hpa::Planner>()) return indexed(hpa_);
    if (spec.is<subgoal::Planner>()) return indexed(subgoal_);
    return fail(StatusCode::unsupported);
}

Result<RequestPlanner<haa::Request>> AgentPlanners::get(const PlannerSpec& spec) {
    if (!spec.is<haa::Planner>()) {
        RequestPlanner<haa::Request> planner{std::string(spec.name), true, {}, {}, {}};
        planner.batch = [problems = problems_, open = spec.query_of<grid::AstarPlanner>().open,
                         batches = std::make_shared<batch::Searcher<grid::AstarPlanner>>()](
                            std::span<const haa::Request> requests, PathForm form,
                            const BuildControl& control, grid::Paths& paths) {
            return ask_classes(*batches, *problems, requests, astar_query(open, form),
                               options_for(form), control, paths);
        };
        planner.loop = astar_loop<haa::Request>(
            map_->width(), measure_.cancel, spec.query_of<grid::AstarPlanner>().open,
            [problems = problems_](const haa::Request& request) -> auto& {
                return problems->map_of(request.agent);
            });
        return planner;
    }
    haa::Options wanted = spec.options_of<haa::Planner>();
    wanted.view_bytes = std::numeric_limits<std::uint64_t>::max();  // all are measured
    double seconds = 0;
    const auto index = haa_.get(*map_, wanted, measure_, seconds);
    if (!index) return tl::unexpected(index.error());
    if (const auto labelled = index->with_labels(problems_->agents, control_of(measure_));
        !labelled)
        return tl::unexpected(labelled.error());
    return planner_of<haa::Planner>(spec, *index, spec.query_of<haa::Planner>(), measure_.cancel);
}

namespace {

using batch::DeviceCellPaths;

batch::DeviceGridQuery query_of(PathForm form) {
    batch::DeviceGridQuery query;
    query.paths = form != PathForm::cost;
    query.cells = form == PathForm::turning ? batch::Cells::turning : batch::Cells::all;
    return query;
}

std::uint64_t differing(const DeviceCellPaths& a, const grid::Paths& b, PathForm form) {
    if (a.size() != b.status.size()) return std::max(a.size(), b.status.size());
    std::uint64_t count = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        const bool equal = a.status[i] == b.status[i] && a.cost[i] == b.cost[i] &&
                           (form == PathForm::cost || std::ranges::equal(a.cells(i), b.cells[i]));
        count += equal ? 0 : 1;
    }
    return count;
}

/// Adds the seconds, bytes and agents of a chunk to sums that become means.
Status add_chunk(const DeviceTwin& twin, std::span<const grid::Request> requests, PathForm form,
                 int rounds, const BuildControl& control, grid::Paths& expected, DeviceRun& out) {
    double host = std::numeric_limits<double>::infinity();
    double device = host;
    std::uint64_t wrong = 0;
    for (int round = 0; round < rounds; ++round) {
        const double start = now();
        if (Status s = twin.batch(requests, form, control, expected); !s.ok()) return s;
        const double between = now();
        const auto paths = twin.searcher->find_paths(twin.index, requests, query_of(form), control);
        const double end = now();
        if (!paths) return paths.error();
        if (control.cancelled()) return fail(StatusCode::cancelled).value();
        host = std::min(host, between - start);
        device = std::min(device, end - between);
        wrong = std::max(wrong, differing(*paths, expected, form));
    }
    const batch::DeviceStatistics& statistics = twin.searcher->statistics();
    out.host_us += host;
    out.us += device;
    out.bytes += static_cast<double>(statistics.bytes_copied);
    out.on_host += static_cast<double>(statistics.on_host);
    out.wrong += wrong;
    return {};
}

}  // namespace

Result<DeviceRun> measure_on_device(const DeviceTwin& twin, std::span<const grid::Request> requests,
                                    std::size_t chunk, PathForm form, int rounds,
                                    const BuildControl& control) {
    DeviceRun run;
    run.index_bytes = twin.index.bytes();
    grid::Paths expected;
    for (std::size_t first = 0; first < requests.size(); first += chunk) {
        const auto part = requests.subspan(first, std::min(chunk, requests.size() - first));
        Status s = add_chunk(twin, part, form, rounds, control, expected, run);
        if (!s.ok()) return tl::unexpected(std::move(s));
    }
    const auto agents = static_cast<double>(std::max<std::size_t>(requests.size(), 1));
    for (double* each : {&run.us, &run.host_us, &run.bytes, &run.on_host}) *each /= agents;
    for (double* time : {&run.us, &run.host_us}) *time *= 1e6;
    return run;
}

}  // namespace cairn::app
