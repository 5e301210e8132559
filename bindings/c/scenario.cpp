// Scenarios: lists of problems.

#include "handles.hpp"
#if CAIRN_HAS_FORMATS
#include "cairn/formats/movingai.hpp"
#if CAIRN_HAS_MESH && CAIRN_HAS_MORE_FORMATS
#include "cairn/formats/polyanya.hpp"
#endif
#endif

struct cairn_problems {
    std::vector<std::int32_t> cells{};
    std::vector<double> points{};
    std::vector<double> lengths{};
};

namespace cairn::c {
namespace {

Result<cairn_problems> load_problems(const std::string& path, std::int32_t space) {
    if (Status status = check_choice("space", space, CAIRN_MESH); !status.ok())
        return tl::unexpected(std::move(status));
    cairn_problems out;
#if CAIRN_HAS_FORMATS
    if (space == CAIRN_GRID) {
        const auto loaded = formats::load_scenario(path);
        if (!loaded) return tl::unexpected(loaded.error());
        for (const auto& problem : loaded->problems) {
            for (const grid::Point& p : {problem.start, problem.goal})
                out.cells.insert(out.cells.end(), {p.x, p.y});
            out.lengths.push_back(problem.optimal_length);
        }
        return out;
    }
#if CAIRN_HAS_MESH && CAIRN_HAS_MORE_FORMATS
    const auto loaded = formats::load_polyanya_scenario(path);
    if (!loaded) return tl::unexpected(loaded.error());
    for (const auto& problem : *loaded) {
        for (const mesh::Point& p : {problem.start, problem.goal})
            out.points.insert(out.points.end(), {p.x, p.y, p.z});
        out.lengths.push_back(problem.optimal_length);
    }
    return out;
#endif
#endif
    return tl::unexpected(not_built("the format of such scenarios"));
}

}  // namespace
}  // namespace cairn::c

using namespace cairn::c;  // NOLINT(google-build-using-namespace): the functions are global

cairn_status cairn_problems_load(const char* path, int32_t space, cairn_problems** problems) {
    return make(
        problems, [&] { return load_problems(path, space); }, path);
}

cairn_status cairn_problems_get(const cairn_problems* problems, cairn_problem_list* list) {
    return call(
        [&] {
            cairn_problem_list out{};
            out.count = problems->lengths.size();
            out.cells = problems->cells.empty() ? nullptr : problems->cells.data();
            out.points = problems->points.empty() ? nullptr : problems->points.data();
            out.lengths = problems->lengths.data();
            return give(out, list);
        },
        problems, list);
}

void cairn_problems_free(cairn_problems* problems) { delete problems; }
