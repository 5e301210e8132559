#pragma once
// A batch of requests that goes through a device chunk by chunk. `Host` is the planner's part on
// the host; see host_share.hpp.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "batch/device/host_share.hpp"
#include "batch/device/loaded_index.hpp"
#include "batch/device/machine.hpp"
#include "cairn/batch/device.hpp"
#include "core/parallel_loop.hpp"

namespace cairn::batch {

/// Some of the requests of a batch, which go through a device together.
template <class Host>
struct Chunk {
    using Form = typename Host::Form;
    using Request = typename Form::Request;

    explicit Chunk(Machine& on) : machine(on) { machine.make(queue); }

    /// Makes room for `most` requests, and for kernels over them. False if there is not enough.
    [[nodiscard]] bool reserve(std::uint32_t most, const Form& form,
                               const typename Form::Query& query) {
        return requests.reserve(most) && answers.reserve(most) &&
               first.reserve(std::size_t{most} + 1) && used.reserve(1) &&
               host_requests.reserve(most) && host_answers.reserve(most) && host_used.reserve(1) &&
               queue->reserve(form, query, most);
    }

    /// Gives all of the device's memory back.
    void clear() noexcept {
        requests.clear();
        answers.clear();
        unordered.clear();
        ordered.clear();
        first.clear();
        used.clear();
        queue->give_back();
    }

    [[nodiscard]] bool is_for_device(std::uint32_t i) const noexcept {
        return Form::is_asked(host_requests[i]);
    }
    [[nodiscard]] std::uint64_t requests_on_device() const noexcept {
        std::uint64_t asked = 0;
        for (std::uint32_t i = 0; i < count; ++i) asked += is_for_device(i) ? 1 : 0;
        return asked;
    }
    /// Items of a request's path.
    [[nodiscard]] std::uint32_t length(std::uint32_t i) const noexcept {
        return is_for_device(i) ? host_answers[i].length : share.length(i);
    }

    Machine& machine;
    std::unique_ptr<Queue<Form>> queue;
    // The device's
    MachineArray<Request> requests{machine};
    MachineArray<RequestAnswer> answers{machine};
    MachineArray<std::uint32_t> unordered{
        machine};                                  // items of paths as teams claimed room for them
    MachineArray<std::uint32_t> ordered{machine};  // the same in the order of the requests
    MachineArray<std::uint64_t> first{machine};
    MachineArray<std::uint64_t> used{machine};
    // The host's
    MachineArray<Request, true> host_requests{machine};  // located; left out where the host answers
    MachineArray<RequestAnswer, true> host_answers{machine};
    MachineArray<std::uint64_t, true> host_used{machine};
    HostShare<Host> share;
    // Of the batch
    std::size_t begin = 0;
    std::uint32_t count = 0;
    bool on_device = false;     // whether any request is
    bool copying_back = false;  // paths are being copied to the host
};

template <class Host>
class DeviceBatch {
public:
    using Form = typename Host::Form;
    using Request = typename Form::Request;
    using Query = typename Form::Query;

    explicit DeviceBatch(const Device& device)
        : device_(device),
          chunks_{Chunk<Host>(*device.machine()), Chunk<Host>(*device.machine())},
          first_(*device.machine()),
          items_(*device.machine()) {}

    /// Answers all requests, in chunks of up to `most`. The answers last until the next call.
    /// Writes to `statistics` what it took.
    [[nodiscard]] Result<DeviceItems> run(const LoadedIndex<typename Host::Arrays>& index,
                                          std::span<const Request> requests, const Query& query,
                                          std::uint32_t most, const BuildControl& control,
                                          DeviceStatistics& statistics) {
        index_ = &index;
        requests_ = requests;
        query_ = query;
        control_ = &control;
        statistics_ = &statistics;
        statistics = {};
        status_.assign(requests_.size(), StatusCode::cancelled);
        cost_.assign(requests_.size(), kInfinity);
        if (!reserve_chunks(most) || !first_.reserve(requests_.size() + 1))
            return fail(StatusCode::out_of_memory,
                        fmt::format("{} has no memory left for a single request", device_.name()));
        first_[0] = 0;
        const DrainOnExit drain{chunks_};
        if (Status answered = answer_all(); !answered.ok())
            return tl::unexpected(std::move(answered));
        return DeviceItems{status_,
                           cost_,
                           {first_.data(), requests_.size() + 1},
                           {items_.data(), first_[requests_.size()]}};
    }

private:
    using Chunks = std::array<Chunk<Host>, 2>;
    /// Waits for all queues however a batch ends, also by an exception: no kernel may use the index
    /// any more, and the next batch must find nothing of this one.
    struct DrainOnExit {
        explicit DrainOnExit(Chunks& all) noexcept : chunks(all) {}
        DrainOnExit(const DrainOnExit&) = delete;
        DrainOnExit& operator=(const DrainOnExit&) = delete;
        ~DrainOnExit() {
            for (Chunk<Host>& chunk : chunks) {
                chunk.copying_back = false;
                static_cast<void>(chunk.queue->wait());
            }
        }
        Chunks& chunks;
    };

