#pragma once

#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace model_validator::test {

/// A table to be written as part of a FlatBuffer, by the numbers of its fields.
class FlatWriter {
public:
  template <class Number> FlatWriter number(int field, Number value) && {
    static_assert(std::is_arithmetic_v<Number>);
    fields_[field].bytes.assign(reinterpret_cast<const char*>(&value), sizeof value);
    return std::move(*this);
  }
  FlatWriter text(int field, const std::string& text) && {
    return std::move(*this).numbers(field, std::vector<char>(text.begin(), text.end()));
  }
  template <class Number> FlatWriter numbers(int field, const std::vector<Number>& values) && {
    std::string vector = bytes_of(static_cast<std::uint32_t>(values.size()));
    if (!values.empty())
      vector.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(Number));
    fields_[field].vector = std::move(vector);
    fields_[field].bytes.assign(offset_bytes, '\0');
    return std::move(*this);
  }
  FlatWriter table(int field, FlatWriter table) && {
    fields_[field].bytes.assign(offset_bytes, '\0');
    fields_[field].tables.push_back(std::move(table));
    return std::move(*this);
  }
  FlatWriter tables(int field, std::vector<FlatWriter> tables) && {
    fields_[field] = {std::string(offset_bytes, '\0'), "", std::move(tables), true};
    return std::move(*this);
  }

  /// A whole file, with its mark behind the offset of this table.
  std::string file(const std::string& mark) const {
    std::string bytes = bytes_of(std::uint32_t{0}) + mark;
    const auto place = write(bytes);
    point(bytes, 0, place);
    return bytes;
  }

private:
  static constexpr std::size_t offset_bytes = 4;

  struct Field {
    std::string bytes, vector;
    std::vector<FlatWriter> tables;
    bool is_list = false;
  };

  template <class Number> static std::string bytes_of(Number value) {
    return {reinterpret_cast<const char*>(&value), sizeof value};
  }
  static void point(std::string& bytes, std::size_t from, std::size_t to) {
    const auto offset = static_cast<std::uint32_t>(to - from);
    std::memcpy(bytes.data() + from, &offset, sizeof offset);
  }

  std::size_t write(std::string& bytes) const {
    const int count = fields_.empty() ? 0 : fields_.rbegin()->first + 1;
    std::vector<std::uint16_t> places(static_cast<std::size_t>(count), 0);
    std::string inlined(offset_bytes, '\0');
    for (const auto& [number, field] : fields_) {
      places[static_cast<std::size_t>(number)] = static_cast<std::uint16_t>(inlined.size());
      inlined += field.bytes;
    }
    const std::size_t index = bytes.size();
    bytes += bytes_of(static_cast<std::uint16_t>(4 + 2 * count)) +
             bytes_of(static_cast<std::uint16_t>(inlined.size()));
    for (const std::uint16_t place : places) bytes += bytes_of(place);
    const std::size_t start = bytes.size();
    bytes += inlined;
    point(bytes, start, start + (start - index)); // back to the index
    for (const auto& [number, field] : fields_)
      write_behind(bytes, start + places[static_cast<std::size_t>(number)], field);
    return start;
  }

  static void write_behind(std::string& bytes, std::size_t at, const Field& field) {
    if (!field.is_list && field.vector.empty()) {
      if (!field.tables.empty()) point(bytes, at, field.tables.front().write(bytes));
      return;
    }
    point(bytes, at, bytes.size());
    if (!field.is_list) {
      bytes += field.vector;
      return;
    }
    bytes += bytes_of(static_cast<std::uint32_t>(field.tables.size()));
    const std::size_t first = bytes.size();
    bytes.append(field.tables.size() * offset_bytes, '\0');
    for (std::size_t i = 0; i < field.tables.size(); ++i) {
      const auto place = field.tables[i].write(bytes);
      point(bytes, first + i * offset_bytes, place);
    }
  }

  std::map<int, Field> fields_;
};

} // namespace model_validator::test
