#include "verify/run/fresh_copy.h"
#include "verify/run/retrace.h"

#include <model_validator/verify/backend.h>

#include <boost/algorithm/string/join.hpp>
#include <c10/core/GradMode.h>
#include <torch/csrc/jit/passes/inliner.h>
#include <torch/csrc/jit/runtime/graph_executor.h>

#include <map>
#include <sstream>
#include <stdexcept>

namespace model_validator::verify {
namespace {

/// What a compilation was made for: dtypes and shapes of all tensors, and the plain numbers.
std::string compilation_key(const std::vector<c10::IValue>& inputs) {
  std::ostringstream key;
  for (const auto& input : inputs) {
    if (!input.isTensor() && !input.isPtrType()) key << input;
    for (const auto& tensor : flat_tensors(input)) key << tensor.scalar_type() << tensor.sizes();
    key << ';';
  }
  return key.str();
}

class CompiledModule {
public:
  CompiledModule(torch::jit::Module module, std::shared_ptr<const Backend> backend,
                 CompileOptions options)
      : module_(std::move(module)), backend_(std::move(backend)), options_(std::move(options)) {}

  c10::IValue operator()(std::vector<c10::IValue> inputs) {
    const c10::NoGradGuard no_gradients;
    auto& compiled = compiled_[compilation_key(inputs)];
    if (compiled) return compiled(std::move(inputs));
    compiled = backend_->compile({module_, "", {}}, clone_inputs(inputs), options_.backend);
    if (!options_.verify_correctness) return compiled(std::move(inputs));
    const auto expected = fresh_copy(module_).forward(clone_inputs(inputs));
    auto result = compiled(std::move(inputs));
    expect_same(expected, result);
    return result;
  }

private:
  void expect_same(const c10::IValue& expected, const c10::IValue& result) const {
    const auto verdict = same(to_value(expected), to_value(result), nullptr, options_.tolerances);
    if (!verdict)
      throw std::runtime_error("incorrect results of backend " + backend_->name() + ": " +
                               boost::join(verdict.differences, "; "));
  }

  torch::jit::Module module_;
  std::shared_ptr<const Backend> backend_;
  CompileOptions options_;
  std::map<std::string, ModelFunction> compiled_;
};

class FunctionBackend final : public Backend {
public:
  FunctionBackend(std::string name, CompileFunction compile)
      : name_(std::move(name)), compile_(std::move(compile)) {}
  std::string name() const override { return name_; }
  std::string summary() const override { return "a function of the program"; }
  ModelFunction compile(const BackendInput& input, const std::vector<c10::IValue>& examples,
                        const BackendOptions&) const override {
    return compile_(input.module.value(), examples);
  }

private:
  std::string name_;
  CompileFunction compile_;
};

} // namespace

std::shared_ptr<const Backend> make_backend(std::string name, CompileFunction compile) {
  return std::make_shared<FunctionBackend>(std::move(name), std::move(compile));
}

std::shared_ptr<const Backend> make_graph_backend(std::string name, GraphTransform transform) {
  const auto compile = [transform = std::move(transform)](const torch::jit::Module& module,
                                                          const std::vector<c10::IValue>&) {
    auto graph = module.get_method("forward").graph()->copy();
    torch::jit::Inline(*graph);
    transform(*graph);
    graph->lint();
    auto executor = std::make_shared<torch::jit::GraphExecutor>(graph, "forward");
    return [executor, module](const std::vector<c10::IValue>& inputs) {
      const c10::NoGradGuard no_gradients;
      torch::jit::Stack stack{module._ivalue()};
      stack.insert(stack.end(), inputs.begin(), inputs.end());
      executor->run(stack);
      return stack.back();
    };
  };
  return make_backend(std::move(name), compile);
}

ModelFunction compile(const torch::jit::Module& module, std::shared_ptr<const Backend> backend,
                      const CompileOptions& options) {
  // Shared, so that copies of the callable share what is compiled.
  auto compiled = std::make_shared<CompiledModule>(module, std::move(backend), options);
  return [compiled](std::vector<c10::IValue> inputs) { return (*compiled)(std::move(inputs)); };
}

ModelFunction compile(const torch::jit::Module& module, std::string_view backend,
                      const CompileOptions& options) {
  return compile(module, BackendRegistry::builtin().find(backend), options);
}

} // namespace model_validator::verify
