#pragma once

#include <model_validator/verify/render.h>
#include <model_validator/verify/report.h>

#include <cstddef>
#include <string>
#include <vector>

namespace model_validator::verify {

/// `logits`, with the sample and the step where there are several.
std::string title_of(const OutputReport& output, const VerifyReport& report);

/// Outputs that do not pass.
std::size_t failures(const VerifyReport& report);

/// An output as the table shows it, which may stand for others.
struct ShownOutput {
  const OutputReport* output;
  std::string title;
};

/// Of outputs that agree and differ in one number of their names alone, such as the caches of equal
/// layers, only the one with the greatest difference, under the name of all:
/// `present.{0..31}.key`. Folded, one that is the same stands for all that are; without detail,
/// none that is the same is shown.
std::vector<ShownOutput> shown_outputs(const VerifyReport& report, Detail detail);

/// The shape, or what it is instead of a tensor; `missing`.
std::string side_shape(const std::optional<SideInfo>& side);
std::string side_dtype(const std::optional<SideInfo>& side);

} // namespace model_validator::verify
