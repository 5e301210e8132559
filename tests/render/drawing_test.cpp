// Drawings and the SVG and PNG files of them.

#include "cairn/render/drawing.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "cairn/formats/raster.hpp"
#include "support/scratch_folder.hpp"

namespace cairn::render {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr Colour kRed{255, 0, 0};

/// A white drawing of 20 x 10 with one shape.
Drawing drawing_of(Shape shape) {
    Drawing d{20, 10, {255, 255, 255}, {}};
    d.layers.push_back({"test", {}, {std::move(shape)}});
    return d;
}

constexpr int kGreyOfRed = 85;
constexpr int kGreyOfWhite = 255;

/// The pixels of a PNG file as greys.
formats::GreyImage pixels(const std::string& png) {
    return formats::parse_png(png, "test").value();
}

int at(const formats::GreyImage& image, int x, int y) {
    return image.grey.at(static_cast<std::size_t>(y * image.width + x));
}

TEST(DrawingGoldenTest, SvgIsTheSameEverywhere) {
    Drawing d{20, 10, {255, 255, 255}, {}};
    Raster raster{{1, 1}, 4, 2, 2, {kRed, {0, 0, 255}}, {0, 1, 1, 1}};
    d.layers.push_back({"below", Box{0, 0, 19.5, 10}, {std::move(raster)}});
    d.layers.push_back(
        {"above",
         {},
         {Boxes{{{1, 2, 3, 4}}, {1, 2, 3, 51}},
          Segments{{{0, 0}, {1.0 / 3, -0.001}}, {kRed, 0.5, 2}},
          Polyline{{{0, 0}, {5, 5}}, {kRed, 1, 0}}, Discs{{{2, 2}, {3, 3}}, 1.5, kRed},
          Text{{4, 5}, 6, Anchor::middle, true, kRed, "a<b & \"c\">\n"}}});
    EXPECT_EQ(
        to_svg(d).value(),
        "<svg xmlns=\"http://www.w3.org/2000/svg\" xmlns:xlink=\"http://www.w3.org/1999/xlink\" "
        "width=\"20\" height=\"10\" viewBox=\"0 0 20 10\" "
        "font-family=\"'DejaVu Sans', Verdana, sans-serif\">\n"
        "<rect x=\"0\" y=\"0\" width=\"20\" height=\"10\" fill=\"#ffffff\"/>\n"
        "<clipPath id=\"clip1\"><rect x=\"0\" y=\"0\" width=\"19.5\" height=\"10\"/></clipPath>\n"
        "<g class=\"below\" clip-path=\"url(#clip1)\">\n"
        "<g shape-rendering=\"crispEdges\">\n"
        "<rect x=\"1\" y=\"1\" width=\"8\" height=\"8\" fill=\"#0000ff\"/>\n"
        "<path fill=\"#ff0000\" d=\"M1 1h4v4h-4z\"/>\n"
        "</g>\n</g>\n"
        "<g class=\"above\">\n"
        "<path fill=\"#010203\" fill-opacity=\"0.2\" d=\"M1 2h3v4h-3z\"/>\n"
        "<path fill=\"none\" stroke=\"#ff0000\" stroke-width=\"0.5\" stroke-dasharray=\"2\" "
        "d=\"M0 0L0.33 0\"/>\n"
        "<polyline fill=\"none\" stroke-linecap=\"round\" stroke-linejoin=\"round\" "
        "stroke=\"#ff0000\" stroke-width=\"1\" points=\"0 0 5 5\"/>\n"
        "<path fill=\"none\" stroke-linecap=\"round\" stroke=\"#ff0000\" stroke-width=\"3\" "
        "d=\"M2 2h0M3 3h0\"/>\n"
        "<text x=\"4\" y=\"5\" font-size=\"6\" text-anchor=\"middle\" font-weight=\"bold\" "
        "fill=\"#ff0000\">a&lt;b &amp; &quot;c&quot;&gt;</text>\n"
        "</g>\n</svg>\n");
}

TEST(DrawingTest, PngHasTheDrawingsSizeAndColours) {
    const formats::GreyImage p = pixels(to_png(drawing_of(Boxes{{{0, 0, 10, 10}}, kRed})).value());
    EXPECT_EQ(p.width, 20);
    EXPECT_EQ(p.height, 10);
    EXPECT_EQ(at(p, 5, 5), kGreyOfRed);
    EXPECT_EQ(at(p, 15, 5), kGreyOfWhite);
}

TEST(DrawingTest, EveryShapeIsPainted) {
    // Each covers pixel (9, 5) and leaves (9, 0) white.
    const Shape shapes[] = {Raster{{8, 4}, 2, 1, 1, {kRed}, {0}},
                            Boxes{{{8, 4, 2, 2}}, kRed},
                            Polygons{{{8, 4}, {11, 4}, {11, 7}, {8, 7}}, {0, 4}, kRed},
                            Segments{{{0, 5}, {20, 5}}, {kRed, 4, 0}},
                            Polyline{{{0, 5}, {20, 5}}, {kRed, 4, 0}},
                            Discs{{{9, 5}}, 3, kRed}};
    for (const Shape& shape : shapes) {
        const formats::GreyImage p = pixels(to_png(drawing_of(shape)).value());
        EXPECT_EQ(at(p, 9, 5), kGreyOfRed) << shape.index();
        EXPECT_EQ(at(p, 9, 0), kGreyOfWhite) << shape.index();
    }
}

TEST(DrawingTest, ScaleAndClipApplyToPng) {
    Drawing d = drawing_of(Boxes{{{0, 0, 20, 10}}, kRed});
    d.layers[0].clip = Box{0, 0, 5, 10};
    const formats::GreyImage p = pixels(to_png(d, 2).value());
    EXPECT_EQ(p.width, 40);
    EXPECT_EQ(p.height, 20);
    EXPECT_EQ(at(p, 9, 10), kGreyOfRed);
    EXPECT_EQ(at(p, 10, 10), kGreyOfWhite);
}

TEST(DrawingTest, AppendMovesShapesAndClips) {
    Drawing source = drawing_of(Discs{{{1, 2}}, 1, kRed});
    source.layers[0].clip = Box{0, 0, 5, 5};
    source.layers[0].shapes.emplace_back(Text{{3, 4}, 5, Anchor::start, false, kRed, "x"});
    Drawing target{100, 100, {}, {}};
    append(target, source, 10, 20);
    ASSERT_EQ(target.layers.size(), 1U);
    EXPECT_EQ(target.layers[0].clip, (Box{10, 20, 5, 5}));
    EXPECT_EQ(std::get<Discs>(target.layers[0].shapes[0]).centres[0], (Position{11, 22}));
    EXPECT_EQ(std::get<Text>(target.layers[0].shapes[1]).at, (Position{13, 24}));
}

TEST(DrawingTest, RastersOfManyRectanglesAreEmbedded) {
    // A checkerboard, which would take one rectangle for each pixel.
    Raster board{{0, 0}, 0.05, 400, 200, {kRed, {0, 0, 0}}, {}};
    for (int i = 0; i < 400 * 200; ++i) board.pixels.push_back((i / 400 + i) % 2 == 0 ? 0 : 1);
    const std::string svg = to_svg(drawing_of(board)).value();
    EXPECT_THAT(svg, HasSubstr("data:image/png;base64,iVBORw0KGgo"));
    EXPECT_LT(svg.size(), 20'000U);
    board.pixels.assign(board.pixels.size(), 1);
    EXPECT_THAT(to_svg(drawing_of(board)).value(), Not(HasSubstr("base64")));
}

TEST(DrawingTest, PolygonsAreOnePathAndTheirRangesAreChecked) {
    const Polygons two{{{0, 0}, {4, 0}, {4, 4}, {5, 5}, {9, 5}, {9, 9}, {5, 9}}, {0, 3, 7}, kRed};
    EXPECT_THAT(to_svg(drawing_of(two)).value(), HasSubstr("d=\"M0 0L4 0L4 4zM5 5L9 5L9 9L5 9z\""));
    Drawing target{100, 100, {}, {}};
    append(target, drawing_of(two), 1, 2);
    EXPECT_EQ(std::get<Polygons>(target.layers[0].shapes[0]).corners[2], (Position{5, 6}));
    for (const std::vector<std::size_t>& first :
         {std::vector<std::size_t>{}, {1, 7}, {0, 8}, {0, 5, 3, 7}}) {
        Polygons bad = two;
        bad.first = first;
        EXPECT_EQ(to_svg(drawing_of(bad)).error().code, StatusCode::unsupported);
        EXPECT_EQ(to_png(drawing_of(bad)).error().code, StatusCode::unsupported);
    }
}

TEST(DrawingTest, BadDrawingsAreRefused) {
    for (const double side : {0.0, -1.0, 20000.0, std::numeric_limits<double>::infinity(),
                              std::numeric_limits<double>::quiet_NaN()}) {
        const Drawing d{side, 10, {}, {}};
        EXPECT_EQ(to_svg(d).error().code, StatusCode::bad_option) << side;
        EXPECT_EQ(to_png(d).error().code, StatusCode::bad_option) << side;
    }
    const Drawing fine{20, 10, {}, {}};
    EXPECT_EQ(to_png(fine, 0).error().code, StatusCode::bad_option);
    EXPECT_EQ(to_png(fine, 17).error().code, StatusCode::bad_option);
    EXPECT_EQ(to_png({16384, 16384, {}, {}}).error().code, StatusCode::too_large);
    EXPECT_EQ(to_png({16384, 10, {}, {}}, 16).error().code, StatusCode::too_large);

    const Raster bad[] = {{{0, 0}, 1, 2, 2, {kRed}, {0, 0, 0}},
                          {{0, 0}, 1, 1, 1, {kRed}, {1}},
                          {{0, 0}, 0, 1, 1, {kRed}, {0}},
                          {{0, 0}, 1, -1, -1, {kRed}, {0}}};
    for (const Raster& raster : bad) {
        EXPECT_EQ(to_svg(drawing_of(raster)).error().code, StatusCode::unsupported);
        EXPECT_EQ(to_png(drawing_of(raster)).error().code, StatusCode::unsupported);
    }
}

TEST(DrawingTest, FilesAreWrittenByExtension) {
    const test::ScratchFolder folder;
    const Drawing d = drawing_of(Boxes{{{0, 0, 10, 10}}, kRed});
    EXPECT_TRUE(write_picture(folder.path() / "a.svg", d).ok());
    EXPECT_EQ(test::bytes_of(folder.path() / "a.svg"), to_svg(d).value());
    EXPECT_TRUE(write_picture(folder.path() / "a.PNG", d, 2).ok());
    EXPECT_EQ(pixels(test::bytes_of(folder.path() / "a.PNG")).width, 40);

    const Status jpg = write_picture(folder.path() / "a.jpg", d);
    EXPECT_EQ(jpg.code, StatusCode::unsupported);
    EXPECT_THAT(jpg.message, HasSubstr("a.jpg"));
    EXPECT_EQ(write_picture(folder.path() / "none" / "a.svg", d).code, StatusCode::io_error);
    EXPECT_EQ(write_picture(folder.path() / "b.png", d, -1).code, StatusCode::bad_option);
    EXPECT_FALSE(std::filesystem::exists(folder.path() / "b.png"));
}

}  // namespace
}  // namespace cairn::render
