#include "lab.hpp"

#include <unistd.h>
#include <CLI/CLI.hpp>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "text.hpp"

namespace cairn::app {
namespace {

Status cannot_write(std::string_view target) {
    return {StatusCode::io_error, fmt::format("{}: {}", target, std::strerror(errno))};
}

/// A row for people, such as "bench  rooms  hpa  mean_us 1.25 ...": texts and the first figures.
std::string line_of(std::string_view sheet, const Row& row) {
    constexpr int kFigures = 8;
    std::string line(sheet);
    int figures = 0;
    for (const auto& [name, cell] : row) {
        if (cell.empty()) continue;
        if (cell.is_text()) {
            line += "  " + cell.brief();
        } else if (figures++ < kFigures || (name == "wrong" && cell.count() > 0)) {
            line += fmt::format("  {} {}", name, cell.brief());
        }
    }
    return line;
}

}  // namespace

std::string Cell::csv() const {
    if (const auto* text = std::get_if<std::string>(&value_)) {
        if (text->find_first_of(",\"\n") == std::string::npos) return *text;
        std::string out = "\"";
        for (const char c : *text) out += c == '"' ? "\"\"" : std::string(1, c);
        return out + '"';
    }
    if (const auto* whole = std::get_if<std::int64_t>(&value_)) return fmt::format("{}", *whole);
    if (const auto* real = std::get_if<double>(&value_)) return fmt::format("{:.6g}", *real);
    return {};
}

std::string Cell::brief() const {
    if (const auto* text = std::get_if<std::string>(&value_)) return *text;
    if (const auto* real = std::get_if<double>(&value_)) return significant(*real);
    return csv();
}

std::int64_t Cell::count() const noexcept {
    const auto* whole = std::get_if<std::int64_t>(&value_);
    return whole == nullptr ? 0 : *whole;
}

Row joined(Row key, const Row& rest) {
    key.insert(key.end(), rest.begin(), rest.end());
    return key;
}

CLI::Option* add_count(CLI::App& command, const char* name, int& value, int most,
                       const char* help) {
    CLI::Option* option = command.add_option(name, value, help)->check(CLI::Range(1, most));
    return value > 0 ? option->capture_default_str() : option;
}

void Sheets::add_to(CLI::App& command) {
    command
        .add_option("--out", folder_,
                    "Folder for a CSV file of each sheet of rows, made if missing; without it the "
                    "sheets go to standard output, one after another")
        ->type_name("FOLDER")
        ->group("Output");
}

Status Sheets::open() {
    if (folder_.empty()) return {};
    std::error_code error;
    std::filesystem::create_directories(folder_, error);
    if (!error) return {};
    return {StatusCode::io_error, fmt::format("--out {}: {}", folder_, error.message())};
}

const Status& Sheets::write(std::string_view sheet, const Row& row, bool on_terminal) {
    if (!status_.ok()) return status_;
    std::string header;
    std::string line;
    for (const auto& [name, cell] : row) {
        const char* const comma = header.empty() ? "" : ",";
        header += comma + Cell(name).csv();
        line += comma + cell.csv();
        if (name == "wrong") wrong_ += static_cast<std::uint64_t>(cell.count());
    }
    header += '\n';
    line += '\n';
    const bool terminal = ::isatty(STDOUT_FILENO) == 1;
    if (terminal && on_terminal) fmt::print("\r\x1b[K{}\n", line_of(sheet, row));
    std::FILE* file = stdout;
    if (!folder_.empty()) {
        auto& own = files_[std::string(sheet)];
        if (!own) {
            const std::string path = fmt::format("{}/{}.csv", folder_, sheet);
            own.reset(std::fopen(path.c_str(), "w"));
            if (!own) return status_ = cannot_write(path);
            line.insert(0, header);
        }
        file = own.get();
    } else if (terminal) {
        line.clear();
    } else if (block_ != sheet) {
        line.insert(0, (block_.empty() ? "" : "\n") + header);
        block_ = sheet;
    }
    if (std::fputs(line.c_str(), file) < 0 || std::fflush(file) != 0)
        status_ = cannot_write(folder_.empty() ? "standard output" : folder_);
    return status_;
}

Outcome Sheets::outcome(const Context& context, Status status) const {
    if (status.ok()) status = status_;
    if (wrong_ > 0 && (status.ok() || status.code == StatusCode::cancelled)) return kFailed;
    if (!status.ok()) return tl::unexpected(std::move(status));
    return context.cancel.cancelled() ? kCancelled : kDone;
}

}  // namespace cairn::app
