#pragma once

#include <boost/crc.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace model_validator::test {

/// Writes a zip byte by byte, so that a test can make it lie.
class ZipFile {
public:
  struct Entry {
    std::string name;
    std::string data;
    bool deflated = false; ///< at most 65535 bytes, in one block that packs nothing
    std::optional<std::uint32_t> claimed_size; ///< unpacked; the true one when left out
    std::size_t padding = 0;                   ///< bytes before the data
    bool unchecked = false;                    ///< has no checksum
  };

  ZipFile& add(std::string name, std::string data) {
    return add(Entry{std::move(name), std::move(data), false, {}, 0});
  }
  ZipFile& add(Entry entry) {
    entries_.push_back(std::move(entry));
    return *this;
  }

  std::string bytes() const {
    std::string out;
    std::string directory;
    for (const Entry& entry : entries_) {
      const auto offset = static_cast<std::uint32_t>(out.size());
      out += number(0x04034b50, 4) + description(entry, entry.padding) + entry.name +
             std::string(entry.padding, '\0') + stored(entry);
      directory += number(0x02014b50, 4) + number(20, 2) + description(entry, 0) + number(0, 2) +
                   number(0, 2) + number(0, 2) + number(0, 4) + number(offset, 4) + entry.name;
    }
    const auto start = static_cast<std::uint32_t>(out.size());
    const auto count = static_cast<std::uint32_t>(entries_.size());
    out += directory + number(0x06054b50, 4) + number(0, 2) + number(0, 2) + number(count, 2) +
           number(count, 2) + number(static_cast<std::uint32_t>(directory.size()), 4) +
           number(start, 4) + number(0, 2);
    return out;
  }

private:
  static std::string number(std::uint32_t value, int bytes) {
    std::string text;
    for (int i = 0; i < bytes; ++i) text += static_cast<char>((value >> (8 * i)) & 0xffU);
    return text;
  }
  static std::string stored(const Entry& entry) {
    if (!entry.deflated) return entry.data;
    const auto size = static_cast<std::uint32_t>(entry.data.size());
    return "\x01" + number(size, 2) + number(~size, 2) + entry.data;
  }
  static std::string description(const Entry& entry, std::size_t padding) {
    boost::crc_32_type crc;
    crc.process_bytes(entry.data.data(), entry.data.size());
    return number(20, 2) + number(0, 2) + number(entry.deflated ? 8 : 0, 2) + number(0, 2) +
           number(33, 2) + number(entry.unchecked ? 0 : crc.checksum(), 4) +
           number(static_cast<std::uint32_t>(stored(entry).size()), 4) +
           number(entry.claimed_size.value_or(static_cast<std::uint32_t>(entry.data.size())), 4) +
           number(static_cast<std::uint32_t>(entry.name.size()), 2) +
           number(static_cast<std::uint32_t>(padding), 2);
  }

  std::vector<Entry> entries_;
};

} // namespace model_validator::test
