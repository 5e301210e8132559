// The functions of device.hpp: devices, indexes on them, and the batches of each planner.

#include "cairn/batch/device.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <variant>
#include <vector>

#include "batch/device/device_batch.hpp"
#include "batch/device/grid/cell_host.hpp"
#include "batch/device/loaded_index.hpp"
#include "batch/device/machine.hpp"
#include "batch/device/mesh/hna_host.hpp"
#include "core/guarded.hpp"
#include "core/parallel_loop.hpp"
#include "core/threads.hpp"
#include "hna/snapshot.hpp"

namespace cairn::batch {

Result<Device> Device::open(const DeviceOptions& options) noexcept try {
    if (options.kind > DeviceKind::host)
        return fail(StatusCode::bad_option, "there is no such kind of device");
    if (options.gpu < 0)
        return fail(StatusCode::bad_option, fmt::format("GPU {}: must be 0 or more", options.gpu));
    BuildControl control;
    control.threads = options.threads;
    if (Status s = check_threads(control); !s.ok()) return tl::unexpected(std::move(s));
    return open_machine(options, cuda_machine).map([](auto machine) {
        return Device(std::move(machine));
    });
} catch (...) {
    return out_of_memory();
}

Result<std::shared_ptr<Machine>> open_machine(
    const DeviceOptions& options,
    Result<std::shared_ptr<Machine>> (*open_gpu)(const DeviceOptions& options)) {
    Status why_no_gpu;
    if (options.kind != DeviceKind::host) {
        auto machine = open_gpu(options);
        if (machine || options.kind == DeviceKind::gpu) return machine;
        why_no_gpu = std::move(machine.error());
    }
    auto machine = host_machine(options);
    machine->set_why_no_gpu(std::move(why_no_gpu));
    return machine;
}

bool Device::is_gpu() const noexcept { return machine_->is_gpu(); }
std::string Device::name() const { return machine_->name(); }
const Status& Device::why_no_gpu() const noexcept { return machine_->why_no_gpu(); }
std::vector<DeviceProperty> Device::properties() const { return machine_->properties(); }
std::vector<DeviceKernel> Device::kernels() const { return machine_->kernels(); }
std::uint64_t Device::bytes_in_use() const noexcept { return machine_->in_use(); }

namespace {

template <class Data, class Index>
Result<std::shared_ptr<const Data>> load_data(const Device& device, const Index& index) {
    auto data = std::make_shared<Data>(device, index);
    if (Status status = data->load(); !status.ok()) return tl::unexpected(std::move(status));
    return data;
}

}  // namespace

Result<DeviceIndex> DeviceIndex::load(const Device& device, const hna::Index& index) noexcept try {
    return load_data<Data>(device, index).map([](auto data) {
        return DeviceIndex(std::move(data));
    });
} catch (...) {
    return out_of_memory();
}

const hna::Index& DeviceIndex::index() const noexcept { return data_->index; }
const Device& DeviceIndex::device() const noexcept { return data_->device; }
std::size_t DeviceIndex::bytes() const noexcept { return data_->memory.room(); }

Result<DeviceGridIndex> DeviceGridIndex::load(const Device& device,
                                              const subgoal::Index& index) noexcept try {
    return load_data<Data>(device, index).map([](auto data) {
        return DeviceGridIndex(std::move(data));
    });
} catch (...) {
    return out_of_memory();
}

Result<DeviceGridIndex> DeviceGridIndex::load(const Device& device,
                                              const hpa::Index& index) noexcept try {
    return load_data<Data>(device, index).map([](auto data) {
        return DeviceGridIndex(std::move(data));
    });
} catch (...) {
    return out_of_memory();
}

const grid::Map& DeviceGridIndex::map() const noexcept {
    return std::visit([](const auto& each) -> const grid::Map& { return each.index.map(); },
                      data_->loaded);
}
const Device& DeviceGridIndex::device() const noexcept {
    return std::visit([](const auto& each) -> const Device& { return each.device; }, data_->loaded);
}
std::size_t DeviceGridIndex::bytes() const noexcept {
    return std::visit([](const auto& each) { return each.memory.room(); }, data_->loaded);
}

struct DeviceSearcher::State {
    State(Device on, const Options& with) : device(std::move(on)), options(with) {}

    /// Errors: bad_option; device_failed.
    [[nodiscard]] Status check(const Device& of_index, const BuildControl& control) const {
        constexpr std::uint32_t kMostRequests = 1U << 24;
        if (Status status = check_threads(control); !status.ok()) return status;
        if (of_index.machine() != device.machine())
            return {StatusCode::bad_option, "the index was loaded on another device"};
        if (options.chunk == 0 || options.chunk > kMostRequests)
            return {StatusCode::bad_option, fmt::format("chunks of {} requests: must be 1 to {}",
                                                        options.chunk, kMostRequests)};
        return device.machine()->failure();
    }

    template <class Host>
    [[nodiscard]] Result<DeviceItems> run(std::unique_ptr<DeviceBatch<Host>>& batch,
                                          const LoadedIndex<typename Host::Arrays>& index,
                                          std::span<const typename Host::Form::Request> requests,
                                          const typename Host::Form::Query& query,
                                          const BuildControl& control) {
        if (batch == nullptr) batch = std::make_unique<DeviceBatch<Host>>(device);
        return on_threads(control, [&] {
            return batch->run(index, requests, query, options, control, statistics);
        });
    }

