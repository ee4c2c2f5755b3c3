#include "verify/backends/onnx_session.h"

#include <model_validator/error.h>

#include <boost/algorithm/string/join.hpp>
#include <boost/algorithm/string/replace.hpp>

#include <algorithm>

namespace model_validator::verify {
namespace {

const NamedTensor* named(const NamedTensors& tensors, const std::string& name) {
  const auto found = std::find_if(tensors.begin(), tensors.end(),
                                  [&](const NamedTensor& tensor) { return tensor.name == name; });
  return found == tensors.end() ? nullptr : &*found;
}

template <class Named> std::string names_of(const std::vector<Named>& items) {
  std::vector<std::string> names;
  for (const auto& item : items) names.push_back("`" + item.name + "`");
  return names.empty() ? "none" : boost::join(names, ", ");
}

/// `[N, 64]` for `[-1, 64]`.
std::string declared(const OnnxPort& port) {
  return boost::replace_all_copy(to_string(port.shape), "-1", "N");
}

/// A port without dimensions is a scalar or does not say.
bool takes(const OnnxPort& port, const Shape& shape) {
  return port.shape.empty() || std::equal(port.shape.begin(), port.shape.end(), shape.begin(),
                                          shape.end(), [](std::int64_t fixed, std::int64_t size) {
                                            return fixed < 0 || fixed == size;
                                          });
}

NamedTensor given_to(const OnnxPort& port, const NamedTensor& input) {
  const Shape& shape = input.tensor.view.shape;
  if (!takes(port, shape))
    throw Error(ErrorKind::bad_inputs, "",
                "the input `" + port.name + "` is " + declared(port) + " in the ONNX file but " +
                    to_string(shape) + " is given",
                "give inputs of that shape, or export the model with dynamic sizes");
  return {port.name, input.tensor};
}

} // namespace

NamedTensors in_order_of(const std::vector<OnnxPort>& ports, const NamedTensors& inputs) {
  const bool by_name = std::all_of(ports.begin(), ports.end(), [&](const OnnxPort& port) {
    return named(inputs, port.name) != nullptr;
  });
  NamedTensors ordered;
  if (by_name) {
    // An exporter drops inputs that nothing uses.
    for (const auto& port : ports) ordered.push_back(given_to(port, *named(inputs, port.name)));
    return ordered;
  }
  if (ports.size() != inputs.size())
    throw Error(ErrorKind::bad_inputs, "",
                "the candidate expects the inputs " + names_of(ports) + " but is given " +
                    names_of(inputs));
  for (std::size_t i = 0; i < ports.size(); ++i) ordered.push_back(given_to(ports[i], inputs[i]));
  return ordered;
}

} // namespace model_validator::verify
