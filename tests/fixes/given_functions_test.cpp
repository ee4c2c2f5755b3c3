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

namespace {

/// A class that keeps what its `__init__` says, and calls it in what its `forward` says.
std::string keeping(const std::string& made, const std::string& forward,
                    const std::string& parameters = "") {
  return "class Net(nn.Module):\n    def __init__(self" + parameters +
         "):\n        super().__init__()\n" + made + "\n    def forward(self, x):\n" + forward;
}

/// What the function of the last line but one of `layers.py`, `swish`, becomes for its call on the
/// last line of `net.py`.
Result swish_in(std::map<std::string, std::string> texts, const std::string& net = "net.py",
                const std::string& layers = "net.py") {
  Diagnostic finding = op_finding("sigmoid", 7, "Sigmoid");
  finding.fix->rewrite->calls.front().place.file = layers;
  SourceCall call;
  call.place = {net, last_line(texts.at(net)), 0, 0};
  finding.fix->rewrite->calls.push_back(call);
  return fixed_in(std::move(texts), std::move(finding));
}

const std::string swish = "def swish(x):\n    return x.sigmoid()\n\n\n";

} // namespace

TEST_CASE("a function that a class always keeps is a module where it is called") {
  const std::string forward = "        x = self.act(x)\n        return self.act(x)\n";
  const Result twice = relu_in(head + keeping("        self.act = F.relu\n", forward));
  INFO(twice.refusal);
  CHECK_THAT(twice.files.at("net.py"), Contains("        self.act = F.relu\n") &&
                                           Contains("        self.relu = nn.ReLU()\n") &&
                                           Contains("        x = self.act(x)\n"
                                                    "        return self.relu(x)\n"));
  const std::string pooling =
      head + keeping("        self.pool = F.max_pool2d\n", "        return self.pool(x, 2)\n");
  CHECK_THAT(
      fixed_in({{"net.py", pooling}}, op_finding("max_pool2d", last_line(pooling), "MaxPool2d"))
          .files.at("net.py"),
      Contains("= nn.MaxPool2d(2)\n") && Contains("        return self.max_pool2d(x)\n"));
  const Result own =
      swish_in({{"net.py", head + swish + keeping("        self.act = swish\n", forward)}});
  INFO(own.refusal);
  CHECK_THAT(own.files.at("net.py"), Contains("        self.act = swish\n") &&
                                         Contains("        self.swish = SwishModule()\n") &&
                                         Contains("        return self.swish(x)\n"));
}

TEST_CASE("what a class may keep besides the function leaves its calls") {
  const std::string forward = "        x = self.act(x)\n        return self.act(x)\n";
  for (const char* made :
       {"        self.act = F.relu\n        self.act = None\n",
        "        F = other\n        self.act = F.relu\n", "        self.act = F.relu or other\n"})
    CHECK_THAT(relu_in(head + keeping(made, forward)).refusal, Contains("no such call"));
  CHECK_THAT(swish_in({{"net.py", head + swish +
                                      keeping("        swish = make()\n        self.act = swish\n",
                                              forward)}})
                 .refusal,
             Contains("no such call"));
  const std::string source = head + keeping("        self.act = F.relu\n", forward);
  const Diagnostic finding = op_finding("relu", last_line(source), "Relu");
  CHECK(hazard_beside(source, "net.act(3) if net.act is relu else 0\n", finding).empty());
  for (const char* other :
       {"net.act = other\n", "setattr(net, \'act\', other)\n", "old, net.act = net.act, other\n",
        "[net.act, (*_, n)] = others\n", "with use(other) as net.act:\n    pass\n",
        "from net import Net\nclass Own(Net):\n    def __init__(self):\n"
        "        super().__init__()\n        self.act = other\n"})
    CHECK_THAT(hazard_beside(source, other, finding), Contains("mentions it"));
}

TEST_CASE("a function that a constructor is given is a module where it is given") {
  const std::string parameters = ", act=F.relu";
  const std::string made = "        self.act = act\n";
  const std::string forward = "        return self.act(x)\n";
  const Result relu = relu_in(head + keeping(made, forward, parameters));
  INFO(relu.refusal);
  CHECK_THAT(relu.files.at("net.py"),
             Contains("        self.act = nn.ReLU() if act in (F.relu, torch.relu) else act\n") &&
                 Contains(forward));
  const std::string gelu = head + keeping(made, forward, parameters);
  CHECK_THAT(
      fixed_in({{"net.py", gelu}}, op_finding("gelu", last_line(gelu), "Gelu")).files.at("net.py"),
      Contains("        self.act = nn.GELU() if act is F.gelu else act\n"));
  const Result own = swish_in({{"net.py", head + swish + keeping(made, forward, ", act=swish")}});
  INFO(own.refusal);
  CHECK_THAT(own.files.at("net.py"),
             Contains("        self.act = SwishModule() if act is swish else act\n"));
}

TEST_CASE("the function that a constructor is given may be in another file of its package") {
  const std::string net =
      "from torch import nn\n\n\n" +
      keeping("        self.act = act\n", "        return self.act(x)\n", ", act");
  std::map<std::string, std::string> texts = {{"p/__init__.py", ""},
                                              {"p/net.py", net},
                                              {"p/q/__init__.py", ""},
                                              {"p/q/layers.py", head + swish}};
  const Result result = swish_in(texts, "p/net.py", "p/q/layers.py");
  INFO(result.refusal);
  CHECK_THAT(result.files.at("p/net.py"),
             Contains("from .q.layers import SwishModule, swish\n") &&
                 Contains("self.act = SwishModule() if act is swish else act\n"));
  texts.erase("p/__init__.py");
  CHECK_THAT(swish_in(texts, "p/net.py", "p/q/layers.py").refusal, Contains("no name"));
}

TEST_CASE("a name that another function imports is none where the class keeps what it is given") {
  const std::string net =
      "from torch import nn\n\n\ndef build():\n    from layers import swish\n"
      "    return Net(swish)\n\n\n" +
      keeping("        self.act = act\n", "        return self.act(x)\n", ", act");
  const auto refusal = [](const std::string& source) {
    return swish_in({{"net.py", source}, {"layers.py", head + swish}}, "net.py", "layers.py")
        .refusal;
  };
  CHECK_THAT(refusal(net), Contains("no name"));
  CHECK(refusal("from layers import swish\n" + net).empty());
}

TEST_CASE("what a constructor is given stays where more is done with it than to call it") {
  const std::string parameters = ", act=F.relu, gate=F.relu";
  const auto refusal = [&](const std::string& made, const std::string& forward) {
    return relu_in(head + keeping(made, forward, parameters)).refusal;
  };
  const std::string made = "        self.act = act\n        self.gate = gate\n";
  CHECK(refusal(made, "        return self.act(x)\n").empty());
  for (const char* forward : {"        x = self.act(x)\n        return self.act(x)\n",
                              "        print(self.act)\n        return self.act(x)\n",
                              "        for _ in x:\n            x = self.act(x)\n"})
    CHECK_THAT(refusal(made, forward), Contains("no such call"));
  CHECK_THAT(refusal(made, "        return self.act(self.gate(x))\n"), Contains("several"));
}
