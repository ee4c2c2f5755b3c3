#include "verify/command/stored_weights.h"

#include "verify/backends/xnnpack_weights.h"

namespace model_validator::verify {
namespace {

StoredWeightsFit fit(OwnWeights& own, const std::filesystem::path& program) {
  StoredWeightsFit found;
  visit_xnnpack_weights(program, [&](const FewBitWeight& weight) {
    ++found.stored;
    if (!own.of(weight).empty()) ++found.fitting;
  });
  found.misfits = own.misfits();
  found.fitting -= found.misfits.size();
  return found;
}

} // namespace

StoredWeightsFit fit_stored_weights(const ModelFile& reference,
                                    const std::filesystem::path& program) {
  OwnWeights own(reference.path);
  StoredWeightsFit found = fit(own, program);
  if (found.fitting == found.stored) return found;
  own.add_folded(ReadModel(reference.path, reference.options));
  own.begin_again();
  return fit(own, program);
}

} // namespace model_validator::verify
