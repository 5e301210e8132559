#pragma once
// A picture drawn becomes a file.

#include <string>
#include <string_view>

#include "cairn/render/drawing.hpp"
#include "command.hpp"

namespace cairn::app {

/// Writes it by the file's extension, `scale` pixels to a unit, and says so; `what` is its name.
/// Errors: those of the drawing and of render::write_picture.
[[nodiscard]] Outcome save_picture(const Context& context, std::string_view what,
                                   const Result<render::Drawing>& drawing, const std::string& file,
                                   double scale);

}  // namespace cairn::app
