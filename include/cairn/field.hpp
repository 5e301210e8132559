#pragma once
// The members of an options or query struct as a table: name, type, range, choices and help. Each
// struct has one, T::fields(). Range checks, the settings of AnyIndex and AnyQuery, the options and
// help of the command line, and language bindings are made from it.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "cairn/status.hpp"

namespace cairn {

/// The type of a member's values.
enum class FieldType : std::uint8_t {
    flag,     ///< 0 or 1; as text also true, false, on, off
    integer,  ///< a whole number
    number,   ///< any finite number
    bytes,    ///< a whole number; as text it may end in k, M or G (times 1024, 1024^2, 1024^3)
    choice,   ///< one of `choices`
};

/// An enumerator of a member that is an enum.
struct Choice {
    std::string_view name;  ///< as users write it, such as "by-width"
    int value = 0;          ///< its number
};

/// One member of a struct. Values are passed as double, a choice as the number of its enumerator.
/// That is exact except for integers above 2^53, which are rounded: they mean "no limit".
struct Field {
    std::string_view name;  ///< the member's name: "cluster_size"
    FieldType type = FieldType::flag;
    double least = 0;                      ///< inclusive; 0 for flags, unused for choices
    double most = 0;                       ///< inclusive; 1 for flags, unused for choices
    std::span<const Choice> choices;       ///< only of FieldType::choice
    std::string_view help;                 ///< one line, without a full stop
    double (*usual)() noexcept = nullptr;  ///< the default value
    /// Reads and writes the member. `object` points to the struct that has the member. `set` does
    /// not check the range, but an integer becomes one that its type can hold.
    double (*get)(const void* object) noexcept = nullptr;
    void (*set)(void* object, double value) noexcept = nullptr;
};

/// A value for the field of that name, as a user writes it: {"cluster_size", "16"}.
struct Setting {
    std::string_view name;
    std::string_view value;
};
using Settings = std::span<const Setting>;

/// The field of that name; null if there is none. O(fields). Thread-safe.
[[nodiscard]] const Field* find_field(std::span<const Field> fields,
                                      std::string_view name) noexcept;

/// A value as text: "16", "true", "by-width". A flag or choice that does not exist is written as
/// its number. `parse` reads the text of a value in the field's range as the same value.
/// Thread-safe.
[[nodiscard]] std::string text(const Field& field, double value);

/// The range or the choices of a field: "2 to 64", "at least 2", "by-width, middle or every".
/// Thread-safe.
[[nodiscard]] std::string range_text(const Field& field);

/// The value that `text` says. Errors: bad_option (not of the field's type, or out of range), with
/// the field's name, the text, the range, and a choice that resembles the text. Thread-safe.
[[nodiscard]] Result<double> parse(const Field& field, std::string_view text) noexcept;

/// "; did you mean 'path'?" for the word "pth": the end of a message about a word that is not among
/// `known`, with the nearest of them by edit distance; empty if none is near. Of several the first.
/// O(length of the word x length of all words). Thread-safe.
[[nodiscard]] std::string suggestion(std::string_view word,
                                     std::span<const std::string_view> known);

namespace detail {

[[nodiscard]] Status check_fields(std::span<const Field> fields, const void* object) noexcept;
[[nodiscard]] Status apply_settings(Settings settings, std::span<const Field> fields,
                                    void* object) noexcept;

}  // namespace detail

/// Checks that every member is in its range. Errors: bad_option, with the first member that is not.
/// O(fields). Thread-safe.
template <class T>
[[nodiscard]] Status check_fields(const T& object) noexcept {
    return detail::check_fields(T::fields(), &object);
}

/// Sets members by name; of two settings of one name, the later counts. Errors: bad_option (no such
/// field, or as `parse`). The settings before the faulty one have then been applied. Thread-safe.
template <class T>
[[nodiscard]] Status apply_settings(Settings settings, T& object) noexcept {
    return detail::apply_settings(settings, T::fields(), &object);
}

}  // namespace cairn
