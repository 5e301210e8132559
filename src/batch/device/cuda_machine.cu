// A machine that is a CUDA GPU: device memory, a stream for each queue, and the launches of
// kernels. Blocks and grids have one dimension. A team is a warp or a single thread.

#include <cuda.h>
#include <cuda_runtime.h>
#include <cudaTypedefs.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "batch/device/cuda_fault.hpp"
#include "batch/device/grid/hpa_plan.hpp"
#include "batch/device/grid/subgoal_plan.hpp"
#include "batch/device/machine.hpp"
#include "batch/device/mesh/hng_kernel.hpp"
#include "batch/device/mesh/level_one_kernel.hpp"
#include "batch/device/mesh/polygon_kernel.hpp"
#include "batch/device/probe.hpp"
#include "batch/device/team.hpp"
#include "core/guarded.hpp"

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
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
        const auto high = static_cast<unsigned>(value >> 32);
        const unsigned least_high = __reduce_min_sync(kAllLanes, high);
        const unsigned low = high == least_high ? static_cast<unsigned>(value) : ~0U;
        value = std::uint64_t{least_high} << 32 | __reduce_min_sync(kAllLanes, low);
#elif defined(__CUDA_ARCH__)
        for (unsigned distance = kLanes / 2; distance > 0; distance /= 2) {
            const unsigned long long other =
                __shfl_xor_sync(kAllLanes, static_cast<unsigned long long>(value), distance);
            value = other < value ? other : value;
        }
#endif
        return value;
    }
    [[nodiscard]] CAIRN_HOST_DEVICE LaneSum sum(std::uint64_t value) const noexcept {
        std::uint64_t up_to_here = value;
#ifdef __CUDA_ARCH__
        for (unsigned distance = 1; distance < kLanes; distance *= 2) {
            const unsigned long long other =
                __shfl_up_sync(kAllLanes, static_cast<unsigned long long>(up_to_here), distance);
            if (lane() >= distance) up_to_here += other;
        }
#endif
        return {up_to_here - value, of_lane(up_to_here, kLanes - 1)};
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
};

constexpr unsigned kWarpsPerBlock = 4;
/// Blocks of a kernel that a multiprocessor can hold at least: limits the registers of a thread.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
constexpr unsigned kResidentBlocks = 8;  // all 1,024 threads; 64 registers
#else
constexpr unsigned kResidentBlocks = 9;  // 56 registers
#endif

/// The number of this thread's warp in the grid.
__device__ std::uint32_t warp_of_grid() {
    return blockIdx.x * kWarpsPerBlock + threadIdx.x / kLanes;
}
__device__ std::uint32_t warps_of_grid() { return gridDim.x * kWarpsPerBlock; }

/// Team number i of the grid answers the requests i, i + the teams of the grid, and so on. Its
/// scratch begins at byte i * scratch_bytes of `scratch`.
template <class Kernel, class Team, class Form>
__global__ void __launch_bounds__(kLanes* kWarpsPerBlock, kResidentBlocks)
    run_kernel(const __grid_constant__ Form form, const KernelTask<Form> task, std::byte* scratch,
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
    if (engine == DeviceEngine::climb) return make_launch<ClimbKernel, Warp>(form);
    if (engine == DeviceEngine::pccp) return make_launch<HngKernel, OneLane>(form);
    if (engine == DeviceEngine::polygon_astar) return make_launch<PolygonKernel, OneLane>(form);
    return make_launch<HngKernel, Warp>(form);
}

Launch<SubgoalForm> launch_of(const SubgoalForm& form, const DeviceGridQuery& query) {
    if (query.engine == DeviceGridEngine::climb) return make_launch<SubgoalClimbKernel, Warp>(form);
    return make_launch<SubgoalKernel, Warp>(form);
}
Launch<HpaForm> launch_of(const HpaForm& form, const DeviceGridQuery& query) {
    if (query.engine == DeviceGridEngine::climb) return make_launch<HpaClimbKernel, Warp>(form);
    return make_launch<HpaKernel, Warp>(form);
}

