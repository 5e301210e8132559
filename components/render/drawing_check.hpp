#pragma once
// What both forms of a drawing demand of it.

#include "cairn/render/drawing.hpp"

namespace cairn::render {

/// bad_option or unsupported, as to_svg says.
[[nodiscard]] Status check(const Drawing& drawing);

}  // namespace cairn::render
