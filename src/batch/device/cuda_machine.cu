// A machine that is a CUDA GPU: device memory, a stream for each queue, and the launches of
// kernels. Blocks and grids have one dimension. A team is a warp or a single thread.

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

constexpr unsigned kLanes = 32;              // threads of a warp
constexpr unsigned kAllLanes = 0xffff'ffff;  // a mask with a bit for each lane
constexpr int kLeastCapability = 7'005;      // 7.5, as 1,000 * major + minor

/// A warp as a team; see team.hpp. All 32 lanes take part in each function. nvcc also compiles the
/// host's versions, because kernels are CAIRN_HOST_DEVICE, but nothing calls them.
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
        for (unsigned distance = kLanes / 2; distance > 0; distance /= 2) {
            const unsigned long long other =
                __shfl_xor_sync(kAllLanes, static_cast<unsigned long long>(value), distance);
            value = other < value ? other : value;
        }
#endif
        return value;
    }
    [[nodiscard]] CAIRN_HOST_DEVICE std::uint64_t sum_before(std::uint64_t value) const noexcept {
        return prefix_sum(value) - value;
    }
    [[nodiscard]] CAIRN_HOST_DEVICE std::uint64_t sum(std::uint64_t value) const noexcept {
        return of_lane(prefix_sum(value), kLanes - 1);
    }
    [[nodiscard]] CAIRN_HOST_DEVICE LaneCount count([[maybe_unused]] bool holds) const noexcept {
#ifdef __CUDA_ARCH__
        const unsigned all = __ballot_sync(kAllLanes, holds);
        const unsigned lower = (1U << lane()) - 1;
        return {static_cast<std::uint32_t>(__popc(all & lower)),
                static_cast<std::uint32_t>(__popc(all))};
#else
        return {};
#endif
    }
    [[nodiscard]] CAIRN_HOST_DEVICE std::uint64_t broadcast(std::uint64_t value) const noexcept {
        return of_lane(value, 0);
    }
    [[nodiscard]] CAIRN_HOST_DEVICE std::uint64_t claim(std::uint64_t& counter,
                                                        std::uint64_t count) const noexcept {
        return broadcast(lane() == 0 ? OneLane().claim(counter, count) : 0);
    }

private:
    /// Gives all lanes the value of lane `source`.
    [[nodiscard]] CAIRN_HOST_DEVICE static std::uint64_t of_lane(
        std::uint64_t value, [[maybe_unused]] unsigned source) noexcept {
#ifdef __CUDA_ARCH__
        return __shfl_sync(kAllLanes, static_cast<unsigned long long>(value),
                           static_cast<int>(source));
#else
        return value;
#endif
    }
    /// The sum of the values of this lane and those with a lower number.
    [[nodiscard]] CAIRN_HOST_DEVICE static std::uint64_t prefix_sum(std::uint64_t value) noexcept {
#ifdef __CUDA_ARCH__
        for (unsigned distance = 1; distance < kLanes; distance *= 2) {
            const unsigned long long other =
                __shfl_up_sync(kAllLanes, static_cast<unsigned long long>(value), distance);
            if (lane() >= distance) value += other;
        }
#endif
        return value;
    }
};

constexpr unsigned kWarpsPerBlock = 4;

/// The number of this thread's warp in the grid.
__device__ std::uint32_t warp_of_grid() {
    return blockIdx.x * kWarpsPerBlock + threadIdx.x / kLanes;
}
__device__ std::uint32_t warps_of_grid() { return gridDim.x * kWarpsPerBlock; }

/// Team number i of the grid answers the requests i, i + the teams of the grid, and so on. Its
/// scratch begins at byte i * scratch_bytes of `scratch`.
template <class Kernel, class Team, class Form>
__global__ void __launch_bounds__(kLanes* kWarpsPerBlock)
    run_kernel(const Form form, const KernelTask<Form> task, std::byte* scratch,
               std::size_t scratch_bytes) {
    const std::uint32_t teams_per_warp = kLanes / Team::lanes();
    const std::uint32_t id = warp_of_grid() * teams_per_warp + threadIdx.x % kLanes / Team::lanes();
    if (id >= task.count) return;  // whole teams
    answer_requests<Kernel>(form, task, Team(), scratch + id * scratch_bytes, id, task.count,
                            warps_of_grid() * teams_per_warp);
}

