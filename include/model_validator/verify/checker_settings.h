#pragma once

#include <model_validator/verify/checkers.h>
#include <model_validator/verify/tolerances.h>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace model_validator::verify {

/// A value checker by its name, with what a command or a call says of it. What is not given has the
/// checker's own default; what a checker does not use (`checker_uses`) is left alone.
struct CheckerSettings {
  std::string name = "default"; ///< one of `checker_names`
  OutputTolerances rtol, atol, pcc;
  OutputTolerances sqnr; ///< in dB
  std::optional<double> dissimilarity_threshold, agreement;
  bool pcc_alone = false;
  bool equal_nan = false;
  bool find_tightest = false; ///< `least_rtol` will be asked for
};

/// The value checkers; `same` of a command, which judges a whole result, is none.
const std::vector<std::string>& checker_names();

/// Whether a checker uses one of the settings: `rtol`, `pcc_alone`.
bool checker_uses(std::string_view checker, std::string_view setting);

/// @throws Error (`usage`) for another name, or tolerances by output where the checker has one for
/// all
std::shared_ptr<const ValueChecker> make_checker(const CheckerSettings& settings);

} // namespace model_validator::verify
