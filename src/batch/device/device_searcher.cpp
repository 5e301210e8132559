#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>
#include <vector>

#include "batch/device/device_index.hpp"
#include "batch/device/portion.hpp"
#include "cairn/batch/device.hpp"
#include "core/parallel_loop.hpp"
#include "core/within_memory.hpp"
#include "hna/snapshot.hpp"

namespace cairn::batch {

struct DeviceSearcher::State {
    State(Device on, const Options& with)
        : device(std::move(on)),
          options(with),
          portions{Portion(*device.machine()), Portion(*device.machine())},
          first(*device.machine()),
          items(*device.machine()) {}

    [[nodiscard]] Result<DeviceRoutes> run();

    Device device;
    Options options;
    DeviceStatistics statistics;

    // The batch
    const DeviceIndex* index = nullptr;
    std::span<const MeshTrip> trips;
    DeviceQuery query;
    const BuildControl* control = nullptr;

private:
    [[nodiscard]] Status answer_all();
    [[nodiscard]] bool reserve_portions();

    // A portion's way, step by step. Portions take each step in the order of their trips.
    void begin(Portion& portion, std::uint32_t first_trip, std::uint32_t count);
    void locate(Portion& portion);
    void launch(Portion& portion);
    [[nodiscard]] Status finish(Portion& portion);
    [[nodiscard]] Status take_answers(Portion& portion);
    [[nodiscard]] Status lay_out(Portion& portion);
    [[nodiscard]] Status complete(Portion& portion);
    [[nodiscard]] Status make_room(std::uint64_t count);

    [[nodiscard]] const HnaForm& form() const noexcept { return index->data().form; }
    [[nodiscard]] static bool is_for_device(const Portion& portion, std::uint32_t i) noexcept {
        return portion.host_trips[i].start.polygon != navmesh::kNone;
    }
    [[nodiscard]] std::uint32_t length(const Portion& portion, std::uint32_t i) const noexcept {
        return is_for_device(portion, i) ? portion.host_answers[i].length : portion.share.length(i);
    }
    template <class Work>
    void for_each_trip(const Portion& portion, Work&& work) const;