/// A kernel over some form, and the size of its launch.
template <class Form>
struct Launch {
    void (*kernel)(Form, KernelTask<Form>, std::byte*, std::size_t) = nullptr;
    std::size_t scratch_bytes = 0;  // of a team
    unsigned teams_per_block = 0;
    unsigned blocks = 0;  // the most that may run: there is scratch for so many

    /// The blocks that give each request a team; at least one.
    [[nodiscard]] unsigned blocks_for(std::uint32_t requests) const noexcept {
        return std::max(1U, (requests + teams_per_block - 1) / teams_per_block);
    }
};

template <template <class> class Kernel, class Team, class Form>
Launch<Form> make_launch(const Form& form) {
    return {run_kernel<Kernel<Team>, Team, Form>, scratch_bytes<Kernel<Team>>(form),
            kWarpsPerBlock * kLanes / Team::lanes()};
}

/// The kernel and the kind of team that answer a query. Blocks are not counted yet.
Launch<HnaForm> launch_of(const HnaForm& form, const DeviceQuery& query) {
    const DeviceEngine engine = query.engine;
    if (engine == DeviceEngine::cut_labels) return make_launch<LabelKernel, Warp>(form);
    if (engine == DeviceEngine::pccp) return make_launch<HngKernel, OneLane>(form);
    if (engine == DeviceEngine::polygon_astar) return make_launch<PolygonKernel, OneLane>(form);
    return make_launch<HngKernel, Warp>(form);
}

Launch<SubgoalForm> launch_of(const SubgoalForm& form, const DeviceGridQuery& /*query*/) {
    return make_launch<SubgoalKernel, Warp>(form);
}
Launch<HpaForm> launch_of(const HpaForm& form, const DeviceGridQuery& /*query*/) {
    return make_launch<HpaKernel, Warp>(form);
}

/// A warp copies the path of one request at a time.
__global__ void __launch_bounds__(kLanes* kWarpsPerBlock) lay_out_requests(const LayOutTask task) {
    const Warp team;
    for (std::uint32_t request = warp_of_grid(); request < task.count; request += warps_of_grid())
        lay_out_request(task, request, team);
}

/// Makes a GPU the calling thread's current device, and restores the former one when destroyed.
class DeviceGuard {
public:
    explicit DeviceGuard(int gpu) noexcept {
        cudaGetDevice(&former_);
        cudaSetDevice(gpu);
    }
    DeviceGuard(const DeviceGuard&) = delete;
    DeviceGuard& operator=(const DeviceGuard&) = delete;
    ~DeviceGuard() { cudaSetDevice(former_); }

private:
    int former_ = 0;
};

class CudaMachine final : public Machine {
public:
    CudaMachine(std::uint64_t max_bytes, int gpu, const cudaDeviceProp& properties)
        : Machine(max_bytes), gpu_(gpu), properties_(properties) {}

    [[nodiscard]] bool is_gpu() const noexcept override { return true; }
    [[nodiscard]] std::string name() const override { return properties_.name; }
    void make_queue(std::unique_ptr<Queue<HnaForm>>& queue) override;
    void make_queue(std::unique_ptr<Queue<SubgoalForm>>& queue) override;
    void make_queue(std::unique_ptr<Queue<HpaForm>>& queue) override;
    [[nodiscard]] void* allocate_host(std::size_t bytes) noexcept override {
        const DeviceGuard guard(gpu_);
        void* memory = nullptr;
        return cudaMallocHost(&memory, bytes) == cudaSuccess ? memory : null_after_error();
    }
    void release_host(void* memory) noexcept override { cudaFreeHost(memory); }

    [[nodiscard]] int gpu() const noexcept { return gpu_; }
    /// The most blocks of a kernel that are resident on the GPU at once.
    template <class Kernel>
    [[nodiscard]] unsigned resident_blocks(Kernel kernel) const noexcept {
        int per_multiprocessor = 0;
        cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_multiprocessor, kernel,
                                                      kLanes * kWarpsPerBlock, 0);
        return static_cast<unsigned>(std::max(1, per_multiprocessor) *
                                     properties_.multiProcessorCount);
    }

