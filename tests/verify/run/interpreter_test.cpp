#include "run/script.h"

#include <model_validator/error.h>
#include <model_validator/verify/interpreter.h>

#include <ATen/ATen.h>
#include <catch2/catch.hpp>
#include <torch/csrc/jit/ir/ir.h>

using namespace model_validator;
using namespace model_validator::verify;

namespace {

struct Watcher final : RunObserver {
  std::vector<std::string> steps;                ///< `path aten::relu`
  std::vector<std::vector<std::int64_t>> shapes; ///< of tensor outputs
  std::vector<bool> branches;
  std::vector<std::int64_t> rounds;

  void on_step(const Step& step) override {
    if (step.outputs.empty() || !step.outputs[0].isTensor()) return;
    steps.push_back(step.module_path + " " + step.node.kind().toQualString());
    shapes.push_back(step.outputs[0].toTensor().sizes().vec());
  }
  void on_branch(const torch::jit::Node&, bool taken) override { branches.push_back(taken); }
  void on_loop(const torch::jit::Node&, std::int64_t count) override { rounds.push_back(count); }
};

/// The interpreter and LibTorch's own, on the same inputs.
void expect_same_as_plain_run(const torch::jit::Module& module, std::vector<c10::IValue> inputs) {
  auto plain = module.deepcopy();
  const auto expected = plain.forward(inputs);
  const auto got = Interpreter(module.deepcopy()).run(inputs);
  std::ostringstream left, right;
  left << expected;
  right << got;
  CHECK(left.str() == right.str());
}

} // namespace

TEST_CASE("the interpreter computes what LibTorch computes") {
  SECTION("branches and loops") {
    expect_same_as_plain_run(scripted(R"(
      def forward(self, x, n: int):
        y = x
        for i in range(n):
          if i % 2 == 0:
            y = y + x
          else:
            y = y * 2
        return y)"),
                             {at::arange(4, at::kFloat), 5});
  }
  SECTION("lists, tuples and dicts") {
    expect_same_as_plain_run(scripted(R"(
      def forward(self, x):
        parts = [x, x + 1]
        parts.append(x + 2)
        a, b = (parts[0], len(parts))
        table = {"sum": torch.cat(parts), "first": a}
        c, d, e = parts
        return table, (b, c, [1.5, 2.5], [True], d), e)"),
                             {at::ones({2})});
  }
  SECTION("functions, None and refinement") {
    expect_same_as_plain_run(scripted(R"(
      def helper(self, x, w: Optional[Tensor]):
        if w is not None:
          return x * w
        return -x
      def forward(self, x):
        return self.helper(x, None), self.helper(x, x + 3))"),
                             {at::ones({2})});
  }
  SECTION("in-place changes") {
    expect_same_as_plain_run(scripted(R"(
      def forward(self, x):
        y = x.clone()
        y[0] = 7.0
        y.add_(1)
        return y)"),
                             {at::zeros({3})});
  }
}

TEST_CASE("a model's attributes keep what it writes into them") {
  auto module = scripted("");
  module.register_attribute("history", c10::ListType::ofTensors(), c10::List<at::Tensor>());
  define(module, R"(
    def forward(self, x):
      self.history.append(x)
      self.history.append(x + 1)
      return len(self.history))");
  for (const auto mode : {RunMode::values, RunMode::shapes, RunMode::float64})
    CHECK(Interpreter(module.deepcopy(), mode).run({at::ones({2})}).toInt() == 2);
}

TEST_CASE("an observer sees every node with the path of its module") {
  auto inner = torch::jit::Module("Inner");
  define(inner, "def forward(self, x):\n  return torch.relu(x)");
  auto middle = torch::jit::Module("Middle");
  middle.register_module("act", inner);
  define(middle, "def forward(self, x):\n  return self.act.forward(x) + 1");
  auto root = torch::jit::Module("Root");
  root.register_module("block", middle);
  define(root, R"(
    def forward(self, x, n: int):
      for i in range(n):
        x = self.block.forward(x)
      if n > 5:
        x = -x
      return x)");
  Watcher watcher;
  Interpreter(root).run({at::ones({2, 3}), 2}, &watcher);
  const std::vector<std::string> round{"block.act aten::relu", "block prim::CallMethod",
                                       "block aten::add", " prim::CallMethod"};
  std::vector<std::string> expected = round;
  expected.insert(expected.end(), round.begin(), round.end());
  expected.emplace_back(" prim::Loop");
  expected.emplace_back(" prim::If");
  CHECK(watcher.steps == expected);
  CHECK(watcher.branches == std::vector<bool>{false});
  CHECK(watcher.rounds == std::vector<std::int64_t>{2});
}

