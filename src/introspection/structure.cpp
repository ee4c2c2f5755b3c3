#include "introspection/structure.h"

#include "introspection/digest.h"
#include "introspection/ir_text.h"

#include <algorithm>
#include <map>
#include <vector>

namespace model_validator {
namespace {

/// Every parameter, used or not: its place in an ONNX file, else its path; and its type.
std::vector<std::string> parameter_lines(const ConnectedGraph& graph) {
  std::vector<std::string> lines;
  for (ParameterId id = 0; id < graph.parameters().size(); ++id) {
    const Parameter& parameter = graph.parameters()[id];
    const bool by_place = graph.origin.format == "onnx";
    lines.push_back((by_place ? std::to_string(id) : parameter.path) + " " +
                    to_text(parameter.type));
  }
  // The order in which a module's tensors were registered is not structure.
  std::sort(lines.begin(), lines.end());
  return lines;
}

std::string types_of(const ConnectedGraph& graph, const Op& op) {
  std::string text;
  for (const ParameterId id : op.parameters)
    text += (text.empty() ? "" : ", ") + to_text(graph.parameters()[id].type);
  return text;
}

using Values = std::map<std::string, std::string>;

Values values_of(const Op& op) {
  Values values;
  const auto add = [&values](const std::vector<Attribute>& attributes) {
    for (const Attribute& attribute : attributes)
      values.emplace(attribute.name, to_python(attribute.value));
  };
  add(op.attributes);
  if (op.body)
    for (const Operator& part : *op.body) add(part.attributes);
  return values;
}

std::string against(const std::string& what, const std::string& a, const std::string& b) {
  return what + " " + (a.empty() ? "nothing" : a) + " against " + (b.empty() ? "nothing" : b);
}

/// The first attribute that differs, in words; empty where none does.
std::string attribute_difference(const Op& a, const Op& b) {
  const Values first = values_of(a);
  const Values second = values_of(b);
  for (const auto& [name, value] : first) {
    const auto found = second.find(name);
    const std::string other = found == second.end() ? std::string{} : found->second;
    if (value != other) return against("`" + name + "` is", value, other);
  }
  for (const auto& [name, value] : second)
    if (first.find(name) == first.end()) return against("`" + name + "` is", "", value);
  return {};
}

std::string difference(const ConnectedGraph& first, OpId a, const ConnectedGraph& second, OpId b) {
  const Op& one = first.op(a);
  const Op& other = second.op(b);
  if (one.type != other.type || one.kind != other.kind)
    return against("the operation is", "`" + one.type + "`", "`" + other.type + "`");
  if (const std::string attribute = attribute_difference(one, other); !attribute.empty())
    return attribute;
  if (types_of(first, one) != types_of(second, other))
    return against("its parameters are", types_of(first, one), types_of(second, other));
  if (one.schema != other.schema) return against("the schema is", one.schema, other.schema);
  if (boost::in_degree(a, first.graph()) != boost::in_degree(b, second.graph()))
    return against("the number of operands is", std::to_string(boost::in_degree(a, first.graph())),
                   std::to_string(boost::in_degree(b, second.graph())));
  return "it is connected or made up differently";
}

} // namespace

std::string hash_structure(const ConnectedGraph& graph) {
  Digest digest;
  for (const std::string& line : ir_lines(graph, IrStyle::canonical)) {
    digest.add(line);
    digest.add("\n");
  }
  for (const std::string& line : parameter_lines(graph)) {
    digest.add(line);
    digest.add("\n");
  }
  return digest.text();
}

std::optional<StructuralDifference> structural_difference(const ConnectedGraph& first,
                                                          const ConnectedGraph& second) {
  const auto a = ir_lines(first, IrStyle::canonical);
  const auto b = ir_lines(second, IrStyle::canonical);
  const std::size_t common = std::min(a.size(), b.size());
  const auto at = static_cast<std::size_t>(
      std::mismatch(a.begin(), a.begin() + static_cast<std::ptrdiff_t>(common), b.begin()).first -
      a.begin());
  if (at < common) return StructuralDifference{at, at, difference(first, at, second, at)};
  if (a.size() > common) return StructuralDifference{at, none, "the second model ends here"};
  if (b.size() > common) return StructuralDifference{none, at, "the first model ends here"};
  if (parameter_lines(first) == parameter_lines(second)) return std::nullopt;
  return StructuralDifference{none, none, "parameters that no op uses differ"};
}

} // namespace model_validator
