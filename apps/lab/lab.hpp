#pragma once
// Output of the subcommands of cairn-lab: rows of figures, written as CSV.
//
// A row is one measurement. Rows with the same columns make a sheet. With --out FOLDER a sheet is
// the file FOLDER/SHEET.csv, else a block on standard output: a header line and the rows, with
// an empty line between blocks.

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <initializer_list>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "command.hpp"

namespace cairn::app {

/// A value of a row: text, a number, or nothing.
class Cell {
public:
    Cell() = default;
    // Implicit, so that rows are written as lists of names and values.
    // NOLINTBEGIN(google-explicit-constructor)
    template <class T>
    requires std::is_arithmetic_v<T> Cell(T number) {
        if constexpr (std::is_floating_point_v<T>) {
            value_ = static_cast<double>(number);
        } else {
            value_ = static_cast<std::int64_t>(number);
        }
    }
    Cell(std::string text) : value_(std::move(text)) {}
    Cell(std::string_view text) : value_(std::string(text)) {}
    Cell(const char* text) : value_(std::string(text)) {}
    // NOLINTEND(google-explicit-constructor)

    /// The value as CSV: text is quoted if necessary; no value gives an empty text.
    [[nodiscard]] std::string csv() const;
    /// The value for a terminal: fractions have three significant digits.
    [[nodiscard]] std::string brief() const;
    [[nodiscard]] bool is_text() const noexcept {
        return std::holds_alternative<std::string>(value_);
    }
    [[nodiscard]] bool empty() const noexcept { return csv().empty(); }
    /// The value of an integer; else 0.
    [[nodiscard]] std::int64_t count() const noexcept;

private:
    std::variant<std::monostate, std::string, std::int64_t, double> value_;
};

/// A row: names of columns and values. All rows of a sheet have the same columns.
using Row = std::vector<std::pair<std::string, Cell>>;
/// A row that begins with the columns of another.
[[nodiscard]] Row joined(Row key, const Row& rest);

/// Where rows are written: the option --out.
class Sheets {
public:
    /// --out, of the group "Output".
    void add_to(CLI::App& command);
    /// Makes the folder of --out, if given. Errors: io_error.
    [[nodiscard]] Status open();

    /// Writes a row at once, so that Ctrl-C loses none, and counts its column "wrong". A terminal
    /// shows a short line for people instead of CSV. Returns status().
    const Status& add(std::string_view sheet, const Row& row) { return write(sheet, row, true); }
    /// The same for a sheet of many rows, which a terminal does not show.
    const Status& add_detail(std::string_view sheet, const Row& row) {
        return write(sheet, row, false);
    }
    /// The first error of writing, io_error, after which nothing more is written.
    [[nodiscard]] const Status& status() const noexcept { return status_; }
    /// The sum of the column "wrong" over all rows.
    [[nodiscard]] std::uint64_t wrong() const noexcept { return wrong_; }

    /// The result of a command with these rows, which ended with `status`: the first error, except
    /// cancelled; else kFailed if an answer is wrong; else kCancelled, or the error cancelled, if
    /// Ctrl-C was pressed; else kDone.
    [[nodiscard]] Outcome outcome(const Context& context, Status status) const;

    /// Opens, measures files one after the other by measure(file) until one returns an error, and
    /// gives the outcome.
    template <class Measure>
    [[nodiscard]] Outcome for_each(const std::vector<std::filesystem::path>& files,
                                   const Context& context, Measure&& measure) {
        Status status = open();
        for (std::size_t i = 0; i < files.size() && status.ok(); ++i) status = measure(files[i]);
        return outcome(context, std::move(status));
    }

private:
    struct Close {
        void operator()(std::FILE* file) const noexcept { std::fclose(file); }
    };

    const Status& write(std::string_view sheet, const Row& row, bool on_terminal);

    std::string folder_;  ///< --out; empty: standard output
    std::map<std::string, std::unique_ptr<std::FILE, Close>, std::less<>> files_;  ///< by sheet
    std::string block_;  ///< the sheet of the last row on standard output
    std::uint64_t wrong_ = 0;
    Status status_;
};

/// An option whose value is a number from 1 to `most`. `value` holds its default; 0: no default.
CLI::Option* add_count(CLI::App& command, const char* name, int& value, int most, const char* help);

// The subcommands of cairn-lab.
void add_bench(CLI::App& app, Context& context);
void add_mesh_bench(CLI::App& app, Context& context);
void add_clearance(CLI::App& app, Context& context);
void add_stores(CLI::App& app, Context& context);
void add_reproduce(CLI::App& app, Context& context);
void add_rts(CLI::App& app, Context& context);
void add_recast_sweep(CLI::App& app, Context& context);
void add_detour_bench(CLI::App& app, Context& context);
void add_detour_changes(CLI::App& app, Context& context);
void add_mosaic(CLI::App& app, Context& context);
void add_gpu(CLI::App& app, Context& context);

}  // namespace cairn::app
