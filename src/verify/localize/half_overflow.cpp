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

/// The operand that must not be 0; empty where any may be, or it is stored.
std::string divisor_of(const Intermediate& op) {
  return op.op == "Log" || op.op == "Reciprocal" || op.op == "Div" ? op.last_operand : "";
}

class HalfRange {
public:
  std::optional<HalfLoss> first;

  void see(const Intermediate& shown) {
    if (first || !shown.tensor.is_floating_point()) return;
    const bool is_half = shown.tensor.scalar_type() == c10::kHalf;
    const NonFinite found = sketch_of(shown.tensor).non_finite;
    const std::string name = shown.node.empty() ? shown.name : shown.node;
    if (!has_none(found)) {
      const bool was_finite = std::ranges::none_of(
          shown.inputs, [&](const std::string& input) { return not_finite_.count(input) != 0; });
      not_finite_.insert(shown.name);
      if (was_finite && is_half && grows(shown.op) && found.positive_infinity > 0)
        first = HalfLoss{name, false};
    } else if (is_half && vanished_.count(divisor_of(shown)) != 0) {
      first = HalfLoss{name, true}; // finite, so what it reads was not yet rounded to 0
    }
    if (is_half && (shown.tensor == 0).any().item().toBool()) vanished_.insert(shown.name);
  }

private:
  std::set<std::string> not_finite_, vanished_;
};

} // namespace

std::optional<HalfLoss> first_half_loss(const ShowRun& model) {
  HalfRange range;
  IntermediateRun run;
  run.needs_outputs = false;
  run.visit = [&](const Intermediate& shown) { range.see(shown); };
  shown_outputs(model, run, "candidate");
  return std::move(range.first);
}

} // namespace model_validator::verify
