#include "rules/onnx_schemas.h"

#include "connected_graph/op_type.h"
#include "rules/onnx_schemas_table.h"
#include "rules/operator_version.h"

#include <cctype>
#include <charconv>
#include <map>
#include <string>

namespace model_validator::rules {
namespace {

std::string_view take_line(std::string_view& text) {
  const std::size_t end = std::min(text.find('\n'), text.size());
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return line;
}

bool is_record(std::string_view text) {
  return !text.empty() && std::isdigit(static_cast<unsigned char>(text.front())) != 0;
}

DtypeSet dtypes_in(std::string_view text) {
  std::vector<std::string> dtypes;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    dtypes.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return std::make_shared<const std::vector<std::string>>(std::move(dtypes));
}

/// Where the table says what. Records are parsed for those operators alone that are asked for.
struct TableIndex {
  int newest_opset = 0;
  NamedDtypes dtypes;
  std::map<std::string_view, std::string_view> records; ///< by operator: lines

  TableIndex() {
    std::string_view text = onnx_schemas_table;
    const std::string_view newest = take_line(text);
    std::from_chars(newest.data(), newest.data() + newest.size(), newest_opset);
    std::string_view* current = nullptr;
    while (!text.empty()) {
      const std::string_view line = take_line(text);
      if (is_record(line))
        *current = {current->data(),
                    static_cast<std::size_t>(line.data() + line.size() - current->data())};
      else if (const std::size_t equals = line.find('='); equals != std::string_view::npos)
        dtypes.emplace(line.substr(0, equals), dtypes_in(line.substr(equals + 1)));
      else
        current = &(records[line] = text.substr(0, 0));
    }
  }
};

const TableIndex& table_index() {
  static const TableIndex index;
  return index;
}

} // namespace

int newest_onnx_opset() { return table_index().newest_opset; }

std::vector<OperatorVersion> versions_in_onnx(std::string_view schema) {
  std::vector<OperatorVersion> versions;
  if (!schema.starts_with("onnx::")) return versions;
  const auto found = table_index().records.find(bare_operator(schema));
  if (found == table_index().records.end()) return versions;
  for (std::string_view lines = found->second; !lines.empty();) {
    versions.push_back(parse_operator_version(take_line(lines), table_index().dtypes));
  }
  return versions;
}

} // namespace model_validator::rules
