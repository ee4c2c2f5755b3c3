#include "connected_graph/torchscript/code/file_operators.h"

#include <ATen/ops/ones.h>
#include <catch2/catch.hpp>

#include <algorithm>
#include <set>
#include <string>
#include <variant>
#include <vector>

using namespace model_validator;

namespace {

bool has(const Operator& op, const std::string& name, const AttributeValue& value) {
  return std::find(op.attributes.begin(), op.attributes.end(), Attribute{name, value}) !=
         op.attributes.end();
}

std::set<std::string> schemas(const torch::jit::Module& module, bool frozen = false) {
  std::set<std::string> found;
  for (const Operator& op : torchscript::file_operators(module, "forward"))
    if (!has(op, "whole", true) && has(op, "frozen", true) == frozen) found.insert(op.schema);
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
    return op.schema == schema && !has(op, "whole", true) && has(op, name, value);
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

namespace {

/// Uses that are noted on an operator of all the code.
std::vector<std::string> uses_in_whole(const torch::jit::Module& module,
                                       const std::string& schema) {
  std::vector<std::string> uses;
  for (const Operator& op : torchscript::file_operators(module, "forward"))
    if (op.schema == schema && has(op, "whole", true))
      for (const Attribute& attribute : op.attributes) {
        if (attribute.name != "use") continue;
        if (const auto* one = std::get_if<std::string>(&attribute.value)) uses.push_back(*one);
        if (const auto* all = std::get_if<std::vector<std::string>>(&attribute.value))
          uses.insert(uses.end(), all->begin(), all->end());
      }
  return uses;
}

bool has_use(const torch::jit::Module& module, const std::string& schema, const std::string& use) {
  const std::vector<std::string> uses = uses_in_whole(module, schema);
  return std::find(uses.begin(), uses.end(), use) != uses.end();
}

std::set<std::string> whole(const torch::jit::Module& module) {
  std::set<std::string> found;
  for (const Operator& op : torchscript::file_operators(module, "forward"))
    if (has(op, "whole", true)) found.insert(op.schema);
  return found;
}

torch::jit::Module with_attributes(const std::string& source) {
  torch::jit::Module module("net");
  module.register_attribute("training", c10::BoolType::get(), false);
  module.register_attribute("bias", c10::NoneType::get(), c10::IValue());
  module.register_attribute("scale", c10::FloatType::get(), 2.0);
  module.register_attribute("given", c10::OptionalType::ofTensor(), at::ones({4}));
  module.register_attribute("left_out", c10::OptionalType::ofTensor(), c10::IValue());
  module.register_parameter("weight", at::ones({4, 4}), false);
  module.define("def forward(self, x):\n" + source);
  return module;
}

} // namespace

TEST_CASE("the whole code holds what only raises, and arms that attributes rule out") {
  const auto module = with_attributes("  if x.dim() != 2:\n"
                                      "    assert False, 'wrong'\n"
                                      "  if self.training:\n"
                                      "    x = torch.tanh(x)\n"
                                      "  unused = torch.sin(x)\n"
                                      "  return torch.relu(x)\n");
  const std::set<std::string> found = whole(module);
  CHECK(found.contains("prim::RaiseException"));
  CHECK(found.contains("aten::tanh"));
  CHECK_FALSE(found.contains("aten::sin"));
  CHECK_FALSE(schemas(module).contains("aten::tanh"));
}

TEST_CASE("of an arm without results, only the first node is in the whole code") {
  const auto module = with_attributes("  if x.dim() != 2:\n"
                                      "    assert False, '{}'.format(x.size(1))\n"
                                      "  return torch.relu(x)\n");
  const std::set<std::string> found = whole(module);
  CHECK(found.contains("aten::size.int"));
  CHECK_FALSE(found.contains("aten::format"));
  CHECK_FALSE(found.contains("prim::RaiseException"));
}

TEST_CASE("what comes after the last output is not in the whole code") {
  CHECK(whole(with_attributes("  y = torch.relu(x)\n"
                              "  print('done')\n"
                              "  return y, x + 1\n"))
            .contains("prim::Print"));
  CHECK_FALSE(whole(with_attributes("  y = torch.relu(x)\n"
                                    "  print('done')\n"
                                    "  return y\n"))
                  .contains("prim::Print"));
}

TEST_CASE("reading an attribute that is no tensor is noted, by argument") {
  const auto module = with_attributes("  x = torch.linear(x, self.weight, self.bias)\n"
                                      "  return x * self.scale\n");
  CHECK(uses_in_whole(module, "aten::linear") ==
        std::vector<std::string>{"attribute", "attribute bias"});
  CHECK(has_use(module, "aten::mul.Scalar", "attribute other"));
  CHECK(has_use(with_attributes("  if self.training:\n    x = torch.relu(x)\n  return x\n"),
                "prim::If", "attribute"));
}

TEST_CASE("an optional attribute counts as what it holds") {
  const auto reads = [](const std::string& name) {
    return has_use(with_attributes("  return torch.linear(x, self.weight, self." + name + ")\n"),
                   "aten::linear", "attribute bias");
  };
  CHECK(reads("left_out"));
  CHECK_FALSE(reads("given"));
  CHECK(uses_in_whole(with_attributes("  return torch.linear(x, self.weight)\n"), "aten::linear")
            .empty());
}

TEST_CASE("attributes that are returned as they are are noted") {
  CHECK(
      has_use(with_attributes("  return x, self.weight\n"), "prim::Return", "attribute returned"));
  CHECK(uses_in_whole(with_attributes("  return x, self.weight + 1\n"), "prim::Return").empty());
  const auto in_arm = [](const std::string& value) {
    return has_use(with_attributes("  if x.dim() == 2:\n    y = " + value +
                                   "\n  else:\n    y = x\n  return y + 1\n"),
                   "prim::If", "attribute returned");
  };
  CHECK(in_arm("self.weight"));
  CHECK_FALSE(in_arm("self.weight * 2"));
}

TEST_CASE("arms and loops that give a value another rank are noted") {
  const auto changes = [](const std::string& one, const std::string& other) {
    return has_use(with_attributes("  if x.dim() == 2:\n    y = " + one +
                                   "\n  else:\n    y = " + other + "\n  return y + 1\n"),
                   "prim::If", "other rank");
  };
  CHECK(changes("x.unsqueeze(0)", "x"));
  CHECK(changes("x[0]", "x"));
  CHECK_FALSE(changes("x.unsqueeze(0)", "x.unsqueeze(1)"));
  CHECK_FALSE(changes("x.unsqueeze(0)[0]", "x"));
  CHECK_FALSE(changes("torch.relu(x)", "x"));
  CHECK(has_use(with_attributes("  for i in range(2):\n    x = x.unsqueeze(0)\n  return x\n"),
                "prim::Loop", "other rank"));
  CHECK_FALSE(has_use(with_attributes("  for i in range(2):\n    x = x * 2\n  return x\n"),
                      "prim::Loop", "other rank"));
}

TEST_CASE("a while that counts is told from one that looks at values, and from a for") {
  const auto counts = [](const std::string& condition) {
    return has_use(with_attributes("  i = 0\n  while " + condition +
                                   ":\n    x = x * 2\n    i += 1\n  return x\n"),
                   "prim::Loop", "counted while");
  };
  CHECK(counts("i < x.size(0)"));
  CHECK_FALSE(counts("bool(x.sum() < 9)"));
  CHECK_FALSE(has_use(with_attributes("  for i in range(3):\n    if i > 1:\n      break\n"
                                      "    x = x * 2\n  return x\n"),
                      "prim::Loop", "counted while"));
  CHECK_FALSE(has_use(with_attributes("  for i in range(3):\n    x = x * 2\n  return x\n"),
                      "prim::Loop", "counted while"));
}

TEST_CASE("what becomes of lists, dtypes and quotients is noted in the whole code") {
  const std::string empty = "  l: List[Tensor] = []\n", one = "  l = [x]\n";
  const std::string end = "  l.append(x)\n  return torch.cat(l)\n";
  CHECK(has_use(with_attributes(empty + end), "aten::append.t", "empty list"));
  CHECK(uses_in_whole(with_attributes(one + end), "aten::append.t").empty());
  CHECK(has_use(with_attributes(one + "  for i in range(2):\n    l.append(x)\n" + end),
                "aten::append.t", "from outside"));
  // The loop yields nothing, so that its first node is all that is built but for the list.
  CHECK(has_use(with_attributes(empty + "  for i in range(2):\n    l.append(x * i)\n"
                                        "  return torch.cat(l)\n"),
                "aten::append.t", "empty list"));
  CHECK(has_use(with_attributes("  return torch.zeros([2], dtype=x.dtype)\n"), "aten::zeros",
                "dtype of a tensor"));
  CHECK(uses_in_whole(with_attributes("  return torch.zeros([2], dtype=6)\n"), "aten::zeros")
            .empty());
  CHECK(
      has_use(with_attributes("  return x[:x.size(0) // 2]\n"), "aten::slice.Tensor", "quotient"));
  CHECK(has_use(with_attributes("  return torch.zeros([x.size(0) // 2])\n"), "aten::zeros",
                "quotient"));
  CHECK(
      uses_in_whole(with_attributes("  return x[:x.size(0) * 2]\n"), "aten::slice.Tensor").empty());
}
