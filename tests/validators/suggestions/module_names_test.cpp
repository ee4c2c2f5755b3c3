#include "support/sample_graph.h"
#include "validators/suggestions/module_names.h"

#include <catch2/catch.hpp>

using namespace model_validator;

TEST_CASE("a proposed attribute name is never one that is taken") {
  test::SampleGraph builder;
  builder.module("relu", "torch.nn.modules.activation.ReLU");
  builder.module("relu_2", "torch.nn.modules.activation.ReLU");
  const ModuleId block = builder.module("block", "net.Block", false);
  builder.graph.modules().at(block).aliases = {"relu_3"};
  ModuleNames names(builder.graph);
  CHECK(names.further("", "relu") == "relu_4");
  CHECK(names.further("block", "relu") == "relu_2");
}

TEST_CASE("the class of an __init__ is named where it is known") {
  CHECK(in_init_of("net.Block") == " in `Block.__init__`");
  CHECK(in_init_of("") == " in `__init__`");
  CHECK(assignment("relu_2", "nn.ReLU()") == "`self.relu_2 = nn.ReLU()`");
}

TEST_CASE("a module takes no name that TorchScript keeps for a function of Python's") {
  CHECK(module_name_of("relu") == "relu");
  CHECK(module_name_of("sum") == "sum_op");
}
