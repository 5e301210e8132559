#pragma once
// A folder that holds the checkpoints of a build (cairn/checkpoints.hpp), a file for each.

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "cairn/checkpoints.hpp"
#include "cairn/file.hpp"
#include "cairn/status.hpp"

namespace cairn {

/// A process of a team. `meet`: see CheckpointStore::meet.
struct Teammate {
    int rank = 0;
    int team = 1;
    std::function<Status(Status)> meet;
};

/// Checkpoints in the files NAME.part of a folder. Each is written beside, flushed and renamed, and
/// holds a checksum, so a crash at any point leaves whole files only; what is damaged is made anew.
/// One build at a time: process 0 keeps the file `lock` of the folder locked. Thread-safe but for
/// meet() and clear(). Move-only.
class WorkFolder final : public CheckpointStore {
public:
    /// Opens a folder, and creates it if it is missing (the folder above it must exist). Errors:
    /// io_error (it cannot be created or written, another build holds the lock); bad_option (a rank
    /// outside 0..team - 1, or a team without `meet`); out_of_memory. In a team, process 0 opens
    /// the folder before the others do.
    [[nodiscard]] static Result<std::unique_ptr<WorkFolder>> open(const std::string& path,
                                                                  Teammate teammate = {}) noexcept;

    [[nodiscard]] bool read(std::string_view name, std::string& bytes) noexcept override;
    [[nodiscard]] Status write(std::string_view name, std::string_view bytes) noexcept override;
    [[nodiscard]] int rank() const noexcept override { return teammate_.rank; }
    [[nodiscard]] int team() const noexcept override { return teammate_.team; }
    [[nodiscard]] Status meet(Status own) noexcept override;

    /// How many checkpoints this object has read and written. O(1).
    [[nodiscard]] std::uint64_t found() const noexcept { return found_; }
    [[nodiscard]] std::uint64_t kept() const noexcept { return kept_; }

    /// Removes all checkpoints, and the folder if it holds nothing else: when the index is saved.
    /// Errors: io_error. By process 0 alone.
    [[nodiscard]] Status clear() noexcept;

private:
    WorkFolder(std::string path, Teammate teammate)
        : path_(std::move(path)), teammate_(std::move(teammate)) {}

    std::string path_;
    Teammate teammate_;
    std::unique_ptr<FileLock> lock_;
    std::atomic<std::uint64_t> found_{0};
    std::atomic<std::uint64_t> kept_{0};
};

}  // namespace cairn
