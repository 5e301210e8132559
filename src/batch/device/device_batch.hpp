#pragma once
// A batch of trips on its way through a device, portion by portion. `Host` is the host's share.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <span>
#include <utility>
#include <vector>

#include "batch/device/loaded_index.hpp"
#include "batch/device/portion.hpp"
#include "cairn/batch/device.hpp"
#include "core/parallel_loop.hpp"

namespace cairn::batch {

template <class Host>
class DeviceBatch {
public:
    using Arrays = typename Host::Arrays;
    using Form = typename Host::Form;
    using Trip = typename Form::Trip;
    using Query = typename Form::Query;

    explicit DeviceBatch(const Device& device)
        : device_(device),
          portions_{Portion<Host>(*device.machine()), Portion<Host>(*device.machine())},
          first_(*device.machine()),
          items_(*device.machine()) {}

    /// Answers all trips, in portions of `most`; the answers last until it is asked again. Leaves
    /// in `statistics` what it took.
    [[nodiscard]] Result<DeviceItems> run(const LoadedIndex<Arrays>& index,
                                          std::span<const Trip> trips, const Query& query,
                                          std::uint32_t most, const BuildControl& control,
                                          DeviceStatistics& statistics);

private:
    using Portions = std::array<Portion<Host>, 2>;
    /// However a batch ends, be it by an exception: nothing is under way any more then, for memory
    /// of the caller goes, and nothing of it is left to the next.
    struct AtRest {
        explicit AtRest(Portions& all) noexcept : portions(all) {}
        AtRest(const AtRest&) = delete;
        AtRest& operator=(const AtRest&) = delete;
        ~AtRest() {
            for (Portion<Host>& portion : portions) portion.rest();
        }
        Portions& portions;
    };

    [[nodiscard]] Status answer_all();
    [[nodiscard]] bool reserve_portions(std::uint32_t most);

    // A portion's way, step by step. Portions take each step in the order of their trips.
    void begin(Portion<Host>& portion, std::size_t first_trip, std::uint32_t count);
    void settle(Portion<Host>& portion);
    void launch(Portion<Host>& portion);
    [[nodiscard]] Status finish(Portion<Host>& portion);
    [[nodiscard]] Status take_answers(Portion<Host>& portion);
    void measure(const Portion<Host>& portion);
    [[nodiscard]] Status lay_out(Portion<Host>& portion);
    [[nodiscard]] Status complete(Portion<Host>& portion);
    [[nodiscard]] Status make_room(std::uint64_t count);
    void answer_on_host(Portion<Host>& portion, std::size_t worker, std::uint32_t i);
    [[nodiscard]] std::uint64_t trips_on_device(const Portion<Host>& portion) const;

    [[nodiscard]] const Form& form() const noexcept { return index_->form; }
    [[nodiscard]] bool wants_routes() const noexcept { return Form::wants_routes(query_); }
    [[nodiscard]] static bool is_for_device(const Portion<Host>& portion,
                                            std::uint32_t i) noexcept {
        return Form::is_asked(portion.host_trips[i]);
    }
    [[nodiscard]] static std::uint32_t length(const Portion<Host>& portion,
                                              std::uint32_t i) noexcept {
        return is_for_device(portion, i) ? portion.host_answers[i].length : portion.share.length(i);
    }
    template <class Work>
    void for_each_trip(const Portion<Host>& portion, Work&& work) const;

    Device device_;

    // The batch
    const LoadedIndex<Arrays>* index_ = nullptr;
    std::span<const Trip> trips_;
    Query query_;
    const BuildControl* control_ = nullptr;
    DeviceStatistics* statistics_ = nullptr;

