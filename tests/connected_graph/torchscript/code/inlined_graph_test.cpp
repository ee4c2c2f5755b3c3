#include "connected_graph/torchscript/code/fold_conditions.h"
#include "connected_graph/torchscript/code/inlined_graph.h"
#include "connected_graph/torchscript/code/live_nodes.h"
#include "connected_graph/torchscript/modules.h"

#include <catch2/catch.hpp>

#include <set>
#include <string>

using namespace model_validator;
using test::network;

namespace {

using Kinds = std::multiset<std::string>;

/// Of what reaches an output.
Kinds kinds(const torch::jit::Module& module) {
  const auto graph = torchscript::inlined_graph(module, "forward");
  REQUIRE(graph != nullptr);
  torchscript::fold_by_attributes(*graph, module);
  Kinds found;
  for (const torch::jit::Node* node : torchscript::live_nodes(*graph))
    if (node->kind() != torch::jit::prim::Constant) found.insert(node->kind().toQualString());
  return found;
}

const char* const asks_for_weight = R"(
def scaled(self, x, weight: Optional[Tensor]):
    if weight is not None:
        x = x * weight
    return x
)";

} // namespace

TEST_CASE("calls are replaced by what they call") {
  const torch::jit::Module module = network({{"relu", test::relu()}}, R"(
def twice(self, x):
    return self.relu.forward(self.relu.forward(x))
def forward(self, x):
    return self.twice(x) + 1
)");
  CHECK(kinds(module).count("aten::relu") == 2);
  CHECK(kinds(module).contains("aten::add"));
  CHECK_FALSE(kinds(module).contains("prim::CallMethod"));
}

TEST_CASE("what a callee asks of its own arguments is decided where it was called by a callee") {
  const std::string source = std::string(asks_for_weight) + R"(
def inner(self, x):
    return self.scaled(x, None)
def forward(self, x):
    return self.inner(x)
)";
  CHECK(kinds(network({}, source)).empty());
}

TEST_CASE("the method itself is not simplified: what it passes to a callee is checked there") {
  const std::string source = std::string(asks_for_weight) + R"(
def forward(self, x):
    return self.scaled(x, None)
)";
  CHECK(kinds(network({}, source)).contains("aten::__isnot__"));
}

TEST_CASE("scalar attributes decide arms, those that the model sets itself do not") {
  torch::jit::Module module("net");
  module.register_attribute("training", c10::BoolType::get(), false);
  module.register_attribute("groups", c10::IntType::get(), 2);
  module.register_attribute("seen", c10::BoolType::get(), false);
  module.define(R"(
def forward(self, x):
    if self.training:
        x = torch.tanh(x)
    if self.groups > 1:
        x = torch.relu(x)
    if self.seen:
        x = torch.sigmoid(x)
    self.seen = True
    return x
)");
  const Kinds found = kinds(module);
  CHECK_FALSE(found.contains("aten::tanh"));
  CHECK(found.contains("aten::relu"));
  CHECK(found.contains("aten::sigmoid"));
}

TEST_CASE("elements of a tuple that nobody uses are not live") {
  CHECK(kinds(network({}, R"(
def pair(self, x):
    return torch.relu(x), torch.tanh(x)
def forward(self, x):
    a, b = self.pair(x)
    return a
)")) == Kinds{"aten::relu"});
}

TEST_CASE("the model's own graphs stay as they are") {
  const torch::jit::Module module = network({{"relu", test::relu()}}, R"(
def forward(self, x):
    return self.relu.forward(x)
)");
  const std::string before = module.get_method("forward").graph()->toString();
  kinds(module);
  CHECK(module.get_method("forward").graph()->toString() == before);
}

TEST_CASE("a file of calls that double at each level has no inlined graph") {
  std::string source = "def f0(self, x):\n    return torch.relu(x)\n";
  for (int level = 1; level <= 40; ++level) {
    const std::string callee = "self.f" + std::to_string(level - 1);
    source += "def f" + std::to_string(level) + "(self, x):\n    return " + callee + "(" + callee +
              "(x))\n";
  }
  source += "def forward(self, x):\n    return self.f40(x)\n";
  CHECK(torchscript::inlined_graph(network({}, source), "forward") == nullptr);
}

TEST_CASE("a missing method has no inlined graph") {
  CHECK(torchscript::inlined_graph(torch::jit::Module("net"), "forward") == nullptr);
}
