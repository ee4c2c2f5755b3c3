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
  if (!is_new) {
    ++forms_[known->second].alike;
    return;
  }
  forms_.push_back(std::move(form));
  flat_numbers_.push_back(flat);
}

std::vector<GraphForm> FormList::finish(const GraphAssembler& assembler) {
  for (std::size_t i = 0; i < forms_.size(); ++i)
    if (flat_numbers_[i] != none) forms_[i].op = assembler.op_of(flat_numbers_[i]);
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
