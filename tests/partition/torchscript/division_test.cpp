#include "connected_graph/torchscript/builder.h"
#include "partition/manifest_file.h"
#include "partition/subgraph_folder.h"
#include "partition/torchscript/subgraph_runner.h"
#include "partition/torchscript/torchscript_model.h"
#include "run/script.h"
#include "support/subgraph_folder.h"
#include "support/temporary_folder.h"
#include "support/thrown.h"

#include <ATen/ATen.h>
#include <catch2/catch.hpp>
#include <torch/csrc/jit/serialization/import.h>

using namespace model_validator;
using namespace model_validator::partition;
using verify::scripted;

namespace {

/// Everything but these operators is taken by the target `A`.
TargetProfile all_but(const ConnectedGraph& graph, const std::vector<std::string>& refused) {
  TargetProfile profile;
  profile.name = "A";
  for (OpId op = 0; op < graph.op_count(); ++op) {
    const Op& is = graph.op(op);
    profile.operators[is.schema.substr(0, is.schema.find('.'))] = {};
    if (is.body != nullptr)
      for (const Operator& each : *is.body)
        profile.operators[each.schema.substr(0, each.schema.find('.'))] = {};
  }
  profile.inplace_distinct = true;
  for (const std::string& name : refused) profile.operators.erase(name);
  return profile;
}

void check_same(const c10::IValue& a, const c10::IValue& b) {
  REQUIRE(a.tagKind() == b.tagKind());
  if (a.isTensor()) {
    CHECK(a.toTensor().scalar_type() == b.toTensor().scalar_type());
    CHECK(a.toTensor().sizes() == b.toTensor().sizes());
    CHECK(at::equal(a.toTensor(), b.toTensor()));
  } else if (a.isTuple()) {
    REQUIRE(a.toTupleRef().elements().size() == b.toTupleRef().elements().size());
    for (std::size_t i = 0; i < a.toTupleRef().elements().size(); ++i)
      check_same(a.toTupleRef().elements()[i], b.toTupleRef().elements()[i]);
  } else if (a.isList()) {
    REQUIRE(a.toListRef().size() == b.toListRef().size());
    for (std::size_t i = 0; i < a.toListRef().size(); ++i)
      check_same(a.toListRef()[i], b.toListRef()[i]);
  } else if (a.isGenericDict()) {
    REQUIRE(a.toGenericDict().size() == b.toGenericDict().size());
    for (const auto& item : a.toGenericDict())
      check_same(item.value(), b.toGenericDict().at(item.key()));
  } else {
    CHECK(a == b);
  }
}

/// A module divided where `refused` operators stand, written, read again and run.
struct Divided {
  Divided(const torch::jit::Module& module, const std::vector<std::string>& refused,
          const std::vector<std::string>& inputs = {}) {
    OpenOptions open;
    open.inputs.specs = inputs;
    open.weights = true;
    model = make_divisible(module, open);
    Options options;
    options.targets = {all_but(model->graph(), refused)};
    plan = make_plan(model->graph(), model->constraints(), options);
    test::write_subgraph_folder(*model, plan, folder.path() / "subgraphs", false);
    manifest = read_manifest(folder.path() / "subgraphs");
  }

  std::vector<SubgraphFunction> functions() const {
    std::vector<SubgraphFunction> result;
    for (const Subgraph& subgraph : manifest.subgraphs) {
      auto module = torch::jit::load((folder.path() / "subgraphs" / subgraph.file).string());
      result.push_back([module](std::vector<c10::IValue> inputs) mutable {
        const auto before = copies(inputs);
        auto given = module.forward(inputs);
        for (std::size_t i = 0; i < inputs.size(); ++i) check_same(before[i], inputs[i]);
        return given;
      });
    }
    return result;
  }

  static std::vector<c10::IValue> copies(const std::vector<c10::IValue>& values) {
    std::vector<c10::IValue> result;
    for (const auto& value : values)
      result.push_back(value.isTensor() ? c10::IValue(value.toTensor().clone()) : value.deepcopy());
    return result;
  }

  test::TemporaryFolder folder;
  std::unique_ptr<Divisible> model;
  Plan plan;
  Manifest manifest;
};

/// Divides, runs whole and subgraphs, and compares to the last bit.
std::unique_ptr<Divided> check_division(torch::jit::Module module,
                                        const std::vector<std::string>& refused,
                                        const std::vector<c10::IValue>& inputs,
                                        const std::vector<std::string>& specs = {}) {
  const c10::NoGradGuard no_gradients;
  auto divided = std::make_unique<Divided>(module, refused, specs);
  at::manual_seed(7);
  const auto whole = module.deepcopy().forward(Divided::copies(inputs));
  at::manual_seed(7);
  check_same(whole,
             run_subgraphs(divided->manifest, divided->functions(), Divided::copies(inputs)));
  return divided;
}

/// The same over three calls of one model, which may keep something from call to call; with and
/// without the shape of its one input.
void check_calls(const torch::jit::Module& module, const std::vector<std::string>& refused,
                 const std::vector<std::int64_t>& shape) {
  const c10::NoGradGuard no_gradients;
  std::string spec;
  for (const std::int64_t size : shape) spec += (spec.empty() ? "" : "x") + std::to_string(size);
  for (const auto& specs : {std::vector<std::string>{}, {spec}}) {
    CAPTURE(specs);
    const Divided divided(module, refused, specs);
    const auto functions = divided.functions();
    auto whole = module.deepcopy();
    for (const double sign : {1.0, -1.0, 1.0}) {
      const at::Tensor input = at::full(shape, sign);
      check_same(whole.forward({input.clone()}),
                 run_subgraphs(divided.manifest, functions, {input.clone()}));
    }
  }
}

/// Refuses each of the operators in turn.
void check_calls_each(const torch::jit::Module& module, const std::vector<std::int64_t>& shape) {
  for (const char* refused : {"aten::sin", "aten::cos", "aten::exp", "aten::tanh", "aten::mul"}) {
    CAPTURE(refused);
    check_calls(module, {refused}, shape);
  }
}

std::vector<std::string> targets(const std::unique_ptr<Divided>& divided) {
  std::vector<std::string> names;
  for (const Subgraph& subgraph : divided->manifest.subgraphs) names.push_back(subgraph.target);
  return names;
}

/// The control flow that is left in the first partition, where everything is taken.
std::vector<std::string> control_flow(const torch::jit::Module& module,
                                      const std::vector<std::string>& inputs) {
  OpenOptions open;
  open.inputs.specs = inputs;
  const auto model = make_divisible(module, open);
  Options options;
  options.targets = {all_but(model->graph(), {})};
  const Plan plan = make_plan(model->graph(), model->constraints(), options);
  std::vector<std::string> names;
  for (const OpId op : plan.partitions.at(0).ops)
    if (model->graph().op(op).kind == OpKind::control_flow)
      names.push_back(model->graph().op(op).name);
  return names;
}

using Names = std::vector<std::string>;

} // namespace

