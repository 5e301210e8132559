#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "cairn/mesh/locator.hpp"
#include "mesh/locator_data.hpp"
#include "mesh/polygon_buckets.hpp"

namespace cairn::mesh {
namespace {

BucketAxis make_axis(const Interval& extent, double buckets) {
    BucketAxis axis;
    axis.low = extent.low;
    axis.count = static_cast<std::int32_t>(std::floor(std::max(buckets, 1.0)));
    axis.width = (extent.high - extent.low) / axis.count;
    axis.per_unit = axis.count / (extent.high - extent.low);
    return axis;
}

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
            cut(buckets);
            if (count()) break;
        }
        fill();
        return std::move(data_);
    }

private:
    void cut(double buckets) {
        const double aspect = (x_.high - x_.low) / (z_.high - z_.low);
        data_.x = make_axis(x_, std::min(std::sqrt(buckets * aspect), buckets));
        data_.z = make_axis(z_, buckets / data_.x.count);
    }

    // False if there would be too many entries.
    bool count() {
        const std::size_t buckets =
            static_cast<std::size_t>(data_.x.count) * static_cast<std::size_t>(data_.z.count);
        data_.first.assign(buckets + 1, 0);
        const std::size_t most = LocatorData::kEntries * data_.built_for;
        std::size_t entries = 0;
        PolygonBuckets in(mesh_, data_.x, data_.z);
        for (Polygon p = 0; p < mesh_.num_polygons(); ++p) {
            in.visit(p, [&](std::size_t first, std::size_t last) {
                entries += last - first;
                if (buckets > 1 && entries > most) return;
                for (std::size_t i = first; i < last; ++i) ++data_.first[i];
            });
            if (buckets > 1 && entries > most) return false;
        }
        for (std::size_t i = 1; i <= buckets; ++i) data_.first[i] += data_.first[i - 1];
        return true;
    }

    // `first` holds where each bucket ends; afterwards, where it begins.
    void fill() {
        data_.polygons.resize(data_.first.back());
        PolygonBuckets in(mesh_, data_.x, data_.z);
        for (Polygon p = mesh_.num_polygons(); p-- > 0;) {
            in.visit(p, [&](std::size_t first, std::size_t last) {
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
    return mesh.num_polygons() - mesh.connections - mesh.gone;
}

LocatorData make_buckets(const MeshTopology& mesh) { return BucketFill(mesh).build(); }

Locator::Locator(const Mesh& mesh)
    : data_(std::make_shared<const LocatorData>(make_buckets(*mesh.data().topology))) {}

}  // namespace cairn::mesh
