#include "libraries/verify_library.h"

#include "libraries/sibling_library.h"

namespace model_validator {

const verify::Library& verify_library(const std::filesystem::path& file) {
  void* function =
      sibling_function(verify::library_file, verify::library_symbol,
                       "running and comparing models, ONNX files as well,", file.string());
  return *reinterpret_cast<verify::LibraryFunction>(function)();
}

} // namespace model_validator
