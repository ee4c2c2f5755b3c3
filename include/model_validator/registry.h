#pragma once

#include <model_validator/validator.h>

#include <memory>
#include <string_view>
#include <vector>

namespace model_validator {

/// The checks that a run may use, in the order in which they run.
class Registry {
public:
  /// The checks that come with the program.
  static Registry builtin();

  /// Adds a check. @throws Error (`duplicate-rule`) when its name or code is taken.
  void add(std::shared_ptr<const Validator> validator);

  const std::vector<std::shared_ptr<const Validator>>& validators() const noexcept {
    return validators_;
  }
  /// By name or code; null where there is none.
  const Validator* find(std::string_view name_or_code) const;

private:
  std::vector<std::shared_ptr<const Validator>> validators_;
};

} // namespace model_validator
