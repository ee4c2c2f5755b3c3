#include "modules.h"

#include <catch2/catch.hpp>

#include <algorithm>

using namespace model_validator;
using namespace model_validator::test;

namespace {

using Names = std::vector<std::string>;

/// The functional ops of a model with a condition that nobody knows, and `n` rounds.
Names ops_of(const std::string& body) {
  return names(torchscript::build_graph(
                   network({}, "\ndef forward(self, x, maybe: bool, n: int):" + body + "\n")),
               OpKind::functional);
}

} // namespace

TEST_CASE("a collection that is changed on every path is known afterwards") {
  CHECK(ops_of(R"(
    d = {"a": 1}
    d["a"] = 2
    d["b"] = 3
    l = [1]
    l[0] = 2
    l.append(3)
    if d["a"] == 1 or d["b"] != 3 or l[0] == 1 or len(l) == 1:
        x = torch.exp(x)
    return torch.sin(x))") == Names{"sin_0"});
}

TEST_CASE("a collection that is changed on some paths may hold either") {
  const char* change = GENERATE("d[\"a\"] = 2", "l[0] = 2", "l.pop()", "l.insert(0, 2)",
                                "l.clear()", "d.clear()", "d.pop(\"a\")");
  for (const char* path : {"if maybe:", "for i in range(n):"}) {
    CAPTURE(change, path);
    CHECK(ops_of(R"(
    d = {"a": 1, "b": 1}
    l = [1, 1]
    )" + std::string(path) +
                 R"(
        )" + change +
                 R"(
    if len(l) != 2 or l[0] == 2 or d.get("a", 3) != 1:
        x = torch.exp(x)
    return torch.sin(x))") == Names{"exp_0", "sin_0"});
  }
}

TEST_CASE("the first round of a loop does not decide the others") {
  CHECK(ops_of(R"(
    d = {"a": 1}
    l = [1]
    for i in range(n):
        if d["a"] == 2:
            x = torch.exp(x)
        if l[-1] == 2:
            x = torch.cos(x)
        if "b" in d:
            x = torch.tan(x)
        d["a"] = 2
        d["b"] = 2
        l.append(2)
    return torch.sin(x))") == Names{"exp_0", "cos_0", "tan_0", "sin_0"});
}

TEST_CASE("a list that is changed by another name is no longer known") {
  const char* change = GENERATE(
      "other = l if maybe else [3]\n    other[0] = 2",
      "for each in {\"l\": l}.values():\n        each[0] = 2",
      "for each, k in [(l, 2)]:\n        each[0] = k", "[[3], l][n][0] = 2",
      "[[3], l][1:][0][0] = 2",
      "other = [3]\n    for i in range(n):\n        other = l\n    other[0] = 2",
      "other = [3]\n    for i in range(n):\n        other[0] = 2\n        x = x * other[0]\n"
      "        other = l");
  CAPTURE(change);
  const Names found = ops_of(R"(
    l = [1]
    )" + std::string(change) +
                             R"(
    if l[0] == 2:
        x = torch.exp(x)
    return torch.sin(x))");
  CHECK(std::count(found.begin(), found.end(), "exp_0") == 1);
}

TEST_CASE("a list that came from a branch is another where one of the two is changed") {
  CHECK(ops_of(R"(
    a = [1]
    b = [2]
    l = a if maybe else b
    a.append(5)
    if len(l) == 2:
        x = torch.exp(x)
    return torch.sin(x))") == Names{"exp_0", "sin_0"});
}

TEST_CASE("a list that lies where nobody knows may be changed there") {
  const char* change =
      GENERATE("l = [[1]] if maybe else [[2]]\n    l.append(k)\n    l[-1].append(2)",
               "d = {\"a\": [1]}\n    d.setdefault(\"b\", k).append(2)",
               "d = {\"a\": [1]}\n    d.update({\"b\": k})\n    "
               "d[\"b\"].append(2)",
               "l = [[1]] * 2\n    l[0] = k\n    l[0].append(2)",
               "l = [[1]]\n    for i in range(n):\n        l[-1].append(2)\n"
               "        l.append(k)");
  CAPTURE(change);
  CHECK(ops_of(R"(
    k = [5]
    )" + std::string(change) +
               R"(
    if len(k) == 2:
        x = torch.exp(x)
    return torch.sin(x))") == Names{"exp_0", "sin_0"});
}

TEST_CASE("numbers are found among others, and the last of equal keys counts") {
  CHECK(ops_of(R"(
    if 2.5 not in [1.5, 2.5]:
        x = torch.exp(x)
    d = {"a": 1, "a": 2}
    if d["a"] != 2 or len(d) != 1 or {1.5: 2}[1.5] != 2:
        x = torch.cos(x)
    if d.pop("z", 7) == 7:
        x = torch.tan(x)
    return torch.sin(x))") == Names{"tan_0", "sin_0"});
}

TEST_CASE("an attribute is what it was set to last") {
  torch::jit::Module module("__torch__.net.Net");
  const auto numbers = c10::ListType::create(c10::ListType::ofInts());
  module.register_attribute("held", c10::OptionalType::create(c10::TensorType::get()),
                            c10::IValue());
  module.register_attribute("flag", c10::BoolType::get(), true);
  c10::impl::GenericList nested(c10::ListType::ofInts());
  nested.push_back(c10::List<std::int64_t>({1}));
  module.register_attribute("nested", numbers, nested);
  module.register_attribute("numbers", c10::ListType::ofInts(), c10::List<std::int64_t>({1}));
  module.register_attribute("later", c10::OptionalType::create(c10::TensorType::get()),
                            c10::IValue());
  module.define(R"(
def fill(self, numbers: List[int]):
    numbers.append(3)

def forward(self, x, maybe: bool):
    self.later = x
    self.held = torch.sin(x)
    self.held = None
    if self.held is None:
        x = torch.exp(x)
    self.flag = maybe
    if maybe:
        self.flag = False
    if self.flag:
        x = torch.cos(x)
    self.nested[0].append(3)
    if len(self.nested[0]) == 3:
        x = torch.tan(x)
    self.fill(self.numbers)
    if len(self.numbers) == 3:
        x = torch.relu(x)
    for i in range(2):
        if self.later is None:
            x = torch.sigmoid(x)
        self.later = None
    return x
)");
  const Names found = names(torchscript::build_graph(module), OpKind::functional);
  for (const char* op : {"sin_0", "exp_0", "cos_0", "tan_0", "relu_0", "sigmoid_0"})
    CHECK(std::count(found.begin(), found.end(), op) == 1);
}

TEST_CASE("a key that is not known may be any") {
  CHECK(ops_of(R"(
    key = "a" if maybe else "b"
    d = {"a": 1}
    d[key] = 2
    if d["a"] == 2:
        x = torch.exp(x)
    d = {"a": 1, key: 2}
    if d["a"] == 2:
        x = torch.cos(x)
    return torch.sin(x))") == Names{"exp_0", "cos_0", "sin_0"});
}
