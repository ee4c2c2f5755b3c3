#include "introspection/edge_model.h"
#include "support/flat_buffer.h"
#include "support/temporary_folder.h"
#include "support/thrown.h"

#include <catch2/catch.hpp>

#include <cstring>
#include <string>

using namespace model_validator;
using namespace model_validator::test;

namespace {

constexpr std::uint8_t float32 = 0, int8 = 9;

FlatWriter value(const std::string& name, std::uint8_t type, std::uint32_t buffer,
                 const std::vector<float>& scales = {}) {
  auto tensor =
      FlatWriter().numbers<std::int32_t>(0, {1, 4}).number(1, type).number(2, buffer).text(3, name);
  if (scales.empty()) return tensor;
  return std::move(tensor).table(4, FlatWriter().numbers(2, scales).numbers<std::int64_t>(3, {3}));
}

FlatWriter port(const std::string& name, std::uint32_t tensor) {
  return FlatWriter().text(0, name).number(1, tensor);
}

FlatWriter signature(const std::string& key, std::vector<FlatWriter> inputs) {
  return FlatWriter()
      .tables(0, std::move(inputs))
      .tables(1, {port("output_0", 2)})
      .text(2, key)
      .number<std::uint32_t>(4, 0);
}

/// `c = op(a, b, w)`, `w` stored in steps.
FlatWriter graph() {
  return FlatWriter()
      .tables(0, {value("a", float32, 0), value("b", int8, 0, {0.5F}), value("c", float32, 0),
                  value("w", int8, 1, {1, 2})})
      .numbers<std::int32_t>(1, {1, 0})
      .numbers<std::int32_t>(2, {2})
      .tables(3,
              {FlatWriter().numbers<std::int32_t>(1, {0, 1, 3, -1}).numbers<std::int32_t>(2, {2})});
}

FlatWriter litert(std::vector<FlatWriter> signatures) {
  return FlatWriter()
      .number<std::uint32_t>(0, 3)
      .tables(2, {graph()})
      .tables(4, {FlatWriter(), FlatWriter().numbers<std::uint8_t>(0, {1, 2, 3, 4})})
      .tables(7, std::move(signatures));
}

EdgeModel read(const std::string& bytes, EdgeModel (*reader)(const std::filesystem::path&)) {
  const TemporaryFolder folder;
  return reader(folder.write("model", bytes));
}

std::vector<std::string> names(const std::vector<EdgePort>& ports) {
  std::vector<std::string> all;
  for (const EdgePort& each : ports) all.push_back(each.name);
  return all;
}

} // namespace

TEST_CASE("a LiteRT model says what it takes, in the order of its graph") {
  const auto bytes = litert({signature("prefill", {port("x", 0)}),
                             signature("serving_default", {port("args_10", 0), port("args_9", 1)})})
                         .file("TFL3");
  const EdgeModel model = read(bytes, read_litert_model);
  CHECK(model.entry == "serving_default");
  CHECK(model.entries.size() == 2);
  CHECK(names(model.inputs) == std::vector<std::string>{"args_9", "args_10"});
  CHECK(model.inputs[1].value == 0);
  CHECK(names(model.outputs) == std::vector<std::string>{"output_0"});
  REQUIRE(model.values.size() == 4);
  CHECK(model.values[0].dtype == "float32");
  CHECK(model.values[0].shape == std::vector<std::int64_t>{1, 4});
  CHECK_FALSE(model.values[0].is_stepped);
  CHECK(model.values[1].is_stepped);
  CHECK(model.values[1].zero_points == std::vector<std::int64_t>{3});
  CHECK_FALSE(model.values[1].is_stored);
  CHECK(model.values[3].is_stored);
  CHECK(model.values[3].has_many_scales);
  REQUIRE(model.ops.size() == 1);
  CHECK(model.ops[0].inputs == std::vector<std::size_t>{0, 1, 3});
}

TEST_CASE("a LiteRT model without signatures is called by its graph's inputs") {
  const EdgeModel model = read(litert({}).file("TFL3"), read_litert_model);
  CHECK(model.entry.empty());
  CHECK(names(model.inputs) == std::vector<std::string>{"b", "a"});
  CHECK(names(model.outputs) == std::vector<std::string>{"c"});
}

