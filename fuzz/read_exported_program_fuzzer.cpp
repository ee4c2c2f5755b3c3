// Reads its input as a torch.export program and runs every check over the graph. LibTorch takes no
// part in it.
#include "connected_graph/exported_program/exported_program_reader.h"
#include "introspection/zip_weights.h"
#include "look_at_graph.h"
#include "memory_file.h"

#include <model_validator/error.h>

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  const fuzz::MemoryFile file(fuzz::file_of(data, size));
  try {
    fuzz::look_at(model_validator::read_exported_program(file.path()));
    model_validator::list_zip_weights(file.path());
  } catch (const model_validator::Error&) {
  }
  return 0;
}
