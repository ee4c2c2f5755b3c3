#include "support/run_check.h"
#include "validators/old_format.h"

#include <catch2/catch.hpp>

using namespace model_validator;
using test::SampleGraph;

constexpr test::Checker<OldFormat> check;

TEST_CASE("an old TorchScript format is found, and a current one is not") {
  SampleGraph builder;
  builder.graph.origin.format = "torchscript";
  builder.graph.origin.producer = "pytorch, file format 2";
  const auto found = check(builder);
  REQUIRE(found.findings().size() == 1);
  CHECK(found.findings()[0].message == "the file has TorchScript format 2, older than 3");
  builder.graph.origin.producer = "pytorch, file format 3";
  CHECK(check(builder).findings().empty());
  builder.graph.origin.producer = "pytorch";
  CHECK(check(builder).findings().empty());
}

TEST_CASE("an old opset is found, and a current one is not") {
  SampleGraph builder;
  builder.graph.origin.format = "onnx";
  builder.graph.origin.opset = 9;
  CHECK(check(builder).findings().size() == 1);
  builder.graph.origin.opset = 17;
  CHECK(check(builder).findings().empty());
}
