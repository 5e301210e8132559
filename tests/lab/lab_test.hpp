#pragma once
// Shared by the tests of cairn-lab: two maps, running the program, and reading its CSV.

#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <string>
#include <vector>

#include "app/run_cairn.hpp"
#include "support/scratch_folder.hpp"

namespace cairn::test {

/// A row of CSV: values by the names of their columns.
class CsvRow {
public:
    explicit CsvRow(std::map<std::string, std::string> values) : values_(std::move(values)) {}
    [[nodiscard]] bool has(const std::string& column) const { return values_.contains(column); }
    /// Fails the test if there is no such column.
    [[nodiscard]] std::string text(const std::string& column) const {
        EXPECT_TRUE(has(column)) << column;
        return has(column) ? values_.at(column) : "";
    }
    [[nodiscard]] double number(const std::string& column) const {
        return std::strtod(text(column).c_str(), nullptr);
    }
    [[nodiscard]] bool empty(const std::string& column) const { return text(column).empty(); }

private:
    std::map<std::string, std::string> values_;
};
using CsvRows = std::vector<CsvRow>;

/// The rows of each block of a text. A block begins with a header and ends with an empty line.
[[nodiscard]] std::vector<CsvRows> csv_blocks(const std::string& text);
/// The rows of a file of one block.
[[nodiscard]] CsvRows csv_file(const std::filesystem::path& file);

/// Runs `cairn-lab ARGUMENTS` in a folder.
[[nodiscard]] Ran run_lab(const std::filesystem::path& folder, const std::string& arguments);

/// Runs programs in a folder with the maps a.map (50 x 40) and b.map (40 x 40).
class LabTest : public ::testing::Test {
protected:
    void SetUp() override {
        ASSERT_EQ(cairn("generate rooms a.map --width 50 --height 40 --size 8 --seed 3").code, 0);
        ASSERT_EQ(cairn("generate caves b.map --width 40 --height 40 --seed 5").code, 0);
    }
    [[nodiscard]] Ran cairn(const std::string& arguments) const {
        return run_cairn(folder_.path(), arguments);
    }
    [[nodiscard]] Ran lab(const std::string& arguments) const {
        return run_lab(folder_.path(), arguments);
    }
    [[nodiscard]] Ran bench(const std::string& arguments) const {
        return lab("bench --rounds 1 " + arguments);
    }
    /// The rows of the first block that a run of cairn-lab prints; it must succeed.
    [[nodiscard]] CsvRows rows(const std::string& arguments) const;
    /// Expects that a bench of a.map with these arguments is refused with a message that holds
    /// `text`.
    void expect_mistake(const std::string& arguments, const std::string& text) const;

    ScratchFolder folder_;
};

}  // namespace cairn::test
