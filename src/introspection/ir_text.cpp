#include "introspection/ir_text.h"

#include "text/lists.h"

#include <algorithm>
#include <map>

namespace model_validator {
namespace {

using Edge = ConnectedGraph::Graph::edge_descriptor;

/// Texts that an exporter makes from the names of values, and the ranges that inputs are given
/// with.
bool is_no_structure(const Op& op, const Attribute& attribute) {
  if (op.kind == OpKind::input) return attribute.name == "low" || attribute.name == "high";
  return attribute.name == "assert_msg" ? op.schema.starts_with("aten::")
                                        : attribute.name == "name" && op.kind == OpKind::output;
}

class IrText {
public:
  IrText(const ConnectedGraph& graph, IrStyle style) : graph_(graph), style_(style) {}

  std::string line(OpId id) {
    const Op& op = graph_.op(id);
    std::string text = joined(graph_.region_labels(op.region), "/");
    if (!text.empty()) text = "[" + text + "] ";
    text += name(id) + " = " + op.type + "(" + joined(operands(id), ", ") + ")";
    if (const std::string settings = attributes(op, op.attributes); !settings.empty())
      text += " {" + settings + "}";
    if (style_ == IrStyle::typed && !op.outputs.empty()) text += " : " + joined(types(op), ", ");
    if (style_ == IrStyle::bare) return text;
    return text + (style_ == IrStyle::canonical ? identity(op) : comment(op));
  }

private:
  std::string name(OpId id) const {
    return style_ == IrStyle::canonical ? "%" + std::to_string(id) : "%" + graph_.op(id).name;
  }

  std::vector<std::string> operands(OpId id) {
    std::vector<Edge> edges;
    const auto [begin, end] = boost::in_edges(id, graph_.graph());
    edges.assign(begin, end);
    std::ranges::stable_sort(edges, [this](const Edge& a, const Edge& b) {
      return graph_.graph()[a].input < graph_.graph()[b].input;
    });
    std::vector<std::string> names;
    for (const Edge& edge : edges) names.push_back(operand(edge));
    for (const ParameterId parameter : graph_.op(id).parameters)
      names.push_back(parameter_text(parameter));
    return names;
  }

  std::string operand(const Edge& edge) const {
    const Product& product = graph_.graph()[edge];
    const OpId source = boost::source(edge, graph_.graph());
    std::string text = name(source);
    if (graph_.op(source).outputs.size() > 1 || product.output > 0)
      text += "#" + std::to_string(product.output);
    if (style_ == IrStyle::canonical) text = std::to_string(product.input) + ":" + text;
    return text;
  }

  std::string parameter_text(ParameterId id) {
    const Parameter& parameter = graph_.parameters()[id];
    if (style_ == IrStyle::plain || style_ == IrStyle::bare) return parameter.path;
    if (style_ == IrStyle::typed) return parameter.path + ": " + to_text(parameter.type);
    // ONNX knows weights as values, whose names mean nothing.
    const bool by_place = graph_.origin.format == FileFormat::onnx;
    const auto storage = storages_.try_emplace(parameter.storage, storages_.size()).first->second;
    return "<" + (by_place ? std::to_string(id) : parameter.path) + " " + to_text(parameter.type) +
           (parameter.buffer ? " buffer " : " ") + std::to_string(storage) + ">";
  }

  std::string attributes(const Op& op, const std::vector<Attribute>& all) const {
    std::vector<std::string> texts;
    for (const Attribute& attribute : all)
      if (style_ != IrStyle::canonical || !is_no_structure(op, attribute))
        texts.push_back(attribute.name + "=" + to_python(attribute.value));
    // They are given by name, in whichever order.
    if (style_ == IrStyle::canonical) std::ranges::sort(texts);
    return joined(texts, ", ");
  }

  std::vector<std::string> types(const Op& op) const {
    std::vector<std::string> texts;
    for (const TensorType& type : op.outputs) texts.push_back(to_text(type));
    return texts;
  }

  /// What else belongs to the structure: schema, kind, and the operators that the op stands for.
  std::string identity(const Op& op) const {
    std::string text = std::string(" ") + to_string(op.kind) + " " + op.schema;
    if (op.module != none) text += " " + graph_.module(op.module).class_name;
    if (has_stated_type(graph_, op))
      for (const TensorType& type : op.outputs) text += " " + to_text(type);
    if (!op.body) return text;
    for (const Operator& part : *op.body)
      text += "; " + part.schema + "{" + attributes(op, part.attributes) + "}";
    return text;
  }

  std::string comment(const Op& op) const {
    std::string text;
    if (op.module != none) text += "  # " + graph_.module_path(op.module);
    const SourceLocation& place = graph_.location(op.frame);
    if (place.known())
      text += (text.empty() ? "  # " : ", ") + place.file + ":" + std::to_string(place.line);
    return text;
  }

  const ConnectedGraph& graph_;
  IrStyle style_;
  std::map<std::uint64_t, std::size_t> storages_; ///< numbered in order of appearance
};

} // namespace

bool has_stated_type(const ConnectedGraph& graph, const Op& op) {
  const bool is_declared = op.kind == OpKind::input && graph.origin.format == FileFormat::onnx;
  return op.kind == OpKind::constant || is_declared;
}

std::string to_text(const TensorType& type) {
  const std::string dtype = type.dtype.empty() ? "?" : type.dtype;
  if (!type.shape) return dtype + "[?]";
  std::vector<std::string> sizes;
  for (const std::int64_t size : *type.shape)
    sizes.push_back(size < 0 ? "?" : std::to_string(size));
  return dtype + "[" + joined(sizes, ", ") + "]";
}

std::vector<std::string> ir_lines(const ConnectedGraph& graph, IrStyle style) {
  IrText text(graph, style);
  std::vector<std::string> lines;
  lines.reserve(graph.op_count());
  for (OpId id = 0; id < graph.op_count(); ++id) lines.push_back(text.line(id));
  return lines;
}

} // namespace model_validator
