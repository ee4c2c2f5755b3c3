#include "verify/library.h"

#include "partition/torchscript/torchscript_model.h"
#include "verify/trace/tracer.h"

extern "C" const model_validator::verify::Library* model_validator_verify_library() {
  using namespace model_validator::verify;
  static const Library library{&run_verification,
                               &parse_range,
                               &make_inference_function,
                               &model_validator::partition::open_model_of_torch,
                               &trace_file,
                               &run_reduction,
                               &run_probe,
                               &backend_for_target};
  return &library;
}
