#include "cairn/mesh/clearance.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "cairn/mesh/locator.hpp"
#include "core/guarded.hpp"
#include "core/memory.hpp"
#include "core/parallel_loop.hpp"
#include "mesh/clearance_data.hpp"
#include "mesh/cut.hpp"
#include "mesh/gates.hpp"

namespace cairn::mesh {

namespace {

Status check(const ClearanceOptions& options) {
    if (options.most_radius >= 0 && std::isfinite(options.most_radius)) return {};
    return {StatusCode::bad_option,
            fmt::format("most_radius is {}: give a finite number, 0 for any radius",
                        options.most_radius)};
}

Result<Mesh> build_cut(const CutMesh& cut, MeshOptions options) {
    options.radius = 0;
    auto mesh = Mesh::build(cut.image.source(), options);
    if (mesh && !cut.edits.empty()) mesh = mesh->edited(cut.edits);
    return mesh;
}

}  // namespace

Clearance::Clearance() : data_(std::make_shared<const ClearanceData>()) {}

Result<Clearance> Clearance::build(const Mesh& mesh, const ClearanceOptions& options,
                                   const BuildControl& control) noexcept try {
    if (Status status = check(options); !status.ok()) return tl::unexpected(std::move(status));
    if (Status status = check_threads(control); !status.ok())
        return tl::unexpected(std::move(status));
    auto data = std::make_shared<ClearanceData>();
    data->options = options;
    data->whole = mesh;
    data->walls = Walls(mesh.data());
    const double most =
        options.most_radius > 0 ? 2 * options.most_radius : std::numeric_limits<double>::infinity();
    auto gates = find_gates(data->walls, most, control);
    if (!gates) return tl::unexpected(std::move(gates.error()));
    CutMesh cut = mesh::cut(mesh.data(), data->walls, *gates);
    auto pieces = build_cut(cut, mesh.options());
    if (!pieces) return tl::unexpected(std::move(pieces.error()));
    data->mesh = std::move(*pieces);
    data->gates.reserve(gates->size());
    for (const FoundGate& gate : *gates)
        data->gates.push_back({gate.begin.x, gate.begin.z, gate.end.x, gate.end.z, gate.width});
    data->origin = std::move(cut.origin);
    data->first = std::move(cut.first);
    data->pieces = std::move(cut.pieces);
    data->forest = WidthForest(data->mesh.data());
    return Clearance(std::move(data));
} catch (...) {
    return out_of_memory();
}

const ClearanceOptions& Clearance::options() const noexcept { return data_->options; }
const Mesh& Clearance::whole() const noexcept { return data_->whole; }
const Mesh& Clearance::mesh() const noexcept { return data_->mesh; }
Polygon Clearance::origin(Polygon piece) const noexcept { return data_->origin[piece]; }
std::span<const Gate> Clearance::gates() const noexcept { return data_->gates; }

std::span<const Polygon> Clearance::pieces(Polygon polygon) const noexcept {
    const std::uint32_t* const first = data_->first.data() + polygon;
    return {data_->pieces.data() + first[0], data_->pieces.data() + first[1]};
}

Place Clearance::place(const Place& place) const noexcept {
    const std::span<const Polygon> all = pieces(place.polygon);
    if (all.size() == 1) return {all[0], place.point};
    const MeshTopology& t = *data_->mesh.data().topology;
    return {piece_at({t.vertices, t.first_corner, t.corners}, all, flat(place.point)), place.point};
}

double Clearance::clearance(const Place& place, double most) const noexcept {
    const Polygon polygon = data_->origin[place.polygon];
    if (data_->walls.border(polygon).empty()) return 0;
    return data_->walls.clearance(polygon, flat(place.point), most);
}

std::optional<Place> Clearance::make_room(const Place& place, double radius,
                                          double reach) const noexcept try {
    // Whether a point can walk from one place to the other and back: portals may be one-way.
    const auto joined = [this](const Place& a, const Place& b) {
        if (a.polygon == b.polygon || !data_->mesh.directed()) return true;
        const Polygon from = this->place(a).polygon;
        const Polygon to = this->place(b).polygon;
        return data_->forest.connects(from, to, 0) && data_->forest.connects(to, from, 0);
    };
    // Two walls that meet at 30 degrees need about 24 steps.
    constexpr int kMostSteps = 64;
    constexpr double kFarther = 0x1p-10;  // of the radius: the next wall then needs fewer steps
    if (!(radius >= 0 && reach >= 0) || std::isinf(radius)) return std::nullopt;
    const Walls& walls = data_->walls;
    Place at = place;
    for (int step = 0; step < kMostSteps; ++step) {
        if (walls.border(at.polygon).empty()) return std::nullopt;
        const Flat from = flat(at.point);
        const Walls::Nearest wall = walls.nearest(at.polygon, from, radius);
        if (wall.distance >= radius) return joined(place, at) ? std::optional(at) : std::nullopt;
        // On a wall, rounding hides on which side of it the place lies.
        const bool on_it = wall.distance <= noise(from);
        const Flat away = on_it ? Flat{-wall.along.z, wall.along.x} : from - wall.point;
        const double size = length(away);
        if (size == 0) return std::nullopt;
        const Flat to = wall.point + away * ((radius * (1 + kFarther) + noise(from)) / size);
        at.point.x = static_cast<float>(to.x);
        at.point.z = static_cast<float>(to.z);
        if (length(flat(at.point) - flat(place.point)) > reach) return std::nullopt;
        const Walls::Walk walk = walls.walk(at.polygon, from, flat(at.point));
        if (!walk.arrives) return std::nullopt;
        at.polygon = walk.polygon;
        at.point.y = height(data_->whole, at.polygon, at.point);
    }
    return std::nullopt;
} catch (...) {
    return std::nullopt;
}

StatusCode Clearance::reachable(const Place& from, const Place& to, double radius) const noexcept
    try {
    const double most = data_->options.most_radius;
    if (!(radius >= 0) || (most > 0 && radius > most)) return StatusCode::bad_option;
    const std::uint32_t pieces = data_->mesh.num_polygons();
    if (from.polygon >= pieces) return StatusCode::start_outside;
    if (to.polygon >= pieces) return StatusCode::goal_outside;
    const auto stands = [&](const Place& place) {
        if (data_->mesh.blocked(place.polygon)) return false;
        if (radius == 0) return true;
        const Polygon polygon = data_->origin[place.polygon];
        return !data_->walls.border(polygon).empty() &&
               data_->walls.clearance(polygon, flat(place.point), radius) >= radius;
    };
    if (!stands(from)) return StatusCode::start_blocked;
    if (!stands(to)) return StatusCode::goal_blocked;
    return data_->forest.connects(from.polygon, to.polygon, radius) ? StatusCode::ok
                                                                    : StatusCode::no_path;
} catch (...) {
    return StatusCode::out_of_memory;
}

std::size_t Clearance::bytes() const noexcept {
    const ClearanceData& d = *data_;
    return sizeof d + d.walls.bytes() + d.forest.bytes() +
           memory_of(d.gates, d.origin, d.first, d.pieces);
}

}  // namespace cairn::mesh
