#pragma once

#include <model_validator/file_rules.h>

#include <string_view>

namespace model_validator::rules {

/// The words that an attribute of an operator of ONNX, or each item of a list, is one of, in one
/// version of the operator.
struct AttributeWords {
  std::string_view words;             ///< separated by spaces; empty where any text may stand
  bool by_onnx_runtime_alone = false; ///< OpenVINO takes other words
  bool in_any_case = false;           ///< every runtime passes over capitals

  bool allow(std::string_view word) const;
  /// The same, but for capitals, which OpenVINO passes over.
  bool allow_in_any_case(std::string_view word) const;
};
AttributeWords words_of(std::string_view operator_name, std::string_view attribute,
                        const OperatorVersion& version);

} // namespace model_validator::rules
