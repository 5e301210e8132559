#include "lab/lab_test.hpp"

#include <gmock/gmock.h>

namespace cairn::test {
namespace {

/// The values of the line that begins at `at`, which then moves to the next line.
std::vector<std::string> values(const std::string& text, std::size_t& at) {
    std::vector<std::string> out(1);
    bool quoted = false;
    for (; at < text.size(); ++at) {
        const char c = text[at];
        if (c == '"') {
            if (quoted && at + 1 < text.size() && text[at + 1] == '"') {
                out.back() += text[++at];
            } else {
                quoted = !quoted;
            }
        } else if (c == ',' && !quoted) {
            out.emplace_back();
        } else if (c == '\n' && !quoted) {
            ++at;
            break;
        } else {
            out.back() += c;
        }
    }
    return out;
}

}  // namespace

std::vector<CsvRows> csv_blocks(const std::string& text) {
    std::vector<CsvRows> blocks;
    std::vector<std::string> header;
    for (std::size_t at = 0; at < text.size();) {
        const std::vector<std::string> line = values(text, at);
        if (line.size() == 1 && line.front().empty()) {
            header.clear();
        } else if (header.empty()) {
            header = line;
            blocks.emplace_back();
        } else {
            EXPECT_EQ(line.size(), header.size()) << text;
            std::map<std::string, std::string> row;
            for (std::size_t i = 0; i < std::min(line.size(), header.size()); ++i)
                row[header[i]] = line[i];
            EXPECT_EQ(row.size(), header.size()) << "two columns have the same name";
            blocks.back().emplace_back(std::move(row));
        }
    }
    return blocks;
}

CsvRows csv_file(const std::filesystem::path& file) {
    const auto blocks = csv_blocks(bytes_of(file));
    EXPECT_EQ(blocks.size(), 1U) << file;
    return blocks.empty() ? CsvRows{} : blocks.front();
}

Ran run_lab(const std::filesystem::path& folder, const std::string& arguments) {
    return run_program(CAIRN_LAB, folder, arguments);
}

CsvRows LabTest::rows(const std::string& arguments) const {
    const Ran ran = lab(arguments);
    EXPECT_EQ(ran.code, 0) << arguments << ": " << ran.err << ran.out;
    const auto blocks = csv_blocks(ran.out);
    EXPECT_FALSE(blocks.empty()) << ran.out;
    return blocks.empty() ? CsvRows{} : blocks.front();
}

void LabTest::expect_mistake(const std::string& arguments, const std::string& text) const {
    const Ran ran = bench("a.map " + arguments);
    EXPECT_EQ(ran.code, 2) << arguments;
    EXPECT_EQ(ran.out, "") << arguments;
    EXPECT_THAT(ran.err, ::testing::HasSubstr(text)) << arguments;
}

}  // namespace cairn::test
