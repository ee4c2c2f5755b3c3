#pragma once

#include <optional>
#include <string>
#include <vector>

namespace model_validator {

/// A reason for which a quantiser fails, or does nothing, as the float file shows it.
struct QuantiserFailure {
  enum class Cause : char {
    quantised,        ///< the model is quantised already
    shared_bias,      ///< a bias is shared, and its copy would get the name of another value
    below_opset,      ///< the file's opset is below `opset`
    constant_rank,    ///< a constant operand has the rank `rank`
    bias_row,         ///< a bias has the shape [1, N]
    declared_weight,  ///< a weight that is turned (`transB`) is declared among the values too
    all_in_subgraphs, ///< every such node stands in a body of an If, Loop or Scan
  };
  Cause cause = Cause::quantised;
  std::vector<std::string> operators; ///< the nodes it is about: `Gemm`; for some causes
  int opset = 0;
  int rank = 0;
  std::string when;   ///< the option of the quantiser with which it fails: `per_channel=True`
  std::string reason; ///< what the quantiser does
  std::string remedy; ///< what to do before quantising
};

/// What a quantiser needs of a float model.
struct QuantiserRules {
  std::vector<QuantiserFailure> failures;
};

} // namespace model_validator
