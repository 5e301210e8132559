#include "cairn/work_folder.hpp"

#include <dirent.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include <array>
#include <cerrno>
#include <cstring>
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
    struct stat found {};
    if (::mkdir(path.c_str(), 0777) != 0 &&
        (errno != EEXIST || ::stat(path.c_str(), &found) != 0 || !S_ISDIR(found.st_mode)))
        return tl::unexpected(system_status(path, "create the folder", errno));
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
    // Iterators of std::filesystem end the program when memory runs out.
    const std::unique_ptr<DIR, int (*)(DIR*)> entries(::opendir(path_.c_str()), ::closedir);
    if (entries == nullptr) return system_status(path_, "read the folder", errno);
    bool only_parts = true;
    while (const dirent* const entry = ::readdir(entries.get())) {
        const std::string_view name = entry->d_name;
        if (name == "." || name == ".." || name == kLock) continue;
        // Beside whole parts, the files of a writer that was killed: NAME.part.0.tmp.
        if (name.find(kExtension) == std::string_view::npos) {
            only_parts = false;
            continue;
        }
        const std::string part = fmt::format("{}/{}", path_, name);
        if (::unlink(part.c_str()) != 0 && errno != ENOENT)
            return system_status(part, "remove", errno);
    }
    if (!only_parts) return {};
    const std::string lock = fmt::format("{}/{}", path_, kLock);
    if (::unlink(lock.c_str()) != 0 && errno != ENOENT) return system_status(lock, "remove", errno);
    return ::rmdir(path_.c_str()) == 0 ? Status{} : system_status(path_, "remove", errno);
} catch (...) {
    return out_of_memory();
}

}  // namespace cairn
