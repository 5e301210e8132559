#include "cairn/mesh/reachability.hpp"

#include <algorithm>
#include <cstdint>
#include <mutex>
#include <utility>
#include <vector>

#include "core/guarded.hpp"
#include "core/memory.hpp"

namespace cairn::mesh {

struct Reachability::Scratch {
    std::mutex mutex;
    std::vector<std::uint64_t> reached;  // a bit for each strong component
};

namespace {

// The strong components of a mesh: sets of polygons that all reach each other.
struct StrongComponents {
    std::vector<std::uint32_t> of;  // per polygon; blocked ones are components of their own
    std::uint32_t count = 0;
};

// Tarjan's algorithm (R. Tarjan, "Depth-first search and linear graph algorithms", 1972). It
// numbers the components from 0 such that every open link leads to the same component or to one
// with a lower number. `trail_` replaces the call stack of a recursion. O(polygons + links).
class Tarjan {
public:
    explicit Tarjan(const Mesh& mesh) : mesh_(mesh), low_(mesh.num_polygons(), kNone) {
        found_.of.assign(mesh.num_polygons(), kNone);
    }

    [[nodiscard]] StrongComponents run() {
        for (Polygon p = 0; p < mesh_.num_polygons(); ++p) {
            if (low_[p] != kNone) continue;
            enter(p);
            while (!trail_.empty()) step();
        }
        return std::move(found_);
    }

private:
    struct Visit {
        Polygon polygon = 0;
        std::uint32_t entered = 0;  // how many polygons had been entered before
        std::uint32_t next_link = 0;
    };

    void enter(Polygon p) {
        trail_.push_back({p, entered_, 0});
        low_[p] = entered_++;
        unassigned_.push_back(p);
    }
    void step() {
        Visit& visit = trail_.back();
        const Polygon p = visit.polygon;
        const auto links = mesh_.links(p);
        while (visit.next_link < links.size()) {
            const Link link = links[visit.next_link++];
            if (!mesh_.open(link)) continue;
            const Polygon next = mesh_.polygon_of(twin(link));
            if (low_[next] == kNone) {
                enter(next);
                return;
            }
            if (found_.of[next] == kNone) low_[p] = std::min(low_[p], low_[next]);
        }
        if (low_[p] == visit.entered) assign(p);
        trail_.pop_back();
        if (trail_.empty() || found_.of[p] != kNone) return;
        std::uint32_t& low = low_[trail_.back().polygon];
        low = std::min(low, low_[p]);
    }
    // Makes a component of `first` and all polygons entered since that have none yet.
    void assign(Polygon first) {
        Polygon p = kNone;
        do {
            p = unassigned_.back();
            unassigned_.pop_back();
            found_.of[p] = found_.count;
        } while (p != first);
        ++found_.count;
    }

