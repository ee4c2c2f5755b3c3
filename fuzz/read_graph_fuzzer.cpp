// Reads whatever it is given as a model. An Error is an answer; anything else that ends the read is
// a bug.
#include "memory_file.h"

#include <model_validator/error.h>
#include <model_validator/graph_reader.h>

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  const fuzz::MemoryFile file(fuzz::file_of(data, size));
  try {
    model_validator::read_graph(file.path());
  } catch (const model_validator::Error&) {
  }
  return 0;
}
