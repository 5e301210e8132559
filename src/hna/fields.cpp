#include "cairn/hna/options.hpp"
#include "cairn/hna/query.hpp"
#include "core/field_of.hpp"

namespace cairn::hna {
namespace {

constexpr std::array kPartitioners{choice("multilevel", Partitioner::multilevel),
                                   choice("growing", Partitioner::growing)};
constexpr std::array kPccps{choice("none", Pccp::none), choice("portals", Pccp::portals),
                            choice("centres", Pccp::centres),
                            choice("centre-paths", Pccp::centre_paths)};
constexpr auto kOptions = joined(
    std::array{
        integer_field<&Options::levels>("levels", 1, 4,
                                        "Abstract levels; more never change a cost"),
        integer_field<&Options::mu>("mu", 2, 1000, "Nodes of a level merged into one of the next"),
        choice_field<&Options::partitioner>(
            "partitioner", kPartitioners,
            "How polygons are merged: growing - one cluster after another, then polygons move "
            "where that saves portals; multilevel - by METIS as in the paper, which draws from "
            "the C library's rand(), so that clusters depend on it; needs CAIRN_METIS=ON"),
        choice_field<&Options::pccp>(
            "pccp", kPccps,
            "Pre-calculated connecting paths: none; portals - from every portal; centres - from "
            "every polygon's centre, as in the paper; centre-paths - the same, stored whole"),
    },
    kLabelFields<Options>);

constexpr std::array kDetails{choice("reachable", Detail::reachable), choice("cost", Detail::cost),
                              choice("abstract", Detail::abstract_path),
                              choice("corridor", Detail::corridor), choice("path", Detail::path)};
constexpr std::array kConnect{
    choice("auto", ConnectBy::automatic), choice("tables", ConnectBy::tables),
    choice("search", ConnectBy::search), choice("portals", ConnectBy::portals)};
constexpr std::array kSearchLevels{choice("auto", SearchLevel::automatic),
                                   choice("first", SearchLevel::first),
                                   choice("top", SearchLevel::top)};
constexpr std::array kWaypoints{choice("corners", mesh::Crossings::corners),
                                choice("areas", mesh::Crossings::areas),
                                choice("all", mesh::Crossings::all)};
constexpr auto kQuery = joined(
    std::array{
        detail_field<Query>(kDetails,
                            "How much of the answer to compute: abstract - inter-edges; "
                            "corridor - polygons; path - waypoints"),
        kEngineField<Query>,
        choice_field<&Query::connect>("connect", kConnect,
                                      "How start and goal are connected to the inter-edges around "
                                      "them: by pre-calculated paths, by a search, or by "
                                      "pre-calculated paths from portals whatever else there is"),
        choice_field<&Query::search_level>(
            "search_level", kSearchLevels,
            "Which level engine astar searches: auto - the top one, or the first where that is "
            "faster"),
        choice_field<&Query::crossings>(
            "crossings", kWaypoints,
            "Waypoints of a path: corners - where it turns; areas - also where the area changes; "
            "all - at every portal"),
        flag_field<&Query::shorten>("shorten",
                                    "Move the corridor where that makes its string shorter; the "
                                    "cost is then that of the moved corridor"),
        number_field<&Query::reach>("reach", 0, kMaxReach,
                                    "How far a point may lie above, below or beside the mesh"),
        kNearestField<Query>,
    },
    kLimitFields<Query>);

}  // namespace

std::span<const Field> Options::fields() noexcept { return kOptions; }
std::span<const Field> Query::fields() noexcept { return kQuery; }

Status check(const Options& options) noexcept { return check_fields(options); }

}  // namespace cairn::hna
