#include "core/file_replacement.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>

#include "core/guarded.hpp"

namespace cairn {
namespace {

tl::unexpected<Status> fail_by_system(const std::string& path, std::string_view action, int error) {
    return tl::unexpected(system_status(path, action, error));
}

/// Flushes the folder of `path`, so that a rename in it survives a power cut. Errors are ignored:
/// without the flush, the old file or the new one is there, and whole.
void flush_folder(const std::filesystem::path& path) {
    const std::filesystem::path folder = path.has_parent_path() ? path.parent_path() : ".";
    const Descriptor directory(open_retrying(folder.c_str(), O_RDONLY | O_DIRECTORY));
    if (directory.valid()) (void)::fsync(directory.get());
}

/// The name of the n-th new file beside `target`.
std::string temporary_name(const std::string& target, int n) {
    return fmt::format("{}.{}.tmp", target, n);
}

/// Whether `path` is the name of an open file.
bool is_named(int fd, const std::string& path) {
    struct stat open {};
    struct stat named {};
    return ::fstat(fd, &open) == 0 && ::stat(path.c_str(), &named) == 0 &&
           open.st_ino == named.st_ino && open.st_dev == named.st_dev;
}

enum class Stale : std::uint8_t { none, removed, in_use };

/// Removes the new file that a writer left when it died. Writers hold a lock on theirs.
Stale remove_stale(const std::string& temporary) {
    const Descriptor file(open_retrying(temporary.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK));
    if (!file.valid()) return errno == ENOENT ? Stale::none : Stale::in_use;
    if (::flock(file.get(), LOCK_EX | LOCK_NB) != 0) return Stale::in_use;
    // Another writer may have removed the file meanwhile and created its own under this name.
    if (!is_named(file.get(), temporary)) return Stale::in_use;
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

FileReplacement::FileReplacement(FileReplacement&& other) noexcept
    : target_(std::move(other.target_)),
      temporary_(std::exchange(other.temporary_, {})),
      permissions_(other.permissions_),
      shared_(other.shared_),
      file_(std::move(other.file_)) {}

FileReplacement& FileReplacement::operator=(FileReplacement&& other) noexcept {
    std::swap(target_, other.target_);
    std::swap(temporary_, other.temporary_);
    std::swap(permissions_, other.permissions_);
    std::swap(shared_, other.shared_);
    std::swap(file_, other.file_);
    return *this;
}

FileReplacement::~FileReplacement() {
    // A shared file may have been removed by another writer, who then has one of the same name.
    if (!temporary_.empty() && is_named(file_.get(), temporary_)) ::unlink(temporary_.c_str());
}

Result<FileReplacement> FileReplacement::begin(const std::string& path) noexcept try {
    FileReplacement out;
    out.target_ = path;
    std::error_code ignored;
    if (std::filesystem::is_symlink(path, ignored)) {
        const std::filesystem::path real = std::filesystem::weakly_canonical(path, ignored);
        if (!real.empty()) out.target_ = real.string();
    }
    struct stat old {};
    if (::stat(out.target_.c_str(), &old) == 0) {
        if (S_ISDIR(old.st_mode)) return fail_by_system(out.target_, "write", EISDIR);
        if (!S_ISREG(old.st_mode)) {
            return fail(StatusCode::io_error,
                        fmt::format("{}: cannot replace: it is a pipe or a device, not a regular "
                                    "file",
                                    path));
        }
        out.permissions_ = old.st_mode & 0777U;
    }
    std::string temporary;
    out.file_.take(create_beside(out.target_, temporary));
    if (!out.file_.valid())
        return fail_by_system(out.target_, "create a new file beside it", errno);
    out.temporary_ = std::move(temporary);
    return out;
} catch (...) {
    return out_of_memory();
}

Status FileReplacement::share() noexcept try {
    if (::flock(file_.get(), LOCK_UN) != 0)
        return system_status(target_, "unlock the new file", errno);
    shared_ = true;
    return {};
} catch (...) {
    return out_of_memory();
}

Status FileReplacement::commit() noexcept try {
    if (shared_ && (!lock_new(file_.get()) || !is_named(file_.get(), temporary_))) {
        return {StatusCode::io_error,
                fmt::format("{}: cannot write: another writer has removed the new file", target_)};
    }
    if (permissions_ && ::fchmod(file_.get(), *permissions_) != 0)
        return system_status(target_, "set the permissions", errno);
    if (::fsync(file_.get()) != 0) return system_status(target_, "flush to the disk", errno);
    if (::rename(temporary_.c_str(), target_.c_str()) != 0)
        return system_status(target_, "rename the new file to it", errno);
    temporary_.clear();
    flush_folder(target_);
    return {};
} catch (...) {
    return out_of_memory();
}

}  // namespace cairn
