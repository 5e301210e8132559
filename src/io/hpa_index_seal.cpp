#include "io/hpa_index_seal.hpp"

#include <fmt/format.h>
#include <xxhash.h>

#include <bit>
#include <cstdint>
#include <cstring>

#include "cairn/io/hpa_index_file.hpp"
#include "hpa_index_generated.h"

namespace cairn::io {

static_assert(std::endian::native == std::endian::little,
              "index files are used in place, and their numbers are little-endian");

namespace {

tl::unexpected<Status> corrupt(std::string_view name, std::string_view what) {
    return fail(StatusCode::corrupt_file, fmt::format("{}: {}", name, what));
}

// FlatBuffers' verifier knows that vectors lie inside the buffer, not that structs are aligned.
bool labels_aligned(const schema::Labels* labels) {
    if (labels == nullptr) return true;
    const auto ok = [](const auto* vector) {
        return vector == nullptr ||
               reinterpret_cast<std::uintptr_t>(vector->Data()) % alignof(std::uint64_t) == 0;
    };
    return ok(labels->nodes()) && ok(labels->places());
}

}  // namespace

void seal(std::string& bytes) {
    const XXH64_hash_t hash = XXH3_64bits(bytes.data(), bytes.size());
    std::array<char, kChecksumBytes> text{};
    std::memcpy(text.data(), &hash, sizeof hash);
    bytes.append(text.data(), text.size());
}

Result<const schema::Index*> open_sealed(std::span<const std::byte> bytes, std::string_view name) {
    constexpr std::size_t kHeader = 8;  // the root's offset and the identifier
    if (bytes.empty()) return corrupt(name, "the file is empty; save the index again");
    if (bytes.size() < kHeader + kChecksumBytes ||
        !flatbuffers::BufferHasIdentifier(bytes.data(), schema::IndexIdentifier())) {
        return corrupt(name, "this is no file of an HPA* index");
    }
    if (bytes.size() > kMaxIndexBytes + (std::size_t{1} << 15)) {
        return corrupt(name, "larger than any file of an HPA* index");
    }
    const std::size_t size = bytes.size() - kChecksumBytes;
    XXH64_hash_t expected = 0;
    std::memcpy(&expected, bytes.data() + size, sizeof expected);
    if (XXH3_64bits(bytes.data(), size) != expected) {
        return corrupt(name,
                       "the checksum is wrong: the file is damaged or was cut short; save the "
                       "index again");
    }
    const auto* data = reinterpret_cast<const std::uint8_t*>(bytes.data());
    flatbuffers::Verifier stamp_verifier(data, size);
    if (!stamp_verifier.VerifyBuffer<schema::Stamp>(schema::IndexIdentifier())) {
        return corrupt(name, "the version is missing");
    }
    const std::uint32_t version = flatbuffers::GetRoot<schema::Stamp>(data)->version();
    if (version != kHpaIndexVersion) {
        return fail(StatusCode::wrong_version,
                    fmt::format("{}: version {} of the format, but this program reads version {}; "
                                "build the index again from its map",
                                name, version, kHpaIndexVersion));
    }
    flatbuffers::Verifier verifier(data, size);
    if (!schema::VerifyIndexBuffer(verifier) || !labels_aligned(schema::GetIndex(data)->labels())) {
        return corrupt(name, "parts of the file lie outside of it");
    }
    return schema::GetIndex(data);
}

}  // namespace cairn::io
