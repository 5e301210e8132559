#pragma once
// The processes of a run of cairn-mpi, and what they do together. All messages go by MPI.
//
// A step that may fail at one process ends with `agree` or runs in `together`: then all processes
// know of the failure, and all leave. Between such steps there are only collective calls, into
// memory that a step before has allocated. So no process waits for one that has failed. If MPI
// itself fails, it ends all processes (MPI_ERRORS_ARE_FATAL, its default).

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "batch/host/request_shares.hpp"
#include "cairn/status.hpp"
#include "command.hpp"
#include "core/guarded.hpp"

namespace cairn::mpi {

/// All processes of the run. One object, made before any other use of MPI; only the thread that
/// made it may use it.
class Processes {
public:
    Processes(int& argc, char**& argv);
    ~Processes();
    Processes(const Processes&) = delete;
    Processes& operator=(const Processes&) = delete;

    /// The number of this process, from 0.
    [[nodiscard]] int rank() const noexcept { return rank_; }
    [[nodiscard]] int count() const noexcept { return count_; }
    /// Whether this is process 0, which alone prints.
    [[nodiscard]] bool first() const noexcept { return rank_ == 0; }
    /// This process's slice of `items`.
    [[nodiscard]] batch::Slice slice_of(std::uint64_t items) const noexcept {
        return batch::slice_of(items, static_cast<std::uint64_t>(count_),
                               static_cast<std::uint64_t>(rank_));
    }
    /// The threads that this process should use: the processors that it may run on, divided by the
    /// number of processes of this host that may run on the same ones. At least 1. Collective.
    [[nodiscard]] int threads() const;

    /// The status of the lowest process that failed, at all processes; ok if none did. The message
    /// names the process if it is not process 0. Collective.
    [[nodiscard]] Status agree(const Status& own);
    /// agree(work()). A failed allocation in `work` is out_of_memory. Collective.
    template <class Work>
    [[nodiscard]] Status together(Work&& work) {
        return agree(guarded(work));
    }
    /// Whether all processes have the same numbers. Collective.
    [[nodiscard]] bool same(std::span<const std::uint64_t> numbers) const;
    /// Replaces each number by the sum over all processes. Collective.
    void sum(std::span<std::uint64_t> numbers) const;
    /// The sum of the numbers of all processes before this one. Collective.
    [[nodiscard]] std::uint64_t sum_before(std::uint64_t own) const;
    /// Replaces each number by the greatest of all processes. Collective.
    void greatest(std::span<double> numbers) const;
    /// Sends number i of `out` to process i, and puts that from process i into number i of `in`.
    /// Collective.
    void exchange_counts(std::span<const std::uint32_t> out, std::span<std::uint32_t> in) const;
    /// Replaces the text of each process by that of process 0. `text` must have room for it.
    /// Collective.
    void of_first(std::span<char> text) const;

    /// A command begins here; its first collective call must be `agree` or `together`, as a process
    /// that cannot parse the command line calls that.
    void begin() noexcept { stage_ = Stage::running; }
    /// A command has made its last collective call.
    void end() noexcept { stage_ = Stage::ended; }
    /// For run_program: lets the others know of an error before a command has begun. Process 0
    /// returns the error, all others its exit code. An error within a command that the processes
    /// have not agreed on ends them all at once.
    [[nodiscard]] app::Outcome settle(app::Outcome own);

private:
    enum class Stage : std::uint8_t { parsing, running, ended };

    int rank_ = 0;
    int count_ = 1;
    Stage stage_ = Stage::parsing;
};

/// How many items a process sends to or receives from each process.
class Counts {
public:
    explicit Counts(int processes)
        : counts_(static_cast<std::size_t>(processes)), begins_(counts_.size()) {}

    /// Sets the counts, by process. Errors: too_large (more than MPI can number).
    template <class Number>
    [[nodiscard]] Status set(std::span<const Number> counts) {
        constexpr std::uint64_t kMost = std::numeric_limits<int>::max();
        std::uint64_t begin = 0;
        for (std::size_t process = 0; process < counts_.size(); ++process) {
            if (counts[process] > kMost - begin) {
                return {StatusCode::too_large,
                        "a chunk has too much for one process: use a smaller --chunk"};
            }
            counts_[process] = static_cast<int>(counts[process]);
            begins_[process] = static_cast<int>(begin);
            begin += counts[process];
        }
        total_ = begin;
        return {};
    }
    [[nodiscard]] std::size_t processes() const noexcept { return counts_.size(); }
    [[nodiscard]] std::uint64_t total() const noexcept { return total_; }
    [[nodiscard]] const int* counts() const noexcept { return counts_.data(); }
    [[nodiscard]] const int* begins() const noexcept { return begins_.data(); }

private:
    std::vector<int> counts_;
    std::vector<int> begins_;
    std::uint64_t total_ = 0;
};

/// Items of type T in messages. T is copied byte by byte, so all hosts must have the same byte
/// order.
template <class T>
class Messages {
    static_assert(std::is_trivially_copyable_v<T>);

public:
    Messages() {
        MPI_Type_contiguous(sizeof(T), MPI_BYTE, &type_);
        MPI_Type_commit(&type_);
    }
    ~Messages() { MPI_Type_free(&type_); }
    Messages(const Messages&) = delete;
    Messages& operator=(const Messages&) = delete;

    /// Sends each process its items of `out`, and puts those from all processes into `in`, which
    /// has room for from.total(). Collective.
    void exchange(std::span<const T> out, const Counts& to, std::span<T> in,
                  const Counts& from) const {
        MPI_Alltoallv(out.data(), to.counts(), to.begins(), type_, in.data(), from.counts(),
                      from.begins(), type_, MPI_COMM_WORLD);
    }

private:
    MPI_Datatype type_ = MPI_DATATYPE_NULL;
};

}  // namespace cairn::mpi
