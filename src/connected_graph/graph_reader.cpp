#include "connected_graph/front_end_library.h"
#include "connected_graph/onnx/onnx_reader.h"

#include <model_validator/error.h>
#include <model_validator/graph_reader.h>

namespace model_validator {
namespace {

[[noreturn]] void not_yet(const std::filesystem::path& file, const std::string& what) {
  throw Error("unsupported-format", file.string(), what + " is recognised but not read yet",
              "export the model as TorchScript: `torch.jit.trace(model, example).save(path)`");
}

[[noreturn]] void unknown(const std::filesystem::path& file) {
  throw Error("unknown-format", file.string(), "this is not a model file of a known format",
              "give a TorchScript file: `torch.jit.trace(model, example).save(path)`");
}

} // namespace

ConnectedGraph read_graph(const std::filesystem::path& file, const ReadOptions& options) {
  switch (recognise(file)) {
  case FileFormat::torchscript: return torchscript_front_end(file).read(file, options);
  case FileFormat::onnx: return read_onnx(file, options);
  case FileFormat::exported_program: not_yet(file, "a torch.export program (.pt2)");
  case FileFormat::aot_package: not_yet(file, "an AOTInductor package (.pt2)");
  case FileFormat::unknown: unknown(file);
  }
  unknown(file);
}

} // namespace model_validator