/// A warp copies the path of one request at a time.
__global__ void __launch_bounds__(kLanes* kWarpsPerBlock) lay_out_requests(const LayOutTask task) {
    const Warp team;
    for (std::uint32_t request = warp_of_grid(); request < task.count; request += warps_of_grid())
        lay_out_request(task, request, team);
}

/// Every warp of the grid is a team of the probe.
__global__ void __launch_bounds__(kLanes* kWarpsPerBlock)
    run_probe(LaneProbe* results, std::uint64_t* written, std::uint64_t* counter) {
    const std::uint32_t first = warp_of_grid() * kLanes;
    probe_team(Warp(), results + first, written + first, *counter);
}

// The numbers of cuda_fault.hpp are those of the runtime.
static_assert(cuda_fault(cudaErrorMemoryAllocation) == CudaFault::out_of_memory);
static_assert(cuda_fault(cudaErrorNoDevice) == CudaFault::no_gpu &&
              cuda_fault(cudaErrorInvalidDevice) == CudaFault::no_gpu &&
              cuda_fault(cudaErrorInsufficientDriver) == CudaFault::no_gpu &&
              cuda_fault(cudaErrorCallRequiresNewerDriver) == CudaFault::no_gpu &&
              cuda_fault(cudaErrorInvalidDeviceFunction) == CudaFault::no_gpu &&
              cuda_fault(cudaErrorNoKernelImageForDevice) == CudaFault::no_gpu &&
              cuda_fault(cudaErrorInvalidPtx) == CudaFault::no_gpu &&
              cuda_fault(cudaErrorUnsupportedPtxVersion) == CudaFault::no_gpu &&
              cuda_fault(cudaErrorJitCompilerNotFound) == CudaFault::no_gpu &&
              cuda_fault(cudaErrorJitCompilationDisabled) == CudaFault::no_gpu &&
              cuda_fault(cudaErrorSystemDriverMismatch) == CudaFault::no_gpu &&
              cuda_fault(cudaErrorCompatNotSupportedOnDevice) == CudaFault::no_gpu);
static_assert(cuda_fault(cudaErrorIllegalAddress) == CudaFault::lasting &&
              cuda_fault(cudaErrorLaunchTimeout) == CudaFault::lasting &&
              cuda_fault(cudaErrorAssert) == CudaFault::lasting &&
              cuda_fault(cudaErrorHardwareStackError) == CudaFault::lasting &&
              cuda_fault(cudaErrorIllegalInstruction) == CudaFault::lasting &&
              cuda_fault(cudaErrorMisalignedAddress) == CudaFault::lasting &&
              cuda_fault(cudaErrorInvalidAddressSpace) == CudaFault::lasting &&
              cuda_fault(cudaErrorInvalidPc) == CudaFault::lasting &&
              cuda_fault(cudaErrorLaunchFailure) == CudaFault::lasting &&
              cuda_fault(cudaErrorECCUncorrectable) == CudaFault::lasting &&
              cuda_fault(cudaErrorNvlinkUncorrectable) == CudaFault::lasting &&
              cuda_fault(cudaErrorContextIsDestroyed) == CudaFault::lasting);
static_assert(cuda_fault(cudaErrorLaunchOutOfResources) == CudaFault::passing &&
              cuda_fault(cudaErrorInvalidValue) == CudaFault::passing);

