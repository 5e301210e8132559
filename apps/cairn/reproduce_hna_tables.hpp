#pragma once
// The HNA* paper's tables and figures from what was measured.

#include <vector>

#include "reproduce_exhibit.hpp"
#include "reproduce_hna_run.hpp"

namespace cairn::app {

[[nodiscard]] Exhibit hna_table_2(const std::vector<HnaGrid>& grids);   ///< sizes
[[nodiscard]] Exhibit hna_figure_6(const std::vector<HnaGrid>& grids);  ///< memory of PCCP
[[nodiscard]] Exhibit hna_figure_7(const std::string& mesh, const std::vector<HnaOffset>& offsets);
[[nodiscard]] Exhibit hna_figure_9(const HnaGrid& grid);  ///< also 13 and 14: another mesh each
[[nodiscard]] Exhibit hna_figure_10(const std::vector<HnaGrid>& grids);  ///< inter-edges
[[nodiscard]] Exhibit hna_table_3(const std::vector<HnaGrid>& grids);    ///< agents a frame

}  // namespace cairn::app
