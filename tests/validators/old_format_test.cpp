#include "support/run_check.h"
#include "validators/checks.h"

#include <catch2/catch.hpp>

using namespace model_validator;
using test::SampleGraph;

constexpr test::Checker check{checks::old_format};

TEST_CASE("an old TorchScript format is found, and a current one is not") {
  SampleGraph builder;
  builder.graph.origin.format = FileFormat::torchscript;
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
  builder.graph.origin.format = FileFormat::onnx;
  builder.graph.origin.opset = 9;
  CHECK(check(builder).findings().size() == 1);
  builder.graph.origin.opset = 17;
  CHECK(check(builder).findings().empty());
}

TEST_CASE("help about an old opset speaks the language of what wrote the file") {
  SampleGraph builder;
  builder.graph.origin.format = FileFormat::onnx;
  builder.graph.origin.opset = 9;
  const auto help = [&](const char* producer) {
    builder.graph.origin.producer = producer;
    return check(builder).findings().at(0).help;
  };
  CHECK(help("pytorch 2.13.0").find("opset_version=11") != std::string::npos);
  CHECK(help("tf2onnx 1.16.1").find("--opset 11") != std::string::npos);
  CHECK(help("PaddlePaddle").find("--opset_version 11") != std::string::npos);
  CHECK(help("").find("version_converter") != std::string::npos);
  CHECK(help("").find("export") == std::string::npos);
}

TEST_CASE("what scikit-learn's converters stamp is the oldest opset that will do, not an old one") {
  SampleGraph builder;
  builder.graph.origin.format = FileFormat::onnx;
  builder.graph.origin.opset = 9;
  for (const char* producer : {"skl2onnx 1.19.1", "OnnxMLTools 1.14.0"}) {
    builder.graph.origin.producer = producer;
    CHECK(check(builder).findings().empty());
  }
}
