#include "cairn/mesh/locator.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "core/guarded.hpp"
#include "core/memory.hpp"
#include "mesh/locator_data.hpp"
#include "mesh/nearest_polygon.hpp"
#include "mesh/surface.hpp"

namespace cairn::mesh {

namespace {

struct Interval {
    double low = std::numeric_limits<double>::infinity();
    double high = -std::numeric_limits<double>::infinity();

    void add(double value) noexcept {
        low = std::min(low, value);
        high = std::max(high, value);
    }
    // 1 if it is a point, as only odd polygons are.
    [[nodiscard]] double length() const noexcept { return high > low ? high - low : 1; }
};

// Finds the buckets that hold a part of a polygon: in each row, those from a first to a last
// column. The outermost buckets extend without end.
class PolygonBuckets {
public:
    PolygonBuckets(const MeshTopology& mesh, const BucketAxis& x, const BucketAxis& z)
        : mesh_(mesh), x_(x), z_(z), columns_(static_cast<std::size_t>(z.count)) {}

    // Calls use(first, last) for each row with the buckets from first up to, not including, last.
    template <class Use>
    void visit(Polygon polygon, Use&& use) {
        if (mesh_.num_corners(polygon) < 3) return;
        Interval rows;
        const std::uint32_t begin = mesh_.first_corner[polygon];
        const std::uint32_t end = mesh_.first_corner[polygon + 1];
        Point a = corner(end - 1);
        for (std::uint32_t i = begin; i < end; ++i) {
            const Point b = corner(i);
            add_edge(a, b);
            rows.add(double{b.z});
            a = b;
        }
        const double slack = BucketAxis::kSlack * x_.width;
        const auto width = static_cast<std::size_t>(x_.count);
        for (std::int32_t row = row_of(rows.low, -1); row <= row_of(rows.high, 1); ++row) {
            Interval& columns = columns_[static_cast<std::size_t>(row)];
            const std::size_t base = static_cast<std::size_t>(row) * width;
            const auto first = static_cast<std::size_t>(x_.at(columns.low - slack));
            const auto last = static_cast<std::size_t>(x_.at(columns.high + slack));
            if (columns.low <= columns.high) use(base + first, base + last + 1);
            columns = {};
        }
    }

private:
    // Extends the columns of each row that an edge crosses.
    void add_edge(const Point& a, const Point& b) {
        constexpr double kInfinite = std::numeric_limits<double>::infinity();
        const bool falling = a.z > b.z;
        const Vector low = (falling ? b : a) - Point{};
        const Vector high = (falling ? a : b) - Point{};
        const double slope = high.z > low.z ? (high.x - low.x) / (high.z - low.z) : 0;
        const double slack = BucketAxis::kSlack * z_.width;
        for (std::int32_t row = row_of(low.z, -1); row <= row_of(high.z, 1); ++row) {
            const double bottom = row == 0 ? -kInfinite : z_.low + z_.width * row - slack;
            const double top =
                row + 1 == z_.count ? kInfinite : z_.low + z_.width * (row + 1) + slack;
            Interval& columns = columns_[static_cast<std::size_t>(row)];
            columns.add(bottom > low.z ? low.x + (bottom - low.z) * slope : low.x);
            columns.add(top < high.z ? low.x + (top - low.z) * slope : high.x);
        }
    }

    [[nodiscard]] std::int32_t row_of(double z, int slacks) const noexcept {
        return z_.at(z + slacks * BucketAxis::kSlack * z_.width);
    }
    [[nodiscard]] Point corner(std::uint32_t i) const noexcept {
        return mesh_.vertices[mesh_.corners[i]];
    }

