#include "files/flat_table.h"
#include "introspection/edge_model.h"
#include "introspection/litert_schema.h"
#include "support/flat_buffer.h"
#include "support/temporary_folder.h"
#include "support/thrown.h"
#include "verify/backends/litert_numbers.h"
#include "verify/backends/litert_unrounded.h"

#include <catch2/catch.hpp>

#include <cstring>

using namespace model_validator;
using namespace model_validator::test;
using namespace model_validator::verify;

namespace {

constexpr std::uint8_t float32 = 0, int32 = 2, int8 = 9;
constexpr std::int8_t add = 0, conv = 3, custom = 32, quantise = 114;

struct Steps {
  std::vector<float> scales;
  std::vector<std::int64_t> zeros;
  std::int32_t axis = 0;
};

FlatWriter tensor(const std::string& name, std::uint8_t type, std::vector<std::int32_t> shape,
                  std::uint32_t buffer, const Steps& steps = {}) {
  auto made = FlatWriter().numbers(0, shape).number(1, type).number(2, buffer).text(3, name);
  if (steps.scales.empty()) return made;
  return std::move(made).table(
      4, FlatWriter().numbers(2, steps.scales).numbers(3, steps.zeros).number(6, steps.axis));
}

FlatWriter operation(std::uint32_t code, std::vector<std::int32_t> inputs, std::int32_t output) {
  return FlatWriter().number(0, code).numbers(1, inputs).numbers<std::int32_t>(2, {output});
}

FlatWriter kind(std::int8_t builtin) {
  return FlatWriter()
      .number(0, builtin)
      .number<std::int32_t>(2, 2)
      .number<std::int32_t>(3, builtin);
}

/// x → QUANTIZE → CONV_2D with a weight of two filters of two channels, and a bias (100, −200) → y
std::string quantised_file(std::int8_t layer = conv, std::int32_t sizes_of_weight = 2) {
  const Steps of_value{{0.5F}, {3}}, of_weight{{0.1F, 0.2F}, {0, 0}};
  const auto graph =
      FlatWriter()
          .tables(0, {tensor("x", float32, {1, 1, 2, 2}, 0),
                      tensor("q", int8, {1, 1, 2, 2}, 0, of_value),
                      tensor("w", int8, {2, 1, sizes_of_weight, 2}, 1, of_weight),
                      tensor("b", int32, {2}, 2), tensor("y", int8, {1, 1, 1, 2}, 0, of_value)})
          .numbers<std::int32_t>(1, {0})
          .numbers<std::int32_t>(2, {4})
          .tables(3, {operation(0, {0}, 1), operation(1, {1, 2, 3}, 4)});
  return FlatWriter()
      .number<std::uint32_t>(0, 3)
      .tables(1, {kind(quantise), kind(layer)})
      .tables(2, {graph})
      .tables(4, {FlatWriter(), FlatWriter().numbers<std::int8_t>(0, {1, 2, 3, 4, -5, -6, -7, 127}),
                  FlatWriter().numbers<std::int8_t>(0, {100, 0, 0, 0, 56, -1, -1, -1})})
      .file("TFL3");
}

std::vector<float> nothing_own(const FewBitWeight&) { return {}; }

std::vector<float> stored_in(const InputFile& file, std::size_t buffer) {
  const auto bytes = FlatTable::root(file)
                         .tables(litert::model::buffers)
                         .at(buffer)
                         .numbers<char>(litert::buffer::data);
  std::vector<float> numbers(bytes.size() / sizeof(float));
  std::memcpy(numbers.data(), bytes.data(), bytes.size());
  return numbers;
}

void check_near(const std::vector<float>& found, const std::vector<float>& expected) {
  REQUIRE(found.size() == expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) CHECK(found[i] == Approx(expected[i]));
}

} // namespace

TEST_CASE("a quantised LiteRT file becomes one that rounds nothing") {
  const TemporaryFolder folder;
  const auto model = folder.write("model.tflite", quantised_file());
  std::vector<FewBitWeight> asked;
  const auto written =
      write_unrounded_litert(model, folder.path() / "float.tflite", [&](const FewBitWeight& each) {
        asked.push_back(each);
        return std::vector<float>{};
      });
  CHECK(written.is_complete);
  const InputFile file(written.path);
  for (const EdgeValue& value : read_litert_model(written.path).values) {
    CHECK(value.dtype == "float32");
    CHECK_FALSE(value.is_stepped);
  }
  check_near(stored_in(file, 1), {0.1F, 0.2F, 0.3F, 0.4F, -1, -1.2F, -1.4F, 25.4F});
  check_near(stored_in(file, 2), {5, -20}); // in steps of what it is added to
  const auto codes = FlatTable::root(file).tables(litert::model::operator_codes);
  constexpr std::int32_t cast = 53;
  CHECK(codes.at(0).number<std::int32_t>(litert::operator_code::builtin) == cast);
  CHECK(codes.at(0).number<std::int8_t>(litert::operator_code::old_builtin) == cast);
  CHECK(codes.at(1).number<std::int32_t>(litert::operator_code::builtin) == conv);
  REQUIRE(asked.size() == 2);
  CHECK(asked[0].name == "w");
  CHECK(asked[0].layer == "y");
  CHECK(asked[0].sizes == std::vector<std::int64_t>{2, 2, 1, 2}); // as PyTorch has them
  check_near(asked[0].numbers, {0.1F, 0.3F, 0.2F, 0.4F, -1, -1.4F, -1.2F, 25.4F});
  CHECK(asked[0].ends == std::vector<std::int8_t>{0, 0, 0, 0, 0, 0, 0, 1});
  CHECK(asked[1].sizes == std::vector<std::int64_t>{2});
}

