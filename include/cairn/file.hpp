#pragma once
// Files as bytes: read whole, write atomically, map into memory.
//
// Every error names the file. All functions may be called from any number of threads. If two
// threads or processes write the same path, the complete bytes of one of them remain.
//
// Here and in every other function of Cairn, the path of a file is a string as the system takes it
// (POSIX: bytes, usually UTF-8); a std::filesystem::path converts to it.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "cairn/status.hpp"

namespace cairn {

/// All bytes of a regular file, at most `max_bytes`. Errors: io_error (missing, unreadable, a
/// folder, pipe or device), too_large (more than `max_bytes`).
[[nodiscard]] Result<std::string> read_file(const std::string& path,
                                            std::size_t max_bytes) noexcept;

/// Replaces the file at `path` by `bytes`: writes a new file beside it, flushes it to the disk and
/// renames it over the old one. A reader of `path` sees the old bytes or the new ones, never a
/// mixture. A failed write leaves the old file unchanged and no other file behind; the message says
/// which step failed. The new file of a writer that was killed (PATH.0.tmp, PATH.1.tmp, ...) is
/// removed by the next writer of `path`. A link at `path` is followed; anything but a regular file
/// (a pipe, a device) is written to directly, and so is "/dev/stdout", whatever is behind it: the
/// process's standard output, from where it stands. An old file's permissions are kept. Errors:
/// io_error; out_of_memory. O(bytes).
[[nodiscard]] Status write_file_atomically(const std::string& path,
                                           std::string_view bytes) noexcept;
/// The same for bytes in several pieces, one after the other: large files need no copy in memory.
[[nodiscard]] Status write_file_atomically(const std::string& path,
                                           std::span<const std::string_view> pieces) noexcept;

/// A lock on a file, which is created if there is none, and stays when the lock is released. It is
/// held until the object is destroyed or the process ends. Move-only.
class FileLock {
public:
    /// Locks the file at `path`. Errors: io_error (another object or process holds the lock, or the
    /// file cannot be created). Does not wait.
    [[nodiscard]] static Result<FileLock> acquire(const std::string& path) noexcept;

    FileLock(FileLock&& other) noexcept : file_(std::exchange(other.file_, -1)) {}
    FileLock& operator=(FileLock&& other) noexcept {
        std::swap(file_, other.file_);
        return *this;
    }
    FileLock(const FileLock&) = delete;
    FileLock& operator=(const FileLock&) = delete;
    ~FileLock();

private:
    explicit FileLock(int file) noexcept : file_(file) {}
    int file_;
};

/// A file mapped read-only into memory, until the object is destroyed. Move-only: share one among
/// indexes as std::shared_ptr<const MappedFile>. Reading from it is thread-safe.
///
/// The bytes are not copied. While mapped, the file may be replaced (as write_file_atomically does)
/// but must not be truncated or written in place.
class MappedFile {
public:
    /// Maps a regular file; an empty one gives an empty span. Errors: io_error.
    [[nodiscard]] static Result<MappedFile> open(const std::string& path) noexcept;

    MappedFile() = default;
    MappedFile(MappedFile&& other) noexcept
        : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
    MappedFile& operator=(MappedFile&& other) noexcept {
        std::swap(data_, other.data_);
        std::swap(size_, other.size_);
        return *this;
    }
    MappedFile(const MappedFile&) = delete;
    MappedFile& operator=(const MappedFile&) = delete;
    ~MappedFile();

    /// Valid as long as this object; starts at a page boundary.
    [[nodiscard]] std::span<const std::byte> bytes() const noexcept { return {data_, size_}; }
    [[nodiscard]] std::size_t size() const noexcept { return size_; }

    /// Gives the memory of the pages that were read back to the system; they are read again when
    /// they are used, from its cache as long as it has room. So a program can keep below a bound,
    /// whatever the queries read. Other threads may read meanwhile. O(pages in memory).
    void drop_pages() const noexcept;

private:
    const std::byte* data_ = nullptr;
    std::size_t size_ = 0;
};

}  // namespace cairn
