// The planners of this library and their fields.

#include <cmath>

#include "handles.hpp"

namespace cairn::c {
namespace {

/// A field of a planner; null if there is none.
const Field* field_at(std::uint32_t planner, std::int32_t which, std::uint32_t field) noexcept {
    const auto all = planners();
    if (planner >= all.size()) return nullptr;
    const auto fields = which == CAIRN_OPTIONS ? all[planner].options : all[planner].query;
    const bool known = which == CAIRN_OPTIONS || which == CAIRN_QUERY;
    return known && field < fields.size() ? &fields[field] : nullptr;
}

Status no_planner_or_field() {
    return {StatusCode::bad_option, "there is no planner or field of that number"};
}

}  // namespace

static_assert(static_cast<int>(FieldType::flag) == CAIRN_FLAG);
static_assert(static_cast<int>(FieldType::integer) == CAIRN_INTEGER);
static_assert(static_cast<int>(FieldType::number) == CAIRN_NUMBER);
static_assert(static_cast<int>(FieldType::bytes) == CAIRN_SIZE);
static_assert(static_cast<int>(FieldType::choice) == CAIRN_CHOICE);
static_assert(static_cast<int>(Space::grid) == CAIRN_GRID);
static_assert(static_cast<int>(Space::mesh) == CAIRN_MESH);

double field_value(const Field& field, double value) noexcept {
    for (std::size_t i = 0; i < field.choices.size(); ++i) {
        if (field.choices[i].value == value) return static_cast<double>(i);
    }
    return value;
}

}  // namespace cairn::c

using namespace cairn::c;  // NOLINT(google-build-using-namespace): the functions are global

uint32_t cairn_num_planners() { return static_cast<uint32_t>(cairn::planners().size()); }

cairn_status cairn_planner_get(uint32_t planner, cairn_planner* info) {
    return call(
        [&]() -> cairn::Status {
            if (planner >= cairn::planners().size()) return no_planner_or_field();
            const cairn::PlannerInfo& own = cairn::planners()[planner];
            cairn_planner out{};
            out.space = static_cast<int32_t>(own.space);
            out.name = own.name.data();
            out.summary = own.summary.data();
            out.exact = own.exact;
            out.has_index = own.has_index;
            out.has_labels = own.has_labels;
            out.num_options = static_cast<uint32_t>(own.options.size());
            out.num_query_fields = static_cast<uint32_t>(own.query.size());
            return give(out, info);
        },
        info);
}

uint32_t cairn_planner_find(const char* name, int32_t space) {
    if (name == nullptr || (space != CAIRN_GRID && space != CAIRN_MESH)) return CAIRN_NONE;
    const auto* found = cairn::find_planner(name, static_cast<cairn::Space>(space));
    return found == nullptr ? CAIRN_NONE : static_cast<uint32_t>(found - cairn::planners().data());
}

cairn_status cairn_planner_field(uint32_t planner, int32_t which, uint32_t field,
                                 cairn_field* info) {
    return call(
        [&]() -> cairn::Status {
            const cairn::Field* const own = field_at(planner, which, field);
            if (own == nullptr) return no_planner_or_field();
            cairn_field out{};
            out.type = static_cast<int32_t>(own->type);
            out.name = own->name.data();
            out.help = own->help.data();
            out.least = own->least;
            out.most = own->most;
            out.usual = field_value(*own, own->usual());
            out.num_choices = static_cast<uint32_t>(own->choices.size());
            return give(out, info);
        },
        info);
}

const char* cairn_planner_choice(uint32_t planner, int32_t which, uint32_t field, uint32_t choice) {
    const cairn::Field* const own = field_at(planner, which, field);
    if (own == nullptr || choice >= own->choices.size()) return nullptr;
    return own->choices[choice].name.data();
}
