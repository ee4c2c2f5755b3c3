// The entry points of libFuzzer.
//   FUZZ_KEEP=FILE  fuzzer INPUT    writes the file that an input stands for, and goes on
//   FUZZ_SAY=1                      reports why a file is not a model
//   FUZZ_AS_IS=1    fuzzer FILE     takes the file itself as the model
#include "fuzzer.h"

#include "guard.h"
#include "look_at_graph.h"
#include "memory_file.h"

#include <cstdio>
#include <cstdlib>
#include <fstream>

namespace {

using Bytes = std::span<const std::uint8_t>;

struct Counts {
  unsigned long inputs = 0;
  unsigned long models = 0;
  ~Counts() {
    constexpr unsigned long reported_from = 100;
    if (inputs > reported_from)
      std::fprintf(stderr, "fuzz: %lu of %lu inputs were models\n", models, inputs);
  }
};
Counts& counts() {
  static Counts all;
  return all;
}

std::string file_of(Bytes bytes) {
  if (std::getenv("FUZZ_AS_IS") != nullptr) return {bytes.begin(), bytes.end()};
  fuzz::Choices choices(bytes);
  std::string file = fuzz::write_file(choices);
  if (const char* keep = std::getenv("FUZZ_KEEP"); keep != nullptr)
    std::ofstream(keep, std::ios::binary) << file;
  return file;
}

bool read_in_memory(const std::string& bytes) {
  const fuzz::MemoryFile file(bytes);
  try {
    return fuzz::read_file(file.path());
  } catch (const model_validator::Error& error) {
    if (std::getenv("FUZZ_SAY") != nullptr) std::fprintf(stderr, "fuzz: %s\n", error.what());
    fuzz::look_at(error);
    return false;
  }
}

} // namespace

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  // What is loaded and built only once does not count against an input.
  fuzz::Choices plain({});
  read_in_memory(fuzz::write_file(plain));
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string file = file_of({data, size});
  bool model = false;
  fuzz::within_limits([&] { model = read_in_memory(file); });
  ++counts().inputs;
  counts().models += model ? 1 : 0;
  return 0;
}