    const MeshTopology& mesh_;
    const BucketAxis& x_;
    const BucketAxis& z_;
    std::vector<Interval> columns_;  // per row: the x of the polygon; empty between polygons
};

// An axis over `extent` with about `buckets` buckets, at least one.
BucketAxis make_axis(const Interval& extent, double buckets) {
    BucketAxis axis;
    axis.low = extent.low;
    axis.count = static_cast<std::int32_t>(std::floor(std::max(buckets, 1.0)));
    axis.width = extent.length() / axis.count;
    axis.per_unit = axis.count / extent.length();
    return axis;
}

// Adds the heights of the polygons that have none yet.
void add_heights(const MeshTopology& mesh, std::vector<Heights>& heights) {
    for (auto p = static_cast<Polygon>(heights.size()); p < mesh.num_polygons(); ++p) {
        Interval y;
        for (std::uint32_t i = mesh.first_corner[p]; i < mesh.first_corner[p + 1]; ++i)
            y.add(double{mesh.vertices[mesh.corners[i]].y});
        const bool area = mesh.num_corners(p) >= 3;
        heights.push_back(area ? Heights{static_cast<float>(y.low), static_cast<float>(y.high)}
                               : Heights{});
    }
}

// Makes the buckets of a mesh.
class BucketFill {
public:
    explicit BucketFill(const MeshTopology& mesh) : mesh_(mesh) {
        data_.built_for = num_with_area(mesh);
        for (Polygon p = 0; p < mesh.num_polygons(); ++p) {
            if (mesh.num_corners(p) < 3) continue;
            for (std::uint32_t i = mesh.first_corner[p]; i < mesh.first_corner[p + 1]; ++i) {
                const Point& corner = mesh.vertices[mesh.corners[i]];
                x_.add(double{corner.x});
                z_.add(double{corner.z});
            }
        }
    }

    [[nodiscard]] LocatorData build() {
        if (data_.built_for == 0) return {};
        for (double buckets = LocatorData::kBuckets * static_cast<double>(data_.built_for);;
             buckets /= 4) {
            set_axes(buckets);
            if (count()) break;
        }
        fill();
        data_.heights.reserve(mesh_.num_polygons());
        add_heights(mesh_, data_.heights);
        return std::move(data_);
    }

private:
    // Makes at most `buckets` buckets, about as wide as high.
    void set_axes(double buckets) {
        const double aspect = x_.length() / z_.length();
        data_.x = make_axis(x_, std::min(std::sqrt(buckets * aspect), buckets));
        data_.z = make_axis(z_, buckets / data_.x.count);
    }

    // Sets data_.first to where each bucket will end. False if there are too many entries.
    bool count() {
        const std::size_t buckets =
            static_cast<std::size_t>(data_.x.count) * static_cast<std::size_t>(data_.z.count);
        data_.first.assign(buckets + 1, 0);
        const std::size_t most = LocatorData::kEntries * data_.built_for;
        std::size_t entries = 0;
        PolygonBuckets finder(mesh_, data_.x, data_.z);
        for (Polygon p = 0; p < mesh_.num_polygons(); ++p) {
            finder.visit(p, [&](std::size_t first, std::size_t last) {
                entries += last - first;
                if (buckets > 1 && entries > most) return;
                for (std::size_t i = first; i < last; ++i) ++data_.first[i];
            });
            if (buckets > 1 && entries > most) return false;
        }
        for (std::size_t i = 1; i <= buckets; ++i) data_.first[i] += data_.first[i - 1];
        return true;
    }

    // Fills the buckets from their ends. Afterwards data_.first holds where each bucket begins.
    void fill() {
        data_.polygons.resize(data_.first.back());
        PolygonBuckets finder(mesh_, data_.x, data_.z);
        for (Polygon p = mesh_.num_polygons(); p-- > 0;) {
            finder.visit(p, [&](std::size_t first, std::size_t last) {
                for (std::size_t i = first; i < last; ++i) data_.polygons[--data_.first[i]] = p;
            });
        }
    }

