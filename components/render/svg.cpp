// The SVG form of a drawing.

#include <fmt/format.h>

#include <cmath>
#include <iterator>

#include "drawing_check.hpp"
#include "raster.hpp"

namespace cairn::render {
namespace {

constexpr std::size_t kMostRectangles = 60'000;

// Two decimals, without trailing zeros.
void put(std::string& out, double value) {
    const std::size_t first = out.size();
    fmt::format_to(std::back_inserter(out), "{:.2f}", value);
    while (out.back() == '0') out.pop_back();
    if (out.back() == '.') out.pop_back();
    if (out.compare(first, std::string::npos, "-0") == 0) out.erase(first, 1);
}

void put_point(std::string& out, Position p) {
    put(out, p.x);
    out += ' ';
    put(out, p.y);
}

void put_attribute(std::string& out, std::string_view name, double value) {
    out += ' ';
    out += name;
    out += "=\"";
    put(out, value);
    out += '"';
}

void put_box(std::string& out, const Box& box) {
    put_attribute(out, "x", box.x);
    put_attribute(out, "y", box.y);
    put_attribute(out, "width", box.width);
    put_attribute(out, "height", box.height);
}

void put_colour(std::string& out, std::string_view name, Colour c) {
    fmt::format_to(std::back_inserter(out), " {}=\"#{:02x}{:02x}{:02x}\"", name, c.r, c.g, c.b);
    if (c.a != 255) put_attribute(out, fmt::format("{}-opacity", name), c.a / 255.0);
}

void put_stroke(std::string& out, const Stroke& stroke) {
    put_colour(out, "stroke", stroke.colour);
    put_attribute(out, "stroke-width", stroke.width);
    if (stroke.dash > 0) put_attribute(out, "stroke-dasharray", stroke.dash);
}

// Escapes the special characters of XML and drops forbidden ones.
void put_escaped(std::string& out, std::string_view text) {
    for (const char c : text) {
        switch (c) {
            case '&':
                out += "&amp;";
                break;
            case '<':
                out += "&lt;";
                break;
            case '>':
                out += "&gt;";
                break;
            case '"':
                out += "&quot;";
                break;
            default:
                if (static_cast<unsigned char>(c) >= 0x20) out += c;
        }
    }
}

void put_rectangle(std::string& out, Position at, double width, double height) {
    out += 'M';
    put_point(out, at);
    out += 'h';
    put(out, width);
    out += 'v';
    put(out, height);
    out += 'h';
    put(out, -width);
    out += 'z';
}

void put_shape(std::string& out, const Raster& raster) {
    const Box box{raster.at.x, raster.at.y, raster.width * raster.pixel,
                  raster.height * raster.pixel};
    std::size_t background = 0;
    const auto found = rectangles(raster, kMostRectangles, background);
    if (found.empty()) {
        out += "<image";
        put_box(out, box);
        out +=
            " preserveAspectRatio=\"none\" style=\"image-rendering:pixelated\" "
            "xlink:href=\"data:image/png;base64,";
        out += base64(encode_png(raster));
        out += "\"/>\n";
        return;
    }
    out += "<g shape-rendering=\"crispEdges\">\n<rect";
    put_box(out, box);
    put_colour(out, "fill", raster.palette[background].with_alpha(255));
    out += "/>\n";
    for (std::size_t i = 0; i < found.size(); ++i) {
        if (i == background || found[i].empty()) continue;
        out += "<path";
        put_colour(out, "fill", raster.palette[i].with_alpha(255));
        out += " d=\"";
        for (const PixelRect& r : found[i]) {
            put_rectangle(out, {raster.at.x + r.x * raster.pixel, raster.at.y + r.y * raster.pixel},
                          r.width * raster.pixel, r.height * raster.pixel);
        }
        out += "\"/>\n";
    }
    out += "</g>\n";
}

void put_shape(std::string& out, const Boxes& boxes) {
    out += "<path";
    put_colour(out, "fill", boxes.fill);
    out += " d=\"";
    for (const Box& b : boxes.boxes) put_rectangle(out, {b.x, b.y}, b.width, b.height);
    out += "\"/>\n";
}

void put_shape(std::string& out, const Polygons& polygons) {
    out += "<path";
    put_colour(out, "fill", polygons.fill);
    out += " d=\"";
    for (std::size_t i = 0; i + 1 < polygons.first.size(); ++i) {
        for (std::size_t c = polygons.first[i]; c < polygons.first[i + 1]; ++c) {
            out += c == polygons.first[i] ? 'M' : 'L';
            put_point(out, polygons.corners[c]);
        }
        if (polygons.first[i] < polygons.first[i + 1]) out += 'z';
    }
    out += "\"/>\n";
}

void put_shape(std::string& out, const Segments& segments) {
    out += "<path fill=\"none\"";
    put_stroke(out, segments.stroke);
    out += " d=\"";
    for (std::size_t i = 0; i + 1 < segments.ends.size(); i += 2) {
        out += 'M';
        put_point(out, segments.ends[i]);
        out += 'L';
        put_point(out, segments.ends[i + 1]);
    }
    out += "\"/>\n";
}

void put_shape(std::string& out, const Polyline& line) {
    out += "<polyline fill=\"none\" stroke-linecap=\"round\" stroke-linejoin=\"round\"";
    put_stroke(out, line.stroke);
    out += " points=\"";
    for (std::size_t i = 0; i < line.points.size(); ++i) {
        if (i > 0) out += ' ';
        put_point(out, line.points[i]);
    }
    out += "\"/>\n";
}

// A line of length 0 with round caps is a disc, and takes fewer bytes than a circle.
void put_shape(std::string& out, const Discs& discs) {
    out += "<path fill=\"none\" stroke-linecap=\"round\"";
    put_stroke(out, {discs.fill, 2 * discs.radius, 0});
    out += " d=\"";
    for (const Position p : discs.centres) {
        out += 'M';
        put_point(out, p);
        out += "h0";
    }
    out += "\"/>\n";
}

void put_shape(std::string& out, const Text& text) {
    constexpr std::string_view anchors[] = {"start", "middle", "end"};
    out += "<text";
    put_attribute(out, "x", text.at.x);
    put_attribute(out, "y", text.at.y);
    put_attribute(out, "font-size", text.size);
    if (text.anchor != Anchor::start) {
        fmt::format_to(std::back_inserter(out), " text-anchor=\"{}\"",
                       anchors[static_cast<std::size_t>(text.anchor)]);
    }
    if (text.bold) out += " font-weight=\"bold\"";
    put_colour(out, "fill", text.colour);
    out += '>';
    put_escaped(out, text.text);
    out += "</text>\n";
}

}  // namespace

Result<std::string> to_svg(const Drawing& drawing) {
    if (Status s = check(drawing); !s.ok()) return tl::unexpected(std::move(s));
    std::string out =
        "<svg xmlns=\"http://www.w3.org/2000/svg\" "
        "xmlns:xlink=\"http://www.w3.org/1999/xlink\"";
    put_attribute(out, "width", drawing.width);
    put_attribute(out, "height", drawing.height);
    out += " viewBox=\"0 0 ";
    put_point(out, {drawing.width, drawing.height});
    out += "\" font-family=\"'DejaVu Sans', Verdana, sans-serif\">\n<rect";
    put_box(out, {0, 0, drawing.width, drawing.height});
    put_colour(out, "fill", drawing.background);
    out += "/>\n";
    std::optional<Box> defined;
    int clips = 0;
    for (const Layer& layer : drawing.layers) {
        if (layer.shapes.empty()) continue;
        if (layer.clip && layer.clip != defined) {
            defined = layer.clip;
            fmt::format_to(std::back_inserter(out), "<clipPath id=\"clip{}\"><rect", ++clips);
            put_box(out, *layer.clip);
            out += "/></clipPath>\n";
        }
        out += "<g class=\"";
        put_escaped(out, layer.name);
        out += '"';
        if (layer.clip)
            fmt::format_to(std::back_inserter(out), " clip-path=\"url(#clip{})\"", clips);
        out += ">\n";
        for (const Shape& shape : layer.shapes) {
            std::visit([&](const auto& s) { put_shape(out, s); }, shape);
        }
        out += "</g>\n";
    }
    out += "</svg>\n";
    return out;
}

}  // namespace cairn::render
