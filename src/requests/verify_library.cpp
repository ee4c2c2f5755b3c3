#include "requests/verify_library.h"

#include "connected_graph/sibling_library.h"

namespace model_validator {

const verify::Library& verify_library() {
  void* function = sibling_function(verify::library_file, verify::library_symbol, "verification");
  return *reinterpret_cast<verify::LibraryFunction>(function)();
}

} // namespace model_validator