    const MeshTopology& mesh_;
    Interval x_;
    Interval z_;
    LocatorData data_;
};

}  // namespace

std::size_t num_with_area(const MeshTopology& mesh) noexcept {
    return mesh.num_polygons() - mesh.connections - mesh.removed;
}

LocatorData make_buckets(const MeshTopology& mesh) { return BucketFill(mesh).build(); }

Result<Locator> Locator::create(const Mesh& mesh) noexcept try {
    Locator locator;
    locator.data_ = std::make_shared<const LocatorData>(make_buckets(*mesh.data().topology));
    return locator;
} catch (...) {
    return out_of_memory();
}

namespace {

// Makes the buckets after a change of the mesh by copying those that it does not touch.
class BucketChange {
public:
    BucketChange(const LocatorData& buckets, const MeshTopology& before, const MeshTopology& after)
        : old_(buckets), before_(before), after_(after) {
        result_.x = old_.x;
        result_.z = old_.z;
        result_.built_for = old_.built_for;
        result_.beyond = old_.beyond;
    }

    [[nodiscard]] LocatorData make() {
        if (!find_touched() || outgrown()) return make_buckets(after_);
        copy();
        if (too_many(result_.polygons.size())) return make_buckets(after_);
        result_.heights.reserve(after_.num_polygons());
        result_.heights = old_.heights;
        add_heights(after_, result_.heights);
        return std::move(result_);
    }

private:
    using Entry = std::pair<std::uint32_t, Polygon>;  // bucket, polygon

    // Finds the entries of removed and added polygons. False if too many are added.
    bool find_touched() {
        const auto add = [](std::vector<Entry>& entries, PolygonBuckets& finder, Polygon p) {
            finder.visit(p, [&](std::size_t first, std::size_t last) {
                for (std::size_t i = first; i < last; ++i)
                    entries.emplace_back(static_cast<std::uint32_t>(i), p);
            });
        };
        PolygonBuckets buckets_before(before_, old_.x, old_.z);
        for (Polygon p = 0; p < before_.num_polygons(); ++p) {
            if (after_.is_removed(p) && !before_.is_removed(p)) add(removed_, buckets_before, p);
        }
        PolygonBuckets buckets_after(after_, old_.x, old_.z);
        for (Polygon p = before_.num_polygons(); p < after_.num_polygons(); ++p) {
            add(added_, buckets_after, p);
            if (lies_beyond(p)) ++result_.beyond;
            if (too_many(added_.size())) return false;
        }
        std::sort(removed_.begin(), removed_.end());
        std::sort(added_.begin(), added_.end());
        return true;
    }

    // Whether a polygon lies partly beyond the axes.
    [[nodiscard]] bool lies_beyond(Polygon p) const {
        if (after_.num_corners(p) < 3) return false;
        const auto first = after_.corners.begin() + after_.first_corner[p];
        return std::any_of(first, first + after_.num_corners(p), [&](std::uint32_t corner) {
            const Point& point = after_.vertices[corner];
            return !old_.x.covers(double{point.x}) || !old_.z.covers(double{point.z});
        });
    }

    // Whether the mesh needs other buckets: it has twice or half as many polygons as they were made
    // for, or more than an eighth of them lie beyond the axes.
    [[nodiscard]] bool outgrown() const {
        const std::size_t polygons = num_with_area(after_);
        return polygons > 2 * result_.built_for || 2 * polygons < result_.built_for ||
               8 * result_.beyond > polygons;
    }
    [[nodiscard]] bool too_many(std::size_t entries) const {
        return old_.num_buckets() > 1 && entries > LocatorData::kEntries * num_with_area(after_);
    }

    // Copies the old entries without those removed, and adds the added ones.
    void copy() {
        result_.first.resize(old_.first.size());
        result_.polygons.reserve(old_.polygons.size() + added_.size() - removed_.size());
        auto dropped = removed_.cbegin();
        auto added = added_.cbegin();
        std::size_t bucket = 0;
        while (dropped != removed_.cend() || added != added_.cend()) {
            const std::size_t next = std::min(dropped == removed_.cend() ? kNone : dropped->first,
                                              added == added_.cend() ? kNone : added->first);
            copy(bucket, next);
            for (std::uint32_t i = old_.first[next]; i < old_.first[next + 1]; ++i) {
                const bool stays = dropped == removed_.cend() || dropped->first != next ||
                                   dropped->second != old_.polygons[i];
                if (stays) {
                    result_.polygons.push_back(old_.polygons[i]);
                } else {
                    ++dropped;
                }
            }
            for (; added != added_.cend() && added->first == next; ++added)
                result_.polygons.push_back(added->second);
            bucket = next + 1;
        }
        copy(bucket, old_.num_buckets());
    }

