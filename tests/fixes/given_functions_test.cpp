#include "fixes/fixing.h"

#include <catch2/catch.hpp>

#include <algorithm>

using Catch::Contains;
using model_validator::Diagnostic;
using model_validator::SourceCall;

namespace {

const std::string head =
    "import torch\nfrom torch import nn\nimport torch.nn.functional as F\n\n\n";
const std::string factory = "def activation(name):\n    if name == 'relu':\n        return F.relu\n"
                            "    return F.gelu if name else torch.tanh\n\n\n";
const std::string net_class = "class Net(nn.Module):\n    def __init__(self, name='relu'):\n"
                              "        super().__init__()\n        self.act = activation(name)\n\n"
                              "    def forward(self, x, y):\n        return self.act(x)\n";

int last_line(const std::string& source) {
  return static_cast<int>(std::ranges::count(source, '\n'));
}

struct Result {
  std::map<std::string, std::string> files;
  std::string refusal;
};

/// A finding on the last line of `net.py`, whose function the class keeps.
Result fixed_in(std::map<std::string, std::string> texts, Diagnostic finding) {
  Files files(texts);
  for (const auto& change : model_validator::fixes::plan_fixes({&finding}, files, {}))
    texts[change.path] = change.after;
  return {texts, finding.fix->refusal};
}

Result relu_in(const std::string& source, const std::map<std::string, std::string>& others = {}) {
  std::map<std::string, std::string> texts = others;
  texts["net.py"] = source;
  return fixed_in(texts, op_finding("relu", last_line(source), "Relu"));
}

} // namespace

TEST_CASE("a function that another returns, to be kept and called, becomes a module there") {
  const Result result = relu_in(head + factory + net_class);
  INFO(result.refusal);
  CHECK_THAT(result.files.at("net.py"), Contains("        return nn.ReLU()\n") &&
                                            Contains("return F.gelu if name else torch.tanh\n") &&
                                            Contains("self.act = activation(name)\n"));
  const std::string gelu = head + factory + net_class;
  CHECK_THAT(
      fixed_in({{"net.py", gelu}}, op_finding("gelu", last_line(gelu), "Gelu")).files.at("net.py"),
      Contains("return nn.GELU() if name else torch.tanh\n"));
}

TEST_CASE("the function that returns it may be in another file") {
  const std::string net = "from torch import nn\nfrom layers import activation\n\n\n" + net_class;
  const Result result = relu_in(net, {{"layers.py", head + factory}});
  INFO(result.refusal);
  CHECK_THAT(result.files.at("layers.py"), Contains("        return nn.ReLU()\n"));
  CHECK(result.files.at("net.py") == net);
}

TEST_CASE("what else may happen to the function that is returned leaves it") {
  const auto refusal = [](const std::string& use, const std::string& made = "") {
    std::string source = head + factory + net_class;
    if (!made.empty()) source.replace(source.find("self.act = activation(name)"), 27, made);
    return relu_in(source.insert(head.size() + factory.size(), use)).refusal;
  };
  CHECK(refusal("").empty());
  for (const char* use : {"print(activation('relu'))\n", "table = [activation]\n",
                          "def other(x):\n    return activation('relu')(x)\n"})
    CHECK_THAT(refusal(use), Contains("no such call"));
  CHECK_THAT(refusal("", "self.act = activation(name) or 1"), Contains("no such call"));
  CHECK_THAT(
      relu_in(head + factory + net_class, {{"o.py", "from net import activation as a\n"}}).refusal,
      Contains("no such call"));
  CHECK_THAT(
      relu_in(head + factory +
              "class Other(nn.Module):\n    def __init__(self):\n        super().__init__()\n"
              "        self.f = activation('relu')\n        self.is_relu = self.f == F.relu\n"
              "\n\n" +
              net_class)
          .refusal,
      Contains("no such call"));
}

TEST_CASE("a function that a table holds becomes a module there, of which each class has a copy") {
  const std::string table = "ACT = {'relu': F.relu, 'tanh': torch.tanh}\n\n\n";
  std::string net = net_class;
  net.replace(net.find("activation(name)"), 16, "ACT[name]");
  const Result result = relu_in(head + table + net);
  INFO(result.refusal);
  CHECK_THAT(result.files.at("net.py"), Contains("ACT = {'relu': nn.ReLU(), 'tanh': torch.tanh}") &&
                                            Contains("self.act = copy.deepcopy(ACT[name])\n") &&
                                            Contains("import copy\n"));
  const std::string imports = "from torch import nn\nfrom layers import ACT\n\n\n";
  const Result there = relu_in(imports + net, {{"layers.py", head + table}});
  CHECK_THAT(there.files.at("layers.py"), Contains("nn.ReLU()"));
  CHECK_THAT(there.files.at("net.py"), Contains("copy.deepcopy(ACT[name])"));
  CHECK_THAT(relu_in(head + table + "print(ACT['relu'])\n\n\n" + net).refusal,
             Contains("no such call"));
  CHECK_THAT(relu_in(head + table + "ACT['relu'] = F.gelu\n\n\n" + net).refusal,
             Contains("no such call"));
}

TEST_CASE("a function of the project that is returned gets a class") {
  const std::string source = head + "def swish(x):\n    return x + 1\n\n\n" +
                             "def activation(name):\n    return swish if name else F.relu\n\n\n" +
                             net_class;
  Diagnostic finding = op_finding("add", 7, "Add");
  SourceCall call;
  call.place = {"net.py", last_line(source), 0, 0};
  finding.fix->rewrite->calls.push_back(call);
  const Result result = fixed_in({{"net.py", source}}, finding);
  INFO(result.refusal);
  CHECK_THAT(result.files.at("net.py"), Contains("return SwishModule() if name else F.relu\n") &&
                                            Contains("        return self.add(x, 1)\n") &&
                                            Contains("        return self.act(x)\n"));
}
