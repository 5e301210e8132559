#pragma once
// Writes Tiled maps in every form that the editor has.

#include <zlib.h>
#include <zstd.h>

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace cairn::test {

/// A custom property: its name, its type in Tiled, its value as XML has it.
struct TiledProperty {
    std::string name;
    std::string type;
    std::string value;
};
using TiledProperties = std::vector<TiledProperty>;

struct TiledTileset {
    std::uint32_t first = 1;
    std::vector<std::pair<std::uint32_t, TiledProperties>> tiles;
    std::string source;  ///< if not empty: the file beside the map that holds it
};

struct TiledChunk {
    int x = 0;
    int y = 0;
    int width = 0;
    int height = 0;
    std::vector<std::uint32_t> gids;
};

struct TiledLayer {
    std::string name = "ground";
    TiledProperties properties;
    std::vector<TiledChunk> chunks;  ///< one, of the map's size, in finite maps
    std::string group;               ///< if not empty: the layer is in a group of this name
};

struct TiledFile {
    int width = 0;
    int height = 0;
    bool infinite = false;
    std::string orientation = "orthogonal";
    std::vector<TiledTileset> tilesets;
    std::vector<TiledLayer> layers;  ///< those in the same group side by side
};

/// An encoding of tile data and its compression. "tiles": numbers, in XML as elements.
struct TiledEncoding {
    std::string encoding = "csv";
    std::string compression;
};
inline const std::vector<TiledEncoding> kTiledEncodings{{"tiles", ""},      {"csv", ""},
                                                        {"base64", ""},     {"base64", "zlib"},
                                                        {"base64", "gzip"}, {"base64", "zstd"}};

inline std::string base64_of(const std::string& bytes) {
    constexpr const char* kLetters =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string out;
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        std::uint32_t word = 0;
        for (std::size_t j = 0; j < 3; ++j)
            word = word << 8 | (i + j < bytes.size() ? static_cast<std::uint8_t>(bytes[i + j]) : 0);
        for (std::size_t j = 0; j < 4; ++j)
            out += i + j <= bytes.size() ? kLetters[word >> (18 - 6 * j) & 63] : '=';
    }
    return out;
}

inline std::string deflated(const std::string& bytes, bool gzip) {
    z_stream stream{};
    deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 15 + (gzip ? 16 : 0), 8,
                 Z_DEFAULT_STRATEGY);
    std::string out(deflateBound(&stream, static_cast<uLong>(bytes.size())) + 64, '\0');
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
    stream.avail_in = static_cast<uInt>(bytes.size());
    stream.next_out = reinterpret_cast<Bytef*>(out.data());
    stream.avail_out = static_cast<uInt>(out.size());
    deflate(&stream, Z_FINISH);
    out.resize(stream.total_out);
    deflateEnd(&stream);
    return out;
}

inline std::string zstd_of(const std::string& bytes) {
    std::string out(ZSTD_compressBound(bytes.size()), '\0');
    out.resize(ZSTD_compress(out.data(), out.size(), bytes.data(), bytes.size(), 3));
    return out;
}

/// The text of encoded tile data; not of "tiles".
inline std::string tile_text(const std::vector<std::uint32_t>& gids, const TiledEncoding& form) {
    if (form.encoding == "csv") return fmt::format("\n{}\n", fmt::join(gids, ",\n"));
    std::string bytes;
    for (const std::uint32_t gid : gids) {
        for (int shift = 0; shift < 32; shift += 8) bytes += static_cast<char>(gid >> shift & 255);
    }
    if (form.compression == "zlib") bytes = deflated(bytes, false);
    if (form.compression == "gzip") bytes = deflated(bytes, true);
    if (form.compression == "zstd") bytes = zstd_of(bytes);
    return base64_of(bytes);
}

// XML.

