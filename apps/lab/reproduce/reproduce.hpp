#pragma once
// cairn-lab reproduce: the experiments of papers, repeated. Each adds its rows as soon as they are
// measured; tools/lab_tables.py makes the papers' tables and figures of them.

#include <cstdint>
#include <optional>
#include <string>

#include "cairn/batch/device.hpp"
#include "lab.hpp"

namespace cairn::app {

/// Times are the least of this many runs.
inline constexpr int kRounds = 3;

/// Options of the command line.
struct Request {
    std::string data;       ///< folder with the sets that the paper uses; may be empty
    std::string maps;       ///< a folder of any maps instead; may be empty
    bool built_in = false;  ///< use generated maps instead
    int agents = 0;         ///< hna: largest crowd of section 6; 0: section 7.1 instead
    int max_maps = 0;       ///< of each set; 0: all
    int study_maps = 8;  ///< subgoal: of each set, for Figure 15.3 and the study of orders; 0: all
    int pairs = 100;
    std::uint64_t seed = 1;
    int threads = 0;                            ///< hpa: for counting; hna: of batches; 0: all
    std::optional<batch::DeviceKind> device{};  ///< hna: on which the largest crowd also plans
};

/// The experiment of a paper. Errors: bad_option (no folder of maps is given); those of reading
/// maps; cancelled; io_error.
[[nodiscard]] Status reproduce_hpa(const Request& request, Context& context, Sheets& sheets);
[[nodiscard]] Status reproduce_haa(const Request& request, Context& context, Sheets& sheets);
[[nodiscard]] Status reproduce_subgoal(const Request& request, Context& context, Sheets& sheets);
[[nodiscard]] Status reproduce_hna(const Request& request, Context& context, Sheets& sheets);

}  // namespace cairn::app
