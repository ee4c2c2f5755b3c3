#include "support/run_check.h"
#include "validators/checks.h"

#include <catch2/catch.hpp>

using namespace model_validator;
using test::found_modules;
using test::SampleGraph;
using Paths = std::vector<std::string>;

namespace {

constexpr test::Checker check{checks::unsupported_dtype};

using Sizes = std::vector<std::int64_t>;

} // namespace

TEST_CASE("a double parameter is found once, with its path") {
  SampleGraph builder;
  const ModuleId linear = builder.module("linear", "torch.nn.modules.linear.Linear");
  Parameter weight;
  weight.name = "weight";
  weight.path = "linear.weight";
  weight.type = {Sizes{8, 8}, "float64"};
  builder.graph.modules()[linear].parameters = {builder.graph.add_parameter(weight)};
  const auto found = check(builder);
  REQUIRE(found_modules(found) == Paths{"linear"});
  CHECK(found.findings()[0].message == "parameter `linear.weight` has dtype float64");
}

TEST_CASE("an operation with a double or complex dtype argument is found") {
  SampleGraph builder;
  const OpId to = builder.functional("to", "aten::to.dtype");
  builder.graph.op(to).attributes = {{"dtype", std::int64_t{7}}};
  const OpId fft = builder.functional("fft_rfft", "aten::fft_rfft");
  builder.graph.op(fft).outputs = {{std::nullopt, "complex64"}};
  const auto found = check(builder);
  REQUIRE(found.findings().size() == 2);
  CHECK(found.findings()[0].message == "`to` computes in float64");
  CHECK(found.findings()[1].message == "`fft_rfft` computes in complex64");
}

TEST_CASE("ordinary dtypes are not found, unless the options name them") {
  SampleGraph builder;
  builder.parameter(builder.module("a", "torch.nn.modules.linear.Linear"), "weight", {8, 8});
  const OpId to = builder.functional("to", "aten::to.dtype");
  builder.graph.op(to).attributes = {{"dtype", std::int64_t{6}}};
  CHECK(check(builder).findings().empty());
  CHECK(check(builder, {{"dtypes", Paths{"float32"}}}).findings().size() == 2);
}

TEST_CASE("a number of Python's in a trace is not found, a constant tensor is") {
  SampleGraph builder;
  const OpId constant = builder.op("constant_0", OpKind::constant);
  builder.graph.op(constant).outputs = {{Sizes{}, "float64"}};
  CHECK(check(builder).findings().empty());
  builder.graph.op(constant).outputs = {{Sizes{3}, "float64"}};
  CHECK(check(builder).findings().size() == 1);
}
