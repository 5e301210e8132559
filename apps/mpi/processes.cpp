#include "processes.hpp"

#include <fmt/format.h>
#include <sched.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <thread>
#include <utility>

namespace cairn::mpi {
namespace {

/// Waits for the others, and leaves the processor to them meanwhile: MPI would keep it busy.
void wait_for(MPI_Request& request) noexcept {
    constexpr std::chrono::microseconds kLongest{500};
    std::chrono::microseconds pause{1};
    for (;;) {
        int done = 0;
        MPI_Test(&request, &done, MPI_STATUS_IGNORE);
        if (done != 0) return;
        std::this_thread::sleep_for(pause);
        pause = std::min(2 * pause, kLongest);
    }
}

/// A status of any process as bytes of one size, so that no receiver has to allocate.
struct StatusMessage {
    StatusCode code = StatusCode::ok;
    std::array<char, 2047> text{};

    void set(const Status& status, std::string_view process) noexcept {
        code = status.code;
        std::size_t used = 0;
        const std::string_view reason =
            status.message.empty() ? describe(status.code) : std::string_view(status.message);
        for (const std::string_view part : {process, reason})
            used += part.copy(text.data() + used, text.size() - 1 - used);
        text[used] = '\0';
    }
};

/// "process 2 (its host): ", cut at the end of `text`.
std::string_view process_name(int rank, std::span<char> text) noexcept {
    std::array<char, MPI_MAX_PROCESSOR_NAME> host{};
    int length = 0;
    MPI_Get_processor_name(host.data(), &length);
    const auto written = fmt::format_to_n(text.data(), text.size(), "process {} ({}): ", rank,
                                          std::string_view(host.data(), std::size_t(length)));
    return {text.data(), std::min(written.size, text.size())};
}

}  // namespace

Processes::Processes(int& argc, char**& argv) {
    int provided = 0;
    // Threads of batches run beside the one that calls MPI.
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &count_);
}

Processes::~Processes() {
    // Until process 0 has printed, no other ends: mpirun may end all when one has an exit code.
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
}

int Processes::threads() const {
    cpu_set_t own;
    CPU_ZERO(&own);
    // With more processors than the set has room for this fails, and the set stays empty.
    static_cast<void>(::sched_getaffinity(0, sizeof own, &own));
    MPI_Comm host = MPI_COMM_NULL;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank_, MPI_INFO_NULL, &host);
    int on_host = 1;
    MPI_Comm_size(host, &on_host);
    int sharing = 0;
    for (int process = 0; process < on_host; ++process) {
        cpu_set_t set = own;
        MPI_Bcast(&set, sizeof set, MPI_BYTE, process, host);
        if (CPU_EQUAL(&set, &own)) ++sharing;
    }
    MPI_Comm_free(&host);
    const int processors = CPU_COUNT(&own) > 0
                               ? CPU_COUNT(&own)
                               : static_cast<int>(std::thread::hardware_concurrency());
    return std::max(1, processors / sharing);
}

Status Processes::agree(const Status& own) {
    int failed = own.ok() ? count_ : rank_;
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Iallreduce(MPI_IN_PLACE, &failed, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD, &request);
    wait_for(request);
    if (failed == count_) return {};
    StatusMessage message;
    if (failed == rank_) {
        std::array<char, MPI_MAX_PROCESSOR_NAME + 32> name{};
        message.set(own, first() ? std::string_view() : process_name(rank_, name));
    }
    MPI_Bcast(&message, sizeof message, MPI_BYTE, failed, MPI_COMM_WORLD);
    stage_ = Stage::ended;  // all leave
    return guarded([&]() -> Status { return {message.code, message.text.data()}; });
}

bool Processes::same(std::span<const std::uint64_t> numbers) const {
    bool all = true;
    for (const std::uint64_t number : numbers) {
        // The least and, as its complement, the greatest.
        std::array<std::uint64_t, 2> least{number, ~number};
        MPI_Allreduce(MPI_IN_PLACE, least.data(), 2, MPI_UINT64_T, MPI_MIN, MPI_COMM_WORLD);
        all = all && least[0] == ~least[1];
    }
    return all;
}

void Processes::sum(std::span<std::uint64_t> numbers) const {
    MPI_Allreduce(MPI_IN_PLACE, numbers.data(), static_cast<int>(numbers.size()), MPI_UINT64_T,
                  MPI_SUM, MPI_COMM_WORLD);
}

std::uint64_t Processes::sum_before(std::uint64_t own) const {
    std::uint64_t before = 0;  // MPI_Exscan leaves it alone at process 0
    MPI_Exscan(&own, &before, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
    return first() ? 0 : before;
}

void Processes::greatest(std::span<double> numbers) const {
    MPI_Allreduce(MPI_IN_PLACE, numbers.data(), static_cast<int>(numbers.size()), MPI_DOUBLE,
                  MPI_MAX, MPI_COMM_WORLD);
}

void Processes::exchange_counts(std::span<const std::uint32_t> out,
                                std::span<std::uint32_t> in) const {
    MPI_Alltoall(out.data(), 1, MPI_UINT32_T, in.data(), 1, MPI_UINT32_T, MPI_COMM_WORLD);
}

void Processes::of_first(std::span<char> text) const {
    MPI_Bcast(text.data(), static_cast<int>(text.size()), MPI_CHAR, 0, MPI_COMM_WORLD);
}

app::Outcome Processes::settle(app::Outcome own) {
    if (own) return own;
    const int code = app::exit_code(own.error().code);
    if (stage_ == Stage::running) {
        fmt::print(stderr, "cairn-mpi: process {}: {}\n", rank_, own.error().message);
        MPI_Abort(MPI_COMM_WORLD, code);
    }
    if (stage_ == Stage::parsing) {
        if (Status status = agree(own.error()); !status.ok())
            own = tl::unexpected(std::move(status));
    }
    if (first()) return own;
    return code;
}

}  // namespace cairn::mpi