    // Copies the buckets from `begin` up to, not including, `end`, and sets where `end` begins.
    void copy(std::size_t begin, std::size_t end) {
        const auto shift = static_cast<std::uint32_t>(result_.polygons.size()) - old_.first[begin];
        for (std::size_t i = begin; i <= end; ++i) result_.first[i] = old_.first[i] + shift;
        result_.polygons.insert(result_.polygons.end(), old_.polygons.begin() + old_.first[begin],
                                old_.polygons.begin() + old_.first[end]);
    }

    const LocatorData& old_;
    const MeshTopology& before_;
    const MeshTopology& after_;
    std::vector<Entry> removed_;
    std::vector<Entry> added_;
    LocatorData result_;
};

}  // namespace

Result<Locator> Locator::changed(const Mesh& before, const Mesh& after) const noexcept try {
    if (data_ == nullptr) return create(after);
    Locator result;
    result.data_ = std::make_shared<const LocatorData>(
        BucketChange(*data_, *before.data().topology, *after.data().topology).make());
    return result;
} catch (...) {
    return out_of_memory();
}

Polygon Locator::find(const Mesh& mesh, const Point& point,
                      double height_tolerance) const noexcept {
    if (data_ == nullptr || !finite(point) || !(height_tolerance >= 0)) return kNone;
    const MeshData& data = mesh.data();
    const auto polygons = data_->bucket(data_->x.at(double{point.x}), data_->z.at(double{point.z}));
    const auto height_off_of = [&](Polygon polygon) {
        return std::abs(height_inside(data, polygon, point) - double{point.y});
    };
    // Heights are computed only where they matter: mostly there is just one polygon.
    Polygon best = kNone;
    double least = -1;  // the height difference of `best`; -1 if it is not computed yet
    for (const Polygon polygon : polygons) {
        if (!contains(data, polygon, point)) continue;
        if (best == kNone && std::isinf(height_tolerance)) {
            best = polygon;
            continue;
        }
        if (best != kNone && least < 0) least = height_off_of(best);
        const double height_off = height_off_of(polygon);
        if (best == kNone ? height_off > height_tolerance : height_off >= least) continue;
        best = polygon;
        least = height_off;
    }
    return best;
}

std::optional<Nearest> Locator::nearest(const Mesh& mesh, const Point& point,
                                        double radius) const noexcept {
    if (data_ == nullptr) return std::nullopt;
    return nearest_polygon(*data_, all_buckets(*data_), mesh.data(), point, radius,
                           [&mesh](Polygon p) { return !mesh.blocked(p); });
}

std::optional<Nearest> Locator::nearest(const Mesh& mesh, const Point& point, double radius,
                                        std::span<const std::uint32_t> component,
                                        std::uint32_t wanted) const noexcept {
    if (data_ == nullptr) return std::nullopt;
    return nearest_polygon(*data_, all_buckets(*data_), mesh.data(), point, radius,
                           [&](Polygon p) { return component[p] == wanted && !mesh.blocked(p); });
}

std::size_t Locator::bytes() const noexcept {
    return data_ == nullptr
               ? 0
               : sizeof *data_ + memory_of(data_->first, data_->polygons, data_->heights);
}

float height(const Mesh& mesh, Polygon polygon, const Point& point) noexcept {
    if (!contains(mesh.data(), polygon, point))
        return nearest_on_border(mesh.data(), polygon, point).y;
    return static_cast<float>(height_inside(mesh.data(), polygon, point));
}

}  // namespace cairn::mesh
