#pragma once
// A machine that fails where a test says so, and else works like the host.

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "batch/device/machine.hpp"

namespace cairn::batch::test {

/// What a FailingMachine does wrong. Counts go down to 0 at the failure; negative: never.
struct Faults {
    int allocations = -1;  ///< that succeed before one fails
    int waits = -1;        ///< that succeed before one fails
    StatusCode code = StatusCode::device_failed;
    bool lasting = false;  ///< a failure makes all later calls fail
    // What happened:
    int failures = 0;
    std::uint64_t operations = 0;  ///< queued
    std::uint64_t allocated = 0;   ///< calls that allocate

    [[nodiscard]] Status next(int& count) {
        if (lasting && failures > 0) return failure();
        if (count < 0 || count-- > 0) return {};
        ++failures;
        return failure();
    }
    [[nodiscard]] Status failure() const { return {code, "fault of a test"}; }
};

template <class Form>
class FailingQueue final : public Queue<Form> {
public:
    FailingQueue(Faults& faults, std::unique_ptr<Queue<Form>> queue)
        : faults_(faults), queue_(std::move(queue)) {}

    void copy(void* to, const void* from, std::size_t bytes) override {
        ++faults_.operations;
        queue_->copy(to, from, bytes);
    }
    void answer(const Form& form, const KernelTask<Form>& task) override {
        ++faults_.operations;
        queue_->answer(form, task);
    }
    void lay_out(const LayOutTask& task) override {
        ++faults_.operations;
        queue_->lay_out(task);
    }
    [[nodiscard]] Status wait() override { return faults_.next(faults_.waits); }
    [[nodiscard]] Status reserve(const Form& form, const typename Form::Query& query,
                                 std::uint32_t requests) override {
        return queue_->reserve(form, query, requests);
    }
    void release() noexcept override { queue_->release(); }

private:
    Faults& faults_;
    std::unique_ptr<Queue<Form>> queue_;
};

class FailingMachine final : public Machine {
public:
    explicit FailingMachine(Faults& faults)
        : Machine(~std::uint64_t{0}), faults_(faults), host_(host_machine({.threads = 1})) {}

    [[nodiscard]] bool is_gpu() const noexcept override { return true; }
    [[nodiscard]] std::string name() const override { return "failing machine"; }
    [[nodiscard]] std::vector<DeviceProperty> properties() const override { return {}; }
    [[nodiscard]] Status failure() const override {
        return faults_.lasting && faults_.failures > 0 ? faults_.failure() : Status{};
    }
    void make_queue(std::unique_ptr<Queue<HnaForm>>& queue) override { make(queue); }
    void make_queue(std::unique_ptr<Queue<SubgoalForm>>& queue) override { make(queue); }
    void make_queue(std::unique_ptr<Queue<HpaForm>>& queue) override { make(queue); }
    [[nodiscard]] Status allocate_host(std::size_t bytes, void*& memory) noexcept override {
        return allocate_device(bytes, memory);
    }
    void release_host(void* memory) noexcept override { host_->release_host(memory); }

private:
    Status allocate_device(std::size_t bytes, void*& memory) noexcept override {
        ++faults_.allocated;
        Status status = faults_.next(faults_.allocations);
        return status.ok() ? host_->allocate_host(bytes, memory) : status;
    }
    void release_device(void* memory) noexcept override { host_->release_host(memory); }
    template <class Form>
    void make(std::unique_ptr<Queue<Form>>& queue) {
        std::unique_ptr<Queue<Form>> of_host;
        host_->make_queue(of_host);
        queue = std::make_unique<FailingQueue<Form>>(faults_, std::move(of_host));
    }

    Faults& faults_;
    std::shared_ptr<Machine> host_;
};

}  // namespace cairn::batch::test
