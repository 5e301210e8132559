// The functions of cairn/file.hpp in WebAssembly, which has no files (CAIRN_FILES=OFF).

#include "cairn/file.hpp"
#include "core/guarded.hpp"

namespace cairn {
namespace {

Status no_files(const std::string& path) {
    return {StatusCode::io_error, path + ": this library is built without files"};
}

}  // namespace

Result<std::string> read_file(const std::string& path, std::size_t /*max_bytes*/) noexcept try {
    return tl::unexpected(no_files(path));
} catch (...) {
    return out_of_memory();
}

Status write_file_atomically(const std::string& path, std::string_view /*bytes*/) noexcept try {
    return no_files(path);
} catch (...) {
    return out_of_memory();
}

Status write_file_atomically(const std::string& path,
                             std::span<const std::string_view> /*pieces*/) noexcept try {
    return no_files(path);
} catch (...) {
    return out_of_memory();
}

Result<FileLock> FileLock::acquire(const std::string& path) noexcept try {
    return tl::unexpected(no_files(path));
} catch (...) {
    return out_of_memory();
}

FileLock::~FileLock() = default;

Result<MappedFile> MappedFile::open(const std::string& path) noexcept try {
    return tl::unexpected(no_files(path));
} catch (...) {
    return out_of_memory();
}

void MappedFile::drop_pages() const noexcept {}
MappedFile::~MappedFile() = default;

}  // namespace cairn
