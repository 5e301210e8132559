#include "checks/checks.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>

#include "options/common.hpp"
#include "text.hpp"

namespace cairn::app {

void CheckFlags::add_to(CLI::App& command, const char* edited) {
    add_number(command, "--queries", queries, 1, 1'000'000'000, "N", "Query",
               "Number of random queries");
    add_number(command, "--edits", edits, 0, 1'000'000, "N", "Query",
               fmt::format("Random edits of {}, each compared with a fresh build", edited));
    add_value(command, "--seed", seed, "N", "Query", "Seed of queries and edits");
}

bool all_hold(std::span<const Check> checks) {
    return std::all_of(checks.begin(), checks.end(), [](const Check& c) { return c.failed == 0; });
}

std::string checks_text(std::span<const Check> checks) {
    std::string text;
    for (const Check& check : checks) {
        text += fmt::format("{}  {:<52} {:>10}\n", check.failed == 0 ? "ok  " : "FAIL",
                            check.condition, grouped(check.tried));
        if (check.failed > 0)
            text += fmt::format("      {} failed, the first: {}\n", check.failed, check.first);
    }
    return text;
}

Json checks_json(std::span<const Check> checks) {
    Json list = Json::array();
    for (const Check& check : checks) {
        list.push_back(
            {{"check", check.condition}, {"tried", check.tried}, {"failed", check.failed}});
        if (check.failed > 0) list.back()["first"] = check.first;
    }
    return list;
}

}  // namespace cairn::app
