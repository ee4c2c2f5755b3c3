// The formats, one row each. A front end is added by its folder, its row, and the code that
// recognises its files.
#include "connected_graph/exported_program/exported_program_reader.h"
#include "connected_graph/exported_program/exported_weights.h"
#include "connected_graph/format_table.h"
#include "connected_graph/onnx/onnx_reader.h"
#include "connected_graph/onnx/onnx_weights.h"
#include "introspection/given_inputs.h"
#include "introspection/openvino_ir.h"
#include "introspection/torchscript_weights.h"
#include "introspection/zip_weights.h"
#include "libraries/front_end_library.h"
#include "libraries/verify_library.h"
#include "partition/onnx/onnx_model.h"

#include <model_validator/error.h>

#include <algorithm>
#include <array>
#include <utility>

namespace model_validator {
namespace {

using Path = std::filesystem::path;

ConnectedGraph read_torchscript(const Path& file, const ReadOptions& options) {
  return torchscript_front_end(file).read(file, options);
}

TracedGraph trace_by_running(const Path& file, const TraceOptions& trace,
                             const ReadOptions& options) {
  TracedGraph traced = verify_library(file).trace(file, trace, options);
  traced.graph = with_given_ranges(std::move(traced.graph), trace.inputs);
  return traced;
}

std::unique_ptr<partition::PartitionableModel>
divide_by_running(const Path& file, const partition::OpenOptions& options) {
  return verify_library(file).open_partitionable(file, options);
}

/// Only code that LibTorch can run is traced; of others, what inputs are is taken as it is given.
TracedGraph declare_inputs(const Path& file, const TraceOptions& trace,
                           const ReadOptions& options) {
  if (!trace.inputs.files.empty() || !trace.inputs.sizes.empty() || trace.values)
    throw Error(
        ErrorKind::not_traceable, file.string(),
        "only TorchScript and torch.export files are traced with inputs; this is an ONNX file",
        "give sizes and ranges with `--input NAME=1x3x224x224:float32:0..1`, or leave the inputs "
        "out: the file states its shapes as far as its exporter knew them");
  return declared_inputs(read_onnx(file, options), trace.inputs);
}

ConnectedGraph refuse_compiled_code(const Path& file, const ReadOptions& /*options*/) {
  throw Error(ErrorKind::compiled_code, file.string(),
              "this is an AOTInductor package: compiled code, with no model left to look at",
              "give the program that it was compiled from: `torch.export.save(program, path)`");
}

/// What is compiled for a runtime, which runs it.
ConnectedGraph refuse_to_lint(const Path& file, const std::string& what) {
  throw Error(ErrorKind::compiled_code, file.string(),
              "this is " + what + ", which is compared and run, not linted",
              "give the model that it was converted from; `model_validator verify MODEL " +
                  file.string() + "` compares the two");
}

ConnectedGraph refuse_openvino_ir(const Path& file, const ReadOptions& /*options*/) {
  return refuse_to_lint(file, "an OpenVINO model (IR)");
}

ConnectedGraph refuse_litert(const Path& file, const ReadOptions& /*options*/) {
  return refuse_to_lint(file, "a LiteRT (TensorFlow Lite) model");
}

ConnectedGraph refuse_executorch(const Path& file, const ReadOptions& /*options*/) {
  return refuse_to_lint(file, "an ExecuTorch program");
}

ConnectedGraph refuse_unknown(const Path& file, const ReadOptions& /*options*/) {
  throw Error(ErrorKind::unknown_format, file.string(),
              "this is not a model file of a known format",
              "give a TorchScript, ONNX or torch.export (.pt2) file");
}

/// What cannot be read cannot be traced, for the same reason.
template <auto refuse>
TracedGraph trace_refused(const Path& file, const TraceOptions& /*trace*/,
                          const ReadOptions& options) {
  return {refuse(file, options), {}};
}

/// Nor divided.
template <auto refuse>
std::unique_ptr<partition::PartitionableModel>
divide_refused(const Path& file, const partition::OpenOptions& options) {
  static_cast<void>(refuse(file, options.read)); // throws
  return nullptr;
}

std::vector<StoredWeights> no_weights(const Path& /*file*/) { return {}; }

constexpr std::array formats = {
    Format{FileFormat::torchscript, "eager", read_torchscript, trace_by_running, divide_by_running,
           list_zip_weights, list_torchscript_weights, list_torchscript_tensors},
    Format{FileFormat::onnx, "onnxruntime", read_onnx, declare_inputs, partition::open_onnx_model,
           list_onnx_weights, list_onnx_weights, no_weights},
    Format{FileFormat::exported_program, "eager", read_exported_program, trace_by_running,
           divide_by_running, list_zip_weights, list_exported_weights, list_exported_weights},
    Format{FileFormat::aot_package, "aoti", refuse_compiled_code,
           trace_refused<refuse_compiled_code>, divide_refused<refuse_compiled_code>,
           list_zip_weights, list_torchscript_weights, no_weights},
    Format{FileFormat::openvino_ir, "openvino", refuse_openvino_ir,
           trace_refused<refuse_openvino_ir>, divide_refused<refuse_openvino_ir>, list_ir_weights,
           list_ir_weights, no_weights},
    Format{FileFormat::litert, "litert", refuse_litert, trace_refused<refuse_litert>,
           divide_refused<refuse_litert>, no_weights, no_weights, no_weights},
    Format{FileFormat::executorch, "executorch", refuse_executorch,
           trace_refused<refuse_executorch>, divide_refused<refuse_executorch>, no_weights,
           no_weights, no_weights},
    Format{FileFormat::unknown, nullptr, refuse_unknown, trace_refused<refuse_unknown>,
           divide_refused<refuse_unknown>, list_zip_weights, list_torchscript_weights, no_weights},
};

} // namespace

const Format& format_of(FileFormat format) {
  return *std::ranges::find_if(formats, [&](const Format& row) { return row.format == format; });
}

const Format& format_of(const Path& file) { return format_of(recognise(file)); }

} // namespace model_validator
