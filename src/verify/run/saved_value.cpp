#include "verify/run/failure.h"
#include "verify/run/input_files.h"

#include <model_validator/error.h>
#include <model_validator/verify/verify.h>

#include <torch/csrc/jit/serialization/pickle.h>

#include <fstream>
#include <iterator>

namespace model_validator::verify {

Value read_saved_value(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  const std::vector<char> bytes((std::istreambuf_iterator<char>(stream)), {});
  try {
    return to_value(torch::jit::pickle_load(bytes));
  } catch (const Error&) {
    throw;
  } catch (const std::exception& failure) {
    throw Error("bad-tensor-file", file.string(),
                "the file holds no saved tensors: " + sentence_of(failure),
                "save a tensor, or a list, tuple or dict of tensors, with torch.save");
  }
}

} // namespace model_validator::verify
