#include "modules.h"

#include <ATen/ops/ones.h>
#include <catch2/catch.hpp>

using namespace model_validator;
using namespace model_validator::test;

TEST_CASE("a module that is called once is not reused") {
  const auto net =
      network({{"relu", relu()}}, "def forward(self, x):\n    return self.relu.forward(x)\n");
  CHECK(calls(net, "relu") == 1);
}

TEST_CASE("every call site of a module is recorded in execution order") {
  const auto net = network({{"a", relu()}, {"b", relu()}}, R"(
def forward(self, x):
    x = self.a.forward(x)
    x = self.b.forward(x)
    return self.a.forward(x)
)");
  const ConnectedGraph graph = torchscript::build_graph(net);
  CHECK(module_at(graph, "a").calls == 2);
  CHECK(module_at(graph, "b").calls == 1);
  const auto& sites = module_at(graph, "a").call_sites;
  REQUIRE(sites.size() == 2);
  CHECK(graph.op(sites[0].op).name == "relu_0");
  CHECK(graph.op(sites[1].op).name == "relu_2");
}

TEST_CASE("two arms of one if exclude each other") {
  const auto net = network({{"relu", relu()}}, R"(
def forward(self, x, flag: bool):
    if flag:
        y = self.relu.forward(x)
    else:
        y = self.relu.forward(x + 1)
    return y
)");
  CHECK(calls(net, "relu") == 1);
}

TEST_CASE("two ifs on one flag are decided the same way") {
  const std::string source = R"(
def forward(self, x, flag: bool):
    if flag:
        x = self.relu.forward(x)
    if %:
        x = self.relu.forward(x)
    return x
)";
  const auto with = [&](const std::string& second) {
    std::string text = source;
    return network({{"relu", relu()}}, text.replace(text.find('%'), 1, second));
  };
  CHECK(calls(with("flag"), "relu") == 2);
  CHECK(calls(with("not flag"), "relu") == 1);
}

TEST_CASE("an early return excludes what comes after it") {
  const auto net = network({{"relu", relu()}}, R"(
def forward(self, x, flag: bool):
    if flag:
        return self.relu.forward(x)
    x = x + 1
    return self.relu.forward(x)
)");
  CHECK(calls(net, "relu") == 1);
}

TEST_CASE("a loop that can run twice calls again, a loop of one trip does not") {
  const std::string source = R"(
def forward(self, x, n: int):
    for i in range(%):
        x = self.relu.forward(x)
    return x
)";
  const auto with = [&](const std::string& trips) {
    std::string text = source;
    return network({{"relu", relu()}}, text.replace(text.find('%'), 1, trips));
  };
  CHECK(calls(with("1"), "relu") == 1);
  CHECK(calls(with("5"), "relu") == 5);
  CHECK(calls(with("n"), "relu") == 2);
  CHECK(calls(with("0"), "relu") == 0);
}

TEST_CASE("a condition on the loop's counter holds in one iteration") {
  const auto net = network({{"a", relu()}, {"b", relu()}}, R"(
def forward(self, x, n: int):
    for i in range(n):
        if i == 0:
            x = self.a.forward(x)
        if i == 1:
            x = self.b.forward(x)
    return x
)");
  CHECK(calls(net, "a") == 1);
  CHECK(calls(net, "b") == 1);
}

TEST_CASE("what every iteration of a loop decides alike is decided") {
  const std::string source = R"(
def forward(self, x):
    for i in range(%):
        if CONDITION:
            x = self.a.forward(x)
        else:
            x = self.b.forward(x)
    return x
)";
  const auto entered = [&](const std::string& trips, const std::string& condition) {
    std::string text = source;
    text.replace(text.find('%'), 1, trips);
    text.replace(text.find("CONDITION"), 9, condition);
    const auto net = network({{"a", relu()}, {"b", relu()}}, text);
    return std::pair(calls(net, "a") > 0, calls(net, "b") > 0);
  };
  CHECK(entered("4", "i < 4") == std::pair(true, false));
  CHECK(entered("4", "4 <= i") == std::pair(false, true));
  CHECK(entered("4", "i < 3") == std::pair(true, true));
  CHECK(entered("3, -1, -1", "i * 2 + 1 != 4") == std::pair(true, false));
  CHECK(entered("0, 9, 3", "not i % 3 == 0") == std::pair(false, true));
  CHECK(entered("x.size(0)", "i < 4") == std::pair(true, true));
  CHECK(entered("x.size(0)", "0 <= i") == std::pair(true, false));
  CHECK(entered("x.size(0)", "i + 1 > 0") == std::pair(true, true));
  CHECK(entered("1000000", "i < 1000000") == std::pair(true, false));
  CHECK(entered("1000000", "i == 5") == std::pair(true, true));
  CHECK(entered("2000000", "i < 1500000") == std::pair(true, true));
}

TEST_CASE("arms that constants decide are not entered") {
  const auto net = network({{"relu", relu()}}, R"(
def head(self, x, pre_logits: bool = False):
    if not pre_logits:
        x = self.relu.forward(x)
    return x
def forward(self, x):
    if self.training:
        x = self.relu.forward(x)
    x = self.head(x)
    return x
)");
  const ConnectedGraph graph = torchscript::build_graph(net);
  CHECK(module_at(graph, "relu").calls == 1);
  CHECK(names(graph, OpKind::control_flow).empty());
}

