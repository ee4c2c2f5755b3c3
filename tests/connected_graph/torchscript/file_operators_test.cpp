#include "connected_graph/torchscript/file_operators.h"

#include <catch2/catch.hpp>

#include <set>
#include <string>

using namespace model_validator;

namespace {

std::set<std::string> schemas(const torch::jit::Module& module) {
  std::set<std::string> found;
  for (const Operator& op : torchscript::file_operators(module, "forward")) found.insert(op.schema);
  return found;
}

} // namespace

TEST_CASE("operators carry their overload, and calls are followed") {
  torch::jit::Module module("net");
  module.define(R"(
def helper(self, x):
    return torch.relu(x) + 1
def unused(self, x):
    return torch.tanh(x)
def forward(self, x):
    return self.helper(x) * x
)");
  CHECK(schemas(module) ==
        std::set<std::string>{"aten::relu", "aten::add.Scalar", "aten::mul.Tensor"});
}

TEST_CASE("arms that cannot run are included, checks that only raise are not") {
  torch::jit::Module module("net");
  module.register_attribute("training", c10::BoolType::get(), false);
  module.define(R"(
def forward(self, x):
    assert x.dim() == 4, "expected 4 dimensions, got {}".format(x.dim())
    if self.training:
        x = torch.tanh(x)
    return torch.relu(x)
)");
  const std::set<std::string> found = schemas(module);
  CHECK(found.contains("aten::tanh"));
  CHECK(found.contains("aten::relu"));
  CHECK(found.contains("prim::If"));
  CHECK_FALSE(found.contains("aten::dim"));
  CHECK_FALSE(found.contains("aten::format"));
  CHECK_FALSE(found.contains("prim::RaiseException"));
}

TEST_CASE("a method that is not there has no operators") {
  CHECK(torchscript::file_operators(torch::jit::Module("net"), "forward").empty());
}
