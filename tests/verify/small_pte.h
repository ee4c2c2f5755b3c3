#pragma once

#include "introspection/xnnpack_schema.h"
#include "support/flat_buffer.h"

#include <cstring>
#include <string>
#include <vector>

// A `.pte` program that leaves one layer to XNNPACK.
namespace model_validator::test::small_pte {

template <class Number> std::string bytes_of(const std::vector<Number>& numbers) {
  return {reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(Number)};
}

struct Weight {
  std::uint8_t layer = xnn::node::fully_connected;
  int filter = 1; ///< number of the field
  std::int16_t dtype = xnn::tensor::int8_of_channels;
  std::vector<std::uint32_t> dims;
  std::uint8_t steps_type = xnn::steps::per_channel;
  FlatWriter steps;
  std::string data, scales; ///< the constants 1 and 2
};

inline FlatWriter constant(std::uint64_t offset, std::size_t size) {
  return FlatWriter().number(0, offset).number<std::uint64_t>(1, size);
}

inline FlatWriter named(const std::string& name, std::size_t size) {
  return FlatWriter().number<std::uint64_t>(1, size).text(2, name);
}

/// A graph of one layer whose weight has the number 3.
inline FlatWriter graph(const Weight& weight, std::vector<FlatWriter> constants) {
  constexpr std::uint32_t id = 3, of_data = 1;
  auto values =
      FlatWriter().number(0, weight.dtype).numbers(2, weight.dims).number(3, of_data).number(6, id);
  auto quantised =
      FlatWriter().table(0, std::move(values)).number(1, weight.steps_type).table(2, weight.steps);
  return FlatWriter()
      .tables(
          1,
          {FlatWriter().number(0, weight.layer).table(1, FlatWriter().number(weight.filter, id))})
      .tables(2, {FlatWriter().number<std::uint8_t>(0, 1),
                  FlatWriter().number(0, xnn::value::quantised).table(1, std::move(quantised))})
      .tables(8, std::move(constants));
}

inline FlatWriter segment(std::size_t offset, std::size_t size) {
  return FlatWriter().number<std::uint64_t>(0, offset).number<std::uint64_t>(1, size);
}

/// Puts a header behind the offset of the root, as programs and graphs have one.
inline std::string with_header(std::string tables, const std::string& mark,
                               const std::string& header) {
  std::uint32_t root = 0;
  std::memcpy(&root, tables.data(), sizeof root);
  root += static_cast<std::uint32_t>(header.size());
  std::memcpy(tables.data(), &root, sizeof root);
  return tables.substr(0, 8) + mark + header.substr(mark.size()) + tables.substr(8);
}

/// A program that leaves this graph to XNNPACK, its data behind the graph, its scales by name.
inline std::string program(const Weight& weight, std::vector<FlatWriter> constants) {
  const std::string tables = graph(weight, std::move(constants)).file("XN01");
  const auto at_data = static_cast<std::uint32_t>(32 + tables.size());
  const std::string blob = std::string(4, '\0') + "XH00" + bytes_of<std::uint16_t>({30}) +
                           bytes_of<std::uint32_t>({32, 0, at_data}) + std::string(10, '\0') +
                           tables + weight.data;
  const auto delegate =
      FlatWriter()
          .text(0, "XnnpackBackend")
          .table(1, FlatWriter().number<std::int8_t>(0, 1).number<std::uint32_t>(1, 0));
  const std::string root =
      FlatWriter()
          .tables(1, {FlatWriter().text(0, "forward").tables(7, {delegate})})
          .tables(4, {segment(0, blob.size()), segment(blob.size(), weight.scales.size())})
          .tables(7, {FlatWriter().text(0, "scale_1").number<std::uint32_t>(1, 1)})
          .file("ET12");
  constexpr std::size_t header = 24; // its mark and size, then where tables and segments end
  const std::uint64_t base = root.size() + header;
  return with_header(root, "eh00", std::string(8, '\0') + bytes_of<std::uint64_t>({0, base})) +
         blob + weight.scales;
}

inline std::string program(const Weight& weight) {
  return program(weight, {FlatWriter(), constant(0, weight.data.size()),
                          named("scale_1", weight.scales.size())});
}

inline FlatWriter of_channels(std::int32_t axis) {
  return FlatWriter().number(1, axis).number<std::uint32_t>(2, 2);
}

inline Weight linear() {
  return {.dims = {2, 3},
          .steps = of_channels(0),
          .data = bytes_of<std::int8_t>({1, -2, 3, 4, 5, -127}),
          .scales = bytes_of<float>({0.5F, 2})};
}

} // namespace model_validator::test::small_pte
