#pragma once
// How the processes answer a chunk of requests together.
//
//   read      each process reads its slice of the chunk
//   deal      the sizes of blocks say which process answers what (request_shares.hpp)
//   exchange  each process gets the requests that it answers
//   answer    by a batch, on its threads
//   exchange  each process gets the answers to its slice
//   write     its rows, at their place in the output
//
// All processes do the same share of each step, and none holds more than its share of a chunk. The
// answers are those of single queries, so the output does not depend on who answers what.

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "batch/host/request_order.hpp"
#include "batch/host/request_shares.hpp"
#include "cairn/any.hpp"
#include "cairn/formats/npy.hpp"
#include "core/parallel_loop.hpp"
#include "output_array.hpp"
#include "path_exchange.hpp"
#include "processes.hpp"
#include "requests.hpp"

namespace cairn::mpi {

/// Sums over requests.
struct Totals {
    static constexpr std::size_t kCodes = 32;         // more than StatusCode has
    std::array<std::uint64_t, kCodes + 1> numbers{};  ///< requests by status; costs last

    void add(const app::RequestStatus& status) noexcept {
        ++numbers[static_cast<std::size_t>(status.code)];
        if (status.cost > 0) numbers[kCodes] += static_cast<std::uint64_t>(status.cost);
    }
    [[nodiscard]] std::uint64_t found() const noexcept {
        return numbers[static_cast<std::size_t>(StatusCode::ok)];
    }
    [[nodiscard]] std::uint64_t cost() const noexcept { return numbers[kCodes]; }
};

/// Answers chunk after chunk, and keeps the working memory. `Request` is grid::Request or
/// mesh::Request.
template <class Request>
class Exchange {
public:
    Exchange(Processes& processes, const AnyIndex& index, const AnyQuery& query,
             const BuildControl& control)
        : processes_(processes), index_(index), query_(query), control_(control) {}

    /// Answers the requests of a slice, fewer than 2^32, and writes their rows, and with `paths`
    /// those of their paths. Errors, agreed on by all: those of reading, of the batch and of
    /// writing; cancelled; out_of_memory. Collective.
    [[nodiscard]] Status answer(const formats::NpyRequests<Request>& requests, batch::Slice chunk,
                                OutputArray<std::int32_t>& output, PathExchange<Request>* paths);

    /// Over the requests that this process has written.
    [[nodiscard]] const Totals& totals() const noexcept { return totals_; }

private:
    using Key = batch::RequestKey;

    [[nodiscard]] Status read(const formats::NpyRequests<Request>& requests, batch::Slice chunk);
    [[nodiscard]] Status deal();
    [[nodiscard]] Status exchange();
    [[nodiscard]] Status answer_own();
    [[nodiscard]] Status write(OutputArray<std::int32_t>& output, std::uint64_t first);
    /// Calls use(i) for 0 to `count` - 1, on all threads.
    template <class Use>
    void for_each(std::size_t count, const Use& use) const {
        constexpr std::size_t kGrain = 1024;
        for_each_index(count, kGrain, control_, [&](std::size_t, std::size_t i) { use(i); });
    }

    Processes& processes_;
    const AnyIndex& index_;
    const AnyQuery& query_;
    const BuildControl& control_;
    AnySearcher searcher_;
    AnyPaths found_;
    Totals totals_;
    Messages<Request> request_messages_;
    Messages<app::RequestStatus> status_messages_;

