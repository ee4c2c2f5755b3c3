#include "connected_graph/front_end.h"

#include "connected_graph/torchscript/builder.h"
#include "connected_graph/torchscript/errors.h"
#include "connected_graph/torchscript/file_operators.h"
#include "connected_graph/torchscript/large_stack.h"
#include "connected_graph/torchscript/load.h"

namespace model_validator::torchscript {
namespace {

class TorchScriptFrontEnd final : public FrontEnd {
public:
  ConnectedGraph read(const std::filesystem::path& file,
                      const ReadOptions& options) const override {
    ConnectedGraph graph;
    with_large_stack([&] {
      const LoadedFile loaded =
          load_file(file, LoadOptions{.operator_libraries = options.operator_libraries});
      graph = translating_errors(file, [&] { return build_graph(loaded.module, options); });
      graph.file_operators =
          translating_errors(file, [&] { return file_operators(loaded.module, "forward"); });
      graph.origin.producer = loaded.producer;
      graph.origin.file_bytes = loaded.file_bytes;
    });
    graph.origin.path = file.string();
    graph.origin.format = to_string(FileFormat::torchscript);
    return graph;
  }
};

} // namespace
} // namespace model_validator::torchscript

extern "C" const model_validator::FrontEnd* model_validator_front_end() {
  static const model_validator::torchscript::TorchScriptFrontEnd front_end;
  return &front_end;
}
