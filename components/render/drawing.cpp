#include "cairn/render/drawing.hpp"

#include <cairo.h>
#include <fmt/format.h>
#include <lodepng.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <memory>
#include <new>

#include "cairn/file.hpp"
#include "core/guarded.hpp"

namespace cairn::render {
namespace {

constexpr std::size_t kMostRectangles = 60'000;  // of a raster in SVG

/// Moves a shape.
struct Move {
    double dx;
    double dy;

    void operator()(Position& p) const {
        p.x += dx;
        p.y += dy;
    }
    void operator()(Box& b) const {
        b.x += dx;
        b.y += dy;
    }
    void operator()(Raster& raster) const { (*this)(raster.at); }
    void operator()(Text& text) const { (*this)(text.at); }
    void operator()(Boxes& boxes) const {
        std::for_each(boxes.boxes.begin(), boxes.boxes.end(), *this);
    }
    void operator()(Polygons& p) const { std::for_each(p.corners.begin(), p.corners.end(), *this); }
    void operator()(Segments& s) const { std::for_each(s.ends.begin(), s.ends.end(), *this); }
    void operator()(Polyline& l) const { std::for_each(l.points.begin(), l.points.end(), *this); }
    void operator()(Discs& d) const { std::for_each(d.centres.begin(), d.centres.end(), *this); }
};

bool valid(const Polygons& polygons) {
    const auto& first = polygons.first;
    return !first.empty() && first.front() == 0 && first.back() == polygons.corners.size() &&
           std::is_sorted(first.begin(), first.end());
}

/// Whether sizes and palette fit together.
bool valid(const Raster& raster) {
    if (raster.width < 1 || raster.height < 1 || !(raster.pixel > 0)) return false;
    const std::size_t size =
        static_cast<std::size_t>(raster.width) * static_cast<std::size_t>(raster.height);
    return raster.pixels.size() == size && raster.palette.size() <= 256 &&
           std::all_of(raster.pixels.begin(), raster.pixels.end(),
                       [&](std::uint8_t p) { return p < raster.palette.size(); });
}

/// bad_option or unsupported, as to_svg says.
Status check(const Drawing& drawing) {
    for (const double side : {drawing.width, drawing.height}) {
        if (!(side >= 1 && side <= kMaxPictureSide)) {
            return {StatusCode::bad_option,
                    fmt::format("a picture's sides must be 1 to {} pixels, not {:.2f} x {:.2f}",
                                kMaxPictureSide, drawing.width, drawing.height)};
        }
    }
    for (const Layer& layer : drawing.layers) {
        for (const Shape& shape : layer.shapes) {
            const auto* polygons = std::get_if<Polygons>(&shape);
            if (polygons != nullptr && !valid(*polygons)) {
                return {
                    StatusCode::unsupported,
                    fmt::format("layer {}: polygons' corners contradict each other", layer.name)};
            }
            const auto* raster = std::get_if<Raster>(&shape);
            if (raster != nullptr && !valid(*raster)) {
                return {StatusCode::unsupported,
                        fmt::format("layer {}: a raster's size, pixels and palette contradict "
                                    "each other",
                                    layer.name)};
            }
        }
    }
    return {};
}

struct PixelRect {
    int x = 0;
    int y = 0;
    int width = 0;
    int height = 0;
};

/// For each palette entry, the rectangles that cover its pixels. A rectangle is a run of pixels in
/// a row, and equal runs in the rows below. Empty if there are more than kMostRectangles in all.
std::vector<std::vector<PixelRect>> rectangles(const Raster& raster) {
    std::vector<std::vector<PixelRect>> found(raster.palette.size());
    // Per column, the last rectangle in `found` that starts there.
    struct Last {
        std::uint8_t colour = 0;
        std::size_t index = SIZE_MAX;
    };
    std::vector<Last> above(static_cast<std::size_t>(raster.width));
    std::size_t count = 0;
    const std::uint8_t* row = raster.pixels.data();
    for (int y = 0; y < raster.height; ++y, row += raster.width) {
        for (int x = 0, end = 0; x < raster.width; x = end) {
            const std::uint8_t colour = row[x];
            end = x + 1;
            while (end < raster.width && row[end] == colour) ++end;
            auto& same = found[colour];
            Last& last = above[static_cast<std::size_t>(x)];
            PixelRect* over =
                last.colour == colour && last.index < same.size() ? &same[last.index] : nullptr;
            if (over != nullptr && over->y + over->height == y && over->width == end - x) {
                ++over->height;
                continue;
            }
            if (++count > kMostRectangles) return {};
            last = {colour, same.size()};
            same.push_back({x, y, end - x, 1});
        }
    }
    return found;
}

/// A palette PNG of one pixel per entry, of a raster that was checked.
std::string encode_png(const Raster& raster) {
    lodepng::State state;
    state.info_raw.colortype = LCT_PALETTE;
    state.info_raw.bitdepth = 8;
    for (const Colour c : raster.palette) {
        if (lodepng_palette_add(&state.info_raw, c.r, c.g, c.b, 255) != 0) throw std::bad_alloc();
    }
    // By the library's C function: that of C++ leaks if an allocation fails.
    unsigned char* encoded = nullptr;
    std::size_t size = 0;
    const unsigned error =
        lodepng_encode(&encoded, &size, raster.pixels.data(), static_cast<unsigned>(raster.width),
                       static_cast<unsigned>(raster.height), &state);
    const std::unique_ptr<unsigned char, decltype(&std::free)> bytes(encoded, &std::free);
    if (error != 0) throw std::bad_alloc();  // the only error of such a raster
    return {reinterpret_cast<const char*>(bytes.get()), size};
}

/// Standard base 64 with padding.
std::string base64(const std::string& bytes) {
    constexpr std::string_view digits =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string text;
    text.reserve((bytes.size() + 2) / 3 * 4);
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        std::uint32_t word = 0;
        for (std::size_t k = 0; k < 3; ++k) {
            const auto byte = i + k < bytes.size() ? static_cast<std::uint8_t>(bytes[i + k]) : 0U;
            word = word << 8 | byte;
        }
        for (std::size_t k = 0; k < 4; ++k)
            text += i + k <= bytes.size() ? digits[word >> (18 - 6 * k) & 63] : '=';
    }
    return text;
}

// Two decimals, without trailing zeros.
std::string num(double value) {
    std::string text = fmt::format("{:.2f}", value);
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.') text.pop_back();
    return text == "-0" ? "0" : text;
}

std::string point(Position p) { return num(p.x) + ' ' + num(p.y); }

std::string box_attributes(const Box& b) {
    return fmt::format(R"( x="{}" y="{}" width="{}" height="{}")", num(b.x), num(b.y), num(b.width),
                       num(b.height));
}

std::string colour_attributes(std::string_view name, Colour c) {
    std::string text = fmt::format(R"( {}="#{:02x}{:02x}{:02x}")", name, c.r, c.g, c.b);
    if (c.a != 255) text += fmt::format(R"( {}-opacity="{}")", name, num(c.a / 255.0));
    return text;
}

std::string stroke_attributes(const Stroke& stroke) {
    std::string text = colour_attributes("stroke", stroke.colour);
    text += fmt::format(R"( stroke-width="{}")", num(stroke.width));
    if (stroke.dash > 0) text += fmt::format(R"( stroke-dasharray="{}")", num(stroke.dash));
    return text;
}

// Escapes the special characters of XML and drops forbidden ones.
std::string escaped(std::string_view text) {
    constexpr std::string_view special = "&<>\"";
    constexpr std::string_view entities[] = {"&amp;", "&lt;", "&gt;", "&quot;"};
    std::string out;
    for (const char c : text) {
        const std::size_t i = special.find(c);
        if (i != std::string_view::npos)
            out += entities[i];
        else if (static_cast<unsigned char>(c) >= 0x20)
            out += c;
    }
    return out;
}

class SvgWriter {
public:
    template <class... Args>
    void put(fmt::format_string<Args...> format, Args&&... args) {
        fmt::format_to(std::back_inserter(out_), format, std::forward<Args>(args)...);
    }

    void operator()(const Raster& raster) {
        const std::string box = box_attributes(
            {raster.at.x, raster.at.y, raster.width * raster.pixel, raster.height * raster.pixel});
        const auto found = rectangles(raster);
        if (found.empty()) {
            put("<image{} preserveAspectRatio=\"none\" style=\"image-rendering:pixelated\" "
                "xlink:href=\"data:image/png;base64,{}\"/>\n",
                box, base64(encode_png(raster)));
            return;
        }
        // The colour with the most rectangles is painted as one, below the others.
        const auto most =
            std::max_element(found.begin(), found.end(),
                             [](const auto& a, const auto& b) { return a.size() < b.size(); });
        const auto fill = [&](std::size_t i) {
            return colour_attributes("fill", raster.palette[i].with_alpha(255));
        };
        put("<g shape-rendering=\"crispEdges\">\n<rect{}{}/>\n", box,
            fill(static_cast<std::size_t>(most - found.begin())));
        for (std::size_t i = 0; i < found.size(); ++i) {
            if (&found[i] == &*most || found[i].empty()) continue;
            begin_path(fill(i));
            for (const PixelRect& r : found[i])
                rectangle({raster.at.x + r.x * raster.pixel, raster.at.y + r.y * raster.pixel,
                           r.width * raster.pixel, r.height * raster.pixel});
            end_path();
        }
        put("</g>\n");
    }
    void operator()(const Boxes& boxes) {
        begin_path(colour_attributes("fill", boxes.fill));
        for (const Box& b : boxes.boxes) rectangle(b);
        end_path();
    }
    void operator()(const Polygons& polygons) {
        begin_path(colour_attributes("fill", polygons.fill));
        for (std::size_t i = 0; i + 1 < polygons.first.size(); ++i) {
            for (std::size_t c = polygons.first[i]; c < polygons.first[i + 1]; ++c)
                put("{}{}", c == polygons.first[i] ? 'M' : 'L', point(polygons.corners[c]));
            if (polygons.first[i] < polygons.first[i + 1]) out_ += 'z';
        }
        end_path();
    }
    void operator()(const Segments& segments) {
        begin_path(" fill=\"none\"" + stroke_attributes(segments.stroke));
        for (std::size_t i = 0; i + 1 < segments.ends.size(); i += 2)
            put("M{}L{}", point(segments.ends[i]), point(segments.ends[i + 1]));
        end_path();
    }
    void operator()(const Polyline& line) {
        put("<polyline fill=\"none\" stroke-linecap=\"round\" stroke-linejoin=\"round\"{} "
            "points=\"",
            stroke_attributes(line.stroke));
        for (std::size_t i = 0; i < line.points.size(); ++i)
            put("{}{}", i > 0 ? " " : "", point(line.points[i]));
        end_path();
    }
    // A line of length 0 with round caps is a disc, and takes fewer bytes than a circle.
    void operator()(const Discs& discs) {
        begin_path(" fill=\"none\" stroke-linecap=\"round\"" +
                   stroke_attributes({discs.fill, 2 * discs.radius, 0}));
        for (const Position p : discs.centres) put("M{}h0", point(p));
        end_path();
    }
    void operator()(const Text& text) {
        constexpr std::string_view anchors[] = {"", " text-anchor=\"middle\"",
                                                " text-anchor=\"end\""};
        put("<text x=\"{}\" y=\"{}\" font-size=\"{}\"{}{}{}>{}</text>\n", num(text.at.x),
            num(text.at.y), num(text.size), anchors[static_cast<std::size_t>(text.anchor)],
            text.bold ? " font-weight=\"bold\"" : "", colour_attributes("fill", text.colour),
            escaped(text.text));
    }
    [[nodiscard]] std::string take() { return std::move(out_); }

private:
    void begin_path(std::string_view attributes) { put("<path{} d=\"", attributes); }
    void end_path() { out_ += "\"/>\n"; }
    void rectangle(const Box& b) {
        put("M{}h{}v{}h{}z", point({b.x, b.y}), num(b.width), num(b.height), num(-b.width));
    }

    std::string out_;
};

struct Release {
    void operator()(cairo_surface_t* surface) const noexcept { cairo_surface_destroy(surface); }
    void operator()(cairo_t* context) const noexcept { cairo_destroy(context); }
};
using Surface = std::unique_ptr<cairo_surface_t, Release>;
using Context = std::unique_ptr<cairo_t, Release>;

class CairoPainter {
public:
    explicit CairoPainter(cairo_t* context) : context_(context) {}

    void operator()(const Raster& raster) {
        const Surface image(
            cairo_image_surface_create(CAIRO_FORMAT_RGB24, raster.width, raster.height));
        unsigned char* bytes = cairo_image_surface_get_data(image.get());
        if (bytes == nullptr) return;  // the status of the context then is an error
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
    CairoPainter painter(context);
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
        return CAIRO_STATUS_NO_MEMORY;
    }
    return CAIRO_STATUS_SUCCESS;
}

}  // namespace

void append(Drawing& target, const Drawing& source, double dx, double dy) {
    const Move move{dx, dy};
    for (Layer layer : source.layers) {
        if (layer.clip) move(*layer.clip);
        for (Shape& shape : layer.shapes) std::visit(move, shape);
        target.layers.push_back(std::move(layer));
    }
}

Result<std::string> to_svg(const Drawing& drawing) noexcept try {
    if (Status s = check(drawing); !s.ok()) return tl::unexpected(std::move(s));
    SvgWriter svg;
    const std::string width = num(drawing.width);
    const std::string height = num(drawing.height);
    svg.put(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" xmlns:xlink=\"http://www.w3.org/1999/xlink\" "
        "width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" "
        "font-family=\"'DejaVu Sans', Verdana, sans-serif\">\n<rect{2}{3}/>\n",
        width, height, box_attributes({0, 0, drawing.width, drawing.height}),
        colour_attributes("fill", drawing.background));
    std::optional<Box> last_clip;  // successive layers with the same clip share its definition
    int clips = 0;
    for (const Layer& layer : drawing.layers) {
        if (layer.shapes.empty()) continue;
        if (layer.clip && layer.clip != last_clip) {
            last_clip = layer.clip;
            svg.put("<clipPath id=\"clip{}\"><rect{}/></clipPath>\n", ++clips,
                    box_attributes(*layer.clip));
        }
        svg.put("<g class=\"{}\"", escaped(layer.name));
        if (layer.clip) svg.put(" clip-path=\"url(#clip{})\"", clips);
        svg.put(">\n");
        for (const Shape& shape : layer.shapes) std::visit(svg, shape);
        svg.put("</g>\n");
    }
    svg.put("</svg>\n");
    return svg.take();
} catch (...) {
    return out_of_memory();
}

Result<std::string> to_png(const Drawing& drawing, double scale) noexcept try {
    if (Status s = check(drawing); !s.ok()) return tl::unexpected(std::move(s));
    if (!(scale >= 1.0 / 16 && scale <= 16))
        return fail(StatusCode::bad_option, "a picture's scale must be 1/16 to 16");
    const double width = std::ceil(drawing.width * scale);
    const double height = std::ceil(drawing.height * scale);
    constexpr double kMaxCairoSide = 32767;
    if (width > kMaxCairoSide || height > kMaxCairoSide ||
        width * height > double{kMaxPicturePixels}) {
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
    // Of what the encoder does here, only an allocation can fail.
    if (status == CAIRO_STATUS_NO_MEMORY || status == CAIRO_STATUS_PNG_ERROR)
        return out_of_memory();
    if (status != CAIRO_STATUS_SUCCESS)
        return fail(StatusCode::unsupported,
                    fmt::format("cannot paint the picture: {}", cairo_status_to_string(status)));
    return png;
} catch (...) {
    return out_of_memory();
}

Status write_picture(const std::string& path, const Drawing& drawing, double scale) noexcept try {
    std::string extension = std::filesystem::path(path).extension().string();
    for (char& c : extension) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    if (extension != ".svg" && extension != ".png") {
        return {StatusCode::unsupported,
                fmt::format("{}: pictures are written as .svg or .png", path)};
    }
    Result<std::string> bytes = extension == ".svg" ? to_svg(drawing) : to_png(drawing, scale);
    if (!bytes) {
        Status status = std::move(bytes.error());
        if (status.code == StatusCode::out_of_memory) return status;
        status.message = fmt::format("{}: {}", path, status.message);
        return status;
    }
    return cairn::write_file_atomically(path, *bytes);
} catch (...) {
    return out_of_memory();
}

}  // namespace cairn::render
