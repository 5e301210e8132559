#pragma once
// An array of NumPy that all processes write together.

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "cairn/status.hpp"
#include "core/file_replacement.hpp"
#include "core/guarded.hpp"
#include "formats/npy_bytes.hpp"
#include "processes.hpp"

namespace cairn::mpi {

/// A .npy file of rows that replaces an old file when all rows are there. Each process writes rows
/// at their places in a file beside the old one, by MPI-IO. If the run fails, the old file stays as
/// it is. The file system must be one that all processes see. `Number` is std::int32_t or double.
template <class Number>
class OutputArray {
public:
    /// All processes must be given the same arguments, and call all functions but write_rows
    /// together.
    OutputArray(Processes& processes, std::size_t columns) noexcept
        : processes_(processes), columns_(columns) {}
    ~OutputArray() { close(); }
    OutputArray(const OutputArray&) = delete;
    OutputArray& operator=(const OutputArray&) = delete;

    /// Makes the new file. Errors, agreed on by all: io_error; out_of_memory.
    [[nodiscard]] Status create(const std::string& path);
    /// Writes whole rows from number `first` on. Errors, of this process: io_error; out_of_memory.
    [[nodiscard]] Status write_rows(std::uint64_t first, std::span<const Number> numbers);
    /// Ends the file, of so many rows, and flushes what all processes have written. Errors, agreed
    /// on by all: io_error; out_of_memory.
    [[nodiscard]] Status finish(std::uint64_t rows);
    /// Renames the new file, after `finish`. Errors, agreed on by all: io_error; out_of_memory.
    [[nodiscard]] Status commit();

private:
    [[nodiscard]] Status write(std::uint64_t offset, std::string_view bytes);
    [[nodiscard]] Status flush();
    void close() noexcept;

    Processes& processes_;
    std::size_t columns_;
    std::string path_;
    std::string bytes_;                           // of rows, kept for the next call
    std::optional<FileReplacement> replacement_;  // of process 0
    MPI_File file_ = MPI_FILE_NULL;
};

extern template class OutputArray<std::int32_t>;
extern template class OutputArray<double>;

}  // namespace cairn::mpi
