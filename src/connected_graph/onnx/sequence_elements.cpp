#include "connected_graph/onnx/sequence_elements.h"

#include "connected_graph/onnx/domain.h"

#include <cstdint>
#include <string>

namespace model_validator::onnx_format {
namespace {

using Inputs = std::vector<const Binding*>;

const Binding* at(const Inputs& inputs, std::size_t index) {
  return index < inputs.size() ? inputs[index] : nullptr;
}

bool is_stored_or_left_out(const Binding* value) { return value == nullptr || value->stored(); }

/// As many as a list has lengths, whatever they are.
bool has_known_count(const Binding& split) {
  const auto& shape = split.sizes.shape;
  return shape && shape->size() == 1 && shape->front().is_number();
}

/// Into how many it is split is known where the axis and the length of each are.
bool splits_as_stated(const ::onnx::NodeProto& node, const Inputs& inputs) {
  const Binding *data = at(inputs, 0), *split = at(inputs, 1);
  if (split != nullptr && has_known_count(*split)) return true;
  if (data == nullptr || !data->sizes.shape || !is_stored_or_left_out(split)) return false;
  const auto rank = static_cast<std::int64_t>(data->sizes.shape->size());
  std::int64_t axis = 0;
  for (const auto& attribute : node.attribute())
    if (attribute.name() == "axis") axis = attribute.i();
  if (axis < 0) axis += rank;
  return axis >= 0 && axis < rank &&
         (*data->sizes.shape)[static_cast<std::size_t>(axis)].is_number();
}

} // namespace

Elements elements_yielded(const ::onnx::NodeProto& node, const Inputs& inputs) {
  if (!is_default_domain(node.domain())) return Elements::open;
  const std::string& type = node.op_type();
  if (type == "SequenceConstruct" || type == "SequenceEmpty") return Elements::shown;
  if (type == "SplitToSequence")
    return splits_as_stated(node, inputs) ? Elements::shown : Elements::open;
  const std::size_t position = type == "SequenceInsert" ? 2 : 1;
  const bool passes = type == "SequenceInsert" || type == "SequenceErase" || type == "Identity";
  const Binding* given = at(inputs, 0);
  if (!passes || given == nullptr || !is_stored_or_left_out(at(inputs, position)))
    return Elements::open;
  return given->elements;
}

Elements elements_carried(const ::onnx::NodeProto& node, const SubgraphValues& values,
                          std::size_t output) {
  if (node.op_type() != "Loop" || values.results.size() != 1) return Elements::open;
  const Binding* given = at(values.inputs, output + 2);
  const std::vector<Binding>& results = values.results[0];
  const bool appended = given != nullptr && given->elements == Elements::shown &&
                        output + 1 < results.size() &&
                        results[output + 1].elements == Elements::appended;
  return appended ? Elements::appended : Elements::open;
}

} // namespace model_validator::onnx_format
