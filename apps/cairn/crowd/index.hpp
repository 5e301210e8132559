#pragma once
// The index of a crowd. Edits replace it; a worker thread then adds again the parts that edits
// drop: cut labels, and levels of subgoal graphs.

#include <cstdint>
#include <future>
#include <span>
#include <utility>

#include "command.hpp"
#include "crowd/world.hpp"

namespace cairn::app {

/// Whether an index has the closure of labels.
template <class Index>
[[nodiscard]] bool has_closure(const Index& index) {
    if constexpr (requires { index.has_closure(); }) return index.has_closure();
    return false;
}
/// Whether an index has all parts that an edit drops, apart from labels that are too large.
template <class Index>
[[nodiscard]] bool is_complete(const Index& index) {
    if constexpr (requires { index.complete(); }) {
        if (index.complete()) return true;
    }
    return index.has_labels() || has_closure(index);
}
/// Whether an edit drops any part of an index.
template <class Index>
[[nodiscard]] bool loses_by_edits(const Index& index) {
    if constexpr (requires { index.complete(); })
        return index.has_labels() || has_closure(index) || index.options().levels != 1;
    return index.has_labels() || has_closure(index);
}

/// The current index, and the worker that completes it after edits. The destructor stops the
/// worker.
template <class P>
class CrowdIndex {
public:
    using Index = typename P::Index;

    CrowdIndex(const Index& index, int label_frames)
        : index_(index), label_frames_(label_frames), loses_parts_(loses_by_edits(index)) {}
    ~CrowdIndex() {
        stop_.cancel();
        if (worker_.valid()) worker_.wait();
    }
    CrowdIndex(const CrowdIndex&) = delete;
    CrowdIndex& operator=(const CrowdIndex&) = delete;

    [[nodiscard]] const Index& get() const noexcept { return index_; }
    /// The number of times that the index was replaced.
    [[nodiscard]] std::uint64_t version() const noexcept { return version_; }
    /// Whether the index has all its parts, also after edits.
    [[nodiscard]] bool complete() const noexcept { return complete_; }
    [[nodiscard]] const EditFigures& figures() const noexcept { return figures_; }

    /// Takes over the worker's index if it is due, and waits for it. Errors: those of the index's
    /// `with_labels`, except too_large.
    [[nodiscard]] Status begin_frame(int frame) {
        return worker_.valid() && frame >= due_ ? take_over() : Status{};
    }

    /// Makes up to `count` edits. `draw()` returns a DrawnEdit, std::nullopt if there is no room
    /// for one, or an error. Errors: those of `draw` and of the index's `edited`.
    template <class Draw>
    [[nodiscard]] Status edit(int count, const Draw& draw) {
        for (int i = 0; i < count; ++i) {
            const auto drawn = draw();
            if (!drawn) return drawn.error();
            if (!*drawn) {
                ++figures_.skipped;
                continue;
            }
            if (Status status = make((*drawn)->edit); !status.ok()) return status;
            ++((*drawn)->frees ? figures_.freed : figures_.blocked);
        }
        return {};
    }

    /// Starts the worker, unless it runs or the index is complete. Its index is due label_frames
    /// later. Call after a frame's edits.
    void start_worker(int frame) {
        if (!loses_parts_ || complete_ || worker_.valid()) return;
        due_ = frame + label_frames_;
        worker_ = std::async(std::launch::async, [this, index = index_]() {
            BuildControl control;
            control.cancel = &stop_;
            control.threads = 1;
            const double begin = now();
            auto completed = index.with_labels(control);
            return Rebuilt{std::move(completed), now() - begin};
        });
    }

private:
    struct Rebuilt {
        Result<Index> index;
        double seconds = 0;
    };

    /// Makes one edit. A running worker's index is taken over first, however long that takes: the
    /// tree of the labels depends on the indexes before, not on the worker's speed.
    template <class Edit>
    [[nodiscard]] Status make(const Edit& edit) {
        if (worker_.valid()) {
            if (Status status = take_over(); !status.ok()) return status;
        }
        const double begin = now();
        auto edited = index_.edited(std::span(&edit, 1));
        figures_.edited.push_back(now() - begin);
        if (!edited) return std::move(edited.error());
        index_ = std::move(*edited);
        ++version_;
        complete_ = false;
        return {};
    }

    [[nodiscard]] Status take_over() {
        Rebuilt rebuilt = worker_.get();
        figures_.rebuilt.push_back(rebuilt.seconds);
        if (rebuilt.seconds * kFramesPerSecond > label_frames_) ++figures_.late;
        if (rebuilt.index) {
            index_ = std::move(*rebuilt.index);
            ++version_;
            complete_ = is_complete(index_);
            return {};
        }
        // The parts cannot be built at this size: continue without them. Labels over their limit of
        // bytes are no error: the index then just lacks them.
        if (rebuilt.index.error().code == StatusCode::too_large) return {};
        return std::move(rebuilt.index.error());
    }

    Index index_;
    std::uint64_t version_ = 0;
    EditFigures figures_;
    CancelFlag stop_;
    int label_frames_;
    bool loses_parts_;
    bool complete_ = true;
    int due_ = 0;  // the frame in which the worker's index is taken over
    std::future<Rebuilt> worker_;
};

}  // namespace cairn::app
