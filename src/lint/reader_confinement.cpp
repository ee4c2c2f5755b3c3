#include "lint/reader_confinement.h"

#include <model_validator/target_profile.h>

namespace model_validator {

process::Confinement confinement_of_reader(const std::vector<std::filesystem::path>& models,
                                           std::vector<std::filesystem::path> beside,
                                           const process::ReadingPolicy& policy) {
  beside.push_back(rules_folder());
  return process::confinement_for_reading(models, beside, policy);
}

} // namespace model_validator
