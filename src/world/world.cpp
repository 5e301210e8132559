#include "cairn/world/world.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cairn/closure.hpp"
#include "core/guarded.hpp"
#include "core/parallel_loop.hpp"
#include "world/base_labels.hpp"
#include "world/state.hpp"

namespace cairn {
namespace {

/// Whether edits leave work for the index: its labels can be repaired.
template <class P>
[[nodiscard]] bool lacks_labels(const typename P::Index& index) {
    if constexpr (LabelledPlanner<P>) {
        return index.has_closure() && !index.has_labels() &&
               index.labels_status().code == StatusCode::stale_index;
    } else {
        // haa has labels in views, which may still have to be made.
        return requires { index.with_repaired_labels(); };
    }
}

template <class P>
[[nodiscard]] bool is_worn_out(const typename P::Index& index) noexcept {
    if constexpr (requires { index.wear(); }) return index.wear() >= Closure::kWornOut;
    return false;
}

Status check(const WorldOptions& options) {
    constexpr std::uint32_t kMostOrderEdits = 1'000'000;
    if (options.order_edits < 1 || options.order_edits > kMostOrderEdits) {
        return {StatusCode::bad_option, fmt::format("order_edits: {} is not from 1 to {}",
                                                    options.order_edits, kMostOrderEdits)};
    }
    BuildControl control;
    control.threads = options.threads;
    return check_threads(control);
}

}  // namespace

template <EditablePlanner P>
World<P>::State::~State() {
    {
        const ScopedLock lock(mutex);
        stopping = true;
    }
    stop.cancel();
    worker.wake();
    worker.join();
}

template <EditablePlanner P>
auto World<P>::State::repaired(const Published& published, const std::optional<Published>& base)
    -> Result<Index> {
    const Index& index = published.snapshot.index;
    if constexpr (requires { index.with_repaired_labels(); }) {
        BuildControl control;
        control.threads = 1;
        control.cancel = &stop;
        const auto begin = Clock::now();
        auto made = [&] {
            if constexpr (LabelledPlanner<P>) {
                if (base && base->order == published.order)
                    return based_on(index, base->snapshot.index).with_repaired_labels(control);
            }
            return index.with_repaired_labels(control);
        }();
        const auto time =
            std::chrono::duration_cast<std::chrono::microseconds>(Clock::now() - begin);
        const ScopedLock lock(mutex);
        repairs[next_repair++ % repairs.size()] = time;
        return made;
    }
    return index;
}

template <EditablePlanner P>
Result<std::uint64_t> World<P>::State::edit(std::span<const Edit> edits) {
    const ScopedLock one_at_a_time(editing);
    UniqueLock lock(mutex);
    const Published before = now;
    std::optional<Published> base = outdated;
    const bool inline_labels = std::ranges::max(repairs) <= most_inline;
    const std::uint64_t number = before.snapshot.edits + 1;
    const bool due = fresh && number == fresh->due;
    lock.unlock();

    auto index = before.snapshot.index.edited(edits);
    if (!index) return tl::unexpected(std::move(index.error()));
    Published next{{*std::move(index), number}, before.order};
    if (due) {
        if (auto in_fresh_order = finish_fresh_order()) {
            auto edited = in_fresh_order->edited(edits);
            if (!edited) return tl::unexpected(std::move(edited.error()));
            next = {{*std::move(edited), number}, before.order + 1};
        }
    }
    bool labels_wanted = lacks_labels<P>(next.snapshot.index);
    if (labels_wanted && inline_labels) {
        if (auto labelled = repaired(next, base)) {
            next.snapshot.index = *std::move(labelled);
            labels_wanted = false;
        }
    }
    publish(before, std::move(next), edits, labels_wanted);
    wake_worker();
    return number;
}

template <EditablePlanner P>
void World<P>::State::publish(const Published& before, Published next, std::span<const Edit> edits,
                              bool labels_wanted) {
    // All that may fail comes before the first change.
    const std::uint64_t number = next.snapshot.edits;
    Changes<P> all = changes;  // written by edits only
    append_changes<P>(before.snapshot.index, next.snapshot.index, edits, number, all);
    all.forget(options.remembered_areas);
    std::vector<Edit> copy(edits.begin(), edits.end());
    std::unique_ptr<FreshOrder<P>> begun;
    if (is_worn_out<P>(next.snapshot.index))
        begun = std::make_unique<FreshOrder<P>>(
            FreshOrder<P>{number + options.order_edits, next.snapshot.index});

    const ScopedLock lock(mutex);
    const bool due = fresh && number == fresh->due;
    if (fresh && !due) fresh->edits.push_back(std::move(copy));
    if (due) fresh.reset();
    if (!fresh) fresh = std::move(begun);
    if (!labels_wanted || next.order != before.order) {
        outdated.reset();
    } else if (lacks_labels<P>(before.snapshot.index) && !lacks_labels<P>(now.snapshot.index)) {
        outdated = std::move(now);  // its labels came while this edit was made
    }
    wants_labels = labels_wanted;
    changes = std::move(all);
    now = std::move(next);
    version.fetch_add(1, std::memory_order_release);
}

template <EditablePlanner P>
Status World<P>::State::make_labels() {
    UniqueLock lock(mutex);
    Published labelled = now;
    const std::optional<Published> base = outdated;
    lock.unlock();
    auto index = repaired(labelled, base);
    lock.lock();
    const bool newest = now.snapshot.edits == labelled.snapshot.edits;
    if (newest) wants_labels = false;
    if (!index) return std::move(index.error());
    labelled.snapshot.index = *std::move(index);
    if (newest) {
        now = std::move(labelled);
        outdated.reset();
        version.fetch_add(1, std::memory_order_release);
    } else {
        outdated = std::move(labelled);
    }
    return {};
}

template <EditablePlanner P>
Status World<P>::State::advance_fresh_order() {
    if constexpr (requires { now.snapshot.index.with_fresh_order(); }) {
        // Only the next edits are appended to it meanwhile, and nobody else works on it.
        UniqueLock lock(mutex);
        const Index index = fresh->index;
        const bool ordered = fresh->ordered;
        const std::vector<Edit> edits =
            ordered ? fresh->edits[fresh->applied] : std::vector<Edit>{};
        lock.unlock();
        BuildControl control;
        control.threads = options.threads;
        control.cancel = &stop;
        auto next = ordered ? index.edited(edits) : index.with_fresh_order(control);
        lock.lock();
        if (!next) {
            fresh->failed = true;
            return std::move(next.error());
        }
        fresh->index = *std::move(next);
        if (ordered) ++fresh->applied;
        fresh->ordered = true;
    }
    return {};
}

template <EditablePlanner P>
auto World<P>::State::finish_fresh_order() -> std::optional<Index> {
    const ScopedLock one_at_a_time(working);
    for (;;) {
        {
            const ScopedLock lock(mutex);
            if (fresh->failed) return std::nullopt;
            if (fresh->done()) return fresh->index;
        }
        Status status = guarded([&] { return advance_fresh_order(); });
        const ScopedLock lock(mutex);
        if (status.code == StatusCode::out_of_memory) fresh->failed = true;
        if (!status.ok()) work_status = std::move(status);
    }
}

template <EditablePlanner P>
bool World<P>::State::work() {
    const ScopedLock one_at_a_time(working);
    bool labels = false;
    {
        const ScopedLock lock(mutex);
        if (stopping || !has_work()) return false;
        labels = wants_labels;
    }
    Status status = guarded([&] { return labels ? make_labels() : advance_fresh_order(); });
    const ScopedLock lock(mutex);
    if (status.code == StatusCode::out_of_memory) {
        // Not at once again: the next edit tries it.
        if (labels) wants_labels = false;
        if (!labels && fresh) fresh->failed = true;
    }
    work_status = std::move(status);
    return true;
}

template <EditablePlanner P>
void World<P>::State::wake_worker() {
    if (!options.worker || !has_worker) return;
    {
        const ScopedLock lock(mutex);
        if (!has_work()) return;
    }
    has_worker = worker.start([this] { run_worker(); });
    worker.wake();
}

template <EditablePlanner P>
void World<P>::State::run_worker() {
    for (;;) {
        {
            UniqueLock lock(mutex);
            worker.wait(lock, [this] { return stopping || has_work(); });
            if (stopping) return;
        }
        work();
    }
}

template <EditablePlanner P>
World<P>::World(std::unique_ptr<State> state) noexcept : state_(std::move(state)) {}
template <EditablePlanner P>
World<P>::~World() = default;
template <EditablePlanner P>
World<P>::World(World&&) noexcept = default;
template <EditablePlanner P>
World<P>& World<P>::operator=(World&&) noexcept = default;

template <EditablePlanner P>
Result<World<P>> World<P>::create(Index index, const WorldOptions& options) noexcept try {
    if (Status s = check(options); !s.ok()) return tl::unexpected(std::move(s));
    return World(std::make_unique<State>(std::move(index), options));
} catch (...) {
    return out_of_memory();
}

template <EditablePlanner P>
Result<std::uint64_t> World<P>::edit(std::span<const Edit> edits) noexcept {
    return guarded([&] { return state_->edit(edits); });
}

template <EditablePlanner P>
WorldSnapshot<P> World<P>::snapshot() const noexcept {
    const ScopedLock lock(state_->mutex);
    return state_->now.snapshot;
}

template <EditablePlanner P>
std::uint64_t World<P>::edits() const noexcept {
    const ScopedLock lock(state_->mutex);
    return state_->now.snapshot.edits;
}

template <EditablePlanner P>
bool World<P>::work() noexcept {
    return state_->work();
}

template <EditablePlanner P>
Status World<P>::work_status() const noexcept {
    return guarded([&] {
        const ScopedLock lock(state_->mutex);
        return state_->work_status;
    });
}

template class World<grid::AstarPlanner>;
template class World<grid::JpsPlanner>;
#if CAIRN_HAS_HAA
template class World<haa::Planner>;
#endif
#if CAIRN_HAS_HNA
template class World<hna::Planner>;
#endif
#if CAIRN_HAS_HPA
template class World<hpa::Planner>;
#endif
#if CAIRN_HAS_MESH
template class World<mesh::AstarPlanner>;
#endif
#if CAIRN_HAS_SUBGOAL
template class World<subgoal::Planner>;
#endif

}  // namespace cairn
