#include "support/run_check.h"
#include "validators/checks.h"

#include <catch2/catch.hpp>

using namespace model_validator;
using test::SampleGraph;

namespace {

constexpr test::Checker check{checks::hard_coded_device};

SampleGraph told_to_work_on(const std::string& device) {
  SampleGraph builder;
  const OpId zeros = builder.functional("zeros", "aten::zeros");
  builder.graph.op(zeros).attributes = {{"device", device}};
  return builder;
}

} // namespace

TEST_CASE("an operator with a GPU device argument is found") {
  const auto found = check(told_to_work_on("cuda:0"));
  REQUIRE(found.findings().size() == 1);
  CHECK(found.findings()[0].message == "`zeros` is set to run on `cuda:0`");
}

TEST_CASE("a trace's own CPU is not found") {
  CHECK(check(told_to_work_on("cpu")).findings().empty());
  SampleGraph none_given;
  const OpId zeros = none_given.functional("zeros", "aten::zeros");
  none_given.graph.op(zeros).attributes = {{"device", std::monostate()}};
  CHECK(check(none_given).findings().empty());
}
