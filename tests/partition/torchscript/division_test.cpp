#include "connected_graph/torchscript/builder.h"
#include "partition/manifest_file.h"
#include "partition/subgraph_folder.h"
#include "partition/torchscript/recording.h"
#include "partition/torchscript/subgraph_runner.h"
#include "partition/torchscript/torchscript_model.h"
#include "run/script.h"
#include "support/subgraph_folder.h"
#include "support/temporary_folder.h"
#include "support/thrown.h"

#include <ATen/ATen.h>
#include <catch2/catch.hpp>
#include <torch/csrc/jit/runtime/interpreter.h>
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
    model = make_partitionable(module, open);
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
  std::unique_ptr<PartitionableModel> model;
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
  const auto model = make_partitionable(module, open);
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

FlatModule record_for(const torch::jit::Module& module, const std::vector<c10::IValue>& inputs) {
  return record(module, inputs, {});
}

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
  SECTION("one name again and again, with readers between") {
    const auto module = scripted(R"(
      def forward(self, x):
        y = torch.sin(x)
        y.add_(1)
        a = torch.cos(y)
        y.mul_(2)
        y.relu_()
        a = a + torch.exp(y)
        y.add_(3)
        a = a * y
        y.mul_(5)
        return y, a)");
    for (const char* refused : {"aten::sin", "aten::add_", "aten::mul_", "aten::relu_"})
      check_division(module, {refused}, {at::ones({3})});
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
  SECTION("in an arm of an if, and in a loop, that were recorded") {
    const auto module = scripted(R"(
      def forward(self, x):
        y = torch.sin(x)
        if x.size(0) > 3:
          y.add_(5)
        for i in range(x.size(0)):
          y[i].mul_(2)
        return torch.cos(y))");
    for (const char* refused : {"aten::sin", "aten::mul_", "aten::add_", "aten::cos"})
      check_division(module, {refused}, {at::ones({4})}, {"4"});
  }
}

TEST_CASE("an if in a loop is decided round by round") {
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
    check_division(module, {refused}, {at::randn({4})}, {"4"});
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
    check_division(module, {refused}, {at::randn({4, 2})}, {"4x2"});
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
    check_division(module, {refused}, {at::randn({4})}, {"4"});
}

