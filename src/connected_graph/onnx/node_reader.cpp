#include "connected_graph/onnx/node_reader.h"

#include "connected_graph/onnx/domain.h"
#include "connected_graph/onnx/node_cost.h"
#include "connected_graph/onnx/yielded_types.h"

#include <model_validator/error.h>

#include <algorithm>

namespace model_validator::onnx_format {
namespace {

/// A function is written once and unfolds at every call: with functions that each call the next one
/// twice, a file of a few kilobytes could take any amount of memory. Files without functions cost
/// what they write down.
std::size_t most_cost(std::size_t written, const ReadOptions& options) {
  constexpr std::size_t factor = 10;
  return std::max(options.max_ops / 50, factor * written);
}

const FunctionAttributes& attributes_given_at(const Place& place) {
  static const FunctionAttributes nothing;
  return place.attributes ? *place.attributes : nothing;
}

} // namespace

NodeReader::NodeReader(const OnnxFile& source, const ReadOptions& options)
    : source_(source), most_cost_(most_cost(written_cost(source.model), options)) {}

void NodeReader::fail(const std::string& what) const {
  throw Error(ErrorKind::damaged_onnx, source_.file.path().string(), what,
              "export the model again");
}

void NodeReader::spend(std::size_t cost) {
  cost_ += cost;
  if (cost_ > most_cost_)
    throw Error(
        ErrorKind::too_large, source_.file.path().string(),
        "the functions of the model unfold into more operators than any sensible network has",
        "export the model without functions, or a part of it");
}

const ::onnx::AttributeProto* NodeReader::given(const ::onnx::AttributeProto& attribute,
                                                const Place& place) {
  const auto* found = resolve(attribute, attributes_given_at(place));
  // A short reference may refer to something large.
  if (found != nullptr && found != &attribute) spend(cost_of_bytes(found->ByteSizeLong()));
  return found;
}

FindAttribute NodeReader::attributes_of(const ::onnx::NodeProto& node, const Place& place) const {
  return [&](std::string_view name) -> const ::onnx::AttributeProto* {
    const auto* found = attribute_named(node, name);
    return found == nullptr ? nullptr : resolve(*found, attributes_given_at(place));
  };
}

int NodeReader::opset_of(const ::onnx::NodeProto& node, const Place& place) const {
  const auto& imports =
      place.function != nullptr ? place.function->opset_import() : source_.model.opset_import();
  const bool own = is_default_domain(node.domain());
  for (const auto& each : imports)
    if (each.domain() == node.domain() || (own && is_default_domain(each.domain())))
      return static_cast<int>(std::clamp<std::int64_t>(each.version(), 0, 1 << 20));
  return 0;
}

const Binding& NodeReader::input(const ::onnx::NodeProto& node, const std::string& name,
                                 const Scope& scope) const {
  const Binding* binding = scope.find(name);
  if (binding == nullptr)
    fail("node `" + (node.name().empty() ? node.op_type() : node.name()) + "` reads `" + name +
         "`, which nothing before it produces");
  return *binding;
}

std::vector<const Binding*> NodeReader::inputs_of(const ::onnx::NodeProto& node,
                                                  const Scope& scope) const {
  std::vector<const Binding*> inputs;
  for (const std::string& name : node.input())
    inputs.push_back(name.empty() ? nullptr : &input(node, name, scope));
  return inputs;
}

std::vector<KnownType> NodeReader::types_declared(const ::onnx::NodeProto& node,
                                                  const Scope& scope) const {
  std::vector<KnownType> types;
  for (const std::string& name : node.output())
    types.push_back(name.empty() ? KnownType{} : scope.declared(name));
  return types;
}

std::vector<KnownType> NodeReader::types_yielded(const ::onnx::NodeProto& node, const Scope& scope,
                                                 const Place& place) const {
  std::vector<KnownType> types = types_declared(node, scope);
  const std::vector<YieldedType> yielded = yielded_types(node, attributes_of(node, place));
  for (std::size_t i = 0; i < types.size() && i < yielded.size(); ++i) {
    const auto number = static_cast<int>(yielded[i].input);
    KnownType found = yielded[i].type;
    if (yielded[i].input != YieldedType::no_input && number < node.input_size() &&
        !node.input(number).empty())
      found = input(node, node.input(number), scope).type;
    types[i].yield(yielded[i].made == nullptr ? found : yielded[i].made(found));
  }
  return types;
}

} // namespace model_validator::onnx_format
