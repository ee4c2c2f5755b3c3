#include "verify/backends/onnx_parts.h"

#include "connected_graph/onnx/names_read.h"
#include "verify/backends/onnx_copy.h"
#include "verify/backends/onnx_types.h"

#include <onnx-ml.pb.h>

namespace model_validator::verify {
namespace {

constexpr std::size_t large_weight = 1 << 16; ///< bytes; smaller ones may decide shapes

void set_entry(onnx::TensorProto& tensor, const char* key, const std::string& value) {
  auto* entry = tensor.add_external_data();
  entry->set_key(key);
  entry->set_value(value);
}

/// A view of the numbers of a large weight; none of another.
std::optional<TensorView> large_numbers(const onnx::TensorProto& tensor) {
  const std::string& bytes = tensor.raw_data();
  const auto dtype = bytes.size() < large_weight ? std::nullopt : dtype_of_onnx(tensor.data_type());
  if (!dtype) return std::nullopt;
  auto view = contiguous_view(bytes.data(), *dtype, {tensor.dims().begin(), tensor.dims().end()});
  const auto count = static_cast<std::size_t>(element_count(view));
  return count * element_size(*dtype) == bytes.size() ? std::optional(view) : std::nullopt;
}

void take_apart(const onnx::TensorProto& tensor, std::size_t& offset, onnx::TensorProto& kept) {
  kept.set_name(tensor.name());
  kept.set_data_type(tensor.data_type());
  *kept.mutable_dims() = tensor.dims();
  kept.set_data_location(onnx::TensorProto::EXTERNAL);
  set_entry(kept, "location", "at hand");
  set_entry(kept, "offset", std::to_string(offset));
  set_entry(kept, "length", std::to_string(tensor.raw_data().size()));
  offset += tensor.raw_data().size();
}

} // namespace

std::set<std::string> names_used(const onnx::GraphProto& graph) {
  std::set<std::string> names;
  for (const auto& node : graph.node())
    for (const std::string& name : onnx_format::names_read(node)) names.insert(name);
  for (const auto& output : graph.output()) names.insert(output.name());
  for (const auto& input : graph.input()) names.insert(input.name());
  return names;
}

std::string OnnxParts::serialised_structure() const { return structure->SerializeAsString(); }

OnnxParts parts_of(const std::shared_ptr<onnx::ModelProto>& model) {
  if (has_external_weights(*model)) return {model, {}};
  auto& all = *model->mutable_graph()->mutable_initializer();
  auto stored = std::move(all); // not to be copied with the rest
  const auto structure = std::make_shared<onnx::ModelProto>(*model);
  all = std::move(stored);
  const std::set<std::string> used = names_used(structure->graph());
  OnnxParts parts{structure, {}};
  std::size_t offset = 0;
  for (const onnx::TensorProto& tensor : all) {
    auto numbers = large_numbers(tensor);
    if (numbers && !used.contains(tensor.name())) continue;
    auto& kept = *structure->mutable_graph()->add_initializer();
    if (numbers) {
      take_apart(tensor, offset, kept);
      parts.weights.push_back({tensor.name(), {*std::move(numbers), model}});
    } else {
      kept = tensor;
    }
  }
  return parts;
}

} // namespace model_validator::verify
