#include "options/common.hpp"

#include <algorithm>
#include <cstddef>

namespace cairn::app {

std::string as_option(std::string message) {
    const auto word =
        message.begin() + static_cast<std::ptrdiff_t>(std::min(message.find(' '), message.size()));
    std::replace(message.begin(), word, '_', '-');
    return "--" + message;
}

}  // namespace cairn::app
