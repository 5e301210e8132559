#pragma once
// The log of a store: batches of edits of a map, in order (cairn/index_store.hpp).

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cairn/grid/map.hpp"
#include "cairn/status.hpp"

namespace cairn::index_file {

/// The file is a header, then for each batch a head and its edits. All numbers are little-endian.
/// The checksum of a batch covers its edits and the checksum before it, so the last one tells
/// whether two logs are equal.
class EditLog {
public:
    EditLog() = default;
    /// An empty log of the index file `base` (file_id).
    explicit EditLog(std::uint64_t base) noexcept : base_(base) {}

    /// Reads a log. Errors: corrupt_file, naming `name`; wrong_version.
    [[nodiscard]] static Result<EditLog> parse(std::string_view bytes, std::string_view name);

    void append(std::span<const grid::TerrainEdit> edits);
    [[nodiscard]] std::string bytes() const;

    [[nodiscard]] std::uint64_t base() const noexcept { return base_; }
    [[nodiscard]] std::size_t batches() const noexcept { return ends_.size(); }
    [[nodiscard]] std::span<const grid::TerrainEdit> batch(std::size_t i) const noexcept {
        const std::size_t begin = i == 0 ? 0 : ends_[i - 1];
        return std::span(edits_).subspan(begin, ends_[i] - begin);
    }
    /// Whether this log begins with all batches of `other`, and is of the same index file.
    [[nodiscard]] bool continues(const EditLog& other) const noexcept;

private:
    std::uint64_t base_ = 0;
    std::vector<grid::TerrainEdit> edits_;  ///< of all batches
    std::vector<std::size_t> ends_;         ///< by batch, in edits_
    std::vector<std::uint64_t> checksums_;  ///< by batch
};

}  // namespace cairn::index_file
