#pragma once
// A machine (batch/device/machine.hpp) whose teams have several lanes, each a thread
// (support/thread_team.hpp). It stands for a GPU where there is none.

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <string>
#include <vector>

#include "batch/device/kernel_choice.hpp"
#include "batch/device/machine.hpp"
#include "support/thread_team.hpp"

namespace cairn::test {

/// One team answers all requests of a launch. Runs every operation when it is queued.
template <class Form>
class ThreadQueue final : public batch::Queue<Form> {
public:
    explicit ThreadQueue(std::uint32_t lanes) : lanes_(lanes) {}

    void copy(void* to, const void* from, std::size_t bytes) override {
        if (bytes > 0) std::memcpy(to, from, bytes);
    }
    void answer(const Form& form, const batch::KernelTask<Form>& task) override {
        *task.used = 0;
        batch::with_kernel<Form>(task.query, [&]<template <class> class Kernel>() {
            using Answering = Kernel<ThreadTeam>;
            std::vector<Block> scratch(batch::scratch_bytes<Answering>(form) / sizeof(Block) + 1);
            run_team(lanes_, [&](const ThreadTeam& team) {
                batch::answer_requests<Answering>(
                    form, task, team, reinterpret_cast<std::byte*>(scratch.data()), 0, task.count);
            });
        });
    }
    void lay_out(const batch::LayOutTask& task) override {
        run_team(lanes_, [&](const ThreadTeam& team) {
            for (std::uint32_t i = 0; i < task.count; ++i) batch::lay_out_request(task, i, team);
        });
    }
    [[nodiscard]] Status wait() override { return {}; }
    [[nodiscard]] Status reserve(const Form& /*form*/, const typename Form::Query& /*query*/,
                                 std::uint32_t /*requests*/) override {
        return {};
    }
    void release() noexcept override {}

private:
    struct alignas(16) Block {  // the alignment that kernels need
        std::byte bytes[16];
    };
    std::uint32_t lanes_;
};

class ThreadMachine final : public batch::Machine {
public:
    ThreadMachine(std::uint64_t max_bytes, std::uint32_t lanes)
        : Machine(max_bytes), lanes_(lanes) {}

    [[nodiscard]] bool is_gpu() const noexcept override { return false; }
    [[nodiscard]] std::string name() const override { return fmt::format("{} lanes", lanes_); }
    [[nodiscard]] std::vector<batch::DeviceProperty> properties() const override { return {}; }
    void make_queue(std::unique_ptr<batch::Queue<batch::HnaForm>>& queue) override { make(queue); }
    void make_queue(std::unique_ptr<batch::Queue<batch::SubgoalForm>>& queue) override {
        make(queue);
    }
    void make_queue(std::unique_ptr<batch::Queue<batch::HpaForm>>& queue) override { make(queue); }
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
    void make(std::unique_ptr<batch::Queue<Form>>& queue) const {
        queue = std::make_unique<ThreadQueue<Form>>(lanes_);
    }

    std::uint32_t lanes_;
};

}  // namespace cairn::test
