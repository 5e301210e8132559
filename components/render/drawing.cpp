#include "cairn/render/drawing.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <filesystem>

#include "cairn/file.hpp"
#include "drawing_check.hpp"
#include "raster.hpp"

namespace cairn::render {
namespace {

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

}  // namespace

void append(Drawing& target, const Drawing& source, double dx, double dy) {
    const Move move{dx, dy};
    for (Layer layer : source.layers) {
        if (layer.clip) move(*layer.clip);
        for (Shape& shape : layer.shapes) std::visit(move, shape);
        target.layers.push_back(std::move(layer));
    }
}

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

Status write_picture(const std::string& path, const Drawing& drawing, double scale) {
    std::string extension = std::filesystem::path(path).extension().string();
    for (char& c : extension) {
        c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
    if (extension != ".svg" && extension != ".png") {
        return {StatusCode::unsupported,
                fmt::format("{}: pictures are written as .svg or .png", path)};
    }
    Result<std::string> bytes = extension == ".svg" ? to_svg(drawing) : to_png(drawing, scale);
    if (!bytes) {
        Status status = std::move(bytes.error());
        status.message = fmt::format("{}: {}", path, status.message);
        return status;
    }
    return cairn::write_file_atomically(path, *bytes);
}

}  // namespace cairn::render