/// The driver's primary context of a GPU, which the runtime uses too. The functions are taken from
/// the driver at run time, so that programs start where there is none.
///
/// cudaSetDevice would not do: setting a thread's former GPU again makes a context on it, also if
/// the thread has never used that GPU.
class Context {
public:
    /// Makes the context of a GPU, or shares it if it exists. It lives as long as the process, like
    /// those that the runtime makes: others may have begun to use it.
    [[nodiscard]] cudaError_t open(int gpu) noexcept {
        PFN_cuDeviceGet_v2000 get = nullptr;
        PFN_cuDevicePrimaryCtxRetain_v7000 retain = nullptr;
        cudaError_t error = find("cuDeviceGet", 2'000, get);
        if (error == cudaSuccess) error = find("cuDevicePrimaryCtxRetain", 7'000, retain);
        if (error == cudaSuccess) error = find("cuCtxPushCurrent", 4'000, push_);
        if (error == cudaSuccess) error = find("cuCtxPopCurrent", 4'000, pop_);
        CUdevice device = 0;
        if (error == cudaSuccess) error = runtime_error(get(&device, gpu));
        if (error == cudaSuccess) error = runtime_error(retain(&context_, device));
        return error;
    }

    /// Makes the context current in this thread for as long as it lives.
    class Current {
    public:
        explicit Current(const Context& context) noexcept
            : context_(context), error_(runtime_error(context.push_(context.context_))) {}
        Current(const Current&) = delete;
        Current& operator=(const Current&) = delete;
        ~Current() {
            CUcontext popped = nullptr;
            if (error_ == cudaSuccess) context_.pop_(&popped);
        }
        /// If it is not success, the context is not current.
        [[nodiscard]] cudaError_t error() const noexcept { return error_; }

    private:
        const Context& context_;
        cudaError_t error_;
    };

private:
    /// The driver's errors have the numbers of the runtime's.
    [[nodiscard]] static cudaError_t runtime_error(CUresult error) noexcept {
        return static_cast<cudaError_t>(error);
    }
    /// Sets `function` to a function of the driver as it is since a version of CUDA.
    template <class Function>
    [[nodiscard]] static cudaError_t find(const char* name, [[maybe_unused]] unsigned version,
                                          Function& function) noexcept {
        void* found = nullptr;
        cudaDriverEntryPointQueryResult result{};
#if CUDART_VERSION >= 12'050
        const cudaError_t error =
            cudaGetDriverEntryPointByVersion(name, &found, version, cudaEnableDefault, &result);
#else
        const cudaError_t error = cudaGetDriverEntryPoint(name, &found, cudaEnableDefault, &result);
#endif
        function = reinterpret_cast<Function>(found);
        return error == cudaSuccess && found == nullptr ? cudaErrorCallRequiresNewerDriver : error;
    }

    CUcontext context_ = nullptr;
    PFN_cuCtxPushCurrent_v4000 push_ = nullptr;
    PFN_cuCtxPopCurrent_v4000 pop_ = nullptr;
};

/// What the runtime knows about a compiled kernel.
template <class Kernel>
cudaError_t describe_kernel(const char* name, Kernel kernel, DeviceKernel& out) {
    cudaFuncAttributes attributes{};
    cudaError_t error = cudaFuncGetAttributes(&attributes, kernel);
    int resident = 0;
    if (error == cudaSuccess)
        error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, kernel,
                                                              kLanes * kWarpsPerBlock, 0);
    out.name = name;
    out.registers = attributes.numRegs;
    out.local_bytes = attributes.localSizeBytes;
    out.shared_bytes = attributes.sharedSizeBytes;
    out.block_threads = kLanes * kWarpsPerBlock;
    out.resident_blocks = resident;
    out.code_version = attributes.binaryVersion;
    out.ptx_version = attributes.ptxVersion;
    return error;
}

class CudaMachine final : public Machine {
public:
    CudaMachine(std::uint64_t max_bytes, const Context& context, const cudaDeviceProp& properties)
        : Machine(max_bytes), context_(context), properties_(properties) {}

    [[nodiscard]] bool is_gpu() const noexcept override { return true; }
    [[nodiscard]] std::string name() const override { return properties_.name; }
    [[nodiscard]] std::vector<DeviceProperty> properties() const override;
    [[nodiscard]] std::vector<DeviceKernel> kernels() const override;
    [[nodiscard]] Status failure() const override {
        return failure_of(static_cast<cudaError_t>(lasting_.load()));
    }
    void make_queue(std::unique_ptr<Queue<HnaForm>>& queue) override;
    void make_queue(std::unique_ptr<Queue<SubgoalForm>>& queue) override;
    void make_queue(std::unique_ptr<Queue<HpaForm>>& queue) override;
    [[nodiscard]] Status allocate_host(std::size_t bytes, void*& memory) noexcept override {
        return guarded(
            [&] { return failure_of(on_gpu([&] { return cudaMallocHost(&memory, bytes); })); });
    }
    void release_host(void* memory) noexcept override {
        on_gpu([&] { return cudaFreeHost(memory); });
    }

    /// Runs the probe. Errors: no_device; out_of_memory; device_failed.
    [[nodiscard]] Status probe();

    /// Runs `work`, which calls CUDA and returns its error, with this GPU current. After a lasting
    /// error it does nothing but return that error again.
    template <class Work>
    cudaError_t on_gpu(Work&& work) const {
        if (const int error = lasting_; error != cudaSuccess)
            return static_cast<cudaError_t>(error);
        const Context::Current current(context_);
        if (current.error() != cudaSuccess) return note(current.error());
        const cudaError_t error = note(work());
        // Else the thread's next cudaGetLastError, which may be the caller's own, would report it.
        if (error != cudaSuccess) static_cast<void>(cudaGetLastError());
        return error;
    }

    /// The status of a call, with CUDA's message if it failed.
    [[nodiscard]] Status status_of(cudaError_t error) const {
        const CudaFault fault = cuda_fault(error);
        if (fault == CudaFault::none) return {};
        std::string message = name() + ": " + cudaGetErrorString(error) + " (CUDA error " +
                              std::to_string(static_cast<int>(error)) + ")";
        if (fault == CudaFault::lasting)
            message +=
                "; after it CUDA does no more work for this process: start the program again";
        return {batch::status_of(fault), std::move(message)};
    }

    /// The same once the GPU has passed its probe: then it is there.
    [[nodiscard]] Status failure_of(cudaError_t error) const {
        Status status = status_of(error);
        if (status.code == StatusCode::no_device) status.code = StatusCode::device_failed;
        return status;
    }

    /// The most blocks of a kernel that are resident on the GPU at once. Call it in on_gpu().
    template <class Kernel>
    [[nodiscard]] unsigned resident_blocks(Kernel kernel) const noexcept {
        int per_multiprocessor = 0;
        cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_multiprocessor, kernel,
                                                      kLanes * kWarpsPerBlock, 0);
        return static_cast<unsigned>(std::max(1, per_multiprocessor) *
                                     properties_.multiProcessorCount);
    }

private:
    Status allocate_device(std::size_t bytes, void*& memory) noexcept override {
        return guarded(
            [&] { return failure_of(on_gpu([&] { return cudaMalloc(&memory, bytes); })); });
    }
    void release_device(void* memory) noexcept override {
        on_gpu([&] { return cudaFree(memory); });
    }
    /// Keeps the first lasting error.
    cudaError_t note(cudaError_t error) const noexcept {
        int none = cudaSuccess;
        if (cuda_fault(error) == CudaFault::lasting) lasting_.compare_exchange_strong(none, error);
        return error;
    }

    Context context_;
    cudaDeviceProp properties_;
    mutable std::atomic<int> lasting_{cudaSuccess};
};

std::vector<DeviceProperty> CudaMachine::properties() const {
    const auto version = [](int number) {
        return std::to_string(number / 1'000) + "." + std::to_string(number % 1'000 / 10);
    };
    int driver = 0;
    int runtime = 0;
    on_gpu([&] {
        const cudaError_t error = cudaDriverGetVersion(&driver);
        return error == cudaSuccess ? cudaRuntimeGetVersion(&runtime) : error;
    });
    return {
        {"compute capability",
         std::to_string(properties_.major) + "." + std::to_string(properties_.minor)},
        {"multiprocessors", std::to_string(properties_.multiProcessorCount)},
        {"threads of a multiprocessor", std::to_string(properties_.maxThreadsPerMultiProcessor)},
        {"registers of a multiprocessor", std::to_string(properties_.regsPerMultiprocessor)},
        {"memory, bytes", std::to_string(properties_.totalGlobalMem)},
        {"L2 cache, bytes", std::to_string(properties_.l2CacheSize)},
        {"memory bus, bits", std::to_string(properties_.memoryBusWidth)},
        {"copy engines", std::to_string(properties_.asyncEngineCount)},
        {"ECC", properties_.ECCEnabled != 0 ? "on" : "off"},
        {"CUDA of the driver", version(driver)},
        {"CUDA of this build", version(runtime)},
    };
}

std::vector<DeviceKernel> CudaMachine::kernels() const {
    std::vector<DeviceKernel> kernels;
    on_gpu([&] {
        cudaError_t error = cudaSuccess;
        const auto add = [&](const char* name, auto kernel) {
            DeviceKernel found;
            const cudaError_t its_error = describe_kernel(name, kernel, found);
            if (error == cudaSuccess) error = its_error;
            found.occupancy = static_cast<double>(found.resident_blocks * found.block_threads) /
                              properties_.maxThreadsPerMultiProcessor;
            if (its_error == cudaSuccess) kernels.push_back(std::move(found));
        };
        add("hna cut_labels", run_kernel<LabelKernel<Warp>, Warp, HnaForm>);
        add("hna climb", run_kernel<ClimbKernel<Warp>, Warp, HnaForm>);
        add("hna pccp", run_kernel<HngKernel<OneLane>, OneLane, HnaForm>);
        add("hna parallel_connect", run_kernel<HngKernel<Warp>, Warp, HnaForm>);
        add("hna polygon_astar", run_kernel<PolygonKernel<OneLane>, OneLane, HnaForm>);
        add("subgoal cut_labels", run_kernel<SubgoalKernel<Warp>, Warp, SubgoalForm>);
        add("subgoal climb", run_kernel<SubgoalClimbKernel<Warp>, Warp, SubgoalForm>);
        add("hpa cut_labels", run_kernel<HpaKernel<Warp>, Warp, HpaForm>);
        add("hpa climb", run_kernel<HpaClimbKernel<Warp>, Warp, HpaForm>);
        add("lay out", lay_out_requests);
        return error;
    });
    return kernels;
}

// Allocates for itself, since max_bytes is for indexes and searchers.
Status CudaMachine::probe() {
    constexpr unsigned kBlocks = 2;
    constexpr std::uint32_t kThreads = kBlocks * kWarpsPerBlock * kLanes;
    struct Memory {
        LaneProbe results[kThreads];
        std::uint64_t written[kThreads];
        std::uint64_t counter;
    };
    const auto host = std::make_unique<Memory>();
    Memory* device = nullptr;
    cudaStream_t stream = nullptr;
    const cudaError_t error = on_gpu([&] {
        cudaError_t first = cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
        const auto then = [&first](auto&& call) {
            if (first == cudaSuccess) first = call();
        };
        then([&] { return cudaMalloc(&device, sizeof(Memory)); });
        then([&] { return cudaMemsetAsync(device, 0, sizeof(Memory), stream); });
        then([&] {
            cudaLaunchConfig_t config{};
            config.gridDim = kBlocks;
            config.blockDim = kWarpsPerBlock * kLanes;
            config.stream = stream;
            return cudaLaunchKernelEx(&config, run_probe, device->results, device->written,
                                      &device->counter);
        });
        then([&] {
            return cudaMemcpyAsync(host.get(), device, sizeof(Memory), cudaMemcpyDefault, stream);
        });
        then([&] { return cudaStreamSynchronize(stream); });
        const cudaError_t freed = cudaFree(device);
        if (first == cudaSuccess) first = freed;
        if (stream != nullptr) cudaStreamDestroy(stream);
        return first;
    });
    if (error != cudaSuccess) return status_of(error);
    if (!probe_holds(host->results, kLanes, host->counter))
        return {StatusCode::device_failed, name() + ": a kernel of known results gave others"};
    return {};
}

/// A queue that is one stream.
template <class Form>
class CudaQueue final : public Queue<Form> {
public:
    explicit CudaQueue(CudaMachine& machine) : machine_(machine), scratch_(machine) {
        note(machine_.on_gpu(
            [&] { return cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking); }));
    }
    CudaQueue(const CudaQueue&) = delete;
    CudaQueue& operator=(const CudaQueue&) = delete;
    ~CudaQueue() override {
        if (stream_ == nullptr) return;
        machine_.on_gpu([&] {
            cudaStreamSynchronize(stream_);
            static_cast<void>(take_events(/*add_times=*/false));
            return cudaStreamDestroy(stream_);
        });
    }

    void copy(void* to, const void* from, std::size_t bytes) override {
        if (bytes == 0) return;
        queue(QueuedWork::copy,
              [&] { return cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, stream_); });
    }
    void answer(const Form& form, const KernelTask<Form>& task) override {
        queue(QueuedWork::answer, [&] {
            const cudaError_t error = cudaMemsetAsync(task.used, 0, sizeof(*task.used), stream_);
            if (error != cudaSuccess) return error;
            const cudaLaunchConfig_t config =
                launch_config(std::min(launch_.blocks, launch_.blocks_for(task.count)));
            return cudaLaunchKernelEx(&config, launch_.kernel, form, task, scratch_.data(),
                                      launch_.scratch_bytes);
        });
    }
    void lay_out(const LayOutTask& task) override {
        constexpr unsigned kMostBlocks = 1U << 16;  // if more are wanted, warps copy several paths
        const unsigned wanted = (task.count + kWarpsPerBlock - 1) / kWarpsPerBlock;
        queue(QueuedWork::lay_out, [&] {
            const cudaLaunchConfig_t config =
                launch_config(std::max(1U, std::min(kMostBlocks, wanted)));
            return cudaLaunchKernelEx(&config, lay_out_requests, task);
        });
    }
    [[nodiscard]] Status wait() override {
        note(machine_.on_gpu([&] {
            const cudaError_t error = cudaStreamSynchronize(stream_);
            const cudaError_t of_events = take_events(error == cudaSuccess);
            return error == cudaSuccess ? of_events : error;
        }));
        const cudaError_t error = std::exchange(error_, cudaSuccess);
        Status status = machine_.failure_of(error);
        if (!status.ok() && cuda_fault(error) != CudaFault::lasting)
            status.message += "; the queued work is lost";
        return status;
    }
    // Makes scratch for the blocks that are resident at once, or for fewer if those answer all
    // requests. Halves their number while the memory does not suffice.
    [[nodiscard]] Status reserve(const Form& form, const typename Form::Query& query,
                                 std::uint32_t requests) override {
        launch_ = launch_of(form, query);
        const std::size_t block_bytes = launch_.scratch_bytes * launch_.teams_per_block;
        unsigned resident = 1;
        machine_.on_gpu([&] {
            resident = machine_.resident_blocks(launch_.kernel);
            return cudaSuccess;
        });
        launch_.blocks = std::min(resident, launch_.blocks_for(requests));
        Status status = scratch_.reserve(block_bytes * launch_.blocks);
        while (status.code == StatusCode::out_of_memory && launch_.blocks > 1) {
            launch_.blocks /= 2;
            status = scratch_.reserve(block_bytes * launch_.blocks);
        }
        return status;
    }
    void release() noexcept override { scratch_.clear(); }

private:
    /// The events around an operation, if times are kept.
    struct Events {
        QueuedWork work;
        cudaEvent_t begin = nullptr;
        cudaEvent_t end = nullptr;
    };

