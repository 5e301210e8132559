#include "output_array.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <climits>
#include <type_traits>
#include <utility>

namespace cairn::mpi {
namespace {

Status mpi_status(const std::string& path, std::string_view action, int error) {
    if (error == MPI_SUCCESS) return {};
    std::array<char, MPI_MAX_ERROR_STRING> text{};
    int length = 0;
    MPI_Error_string(error, text.data(), &length);
    return {StatusCode::io_error, fmt::format("{}: cannot {}: {}", path, action,
                                              std::string_view(text.data(), std::size_t(length)))};
}

}  // namespace

template <class Number>
Status OutputArray<Number>::create(const std::string& path) {
    std::array<char, PATH_MAX> name{};
    Status status = processes_.together([&]() -> Status {
        path_ = path;
        if (!processes_.first()) return {};
        auto replacement = FileReplacement::begin(path);
        if (!replacement) return std::move(replacement.error());
        if (Status shared = replacement->share(); !shared.ok()) return shared;
        if (replacement->name().size() >= name.size())
            return {StatusCode::io_error, fmt::format("{}: the name is too long", path)};
        replacement->name().copy(name.data(), name.size() - 1);
        replacement_ = std::move(*replacement);
        return {};
    });
    if (!status.ok()) return status;
    processes_.of_first(name);
    return processes_.together([&]() -> Status {
        // Each process opens the file for itself: no call on it waits for the others, whatever
        // happens to one of them.
        const int error =
            MPI_File_open(MPI_COMM_SELF, name.data(), MPI_MODE_WRONLY, MPI_INFO_NULL, &file_);
        return mpi_status(name.data(), "open for writing", error);
    });
}

template <class Number>
Status OutputArray<Number>::write_rows(std::uint64_t first, std::span<const Number> numbers) {
    constexpr std::size_t kMost = std::size_t{1} << 24;  // numbers of one call
    return guarded([&]() -> Status {
        std::uint64_t offset = formats::kNpyHeaderBytes + first * columns_ * sizeof(Number);
        while (!numbers.empty()) {
            const std::size_t count = std::min(kMost, numbers.size());
            bytes_.clear();
            formats::append_little_endian(numbers.first(count), bytes_);
            if (Status written = write(offset, bytes_); !written.ok()) return written;
            numbers = numbers.subspan(count);
            offset += bytes_.size();
        }
        return {};
    });
}

template <class Number>
Status OutputArray<Number>::write(std::uint64_t offset, std::string_view bytes) {
    MPI_Status done;
    const int error = MPI_File_write_at(file_, static_cast<MPI_Offset>(offset), bytes.data(),
                                        static_cast<int>(bytes.size()), MPI_BYTE, &done);
    if (error != MPI_SUCCESS) return mpi_status(path_, "write", error);
    int written = 0;
    MPI_Get_count(&done, MPI_BYTE, &written);
    if (static_cast<std::size_t>(written) == bytes.size()) return {};
    return {StatusCode::io_error, fmt::format("{}: cannot write: {} of {} bytes were written",
                                              path_, written, bytes.size())};
}

template <class Number>
Status OutputArray<Number>::finish(std::uint64_t rows) {
    return processes_.together([&]() -> Status {
        if (processes_.first()) {
            constexpr const char* kType = std::is_same_v<Number, double> ? "<f8" : "<i4";
            Status written = write(0, formats::npy_header(kType, rows, columns_));
            if (!written.ok()) return written;
        }
        return flush();
    });
}

template <class Number>
Status OutputArray<Number>::flush() {
    Status status = mpi_status(path_, "flush to the disk", MPI_File_sync(file_));
    const int error = MPI_File_close(&file_);
    return status.ok() ? mpi_status(path_, "close", error) : status;
}

template <class Number>
Status OutputArray<Number>::commit() {
    return processes_.together(
        [&] { return processes_.first() ? replacement_->commit() : Status{}; });
}

template <class Number>
void OutputArray<Number>::close() noexcept {
    if (file_ != MPI_FILE_NULL) MPI_File_close(&file_);
}

template class OutputArray<std::int32_t>;
template class OutputArray<double>;

}  // namespace cairn::mpi