TEST_CASE("subgraphs run in order give what the whole gives") {
  auto module = scripted("");
  module.register_parameter("w", at::randn({4, 4}), false);
  verify::define(module, R"(
    def forward(self, x):
      y = torch.matmul(x, self.w)
      z = torch.sin(y)
      return torch.matmul(z, self.w) + y)");
  const auto divided = check_division(module, {"aten::sin"}, {at::randn({3, 4})});
  CHECK(targets(divided) == Names{"A", "eager", "A"});
  CHECK(divided->manifest.subgraphs[2].inputs.size() == 2);
}

TEST_CASE("a shared weight is written once per subgraph, and only where it is used") {
  auto module = scripted("");
  const auto weight = at::randn({64, 64});
  module.register_parameter("a", weight, false);
  module.register_parameter("b", weight, false);
  verify::define(module, R"(
    def forward(self, x):
      return torch.sin(torch.matmul(torch.matmul(x, self.a), self.b)))");
  const auto divided = check_division(module, {"aten::sin"}, {at::randn({2, 64})});
  const auto folder = divided->folder.path() / "subgraphs";
  const std::size_t bytes = 64 * 64 * sizeof(float);
  CHECK(std::filesystem::file_size(folder / divided->manifest.subgraphs[0].file) < 2 * bytes);
  CHECK(std::filesystem::file_size(folder / divided->manifest.subgraphs[1].file) < bytes);
}

TEST_CASE("sizes are computed where they are needed, and tensors cross") {
  const auto module = scripted(R"(
    def forward(self, x):
      n = x.size(0)
      y = torch.sin(x)
      return torch.reshape(y, [n * 2, -1]))");
  const auto divided = check_division(module, {"aten::sin"}, {at::randn({3, 4})});
  for (const Subgraph& subgraph : divided->manifest.subgraphs)
    for (const SubgraphValue& input : subgraph.inputs) CHECK(input.type == "Tensor");
}

TEST_CASE("a write in place does not reach into another subgraph") {
  SECTION("what is read before and after") {
    const auto module = scripted(R"(
      def forward(self, x):
        y = x * 2
        z = torch.sin(y)
        y.add_(1)
        return torch.cos(y) + z)");
    for (const char* refused : {"aten::sin", "aten::add_", "aten::cos", "aten::mul"})
      check_division(module, {refused}, {at::randn({3, 4})});
    check_division(module, {"aten::sin", "aten::add_"}, {at::randn({3, 4})});
  }
  SECTION("a view that is written") {
    const auto module = scripted(R"(
      def forward(self, x):
        y = torch.sin(x)
        v = y[0]
        v.mul_(3)
        w = torch.cos(v)
        y[1].add_(w)
        return torch.exp(y))");
    for (const char* refused : {"aten::sin", "aten::mul_", "aten::add_", "aten::cos", "aten::exp"})
      check_division(module, {refused}, {at::randn({3, 4})});
  }
  SECTION("the model's own input") {
    const auto module = scripted(R"(
      def forward(self, x):
        x[0].mul_(2)
        y = torch.sin(x)
        x.add_(1)
        return y, x)");
    for (const char* refused : {"aten::sin", "aten::mul_", "aten::add_"})
      check_division(module, {refused}, {at::randn({3, 4})});
  }
  SECTION("one after the other, as residual blocks do") {
    const auto module = scripted(R"(
      def forward(self, x):
        a = torch.cos(x)
        a.relu_()
        b = torch.sin(a)
        b.relu_()
        b += a
        b.relu_()
        return torch.exp(b))");
    for (const char* refused : {"aten::sin", "aten::relu_", "aten::add_", "aten::cos"}) {
      const auto divided = check_division(module, {refused}, {at::randn({3, 4})});
      CHECK(divided->plan.held_back.empty());
    }
  }
  SECTION("one name again and again, with readers between and inside") {
    const auto module = scripted(R"(
      def forward(self, x):
        y = torch.sin(x)
        y.add_(1)
        a = torch.cos(y)
        y.mul_(2)
        y.relu_()
        if bool(x.sum() > 0):
          a = a + torch.exp(y)
        y.add_(3)
        for i in range(3):
          a = a * y
        y.mul_(5)
        return y, a)");
    for (const auto& input : {at::ones({3}), -at::ones({3})})
      for (const char* refused : {"aten::sin", "aten::add_", "aten::mul_", "aten::relu_"})
        check_division(module, {refused}, {input});
  }
  SECTION("again and again, until a view of it is read") {
    const auto module = scripted(R"(
      def forward(self, x):
        y = torch.sin(x)
        y.add_(1)
        y.mul_(2)
        v = y[1:]
        y.add_(3)
        y.mul_(4)
        return torch.cos(y), v)");
    for (const char* refused : {"aten::sin", "aten::add_", "aten::mul_", "aten::cos"})
      check_division(module, {refused}, {at::randn({3, 4})});
  }
  SECTION("in an arm of an if") {
    const auto module = scripted(R"(
      def forward(self, x):
        y = torch.sin(x)
        if bool(x.sum() > 0):
          y.mul_(2)
        else:
          y.add_(5)
        return torch.cos(y))");
    for (const auto& input : {at::ones({3}), -at::ones({3})})
      for (const char* refused : {"aten::sin", "aten::mul_", "aten::cos"})
        check_division(module, {refused}, {input});
  }
}

