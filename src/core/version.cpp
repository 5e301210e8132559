#include "cairn/version.hpp"

namespace cairn {

std::string_view version() noexcept { return CAIRN_VERSION_STRING; }

}  // namespace cairn
