#include "support/run_check.h"
#include "validators/checks.h"

#include <catch2/catch.hpp>

using namespace model_validator;
using test::found_modules;
using test::SampleGraph;
using Paths = std::vector<std::string>;

constexpr test::Checker check{checks::shared_parameters};

TEST_CASE("parameters of one storage and shape are tied") {
  SampleGraph builder;
  const ModuleId embedding = builder.module("wte", "torch.nn.modules.sparse.Embedding");
  const ModuleId head = builder.module("lm_head", "torch.nn.modules.linear.Linear");
  builder.parameter(embedding, "weight", {100, 8}, 7).parameter(head, "weight", {100, 8}, 7);
  const auto found = check(builder);
  REQUIRE(found_modules(found) == Paths{"wte"});
  CHECK(found.findings()[0].message ==
        "parameter `wte.weight` shares its storage with `lm_head.weight`");
}

TEST_CASE("parameters of their own, parts of one storage and buffers are not tied") {
  SampleGraph builder;
  const ModuleId a = builder.module("a", "torch.nn.modules.linear.Linear");
  const ModuleId b = builder.module("b", "torch.nn.modules.linear.Linear");
  builder.parameter(a, "weight", {8, 8}, 1).parameter(b, "weight", {8, 8}, 2);
  builder.parameter(a, "part", {4, 8}, 3).parameter(b, "part", {2, 8}, 3);
  builder.parameter(a, "mask", {8}, 4, true).parameter(b, "mask", {8}, 4, true);
  CHECK(check(builder).findings().empty());
}
