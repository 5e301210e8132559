#include "json_schema.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <string_view>

namespace cairn::test {
namespace {

using Value = nlohmann::json;

constexpr std::array<std::string_view, 13> kKeywords{
    "description", "type",     "properties", "required", "additionalProperties",
    "items",       "minItems", "maxItems",   "enum",     "const",
    "anyOf",       "allOf",    "$ref"};

bool has_type(const Value& value, const std::string& type) {
    if (type == "object") return value.is_object();
    if (type == "array") return value.is_array();
    if (type == "string") return value.is_string();
    if (type == "boolean") return value.is_boolean();
    if (type == "null") return value.is_null();
    if (type == "integer") return value.is_number_integer();
    return type == "number" && value.is_number();
}

class Checker {
public:
    explicit Checker(const Value& root) : root_(&root) {}

    /// `strict`: members that the schema does not name are faults.
    [[nodiscard]] std::string fault(const Value& schema, const Value& value, const std::string& at,
                                    bool strict = true) const {
        for (const auto& [keyword, unused] : schema.items()) {
            if (std::find(kKeywords.begin(), kKeywords.end(), keyword) == kKeywords.end())
                return at + ": the schema has the keyword " + keyword;
        }
        if (schema.contains("$ref")) return fault(target(schema), value, at, strict);
        if (schema.contains("const") && schema["const"] != value)
            return at + ": must be " + schema["const"].dump();
        if (schema.contains("enum") &&
            std::find(schema["enum"].begin(), schema["enum"].end(), value) == schema["enum"].end())
            return at + ": must be one of " + schema["enum"].dump();
        if (schema.contains("type")) {
            const Value types =
                schema["type"].is_array() ? schema["type"] : Value::array({schema["type"]});
            if (std::none_of(types.begin(), types.end(),
                             [&](const Value& type) { return has_type(value, type); }))
                return at + ": must be " + types.dump() + ", not " + value.dump().substr(0, 60);
        }
        if (std::string found = of_parts(schema, value, at, strict); !found.empty()) return found;
        if (value.is_array()) return of_items(schema, value, at);
        return value.is_object() ? of_members(schema, value, at, strict) : "";
    }

private:
    [[nodiscard]] const Value& target(const Value& schema) const {
        return root_->at(Value::json_pointer(schema["$ref"].get<std::string>().substr(1)));
    }

    [[nodiscard]] std::string of_parts(const Value& schema, const Value& value,
                                       const std::string& at, bool strict) const {
        if (schema.contains("allOf")) {
            for (const Value& part : schema["allOf"]) {
                if (std::string found = fault(part, value, at, false); !found.empty()) return found;
            }
        }
        if (!schema.contains("anyOf")) return "";
        std::string all;
        for (const Value& part : schema["anyOf"]) {
            const std::string found = fault(part, value, at, strict);
            if (found.empty()) return "";
            all += "\n  " + found;
        }
        return at + ": none of" + all;
    }

    [[nodiscard]] std::string of_items(const Value& schema, const Value& value,
                                       const std::string& at) const {
        if (value.size() < schema.value("minItems", std::size_t{0}) ||
            value.size() > schema.value("maxItems", value.size()))
            return at + ": has another number of items";
        for (std::size_t i = 0; i < value.size() && schema.contains("items"); ++i) {
            std::string found = fault(schema["items"], value[i], at + "/" + std::to_string(i));
            if (!found.empty()) return found;
        }
        return "";
    }

    [[nodiscard]] std::string of_members(const Value& schema, const Value& value,
                                         const std::string& at, bool strict) const {
        static const Value kNone = Value::object();
        if (schema.contains("required")) {
            for (const Value& name : schema["required"]) {
                if (!value.contains(name.get<std::string>())) return at + ": lacks " + name.dump();
            }
        }
        const Value& properties = schema.contains("properties") ? schema["properties"] : kNone;
        const bool open = schema.contains("additionalProperties");
        // With anyOf one of the parts has named every member.
        const bool closed = strict && !open && !schema.contains("anyOf");
        std::set<std::string> known;
        if (closed && schema.contains("allOf")) add_names(schema, known);
        for (const auto& [name, member] : value.items()) {
            std::string found;
            if (properties.contains(name)) {
                found = fault(properties[name], member, at + "/" + name);
            } else if (open && schema["additionalProperties"].is_object()) {
                found = fault(schema["additionalProperties"], member, at + "/" + name);
            } else if (closed && !known.contains(name)) {
                found = at + ": has the member " + name;
            }
            if (!found.empty()) return found;
        }
        return "";
    }

    /// The names of the members that a schema or a part of it knows.
    void add_names(const Value& schema, std::set<std::string>& names) const {
        if (schema.contains("$ref")) return add_names(target(schema), names);
        const Value properties = schema.value("properties", Value::object());
        for (const auto& [name, unused] : properties.items()) names.insert(name);
        for (const char* parts : {"allOf", "anyOf"}) {
            for (const Value& part : schema.value(parts, Value::array())) add_names(part, names);
        }
    }

    const Value* root_;
};

}  // namespace

std::string schema_fault(const Value& root, const Value& schema, const Value& value) {
    return Checker(root).fault(schema, value, "");
}

}  // namespace cairn::test
