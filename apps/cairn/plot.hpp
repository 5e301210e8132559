#pragma once
// Pictures of measurements, drawn by Python's matplotlib from CSV files.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string_view>

#include "cairn/status.hpp"

namespace cairn::app {

/// What the CSV holds: the rows of `cairn bench`, or those of a figure of the HPA* paper.
enum class PlotKind : std::uint8_t { bench, figure_5, figure_6, figure_7, figure_8 };

/// The kind by its name, "bench" or "figure-5" to "figure-8".
[[nodiscard]] std::optional<PlotKind> plot_kind(std::string_view name) noexcept;

/// Draws `csv` into `png`, which is replaced whole or not at all. Runs python3 as found on PATH,
/// then /usr/bin/python3 (Debian's) if that one lacks matplotlib. Errors: unsupported (no Python
/// with matplotlib: the message says which package to install); io_error (the drawing failed;
/// Python's own words are on standard error).
[[nodiscard]] Status plot(PlotKind kind, const std::filesystem::path& csv,
                          const std::filesystem::path& png);

}  // namespace cairn::app
