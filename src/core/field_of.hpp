#pragma once
// Makes the fields of T::fields() tables (cairn/field.hpp) from pointers to members, as in
// `integer_field<&Options::levels>("levels", 1, 8, "...")`. A member of a member takes several
// pointers: `<&Query::limits, &SearchLimits::max_cost>`.

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <limits>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>

#include "cairn/control.hpp"
#include "cairn/field.hpp"

namespace cairn {

namespace detail {

/// The class that a pointer to member belongs to.
template <class Pointer>
struct OwnerOf;
template <class Owner, class Value>
struct OwnerOf<Value Owner::*> {
    using type = Owner;
};

/// Reads and writes, as a double, the member that a path of pointers to members leads to.
template <auto First, auto... Rest>
struct MemberPath {
    using Owner = typename OwnerOf<decltype(First)>::type;

    template <class Object>
    [[nodiscard]] static auto& at(Object& object) noexcept {
        // A fold over .*: object.*First, then .* each of Rest.
        return ((object.*First).*....*Rest);
    }
    using Value = std::remove_cvref_t<decltype(at(std::declval<Owner&>()))>;

    static double usual() noexcept {
        const Owner object{};
        return get(&object);
    }
    static double get(const void* object) noexcept {
        return static_cast<double>(at(*static_cast<const Owner*>(object)));
    }
    static void set(void* object, double value) noexcept {
        Value& member = at(*static_cast<Owner*>(object));
        if constexpr (std::integral<Value>) {
            // The largest 64-bit integer rounds up to a double that the type cannot hold.
            constexpr Value largest = std::numeric_limits<Value>::max();
            constexpr Value lowest = std::numeric_limits<Value>::lowest();
            const bool above = value > static_cast<double>(lowest);  // false for NaN
            member = value >= static_cast<double>(largest) ? largest
                     : above                               ? static_cast<Value>(value)
                                                           : lowest;
        } else if constexpr (std::is_enum_v<Value>) {
            member = static_cast<Value>(static_cast<int>(value));
        } else {
            member = static_cast<Value>(value);
        }
    }
};

template <auto... Members>
[[nodiscard]] constexpr Field field_of(std::string_view name, FieldType type, double least,
                                       double most, std::span<const Choice> choices,
                                       std::string_view help) {
    using Path = MemberPath<Members...>;
    return {name, type, least, most, choices, help, &Path::usual, &Path::get, &Path::set};
}

}  // namespace detail

template <auto... Members>
[[nodiscard]] constexpr Field flag_field(std::string_view name, std::string_view help) {
    return detail::field_of<Members...>(name, FieldType::flag, 0, 1, {}, help);
}
template <auto... Members>
[[nodiscard]] constexpr Field integer_field(std::string_view name, double least, double most,
                                            std::string_view help) {
    return detail::field_of<Members...>(name, FieldType::integer, least, most, {}, help);
}
template <auto... Members>
[[nodiscard]] constexpr Field number_field(std::string_view name, double least, double most,
                                           std::string_view help) {
    return detail::field_of<Members...>(name, FieldType::number, least, most, {}, help);
}
/// For bytes and other large counts. The range is 0 to the largest value of the member's type.
template <auto... Members>
[[nodiscard]] constexpr Field bytes_field(std::string_view name, std::string_view help) {
    using Value = typename detail::MemberPath<Members...>::Value;
    return detail::field_of<Members...>(name, FieldType::bytes, 0,
                                        static_cast<double>(std::numeric_limits<Value>::max()), {},
                                        help);
}
/// `choices` must outlive the field.
template <auto... Members>
[[nodiscard]] constexpr Field choice_field(std::string_view name, std::span<const Choice> choices,
                                           std::string_view help) {
    return detail::field_of<Members...>(name, FieldType::choice, 0, 0, choices, help);
}

/// A choice whose value is an enumerator.
template <class Enum>
[[nodiscard]] constexpr Choice choice(std::string_view name, Enum value) {
    return {name, static_cast<int>(value)};
}

/// The field of `Query::detail`, which every query has. `details` must outlive the field.
template <class Query>
[[nodiscard]] constexpr Field detail_field(
    std::span<const Choice> details, std::string_view help = "How much of the answer to compute") {
    return choice_field<&Query::detail>("detail", details, help);
}

/// The choices for `Query::engine`, of planners that search a graph of their index.
template <class Engine>
inline constexpr auto kEngines = [] {
    constexpr Choice automatic = choice("auto", Engine::automatic);
    constexpr Choice astar = choice("astar", Engine::astar);
    constexpr Choice labels = choice("labels", Engine::cut_labels);
    constexpr Choice climb = choice("climb", Engine::climb);
    if constexpr (requires { Engine::levels; }) {
        return std::array{automatic, astar, choice("levels", Engine::levels), labels, climb};
    } else {
        return std::array{automatic, astar, labels, climb};
    }
}();
template <class Query>
inline constexpr Field kEngineField =
    choice_field<&Query::engine>("engine", kEngines<decltype(Query::engine)>,
                                 "How the index's graph is searched; all give the same cost");
template <class Query>
inline constexpr Field kNearestField = flag_field<&Query::nearest_reachable>(
    "nearest_reachable", "If the goal cannot be reached, go as near as possible");

/// The fields of `Query::limits`, which every query has.
template <class Query>
inline constexpr std::array kLimitFields{
    integer_field<&Query::limits, &SearchLimits::max_cost>(
        "max_cost", 0, std::numeric_limits<std::uint32_t>::max(),
        "Highest cost that a path may have"),
    bytes_field<&Query::limits, &SearchLimits::max_expanded>(
        "max_expanded", "Most nodes to expand before giving up"),
    flag_field<&Query::limits, &SearchLimits::partial_path>(
        "partial_path", "If the search is stopped early, return the path as far as it is known"),
};

/// The fields of `Options::labels` and `Options::label_bytes`, of planners with cut labels.
template <class Options>
inline constexpr std::array kLabelFields{
    flag_field<&Options::labels>("labels", "Build cut labels, which answer fastest"),
    bytes_field<&Options::label_bytes>("label_bytes",
                                       "Most bytes for cut labels; 0: as many as suit the map"),
};

/// Concatenates tables.
template <std::size_t... Sizes>
[[nodiscard]] constexpr auto joined(const std::array<Field, Sizes>&... tables) {
    std::array<Field, (Sizes + ...)> out;
    auto at = out.begin();
    ((at = std::copy(tables.begin(), tables.end(), at)), ...);
    return out;
}

}  // namespace cairn
