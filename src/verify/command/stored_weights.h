#pragma once

#include "verify/command/model_file.h"
#include "verify/command/own_weights.h"

#include <cstddef>
#include <filesystem>
#include <vector>

namespace model_validator::verify {

/// How what a file stores in few bits fits the reference's weights.
struct StoredWeightsFit {
  std::size_t stored = 0, fitting = 0;
  std::vector<WeightMisfit> misfits;
};

template <class Archive> void describe(Archive& archive, StoredWeightsFit& fit) {
  archive(fit.stored, fit.fitting, fit.misfits);
}

/// Compares them one by one, of a program that cannot be run with nothing rounded. @throws Error
StoredWeightsFit fit_stored_weights(const ModelFile& reference,
                                    const std::filesystem::path& program);

} // namespace model_validator::verify
