#pragma once

#include "introspection/structure.h"
#include "introspection/weight_difference.h"

#include <model_validator/model.h>

#include <optional>
#include <string>
#include <vector>

namespace model_validator {

/// How two models compare.
struct ModelDifference {
  enum class Verdict { same_fingerprint, same_structure, different_structure };

  /// One side of the first structural difference.
  struct Place {
    std::string op;     ///< its name; empty where the model has ended
    std::string module; ///< whose code it is, or the module that it calls
    SourceLocation source;
    std::string text; ///< the op, written out
  };

  Verdict verdict = Verdict::same_fingerprint;
  std::string first_path;
  std::string second_path;
  std::size_t weights = 0;             ///< tensors compared
  std::size_t changed_weights = 0;     ///< of those
  std::vector<ChangedWeights> changed; ///< of those the floating ones, the most changed first
  bool same_format = true;
  std::string what; ///< the first structural difference, in words
  Place first;
  Place second;
};

const char* to_string(ModelDifference::Verdict verdict);

/// Compares structures, and where they are equal weights.
/// @throws Error
ModelDifference compare_models(const std::filesystem::path& first,
                               const std::filesystem::path& second,
                               const ReadOptions& options = {});

} // namespace model_validator
