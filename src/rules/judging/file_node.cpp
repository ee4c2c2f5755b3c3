#include "rules/judging/file_node.h"

#include "connected_graph/onnx/node_marks.h"

#include <charconv>
#include <string_view>

namespace model_validator::rules {
namespace {

/// `[1,3,,8]`
std::vector<std::optional<std::int64_t>> sizes_of(std::string_view text) {
  std::vector<std::optional<std::int64_t>> found;
  while (!text.empty()) {
    text.remove_prefix(1);
    const std::string_view number = text.substr(0, text.find_first_of(",]"));
    std::int64_t size = 0;
    const bool known = !number.empty();
    std::from_chars(number.data(), number.data() + number.size(), size);
    found.push_back(known ? std::optional(size) : std::nullopt);
    text.remove_prefix(number.size());
    if (text == "]") break;
  }
  return found;
}

FileOperand operand_of(std::string_view text) {
  FileOperand operand;
  operand.given = text != onnx_format::left_out;
  if (!operand.given) return operand;
  if (const std::size_t mark = text.find(onnx_format::declared_mark);
      mark != std::string_view::npos) {
    operand.declared = std::string(text.substr(mark + onnx_format::declared_mark.size()));
    text = text.substr(0, mark);
  }
  operand.worked_out = text.ends_with(onnx_format::worked_out_mark);
  operand.constant = operand.worked_out || text.ends_with(onnx_format::stored_mark);
  operand.entry = text.ends_with(onnx_format::entry_mark);
  if (operand.constant || operand.entry) text.remove_suffix(1);
  operand.unranked = text.ends_with(onnx_format::unranked_mark);
  if (operand.unranked) text.remove_suffix(onnx_format::unranked_mark.size());
  if (const std::size_t bracket = text.find('['); bracket != std::string_view::npos) {
    operand.sizes = sizes_of(text.substr(bracket));
    text = text.substr(0, bracket);
  }
  if (const std::size_t slash = text.find('/'); slash != std::string_view::npos) {
    int rank = 0;
    std::from_chars(text.data() + slash + 1, text.data() + text.size(), rank);
    operand.rank = rank;
    text = text.substr(0, slash);
  }
  operand.dtype = std::string(text);
  return operand;
}

std::vector<FileOperand> operands_of(const AttributeValue& value) {
  std::vector<FileOperand> operands;
  if (const auto* texts = std::get_if<std::vector<std::string>>(&value))
    for (const std::string& text : *texts) operands.push_back(operand_of(text));
  return operands;
}

int whole(const AttributeValue& value) {
  const auto* number = std::get_if<std::int64_t>(&value);
  return number == nullptr ? 0 : static_cast<int>(*number);
}

std::string kind_of(const AttributeValue& value) {
  if (std::holds_alternative<std::int64_t>(value)) return "i";
  if (std::holds_alternative<double>(value)) return "f";
  if (std::holds_alternative<std::string>(value)) return "s";
  if (std::holds_alternative<std::vector<std::int64_t>>(value)) return "is";
  if (std::holds_alternative<std::vector<double>>(value)) return "fs";
  if (std::holds_alternative<std::vector<std::string>>(value)) return "ss";
  return {};
}

void read_mark(const Attribute& each, FileNode& node) {
  if (each.name == onnx_format::name_mark)
    node.name = std::get<std::string>(each.value);
  else if (each.name == onnx_format::opset_mark)
    node.opset = whole(each.value);
  else if (each.name == onnx_format::op_mark)
    node.op = whole(each.value) < 0 ? none : static_cast<OpId>(whole(each.value));
  else if (each.name == onnx_format::alike_mark)
    node.alike = static_cast<std::size_t>(std::get<std::int64_t>(each.value));
  else if (each.name == onnx_format::inputs_mark)
    node.inputs = operands_of(each.value);
  else if (each.name == onnx_format::outputs_mark)
    node.outputs = operands_of(each.value);
}

} // namespace

std::vector<FileNode> nodes_of_file(const ConnectedGraph& graph) {
  std::vector<FileNode> nodes;
  if (graph.origin.format != FileFormat::onnx) return nodes;
  for (const Operator& op : graph.file_operators) {
    if (op.schema == onnx_format::file_mark) continue;
    FileNode& node = nodes.emplace_back();
    node.schema = op.schema;
    node.source = op.source;
    for (const Attribute& each : op.attributes)
      if (each.name.starts_with('@'))
        read_mark(each, node);
      else
        node.attributes.push_back({each.name, kind_of(each.value), each.value});
  }
  return nodes;
}

std::map<std::string, int> versions_of_file(const ConnectedGraph& graph) {
  std::map<std::string, int> versions;
  for (const Operator& op : graph.file_operators)
    if (op.schema == onnx_format::file_mark)
      for (const Attribute& each : op.attributes) versions[each.name] = whole(each.value);
  return versions;
}

} // namespace model_validator::rules
