#include "rules/onnx_schemas.h"

#include "rules/onnx_schemas_table.h"
#include "rules/operator_version.h"
#include "text/nearest.h"

#include <model_validator/data/words.h>
#include <model_validator/program.h>

#include <charconv>
#include <map>
#include <string>

namespace model_validator::rules {
namespace {

DtypeSet dtypes_in(std::string_view text) {
  const auto words = words_in(text);
  return std::make_shared<const std::vector<std::string>>(words.begin(), words.end());
}

/// Where the table says what. Records are parsed for those operators alone that are asked for.
struct TableIndex {
  int newest_opset = 0;
  NamedDtypes dtypes;
  std::map<std::string, std::string_view, std::less<>> operators; ///< `onnx::Relu`, to its records

  TableIndex() {
    std::string_view text = onnx_schemas_table;
    const std::string_view newest = take_before('\n', text);
    std::from_chars(newest.data(), newest.data() + newest.size(), newest_opset);
    while (!text.empty()) add(take_before('\n', text));
  }

private:
  /// `onnx::Abs` of `Abs`, `com.microsoft::Gelu` of `com.microsoft.Gelu`.
  static std::string schema_named(const std::string& name) {
    const std::size_t end = name.rfind('.');
    return end == std::string::npos ? "onnx::" + name
                                    : name.substr(0, end) + "::" + name.substr(end + 1);
  }

  void add(std::string_view line) {
    const char mark = line[line.find_first_of(";=:")];
    const std::string name(take_before(mark, line));
    if (mark == '=')
      dtypes.emplace(name, dtypes_in(line));
    else if (mark == ';')
      operators.emplace(schema_named(name), line);
    else
      for (const std::string_view each : words_in(line.substr(1)))
        operators.emplace((name + "::").append(each), std::string_view());
  }
};

const TableIndex& table_index() {
  static const TableIndex index;
  return index;
}

/// `onnx::` of `onnx::Relu`.
std::string_view space_of(std::string_view schema) {
  const std::size_t end = schema.find("::");
  return end == std::string_view::npos ? std::string_view() : schema.substr(0, end + 2);
}

/// What the table says nothing else of is a tensor.
OperatorVersion of_tensors(OperatorVersion version) {
  for (auto* parameters : {&version.inputs, &version.outputs})
    for (OperatorVersion::Parameter& each : *parameters)
      if (each.kinds.empty() && each.type != "any")
        each.kinds = static_cast<char>(ValueKind::tensor);
  return version;
}

std::vector<std::string> names_in(std::string_view space) {
  std::vector<std::string> names;
  for (const auto& [schema, records] : table_index().operators)
    if (space_of(schema) == space) names.push_back(schema.substr(space.size()));
  return names;
}

} // namespace

int newest_onnx_opset() { return table_index().newest_opset; }

std::vector<OperatorVersion> versions_in_onnx(std::string_view schema) {
  std::vector<OperatorVersion> versions;
  const auto found = table_index().operators.find(schema);
  if (found == table_index().operators.end()) return versions;
  for (std::string_view records = found->second; !records.empty();)
    versions.push_back(
        of_tensors(parse_operator_version(take_before(';', records), table_index().dtypes)));
  return versions;
}

bool is_misnamed(std::string_view schema) {
  const bool grows = space_of(schema) == "com.microsoft::"; // with each release, and a build's own
  return !grows && !table_index().operators.contains(schema) && !names_in(space_of(schema)).empty();
}

std::string nearest_operator(std::string_view schema) {
  const std::string_view space = space_of(schema);
  return nearest(schema.substr(space.size()), names_in(space));
}

} // namespace model_validator::rules