    [[nodiscard]] cudaLaunchConfig_t launch_config(unsigned blocks) const noexcept {
        cudaLaunchConfig_t config{};
        config.gridDim = blocks;
        config.blockDim = kWarpsPerBlock * kLanes;
        config.stream = stream_;
        return config;
    }

    /// Queues an operation: `call` returns CUDA's error.
    template <class Call>
    void queue(QueuedWork work, Call&& call) {
        note(machine_.on_gpu([&] {
            if (!this->timed()) return call();
            Events& events = events_.emplace_back(Events{work});
            cudaError_t error = cudaEventCreate(&events.begin);
            if (error == cudaSuccess) error = cudaEventCreate(&events.end);
            if (error == cudaSuccess) error = cudaEventRecord(events.begin, stream_);
            if (error == cudaSuccess) error = call();
            if (error == cudaSuccess) error = cudaEventRecord(events.end, stream_);
            return error;
        }));
    }
    /// Destroys all events. Call it in on_gpu() when the stream is empty.
    [[nodiscard]] cudaError_t take_events(bool add_times) {
        cudaError_t first = cudaSuccess;
        for (const Events& events : events_) {
            float milliseconds = 0;
            if (add_times && first == cudaSuccess && error_ == cudaSuccess) {
                first = cudaEventElapsedTime(&milliseconds, events.begin, events.end);
                this->add_time(events.work, double{milliseconds});
            }
            if (events.begin != nullptr) cudaEventDestroy(events.begin);
            if (events.end != nullptr) cudaEventDestroy(events.end);
        }
        events_.clear();
        return first;
    }

