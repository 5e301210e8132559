#pragma once
// cairn-lab reproduce: the experiments of papers, repeated. Rows are written as soon as they are
// measured; tools/lab_tables.py makes the papers' tables of them, tools/lab_plots.py plots.

#include <cstddef>
#include <cstdint>
#include <ctime>
#include <optional>
#include <string>
#include <vector>

#include "cairn/batch/device.hpp"
#include "command.hpp"
#include "lab.hpp"

namespace cairn::app {

/// Options of the command line. At most one of `data` and `maps` is given.
struct ExperimentOptions {
    std::string data;  ///< folder in which the paper's sets are found; empty: $CAIRN_DATA
    std::vector<std::string> maps;  ///< folders of any maps instead; may be empty
    bool built_in = false;          ///< --example-only: generated maps instead of files
    int agents = 0;                 ///< hna: largest crowd of section 6; 0: section 7.1 instead
    int max_maps = 0;               ///< most maps of each set; 0: all
    int study_maps = 8;  ///< subgoal: of each set, for Figure 15.3 and the study of orders; 0: all
    int pairs = 100;     ///< problems on each map
    std::vector<int> cluster_sizes{10, 15, 20};      ///< haa: of the paper's tables
    std::vector<int> shares{0, 10, 20, 30, 40, 50};  ///< haa: of soft obstacles, in percent
    std::string part = "all";  ///< haa: "tables": Table 1, Figures 5 and 6; "times": Cairn's
                               ///< abstractions for larger agents, with times; "all": both
    std::uint64_t seed = 1;
    int threads = 0;  ///< hpa: for counting; hna: of batches; 0: one per processor
    std::optional<batch::DeviceKind> device{};  ///< hna: also measured with the largest crowd
};

/// The progress of an experiment, in steps.
class Steps {
public:
    explicit Steps(std::size_t all) : all_(static_cast<double>(all)) {}
    void add(double steps = 1) { bar_.show((done_ += steps) / all_); }

private:
    ProgressBar bar_{"reproduce"};
    double all_;
    double done_ = 0;
};

/// Seconds of processor time, of all threads.
[[nodiscard]] inline double processor_seconds() {
    return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

/// The error of an experiment that Ctrl-C stopped.
[[nodiscard]] inline Status stopped() { return {StatusCode::cancelled, "stopped by Ctrl-C"}; }

/// The experiment of a paper. Errors: bad_option (no folder of maps is given); those of reading
/// maps; cancelled; io_error.
[[nodiscard]] Status reproduce_hpa(const ExperimentOptions& experiment, Context& context,
                                   Sheets& sheets);
[[nodiscard]] Status reproduce_haa(const ExperimentOptions& experiment, Context& context,
                                   Sheets& sheets);
[[nodiscard]] Status reproduce_subgoal(const ExperimentOptions& experiment, Context& context,
                                       Sheets& sheets);
[[nodiscard]] Status reproduce_hna(const ExperimentOptions& experiment, Context& context,
                                   Sheets& sheets);

}  // namespace cairn::app