TEST_CASE("an if and a loop are in one subgraph with all they hold") {
  const auto module = scripted(R"(
    def forward(self, x):
      y = torch.sin(x)
      total = torch.zeros_like(x)
      for i in range(int(x.size(0))):
        if i > 1:
          total = total + y * i
        else:
          total = torch.cos(total)
      return torch.exp(total))");
  for (const char* refused : {"aten::sin", "aten::cos", "aten::exp", "aten::zeros_like"})
    check_division(module, {refused}, {at::randn({4})});
}

TEST_CASE("lists that grow, and results of every shape") {
  const auto module = scripted(R"(
    def forward(self, x):
      parts = torch.split(x, 2)
      a = torch.sin(parts[0])
      b = torch.cos(parts[1])
      grown = [a]
      grown.append(b)
      c = torch.cat(grown)
      return {"c": c, "b": b}, [a, b], (c, x, 3, None))");
  for (const char* refused : {"aten::sin", "aten::cos", "aten::cat", "aten::split"})
    check_division(module, {refused}, {at::randn({4, 2})});
}

TEST_CASE("what a loop writes into the dicts of a list is seen by whoever reads the list") {
  const auto module = scripted(R"(
    def forward(self, x):
      found = [{"boxes": torch.sin(x)}, {"boxes": torch.cos(x)}]
      for i in range(len(found)):
        one = found[i]
        one["boxes"] = one["boxes"] * 2
      y = torch.exp(x)
      return found, y)");
  for (const char* refused : {"aten::sin", "aten::cos", "aten::exp"})
    check_division(module, {refused}, {at::randn({4})});
}

TEST_CASE("what a loop writes into the tensors of a list is seen by whoever reads the list") {
  const auto module = scripted(R"(
    def forward(self, x):
      parts = [torch.sin(x), torch.cos(x)]
      for i in range(len(parts)):
        parts[i].mul_(2)
      return torch.exp(parts[0]) + parts[1])");
  for (const char* refused : {"aten::sin", "aten::cos", "aten::exp"})
    check_division(module, {refused}, {at::randn({4})});
}

TEST_CASE("random numbers are drawn in the same order") {
  const auto module = scripted(R"(
    def forward(self, x):
      a = torch.rand_like(x)
      b = torch.sin(x) + torch.randn_like(x)
      return torch.cos(a) + torch.dropout(b, 0.5, True) + torch.rand_like(a))");
  for (const char* refused : {"aten::sin", "aten::cos", "aten::randn_like", "aten::dropout"})
    check_division(module, {refused}, {at::randn({4, 2})});
}

TEST_CASE("an attribute that the model sets stays with those who read it") {
  auto module = scripted("");
  module.register_buffer("seen", at::zeros({}));
  module.register_attribute("count", c10::IntType::get(), 1);
  verify::define(module, R"(
    def forward(self, x):
      self.count = self.count + 1
      y = torch.sin(x)
      self.seen.add_(1)
      return torch.cos(y) * self.seen + self.count)");
  for (const char* refused : {"aten::sin", "aten::cos", "aten::add_"})
    check_division(module, {refused}, {at::randn({4})});
}

TEST_CASE("rounds of a loop that is unrolled go to targets of their own") {
  const auto module = scripted(R"(
    def forward(self, x):
      for i in range(3):
        y = torch.sin(x)
        x = torch.exp(y)
      return torch.cos(x))");
  const auto divided = check_division(module, {"aten::exp"}, {at::randn({4})});
  CHECK(targets(divided) == Names{"A", "eager", "A", "eager", "A", "eager", "A"});
  const ConnectedGraph& graph = divided->model->graph();
  CHECK(graph.op(divided->plan.partitions[2].ops.at(0)).name == "sin_0[1]");
  CHECK(divided->plan.partitions[2].inputs == Names{"exp_0[0]"});
  CHECK(divided->plan.partitions[2].outputs == Names{"sin_0[1]"});
}

TEST_CASE("a branch in a round stays with its arms, and apart from other rounds") {
  const auto module = scripted(R"(
    def forward(self, x):
      for i in range(2):
        y = torch.sin(x)
        if bool(x.sum() > i):
          y = torch.exp(y)
        else:
          y = torch.exp(y) + 1
        x = torch.cos(y)
      return x)");
  const auto divided = check_division(module, {"prim::If"}, {at::randn({4})});
  CHECK(targets(divided) == Names{"A", "eager", "A", "eager", "A"});
}

