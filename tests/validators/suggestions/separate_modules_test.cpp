#include "support/sample_graph.h"
#include "validators/suggestions/separate_modules.h"

#include <catch2/catch.hpp>

using namespace model_validator;
using test::SampleGraph;

namespace {

const std::string relu = "torch.nn.modules.activation.ReLU";

std::string help(const SampleGraph& builder, ModuleId module) {
  const ConnectedGraph& graph = builder.graph;
  ModuleNames names(graph);
  return separate_modules_help(graph, module, repeated_call(graph, graph.module(module)), names);
}

ModuleId called_at(SampleGraph& builder, ModuleId module, std::vector<int> lines,
                   std::size_t times = 1) {
  for (const int line : lines)
    builder.call(module, builder.frame(line), times, none, {{"aten::relu_", {}, {}, {}}});
  return module;
}

} // namespace

TEST_CASE("the second call gets a module of its own, constructed alike") {
  SampleGraph builder;
  builder.module("block", "net.Block", false);
  const ModuleId act = called_at(builder, builder.module("block.relu", relu), {3, 4});
  CHECK(help(builder, act) ==
        "give each call its own module: `self.relu_2 = nn.ReLU(inplace=True)` in "
        "`Block.__init__`, and call it here");
}

TEST_CASE("more calls get a module each") {
  SampleGraph builder;
  builder.module("act_2", relu);
  const ModuleId act = called_at(builder, builder.module("act", relu), {3, 4, 5});
  CHECK(help(builder, act) ==
        "give each call its own module: `self.act_3 = nn.ReLU(inplace=True)` and so on, one for "
        "each of the 3 calls, in `Net.__init__`, and call a different one each time");
}

TEST_CASE("a loop gets a list of modules") {
  SampleGraph builder;
  const ModuleId act = called_at(builder, builder.module("act", relu), {3}, 2);
  CHECK(help(builder, act) ==
        "give each iteration its own module: `self.act = nn.ModuleList(nn.ReLU(inplace=True) for "
        "_ in range(...))` in `Net.__init__`, and call a different one in each iteration");
}

TEST_CASE("a module of a collection gets a further one in that collection") {
  SampleGraph builder;
  builder.module("block", "net.Block", false);
  builder.module("block.acts", "torch.nn.modules.container.ModuleList", false);
  const ModuleId act = called_at(builder, builder.module("block.acts.0", relu), {3, 4});
  CHECK(help(builder, act) ==
        "give each call its own module: add another `nn.ReLU(inplace=True)` to `self.acts` in "
        "`Block.__init__`, and call it here");
}

TEST_CASE("a model that is a collection itself gets a further module in that collection") {
  SampleGraph builder;
  builder.graph.modules()[0].class_name = "torch.nn.modules.container.Sequential";
  const ModuleId act = called_at(builder, builder.module("1", relu), {253}, 2);
  CHECK(help(builder, act) ==
        "give each call its own module: put another `nn.ReLU(inplace=True)` into the `Sequential` "
        "for it");
}

TEST_CASE("modules that share one construct one each, under the name they know it by") {
  SampleGraph builder;
  const ModuleId a = builder.module("a", "net.Block", false);
  const ModuleId b = builder.module("b", "net.Block", false);
  const ModuleId act = builder.module("a.act", relu);
  builder.graph.modules()[act].aliases = {"b.act"};
  for (const ModuleId block : {a, b})
    builder.call(act, builder.frame(7, 8, block), 1, none, {{"aten::relu", {}, {}, {}}});
  CHECK(help(builder, act) ==
        "give each module that calls it one of its own: `self.act = nn.ReLU()` in "
        "`Block.__init__`");
}
