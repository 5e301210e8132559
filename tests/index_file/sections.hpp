#pragma once
// An index file as the list of its sections, for tests that drop, change or exchange some.

#include <cstdint>
#include <cstring>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "index_file/frame.hpp"

namespace cairn::index_file::test {

/// The contents of the sections by section and number.
using Sections = std::map<std::pair<std::uint16_t, std::uint16_t>, std::string>;

[[nodiscard]] inline Sections::key_type key_of(Section section, int number = 0) {
    return {static_cast<std::uint16_t>(section), static_cast<std::uint16_t>(number)};
}

/// The sections of a file without damage.
[[nodiscard]] inline Sections sections_of(const std::string& file) {
    Header header;
    std::memcpy(&header, file.data(), sizeof header);
    Sections sections;
    for (std::uint32_t i = 0; i < header.sections; ++i) {
        Entry entry;
        std::memcpy(&entry, file.data() + sizeof header + i * sizeof entry, sizeof entry);
        sections[{entry.section, entry.number}] = file.substr(entry.offset, entry.bytes);
    }
    return sections;
}

/// `file` with these sections in place of its own, and checksums that match.
[[nodiscard]] inline std::string with_sections(const std::string& file, const Sections& sections) {
    const auto aligned = [](std::size_t bytes) {
        return (bytes + kAlignment - 1) / kAlignment * kAlignment;
    };
    Header header;
    std::memcpy(&header, file.data(), sizeof header);
    header.sections = static_cast<std::uint32_t>(sections.size());
    std::string bytes(aligned(sizeof header + sections.size() * sizeof(Entry)), '\0');
    std::memcpy(bytes.data(), &header, sizeof header);
    std::size_t at = sizeof header;
    for (const auto& [key, contents] : sections) {
        const Entry entry{key.first, key.second, kRequired, bytes.size(), contents.size(), 0};
        std::memcpy(bytes.data() + at, &entry, sizeof entry);
        at += sizeof entry;
        bytes += contents;
        bytes.resize(aligned(bytes.size()));
    }
    seal(bytes);
    return bytes;
}

}  // namespace cairn::index_file::test
