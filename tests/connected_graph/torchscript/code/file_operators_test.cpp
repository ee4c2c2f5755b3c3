#include "connected_graph/torchscript/code/file_operators.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <set>
#include <string>

using namespace model_validator;

namespace {

bool has(const Operator& op, const std::string& name, const AttributeValue& value) {
  return std::find(op.attributes.begin(), op.attributes.end(), Attribute{name, value}) !=
         op.attributes.end();
}

std::set<std::string> schemas(const torch::jit::Module& module, bool frozen = false) {
  std::set<std::string> found;
  for (const Operator& op : torchscript::file_operators(module, "forward"))
    if (has(op, "frozen", true) == frozen) found.insert(op.schema);
  return found;
}

torch::jit::Module net(const std::string& source) {
  torch::jit::Module module("net");
  module.register_attribute("training", c10::BoolType::get(), false);
  module.register_attribute("mode", c10::StringType::get(), std::string("a"));
  module.define(source);
  return module;
}

/// Whether an operator of the code has an attribute.
bool noted(const torch::jit::Module& module, const std::string& schema, const std::string& name,
           const std::string& value) {
  const std::vector<Operator> operators = torchscript::file_operators(module, "forward");
  return std::any_of(operators.begin(), operators.end(), [&](const Operator& op) {
    return op.schema == schema && has(op, name, value);
  });
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

TEST_CASE("arms that are not ruled out are included, checks that only raise are not") {
  torch::jit::Module module("net");
  module.define(R"(
def forward(self, x, flag: bool):
    assert x.dim() == 4, "expected 4 dimensions, got {}".format(x.dim())
    if flag:
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

TEST_CASE("a missing method has no operators") {
  CHECK(torchscript::file_operators(torch::jit::Module("net"), "forward").empty());
}

TEST_CASE("the type of a value that is not a tensor is reported") {
  const torch::jit::Module live = net(R"(
def forward(self, x):
    if self.mode == "a":
        x = torch.tanh(x)
    return x
)");
  CHECK(noted(live, "prim::GetAttr", "result", "str"));
  const torch::jit::Module dead = net(R"(
def forward(self, x):
    if self.training:
        if self.mode == "a":
            x = torch.tanh(x)
    return x
)");
  CHECK_FALSE(noted(dead, "prim::GetAttr", "result", "str"));
}

TEST_CASE("a model that may return None shows it") {
  CHECK(noted(net(R"(
def forward(self, x) -> Tuple[Tensor, Optional[Tensor]]:
    return x, None
)"),
              "prim::Return", "result", "NoneType"));
  CHECK_FALSE(
      schemas(net("def forward(self, x):\n    return x, x + 1\n")).contains("prim::Return"));
}

TEST_CASE(
    "freezing leaves dicts that are handed back, and not those that are read where they are made") {
  CHECK(schemas(net(R"(
def forward(self, x) -> Dict[str, Tensor]:
    return {"out": x}
)"),
                true) == std::set<std::string>{"prim::DictConstruct"});
  CHECK(schemas(net(R"(
def forward(self, x):
    d = {"a": x, "b": x + 1}
    return d["b"]
)"),
                true)
            .empty());
}

TEST_CASE("freezing computes what is constant, unless it is changed afterwards") {
  CHECK(schemas(net(R"(
def forward(self, x):
    shifts = [1, 2]
    return torch.roll(x, shifts.copy(), [0, 1])
)"),
                true)
            .empty());
  CHECK(schemas(net(R"(
def forward(self, x):
    shifts = [1, 2].copy()
    if x.size(0) > 4:
        shifts[0] = 0
    return torch.roll(x, shifts, [0, 1])
)"),
                true)
            .contains("aten::copy.t"));
}

TEST_CASE("a list that a loop fills with what is constant is a constant") {
  const std::string source = R"(
def forward(self, x):
    flags = [number in [1, 4] for number in range(6)]
    for number in range(6):
        if flags[number]:
            x = torch.relu(x)
    return x
)";
  const std::vector<Operator> operators = torchscript::file_operators(net(source), "forward");
  CHECK(std::any_of(operators.begin(), operators.end(), [](const Operator& op) {
    return has(op, "frozen", true) && has(op, "use", std::string("constant bool[]"));
  }));
}
