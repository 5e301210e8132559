#pragma once
// Errors of JSON text, for its readers by events.

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string_view>

#include "cairn/status.hpp"
#include "text.hpp"

namespace cairn::formats {

/// The error that the parser reports at `byte`, from 1, of `text`, the file `name`.
[[nodiscard]] inline Status json_error(std::string_view name, std::string_view text,
                                       std::size_t byte, const nlohmann::json::exception& error) {
    constexpr int kSyntaxErrors = 199;  // their numbers are 101 to 199
    if (error.id > kSyntaxErrors) {     // such as a number too large for its type
        return {StatusCode::corrupt_file, fmt::format("{}: not JSON that can be read", name)};
    }
    const std::size_t offset = std::clamp<std::size_t>(byte, 1, text.size() + 1) - 1;
    return {StatusCode::corrupt_file,
            fmt::format("{}:{}: not JSON", name, line_and_column(text, offset))};
}

}  // namespace cairn::formats
