#include "verify/command/file_reading.h"

#include "introspection/weight_samples.h"
#include "verify/command/confined_reading.h"
#include "verify/command/file_weights.h"
#include "verify/inputs/bounds.h"
#include "verify/inputs/input_meaning.h"

#include <model_validator/error.h>
#include <model_validator/graph_reader.h>

#include <optional>

namespace model_validator::verify {

/// Without the module, which stays in the process that read it.
template <class Archive> void describe(Archive& archive, FileReading& reading) {
  archive(reading.model.format, reading.model.needs, reading.model.calls_to_come_round,
          reading.precision, reading.noise, reading.with_nan, reading.lint, reading.fault);
}

namespace {

/// What can be run need not be readable as a graph, but to be linted.
std::optional<ConnectedGraph> graph_of(const std::filesystem::path& file, ReadOptions options,
                                       const VerifyRequest& request, bool is_linted) {
  if (std::filesystem::is_directory(file)) return std::nullopt;
  try {
    return read_graph(file, options);
  } catch (const Error& error) {
    const bool is_only_run = error.kind() == ErrorKind::compiled_code && !request.golden.empty();
    if (is_linted && !is_only_run)
      throw Error(error.kind(), error.path().empty() ? file.string() : error.path(), error.what(),
                  error.hint());
    return std::nullopt;
  }
}

/// What inputs mean is of no interest where they are given; a graph of ONNX says it all the same.
void note_meanings(ModelFile& model, const ConnectedGraph* graph, const VerifyRequest& request) {
  if (!model.is_module()) return; // read with its declarations
  if (graph != nullptr) model.calls_to_come_round = calls_to_come_round(*graph);
  const bool is_asked = request.golden.empty() && request.inputs.files.empty();
  if (!is_asked || graph == nullptr) return find_meanings(model.needs);
  find_meanings(*graph, model.needs, sampler_of(*graph, model.path));
}

void take_declarations(const ConnectedGraph* graph, const VerifyRequest& request, ReadAs as,
                       FileReading& reading) {
  reading.model = declare_model(reading.model.path, reading.model.options, graph);
  note_meanings(reading.model, graph, request);
  reading.precision = precision_of(reading.model, graph);
  if (as == ReadAs::candidate)
    reading.with_nan = tensors_with_nan(reading.model);
  else if (graph != nullptr && reading.model.format != FileFormat::exported_program)
    reading.noise = graph_noise(*graph);
}

FileReading read(const std::filesystem::path& file, const ReadOptions& options,
                 const VerifyRequest& request, ReadAs as) {
  FileReading reading;
  reading.model.path = file;
  reading.model.options = options;
  const bool is_linted = as == ReadAs::reference && request.lint;
  const auto graph = graph_of(file, named_by_graph(options), request, is_linted);
  if (is_linted && graph) reading.lint = request.lint(*graph);
  try {
    take_declarations(graph ? &*graph : nullptr, request, as, reading);
  } catch (const Error& error) {
    if (reading.lint.empty()) throw;
    reading.fault = process::fields_of(error); // what lint found comes first
  }
  return reading;
}

} // namespace

std::optional<FileReading> read_file(const std::filesystem::path& file, const ReadOptions& options,
                                     const VerifyRequest& request, ReadAs as) {
  FileReading reading =
      read_confined_value({file}, request, [&] { return read(file, options, request, as); });
  if (!reading.lint.empty() && !request.passes_lint(reading.lint)) return std::nullopt;
  if (const auto fault = process::error_of(reading.fault)) throw *fault;
  reading.model.path = file;
  reading.model.options = options;
  if (reading.model.format == FileFormat::onnx)
    reading.model.onnx = std::make_shared<OnnxModel>(file);
  return reading;
}

} // namespace model_validator::verify
