#pragma once

#include <model_validator/verify/checkers.h>
#include <model_validator/verify/request.h>

#include <memory>

namespace model_validator::verify {

/// The value checker that `--checker` and the tolerances ask for. `same` has none: it judges the
/// whole result. @throws Error (`usage`)
std::shared_ptr<const ValueChecker> choose_checker(const VerifyRequest& request);

} // namespace model_validator::verify
