// The parser of Wavefront OBJ files.

#include <array>

#include "cairn/detour/triangles.hpp"
#include "cairn/file.hpp"
#include "core/guarded.hpp"
#include "formats/text.hpp"

namespace cairn::detour {
namespace {

using formats::excerpt;
using formats::next_word;

constexpr std::size_t kMaxObjBytes = std::size_t{1} << 32;
constexpr std::size_t kMaxTriangles = std::size_t{1} << 26;
constexpr float kFarthestVertex = 1e7F;

class ObjParser {
public:
    ObjParser(std::string_view text, std::string_view name) : lines_(text, name) {}

    Result<Triangles> parse() {
        while (lines_.next()) {
            unread_ = content(lines_.line());
            const std::string_view keyword = word();
            Status s;
            if (keyword == "v") s = vertex();
            if (keyword == "f") s = face();
            if (!s.ok()) return tl::unexpected(std::move(s));
            while (!word().empty()) continue;  // skips the continuation lines
        }
        return std::move(triangles_);
    }

private:
    static std::string_view content(std::string_view line) {
        return line.substr(0, line.find('#'));
    }

    /// The next word of the line and its continuation lines; empty at the end.
    std::string_view word() {
        while (true) {
            const std::string_view found = next_word(unread_);
            if (found != "\\") return found;
            if (!next_word(unread_).empty() || !lines_.next()) return {};
            unread_ = content(lines_.line());
        }
    }

    Status vertex() {
        std::array<float, 3> point{};
        for (float& coordinate : point) {
            const std::string_view found = word();
            const auto value =
                formats::parse_number<float>(found, -kFarthestVertex, kFarthestVertex);
            if (!value) {
                return error(found, fmt::format("coordinate {}: needs a number from -1e7 to 1e7",
                                                excerpt(found)));
            }
            coordinate = *value;
        }
        triangles_.vertices.push_back({point[0], point[1], point[2]});
        return {};
    }

    Status face() {
        std::uint32_t first = 0;
        std::uint32_t previous = 0;
        std::size_t count = 0;
        for (std::string_view found = word(); !found.empty(); found = word()) {
            const auto corner = vertex_of(found.substr(0, found.find('/')));
            if (!corner) {
                return error(found, fmt::format("corner {}: there are {} vertices so far",
                                                excerpt(found), triangles_.vertices.size()));
            }
            if (count == 0) first = *corner;
            if (count >= 2)
                triangles_.corners.insert(triangles_.corners.end(), {first, previous, *corner});
            previous = *corner;
            ++count;
        }
        if (count < 3) return error({}, fmt::format("a face of {} corners: needs three", count));
        if (triangles_.size() <= kMaxTriangles) return {};
        return lines_.error_at(0, "more than 2^26 triangles", StatusCode::too_large);
    }

    /// The index of the vertex that a face's number means: see parse_obj.
    std::optional<std::uint32_t> vertex_of(std::string_view number) const {
        const auto count = static_cast<std::int64_t>(triangles_.vertices.size());
        const auto value = formats::parse_number<std::int64_t>(number, -count, count);
        if (!value || *value == 0) return std::nullopt;
        return static_cast<std::uint32_t>(*value > 0 ? *value - 1 : count + *value);
    }

    /// An error at a word of the current line, or at its end.
    Status error(std::string_view found, std::string_view message) const {
        if (found.empty()) return lines_.error_at(lines_.line().size(), message);
        return lines_.error_at(found, message);
    }

    formats::LineReader lines_;
    std::string_view unread_;  // of the current line, without its comment
    Triangles triangles_;
};

}  // namespace

Result<Triangles> parse_obj(std::string_view text, std::string_view name) noexcept try {
    if (text.size() > kMaxObjBytes)
        return fail(StatusCode::too_large, fmt::format("{}: more than 4 GiB", name));
    return ObjParser(text, name).parse();
} catch (...) {
    return out_of_memory();
}

Result<Triangles> read_obj(const std::string& path) noexcept try {
    const auto text = cairn::read_file(path, kMaxObjBytes);
    if (!text) return tl::unexpected(text.error());
    return parse_obj(*text, path);
} catch (...) {
    return out_of_memory();
}

}  // namespace cairn::detour
