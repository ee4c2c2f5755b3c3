#include "verify_test_modules.h"

#include <model_validator/error.h>
#include <model_validator/verify/backend.h>

#include <ATen/ATen.h>
#include <catch2/catch.hpp>

using namespace model_validator;
using namespace model_validator::verify;

namespace {

/// Turns every multiplication into an addition.
void multiply_into_add(torch::jit::Graph& graph) {
  std::vector<torch::jit::Node*> multiplications;
  const std::function<void(torch::jit::Block*)> collect = [&](torch::jit::Block* block) {
    for (auto* node : block->nodes()) {
      if (node->kind() == c10::aten::mul) multiplications.push_back(node);
      for (auto* inner : node->blocks()) collect(inner);
    }
  };
  collect(graph.block());
  for (auto* node : multiplications) {
    const torch::jit::WithInsertPoint here(node);
    const auto left = node->input(0), right = node->input(1);
    auto* sum = graph.insert(c10::aten::add, {left, right});
    sum->setType(node->output()->type());
    node->output()->replaceAllUsesWith(sum);
    node->destroy();
  }
}

torch::jit::Module toy_example() {
  return scripted(R"(
    def forward(self, a, b):
      x = a / (torch.abs(a) + 1)
      if bool(b.sum() < 0):
        b = b * -1
      return x * b)");
}

} // namespace

TEST_CASE("example inputs reach the compiler, nested and with numbers") {
  const auto module = scripted(R"(
    def forward(self, a, bc: Tuple[Tensor, Tensor], d: int):
      b, c = bc
      return a / d - b / c)");
  const auto a = at::full({2}, 1.0F), b = at::full({2}, 2.0F), c = at::full({2}, 3.0F);
  const std::vector<c10::IValue> inputs{a, c10::ivalue::Tuple::create(b, c), 4};
  std::optional<at::Tensor> seen;
  const auto backend = make_backend(
      "recording", [&](const torch::jit::Module& graph, const std::vector<c10::IValue>& examples) {
        auto callable = graph;
        seen = callable.forward(examples).toTensor();
        return [callable](std::vector<c10::IValue> given) mutable {
          return callable.forward(std::move(given));
        };
      });
  CompileOptions options;
  options.verify_correctness = true;
  const auto result = compile(module, backend, options)(inputs).toTensor();
  REQUIRE(seen);
  CHECK(seen->sizes() == result.sizes());
  CHECK(result[0].item<float>() == Approx(1.0 / 4 - 2.0 / 3));
}

TEST_CASE("the backend ts gives what the module gives") {
  for (const auto& module : {sequential(), conv_bn_relu()}) {
    const auto input = module.hasattr("conv") ? at::randn({1, 3, 8, 8}) : at::randn({10});
    CompileOptions options;
    options.verify_correctness = true;
    const auto result = compile(module, "ts", options)({input});
    auto plain = module;
    CHECK(same(to_value(plain.forward({input})), to_value(result)));
  }
}

TEST_CASE("verify_correctness catches a backend that turns mul into add") {
  const auto backend = make_graph_backend("incorrect", multiply_into_add);
  const std::vector<c10::IValue> inputs{at::randn({10}), at::randn({10})};
  CompileOptions options;
  SECTION("with verification the wrong result is an error") {
    options.verify_correctness = true;
    const auto compiled = compile(toy_example(), backend, options);
    CHECK_THROWS_WITH(compiled(inputs),
                      Catch::StartsWith("incorrect results of backend incorrect: "));
  }
  SECTION("without it the wrong result is let through") {
    const auto result = compile(toy_example(), backend, options)(inputs);
    auto plain = toy_example();
    CHECK_FALSE(same(to_value(plain.forward(inputs)), to_value(result)));
  }
}

TEST_CASE("every combination of shapes is compiled and verified separately") {
  int compilations = 0;
  const auto backend =
      make_backend("wrong for long inputs",
                   [&](const torch::jit::Module& module, const std::vector<c10::IValue>& examples) {
                     ++compilations;
                     const double offset = examples[0].toTensor().numel() > 10 ? 1 : 0;
                     return [module, offset](std::vector<c10::IValue> given) -> c10::IValue {
                       auto callable = module;
                       return callable.forward(std::move(given)).toTensor() + offset;
                     };
                   });
  CompileOptions options;
  options.verify_correctness = true;
  const auto compiled =
      compile(scripted("def forward(self, x):\n  return x * 2"), backend, options);
  compiled({at::ones({4})});
  compiled({at::zeros({4})});
  CHECK(compilations == 1);
  CHECK_THROWS_AS(compiled({at::ones({11})}), std::runtime_error);
  CHECK(compilations == 2);
}

TEST_CASE("a transform that breaks the graph is refused") {
  const auto backend = make_graph_backend("broken", [](torch::jit::Graph& graph) {
    // The output now stands before what computes it.
    auto* last = graph.outputs()[0]->node();
    last->moveBefore(*graph.nodes().begin());
  });
  const auto compiled = compile(toy_example(), backend);
  CHECK_THROWS(compiled({at::randn({10}), at::randn({10})}));
}

TEST_CASE("a backend is found by its name, and an unknown name lists them") {
  const auto registry = BackendRegistry::builtin();
  for (const auto* name :
       {"aoti", "command", "eager", "onnxruntime", "openvino", "subgraphs", "ts"})
    CHECK(registry.find(name)->name() == name);
  try {
    registry.find("tensorrt");
    FAIL("it was found");
  } catch (const Error& error) {
    CHECK_THAT(error.hint(), Catch::Contains("openvino"));
  }
  auto again = BackendRegistry::builtin();
  CHECK_THROWS_AS(again.add(make_backend("ts", {})), Error);
}

TEST_CASE("a program is a backend when it reads and writes .npz") {
  const auto backend = BackendRegistry::builtin().find("command");
  BackendOptions options;
  const BackendInput input{std::nullopt, "", {"x"}};
  SECTION("its outputs are the results") {
    options.command = "cp {inputs} {outputs}";
    const auto result = backend->compile(input, {}, options)({at::arange(3, at::kFloat)});
    CHECK(result.toTuple()->elements()[0].toTensor().equal(at::arange(3, at::kFloat)));
  }
  SECTION("a failure is reported with its exit status") {
    options.command = "true {inputs} {outputs} && exit 7";
    CHECK_THROWS_WITH(backend->compile(input, {}, options)({at::ones({1})}),
                      Catch::Contains("exit status 7"));
  }
  SECTION("leaving nothing is a failure") {
    options.command = "true {inputs} {outputs}";
    CHECK_THROWS_WITH(backend->compile(input, {}, options)({at::ones({1})}),
                      Catch::Contains("left no outputs"));
  }
  SECTION("placeholders must be there") {
    options.command = "./run.sh {inputs}";
    CHECK_THROWS_AS(backend->compile(input, {}, options), Error);
  }
}
