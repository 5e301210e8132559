#pragma once
// Reads a text line by line, and writes texts. Errors name the file, and line and column.

#include <fmt/format.h>

#include <charconv>
#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "cairn/file.hpp"
#include "cairn/status.hpp"

namespace cairn::formats {

[[nodiscard]] constexpr bool is_blank(char c) noexcept {
    return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

[[nodiscard]] constexpr std::string_view trim_right(std::string_view text) noexcept {
    while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
    return text;
}

/// Takes the next word of `line`, leaving the rest; empty at the line's end.
[[nodiscard]] constexpr std::string_view next_word(std::string_view& line) noexcept {
    while (!line.empty() && is_blank(line.front())) line.remove_prefix(1);
    std::size_t length = 0;
    while (length < line.size() && !is_blank(line[length])) ++length;
    const std::string_view word = line.substr(0, length);
    line.remove_prefix(length);
    return word;
}

/// The number that is all of `word` and lies in low..high.
template <class T>
[[nodiscard]] std::optional<T> parse_number(std::string_view word,
                                            T low = std::numeric_limits<T>::lowest(),
                                            T high = std::numeric_limits<T>::max()) {
    T value{};
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (error != std::errc{} || end != word.data() + word.size()) return std::nullopt;
    if (!(value >= low && value <= high)) return std::nullopt;
    return value;
}

/// A part of a file for a message: short, and without control characters.
[[nodiscard]] inline std::string excerpt(std::string_view piece) {
    constexpr std::size_t kLongest = 40;
    std::string text = "'";
    for (const char c : piece.substr(0, kLongest)) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte >= 0x20 && byte < 0x7f) {
            text += c;
        } else {
            text += fmt::format("\\x{:02x}", byte);
        }
    }
    return text + (piece.size() > kLongest ? "...'" : "'");
}

/// The lines of a text. `name` and `text` must outlive it.
class LineReader {
public:
    LineReader(std::string_view text, std::string_view name) noexcept : rest_(text), name_(name) {}

    /// Moves to the next line, without its line end (LF or CRLF); false after the last. A text that
    /// ends in a newline has no empty line after it.
    [[nodiscard]] bool next() noexcept {
        ++number_;
        if (rest_.empty()) {
            line_ = {};
            return false;
        }
        const std::size_t end = rest_.find('\n');
        line_ = rest_.substr(0, end);
        rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 1);
        if (!line_.empty() && line_.back() == '\r') line_.remove_suffix(1);
        return true;
    }

    [[nodiscard]] std::string_view line() const noexcept { return line_; }
    [[nodiscard]] std::string_view rest() const noexcept { return rest_; }
    [[nodiscard]] std::size_t number() const noexcept { return number_; }

    /// An error at `column` (from 0) of the current line.
    [[nodiscard]] Status error_at(std::size_t column, std::string_view message,
                                  StatusCode code = StatusCode::corrupt_file) const {
        return {code, fmt::format("{}:{}:{}: {}", name_, number_, column + 1, message)};
    }
    /// An error at `word`, a piece of the current line.
    [[nodiscard]] Status error_at(std::string_view word, std::string_view message,
                                  StatusCode code = StatusCode::corrupt_file) const {
        return error_at(static_cast<std::size_t>(word.data() - line_.data()), message, code);
    }

private:
    std::string_view rest_;
    std::string_view name_;
    std::string_view line_;
    std::size_t number_ = 0;
};

/// What `parse` reads from a file of at most `max_bytes`.
template <class T>
[[nodiscard]] Result<T> parse_file(const std::string& path, std::size_t max_bytes,
                                   Result<T> (*parse)(std::string_view text,
                                                      std::string_view name)) {
    return read_file(path, max_bytes).and_then([&](const std::string& text) {
        return parse(text, path);
    });
}

/// A result whose error begins with the name of the file.
template <class T>
[[nodiscard]] Result<T> in_file(const std::string& path, Result<T> result) {
    if (!result) result.error().message = fmt::format("{}: {}", path, result.error().message);
    return result;
}

/// Writes what a format_ function gave.
[[nodiscard]] inline Status write_formatted(const std::string& path, Result<std::string> text) {
    const auto named = in_file(path, std::move(text));
    return named ? write_file_atomically(path, *named) : named.error();
}

}  // namespace cairn::formats