    std::vector<Request> slice_;  // of the chunk, that this process reads and writes
    std::vector<Key> keys_;       // of slice_
    batch::RequestShares::Dealt dealt_;
    std::vector<Request> sent_;                 // slice_, by the processes that answer
    std::vector<app::RequestStatus> returned_;  // to sent_
    std::vector<Request> own_;                  // that this process answers
    std::vector<app::RequestStatus> answers_;   // to own_
    std::vector<std::int32_t> rows_;
    Counts to_{processes_.count()};
    Counts from_{processes_.count()};
};

template <class Request>
Status Exchange<Request>::answer(const formats::NpyRequests<Request>& requests, batch::Slice chunk,
                                 OutputArray<std::int32_t>& output, PathExchange<Request>* paths) {
    const std::uint64_t first = chunk.begin + processes_.slice_of(chunk.size()).begin;
    Status status = read(requests, chunk);
    if (status.ok()) status = deal();
    if (status.ok()) status = exchange();
    if (status.ok()) status = answer_own();
    if (status.ok()) status = write(output, first);
    if (paths == nullptr) return status;
    if (status.ok()) status = paths->exchange(found_, from_, to_);
    if (status.ok()) status = paths->write(first, dealt_.order);
    return status;
}

template <class Request>
Status Exchange<Request>::read(const formats::NpyRequests<Request>& requests, batch::Slice chunk) {
    const batch::Slice own = processes_.slice_of(chunk.size());
    batch::PlaceExtents extents;
    Status status = processes_.together([&]() -> Status {
        slice_.resize(own.size());
        keys_.reserve(own.size());
        if (Status read = requests.read(chunk.begin + own.begin, slice_); !read.ok()) return read;
        extents.include(std::span<const Request>(slice_));
        return {};
    });
    if (!status.ok()) return status;
    // The least as the greatest of the opposite numbers.
    std::array<double, 4> ends{-extents.x.least, extents.x.most, -extents.y.least, extents.y.most};
    processes_.greatest(ends);
    extents = {{-ends[0], ends[1]}, {-ends[2], ends[3]}};
    std::array<std::uint64_t, 2> votes{};  // of processes with requests: all, and for the exchange
    status = processes_.together([&]() -> Status {
        batch::make_keys(std::span<const Request>(slice_), extents,
                         static_cast<std::uint32_t>(own.begin), control_, keys_);
        if (!keys_.empty()) votes = {1, batch::starts_are_shared(keys_) ? 1U : 0U};
        return {};
    });
    if (!status.ok()) return status;
    processes_.sum(votes);
    if (2 * votes[1] > votes[0]) batch::exchange_roles(keys_);
    return {};
}

template <class Request>
Status Exchange<Request>::deal() {
    std::vector<std::uint64_t> sizes;
    Status status = processes_.together([&]() -> Status {
        sizes = batch::sizes_of_blocks(keys_);
        return {};
    });
    if (!status.ok()) return status;
    processes_.sum(sizes);
    return processes_.together([&]() -> Status {
        const auto processes = static_cast<std::uint32_t>(processes_.count());
        dealt_ = batch::RequestShares(sizes, processes).deal(keys_);
        sent_.resize(slice_.size());
        returned_.resize(slice_.size());
        for_each(sent_.size(), [&](std::size_t i) { sent_[i] = slice_[dealt_.order[i]]; });
        return to_.set(std::span<const std::uint32_t>(dealt_.counts));
    });
}

template <class Request>
Status Exchange<Request>::exchange() {
    std::vector<std::uint32_t> counts;
    Status status = processes_.together([&]() -> Status {
        counts.resize(dealt_.counts.size());
        return {};
    });
    if (!status.ok()) return status;
    processes_.exchange_counts(dealt_.counts, counts);
    status = processes_.together([&]() -> Status {
        if (Status set = from_.set(std::span<const std::uint32_t>(counts)); !set.ok()) return set;
        own_.resize(from_.total());
        answers_.resize(from_.total());
        return {};
    });
    if (status.ok()) request_messages_.exchange(sent_, to_, own_, from_);
    return status;
}

template <class Request>
Status Exchange<Request>::answer_own() {
    Status status = processes_.together([&]() -> Status {
        Status answered = searcher_.find_paths(index_, query_, std::span<const Request>(own_),
                                               found_, {}, control_);
        if (!answered.ok()) return answered;
        if (control_.cancelled()) return fail(StatusCode::cancelled).value();
        for_each(answers_.size(), [&](std::size_t i) { answers_[i] = app::status_of(found_, i); });
        return {};
    });
    if (status.ok()) status_messages_.exchange(answers_, from_, returned_, to_);
    return status;
}

template <class Request>
Status Exchange<Request>::write(OutputArray<std::int32_t>& output, std::uint64_t first) {
    return processes_.together([&]() -> Status {
        rows_.resize(returned_.size() * app::kStatusColumns);
        for_each(returned_.size(), [&](std::size_t i) {
            const std::uint32_t request = dealt_.order[i];
            const auto row =
                app::status_row(static_cast<std::int32_t>(first + request), returned_[i]);
            std::copy(row.begin(), row.end(),
                      rows_.begin() + static_cast<std::ptrdiff_t>(row.size() * request));
        });
        for (const app::RequestStatus& status : returned_) totals_.add(status);
        return output.write_rows(first, rows_);
    });
}

}  // namespace cairn::mpi
