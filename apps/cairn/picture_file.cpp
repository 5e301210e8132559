#include "picture_file.hpp"

namespace cairn::app {

Outcome save_picture(const Context& context, std::string_view what,
                     const Result<render::Drawing>& drawing, const std::string& file,
                     double scale) {
    if (!drawing) return tl::unexpected(drawing.error());
    if (Status written = render::write_picture(file, *drawing, scale); !written.ok())
        return tl::unexpected(std::move(written));
    if (context.json) {
        say(Json{{"file", file}, {"width", drawing->width}, {"height", drawing->height}});
    } else {
        say("{}: {:.0f} x {:.0f} pixels, written to {}\n", what, drawing->width * scale,
            drawing->height * scale, file);
    }
    return kDone;
}

}  // namespace cairn::app
