#include "verify/backends/onnx_inputs.h"

#include <model_validator/error.h>
#include <model_validator/verify/verify.h>

#include <ATen/ATen.h>

namespace model_validator::verify {
namespace {

bool is_whole(DType dtype) { return is_integral(dtype) && dtype != DType::bool_; }

bool can_become(DType from, DType to) {
  return (is_floating(from) && is_floating(to)) || (is_whole(from) && is_whole(to));
}

Tensor converted(const NamedTensor& input, DType dtype) {
  const at::Tensor before = to_torch(input.tensor);
  const auto type = static_cast<c10::ScalarType>(facts_of(dtype).torch);
  const at::Tensor after = before.to(type).contiguous();
  if (is_whole(dtype) && !at::equal(before, after.to(before.scalar_type())))
    throw Error(ErrorKind::bad_inputs, "",
                "the input `" + input.name + "` holds numbers beyond " + to_string(dtype) +
                    ", which the ONNX file takes");
  return to_tensor(after);
}

} // namespace

NamedTensors inputs_for(const std::vector<OnnxPort>& ports, const NamedTensors& given,
                        const std::function<void(const std::string&)>& note) {
  NamedTensors ordered = in_order_of(ports, given);
  for (std::size_t i = 0; i < ports.size(); ++i) {
    const DType dtype = ordered[i].tensor.view.dtype;
    if (!ports[i].dtype || *ports[i].dtype == dtype || !can_become(dtype, *ports[i].dtype))
      continue;
    ordered[i].tensor = converted(ordered[i], *ports[i].dtype);
    if (note)
      note("the input `" + ports[i].name + "` is given as " + to_string(*ports[i].dtype) +
           ", as the ONNX file declares it; the reference has it as " + to_string(dtype));
  }
  return ordered;
}

} // namespace model_validator::verify
