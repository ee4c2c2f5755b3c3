#include "modules.h"

#include <ATen/ops/zeros.h>
#include <catch2/catch.hpp>

using namespace model_validator;
using namespace model_validator::test;

namespace {

/// A module with a buffer, a tensor, numbers and a list of its own.
torch::jit::Module keeper(const std::string& body, const std::string& more = "") {
  torch::jit::Module module("__torch__.net.Keeper");
  module.register_attribute("training", c10::BoolType::get(), false);
  module.register_buffer("buffer", at::zeros({2, 4}));
  module.register_attribute("state", c10::TensorType::get(), at::zeros({2, 4}));
  module.register_attribute("count", c10::IntType::get(), 0);
  module.register_attribute("seen", c10::ListType::ofTensors(), c10::List<at::Tensor>());
  module.register_attribute("kept",
                            c10::DictType::create(c10::StringType::get(), c10::TensorType::get()),
                            c10::Dict<std::string, at::Tensor>());
  module.define("def forward(self, x, flag: bool):\n" + body + "\n" + more);
  return module;
}

/// `set state read`, `written buffer unread`.
std::vector<std::string> writes_of(const torch::jit::Module& module) {
  std::vector<std::string> found;
  const ConnectedGraph graph = torchscript::build_graph(module);
  for (const StateWrite& write : graph.state_writes) {
    const std::string& path = graph.module_path(write.module);
    found.push_back((write.in_place ? "written " : "set ") + (path.empty() ? "" : path + ".") +
                    write.attribute +
                    (write.filled ? " filled"
                     : write.read ? " read"
                                  : " unread"));
  }
  return found;
}

std::vector<std::string> writes(const std::string& body, const std::string& more = "") {
  return writes_of(keeper(body, more));
}

using Found = std::vector<std::string>;

} // namespace

TEST_CASE("what forward sets or writes into is reported, and whether the next call reads it") {
  CHECK(writes("  self.state = self.state * 0.5 + x\n  return self.state") ==
        Found{"set state read"});
  CHECK(writes("  self.state = x\n  return x * 2") == Found{"set state unread"});
  CHECK(writes("  y = self.state\n  self.state = x\n  return y") == Found{"set state read"});
  CHECK(writes("  self.count = self.count + 1\n  return x * self.count") ==
        Found{"set count read"});
  CHECK(writes("  self.buffer.add_(x)\n  return self.buffer * 2") == Found{"written buffer read"});
  CHECK(writes("  self.buffer.copy_(x)\n  return self.buffer * 2") ==
        Found{"written buffer unread"});
  CHECK(writes("  y = self.buffer + x\n  self.buffer.copy_(x)\n  return y") ==
        Found{"written buffer read"});
  CHECK(writes("  self.buffer.add_(1)\n  return x") == Found{"written buffer read"});
  CHECK(writes("  self.count += 1\n  return x") == Found{"set count read"});
  CHECK(writes("  return self.buffer.add_(1) + x") == Found{"written buffer read"});
  CHECK(writes("  self.seen.append(x)\n  return torch.cat(self.seen)") ==
        Found{"written seen read"});
  CHECK(writes("  y = x + self.kept['a']\n  self.kept['a'] = x\n  return y") ==
        Found{"written kept read"});
}

TEST_CASE("a write through a view or another name is a write") {
  CHECK(writes("  self.buffer[0] = x[0]\n  return x") == Found{"written buffer unread"});
  CHECK(writes("  self.buffer[:, 1:3] += x[:, :2]\n  return self.buffer") ==
        Found{"written buffer read"});
  CHECK(writes("  b = self.buffer.view(-1)\n  b.add_(1)\n  return self.buffer + x") ==
        Found{"written buffer read"});
  CHECK(writes("  a, b = self.buffer.chunk(2)\n  a.add_(1)\n  return x + b") ==
        Found{"written buffer read"});
  CHECK(writes("  b = self.buffer.detach()\n  b[x > 0] = 1\n  return x + b") ==
        Found{"written buffer read"});
  CHECK(writes("  b = self.buffer if flag else x\n  b.add_(1)\n  return b") ==
        Found{"written buffer read"});
  CHECK(writes("  b = self.buffer\n  for i in range(3):\n    b = b.add_(x)\n  return b") ==
        Found{"written buffer read"});
  CHECK(writes("  return self.bump(self.buffer) + x", "def bump(self, t):\n  return t.add_(1)\n") ==
        Found{"written buffer read"});
}

TEST_CASE("a value that the call itself has made is not state") {
  CHECK(writes("  b = self.buffer.clone()\n  b += x\n  return b").empty());
  CHECK(writes("  b = self.buffer * 2\n  b[0] = 1\n  return b").empty());
  CHECK(writes("  all = [self.buffer]\n  all.append(x)\n  return torch.cat(all)").empty());
  CHECK(writes("  b = self.buffer.to(x.dtype)\n  b += x\n  return b").empty());
  CHECK(writes("  x.add_(self.buffer)\n  return x").empty());
  CHECK(writes("  self.state = x.clone()\n  self.state.add_(1)\n  return self.state").empty());
}

TEST_CASE("a write counts on whatever path it lies, and what every path replaces is not read") {
  const std::string both = "  if flag:\n    self.state = x\n  else:\n    self.state = x * 2\n";
  CHECK(writes(both + "  return self.state").empty());
  CHECK(writes("  if flag:\n    self.state = x\n  return self.state + x") ==
        Found{"set state read"});
  CHECK(writes("  for i in range(x.size(0)):\n    self.state = x\n  return self.state + x") ==
        Found{"set state read"});
  CHECK(writes("  if self.count > 3:\n    x = x * 2\n  self.count = self.count + 1\n  return x") ==
        Found{"set count read"});
  CHECK(writes("  if self.training:\n    self.buffer.add_(x)\n  return x + self.buffer").empty());
}

