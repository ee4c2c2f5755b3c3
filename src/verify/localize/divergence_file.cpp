#include "files/process/value_file.h"
#include "verify/localize/localize.h"

namespace model_validator::verify {
namespace {

constexpr std::uint64_t max_divergence_size = std::uint64_t{64} << 20;

} // namespace

template <class Archive> void describe(Archive& archive, OpComparison& op) {
  archive(op.op, op.type, op.module, op.source, op.candidate, op.error, op.tolerance,
          op.first_divergent, op.introduced, op.sqnr, op.introduced_sqnr);
}
template <class Archive> void describe(Archive& archive, Divergence& divergence) {
  archive(divergence.ops, divergence.notes);
}

void write_divergence(const std::filesystem::path& file, const Divergence& divergence) {
  process::write_value(file, divergence);
}

Divergence read_divergence(const std::filesystem::path& file) {
  return process::read_value<Divergence>(file, max_divergence_size,
                                         "the search for the first differing op");
}

} // namespace model_validator::verify