TEST_CASE("a loop of unknown length is one op of one target") {
  const auto module = scripted(R"(
    def forward(self, x, n: int):
      for i in range(n):
        x = torch.exp(torch.sin(x))
      return torch.cos(x))");
  const auto divided = check_division(module, {"aten::exp"}, {at::randn({4}), 3});
  CHECK(targets(divided) == Names{"eager", "A"});
}

TEST_CASE("rounds read a list that the model has set as an attribute") {
  auto module = scripted("");
  module.register_attribute("levels", c10::ListType::ofTensors(), c10::List<at::Tensor>());
  verify::define(module, R"(
    def forward(self, x):
      self.levels = [x]
      for i in range(2):
        x = torch.sin(x)
        self.levels.append(x)
      y = x
      for i in range(2):
        for level in self.levels:
          y = torch.exp(y) + level
        y = torch.cos(y)
      return y)");
  const auto divided = check_division(module, {"aten::cos"}, {at::randn({4})});
  CHECK(targets(divided) == Names{"A", "eager", "A", "eager"});
}

TEST_CASE("an attribute that is set again, or in an arm, is read again") {
  auto module = scripted("");
  module.register_buffer("held", at::zeros({4}));
  verify::define(module, R"(
    def forward(self, x):
      self.held = torch.sin(x)
      a = self.held * 2
      self.held = torch.exp(x)
      b = self.held * 3
      if bool(x.sum() > 0):
        self.held = torch.cos(x)
      c = self.held * 4
      for i in range(2):
        c = c + self.held
        self.held = torch.sin(self.held)
      return a, b, c, self.held)");
  for (const char* refused : {"aten::sin", "aten::exp", "aten::cos", "aten::mul"})
    for (const double sign : {1.0, -1.0}) check_division(module, {refused}, {at::full({4}, sign)});
}

TEST_CASE("a list of tensors keeps nothing together") {
  const auto module = scripted(R"(
    def forward(self, x):
      y = torch.sin(x)
      z = torch.exp(y)
      return torch.cat([y, z]))");
  const auto divided = check_division(module, {"aten::exp"}, {at::randn({4})});
  CHECK(targets(divided) == Names{"A", "eager", "A"});
}

TEST_CASE("arguments that are no tensors, and those with defaults") {
  const auto module = scripted(R"(
    def forward(self, x, n: int, scale: float = 2.0, mask: Optional[Tensor] = None):
      y = torch.sin(x) * scale
      if mask is not None:
        y = y * mask
      return torch.cos(y.repeat(n, 1)))");
  for (const char* refused : {"aten::sin", "aten::cos", "aten::repeat"})
    check_division(module, {refused}, {at::randn({4}), 3, 0.5, c10::IValue()});
}

TEST_CASE("arms that cannot run are removed, and so are mere checks") {
  auto module = scripted("");
  module.register_attribute("fancy", c10::BoolType::get(), false);
  verify::define(module, R"(
    def forward(self, x):
      assert x.dim() == 2
      if self.fancy:
        x = torch.exp(x)
      return torch.sin(x))");
  const auto divided = check_division(module, {}, {at::randn({4, 2})});
  CHECK(divided->plan.op_count == 1);
}

TEST_CASE("methods of children, with their paths, and functions are inlined") {
  auto inner = scripted("");
  inner.register_parameter("w", at::randn({4, 4}), false);
  verify::define(inner, R"(
    def helper(self, x):
      return torch.sin(x)
    def forward(self, x):
      return torch.matmul(self.helper(x), self.w))");
  auto module = scripted("");
  module.register_module("inner", inner);
  verify::define(module, R"(
    def forward(self, x):
      return self.inner.forward(torch.cos(self.inner.forward(x))))");
  const auto divided = check_division(module, {"aten::cos"}, {at::randn({4, 4})});
  CHECK(targets(divided) == Names{"A", "eager", "A"});
  const ConnectedGraph& graph = divided->model->graph();
  CHECK(graph.module_path(graph.op(divided->plan.partitions[0].ops[0]).parent) == "inner");
}

TEST_CASE("shapes come from a description of the inputs") {
  auto module = scripted("");
  module.register_parameter("w", at::randn({4, 5}), false);
  verify::define(module, R"(
    def forward(self, x):
      return torch.sin(torch.matmul(x, self.w)))");
  OpenOptions open;
  open.inputs.specs = {"x=3x4"};
  const auto model = make_divisible(module, open);
  Options options;
  options.targets = {all_but(model->graph(), {"aten::sin"})};
  const Plan plan = make_plan(model->graph(), model->constraints(), options);
  CHECK(plan.multiply_accumulates.total == 60);
  CHECK(plan.partitions.at(0).multiply_accumulates == 60);
}

TEST_CASE("shapes that are given decide branches, and inputs left out keep their defaults") {
  const auto module = scripted(R"(
    def forward(self, x, mask: Optional[Tensor] = None, rounds: int = 3):
      n, c = x.shape
      if n != c:
        x = torch.exp(x)
      for i in range(rounds):
        x = torch.sin(x)
      if mask is not None:
        x = torch.tan(x)
      if float(x.sum()) > 0:
        x = torch.cos(x)
      return x)");
  CHECK(control_flow(module, {}) == Names{"if_0", "loop_0", "if_1", "if_2"});
  CHECK(control_flow(module, {"x=3x3"}) == Names{"if_2"});
}

TEST_CASE("what the first round of a loop says is not known of those that were not run") {
  const auto module = scripted(R"(
    def forward(self, x):
      parts = [x, x]
      for i in range(2):
        for j in range(len(parts)):
          x = x * 0.75
        parts.append(x)
        if bool(x.sum() > 0):
          x = torch.cos(x)
      return x)");
  check_division(module, {"aten::cos"}, {at::randn({4})}, {"4"});
}

