#include "cairn/index_file/index_kind.hpp"

#include <fmt/format.h>

#include "cairn/file.hpp"
#include "haa_index_generated.h"
#include "hna_index_generated.h"
#include "hpa_index_generated.h"
#include "subgoal_index_generated.h"

namespace cairn::index_file {

std::optional<IndexKind> index_kind_of_bytes(std::span<const std::byte> bytes) noexcept {
    constexpr std::size_t kHeader = 8;  // the root's offset and the identifier
    if (bytes.size() < kHeader) return std::nullopt;
    const auto is = [&](const char* identifier) {
        return flatbuffers::BufferHasIdentifier(bytes.data(), identifier);
    };
    if (is(schema::HpaIndexIdentifier())) return IndexKind::hpa;
    if (is(schema::SubgoalIndexIdentifier())) return IndexKind::subgoal;
    if (is(schema::HaaIndexIdentifier())) return IndexKind::haa;
    if (is(schema::HnaIndexIdentifier())) return IndexKind::hna;
    return std::nullopt;
}

Result<IndexKind> index_kind(const std::filesystem::path& path) {
    const auto file = MappedFile::open(path);
    if (!file) return tl::unexpected(file.error());
    if (const auto kind = index_kind_of_bytes(file->bytes())) return *kind;
    return fail(StatusCode::corrupt_file, fmt::format("{}: this is no index file", path.string()));
}

}  // namespace cairn::index_file
