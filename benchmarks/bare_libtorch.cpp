// Shows what linking LibTorch costs a program that does nothing; given files, what LibTorch itself
// takes to load each.
#include <torch/csrc/jit/serialization/import.h>

int main(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) torch::jit::load(argv[i]);
  return 0;
}