    // Where the device has no room for two chunks of this size, smaller ones are tried. Both give
    // their memory back first.
    [[nodiscard]] bool reserve_chunks(std::uint32_t most) {
        const auto wanted = static_cast<std::uint32_t>(
            std::min<std::size_t>(most, std::max<std::size_t>(requests_.size(), 1)));
        for (chunk_size_ = wanted; chunk_size_ > 0; chunk_size_ /= 2) {
            const auto reserve = [&](Chunk<Host>& chunk) {
                return chunk.reserve(chunk_size_, form(), query_);
            };
            if (std::all_of(chunks_.begin(), chunks_.end(), reserve)) return true;
            for (Chunk<Host>& chunk : chunks_) chunk.clear();
        }
        return false;
    }

    [[nodiscard]] Status answer_all() {
        Progress progress(*control_, std::max<std::size_t>(requests_.size(), 1));
        std::array<Chunk<Host>*, 2> line{&chunks_[0], &chunks_[1]};
        const auto finish_one = [&](Chunk<Host>& chunk) -> Status {
            if (chunk.count == 0) return {};
            if (Status s = finish(chunk); !s.ok()) return s;
            progress.add(chunk.count);
            return {};
        };
        for (Chunk<Host>& chunk : chunks_) chunk.count = 0;
        for (std::size_t next = 0; next < requests_.size(); next += chunk_size_) {
            if (Status s = complete(*line[0]); !s.ok()) return s;
            begin(*line[0], next,
                  static_cast<std::uint32_t>(
                      std::min<std::size_t>(chunk_size_, requests_.size() - next)));
            std::swap(line[0], line[1]);
            if (Status s = finish_one(*line[0]); !s.ok()) return s;
        }
        if (Status s = finish_one(*line[1]); !s.ok()) return s;
        for (Chunk<Host>* chunk : line) {
            if (Status s = complete(*chunk); !s.ok()) return s;
        }
        return {};
    }

    // The steps of a chunk. Chunks take each step in the order of their requests.

    void begin(Chunk<Host>& chunk, std::size_t first_request, std::uint32_t count) {
        chunk.begin = first_request;
        chunk.count = count;
        chunk.share.begin(index_->index, query_, count, *control_);
        prepare(chunk);
        chunk.on_device = chunk.requests_on_device() > 0;
        if (!chunk.on_device) return;
        // The room is that of the chunk before, or for a first guess of the length.
        constexpr std::size_t kFirstLength = 64;
        if (wants_paths() && chunk.unordered.room() == 0)
            static_cast<void>(chunk.unordered.reserve(count * kFirstLength));
        copy(chunk, chunk.requests.data(), chunk.host_requests.data(), count);
        launch(chunk);
    }

    void prepare(Chunk<Host>& chunk) {
        for_each_request(chunk, [&](std::size_t worker, std::uint32_t i) {
            const std::size_t request = chunk.begin + i;
            Request& asked = chunk.host_requests[i];
            asked = requests_[request];
            if (control_->cancelled() ||
                !chunk.share.prepare(worker, i, asked, status_[request], cost_[request]))
                Form::leave_out(asked);
        });
    }

    void launch(Chunk<Host>& chunk) {
        KernelTask<Form> task;
        task.requests = chunk.requests.data();
        task.count = chunk.count;
        task.query = query_;
        task.answers = chunk.answers.data();
        task.items = chunk.unordered.data();
        task.room = chunk.unordered.room();
        task.used = chunk.used.data();
        chunk.queue->answer(form(), task);
        copy(chunk, chunk.host_answers.data(), chunk.answers.data(), chunk.count);
        copy(chunk, chunk.host_used.data(), chunk.used.data(), 1);
        ++statistics_->launches;
    }

    [[nodiscard]] Status finish(Chunk<Host>& chunk) {
        if (chunk.on_device) {
            if (Status s = take_answers(chunk); !s.ok()) return s;
        }
        measure(chunk);
        if (wants_paths()) {
            if (Status s = lay_out(chunk); !s.ok()) return s;
        }
        statistics_->on_device += chunk.requests_on_device();
        statistics_->on_host += chunk.share.answered();
        return {};
    }

    // Paths that had no room get more, and are found again. Where the device has no more room, or
    // could not answer, the host answers.
    [[nodiscard]] Status take_answers(Chunk<Host>& chunk) {
        if (Status s = chunk.queue->wait(); !s.ok()) return s;
        const std::uint64_t used = wants_paths() ? chunk.host_used[0] : 0;
        if (used > chunk.unordered.room() && chunk.unordered.reserve(used + used / 8)) {
            launch(chunk);
            if (Status s = chunk.queue->wait(); !s.ok()) return s;
        }
        const bool no_room =
            used > chunk.unordered.room() || (wants_paths() && !chunk.ordered.reserve(used));
        for_each_request(chunk, [&](std::size_t worker, std::uint32_t i) {
            if (!chunk.is_for_device(i)) return;
            const std::size_t request = chunk.begin + i;
            const RequestAnswer& answer = chunk.host_answers[i];
            if (no_room || answer.cost == kInfinity) {
                answer_on_host(chunk, worker, i);
            } else {
                status_[request] = StatusCode::ok;
                cost_[request] = answer.cost;
            }
        });
        chunk.on_device = chunk.requests_on_device() > 0;
        return {};
    }

