#include "cairn/work_folder.hpp"

#include <fmt/format.h>
#include <xxhash.h>

#include <array>
#include <cstring>
#include <filesystem>
#include <limits>

#include "core/file_descriptor.hpp"
#include "core/guarded.hpp"

namespace cairn {
namespace {

constexpr std::string_view kExtension = ".part";
constexpr std::string_view kLock = "lock";

struct PartHeader {
    std::array<char, 8> magic{'\x89', 'C', 'a', 'i', 'r', 'P', '\r', '\n'};
    std::uint64_t name = 0;      ///< a hash of the name
    std::uint64_t size = 0;      ///< of the bytes that follow
    std::uint64_t checksum = 0;  ///< of these bytes
    friend bool operator==(const PartHeader&, const PartHeader&) = default;
};
static_assert(sizeof(PartHeader) == 32);

PartHeader header_of(std::string_view name, std::string_view bytes) {
    PartHeader header;
    header.name = XXH3_64bits(name.data(), name.size());
    header.size = bytes.size();
    header.checksum = XXH3_64bits(bytes.data(), bytes.size());
    return header;
}

std::string file_of(const std::string& folder, std::string_view name) {
    return fmt::format("{}/{}{}", folder, name, kExtension);
}

Status failed(const std::string& path, std::string_view action, const std::error_code& error) {
    return {StatusCode::io_error,
            fmt::format("{}: cannot {}: {}", path, action, error.message())};
}

}  // namespace

Result<std::unique_ptr<WorkFolder>> WorkFolder::open(const std::string& path,
                                                     Teammate teammate) noexcept try {
    if (teammate.team < 1 || teammate.rank < 0 || teammate.rank >= teammate.team ||
        (teammate.team > 1 && !teammate.meet)) {
        return fail(StatusCode::bad_option,
                    "a work folder: the rank must be 0 to the size of the team - 1, and a team "
                    "needs `meet`");
    }
    std::unique_ptr<WorkFolder> folder(new WorkFolder(path, std::move(teammate)));
    if (folder->rank() > 0) return folder;
    std::error_code error;
    std::filesystem::create_directory(path, error);
    if (error) return tl::unexpected(failed(path, "create the folder", error));
    auto lock = FileLock::acquire(fmt::format("{}/{}", path, kLock));
    if (!lock) return tl::unexpected(std::move(lock.error()));
    folder->lock_ = std::make_unique<FileLock>(std::move(*lock));
    return folder;
} catch (...) {
    return out_of_memory();
}

bool WorkFolder::read(std::string_view name, std::string& bytes) noexcept try {
    auto file = read_file(file_of(path_, name), std::numeric_limits<std::size_t>::max());
    PartHeader header;
    if (!file || file->size() < sizeof header) return false;
    std::memcpy(static_cast<void*>(&header), file->data(), sizeof header);
    file->erase(0, sizeof header);
    if (header != header_of(name, *file)) return false;
    bytes = std::move(*file);
    ++found_;
    return true;
} catch (...) {
    return false;
}

Status WorkFolder::write(std::string_view name, std::string_view bytes) noexcept try {
    const PartHeader header = header_of(name, bytes);
    const std::array<std::string_view, 2> pieces{
        std::string_view(reinterpret_cast<const char*>(&header), sizeof header), bytes};
    Status status = write_file_atomically(file_of(path_, name), pieces);
    if (status.ok()) ++kept_;
    return status;
} catch (...) {
    return out_of_memory();
}

Status WorkFolder::meet(Status own) noexcept try {
    return teammate_.team == 1 ? std::move(own) : teammate_.meet(std::move(own));
} catch (...) {
    return out_of_memory();
}

Status WorkFolder::clear() noexcept try {
    std::error_code error;
    std::filesystem::directory_iterator entries(path_, error);
    if (error) return failed(path_, "read the folder", error);
    std::vector<std::filesystem::path> parts;
    bool only_parts = true;
    for (; entries != std::filesystem::directory_iterator(); entries.increment(error)) {
        const std::filesystem::path& entry = entries->path();
        // Beside whole parts, the files of a writer that was killed: NAME.part.0.tmp.
        if (entry.filename().string().find(kExtension) != std::string::npos) {
            parts.push_back(entry);
        } else if (entry.filename() != kLock) {
            only_parts = false;
        }
        if (error) return failed(path_, "read the folder", error);
    }
    for (const std::filesystem::path& part : parts)
        if (!std::filesystem::remove(part, error) && error)
            return failed(part.string(), "remove", error);
    if (!only_parts) return {};
    std::filesystem::remove(std::filesystem::path(path_) / kLock, error);
    if (!error) std::filesystem::remove(path_, error);
    return error ? failed(path_, "remove", error) : Status{};
} catch (...) {
    return out_of_memory();
}

}  // namespace cairn
