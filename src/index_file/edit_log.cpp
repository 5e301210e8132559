#include "index_file/edit_log.hpp"

#include <fmt/format.h>
#include <xxhash.h>

#include <array>
#include <cstring>
#include <limits>

namespace cairn::index_file {
namespace {

constexpr std::array<std::uint8_t, 8> kLogMagic{0x89, 'C', 'a', 'i', 'r', 'E', '\r', '\n'};
constexpr std::uint32_t kLogVersion = 1;

struct LogHeader {
    std::array<std::uint8_t, 8> magic;
    std::uint32_t version;
    std::uint32_t batches;
    std::uint64_t base;
    std::uint64_t checksum;  ///< of the header up to here
};
static_assert(sizeof(LogHeader) == 32);

struct BatchHead {
    std::uint32_t edits;
    std::uint32_t unused;  ///< 0
    std::uint64_t checksum;
};
static_assert(sizeof(BatchHead) == 16);

struct StoredEdit {
    std::int32_t x;
    std::int32_t y;
    std::int32_t width;
    std::int32_t height;
    std::uint32_t terrain;
};
static_assert(sizeof(StoredEdit) == 20);

std::uint64_t checksum_of(const LogHeader& header) {
    return XXH3_64bits(&header, offsetof(LogHeader, checksum));
}

std::vector<StoredEdit> stored(std::span<const grid::TerrainEdit> edits) {
    std::vector<StoredEdit> result;
    result.reserve(edits.size());
    for (const auto& [area, terrain] : edits)
        result.push_back({area.x, area.y, area.width, area.height, terrain});
    return result;
}

std::uint64_t checksum_of(std::span<const StoredEdit> edits, std::uint64_t before) {
    return XXH3_64bits_withSeed(edits.data(), edits.size_bytes(), before);
}

// Reads a value from the front of `bytes`. False if there are too few.
template <class T>
bool take(std::string_view& bytes, T& value) {
    if (bytes.size() < sizeof value) return false;
    std::memcpy(&value, bytes.data(), sizeof value);
    bytes.remove_prefix(sizeof value);
    return true;
}

template <class T>
void put(std::string& bytes, const T& value) {
    bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

}  // namespace

Result<EditLog> EditLog::parse(std::string_view bytes, std::string_view name) {
    const auto damaged = [&](std::string_view what) {
        return fail(StatusCode::corrupt_file, fmt::format("{}: {}", name, what));
    };
    LogHeader header{};
    if (!take(bytes, header) || header.magic != kLogMagic)
        return damaged("this is no log of edits");
    if (header.checksum != checksum_of(header)) return damaged("the header is damaged");
    if (header.version != kLogVersion) {
        return fail(StatusCode::wrong_version,
                    fmt::format("{}: version {} of logs of edits, but this program reads version "
                                "{}",
                                name, header.version, kLogVersion));
    }
    EditLog log(header.base);
    while (log.batches() < header.batches) {
        BatchHead head{};
        if (!take(bytes, head) || head.edits > bytes.size() / sizeof(StoredEdit))
            return damaged("it was cut short");
        std::vector<StoredEdit> edits(head.edits);
        for (StoredEdit& edit : edits) static_cast<void>(take(bytes, edit));
        const std::uint64_t before = log.checksums_.empty() ? log.base_ : log.checksums_.back();
        if (head.unused != 0 || head.checksum != checksum_of(edits, before)) {
            return damaged(fmt::format("batch {} of edits is damaged", log.batches()));
        }
        for (const StoredEdit& edit : edits) {
            if (edit.terrain > std::numeric_limits<std::uint8_t>::max())
                return damaged("an edit sets an unknown terrain");
            log.edits_.push_back({{edit.x, edit.y, edit.width, edit.height},
                                  static_cast<std::uint8_t>(edit.terrain)});
        }
        log.ends_.push_back(log.edits_.size());
        log.checksums_.push_back(head.checksum);
    }
    if (!bytes.empty()) return damaged("there are bytes after the last batch");
    return log;
}

void EditLog::append(std::span<const grid::TerrainEdit> edits) {
    // What an append left that failed for lack of memory.
    edits_.resize(ends_.empty() ? 0 : ends_.back());
    checksums_.resize(ends_.size());
    const std::uint64_t before = checksums_.empty() ? base_ : checksums_.back();
    checksums_.push_back(checksum_of(stored(edits), before));
    edits_.insert(edits_.end(), edits.begin(), edits.end());
    ends_.push_back(edits_.size());
}

std::string EditLog::bytes() const {
    LogHeader header{kLogMagic, kLogVersion, static_cast<std::uint32_t>(batches()), base_, 0};
    header.checksum = checksum_of(header);
    std::string bytes;
    bytes.reserve(sizeof header + batches() * sizeof(BatchHead) +
                  edits_.size() * sizeof(StoredEdit));
    put(bytes, header);
    for (std::size_t i = 0; i < batches(); ++i) {
        const std::vector<StoredEdit> edits = stored(batch(i));
        put(bytes, BatchHead{static_cast<std::uint32_t>(edits.size()), 0, checksums_[i]});
        for (const StoredEdit& edit : edits) put(bytes, edit);
    }
    return bytes;
}

bool EditLog::continues(const EditLog& other) const noexcept {
    if (base_ != other.base_ || batches() < other.batches()) return false;
    return other.checksums_.empty() || checksums_[other.batches() - 1] == other.checksums_.back();
}

}  // namespace cairn::index_file
