// A GPU: one warp, or one thread, answers a request.

#include <cuda_runtime_api.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "batch/device/grid/hpa_plan.hpp"
#include "batch/device/grid/subgoal_plan.hpp"
#include "batch/device/machine.hpp"
#include "batch/device/mesh/hng_kernel.hpp"
#include "batch/device/mesh/label_kernel.hpp"
#include "batch/device/mesh/polygon_kernel.hpp"
#include "batch/device/team.hpp"

namespace cairn::batch {
namespace {

constexpr unsigned kLanes = 32;
constexpr unsigned kAllLanes = 0xffff'ffff;
constexpr int kLeastCapability = 7'005;  // 1,000 times the major number and the minor one

/// A warp as a team; see team.hpp. Functions exist for the host as far as its compiler wants them.
class Warp {
public:
    [[nodiscard]] CAIRN_HOST_DEVICE static std::uint32_t lane() noexcept {
#ifdef __CUDA_ARCH__
        return threadIdx.x % kLanes;
#else
        return 0;
#endif
    }
    [[nodiscard]] CAIRN_HOST_DEVICE static constexpr std::uint32_t lanes() noexcept {
        return kLanes;
    }
    CAIRN_HOST_DEVICE void sync() const noexcept {
#ifdef __CUDA_ARCH__
        __syncwarp();
#endif
    }
    [[nodiscard]] CAIRN_HOST_DEVICE std::uint64_t least(std::uint64_t value) const noexcept {
#ifdef __CUDA_ARCH__
        for (unsigned far = kLanes / 2; far > 0; far /= 2) {
            const unsigned long long other =
                __shfl_xor_sync(kAllLanes, static_cast<unsigned long long>(value), far);
            value = other < value ? other : value;
        }
#endif
        return value;
    }
    [[nodiscard]] CAIRN_HOST_DEVICE std::uint64_t before(std::uint64_t value) const noexcept {
        return up_to(value) - value;
    }
    [[nodiscard]] CAIRN_HOST_DEVICE std::uint64_t sum(std::uint64_t value) const noexcept {
        return of_lane(up_to(value), kLanes - 1);
    }
    [[nodiscard]] CAIRN_HOST_DEVICE Chosen chosen([[maybe_unused]] bool mine) const noexcept {
#ifdef __CUDA_ARCH__
        const unsigned all = __ballot_sync(kAllLanes, mine);
        const unsigned lower = (1U << lane()) - 1;
        return {static_cast<std::uint32_t>(__popc(all & lower)),
                static_cast<std::uint32_t>(__popc(all))};
#else
        return {};
#endif
    }
    [[nodiscard]] CAIRN_HOST_DEVICE std::uint64_t first(std::uint64_t value) const noexcept {
        return of_lane(value, 0);
    }
    [[nodiscard]] CAIRN_HOST_DEVICE std::uint64_t claim(std::uint64_t& counter,
                                                        std::uint64_t count) const noexcept {
        return first(lane() == 0 ? OneLane().claim(counter, count) : 0);
    }

private:
    [[nodiscard]] CAIRN_HOST_DEVICE static std::uint64_t of_lane(
        std::uint64_t value, [[maybe_unused]] unsigned from) noexcept {
#ifdef __CUDA_ARCH__
        return __shfl_sync(kAllLanes, static_cast<unsigned long long>(value),
                           static_cast<int>(from));
#else
        return value;
#endif
    }
    /// The sum of the values of the lanes up to this one.
    [[nodiscard]] CAIRN_HOST_DEVICE static std::uint64_t up_to(std::uint64_t value) noexcept {
#ifdef __CUDA_ARCH__
        for (unsigned far = 1; far < kLanes; far *= 2) {
            const unsigned long long other =
                __shfl_up_sync(kAllLanes, static_cast<unsigned long long>(value), far);
            if (lane() >= far) value += other;
        }
#endif
        return value;
    }
};

constexpr unsigned kWarpsOfBlock = 4;

/// The number of this warp among all.
__device__ std::uint32_t warp_of_grid() {
    return blockIdx.x * kWarpsOfBlock + threadIdx.x / kLanes;
}
__device__ std::uint32_t warps_of_grid() { return gridDim.x * kWarpsOfBlock; }

/// One team a warp, or one a thread.
template <class Kernel, class Team, class Form>
__global__ void __launch_bounds__(kLanes* kWarpsOfBlock)
    run_kernel(const Form form, const KernelTask<Form> task, std::byte* scratch,
               std::size_t scratch_bytes) {
    const std::uint32_t in_warp = kLanes / Team::lanes();  // teams
    const std::uint32_t id = warp_of_grid() * in_warp + threadIdx.x % kLanes / Team::lanes();
    if (id >= task.count) return;
    answer_requests<Kernel>(form, task, Team(), scratch + id * scratch_bytes, id, task.count,
                            warps_of_grid() * in_warp);
}

/// How a kernel over some form is launched.
template <class Form>
struct Launch {
    void (*kernel)(Form, KernelTask<Form>, std::byte*, std::size_t) = nullptr;
    std::size_t scratch_bytes = 0;  // of a team
    unsigned teams_of_block = 0;
    unsigned blocks = 0;  // how many there is scratch for

