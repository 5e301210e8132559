// The machine that runs kernels on the processors of the host, one lane a team.

#include <fmt/format.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <vector>

#include "batch/device/kernel_choice.hpp"
#include "batch/device/machine.hpp"
#include "batch/device/team.hpp"
#include "core/parallel_loop.hpp"

namespace cairn::batch {
namespace {

/// Runs every operation when it is queued.
template <class Form>
class HostQueue final : public Queue<Form> {
public:
    explicit HostQueue(const BuildControl& control) : control_(control) {}

    void copy(void* to, const void* from, std::size_t bytes) override {
        const Stopwatch watch(*this, QueuedWork::copy);
        if (bytes > 0) std::memcpy(to, from, bytes);
    }

    void answer(const Form& form, const KernelTask<Form>& task) override {
        const Stopwatch watch(*this, QueuedWork::answer);
        *task.used = 0;
        with_kernel<Form>(
            task.query, [&]<template <class> class Kernel>() { run<Kernel<OneLane>>(form, task); });
    }

    void lay_out(const LayOutTask& task) override {
        const Stopwatch watch(*this, QueuedWork::lay_out);
        for_each_index(task.count, kGrain, control_, [&](std::size_t, std::size_t request) {
            lay_out_request(task, static_cast<std::uint32_t>(request), OneLane());
        });
    }

    [[nodiscard]] Status wait() override { return {}; }
    // Each worker makes room for its scratch when a kernel runs.
    [[nodiscard]] Status reserve(const Form& /*form*/, const typename Form::Query& /*query*/,
                                 std::uint32_t /*requests*/) override {
        return {};
    }
    void release() noexcept override {}

private:
    static constexpr std::size_t kGrain = 64;  // requests that a worker takes at a time, at least

    /// Adds the time until it is destroyed to those of the queue, if the queue keeps any.
    class Stopwatch {
    public:
        Stopwatch(HostQueue& queue, QueuedWork work) noexcept : queue_(queue), work_(work) {
            if (queue_.timed()) begin_ = std::chrono::steady_clock::now();
        }
        Stopwatch(const Stopwatch&) = delete;
        Stopwatch& operator=(const Stopwatch&) = delete;
        ~Stopwatch() {
            if (!queue_.timed()) return;
            const std::chrono::duration<double, std::milli> took =
                std::chrono::steady_clock::now() - begin_;
            queue_.add_time(work_, took.count());
        }

    private:
        HostQueue& queue_;
        QueuedWork work_;
        std::chrono::steady_clock::time_point begin_;
    };

    template <class Kernel>
    void run(const Form& form, const KernelTask<Form>& task) {
        const std::size_t bytes = scratch_bytes<Kernel>(form);
        scratch_.begin(control_);
        for_each_range(task.count, kGrain, control_,
                       [&](std::size_t worker, std::size_t begin, std::size_t end) {
                           std::vector<std::byte>& scratch = scratch_.of(worker);
                           if (scratch.size() < bytes) scratch.resize(bytes);
                           answer_requests<Kernel>(form, task, OneLane(), scratch.data(),
                                                   static_cast<std::uint32_t>(begin),
                                                   static_cast<std::uint32_t>(end));
                       });
    }

    BuildControl control_;
    PerWorker<std::vector<std::byte>> scratch_;  // operator new aligns it as Carver needs it
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
    [[nodiscard]] std::vector<DeviceProperty> properties() const override {
        std::vector<DeviceProperty> all{{"threads", fmt::format("{}", num_workers(control_))}};
        if (!why_no_gpu().ok()) all.push_back({"why no GPU", why_no_gpu().message});
        return all;
    }
    void make_queue(std::unique_ptr<Queue<HnaForm>>& queue) override { make(queue); }
    void make_queue(std::unique_ptr<Queue<SubgoalForm>>& queue) override { make(queue); }
    void make_queue(std::unique_ptr<Queue<HpaForm>>& queue) override { make(queue); }
    [[nodiscard]] Status allocate_host(std::size_t bytes, void*& memory) noexcept override {
        return allocate_device(bytes, memory);
    }
    void release_host(void* memory) noexcept override { release_device(memory); }

private:
    Status allocate_device(std::size_t bytes, void*& memory) noexcept override {
        memory = ::operator new(bytes, std::nothrow);
        return {memory != nullptr ? StatusCode::ok : StatusCode::out_of_memory, {}};
    }
    void release_device(void* memory) noexcept override { ::operator delete(memory); }
    template <class Form>
    void make(std::unique_ptr<Queue<Form>>& queue) const {
        queue = std::make_unique<HostQueue<Form>>(control_);
    }

    BuildControl control_;
};

}  // namespace

std::shared_ptr<Machine> host_machine(const DeviceOptions& options) {
    return std::make_shared<HostMachine>(options);
}

}  // namespace cairn::batch
