#pragma once
// A batch of requests that a device answers chunk by chunk. `Host`: see host_share.hpp.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "batch/device/host_share.hpp"
#include "batch/device/loaded_index.hpp"
#include "batch/device/machine.hpp"
#include "cairn/batch/device.hpp"
#include "core/parallel_loop.hpp"

namespace cairn::batch {

/// Consecutive requests of a batch that go to the device together, and the memory for them. An item
/// of a path is a polygon or a cell.
template <class Host>
struct Chunk {
    using Form = typename Host::Form;
    using Request = typename Form::Request;

    explicit Chunk(Machine& on) : machine(on) { machine.make_queue(queue); }

    /// Makes room for `most` requests and for their kernel. Errors: out_of_memory; device_failed.
    [[nodiscard]] Status reserve(std::uint32_t most, const Form& form,
                                 const typename Form::Query& query) {
        Status status = reserve_all(most, requests, answers, host_requests, host_answers);
        if (status.ok()) status = first.reserve(std::size_t{most} + 1);
        if (status.ok()) status = reserve_all(1, used, host_used);
        if (status.ok()) status = queue->reserve(form, query, most);
        return status;
    }

    /// Releases all device memory.
    void clear() noexcept {
        requests.clear();
        answers.clear();
        unordered.clear();
        ordered.clear();
        first.clear();
        used.clear();
        queue->release();
    }

    [[nodiscard]] bool is_for_device(std::uint32_t i) const noexcept {
        return Form::is_for_device(host_requests[i]);
    }
    /// How many items request i's path has.
    [[nodiscard]] std::uint32_t length(std::uint32_t i) const noexcept {
        return is_for_device(i) ? host_answers[i].length : share.length(i);
    }

    Machine& machine;
    std::unique_ptr<Queue<Form>> queue;
    // Device memory
    MachineArray<Request> requests{machine};
    MachineArray<RequestAnswer> answers{machine};
    MachineArray<std::uint32_t> unordered{machine};  // items in the order in which teams claim room
    MachineArray<std::uint32_t> ordered{machine};    // items in the order of the requests
    MachineArray<std::uint64_t> first{machine};      // LayOutTask::first
    MachineArray<std::uint64_t> used{machine};       // KernelTask::used
    // Host memory
    HostArray<Request> host_requests{machine};  // located, or left out: not for the device
    HostArray<RequestAnswer> host_answers{machine};
    HostArray<std::uint64_t> host_used{machine};
    HostShare<Host> share;  // the answers of the host
    // Which requests of the batch
    std::size_t begin = 0;
    std::uint32_t count = 0;
    std::uint32_t on_device = 0;  // how many of them the device answers
    bool copying_back = false;    // whether paths may still be on their way to the host
};

/// Answers batches. A chunk passes three steps:
///
///   begin      The host locates starts and goals, and answers what is not for the device. All
///              requests are copied to the device, and a kernel answers the others.
///   finish     The host waits for the answers, and answers what the device could not. A second
///              kernel puts the paths in order, and they are copied to the host.
///   complete   The host waits for the paths, and writes its own paths between them.
///
/// There are two chunks: while the device answers one, the host finishes the other.
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

