#pragma once
// Shared by the fuzz targets of index files.

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "bytes.hpp"
#include "cairn/index_file.hpp"
#include "index_file/frame.hpp"

namespace cairn::fuzz {

/// One step of Knuth's MMIX generator. Its high bits are the better ones.
inline std::size_t next_random(std::size_t state) {
    return state * 6364136223846793005U + 1442695040888963407U;
}

/// Loads any bytes as an index file after setting its checksums. Aborts unless that gives an index
/// of this kind, or an error that names the file; nullopt for an error.
template <class Index, class... Map>
std::optional<Index> open_index(const std::uint8_t* data, std::size_t size, std::string_view kind,
                                const Map&... map) {
    const auto bytes = std::make_shared<std::string>(reinterpret_cast<const char*>(data), size);
    index_file::seal(*bytes);
    const auto file = std::as_bytes(std::span(*bytes));
    const auto info = inspect_bytes(file, "fuzz.cairn");
    auto index = from_bytes<Index>(file, bytes, "fuzz.cairn", map...);
    if (!index) {
        require(index.error().message.starts_with("fuzz.cairn: "));
        return std::nullopt;
    }
    require(info && info->kind == kind);
    return std::move(*index);
}

}  // namespace cairn::fuzz
