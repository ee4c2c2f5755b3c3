#include "support/run_check.h"
#include "validators/checks.h"

#include <catch2/catch.hpp>

using namespace model_validator;
using test::SampleGraph;

namespace {

constexpr test::Checker check{checks::baked_in_constant};

using Sizes = std::vector<std::int64_t>;

SampleGraph traced_view(Sizes sizes) {
  SampleGraph builder;
  builder.graph.origin.traced = true;
  const OpId input = builder.op("x_0", OpKind::input);
  const OpId view = builder.functional("view", "aten::view", builder.frame(9));
  builder.graph.op(view).attributes = {{"size", std::move(sizes)}};
  builder.edge(input, view);
  return builder;
}

} // namespace

TEST_CASE("a trace that fixes every size of its input's data is found") {
  SampleGraph builder = traced_view({1, 2592});
  const auto found = check(builder);
  REQUIRE(found.findings().size() == 1);
  CHECK(found.findings()[0].message ==
        "`view` has the fixed sizes (1, 2592): no other batch or size will do");
}

TEST_CASE("an open size, data of the model itself and scripted files are not found") {
  CHECK(check(traced_view({-1, 2592})).findings().empty());
  SampleGraph scripted = traced_view({1, 2592});
  scripted.graph.origin.traced = false;
  CHECK(check(scripted).findings().empty());
  SampleGraph of_parameters;
  of_parameters.graph.origin.traced = true;
  const OpId view = of_parameters.functional("view", "aten::view");
  of_parameters.graph.op(view).attributes = {{"size", Sizes{1, 8}}};
  CHECK(check(of_parameters).findings().empty());
}
