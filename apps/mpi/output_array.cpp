#include "output_array.hpp"

#include <fmt/format.h>

#include <array>
#include <climits>
#include <string_view>
#include <utility>

#include "formats/npy_bytes.hpp"

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

Status OutputArray::create(const std::string& path) {
    std::array<char, PATH_MAX> name{};
    Status status = processes_.together([&]() -> Status {
        path_ = path;
        header_ = formats::npy_header("<i4", rows_, columns_);
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
        if (error != MPI_SUCCESS) return mpi_status(name.data(), "open for writing", error);
        return processes_.first() ? write(0, header_) : Status{};
    });
}

Status OutputArray::write_rows(std::uint64_t first, std::span<const std::int32_t> numbers) {
    return guarded([&]() -> Status {
        bytes_.clear();
        formats::append_little_endian(numbers, bytes_);
        return write(header_.size() + first * columns_ * sizeof(std::int32_t), bytes_);
    });
}

Status OutputArray::write(std::uint64_t offset, std::string_view bytes) {
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

Status OutputArray::flush() {
    Status status = mpi_status(path_, "flush to the disk", MPI_File_sync(file_));
    const int error = MPI_File_close(&file_);
    return status.ok() ? mpi_status(path_, "close", error) : status;
}

Status OutputArray::commit() {
    if (Status status = processes_.together([&] { return flush(); }); !status.ok()) return status;
    return processes_.together(
        [&] { return processes_.first() ? replacement_->commit() : Status{}; });
}

void OutputArray::close() noexcept {
    if (file_ != MPI_FILE_NULL) MPI_File_close(&file_);
}

}  // namespace cairn::mpi
