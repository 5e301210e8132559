#include "options/fields.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <CLI/CLI.hpp>
#include <utility>

namespace cairn::app {
namespace {

/// Fields whose options are called by shorter words.
constexpr std::array<std::pair<std::string_view, std::string_view>, 5> kShortNames{{
    {"move_tables", "tables"},
    {"nearest_reachable", "nearest"},
    {"try_direct_line", "direct-line"},
    {"corridor_ring", "ring"},
    {"crossings", "waypoints"},
}};

std::string word_of(std::string_view field) {
    for (const auto& [name, word] : kShortNames) {
        if (name == field) return std::string(word);
    }
    std::string word(field);
    std::replace(word.begin(), word.end(), '_', '-');
    return word;
}

std::span<const Field> fields_of(const PlannerInfo& planner, FieldFlags::Table table) {
    return table == FieldFlags::Table::options ? planner.options : planner.query;
}

/// The planners that have a field of a name: "hpa, haa".
std::string owners(Space space, FieldFlags::Table table, std::string_view field, bool& all) {
    std::string names;
    all = true;
    for (const PlannerInfo& planner : planners()) {
        const auto fields = fields_of(planner, table);
        if (planner.space != space || fields.empty()) continue;
        if (find_field(fields, field) == nullptr) {
            all = false;
        } else {
            names += (names.empty() ? "" : ", ") + std::string(planner.name);
        }
    }
    return names;
}

/// What each planner of a space makes of one name: words of all, and the widest range.
struct Merged {
    const Field* first = nullptr;
    std::string type;
    std::string help;
    std::string usual;
};

Merged merged(Space space, FieldFlags::Table table, std::string_view name,
              const std::map<std::string_view, std::string>& usual) {
    Merged out;
    std::vector<std::string_view> words;
    for (const PlannerInfo& planner : planners()) {
        if (planner.space != space) continue;
        const Field* const field = find_field(fields_of(planner, table), name);
        if (field == nullptr) continue;
        if (out.first == nullptr) {
            out.first = field;
            out.help = field->help;
        } else if (field->help != out.help && out.help.find(field->help) == std::string::npos) {
            out.help += fmt::format("; {}: {}", planner.name, field->help);
        }
        for (const Choice& choice : field->choices) {
            if (std::find(words.begin(), words.end(), choice.name) == words.end())
                words.push_back(choice.name);
        }
    }
    out.type = out.first->type == FieldType::choice  ? fmt::format("{}", fmt::join(words, "|"))
               : out.first->type == FieldType::bytes ? "BYTES"
                                                     : "N";
    const bool ranged = out.first->type == FieldType::integer ||
                        (out.first->type == FieldType::number && out.first->most < 1e9);
    if (ranged) out.help += ", " + range_text(*out.first);
    if (const auto found = usual.find(name); found != usual.end()) out.usual = found->second;
    return out;
}

/// The usual values, where all planners of a space agree.
std::map<std::string_view, std::string> usual_values(Space space, FieldFlags::Table table) {
    std::map<std::string_view, std::string> values;
    for (const PlannerInfo& planner : planners()) {
        if (planner.space != space) continue;
        for (const Field& field : fields_of(planner, table)) {
            const std::string value = text(field, field.usual());
            const auto [at, added] = values.emplace(field.name, value);
            if (!added && at->second != value) at->second.clear();
        }
    }
    return values;
}

}  // namespace

std::string option_name(const Field& field, bool negative) {
    return (negative ? "--no-" : "--") + word_of(field.name);
}

void FieldFlags::add_to(CLI::App& command, Space space, Table table, std::string_view group,
                        std::span<const std::string_view> except) {
    space_ = space;
    table_ = table;
    const auto usual = usual_values(space, table);
    std::vector<std::string_view> done(except.begin(), except.end());
    for (const PlannerInfo& planner : planners()) {
        if (planner.space != space) continue;
        for (const Field& field : fields_of(planner, table)) {
            if (std::find(done.begin(), done.end(), field.name) != done.end()) continue;
            done.push_back(field.name);
            const Merged all = merged(space, table, field.name, usual);
            const auto take = [this, name = field.name](const std::string& value) {
                if (given_.insert_or_assign(name, value).second) order_.push_back(name);
            };
            CLI::Option* option = nullptr;
            if (field.type == FieldType::flag) {
                const bool on = field.usual() != 0;
                option = command.add_flag_callback(
                    option_name(field, on), [take, on] { take(on ? "false" : "true"); },
                    (on ? "Without: " : "") + all.help);
            } else {
                option =
                    command
                        .add_option_function<std::string>(option_name(field, false), take, all.help)
                        ->type_name(all.type)
                        ->default_str(all.usual);
            }
            bool everyone = false;
            const std::string names = owners(space, table, field.name, everyone);
            option->group(everyone ? std::string(group) : fmt::format("{} of {}", group, names));
        }
    }
}

std::vector<Setting> FieldFlags::settings() const {
    std::vector<Setting> out;
    out.reserve(order_.size());
    for (const std::string_view name : order_) out.push_back({name, given_.find(name)->second});
    return out;
}

Status FieldFlags::check(const PlannerInfo& planner) const {
    for (const std::string_view name : order_) {
        if (find_field(fields_of(planner, table_), name) != nullptr) continue;
        bool all = false;
        const std::string names = owners(space_, table_, name, all);
        return {
            StatusCode::bad_option,
            fmt::format("--{} is an option of other planners: leave it out, or add --planner {}",
                        word_of(name), names)};
    }
    return {};
}

Status FieldFlags::none(std::string_view message) const {
    if (order_.empty()) return {};
    return {StatusCode::bad_option, fmt::format("--{} {}", word_of(order_.front()), message)};
}

Status FieldFlags::named(Status status) const {
    const std::string name = status.message.substr(0, status.message.find(' '));
    if (status.ok() || !given_.contains(name)) return status;
    status.message = "--" + word_of(name) + status.message.substr(name.size());
    return status;
}

namespace detail {

std::string options_text(std::span<const Field> fields, const void* object) {
    std::string out;
    for (const Field& field : fields) {
        const double value = field.get(object);
        const bool shown = field.type == FieldType::choice || field.type == FieldType::integer;
        if (!shown && value == field.usual()) continue;
        if (!out.empty()) out += ' ';
        out += field.type == FieldType::flag
                   ? option_name(field, value == 0)
                   : fmt::format("{} {}", option_name(field, false), text(field, value));
    }
    return out;
}

Json options_json(std::span<const Field> fields, const void* object) {
    Json out = Json::object();
    for (const Field& field : fields) {
        const double value = field.get(object);
        const std::string name(field.name);
        if (field.type == FieldType::flag) {
            out[name] = value != 0;
        } else if (field.type == FieldType::choice) {
            out[name] = text(field, value);
        } else if (field.type == FieldType::number) {
            out[name] = value;
        } else {
            out[name] = static_cast<std::uint64_t>(value);
        }
    }
    return out;
}

}  // namespace detail
}  // namespace cairn::app