TEST_CASE("a condition on values of integers is not decided by the sample") {
  const auto module = scripted(R"(
    def forward(self, x, n):
      if int(n.sum()) > 50:
        x = torch.exp(x)
      if x[n > 50].size(0) > 1:
        x = torch.cos(x)
      return torch.sin(x))");
  CHECK(control_flow(module, {"x=64", "n=64:int64"}) == Names{"if_0", "if_1"});
}

TEST_CASE("a size after a branch on values is not decided by the sample") {
  for (const char* condition : {"torch.is_nonzero(n[0])", "marks[0] == 0", "int(n.max()) > 99"}) {
    CAPTURE(condition);
    const auto module = scripted(R"(
      def forward(self, x, n):
        marks: List[int] = n.tolist()
        if )" + std::string(condition) +
                                 R"(:
          x = x[:1]
        if x.size(0) == 1:
          x = torch.exp(x)
        return torch.sin(x))");
    CHECK(control_flow(module, {"x=8", "n=8:int64"}) == Names{"if_0", "if_1"});
  }
}

TEST_CASE("a tensor's text, or its place in an order, is not decided by the sample") {
  for (const char* shorter : {"'-' in str(x.sum())", "'-' in '{}'.format(x.sum())",
                              "sorted([x.sum().reshape(1), x[0] * 2])[0].dim() == 1"}) {
    CAPTURE(shorter);
    const auto module = scripted(R"(
      def forward(self, x):
        if )" + std::string(shorter) +
                                 R"(:
          x = x[:1]
        if x.size(0) == 1:
          x = torch.exp(x)
        return torch.sin(x))");
    const auto left = control_flow(module, {"x=8"});
    CHECK(std::find(left.begin(), left.end(), "if_1") != left.end());
  }
}

TEST_CASE("inputs leave the state that is divided as it was") {
  auto module = scripted("");
  module.register_buffer("calls", at::zeros({1}));
  verify::define(module, R"(
    def forward(self, x):
      self.calls.add_(1)
      return torch.exp(x) * self.calls)");
  check_calls_each(module, {3, 4});
  const Divided divided(module, {"aten::exp"}, {"3x4"});
  CHECK(module.attr("calls").toTensor().item<float>() == 0);
}

TEST_CASE("the walk's decisions hold: names in a set, and entries of a dict") {
  auto module = scripted("");
  c10::Dict<std::string, std::string> layers;
  layers.insert("low", "out");
  module.register_attribute(
      "layers", c10::DictType::create(c10::StringType::get(), c10::StringType::get()), layers);
  verify::define(module, R"(
    def forward(self, x):
      out: Dict[str, Tensor] = {}
      x = torch.sin(x)
      if "low" in self.layers:
        out[self.layers["low"]] = x
      x = torch.cos(x)
      if "high" in self.layers:
        x = torch.exp(x)
      return torch.tan(out["out"]) + x)");
  const auto divided = check_division(module, {}, {at::randn({4})});
  CHECK(divided->plan.op_count == 4);
  CHECK(check_division(module, {"prim::If"}, {at::randn({4})})->plan.partitions.size() == 1);
}

TEST_CASE("lists and dicts that grow step by step are known where they are read") {
  const auto module = scripted(R"(
    def forward(self, x):
      parts = [x]
      parts.append(torch.sin(parts[0]))
      y = torch.cat(parts)
      parts.append(y)
      named: Dict[str, Tensor] = {}
      named["a"] = torch.cos(parts[2])
      named["b"] = named["a"].relu_()
      named["a"] = torch.exp(named["b"])
      if len(parts) == 3:
        y = torch.tan(y)
      return named, named["a"] + y, parts)");
  for (const char* refused : {"aten::sin", "aten::cos", "aten::exp", "aten::cat", "aten::relu_"})
    check_division(module, {refused}, {at::randn({4, 2})});
  CHECK(control_flow(module, {}).empty());
  CHECK(check_division(module, {"aten::append", "aten::_set_item", "aten::dict", "aten::len"},
                       {at::randn({4, 2})})
            ->plan.partitions.size() == 1);
}

TEST_CASE("lists of integers that are copied, changed and added up decide branches") {
  auto module = scripted("");
  module.register_attribute("shift", c10::ListType::ofInts(), c10::List<std::int64_t>({3, 4}));
  module.register_attribute("grown", c10::ListType::ofInts(), c10::List<std::int64_t>({1}));
  verify::define(module, R"(
    def forward(self, x):
      shift = self.shift.copy()
      if x.size(0) < 8:
        shift[0] = 0
      if x.size(1) < 8:
        shift[-1] = 1
      if sum(shift) > 4:
        x = torch.sin(x)
      if min(shift) > 0:
        x = torch.sin(x)
      if max(shift) > shift[0]:
        x = torch.sin(x)
      if sum(self.shift) > 7:
        x = torch.sin(x)
      self.grown.append(1)
      if sum(self.grown) > 1:
        x = torch.cos(x)
      return x)");
  CHECK(control_flow(module, {"9x9"}) == Names{"if_5"});
  CHECK(control_flow(module, {"9x4"}) == Names{"if_5"});
  CHECK(control_flow(module, {"4x4"}) == Names{"if_5"});
  for (const auto& size : {std::vector<std::int64_t>{9, 9}, {9, 4}, {4, 9}, {4, 4}})
    check_division(module, {"aten::sin"}, {at::randn(size)});
}

