#include "support/run_check.h"
#include "validators/checks.h"

#include <catch2/catch.hpp>

using namespace model_validator;
using test::SampleGraph;

constexpr test::Checker check{checks::lost_module_hierarchy};

TEST_CASE("a frozen file is reported, with what can and cannot be checked") {
  SampleGraph builder;
  builder.graph.origin.format = FileFormat::torchscript;
  builder.graph.origin.has_modules = false;
  const auto found = check(builder);
  REQUIRE(found.findings().size() == 1);
  CHECK(found.findings()[0].message == "the file holds no modules: it was frozen or inlined");
  CHECK(found.findings()[0].notes.size() == 2);
}

TEST_CASE("files with modules, and formats that have none, are not found") {
  SampleGraph builder;
  builder.graph.origin.format = FileFormat::torchscript;
  CHECK(check(builder).findings().empty());
  builder.graph.origin.format = FileFormat::onnx;
  builder.graph.origin.has_modules = false;
  CHECK(check(builder).findings().empty());
}
