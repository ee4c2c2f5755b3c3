#pragma once

#include <string>
#include <string_view>

namespace model_validator::rules {

/// The parts of an operator's schema name: `aten::add_.Tensor`.
struct OperatorName {
  std::string space;    ///< `aten`; empty for a Python function
  std::string base;     ///< `add_`
  std::string overload; ///< `Tensor`; empty for the default one, also written `.default`

  std::string qualified() const;     ///< `aten::add_`
  std::string with_overload() const; ///< `aten::add_.Tensor`
  bool inplace() const;              ///< ends in one underscore, and is no `__and__`
  /// `aten::add.Tensor`. A converter cuts one underscore: `__ior__` is another name than `__or__`.
  OperatorName functional() const;
};

OperatorName parse_operator_name(std::string_view schema);

} // namespace model_validator::rules