TEST_CASE("an ExecuTorch program says what its method takes, without names") {
  constexpr std::int8_t int64 = 4, is_open = 1;
  const auto tensor = [](std::int8_t dtype, std::int8_t dynamism) {
    return FlatWriter().number<std::uint8_t>(0, 5).table(
        1, FlatWriter().number(0, dtype).numbers<std::int32_t>(2, {2, 3}).number(8, dynamism));
  };
  const auto plan = FlatWriter()
                        .text(0, "forward")
                        .tables(2, {tensor(6, 0), tensor(int64, is_open),
                                    FlatWriter().number<std::uint8_t>(0, 2)})
                        .numbers<std::int32_t>(3, {1, 0})
                        .numbers<std::int32_t>(4, {0});
  const auto bytes = FlatWriter().tables(1, {FlatWriter().text(0, "other"), plan}).file("ET12");
  const EdgeModel model = read(bytes, read_executorch_program);
  CHECK(model.entry == "forward");
  CHECK(names(model.inputs) == std::vector<std::string>{"input_0", "input_1"});
  CHECK(model.values[model.inputs[0].value].dtype == "int64");
  CHECK_FALSE(model.values[model.inputs[0].value].shape); // the sizes are the largest ones
  CHECK(model.values[0].shape == std::vector<std::int64_t>{2, 3});
}

TEST_CASE("a file that is cut off anywhere is refused or read, never read beyond") {
  const std::string whole =
      litert({signature("serving_default", {port("args_0", 0)})}).file("TFL3");
  const TemporaryFolder folder;
  std::size_t refused = 0;
  for (std::size_t size = 8; size < whole.size(); ++size) {
    const auto error =
        thrown_by([&] { read_litert_model(folder.write("cut", whole.substr(0, size))); });
    if (error) CHECK(error->kind() == ErrorKind::damaged_file);
    refused += error ? 1 : 0;
  }
  CHECK(refused > whole.size() / 2);
}

TEST_CASE("tables that share what is large are not read again and again") {
  const auto number_at = [](const std::string& bytes, std::size_t at) {
    std::uint32_t number = 0;
    std::memcpy(&number, bytes.data() + at, sizeof number);
    return number;
  };
  // Of so many methods, of which each is the last one, whose name is large.
  const auto with_entries = [&](std::size_t count) {
    std::vector<FlatWriter> methods(count);
    methods.back() = FlatWriter().text(0, std::string(1U << 16U, 'a'));
    std::string bytes = FlatWriter().tables(1, std::move(methods)).file("ET12");
    const std::size_t field = number_at(bytes, 0) + 4; // the root has this one alone
    const std::size_t first = field + number_at(bytes, field) + 4, last = first + 4 * (count - 1);
    const std::size_t method = last + number_at(bytes, last);
    for (std::size_t at = first; at < last; at += 4) {
      const auto offset = static_cast<std::uint32_t>(method - at);
      std::memcpy(bytes.data() + at, &offset, sizeof offset);
    }
    return bytes;
  };
  const TemporaryFolder folder;
  CHECK(read_executorch_program(folder.write("few", with_entries(9))).entries.size() == 9);
  CHECK(thrown_by([&] {
          read_executorch_program(folder.write("many", with_entries(1000)));
        })->kind() == ErrorKind::damaged_file);
}

TEST_CASE("numbers that point outside of a file, or of its lists, are refused") {
  std::string far = litert({}).file("TFL3");
  far[0] = '\xff';
  far[3] = '\x7f';
  CHECK(thrown_by([&] { read(far, read_litert_model); })->kind() == ErrorKind::damaged_file);
  const std::string foreign =
      litert({signature("serving_default", {port("args_0", 77)})}).file("TFL3");
  CHECK(thrown_by([&] { read(foreign, read_litert_model); })->kind() == ErrorKind::damaged_file);
  CHECK(thrown_by([&] { read(FlatWriter().file("ET12"), read_executorch_program); })->kind() ==
        ErrorKind::damaged_file);
}
