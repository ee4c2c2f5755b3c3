#include "connected_graph/exported_program/exported_program_reader.h"
#include "connected_graph/front_end_library.h"
#include "connected_graph/onnx/onnx_reader.h"

#include <model_validator/error.h>
#include <model_validator/graph_reader.h>

namespace model_validator {
namespace {

[[noreturn]] void compiled_code(const std::filesystem::path& file) {
  throw Error("compiled-code", file.string(),
              "this is an AOTInductor package: compiled code, with no model left to look at",
              "give the program that it was compiled from: `torch.export.save(program, path)`");
}

[[noreturn]] void unknown(const std::filesystem::path& file) {
  throw Error("unknown-format", file.string(), "this is not a model file of a known format",
              "give a TorchScript, ONNX or torch.export (.pt2) file");
}

} // namespace

ConnectedGraph read_graph(const std::filesystem::path& file, const ReadOptions& options) {
  switch (recognise(file)) {
  case FileFormat::torchscript: return torchscript_front_end(file).read(file, options);
  case FileFormat::onnx: return read_onnx(file, options);
  case FileFormat::exported_program: return read_exported_program(file, options);
  case FileFormat::aot_package: compiled_code(file);
  case FileFormat::unknown: unknown(file);
  }
  unknown(file);
}

} // namespace model_validator
