#include "bench/batch_planners.hpp"

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

/// A loop of single queries. `find(request, form)` returns an answer with status, cost and cells.
template <class Request, class Find>
auto loop_of(int width, const CancelFlag* cancel, Find find) {
    return [width, cancel, find = std::make_shared<Find>(std::move(find)),
            turning = std::vector<grid::Cell>()](std::span<const Request> requests, PathForm form,
                                                 KeptAnswers& kept) mutable {
        for (std::size_t i = 0; i < requests.size(); ++i) {
            if (cancel != nullptr && cancel->cancelled()) return;
            const auto& answer = (*find)(requests[i], form);
            kept.status[i] = answer.status;
            kept.cost[i] = answer.cost;
            if (answer.cells.empty()) continue;
            if (form == PathForm::turning) grid::waypoints(width, answer.cells, turning);
            kept.cells[i] = form == PathForm::turning ? turning : answer.cells;
        }
    };
}

template <class Query>
void set_detail(Query& query, PathForm form) {
    using Detail = decltype(query.detail);
    query.detail = form == PathForm::cost ? Detail::cost : Detail::path;
}

template <class P>
auto batch_of(const typename P::Index& index, const typename P::Query& model) {
    return [index, model, batches = std::make_shared<batch::Searcher<P>>()](
               std::span<const typename P::Request> requests, PathForm form,
               const BuildControl& control, grid::Paths& paths) {
        auto query = model;
        set_detail(query, form);
        return batches->find_paths(index, requests, paths, query, options_for(form), control);
    };
}

/// Loads a planner onto a device. Devices find paths by labels, or by climbing where there are
/// none, and do not smooth them.
template <class P>
auto device_twin_of(const typename P::Index& index) {
    return [index](const batch::Device& device) -> Result<DeviceTwin> {
        auto loaded = batch::DeviceGridIndex::load(device, index);
        if (!loaded) return tl::unexpected(std::move(loaded.error()));
        typename P::Query model;
        using Engine = decltype(model.engine);
        model.engine = index.has_labels() ? Engine::cut_labels : Engine::climb;
        if constexpr (requires { model.smoothing; }) model.smoothing = hpa::Smoothing::none;
        return DeviceTwin{std::move(*loaded), std::make_shared<batch::DeviceSearcher>(device),
                          batch_of<P>(index, model)};
    };
}

template <class P>
RequestPlanner<typename P::Request> planner_of(const PlannerSpec& spec,
                                               const typename P::Index& index, int width,
                                               const CancelFlag* cancel) {
    using Request = typename P::Request;
    using Answer = typename P::Answer;
    RequestPlanner<Request> planner{std::string(spec.name), spec.exact(), {}, {}, {}};
    planner.batch = batch_of<P>(index, spec.query_of<P>());
    if constexpr (IndexedPlanner<P> && std::is_same_v<Request, grid::Request>)
        planner.on_device = device_twin_of<P>(index);
    planner.loop = loop_of<Request>(
        width, cancel,
        [index, query = spec.query_of<P>(), searcher = cairn::Searcher<P>(), answer = Answer()](
            const Request& request, PathForm form) mutable -> const Answer& {
            set_detail(query, form);
            assign(request, query);
            searcher.find(index, query, answer);
            return answer;
        });
    return planner;
}

/// A batch of annotated A*: one batch for each agent class, on the class map.
Status find_by_class(batch::Searcher<grid::AstarPlanner>& batches, const AgentProblems& problems,
                     std::span<const haa::Request> requests, const grid::AstarQuery& astar,
                     const batch::Options& options, const BuildControl& control, grid::Paths& all) {
    grid::Paths paths;
    all.status.resize(requests.size());
    all.cost.resize(requests.size());
    all.cells = {};
    std::vector<grid::Request> own;
    std::vector<std::size_t> numbers;  // of the requests in `own`
    for (std::size_t a = 0; a < problems.agents.size(); ++a) {
        own.clear();
        numbers.clear();
        for (std::size_t i = 0; i < requests.size(); ++i) {
            if (requests[i].agent != problems.agents[a]) continue;
            own.push_back({requests[i].start, requests[i].goal});
            numbers.push_back(i);
        }
        Status status = batches.find_paths(problems.maps[a], own, paths, astar, options, control);
        if (!status.ok()) return status;
        for (std::size_t i = 0; i < own.size(); ++i) {
            all.status[numbers[i]] = paths.status[i];
            all.cost[numbers[i]] = paths.cost[i];
        }
    }
    return {};
}

}  // namespace

