#include "files/scratch_folder.h"
#include "verify/inputs/golden_folder.h"

#include <model_validator/error.h>

#include <catch2/catch.hpp>

#include <fstream>

using namespace model_validator;
using namespace model_validator::verify;

namespace {

Tensor bits(DType dtype, std::uint16_t value) { return make_tensor(dtype, {1}, &value); }

} // namespace

TEST_CASE("stored results come back with dtypes that NumPy does not have") {
  const ScratchFolder folder;
  write_golden(folder.path() / "golden",
               {"m.pt", {{{{"x", bits(DType::float16, 1)}}, {{"y", bits(DType::bfloat16, 2)}}}}},
               Lasting::for_good);
  const auto golden = read_golden(folder.path() / "golden");
  CHECK(golden.model == "m.pt");
  REQUIRE(golden.samples.size() == 1);
  CHECK(golden.samples[0].outputs[0].name == "y");
  CHECK(golden.samples[0].outputs[0].tensor.view.dtype == DType::bfloat16);
}

TEST_CASE("a folder that stores the results of no call is refused") {
  const ScratchFolder folder;
  write_golden(folder.path() / "golden", {"m.pt", {}}, Lasting::for_good);
  CHECK_THROWS_WITH(read_golden(folder.path() / "golden"),
                    "the folder holds the results of no call");
}

TEST_CASE("results that cannot be stored leave those that were there") {
  const ScratchFolder folder;
  const auto place = folder.path() / "golden";
  const auto store = [&](const Tensor& tensor) {
    write_golden(place, {"m.pt", {{{{"x", tensor}}, {{"y", tensor}}}}}, Lasting::for_good);
  };
  store(bits(DType::int16, 1));
  std::filesystem::remove(place / "golden.json");
  std::filesystem::create_directories(place / "golden.json" / "in_the_way");
  CHECK_THROWS_AS(store(bits(DType::int16, 2)), Error);
  std::filesystem::remove_all(place / "golden.json");
  for (const auto& entry : std::filesystem::directory_iterator(place))
    CHECK(entry.path().filename().string().find("new.") == std::string::npos);
}

TEST_CASE("a description of stored results that makes no sense is refused") {
  const ScratchFolder folder;
  for (const char* text :
       {"", "[]", "{}", R"({"schema": 1})", R"({"schema": "model_validator-golden/1", "model": 1})",
        R"({"schema": "model_validator-golden/1", "samples": [1]})",
        R"({"schema": "model_validator-golden/1", "samples": [{"inputs": 1}]})",
        R"({"schema": "model_validator-golden/1", "steps": 9.3e30})"}) {
    std::ofstream(folder.path() / "golden.json") << text;
    CHECK_THROWS_AS(read_golden(folder.path()), Error);
  }
}

TEST_CASE("a folder without stored results is refused") {
  const ScratchFolder folder;
  CHECK_THROWS_AS(read_golden(folder.path()), Error);
}
