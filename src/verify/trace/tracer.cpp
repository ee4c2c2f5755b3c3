#include "verify/trace/tracer.h"

#include "connected_graph/torchscript/errors.h"
#include "connected_graph/torchscript/read.h"
#include "connected_graph/torchscript/unsafe_operators.h"
#include "verify/run/signature.h"
#include "verify/trace/trace_model.h"

#include <model_validator/error.h>
#include <model_validator/verify/interpreter.h>

namespace model_validator::verify {
namespace {

/// A method that does not come to an end is given up.
class StepCounter final : public RunObserver {
public:
  void on_step(const Step&) override {
    if (++steps_ > most_steps)
      throw Error("too-long", "",
                  "the `__setstate__` methods of the file took more than " +
                      std::to_string(most_steps) + " steps without coming to an end");
  }

private:
  static constexpr std::size_t most_steps = 5'000'000;
  std::size_t steps_ = 0;
};

/// Quantized modules keep packed weights, which their own code makes of what the file holds. The
/// inner objects come first, as the file has them.
void finish_loading(const torchscript::LoadedFile& loaded, const std::filesystem::path& file) {
  torchscript::require_computing_only(*loaded.module._ivalue()->compilation_unit(), file.string());
  StepCounter steps;
  for (const auto& [object, state] : loaded.unset_objects) {
    auto& method = object->type()->getMethod("__setstate__");
    if (method.isGraphFunction())
      Interpreter(torch::jit::Module(object), RunMode::values).run({state}, &steps, "__setstate__");
    else
      method({object, state});
  }
}

Trace trace(const torchscript::LoadedFile& loaded, const torchscript::NodeMap& map,
            const TraceOptions& options, ConnectedGraph& graph, const std::filesystem::path& file) {
  finish_loading(loaded, file);
  const auto samples = make_samples(needs_of(loaded.module), options.inputs);
  const RunMode mode = options.values ? RunMode::values : RunMode::shapes;
  return trace_model(loaded.module, map, samples, mode, graph);
}

/// What is wrong with the inputs of a file is told with its name.
Error about(const std::filesystem::path& file, const Error& error) {
  const bool unfit = error.kind() == "run-failed" && error.hint().empty();
  return Error(error.kind(), error.path().empty() ? file.string() : error.path(), error.what(),
               unfit ? "give inputs of shapes that the model can take" : error.hint());
}

} // namespace

TracedGraph trace_file(const std::filesystem::path& file, const TraceOptions& options,
                       const ReadOptions& read) {
  TracedGraph traced;
  const auto run = [&](const auto& loaded, const auto& map, ConnectedGraph& graph) {
    try {
      traced.trace = trace(loaded, map, options, graph, file);
    } catch (const Error& error) {
      throw about(file, error);
    }
  };
  traced.graph = torchscript::read_torchscript(
      file, read, [&](const auto& loaded, const auto& map, ConnectedGraph& graph) {
        torchscript::translating_errors(file, [&] { run(loaded, map, graph); });
      });
  return traced;
}

} // namespace model_validator::verify
