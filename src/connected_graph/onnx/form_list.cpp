#include "connected_graph/onnx/form_list.h"

#include <utility>

namespace model_validator::onnx_format {

void FormList::add(const std::string& kind, std::string sentence, std::size_t flat) {
  add({.kind = kind, .sentence = std::move(sentence)}, kind, flat);
}

void FormList::add_opset(const std::string& schema, int opset, int other_opset,
                         std::string sentence) {
  const std::string kind = "function-opset";
  add({.kind = kind,
       .sentence = std::move(sentence),
       .schema = schema,
       .opset = opset,
       .other_opset = other_opset},
      kind + schema + std::to_string(opset) + "," + std::to_string(other_opset), none);
}

void FormList::add(GraphForm form, const std::string& key, std::size_t flat) {
  const auto [known, is_new] = known_.emplace(key, forms_.size());
  if (is_new) {
    forms_.push_back(std::move(form));
    places_.emplace_back();
  } else {
    ++forms_[known->second].alike;
  }
  if (flat != none || node_ != none) places_[known->second].push_back({flat, node_});
}

std::vector<GraphForm> FormList::finish(const GraphAssembler& assembler,
                                        const std::vector<std::vector<OpId>>& ops_of_nodes) {
  for (std::size_t i = 0; i < forms_.size(); ++i) {
    GraphForm& form = forms_[i];
    for (const Place& place : places_[i])
      if (place.flat != none)
        form.ops.push_back(assembler.op_of(place.flat));
      else
        form.ops.insert(form.ops.end(), ops_of_nodes[place.node].begin(),
                        ops_of_nodes[place.node].end());
    if (!places_[i].empty() && places_[i].front().flat != none) form.op = form.ops.front();
  }
  return std::move(forms_);
}

std::string counted(std::int64_t count, const std::string& noun) {
  return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

std::string spoken(const ::onnx::NodeProto& node) {
  std::string text = "`" + node.op_type() + "`";
  if (!node.name().empty()) return text + " `" + node.name() + "`";
  for (const std::string& output : node.output())
    if (!output.empty()) return text + " that makes `" + output + "`";
  return text;
}

} // namespace model_validator::onnx_format
