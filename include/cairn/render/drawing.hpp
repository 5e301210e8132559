#pragma once
// A vector drawing, and its two file formats: SVG and PNG.
//
// Coordinates are pixels, x to the right, y downwards, the origin at the top left. Shapes are
// painted in order. A drawing is plain data; all functions are thread-safe.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "cairn/status.hpp"

namespace cairn::render {

/// Red, green, blue and opacity.
struct Colour {
    std::uint8_t r = 0;
    std::uint8_t g = 0;
    std::uint8_t b = 0;
    std::uint8_t a = 255;  ///< 0 clear, 255 opaque

    [[nodiscard]] constexpr Colour with_alpha(std::uint8_t alpha) const noexcept {
        return {r, g, b, alpha};
    }
    friend bool operator==(const Colour&, const Colour&) = default;
};

/// A point of a drawing.
struct Position {
    double x = 0;
    double y = 0;
    friend bool operator==(const Position&, const Position&) = default;
};

/// A rectangle; (x, y) is its top left corner.
struct Box {
    double x = 0;
    double y = 0;
    double width = 0;
    double height = 0;
    friend bool operator==(const Box&, const Box&) = default;
};

/// The style of a line.
struct Stroke {
    Colour colour;
    double width = 1;
    double dash = 0;  ///< length of dashes and of the gaps between them; 0 for a solid line
    friend bool operator==(const Stroke&, const Stroke&) = default;
};

/// A grid of coloured squares of side `pixel`, row-major from its top left corner `at`; edges are
/// kept sharp. Each entry of `pixels` (width * height) is a position in `palette`.
struct Raster {
    Position at;
    double pixel = 1;
    int width = 0;
    int height = 0;
    std::vector<Colour> palette;  ///< at most 256; alpha is ignored
    std::vector<std::uint8_t> pixels;
    friend bool operator==(const Raster&, const Raster&) = default;
};

/// Filled rectangles of one colour. A transparent colour does not add up where they overlap.
struct Boxes {
    std::vector<Box> boxes;
    Colour fill;
    friend bool operator==(const Boxes&, const Boxes&) = default;
};

/// Filled convex polygons of one colour. Polygon i has the corners first[i] up to, not including,
/// first[i + 1]. A transparent colour does not add up where they overlap, if all polygons have the
/// same orientation.
struct Polygons {
    std::vector<Position> corners;
    std::vector<std::size_t> first{0};
    Colour fill;
    friend bool operator==(const Polygons&, const Polygons&) = default;
};

/// Separate lines of one style: ends[0] to ends[1], ends[2] to ends[3], and so on. A transparent
/// colour does not add up where they overlap.
struct Segments {
    std::vector<Position> ends;
    Stroke stroke;
    friend bool operator==(const Segments&, const Segments&) = default;
};

/// One line through all points, with round joins and ends.
struct Polyline {
    std::vector<Position> points;
    Stroke stroke;
    friend bool operator==(const Polyline&, const Polyline&) = default;
};

/// Filled circles of one size and colour.
struct Discs {
    std::vector<Position> centres;
    double radius = 1;
    Colour fill;
    friend bool operator==(const Discs&, const Discs&) = default;
};

/// Which point of a text lies at Text::at.
enum class Anchor : std::uint8_t { start, middle, end };

/// One line of text in a plain sans-serif face.
struct Text {
    Position at;       ///< a point of the baseline
    double size = 12;  ///< of the font, in pixels
    Anchor anchor = Anchor::start;
    bool bold = false;
    Colour colour;
    std::string text;  ///< UTF-8
    friend bool operator==(const Text&, const Text&) = default;
};

using Shape = std::variant<Raster, Boxes, Polygons, Segments, Polyline, Discs, Text>;

/// Shapes that belong together. Becomes a group of class `name` in SVG.
struct Layer {
    std::string name;
    std::optional<Box> clip;  ///< nothing is painted outside
    std::vector<Shape> shapes;
    friend bool operator==(const Layer&, const Layer&) = default;
};

/// Layers on a background, painted in order.
struct Drawing {
    double width = 0;
    double height = 0;
    Colour background{255, 255, 255};
    std::vector<Layer> layers;
    friend bool operator==(const Drawing&, const Drawing&) = default;
};

/// The greatest side of a picture in pixels, and the most pixels of a PNG.
inline constexpr int kMaxPictureSide = 16384;
inline constexpr std::int64_t kMaxPicturePixels = std::int64_t{1} << 27;

/// Adds `source`, moved by (dx, dy), on top of `target`. The background of `source` is left out.
/// O(source).
void append(Drawing& target, const Drawing& source, double dx, double dy);

/// The drawing as an SVG 1.1 document: deterministic bytes, numbers with at most two decimals.
/// Rasters become paths of rectangles, or embedded PNG pictures if those would be too many. Errors:
/// bad_option (sides outside 1 to kMaxPictureSide); unsupported (a raster whose sizes or palette
/// contradict each other, or polygons with inconsistent corners). O(shapes and pixels).
[[nodiscard]] Result<std::string> to_svg(const Drawing& drawing) noexcept;

/// The drawing as PNG, anti-aliased, with `scale` pixels for each of its units. Text depends on the
/// fonts installed. Errors: as to_svg; bad_option (scale outside 1/16 to 16); too_large (more than
/// kMaxPicturePixels, or 32,767 along a side). O(shapes + pixels).
[[nodiscard]] Result<std::string> to_png(const Drawing& drawing, double scale = 1) noexcept;

/// Writes the drawing atomically, as SVG or PNG by the file's extension (.svg or .png, upper or
/// lower case). `scale` is for PNG. Errors: unsupported (another extension); io_error; those of
/// to_svg and to_png.
[[nodiscard]] Status write_picture(const std::string& path, const Drawing& drawing,
                                   double scale = 1) noexcept;

}  // namespace cairn::render
