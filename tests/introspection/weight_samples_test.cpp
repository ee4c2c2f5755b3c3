#include "introspection/weight_samples.h"
#include "support/temporary_folder.h"

#include <catch2/catch.hpp>

#include <cstring>
#include <numeric>

using namespace model_validator;

namespace {

/// An ONNX model with one initializer, `w`, as protobuf's wire format has it.
/// @param dtype  ONNX's number: 1 for float32, 10 for float16
std::string onnx_model(std::size_t dtype, std::size_t count, const std::string& raw) {
  const auto varint = [](std::size_t value) {
    std::string bytes;
    for (; value >= 128; value >>= 7) bytes += static_cast<char>(value % 128 + 128);
    return bytes + static_cast<char>(value);
  };
  const auto record = [&](std::size_t field, const std::string& bytes) {
    return varint(field * 8 + 2) + varint(bytes.size()) + bytes;
  };
  const std::string tensor =
      varint(8) + varint(count) + varint(16) + varint(dtype) + record(8, "w") + record(9, raw);
  const std::string node = record(1, "w") + record(2, "y") + record(4, "Identity");
  const std::string output = record(1, "y");
  return varint(8) + varint(8) +
         record(7, record(1, node) + record(2, "g") + record(5, tensor) + record(12, output)) +
         record(8, varint(16) + varint(17));
}

std::string onnx_model(const std::vector<float>& numbers) {
  std::string raw(numbers.size() * sizeof(float), '\0');
  std::memcpy(raw.data(), numbers.data(), raw.size());
  return onnx_model(1, numbers.size(), raw);
}

std::vector<double> sampled(std::size_t count) {
  std::vector<float> numbers(count);
  std::iota(numbers.begin(), numbers.end(), 0.0F);
  const test::TemporaryFolder folder;
  const auto file = folder.write("w.onnx", onnx_model(numbers));
  return sampler_of(ConnectedGraph(), file)({"w"}).at(0).value();
}

} // namespace

TEST_CASE("all numbers of a small tensor are sampled") {
  const std::vector<double> found = sampled(4096);
  REQUIRE(found.size() == 4096);
  CHECK(found.back() == 4095);
}

TEST_CASE("of a large tensor parts are sampled that lie evenly over it") {
  const std::vector<double> found = sampled(4097);
  REQUIRE(found.size() == 4096);
  CHECK(found[1024] == 1024);
  const std::vector<double> of_more = sampled(1U << 20U);
  REQUIRE(of_more.size() == 4096);
  CHECK(of_more[1024] == 1U << 18U);
  CHECK(of_more[3072] == 3U << 18U);
}

TEST_CASE("of a tensor that the file does not have nothing is sampled") {
  const test::TemporaryFolder folder;
  const auto file = folder.write("w.onnx", onnx_model(std::vector<float>{1}));
  CHECK_FALSE(sampler_of(ConnectedGraph(), file)({"other"}).at(0).has_value());
}

TEST_CASE("two halves are not taken for a whole number") {
  const test::TemporaryFolder folder;
  const auto file = folder.write("w.onnx", onnx_model(10, 2, std::string("\0\x3c\0\x40", 4)));
  CHECK(sampler_of(ConnectedGraph(), file)({"w"}).at(0).value() == std::vector<double>{1, 2});
}
