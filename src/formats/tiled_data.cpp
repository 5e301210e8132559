#include "tiled_data.hpp"

#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <memory>
#include <new>
#include <span>
#include <string>

#include "text.hpp"

namespace cairn::formats {
namespace {

using Gids = std::vector<std::uint32_t>;
using ByteSpan = std::span<const std::uint8_t>;

Status tile_data_error(std::string message) {
    return {StatusCode::corrupt_file, std::move(message)};
}

/// Takes the bytes of tiles, four each, the least first, in pieces of any length.
class TileBytes {
public:
    explicit TileBytes(std::size_t count) : count_(count) {}

    /// False if there are more bytes than the tiles have.
    [[nodiscard]] bool take(ByteSpan bytes) {
        for (const std::uint8_t byte : bytes) {
            if (gids_.size() == count_) return false;
            word_ |= std::uint32_t{byte} << 8 * have_;
            if (++have_ < 4) continue;
            gids_.push_back(word_);
            word_ = have_ = 0;
        }
        return true;
    }
    /// The tiles. Errors: corrupt_file (there were fewer bytes, or more).
    [[nodiscard]] Result<Gids> finish(bool too_many) {
        if (!too_many && have_ == 0 && gids_.size() == count_) return std::move(gids_);
        return tl::unexpected(tile_data_error(
            too_many ? fmt::format("more than {} tiles", count_)
                     : fmt::format("{} tiles where {} are needed", gids_.size(), count_)));
    }

private:
    std::size_t count_;
    Gids gids_;
    std::uint32_t word_ = 0;
    std::uint32_t have_ = 0;  ///< bytes in word_
};

Result<Gids> decode_csv(std::string_view text, std::size_t count) {
    Gids gids;
    const char* at = text.data();
    const char* const end = at + text.size();
    const auto skip_blanks = [&] {
        while (at != end && (is_blank(*at) || *at == '\n')) ++at;
    };
    for (skip_blanks(); at != end; skip_blanks()) {
        if (gids.size() == count)
            return tl::unexpected(tile_data_error(fmt::format("more than {} tiles", count)));
        std::uint32_t gid = 0;
        const auto [behind, error] = std::from_chars(at, end, gid);
        if (error != std::errc{}) {
            const auto rest = static_cast<std::size_t>(end - at);
            return tl::unexpected(tile_data_error(fmt::format(
                "{} is no number of a tile", excerpt({at, std::min<std::size_t>(rest, 12)}))));
        }
        gids.push_back(gid);
        at = behind;
        skip_blanks();
        if (at == end) break;
        if (*at != ',')
            return tl::unexpected(
                tile_data_error(fmt::format("{} where a comma must be", excerpt({at, 1}))));
        ++at;
    }
    if (gids.size() == count) return gids;
    return tl::unexpected(
        tile_data_error(fmt::format("{} tiles where {} are needed", gids.size(), count)));
}

/// The value of a letter of base64; 64 for others.
constexpr std::array<std::uint8_t, 256> kBase64 = [] {
    constexpr std::string_view kLetters =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::array<std::uint8_t, 256> values{};
    values.fill(64);
    for (std::size_t i = 0; i < kLetters.size(); ++i)
        values[static_cast<std::uint8_t>(kLetters[i])] = static_cast<std::uint8_t>(i);
    return values;
}();

Result<std::vector<std::uint8_t>> decode_base64(std::string_view text) {
    std::vector<std::uint8_t> bytes;
    bytes.reserve(text.size() / 4 * 3 + 3);
    std::uint32_t word = 0;
    std::size_t letters = 0;
    std::size_t padding = 0;
    for (const char c : text) {
        if (is_blank(c) || c == '\n') continue;
        const std::uint32_t value = kBase64[static_cast<std::uint8_t>(c)];
        if (c == '=' && letters % 4 >= 2) {
            ++padding;
            continue;
        }
        if (value == 64 || padding > 0) {
            return tl::unexpected(
                tile_data_error(fmt::format("{} is not base64", excerpt({&c, 1}))));
        }
        word = word << 6 | value;
        ++letters;
        if (letters % 4 != 1) {
            // Of 6, 12, 18 and 24 bits, the bytes that are complete.
            const std::size_t left = (letters % 4 == 0) ? 0 : 6 - 2 * (letters % 4 - 1);
            bytes.push_back(static_cast<std::uint8_t>(word >> left));
        }
    }
    if ((letters + padding) % 4 != 0) return tl::unexpected(tile_data_error("base64 is cut off"));
    return bytes;
}

constexpr std::size_t kPiece = std::size_t{1} << 16;

/// zlib's or gzip's stream.
Result<Gids> inflate_tiles(ByteSpan bytes, bool gzip, std::size_t count) {
    z_stream stream{};
    constexpr int kWindowBits = 15;
    constexpr int kGzip = 16;
    const int begun = inflateInit2(&stream, kWindowBits + (gzip ? kGzip : 0));
    if (begun != Z_OK) throw std::bad_alloc();  // the only error of valid arguments
    const std::unique_ptr<z_stream, int (*)(z_stream*)> guard(&stream, inflateEnd);
    stream.next_in = const_cast<Bytef*>(bytes.data());  // which zlib does not change
    stream.avail_in = static_cast<uInt>(bytes.size());
    TileBytes tiles(count);
    std::vector<std::uint8_t> piece(kPiece);
    int state = Z_OK;
    while (state == Z_OK) {
        stream.next_out = piece.data();
        stream.avail_out = static_cast<uInt>(piece.size());
        state = inflate(&stream, Z_NO_FLUSH);
        if (state == Z_MEM_ERROR) throw std::bad_alloc();
        if (!tiles.take({piece.data(), piece.size() - stream.avail_out})) return tiles.finish(true);
    }
    if (state != Z_STREAM_END || stream.avail_in != 0)
        return tl::unexpected(
            tile_data_error(fmt::format("not a {} stream", gzip ? "gzip" : "zlib")));
    return tiles.finish(false);
}

Result<Gids> unpack_zstd(ByteSpan bytes, std::size_t count) {
    const std::unique_ptr<ZSTD_DCtx, std::size_t (*)(ZSTD_DCtx*)> context(ZSTD_createDCtx(),
                                                                          ZSTD_freeDCtx);
    if (!context) throw std::bad_alloc();
    constexpr int kWindowLog = 25;  // 32 MiB: of all levels, for layers of up to 2^23 tiles
    ZSTD_DCtx_setParameter(context.get(), ZSTD_d_windowLogMax, kWindowLog);
    TileBytes tiles(count);
    std::vector<std::uint8_t> piece(kPiece);
    ZSTD_inBuffer in{bytes.data(), bytes.size(), 0};
    std::size_t wanted = 1;  // 0: the frame is complete
    while (wanted != 0) {
        ZSTD_outBuffer out{piece.data(), piece.size(), 0};
        const std::size_t before = in.pos;
        wanted = ZSTD_decompressStream(context.get(), &out, &in);
        if (ZSTD_isError(wanted) != 0) {
            const ZSTD_ErrorCode code = ZSTD_getErrorCode(wanted);
            if (code == ZSTD_error_memory_allocation) throw std::bad_alloc();
            if (code == ZSTD_error_frameParameter_windowTooLarge) {
                return fail(StatusCode::too_large,
                            fmt::format("a zstd window above {} bytes", 1U << kWindowLog));
            }
            return tl::unexpected(
                tile_data_error(fmt::format("not a zstd frame: {}", ZSTD_getErrorName(wanted))));
        }
        if (!tiles.take({piece.data(), out.pos})) return tiles.finish(true);
        if (wanted != 0 && in.pos == before && out.pos == 0)
            return tl::unexpected(tile_data_error("the zstd frame is cut off"));
    }
    if (in.pos != in.size) return tl::unexpected(tile_data_error("bytes follow the zstd frame"));
    return tiles.finish(false);
}

}  // namespace

Result<Gids> decode_tiles(std::string_view text, std::string_view encoding,
                          std::string_view compression, std::size_t count) {
    if (encoding == "csv") return decode_csv(text, count);
    if (encoding != "base64") {
        return fail(StatusCode::unsupported,
                    fmt::format("the encoding {}: csv and base64 are read", excerpt(encoding)));
    }
    const bool plain = compression.empty() || compression == "none";
    const bool gzip = compression == "gzip";
    const bool zstd = compression == "zstd";
    if (!plain && !gzip && !zstd && compression != "zlib") {
        return fail(
            StatusCode::unsupported,
            fmt::format("the compression {}: zlib, gzip and zstd are read", excerpt(compression)));
    }
    const auto bytes = decode_base64(text);
    if (!bytes) return tl::unexpected(bytes.error());
    if (zstd) return unpack_zstd(*bytes, count);
    if (!plain) return inflate_tiles(*bytes, gzip, count);
    TileBytes tiles(count);
    const bool fits = tiles.take(*bytes);
    return tiles.finish(!fits);
}

}  // namespace cairn::formats
