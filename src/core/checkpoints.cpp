#include "core/checkpoints.hpp"

#include <xxhash.h>

namespace cairn {

void CheckpointHash::add_bytes(const void* bytes, std::size_t size) noexcept {
    hash_ = XXH3_64bits_withSeed(bytes, size, hash_);
}

namespace {

#ifdef CAIRN_NO_CHECKPOINTS
Status make_or_take(const CheckpointedParts& /*parts*/, const BuildControl& /*control*/,
                    CheckpointStore& /*store*/) {
    return {StatusCode::unsupported, "this build of Cairn has no checkpoints"};
}
#else
/// The first failure of a loop's workers.
class FirstFailure {
public:
    void add(Status status) {
        if (status.ok()) return;
        const ScopedLock lock(mutex_);
        if (status_.ok()) status_ = std::move(status);
        failed_.store(true, std::memory_order_relaxed);
    }
    [[nodiscard]] bool failed() const noexcept { return failed_.load(std::memory_order_relaxed); }
    [[nodiscard]] Status take() { return std::move(status_); }

private:
    Mutex mutex_;
    Status status_;
    std::atomic<bool> failed_{false};
};

Status make_or_take(const CheckpointedParts& parts, const BuildControl& control,
                    CheckpointStore& store) {
    FirstFailure failure;
    const auto team = static_cast<std::size_t>(std::max(store.team(), 1));
    const auto rank = static_cast<std::size_t>(store.rank());
    const auto taken = [&](std::size_t part) {
        std::string bytes;
        return store.read(parts.name(part), bytes) && parts.unpack(part, bytes);
    };
    for_each_index(parts.count, 1, control, [&](std::size_t worker, std::size_t part) {
        if (part % team != rank || control.cancelled() || failure.failed()) return;
        if (taken(part)) return;
        parts.make(worker, part);
        if (control.cancelled()) return;  // the part may not be whole
        failure.add(store.write(parts.name(part), parts.pack(part)));
    });
    if (control.cancelled()) failure.add(fail(StatusCode::cancelled).value());
    if (Status status = store.meet(failure.take()); !status.ok() || team == 1) return status;
    for_each_index(parts.count, 1, control, [&](std::size_t, std::size_t part) {
        if (part % team == rank || taken(part)) return;
        failure.add({StatusCode::io_error,
                     fmt::format("the part {} of process {} is missing: all processes must see "
                                 "the same work folder",
                                 parts.name(part), part % team)});
    });
    return failure.take();
}
#endif

}  // namespace

Status for_each_part(const CheckpointedParts& parts, const BuildControl& control) {
    if (control.checkpoints != nullptr) return make_or_take(parts, control, *control.checkpoints);
    for_each_index(parts.count, 1, control, [&](std::size_t worker, std::size_t part) {
        if (!control.cancelled()) parts.make(worker, part);
    });
    return control.cancelled() ? fail(StatusCode::cancelled).value() : Status{};
}

}  // namespace cairn
