#include "reproduce_exhibit.hpp"

#include <cmath>

#include "text.hpp"

namespace cairn::app {
namespace {

std::string for_people(const Json& value) {
    if (value.is_string()) return value.get<std::string>();
    if (value.is_null()) return "-";
    if (value.is_number_unsigned()) return grouped(value.get<std::uint64_t>());
    if (value.is_number_integer()) return fmt::format("{}", value.get<std::int64_t>());
    const double number = value.get<double>();
    if (number >= 1000) return grouped(static_cast<std::uint64_t>(std::llround(number)));
    return significant(number);
}

std::string for_csv(const Json& value) {
    if (value.is_string()) return fmt::format("\"{}\"", value.get<std::string>());
    if (value.is_null()) return "";
    if (value.is_number_float()) return fmt::format("{:.6g}", value.get<double>());
    return value.dump();
}

}  // namespace

std::string format_text(const Exhibit& exhibit) {
    Table table(exhibit.columns);
    for (const auto& row : exhibit.rows) {
        std::vector<std::string> cells;
        cells.reserve(row.size());
        for (const Json& value : row) cells.push_back(for_people(value));
        table.add(std::move(cells));
    }
    std::string text = fmt::format("{}\n\n{}", exhibit.title, table.text());
    for (const std::string& note : exhibit.notes) text += fmt::format("  {}\n", note);
    return text;
}

std::string format_csv(const Exhibit& exhibit) {
    std::string text;
    for (const std::string& column : exhibit.columns)
        text += fmt::format("{}\"{}\"", text.empty() ? "" : ",", column);
    text += '\n';
    for (const auto& row : exhibit.rows) {
        for (std::size_t i = 0; i < row.size(); ++i)
            text += fmt::format("{}{}", i == 0 ? "" : ",", for_csv(row[i]));
        text += '\n';
    }
    return text;
}

Json to_json(const Exhibit& exhibit) {
    Json rows = Json::array();
    for (const auto& row : exhibit.rows) {
        Json object = Json::object();
        for (std::size_t i = 0; i < row.size(); ++i) object[exhibit.columns[i]] = row[i];
        rows.push_back(std::move(object));
    }
    return {{"title", exhibit.title}, {"rows", std::move(rows)}, {"notes", exhibit.notes}};
}

}  // namespace cairn::app
