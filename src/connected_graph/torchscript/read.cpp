#include "connected_graph/torchscript/read.h"

#include "connected_graph/torchscript/builder.h"
#include "connected_graph/torchscript/code/file_operators.h"
#include "connected_graph/torchscript/file/errors.h"
#include "connected_graph/torchscript/file/large_stack.h"
#include "files/process/worker_protocol.h"

#include <memory>

namespace model_validator::torchscript {

ConnectedGraph read_torchscript(const std::filesystem::path& file, const ReadOptions& options,
                                const AfterRead& after) {
  GraphBuilder graph;
  with_large_stack([&] {
    auto held = std::make_unique<const LoadedFile>(
        load_file(file, LoadOptions{.operator_libraries = options.operator_libraries}));
    const LoadedFile& loaded = *held;
    NodeMap map;
    graph = translating_errors(file, [&] {
      return build_graph(loaded.module, options, after ? &map : nullptr, loaded.unset_objects);
    });
    if (after) after(loaded, map, graph);
    if (options.file_operators)
      graph.file_operators =
          translating_errors(file, [&] { return file_operators(loaded.module, "forward"); });
    else
      graph.recorded_operators.clear();
    graph.origin.producer = loaded.producer;
    graph.origin.file_bytes = loaded.file_bytes;
    // A worker exits soon and frees its memory: destroying a module costs a tenth of a read.
    if (process::is_worker()) static_cast<void>(held.release());
  });
  graph.origin.path = file.string();
  graph.origin.format = FileFormat::torchscript;
  return graph;
}

} // namespace model_validator::torchscript