TEST_CASE("a list that a branch sets or writes to is not known behind it") {
  auto module = scripted("");
  module.register_attribute("n", c10::ListType::ofInts(), c10::List<std::int64_t>({3}));
  verify::define(module, R"(
    def forward(self, x):
      self.n = [1, 2]
      if bool(x.sum() > 0):
        self.n = [5]
      k = [1, 2]
      j = [5, 6]
      m = k
      if bool(x.sum() > 0):
        m = j
      m[0] = 40
      return x.sin() * sum(self.n) + sum(k) * 7 + sum(j))");
  for (const double value : {1.0, -1.0})
    check_division(module, {"aten::sin"}, {at::full({4}, value)});
}

TEST_CASE("lists of numbers that are changed in place are read as they then are") {
  const auto module = scripted(R"(
    def forward(self, x):
      n = [3, 1, 2]
      n.reverse()
      y = torch.sin(x) * n[0]
      n.append(x.size(0))
      y = torch.cos(y) + n.pop() + sum(n)
      n.clear()
      n.append(5)
      y = torch.exp(y) * len(n)
      m = [7, 8]
      del m[0]
      sizes = list(x.shape)
      sizes.append(9)
      return torch.tanh(y) + sum(m) + sum(sizes))");
  check_calls_each(module, {3, 4});
}

TEST_CASE("a list of sizes that is changed is one list to all who read it") {
  auto module = scripted("");
  module.register_attribute("sizes", c10::ListType::ofInts(), c10::List<std::int64_t>({1}));
  verify::define(module, R"(
    def forward(self, x):
      sizes = x.size()
      sizes.append(2)
      y = torch.sin(x) * sum(sizes)
      rows = x.size()
      if bool(x.sum() > 0):
        rows[0] = 7
      y = torch.cos(y) + rows[0]
      self.sizes = x.size()
      self.sizes[0] = 2
      y = torch.exp(y).mean() + torch.ones(self.sizes)
      self.sizes.pop()
      return torch.tanh(y) * len(self.sizes))");
  check_calls_each(module, {3, 4});
}

TEST_CASE("a model that keeps lists and tensors that grow finds them in the next call") {
  auto module = scripted("");
  module.register_attribute("numbers", c10::ListType::ofInts(), c10::List<std::int64_t>({1}));
  module.register_attribute("tensors", c10::ListType::ofTensors(),
                            c10::List<at::Tensor>({at::zeros({3, 4})}));
  module.register_attribute("count", c10::IntType::get(), 1);
  module.register_buffer("grown", at::zeros({1, 4}));
  verify::define(module, R"(
    def forward(self, x):
      y = torch.sin(x) * len(self.numbers)
      self.numbers.append(7)
      y = torch.cos(y) + len(self.tensors) + self.tensors[0]
      self.tensors[0].add_(1)
      self.tensors.append(x)
      y = torch.exp(y) * x[:self.count].size(0)
      self.count = self.count + 1
      for i in range(self.grown.size(0)):
        y = torch.tanh(y) + i
      self.grown = torch.cat([self.grown, x])
      return y)");
  check_calls_each(module, {3, 4});
}

TEST_CASE("what one attribute holds is changed through another that holds it as well") {
  auto module = scripted("");
  const c10::List<std::int64_t> numbers({1, 2});
  const auto list_of_lists = c10::ListType::create(c10::ListType::ofInts());
  c10::impl::GenericList nested(c10::ListType::ofInts());
  nested.push_back(numbers);
  const at::Tensor tensor = at::zeros({3, 4});
  module.register_attribute("numbers", c10::ListType::ofInts(), numbers);
  module.register_attribute("nested", list_of_lists, nested);
  module.register_attribute("tensors", c10::ListType::ofTensors(), c10::List<at::Tensor>({tensor}));
  module.register_buffer("tensor", tensor);
  verify::define(module, R"(
    def forward(self, x):
      y = torch.sin(x) * sum(self.numbers)
      self.nested[0].append(3)
      y = torch.cos(y) + sum(self.numbers) + self.tensor
      self.tensors[0].add_(1)
      y = torch.exp(y) + self.tensor
      self.tensor[0].mul_(0.5)
      return torch.tanh(y) * self.tensors[0])");
  check_calls_each(module, {3, 4});
}

TEST_CASE("a tensor that another attribute resizes has no known size") {
  auto module = scripted("");
  const at::Tensor tensor = at::zeros({3, 4});
  module.register_attribute("first", c10::TensorType::get(), tensor);
  module.register_attribute("second", c10::TensorType::get(), tensor);
  module.register_attribute("cache",
                            c10::DictType::create(c10::IntType::get(), c10::TensorType::get()),
                            c10::impl::GenericDict(c10::IntType::get(), c10::TensorType::get()));
  verify::define(module, R"(
    def held(self, n: int):
      if n not in self.cache:
        self.cache[n] = torch.zeros(n)
      return self.cache[n]

    def forward(self, x):
      y = torch.sin(x)
      if self.second.size(0) == 4:
        y = torch.exp(y)
      self.first.t_()
      return torch.cos(y) + self.first.sum() + self.held(4) + self.held(3).sum())");
  check_calls_each(module, {3, 4});
}

TEST_CASE("an attribute that is set sees what is then written into the tensor") {
  auto module = scripted("");
  module.register_buffer("held", at::zeros({3, 4}));
  verify::define(module, R"(
    def forward(self, x):
      z = torch.cos(self.held)
      y = torch.exp(x)
      self.held = y
      y.add_(1)
      if bool(x.sum() > 0):
        self.held = self.held * 2
      rows = self.held.size(0)
      self.held.add_(1)
      return torch.sin(y) + z * rows, torch.tanh(y) * self.held)");
  check_calls_each(module, {3, 4});
}

