// The PNG form of a drawing, painted by Cairo.

#include <cairo.h>
#include <fmt/core.h>

#include <cmath>
#include <cstring>
#include <memory>

#include "drawing_check.hpp"

namespace cairn::render {
namespace {

struct Release {
    void operator()(cairo_surface_t* surface) const noexcept { cairo_surface_destroy(surface); }
    void operator()(cairo_t* context) const noexcept { cairo_destroy(context); }
};
using Surface = std::unique_ptr<cairo_surface_t, Release>;
using Context = std::unique_ptr<cairo_t, Release>;

class Painter {
public:
    explicit Painter(cairo_t* context) : context_(context) {}

    void operator()(const Raster& raster) {
        const Surface image(
            cairo_image_surface_create(CAIRO_FORMAT_RGB24, raster.width, raster.height));
        unsigned char* bytes = cairo_image_surface_get_data(image.get());
        if (bytes == nullptr) return;  // the context will tell
        const auto stride = static_cast<std::size_t>(cairo_image_surface_get_stride(image.get()));
        const auto width = static_cast<std::size_t>(raster.width);
        for (std::size_t i = 0; i < raster.pixels.size(); ++i) {
            const Colour c = raster.palette[raster.pixels[i]];
            const std::uint32_t word = std::uint32_t{c.r} << 16 | std::uint32_t{c.g} << 8 | c.b;
            std::memcpy(bytes + i / width * stride + i % width * sizeof word, &word, sizeof word);
        }
        cairo_surface_mark_dirty(image.get());
        cairo_save(context_);
        cairo_translate(context_, raster.at.x, raster.at.y);
        cairo_scale(context_, raster.pixel, raster.pixel);
        cairo_set_source_surface(context_, image.get(), 0, 0);
        cairo_pattern_set_filter(cairo_get_source(context_), CAIRO_FILTER_NEAREST);
        cairo_rectangle(context_, 0, 0, raster.width, raster.height);
        cairo_fill(context_);
        cairo_restore(context_);
    }
    void operator()(const Boxes& boxes) {
        for (const Box& b : boxes.boxes) cairo_rectangle(context_, b.x, b.y, b.width, b.height);
        set(boxes.fill);
        cairo_fill(context_);
    }
    void operator()(const Polygons& polygons) {
        for (std::size_t i = 0; i + 1 < polygons.first.size(); ++i) {
            cairo_new_sub_path(context_);
            for (std::size_t c = polygons.first[i]; c < polygons.first[i + 1]; ++c)
                cairo_line_to(context_, polygons.corners[c].x, polygons.corners[c].y);
            cairo_close_path(context_);
        }
        set(polygons.fill);
        cairo_fill(context_);
    }
    void operator()(const Segments& segments) {
        for (std::size_t i = 0; i + 1 < segments.ends.size(); i += 2) {
            cairo_move_to(context_, segments.ends[i].x, segments.ends[i].y);
            cairo_line_to(context_, segments.ends[i + 1].x, segments.ends[i + 1].y);
        }
        stroke(segments.stroke, CAIRO_LINE_CAP_BUTT);
    }
    void operator()(const Polyline& line) {
        for (const Position p : line.points) cairo_line_to(context_, p.x, p.y);
        stroke(line.stroke, CAIRO_LINE_CAP_ROUND);
    }
    void operator()(const Discs& discs) {
        constexpr double full_turn = 6.283185307179586;
        for (const Position p : discs.centres) {
            cairo_new_sub_path(context_);
            cairo_arc(context_, p.x, p.y, discs.radius, 0, full_turn);
        }
        set(discs.fill);
        cairo_fill(context_);
    }
    void operator()(const Text& text) {
        cairo_select_font_face(context_, "sans", CAIRO_FONT_SLANT_NORMAL,
                               text.bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
        cairo_set_font_size(context_, text.size);
        double x = text.at.x;
        if (text.anchor != Anchor::start) {
            cairo_text_extents_t extents;
            cairo_text_extents(context_, text.text.c_str(), &extents);
            x -= text.anchor == Anchor::middle ? extents.x_advance / 2 : extents.x_advance;
        }
        set(text.colour);
        cairo_move_to(context_, x, text.at.y);
        cairo_show_text(context_, text.text.c_str());
        cairo_new_path(context_);
    }
    void set(Colour c) {
        cairo_set_source_rgba(context_, c.r / 255.0, c.g / 255.0, c.b / 255.0, c.a / 255.0);
    }

private:
    void stroke(const Stroke& style, cairo_line_cap_t cap) {
        set(style.colour);
        cairo_set_line_width(context_, style.width);
        cairo_set_line_cap(context_, cap);
        cairo_set_line_join(context_, CAIRO_LINE_JOIN_ROUND);
        cairo_set_dash(context_, &style.dash, style.dash > 0 ? 1 : 0, 0);
        cairo_stroke(context_);
    }

    cairo_t* context_;
};

void paint(cairo_t* context, const Drawing& drawing) {
    Painter painter(context);
    painter.set(drawing.background);
    cairo_paint(context);
    for (const Layer& layer : drawing.layers) {
        cairo_save(context);
        if (layer.clip) {
            cairo_rectangle(context, layer.clip->x, layer.clip->y, layer.clip->width,
                            layer.clip->height);
            cairo_clip(context);
        }
        for (const Shape& shape : layer.shapes) std::visit(painter, shape);
        cairo_restore(context);
    }
}

// Exceptions must not pass through Cairo's C code.
cairo_status_t collect(void* out, const unsigned char* bytes, unsigned length) noexcept {
    try {
        static_cast<std::string*>(out)->append(reinterpret_cast<const char*>(bytes), length);
    } catch (...) {
        return CAIRO_STATUS_WRITE_ERROR;
    }
    return CAIRO_STATUS_SUCCESS;
}

}  // namespace

Result<std::string> to_png(const Drawing& drawing, double scale) {
    if (Status s = check(drawing); !s.ok()) return tl::unexpected(std::move(s));
    if (!(scale >= 1.0 / 16 && scale <= 16))
        return fail(StatusCode::bad_option, "a picture's scale must be 1/16 to 16");
    const double width = std::ceil(drawing.width * scale);
    const double height = std::ceil(drawing.height * scale);
    constexpr double cairo_side = 32767;
    if (width > cairo_side || height > cairo_side || width * height > double{kMaxPicturePixels}) {
        return fail(StatusCode::too_large,
                    fmt::format("a PNG of {:.0f} x {:.0f} pixels is more than {} pixels; scale it "
                                "down or write SVG",
                                width, height, kMaxPicturePixels));
    }
    const Surface surface(cairo_image_surface_create(CAIRO_FORMAT_RGB24, static_cast<int>(width),
                                                     static_cast<int>(height)));
    const Context context(cairo_create(surface.get()));
    cairo_scale(context.get(), scale, scale);
    paint(context.get(), drawing);

    std::string png;
    cairo_status_t status = cairo_status(context.get());
    if (status == CAIRO_STATUS_SUCCESS)
        status = cairo_surface_write_to_png_stream(surface.get(), collect, &png);
    if (status == CAIRO_STATUS_NO_MEMORY)
        return fail(StatusCode::too_large, "not enough memory to paint the picture");
    if (status != CAIRO_STATUS_SUCCESS)
        return fail(StatusCode::unsupported,
                    fmt::format("cannot paint the picture: {}", cairo_status_to_string(status)));
    return png;
}

}  // namespace cairn::render
