#pragma once
// The part of JSON Schema that docs/schema/report.json uses.

#include <nlohmann/json.hpp>
#include <string>

namespace cairn::test {

/// The first fault of `value` by `schema`, with its place; empty if it has none. `root` holds what
/// $ref names. Stricter than JSON Schema: a member that the schema does not name is a fault, unless
/// additionalProperties allows it. So is a keyword that is not known here.
[[nodiscard]] std::string schema_fault(const nlohmann::json& root, const nlohmann::json& schema,
                                       const nlohmann::json& value);

}  // namespace cairn::test