TEST_CASE("what a loop writes into the tensors of a list is seen by whoever reads the list") {
  const auto module = scripted(R"(
    def forward(self, x):
      parts = [torch.sin(x), torch.cos(x)]
      for i in range(len(parts)):
        parts[i].mul_(2)
      return torch.exp(parts[0]) + parts[1])");
  for (const char* refused : {"aten::sin", "aten::cos", "aten::exp"})
    check_division(module, {refused}, {at::randn({4})}, {"4"});
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

TEST_CASE("a loop is on one target, also one that is unrolled") {
  for (const char* trips : {"3", "n"}) {
    CAPTURE(trips);
    const auto module = scripted(R"(
      def forward(self, x, n: int = 3):
        for i in range()" + std::string(trips) +
                                 R"():
          x = torch.exp(torch.sin(x))
        return torch.cos(x))");
    const auto divided = check_division(module, {"aten::exp"}, {at::randn({4})}, {"x=4"});
    CHECK(targets(divided) == Names{"eager", "A"});
    CHECK(divided->manifest.recorded);
  }
}

TEST_CASE("a recorded program takes and returns what the model does, with its weights by name") {
  auto module = scripted("");
  module.register_parameter("w", at::randn({4, 4}), false);
  verify::define(module, R"(
    def forward(self, x: Dict[str, List[Tensor]], y: Tuple[Tensor, int], scale: float = 0.5):
      kept = [each * scale for each in x["a"]]
      kept.append(torch.sin(y[0]) * y[1])
      return {"w": torch.matmul(kept[0], self.w), "n": kept[-1]}, len(kept), None)");
  c10::Dict<std::string, c10::List<at::Tensor>> x;
  x.insert("a", c10::List<at::Tensor>({at::randn({4, 4}), at::randn({4, 4})}));
  const auto y = c10::ivalue::Tuple::create(at::randn({4, 4}), 3);
  const auto flat = record_for(module, {x, y, 0.5});
  CHECK(flat.module.hasattr("p_w"));
  for (const torch::jit::Node* node : flat.graph->nodes()) CHECK(node->blocks().empty());
  torch::jit::Stack stack{flat.module._ivalue(), x, y, 0.5};
  torch::jit::InterpreterState(torch::jit::Code(flat.graph, "recorded")).run(stack);
  check_same(module.deepcopy().forward({x, y, 0.5}), stack.at(0));
}

TEST_CASE("the subgraphs of a recorded program refuse what they do not hold for") {
  const auto module = scripted(R"(
    def forward(self, x, n: int = 2):
      parts = [torch.sin(x)]
      parts.append(torch.cos(x) * n)
      return torch.cat(parts))");
  const Divided divided(module, {"aten::cos"}, {"x=3x4"});
  CHECK(divided.manifest.recorded);
  CHECK(divided.manifest.inputs.at(0).tensor.shape == std::vector<std::int64_t>{3, 4});
  const auto run = [&](const at::Tensor& x, const c10::IValue& n) {
    return test::kind_thrown_by([&] {
      run_subgraphs(divided.manifest, divided.functions(), {x, n});
    });
  };
  CHECK(run(at::randn({3, 4}), 2).empty());
  CHECK(run(at::randn({3, 5}), 2) == "bad-inputs");
  CHECK(run(at::randn({3, 4}), 3) == "bad-inputs");
  const Divided as_written(scripted(R"(
    def forward(self, x):
      return torch.sin(x))"),
                           {}, {"3x4"});
  CHECK_FALSE(as_written.manifest.recorded);
}

TEST_CASE("what no flat program shows has a plan, and a reason why it has no subgraphs") {
  const auto why_not = [](const torch::jit::Module& module, const Names& inputs) {
    std::string why;
    try {
      const Divided divided(module, {"aten::sin"}, inputs);
    } catch (const Error& error) {
      why = error.what();
    }
    OpenOptions open;
    open.inputs.specs = inputs;
    const auto model = make_partitionable(module, open);
    Options options;
    options.targets = {all_but(model->graph(), {"aten::sin"})};
    CHECK(make_plan(model->graph(), model->constraints(), options).partitions.size() > 1);
    return why;
  };
  const auto grown = scripted(R"(
    def forward(self, x):
      parts = [torch.exp(x)]
      parts.append(torch.sin(x))
      return torch.cat(parts))");
  CHECK(why_not(grown, {}) == "the model changes a list or dict while it runs, by `aten::append`");
  CHECK(why_not(grown, {"4"}).empty());
  const auto branching = scripted(R"(
    def forward(self, x):
      if x.size(0) > 3:
        x = torch.exp(x)
      return torch.sin(x))");
  CHECK(why_not(branching, {}) == "the model decides while it runs what it computes");
  CHECK(why_not(branching, {"4"}).empty());
  const auto checking = scripted(R"(
    def forward(self, x):
      assert x.dim() == 1
      return torch.sin(torch.exp(x)))");
  CHECK(why_not(checking, {}) == "the model decides while it runs what it computes");
  CHECK(why_not(checking, {"4"}).empty());
  const auto by_value = scripted(R"(
    def forward(self, x, n):
      parts = [torch.exp(x)]
      if int(n.max()) > 3:
        parts.append(torch.sin(x))
      return torch.cat(parts))");
  CHECK(why_not(by_value, {"x=4", "n=4:int64"}).find("depends on values") != std::string::npos);
  auto state = scripted("");
  state.register_buffer("seen", at::zeros({}));
  verify::define(state, R"(
    def forward(self, x):
      self.seen.add_(1)
      return torch.sin(torch.exp(x)) * self.seen)");
  CHECK(why_not(state, {"4"}) ==
        "the model keeps `seen` from call to call, which subgraphs cannot share");
}

TEST_CASE("a cache that follows from the weights is recorded as what fills it") {
  auto module = scripted("");
  const auto type = c10::DictType::create(c10::StringType::get(), c10::TensorType::get());
  module.register_attribute("cache", type,
                            c10::impl::GenericDict(c10::StringType::get(), c10::TensorType::get()));
  module.register_buffer("bias", at::arange(12, at::kFloat).view({3, 4}));
  verify::define(module, R"(
    def forward(self, x):
      if "bias" not in self.cache:
        self.cache["bias"] = torch.tanh(self.bias)
      return torch.sin(x) + self.cache["bias"])");
  const auto divided = check_division(module, {"aten::sin"}, {at::ones({3, 4})}, {"3x4"});
  CHECK(targets(divided) == Names{"eager", "A"});
}

TEST_CASE("a loop in the plan of a model that is not flat stays whole") {
  const auto module = scripted(R"(
    def forward(self, x, n: int):
      parts = [x]
      for i in range(n):
        parts.append(torch.exp(torch.sin(parts[-1])))
      return torch.cat(parts))");
  const auto model = make_partitionable(module, {});
  Options options;
  options.targets = {all_but(model->graph(), {"aten::exp"})};
  const Plan plan = make_plan(model->graph(), model->constraints(), options);
  REQUIRE(plan.partitions.size() == 2);
  CHECK(plan.targets[plan.partitions[0].target] == "eager");
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
  const auto divided = check_division(module, {"aten::cos"}, {at::randn({4})}, {"4"});
  CHECK(targets(divided) == Names{"A", "eager"});
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
    check_division(module, {refused}, {at::randn({4}), 3, 0.5, c10::IValue()},
                   {"x=4", "n=3", "scale=0.5"});
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
  const auto divided = check_division(module, {}, {at::randn({4, 2})}, {"4x2"});
  CHECK(divided->plan.op_count == 1);
}

TEST_CASE("what is computed for a check alone is removed with it") {
  const auto module = scripted(R"(
    def forward(self, x):
      count = x.size(0)
      for i in range(x.dim() - 2):
        count = count * x.size(i + 2)
      assert count != 1
      return torch.sin(x))");
  const auto divided = check_division(module, {}, {at::randn({4, 2, 3})}, {"4x2x3"});
  CHECK(divided->plan.op_count == 1);
}

TEST_CASE("a loop that changes what is read later is kept") {
  const auto module = scripted(R"(
    def forward(self, x):
      y = torch.sin(x)
      for i in range(x.size(0)):
        y.add_(1.0)
      return torch.cos(y))");
  CHECK(check_division(module, {}, {at::randn({4, 2})}, {"x=4x2"})->plan.op_count > 2);
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
  const auto model = make_partitionable(module, open);
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
      return x)");
  CHECK(control_flow(module, {}) == Names{"if_0", "loop_0", "if_1"});
  CHECK(control_flow(module, {"x=3x3"}).empty());
  check_division(module, {"aten::exp"}, {at::randn({3, 5})}, {"x=3x5"});
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
  const auto divided = check_division(module, {}, {at::randn({4})}, {"4"});
  CHECK(divided->plan.op_count == 4);
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
    check_division(module, {refused}, {at::randn({4, 2})}, {"4x2"});
  CHECK(control_flow(module, {"4x2"}).empty());
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
  for (const char* refused : {"aten::sin", "aten::cos", "aten::exp", "aten::mul"})
    check_division(module, {refused}, {at::randn({3, 4})}, {"3x4"});
}

TEST_CASE("of equal keys of a dict the last one counts") {
  const auto module = scripted(R"(
    def forward(self, x):
      d = {"a": x, "a": x * 2}
      d["a"] = x * 3
      return torch.sin(d["a"]))");
  check_division(module, {"aten::sin"}, {at::randn({4})}, {"4"});
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
  CHECK(control_flow(module, {"3x4"}) == Names{"if_0", "if_1"});
}

TEST_CASE("whether two names are one tensor is known of a run, as attention asks") {
  const auto module = scripted(R"(
    def forward(self, x):
      query = torch.layer_norm(x, [4])
      key = query
      if query is not key or query.is_nested or query.requires_grad:
        key = torch.sin(key)
      if x.size(0) == 3:
        key = torch.cos(key)
      return torch.matmul(query, key.t()))");
  check_division(module, {"aten::cos"}, {at::randn({3, 4})}, {"x=3x4"});
}

TEST_CASE("a list in a loop is another in the next round") {
  const auto module = scripted(R"(
    def forward(self, x, n: int = 4):
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
    check_division(module, {refused}, {at::randn({4})}, {"x=4"});
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
      x = torch.exp(x)
      return torch.cat([x, self.child.forward(x)]).cos())");
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
