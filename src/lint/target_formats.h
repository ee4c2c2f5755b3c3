#pragma once

#include <model_validator/graph_reader.h>
#include <model_validator/target_profile.h>

namespace model_validator {

/// Whether a target judges files of a format. Where it has no table for them, they are not judged,
/// which fails a run.
bool reads_format(const TargetProfile& target, FileFormat format);

} // namespace model_validator