    std::array<Portion, 2> portions;
    std::uint32_t portion_size = 0;
    std::vector<StatusCode> status;
    std::vector<Cost> cost;
    MachineArray<std::uint64_t, true> first;
    MachineArray<navmesh::Polygon, true> items;
};

template <class Work>
void DeviceSearcher::State::for_each_trip(const Portion& portion, Work&& work) const {
    oneapi::tbb::this_task_arena::isolate([&] {
        oneapi::tbb::parallel_for(oneapi::tbb::blocked_range<std::uint32_t>(0, portion.count, 64),
                                  [&](const auto& range) {
                                      for (std::uint32_t i = range.begin(); i != range.end(); ++i)
                                          work(i);
                                  });
    });
}

// Where the device has no room for portions so large, smaller ones are tried.
bool DeviceSearcher::State::reserve_portions() {
    const auto wanted = static_cast<std::uint32_t>(
        std::min<std::size_t>(options.portion, std::max<std::size_t>(trips.size(), 1)));
    for (portion_size = wanted; portion_size > 0; portion_size /= 2) {
        const auto reserve = [&](Portion& p) {
            return p.reserve(portion_size, form(), query.engine);
        };
        if (std::ranges::all_of(portions, reserve)) return true;
    }
    return false;
}

Result<DeviceRoutes> DeviceSearcher::State::run() {
    statistics = {};
    status.assign(trips.size(), StatusCode::cancelled);
    cost.assign(trips.size(), kInfinity);
    if (!reserve_portions() || !first.reserve(trips.size() + 1))
        return fail(StatusCode::out_of_memory,
                    fmt::format("{} has no memory left for a single trip", device.name()));
    first[0] = 0;
    const Status answered = answer_all();
    // Nothing may be under way when memory of a caller goes.
    for (Portion& portion : portions) {
        portion.copying_back = false;
        static_cast<void>(portion.queue->wait());
    }
    if (!answered.ok()) return tl::unexpected(answered);
    return DeviceRoutes{
        status, cost, {first.data(), trips.size() + 1}, {items.data(), first[trips.size()]}};
}

Status DeviceSearcher::State::answer_all() {
    Progress progress(*control, std::max<std::size_t>(trips.size(), 1));
    std::array<Portion*, 2> line{&portions[0], &portions[1]};
    const auto finish_one = [&](Portion& portion) -> Status {
        if (portion.count == 0) return {};
        if (Status s = finish(portion); !s.ok()) return s;
        progress.add(portion.count);
        return {};
    };
    for (Portion& portion : portions) portion.count = 0;
    for (std::size_t next = 0; next < trips.size(); next += portion_size) {
        if (Status s = complete(*line[0]); !s.ok()) return s;
        begin(*line[0], static_cast<std::uint32_t>(next),
              static_cast<std::uint32_t>(std::min<std::size_t>(portion_size, trips.size() - next)));
        std::swap(line[0], line[1]);
        if (Status s = finish_one(*line[0]); !s.ok()) return s;
    }
    if (Status s = finish_one(*line[1]); !s.ok()) return s;
    for (Portion* portion : line) {
        if (Status s = complete(*portion); !s.ok()) return s;
    }
    return {};
}

void DeviceSearcher::State::begin(Portion& portion, std::uint32_t first_trip, std::uint32_t count) {
    portion.begin = first_trip;
    portion.count = count;
    portion.share.begin(index->index(), query, count);
    locate(portion);
    portion.on_device = false;
    for (std::uint32_t i = 0; i < count; ++i) portion.on_device |= is_for_device(portion, i);
    if (!portion.on_device) return;
    // Room for corridors as long as those of the portion before, or some length to begin with.
    constexpr std::size_t kFirstLength = 64;
    if (query.corridors && portion.gathered.room() == 0)
        static_cast<void>(portion.gathered.reserve(count * kFirstLength));
    portion.queue->copy_in(portion.trips.data(), portion.host_trips.data(),
                           count * sizeof(MeshTrip));
    statistics.bytes_copied += count * sizeof(MeshTrip);
    launch(portion);
}

void DeviceSearcher::State::locate(Portion& portion) {
    for_each_trip(portion, [&](std::uint32_t i) {
        const std::size_t trip = std::size_t{portion.begin} + i;
        MeshTrip& located = portion.host_trips[i];
        located = trips[trip];
        if (control->cancelled() || !portion.share.locate(i, located, status[trip], cost[trip])) {
            located.start.polygon = navmesh::kNone;
        }
    });
}

void DeviceSearcher::State::launch(Portion& portion) {
    Queue& queue = *portion.queue;
    queue.clear(portion.used.data(), sizeof(std::uint64_t));
    KernelTask task;
    task.trips = portion.trips.data();
    task.count = portion.count;
    task.engine = query.engine;
    task.corridors = query.corridors;
    task.answers = portion.answers.data();
    task.polygons = portion.gathered.data();
    task.room = portion.gathered.room();
    task.used = portion.used.data();
    queue.answer(form(), task);
    queue.copy_out(portion.host_answers.data(), portion.answers.data(),
                   portion.count * sizeof(TripAnswer));
    queue.copy_out(portion.host_used.data(), portion.used.data(), sizeof(std::uint64_t));
    statistics.bytes_copied += portion.count * sizeof(TripAnswer) + sizeof(std::uint64_t);
    ++statistics.launches;
}

Status DeviceSearcher::State::finish(Portion& portion) {
    if (portion.on_device) {
        if (Status s = take_answers(portion); !s.ok()) return s;
    }
    for (std::uint32_t i = 0; i < portion.count; ++i) {
        const std::size_t trip = std::size_t{portion.begin} + i;
        first[trip + 1] = first[trip] + (query.corridors ? length(portion, i) : 0);
    }
    statistics.on_host += portion.share.answered();
    return query.corridors ? lay_out(portion) : Status{};
}

// Corridors that had no room get more, and are found again; where the device has none, and where it
// could not answer, the host does.
Status DeviceSearcher::State::take_answers(Portion& portion) {
    if (Status s = portion.queue->wait(); !s.ok()) return s;
    const std::uint64_t used = query.corridors ? portion.host_used[0] : 0;
    if (used > portion.gathered.room() && portion.gathered.reserve(used + used / 8)) {
        launch(portion);
        if (Status s = portion.queue->wait(); !s.ok()) return s;
    }
    const bool no_room =
        used > portion.gathered.room() || (query.corridors && !portion.ordered.reserve(used));
    for_each_trip(portion, [&](std::uint32_t i) {
        if (!is_for_device(portion, i)) return;
        const std::size_t trip = std::size_t{portion.begin} + i;
        const TripAnswer& answer = portion.host_answers[i];
        if (no_room || answer.cost == kInfinity) {
            portion.share.answer(i, portion.host_trips[i], status[trip], cost[trip]);
            portion.host_trips[i].start.polygon = navmesh::kNone;
        } else {
            status[trip] = StatusCode::ok;
            cost[trip] = answer.cost;
        }
    });
    std::uint64_t answered = 0;
    for (std::uint32_t i = 0; i < portion.count; ++i) answered += is_for_device(portion, i) ? 1 : 0;
    statistics.on_device += answered;
    portion.on_device = answered > 0;
    return {};
}

// Grows the corridors' place in the host's memory, to which nothing may be on its way.
Status DeviceSearcher::State::make_room(std::uint64_t count) {
    if (count <= items.room()) return {};
    for (const Portion& portion : portions) {
        if (!portion.copying_back) continue;
        if (Status s = portion.queue->wait(); !s.ok()) return s;
    }
    MachineArray<navmesh::Polygon, true> larger(*device.machine());
    if (!larger.reserve(std::max<std::uint64_t>(count, 2 * items.room())) && !larger.reserve(count))
        return {StatusCode::out_of_memory,
                fmt::format("{} polygons of corridors do not fit into the host's memory", count)};
    const std::size_t kept = items.room();
    if (kept > 0) std::memcpy(larger.data(), items.data(), kept * sizeof(navmesh::Polygon));
    items.swap(larger);
    return {};
}

Status DeviceSearcher::State::lay_out(Portion& portion) {
    const std::uint64_t base = first[portion.begin];
    const std::uint64_t length = first[std::size_t{portion.begin} + portion.count] - base;
    if (Status s = make_room(base + length); !s.ok()) return s;
    portion.copying_back = true;
    if (!portion.on_device || length == 0) return {};
    if (!portion.ordered.reserve(length))
        return {StatusCode::out_of_memory,
                fmt::format("{} has no room for {} polygons", device.name(), length)};
    Queue& queue = *portion.queue;
    const std::size_t first_bytes = (std::size_t{portion.count} + 1) * sizeof(std::uint64_t);
    queue.copy_in(portion.first.data(), &first[portion.begin], first_bytes);
    LayOutTask task;
    task.answers = portion.answers.data();
    task.count = portion.count;
    task.first = portion.first.data();
    task.base = base;
    task.polygons = portion.gathered.data();
    task.ordered = portion.ordered.data();
    queue.lay_out(task);
    const std::size_t item_bytes = length * sizeof(navmesh::Polygon);
    queue.copy_out(items.data() + base, portion.ordered.data(), item_bytes);
    statistics.bytes_copied += first_bytes + item_bytes;
    ++statistics.launches;
    return {};
}

// The host's corridors go between those that have come from the device.
Status DeviceSearcher::State::complete(Portion& portion) {
    if (!portion.copying_back) return {};
    portion.copying_back = false;
    if (Status s = portion.queue->wait(); !s.ok()) return s;
    portion.share.write({first.data() + portion.begin, portion.count}, items.data());
    return {};
}

DeviceSearcher::DeviceSearcher(const Device& device) : DeviceSearcher(device, Options{}) {}
DeviceSearcher::DeviceSearcher(const Device& device, const Options& options)
    : state_(std::make_unique<State>(device, options)) {}
DeviceSearcher::~DeviceSearcher() = default;
DeviceSearcher::DeviceSearcher(DeviceSearcher&&) noexcept = default;
DeviceSearcher& DeviceSearcher::operator=(DeviceSearcher&&) noexcept = default;

Result<DeviceRoutes> DeviceSearcher::find_paths(const DeviceIndex& index,
                                                std::span<const MeshTrip> trips,
                                                const DeviceQuery& query,
                                                const BuildControl& control) {
    constexpr std::uint32_t kMostTrips = 1U << 24;
    State& s = *state_;
    if (Status status = check_threads(control); !status.ok())
        return tl::unexpected(std::move(status));
    if (index.device().machine() != s.device.machine())
        return fail(StatusCode::bad_option, "the index was loaded on another device");
    if (s.options.portion == 0 || s.options.portion > kMostTrips)
        return fail(StatusCode::bad_option, fmt::format("portions of {} trips: must be 1 to {}",
                                                        s.options.portion, kMostTrips));
    if (const bool sound = query.reach >= 0; !sound)
        return fail(StatusCode::bad_option,
                    fmt::format("reach {}: must be 0 or more", query.reach));
    const hna::Index& asked = index.index();
    const bool by_labels = query.engine == DeviceEngine::cut_labels;
    if (by_labels && !asked.has_labels())
        return fail(StatusCode::unsupported,
                    "the index has no cut labels: wait for them, or ask another engine");
    const bool on_hng =
        query.engine == DeviceEngine::pccp || query.engine == DeviceEngine::parallel_connect;
    if (on_hng && asked.snapshot().top() > 1)
        return fail(StatusCode::unsupported,
                    "devices search indexes of one level: ask cut labels, or build one");
    s.index = &index;
    s.trips = trips;
    s.query = query;
    s.control = &control;
    return within_memory("batch", [&] { return on_threads(control, [&] { return s.run(); }); });
}

const DeviceStatistics& DeviceSearcher::statistics() const noexcept { return state_->statistics; }

}  // namespace cairn::batch
