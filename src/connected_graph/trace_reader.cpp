#include "connected_graph/sibling_library.h"

#include <model_validator/error.h>
#include <model_validator/verify/library.h>

namespace model_validator {
namespace {

/// Only code that LibTorch can run is traced.
[[noreturn]] void refuse(const std::filesystem::path& file, const std::string& format) {
  throw Error("not-traceable", file.string(),
              "only TorchScript files are traced with inputs; this is " + format,
              "leave the inputs out: the file tells its shapes as far as its exporter knew them");
}

std::string place_of(const ConnectedGraph& graph, OpId op) {
  if (op == none) return {};
  const SourceLocation& place = graph.location(graph.user_frame(graph.op(op).frame));
  if (!place.known()) return {};
  return " (" + place.file + ":" + std::to_string(place.line) + ")";
}

} // namespace

std::string why_ended(const ConnectedGraph& graph, const Trace& trace) {
  if (trace.ended_by.empty()) return {};
  return "the trace ended early: " + trace.ended_by + place_of(graph, trace.ended_at);
}

TracedGraph trace_graph(const std::filesystem::path& file, const TraceOptions& trace,
                        const ReadOptions& options) {
  switch (recognise(file)) {
  case FileFormat::onnx: refuse(file, "an ONNX file");
  case FileFormat::exported_program: refuse(file, "a torch.export file");
  case FileFormat::torchscript: break;
  default: return {read_graph(file, options), {}}; // which says what it is
  }
  void* library = sibling_function(verify::library_file, verify::library_symbol,
                                   "what runs models", file.string());
  const auto functions = reinterpret_cast<verify::LibraryFunction>(library);
  return functions()->trace(file, trace, options);
}

} // namespace model_validator