private:
    void* allocate_device(std::size_t bytes) noexcept override {
        const DeviceGuard guard(gpu_);
        void* memory = nullptr;
        return cudaMalloc(&memory, bytes) == cudaSuccess ? memory : null_after_error();
    }
    void release_device(void* memory) noexcept override {
        const DeviceGuard guard(gpu_);
        cudaFree(memory);
    }
    /// Clears CUDA's last error: else the check after the next kernel launch would report it.
    [[nodiscard]] static void* null_after_error() noexcept {
        static_cast<void>(cudaGetLastError());
        return nullptr;
    }

    int gpu_;
    cudaDeviceProp properties_;
};

/// A queue that is one stream.
template <class Form>
class CudaQueue final : public Queue<Form> {
public:
    explicit CudaQueue(CudaMachine& machine) : machine_(machine), scratch_(machine) {
        const DeviceGuard guard(machine.gpu());
        note(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    }
    CudaQueue(const CudaQueue&) = delete;
    CudaQueue& operator=(const CudaQueue&) = delete;
    ~CudaQueue() override {
        const DeviceGuard guard(machine_.gpu());
        if (stream_ == nullptr) return;
        cudaStreamSynchronize(stream_);
        cudaStreamDestroy(stream_);
    }

    void copy(void* to, const void* from, std::size_t bytes) override {
        const DeviceGuard guard(machine_.gpu());
        if (bytes > 0) note(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, stream_));
    }
    void answer(const Form& form, const KernelTask<Form>& task) override {
        const DeviceGuard guard(machine_.gpu());
        note(cudaMemsetAsync(task.used, 0, sizeof(*task.used), stream_));
        launch_.kernel<<<std::min(launch_.blocks, launch_.blocks_for(task.count)),
                         kLanes * kWarpsPerBlock, 0, stream_>>>(form, task, scratch_.data(),
                                                                launch_.scratch_bytes);
        note(cudaGetLastError());
    }
    void lay_out(const LayOutTask& task) override {
        const DeviceGuard guard(machine_.gpu());
        constexpr unsigned kMostBlocks = 1U << 16;  // if more are wanted, warps copy several paths
        const unsigned wanted = (task.count + kWarpsPerBlock - 1) / kWarpsPerBlock;
        lay_out_requests<<<std::max(1U, std::min(kMostBlocks, wanted)), kLanes * kWarpsPerBlock, 0,
                           stream_>>>(task);
        note(cudaGetLastError());
    }
    [[nodiscard]] Status wait() override {
        const DeviceGuard guard(machine_.gpu());
        note(cudaStreamSynchronize(stream_));
        const cudaError_t error = std::exchange(error_, cudaSuccess);
        if (error == cudaSuccess) return {};
        return {StatusCode::device_failed,
                machine_.name() + ": " + cudaGetErrorString(error) +
                    "; the queued work is lost. After some errors CUDA needs a new process"};
    }
    // Makes scratch for the blocks that are resident at once, or for fewer if those answer all
    // requests. Halves their number while the memory does not suffice.
    [[nodiscard]] bool reserve(const Form& form, const typename Form::Query& query,
                               std::uint32_t requests) override {
        const DeviceGuard guard(machine_.gpu());
        launch_ = launch_of(form, query);
        const std::size_t block_bytes = launch_.scratch_bytes * launch_.teams_per_block;
        launch_.blocks =
            std::min(machine_.resident_blocks(launch_.kernel), launch_.blocks_for(requests));
        while (launch_.blocks > 0 && !scratch_.reserve(block_bytes * launch_.blocks))
            launch_.blocks /= 2;
        return launch_.blocks > 0;
    }
    void release() noexcept override { scratch_.clear(); }

private:
    /// Keeps the first error since the last wait().
    void note(cudaError_t error) noexcept {
        if (error_ == cudaSuccess) error_ = error;
    }

    CudaMachine& machine_;
    cudaStream_t stream_ = nullptr;
    cudaError_t error_ = cudaSuccess;
    Launch<Form> launch_;
    MachineArray<std::byte> scratch_;
};

void CudaMachine::make_queue(std::unique_ptr<Queue<HnaForm>>& queue) {
    queue = std::make_unique<CudaQueue<HnaForm>>(*this);
}
void CudaMachine::make_queue(std::unique_ptr<Queue<SubgoalForm>>& queue) {
    queue = std::make_unique<CudaQueue<SubgoalForm>>(*this);
}
void CudaMachine::make_queue(std::unique_ptr<Queue<HpaForm>>& queue) {
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
                        (error != cudaSuccess ? cudaGetErrorString(error) : "CUDA finds none"));
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
