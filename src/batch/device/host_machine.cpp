#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <new>
#include <vector>

#include "batch/device/grid/hpa_plan.hpp"
#include "batch/device/grid/subgoal_plan.hpp"
#include "batch/device/machine.hpp"
#include "batch/device/mesh/hng_kernel.hpp"
#include "batch/device/mesh/label_kernel.hpp"
#include "batch/device/mesh/polygon_kernel.hpp"
#include "batch/device/team.hpp"
#include "core/parallel_loop.hpp"

namespace cairn::batch {
namespace {

/// Runs every operation when it is queued.
class HostQueue final : public Queue {
public:
    explicit HostQueue(const BuildControl& control) : control_(control) {}

    void copy_in(void* device, const void* host, std::size_t bytes) override {
        if (bytes > 0) std::memcpy(device, host, bytes);
    }
    void copy_out(void* host, const void* device, std::size_t bytes) override {
        if (bytes > 0) std::memcpy(host, device, bytes);
    }
    void clear(void* device, std::size_t bytes) override { std::memset(device, 0, bytes); }

    void answer(const HnaForm& form, const HnaTask& task) override {
        const DeviceEngine engine = task.query.engine;
        if (engine == DeviceEngine::cut_labels) return run<LabelKernel<OneLane>>(form, task);
        if (engine == DeviceEngine::polygon_astar) return run<PolygonKernel<OneLane>>(form, task);
        run<HngKernel<OneLane>>(form, task);
    }
    void answer(const SubgoalForm& form, const SubgoalTask& task) override {
        run<SubgoalKernel<OneLane>>(form, task);
    }
    void answer(const HpaForm& form, const HpaTask& task) override {
        run<HpaKernel<OneLane>>(form, task);
    }

    void lay_out(const LayOutTask& task) override {
        for_each_request(task.count,
                         [&](std::vector<Unit>&, std::uint32_t first, std::uint32_t last) {
                             for (std::uint32_t request = first; request < last; ++request)
                                 lay_out_request(task, request, OneLane());
                         });
    }

    [[nodiscard]] Status wait() override { return {}; }
    // Workers make room for their scratch when they need it.
    [[nodiscard]] bool reserve(const HnaForm& /*form*/, const DeviceQuery& /*query*/,
                               std::uint32_t /*requests*/) override {
        return true;
    }
    [[nodiscard]] bool reserve(const SubgoalForm& /*form*/, const DeviceGridQuery& /*query*/,
                               std::uint32_t /*requests*/) override {
        return true;
    }
    [[nodiscard]] bool reserve(const HpaForm& /*form*/, const DeviceGridQuery& /*query*/,
                               std::uint32_t /*requests*/) override {
        return true;
    }
    void give_back() noexcept override {}

private:
    /// Memory aligned for all that kernels keep.
    struct alignas(16) Unit {
        std::byte bytes[16];
    };

    template <class Kernel, class Form>
    void run(const Form& form, const KernelTask<Form>& task) {
        const std::size_t units = Kernel::scratch_bytes(form) / sizeof(Unit) + 1;
        for_each_request(
            task.count, [&](std::vector<Unit>& scratch, std::uint32_t first, std::uint32_t last) {
                if (scratch.size() < units) scratch.resize(units);
                const OneLane team;
                Kernel kernel(form, task, team, reinterpret_cast<std::byte*>(scratch.data()));
                for (std::uint32_t request = first; request < last; ++request)
                    kernel.answer(request);
            });
    }

    template <class Work>
    void for_each_request(std::uint32_t count, Work&& work) {
        constexpr std::uint32_t kGrain = 64;
        scratch_.begin(control_);
        for_each_range(count, kGrain, control_,
                       [&](std::size_t worker, std::size_t begin, std::size_t end) {
                           work(scratch_.of(worker), static_cast<std::uint32_t>(begin),
                                static_cast<std::uint32_t>(end));
                       });
    }

    BuildControl control_;
    PerWorker<std::vector<Unit>> scratch_;
};

class HostMachine final : public Machine {
public:
    explicit HostMachine(const DeviceOptions& options) : Machine(options.max_bytes) {
        control_.threads = options.threads;
    }

    [[nodiscard]] bool is_gpu() const noexcept override { return false; }
    [[nodiscard]] std::string name() const override {
        return fmt::format("host, {} threads", num_workers(control_));
    }
    [[nodiscard]] std::unique_ptr<Queue> new_queue() override {
        return std::make_unique<HostQueue>(control_);
    }
    [[nodiscard]] void* take_host(std::size_t bytes) noexcept override { return allocate(bytes); }
    void give_host(void* memory) noexcept override { release(memory); }

private:
    void* allocate(std::size_t bytes) noexcept override {
        return ::operator new(bytes, std::nothrow);
    }
    void release(void* memory) noexcept override { ::operator delete(memory); }

    BuildControl control_;
};

}  // namespace

std::shared_ptr<Machine> host_machine(const DeviceOptions& options) {
    return std::make_shared<HostMachine>(options);
}

}  // namespace cairn::batch
