#include "cli/verify_library.h"

#include "connected_graph/sibling_library.h"

namespace model_validator::cli {

const verify::Library& verify_library() {
  void* function =
      sibling_function("libmodel_validator_verify.so", verify::library_symbol, "verification");
  return *reinterpret_cast<verify::LibraryFunction>(function)();
}

} // namespace model_validator::cli
