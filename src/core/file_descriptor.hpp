#pragma once
// Open files of the system, which close themselves.

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "cairn/status.hpp"

namespace cairn {

/// io_error: "PATH: cannot ACTION: " and what the system says of an errno.
[[nodiscard]] inline Status system_status(const std::string& path, std::string_view action,
                                          int error) {
    return {StatusCode::io_error,
            fmt::format("{}: cannot {}: {}", path, action, std::generic_category().message(error))};
}

/// An open file, or -1 if opening failed. Move-only.
class Descriptor {
public:
    explicit Descriptor(int fd = -1) noexcept : fd_(fd) {}
    Descriptor(Descriptor&& other) noexcept : fd_(other.release()) {}
    Descriptor& operator=(Descriptor&& other) noexcept {
        std::swap(fd_, other.fd_);
        return *this;
    }
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

/// open(2), again after a signal. The descriptor, or -1 with errno.
[[nodiscard]] inline int open_retrying(const char* path, int flags, unsigned mode = 0) {
    int fd;
    do {
        fd = ::open(path, flags | O_CLOEXEC, mode);
    } while (fd < 0 && errno == EINTR);
    return fd;
}

}  // namespace cairn
