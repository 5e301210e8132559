#include "tiled_tree.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <new>
#include <nlohmann/json.hpp>
#include <pugixml.hpp>

#include "json_text.hpp"
#include "text.hpp"

namespace cairn::formats {
namespace {

/// Groups of layers in groups, and what lies in them.
constexpr std::size_t kMaxDepth = 64;

struct Kind {
    std::string_view list;  ///< the key of a list in JSON
    std::string_view kind;  ///< what its items are
};
constexpr std::array kKinds{Kind{"layers", "layer"}, Kind{"tilesets", "tileset"},
                            Kind{"tiles", "tile"}, Kind{"chunks", "chunk"},
                            Kind{"properties", "property"}};

/// Reads JSON event by event: a document of the library would take many times the memory of the
/// tile data, and cannot be freed when memory runs out.
class TiledJson {
public:
    using Json = nlohmann::json;

    TiledJson(std::string_view text, std::string_view name) : text_(text), name_(name) {}

    // What the parser calls; false ends it.
    bool start_object(std::size_t /*size*/) {
        if (skipped_ > 0) return ++skipped_, true;
        if (open_.empty()) {
            open_.push_back({&root, In::object});
            return true;
        }
        if (open_.back().in == In::list) {
            if (open_.size() > 2 * kMaxDepth) return refuse("layers are nested too deeply");
            TiledNode* parent = open_.back().node;
            parent->children.emplace_back().kind = kind_;
            open_.push_back({&parent->children.back(), In::object});
            return true;
        }
        if (open_.back().in == In::data) return refuse("'data' needs numbers");
        if (list_kind() != nullptr) return refuse_list();
        skipped_ = 1;
        return true;
    }
    bool end_object() { return end(); }
    bool start_array(std::size_t /*size*/) {
        if (skipped_ > 0) return ++skipped_, true;
        if (open_.empty()) return refuse("neither a map nor a tileset of Tiled");
        if (open_.back().in == In::list) return refuse_item();
        if (open_.back().in == In::data) return refuse("'data' needs numbers");
        TiledNode* node = open_.back().node;
        if (const Kind* found = list_kind()) {
            kinds_.push_back(kind_);
            kind_ = found->kind;
            open_.push_back({node, In::list});
        } else if (key_ == "data") {
            if (!node->numbers) node->numbers.emplace();
            open_.push_back({node, In::data});
        } else {
            skipped_ = 1;
        }
        return true;
    }
    bool end_array() {
        if (skipped_ == 0 && open_.back().in == In::list) {
            kind_ = kinds_.back();
            kinds_.pop_back();
        }
        return end();
    }
    bool key(std::string& key) {
        if (skipped_ == 0) key_ = std::move(key);
        return true;
    }
    bool string(std::string& text) {
        if (skipped_ == 0 && !open_.empty() && open_.back().in == In::object && key_ == "data") {
            open_.back().node->text = std::move(text);
            return true;
        }
        return scalar(std::move(text));
    }
    bool number_unsigned(std::uint64_t number) {
        if (skipped_ > 0 || open_.empty() || open_.back().in != In::data)
            return scalar(fmt::to_string(number));
        if (number > std::numeric_limits<std::uint32_t>::max())
            return refuse(fmt::format("{} in 'data': no number of a tile", number));
        open_.back().node->numbers->push_back(static_cast<std::uint32_t>(number));
        return true;
    }
    bool number_integer(std::int64_t number) { return scalar(fmt::to_string(number)); }
    bool number_float(double /*number*/, const std::string& text) { return scalar(text); }
    bool boolean(bool value) { return scalar(value ? "true" : "false"); }
    bool null() {
        const bool member = !open_.empty() && open_.back().in == In::object;
        return member || scalar("null");
    }
    bool binary(Json::binary_t& /*value*/) { return true; }
    bool parse_error(std::size_t byte, const std::string& /*token*/, const Json::exception& error) {
        status = json_error(name_, text_, byte, error);
        return false;
    }

    Status status{};
    TiledNode root{};

private:
    enum class In : std::uint8_t { object, list, data };
    struct Open {
        TiledNode* node;  ///< the object, or the one that the list belongs to
        In in;
    };

    /// What the items of the list `key_` are; null if it does not matter.
    [[nodiscard]] const Kind* list_kind() const {
        const auto* const found = std::find_if(kKinds.begin(), kKinds.end(),
                                               [&](const Kind& kind) { return kind.list == key_; });
        return found == kKinds.end() ? nullptr : found;
    }
    bool end() {
        if (skipped_ > 0) {
            --skipped_;
        } else {
            open_.pop_back();
        }
        return true;
    }
    bool scalar(std::string text) {
        if (skipped_ > 0) return true;
        if (open_.empty()) return refuse("neither a map nor a tileset of Tiled");
        if (open_.back().in == In::list) return refuse_item();
        if (open_.back().in == In::data)
            return refuse(fmt::format("{} in 'data': no number of a tile", excerpt(text)));
        if (list_kind() != nullptr) return refuse_list();
        open_.back().node->attributes.emplace_back(key_, std::move(text));
        return true;
    }
    bool refuse(std::string_view what) {
        status = {StatusCode::corrupt_file, fmt::format("{}: {}", name_, what)};
        return false;
    }
    bool refuse_item() { return refuse(fmt::format("a {} must be an object", kind_)); }
    bool refuse_list() {
        return refuse(fmt::format("{} must be a list of objects, as Tiled 1.2 and later write it",
                                  excerpt(key_)));
    }

