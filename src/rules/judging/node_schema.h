#pragma once

#include <model_validator/file_rules.h>
#include <model_validator/program.h>

#include <optional>
#include <string>

namespace model_validator::rules {

/// The formal parameter that stands for operand `number`; null where the schema has none for it.
const OperatorVersion::Parameter*
parameter_of(const std::vector<OperatorVersion::Parameter>& parameters, std::size_t number);

/// What is wrong with a node, said twice.
struct SchemaBreach {
  std::string kind;       ///< as profiles call it in `[[forms]]`: `attribute-missing`
  std::string quoted;     ///< in the words of ONNX and ONNX Runtime
  std::string plain;      ///< ours, as a clause: `the attribute `axis` is missing`
  std::string which = {}; ///< the attribute, or the number of the operand
  std::string what = {};  ///< what it is
};

inline constexpr const char* remedy_of_breach =
    "export the model again; if that gives the same file, the exporter, or what changed the file "
    "after it, wrote a wrong node";

/// What is wrong with a node by the schema of its operator: its attributes, the number of its
/// operands, or their dtypes as far as they are known.
std::optional<SchemaBreach> breach_of_schema(const OperatorVersion& version, NodeView node);

} // namespace model_validator::rules
