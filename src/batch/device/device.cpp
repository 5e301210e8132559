#include "cairn/batch/device.hpp"

#include <fmt/format.h>

#include <memory>
#include <utility>

#include "batch/device/loaded_index.hpp"
#include "batch/device/machine.hpp"
#include "core/guarded.hpp"
#include "core/threads.hpp"

namespace cairn::batch {

Result<Device> Device::open(const DeviceOptions& options) {
    if (options.gpu < 0)
        return fail(StatusCode::bad_option, fmt::format("GPU {}: must be 0 or more", options.gpu));
    BuildControl control;
    control.threads = options.threads;
    if (Status s = check_threads(control); !s.ok()) return tl::unexpected(std::move(s));
    if (options.kind != DeviceKind::host) {
        auto machine = cuda_machine(options);
        if (machine) return Device(*std::move(machine));
        if (options.kind == DeviceKind::gpu) return tl::unexpected(std::move(machine.error()));
    }
    return Device(host_machine(options));
}

bool Device::is_gpu() const noexcept { return machine_->is_gpu(); }
std::string Device::name() const { return machine_->name(); }
std::uint64_t Device::bytes_in_use() const noexcept { return machine_->in_use(); }

Result<DeviceIndex> DeviceIndex::load(const Device& device, const hna::Index& index) {
    return guarded([&]() -> Result<DeviceIndex> {
        auto data = std::make_shared<Data>(device, index);
        if (Status status = data->load(); !status.ok()) return tl::unexpected(std::move(status));
        return DeviceIndex(std::move(data));
    });
}

const hna::Index& DeviceIndex::index() const noexcept { return data_->arrays.index(); }
const Device& DeviceIndex::device() const noexcept { return data_->device; }
std::size_t DeviceIndex::bytes() const noexcept { return data_->memory.room(); }

namespace {

template <class Arrays>
Result<std::unique_ptr<LoadedIndex<Arrays>>> load_index(const Device& device,
                                                        const typename Arrays::Index& index) {
    if (Status status = Arrays::check(index); !status.ok())
        return tl::unexpected(std::move(status));
    auto loaded = std::make_unique<LoadedIndex<Arrays>>(device, index);
    if (Status status = loaded->load(); !status.ok()) return tl::unexpected(std::move(status));
    return loaded;
}

}  // namespace

Result<DeviceGridIndex> DeviceGridIndex::load(const Device& device, const subgoal::Index& index) {
    return guarded([&]() -> Result<DeviceGridIndex> {
        auto loaded = load_index<SubgoalArrays>(device, index);
        if (!loaded) return tl::unexpected(std::move(loaded.error()));
        const std::size_t bytes = (*loaded)->memory.room();
        return DeviceGridIndex(
            std::make_shared<Data>(Data{device, index.map(), bytes, *std::move(loaded), nullptr}));
    });
}

Result<DeviceGridIndex> DeviceGridIndex::load(const Device& device, const hpa::Index& index) {
    return guarded([&]() -> Result<DeviceGridIndex> {
        auto loaded = load_index<HpaArrays>(device, index);
        if (!loaded) return tl::unexpected(std::move(loaded.error()));
        const std::size_t bytes = (*loaded)->memory.room();
        return DeviceGridIndex(
            std::make_shared<Data>(Data{device, index.map(), bytes, nullptr, *std::move(loaded)}));
    });
}

const grid::Map& DeviceGridIndex::map() const noexcept { return data_->map; }
const Device& DeviceGridIndex::device() const noexcept { return data_->device; }
std::size_t DeviceGridIndex::bytes() const noexcept { return data_->bytes; }

}  // namespace cairn::batch
