#pragma once

#include <bit>
#include <cstdint>
#include <string>
#include <string_view>

namespace fuzz {

/// A protobuf message, field by field.
class Message {
public:
  Message& number(unsigned field, std::int64_t value) {
    varint(std::uint64_t{field} << 3U);
    varint(static_cast<std::uint64_t>(value));
    return *this;
  }
  Message& text(unsigned field, std::string_view value) {
    varint(std::uint64_t{field} << 3U | 2U);
    varint(value.size());
    bytes_ += value;
    return *this;
  }
  Message& message(unsigned field, const Message& value) { return text(field, value.bytes_); }
  Message& real(unsigned field, float value) {
    varint(std::uint64_t{field} << 3U | 5U);
    const auto bits = std::bit_cast<std::uint32_t>(value);
    for (unsigned i = 0; i < 4; ++i) bytes_ += static_cast<char>(bits >> 8U * i & 0xffU);
    return *this;
  }
  const std::string& bytes() const { return bytes_; }

private:
  void varint(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7U) bytes_ += static_cast<char>((value & 0x7fU) | 0x80U);
    bytes_ += static_cast<char>(value);
  }

  std::string bytes_;
};

} // namespace fuzz
