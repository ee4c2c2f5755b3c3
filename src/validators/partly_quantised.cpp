#include "validators/checks.h"
#include "validators/program_view.h"

#include <model_validator/data/contains.h>

#include <algorithm>
#include <array>

namespace model_validator {
namespace {

constexpr RuleInfo rule{.name = "partly-quantised",
                        .code = "QNT005",
                        .summary = "a quantised operator reads a value that is not quantised",
                        .severity = Severity::warning,
                        .about_code = false};

/// Layers that compute in integers only if all their operands are quantised.
bool is_layer(const ProgramNode& node) {
  constexpr auto layers =
      std::to_array<std::string_view>({"Conv", "ConvTranspose", "Gemm", "MatMul"});
  return node.schema.starts_with("onnx::") && contains(layers, operator_of(node));
}

/// Operators that quantisers surround on every side.
bool joins_values(const ProgramNode& node) {
  constexpr auto joining = std::to_array<std::string_view>({"Add", "Mul", "Concat"});
  return node.schema.starts_with("onnx::") && contains(joining, operator_of(node));
}

class PartFinder {
public:
  PartFinder(const ConnectedGraph& graph, Diagnostics& diagnostics)
      : view_(graph), diagnostics_(diagnostics) {}

  void run() {
    if (!view_.quantised()) return;
    // Weights alone may be quantised, on purpose.
    const bool activations = has_quantised_activations();
    for (const ProgramNode& node : view_.nodes()) {
      if (!is_layer(node) && !joins_values(node)) continue;
      for (std::size_t input = 0; input < node.inputs.size() && input < 2; ++input)
        if (is_bypassed(node, input) || (activations && is_left_out(node, input)))
          report(node, input);
    }
  }

private:
  bool has_quantised_activations() const {
    return std::ranges::any_of(view_.nodes(), [&](const ProgramNode& node) {
      return is_layer(node) && has_stored_weight(node) &&
             std::ranges::any_of(node.inputs, [&](std::size_t input) {
               return input != none && view_.dequantiser(input) != nullptr &&
                      !view_.is_constant(input);
             });
    });
  }

  bool has_stored_weight(const ProgramNode& node) const {
    return std::ranges::any_of(node.inputs, [&](std::size_t input) {
      return input != none && view_.is_constant(input) && view_.dequantiser(input) != nullptr;
    });
  }

  bool is_float_activation(std::size_t value) const {
    return value != none && !view_.is_constant(value) && !view_.comes_from_quantised(value);
  }

  /// A layer with quantised weights whose other operand is not quantised.
  bool is_left_out(const ProgramNode& node, std::size_t input) const {
    return is_layer(node) && has_stored_weight(node) && is_float_activation(node.inputs[input]);
  }

  bool is_quantised_somewhere(std::size_t value) const {
    return std::ranges::any_of(view_.readers(value), [&](const ValueReader& reader) {
      return view_.node(reader.node).role == QuantisedRole::quantise;
    });
  }

  /// The value is quantised for others, and the operator's other operand is quantised too.
  bool is_bypassed(const ProgramNode& node, std::size_t input) const {
    const std::size_t value = node.inputs[input];
    if (value == none || view_.is_constant(value) || view_.dequantiser(value) != nullptr ||
        !is_quantised_somewhere(value))
      return false;
    return std::ranges::any_of(node.inputs, [&](std::size_t other) {
      return other != none && view_.dequantiser(other) != nullptr;
    });
  }

  void report(const ProgramNode& node, std::size_t input) {
    Diagnostic finding =
        view_.finding_of(node, diagnostics_,
                         "operand `" + view_.value(node.inputs[input]).name + "` of " +
                             view_.spoken(node) + " is not quantised, although " +
                             (is_layer(node) ? "its weights are" : "its other operand is"));
    finding.notes.emplace_back("a runtime computes it in float, at the price of dequantising the "
                               "rest");
    finding.help = "quantise the operand too, or leave the whole operator in float";
    diagnostics_.add(std::move(finding));
  }

  ProgramView view_;
  Diagnostics& diagnostics_;
};

/// Quantised operators that read a value past its quantisation.
void run(const ConnectedGraph& graph, const Context& /*context*/, Diagnostics& diagnostics) {
  PartFinder(graph, diagnostics).run();
}

} // namespace

const Check checks::partly_quantised(rule, run);

} // namespace model_validator
