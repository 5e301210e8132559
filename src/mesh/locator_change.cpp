// A locator after a change of its mesh: the buckets of polygons that came or went are made again,
// the others copied.

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "cairn/mesh/locator.hpp"
#include "mesh/locator_data.hpp"
#include "mesh/polygon_buckets.hpp"

namespace cairn::mesh {
namespace {

class BucketChange {
public:
    BucketChange(const LocatorData& buckets, const MeshTopology& before, const MeshTopology& after)
        : old_(buckets), before_(before), after_(after) {
        now_.x = old_.x;
        now_.z = old_.z;
        now_.built_for = old_.built_for;
        now_.beyond = old_.beyond;
    }

    [[nodiscard]] LocatorData make() {
        if (!find_touched() || outgrown()) return make_buckets(after_);
        copy();
        return too_many(now_.polygons.size()) ? make_buckets(after_) : std::move(now_);
    }

private:
    using Entry = std::pair<std::uint32_t, Polygon>;  // bucket, polygon

    // False if there are more than the mesh may have.
    bool find_touched() {
        const auto note = [](std::vector<Entry>& entries, PolygonBuckets& in, Polygon p) {
            in.visit(p, [&](std::size_t first, std::size_t last) {
                for (std::size_t i = first; i < last; ++i)
                    entries.emplace_back(static_cast<std::uint32_t>(i), p);
            });
        };
        PolygonBuckets then(before_, old_.x, old_.z);
        for (Polygon p = 0; p < before_.num_polygons(); ++p) {
            if (after_.is_gone(p) && !before_.is_gone(p)) note(removed_, then, p);
        }
        PolygonBuckets now(after_, old_.x, old_.z);
        for (Polygon p = before_.num_polygons(); p < after_.num_polygons(); ++p) {
            note(added_, now, p);
            if (lies_beyond(p)) ++now_.beyond;
            if (too_many(added_.size())) return false;
        }
        std::sort(removed_.begin(), removed_.end());
        std::sort(added_.begin(), added_.end());
        return true;
    }

    [[nodiscard]] bool lies_beyond(Polygon p) const {
        if (after_.num_corners(p) < 3) return false;
        const auto first = after_.corners.begin() + after_.first_corner[p];
        return std::any_of(first, first + after_.num_corners(p), [&](std::uint32_t corner) {
            const Point& point = after_.vertices[corner];
            return !old_.x.covers(double{point.x}) || !old_.z.covers(double{point.z});
        });
    }

    // Whether buckets of this size no longer suit the mesh.
    [[nodiscard]] bool outgrown() const {
        const std::size_t polygons = num_with_area(after_);
        return polygons > 2 * now_.built_for || 2 * polygons < now_.built_for ||
               8 * now_.beyond > polygons;
    }
    [[nodiscard]] bool too_many(std::size_t entries) const {
        return old_.num_buckets() > 1 && entries > LocatorData::kEntries * num_with_area(after_);
    }

    void copy() {
        now_.first.clear();
        now_.first.reserve(old_.first.size());
        now_.polygons.reserve(old_.polygons.size() + added_.size() - removed_.size());
        auto gone = removed_.cbegin();
        auto added = added_.cbegin();
        std::size_t bucket = 0;
        while (gone != removed_.cend() || added != added_.cend()) {
            const std::size_t next = std::min(gone == removed_.cend() ? kNone : gone->first,
                                              added == added_.cend() ? kNone : added->first);
            copy(bucket, next);
            now_.first.push_back(static_cast<std::uint32_t>(now_.polygons.size()));
            for (std::uint32_t i = old_.first[next]; i < old_.first[next + 1]; ++i) {
                const bool stays = gone == removed_.cend() || gone->first != next ||
                                   gone->second != old_.polygons[i];
                if (stays) {
                    now_.polygons.push_back(old_.polygons[i]);
                } else {
                    ++gone;
                }
            }
            for (; added != added_.cend() && added->first == next; ++added)
                now_.polygons.push_back(added->second);
            bucket = next + 1;
        }
        copy(bucket, old_.num_buckets());
        now_.first.push_back(static_cast<std::uint32_t>(now_.polygons.size()));
    }

    // The buckets from `begin` up to, not including, `end`, as they were.
    void copy(std::size_t begin, std::size_t end) {
        const auto shift = static_cast<std::uint32_t>(now_.polygons.size()) - old_.first[begin];
        for (std::size_t i = begin; i < end; ++i) now_.first.push_back(old_.first[i] + shift);
        now_.polygons.insert(now_.polygons.end(), old_.polygons.begin() + old_.first[begin],
                             old_.polygons.begin() + old_.first[end]);
    }

    const LocatorData& old_;
    const MeshTopology& before_;
    const MeshTopology& after_;
    std::vector<Entry> removed_;
    std::vector<Entry> added_;
    LocatorData now_;
};

}  // namespace

Locator Locator::changed(const Mesh& before, const Mesh& after) const {
    Locator result;
    result.data_ = std::make_shared<const LocatorData>(
        BucketChange(*data_, *before.data().topology, *after.data().topology).make());
    return result;
}

}  // namespace cairn::mesh
