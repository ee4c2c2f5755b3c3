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

namespace {

Diagnostics found_in(std::vector<std::string> names, std::string failure = {}) {
  SampleGraph builder;
  builder.functional("add", "aten::add.Tensor");
  builder.graph.origin.unpickled = {
      {"data/sample_inputs/model.pt", std::move(names), std::move(failure)}};
  return check(builder);
}

} // namespace

TEST_CASE("functions that unpickling calls, and classes of Python that do things, are found") {
  const auto name =
      GENERATE("posix.system", "subprocess.Popen", "builtins.eval", "_io.open", "torch.load",
               "torch.hub.load", "functools.partial", "one", "a..b",
               "torch.fx.graph_module.reduce_graph_module", "collections.OrderedDict.x",
               "torch.float32.x", "torch.int_repr", "numpy.testing.runstring");
  CAPTURE(name);
  const auto found = found_in({"torch._utils._rebuild_tensor_v2", name});
  REQUIRE(found.findings().size() == 1);
  CHECK(found.findings()[0].message == "loading this file runs `" + std::string(name) + "`");
  CHECK(found.findings()[0].severity == Severity::error);
}

TEST_CASE("tensors and plain values are not found") {
  CHECK(found_in({"_codecs.encode", "builtins.set", "collections.OrderedDict", "torch.Size",
                  "torch.cuda.HalfStorage", "torch.sparse.FloatTensor", "torch.float8_e4m3fn",
                  "torch.bits1x8", "torch.quint2x4", "torch.bool", "torch.FloatStorage",
                  "torch.nn.parameter.Parameter", "numpy.dtype", "datetime.timedelta",
                  "__builtin__.set", "copy_reg._reconstructor"})
            .findings()
            .empty());
}

TEST_CASE("objects of packages are told apart from functions") {
  const auto found = found_in({"__main__.Inputs", "posix.system",
                               "transformers.cache_utils.DynamicCache", "a:B.C", "a:b.C"});
  REQUIRE(found.findings().size() == 2);
  CHECK(found.findings()[0].severity == Severity::error);
  CHECK(found.findings()[1].severity == Severity::warning);
  CHECK(found.findings()[0].message == "loading this file runs `posix.system`, `a:b.C`");
  CHECK(found.findings()[1].message == "loading this file makes objects of `__main__.Inputs`, "
                                       "`transformers.cache_utils.DynamicCache`, `a:B.C`");
  CHECK_THAT(found_in(std::vector<std::string>(14, "a.B")).findings()[0].message,
             Catch::EndsWith("`a.B` and 2 more"));
  CHECK(found.findings()[0].fingerprint != found.findings()[1].fingerprint);
}

TEST_CASE("a pickle that cannot be read to its end is found, and what it calls first is named") {
  CHECK(found_in({"torch.Size"}, "the pickle is cut off").findings().at(0).message ==
        "what loading this file runs cannot be told: the pickle is cut off");
  const auto found = found_in({"nt.system"}, "the pickle is cut off");
  REQUIRE(found.findings().size() == 1);
  CHECK(found.findings()[0].message == "loading this file runs `nt.system`");
}
