// TorchScript: code and pickles.
#include "connected_graph/front_end.h"
#include "fuzzer.h"
#include "look_at_graph.h"
#include "torchscript/program.h"

extern "C" const model_validator::FrontEnd* model_validator_front_end();

std::string fuzz::write_file(Choices& choices) { return write_torchscript(choices); }

bool fuzz::read_file(const std::filesystem::path& file) {
  using namespace model_validator;
  if (recognise(file) != FileFormat::torchscript) return false;
  look_at(model_validator_front_end()->read(file, {}));
  look_at_weights(file);
  return true;
}
