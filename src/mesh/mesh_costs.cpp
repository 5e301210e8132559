// The costs of a mesh: the units of costs, the costs inside polygons, and the fingerprint.

#include "mesh/mesh_build.hpp"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "core/sort_unique.hpp"

namespace cairn::mesh {

namespace {

// A leg is the straight line between the midpoints of two links of one polygon, or with
// Scoring::polygon_centres the way over the polygon's centre.

// Sums of leg costs stay below this; the first and the last part of a path add at most
// kCostliestLeg each. Together that is below kInfinity.
constexpr double kCostliestPath = 0x1p30;
constexpr double kGreatestRadius = 1e7;
constexpr double kFinestUnits = 0x1p16;  // of cost per unit of length
constexpr std::uint64_t kMostInsideCosts = std::uint64_t{1} << 28;

// Parts of portals multiply costs. So a mesh with parts has at most 2^22 costs, and 2^13 more for
// each whole portal: a small mesh must not take as much memory as a large one.
std::uint64_t most_inside_costs(const MeshTopology& t) {
    if (t.parts.empty()) return kMostInsideCosts;
    const auto wholes = static_cast<std::uint64_t>(std::count(t.parts.begin(), t.parts.end(), 0));
    return std::min(kMostInsideCosts, (std::uint64_t{1} << 22) + (wholes << 13));
}

// Calls visit(i, j, length) for the legs between a polygon's links i > j.
template <class Visit>
void for_each_leg(const MeshData& data, Polygon p, Visit&& visit) {
    const std::span<const Link> links = data.links(p);
    for (std::uint32_t i = 1; i < links.size(); ++i) {
        for (std::uint32_t j = 0; j < i; ++j)
            visit(i, j, distance(data.midpoint(links[i]), data.midpoint(links[j])));
    }
}

// Half of the distance between the centres of a link's two polygons.
double half_distance(const MeshData& data, Link link) {
    const std::vector<Point>& centres = data.topology->centres;
    return distance(centres[data.polygon_of(link)], centres[data.polygon_of(twin(link))]) / 2;
}

// The length of the longest leg from one side of a portal.
double longest_leg(const MeshData& data, Link from) {
    double longest = 0;
    for (const Link link : data.links(data.polygon_of(from))) {
        if (data.options.scoring == Scoring::polygon_centres) {
            longest = std::max(longest, half_distance(data, from) + half_distance(data, link));
        } else {
            longest = std::max(longest, distance(data.midpoint(from), data.midpoint(link)));
        }
    }
    return longest;
}

// The length of the longest leg from a portal; 0 if it was removed.
double longest_leg_from(const MeshData& data, Portal portal) {
    const Link link = 2 * portal;
    if (data.polygon_of(link) == kNone) return 0;
    return std::max(longest_leg(data, link), longest_leg(data, twin(link)));
}

void widen(MeshData& data, std::span<const Point> vertices) {
    Point& least = data.least;
    Point& most = data.most;
    for (const Point& p : vertices) {
        least = {std::min(least.x, p.x), std::min(least.y, p.y), std::min(least.z, p.z)};
        most = {std::max(most.x, p.x), std::max(most.y, p.y), std::max(most.z, p.z)};
    }
}

// Sets `legs`, `least` and `most`.
void measure(MeshData& data) {
    const MeshTopology& t = *data.topology;
    data.legs = 0;
    for (Portal portal = 0; portal < t.ends.size(); ++portal)
        data.legs += longest_leg_from(data, portal);
    data.least = data.most = t.vertices.empty() ? Point{} : t.vertices[0];
    widen(data, t.vertices);
}

// The same after a change of a mesh that has vertices.
void carry_measures(MeshData& data, const MeshData& before, std::span<const Polygon> relinked) {
    std::vector<Portal> portals;
    const auto append = [&](const MeshData& mesh, Polygon p) {
        if (p >= mesh.num_polygons()) return;
        for (const Link link : mesh.links(p)) portals.push_back(portal_of(link));
    };
    for (const Polygon p : relinked) {
        append(before, p);
        append(data, p);
    }
    sort_unique(portals);
    for (const Portal portal : portals) {
        data.legs += longest_leg_from(data, portal);
        if (portal < before.topology->ends.size()) data.legs -= longest_leg_from(before, portal);
    }
    widen(data, std::span(data.topology->vertices).subspan(before.topology->vertices.size()));
}

// The median length of legs between midpoints; 0 if there are none.
double median_leg(const MeshData& data) {
    std::vector<double> legs;
    legs.reserve(data.topology->first_cost.back());
    for (Polygon p = 0; p < data.num_polygons(); ++p) {
        for_each_leg(data, p,
                     [&](std::uint32_t, std::uint32_t, double length) { legs.push_back(length); });
    }
    if (legs.empty()) return 0;
    const auto middle = legs.begin() + static_cast<std::ptrdiff_t>(legs.size() / 2);
    std::nth_element(legs.begin(), middle, legs.end());
    return *middle;
}

// The greatest factor of the areas that agents may enter; 1 if there are none.
double greatest_factor(const MeshData& data) {
    double costliest = 0;
    for (std::uint8_t area = 0; area < kAreas; ++area) {
        if (!data.closed(area)) costliest = std::max(costliest, data.factors[area]);
    }
    return costliest == 0 ? 1 : costliest;
}

// Whether no path can reach kInfinity with some units. A cheapest path crosses each portal at most
// once, so it has at most one leg from each.
struct Fit {
    double legs = 0;      // the sum of the longest legs of all portals, at the greatest factor
    double rounding = 0;  // the units that rounding up adds to the costs of these legs
    double across = 0;    // the diagonal of the mesh at the greatest factor