TEST_CASE("a value that only follows the inputs' size or device is not state") {
  CHECK(writes("  n = x.size(0)\n  if self.count != n:\n    self.count = x.size(0)\n  return x")
            .empty());
  CHECK(writes("  self.state = self.state.to(x.dtype)\n  return self.state + x").empty());
}

TEST_CASE("a value that every call sets before it reads it is not state") {
  CHECK(writes("  self.state = x\n  return self.state * 2").empty());
  CHECK(writes("  self.seen = [x]\n  self.seen.append(x * 2)\n  return torch.cat(self.seen)")
            .empty());
  CHECK(writes("  self.state = x\n  for i in range(3):\n    self.state = self.state + x\n"
               "  return self.state")
            .empty());
  CHECK(writes("  for i in range(3):\n    self.state = self.state + x\n  return self.state") ==
        Found{"set state read"});
}

TEST_CASE("a value that no result depends on is not state") {
  CHECK(writes("  if self.count == 0:\n    print(1)\n    self.count = 1\n  return x").empty());
  CHECK(writes("  if self.count == 0:\n    x = x * 2\n    self.count = 1\n  return x") ==
        Found{"set count filled"});
  CHECK(writes("  if self.count == 0:\n    x.add_(1)\n    self.count = 1\n  return x") ==
        Found{"set count filled"});
  CHECK(writes("  if self.count == 0:\n    self.state = x\n    self.count = 1\n"
               "  return x + self.state") == Found{"set state read", "set count filled"});
}

TEST_CASE("what is filled in where an `if` finds it missing is told from state") {
  const std::string absent = "  if 'a' not in self.kept:\n    self.kept['a'] = ";
  const Found filled{"written kept filled"};
  CHECK(writes(absent + "self.buffer * 2\n  return x + self.kept['a']") == filled);
  CHECK(writes("  y = x + len(self.kept)\n" + absent + "self.buffer * 2\n  return y") == filled);
  CHECK(writes("  if 'a' in self.kept:\n    y = self.kept['a']\n  else:\n"
               "    y = self.buffer * 2\n    self.kept['a'] = y\n  return x + y") == filled);
  const std::string larger = "  n = x.size(0)\n  if n > self.count:\n    self.count = n\n";
  CHECK(writes(larger + "    self.state = torch.ones(n)\n  return x * self.state[:n]") ==
        Found{"set count filled", "set state filled"});
  CHECK(writes(larger + "  return x[:self.count]") == Found{"set count filled"});
  CHECK(writes("  if self.count == 0:\n    self.count = x.size(0)\n  return x[:self.count]") ==
        Found{"set count filled"});
}

TEST_CASE("what comes from data or from itself, or has a write that looks at nothing, is state") {
  const std::string absent = "  if 'a' not in self.kept:\n    self.kept['a'] = ";
  const Found kept{"written kept read"};
  CHECK(writes(absent + "x * 2\n  return x + self.kept['a']") == kept);
  CHECK(
      writes(absent + "self.buffer\n  y = self.kept['a'] + x\n  self.kept['a'] = x\n  return y") ==
      Found{"written kept read", "written kept read"});
  CHECK(writes("  self.state = x\n" + absent + "self.state\n  return x + self.kept['a']") == kept);
  CHECK(writes("  y = x + self.state\n  if self.count < 3:\n    self.state = torch.ones(2)\n"
               "  self.count = self.count + 1\n  return y") ==
        Found{"set state read", "set count read"});
  CHECK(writes("  if self.count < 3:\n    self.count = self.count + 1\n  return x * self.count") ==
        Found{"set count read"});
  CHECK(writes("  for i in range(x.size(0)):\n    self.state = torch.ones(2)\n"
               "  return x + self.state") == Found{"set state read"});
  CHECK(writes("  if len(self.seen) < 3:\n    self.seen.append(self.buffer)\n"
               "  return x + len(self.seen)") == Found{"written seen read"});
}

TEST_CASE("a copy or a view of what a collection holds reads it") {
  const std::string fill = "  self.kept['a'] = x\n  return y";
  const Found kept{"written kept read"};
  CHECK(writes("  y = x\n  for v in self.kept.values():\n    y = y + v\n" + fill) == kept);
  CHECK(writes("  y = x\n  for k in self.kept.keys():\n    y = y + 1\n" + fill) == kept);
  CHECK(writes("  y = x\n  for k, v in self.kept.items():\n    y = y * v\n" + fill) == kept);
  CHECK(writes("  y = torch.stack(list(self.kept.values()) + [x]).sum(0)\n" + fill) == kept);
  CHECK(writes("  y = torch.stack([x] + list(self.kept.values())).sum(0)\n" + fill) == kept);
  CHECK(writes("  y = x * len(dict(self.kept))\n" + fill) == kept);
  CHECK(writes("  x = x * len(list(self.seen))\n  self.seen = [x]\n  return x") ==
        Found{"set seen read"});
}

TEST_CASE("the state is that of the module that has it") {
  const auto net = network({{"inner", keeper("  self.count = self.count + 1\n"
                                             "  self.buffer.add_(x)\n  return self.buffer")}},
                           "def forward(self, x):\n    return self.inner.forward(x, True)\n");
  CHECK(writes_of(net) == Found{"set inner.count read", "written inner.buffer read"});
  const ConnectedGraph graph = torchscript::build_graph(net);
  CHECK(graph.state_writes[1].schema == "aten::add_.Tensor");
}
