#pragma once

#include <model_validator/verify/checkers.h>
#include <model_validator/verify/request.h>

#include <map>
#include <memory>
#include <string>

namespace model_validator::verify {

using NoiseFloors = std::map<std::string, NoiseFloor>; ///< by output

/// The value checker that `--checker` and the tolerances ask for. `same` has none: it judges the
/// whole result. @param floors  for the default checker @throws Error (`usage`)
std::shared_ptr<const ValueChecker> choose_checker(const VerifyRequest& request,
                                                   const NoiseFloors& floors);

} // namespace model_validator::verify