    /// Answers all requests, in chunks of up to `options.chunk`. The answers stay valid until the
    /// next call. Errors: out_of_memory; device_failed.
    [[nodiscard]] Result<DeviceItems> run(const LoadedIndex<typename Host::Arrays>& index,
                                          std::span<const Request> requests, const Query& query,
                                          const DeviceSearcher::Options& options,
                                          const BuildControl& control,
                                          DeviceStatistics& statistics) {
        index_ = &index;
        requests_ = requests;
        query_ = query;
        control_ = &control;
        statistics_ = &statistics;
        statistics = {};
        status_.assign(requests_.size(), StatusCode::cancelled);
        cost_.assign(requests_.size(), kInfinity);
        Status reserved = reserve_chunks(options.chunk);
        if (reserved.ok()) reserved = first_.reserve(requests_.size() + 1);
        if (reserved.code == StatusCode::out_of_memory)
            return fail(StatusCode::out_of_memory,
                        fmt::format("{} has no memory left for a single request", device_.name()));
        if (!reserved.ok()) return tl::unexpected(std::move(reserved));
        first_[0] = 0;
        timed_ = options.timed;
        for (Chunk<Host>& chunk : chunks_) chunk.queue->keep_times(timed_);
        const WaitOnExit wait{chunks_};
        Status answered = answer_all();
        for (Chunk<Host>& chunk : chunks_) add_times(chunk.queue->take_times());
        if (!answered.ok()) return tl::unexpected(std::move(answered));
        return DeviceItems{status_,
                           cost_,
                           {first_.data(), requests_.size() + 1},
                           {items_.data(), static_cast<std::size_t>(first_[requests_.size()])}};
    }

private:
    using Chunks = std::array<Chunk<Host>, 2>;
    /// Waits for all queues when a batch ends, even by an exception: the caller may then destroy
    /// the index, and the next batch begins with empty queues.
    struct WaitOnExit {
        explicit WaitOnExit(Chunks& all) noexcept : chunks(all) {}
        WaitOnExit(const WaitOnExit&) = delete;
        WaitOnExit& operator=(const WaitOnExit&) = delete;
        ~WaitOnExit() {
            for (Chunk<Host>& chunk : chunks) {
                chunk.copying_back = false;
                static_cast<void>(chunk.queue->wait());
            }
        }
        Chunks& chunks;
    };

    // Halves the chunks while there is no room for two. Each new try begins without device memory.
    [[nodiscard]] Status reserve_chunks(std::uint32_t most) {
        const auto wanted = static_cast<std::uint32_t>(
            std::min<std::size_t>(most, std::max<std::size_t>(requests_.size(), 1)));
        Status status;
        for (chunk_size_ = wanted; chunk_size_ > 0; chunk_size_ /= 2) {
            const auto reserve = [&](Chunk<Host>& chunk) {
                return (status = chunk.reserve(chunk_size_, form(), query_)).ok();
            };
            if (std::all_of(chunks_.begin(), chunks_.end(), reserve)) return status;
            if (status.code != StatusCode::out_of_memory) return status;
            for (Chunk<Host>& chunk : chunks_) chunk.clear();
        }
        return status;
    }

    [[nodiscard]] Status answer_all() {
        Progress progress(*control_, std::max<std::size_t>(requests_.size(), 1));
        Chunk<Host>* older = &chunks_[0];
        Chunk<Host>* newer = &chunks_[1];
        const auto finish_if_begun = [&](Chunk<Host>& chunk) -> Status {
            if (chunk.count == 0) return {};
            if (Status s = finish(chunk); !s.ok()) return s;
            progress.add(chunk.count);
            return {};
        };
        for (Chunk<Host>& chunk : chunks_) chunk.count = 0;
        for (std::size_t next = 0; next < requests_.size(); next += chunk_size_) {
            if (Status s = complete(*older); !s.ok()) return s;
            begin(*older, next,
                  static_cast<std::uint32_t>(
                      std::min<std::size_t>(chunk_size_, requests_.size() - next)));
            std::swap(older, newer);
            if (Status s = finish_if_begun(*older); !s.ok()) return s;
        }
        if (Status s = finish_if_begun(*newer); !s.ok()) return s;
        if (Status s = complete(*older); !s.ok()) return s;
        return complete(*newer);
    }

    void begin(Chunk<Host>& chunk, std::size_t first_request, std::uint32_t count) {
        chunk.begin = first_request;
        chunk.count = count;
        chunk.share.begin(index_->index, query_, count, *control_);
        chunk.on_device = prepare(chunk);
        if (chunk.on_device == 0) return;
        // The room of an earlier chunk is kept. The first chunk gets room for so many items a path.
        constexpr std::size_t kGuessedLength = 64;
        if (wants_paths() && chunk.unordered.room() == 0)
            static_cast<void>(chunk.unordered.reserve(count * kGuessedLength));
        copy(chunk, chunk.requests.data(), chunk.host_requests.data(), count);
        launch(chunk);
    }

