#pragma once
// What the handles of cairn.h hold, and how its functions check arguments and report errors.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "cairn.h"
#include "cairn/any.hpp"
#include "cairn/parts.hpp"
#include "cairn/threads.hpp"
#include "core/guarded.hpp"
#if CAIRN_HAS_MESH
#include "cairn/mesh/mesh_image.hpp"
#endif
#if CAIRN_HAS_WORLD
#include "cairn/any_world.hpp"
#endif

// A function whose part is not built leaves its arguments alone.
#pragma GCC diagnostic ignored "-Wunused-parameter"

namespace cairn::c {

/// Where a map lies in the world.
struct Position {
    double resolution = 0;
    double x = 0;
    double y = 0;
    double yaw = 0;
};

/// A query, and the same query with the least detail that tells whether there is a path.
struct Queries {
    AnyQuery full;
    AnyQuery reachable;
};

using Places = std::vector<AnyPlace>;

}  // namespace cairn::c

struct cairn_cancel {
    std::shared_ptr<cairn::CancelFlag> flag;
};

struct cairn_map {
    cairn::AnyMap map;
    std::optional<cairn::c::Position> position = std::nullopt;
};

struct cairn_index {
    cairn::AnyIndex index;
    cairn::c::Queries usual;  // the default query
};

struct cairn_query {
    cairn::c::Queries queries;
    // What the query points to:
    std::shared_ptr<cairn::CancelFlag> cancel = nullptr;
    std::shared_ptr<const std::vector<cairn::grid::Cell>> blocked = nullptr;
};

struct cairn_world {
#if CAIRN_HAS_WORLD
    std::shared_ptr<cairn::AnyWorld> world;
    cairn::c::Queries usual;
#endif
};

struct cairn_answer {
    cairn::AnyAnswer answer;
};

struct cairn_paths {
#if CAIRN_HAS_WORLD
    cairn::AnyReplanned result;  // `routes` only of cairn_replan
    bool replanned = false;
#elif CAIRN_HAS_BATCH
    struct {
        std::vector<std::uint32_t> routes;
        cairn::AnyPaths paths;
    } result;
    bool replanned = false;
#endif
};

struct cairn_bytes {
    std::string bytes;
};

namespace cairn::c {

/// Keeps the message of a call that failed, for the thread.
cairn_status report(StatusCode code, std::string_view message = {}) noexcept;
inline cairn_status report(const Status& status) noexcept {
    return report(status.code, status.message);
}

[[nodiscard]] inline Status null_argument() {
    return {StatusCode::bad_option, "a pointer is null that must not be"};
}
/// The error of a call whose part is not built.
[[nodiscard]] inline Status not_built(const char* part) {
    return {StatusCode::unsupported, std::string("this library is built without ") + part};
}

/// Reports the Status or StatusCode of work(); bad_option if one of the pointers is null.
template <class Work, class... Needed>
cairn_status call(Work&& work, const Needed*... needed) noexcept {
    const bool missing = ((needed == nullptr) || ... || false);
    if (missing) return report(guarded([] { return null_argument(); }));
    return report(guarded(work));
}

/// Sets *out to a new handle of these members, if they were made.
template <class Handle>
[[nodiscard]] Status put(Result<Handle> made, Handle** out) {
    if (!made) return std::move(made.error());
    *out = new Handle{std::move(*made)};
    return {};
}

/// Sets *out to a new handle of the members that make() returns as a Result, or to null.
template <class Handle, class Make, class... Needed>
cairn_status make(Handle** out, Make&& make, const Needed*... needed) noexcept {
    if (out != nullptr) *out = nullptr;
    return call([&] { return put(make(), out); }, out, needed...);
}

/// The object that a call writes its results into: *out, made if there is none.
template <class Handle>
[[nodiscard]] Handle& reused(Handle** out) {
    if (*out == nullptr) *out = new Handle();
    return **out;
}

/// Weights from 256 numbers.
[[nodiscard]] inline grid::TerrainWeights weights_of(const std::uint8_t* weights) {
    grid::TerrainWeights out;
    std::copy_n(weights, out.weight.size(), out.weight.begin());
    return out;
}

#if CAIRN_HAS_HAA
/// Capabilities from 16 numbers each, as cairn_agents has them.
[[nodiscard]] std::vector<haa::Capability> capabilities_of(std::span<const std::uint8_t> costs);
#endif

/// The error of a struct that does not say its size, or is newer.
[[nodiscard]] inline Status wrong_size() {
    return {StatusCode::bad_option,
            "the member `size` of a struct is wrong, or a newer member is set: begin with "
            "CAIRN_INIT"};
}

/// Options as the caller has given them, with 0 for what the caller does not know.
template <class T>
class Given {
    static_assert(std::is_trivially_copyable_v<T>);

public:
    /// `given` may be null.
    explicit Given(const T* given) noexcept {
        if (given == nullptr) return;
        const std::uint32_t size = given->size;
        constexpr std::uint32_t kLargest = 4096;  // of any version to come
        valid_ = size >= sizeof size && size <= kLargest;
        if (!valid_) return;
        std::memcpy(&value_, given, std::min<std::size_t>(size, sizeof(T)));
        for (std::size_t i = sizeof(T); i < size; ++i)
            valid_ = valid_ && reinterpret_cast<const char*>(given)[i] == 0;
    }
    [[nodiscard]] bool valid() const noexcept { return valid_; }
    const T* operator->() const noexcept { return &value_; }

private:
    T value_{};
    bool valid_ = true;
};

/// Copies a result into the caller's struct, as much of it as the caller knows.
template <class T>
[[nodiscard]] Status give(T value, T* out) {
    const std::uint32_t size = out->size;
    if (size < sizeof size) return wrong_size();
    value.size = size;
    std::memcpy(out, &value, std::min<std::size_t>(size, sizeof(T)));
    return {};
}

/// A list of N numbers each, anywhere in memory.
template <class T, std::size_t N = 1>
class Strided {
public:
    Strided(const T* data, std::ptrdiff_t stride) noexcept
        : data_(reinterpret_cast<const char*>(data)), stride_(stride == 0 ? kPacked : stride) {}

