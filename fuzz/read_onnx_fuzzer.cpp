// Reads its input as an ONNX file and runs every check over the graph. LibTorch takes no part in
// it.
#include "connected_graph/onnx/onnx_reader.h"
#include "connected_graph/onnx/onnx_weights.h"
#include "look_at_graph.h"
#include "memory_file.h"

#include <model_validator/error.h>

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  const fuzz::MemoryFile file(fuzz::file_of(data, size));
  try {
    fuzz::look_at(model_validator::read_onnx(file.path()));
    model_validator::list_onnx_weights(file.path());
  } catch (const model_validator::Error&) {
  }
  return 0;
}
