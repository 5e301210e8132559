#include "faults/failing_calls.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdarg>

namespace cairn::test {

Fault fault;

namespace {

[[nodiscard]] bool fails(std::string_view call) {
    if (fault.call != call || ++fault.seen != fault.nth) return false;
    errno = fault.error;
    return true;
}

}  // namespace
}  // namespace cairn::test

#ifdef __clang__  // the linker asks for the names below
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wreserved-identifier"
#endif
extern "C" {
int __real_open(const char* path, int flags, ...);
ssize_t __real_read(int file, void* bytes, std::size_t count);
ssize_t __real_write(int file, const void* bytes, std::size_t count);
int __real_fsync(int file);
int __real_fchmod(int file, mode_t mode);
int __real_rename(const char* from, const char* to);
void* __real_mmap(void* at, std::size_t size, int protection, int flags, int file, off_t offset);
int __real_fstat(int file, struct stat* info);

int __wrap_open(const char* path, int flags, ...) {
    if (cairn::test::fails("open")) return -1;
    std::va_list arguments;
    va_start(arguments, flags);
    const mode_t mode = (flags & O_CREAT) != 0 ? va_arg(arguments, mode_t) : 0;
    va_end(arguments);
    return __real_open(path, flags, mode);
}
ssize_t __wrap_read(int file, void* bytes, std::size_t count) {
    if (cairn::test::fails("read")) return -1;
    if (cairn::test::fails("short read")) count = 1;
    return __real_read(file, bytes, count);
}
ssize_t __wrap_write(int file, const void* bytes, std::size_t count) {
    if (cairn::test::fails("write")) return -1;
    if (cairn::test::fails("short write")) count = 1;
    return __real_write(file, bytes, count);
}
int __wrap_fsync(int file) { return cairn::test::fails("fsync") ? -1 : __real_fsync(file); }
int __wrap_fchmod(int file, mode_t mode) {
    return cairn::test::fails("fchmod") ? -1 : __real_fchmod(file, mode);
}
int __wrap_rename(const char* from, const char* to) {
    return cairn::test::fails("rename") ? -1 : __real_rename(from, to);
}
void* __wrap_mmap(void* at, std::size_t size, int protection, int flags, int file, off_t offset) {
    if (cairn::test::fails("mmap")) return MAP_FAILED;
    return __real_mmap(at, size, protection, flags, file, offset);
}
int __wrap_fstat(int file, struct stat* info) {
    return cairn::test::fails("fstat") ? -1 : __real_fstat(file, info);
}
}
#ifdef __clang__
#pragma clang diagnostic pop
#endif