    Device device;
    Options options;
    DeviceStatistics statistics;
    // Each is made when it is first used.
    std::unique_ptr<DeviceBatch<HnaHost>> hna;
    std::unique_ptr<DeviceBatch<SubgoalHost>> subgoal;
    std::unique_ptr<DeviceBatch<HpaHost>> hpa;
};

DeviceSearcher::DeviceSearcher(const Device& device) : DeviceSearcher(device, Options{}) {}
DeviceSearcher::DeviceSearcher(const Device& device, const Options& options)
    : state_(std::make_unique<State>(device, options)) {}
DeviceSearcher::~DeviceSearcher() = default;
DeviceSearcher::DeviceSearcher(DeviceSearcher&&) noexcept = default;
DeviceSearcher& DeviceSearcher::operator=(DeviceSearcher&&) noexcept = default;

Result<DevicePaths> DeviceSearcher::find_paths(const DeviceIndex& index,
                                               std::span<const mesh::Request> requests,
                                               const DeviceQuery& query,
                                               const BuildControl& control) noexcept try {
    if (Status status = state_->check(index.device(), control); !status.ok())
        return tl::unexpected(std::move(status));
    if (const bool valid = query.reach >= 0 && query.reach <= hna::kMaxReach; !valid)  // no NaN
        return fail(StatusCode::bad_option,
                    fmt::format("reach {}: must be 0 to {}", query.reach, hna::kMaxReach));
    if (query.engine > DeviceEngine::polygon_astar)
        return fail(StatusCode::bad_option, "there is no such engine for devices");
    const hna::Snapshot& snapshot = index.index().snapshot();
    if (query.engine == DeviceEngine::cut_labels &&
        !(snapshot.has_labels() && device_reads(snapshot.labels->labels)))
        return fail(StatusCode::unsupported, kNoDeviceLabels);
    if (query.engine == DeviceEngine::climb && !snapshot.has_closure())
        return fail(StatusCode::unsupported, "the index has no closure: build it with labels");
    const bool on_hng =
        query.engine == DeviceEngine::pccp || query.engine == DeviceEngine::parallel_connect;
    if (query.search_level > hna::SearchLevel::top)
        return fail(StatusCode::bad_option, "there is no such choice of levels");
    if (on_hng && query.search_level != hna::SearchLevel::first &&
        snapshot.rows_of(snapshot.top()) == nullptr)
        return fail(StatusCode::unsupported,
                    "A* on the top level needs rows of that level: build the index with "
                    "connecting paths, or search level 1");
    return state_->run(state_->hna, index.data(), requests, query, control)
        .map([](const DeviceItems& items) { return DevicePaths{items}; });
} catch (...) {
    return out_of_memory();
}

Result<DeviceCellPaths> DeviceSearcher::find_paths(const DeviceGridIndex& index,
                                                   std::span<const grid::Request> requests,
                                                   const DeviceGridQuery& query,
                                                   const BuildControl& control) noexcept try {
    if (Status status = state_->check(index.device(), control); !status.ok())
        return tl::unexpected(std::move(status));
    if (query.cells > Cells::turning)
        return fail(StatusCode::bad_option, "there is no such choice of cells");
    if (query.engine > DeviceGridEngine::climb)
        return fail(StatusCode::bad_option, "there is no such engine for devices");
    const auto answer = [&]<class Arrays>(auto& batch, const LoadedIndex<Arrays>& loaded) {
        DeviceGridQuery with_engine = query;
        const bool has_labels = Arrays::has_labels(loaded.index);
        if (query.engine == DeviceGridEngine::cut_labels && !has_labels)
            return Result<DeviceItems>(fail(StatusCode::unsupported, kNoDeviceLabels));
        if (query.engine == DeviceGridEngine::automatic)
            with_engine.engine =
                has_labels ? DeviceGridEngine::cut_labels : DeviceGridEngine::climb;
        return state_->run(batch, loaded, requests, with_engine, control);
    };
    const auto& loaded = index.data().loaded;
    const auto* const hpa = std::get_if<LoadedIndex<HpaArrays>>(&loaded);
    const auto items = hpa != nullptr
                           ? answer(state_->hpa, *hpa)
                           : answer(state_->subgoal, std::get<LoadedIndex<SubgoalArrays>>(loaded));
    return items.map([](const DeviceItems& found) { return DeviceCellPaths{found}; });
} catch (...) {
    return out_of_memory();
}

const DeviceStatistics& DeviceSearcher::statistics() const noexcept { return state_->statistics; }

#ifndef CAIRN_CUDA
// Replaces cuda_machine.cu where Cairn is built without CUDA.

bool Device::built_for_gpus() noexcept { return false; }

Result<std::shared_ptr<Machine>> cuda_machine(const DeviceOptions& /*options*/) {
    return fail(StatusCode::no_device,
                "this build of Cairn has no CUDA: build it with -DCAIRN_CUDA=ON");
}
#endif

}  // namespace cairn::batch