TEST_CASE("collections that a branch changed, or another name, decide nothing") {
  const char* body = GENERATE(R"(
      n = {"a": 1}
      if bool(x.sum() > 0):
        n["a"] = 2
      one = n["a"] == 1)",
                              R"(
      n = [1]
      if bool(x.sum() > 0):
        n[0] = 2
      one = n[0] == 1)",
                              R"(
      n = [1, 2]
      if bool(x.sum() > 0):
        n.pop()
      one = n[-1] == 1)",
                              R"(
      key = "a" if bool(x.sum() > 0) else "b"
      n = {"a": 1, "b": 2}
      n[key] = 5
      one = n["a"] == 1)",
                              R"(
      key = "a" if bool(x.sum() > 0) else "b"
      n = {"a": 1, key: 2}
      one = n["a"] == 1)",
                              R"(
      n = {"a": 1}
      if bool(x.sum() > 0):
        n["b"] = 2
      one = n.get("b", 1) == 1)",
                              R"(
      n = [1]
      lists = [n, [3]]
      for i in range(x.size(0) - 2):
        lists[i].append(i)
      one = len(n) == 1)",
                              R"(
      n = [1]
      for each in {"n": n}.values():
        each.clear()
      one = len(n) == 1)",
                              R"(
      n = [1]
      rows = [[2], n][1:]
      rows[0][0] = 4
      one = n[0] == 1)",
                              R"(
      n = [1]
      for each, number in [(n, 2)]:
        each.append(number)
      one = len(n) == 1)",
                              R"(
      n = [1]
      current = [2]
      for i in range(x.size(0)):
        current = n
      current.append(3)
      one = len(n) == 1)",
                              R"(
      n = [1]
      current = [2]
      for i in range(x.size(0)):
        current.append(3)
        current = n
      one = len(n) == 1)",
                              R"(
      m: Optional[List[int]] = None
      if bool(x.sum() > 0):
        m = [1]
      n = [1]
      other = n if m is None else m
      other[0] = 9
      one = n[0] == 1)");
  const auto module = scripted(std::string(R"(
    def forward(self, x):)") + body +
                               R"(
      if one:
        x = torch.exp(x)
      return torch.sin(x))");
  CAPTURE(body);
  for (const char* refused : {"aten::sin", "aten::exp"}) check_calls(module, {refused}, {3, 4});
}

TEST_CASE("of equal keys of a dict the last one counts") {
  const auto module = scripted(R"(
    def forward(self, x):
      d = {"a": x, "a": x * 2}
      d["a"] = x * 3
      return torch.sin(d["a"]))");
  check_division(module, {"aten::sin"}, {at::randn({4})});
}

TEST_CASE("a dict that the model fills decides nothing: the next run finds another") {
  auto module = scripted("");
  const auto type = c10::DictType::create(c10::StringType::get(), c10::TensorType::get());
  module.register_attribute("cache", type,
                            c10::impl::GenericDict(c10::StringType::get(), c10::TensorType::get()));
  verify::define(module, R"(
    def forward(self, x):
      if "x" not in self.cache:
        self.cache["x"] = torch.exp(x)
      return torch.sin(self.cache["x"]))");
  const auto divided = check_division(module, {"aten::exp"}, {at::randn({4})});
  CHECK(targets(divided) == Names{"eager", "A"});
}

namespace {

/// Keeps in `cache`, by name, what its function `filled` returns.
torch::jit::Module with_cache(const std::string& filled, const std::string& forward) {
  auto module = scripted("");
  const auto type = c10::DictType::create(c10::StringType::get(), c10::TensorType::get());
  module.register_attribute("cache", type,
                            c10::impl::GenericDict(c10::StringType::get(), c10::TensorType::get()));
  module.register_buffer("bias", at::arange(12, at::kFloat).view({3, 4}));
  verify::define(module, R"(
    def cached(self, key: str, x):
      if key not in self.cache:
        self.cache[key] = )" +
                             filled + R"(
      return self.cache[key]

    def forward(self, x):)" + forward);
  return module;
}

} // namespace

TEST_CASE("the sizes of a cache that the first call fills decide branches") {
  const std::string forward = R"(
      y = torch.exp(x) + self.cached("bias", x)
      if y.size(0) == 3:
        y = torch.cos(y)
      return torch.sin(y))";
  const auto module = with_cache("torch.tanh(self.bias)", forward);
  CHECK(control_flow(module, {"3x4"}) == Names{"if_0"});
  check_calls_each(module, {3, 4});
  const auto grown = with_cache("torch.tanh(self.bias)", R"(
      y = torch.cat([self.cached("bias", x), x])
      self.cache["bias"] = y
      if y.size(0) == 6:
        y = torch.cos(y)
      return torch.sin(y))");
  CHECK(control_flow(grown, {"3x4"}) == Names{"if_0", "if_1"});
  check_calls_each(grown, {3, 4});
}

TEST_CASE("a cache that is full when the model is saved decides what an empty one does") {
  auto module = with_cache("torch.tanh(self.bias)", R"(
      y = torch.exp(x) + self.cached("bias", x)
      if y.size(0) == 3:
        y = torch.cos(y)
      return torch.sin(y))");
  const c10::NoGradGuard no_gradients;
  module.forward({at::ones({3, 4})});
  CHECK(control_flow(module, {"3x4"}) == Names{"if_0"});
  check_calls_each(module, {3, 4});
}

