#pragma once
// The paper's tables and figures as rows of numbers, the paper's own beside ours.

#include <string>
#include <vector>

#include "command.hpp"
#include "reproduce_run.hpp"

namespace cairn::app {

/// One table, or the data of one figure.
struct Exhibit {
    std::string name;  ///< "table-1"; its CSV file's name
    std::string title;
    std::vector<std::string> columns;
    std::vector<std::vector<Json>> rows;  ///< strings, numbers, or null where there is none
    std::vector<std::string> notes;       ///< what to know before comparing
};

[[nodiscard]] std::string format_text(const Exhibit& exhibit);
[[nodiscard]] std::string format_csv(const Exhibit& exhibit);
[[nodiscard]] Json to_json(const Exhibit& exhibit);

/// Sections 3.1, 3.3 and 3.5 on the worked example: its sizes, and Table 1.
[[nodiscard]] Result<std::vector<Exhibit>> example_exhibits();

// From maps measured; each says which measurement it needs.
[[nodiscard]] Exhibit table_2(const std::vector<PaperMap>& maps);   ///< effort
[[nodiscard]] Exhibit overhead(const std::vector<PaperMap>& maps);  ///< effort
[[nodiscard]] Exhibit table_3(const std::vector<PaperMap>& maps);   ///< effort
[[nodiscard]] Exhibit figure_5(const std::vector<PaperMap>& maps);  ///< effort, times
[[nodiscard]] Exhibit figure_6(const std::vector<PaperMap>& maps);  ///< effort
[[nodiscard]] Exhibit figure_7(const std::vector<PaperMap>& maps);  ///< effort
[[nodiscard]] Exhibit figure_8(const std::vector<PaperMap>& maps);  ///< cluster sizes

}  // namespace cairn::app