std::uint64_t differing(const batch::DeviceItems& device, const PathCosts& host,
                        const Lists<std::uint32_t>& lists) {
    std::uint64_t count = 0;
    for (std::size_t i = 0; i < device.size(); ++i) {
        const bool equal = device.status[i] == host.status[i] && device.cost[i] == host.cost[i] &&
                           (lists.size() == 0 || std::ranges::equal(device.of(i), lists[i]));
        count += equal ? 0 : 1;
    }
    return count;
}

Result<RequestPlanner<grid::Request>> CellPlanners::get(const PlannerSpec& spec) {
    if (spec.is<grid::AstarPlanner>() && !spec.for_agents)
        return planner_of<grid::AstarPlanner>(spec, *map_, map_->width(), measure_.cancel);
    const auto indexed =
        [&]<class P>(IndexCache<P>& indexes) -> Result<RequestPlanner<grid::Request>> {
        double seconds = 0;
        const auto index = indexes.get(*map_, spec.options_of<P>(), measure_, seconds);
        if (!index) return tl::unexpected(index.error());
        auto planner = planner_of<P>(spec, *index, map_->width(), measure_.cancel);
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
        const auto model = spec.query_of<grid::AstarPlanner>();
        planner.batch = [problems = problems_, model,
                         batches = std::make_shared<batch::Searcher<grid::AstarPlanner>>()](
                            std::span<const haa::Request> requests, PathForm form,
                            const BuildControl& control, grid::Paths& paths) {
            grid::AstarQuery query = model;
            set_detail(query, form);
            return find_by_class(*batches, *problems, requests, query, options_for(form), control,
                                 paths);
        };
        planner.loop = loop_of<haa::Request>(
            map_->width(), measure_.cancel,
            [problems = problems_, model, astar = grid::Astar(), path = grid::Path()](
                const haa::Request& request, PathForm form) mutable -> const grid::Path& {
                astar.find_path(problems->map_of(request.agent), request.start, request.goal, path,
                                {model.open, form == PathForm::cost});
                return path;
            });
        return planner;
    }
    haa::Options wanted = spec.options_of<haa::Planner>();
    wanted.view_bytes =
        std::numeric_limits<std::uint64_t>::max();  // no view is dropped: all are measured
    double seconds = 0;
    const auto index = haa_.get(*map_, wanted, measure_, seconds);
    if (!index) return tl::unexpected(index.error());
    if (const auto labelled = index->with_labels(problems_->agents, measure_.control()); !labelled)
        return tl::unexpected(labelled.error());
    return planner_of<haa::Planner>(spec, *index, map_->width(), measure_.cancel);
}

namespace {

batch::DeviceGridQuery query_of(PathForm form) {
    batch::DeviceGridQuery query;
    query.paths = form != PathForm::cost;
    query.cells = form == PathForm::turning ? batch::Cells::turning : batch::Cells::all;
    return query;
}

}  // namespace

Result<DeviceRun> measure_on_device(const DeviceTwin& twin, std::span<const grid::Request> requests,
                                    std::size_t chunk, PathForm form,
                                    const MeasureOptions& options) {
    const BuildControl control = options.control();
    const auto agents = static_cast<double>(std::max<std::size_t>(requests.size(), 1));
    DeviceRun run;
    run.index_bytes = twin.index.bytes();
    grid::Paths expected;
    batch::DeviceCellPaths paths;
    for (std::size_t first = 0; first < requests.size(); first += chunk) {
        const auto part = requests.subspan(first, std::min(chunk, requests.size() - first));
        const auto host =
            least_of_rounds(options, [&] { return twin.batch(part, form, control, expected); });
        if (!host) return tl::unexpected(host.error());
        const auto device = least_of_rounds(options, [&]() -> Status {
            auto found = twin.searcher->find_paths(twin.index, part, query_of(form), control);
            if (!found) return std::move(found.error());
            paths = *found;
            return {};
        });
        if (!device) return tl::unexpected(device.error());
        const batch::DeviceStatistics& statistics = twin.searcher->statistics();
        run.host_us += 1e6 * *host / agents;
        run.us += 1e6 * *device / agents;
        run.bytes += static_cast<double>(statistics.bytes_copied) / agents;
        run.on_host += static_cast<double>(statistics.on_host) / agents;
        run.wrong += differing(paths, expected, expected.cells);
    }
    return run;
}

}  // namespace cairn::app
