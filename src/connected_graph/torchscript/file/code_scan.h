#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <string_view>

namespace model_validator::torchscript {

/// What can be said about TorchScript code without parsing it.
struct CodeScan {
  std::size_t expression_depth = 0; ///< no expression is nested deeper
  std::size_t block_depth = 0;      ///< no block is nested deeper
  std::size_t definitions = 0;      ///< classes and functions
  std::size_t exits = 0;            ///< `return`, `break`, `continue` of one function, at most
  bool unrolls = false;             ///< a loop goes over something other than a range
  std::set<std::string> operators;  ///< called through `ops`: `torchvision::nms`
};

/// Scans `code` and adds what it finds to `scan`. Needs no more stack for nested code than for flat
/// code.
void scan_code(std::string_view code, CodeScan& scan);

} // namespace model_validator::torchscript
