#pragma once
// One launch of a device kernel, without the parts of a batch around it.

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "batch/device/kernel_task.hpp"
#include "batch/device/machine.hpp"
#include "cairn/batch/device.hpp"

namespace cairn::test {

/// The answers to `requests` on a device. The form must lie in its memory. There is room for `room`
/// items of paths in all.
template <class Form>
struct KernelLaunch {
    KernelLaunch(const batch::Device& device, const Form& form,
                 std::span<const typename Form::Request> requests,
                 const typename Form::Query& query, std::size_t room)
        : answers(requests.size()), items(room) {
        batch::Machine& machine = *device.machine();
        batch::MachineArray<typename Form::Request> on_device(machine);
        batch::MachineArray<batch::RequestAnswer> answers_there(machine);
        batch::MachineArray<std::uint32_t> items_there(machine);
        batch::MachineArray<std::uint64_t> used_there(machine);
        std::unique_ptr<batch::Queue<Form>> queue;
        machine.make_queue(queue);
        const auto count = static_cast<std::uint32_t>(requests.size());
        Status status = on_device.reserve(count);
        if (status.ok()) status = answers_there.reserve(count);
        if (status.ok()) status = items_there.reserve(room);
        if (status.ok()) status = used_there.reserve(1);
        if (status.ok()) status = queue->reserve(form, query, count);
        EXPECT_TRUE(status.ok()) << status.message;
        if (!status.ok()) return;
        batch::KernelTask<Form> task;
        task.requests = on_device.data();
        task.count = count;
        task.query = query;
        task.answers = answers_there.data();
        task.items = items_there.data();
        task.room = room;
        task.used = used_there.data();
        queue->copy(on_device.data(), requests.data(), requests.size_bytes());
        queue->answer(form, task);
        queue->copy(answers.data(), answers_there.data(), count * sizeof(batch::RequestAnswer));
        queue->copy(items.data(), items_there.data(), room * sizeof(std::uint32_t));
        queue->copy(&used, used_there.data(), sizeof(used));
        status = queue->wait();
        EXPECT_TRUE(status.ok()) << status.message;
    }

    /// Whether the path of a request found room.
    [[nodiscard]] bool written(std::size_t request) const {
        return answers[request].first != batch::RequestAnswer::kNotWritten;
    }
    /// The items of a request whose path is written.
    [[nodiscard]] std::span<const std::uint32_t> path(std::size_t request) const {
        return std::span(items).subspan(answers[request].first, answers[request].length);
    }

    std::vector<batch::RequestAnswer> answers;
    std::vector<std::uint32_t> items;
    std::uint64_t used = 0;  ///< items that all paths need, with room or without
};

}  // namespace cairn::test
