#pragma once

#include <model_validator/verify/value.h>

#include <string>
#include <vector>

namespace model_validator::verify {

/// How `same` judges, with PyTorch dynamo's names and defaults.
struct SameTolerances {
  double tol = 1e-4;           ///< rtol and atol of allclose, with the result in the denominator
  bool cos_similarity = false; ///< cosine ≥ 0.99 instead
  bool equal_nan = false;
  bool exact_dtype = true;
};

/// What `same` found.
struct SameResult {
  bool equal = true;
  std::vector<std::string> differences; ///< `logits[0]: …`, all of them
  std::vector<std::string> notes;       ///< which rule let a value pass that allclose did not
  explicit operator bool() const { return equal; }
};

/// PyTorch dynamo's `same` over nested lists, tuples and dicts: allclose; failing that, if there is
/// a float64 reference, RMSE(fp64, res) ≤ m · RMSE(fp64, ref) + tol/10. A `ref` that is already
/// float64 is its own float64 reference. Structures, names, dtypes and shapes must agree: nothing
/// is broadcast, skipped or cut short.
SameResult same(const Value& ref, const Value& res, const Value* fp64_ref = nullptr,
                const SameTolerances& tolerances = {});

} // namespace model_validator::verify