    [[nodiscard]] explicit operator bool() const noexcept { return data_ != nullptr; }
    /// Writes element `i` to `out`.
    void read(std::size_t i, T (&out)[N]) const noexcept {
        std::memcpy(out, data_ + static_cast<std::ptrdiff_t>(i) * stride_, sizeof out);
    }
    /// The first element, if all can be read as an array of Struct; else null.
    template <class Struct>
    [[nodiscard]] const Struct* array() const noexcept {
        static_assert(sizeof(Struct) == sizeof(T[N]) && std::is_trivially_copyable_v<Struct>);
        const bool aligned = reinterpret_cast<std::uintptr_t>(data_) % alignof(Struct) == 0;
        return stride_ == kPacked && aligned ? reinterpret_cast<const Struct*>(data_) : nullptr;
    }

private:
    static constexpr auto kPacked = static_cast<std::ptrdiff_t>(sizeof(T[N]));

    const char* data_;
    std::ptrdiff_t stride_;
};

/// A coordinate as a mesh has it. Those beyond the type's range become infinite.
[[nodiscard]] inline float to_float(double value) noexcept {
    constexpr double kMost = std::numeric_limits<float>::max();
    if (std::abs(value) <= kMost || std::isnan(value)) return static_cast<float>(value);
    return std::copysign(std::numeric_limits<float>::infinity(), value < 0 ? -1.0F : 1.0F);
}

/// Named settings; bad_option if a name or value is null.
[[nodiscard]] Result<std::vector<Setting>> settings_of(const cairn_setting* settings,
                                                       std::size_t count);

/// A flag or a choice of 0 to `most`; bad_option if it is another number.
[[nodiscard]] Status check_choice(const char* name, std::int64_t value, std::int64_t most);

/// The name of a file in lower case from its last dot on; empty if it has none.
[[nodiscard]] std::string extension_of(std::string_view path);

/// BuildControl of a cairn_control, which must outlive it.
class Control {
public:
    explicit Control(const cairn_control* control) noexcept;
    Control(const Control&) = delete;
    Control& operator=(const Control&) = delete;

    [[nodiscard]] Status check() const;
    [[nodiscard]] const BuildControl& get() const noexcept { return build_; }

private:
    Given<cairn_control> given_;
    CancelFlag own_;
    JobSystem jobs_;
    BuildControl build_;
};

/// A value of a field as cairn.h has it: of a choice its position among the choices.
[[nodiscard]] double field_value(const Field& field, double value) noexcept;

/// The query and its variant for reachable. Errors: out_of_memory.
[[nodiscard]] Result<Queries> queries_of(const AnyQuery& query);
/// The handle of an index, with its default query. Errors: out_of_memory.
[[nodiscard]] Result<cairn_index> index_of(Result<AnyIndex> index);

/// The limits of a search that begins now. They refer to the flag of `given`.
[[nodiscard]] SearchLimits limits_of(const Given<cairn_limits>& given) noexcept;

/// Appends places to an empty list. Errors: bad_option.
[[nodiscard]] Status read_places(const cairn_places* places, Places& out);

/// Edits as the C++ interface takes them.
class Edits {
public:
    /// Errors: bad_option. `space`: of the planner.
    [[nodiscard]] Status read(const cairn_edits* edits, Space space);
    [[nodiscard]] AnyEdits get() const noexcept;

private:
    Space space_ = Space::grid;
    std::vector<grid::TerrainEdit> cells_;
#if CAIRN_HAS_MESH
    std::vector<mesh::PolygonEdit> polygons_;
#endif
};

/// The terrain bytes of a grid or of a map for agents; unsupported for a mesh.
[[nodiscard]] Result<grid::TerrainImage> image_of(const AnyMap& map);

/// The grid in a handle; unsupported for other kinds.
[[nodiscard]] Result<grid::Map> grid_of(const cairn_map& map);

#if CAIRN_HAS_MESH
/// The mesh in a handle; unsupported for other kinds.
[[nodiscard]] Result<mesh::Mesh> mesh_of(const cairn_map& map);

/// Appends edits of polygons to an empty list. Errors: bad_option.
[[nodiscard]] Status read_edits(std::span<const cairn_polygon_edit> edits,
                                std::vector<mesh::PolygonEdit>& out);

/// A change of a mesh as the C++ interface takes it. Refers to the list of removed polygons.
class MeshChange {
public:
    /// Errors: bad_option.
    [[nodiscard]] Status read(const cairn_mesh_change* change);
    [[nodiscard]] mesh::MeshChange get() const noexcept {
        return {removed_, added_.source(), edits_};
    }

private:
    std::span<const mesh::Polygon> removed_;
    mesh::MeshImage added_;
    std::vector<mesh::PolygonEdit> edits_;
};

/// A place on a mesh, from C and back.
[[nodiscard]] inline mesh::Place to_place(const cairn_place& place) noexcept {
    return {place.polygon, {to_float(place.x), to_float(place.y), to_float(place.z)}};
}
[[nodiscard]] inline cairn_place place_of(const mesh::Place& place) noexcept {
    return {place.point.x, place.point.y, place.point.z, place.polygon};
}
#endif

}  // namespace cairn::c
