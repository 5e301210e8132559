#include "cairn/batch/device.hpp"

#include <fmt/format.h>

#include <utility>

#include "batch/device/device_index.hpp"
#include "batch/device/machine.hpp"

namespace cairn::batch {

Result<Device> Device::open(const DeviceOptions& options) {
    if (options.gpu < 0 || options.threads < 0)
        return fail(StatusCode::bad_option, fmt::format("GPU {} and {} threads: must be 0 or more",
                                                        options.gpu, options.threads));
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
    auto data = std::make_shared<Data>(device, index);
    // Arrays begin at addresses that suit copies and kernels best.
    constexpr std::size_t kAlignment = 256;
    const auto rounded = [](std::size_t bytes) {
        return (bytes + kAlignment - 1) / kAlignment * kAlignment;
    };
    std::size_t bytes = 0;
    for_each_array(data->form, [&](const auto& span) { bytes += rounded(span.size_bytes()); });
    if (!data->memory.reserve(bytes))
        return fail(StatusCode::out_of_memory,
                    fmt::format("the index takes {} bytes of the device's memory, which does not "
                                "have so many left",
                                bytes));
    const std::unique_ptr<Queue> queue = device.machine()->new_queue();
    std::byte* at = data->memory.data();
    for_each_array(data->form, [&]<class T>(std::span<const T>& span) {
        if (!span.empty()) queue->copy_in(at, span.data(), span.size_bytes());
        span = {reinterpret_cast<const T*>(at), span.size()};
        at += rounded(span.size_bytes());
    });
    if (Status status = queue->wait(); !status.ok()) return tl::unexpected(std::move(status));
    return DeviceIndex(std::move(data));
}

const hna::Index& DeviceIndex::index() const noexcept { return data_->arrays.index(); }
const Device& DeviceIndex::device() const noexcept { return data_->device; }
std::size_t DeviceIndex::bytes() const noexcept { return data_->memory.room(); }

}  // namespace cairn::batch
