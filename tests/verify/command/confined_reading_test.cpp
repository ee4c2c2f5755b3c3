#include "support/temporary_folder.h"
#include "verify/command/confined_reading.h"

#include <model_validator/error.h>

#include <catch2/catch.hpp>

using namespace model_validator::verify;
using model_validator::ErrorKind;

namespace {

constexpr std::uint64_t megabyte = 1 << 20;

/// Takes much more than the gigabyte of addresses that its stack may have. @returns what stopped it
std::optional<ErrorKind> ending_of_large_reading(std::optional<std::uint64_t> max_memory) {
  const model_validator::test::TemporaryFolder folder;
  folder.write("model.onnx", "small");
  const auto read = [] {
    std::vector<char> large;
    large.reserve(1536 * megabyte);
    large.push_back('x');
    return std::string(large.begin(), large.end());
  };
  try {
    const std::string said = read_confined({folder.path() / "model.onnx"}, {}, read, max_memory);
    CHECK(said == "x");
    return std::nullopt;
  } catch (const model_validator::Error& error) {
    return error.kind();
  }
}

} // namespace

TEST_CASE("a reading takes no more memory than it may") {
  CHECK(ending_of_large_reading(256 * megabyte) == ErrorKind::out_of_memory);
  CHECK_FALSE(ending_of_large_reading(2048 * megabyte));
  CHECK_FALSE(ending_of_large_reading({})); // as linting may
}
