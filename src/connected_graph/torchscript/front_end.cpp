#include "connected_graph/front_end.h"

#include "connected_graph/torchscript/builder.h"
#include "connected_graph/torchscript/file/errors.h"
#include "connected_graph/torchscript/file/large_stack.h"
#include "connected_graph/torchscript/file/load.h"
#include "connected_graph/torchscript/file/operator_libraries.h"
#include "connected_graph/torchscript/read.h"
#include "migrate/code_document.h"

#include <torch/csrc/jit/api/module.h>

namespace model_validator::torchscript {
namespace {

/// LibTorch and this front end fill tables at the first model: some 20 ms.
void read_example(const ReadOptions& options) {
  torch::jit::Module example("__torch__.Example");
  example.define(R"(
def forward(self, x):
    y = x.reshape(x.size(0), -1)
    for i in range(2):
        if y.dim() > i:
            y = torch.relu(y) + 1
    return torch.cat([y, y.mean((1,), keepdim=True)], 1)
)");
  build_graph(example, options, nullptr);
}

class TorchScriptFrontEnd final : public FrontEnd {
public:
  void prepare(const ReadOptions& options) const override {
    prepare_loading();
    load_operator_libraries(options.operator_libraries);
    read_example(options);
  }
  ConnectedGraph read(const std::filesystem::path& file,
                      const ReadOptions& options) const override {
    return read_torchscript(file, options);
  }
  std::string code(const std::filesystem::path& file, const ReadOptions& options) const override {
    std::string document;
    with_large_stack([&] {
      Places places;
      const LoadedFile loaded =
          load_file(file, LoadOptions{.operator_libraries = options.operator_libraries}, places);
      document = translating_errors(file, [&] { return code_document(loaded, places); });
    });
    return document;
  }
};

} // namespace
} // namespace model_validator::torchscript

extern "C" const model_validator::FrontEnd* model_validator_front_end() {
  static const model_validator::torchscript::TorchScriptFrontEnd front_end;
  return &front_end;
}
