#include "connected_graph/exported_program/exported_weights.h"
#include "connected_graph/exported_program/program_builder.h"
#include "connected_graph/exported_program/program_file.h"
#include "support/thrown.h"

#include <catch2/catch.hpp>

using namespace model_validator;
using namespace model_validator::testing;

namespace {

/// A weight of sixteen bytes, described as the test likes.
class OneWeight {
public:
  OneWeight() {
    builder_.parameter("fc.bias", "p_fc_bias", "weight_0");
    meta = {{"dtype", 7},
            {"sizes", {{{"as_int", 4}}}},
            {"strides", {{{"as_int", 1}}}},
            {"storage_offset", {{"as_int", 0}}}};
  }

  std::vector<StoredWeights> list() {
    builder_.weights["fc.bias"]["tensor_meta"] = meta;
    auto entries = builder_.entries();
    entries["net/data/weights/weight_0"] = "0123456789abcdef";
    const TemporaryZip file(entries);
    return list_exported_weights(file.path());
  }

  Json meta;

private:
  ProgramBuilder builder_;
};

} // namespace

TEST_CASE("the weights of an exported program are located") {
  const auto weights = OneWeight().list();
  REQUIRE(weights.size() == 1);
  CHECK(weights[0].name == "fc.bias");
  REQUIRE(weights[0].spans.size() == 1);
  CHECK(weights[0].spans[0].size == 16);
}

TEST_CASE("numbers are read until enough is read, however many tensors share an entry") {
  ProgramBuilder builder;
  builder.parameter("fc.scale", "p_fc_scale", "weight_0");
  builder.weights["fc.scale"]["tensor_meta"] = OneWeight().meta;
  auto entries = builder.entries();
  entries["net/data/weights/weight_0"] = std::string(800, '\0');
  const TemporaryZip file(entries);
  const exported_program::ProgramFile program(file.path());
  std::uint64_t left = 1700;
  CHECK(program.numbers_of("fc.scale", left) == std::vector<double>(4));
  CHECK(left == 900);
  CHECK(program.numbers_of("fc.scale", left).has_value());
  CHECK_FALSE(program.numbers_of("fc.scale", left).has_value());
  CHECK(left == 100);
}

TEST_CASE("weights that reach beyond their entry are refused before they are read") {
  OneWeight weight;
  SECTION("by their size") { weight.meta["sizes"][0]["as_int"] = std::int64_t{1} << 58; }
  SECTION("by their offset") { weight.meta["storage_offset"]["as_int"] = 1; }
  const auto error = test::thrown_by([&] { weight.list(); });
  REQUIRE(error);
  CHECK(error->kind() == ErrorKind::truncated_file);
  CHECK(error->what() == std::string("the bytes of tensor `fc.bias` reach beyond the end of "
                                     "`net/data/weights/weight_0`"));
}

TEST_CASE("a description of another shape is an error of the file") {
  OneWeight weight;
  weight.meta["sizes"] = {"four"};
  CHECK(test::kind_thrown_by([&] { weight.list(); }) == "damaged-exported-program");
}
