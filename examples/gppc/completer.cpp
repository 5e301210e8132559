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

void Completer::change(std::span<const cairn::grid::TerrainEdit> edits) {
    const std::scoped_lock lock(mutex_);
    if (!thread_.joinable()) {
        thread_ = std::jthread([this](const std::stop_token& stop) { work(stop); });
    }
    waiting_.insert(waiting_.end(), edits.begin(), edits.end());
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
    while (wake_.wait(lock, stop, [this] { return !waiting_.empty(); }) && !stop.stop_requested()) {
        const auto edits = std::exchange(waiting_, {});
        cancel_.reset();
        lock.unlock();
        auto edited = index_.edited(edits);
        if (!edited) return;  // no memory: jump point search answers from now on
        index_ = std::move(*edited);
        auto completed = with_labels(index_, cancel_);
        // Later edits repair the closure of the newest labels.
        if (completed) index_ = std::move(*completed);
        lock.lock();
        if (completed && waiting_.empty()) completed_ = index_;
    }
}

}  // namespace gppc
