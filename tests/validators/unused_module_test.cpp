#include "support/run_check.h"
#include "validators/checks.h"

#include <catch2/catch.hpp>

using namespace model_validator;
using test::found_modules;
using test::SampleGraph;
using Paths = std::vector<std::string>;

constexpr test::Checker check{checks::unused_module};

TEST_CASE("of a module without a class only the path is named") {
  SampleGraph builder;
  builder.parameter(builder.module("aux1", ""), "weight", {8});
  const auto found = check(builder);
  REQUIRE(found.findings().size() == 1);
  CHECK(found.findings()[0].message == "module `aux1` is never called");
}

TEST_CASE("the outermost module that no path calls is found, with the size of its weights") {
  SampleGraph builder;
  builder.module("aux1", "net.Aux", false);
  const ModuleId conv = builder.module("aux1.conv", "torch.nn.modules.conv.Conv2d");
  builder.parameter(conv, "weight", {8, 3, 3, 3});
  const auto found = check(builder);
  REQUIRE(found_modules(found) == Paths{"aux1"});
  CHECK(found.findings()[0].message == "module `aux1` (Aux) is never called");
  CHECK(found.findings()[0].notes == Paths{"its weights take 864 bytes of the file"});
  CHECK(found.findings()[0].help == "take it out before the export: `del model.aux1`");
  CHECK(found.findings()[0].fix->applicability == Applicability::unsafe);
}

TEST_CASE("a module that is called, or has a child that is, is used") {
  SampleGraph builder;
  builder.module("blocks", "torch.nn.modules.container.ModuleList", false);
  const ModuleId conv = builder.module("blocks.0", "torch.nn.modules.conv.Conv2d");
  builder.parameter(conv, "weight", {8, 3, 3, 3});
  builder.call(conv, builder.frame(10));
  CHECK(check(builder).findings().empty());
}

TEST_CASE("a module whose weight is read directly is used") {
  SampleGraph builder;
  const ModuleId projection = builder.module("proj", "torch.nn.modules.linear.Linear");
  builder.parameter(projection, "weight", {8, 8});
  const OpId op = builder.functional("linear", "torch.nn.functional.linear");
  builder.graph.op(op).parameters = builder.graph.module(projection).parameters;
  CHECK(check(builder).findings().empty());
}

TEST_CASE("modules without weights cost nothing: a trace may pass over them") {
  SampleGraph builder;
  builder.module("drop_path", "torch.nn.modules.linear.Identity");
  CHECK(check(builder).findings().empty());
}

TEST_CASE("a file without modules is not judged") {
  SampleGraph builder;
  builder.parameter(builder.module("conv", "torch.nn.modules.conv.Conv2d"), "weight", {8, 3, 3, 3});
  builder.graph.origin.has_modules = false;
  CHECK(check(builder).findings().empty());
}

TEST_CASE("a module whose weight is tied to that of one that is called costs nothing") {
  SampleGraph builder;
  builder.parameter(builder.module("shared", "torch.nn.modules.sparse.Embedding"), "weight",
                    {100, 8}, 7);
  const ModuleId head = builder.module("head", "torch.nn.modules.linear.Linear");
  builder.parameter(head, "weight", {100, 8}, 7);
  builder.call(head, builder.frame(10));
  CHECK(check(builder).findings().empty());
}
