#include "verify/reduce/node_words.h"

#include "connected_graph/onnx/domain.h"
#include "connected_graph/onnx/onnx_file.h"
#include "text/lists.h"
#include "verify/reduce/node_lines.h"

#include <algorithm>

namespace model_validator::verify {
namespace {

std::string value_of(const onnx::AttributeProto& attribute) {
  constexpr int most = 8;
  const auto some = [most](const auto& numbers) {
    std::vector<std::string> words;
    for (int i = 0; i < std::min(numbers.size(), most); ++i)
      words.push_back(std::to_string(numbers[i]));
    if (numbers.size() > most) words.emplace_back("…");
    return "[" + joined(words, ", ") + "]";
  };
  using A = onnx::AttributeProto;
  switch (attribute.type()) {
  case A::INT: return std::to_string(attribute.i());
  case A::FLOAT: return std::to_string(attribute.f());
  case A::STRING: return "\"" + attribute.s() + "\"";
  case A::INTS: return some(attribute.ints());
  case A::FLOATS: return some(attribute.floats());
  case A::TENSOR: return "a tensor of " + some(attribute.t().dims());
  case A::GRAPH: return "a graph of " + std::to_string(attribute.g().node_size()) + " nodes";
  default: return "…";
  }
}

std::string line_of(const onnx::NodeProto& node) {
  const auto list = [](const auto& names) { return joined({names.begin(), names.end()}, ", "); };
  const std::string attributes = attributes_in_words(node);
  const bool is_own = onnx_format::is_default_domain(node.domain());
  return list(node.output()) + " = " + (is_own ? "" : node.domain() + ".") + node.op_type() +
         (attributes.empty() ? "" : "[" + attributes + "]") + "(" + list(node.input()) + ")";
}

} // namespace

std::string attributes_in_words(const onnx::NodeProto& node) {
  std::vector<std::string> words;
  for (const auto& attribute : node.attribute())
    words.push_back(attribute.name() + "=" + value_of(attribute));
  std::ranges::sort(words);
  return joined(words, ", ");
}

std::vector<std::string> node_lines(const std::filesystem::path& file) {
  const onnx_format::OnnxFile whole(file);
  std::vector<std::string> lines;
  for (const auto& node : whole.model.graph().node()) lines.push_back(line_of(node));
  return lines;
}

} // namespace model_validator::verify
