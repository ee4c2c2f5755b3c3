#include "run/script.h"
#include "verify/run/number_constants.h"

#include <model_validator/verify/interpreter.h>

#include <ATen/ATen.h>
#include <catch2/catch.hpp>
#include <torch/csrc/jit/ir/ir.h>
#include <torch/csrc/jit/runtime/graph_executor.h>

using namespace model_validator::verify;

namespace {

/// `op(x, constant)`
torch::jit::Module with_constant(const char* op, const at::Tensor& constant) {
  auto graph = std::make_shared<torch::jit::Graph>();
  auto module = scripted("");
  graph->addInput("self")->setType(module.type());
  auto* x = graph->addInput("x");
  auto* number = graph->insertConstant(constant);
  graph->registerOutput(graph->insert(c10::Symbol::fromQualString(op), {x, number}));
  module.type()->addMethod(module._ivalue()->compilation_unit()->create_function(
      c10::QualifiedName(*module.type()->name(), "forward"), graph));
  return module;
}

} // namespace

TEST_CASE("a constant without dimensions takes part as LibTorch lets it") {
  for (const char* op : {"aten::add", "aten::sub", "aten::mul", "aten::div", "aten::floor_divide"})
    for (const auto dtype : {at::kDouble, at::kFloat, at::kLong})
      for (const auto input : {at::kLong, at::kHalf, at::kFloat}) {
        CAPTURE(op, dtype, input);
        const at::Tensor constant = at::scalar_tensor(3, dtype);
        const at::Tensor given = at::ones({3}, input);
        const at::Tensor expected = with_constant(op, constant).forward({given}).toTensor();
        auto module = with_constant(op, constant);
        number_constants(module);
        for (const auto mode : {RunMode::values, RunMode::shapes})
          CHECK(Interpreter(module, mode).run({given}).toTensor().dtype() == expected.dtype());
        CHECK(at::equal(Interpreter(module).run({given}).toTensor(), expected));
        const torch::jit::GraphOptimizerEnabledGuard as_it_is(false);
        CHECK(at::equal(module.forward({given}).toTensor(), expected));
      }
}
