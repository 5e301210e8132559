#include <fmt/format.h>

#include <memory>
#include <utility>

#include "batch/device/device_batch.hpp"
#include "batch/device/grid/cell_host.hpp"
#include "batch/device/mesh/hna_host.hpp"
#include "cairn/batch/device.hpp"
#include "core/guarded.hpp"
#include "core/parallel_loop.hpp"
#include "hna/snapshot.hpp"

namespace cairn::batch {

struct DeviceSearcher::State {
    State(Device on, const Options& with) : device(std::move(on)), options(with) {}

    /// ok, or bad_option.
    [[nodiscard]] Status check(const Device& of_index, const BuildControl& control) const;

    template <class Host>
    [[nodiscard]] Result<DeviceItems> run(std::unique_ptr<DeviceBatch<Host>>& batch,
                                          const LoadedIndex<typename Host::Arrays>& index,
                                          std::span<const typename Host::Form::Request> requests,
                                          const typename Host::Form::Query& query,
                                          const BuildControl& control);

    Device device;
    Options options;
    DeviceStatistics statistics;
    // Made at first use.
    std::unique_ptr<DeviceBatch<HnaHost>> hna;
    std::unique_ptr<DeviceBatch<SubgoalHost>> subgoal;
    std::unique_ptr<DeviceBatch<HpaHost>> hpa;
};

Status DeviceSearcher::State::check(const Device& of_index, const BuildControl& control) const {
    constexpr std::uint32_t kMostRequests = 1U << 24;
    if (Status status = check_threads(control); !status.ok()) return status;
    if (of_index.machine() != device.machine())
        return {StatusCode::bad_option, "the index was loaded on another device"};
    if (options.chunk == 0 || options.chunk > kMostRequests)
        return {StatusCode::bad_option, fmt::format("chunks of {} requests: must be 1 to {}",
                                                    options.chunk, kMostRequests)};
    return {};
}

template <class Host>
Result<DeviceItems> DeviceSearcher::State::run(
    std::unique_ptr<DeviceBatch<Host>>& batch, const LoadedIndex<typename Host::Arrays>& index,
    std::span<const typename Host::Form::Request> requests, const typename Host::Form::Query& query,
    const BuildControl& control) {
    return guarded([&] {
        if (batch == nullptr) batch = std::make_unique<DeviceBatch<Host>>(device);
        return on_threads(control, [&] {
            return batch->run(index, requests, query, options.chunk, control, statistics);
        });
    });
}

DeviceSearcher::DeviceSearcher(const Device& device) : DeviceSearcher(device, Options{}) {}
DeviceSearcher::DeviceSearcher(const Device& device, const Options& options)
    : state_(std::make_unique<State>(device, options)) {}
DeviceSearcher::~DeviceSearcher() = default;
DeviceSearcher::DeviceSearcher(DeviceSearcher&&) noexcept = default;
DeviceSearcher& DeviceSearcher::operator=(DeviceSearcher&&) noexcept = default;

Result<DevicePaths> DeviceSearcher::find_paths(const DeviceIndex& index,
                                               std::span<const mesh::Request> requests,
                                               const DeviceQuery& query,
                                               const BuildControl& control) {
    if (Status status = state_->check(index.device(), control); !status.ok())
        return tl::unexpected(std::move(status));
    if (const bool sound = query.reach >= 0; !sound)
        return fail(StatusCode::bad_option,
                    fmt::format("reach {}: must be 0 or more", query.reach));
    const hna::Index& asked = index.index();
    const bool by_labels = query.engine == DeviceEngine::cut_labels;
    if (by_labels && !asked.has_labels())
        return fail(StatusCode::unsupported,
                    "the index has no cut labels: wait for them, or ask another engine");
    const bool on_hng =
        query.engine == DeviceEngine::pccp || query.engine == DeviceEngine::parallel_connect;
    if (on_hng && asked.snapshot().top() > 1)
        return fail(StatusCode::unsupported,
                    "devices search indexes of one level: ask cut labels, or build one");
    return state_->run(state_->hna, index.data(), requests, query, control)
        .map([](const DeviceItems& items) { return DevicePaths{items}; });
}

Result<DeviceCellPaths> DeviceSearcher::find_paths(const DeviceGridIndex& index,
                                                   std::span<const grid::Request> requests,
                                                   const DeviceGridQuery& query,
                                                   const BuildControl& control) {
    if (Status status = state_->check(index.device(), control); !status.ok())
        return tl::unexpected(std::move(status));
    const DeviceGridIndex::Data& data = index.data();
    const auto items = data.hpa != nullptr
                           ? state_->run(state_->hpa, *data.hpa, requests, query, control)
                           : state_->run(state_->subgoal, *data.subgoal, requests, query, control);
    return items.map([](const DeviceItems& found) { return DeviceCellPaths{found}; });
}

const DeviceStatistics& DeviceSearcher::statistics() const noexcept { return state_->statistics; }

}  // namespace cairn::batch