    // Locates all requests; answers or leaves out those that are not for the device. Returns how
    // many are.
    [[nodiscard]] std::uint32_t prepare(Chunk<Host>& chunk) {
        return count_requests(chunk, [&](std::size_t worker, std::uint32_t i) {
            const std::size_t request = chunk.begin + i;
            Request& located = chunk.host_requests[i];
            located = requests_[request];
            const bool on_device =
                chunk.share.prepare(worker, i, located, status_[request], cost_[request]);
            if (!on_device) Form::leave_out(located);
            return on_device;
        });
    }

    // Queues the kernel that answers the requests, and the copies of its answers.
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
        if (chunk.on_device > 0) {
            if (Status s = take_answers(chunk); !s.ok()) return s;
        }
        find_offsets(chunk);
        if (wants_paths()) {
            if (Status s = lay_out(chunk); !s.ok()) return s;
        }
        statistics_->on_device += chunk.on_device;
        statistics_->on_host += chunk.share.answered();
        return {};
    }

    // If the paths need more room, makes it, and the device answers the chunk again. The host
    // answers what the device could not, or the whole chunk if there is no room for its paths.
    [[nodiscard]] Status take_answers(Chunk<Host>& chunk) {
        if (Status s = wait(chunk); !s.ok()) return s;
        const std::uint64_t used = wants_paths() ? chunk.host_used[0] : 0;
        bool no_room = false;
        if (used > chunk.unordered.room()) {
            if (Status s = reserve_if_room(chunk.unordered, used + used / 8, no_room); !s.ok())
                return s;
            if (!no_room) {
                launch(chunk);
                if (Status s = wait(chunk); !s.ok()) return s;
            }
        }
        if (wants_paths() && !no_room) {
            if (Status s = reserve_if_room(chunk.ordered, used, no_room); !s.ok()) return s;
        }
        chunk.on_device = count_requests(chunk, [&](std::size_t worker, std::uint32_t i) {
            if (!chunk.is_for_device(i)) return false;
            const std::size_t request = chunk.begin + i;
            const RequestAnswer& answer = chunk.host_answers[i];
            if (no_room || answer.cost == kInfinity) {
                answer_on_host(chunk, worker, i);
                return false;
            }
            status_[request] = StatusCode::ok;
            cost_[request] = answer.cost;
            return true;
        });
        return {};
    }

    // Makes room for `count` items, or sets `no_room` if the device has no memory for them. Errors:
    // device_failed.
    [[nodiscard]] static Status reserve_if_room(MachineArray<std::uint32_t>& items,
                                                std::uint64_t count, bool& no_room) {
        Status status = items.reserve(count);
        no_room = status.code == StatusCode::out_of_memory;
        return no_room ? Status{} : status;
    }

    // Computes where the chunk's paths begin in `items_`: after those of the chunk before.
    void find_offsets(const Chunk<Host>& chunk) {
        std::uint64_t* const first = first_.data() + chunk.begin;
        std::uint64_t* const end = first + chunk.count + 1;
        if (!wants_paths()) {
            std::fill(first + 1, end, *first);
            return;
        }
        for_each_request(chunk,
                         [&](std::size_t, std::uint32_t i) { first[i + 1] = chunk.length(i); });
        std::partial_sum(first, end, first);
    }

    // Queues the kernel that puts the device's paths in order, and their copy to the host.
    [[nodiscard]] Status lay_out(Chunk<Host>& chunk) {
        const std::uint64_t base = first_[chunk.begin];
        const std::uint64_t length = first_[chunk.begin + chunk.count] - base;
        if (Status s = make_room(base + length); !s.ok()) return s;
        chunk.copying_back = true;
        if (chunk.on_device == 0 || length == 0) return {};
        bool no_room = false;
        if (Status s = reserve_if_room(chunk.ordered, length, no_room); !s.ok()) return s;
        if (no_room) {
            // `ordered` has gaps for the paths of the host, and the device has no room for so much.
            // The lengths are found again, because a damaged index may give the host other paths.
            for_each_request(chunk, [&](std::size_t worker, std::uint32_t i) {
                if (chunk.is_for_device(i)) answer_on_host(chunk, worker, i);
            });
            chunk.on_device = 0;
            find_offsets(chunk);
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

    // Waits for the device's paths, then writes those of the host into the gaps between them.
    [[nodiscard]] Status complete(Chunk<Host>& chunk) {
        if (!chunk.copying_back) return {};
        chunk.copying_back = false;
        if (Status s = wait(chunk); !s.ok()) return s;
        for_each_request(chunk, [&](std::size_t, std::uint32_t i) {
            chunk.share.write(i, items_.data() + first_[chunk.begin + i]);
        });
        return {};
    }

    // Makes room for `count` items of paths on the host. Waits for the copies to the old memory.
    [[nodiscard]] Status make_room(std::uint64_t count) {
        if (count <= items_.room()) return {};
        for (Chunk<Host>& chunk : chunks_) {
            if (!chunk.copying_back) continue;
            if (Status s = wait(chunk); !s.ok()) return s;
        }
        HostArray<std::uint32_t> larger(*device_.machine());
        Status status = larger.reserve(std::max<std::uint64_t>(count, 2 * items_.room()));
        if (status.code == StatusCode::out_of_memory) status = larger.reserve(count);
        if (status.code == StatusCode::out_of_memory)
            return {StatusCode::out_of_memory,
                    fmt::format("{} items of paths do not fit into the host's memory", count)};
        if (!status.ok()) return status;
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

    static constexpr std::size_t kGrain = 64;  // requests that a worker takes at once, at least

    template <class Work>
    void for_each_request(const Chunk<Host>& chunk, Work&& work) const {
        for_each_index(chunk.count, kGrain, *control_, [&](std::size_t worker, std::size_t i) {
            work(worker, static_cast<std::uint32_t>(i));
        });
    }
    /// The same; returns how often work(worker, i) was true.
    template <class Work>
    [[nodiscard]] std::uint32_t count_requests(const Chunk<Host>& chunk, Work&& work) const {
        std::atomic<std::uint32_t> count{0};
        for_each_range(chunk.count, kGrain, *control_,
                       [&](std::size_t worker, std::size_t begin, std::size_t end) {
                           std::uint32_t mine = 0;
                           for (; begin < end; ++begin)
                               mine += work(worker, static_cast<std::uint32_t>(begin)) ? 1 : 0;
                           count.fetch_add(mine, std::memory_order_relaxed);
                       });
        return count;
    }
    /// Waits for a chunk's queue, and adds the time if times are kept.
    [[nodiscard]] Status wait(Chunk<Host>& chunk) {
        if (!timed_) return chunk.queue->wait();
        const auto begin = std::chrono::steady_clock::now();
        Status status = chunk.queue->wait();
        const std::chrono::duration<double, std::milli> time =
            std::chrono::steady_clock::now() - begin;
        statistics_->times.wait_ms += time.count();
        return status;
    }

    void add_times(const DeviceTimes& times) noexcept {
        statistics_->times.copies_ms += times.copies_ms;
        statistics_->times.answer_ms += times.answer_ms;
        statistics_->times.lay_out_ms += times.lay_out_ms;
    }

    [[nodiscard]] const Form& form() const noexcept { return index_->form; }
    [[nodiscard]] bool wants_paths() const noexcept { return Form::wants_paths(query_); }

    Device device_;

    // The batch that runs
    const LoadedIndex<typename Host::Arrays>* index_ = nullptr;
    std::span<const Request> requests_;
    Query query_;
    const BuildControl* control_ = nullptr;
    DeviceStatistics* statistics_ = nullptr;
    bool timed_ = false;

    Chunks chunks_;
    std::uint32_t chunk_size_ = 0;
    std::vector<StatusCode> status_;
    std::vector<Cost> cost_;
    HostArray<std::uint64_t> first_;  // per request, and one more: its first item in `items_`
    HostArray<std::uint32_t> items_;  // of all paths, in the order of the requests
};

}  // namespace cairn::batch
