#include <algorithm>

#include "cairn/file.hpp"
#include "raster_limits.hpp"
#include "text.hpp"

namespace cairn::formats {
namespace {

/// The numbers of a PGM header or plain body, between blanks and comments.
class PgmScanner {
public:
    PgmScanner(std::string_view bytes, std::string_view name) : bytes_(bytes), name_(name) {}

    [[nodiscard]] std::size_t left() const { return bytes_.size() - at_; }
    void skip(std::size_t count) { at_ += count; }
    [[nodiscard]] std::string_view rest() const { return bytes_.substr(at_); }
    [[nodiscard]] bool at_blank() const {
        return left() > 0 && (is_blank(bytes_[at_]) || bytes_[at_] == '\n');
    }

    /// Reads the next number into `value`, if it is in low..high.
    [[nodiscard]] Status number(const char* what, std::uint32_t low, std::uint32_t high,
                                std::uint32_t& value) {
        skip_blanks();
        const std::size_t begin = at_;
        while (left() > 0 && bytes_[at_] >= '0' && bytes_[at_] <= '9') ++at_;
        const auto parsed =
            parse_number<std::uint32_t>(bytes_.substr(begin, at_ - begin), low, high);
        if (!parsed) {
            const std::size_t shown = std::max<std::size_t>(at_ - begin, 1);
            return error_at(begin,
                            begin == bytes_.size()
                                ? fmt::format("the file ends where the {} should be", what)
                                : fmt::format("{} {}: needs a number from {} to {}", what,
                                              excerpt(bytes_.substr(begin, shown)), low, high));
        }
        value = *parsed;
        return {};
    }
    [[nodiscard]] Status error_here(std::string_view message) const {
        return error_at(at_, message);
    }
    [[nodiscard]] std::string here() const { return place(at_); }

private:
    void skip_blanks() {
        while (left() > 0) {
            if (at_blank()) {
                ++at_;
            } else if (bytes_[at_] == '#') {
                at_ = std::min(bytes_.find('\n', at_), bytes_.size());
            } else {
                return;
            }
        }
    }
    [[nodiscard]] std::string place(std::size_t at) const {
        const std::string_view before = bytes_.substr(0, at);
        const auto line = std::count(before.begin(), before.end(), '\n') + 1;
        const std::size_t newline = before.rfind('\n');
        return fmt::format("{}:{}:{}", name_, line,
                           at - (newline == std::string_view::npos ? 0 : newline + 1) + 1);
    }
    [[nodiscard]] Status error_at(std::size_t at, std::string_view message) const {
        return {StatusCode::corrupt_file, fmt::format("{}: {}", place(at), message)};
    }

    std::string_view bytes_;
    std::string_view name_;
    std::size_t at_ = 0;
};

std::uint8_t scaled(std::uint32_t value, std::uint32_t maxval) {
    return static_cast<std::uint8_t>((value * 255 + maxval / 2) / maxval);
}

Status read_plain(PgmScanner& in, std::size_t pixels, std::uint32_t maxval, GreyImage& image) {
    image.grey.reserve(std::min(pixels, in.left()));
    while (image.grey.size() < pixels) {
        std::uint32_t value = 0;
        if (Status s = in.number("grey value", 0, maxval, value); !s.ok()) return s;
        image.grey.push_back(scaled(value, maxval));
    }
    return {};
}

Status read_raw(PgmScanner& in, std::size_t pixels, std::uint32_t maxval, GreyImage& image) {
    const std::size_t depth = maxval > 255 ? 2 : 1;
    if (!in.at_blank())
        return in.error_here("one blank must stand between the header and the pixels");
    in.skip(1);
    if (in.left() < pixels * depth) {
        return in.error_here(
            fmt::format("{} bytes of pixels where {} x {} of {} bytes each are needed", in.left(),
                        image.width, image.height, depth));
    }
    image.grey.reserve(pixels);
    const std::string_view body = in.rest();
    for (std::size_t i = 0; i < pixels; ++i) {
        std::uint32_t value = static_cast<std::uint8_t>(body[i * depth]);
        if (depth == 2) value = value << 8 | static_cast<std::uint8_t>(body[i * 2 + 1]);
        if (value > maxval) {
            return in.error_here(fmt::format("pixel ({}, {}) is {}, above the greatest value {}",
                                             i % static_cast<std::size_t>(image.width),
                                             i / static_cast<std::size_t>(image.width), value,
                                             maxval));
        }
        image.grey.push_back(scaled(value, maxval));
    }
    return {};
}

}  // namespace

Result<GreyImage> parse_pgm(std::string_view bytes, std::string_view name) {
    PgmScanner in(bytes, name);
    if (!bytes.starts_with("P2") && !bytes.starts_with("P5")) {
        return tl::unexpected(in.error_here("a PGM picture begins with 'P2' or 'P5'"));
    }
    const bool raw = bytes[1] == '5';
    in.skip(2);
    if (!in.at_blank()) return tl::unexpected(in.error_here("a blank must follow 'P2' or 'P5'"));
    constexpr std::uint32_t any = 0xffff'ffff;
    std::uint32_t width = 0;
    std::uint32_t height = 0;
    std::uint32_t maxval = 0;
    if (Status s = in.number("width", 1, any, width); !s.ok()) return tl::unexpected(std::move(s));
    if (Status s = in.number("height", 1, any, height); !s.ok())
        return tl::unexpected(std::move(s));
    if (Status s = check_picture_size(in.here(), width, height); !s.ok())
        return tl::unexpected(std::move(s));
    if (Status s = in.number("greatest value", 1, 65535, maxval); !s.ok())
        return tl::unexpected(std::move(s));
    GreyImage image{static_cast<int>(width), static_cast<int>(height), {}, {}};
    const std::size_t pixels = std::size_t{width} * height;
    Status status =
        raw ? read_raw(in, pixels, maxval, image) : read_plain(in, pixels, maxval, image);
    if (!status.ok()) return tl::unexpected(std::move(status));
    return image;
}

Result<std::string> format_pgm(const GreyImage& image) {
    if (Status s = check_picture(image); !s.ok()) return tl::unexpected(std::move(s));
    std::string bytes = fmt::format("P5\n{} {}\n255\n", image.width, image.height);
    bytes.append(image.grey.begin(), image.grey.end());
    return bytes;
}

Status write_pgm(const std::string& path, const GreyImage& image) {
    const auto bytes = format_pgm(image);
    if (!bytes) return {bytes.error().code, fmt::format("{}: {}", path, bytes.error().message)};
    return write_file_atomically(path, *bytes);
}

}  // namespace cairn::formats
