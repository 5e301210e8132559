#pragma once
// Runs device kernels with a team of several lanes, as on a GPU. Each lane is a thread
// (support/thread_team.hpp).

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "batch/device/kernel_task.hpp"
#include "support/thread_team.hpp"

namespace cairn::test {

/// The answers of one team of `lanes` lanes to `requests`. There is room for `room` items of paths
/// in all.
template <template <class> class Kernel, class Form>
struct KernelLaunch {
    KernelLaunch(const Form& form, std::span<const typename Form::Request> requests,
                 const typename Form::Query& query, std::uint32_t lanes, std::size_t room)
        : answers(requests.size()), items(room) {
        struct alignas(16) Block {  // the alignment that kernels need
            std::byte bytes[16];
        };
        std::vector<Block> scratch(batch::scratch_bytes<Kernel<ThreadTeam>>(form) / sizeof(Block) +
                                   1);
        batch::KernelTask<Form> task;
        task.requests = requests.data();
        task.count = static_cast<std::uint32_t>(requests.size());
        task.query = query;
        task.answers = answers.data();
        task.items = items.data();
        task.room = items.size();
        task.used = &used;
        run_team(lanes, [&](const ThreadTeam& team) {
            batch::answer_requests<Kernel<ThreadTeam>>(
                form, task, team, reinterpret_cast<std::byte*>(scratch.data()), 0, task.count);
        });
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
