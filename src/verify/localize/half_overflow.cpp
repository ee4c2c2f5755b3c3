#include "verify/localize/half_overflow.h"

#include "verify/localize/sketch.h"

#include <algorithm>
#include <set>

namespace model_validator::verify {
namespace {

bool has_none(const NonFinite& found) {
  return found.nan == 0 && found.positive_infinity == 0 && found.negative_infinity == 0;
}

/// Division by zero and logarithms of it are infinite in float32 as well; masks are, too.
bool grows(const std::string& op) {
  static const std::set<std::string> growing{
      "Add",    "Conv", "ConvTranspose", "Einsum",   "Exp",        "Gemm",      "GlobalAveragePool",
      "MatMul", "Mul",  "Pow",           "ReduceL2", "ReduceMean", "ReduceSum", "ReduceSumSquare",
      "Sub",    "Sum"};
  return growing.count(op) != 0;
}

} // namespace

std::optional<std::string> first_overflow(const ShowRun& model) {
  std::set<std::string> not_finite;
  std::optional<std::string> first;
  IntermediateRun run;
  run.visit = [&](const Intermediate& shown) {
    if (first || !shown.tensor.is_floating_point()) return;
    const NonFinite found = sketch_of(shown.tensor).non_finite;
    if (has_none(found)) return;
    not_finite.insert(shown.name);
    const bool was_finite = std::ranges::none_of(
        shown.inputs, [&](const std::string& input) { return not_finite.count(input) != 0; });
    if (was_finite && shown.tensor.scalar_type() == c10::kHalf && grows(shown.op) &&
        found.positive_infinity > 0)
      first = shown.node.empty() ? shown.name : shown.node;
  };
  shown_outputs(model, run, "candidate");
  return first;
}

} // namespace model_validator::verify
