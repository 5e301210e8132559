#include "options/fields.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <CLI/CLI.hpp>
#include <utility>

#include "cairn/cost.hpp"
#include "files.hpp"
#include "options/common.hpp"
#include "text.hpp"

namespace cairn::app {
namespace {

/// Fields whose options have other names than the field.
constexpr std::array<std::pair<std::string_view, std::string_view>, 5> kOptionWords{{
    {"move_tables", "tables"},
    {"nearest_reachable", "nearest"},
    {"try_direct_line", "direct-line"},
    {"corridor_ring", "ring"},
    {"crossings", "waypoints"},
}};

/// "cluster-size": the option's name without dashes before it.
std::string word_of(std::string_view field) {
    for (const auto& [name, word] : kOptionWords) {
        if (name == field) return std::string(word);
    }
    std::string word(field);
    std::replace(word.begin(), word.end(), '_', '-');
    return word;
}

std::span<const Field> fields_of(const PlannerInfo& planner, FieldFlags::Table table) {
    return table == FieldFlags::Table::options ? planner.options : planner.query;
}

/// "hpa, subgoal or haa": the planners of a space for which `wanted` is true.
template <class Wanted>
std::string names_of(Space space, const Wanted& wanted) {
    std::vector<std::string_view> names;
    for (const PlannerInfo& planner : planners()) {
        if (planner.space == space && wanted(planner)) names.push_back(planner.name);
    }
    if (names.size() < 2) return names.empty() ? "" : std::string(names.front());
    return fmt::format("{} or {}", fmt::join(names.begin(), names.end() - 1, ", "), names.back());
}

/// The help of the option for a field, over all planners of a space that have the field.
struct OptionText {
    std::string type;  ///< the choices of all planners, or the kind of value
    std::string help;  ///< with the range; one text for each group of planners that share it
};

std::string help_of(const Field& field) {
    constexpr double kUnlimited = 1e9;  // a larger bound tells a user nothing
    const bool ranged = field.type == FieldType::integer ||
                        (field.type == FieldType::number && field.most < kUnlimited);
    return std::string(field.help) + (ranged ? ", " + range_text(field) : "");
}

OptionText option_text(Space space, FieldFlags::Table table, const Field& field) {
    std::vector<std::string_view> words;
    std::vector<std::string> helps;
    const auto field_in = [&](const PlannerInfo& planner) {
        return find_field(fields_of(planner, table), field.name);
    };
    for (const PlannerInfo& planner : planners()) {
        const Field* const own = planner.space == space ? field_in(planner) : nullptr;
        if (own == nullptr) continue;
        for (const Choice& choice : own->choices) {
            if (std::find(words.begin(), words.end(), choice.name) == words.end())
                words.push_back(choice.name);
        }
        if (std::find(helps.begin(), helps.end(), help_of(*own)) == helps.end())
            helps.push_back(help_of(*own));
    }
    OptionText out;
    out.type = field.type == FieldType::choice  ? fmt::format("{}", fmt::join(words, "|"))
               : field.type == FieldType::bytes ? "BYTES"
                                                : "N";
    if (helps.size() == 1) {
        out.help = helps.front();
        return out;
    }
    for (const std::string& help : helps) {
        const auto shares_help = [&](const PlannerInfo& planner) {
            const Field* const own = field_in(planner);
            return own != nullptr && help_of(*own) == help;
        };
        out.help += fmt::format("{}{}: {}", out.help.empty() ? "" : ". ",
                                names_of(space, shares_help), help);
    }
    return out;
}

/// The default value of a field; empty if the planners of a space differ in it.
std::string default_text(Space space, FieldFlags::Table table, std::string_view name) {
    std::string common;
    for (const PlannerInfo& planner : planners()) {
        if (planner.space != space) continue;
        const Field* const own = find_field(fields_of(planner, table), name);
        if (own == nullptr) continue;
        const std::string value = text(*own, own->usual());
        if (!common.empty() && common != value) return "";
        common = value;
    }
    return common;
}

/// "Index", or "Index of hpa or haa" if other planners that have such a table lack the field.
std::string group_of(Space space, FieldFlags::Table table, std::string_view name,
                     std::string_view group) {
    const auto lacks = [&](const PlannerInfo& planner) {
        const auto fields = fields_of(planner, table);
        return !fields.empty() && find_field(fields, name) == nullptr;
    };
    const auto has = [&](const PlannerInfo& planner) {
        return find_field(fields_of(planner, table), name) != nullptr;
    };
    if (names_of(space, lacks).empty()) return std::string(group);
    return fmt::format("{} of {}", group, names_of(space, has));
}

std::string lower_first(std::string text) {
    text.front() = static_cast<char>(std::tolower(static_cast<unsigned char>(text.front())));
    return text;
}

/// The option of a field: "--cluster-size", "--no-tables".
std::string option_name(std::string_view field, bool negative = false) {
    return (negative ? "--no-" : "--") + word_of(field);
}

}  // namespace

void FieldFlags::add_to(CLI::App& command, Space space, Table table, std::string_view group,
                        std::span<const std::string_view> except) {
    space_ = space;
    table_ = table;
    std::vector<std::string_view> done(except.begin(), except.end());
    for (const PlannerInfo& planner : planners()) {
        if (planner.space != space) continue;
        for (const Field& field : fields_of(planner, table)) {
            if (std::find(done.begin(), done.end(), field.name) != done.end()) continue;
            done.push_back(field.name);
            add_option(command, field)->group(group_of(space, table, field.name, group));
        }
    }
}

CLI::Option* FieldFlags::add_option(CLI::App& command, const Field& field) {
    const OptionText all = option_text(space_, table_, field);
    const auto take = [this, name = field.name](const std::string& value) {
        if (given_.insert_or_assign(name, value).second) order_.push_back(name);
    };
    if (field.type != FieldType::flag) {
        return command.add_option_function<std::string>(option_name(field.name), take, all.help)
            ->type_name(all.type)
            ->default_str(default_text(space_, table_, field.name));
    }
    // The option of a flag turns the default around.
    const bool on = field.usual() != 0;
    return command.add_flag_callback(
        option_name(field.name, on), [take, on] { take(on ? "false" : "true"); },
        on ? "Do not " + lower_first(all.help) : all.help);
}

void FieldFlags::set_unless_given(std::string_view name, const std::string& value) {
    if (given_.try_emplace(name, value).second) order_.push_back(name);
}

std::vector<Setting> FieldFlags::settings() const {
    return mapped(order_, [&](std::string_view name) {
        return Setting{name, given_.find(name)->second};
    });
}

Status FieldFlags::check(const PlannerInfo& planner) const {
    for (const std::string_view name : order_) {
        const Field* const own = find_field(fields_of(planner, table_), name);
        if (own == nullptr) {
            const auto has = [&](const PlannerInfo& other) {
                return find_field(fields_of(other, table_), name) != nullptr;
            };
            return {StatusCode::bad_option,
                    fmt::format("{} is not an option of {}: leave it out, or add --planner {}",
                                shown(name), planner.name, names_of(space_, has))};
        }
        const std::string& value = given_.find(name)->second;
        if (own->type != FieldType::choice || parse(*own, value)) continue;
        const auto knows = [&](const PlannerInfo& other) {
            const Field* const field = find_field(fields_of(other, table_), name);
            return field != nullptr && parse(*field, value);
        };
        if (const std::string others = names_of(space_, knows); !others.empty()) {
            return {StatusCode::bad_option,
                    fmt::format("{} {} is for --planner {}", shown(name), value, others)};
        }
    }
    return {};
}

Status FieldFlags::refuse_given(std::string_view message) const {
    if (order_.empty()) return {};
    return {StatusCode::bad_option, fmt::format("{} {}", shown(order_.front()), message)};
}

Status FieldFlags::named(Status status) const {
    const std::string name = status.message.substr(0, status.message.find(' '));
    if (status.ok() || !given_.contains(name)) return status;
    status.message = shown(name) + status.message.substr(name.size());
    return status;
}

std::string FieldFlags::shown(std::string_view name) const {
    const auto given = given_.find(name);
    return option_name(name, given != given_.end() && given->second == "false");
}

void IndexFlags::add_to(CLI::App& command, Space space) {
    constexpr std::array<std::string_view, 1> kHidden{"view_bytes"};  // matters in long runs only
    fields.add_to(command, space, FieldFlags::Table::options, "Index", kHidden);
    add_number(command, "--threads", threads, 0, 1024, "N", "Index",
               "Threads to build with; 0: one per processor");
}

void IndexFlags::add_file_to(CLI::App& command, Context& context) {
    reads_file(add_value(command, "--index", file, "FILE", "Index",
                         "Load the index from this file (cairn build) instead of building it; it "
                         "has its own options"),
               context);
    add_checks_to(command);
}

void IndexFlags::add_checks_to(CLI::App& command) {
    add_choice(command, "--checks", checks,
               Names<FileChecks>{{"contents", FileChecks::contents},
                                 {"checksums", FileChecks::checksums},
                                 {"none", FileChecks::none}},
               "Index",
               "What loading an index file checks: contents - all, so that even a forged file is "
               "safe; checksums - only that it is not damaged; none - nothing, for large files of "
               "one's own, which then open in milliseconds");
}

Result<AnyIndex> IndexFlags::build(Context& context, const PlannerInfo& planner,
                                   const AnyMap& map) const {
    if (Status status = fields.check(planner); !status.ok())
        return tl::unexpected(std::move(status));
    ProgressBar bar("building", progress_lines);
    auto built = AnyIndex::build(planner.name, map, fields.settings(), control(context, bar));
    if (built) return built;
    Status error = std::move(built.error());
    if (error.code == StatusCode::bad_option) error = fields.named(std::move(error));
    return tl::unexpected(with_advice(std::move(error)));
}

Status with_advice(Status status) {
    if (status.code == StatusCode::unsupported)
        status.message += " (--planner hpa or --planner astar), or other map options";
    return status;
}

void QueryFlags::add_to(CLI::App& command, Context& context, Space space,
                        const char* max_cost_help) {
    // Not from the table: limits, whose cost is given as a length, and agents, given as
    // SIZE:CAPABILITY. A partial path is no answer of a command.
    constexpr std::array<std::string_view, 5> kOtherOptions{"max_cost", "max_expanded",
                                                            "partial_path", "size", "capability"};
    fields.add_to(command, space, FieldFlags::Table::query, "Query", kOtherOptions);
    limits_.cancel = &context.cancel;
    command.add_option("--max-cost", max_length_, max_cost_help)
        ->check(CLI::Range(0.0, 1e9).description(""))
        ->type_name("LENGTH")
        ->group("Query");
    command
        .add_option("--max-expanded", limits_.max_expanded, "Most nodes to expand before giving up")
        ->type_name("N")
        ->group("Query");
}

SearchLimits QueryFlags::limits(double unit) const {
    SearchLimits out = limits_;
    if (max_length_) {
        const double cost = *max_length_ * unit;
        out.max_cost = cost < kInfinity ? static_cast<Cost>(cost) : kInfinity;
    }
    return out;
}

std::string as_option(std::string_view message) {
    const std::string_view name = message.substr(0, message.find(' '));
    return fmt::format("{}{}", option_name(name), message.substr(name.size()));
}

namespace detail {

std::string options_text(std::span<const Field> fields, const void* object) {
    std::string out;
    for (const Field& field : fields) {
        const double value = field.get(object);
        const bool always = field.type == FieldType::choice || field.type == FieldType::integer;
        if (!always && value == field.usual()) continue;
        if (!out.empty()) out += ' ';
        out += field.type == FieldType::flag
                   ? option_name(field.name, value == 0)
                   : fmt::format("{} {}", option_name(field.name), text(field, value));
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
