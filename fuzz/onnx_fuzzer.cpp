// Models of ONNX.
#include "connected_graph/onnx/onnx_reader.h"
#include "fuzzer.h"
#include "look_at_graph.h"
#include "onnx_writer.h"

std::string fuzz::write_file(Choices& choices) { return write_onnx(choices); }

bool fuzz::read_file(const std::filesystem::path& file) {
  look_at(model_validator::read_onnx(file));
  look_at_weights(file);
  return true;
}
