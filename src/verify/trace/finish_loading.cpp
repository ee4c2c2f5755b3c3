#include "verify/trace/finish_loading.h"

#include "connected_graph/torchscript/file/checked_operators.h"
#include "connected_graph/torchscript/file/unsafe_operators.h"
#include "verify/run/named_devices.h"
#include "verify/run/number_constants.h"

#include <model_validator/verify/interpreter.h>

namespace model_validator::verify {

void finish_loading(const torchscript::LoadedFile& loaded, std::size_t max_steps,
                    const std::filesystem::path& file) {
  torchscript::require_computing_only(*loaded.module._ivalue()->compilation_unit(),
                                      loaded.unset_objects, file.string());
  torchscript::require_dense(loaded.has_sparse_tensors, file.string());
  torchscript::fill_new_memory();
  number_constants(loaded.module);
  name_cpu(loaded.module);
  for (const auto& [object, state] : loaded.unset_objects) {
    auto& method = object->type()->getMethod("__setstate__");
    if (method.isGraphFunction())
      Interpreter(torch::jit::Module(object), RunMode::values, max_steps)
          .run({state}, nullptr, "__setstate__");
    else
      method({object, state});
  }
}

} // namespace model_validator::verify
