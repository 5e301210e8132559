#pragma once
// The check of a drawing that SVG and PNG share.

#include "cairn/render/drawing.hpp"

namespace cairn::render {

/// bad_option or unsupported, as to_svg says.
[[nodiscard]] Status check(const Drawing& drawing);

}  // namespace cairn::render