TEST_CASE("a value is freed after the last node that needs it") {
  struct AliveCounter final : RunObserver {
    std::vector<c10::weak_intrusive_ptr<c10::TensorImpl>> seen;
    std::size_t most = 0;
    void on_step(const Step& step) override {
      for (const auto& output : step.outputs)
        if (output.isTensor()) seen.emplace_back(output.toTensor().getIntrusivePtr());
      const auto alive =
          std::count_if(seen.begin(), seen.end(), [](const auto& weak) { return !weak.expired(); });
      most = std::max(most, static_cast<std::size_t>(alive));
    }
  } counter;
  Interpreter(scripted(R"(
    def forward(self, x):
      a = x + 1
      b = a + 1
      c = b + 1
      d = c + 1
      e = d + 1
      return e)"))
      .run({at::ones({2})}, &counter);
  CHECK(counter.seen.size() == 5);
  CHECK(counter.most == 2); // an operator's input and its output
}

TEST_CASE("shapes are found without values") {
  auto module = scripted(R"(
    def forward(self, x, w, n):
      y = torch.conv2d(x, w, None, [2, 2], [1, 1])
      y = torch.relu(y)
      z = torch.flatten(y, 1)
      k = int(n.sum())
      return torch.adaptive_avg_pool2d(y, [1, 1]), torch.cat([z] * k, 1), torch.erfinv(z))");
  const std::vector<c10::IValue> inputs{at::rand({2, 3, 8, 8}), at::rand({4, 3, 3, 3}),
                                        at::tensor({1, 2})};
  Watcher real, shapes;
  const auto expected = Interpreter(module).run(inputs, &real).toTuple()->elements();
  const auto got = Interpreter(module, RunMode::shapes).run(inputs, &shapes).toTuple()->elements();
  CHECK(real.steps == shapes.steps);
  CHECK(real.shapes == shapes.shapes);
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK(got[i].toTensor().is_meta());
    CHECK(got[i].toTensor().sizes() == expected[i].toTensor().sizes());
  }
}

TEST_CASE("a shape that only values decide is not guessed") {
  const char* bodies[] = {"return torch.nonzero(x)", "return x[x > 0]",
                          "return torch.zeros([int(x.sum())])"};
  for (const auto* body : bodies) {
    CAPTURE(body);
    auto module = scripted(std::string("def forward(self, x):\n  ") + body);
    Interpreter interpreter(module, RunMode::shapes);
    try {
      interpreter.run({at::ones({3})});
      FAIL("a shape was guessed");
    } catch (const Error& error) {
      CHECK(error.kind() == ErrorKind::data_dependent);
    }
  }
}

TEST_CASE("a mask of known values decides a shape") {
  auto module = scripted("def forward(self, x, mask):\n  return x[mask]");
  const auto mask = at::tensor({1, 0, 1}).to(at::kBool);
  const auto got = Interpreter(module, RunMode::shapes).run({at::ones({3, 2}), mask}).toTensor();
  CHECK(got.sizes() == at::IntArrayRef({2, 2}));
}

TEST_CASE("float64 reaches constants, attributes, factories and dtype arguments") {
  auto module = scripted("");
  module.register_buffer("scale", at::full({1}, 0.1F));
  define(module, R"(
    def forward(self, x):
      grid = torch.linspace(0, 1, 3)
      return (x.to(6) * self.scale + grid) * 0.1)");
  const auto result = Interpreter(module, RunMode::float64).run({at::ones({3})}).toTensor();
  CHECK(result.scalar_type() == at::kDouble);
  const double scale = static_cast<double>(0.1F);
  CHECK(result[1].item<double>() == Approx((scale + 0.5) * 0.1).epsilon(1e-15));
  CHECK(at::ones({1}).scalar_type() == at::kFloat); // the default dtype is as it was
}

TEST_CASE("a failing operator is named with its module") {
  auto inner = torch::jit::Module("Inner");
  define(inner, "def forward(self, x):\n  return torch.matmul(x, x)");
  auto root = torch::jit::Module("Root");
  root.register_module("head", inner);
  define(root, "def forward(self, x):\n  return self.head.forward(x)");
  try {
    Interpreter(root).run({at::ones({2, 3})});
    FAIL("it ran");
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::run_failed);
    CHECK_THAT(error.what(), Catch::Contains("`aten::matmul` in module `head`"));
    CHECK_THAT(error.what(), !Catch::Contains("\n"));
  }
}

TEST_CASE("inputs that do not fit are refused") {
  auto module = scripted("def forward(self, x, y):\n  return x + y");
  try {
    Interpreter(module).run({at::ones({1})});
    FAIL("it ran");
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::bad_inputs);
  }
}
