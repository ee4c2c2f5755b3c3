#pragma once

#include <ATen/core/ivalue.h>
#include <torch/csrc/jit/api/compilation_unit.h>

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace model_validator::torchscript {

/// The constants of a file's module classes, `stride : Final[Tuple[int, int]] = (2, 2)`, hidden
/// from LibTorch while it imports the classes and added to them afterwards. For each constant
/// LibTorch compiles a function and runs it, a fifth of the load time of a ResNet. The methods of a
/// saved file contain the values instead of the names, and could not name a constant.
class ClassConstants {
public:
  /// Blanks the constants out of the code, so that every other place stays where it is. A class is
  /// left alone if one of its constants is not a plain literal.
  /// @param qualifier  the prefix of the names of the code's classes: `__torch__.torch.nn`
  void take_from(std::string& code, const std::string& qualifier);

  /// Gives the imported classes the constants taken from their code.
  void give_to(const torch::jit::CompilationUnit& unit) const;

private:
  struct Class {
    std::string name; ///< qualified
    std::vector<std::pair<std::string, c10::IValue>> constants;
  };
  std::vector<Class> classes_;
};

/// The value of a literal if it is plain and of the declared type: a number, a boolean, a string
/// without escapes, None, or a tuple of integers.
std::optional<c10::IValue> plain_constant(std::string_view type, std::string_view literal);

} // namespace model_validator::torchscript
