#include "verify/compare/layout.h"
#include "verify/compare/words.h"

#include <model_validator/verify/checkers.h>

#include <cstring>

namespace model_validator::verify {
namespace {

/// How many real numbers differ in their bits.
std::int64_t differing(const TensorView& reference, const TensorView& candidate) {
  const PairLayout layout(reference, candidate);
  const std::size_t width = element_size(reference.dtype) / (is_complex(reference.dtype) ? 2 : 1);
  const auto at = [width](const TensorView& tensor, std::int64_t offset) {
    return static_cast<const char*>(tensor.data) + offset * static_cast<std::int64_t>(width);
  };
  std::int64_t count = 0;
  layout.for_each_run(0, layout.size(), [&](auto a, auto a_stride, auto b, auto b_stride, auto n) {
    for (std::int64_t i = 0; i < n; ++i)
      count +=
          std::memcmp(at(reference, a + i * a_stride), at(candidate, b + i * b_stride), width) == 0
              ? 0
              : 1;
  });
  return count;
}

} // namespace

std::vector<Closeness> ExactValueChecker::closeness(const std::string&, DType) const {
  return {{0, 0, Denominator::reference}};
}

std::vector<Verdict> ExactValueChecker::check(const ComparedOutput& output,
                                              std::vector<std::string>&) const {
  if (output.reference.dtype != output.candidate.dtype)
    return {{"exact", false, "values of different dtypes have different bits", ""}};
  const std::int64_t count = differing(output.reference, output.candidate);
  if (count == 0) return {{"exact", true, "every bit is the same", ""}};
  return {{"exact", false,
           share(count, output.metrics.elements) + " differ in their bits, by at most " +
               number(output.metrics.max_abs),
           ""}};
}

} // namespace model_validator::verify
