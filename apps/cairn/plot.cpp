#include "plot.hpp"

#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <string>

#include "plot_script.hpp"

namespace cairn::app {
namespace {

constexpr std::array<std::string_view, 5> kNames{"bench", "figure-5", "figure-6", "figure-7",
                                                 "figure-8"};
constexpr int kCannotStart = 127;

/// Runs a program without a shell and returns its exit code.
int run(const char* program, std::array<std::string, 6> arguments) {
    std::array<char*, 7> argv{};
    for (std::size_t i = 0; i < arguments.size(); ++i) argv[i] = arguments[i].data();
    pid_t child = 0;
    if (::posix_spawnp(&child, program, nullptr, nullptr, argv.data(), environ) != 0)
        return kCannotStart;
    int status = 0;
    while (::waitpid(child, &status, 0) < 0) {
        if (errno != EINTR) return kCannotStart;
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace

std::optional<PlotKind> plot_kind(std::string_view name) noexcept {
    for (std::size_t i = 0; i < kNames.size(); ++i) {
        if (kNames[i] == name) return static_cast<PlotKind>(i);
    }
    return std::nullopt;
}

Status plot(PlotKind kind, const std::filesystem::path& csv, const std::filesystem::path& png) {
    for (const char* python : {"python3", "/usr/bin/python3"}) {
        const int code = run(python, {python, "-c", std::string(kPlotScript),
                                      std::string(kNames[static_cast<std::size_t>(kind)]),
                                      std::filesystem::absolute(csv).string(),
                                      std::filesystem::absolute(png).string()});
        if (code == 0) return {};
        if (code != kCannotStart && code != kNoMatplotlib) {
            return {StatusCode::io_error,
                    fmt::format("{}: {} could not draw it from {} (exit code {})", png.string(),
                                python, csv.string(), code)};
        }
    }
    return {StatusCode::unsupported,
            fmt::format("{}: drawing needs Python 3 with matplotlib; on Debian: apt install "
                        "python3-matplotlib",
                        png.string())};
}

}  // namespace cairn::app