    [[nodiscard]] bool operator()(double units) const {
        return legs * units + rounding < kCostliestPath && across * units < kCostliestLeg;
    }
};

// The fit of a mesh that is measured.
Fit fit_of(const MeshData& data) {
    const double factor = greatest_factor(data);
    // At most one unit for each leg, or two with polygon centres.
    return {data.legs * factor, 2 * static_cast<double>(data.topology->ends.size()),
            distance(data.least, data.most) * factor};
}

// The costs of a snapshot, while they are computed.
struct Costs {
    std::vector<Cost> inside;
    std::vector<Cost> halves;

    void set_polygon(const MeshData& data, Polygon p) {
        const std::span<const Link> links = data.links(p);
        const bool centres = data.options.scoring == Scoring::polygon_centres;
        const double factor = data.factor(p);
        for (std::size_t i = 0; centres && i < links.size(); ++i)
            halves[links[i]] = data.leg_cost(half_distance(data, links[i]), factor);
        Cost* const first = inside.data() + data.topology->first_cost[p];
        for_each_leg(data, p, [&](std::uint32_t i, std::uint32_t j, double length) {
            first[MeshData::row(i) + j] =
                centres ? halves[links[i]] + halves[links[j]] : data.leg_cost(length, factor);
        });
    }
    void give(MeshData& data) {
        data.inside_costs = std::make_shared<const std::vector<Cost>>(std::move(inside));
        data.halves = std::make_shared<const std::vector<Cost>>(std::move(halves));
    }
};

template <class T>
std::uint64_t hash_of(const std::vector<T>& array, std::uint64_t seed) {
    const std::uint64_t size = array.size();
    seed = XXH3_64bits_withSeed(&size, sizeof size, seed);
    return XXH3_64bits_withSeed(array.data(), array.size() * sizeof(T), seed);
}

std::uint64_t hash_of(const MeshTopology& t) {
    std::uint64_t hash = hash_of(t.vertices, t.connections);
    hash = hash_of(t.first_corner, hash);
    hash = hash_of(t.corners, hash);
    hash = hash_of(t.links, hash);
    hash = hash_of(t.link_polygon, hash);
    hash = hash_of(t.passable, hash);
    hash = hash_of(t.ends, hash);
    if (!t.parts.empty()) hash = hash_of(t.parts, hash);
    return t.widths.empty() ? hash : hash_of(t.widths, hash);
}

}  // namespace

Status set_options(const MeshOptions& options, MeshData& data) {
    data.options = options;
    if (options.scoring > Scoring::portal_parts)
        return {StatusCode::bad_option, fmt::format("scoring {}: there is no such scoring",
                                                    static_cast<int>(options.scoring))};
    for (std::uint8_t area = 0; area < kAreas; ++area) {
        const float cost = options.area_costs[area];
        const bool closed = data.closed(area);
        if (!closed && !(cost >= 0.001F && cost <= 1000.0F)) {
            return {StatusCode::bad_option,
                    fmt::format("the cost of area {} is {}: give 0.001 to 1000, or infinity where "
                                "agents may not go",
                                area, cost)};
        }
        data.factors[area] = closed ? 1 : static_cast<double>(cost);
    }
    const double units = options.units_per_length;
    if (!(units >= 0) || std::isinf(units)) {
        return {
            StatusCode::bad_option,
            fmt::format("units_per_length is {}: give a finite number, 0 for automatic", units)};
    }
    if (!(options.radius >= 0 && options.radius <= kGreatestRadius))
        return {StatusCode::bad_option,
                fmt::format("radius is {}: give 0 to {}", options.radius, kGreatestRadius)};
    const double part = options.longest_part;
    if (!(part >= 0) || std::isinf(part)) {
        return {StatusCode::bad_option,
                fmt::format("longest_part is {}: give a finite length, 0 for automatic", part)};
    }
    if (part == 0 || options.scoring == Scoring::portal_parts) return {};
    return {StatusCode::bad_option,
            fmt::format("longest_part is {}: only the scoring portal_parts has parts", part)};
}

Status count_costs(MeshTopology& topology) {
    topology.first_cost.assign(1, 0);
    topology.first_cost.reserve(topology.first_link.size());
    const std::uint64_t most = most_inside_costs(topology);
    for (std::size_t p = 0; p + 1 < topology.first_link.size(); ++p) {
        const std::uint64_t links = topology.first_link[p + 1] - topology.first_link[p];
        const std::uint64_t costs = topology.first_cost.back() + MeshData::row(links);
        if (costs > most) {
            return {StatusCode::too_large,
                    fmt::format("polygon {}: with its {} links polygons have more than {} pairs of "
                                "links; divide it{}",
                                p, links, most,
                                topology.parts.empty() ? "" : ", or have longer parts of portals")};
        }
        topology.first_cost.push_back(costs);
    }
    topology.hash = hash_of(topology);
    return {};
}

Status set_units(MeshData& data) {
    measure(data);
    const Fit fits = fit_of(data);
    if (data.options.units_per_length == 0) {
        data.units = kFinestUnits;
        while (!fits(data.units)) data.units /= 2;
        return {};
    }
    data.units = data.options.units_per_length;
    if (!fits(data.units)) {
        return {StatusCode::too_large,
                fmt::format("with {} units to a length a path could overflow a cost; 0 chooses "
                            "what fits",
                            data.units)};
    }
    constexpr int kFewest = 8;  // fewer would make rounding a large part of most costs
    const double middle = median_leg(data) * data.units;
    if (middle > 0 && middle < kFewest) {
        return {StatusCode::bad_option,
                fmt::format("units_per_length is {}: so coarse that the middle distance between "
                            "portals is {} units, below {}",
                            data.units, middle, kFewest)};
    }
    return {};
}

Status keep_units(MeshData& data, const MeshData& before, std::span<const Polygon> relinked) {
    if (!before.topology->vertices.empty()) {
        constexpr double kDrift = 1e-9;  // sums that were carried far are not exact
        carry_measures(data, before, relinked);
        if (fit_of(data)(data.units * (1 + kDrift))) return {};
    }
    measure(data);
    const Fit fits = fit_of(data);
    if (data.options.units_per_length == 0) {
        while (!fits(data.units)) data.units /= 2;
        return {};
    }
    if (fits(data.units)) return {};
    return {StatusCode::too_large,
            fmt::format("with its {} units to a length a path over the changed mesh could overflow "
                        "a cost",
                        data.units)};
}

bool units_fit(MeshData& data) {
    measure(data);
    const double units = data.units;
    if (!(units > 0)) return false;
    int exponent = 0;
    // Units that Cairn chooses are kFinestUnits, halved some times: powers of two.
    const bool possible = data.options.units_per_length != 0
                              ? units == data.options.units_per_length
                              : units <= kFinestUnits && std::frexp(units, &exponent) == 0.5;
    return possible && fit_of(data)(units);
}

void set_costs(MeshData& data) {
    Costs costs;
    costs.inside.resize(data.topology->first_cost.back());
    if (data.options.scoring == Scoring::polygon_centres) costs.halves.resize(data.num_links());
    for (Polygon p = 0; p < data.num_polygons(); ++p) costs.set_polygon(data, p);
    costs.give(data);
}

void change_costs(MeshData& data, std::span<const Polygon> polygons) {
    if (polygons.empty()) return;
    Costs costs{*data.inside_costs, *data.halves};
    for (const Polygon p : polygons) costs.set_polygon(data, p);
    costs.give(data);
}

void carry_costs(MeshData& data, const MeshData& before, std::span<const Polygon> changed) {
    if (data.units != before.units) return set_costs(data);
    const std::vector<std::uint64_t>& old_first = before.topology->first_cost;
    const std::vector<std::uint64_t>& first = data.topology->first_cost;
    Costs costs{{}, *before.halves};
    costs.inside.reserve(first.back());
    if (data.options.scoring == Scoring::polygon_centres) costs.halves.resize(data.num_links());
    Polygon from = 0;
    const auto copy_up_to = [&](Polygon p) {
        const Cost* const old = before.inside_costs->data();
        if (from < p)
            costs.inside.insert(costs.inside.end(), old + old_first[from], old + old_first[p]);
    };
    for (const Polygon p : changed) {
        copy_up_to(p);
        costs.inside.resize(first[p + 1]);
        costs.set_polygon(data, p);
        from = p + 1;
    }
    copy_up_to(before.num_polygons());
    costs.give(data);
}

namespace {

bool is_blocked(const MeshData& data, Polygon p) {
    return data.blocked[p] != 0 || data.closed(data.areas[p]);
}

bool is_open(const MeshData& data, Link link) {
    const MeshTopology& t = *data.topology;
    return t.passable[link] != 0 && t.link_polygon[link] != kNone &&
           !is_blocked(data, t.link_polygon[link]) &&
           !is_blocked(data, t.link_polygon[twin(link)]) &&
           double{t.width(portal_of(link))} >= 2 * data.options.radius;
}

// Computes what depends on areas and blocked polygons, except open links.
void sum_up(MeshData& data) {
    const MeshTopology& t = *data.topology;
    std::array<bool, kAreas> occurs{};
    for (Polygon p = 0; p < data.num_polygons(); ++p) occurs[data.areas[p]] |= !t.is_removed(p);
    data.least_factor = 1000;  // the greatest that set_options allows
    for (std::uint8_t area = 0; area < kAreas; ++area) {
        if (occurs[area] && !data.closed(area))
            data.least_factor = std::min(data.least_factor, data.factors[area]);
    }
    std::uint64_t hash = hash_of(data.areas, t.hash);
    hash = hash_of(data.blocked, hash);
    hash = XXH3_64bits_withSeed(data.factors.data(), sizeof data.factors, hash);
    const std::array<std::uint64_t, 2> options{static_cast<std::uint64_t>(data.options.scoring),
                                               std::bit_cast<std::uint64_t>(data.units)};
    data.fingerprint = XXH3_64bits_withSeed(options.data(), sizeof options, hash);
    if (data.options.radius > 0) {
        const auto radius = std::bit_cast<std::uint64_t>(data.options.radius);
        data.fingerprint = XXH3_64bits_withSeed(&radius, sizeof radius, data.fingerprint);
    }
}

}  // namespace

void finish(MeshData& data) {
    data.open.resize(data.num_links());
    for (Link link = 0; link < data.num_links(); ++link)
        data.open[link] = static_cast<std::uint8_t>(is_open(data, link));
    sum_up(data);
}

void finish_edit(MeshData& data, std::span<const Polygon> polygons) {
    for (const Polygon p : polygons) {
        for (const Link link : data.links(p)) {
            data.open[link] = static_cast<std::uint8_t>(is_open(data, link));
            data.open[twin(link)] = static_cast<std::uint8_t>(is_open(data, twin(link)));
        }
    }
    sum_up(data);
}

}  // namespace cairn::mesh
