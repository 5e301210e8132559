#include "cairn/mesh/reachability.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/guarded.hpp"
#include "core/memory.hpp"
#include "core/mutex.hpp"
#include "core/sort_unique.hpp"

namespace cairn::mesh {

struct Reachability::Scratch {
    Mutex mutex;
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
    sort_unique(arcs);
    return arcs;
}

constexpr Box kNoBox{Box::kInfinite, Box::kInfinite, -Box::kInfinite, -Box::kInfinite};

// Widens a box to hold a polygon.
void widen(const Mesh& mesh, Polygon p, Box& box) {
    for (const std::uint32_t corner : mesh.corners(p)) {
        const Point& point = mesh.vertices()[corner];
        box = {std::min(box.low_x, point.x), std::min(box.low_z, point.z),
               std::max(box.high_x, point.x), std::max(box.high_z, point.z)};
    }
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
    boxes_.assign(count(), kNoBox);
    const std::uint32_t most = largest();
    for (Polygon p = 0; p < mesh.num_polygons(); ++p) {
        if (component_[p] != kNone && component_[p] != most) widen(mesh, p, boxes_[component_[p]]);
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

/// How many polygons an update visits for a component.
constexpr std::size_t kMostVisits = 4'096;

/// Calls use(polygon) for the polygons that open links join to another, in either direction.
template <class Use>
void for_each_joined(const Mesh& mesh, Polygon polygon, Use&& use) {
    for (const Link link : mesh.links(polygon)) {
        if (mesh.open(link) || mesh.open(twin(link))) use(mesh.polygon_of(twin(link)));
    }
}

}  // namespace

// False if the largest component may be another or in pieces, or if much else changes. Then the
// object is of no use.
bool Reachability::update(const Mesh& before, const Mesh& after, std::span<const Polygon> touched) {
    const std::uint32_t most = largest();
    if (most == kNone || !strong_.empty() || before.directed() || after.directed()) return false;
    component_.resize(after.num_polygons(), kNone);
    std::vector<Polygon> around;  // removed polygons of the largest component; all are open
    std::vector<Polygon> loose;   // those that may need a new component
    for (const Polygon p : touched) {
        const std::uint32_t component = component_[p];
        if (component == kNone) {
            loose.push_back(p);
        } else if (component != most) {
            if (sizes_[component] > kMostVisits) return false;
            loosen(before, p, loose);
        } else if (after.blocked(p)) {
            component_[p] = kNone;
            --sizes_[most];
            for_each_joined(before, p, [&](Polygon q) {
                if (!after.blocked(q)) around.push_back(q);
            });
        }
    }
    const auto first_piece = static_cast<std::uint32_t>(sizes_.size());
    for (const Polygon p : loose) {
        if (component_[p] == kNone && !after.blocked(p) && !collect(after, p, most)) return false;
    }
    if (!cut_off(after, std::move(around), most) || sizes_[most] == 0) return false;
    return renumber(most, first_piece);
}

// Takes the component of a polygon, which is not the largest, away from all its polygons.
void Reachability::loosen(const Mesh& mesh, Polygon first, std::vector<Polygon>& loose) {
    const std::uint32_t component = component_[first];
    const auto take = [&](Polygon p) {
        if (component_[p] != component) return;
        component_[p] = kNone;
        loose.push_back(p);
    };
    sizes_[component] = 0;
    std::size_t next = loose.size();
    for (take(first); next < loose.size(); ++next) for_each_joined(mesh, loose[next], take);
}

// Puts a polygon that has no component, and all that it is connected to, into `most` if they are
// connected to it, else into a component of their own, numbered last. False if these are too many.
bool Reachability::collect(const Mesh& mesh, Polygon first, std::uint32_t most) {
    const auto piece = static_cast<std::uint32_t>(sizes_.size());
    std::vector<Polygon> members;
    bool of_most = false;
    const auto take = [&](Polygon p) {
        std::uint32_t& component = component_[p];
        of_most |= component == most;
        if (component == most || component == piece) return;
        if (component != kNone) --sizes_[component];
        component = piece;
        members.push_back(p);
    };
    take(first);
    for (std::size_t next = 0; next < members.size(); ++next) {
        if (members.size() > kMostVisits) return false;
        for_each_joined(mesh, members[next], take);
    }
    if (!of_most) {
        add_component(mesh, members);
        return true;
    }
    sizes_[most] += static_cast<std::uint32_t>(members.size());
    first_[most] = std::min(first_[most], *std::ranges::min_element(members));
    for (const Polygon p : members) component_[p] = most;
    return true;
}

// Makes components of the parts of `most` that are no longer connected to the rest of it. Each has
// one of the polygons `around`. False if these are too many polygons to tell.
bool Reachability::cut_off(const Mesh& mesh, std::vector<Polygon> around, std::uint32_t most) {
    constexpr std::uint32_t kOfMain = kNone - 1;
    sort_unique(around);
    std::size_t missing = around.size();
    std::vector<Polygon> main;  // visited polygons of the rest; they are marked by kOfMain
    for (const Polygon start : around) {
        if (component_[start] != most) continue;
        const auto piece = static_cast<std::uint32_t>(sizes_.size());
        std::vector<Polygon> found;  // breadth first: ways around are short
        bool of_main = false;
        const auto take = [&](Polygon p) {
            of_main |= component_[p] == kOfMain;
            if (component_[p] != most) return;
            component_[p] = piece;
            found.push_back(p);
            if (std::ranges::binary_search(around, p)) --missing;
        };
        take(start);
        std::size_t next = 0;
        while (next < found.size() && !of_main && (missing > 0 || !main.empty())) {
            if (found.size() > kMostVisits) break;
            for_each_joined(mesh, found[next++], take);
        }
        if (next == found.size() && !of_main) {
            sizes_[most] -= static_cast<std::uint32_t>(found.size());
            add_component(mesh, found);
            continue;
        }
        if (!of_main && !main.empty()) return false;
        for (const Polygon p : found) component_[p] = kOfMain;
        main.insert(main.end(), found.begin(), found.end());
    }
    for (const Polygon p : main) component_[p] = most;
    return true;
}

// Appends the size, the lowest polygon and the box of a new component.
void Reachability::add_component(const Mesh& mesh, std::span<const Polygon> polygons) {
    sizes_.push_back(static_cast<std::uint32_t>(polygons.size()));
    first_.push_back(*std::ranges::min_element(polygons));
    boxes_.push_back(kNoBox);
    for (const Polygon p : polygons) widen(mesh, p, boxes_.back());
}

// Numbers the components again in the order of their lowest polygon, without the empty ones. Those
// below `first_piece` were in this order before; `most` may have another lowest polygon than then.
// False if `most` is no longer the largest.
bool Reachability::renumber(std::uint32_t most, std::uint32_t first_piece) {
    if (component_[first_[most]] != most) {
        const auto first = std::ranges::find(component_, most);
        first_[most] = static_cast<Polygon>(first - component_.begin());
    }
    std::vector<std::uint32_t> order;  // the old numbers
    order.reserve(sizes_.size());
    const auto append = [&](std::uint32_t i) {
        if (sizes_[i] > 0) order.push_back(i);
    };
    for (std::uint32_t i = 0; i < first_piece; ++i) {
        if (i != most) append(i);
    }
    const auto ordered = static_cast<std::ptrdiff_t>(order.size());
    for (std::uint32_t i = first_piece; i < sizes_.size(); ++i) append(i);
    append(most);
    const auto lower = [this](std::uint32_t a, std::uint32_t b) { return first_[a] < first_[b]; };
    std::sort(order.begin() + ordered, order.end(), lower);
    std::inplace_merge(order.begin(), order.begin() + ordered, order.end(), lower);

    std::vector<std::uint32_t> number(sizes_.size(), kNone);
    for (std::uint32_t i = 0; i < order.size(); ++i) number[order[i]] = i;
    for (std::uint32_t& component : component_) {
        if (component != kNone) component = number[component];
    }
    const auto rearrange = [&order](auto& values) {
        auto old = std::exchange(values, {});
        values.reserve(order.size());
        for (const std::uint32_t i : order) values.push_back(old[i]);
    };
    rearrange(sizes_);
    rearrange(first_);
    rearrange(boxes_);
    return largest() == number[most];
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
    const ScopedLock lock(scratch_->mutex);
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