inline std::string xml_of(const TiledProperties& properties) {
    std::string out;
    for (const auto& [name, type, value] : properties)
        out += fmt::format("<property name=\"{}\" type=\"{}\" value=\"{}\"/>", name, type, value);
    return out.empty() ? out : "<properties>" + out + "</properties>\n";
}
/// A tileset as an element; `attributes` of the map.
inline std::string xml_of(const TiledTileset& set, const std::string& attributes) {
    std::string out = fmt::format("<tileset {}name=\"a\" tilecount=\"9\">\n", attributes);
    for (const auto& [id, properties] : set.tiles)
        out += fmt::format("<tile id=\"{}\">{}<image source=\"a.png\"/></tile>\n", id,
                           xml_of(properties));
    return out + "</tileset>\n";
}
inline std::string xml_of(const std::vector<std::uint32_t>& gids, const TiledEncoding& form) {
    if (form.encoding != "tiles") return tile_text(gids, form);
    std::string out;
    for (const std::uint32_t gid : gids)
        out += gid == 0 ? "<tile/>" : fmt::format("<tile gid=\"{}\"/>", gid);
    return out;
}
inline std::string xml_of(const TiledFile& map, const TiledEncoding& form) {
    std::string out = fmt::format(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<map version=\"1.10\" orientation=\"{}\" "
        "width=\"{}\" height=\"{}\" tilewidth=\"16\" infinite=\"{}\">\n",
        map.orientation, map.width, map.height, map.infinite ? 1 : 0);
    for (const TiledTileset& set : map.tilesets) {
        const std::string first = fmt::format("firstgid=\"{}\" ", set.first);
        out += set.source.empty() ? xml_of(set, first)
                                  : fmt::format("<tileset {}source=\"{}\"/>\n", first, set.source);
    }
    std::string data =
        form.encoding == "tiles" ? "<data>" : fmt::format("<data encoding=\"{}\">", form.encoding);
    if (!form.compression.empty())
        data.insert(data.size() - 1, fmt::format(" compression=\"{}\"", form.compression));
    std::string group;
    for (const TiledLayer& layer : map.layers) {
        if (layer.group != group) {
            if (!group.empty()) out += "</group>\n";
            if (!layer.group.empty()) out += fmt::format("<group name=\"{}\">\n", layer.group);
            group = layer.group;
        }
        out += fmt::format("<layer name=\"{}\" width=\"{}\" height=\"{}\" visible=\"0\">{}{}",
                           layer.name, map.width, map.height, xml_of(layer.properties), data);
        for (const TiledChunk& chunk : layer.chunks) {
            const std::string text = xml_of(chunk.gids, form);
            out += !map.infinite ? text
                                 : fmt::format(
                                       "<chunk x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\">{}"
                                       "</chunk>",
                                       chunk.x, chunk.y, chunk.width, chunk.height, text);
        }
        out += "</data></layer>\n";
    }
    if (!group.empty()) out += "</group>\n";
    return out + "<objectgroup name=\"things\"><object id=\"1\"/></objectgroup></map>\n";
}

// JSON.

inline nlohmann::json json_of(const TiledProperties& properties) {
    nlohmann::json out = nlohmann::json::array();
    for (const auto& [name, type, value] : properties) {
        nlohmann::json typed = value;
        if (type == "bool") typed = value == "true";
        if (type == "int" || type == "float") typed = nlohmann::json::parse(value);
        out.push_back({{"name", name}, {"type", type}, {"value", typed}});
    }
    return out;
}
inline nlohmann::json json_of(const TiledTileset& set) {
    nlohmann::json out{{"name", "a"}, {"type", "tileset"}, {"tiles", nlohmann::json::array()}};
    for (const auto& [id, properties] : set.tiles) {
        out["tiles"].push_back({{"id", id},
                                {"image", "a.png"},
                                {"animation", {{{"duration", 10}, {"tileid", 1}}}},
                                {"properties", json_of(properties)}});
    }
    return out;
}
inline nlohmann::json json_of(const std::vector<std::uint32_t>& gids, const TiledEncoding& form) {
    return form.encoding == "base64" ? nlohmann::json(tile_text(gids, form)) : nlohmann::json(gids);
}
inline std::string json_of(const TiledFile& map, const TiledEncoding& form) {
    nlohmann::json out{
        {"type", "map"},        {"orientation", map.orientation}, {"width", map.width},
        {"height", map.height}, {"infinite", map.infinite},       {"backgroundcolor", nullptr}};
    out["tilesets"] = nlohmann::json::array();
    for (const TiledTileset& set : map.tilesets) {
        nlohmann::json entry =
            set.source.empty() ? json_of(set) : nlohmann::json{{"source", set.source}};
        entry["firstgid"] = set.first;
        out["tilesets"].push_back(std::move(entry));
    }
    out["layers"] = nlohmann::json::array();
    std::string group;
    for (const TiledLayer& layer : map.layers) {
        nlohmann::json entry{{"type", "tilelayer"},
                             {"name", layer.name},
                             {"width", map.width},
                             {"height", map.height},
                             {"visible", false},
                             {"encoding", form.encoding},
                             {"properties", json_of(layer.properties)}};
        if (form.encoding == "tiles") entry.erase("encoding");
        if (!form.compression.empty()) entry["compression"] = form.compression;
        if (map.infinite) entry["chunks"] = nlohmann::json::array();
        for (const TiledChunk& chunk : layer.chunks) {
            if (!map.infinite) {
                entry["data"] = json_of(chunk.gids, form);
                continue;
            }
            entry["chunks"].push_back({{"x", chunk.x},
                                       {"y", chunk.y},
                                       {"width", chunk.width},
                                       {"height", chunk.height},
                                       {"data", json_of(chunk.gids, form)}});
        }
        if (layer.group.empty()) {
            out["layers"].push_back(std::move(entry));
        } else {
            if (layer.group != group) {
                out["layers"].push_back({{"type", "group"},
                                         {"name", layer.group},
                                         {"layers", nlohmann::json::array()}});
            }
            out["layers"].back()["layers"].push_back(std::move(entry));
        }
        group = layer.group;
    }
    out["layers"].push_back(
        {{"type", "objectgroup"}, {"name", "things"}, {"objects", {{{"id", 1}}}}});
    return out.dump(1);
}

}  // namespace cairn::test
