#pragma once
// The fields (cairn/field.hpp) that the options and queries of HPA* and HAA* have in common.

#include <array>

#include "cairn/hpa/query.hpp"
#include "core/field_of.hpp"

namespace cairn::hpa {

inline constexpr std::array kDetails{
    choice("reachable", Detail::reachable), choice("cost", Detail::cost),
    choice("abstract", Detail::abstract_path), choice("path", Detail::path)};
inline constexpr std::array kSmoothings{
    choice("none", Smoothing::none), choice("lines", Smoothing::straight_lines),
    choice("band", Smoothing::band), choice("corridor", Smoothing::corridor)};
inline constexpr std::array kConnectRules{choice("all", ConnectRule::all),
                                          choice("sparse", ConnectRule::sparse),
                                          choice("towards-goal", ConnectRule::towards_goal)};

/// The fields of hpa::Query and haa::Query.
template <class Query>
inline constexpr std::array kQueryFields{
    detail_field<Query>(kDetails),
    choice_field<&Query::smoothing>(
        "smoothing", kSmoothings,
        "How the path is smoothed; band - by an exact search of the cells around it; corridor - of "
        "the clusters around it"),
    kEngineField<Query>,
    choice_field<&Query::connect>("connect", kConnectRules,
                                  "Abstract nodes that start and goal are connected to"),
    flag_field<&Query::try_direct_line>("try_direct_line", "Try the straight line first"),
    kNearestField<Query>,
    integer_field<&Query::corridor_ring>(
        "corridor_ring", 0, 64, "Rings of clusters around the path for smoothing by corridor"),
};

/// The fields of hpa::Options and haa::Options, except those that choose transitions.
template <class Options>
inline constexpr std::array kClusterFields{
    integer_field<&Options::cluster_size>("cluster_size", 2, 64, "Side of a cluster in cells"),
    integer_field<&Options::levels>("levels", 1, 8, "Abstract levels; more never change a cost"),
    integer_field<&Options::branching>("branching", 2, 4,
                                       "Clusters along the side of a cluster of the next level"),
    integer_field<&Options::wide_entrance>("wide_entrance", 2, 0x7fffffff,
                                           "Width in tiles from which an entrance is wide"),
    flag_field<&Options::move_tables>(
        "move_tables",
        "Keep move tables: the next move of every cell to every node of its cluster"),
};

}  // namespace cairn::hpa
