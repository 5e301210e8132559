#pragma once
// What the text formats share: words, numbers, lines, and errors of the form name:line:column.

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "cairn/file.hpp"
#include "cairn/status.hpp"
#include "core/numbers.hpp"

namespace cairn::formats {

[[nodiscard]] constexpr bool is_blank(char c) noexcept {
    return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

[[nodiscard]] constexpr std::string_view trim_right(std::string_view text) noexcept {
    while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
    return text;
}

/// Removes the next word from `line` and returns it; empty at the line's end.
[[nodiscard]] constexpr std::string_view next_word(std::string_view& line) noexcept {
    while (!line.empty() && is_blank(line.front())) line.remove_prefix(1);
    std::size_t length = 0;
    while (length < line.size() && !is_blank(line[length])) ++length;
    const std::string_view word = line.substr(0, length);
    line.remove_prefix(length);
    return word;
}

/// The value of `word` if all of it is a number in low..high.
template <class T>
[[nodiscard]] std::optional<T> parse_number(std::string_view word,
                                            T low = std::numeric_limits<T>::lowest(),
                                            T high = std::numeric_limits<T>::max()) {
    const std::optional<T> value = read_number<T>(word);
    return value && *value >= low && *value <= high ? value : std::nullopt;
}

/// A piece of a file, quoted for a message: shortened, with other than printable ASCII escaped.
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

/// "line:column", both from 1, of the byte at `offset` <= text.size().
[[nodiscard]] inline std::string line_and_column(std::string_view text, std::size_t offset) {
    const std::string_view before = text.substr(0, offset);
    const std::size_t line_start = before.rfind('\n') + 1;  // 0 if there is no newline
    return fmt::format("{}:{}", std::count(before.begin(), before.end(), '\n') + 1,
                       offset - line_start + 1);
}

/// The lines of a text, one after the other. `text` and `name`, the file's name in messages, must
/// outlive the reader.
class LineReader {
public:
    LineReader(std::string_view text, std::string_view name) noexcept : rest_(text), name_(name) {}

    /// Moves to the next line; false after the last. A text that ends in a newline has no empty
    /// line after it.
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

    /// The current line without its end (LF or CRLF).
    [[nodiscard]] std::string_view line() const noexcept { return line_; }
    /// The text after the current line.
    [[nodiscard]] std::string_view rest() const noexcept { return rest_; }
    /// The current line's number, from 1.
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

/// Reads a file of at most `max_bytes` and parses it.
template <class T>
[[nodiscard]] Result<T> parse_file(const std::string& path, std::size_t max_bytes,
                                   Result<T> (*parse)(std::string_view text,
                                                      std::string_view name)) {
    return read_file(path, max_bytes).and_then([&](const std::string& text) {
        return parse(text, path);
    });
}

/// `result`; an error's message, if it has one, then begins with the file's name.
template <class T>
[[nodiscard]] Result<T> in_file(const std::string& path, Result<T> result) {
    if (!result && !result.error().message.empty())
        result.error().message = fmt::format("{}: {}", path, result.error().message);
    return result;
}

/// Writes the result of a format_ function. An error of that function names the file.
[[nodiscard]] inline Status write_formatted(const std::string& path, Result<std::string> text) {
    const auto named = in_file(path, std::move(text));
    return named ? write_file_atomically(path, *named) : named.error();
}

}  // namespace cairn::formats