    /// One team for each request; at least one block.
    [[nodiscard]] unsigned blocks_of(std::uint32_t requests) const noexcept {
        return std::max(1U, (requests + teams_of_block - 1) / teams_of_block);
    }
};

template <template <class> class Kernel, class Team, class Form>
Launch<Form> launch(const Form& form) {
    return {run_kernel<Kernel<Team>, Team, Form>, scratch_bytes<Kernel<Team>>(form),
            kWarpsOfBlock * kLanes / Team::lanes()};
}

Launch<HnaForm> launch_of(const HnaForm& form, const DeviceQuery& query) {
    const DeviceEngine engine = query.engine;
    if (engine == DeviceEngine::cut_labels) return launch<LabelKernel, Warp>(form);
    if (engine == DeviceEngine::pccp) return launch<HngKernel, OneLane>(form);
    if (engine == DeviceEngine::polygon_astar) return launch<PolygonKernel, OneLane>(form);
    return launch<HngKernel, Warp>(form);
}

Launch<SubgoalForm> launch_of(const SubgoalForm& form, const DeviceGridQuery& /*query*/) {
    return launch<SubgoalKernel, Warp>(form);
}
Launch<HpaForm> launch_of(const HpaForm& form, const DeviceGridQuery& /*query*/) {
    return launch<HpaKernel, Warp>(form);
}

__global__ void __launch_bounds__(kLanes* kWarpsOfBlock) lay_out_requests(const LayOutTask task) {
    const Warp team;
    for (std::uint32_t request = warp_of_grid(); request < task.count; request += warps_of_grid())
        lay_out_request(task, request, team);
}

/// Makes a GPU the current one of this thread for as long as it lives.
class Current {
public:
    explicit Current(int gpu) noexcept {
        cudaGetDevice(&before_);
        cudaSetDevice(gpu);
    }
    Current(const Current&) = delete;
    Current& operator=(const Current&) = delete;
    ~Current() { cudaSetDevice(before_); }

private:
    int before_ = 0;
};

class CudaMachine final : public Machine {
public:
    CudaMachine(std::uint64_t max_bytes, int gpu, const cudaDeviceProp& properties)
        : Machine(max_bytes), gpu_(gpu), properties_(properties) {}

    [[nodiscard]] bool is_gpu() const noexcept override { return true; }
    [[nodiscard]] std::string name() const override { return properties_.name; }
    void make(std::unique_ptr<Queue<HnaForm>>& queue) override;
    void make(std::unique_ptr<Queue<SubgoalForm>>& queue) override;
    void make(std::unique_ptr<Queue<HpaForm>>& queue) override;
    [[nodiscard]] void* take_host(std::size_t bytes) noexcept override {
        const Current current(gpu_);
        void* memory = nullptr;
        return cudaMallocHost(&memory, bytes) == cudaSuccess ? memory : forget_error();
    }
    void give_host(void* memory) noexcept override { cudaFreeHost(memory); }

    [[nodiscard]] int gpu() const noexcept { return gpu_; }
    /// Blocks of a kernel that run at once.
    template <class Kernel>
    [[nodiscard]] unsigned blocks(Kernel kernel) const noexcept {
        int of_processor = 0;
        cudaOccupancyMaxActiveBlocksPerMultiprocessor(&of_processor, kernel, kLanes * kWarpsOfBlock,
                                                      0);
        return static_cast<unsigned>(std::max(1, of_processor) * properties_.multiProcessorCount);
    }

private:
    void* allocate(std::size_t bytes) noexcept override {
        const Current current(gpu_);
        void* memory = nullptr;
        return cudaMalloc(&memory, bytes) == cudaSuccess ? memory : forget_error();
    }
    void release(void* memory) noexcept override {
        const Current current(gpu_);
        cudaFree(memory);
    }
    /// So that a later kernel launch does not report this error.
    [[nodiscard]] static void* forget_error() noexcept {
        static_cast<void>(cudaGetLastError());
        return nullptr;
    }

