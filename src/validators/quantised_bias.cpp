#include "text/numbers.h"
#include "text/plural.h"
#include "validators/checks.h"
#include "validators/program_view.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace model_validator {
namespace {

constexpr RuleInfo rule{.name = "quantised-bias",
                        .code = "QNT003",
                        .summary = "an integer bias that its layer adds with another scale",
                        .severity = Severity::error,
                        .about_code = false};

/// Rounding of a product in float32 is far below this.
constexpr double tolerance = 1e-4;

bool has_bias(const ProgramNode& node) {
  return node.inputs.size() > 2 && node.inputs[2] != none &&
         (node.schema == "onnx::Conv" || node.schema == "onnx::ConvTranspose" ||
          node.schema == "onnx::Gemm");
}

bool all_zero(const QuantisationNumbers& numbers) {
  return !numbers.values ||
         std::ranges::all_of(*numbers.values, [](double value) { return value == 0; });
}

class BiasChecker {
public:
  BiasChecker(const ConnectedGraph& graph, Diagnostics& diagnostics)
      : view_(graph), diagnostics_(diagnostics) {}

  void run() {
    if (!view_.quantised()) return;
    for (const ProgramNode& node : view_.nodes())
      if (has_bias(node)) check(node);
  }

private:
  void check(const ProgramNode& layer) {
    const ProgramNode* bias = view_.dequantiser(layer.inputs[2]);
    if (bias == nullptr) return check_plain(layer);
    if (bias->quantised.empty() || bias->quantised[0].quantisation->dtype != "int32") return;
    const Quantisation& quantisation = *bias->quantised[0].quantisation;
    const ProgramValue& stored = view_.value(bias->inputs[0]);
    if (!all_zero(quantisation.zero_point))
      report(layer, *bias, "the zero point of the bias of " + view_.spoken(layer) + " is not 0",
             "an integer bias is added as it is: set its zero point to 0, or leave it out");
    if (stored.numbers) check_saturation(layer, *bias, *stored.numbers);
    check_scale(layer, *bias, quantisation);
  }

  void check_plain(const ProgramNode& layer) {
    const ProgramValue& bias = view_.value(layer.inputs[2]);
    if (bias.type.dtype != "int32" && bias.type.dtype != "int8" && bias.type.dtype != "uint8")
      return;
    if (view_.dequantiser(layer.inputs[0]) == nullptr &&
        view_.dequantiser(layer.inputs[1]) == nullptr)
      return;
    report(layer, layer,
           "the bias `" + bias.name + "` of " + view_.spoken(layer) +
               " is stored as integers, but not dequantised",
           "put a DequantizeLinear between the bias and the layer, with the scale of the input "
           "times that of the weights");
  }

  void check_saturation(const ProgramNode& layer, const ProgramNode& bias,
                        const std::vector<double>& numbers) {
    const auto saturated = std::ranges::count_if(numbers, [](double number) {
      return number >= std::numeric_limits<std::int32_t>::max() ||
             number <= std::numeric_limits<std::int32_t>::min();
    });
    if (saturated == 0) return;
    report(layer, bias,
           "the bias of " + view_.spoken(layer) + " is cut off at the limit of int32 in " +
               std::to_string(saturated) + " of " + plural(numbers.size(), "channel"),
           "the scale of the input times that of the weights is too small for it: leave this layer "
           "or its bias in float, or give the weights a larger scale");
  }

  /// How many times as large as it should be each wrong scale is.
  static std::vector<double> wrong_scales(const Quantisation& bias, const Quantisation& input,
                                          const Quantisation& weight, std::size_t count) {
    std::vector<double> ratios;
    for (std::size_t i = 0; i < count; ++i) {
      const auto stated = scale_of(bias, i), x = scale_of(input, 0), w = scale_of(weight, i);
      if (!stated || !x || !w) continue;
      const double expected = *x * *w;
      if (!std::isfinite(expected) || !(expected > 0)) continue; // told about those scales
      if (std::abs(*stated - expected) > tolerance * expected) ratios.push_back(*stated / expected);
    }
    return ratios;
  }

  void check_scale(const ProgramNode& layer, const ProgramNode& bias,
                   const Quantisation& quantisation) {
    const ProgramNode* input = view_.dequantiser(layer.inputs[0]);
    const ProgramNode* weight = view_.dequantiser(layer.inputs[1]);
    if (input == nullptr || weight == nullptr || input->quantised.empty() ||
        weight->quantised.empty())
      return;
    const Quantisation& of_input = *input->quantised[0].quantisation;
    const Quantisation& of_weight = *weight->quantised[0].quantisation;
    if (scale_count(of_input) != 1 || of_weight.block_size > 0) return;
    const std::size_t count = std::max(scale_count(quantisation), scale_count(of_weight));
    const std::vector<double> ratios = wrong_scales(quantisation, of_input, of_weight, count);
    if (ratios.empty()) return;
    Diagnostic finding = start(
        layer, bias,
        "the scale of the bias of " + view_.spoken(layer) +
            " is not that of its input times that of its weights" +
            (count > 1 ? " in " + std::to_string(ratios.size()) + " of " + plural(count, "channel")
                       : std::string()));
    finding.notes.push_back("it is " + short_number(ratios.back(), 3) +
                            " times as large; a kernel that computes in "
                            "integers adds the bias without looking at its scale");
    diagnostics_.add(
        std::move(finding),
        "quantise the bias again with the scale of the input times that of the weights");
  }

  Diagnostic start(const ProgramNode& layer, const ProgramNode& bias, std::string message) const {
    Diagnostic finding = view_.finding_of(layer, diagnostics_, std::move(message));
    if (&bias != &layer) finding.notes.push_back("it is dequantised by " + view_.spoken(bias));
    return finding;
  }

  void report(const ProgramNode& layer, const ProgramNode& bias, std::string message,
              std::string help) {
    diagnostics_.add(start(layer, bias, std::move(message)), std::move(help));
  }

  ProgramView view_;
  Diagnostics& diagnostics_;
};

/// Integer biases that do not have the scale that their layer adds them with.
void run(const ConnectedGraph& graph, const Context& /*context*/, Diagnostics& diagnostics) {
  BiasChecker(graph, diagnostics).run();
}

} // namespace

const Check checks::quantised_bias(rule, run);

} // namespace model_validator
