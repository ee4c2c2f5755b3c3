#include "support/run_check.h"
#include "validators/checks.h"

#include <catch2/catch.hpp>

using namespace model_validator;
using test::found_modules;
using test::SampleGraph;
using Paths = std::vector<std::string>;

constexpr test::Checker check{checks::unsafe_op};

TEST_CASE("an operator that accesses files or other machines is found anywhere") {
  SampleGraph builder;
  builder.op("save_0", OpKind::query, "aten::save");
  builder.functional("from_file", "aten::from_file");
  builder.call(builder.module("linear", "torch.nn.modules.linear.Linear"), builder.frame(3), 1,
               none, {{"prim::rpc_sync", {}, {}, {}}});
  const auto found = check(builder);
  REQUIRE(found.findings().size() == 3);
  CHECK(found.findings()[0].message ==
        "`aten::save` writes a file on the machine that runs the model");
  CHECK(found.findings()[0].severity == Severity::error);
}

TEST_CASE("a method that torch would run at load is found") {
  SampleGraph builder;
  const ModuleId custom = builder.module("custom", "net.Custom");
  builder.attribute(custom, "__setstate__", true);
  const auto found = check(builder);
  REQUIRE(found_modules(found) == Paths{"custom"});
  CHECK(found.findings()[0].message == "loading this file runs `Custom.__setstate__`");
}

TEST_CASE("quantized modules of torch, which pack their weights at load, are not found") {
  SampleGraph builder;
  const ModuleId packed = builder.module("fc._packed_params",
                                         "torch.ao.nn.quantized.modules.linear.LinearPackedParams");
  builder.attribute(packed, "__setstate__", true);
  CHECK(check(builder).findings().empty());
}

TEST_CASE("other operators are not found") {
  SampleGraph builder;
  builder.functional("add", "aten::add.Tensor");
  builder.op("warn_0", OpKind::query, "aten::warn");
  CHECK(check(builder).findings().empty());
}
