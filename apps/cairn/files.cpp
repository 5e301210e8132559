#include "files.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <CLI/CLI.hpp>
#include <cmath>
#include <fstream>
#include <system_error>

#include "cairn/file.hpp"
#include "cairn/formats/movingai.hpp"
#include "cairn/formats/npy.hpp"
#include "cairn/formats/raster.hpp"
#include "options/common.hpp"

namespace cairn::app {
namespace {

/// The extension of the format that bytes seem to have; empty for an index and for others.
std::string extension_of_bytes(std::string_view bytes) {
    using Begin = std::pair<std::string_view, const char*>;
    constexpr std::array kBegins{Begin{"type", ".map"},  Begin{"P2", ".pgm"},
                                 Begin{"P5", ".pgm"},    Begin{"\x89PNG", ".png"},
                                 Begin{"mesh", ".mesh"}, Begin{"MSET", ".bin"},
                                 Begin{"TESM", ".bin"},  Begin{"\x93NUMPY", ".npy"},
                                 Begin{"<", ".tmx"},     Begin{"{", ".tmj"}};
    for (const auto& [begin, extension] : kBegins) {
        if (bytes.starts_with(begin)) return extension;
    }
    // Text by the first word of its first line that has one of these.
    constexpr std::array<std::string_view, 10> kObj{"v", "vn", "vt", "o",      "g",
                                                    "f", "s",  "l",  "mtllib", "usemtl"};
    while (!bytes.empty()) {
        const std::string_view line = bytes.substr(0, bytes.find('\n'));
        const std::string_view word = line.substr(0, line.find_first_of(" \t\r"));
        if (std::find(kObj.begin(), kObj.end(), word) != kObj.end()) return ".obj";
        if (word == "image:") return ".yaml";
        bytes.remove_prefix(std::min(bytes.size(), line.size() + 1));
    }
    return "";
}

Status input_error(int error) {
    return {StatusCode::io_error, fmt::format("{}: cannot read: {}", kStandardInput,
                                              std::generic_category().message(error))};
}

/// Appends what standard input has to a file until it ends.
Status copy_input(int file, const CancelFlag& cancel) {
    constexpr std::size_t kMost = std::size_t{1} << 30;
    constexpr int kWait = 100;  // ms until the flag is read again
    std::array<char, 1 << 16> bytes;
    std::size_t total = 0;
    for (;;) {
        if (cancel.cancelled()) return fail(StatusCode::cancelled).value();
        pollfd input{STDIN_FILENO, POLLIN, 0};
        if (::poll(&input, 1, kWait) <= 0) continue;  // nothing yet, or a signal
        const ssize_t count = ::read(STDIN_FILENO, bytes.data(), bytes.size());
        if (count == 0) return {};
        if (count < 0 && (errno == EINTR || errno == EAGAIN)) continue;
        if (count < 0) return input_error(errno);
        total += static_cast<std::size_t>(count);
        if (total > kMost) {
            return {StatusCode::too_large,
                    fmt::format("{}: more than {} bytes: name a file instead of '-'",
                                kStandardInput, kMost)};
        }
        for (ssize_t done = 0; done < count;) {
            const ssize_t written = ::write(file, bytes.data() + done, std::size_t(count - done));
            if (written < 0 && errno != EINTR) return input_error(errno);
            done += std::max<ssize_t>(written, 0);
        }
    }
}

}  // namespace

CLI::Option* reads_file(CLI::Option* option, Context& context) {
    return option->transform(CLI::Validator(
        [&context](std::string& file) {
            if (file != "-" && file != kStandardInput) return "";
            if (std::exchange(context.reads_input, true)) return "'-' can be only one file to read";
            file = kStandardInput;
            return "";
        },
        ""));
}

CLI::Option* writes_file(CLI::Option* option, Context& context) {
    return option->transform(CLI::Validator(
        [&context](std::string& file) {
            if (file == "-") file = kStandardOutput;
            context.writes_output = context.writes_output || file == kStandardOutput;
            return "";
        },
        ""));
}

Status keep_input(Context& context) {
    if (std::exchange(context.input_kept, true)) return {};
    const int file = ::memfd_create("standard input", MFD_CLOEXEC);
    if (file < 0) return input_error(errno);
    Status status = copy_input(file, context.cancel);
    if (status.ok() && ::dup2(file, STDIN_FILENO) < 0) status = input_error(errno);
    ::close(file);
    if (status.ok() && extension_of(kStandardInput) == ".yaml") {
        return {StatusCode::unsupported,
                fmt::format("{}: the picture of a .yaml map lies beside it: name the file instead "
                            "of '-'",
                            kStandardInput)};
    }
    return status;
}

std::string extension_of(const std::filesystem::path& file) {
    if (file == kStandardInput) {
        std::array<char, 4096> begin{};
        const ssize_t count = ::pread(STDIN_FILENO, begin.data(), begin.size(), 0);
        return extension_of_bytes(
            {begin.data(), static_cast<std::size_t>(std::max<ssize_t>(count, 0))});
    }
    std::string extension = file.extension().string();
    std::transform(extension.begin(), extension.end(), extension.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return extension;
}

bool is_index_file(const std::string& file) {
    std::error_code error;
    if (!std::filesystem::is_regular_file(file, error)) return false;  // reading one would wait
    std::array<char, 8> begin{};
    std::ifstream in(file, std::ios::binary);
    return in.read(begin.data(), begin.size()) && std::string_view(begin.data(), begin.size()) ==
                                                      "\x89"
                                                      "Cairn\r\n";
}

void FormatFlag::add_to(CLI::App& command, const std::vector<std::string>& words) {
    add_word(command, "--format", word, words, "Output",
             "Format of the output; without it that of the file's extension");
}

std::string FormatFlag::extension(const std::string& file, const char* usual) const {
    if (!word.empty()) return '.' + word;
    return file == kStandardOutput ? usual : extension_of(file);
}

bool is_terrain_file(const std::filesystem::path& file) {
    constexpr std::array known{".map", ".png", ".pgm", ".npy", ".tmj", ".tmx", ".yaml", ".yml"};
    return std::find(known.begin(), known.end(), extension_of(file)) != known.end();
}

Status write_terrain(const std::string& file, std::string_view extension,
                     const grid::TerrainImage& image, formats::GeoReference geo) {
    if (extension == ".map") return formats::write_map(file, image);
    if (extension == ".png") return formats::write_png(file, formats::picture_of(image).value());
    if (extension == ".pgm") return formats::write_pgm(file, formats::picture_of(image).value());
    if (extension == ".npy") return formats::write_npy(file, image);
    if (extension == ".yaml" || extension == ".yml") {
        geo.height = image.height;
        return formats::write_occupancy_map(file, {image, geo});
    }
    return {StatusCode::unsupported,
            fmt::format("{}: a map file ends in .map, .png, .pgm, .npy or .yaml; or write --format",
                        file)};
}

Outcome save_picture(const Context& context, std::string_view what,
                     const Result<render::Drawing>& drawing, const std::string& file,
                     std::string_view extension, double scale) {
    if (extension != ".svg" && extension != ".png") {
        return fail(StatusCode::unsupported,
                    fmt::format("{}: pictures are written as .svg or .png", file));
    }
    if (!drawing) return tl::unexpected(drawing.error());
    const bool vectors = extension == ".svg";
    const auto bytes = vectors ? render::to_svg(*drawing) : render::to_png(*drawing, scale);
    if (!bytes) return fail(bytes.error().code, fmt::format("{}: {}", file, bytes.error().message));
    if (Status written = write_file_atomically(file, *bytes); !written.ok())
        return tl::unexpected(std::move(written));
    const double factor = vectors ? 1 : scale;  // only a PNG is enlarged
    const auto width = static_cast<int>(std::ceil(drawing->width * factor));
    const auto height = static_cast<int>(std::ceil(drawing->height * factor));
    say(context, {{"file", file}, {"width", width}, {"height", height}},
        fmt::format("{}: {} x {} pixels, written to {}\n", what, width, height, file));
    return kDone;
}

}  // namespace cairn::app
