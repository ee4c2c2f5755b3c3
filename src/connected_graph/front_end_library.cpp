#include "connected_graph/front_end_library.h"

#include "connected_graph/sibling_library.h"

namespace model_validator {

const FrontEnd& torchscript_front_end(const std::filesystem::path& file) {
  void* factory = sibling_function("libmodel_validator_torchscript.so", front_end_factory,
                                   "the TorchScript front end", file.string());
  return *reinterpret_cast<FrontEndFactory>(factory)();
}

} // namespace model_validator
