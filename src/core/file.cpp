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
#include <cstdio>
#include <filesystem>
#include <system_error>

#include "core/guarded.hpp"

namespace cairn {
namespace {

Status system_status(const std::string& path, std::string_view action, int error) {
    return {StatusCode::io_error,
            fmt::format("{}: cannot {}: {}", path, action, std::generic_category().message(error))};
}

/// An open file, or -1 if opening failed.
class Descriptor {
public:
    explicit Descriptor(int fd = -1) noexcept : fd_(fd) {}
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    ~Descriptor() {
        if (fd_ >= 0) ::close(fd_);
    }
    /// Takes over an open file; none may be held.
    void take(int fd) noexcept { fd_ = fd; }
    [[nodiscard]] int get() const noexcept { return fd_; }
    /// Gives the open file to the caller.
    [[nodiscard]] int release() noexcept { return std::exchange(fd_, -1); }
    [[nodiscard]] bool valid() const noexcept { return fd_ >= 0; }

private:
    int fd_;
};

int open_retrying(const char* path, int flags, unsigned mode = 0) {
    int fd;
    do {
        fd = ::open(path, flags | O_CLOEXEC, mode);
    } while (fd < 0 && errno == EINTR);
    return fd;
}

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

/// Flushes the folder of `path`, so that a rename in it survives a power cut. Errors are ignored:
/// without the flush, the old file or the new one is there, and whole.
void flush_folder(const std::filesystem::path& path) {
    const std::filesystem::path folder = path.has_parent_path() ? path.parent_path() : ".";
    const Descriptor directory(open_retrying(folder.c_str(), O_RDONLY | O_DIRECTORY));
    if (directory.valid()) (void)::fsync(directory.get());
}

Status too_large(const std::string& path, std::size_t max_bytes) {
    return {StatusCode::too_large,
            fmt::format("{}: larger than the limit of {} bytes", path, max_bytes)};
}

/// The name of the n-th new file beside `target`.
std::string temporary_name(const std::string& target, int n) {
    return fmt::format("{}.{}.tmp", target, n);
}

enum class Stale : std::uint8_t { none, removed, in_use };

/// Removes the new file that a writer left when it died. Writers hold a lock on theirs.
Stale remove_stale(const std::string& temporary) {
    const Descriptor file(open_retrying(temporary.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK));
    if (!file.valid()) return errno == ENOENT ? Stale::none : Stale::in_use;
    if (::flock(file.get(), LOCK_EX | LOCK_NB) != 0) return Stale::in_use;
    // Another writer may have removed the file meanwhile and created its own under this name.
    struct stat locked {};
    struct stat named {};
    if (::fstat(file.get(), &locked) != 0 || ::stat(temporary.c_str(), &named) != 0 ||
        locked.st_ino != named.st_ino || locked.st_dev != named.st_dev)
        return Stale::in_use;
    return ::unlink(temporary.c_str()) == 0 ? Stale::removed : Stale::in_use;
}

/// Locks a new file of the caller's. Returns false if another writer took it for a stale one.
bool lock_new(int fd) {
    if (::flock(fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) return false;
    struct stat info {};
    return ::fstat(fd, &info) != 0 || info.st_nlink > 0;
}

/// Creates a new file beside `target` and sets `temporary` to its name. Returns its descriptor, or
/// -1 with errno. Its permissions are rw-rw-rw- less the process's umask. Removes stale ones.
int create_beside(const std::string& target, std::string& temporary) {
    constexpr int kAttempts = 1000;  // as many writers of one target may be at work
    for (int n = 0; n < kAttempts; ++n) {
        temporary = temporary_name(target, n);
        static_cast<void>(remove_stale(temporary));
        Descriptor file(open_retrying(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL, 0666));
        if (!file.valid() && errno != EEXIST) return -1;
        if (!file.valid() || !lock_new(file.get())) continue;
        int later = n + 1;
        while (remove_stale(temporary_name(target, later)) == Stale::removed) ++later;
        return file.release();
    }
    errno = EEXIST;
    return -1;
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
    std::error_code ignored;
    std::filesystem::path target = path;
    if (std::filesystem::is_symlink(path, ignored)) {
        const std::filesystem::path real = std::filesystem::weakly_canonical(path, ignored);
        if (!real.empty()) target = real;
    }
    const std::string name = target.string();
    struct stat old {};
    const bool exists = ::stat(name.c_str(), &old) == 0;
    if (exists && S_ISDIR(old.st_mode)) return system_status(name, "write", EISDIR);
    if (exists && !S_ISREG(old.st_mode)) return write_directly(name, pieces);

    std::string temporary;
    Descriptor file(create_beside(name, temporary));
    if (!file.valid()) return system_status(name, "create a new file beside it", errno);
    int error = write_all(file.get(), pieces);
    std::string_view action = "write";
    const auto then = [&](std::string_view next, auto&& call) {
        if (error != 0) return;
        action = next;
        if (call() != 0) error = errno;
    };
    then("set the permissions",
         [&] { return exists ? ::fchmod(file.get(), old.st_mode & 0777U) : 0; });
    then("flush to the disk", [&] { return ::fsync(file.get()); });
    then("rename the new file to it", [&] { return ::rename(temporary.c_str(), name.c_str()); });
    if (error != 0) {
        ::unlink(temporary.c_str());
        return system_status(name, action, error);
    }
    flush_folder(target);
    return {};
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

MappedFile::~MappedFile() {
    if (data_ != nullptr) ::munmap(const_cast<std::byte*>(data_), size_);
}

}  // namespace cairn