    // Computes where the paths go: after those of the chunk before.
    void measure(const Chunk<Host>& chunk) {
        for (std::uint32_t i = 0; i < chunk.count; ++i) {
            const std::size_t request = chunk.begin + i;
            first_[request + 1] = first_[request] + (wants_paths() ? chunk.length(i) : 0);
        }
    }

    [[nodiscard]] Status lay_out(Chunk<Host>& chunk) {
        const std::uint64_t base = first_[chunk.begin];
        const std::uint64_t length = first_[chunk.begin + chunk.count] - base;
        if (Status s = make_room(base + length); !s.ok()) return s;
        chunk.copying_back = true;
        if (!chunk.on_device || length == 0) return {};
        if (!chunk.ordered.reserve(length)) {
            // The device has no room for its paths with gaps for those of the host. The host's
            // answers have the same lengths, unless the index contradicts itself.
            for_each_request(chunk, [&](std::size_t worker, std::uint32_t i) {
                if (chunk.is_for_device(i)) answer_on_host(chunk, worker, i);
            });
            measure(chunk);
            return make_room(first_[chunk.begin + chunk.count]);
        }
        copy(chunk, chunk.first.data(), &first_[chunk.begin], std::size_t{chunk.count} + 1);
        LayOutTask task;
        task.answers = chunk.answers.data();
        task.count = chunk.count;
        task.first = chunk.first.data();
        task.base = base;
        task.items = chunk.unordered.data();
        task.ordered = chunk.ordered.data();
        chunk.queue->lay_out(task);
        copy(chunk, items_.data() + base, chunk.ordered.data(), length);
        ++statistics_->launches;
        return {};
    }

    // Writes the host's paths between those copied from the device.
    [[nodiscard]] Status complete(Chunk<Host>& chunk) {
        if (!chunk.copying_back) return {};
        chunk.copying_back = false;
        if (Status s = chunk.queue->wait(); !s.ok()) return s;
        chunk.share.write({first_.data() + chunk.begin, chunk.count}, items_.data());
        return {};
    }

    // Makes the paths' memory on the host larger, after waiting for all copies to it.
    [[nodiscard]] Status make_room(std::uint64_t count) {
        if (count <= items_.room()) return {};
        for (const Chunk<Host>& chunk : chunks_) {
            if (!chunk.copying_back) continue;
            if (Status s = chunk.queue->wait(); !s.ok()) return s;
        }
        MachineArray<std::uint32_t, true> larger(*device_.machine());
        if (!larger.reserve(std::max<std::uint64_t>(count, 2 * items_.room())) &&
            !larger.reserve(count))
            return {StatusCode::out_of_memory,
                    fmt::format("{} items of paths do not fit into the host's memory", count)};
        const std::size_t kept = items_.room();
        if (kept > 0) std::memcpy(larger.data(), items_.data(), kept * sizeof(std::uint32_t));
        items_.swap(larger);
        return {};
    }

    void answer_on_host(Chunk<Host>& chunk, std::size_t worker, std::uint32_t i) {
        const std::size_t request = chunk.begin + i;
        chunk.share.answer(worker, i, chunk.host_requests[i], status_[request], cost_[request]);
        Form::leave_out(chunk.host_requests[i]);
    }

    template <class T>
    void copy(Chunk<Host>& chunk, T* to, const T* from, std::size_t count) {
        chunk.queue->copy(to, from, count * sizeof(T));
        statistics_->bytes_copied += count * sizeof(T);
    }

    template <class Work>
    void for_each_request(const Chunk<Host>& chunk, Work&& work) const {
        for_each_index(chunk.count, 64, *control_, [&](std::size_t worker, std::size_t i) {
            work(worker, static_cast<std::uint32_t>(i));
        });
    }

    [[nodiscard]] const Form& form() const noexcept { return index_->form; }
    [[nodiscard]] bool wants_paths() const noexcept { return Form::wants_paths(query_); }

    Device device_;

    // The batch
    const LoadedIndex<typename Host::Arrays>* index_ = nullptr;
    std::span<const Request> requests_;
    Query query_;
    const BuildControl* control_ = nullptr;
    DeviceStatistics* statistics_ = nullptr;

    Chunks chunks_;
    std::uint32_t chunk_size_ = 0;
    std::vector<StatusCode> status_;
    std::vector<Cost> cost_;
    MachineArray<std::uint64_t, true> first_;
    MachineArray<std::uint32_t, true> items_;
};

}  // namespace cairn::batch
