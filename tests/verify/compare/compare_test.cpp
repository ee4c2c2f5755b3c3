#include "checker_fixture.h"

#include <catch2/catch.hpp>

using namespace model_validator::verify;

TEST_CASE("the number of outputs is the first message, and the rest is compared all the same") {
  const VerifyReport report =
      compare(values::list({values::floats({1, 2, 3}), values::floats({1})}),
              values::list({values::floats({9, 2, 3})}));
  CHECK(report.first_failure() ==
        "Number of outputs from framework model and compiled model do not match: framework model "
        "has 2 outputs, compiled model has 1 outputs");
  REQUIRE(report.outputs.size() == 2);
  CHECK_FALSE(report.outputs[0].passed());
  CHECK_FALSE(report.outputs[1].passed());
  CHECK_FALSE(report.outputs[1].candidate.has_value());
}

TEST_CASE("nothing is cut short silently") {
  VerifyConfig config;
  config.verify_size = false;
  const VerifyReport report = compare(values::list({values::floats({1}), values::floats({1})}),
                                      values::list({values::floats({1})}), config);
  CHECK(report.passed());
  CHECK(report.outputs.at(1).notes.at(0) ==
        "not compared: the candidate does not have this output");
}

TEST_CASE("dtype, then shape, then values, in TT-Forge's words") {
  const VerifyReport dtype = compare(values::floats({1, 2}), values::doubles({1, 2}));
  CHECK(dtype.first_failure() == "Dtype mismatch: framework_model.dtype=torch.float32, "
                                 "compiled_model.dtype=torch.float64");
  const VerifyReport shape = compare(values::floats({1, 2}, {1, 2}), values::floats({1, 2}));
  CHECK(shape.first_failure() == "Shape mismatch: framework_model.shape=torch.Size([1, 2]), "
                                 "compiled_model.shape=torch.Size([2])");
  const VerifyReport both = compare(values::floats({1, 2}, {1, 2}), values::doubles({1, 3}));
  CHECK(both.outputs[0].verdicts.size() == 2);
  CHECK_THAT(both.first_failure(), Catch::StartsWith("Dtype mismatch"));
}

TEST_CASE("each part can be switched off") {
  VerifyConfig config;
  config.verify_dtype = false;
  CHECK(compare(values::floats({1, 2, 3}), values::doubles({1, 2, 3}), config).passed());
  CHECK_FALSE(compare(values::floats({1, 2, 3}), values::doubles({3, 2, 9}), config).passed());
  config = {};
  config.verify_values = false;
  CHECK(compare(values::floats({1, 2, 3}), values::floats({7, 8, 1}), config).passed());
  config = {};
  config.enabled = false;
  CHECK(compare(values::floats({1}), values::list({}), config).passed());
}

TEST_CASE("without the shape check axes of size one do not matter, others do") {
  VerifyConfig config;
  config.verify_shape = false;
  CHECK(compare(values::floats({1, 2, 3}, {1, 3}), values::floats({1, 2, 3}), config).passed());
  const VerifyReport report =
      compare(values::floats({1, 1, 1}), values::floats({1}), config); // would broadcast
  CHECK_FALSE(report.passed());
  CHECK_THAT(report.first_failure(), Catch::Contains("do not correspond one to one"));
}

TEST_CASE("outputs with names are matched by them, whatever their order") {
  const Value a = values::dict({{"x", values::floats({1, 2})}, {"y", values::floats({3, 4})}});
  const Value b = values::dict({{"y", values::floats({3, 4})}, {"x", values::floats({1, 2})}});
  CHECK(compare(a, b).passed());
  const Value renamed =
      values::dict({{"x", values::floats({1, 2})}, {"z", values::floats({3, 4})}});
  const VerifyReport report = compare(a, renamed);
  CHECK_FALSE(report.passed());
  REQUIRE(report.outputs.size() == 3);
  CHECK(report.outputs[1].name == "y");
  CHECK(report.outputs[2].verdicts.at(0).message == "only the candidate has this output");
}

TEST_CASE("all failing outputs are in the report") {
  const VerifyReport report = compare(
      values::list({values::floats({1, 2, 3}), values::integers({4, 5, 6}), values::text("a")}),
      values::list({values::floats({3, 2, 1}), values::integers({6, 4, 5}), values::text("b")}));
  REQUIRE(report.outputs.size() == 3);
  for (const OutputReport& output : report.outputs) CHECK_FALSE(output.passed());
}

TEST_CASE("another kind of value is a failure") {
  CHECK_FALSE(compare(values::floats({1}), values::text("1")).passed());
}

TEST_CASE("complex and real values are not compared") {
  VerifyConfig config;
  config.verify_dtype = false;
  const std::vector<float> parts{1, 2};
  const Value complex{values::tensor_of(DType::complex64, parts, {1})};
  CHECK_FALSE(compare(complex, values::floats({1}), config).passed());
  CHECK(compare(complex, complex).passed());
}

TEST_CASE("samples merge into one report") {
  VerifyReport report = compare(values::floats({1, 2, 3}), values::floats({1, 2, 3}));
  merge(report, compare(values::floats({1, 2, 3}), values::floats({3, 1, 2}), {}, 1));
  REQUIRE(report.outputs.size() == 2);
  CHECK(report.outputs[1].sample == 1);
  CHECK_FALSE(report.passed());
}
