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
  /// What it lacks, or what of it does not fit together, nobody can make up for. OpenVINO and
  /// others run nodes with operands or dtypes that a schema does not have.
  bool runs_nowhere = false;
  std::string quoted;             ///< in the words of ONNX and ONNX Runtime
  std::string plain;              ///< ours, as a clause: `the attribute `axis` is missing`
  bool is_of_wide_floats = false; ///< float32 and float64 meet, of which TensorRT makes one
};

inline constexpr const char* remedy_of_breach =
    "export the model again; if that gives the same file, the exporter, or what changed the file "
    "after it, wrote a wrong node";

/// What is wrong with a node by the schema of its operator: its attributes, the number of its
/// operands, or their dtypes as far as they are known.
std::optional<SchemaBreach> breach_of_schema(const OperatorVersion& version, NodeView node);

} // namespace model_validator::rules
