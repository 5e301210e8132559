#include "bench_batch_run.hpp"

#include <cstdio>
#include <utility>

#include "bench_batch_report.hpp"
#include "cairn/file.hpp"
#include "device_flag.hpp"

namespace cairn::app {
namespace {

void show(const Context& context, const std::string& text) {
    if (context.json) return;
    say("{}", text);
    std::fflush(stdout);
}

Status write(const BatchReport& report, const std::string& csv) {
    return csv.empty() ? Status{} : cairn::write_file_atomically(csv, report.csv);
}

}  // namespace

Outcome bench_batches(const std::vector<std::filesystem::path>& files,
                      const MeasureBatches& measure, BatchMeasureOptions options,
                      const BatchOutput& output, Context& context) {
    if (options.flags.device) {
        auto device = open_device(*options.flags.device, options.threads);
        if (!device) return tl::unexpected(std::move(device.error()));
        options.device = *std::move(device);
    }
    std::vector<BatchBench> maps;
    const bool per_map = output.per_map || files.size() == 1;
    ProgressBar bar("bench");
    options.progress = [&](double share) {
        bar.show((static_cast<double>(maps.size()) + share) / static_cast<double>(files.size()));
    };
    for (const std::filesystem::path& file : files) {
        options.progress(0);
        auto map = measure(file, options);
        if (!map) return tl::unexpected(std::move(map.error()));
        maps.push_back(std::move(*map));
        if (per_map) {
            bar.clear();
            show(context, map_text(maps.back()));
            const auto so_far = batch_report(maps, files.size(), per_map, options);
            if (Status s = write(so_far, output.csv); !s.ok()) return tl::unexpected(std::move(s));
        }
        if (maps.back().stopped || context.cancel.cancelled()) break;
    }
    bar.clear();
    const BatchReport report = batch_report(maps, files.size(), per_map, options);
    if (Status s = write(report, output.csv); !s.ok()) return tl::unexpected(std::move(s));
    show(context, report.text);
    if (context.json) say(report.json);
    if (report.wrong) return kFailed;
    return report.stopped ? kCancelled : kDone;
}

}  // namespace cairn::app