    std::string_view text_;
    std::string_view name_;
    std::vector<Open> open_;
    std::size_t skipped_ = 0;  ///< open objects and lists that do not matter
    std::string key_;
    std::string_view kind_;  ///< of the items of the list that is open
    std::vector<std::string_view> kinds_;
};

/// Brings the elements of XML into the form of JSON.
class TiledXml {
public:
    explicit TiledXml(std::string_view name) : name_(name) {}

    /// Adds what an element has to `node`. False: `status` says why not.
    bool add(const pugi::xml_node& element, TiledNode& node, std::size_t depth = 0) {
        if (depth > kMaxDepth) return refuse("layers are nested too deeply");
        for (const pugi::xml_attribute& attribute : element.attributes())
            node.attributes.emplace_back(attribute.name(), attribute.value());
        for (const pugi::xml_node& child : element.children()) {
            const std::string_view tag = child.name();
            if (tag == "properties") {
                add_properties(child, node);
            } else if (tag == "data") {
                if (!add(child, node, depth + 1) || !add_data(child, node)) return false;
            } else if (tag == "layer" || tag == "group") {
                TiledNode& layer = add_child(node, "layer");
                layer.attributes.emplace_back("type", tag == "layer" ? "tilelayer" : "group");
                if (!add(child, layer, depth + 1)) return false;
            } else if (tag == "chunk") {
                TiledNode& chunk = add_child(node, "chunk");
                if (!add(child, chunk, depth + 1) || !add_data(child, chunk)) return false;
            } else if (tag == "tileset") {
                if (!add(child, add_child(node, "tileset"), depth + 1)) return false;
            } else if (tag == "tile" && node.kind != "layer" && node.kind != "chunk") {
                if (!add(child, add_child(node, "tile"), depth + 1)) return false;
            }
        }
        return true;
    }

    Status status{};

private:
    static TiledNode& add_child(TiledNode& node, std::string_view kind) {
        TiledNode& child = node.children.emplace_back();
        child.kind = kind;
        return child;
    }
    static void add_properties(const pugi::xml_node& element, TiledNode& node) {
        for (const pugi::xml_node& child : element.children("property")) {
            TiledNode& property = add_child(node, "property");
            for (const pugi::xml_attribute& attribute : child.attributes())
                property.attributes.emplace_back(attribute.name(), attribute.value());
            if (!child.attribute("value"))  // of several lines
                property.attributes.emplace_back("value", child.child_value());
        }
    }
    /// The tile data of <data> or of one of its chunks: text, or elements <tile>.
    bool add_data(const pugi::xml_node& element, TiledNode& node) {
        const pugi::xml_node data =
            element.name() == std::string_view("data") ? element : element.parent();
        if (data.attribute("encoding")) {
            node.text = element.child_value();
            return true;
        }
        if (!node.numbers) node.numbers.emplace();
        for (const pugi::xml_node& tile : element.children("tile")) {
            const pugi::xml_attribute gid = tile.attribute("gid");
            const auto number = gid ? parse_number<std::uint32_t>(gid.value()) : 0U;
            if (!number)
                return refuse(fmt::format("gid {}: no number of a tile", excerpt(gid.value())));
            node.numbers->push_back(*number);
        }
        return true;
    }
    bool refuse(std::string_view what) {
        status = {StatusCode::corrupt_file, fmt::format("{}: {}", name_, what)};
        return false;
    }

    std::string_view name_;
};

Result<TiledNode> read_json_tree(std::string_view bytes, std::string_view name) {
    TiledJson reader(bytes, name);
    static_cast<void>(nlohmann::json::sax_parse(bytes, &reader));  // false if status says why
    if (!reader.status.ok()) return tl::unexpected(std::move(reader.status));
    return std::move(reader.root);
}

Result<TiledNode> read_xml_tree(std::string_view bytes, std::string_view name) {
    pugi::xml_document document;
    const pugi::xml_parse_result parsed =
        document.load_buffer(bytes.data(), bytes.size(), pugi::parse_default, pugi::encoding_utf8);
    if (parsed.status == pugi::status_out_of_memory) throw std::bad_alloc();
    if (!parsed) {
        const auto at =
            std::clamp<std::ptrdiff_t>(parsed.offset, 0, static_cast<std::ptrdiff_t>(bytes.size()));
        return fail(StatusCode::corrupt_file,
                    fmt::format("{}:{}: not XML: {}", name,
                                line_and_column(bytes, static_cast<std::size_t>(at)),
                                parsed.description()));
    }
    TiledNode root;
    root.attributes.emplace_back("type", document.document_element().name());
    TiledXml reader(name);
    if (!reader.add(document.document_element(), root))
        return tl::unexpected(std::move(reader.status));
    return root;
}

}  // namespace

Result<TiledNode> read_tiled_tree(std::string_view bytes, std::string_view name) {
    constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
    std::string_view begin = bytes;
    if (begin.starts_with(kByteOrderMark)) begin.remove_prefix(kByteOrderMark.size());
    begin.remove_prefix(std::min(begin.find_first_not_of(" \t\r\n"), begin.size()));
    auto tree = begin.starts_with('<') ? read_xml_tree(bytes, name) : read_json_tree(bytes, name);
    if (tree) tree->kind = tree->get("type") == "tileset" ? "tileset" : "map";
    return tree;
}

}  // namespace cairn::formats
