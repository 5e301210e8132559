// cairn-lab gpu: all that a GPU has to be asked when it runs the kernels for the first time, as one
// report. Its properties and those of the kernels; whether every answer equals the host's; times of
// kernels and copies; a sweep of the sizes of chunks; and the tools of compute-sanitizer over a
// short run.

#include <CLI/CLI.hpp>

#include <algorithm>
#include <array>
#include <filesystem>
#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "bench/batch_planners.hpp"
#include "bench/measurement.hpp"
#include "bench/mesh_devices.hpp"
#include "cairn/batch/batch.hpp"
#include "cairn/batch/device.hpp"
#include "cairn/formats/movingai.hpp"
#include "cairn/hna/hna.hpp"
#include "cairn/hpa/hpa.hpp"
#include "cairn/mesh/from_grid.hpp"
#include "cairn/subgoal/subgoal.hpp"
#include "gpu/tool.hpp"
#include "inputs.hpp"
#include "lab.hpp"
#include "options/common.hpp"
#include "options/mesh.hpp"
#include "problems.hpp"
#include "text.hpp"

namespace cairn::app {
namespace {

namespace fs = std::filesystem;

/// Requests that are answered in one call: bounds the memory of their paths.
constexpr std::size_t kPart = 131'072;
/// Cells a side of the grid maps, and of the map from which meshes are made.
constexpr int kMapSide = 256;
constexpr int kMeshSide = 160;
/// Sizes of the sweep of chunks.
constexpr std::array kChunks{1'024U, 4'096U, 16'384U, 65'536U, 131'072U};
constexpr const char* kSanitizer = "compute-sanitizer";
constexpr std::array kSanitizerTools{"memcheck", "racecheck", "initcheck", "synccheck"};
/// Agents of a run under a tool of compute-sanitizer, which slows kernels down a hundredfold, and
/// megabytes of the device's memory: initcheck takes its time for each byte of scratch.
constexpr int kSanitizedAgents = 2'000;
constexpr int kSanitizedMemory = 64;
constexpr std::uint64_t kMegabyte = std::uint64_t{1} << 20;

/// The answers of the host to a part of the requests.
struct HostPaths {
    PathCosts costs;
    Lists<std::uint32_t> lists;
};

/// One planner and engine with its requests, on a device and on the host.
struct GpuCase {
    std::string planner;
    std::string map;
    std::string engine;
    std::string paths;  ///< what is returned of each path
    std::size_t index_bytes = 0;
    std::size_t requests = 0;
    bool swept = false;  ///< whether the sweep of chunks runs it
    /// Answers the requests from `first` to before `end`.
    std::function<Result<batch::DeviceItems>(batch::DeviceSearcher&, std::size_t first,
                                             std::size_t end, const BuildControl&)>
        on_device;
    std::function<Result<HostPaths>(std::size_t first, std::size_t end, const BuildControl&)>
        on_host;
};

/// What a run of a case took. Milliseconds.
struct GpuTimes {
    double whole = 0;  ///< until all answers are in the host's memory
    batch::DeviceStatistics effort;
};

/// The options of the command, and the report.
struct GpuReport {
    int agents = 500'000;
    int gpu = 0;
    int memory = 0;  // MB; 0: all
    int rounds = 3;
    int threads = 0;
    std::uint64_t seed = 1;
    bool host = false;
    std::vector<std::string> inputs;  // maps and meshes; generated ones if empty
    std::vector<std::string> parts{"device", "answers", "chunks", "sanitizer"};
    Sheets sheets;

    Outcome run(Context& context);

private:
    [[nodiscard]] bool wants(std::string_view part) const {
        return std::ranges::find(parts, part) != parts.end();
    }
    [[nodiscard]] Status write(const batch::Device& device, Context& context);
    void write_device(const batch::Device& device);
    [[nodiscard]] Status make_cases(const batch::Device& device);
    [[nodiscard]] Status make_cases(const batch::Device& device, const fs::path& file,
                                    Context& context);
    template <class P>
    [[nodiscard]] Status add_grid(const batch::Device& device, const std::string& map_name,
                                  const grid::Map& map);
    [[nodiscard]] Status add_generated_mesh(const batch::Device& device, const std::string& name,
                                            mesh::Scoring scoring);
    [[nodiscard]] Status add_mesh(const batch::Device& device, const std::string& name,
                                  const mesh::Mesh& mesh);
    [[nodiscard]] Result<GpuTimes> run_case(const GpuCase& c, batch::DeviceSearcher& searcher,
                                            std::size_t requests) const;
    [[nodiscard]] Status write_answers(const batch::Device& device);
    [[nodiscard]] Status write_chunks(const batch::Device& device);
    [[nodiscard]] Status sanitize(const Context& context);

    MeasureOptions measure_;
    std::vector<GpuCase> cases_;
};

Outcome GpuReport::run(Context& context) {
    auto device =
        batch::Device::open({.kind = host ? batch::DeviceKind::host : batch::DeviceKind::gpu,
                             .gpu = gpu,
                             .max_bytes = memory > 0 ? kMegabyte * memory : ~std::uint64_t{0},
                             .threads = threads});
    if (!device) return tl::unexpected(std::move(device.error()));
    if (Status status = sheets.open(); !status.ok()) return tl::unexpected(std::move(status));
    measure_ = {.rounds = rounds, .threads = threads, .cancel = &context.cancel};
    Status status = write(*device, context);
    if (status.ok() && wants("sanitizer")) status = sanitize(context);
    return sheets.outcome(context, std::move(status));
}

Status GpuReport::write(const batch::Device& device, Context& context) {
    if (wants("device")) write_device(device);
    if (!wants("answers") && !wants("chunks")) return {};
    Status status;
    if (inputs.empty()) status = make_cases(device);
    for (auto file = inputs.begin(); file != inputs.end() && status.ok(); ++file)
        status = make_cases(device, *file, context);
    if (status.ok() && wants("answers")) status = write_answers(device);
    if (status.ok() && wants("chunks")) status = write_chunks(device);
    return status;
}

void GpuReport::write_device(const batch::Device& device) {
    sheets.add("gpu_device", {{"name", "device"}, {"value", device.name()}});
    for (const batch::DeviceProperty& property : device.properties())
        sheets.add("gpu_device", {{"name", property.name}, {"value", property.value}});
    for (const batch::DeviceKernel& kernel : device.kernels()) {
        sheets.add("gpu_kernels", {{"kernel", kernel.name},
                                   {"registers", kernel.registers},
                                   {"local_bytes", kernel.local_bytes},
                                   {"shared_bytes", kernel.shared_bytes},
                                   {"block_threads", kernel.block_threads},
                                   {"resident_blocks", kernel.resident_blocks},
                                   {"occupancy", kernel.occupancy},
                                   {"code", kernel.code_version},
                                   {"ptx", kernel.ptx_version}});
    }
}

/// A grid planner with labels: all cells, turning cells, and costs only.
template <class P>
Status GpuReport::add_grid(const batch::Device& device, const std::string& map_name,
                           const grid::Map& map) {
    const auto index = P::Index::build(map, {}, measure_.control());
    if (!index) return index.error();
    const auto loaded = batch::DeviceGridIndex::load(device, *index);
    if (!loaded) return loaded.error();
    const auto problems = random_problems(map, agents, seed);
    if (!problems) return problems.error();
    auto requests = std::make_shared<std::vector<grid::Request>>();
    for (const Problem& p : *problems) requests->push_back({p.start, p.goal});
    struct Form {
        const char* name;
        bool paths;
        batch::Cells cells;
        batch::DeviceGridEngine engine;
    };
    using batch::DeviceGridEngine;
    for (const Form& form :
         {Form{"every cell", true, batch::Cells::all, DeviceGridEngine::cut_labels},
          Form{"turning cells", true, batch::Cells::turning, DeviceGridEngine::cut_labels},
          Form{"cost", false, batch::Cells::all, DeviceGridEngine::cut_labels},
          Form{"every cell", true, batch::Cells::all, DeviceGridEngine::climb}}) {
        const bool climbs = form.engine == DeviceGridEngine::climb;
        GpuCase c;
        c.planner = P::kName;
        c.map = map_name;
        c.engine = climbs ? "climb" : "cut_labels";
        c.paths = form.name;
        c.index_bytes = loaded->bytes();
        c.requests = requests->size();
        c.swept = !climbs && form.paths && form.cells == batch::Cells::all;
        c.on_device = [requests, loaded = *loaded, form](
                          batch::DeviceSearcher& searcher, std::size_t first, std::size_t end,
                          const BuildControl& control) -> Result<batch::DeviceItems> {
            batch::DeviceGridQuery query;
            query.engine = form.engine;
            query.paths = form.paths;
            query.cells = form.cells;
            return searcher.find_paths(loaded, std::span(*requests).subspan(first, end - first),
                                       query, control);
        };
        c.on_host = [requests, index = *index, form, climbs](
                        std::size_t first, std::size_t end,
                        const BuildControl& control) -> Result<HostPaths> {
            typename P::Query model;
            using Method = decltype(model.engine);
            model.engine = climbs ? Method::climb : Method::cut_labels;
            model.detail = form.paths ? decltype(model.detail)::path : decltype(model.detail)::cost;
            if constexpr (requires { model.smoothing; }) model.smoothing = hpa::Smoothing::none;
            batch::Options options;
            options.cells = form.cells;
            auto paths = batch::find_paths<P>(
                index, std::span(*requests).subspan(first, end - first), model, options, control);
            if (!paths) return tl::unexpected(std::move(paths.error()));
            HostPaths out;
            out.lists = std::move(paths->cells);
            out.costs = std::move(*paths);
            return out;
        };
        cases_.push_back(std::move(c));
    }
    return {};
}

Status GpuReport::add_generated_mesh(const batch::Device& device, const std::string& name,
                                     mesh::Scoring scoring) {
    const auto map = generated_map(grid::MapKind::caves, kMeshSide, seed);
    if (!map) return map.error();
    mesh::MeshOptions mesh_options;
    mesh_options.scoring = scoring;
    const auto mesh = mesh::mesh_from_grid(*map, mesh_options);
    return mesh ? add_mesh(device, name, *mesh) : mesh.error();
}

/// HNA* with every engine.
Status GpuReport::add_mesh(const batch::Device& device, const std::string& name,
                           const mesh::Mesh& mesh) {
    const auto index = hna::Index::build(mesh, {}, measure_.control());
    if (!index) return index.error();
    const auto loaded = batch::DeviceIndex::load(device, *index);
    if (!loaded) return loaded.error();
    const auto requests =
        std::make_shared<std::vector<mesh::Request>>(random_pairs(mesh, agents, seed));
    struct Engine {
        const char* name;
        batch::DeviceEngine engine;
    };
    for (const Engine& engine :
         {Engine{"cut_labels", batch::DeviceEngine::cut_labels},
          Engine{"climb", batch::DeviceEngine::climb}, Engine{"pccp", batch::DeviceEngine::pccp},
          Engine{"parallel_connect", batch::DeviceEngine::parallel_connect},
          Engine{"polygon_astar", batch::DeviceEngine::polygon_astar}}) {
        GpuCase c;
        c.planner = "hna";
        c.map = name;
        c.engine = engine.name;
        c.paths = "corridor";
        c.index_bytes = loaded->bytes();
        c.requests = requests->size();
        c.swept = engine.engine == batch::DeviceEngine::cut_labels;
        c.on_device = [requests, loaded = *loaded, engine](
                          batch::DeviceSearcher& searcher, std::size_t first, std::size_t end,
                          const BuildControl& control) -> Result<batch::DeviceItems> {
            return searcher.find_paths(loaded, std::span(*requests).subspan(first, end - first),
                                       {engine.engine}, control);
        };
        c.on_host = [requests, index = *index, engine](
                        std::size_t first, std::size_t end,
                        const BuildControl& control) -> Result<HostPaths> {
            auto paths = paths_as_device(index, std::span(*requests).subspan(first, end - first),
                                         {engine.engine}, control);
            if (!paths) return tl::unexpected(std::move(paths.error()));
            HostPaths out;
            out.lists = std::move(paths->polygons);
            out.costs = std::move(*paths);
            return out;
        };
        cases_.push_back(std::move(c));
    }
    return {};
}

Status GpuReport::make_cases(const batch::Device& device) {
    const auto caves = generated_map(grid::MapKind::caves, kMapSide, seed);
    if (!caves) return caves.error();
    const auto hills =
        grid::generate({grid::MapKind::terrain, kMapSide, kMapSide, seed, {}, {}})
            .and_then([](const grid::TerrainImage& image) {
                return grid::make_map(image, {{}, {}, grid::TerrainWeights::weighted()});
            });
    if (!hills) return hills.error();
    Status status = add_grid<subgoal::Planner>(device, "caves", *caves);
    if (status.ok()) status = add_grid<hpa::Planner>(device, "caves", *caves);
    if (status.ok()) status = add_grid<hpa::Planner>(device, "terrain", *hills);
    if (status.ok()) status = add_generated_mesh(device, "mesh", mesh::Scoring::portal_midpoints);
    if (status.ok())
        status = add_generated_mesh(device, "mesh by centres", mesh::Scoring::polygon_centres);
    return status;
}

Status GpuReport::make_cases(const batch::Device& device, const fs::path& file, Context& context) {
    const std::string name = file.stem().string();
    Status status;
    if (file.extension() == ".map") {
        const auto map = formats::load_map(file.string());
        if (!map) return map.error();
        status = add_grid<subgoal::Planner>(device, name, *map);
        if (status.ok()) status = add_grid<hpa::Planner>(device, name, *map);
    } else {
        const auto mesh = NavmeshFlags().load(context, file);
        if (!mesh) return mesh.error();
        status = add_mesh(device, name, *mesh);
    }
    return status.ok() ? status : of_file(file, std::move(status));
}

/// Answers the first requests of a case in parts.
Result<GpuTimes> GpuReport::run_case(const GpuCase& c, batch::DeviceSearcher& searcher,
                                     std::size_t requests) const {
    GpuTimes all;
    for (std::size_t first = 0; first < requests; first += kPart) {
        if (measure_.cancelled()) return fail(StatusCode::cancelled);
        const double begin = now();
        const auto found =
            c.on_device(searcher, first, std::min(requests, first + kPart), measure_.control());
        all.whole += 1e3 * (now() - begin);
        if (!found) return tl::unexpected(found.error());
        const batch::DeviceStatistics& effort = searcher.statistics();
        all.effort.on_device += effort.on_device;
        all.effort.on_host += effort.on_host;
        all.effort.bytes_copied += effort.bytes_copied;
        all.effort.launches += effort.launches;
        all.effort.times.copies_ms += effort.times.copies_ms;
        all.effort.times.answer_ms += effort.times.answer_ms;
        all.effort.times.lay_out_ms += effort.times.lay_out_ms;
        all.effort.times.wait_ms += effort.times.wait_ms;
    }
    return all;
}

Row times_row(const GpuTimes& times) {
    return {{"copies_ms", times.effort.times.copies_ms},
            {"answer_ms", times.effort.times.answer_ms},
            {"lay_out_ms", times.effort.times.lay_out_ms},
            {"wait_ms", times.effort.times.wait_ms},
            {"launches", times.effort.launches}};
}

// The least time of all rounds without events; then one round with them, and one whose answers are
// compared.
Status GpuReport::write_answers(const batch::Device& device) {
    for (const GpuCase& c : cases_) {
        batch::DeviceSearcher searcher(device);
        double least = std::numeric_limits<double>::infinity();
        for (int round = 0; round < rounds; ++round) {
            const auto times = run_case(c, searcher, c.requests);
            if (!times) return times.error();
            least = std::min(least, times->whole);
        }
        batch::DeviceSearcher timed(device, {.timed = true});
        const auto times = run_case(c, timed, c.requests);
        if (!times) return times.error();
        std::uint64_t wrong = 0;
        double host_ms = 0;
        for (std::size_t first = 0; first < c.requests; first += kPart) {
            if (measure_.cancelled()) return {StatusCode::cancelled, {}};
            const std::size_t end = std::min(c.requests, first + kPart);
            const double begin = now();
            const auto expected = c.on_host(first, end, measure_.control());
            host_ms += 1e3 * (now() - begin);
            if (!expected) return expected.error();
            const auto found = c.on_device(searcher, first, end, measure_.control());
            if (!found) return found.error();
            wrong += differing(*found, expected->costs, expected->lists);
        }
        const Row row{{"planner", c.planner},
                      {"map", c.map},
                      {"engine", c.engine},
                      {"paths", c.paths},
                      {"requests", c.requests},
                      {"wrong", wrong},
                      {"on_device", times->effort.on_device},
                      {"on_host", times->effort.on_host},
                      {"ms", least},
                      {"host_ms", host_ms},
                      {"bytes_copied", times->effort.bytes_copied},
                      {"index_bytes", c.index_bytes}};
        if (const Status& s = sheets.add("gpu_answers", joined(row, times_row(*times))); !s.ok())
            return s;
    }
    return {};
}

Status GpuReport::write_chunks(const batch::Device& device) {
    for (const GpuCase& c : cases_) {
        if (!c.swept) continue;
        const std::size_t requests = std::min(c.requests, kPart);
        for (const std::uint32_t chunk : kChunks) {
            batch::DeviceSearcher searcher(device, {.chunk = chunk});
            double least = std::numeric_limits<double>::infinity();
            for (int round = 0; round < rounds; ++round) {
                const auto times = run_case(c, searcher, requests);
                if (!times) return times.error();
                least = std::min(least, times->whole);
            }
            batch::DeviceSearcher timed(device, {.chunk = chunk, .timed = true});
            const auto times = run_case(c, timed, requests);
            if (!times) return times.error();
            const Row row{{"planner", c.planner}, {"map", c.map},   {"engine", c.engine},
                          {"requests", requests}, {"chunk", chunk}, {"ms", least}};
            if (const Status& s = sheets.add("gpu_chunks", joined(row, times_row(*times))); !s.ok())
                return s;
        }
    }
    return {};
}

/// The last line of a text that is not empty.
std::string last_line(const std::string& text) {
    std::string last;
    for (std::string& line : split(text, '\n')) {
        if (!line.empty()) last = std::move(line);
    }
    return last;
}

// The program runs itself under each tool.
Status GpuReport::sanitize(const Context& context) {
    constexpr const char* kFault = "99";  // the exit code if the tool finds a fault
    const bool installed = is_installed(kSanitizer);
    std::error_code error;
    const fs::path self = fs::read_symlink("/proc/self/exe", error);
    if (error) return {StatusCode::io_error, "/proc/self/exe: " + error.message()};
    for (const char* const tool : kSanitizerTools) {
        if (context.cancel.cancelled()) return {StatusCode::cancelled, {}};
        ToolRun ran;
        if (installed) {
            std::vector<std::string> words{kSanitizer,
                                           "--tool",
                                           tool,
                                           "--error-exitcode",
                                           kFault,
                                           self.string(),
                                           "gpu",
                                           "--parts",
                                           "answers",
                                           "--rounds",
                                           "1",
                                           "--agents",
                                           std::to_string(std::min(agents, kSanitizedAgents)),
                                           "--memory",
                                           std::to_string(kSanitizedMemory),
                                           "--gpu",
                                           std::to_string(gpu),
                                           "--seed",
                                           std::to_string(seed)};
            if (host) words.emplace_back("--host");
            auto result = run_tool(words);
            if (!result) return result.error();
            ran = std::move(*result);
        }
        const Status& s =
            sheets.add("gpu_sanitizer", {{"tool", tool},
                                         {"result", !installed      ? "not installed"
                                                    : ran.code == 0 ? "passed"
                                                                    : "failed"},
                                         {"exit_code", installed ? Cell(ran.code) : Cell()},
                                         {"wrong", installed && ran.code != 0 ? 1 : 0},
                                         {"output", last_line(ran.output)}});
        if (!s.ok()) return s;
    }
    return {};
}

}  // namespace

void add_gpu(CLI::App& app, Context& context) {
    auto options = std::make_shared<GpuReport>();
    CLI::App* command = add_command(
        app, context, "gpu",
        "Report on a GPU that runs Cairn's kernels: its properties, registers and occupancy of the "
        "kernels, whether every answer of every planner and engine equals the host's, times of "
        "kernels and copies, the effect of the size of chunks, and what the tools of "
        "compute-sanitizer find, where it is installed, over generated maps and meshes. Without a "
        "GPU it ends with exit code 2.",
        "  cairn-lab gpu --out results                 the report, as CSV\n"
        "  python3 tools/lab_tables.py results         as text\n"
        "  cairn-lab gpu --agents 20000 --gpu 1        a short one, on the second GPU\n"
        "  cairn-lab gpu --host --agents 20000         on the processors in place of a GPU\n"
        "  cairn-lab gpu --parts sanitizer             only compute-sanitizer\n"
        "  cairn-lab gpu arena.map level.bin           on these maps and meshes");
    command
        ->add_option("inputs", options->inputs,
                     "Maps (.map) and meshes (.bin, .mesh) for answers and chunks; without any, "
                     "generated ones")
        ->type_name("FILE")
        ->check(CLI::ExistingFile);
    add_count(*command, "--agents", options->agents, 10'000'000,
              "Requests for each planner and engine")
        ->group("Input");
    command->add_option("--seed", options->seed, "Seed of maps and requests")
        ->capture_default_str()
        ->group("Input");
    command->add_flag("--host", options->host, "Run the kernels on the processors instead")
        ->group("Device");
    command->add_option("--gpu", options->gpu, "The number of the GPU, from 0")
        ->check(CLI::Range(0, 1'000))
        ->capture_default_str()
        ->group("Device");
    add_count(*command, "--memory", options->memory, 1'000'000,
              "Most memory of the device, in MB (default: all)")
        ->group("Device");
    add_count(*command, "--threads", options->threads, 1024,
              "Threads of the host (default: one per processor)")
        ->group("Device");
    const std::vector<std::string> parts = options->parts;
    command->add_option("--parts", options->parts, "Parts of the report")
        ->delimiter(',')
        ->allow_extra_args(false)
        ->check(one_of(parts))
        ->type_name("device|answers|chunks|sanitizer")
        ->group("Output");
    add_count(*command, "--rounds", options->rounds, 1000,
              "Rounds of each measurement; the least time counts")
        ->group("Input");
    options->sheets.add_to(*command);
    on_run(command, context, options);
}

}  // namespace cairn::app