    const Mesh& mesh_;
    // Per polygon: the least Visit::entered reached from it so far; kNone if not entered.
    std::vector<std::uint32_t> low_;
    std::vector<Visit> trail_;         // from the root of the search to the current polygon
    std::vector<Polygon> unassigned_;  // entered, without a component yet
    std::uint32_t entered_ = 0;
    StrongComponents found_;
};

using Arc = std::pair<std::uint32_t, std::uint32_t>;  // from and to a strong component

std::vector<Arc> arcs_between(const Mesh& mesh, const std::vector<std::uint32_t>& strong) {
    std::vector<Arc> arcs;
    for (Link link = 0; link < mesh.num_links(); ++link) {
        if (!mesh.open(link)) continue;
        const std::uint32_t from = strong[mesh.polygon_of(link)];
        const std::uint32_t to = strong[mesh.polygon_of(twin(link))];
        if (from != to) arcs.emplace_back(from, to);
    }
    std::sort(arcs.begin(), arcs.end());
    arcs.erase(std::unique(arcs.begin(), arcs.end()), arcs.end());
    return arcs;
}

}  // namespace

// Components are connected by open links in either direction.
void Reachability::find_components(const Mesh& mesh) {
    component_.assign(mesh.num_polygons(), kNone);
    std::vector<Polygon> open;
    for (Polygon first = 0; first < mesh.num_polygons(); ++first) {
        if (component_[first] != kNone || mesh.blocked(first)) continue;
        const auto number = static_cast<std::uint32_t>(sizes_.size());
        sizes_.push_back(0);
        first_.push_back(first);
        component_[first] = number;
        open.push_back(first);
        while (!open.empty()) {
            const Polygon p = open.back();
            open.pop_back();
            ++sizes_[number];
            for (const Link link : mesh.links(p)) {
                const Polygon next = mesh.polygon_of(twin(link));
                const bool joined = mesh.open(link) || mesh.open(twin(link));
                if (!joined || component_[next] != kNone) continue;
                component_[next] = number;
                open.push_back(next);
            }
        }
    }
}

// The largest component mostly covers the whole mesh and would take most of the work, so its box
// stays unbounded.
void Reachability::find_boxes(const Mesh& mesh) {
    constexpr float kInfinite = Box::kInfinite;
    boxes_.assign(count(), {kInfinite, kInfinite, -kInfinite, -kInfinite});
    const std::uint32_t most = largest();
    const std::span<const Point> vertices = mesh.vertices();
    for (Polygon p = 0; p < mesh.num_polygons(); ++p) {
        if (component_[p] == kNone || component_[p] == most) continue;
        Box& box = boxes_[component_[p]];
        for (const std::uint32_t corner : mesh.corners(p)) {
            const Point& point = vertices[corner];
            box = {std::min(box.low_x, point.x), std::min(box.low_z, point.z),
                   std::max(box.high_x, point.x), std::max(box.high_z, point.z)};
        }
    }
    if (most != kNone) boxes_[most] = {};
}

void Reachability::find_strong(const Mesh& mesh) {
    StrongComponents strong = Tarjan(mesh).run();
    const std::vector<Arc> arcs = arcs_between(mesh, strong.of);
    if (arcs.empty()) return;
    strong_ = std::move(strong.of);
    first_arc_.assign(strong.count + 1, 0);
    row_.assign(strong.count, kNone);
    arcs_.reserve(arcs.size());
    for (const auto& [from, to] : arcs) {
        ++first_arc_[from + 1];
        arcs_.push_back(to);
        row_[from] = row_[to] = 0;  // has a row, numbered by table_arcs
    }
    for (std::size_t i = 1; i < first_arc_.size(); ++i) first_arc_[i] += first_arc_[i - 1];
    table_arcs();
}

// The row of a component has a bit for each component that it reaches: itself, and all that its
// successors reach. Successors have lower numbers, so their rows are ready.
void Reachability::table_arcs() {
    std::uint32_t rows = 0;
    for (std::uint32_t& row : row_) {
        if (row != kNone) row = rows++;
    }
    if (rows > kTabled) {
        scratch_ = std::make_shared<Scratch>();
        scratch_->reached.resize((row_.size() + 63) / 64);
        return;
    }
    words_ = (rows + 63) / 64;
    table_.assign(rows * words_, 0);
    for (std::uint32_t s = 0; s < row_.size(); ++s) {
        if (row_[s] == kNone) continue;
        std::uint64_t* const row = table_.data() + row_[s] * words_;
        row[row_[s] / 64] |= std::uint64_t{1} << (row_[s] % 64);
        for (std::uint32_t a = first_arc_[s]; a < first_arc_[s + 1]; ++a) {
            const std::uint64_t* const other = table_.data() + row_[arcs_[a]] * words_;
            for (std::size_t w = 0; w < words_; ++w) row[w] |= other[w];
        }
    }
    first_arc_ = {};
    arcs_ = {};
}

Result<Reachability> Reachability::build(const Mesh& mesh) noexcept try {
    Reachability made;
    made.find_components(mesh);
    made.find_boxes(mesh);
    if (mesh.directed()) made.find_strong(mesh);
    return made;
} catch (...) {
    return out_of_memory();
}

namespace {

/// Calls use(polygon) for the polygons that open links join to another, in either direction.
template <class Use>
void for_each_joined(const Mesh& mesh, Polygon polygon, Use&& use) {
    for (const Link link : mesh.links(polygon)) {
        if (mesh.open(link) || mesh.open(twin(link))) use(mesh.polygon_of(twin(link)));
    }
}

/// Whether open links connect all polygons of a list. Gives up, with false, after so many visits.
bool are_connected(const Mesh& mesh, std::span<const Polygon> polygons) {
    constexpr std::size_t kMostVisits = 4'096;
    if (polygons.size() < 2) return true;
    std::vector<bool> wanted(mesh.num_polygons());
    for (const Polygon p : polygons) wanted[p] = true;
    std::size_t missing = static_cast<std::size_t>(std::count(wanted.begin(), wanted.end(), true));
    std::vector<bool> seen(mesh.num_polygons());
    std::vector<Polygon> queue{polygons[0]};  // breadth first: ways around are short
    seen[polygons[0]] = true;
    for (std::size_t next = 0; next < queue.size() && next < kMostVisits; ++next) {
        const Polygon p = queue[next];
        if (wanted[p] && --missing == 0) return true;
        for_each_joined(mesh, p, [&](Polygon q) {
            if (seen[q]) return;
            seen[q] = true;
            queue.push_back(q);
        });
    }
    return false;
}

}  // namespace

// False if more changes than the polygons and the size of the largest component. Then the object is
// of no use.
bool Reachability::update(const Mesh& before, const Mesh& after, std::span<const Polygon> touched) {
    const std::uint32_t most = largest();
    if (most == kNone || !strong_.empty() || before.directed() || after.directed()) return false;
    component_.resize(after.num_polygons(), kNone);
    std::vector<Polygon> around;  // removed polygons; all are open
    std::vector<Polygon> open;
    for (const Polygon p : touched) {
        if (!after.blocked(p)) {
            open.push_back(p);
        } else if (component_[p] != kNone) {
            if (component_[p] != most || first_[most] == p) return false;
            component_[p] = kNone;
            --sizes_[most];
            for_each_joined(before, p, [&](Polygon q) {
                if (!after.blocked(q)) around.push_back(q);
            });
        }
    }
    // From the component to those that were blocked and border on it.
    std::vector<Polygon> reached;
    const auto reach = [&](Polygon p) {
        component_[p] = most;
        ++sizes_[most];
        reached.push_back(p);
    };
    const auto borders_on_it = [&](Polygon p) {
        bool borders = false;
        for_each_joined(after, p, [&](Polygon q) { borders |= component_[q] == most; });
        return borders;
    };
    for (const Polygon p : open) {
        if (component_[p] == kNone && borders_on_it(p)) reach(p);
        while (!reached.empty()) {
            const Polygon from = reached.back();
            reached.pop_back();
            for_each_joined(after, from, [&](Polygon q) {
                if (component_[q] == kNone) reach(q);
            });
        }
    }
    for (const Polygon p : open) {
        bool same = component_[p] == most && p >= first_[most];
        for_each_joined(after, p, [&](Polygon q) { same &= component_[q] == most; });
        if (!same) return false;
    }
    return largest() == most && are_connected(after, around);
}

Result<Reachability> Reachability::changed(const Mesh& before, const Mesh& after,
                                           std::span<const Polygon> touched) const noexcept try {
    Reachability made = *this;
    if (made.update(before, after, touched)) return made;
    return build(after);
} catch (...) {
    return out_of_memory();
}

bool Reachability::reaches_along(std::uint32_t from, std::uint32_t to) const noexcept {
    if (from == to) return true;
    if (from < to || row_[from] == kNone || row_[to] == kNone) return false;
    if (table_.empty()) return search(from, to);
    return (table_[row_[from] * words_ + row_[to] / 64] >> (row_[to] % 64) & 1) != 0;
}

// Arcs lead to lower numbers, so one pass from `from` down to `to` sees each component after all
// that lead to it.
bool Reachability::search(std::uint32_t from, std::uint32_t to) const noexcept {
    const std::scoped_lock lock(scratch_->mutex);
    std::vector<std::uint64_t>& reached = scratch_->reached;
    const auto bit = [](std::uint32_t s) { return std::uint64_t{1} << (s % 64); };
    std::fill(reached.begin() + to / 64, reached.begin() + from / 64 + 1, 0);
    reached[from / 64] |= bit(from);
    for (std::uint32_t s = from; s > to; --s) {
        if ((reached[s / 64] & bit(s)) == 0) continue;
        for (std::uint32_t a = first_arc_[s]; a < first_arc_[s + 1]; ++a) {
            if (arcs_[a] >= to) reached[arcs_[a] / 64] |= bit(arcs_[a]);
        }
    }
    return (reached[to / 64] & bit(to)) != 0;
}

std::uint32_t Reachability::largest() const noexcept {
    if (sizes_.empty()) return kNone;
    const auto most = std::max_element(sizes_.begin(), sizes_.end());
    return static_cast<std::uint32_t>(most - sizes_.begin());
}

std::size_t Reachability::bytes() const noexcept {
    return sizeof *this +
           memory_of(component_, sizes_, first_, strong_, first_arc_, arcs_, row_, boxes_, table_);
}

}  // namespace cairn::mesh
