#include "options/haa.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cairn/formats/palette.hpp"
#include "cairn/formats/raster.hpp"
#include "files.hpp"
#include "options/common.hpp"
#include "options/fields.hpp"
#include "text.hpp"

namespace cairn::app {
namespace {

constexpr const char* kGroup = "Agents of HAA*";

/// Reads a capability such as "ground+water:3": terrains joined by +, each with its weight after a
/// colon. Errors: bad_option.
Result<haa::Capability> parse_capability(const std::string& text) {
    haa::Capability out;
    for (const std::string& part : split(text, '+')) {
        const std::size_t colon = part.find(':');
        const auto terrain = formats::terrain_named(std::string_view(part).substr(0, colon));
        const auto weight = colon == std::string::npos
                                ? 1
                                : parse_number<int>(std::string_view(part).substr(colon + 1));
        if (!terrain || !weight || *weight < 1 || *weight > 255) {
            return fail(StatusCode::bad_option,
                        fmt::format("capability '{}': write terrains (ground, trees, swamp, water, "
                                    "t0 to t15) joined by +, with weights of 1 to 255 after a "
                                    "colon, for example ground+water:3",
                                    text));
        }
        out.terrains = static_cast<haa::TerrainSet>(out.terrains | 1U << *terrain);
        out.weight[*terrain] = static_cast<std::uint8_t>(*weight);
    }
    return out;
}

/// Writes a capability; weights of 1 are left out.
std::string capability_text(const haa::Capability& capability) {
    std::string out;
    for (haa::Terrain t = 0; t < haa::kMaxTerrains; ++t) {
        if (!capability.includes(t)) continue;
        out += (out.empty() ? "" : "+") + formats::terrain_name(t);
        if (capability.weight[t] != 1) out += fmt::format(":{}", capability.weight[t]);
    }
    return out;
}

}  // namespace

std::vector<std::string> capability_texts(const haa::AnnotationOptions& options) {
    return mapped(options.capabilities, capability_text);
}

std::vector<grid::TerrainEdit> translated(std::span<const grid::TerrainEdit> edits,
                                          const haa::TerrainKey& key) {
    std::vector<grid::TerrainEdit> out(edits.begin(), edits.end());
    if (key != haa::TerrainKey::literal()) return out;
    for (grid::TerrainEdit& edit : out) {
        const std::size_t digit = std::string_view("0123456789abcdef").find(char(edit.terrain));
        edit.terrain = digit == std::string_view::npos ? haa::TerrainKey::kObstacle
                                                       : static_cast<std::uint8_t>(digit);
    }
    return out;
}

std::vector<haa::Agent> all_agents(const haa::AnnotatedMap& map) {
    std::vector<haa::Agent> out;
    out.reserve(map.classes());
    for (std::uint32_t number = 0; number < map.classes(); ++number)
        out.push_back(map.agent(number));
    return out;
}

std::string agent_text(const haa::AnnotatedMap& map, haa::Agent agent) {
    return fmt::format("{}:{}", agent.size,
                       capability_text(map.options().capabilities[agent.capability]));
}

void HaaFlags::add_to(CLI::App& command) {
    using haa::Anchor;
    other_options_.push_back(
        add_value(command, "--palette", palette_, "FILE", kGroup,
                  "JSON file that says which terrain each colour of a PNG map is: "
                  "{\"#ffffff\": \"ground\", \"#000000\": \"obstacle\", ...}"));
    capabilities_option_ =
        add_value(command, "--capabilities", capabilities_, "LIST", kGroup,
                  "Capabilities of agents, separated by commas: ground, trees, swamp, water "
                  "(. T S W of a .map) or t0 to t15, joined by +; water:3 costs thrice");
    max_size_option_ = add_value(command, "--max-size", max_size_, "N", kGroup,
                                 "Agents cover 1 x 1 to N x N cells, at most 16");
    index_options_ = {
        capabilities_option_,
        max_size_option_,
        add_choice<Anchor>(command, "--anchor", anchor_,
                           {{"top-left", Anchor::top_left}, {"centred", Anchor::centred}}, kGroup,
                           "The cell of an agent that gives its position"),
    };
}

void HaaFlags::add_agent_to(CLI::App& command) {
    other_options_.push_back(
        add_value(command, "--agent", agent_, "SIZE[:CAPABILITY]", kGroup,
                  "The agent: size and capability, for example 2:ground+trees; points are its "
                  "anchors"));
}

void HaaFlags::add_prepare_to(CLI::App& command) {
    other_options_.push_back(command.add_flag(
        "--no-prepare", no_prepare_,
        "Do not make the agent's move tables and labels before the query: faster start, slower "
        "queries"));
    other_options_.back()->group(kGroup);
}

Status HaaFlags::refuse_index_options(std::string_view message) const {
    return app::refuse_given(index_options_, message);
}

Status HaaFlags::refuse_given(std::string_view message) const {
    Status status = app::refuse_given(other_options_, message);
    return status.ok() ? refuse_index_options(message) : status;
}

Result<AgentTerrain> HaaFlags::load(const std::filesystem::path& file, const MapFlags& map) const {
    if (Status status = map.refuse_weights("is not for --planner haa: agents have weights of their "
                                           "own, for example --capabilities ground+water:3");
        !status.ok()) {
        return tl::unexpected(std::move(status));
    }
    const auto options = map.options();
    if (!options) return tl::unexpected(options.error());
    if (palette_.empty()) {
        return formats::load_terrain(file, map.limits).map([&](grid::TerrainImage image) {
            return AgentTerrain{std::move(image), haa::TerrainKey::movingai(), *options};
        });
    }
    if (extension_of(file) != ".png") {
        return fail(
            StatusCode::bad_option,
            fmt::format("--palette is for PNG maps, which {} is not: leave it out", file.string()));
    }
    const auto palette = formats::load_palette(palette_);
    if (!palette) return tl::unexpected(palette.error());
    auto image = formats::load_terrain_png(file, *palette, map.limits);
    if (!image) return tl::unexpected(std::move(image.error()));
    return AgentTerrain{std::move(*image), haa::TerrainKey::literal(), *options};
}

Result<HaaFlags::AgentText> HaaFlags::parse_agent() const {
    if (agent_.empty()) return AgentText{};
    const std::size_t colon = agent_.find(':');
    const auto size = parse_number<int>(std::string_view(agent_).substr(0, colon));
    if (!size || *size < 1) {
        return fail(StatusCode::bad_option,
                    fmt::format("--agent '{}': write its size, a colon and its capability, for "
                                "example 2:ground+trees",
                                agent_));
    }
    if (colon == std::string::npos) return AgentText{*size, std::nullopt};
    auto capability = parse_capability(agent_.substr(colon + 1));
    if (!capability) return fail(capability.error().code, "--agent: " + capability.error().message);
    return AgentText{*size, *capability};
}

Result<std::vector<haa::Capability>> HaaFlags::capabilities() const {
    if (capabilities_option_->count() == 0) {
        const auto agent = parse_agent();
        if (!agent) return tl::unexpected(agent.error());
        if (agent->capability) return std::vector{*agent->capability};
    }
    std::vector<haa::Capability> out;
    for (const std::string& text : split(capabilities_, ',')) {
        const auto capability = parse_capability(text);
        if (!capability)
            return fail(capability.error().code, "--capabilities: " + capability.error().message);
        out.push_back(*capability);
    }
    return out;
}

Result<haa::AnnotatedMap> HaaFlags::annotate(const AgentTerrain& terrain) const {
    auto given = capabilities();
    if (!given) return tl::unexpected(std::move(given.error()));
    const auto agent = parse_agent();
    if (!agent) return tl::unexpected(agent.error());
    constexpr int kMaxSize = 16;  // of AnnotationOptions; a larger --agent is refused later
    haa::AnnotationOptions out;
    out.key = terrain.key;
    out.capabilities = std::move(*given);
    out.max_size = max_size_;
    if (max_size_option_->count() == 0)
        out.max_size = std::max(max_size_, std::min(agent->size, kMaxSize));
    out.anchor = anchor_;
    out.rules = terrain.options.rules;
    out.costs = terrain.options.costs;
    if (Status status = haa::check(out); !status.ok())
        return fail(status.code, as_option(std::move(status.message)));
    return haa::AnnotatedMap::create(terrain.image, out);
}

Result<haa::Agent> HaaFlags::agent(const haa::AnnotatedMap& map) const {
    const auto given = parse_agent();
    if (!given) return tl::unexpected(given.error());
    const auto& all = map.options().capabilities;
    auto found =
        given->capability ? std::find(all.begin(), all.end(), *given->capability) : all.begin();
    // --agent may leave out the weights if only one capability has its terrains.
    if (found == all.end() && *given->capability == haa::Capability(given->capability->terrains)) {
        const auto same_terrains = [&](const haa::Capability& c) {
            return c.terrains == given->capability->terrains;
        };
        if (std::count_if(all.begin(), all.end(), same_terrains) == 1)
            found = std::find_if(all.begin(), all.end(), same_terrains);
    }
    if (found == all.end() || given->size > map.options().max_size) {
        return fail(StatusCode::bad_option,
                    fmt::format("--agent {}: agents of this index have sizes 1 to {} and "
                                "capabilities {}",
                                agent_, map.options().max_size,
                                fmt::join(capability_texts(map.options()), ", ")));
    }
    return haa::Agent{static_cast<std::uint32_t>(found - all.begin()), given->size};
}

Status HaaFlags::prepare(Context& context, const haa::Index& index, haa::Agent agent,
                         int threads) const {
    if (no_prepare_) return {};
    ProgressBar bar("preparing");
    const auto labelled = index.with_labels({&agent, 1}, bar.control(context, threads));
    return labelled ? Status{} : labelled.error();
}

}  // namespace cairn::app
