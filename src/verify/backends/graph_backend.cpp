#include <model_validator/verify/backend.h>

#include <c10/core/GradMode.h>
#include <torch/csrc/jit/passes/inliner.h>
#include <torch/csrc/jit/runtime/graph_executor.h>

namespace model_validator::verify {

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

} // namespace model_validator::verify
