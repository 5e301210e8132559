#include "completer.hpp"

#include <chrono>
#include <utility>

#include "edits.hpp"

using cairn::grid::Map;
using cairn::subgoal::Index;

namespace gppc {
namespace {

std::vector<cairn::grid::TerrainEdit> edits_between(const Map& from, const Map& to) {
    std::vector<cairn::grid::TerrainEdit> edits;
    add_edits(
        from, {0, 0, to.width(), to.height()}, [&](cairn::grid::Cell c) { return to.terrain(c); },
        edits);
    return edits;
}

/// Builds labels on one thread: the other processors are for queries.
cairn::Result<Index> with_labels(const Index& index, const cairn::CancelFlag& cancel) {
    const cairn::BuildControl control{.progress = {}, .cancel = &cancel, .threads = 1};
    return index.with_labels(control);
}

}  // namespace

Completer::~Completer() {
    stop();
    thread_.request_stop();
}

void Completer::start(const Map& map) {
    const std::scoped_lock lock(mutex_);
    if (!thread_.joinable()) {
        thread_ = std::jthread([this](const std::stop_token& stop) { work(stop); });
    }
    cancel_.cancel();
    completed_.reset();
    wanted_ = map;
    wake_.notify_one();
}

void Completer::stop() {
    const std::scoped_lock lock(mutex_);
    cancel_.cancel();
    completed_.reset();
    wanted_.reset();
}

std::optional<Completed> Completer::take() {
    const std::scoped_lock lock(mutex_);
    return std::exchange(completed_, std::nullopt);
}

void Completer::work(const std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    while (wake_.wait(lock, stop, [this] { return wanted_.has_value(); }) &&
           !stop.stop_requested()) {
        const Map map = *std::exchange(wanted_, std::nullopt);
        cancel_.reset();
        lock.unlock();
        const auto begin = std::chrono::steady_clock::now();
        auto edited = index_.edited(edits_between(index_.map(), map));
        if (!edited) return;  // no memory: jump point search answers from now on
        index_ = std::move(*edited);
        auto labelled = with_labels(index_, cancel_);
        // Later edits repair the closure of the newest labels.
        if (labelled) index_ = std::move(*labelled);
        const std::chrono::duration<double, std::micro> time =
            std::chrono::steady_clock::now() - begin;
        lock.lock();
        if (labelled && !cancel_.cancelled()) completed_ = {index_, time.count()};
    }
}

}  // namespace gppc
