#include <algorithm>
#include <optional>

#include "cairn/formats/movingai.hpp"
#include "core/guarded.hpp"
#include "text.hpp"

namespace cairn::formats {
namespace {

constexpr int kMaxSide = grid::Map::kMaxSide;
/// The largest map with CRLF line ends and a generous header.
constexpr std::size_t kMaxMapBytes = std::size_t{kMaxSide} * (kMaxSide + 2) + 4096;

/// Whether a byte may stand for a terrain. A blank may not: at a row's end it is ignored.
constexpr bool is_letter(std::uint8_t byte) noexcept { return byte > ' ' && byte < 0x7f; }

struct Header {
    bool typed = false;  ///< the line `type octile` was read
    std::optional<int> height;
    std::optional<int> width;
};

Status read_type(const LineReader& lines, std::string_view rest, Header& header) {
    const std::string_view type = next_word(rest);
    if (header.typed) return lines.error_at(0, "a second 'type' line");
    if (type != "octile") {
        return lines.error_at(type,
                              fmt::format("map type {}: only 'octile' is known", excerpt(type)));
    }
    header.typed = true;
    return {};
}

Status read_side(const LineReader& lines, std::string_view keyword, std::string_view rest,
                 std::optional<int>& side) {
    const std::string_view word = next_word(rest);
    if (side) return lines.error_at(0, fmt::format("a second '{}' line", keyword));
    const auto value = parse_number<std::int64_t>(word);
    if (!value || *value < 1) {
        return lines.error_at(word, fmt::format("{} {}: needs a number from 1 to {}", keyword,
                                                excerpt(word), kMaxSide));
    }
    if (*value > kMaxSide) {
        return lines.error_at(
            word, fmt::format("{} {}: at most {} is possible", keyword, *value, kMaxSide),
            StatusCode::too_large);
    }
    if (const std::string_view extra = next_word(rest); !extra.empty()) {
        return lines.error_at(extra, fmt::format("{} after the {}", excerpt(extra), keyword));
    }
    side = static_cast<int>(*value);
    return {};
}

/// Reads the header: all lines up to and including `map`.
Status read_header(LineReader& lines, Header& header) {
    while (lines.next()) {
        std::string_view rest = lines.line();
        const std::string_view keyword = next_word(rest);
        Status status;
        if (keyword == "map") {
            if (header.typed && header.width && header.height) return {};
            const char* missing = !header.typed ? "type" : !header.height ? "height" : "width";
            return lines.error_at(0, fmt::format("no '{}' line before 'map'", missing));
        }
        if (keyword == "type") {
            status = read_type(lines, rest, header);
        } else if (keyword == "height") {
            status = read_side(lines, keyword, rest, header.height);
        } else if (keyword == "width") {
            status = read_side(lines, keyword, rest, header.width);
        } else if (!keyword.empty()) {
            status = lines.error_at(
                keyword, fmt::format("{}: expected type, height, width or map", excerpt(keyword)));
        }
        if (!status.ok()) return status;
    }
    return lines.error_at(0, "the file ends before the line 'map'");
}

Status read_row(const LineReader& lines, int y, TerrainImage& image) {
    const auto width = static_cast<std::size_t>(image.width);
    const std::string_view row = trim_right(lines.line());
    for (std::size_t x = 0; x < std::min(row.size(), width); ++x) {
        if (!is_letter(static_cast<std::uint8_t>(row[x]))) {
            return lines.error_at(
                x, fmt::format("{} is not a terrain letter", excerpt(row.substr(x, 1))));
        }
    }
    if (row.size() != width) {
        return lines.error_at(
            std::min(row.size(), width),
            fmt::format("row {} has {} cells, not the header's width of {}", y, row.size(), width));
    }
    image.terrain.insert(image.terrain.end(), row.begin(), row.end());
    return {};
}

}  // namespace

Result<TerrainImage> parse_map(std::string_view text, std::string_view name) noexcept try {
    LineReader lines(text, name);
    Header header;
    if (Status s = read_header(lines, header); !s.ok()) return tl::unexpected(std::move(s));
    TerrainImage image{*header.width, *header.height, {}};
    const auto cells =
        static_cast<std::size_t>(image.width) * static_cast<std::size_t>(image.height);
    image.terrain.reserve(std::min(cells, lines.rest().size()));
    for (int y = 0; y < image.height; ++y) {
        if (!lines.next()) {
            return tl::unexpected(lines.error_at(
                0, fmt::format("the map ends after {} of {} rows", y, image.height)));
        }
        if (Status s = read_row(lines, y, image); !s.ok()) return tl::unexpected(std::move(s));
    }
    while (lines.next()) {
        if (!trim_right(lines.line()).empty()) {
            return tl::unexpected(
                lines.error_at(0, fmt::format("text after the last of {} rows", image.height)));
        }
    }
    return image;
} catch (...) {
    return out_of_memory();
}

Result<TerrainImage> read_map(const std::string& path) noexcept try {
    return parse_file(path, kMaxMapBytes, parse_map);
} catch (...) {
    return out_of_memory();
}

Result<grid::Map> load_map(const std::string& path, const grid::MapOptions& options) noexcept try {
    return read_map(path).and_then(
        [&](const TerrainImage& image) { return in_file(path, grid::make_map(image, options)); });
} catch (...) {
    return out_of_memory();
}

Result<std::string> format_map(const TerrainImage& image) noexcept try {
    if (image.width < 1 || image.height < 1 || image.width > kMaxSide || image.height > kMaxSide) {
        return fail(StatusCode::bad_option,
                    fmt::format("a map of {} x {} cells: each side must be 1 to {}", image.width,
                                image.height, kMaxSide));
    }
    const auto width = static_cast<std::size_t>(image.width);
    const auto height = static_cast<std::size_t>(image.height);
    if (image.terrain.size() != width * height) {
        return fail(StatusCode::bad_option,
                    fmt::format("{} terrain bytes for a map of {} x {} cells", image.terrain.size(),
                                width, height));
    }
    std::string text = fmt::format("type octile\nheight {}\nwidth {}\nmap\n", height, width);
    text.reserve(text.size() + (width + 1) * height);
    for (std::size_t i = 0; i < image.terrain.size(); ++i) {
        const std::uint8_t byte = image.terrain[i];
        if (!is_letter(byte)) {
            return fail(
                StatusCode::bad_option,
                fmt::format(
                    "cell ({}, {}): terrain byte {} is not a printable letter and cannot be "
                    "written to a .map file",
                    i % width, i / width, byte));
        }
        text += static_cast<char>(byte);
        if ((i + 1) % width == 0) text += '\n';
    }
    return text;
} catch (...) {
    return out_of_memory();
}

Status write_map(const std::string& path, const TerrainImage& image) noexcept try {
    return write_formatted(path, format_map(image));
} catch (...) {
    return out_of_memory();
}

}  // namespace cairn::formats
