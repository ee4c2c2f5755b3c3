// Programs of torch.export.
#include "connected_graph/exported_program/exported_program_reader.h"
#include "fuzzer.h"
#include "look_at_graph.h"
#include "program_writer.h"

std::string fuzz::write_file(Choices& choices) { return write_program(choices); }

bool fuzz::read_file(const std::filesystem::path& file) {
  look_at(model_validator::read_exported_program(file));
  look_at_weights(file);
  return true;
}
