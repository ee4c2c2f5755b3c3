#include "libraries/front_end_library.h"

#include "libraries/sibling_library.h"
#include "libraries/verify_library.h"

#include <model_validator/error.h>

namespace model_validator {
namespace {

constexpr const char* front_end_library = "libmodel_validator_torchscript.so";

} // namespace

const FrontEnd& torchscript_front_end(const std::filesystem::path& file) {
  void* factory = sibling_function(front_end_library, front_end_factory,
                                   "the TorchScript front end", file.string());
  return *reinterpret_cast<FrontEndFactory>(factory)();
}

void load_for_workers(const std::string& name, const ReadOptions& options) {
  if (name == verify::library_file)
    verify_library();
  else if (name != front_end_library)
    throw Error(ErrorKind::crashed, "",
                "the process that read the model asked for an unknown library");
  torchscript_front_end({}).prepare(options);
}

} // namespace model_validator
