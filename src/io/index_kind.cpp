#include "cairn/io/index_kind.hpp"

#include <fmt/format.h>

#include <cstring>

#include "cairn/io/file.hpp"

namespace cairn::io {

std::optional<IndexKind> index_kind_of_bytes(std::span<const std::byte> bytes) noexcept {
    // A FlatBuffer begins with the offset of its root, and then its file identifier.
    if (bytes.size() < 8) return std::nullopt;
    const auto is = [&](const char* identifier) {
        return std::memcmp(bytes.data() + 4, identifier, 4) == 0;
    };
    if (is("CRHP")) return IndexKind::hpa;
    if (is("CRSG")) return IndexKind::subgoal;
    return std::nullopt;
}

Result<IndexKind> index_kind(const std::filesystem::path& path) {
    const auto file = MappedFile::open(path);
    if (!file) return tl::unexpected(file.error());
    if (const auto kind = index_kind_of_bytes(file->bytes())) return *kind;
    return fail(StatusCode::corrupt_file,
                fmt::format("{}: this is no file of an index", path.string()));
}

}  // namespace cairn::io