    Portions portions_;
    std::uint32_t portion_size_ = 0;
    std::vector<StatusCode> status_;
    std::vector<Cost> cost_;
    MachineArray<std::uint64_t, true> first_;
    MachineArray<std::uint32_t, true> items_;
};

template <class Host>
template <class Work>
void DeviceBatch<Host>::for_each_trip(const Portion<Host>& portion, Work&& work) const {
    for_each_range(portion.count, 64, *control_,
                   [&](std::size_t worker, std::size_t i, std::size_t end) {
                       for (; i < end; ++i) work(worker, static_cast<std::uint32_t>(i));
                   });
}

// Where the device has no room for two portions so large, smaller ones are tried: neither keeps
// what the other lacks.
template <class Host>
bool DeviceBatch<Host>::reserve_portions(std::uint32_t most) {
    const auto wanted = static_cast<std::uint32_t>(
        std::min<std::size_t>(most, std::max<std::size_t>(trips_.size(), 1)));
    for (portion_size_ = wanted; portion_size_ > 0; portion_size_ /= 2) {
        const auto reserve = [&](Portion<Host>& p) {
            return p.reserve(portion_size_, form(), query_);
        };
        if (std::all_of(portions_.begin(), portions_.end(), reserve)) return true;
        for (Portion<Host>& portion : portions_) portion.clear();
    }
    return false;
}

template <class Host>
Result<DeviceItems> DeviceBatch<Host>::run(const LoadedIndex<Arrays>& index,
                                           std::span<const Trip> trips, const Query& query,
                                           std::uint32_t most, const BuildControl& control,
                                           DeviceStatistics& statistics) {
    index_ = &index;
    trips_ = trips;
    query_ = query;
    control_ = &control;
    statistics_ = &statistics;
    statistics = {};
    status_.assign(trips_.size(), StatusCode::cancelled);
    cost_.assign(trips_.size(), kInfinity);
    if (!reserve_portions(most) || !first_.reserve(trips_.size() + 1))
        return fail(StatusCode::out_of_memory,
                    fmt::format("{} has no memory left for a single trip", device_.name()));
    first_[0] = 0;
    const AtRest at_rest{portions_};
    if (const Status answered = answer_all(); !answered.ok()) return tl::unexpected(answered);
    return DeviceItems{
        status_, cost_, {first_.data(), trips_.size() + 1}, {items_.data(), first_[trips_.size()]}};
}

template <class Host>
Status DeviceBatch<Host>::answer_all() {
    Progress progress(*control_, std::max<std::size_t>(trips_.size(), 1));
    std::array<Portion<Host>*, 2> line{&portions_[0], &portions_[1]};
    const auto finish_one = [&](Portion<Host>& portion) -> Status {
        if (portion.count == 0) return {};
        if (Status s = finish(portion); !s.ok()) return s;
        progress.add(portion.count);
        return {};
    };
    for (Portion<Host>& portion : portions_) portion.count = 0;
    for (std::size_t next = 0; next < trips_.size(); next += portion_size_) {
        if (Status s = complete(*line[0]); !s.ok()) return s;
        begin(
            *line[0], next,
            static_cast<std::uint32_t>(std::min<std::size_t>(portion_size_, trips_.size() - next)));
        std::swap(line[0], line[1]);
        if (Status s = finish_one(*line[0]); !s.ok()) return s;
    }
    if (Status s = finish_one(*line[1]); !s.ok()) return s;
    for (Portion<Host>* portion : line) {
        if (Status s = complete(*portion); !s.ok()) return s;
    }
    return {};
}

template <class Host>
void DeviceBatch<Host>::begin(Portion<Host>& portion, std::size_t first_trip, std::uint32_t count) {
    portion.begin = first_trip;
    portion.count = count;
    portion.share.begin(index_->arrays.index(), query_, count, *control_);
    settle(portion);
    portion.on_device = false;
    for (std::uint32_t i = 0; i < count; ++i) portion.on_device |= is_for_device(portion, i);
    if (!portion.on_device) return;
    // Room for routes as long as those of the portion before, or some length to begin with.
    constexpr std::size_t kFirstLength = 64;
    if (wants_routes() && portion.gathered.room() == 0)
        static_cast<void>(portion.gathered.reserve(count * kFirstLength));
    portion.queue->copy_in(portion.trips.data(), portion.host_trips.data(), count * sizeof(Trip));
    statistics_->bytes_copied += count * sizeof(Trip);
    launch(portion);
}

template <class Host>
void DeviceBatch<Host>::settle(Portion<Host>& portion) {
    for_each_trip(portion, [&](std::size_t worker, std::uint32_t i) {
        const std::size_t trip = portion.begin + i;
        Trip& asked = portion.host_trips[i];
        asked = trips_[trip];
        if (control_->cancelled() ||
            !portion.share.settle(worker, i, asked, status_[trip], cost_[trip]))
            Form::leave_out(asked);
    });
}

template <class Host>
void DeviceBatch<Host>::launch(Portion<Host>& portion) {
    Queue& queue = *portion.queue;
    queue.clear(portion.used.data(), sizeof(std::uint64_t));
    KernelTask<Form> task;
    task.trips = portion.trips.data();
    task.count = portion.count;
    task.query = query_;
    task.answers = portion.answers.data();
    task.items = portion.gathered.data();
    task.room = portion.gathered.room();
    task.used = portion.used.data();
    queue.answer(form(), task);
    queue.copy_out(portion.host_answers.data(), portion.answers.data(),
                   portion.count * sizeof(TripAnswer));
    queue.copy_out(portion.host_used.data(), portion.used.data(), sizeof(std::uint64_t));
    statistics_->bytes_copied += portion.count * sizeof(TripAnswer) + sizeof(std::uint64_t);
    ++statistics_->launches;
}

template <class Host>
Status DeviceBatch<Host>::finish(Portion<Host>& portion) {
    if (portion.on_device) {
        if (Status s = take_answers(portion); !s.ok()) return s;
    }
    measure(portion);
    if (wants_routes()) {
        if (Status s = lay_out(portion); !s.ok()) return s;
    }
    statistics_->on_device += trips_on_device(portion);
    statistics_->on_host += portion.share.answered();
    return {};
}

// Says where the routes belong: behind those of the portion before.
template <class Host>
void DeviceBatch<Host>::measure(const Portion<Host>& portion) {
    for (std::uint32_t i = 0; i < portion.count; ++i) {
        const std::size_t trip = portion.begin + i;
        first_[trip + 1] = first_[trip] + (wants_routes() ? length(portion, i) : 0);
    }
}

// Routes that had no room get more, and are found again; where the device has none, and where it
// could not answer, the host does.
template <class Host>
Status DeviceBatch<Host>::take_answers(Portion<Host>& portion) {
    if (Status s = portion.queue->wait(); !s.ok()) return s;
    const std::uint64_t used = wants_routes() ? portion.host_used[0] : 0;
    if (used > portion.gathered.room() && portion.gathered.reserve(used + used / 8)) {
        launch(portion);
        if (Status s = portion.queue->wait(); !s.ok()) return s;
    }
    const bool no_room =
        used > portion.gathered.room() || (wants_routes() && !portion.ordered.reserve(used));
    for_each_trip(portion, [&](std::size_t worker, std::uint32_t i) {
        if (!is_for_device(portion, i)) return;
        const std::size_t trip = portion.begin + i;
        const TripAnswer& answer = portion.host_answers[i];
        if (no_room || answer.cost == kInfinity) {
            answer_on_host(portion, worker, i);
        } else {
            status_[trip] = StatusCode::ok;
            cost_[trip] = answer.cost;
        }
    });
    portion.on_device = trips_on_device(portion) > 0;
    return {};
}

template <class Host>
void DeviceBatch<Host>::answer_on_host(Portion<Host>& portion, std::size_t worker,
                                       std::uint32_t i) {
    const std::size_t trip = portion.begin + i;
    portion.share.answer(worker, i, portion.host_trips[i], status_[trip], cost_[trip]);
    Form::leave_out(portion.host_trips[i]);
}

template <class Host>
std::uint64_t DeviceBatch<Host>::trips_on_device(const Portion<Host>& portion) const {
    std::uint64_t count = 0;
    for (std::uint32_t i = 0; i < portion.count; ++i) count += is_for_device(portion, i) ? 1 : 0;
    return count;
}

// Grows the routes' place in the host's memory, to which nothing may be on its way.
template <class Host>
Status DeviceBatch<Host>::make_room(std::uint64_t count) {
    if (count <= items_.room()) return {};
    for (const Portion<Host>& portion : portions_) {
        if (!portion.copying_back) continue;
        if (Status s = portion.queue->wait(); !s.ok()) return s;
    }
    MachineArray<std::uint32_t, true> larger(*device_.machine());
    if (!larger.reserve(std::max<std::uint64_t>(count, 2 * items_.room())) &&
        !larger.reserve(count))
        return {StatusCode::out_of_memory,
                fmt::format("{} items of routes do not fit into the host's memory", count)};
    const std::size_t kept = items_.room();
    if (kept > 0) std::memcpy(larger.data(), items_.data(), kept * sizeof(std::uint32_t));
    items_.swap(larger);
    return {};
}

template <class Host>
Status DeviceBatch<Host>::lay_out(Portion<Host>& portion) {
    const std::uint64_t base = first_[portion.begin];
    const std::uint64_t length = first_[portion.begin + portion.count] - base;
    if (Status s = make_room(base + length); !s.ok()) return s;
    portion.copying_back = true;
    if (!portion.on_device || length == 0) return {};
    if (!portion.ordered.reserve(length)) {
        // With those of the host between them they do not fit. Its answers are as long, unless the
        // index contradicts itself.
        for_each_trip(portion, [&](std::size_t worker, std::uint32_t i) {
            if (is_for_device(portion, i)) answer_on_host(portion, worker, i);
        });
        measure(portion);
        return make_room(first_[portion.begin + portion.count]);
    }
    Queue& queue = *portion.queue;
    const std::size_t first_bytes = (std::size_t{portion.count} + 1) * sizeof(std::uint64_t);
    queue.copy_in(portion.first.data(), &first_[portion.begin], first_bytes);
    LayOutTask task;
    task.answers = portion.answers.data();
    task.count = portion.count;
    task.first = portion.first.data();
    task.base = base;
    task.items = portion.gathered.data();
    task.ordered = portion.ordered.data();
    queue.lay_out(task);
    const std::size_t item_bytes = length * sizeof(std::uint32_t);
    queue.copy_out(items_.data() + base, portion.ordered.data(), item_bytes);
    statistics_->bytes_copied += first_bytes + item_bytes;
    ++statistics_->launches;
    return {};
}

// The host's routes go between those that have come from the device.
template <class Host>
Status DeviceBatch<Host>::complete(Portion<Host>& portion) {
    if (!portion.copying_back) return {};
    portion.copying_back = false;
    if (Status s = portion.queue->wait(); !s.ok()) return s;
    portion.share.write({first_.data() + portion.begin, portion.count}, items_.data());
    return {};
}

}  // namespace cairn::batch