    int gpu_;
    cudaDeviceProp properties_;
};

template <class Form>
class CudaQueue final : public Queue<Form> {
public:
    explicit CudaQueue(CudaMachine& machine) : machine_(machine), scratch_(machine) {
        const Current current(machine.gpu());
        note(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    }
    CudaQueue(const CudaQueue&) = delete;
    CudaQueue& operator=(const CudaQueue&) = delete;
    ~CudaQueue() override {
        const Current current(machine_.gpu());
        if (stream_ == nullptr) return;
        cudaStreamSynchronize(stream_);
        cudaStreamDestroy(stream_);
    }

    void copy(void* to, const void* from, std::size_t bytes) override {
        const Current current(machine_.gpu());
        if (bytes > 0) note(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, stream_));
    }
    void answer(const Form& form, const KernelTask<Form>& task) override {
        const Current current(machine_.gpu());
        note(cudaMemsetAsync(task.used, 0, sizeof(*task.used), stream_));
        launch_.kernel<<<std::min(launch_.blocks, launch_.blocks_of(task.count)),
                         kLanes * kWarpsOfBlock, 0, stream_>>>(form, task, scratch_.data(),
                                                               launch_.scratch_bytes);
        note(cudaGetLastError());
    }
    void lay_out(const LayOutTask& task) override {
        const Current current(machine_.gpu());
        constexpr unsigned kMostBlocks = 1U << 16;
        const unsigned wanted = (task.count + kWarpsOfBlock - 1) / kWarpsOfBlock;
        lay_out_requests<<<std::max(1U, std::min(kMostBlocks, wanted)), kLanes * kWarpsOfBlock, 0,
                           stream_>>>(task);
        note(cudaGetLastError());
    }
    [[nodiscard]] Status wait() override {
        const Current current(machine_.gpu());
        note(cudaStreamSynchronize(stream_));
        const cudaError_t error = std::exchange(error_, cudaSuccess);
        if (error == cudaSuccess) return {};
        return {StatusCode::device_failed,
                machine_.name() + ": " + cudaGetErrorString(error) +
                    "; what has run on it since is lost: open the device anew"};
    }
    // As many teams as run at once and have requests; fewer where their scratch takes too much
    // memory.
    [[nodiscard]] bool reserve(const Form& form, const typename Form::Query& query,
                               std::uint32_t requests) override {
        const Current current(machine_.gpu());
        launch_ = launch_of(form, query);
        const std::size_t block_bytes = launch_.scratch_bytes * launch_.teams_of_block;
        launch_.blocks = std::min(machine_.blocks(launch_.kernel), launch_.blocks_of(requests));
        while (launch_.blocks > 0 && !scratch_.reserve(block_bytes * launch_.blocks))
            launch_.blocks /= 2;
        return launch_.blocks > 0;
    }
    void give_back() noexcept override { scratch_.clear(); }

private:
    /// Remembers the first error.
    void note(cudaError_t error) noexcept {
        if (error_ == cudaSuccess) error_ = error;
    }

    CudaMachine& machine_;
    cudaStream_t stream_ = nullptr;
    cudaError_t error_ = cudaSuccess;
    Launch<Form> launch_;
    MachineArray<std::byte> scratch_;
};

void CudaMachine::make(std::unique_ptr<Queue<HnaForm>>& queue) {
    queue = std::make_unique<CudaQueue<HnaForm>>(*this);
}
void CudaMachine::make(std::unique_ptr<Queue<SubgoalForm>>& queue) {
    queue = std::make_unique<CudaQueue<SubgoalForm>>(*this);
}
void CudaMachine::make(std::unique_ptr<Queue<HpaForm>>& queue) {
    queue = std::make_unique<CudaQueue<HpaForm>>(*this);
}

}  // namespace

bool Device::built_for_gpus() noexcept { return true; }

Result<std::shared_ptr<Machine>> cuda_machine(const DeviceOptions& options) {
    int count = 0;
    if (const cudaError_t error = cudaGetDeviceCount(&count); error != cudaSuccess || count == 0) {
        static_cast<void>(cudaGetLastError());
        return fail(StatusCode::no_device,
                    std::string("no GPU: ") +
                        (error != cudaSuccess ? cudaGetErrorString(error) : "CUDA knows of none"));
    }
    if (options.gpu >= count)
        return fail(StatusCode::no_device, "GPU " + std::to_string(options.gpu) + ": there are " +
                                               std::to_string(count) + " GPUs, counted from 0");
    cudaDeviceProp properties{};
    if (const cudaError_t error = cudaGetDeviceProperties(&properties, options.gpu);
        error != cudaSuccess)
        return fail(StatusCode::no_device, cudaGetErrorString(error));
    if (1'000 * properties.major + properties.minor < kLeastCapability)
        return fail(StatusCode::no_device, std::string(properties.name) + ": compute capability " +
                                               std::to_string(properties.major) + "." +
                                               std::to_string(properties.minor) + " is below 7.5");
    return std::make_shared<CudaMachine>(options.max_bytes, options.gpu, properties);
}

}  // namespace cairn::batch
