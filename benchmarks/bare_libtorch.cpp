// What every program that links LibTorch costs before it does anything; with files, what LibTorch itself takes to load
// each.
#include <torch/csrc/jit/serialization/import.h>

int main(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) torch::jit::load(argv[i]);
  return 0;
}
