#include "completer.hpp"

#include <utility>

using cairn::subgoal::Index;

namespace gppc {
namespace {

/// Builds labels on one thread: the other processors are for queries.
cairn::Result<Index> with_labels(const Index& index, const cairn::CancelFlag& cancel) {
    const cairn::BuildControl control{.progress = {}, .cancel = &cancel, .threads = 1};
    return index.with_labels(control);
}

}  // namespace

Completer::~Completer() {
    const std::scoped_lock lock(mutex_);
    thread_.request_stop();
    cancel_.cancel();
}

void Completer::start(Index index) {
    const std::scoped_lock lock(mutex_);
    if (!thread_.joinable()) {
        thread_ = std::jthread([this](const std::stop_token& stop) { work(stop); });
    }
    waiting_ = std::move(index);
    completed_.reset();
    cancel_.cancel();
    wake_.notify_one();
}

std::optional<Index> Completer::take() {
    const std::scoped_lock lock(mutex_);
    return std::exchange(completed_, std::nullopt);
}

void Completer::work(const std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    while (wake_.wait(lock, stop, [this] { return waiting_.has_value(); }) &&
           !stop.stop_requested()) {
        const Index index = *std::exchange(waiting_, std::nullopt);
        cancel_.reset();
        lock.unlock();
        auto completed = with_labels(index, cancel_);
        lock.lock();
        if (completed && !waiting_) completed_ = std::move(*completed);
    }
}

}  // namespace gppc