    /// Keeps the first error since the last wait().
    void note(cudaError_t error) noexcept {
        if (error_ == cudaSuccess) error_ = error;
    }

    CudaMachine& machine_;
    cudaStream_t stream_ = nullptr;
    cudaError_t error_ = cudaSuccess;
    Launch<Form> launch_;
    MachineArray<std::byte> scratch_;
    std::vector<Events> events_;
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

/// The status of an error before there is a machine.
Status open_failure(cudaError_t error) {
    static_cast<void>(cudaGetLastError());
    return {status_of(cuda_fault(error)), std::string("no GPU: ") + cudaGetErrorString(error) +
                                              " (CUDA error " +
                                              std::to_string(static_cast<int>(error)) + ")"};
}

}  // namespace

bool Device::built_for_gpus() noexcept { return true; }

Result<std::shared_ptr<Machine>> cuda_machine(const DeviceOptions& options) {
    int count = 0;
    if (const cudaError_t error = cudaGetDeviceCount(&count); error != cudaSuccess)
        return tl::unexpected(open_failure(error));
    if (count == 0) return fail(StatusCode::no_device, "no GPU: CUDA finds none");
    if (options.gpu >= count)
        return fail(StatusCode::no_device, "GPU " + std::to_string(options.gpu) + ": there are " +
                                               std::to_string(count) + " GPUs, counted from 0");
    cudaDeviceProp properties{};
    if (const cudaError_t error = cudaGetDeviceProperties(&properties, options.gpu);
        error != cudaSuccess)
        return tl::unexpected(open_failure(error));
    if (1'000 * properties.major + properties.minor < kLeastCapability)
        return fail(StatusCode::no_device, std::string(properties.name) + ": compute capability " +
                                               std::to_string(properties.major) + "." +
                                               std::to_string(properties.minor) + " is below 7.5");
    Context context;
    if (const cudaError_t error = context.open(options.gpu); error != cudaSuccess)
        return tl::unexpected(open_failure(error));
    auto machine = std::make_shared<CudaMachine>(options.max_bytes, context, properties);
    if (Status status = machine->probe(); !status.ok()) return tl::unexpected(std::move(status));
    return machine;
}

}  // namespace cairn::batch