TEST_CASE("a module that travels as an argument is known for what it is") {
  const auto inner = relu();
  auto block = torch::jit::Module("__torch__.net.Block");
  block.register_attribute("training", c10::BoolType::get(), false);
  block.register_module("own", relu());
  block.define(R"(
def forward(self, x):
    return self.own.forward(x)
)");
  const auto net = network({{"block", block}, {"relu", inner}}, R"(
def forward(self, x):
    x = self.block.forward(x)
    return self.relu.forward(self.relu.forward(x))
)");
  CHECK(calls(net, "relu") == 2);
  CHECK(calls(net, "block.own") == 1);
}

TEST_CASE("any method that handles tensors is a call of a leaf with weights") {
  torch::jit::Module embedding("__torch__.net.Embedding");
  embedding.register_parameter("weight", at::ones({4, 2}), false);
  embedding.define(R"(
def forward(self, x):
    return torch.matmul(x, self.weight)
def attend(self, x):
    return torch.matmul(x, self.weight.t())
def width(self) -> int:
    return 2
)");
  const auto net = network({{"emb", embedding}}, R"(
def forward(self, x):
    n = self.emb.width() + self.emb.width()
    return self.emb.attend(self.emb.forward(x)) + n
)");
  CHECK(calls(net, "emb") == 2);
}

TEST_CASE("different methods of a module without weights are not reuse, one method twice is") {
  const auto codec = module_of("__torch__.net.Codec", R"(
def encode(self, x):
    return x + 1
def decode(self, x):
    return x - 1
)");
  const auto once = network({{"codec", codec}}, R"(
def forward(self, x):
    return self.codec.decode(self.codec.encode(x))
)");
  CHECK(calls(once, "codec") == 1);
  const auto twice = network({{"codec", codec}}, R"(
def forward(self, x):
    return self.codec.encode(self.codec.encode(x))
)");
  CHECK(calls(twice, "codec") == 2);
}

TEST_CASE("copies of one module are its aliases, the shortest path is primary") {
  const at::Tensor weight = at::ones({2, 2});
  const auto wrapper =
      network({{"inner", linear(weight)}},
              "def forward(self, x):\n    return self.inner.forward(x)\n", "__torch__.net.Wrapper");
  const auto net = network({{"wrapper", wrapper}, {"head", linear(weight)}}, R"(
def forward(self, x):
    return self.head.forward(self.wrapper.forward(x))
)");
  const ConnectedGraph graph = torchscript::build_graph(net);
  const Module& head = module_at(graph, "head");
  CHECK(head.aliases == std::vector<std::string>{"wrapper.inner"});
  CHECK(head.calls == 2);
  CHECK(graph.parameters().size() == 1);
}

TEST_CASE("modules of equal class with weights of their own stay apart") {
  const auto net = network({{"a", linear(at::ones({2, 2}))}, {"b", linear(at::ones({2, 2}))}},
                           "def forward(self, x):\n    return self.b.forward(self.a.forward(x))\n");
  CHECK(calls(net, "a") == 1);
  CHECK(calls(net, "b") == 1);
}

TEST_CASE("a model that unfolds beyond the limit is refused with a sentence") {
  const auto net = network({}, R"(
def forward(self, x):
    return x + 1 + 2 + 3
)");
  ReadOptions options;
  options.max_ops = 2;
  CHECK_THROWS_WITH(torchscript::build_graph(net, options),
                    Catch::Contains("more operations than any sensible network has"));
}

TEST_CASE("methods that call each other twice are refused before they have unfolded") {
  const auto doubling = [](std::size_t depth) {
    std::string source = "def step0(self, x):\n    return torch.relu(x)\n";
    for (std::size_t i = 1; i <= depth; ++i) {
      const std::string inner = "self.step" + std::to_string(i - 1);
      source += "def step" + std::to_string(i) + "(self, x):\n    return " + inner + "(" + inner +
                "(x))\n";
    }
    return network({}, source + "def forward(self, x):\n    return self.step" +
                           std::to_string(depth) + "(x)\n");
  };
  ReadOptions options;
  options.max_ops = 100'000;
  CHECK(torchscript::build_graph(doubling(8), options).op_count() == 256 + 2);
  CHECK_THROWS_WITH(torchscript::build_graph(doubling(14), options),
                    Catch::Contains("more operations than any sensible network has"));
}

TEST_CASE("a child without weights of a module under two paths is one module as well") {
  const at::Tensor weight = at::ones({2, 2});
  const auto block = [&] {
    return network({{"fc", linear(weight)}, {"act", relu()}},
                   "def forward(self, x):\n    return self.act.forward(self.fc.forward(x))\n",
                   "__torch__.net.Block");
  };
  const auto net = network({{"first", block()}, {"again", block()}}, R"(
def forward(self, x):
    return self.again.forward(self.first.forward(x))
)");
  const ConnectedGraph graph = torchscript::build_graph(net);
  CHECK(module_at(graph, "first").calls == 2);
  CHECK(module_at(graph, "first.act").calls == 2);
  CHECK(module_at(graph, "first.act").aliases == std::vector<std::string>{"again.act"});
}

TEST_CASE("blocks that an index picks from a list are called once each") {
  const auto net = network({{"a", relu()}, {"b", relu()}, {"c", relu()}}, R"(
def pick(self, x, idx: int):
    if idx < 0:
        idx += 3
    if idx == 0:
        x = self.a.forward(x)
    if idx == 1:
        x = self.b.forward(x)
    if idx == 2:
        x = self.c.forward(x)
    return x
def forward(self, x):
    features = {"p": x, "q": x + 1, "r": x + 2}
    levels = list(features.values())
    y = self.pick(levels[-1], -1)
    for idx in range(len(levels) - 2, -1, -1):
        y = y + self.pick(levels[idx], idx)
    return y
)");
  CHECK(calls(net, "a") == 1);
  CHECK(calls(net, "b") == 1);
  CHECK(calls(net, "c") == 1);
}
