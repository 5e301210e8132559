#include "bench_batch_device.hpp"

#include <algorithm>
#include <limits>

#include "command.hpp"

namespace cairn::app {
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

/// Adds a portion: seconds, bytes and agents to what become means.
Status add_portion(const DeviceTwin& twin, std::span<const grid::Request> trips, PathForm form,
                   int rounds, const BuildControl& control, grid::Paths& expected, DeviceRun& out) {
    double host = std::numeric_limits<double>::infinity();
    double device = host;
    std::uint64_t wrong = 0;
    for (int round = 0; round < rounds; ++round) {
        const double start = now();
        if (Status s = twin.batch(trips, form, control, expected); !s.ok()) return s;
        const double between = now();
        const auto routes = twin.searcher->find_paths(twin.index, trips, query_of(form), control);
        const double end = now();
        if (!routes) return routes.error();
        if (control.cancelled()) return fail(StatusCode::cancelled).value();
        host = std::min(host, between - start);
        device = std::min(device, end - between);
        wrong = std::max(wrong, differing(*routes, expected, form));
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

Result<DeviceRun> measure_on_device(const DeviceTwin& twin, std::span<const grid::Request> trips,
                                    std::size_t portion, PathForm form, int rounds,
                                    const BuildControl& control) {
    DeviceRun run;
    run.index_bytes = twin.index.bytes();
    grid::Paths expected;
    for (std::size_t first = 0; first < trips.size(); first += portion) {
        const auto part = trips.subspan(first, std::min(portion, trips.size() - first));
        Status s = add_portion(twin, part, form, rounds, control, expected, run);
        if (!s.ok()) return tl::unexpected(std::move(s));
    }
    const auto agents = static_cast<double>(std::max<std::size_t>(trips.size(), 1));
    for (double* each : {&run.us, &run.host_us, &run.bytes, &run.on_host}) *each /= agents;
    for (double* time : {&run.us, &run.host_us}) *time *= 1e6;
    return run;
}

}  // namespace cairn::app
