#include "text/plural.h"
#include "validators/checks.h"
#include "validators/program_view.h"

#include <model_validator/data/contains.h>
#include <model_validator/data/words.h>
#include <model_validator/target_profile.h>

#include <string>

namespace model_validator {
namespace {

constexpr RuleInfo rule{.name = "saturating-products",
                        .code = "QNT012",
                        .summary = "integer products that saturate on some processors",
                        .severity = Severity::info,
                        .about_code = false};

/// Products of operand 0 with operand 1, and what it is quantised as.
constexpr auto layers = word_array<
    "Conv Gemm MatMul FusedConv FusedMatMul ConvInteger MatMulInteger DynamicQuantizeMatMul "
    "MatMulIntegerToFloat QLinearConv QLinearMatMul QGemm">;

class ProductChecker {
public:
  ProductChecker(const ConnectedGraph& graph, Diagnostics& diagnostics)
      : view_(graph), diagnostics_(diagnostics) {}

  void run(const TargetProfile& target) {
    if (!view_.quantised()) return;
    const ProgramNode* first = nullptr;
    std::size_t count = 0;
    for (const ProgramNode& node : view_.nodes()) {
      if (!multiplies_unlike(node)) continue;
      if (first == nullptr) first = &node;
      ++count;
    }
    if (first != nullptr) report(target, *first, count);
  }

private:
  bool multiplies_unlike(const ProgramNode& node) const {
    if (!contains(layers, operator_of(node))) return false;
    const bool dynamic = operator_of(node) == "DynamicQuantizeMatMul"; // to uint8, within
    const std::size_t weight =
        operator_of(node).starts_with("QLinear") || node.schema.ends_with("QGemm") ? 3 : 1;
    return (dynamic || stored_dtype(node, 0) == "uint8") && stored_dtype(node, weight) == "int8";
  }

  /// In what an operand is stored; empty where it is not quantised.
  std::string stored_dtype(const ProgramNode& node, std::size_t operand) const {
    for (const QuantisedOperand& each : node.quantised)
      if (each.operand == operand && !each.quantisation->dtype.empty())
        return each.quantisation->dtype;
    const std::size_t value = view_.input(node, operand);
    if (value == none) return {};
    if (const ProgramNode* from = view_.dequantiser(value);
        from != nullptr && !from->quantised.empty())
      return from->quantised[0].quantisation->dtype;
    return view_.value(value).type.dtype;
  }

  void report(const TargetProfile& target, const ProgramNode& first, std::size_t count) {
    Diagnostic finding =
        view_.finding_of(first, diagnostics_,
                         plural(count, "layer") + ", " + view_.spoken(first) + " first, multipl" +
                             (count == 1 ? "ies" : "y") + " uint8 activations by int8 weights");
    finding.notes.push_back(target.saturates);
    diagnostics_.add(
        std::move(finding),
        "quantise with `reduce_range=True`, or weights and activations both as int8 or "
        "both as uint8, where the file has to run on such processors");
  }

  ProgramView view_;
  Diagnostics& diagnostics_;
};

/// Products of integers that the kernels of a target add in too few bits on some processors.
void run(const ConnectedGraph& graph, const Context& context, Diagnostics& diagnostics) {
  for (const TargetProfile* target : context.targets)
    if (!target->saturates.empty()) return ProductChecker(graph, diagnostics).run(*target);
}

} // namespace

const Check checks::saturating_products(rule, run);

} // namespace model_validator
