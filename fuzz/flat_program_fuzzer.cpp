// Programs of torch.export as the flat graphs that LibTorch runs. None is run.
#include "fuzzer.h"
#include "program_writer.h"
#include "verify/flat_program/program_module.h"

std::string fuzz::write_file(Choices& choices) { return write_program(choices); }

bool fuzz::read_file(const std::filesystem::path& file) {
  using namespace model_validator::verify;
  const ProgramModule loaded = load_program(file, {}, ProgramContent::all);
  loaded.module.get_method("forward").graph()->lint();
  return true;
}
