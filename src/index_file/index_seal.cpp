#include "index_file/index_seal.hpp"

#include <fmt/format.h>
#include <xxhash.h>

#include <array>
#include <bit>
#include <cstring>

#include "index_parts_generated.h"

namespace cairn::index_file {

static_assert(std::endian::native == std::endian::little,
              "index files are used in place, and their numbers are little-endian");

void seal(std::string& bytes) {
    const XXH64_hash_t hash = XXH3_64bits(bytes.data(), bytes.size());
    std::array<char, kChecksumBytes> text{};
    std::memcpy(text.data(), &hash, sizeof hash);
    bytes.append(text.data(), text.size());
}

Status check_seal(std::span<const std::byte> bytes, std::string_view name,
                  const IndexFormat& format) {
    const auto corrupt = [name](std::string_view what) {
        return Status{StatusCode::corrupt_file, fmt::format("{}: {}", name, what)};
    };
    constexpr std::size_t kHeader = 8;  // the root's offset and the identifier
    if (bytes.empty()) return corrupt("the file is empty; save the index again");
    if (bytes.size() < kHeader + kChecksumBytes ||
        !flatbuffers::BufferHasIdentifier(bytes.data(), format.identifier)) {
        return corrupt(fmt::format("this is no file of {}", format.what));
    }
    if (bytes.size() > kMaxIndexBytes + (std::size_t{1} << 15)) {
        return corrupt(fmt::format("larger than any file of {}", format.what));
    }
    const std::size_t size = bytes.size() - kChecksumBytes;
    XXH64_hash_t expected = 0;
    std::memcpy(&expected, bytes.data() + size, sizeof expected);
    if (XXH3_64bits(bytes.data(), size) != expected) {
        return corrupt(
            "the checksum is wrong: the file is damaged or was cut short; save the index again");
    }
    const auto* data = reinterpret_cast<const std::uint8_t*>(bytes.data());
    flatbuffers::Verifier verifier(data, size);
    if (!verifier.VerifyBuffer<schema::Stamp>(format.identifier)) {
        return corrupt("the version is missing");
    }
    const std::uint32_t version = flatbuffers::GetRoot<schema::Stamp>(data)->version();
    if (version == format.version) return {};
    return {StatusCode::wrong_version,
            fmt::format("{}: version {} of the format, but this program reads version {}; build "
                        "the index again from its map or mesh",
                        name, version, format.version)};
}

Status corrupt_index(std::string_view name, std::string_view what) {
    return {StatusCode::corrupt_file,
            fmt::format("{}: {}; build the index again from its map or mesh", name, what)};
}

Status wrong_map(std::string_view name, std::string_view what) {
    return {StatusCode::wrong_map,
            fmt::format("{}: the index belongs to another map, {}; give that map, or build an "
                        "index of this one",
                        name, what)};
}

Status check_shape(std::string_view name, const MapShape& file, const MapShape& given) {
    if (file == given) return {};
    return wrong_map(name, fmt::format("of {} x {} cells instead of {} x {}", file.width,
                                       file.height, given.width, given.height));
}

Status check_map(std::string_view name, const MapStamp& stamp, const grid::Map& map) {
    if (Status s = check_shape(name, stamp.shape, {map.width(), map.height()}); !s.ok()) return s;
    const std::uint64_t fingerprint = map.fingerprint();
    if (fingerprint == stamp.fingerprint) return {};
    return wrong_map(name, fmt::format("of the same size but with other terrain, costs or rules "
                                       "(fingerprint {:016x} instead of {:016x})",
                                       stamp.fingerprint, fingerprint));
}

std::span<const std::byte> aligned_bytes(std::span<const std::byte> bytes,
                                         std::vector<std::uint64_t>& memory) {
    if (reinterpret_cast<std::uintptr_t>(bytes.data()) % alignof(std::uint64_t) == 0) return bytes;
    memory.resize((bytes.size() + 7) / 8);
    std::memcpy(memory.data(), bytes.data(), bytes.size());
    return std::as_bytes(std::span(memory)).first(bytes.size());
}

}  // namespace cairn::index_file
