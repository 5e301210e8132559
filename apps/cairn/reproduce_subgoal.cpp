#include "reproduce_subgoal.hpp"

#include <array>
#include <filesystem>

#include "reproduce_data.hpp"
#include "reproduce_subgoal_run.hpp"
#include "reproduce_subgoal_tables.hpp"

namespace cairn::app {
namespace {

namespace fs = std::filesystem;

/// Table 15.1: Dragon Age: Origins, StarCraft, Warcraft III, Baldur's Gate II.
constexpr std::array<const char*, 4> kSets{"dao", "sc1", "wc3maps512", "bg512"};

Result<std::vector<SubgoalMap>> load(const SubgoalRequest& request) {
    if (request.built_in) return built_in_subgoal_maps(request.pairs, request.seed);
    if (!request.maps.empty()) {
        const fs::path folder(request.maps);
        const fs::path name = folder.has_filename() ? folder.filename() : folder.parent_path();
        return load_subgoal_maps(name.string(), folder, request.max_maps, request.pairs,
                                 request.seed);
    }
    const auto folder =
        data_folder(request.data, "grid",
                    "--data: say where MovingAI's sets dao, sc1, wc3maps512 and bg512 are, or "
                    "set CAIRN_DATA, or give any folder with --maps, or try --example-only");
    if (!folder) return tl::unexpected(folder.error());
    std::vector<SubgoalMap> all;
    for (const char* set : kSets) {
        auto maps =
            load_subgoal_maps(set, *folder / set, request.max_maps, request.pairs, request.seed);
        if (!maps) return maps;
        std::move(maps->begin(), maps->end(), std::back_inserter(all));
    }
    return all;
}

}  // namespace

Status reproduce_subgoal(const SubgoalRequest& request, Context& context,
                         const std::function<Status(const Exhibit&)>& show, Json& report) {
    auto maps = load(request);
    if (!maps) return maps.error();
    std::vector<const SubgoalMap*> every = sample(*maps, 0);
    std::vector<const SubgoalMap*> some = sample(*maps, request.study_maps);

    ProgressBar bar("reproduce");
    const std::size_t steps = every.size() * (1 + table_variants().size()) +
                              some.size() * (edge_variants().size() + order_variants().size());
    std::size_t done = 0;
    SubgoalControl control;
    control.cancel = &context.cancel;
    control.step = [&] { bar.show(static_cast<double>(++done) / static_cast<double>(steps)); };

    if (Status s = solve_by_astar(*maps, control); !s.ok()) return s;
    std::uint64_t wrong = 0;
    const auto study = [&](std::vector<SubgoalVariant> variants, std::vector<const SubgoalMap*> on,
                           std::initializer_list<Exhibit (*)(const SubgoalExperiment&)> makers) {
        const auto measured = measure_variants(std::move(variants), std::move(on), control);
        if (!measured) return measured.error();
        wrong += wrong_answers(*measured);
        bar.clear();
        for (auto* make : makers) {
            if (Status s = show(make(*measured)); !s.ok()) return s;
        }
        return Status{};
    };
    Status s = study(table_variants(), std::move(every),
                     {subgoal_table_1, subgoal_figure_12, subgoal_levels});
    if (s.ok()) s = study(edge_variants(), some, {subgoal_figure_3});
    if (s.ok()) s = study(order_variants(), some, {subgoal_orders});
    if (!s.ok()) return s;

    report["wrong"] = wrong;
    report["maps"] = maps->size();
    report["study_maps"] = some.size();
    report["pairs"] = request.pairs;
    report["seed"] = request.seed;
    if (!context.json) {
        say("{} maps, {} of them for the studies of edges and orders, up to {} queries each: {} "
            "answers that are no shortest path\n",
            maps->size(), some.size(), request.pairs, wrong);
    }
    return {};
}

}  // namespace cairn::app
