#include "support/run_check.h"
#include "support/sample_graph.h"
#include "validators/checks.h"

#include <model_validator/error.h>

#include <catch2/catch.hpp>

using namespace model_validator;
using test::SampleGraph;

namespace {

NonFiniteTensor tensor(std::vector<std::string> names, std::uint64_t nan, std::uint64_t infinite) {
  return {std::move(names), "float32", 512, nan, infinite};
}

std::vector<std::string> messages(const SampleGraph& builder, WeightScanner scanner) {
  const auto found =
      test::run_check(checks::non_finite_weights, builder.graph, {}, {},
                      [&](Context& context) { context.scan_weights = std::move(scanner); });
  std::vector<std::string> messages;
  for (const Diagnostic& finding : found.findings()) messages.push_back(finding.message);
  return messages;
}

std::vector<std::string> messages(const SampleGraph& builder, NonFiniteTensor tensor) {
  return messages(builder, [tensor] { return WeightScan{{tensor}, {}}; });
}

using Lines = std::vector<std::string>;

/// A linear layer, and a mask that is added.
SampleGraph model() {
  SampleGraph builder;
  const ModuleId linear = builder.module("fc", "torch.nn.modules.linear.Linear");
  builder.parameter(linear, "weight", {16, 32}).call(linear, builder.frame(10));
  builder.parameter(linear, "seen", {16}, 0, true);
  const ModuleId attention = builder.module("attention", "net.Attention");
  builder.parameter(attention, "mask", {16, 32});
  const OpId add = builder.functional("add", "aten::add.Tensor", builder.frame(11));
  builder.graph.op(add).parameters = {2};
  return builder;
}

} // namespace

TEST_CASE("a parameter that holds NaN is found, with its module") {
  const SampleGraph builder = model();
  const auto found =
      test::run_check(checks::non_finite_weights, builder.graph, {}, {}, [](Context& context) {
        context.scan_weights = [] {
          return WeightScan{{tensor({"other.weight", "fc.weight"}, 3, 1)}, {}};
        };
      });
  REQUIRE(found.findings().size() == 1);
  const Diagnostic& finding = found.findings()[0];
  CHECK(finding.message == "parameter `fc.weight` holds 3 NaN and 1 infinite of 512 numbers");
  CHECK(finding.module == "fc");
  CHECK(finding.notes == Lines{"its dtype is float32"});
}

TEST_CASE("an infinite weight is found, an infinite mask is not") {
  CHECK(messages(model(), tensor({"fc.weight"}, 0, 2)) ==
        Lines{"parameter `fc.weight` holds 2 infinite of 512 numbers"});
  CHECK(messages(model(), tensor({"fc.seen"}, 0, 2)).empty());
  CHECK(messages(model(), tensor({"attention.mask"}, 0, 2)).empty());
  CHECK(messages(model(), tensor({"CONSTANTS.c0"}, 0, 2)).empty());
}

TEST_CASE("NaN is found wherever it is") {
  CHECK(messages(model(), tensor({"fc.seen"}, 1, 0)) ==
        Lines{"buffer `fc.seen` holds 1 NaN of 512 numbers"});
  CHECK(messages(model(), tensor({"attention.mask"}, 1, 0)) ==
        Lines{"parameter `attention.mask` holds 1 NaN of 512 numbers"});
  CHECK(messages(model(), tensor({"CONSTANTS.c0"}, 1, 0)) ==
        Lines{"constant `CONSTANTS.c0` holds 1 NaN of 512 numbers"});
}

TEST_CASE("finite weights are not reported") {
  CHECK(messages(model(), [] { return WeightScan{}; }).empty());
}

TEST_CASE("unreadable models are reported") {
  CHECK(messages(model(), WeightScanner()) ==
        Lines{"the weights cannot be checked: the model was not read from a file"});
  CHECK(messages(model(), [] {
          return WeightScan{{}, {"state.pt"}};
        }) == Lines{"`state.pt` cannot be checked: the file keeps it in a form that is not read"});
  CHECK(messages(model(), []() -> WeightScan {
          throw Error(ErrorKind::missing_weights, "", "they are gone");
        }) == Lines{"the weights cannot be checked: they are gone"});
}
