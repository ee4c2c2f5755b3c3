#include "verify/trace/tracer.h"

#include "connected_graph/torchscript/file/checked_operators.h"
#include "connected_graph/torchscript/file/errors.h"
#include "connected_graph/torchscript/file/large_stack.h"
#include "connected_graph/torchscript/file/operator_libraries.h"
#include "connected_graph/torchscript/read.h"
#include "verify/flat_program/program_module.h"
#include "verify/run/signature.h"
#include "verify/trace/finish_loading.h"
#include "verify/trace/trace_model.h"

#include <model_validator/error.h>

namespace model_validator::verify {
namespace {

Trace trace(const torchscript::LoadedFile& loaded, const torchscript::NodeMap& map,
            const TraceOptions& options, GraphBuilder& graph, const std::filesystem::path& file) {
  finish_loading(loaded, options.max_steps, file);
  const auto samples = make_samples(needs_of(loaded.module), options.inputs);
  return trace_model(loaded.module, map, samples, options, graph);
}

/// Errors about the inputs of a file are reported with its name.
Error about(const std::filesystem::path& file, const Error& error) {
  const bool unfit = error.kind() == ErrorKind::run_failed && error.hint().empty();
  return Error(error.kind(), error.path().empty() ? file.string() : error.path(), error.what(),
               unfit ? "give inputs of shapes that the model can take" : error.hint());
}

TracedGraph trace_exported_program(const std::filesystem::path& file, const TraceOptions& options,
                                   const ReadOptions& read) {
  TracedGraph traced;
  torchscript::with_large_stack([&] {
    torchscript::load_operator_libraries(read.operator_libraries);
    torchscript::fill_new_memory();
    ProgramModule program =
        load_program(file, read, options.values ? ProgramContent::all : ProgramContent::shapes);
    traced.trace = trace_program(program, options);
    traced.graph = std::move(program.graph);
  });
  return traced;
}

TracedGraph trace_torchscript(const std::filesystem::path& file, const TraceOptions& options,
                              const ReadOptions& read) {
  TracedGraph traced;
  traced.graph = torchscript::read_torchscript(
      file, read, [&](const auto& loaded, const auto& map, GraphBuilder& graph) {
        torchscript::translating_errors(
            file, [&] { traced.trace = trace(loaded, map, options, graph, file); });
      });
  return traced;
}

} // namespace

TracedGraph trace_file(const std::filesystem::path& file, const TraceOptions& options,
                       const ReadOptions& read) {
  try {
    return recognise(file) == FileFormat::exported_program
               ? trace_exported_program(file, options, read)
               : trace_torchscript(file, options, read);
  } catch (const Error& error) {
    throw about(file, error);
  }
}

} // namespace model_validator::verify
