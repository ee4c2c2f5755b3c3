#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace model_validator::process {

/// Types that are copied byte by byte: the bytes never leave the machine.
template <class T>
concept Plain = std::is_arithmetic_v<T> || std::is_enum_v<T>;

/// Writes values one after the other. A structure is written by `describe(archive, structure)`,
/// which names its members, and read back by the same function.
class ByteWriter {
public:
  template <class... T> void operator()(T&... values) { (put(values), ...); }
  const std::string& bytes() const noexcept { return bytes_; }

private:
  template <Plain T> void put(T value) {
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  void put(std::string& text) {
    put(text.size());
    bytes_ += text;
  }
  template <class T> void put(std::vector<T>& values) {
    put(values.size());
    for (T& value : values) put(value);
  }
  template <class T> void put(std::optional<T>& value) {
    put(value.has_value());
    if (value) put(*value);
  }
  template <class T>
  requires(!Plain<T>) void put(T& structure) { describe(*this, structure); }

  std::string bytes_;
};

/// Reads what a ByteWriter of the same program wrote.
class ByteReader {
public:
  explicit ByteReader(std::string_view bytes) : left_(bytes) {}

  /// Whether nothing is left.
  bool done() const noexcept { return left_.empty(); }
  /// @throws std::runtime_error where the bytes end too early
  template <class... T> void operator()(T&... values) { (get(values), ...); }

private:
  std::string_view take(std::size_t count) {
    if (count > left_.size()) throw std::runtime_error("the bytes of a result end too early");
    const std::string_view bytes = left_.substr(0, count);
    left_.remove_prefix(count);
    return bytes;
  }
  template <Plain T> void get(T& value) {
    std::memcpy(&value, take(sizeof value).data(), sizeof value);
  }
  void get(bool& value) { value = take(sizeof value).front() != 0; }
  std::size_t get_count() {
    std::size_t count = 0;
    get(count);
    return count;
  }
  void get(std::string& text) { text = take(get_count()); }
  template <class T> void get(std::vector<T>& values) {
    values.clear();
    for (std::size_t left = get_count(); left > 0; --left) get(values.emplace_back());
  }
  template <class T> void get(std::optional<T>& value) {
    bool there = false;
    get(there);
    value.reset();
    if (there) get(value.emplace());
  }
  template <class T>
  requires(!Plain<T>) void get(T& structure) { describe(*this, structure); }

  std::string_view left_;
};

} // namespace model_validator::process
