#include "any_report.hpp"

#include "haa_report.hpp"
#include "index_report.hpp"
#include "subgoal_report.hpp"

namespace cairn::app {
namespace {

template <class Index>
Result<std::string> text_of(const Index& index) {
    const auto statistics = index.statistics();
    return level_table(statistics) + '\n' + size_facts(index, statistics);
}
Result<std::string> text_of(const haa::Index& index) {
    const auto statistics = index.statistics();
    const auto shares = shares_of_agents(index);
    if (!shares) return tl::unexpected(shares.error());
    return level_table(index, statistics, *shares) + '\n' + size_facts(index, statistics);
}

template <class Index>
Result<Json> json_of(const Index& index) {
    return index_json(index, index.statistics());
}
Result<Json> json_of(const haa::Index& index) {
    const auto statistics = index.statistics();
    const auto shares = shares_of_agents(index);
    if (!shares) return tl::unexpected(shares.error());
    return index_json(index, statistics, *shares);
}

template <class Index>
std::string options_of(const Index& index) {
    return options_text(index.options());
}
std::string options_of(const haa::Index& index) {
    return options_text(index.options(), index.map().options());
}

}  // namespace

std::string map_text(const AnyIndex& index) {
    return std::visit([](const auto& i) { return map_text(i.map()); }, index);
}

Json map_json(const AnyIndex& index) {
    return std::visit([](const auto& i) { return map_json(i.map()); }, index);
}

std::string options_text(const AnyIndex& index) {
    return std::visit([](const auto& i) { return options_of(i); }, index);
}

Result<std::string> index_text(const AnyIndex& index) {
    return std::visit([](const auto& i) { return text_of(i); }, index);
}

Result<Json> index_json(const AnyIndex& index) {
    return std::visit([](const auto& i) { return json_of(i); }, index);
}

}  // namespace cairn::app