TEST_CASE("a cache that one line fills for several readers decides branches, any other does not") {
  const std::string one_after_another = R"(
      y = torch.exp(x) + self.cached("bias", x)
      if y.size(0) == 3:
        y = torch.cos(y) * self.cached("bias", y)
      else:
        y = torch.tanh(y) - self.cached("bias", y)
      z = torch.sin(y) + self.cached("other", x)
      if z.size(0) == 3:
        z = torch.sin(z)
      return torch.exp(z))";
  const auto module = with_cache("torch.tanh(self.bias)", one_after_another);
  CHECK(control_flow(module, {"3x4"}) == Names{"if_0", "if_1", "if_4"});
  check_calls_each(module, {3, 4});
  const auto state = with_cache("torch.tanh(x + self.bias)", one_after_another);
  CHECK(control_flow(state, {"3x4"}).size() == 6);
  check_calls_each(state, {3, 4});
  const auto counted = with_cache("torch.tanh(self.bias)", R"(
      y = torch.exp(x)
      for kept in self.cache.values():
        y = y + torch.sin(kept)
      return y * self.cached("bias", x))");
  check_calls_each(counted, {3, 4});
}

TEST_CASE("two names of one tensor, in these inputs, decide nothing") {
  const auto module = scripted(R"(
    def forward(self, x):
      y = x.contiguous()
      if y is x:
        y = torch.sin(y)
      if y.size(0) == 3:
        y = torch.cos(y)
      return torch.exp(y))");
  const c10::NoGradGuard no_gradients;
  const Divided divided(module, {"aten::cos"}, {"3x4"});
  const at::Tensor transposed = at::ones({4, 3}).t();
  auto whole = module.deepcopy();
  check_same(whole.forward({transposed}),
             run_subgraphs(divided.manifest, divided.functions(), {transposed}));
}

TEST_CASE("what the first call says of sizes does not hold for the second") {
  check_calls_each(with_cache("x", R"(
      if "first" in self.cache:
        y = torch.cat([x, x])
      else:
        y = torch.sin(x)
      y = y + self.cached("first", x).sum()
      if y.size(0) == 3:
        y = torch.cos(y)
      if bool(self.cached("first", x).sum() > 1000):
        y = torch.cat([y, y])
      for i in range(y.size(0)):
        y = torch.tanh(y) + i
      return torch.exp(y))"),
                   {3, 4});
}

TEST_CASE("tensors leave a list or dict that the model writes, unless they are written as well") {
  const auto read = with_cache("torch.tanh(self.bias)", R"(
      kept = self.cached("bias", x)
      y = torch.exp(x)
      for i in range(3):
        y = torch.sin(y + kept[i])
      return y)");
  CHECK(targets(check_division(read, {"aten::tanh"}, {at::ones({3, 4})}, {"3x4"})) ==
        Names{"eager", "A"});
  check_calls_each(read, {3, 4});
  check_calls_each(with_cache("torch.tanh(self.bias)", R"(
      kept = self.cached("bias", x)
      y = torch.exp(x)
      for i in range(3):
        y = torch.sin(y + kept[i])
        kept[i].mul_(2)
      return torch.cos(y) + kept)"),
                   {3, 4});
  check_calls_each(with_cache("x", R"(
      kept = self.cached("x", x)
      self.cache["sum"] = torch.exp(x)
      y = torch.cos(self.cache["sum"][0])
      self.cache["sum"].add_(1)
      return torch.sin(y) + kept + self.cache["sum"] * torch.tanh(y))"),
                   {3, 4});
}

TEST_CASE("a list in a loop is another in the next round") {
  const auto module = scripted(R"(
    def forward(self, x, n: int):
      marks = [1]
      grown = [x]
      for i in range(n):
        if marks[0] == 1:
          x = torch.sin(x)
        else:
          x = torch.exp(x)
        marks[0] = 2
        if len(grown) < 3:
          grown.append(torch.cos(x))
      return x, torch.cat(grown))");
  for (const char* refused : {"aten::sin", "aten::exp", "aten::cos", "aten::cat"})
    check_division(module, {refused}, {at::randn({4}), 4});
}

TEST_CASE("an op has the name that the graph gives it, and a module is one op") {
  auto child = scripted("");
  child.register_parameter("w", at::randn({4, 4}), false);
  verify::define(child, R"(
    def forward(self, x):
      return torch.matmul(torch.sin(x), self.w))");
  auto module = scripted("");
  module.register_module("child", child);
  verify::define(module, R"(
    def forward(self, x):
      if bool(x.sum() > 0):
        x = torch.exp(x)
      parts = [x]
      parts.append(self.child.forward(x))
      return torch.cat(parts).cos())");
  const auto divided = check_division(module, {"aten::exp"}, {at::randn({4, 4})});
  const ConnectedGraph graph = torchscript::build_graph(module);
  for (OpId op = 0; op < graph.op_count(); ++op)
    CHECK(divided->model->graph().op(op).name == graph.op(op).name);
}

TEST_CASE("an existing folder is not overwritten unasked") {
  const auto module = scripted(R"(
    def forward(self, x):
      return torch.sin(x))");
  Divided divided(module, {});
  const auto place = divided.folder.path() / "subgraphs";
  const auto write = [&](bool replace) {
    return test::kind_thrown_by(
        [&] { test::write_subgraph_folder(*divided.model, divided.plan, place, replace); });
  };
  CHECK(write(false) == "already-there");
  CHECK(write(true).empty());
  std::filesystem::remove(place / "manifest.json");
  CHECK(write(true) == "already-there");
  CHECK(std::distance(std::filesystem::directory_iterator(divided.folder.path()), {}) == 1);
}
