// In the place of CUDA where Cairn is built without it.

#ifndef CAIRN_CUDA

#include "batch/device/machine.hpp"

namespace cairn::batch {

bool Device::built_for_gpus() noexcept { return false; }

Result<std::shared_ptr<Machine>> cuda_machine(const DeviceOptions& /*options*/) {
    return fail(StatusCode::no_device,
                "this build of Cairn has no CUDA: build it with -DCAIRN_CUDA=ON");
}

}  // namespace cairn::batch

#endif
