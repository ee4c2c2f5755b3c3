#include "partition/torchscript/subgraph_runner.h"

#include <model_validator/error.h>

#include <ATen/core/Dict.h>

#include <map>
#include <string>

namespace model_validator::partition {
namespace {

using PassedValues = std::map<std::string, c10::IValue>;

const c10::IValue& passed(const PassedValues& values, const std::string& name) {
  const auto found = values.find(name);
  if (found == values.end())
    throw Error(ErrorKind::damaged_manifest, "", "no subgraph gives the value `" + name + "`",
                "divide the model again");
  return found->second;
}

std::vector<c10::IValue> given_by(c10::IValue result, const Subgraph& subgraph) {
  if (subgraph.outputs.size() <= 1 && !result.isTuple()) return {std::move(result)};
  if (subgraph.outputs.size() == 1 && !subgraph.outputs[0].type.starts_with("Tuple") &&
      result.toTupleRef().elements().size() == 1)
    return result.toTupleRef().elements().vec();
  if (subgraph.outputs.size() == 1) return {std::move(result)};
  std::vector<c10::IValue> elements;
  if (result.isTuple()) elements = result.toTupleRef().elements().vec();
  if (elements.size() < subgraph.outputs.size())
    throw Error(ErrorKind::unfit_subgraph, subgraph.file,
                "subgraph `" + subgraph.file + "` gives " + std::to_string(elements.size()) +
                    " values, but manifest.json names " + std::to_string(subgraph.outputs.size()),
                "divide the model again, or make the subgraph give what manifest.json names");
  return elements;
}

c10::IValue key_of(const std::string& key) {
  if (key.size() >= 2 && key.front() == '\'') return key.substr(1, key.size() - 2);
  return static_cast<std::int64_t>(std::stoll(key));
}

/// Items of a result list are usually tensors.
c10::IValue list_of(const std::vector<c10::IValue>& items) {
  c10::impl::GenericList list(items.empty() ? c10::TypePtr(c10::TensorType::get())
                                            : items[0].type());
  for (const c10::IValue& item : items) list.push_back(item);
  return list;
}

c10::IValue dict_of(const std::vector<std::string>& keys, const std::vector<c10::IValue>& items) {
  const bool words = keys.empty() || keys[0].front() == '\'';
  c10::impl::GenericDict dict(words ? c10::TypePtr(c10::StringType::get()) : c10::IntType::get(),
                              items.empty() ? c10::TypePtr(c10::TensorType::get())
                                            : items[0].type());
  for (std::size_t i = 0; i < items.size() && i < keys.size(); ++i)
    dict.insert(key_of(keys[i]), items[i]);
  return dict;
}

c10::IValue assemble(const ResultTree& tree, const PassedValues& values) {
  if (tree.kind == ResultTree::Kind::none) return {};
  if (tree.kind == ResultTree::Kind::value) return passed(values, tree.value);
  std::vector<c10::IValue> items;
  for (const ResultTree& item : tree.items) items.push_back(assemble(item, values));
  if (tree.kind == ResultTree::Kind::list) return list_of(items);
  if (tree.kind == ResultTree::Kind::dict) return dict_of(tree.keys, items);
  return c10::ivalue::Tuple::create(std::move(items));
}

/// Sizes, and inputs that are no tensors, are constants of a recorded program.
void require_as_recorded(const Manifest& manifest, const std::vector<c10::IValue>& inputs) {
  if (!manifest.recorded) return;
  for (std::size_t i = 0; i < manifest.inputs.size() && i < inputs.size(); ++i) {
    const SubgraphValue& input = manifest.inputs[i];
    const c10::IValue& given = inputs[i];
    const bool tensor = given.isTensor() && input.tensor.shape;
    if (tensor ? given.toTensor().sizes().equals(*input.tensor.shape)
               : input.constant.empty() || c10::str(given) == input.constant)
      continue;
    throw Error(ErrorKind::bad_inputs, "",
                "the subgraphs were recorded for another `" + input.name + "`: " +
                    (tensor ? "of shape " + c10::str(c10::IntArrayRef(*input.tensor.shape))
                            : input.constant),
                "divide the model again with `--input` as you need it");
  }
}

} // namespace

c10::IValue run_subgraphs(const Manifest& manifest, const std::vector<SubgraphFunction>& subgraphs,
                          const std::vector<c10::IValue>& inputs) {
  require_as_recorded(manifest, inputs);
  PassedValues values;
  for (std::size_t i = 0; i < manifest.inputs.size() && i < inputs.size(); ++i)
    values[manifest.inputs[i].name] = inputs[i];
  for (std::size_t i = 0; i < manifest.subgraphs.size(); ++i) {
    const Subgraph& subgraph = manifest.subgraphs[i];
    std::vector<c10::IValue> arguments;
    for (const SubgraphValue& input : subgraph.inputs)
      arguments.push_back(passed(values, input.name));
    const auto given = given_by(subgraphs.at(i)(std::move(arguments)), subgraph);
    for (std::size_t output = 0; output < subgraph.outputs.size(); ++output)
      values[subgraph.outputs[output].name] = given.at(output);
  }
  return assemble(manifest.result, values);
}

} // namespace model_validator::partition
