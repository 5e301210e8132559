#include "cairn/file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>

#include "core/file_descriptor.hpp"
#include "core/file_replacement.hpp"
#include "core/guarded.hpp"

namespace cairn {
namespace {

/// Opens a regular file for reading, and reads its size. Anything else is refused: a pipe could
/// make the caller wait for ever, and a device need not end. O_NONBLOCK: opening does not wait
/// either.
Status open_regular(const std::string& path, Descriptor& file, struct stat& info) {
    file.take(open_retrying(path.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY));
    if (!file.valid()) return system_status(path, "open", errno);
    if (::fstat(file.get(), &info) != 0) return system_status(path, "read", errno);
    if (S_ISREG(info.st_mode)) return {};
    if (S_ISDIR(info.st_mode)) return system_status(path, "read", EISDIR);
    return {StatusCode::io_error,
            fmt::format("{}: cannot read: it is a pipe or a device, not a regular file", path)};
}

/// 0, or the errno of the failure.
int write_all(int fd, std::string_view bytes) {
    constexpr std::size_t kMaxWrite = std::size_t{1} << 30;  // systems refuse 2 GiB in one call
    while (!bytes.empty()) {
        const ssize_t written = ::write(fd, bytes.data(), std::min(bytes.size(), kMaxWrite));
        if (written < 0) {
            if (errno == EINTR) continue;
            return errno;
        }
        bytes.remove_prefix(static_cast<std::size_t>(written));
    }
    return 0;
}

/// The same for pieces, one after the other.
int write_all(int fd, std::span<const std::string_view> pieces) {
    for (const std::string_view piece : pieces)
        if (const int error = write_all(fd, piece); error != 0) return error;
    return 0;
}

/// Writes to a pipe or device, which cannot be replaced.
Status write_directly(const std::string& path, std::span<const std::string_view> pieces) {
    const Descriptor file(open_retrying(path.c_str(), O_WRONLY));
    if (!file.valid()) return system_status(path, "open for writing", errno);
    if (const int error = write_all(file.get(), pieces); error != 0) {
        return system_status(path, "write", error);
    }
    return {};
}

Status too_large(const std::string& path, std::size_t max_bytes) {
    return {StatusCode::too_large,
            fmt::format("{}: larger than the limit of {} bytes", path, max_bytes)};
}

}  // namespace

Result<std::string> read_file(const std::string& path, std::size_t max_bytes) noexcept try {
    Descriptor file;
    struct stat info {};
    if (Status status = open_regular(path, file, info); !status.ok())
        return tl::unexpected(std::move(status));
    const auto size = static_cast<std::uint64_t>(info.st_size);
    if (size > max_bytes) return tl::unexpected(too_large(path, max_bytes));
    std::string bytes;
    bytes.reserve(static_cast<std::size_t>(size) + 1);  // the extra byte: did the file grow?
    constexpr std::size_t kMinRead = std::size_t{1} << 16;
    for (std::size_t used = 0;;) {
        const std::size_t room = std::max(bytes.capacity() - used, kMinRead);
        bytes.resize(used + room);
        const ssize_t count = ::read(file.get(), bytes.data() + used, room);
        if (count < 0 && errno != EINTR) return tl::unexpected(system_status(path, "read", errno));
        used += count > 0 ? static_cast<std::size_t>(count) : 0;
        bytes.resize(used);
        if (used > max_bytes) return tl::unexpected(too_large(path, max_bytes));
        if (count == 0) return bytes;
    }
} catch (...) {
    return out_of_memory();
}

Status write_file_atomically(const std::string& path, std::string_view bytes) noexcept {
    return write_file_atomically(path, std::span(&bytes, 1));
}

Status write_file_atomically(const std::string& path,
                             std::span<const std::string_view> pieces) noexcept try {
    if (path == "/dev/stdout") {  // by the name alone a file behind it would be replaced
        const int error = write_all(STDOUT_FILENO, pieces);
        return error == 0 ? Status{} : system_status(path, "write", error);
    }
    struct stat old {};
    const bool exists = ::stat(path.c_str(), &old) == 0;
    if (exists && !S_ISREG(old.st_mode) && !S_ISDIR(old.st_mode))
        return write_directly(path, pieces);
    auto file = FileReplacement::begin(path);
    if (!file) return std::move(file.error());
    if (const int error = write_all(file->descriptor(), pieces); error != 0)
        return system_status(file->target(), "write", error);
    return file->commit();
} catch (...) {
    return out_of_memory();
}

Result<FileLock> FileLock::acquire(const std::string& path) noexcept try {
    Descriptor file(open_retrying(path.c_str(), O_RDWR | O_CREAT, 0666));
    if (!file.valid()) return tl::unexpected(system_status(path, "open", errno));
    if (::flock(file.get(), LOCK_EX | LOCK_NB) != 0) {
        if (errno != EWOULDBLOCK) return tl::unexpected(system_status(path, "lock", errno));
        return fail(StatusCode::io_error, fmt::format("{}: another process holds the lock", path));
    }
    return FileLock(file.release());
} catch (...) {
    return out_of_memory();
}

FileLock::~FileLock() {
    if (file_ >= 0) ::close(file_);
}

Result<MappedFile> MappedFile::open(const std::string& path) noexcept try {
    Descriptor file;
    struct stat info {};
    if (Status status = open_regular(path, file, info); !status.ok())
        return tl::unexpected(std::move(status));
    MappedFile mapped;
    if (info.st_size == 0) return mapped;
    const auto size = static_cast<std::size_t>(info.st_size);
    void* memory = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.get(), 0);
    if (memory == MAP_FAILED) return tl::unexpected(system_status(path, "map", errno));
    mapped.data_ = static_cast<const std::byte*>(memory);
    mapped.size_ = size;
    return mapped;
} catch (...) {
    return out_of_memory();
}

void MappedFile::drop_pages() const noexcept {
    if (data_ != nullptr)
        static_cast<void>(::madvise(const_cast<std::byte*>(data_), size_, MADV_DONTNEED));
}

MappedFile::~MappedFile() {
    if (data_ != nullptr) ::munmap(const_cast<std::byte*>(data_), size_);
}

}  // namespace cairn