TEST_CASE("numbers of the reference take the place of the file's, in its order") {
  const TemporaryFolder folder;
  const auto model = folder.write("model.tflite", quantised_file());
  const auto written =
      write_unrounded_litert(model, folder.path() / "float.tflite", [](const FewBitWeight& each) {
        return each.name == "w" ? std::vector<float>{1, 2, 3, 4, 5, 6, 7, 8} : std::vector<float>{};
      });
  check_near(stored_in(InputFile(written.path), 1), {1, 3, 2, 4, 5, 7, 6, 8});
}

TEST_CASE("a LiteRT file in float stays as it is") {
  const TemporaryFolder folder;
  const std::string bytes =
      FlatWriter()
          .tables(1, {kind(add)})
          .tables(2, {FlatWriter()
                          .tables(0, {tensor("x", float32, {2}, 0), tensor("y", int8, {2}, 1)})
                          .tables(3, {operation(0, {0, 0}, 0)})})
          .tables(4, {FlatWriter(), FlatWriter().numbers<std::int8_t>(0, {1, 2})})
          .file("TFL3");
  const auto written = write_unrounded_litert(folder.write("model.tflite", bytes),
                                              folder.path() / "float.tflite", nothing_own);
  const InputFile file(written.path);
  CHECK(file.read_at(0, bytes.size() + 1) == bytes); // whole numbers without a scale are numbers
}

TEST_CASE("what cannot be computed in float32 is refused, in words") {
  const TemporaryFolder folder;
  const auto why = [&](const std::string& bytes) {
    return thrown_by([&] {
      write_unrounded_litert(folder.write("model.tflite", bytes), folder.path() / "float.tflite",
                             nothing_own);
    });
  };
  CHECK(why(quantised_file(custom))->kind() == ErrorKind::backend_refused);
  CHECK(std::string(why(quantised_file(custom))->what()).find("not LiteRT's own") !=
        std::string::npos);
  CHECK(std::string(why(quantised_file(conv, 3))->what()).find("more or fewer numbers") !=
        std::string::npos);
}

TEST_CASE("a LiteRT file that is cut off is refused or rewritten, never read beyond") {
  const TemporaryFolder folder;
  const std::string whole = quantised_file();
  std::size_t refused = 0;
  for (std::size_t size = 8; size < whole.size(); size += 3)
    refused += thrown_by([&] {
      write_unrounded_litert(folder.write("cut", whole.substr(0, size)),
                             folder.path() / "float.tflite", nothing_own);
    })
                   ? 1
                   : 0;
  CHECK(refused > whole.size() / 6);
}

TEST_CASE("buffers that share their bytes do not make the file grow beyond what bits become") {
  constexpr std::int32_t shared = 2000;
  const auto file_of = [](std::size_t count) {
    std::vector<FlatWriter> tensors, buffers{FlatWriter()};
    for (std::size_t i = 1; i <= count; ++i) {
      tensors.push_back(tensor("w", int8, {shared}, static_cast<std::uint32_t>(i), {{0.5F}, {0}}));
      buffers.push_back(FlatWriter().number<std::uint64_t>(1, 2).number<std::uint64_t>(2, shared));
    }
    buffers.push_back(FlatWriter().numbers(0, std::vector<std::int8_t>(shared)));
    return FlatWriter()
        .number<std::uint32_t>(0, 3)
        .tables(2, {FlatWriter().tables(0, tensors)})
        .tables(4, buffers)
        .file("TFL3");
  };
  const TemporaryFolder folder;
  const auto to = folder.path() / "float.tflite";
  CHECK(
      write_unrounded_litert(folder.write("few.tflite", file_of(3)), to, nothing_own).is_complete);
  const auto why = thrown_by(
      [&] { write_unrounded_litert(folder.write("many.tflite", file_of(60)), to, nothing_own); });
  REQUIRE(why);
  CHECK(why->kind() == ErrorKind::backend_refused);
}

TEST_CASE("numbers in four bits have the first in the lower half of a byte") {
  const StoredSteps steps{"int4", {3}, {0.5F}, {}, 0};
  const auto numbers = numbers_of(steps, std::string("\x7f\x08", 2), {});
  REQUIRE(numbers);
  CHECK(numbers->numbers == std::vector<float>{-0.5F, 3.5F, -4});
  CHECK(numbers->ends == std::vector<std::int8_t>{0, 1, -1});
  CHECK_FALSE(numbers_of(steps, "\x7f", {}));
  CHECK_FALSE(numbers_of({"int8", {2, 2}, {1, 2, 3}, {}, 0}, "abcd", {}));
}

TEST_CASE("a depthwise filter has its channels last") {
  const StoredSteps steps{"int8", {1, 1, 2, 2}, {1, 10}, {0, 0}, 3};
  const std::vector<std::size_t> order{3, 0, 1, 2};
  const auto numbers = numbers_of(steps, std::string("\x01\x02\x03\x04", 4), order);
  REQUIRE(numbers);
  CHECK(numbers->sizes == std::vector<std::int64_t>{2, 1, 1, 2});
  CHECK(numbers->numbers == std::vector<float>{1, 3, 20, 40});
  CHECK(as_stored(steps.shape, order, numbers->numbers) == std::vector<float>{1, 20, 3, 40});
}
