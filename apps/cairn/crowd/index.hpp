#pragma once
// An index that edits change while a crowd queries it. A worker rebuilds labels meanwhile.

#include <cstdint>
#include <future>
#include <span>
#include <utility>
#include <vector>

#include "command.hpp"
#include "crowd/world.hpp"

namespace cairn::app {

/// Whether an index has all parts that an edit drops.
template <class Index>
[[nodiscard]] bool is_complete(const Index& index) {
    if constexpr (requires { index.complete(); }) {
        return index.complete();
    } else {
        return index.has_labels();
    }
}
/// Whether an edit drops any part of an index.
template <class Index>
[[nodiscard]] bool loses_by_edits(const Index& index) {
    if constexpr (requires { index.complete(); })
        return index.has_labels() || index.options().levels != 1;
    return index.has_labels();
}

/// The destructor stops the worker.
template <class P>
class CrowdIndex {
public:
    using Index = typename P::Index;

    CrowdIndex(const Index& index, int label_frames)
        : index_(index), label_frames_(label_frames), closes_(loses_by_edits(index)) {}
    ~CrowdIndex() {
        stop_.cancel();
        if (worker_.valid()) worker_.wait();
    }
    CrowdIndex(const CrowdIndex&) = delete;
    CrowdIndex& operator=(const CrowdIndex&) = delete;

    [[nodiscard]] const Index& get() const noexcept { return index_; }
    /// Differs from index to index; 0 for the first.
    [[nodiscard]] std::uint64_t version() const noexcept { return version_; }
    /// Whether the index is complete again after edits.
    [[nodiscard]] bool closed() const noexcept { return closed_; }
    [[nodiscard]] const EditTimes& times() const noexcept { return times_; }

    [[nodiscard]] Status begin_frame(int frame) {
        return worker_.valid() && frame >= due_ ? take_over() : Status{};
    }

    /// Makes a frame's edits. `draw()` returns an edit, std::nullopt if there is no room for one,
    /// or an error.
    template <class Draw>
    [[nodiscard]] Status edit(int count, const Draw& draw) {
        for (int i = 0; i < count; ++i) {
            const auto drawn = draw();
            if (!drawn) return drawn.error();
            if (!*drawn) {
                ++times_.skipped;
                continue;
            }
            if (Status status = make((*drawn)->edit); !status.ok()) return status;
            ++((*drawn)->frees ? times_.freed : times_.blocked);
        }
        return {};
    }

    /// Call after a frame's edits. If there were no edits, a running worker goes on.
    void close(int frame) {
        if (!closes_ || closed_ || worker_.valid()) return;
        due_ = frame + label_frames_;
        worker_ = std::async(std::launch::async, [this, index = index_]() {
            BuildControl control;
            control.cancel = &stop_;
            control.threads = 1;
            const double begin = now();
            auto closed = index.with_labels(control);
            return Closed{std::move(closed), now() - begin};
        });
    }

private:
    struct Closed {
        Result<Index> index;
        double seconds = 0;
    };

    /// The first edit of a frame waits for the worker, so that the order of labels does not depend
    /// on its speed.
    template <class Edit>
    [[nodiscard]] Status make(const Edit& edit) {
        if (worker_.valid()) {
            if (Status status = take_over(); !status.ok()) return status;
        }
        const double begin = now();
        auto edited = index_.edited(std::span(&edit, 1));
        times_.edited.push_back(now() - begin);
        if (!edited) return std::move(edited.error());
        index_ = std::move(*edited);
        ++version_;
        closed_ = false;
        return {};
    }

    [[nodiscard]] Status take_over() {
        Closed done = worker_.get();
        times_.closed.push_back(done.seconds);
        if (done.seconds * kFramesASecond > label_frames_) ++times_.late;
        if (done.index) {
            index_ = std::move(*done.index);
            ++version_;
            closed_ = is_complete(index_);
            return {};
        }
        // The labels have outgrown their limit: continue without them.
        if (done.index.error().code == StatusCode::too_large) return {};
        return std::move(done.index.error());
    }

    Index index_;
    std::uint64_t version_ = 0;
    EditTimes times_;
    CancelFlag stop_;
    int label_frames_;
    bool closes_;
    bool closed_ = true;
    int due_ = 0;
    std::future<Closed> worker_;
};

}  // namespace cairn::app
