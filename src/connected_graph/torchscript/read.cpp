#include "connected_graph/torchscript/read.h"

#include "connected_graph/torchscript/builder.h"
#include "connected_graph/torchscript/errors.h"
#include "connected_graph/torchscript/file_operators.h"
#include "connected_graph/torchscript/large_stack.h"

namespace model_validator::torchscript {

ConnectedGraph read_torchscript(const std::filesystem::path& file, const ReadOptions& options,
                                const AfterRead& after) {
  ConnectedGraph graph;
  with_large_stack([&] {
    const LoadedFile loaded =
        load_file(file, LoadOptions{.operator_libraries = options.operator_libraries});
    NodeMap map;
    graph = translating_errors(
        file, [&] { return build_graph(loaded.module, options, after ? &map : nullptr); });
    if (after) after(loaded, map, graph);
    if (options.file_operators)
      graph.file_operators =
          translating_errors(file, [&] { return file_operators(loaded.module, "forward"); });
    graph.origin.producer = loaded.producer;
    graph.origin.file_bytes = loaded.file_bytes;
  });
  graph.origin.path = file.string();
  graph.origin.format = to_string(FileFormat::torchscript);
  return graph;
}

} // namespace model_validator::torchscript
