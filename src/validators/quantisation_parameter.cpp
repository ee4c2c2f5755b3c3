#include "text/plural.h"
#include "validators/checks.h"
#include "validators/program_view.h"

#include <model_validator/data/contains.h>
#include <model_validator/data/float16.h>

#include <array>
#include <cmath>
#include <limits>
#include <set>

namespace model_validator {
namespace {

constexpr RuleInfo rule{.name = "quantisation-parameter",
                        .code = "QNT002",
                        .summary = "a scale or zero point that cannot be right",
                        .severity = Severity::error,
                        .about_code = false};

constexpr std::array real_dtypes = std::to_array<std::string_view>(
    {"float32", "float16", "bfloat16", "float64", "float8_e8m0fnu"});

/// What is wrong with a number as a scale; empty if nothing is.
std::string fault_of(double scale, const Quantisation& quantisation) {
  if (std::isnan(scale)) return "NaN";
  if (std::isinf(scale)) return "infinite";
  // A block of weights may be stored with its sign, and one that is all zeros without a scale.
  if (quantisation.block_size > 0) return {};
  if (scale < 0) return "negative";
  if (scale == 0) return "zero";
  if (scale > max_float16) return "larger than any value that a network computes";
  const bool wide = quantisation.scale.type.dtype != "float16";
  const auto smallest = static_cast<double>(std::numeric_limits<float>::min());
  return wide && scale < smallest ? "too small to be a normal number" : std::string();
}

class ParameterChecker {
public:
  ParameterChecker(const ConnectedGraph& graph, Diagnostics& diagnostics)
      : graph_(graph), view_(graph), diagnostics_(diagnostics) {}

  void run() {
    if (!view_.quantised()) return;
    for (const ProgramNode& node : view_.nodes()) {
      for (const QuantisedOperand& each : node.quantised) check(node, each);
      check_fused(node);
    }
  }

private:
  void check(const ProgramNode& node, const QuantisedOperand& each) {
    const Quantisation& quantisation = *each.quantisation;
    check_values(node, quantisation);
    check_dtypes(node, each);
    if (scale_count(quantisation) > 1) check_vector(node, each);
  }

  /// One finding for a tensor, however many nodes read it.
  void report(const ProgramNode& node, const std::string& tensor, const std::string& problem,
              std::string message, std::string help) {
    if (!tensor.empty() && !told_.insert(tensor + '\n' + problem).second) return;
    diagnostics_.add(view_.finding_of(node, diagnostics_, std::move(message)), std::move(help));
  }

  static std::string spoken_scale(const Quantisation& quantisation) {
    return quantisation.scale.name.empty() ? "the scale"
                                           : "scale `" + quantisation.scale.name + '`';
  }

  void check_values(const ProgramNode& node, const Quantisation& quantisation) {
    if (!quantisation.scale.values) return;
    const std::vector<double>& scales = *quantisation.scale.values;
    std::string fault;
    std::size_t count = 0;
    for (const double scale : scales)
      if (const std::string found = fault_of(scale, quantisation); !found.empty()) {
        if (fault.empty()) fault = found;
        if (found == fault) ++count;
      }
    if (fault.empty()) return;
    const std::string where = scales.size() == 1 ? std::string()
                                                 : " in " + std::to_string(count) + " of " +
                                                       plural(scales.size(), "place");
    report(node, quantisation.scale.name, fault,
           spoken_scale(quantisation) + " of " + view_.spoken(node) + " is " + fault + where,
           "quantise again with data in which the value is not constant, or leave this value in "
           "float");
  }

  void check_dtypes(const ProgramNode& node, const QuantisedOperand& each) {
    const Quantisation& quantisation = *each.quantisation;
    const std::string& scale = quantisation.scale.type.dtype;
    if (!scale.empty() && !contains(real_dtypes, scale))
      report(node, quantisation.scale.name, "dtype",
             spoken_scale(quantisation) + " of " + view_.spoken(node) + " is of " + scale,
             "store the scale in float32");
    const std::string stored = stored_dtype(node, each);
    const std::string& zero = quantisation.zero_point.type.dtype;
    // PyTorch's operators take zero points of any integer dtype.
    if (graph_.origin.format == FileFormat::onnx && !zero.empty() && !stored.empty() &&
        zero != stored)
      report(node, {}, {},
             "zero point `" + quantisation.zero_point.name + "` of " + view_.spoken(node) +
                 " is of " + zero + ", but what it is subtracted from is of " + stored,
             "store the zero point in " + stored);
  }

  /// What is stored, by what made it.
  std::string stored_dtype(const ProgramNode& node, const QuantisedOperand& each) const {
    if (each.operand == QuantisedOperand::result) return {}; // its zero point decides it
    const std::size_t operand = view_.input(node, each.operand);
    const ProgramNode* maker = view_.maker(operand);
    if (maker != nullptr && maker->role == QuantisedRole::quantise && !maker->quantised.empty())
      return maker->quantised.front().quantisation->dtype;
    return each.quantisation->dtype;
  }

  /// The value whose dimensions the scales are counted by.
  std::size_t scaled_value(const ProgramNode& node, const QuantisedOperand& each) const {
    if (each.operand != QuantisedOperand::result) return view_.input(node, each.operand);
    return node.role == QuantisedRole::quantise ? view_.input(node, 0)
           : node.outputs.empty()               ? none
                                                : node.outputs.front();
  }

  /// Before opset 13, operators of ONNX's own domain take no scale for each channel.
  bool takes_one_scale(const ProgramNode& node) const {
    return graph_.origin.opset && *graph_.origin.opset < 13 && node.schema.starts_with("onnx::");
  }

  void check_vector(const ProgramNode& node, const QuantisedOperand& each) {
    const Quantisation& quantisation = *each.quantisation;
    const std::size_t scaled = scaled_value(node, each);
    if (scaled == none) return;
    const auto& shape = view_.value(scaled).type.shape;
    const std::string count = plural(scale_count(quantisation), "scale");
    const bool has_one_for_each = shape && fits(quantisation, *shape);
    if (is_activation(node, each, scaled)) {
      if (!has_one_for_each)
        report(node, {}, {},
               view_.spoken(node) + " gives an activation " + count +
                   (shape ? ", which its shape " + to_python(*shape) + " does not take" : ""),
               "give the activation one scale and one zero point");
      return;
    }
    if (graph_.origin.format != FileFormat::onnx || node.role == QuantisedRole::compute) return;
    if (takes_one_scale(node))
      return report(node, "every scale", "opset",
                    view_.spoken(node) + " has " + count + ", which opset " +
                        std::to_string(*graph_.origin.opset) + " does not take",
                    "convert the model to opset 13 before it is quantised");
    if (shape && !has_one_for_each)
      report(node, {}, {},
             view_.spoken(node) + " has " + count + " along axis " +
                 std::to_string(quantisation.axis.value_or(1)) + " of `" +
                 view_.value(scaled).name + "`, whose shape is " + to_python(*shape),
             "give one scale for each channel along the axis, and the axis of the channels");
  }

  bool is_activation(const ProgramNode& node, const QuantisedOperand& each,
                     std::size_t scaled) const {
    if (view_.is_constant(scaled)) return false;
    if (node.role == QuantisedRole::quantise) return true;
    if (node.role != QuantisedRole::dequantise || each.operand == QuantisedOperand::result)
      return false;
    const ProgramNode* maker = view_.maker(scaled);
    return maker != nullptr && maker->role == QuantisedRole::quantise;
  }

  static bool fits(const Quantisation& quantisation, const std::vector<std::int64_t>& shape) {
    const auto rank = static_cast<std::int64_t>(shape.size());
    std::int64_t axis = quantisation.axis.value_or(1);
    if (axis < 0) axis += rank;
    if (axis < 0 || axis >= rank) return false;
    const auto& scales = quantisation.scale.type.shape;
    if (quantisation.block_size > 0) return fits_blocks(quantisation, shape, axis);
    const auto size = shape[static_cast<std::size_t>(axis)];
    return size < 0 || !scales || scales->size() != 1 || scales->front() < 0 ||
           scales->front() == size;
  }

  static bool fits_blocks(const Quantisation& quantisation, const std::vector<std::int64_t>& shape,
                          std::int64_t axis) {
    const auto& scales = quantisation.scale.type.shape;
    if (!scales) return true;
    if (scales->size() != shape.size()) return false;
    for (std::size_t i = 0; i < shape.size(); ++i) {
      if (shape[i] < 0 || (*scales)[i] < 0) continue;
      const std::int64_t block = static_cast<std::int64_t>(i) == axis ? quantisation.block_size : 1;
      if ((*scales)[i] != (shape[i] + block - 1) / block) return false;
    }
    return true;
  }

  /// What dequantises all that a node is given, and what alone quantises its result; nothing where
  /// one of them is missing.
  std::vector<const ProgramNode*> quantised_around(const ProgramNode& node) const {
    std::vector<const ProgramNode*> around;
    for (const std::size_t input : node.inputs) {
      const ProgramNode* from = view_.dequantiser(input);
      if (from == nullptr) return {};
      around.push_back(from);
    }
    if (node.outputs.empty() || node.outputs[0] == none) return {};
    const auto& readers = view_.readers(node.outputs[0]);
    if (readers.size() != 1 || view_.node(readers[0].node).role != QuantisedRole::quantise)
      return {};
    around.push_back(&view_.node(readers[0].node));
    return around;
  }

  /// ONNX Runtime fuses these into operators that take only scalars, and then refuses the model.
  void check_fused(const ProgramNode& node) {
    if (node.schema != "onnx::Add" && node.schema != "onnx::Mul") return;
    for (const ProgramNode* each : quantised_around(node))
      for (const QuantisedOperand& operand : each->quantised) {
        const Quantisation& quantisation = *operand.quantisation;
        if (!has_dimension(quantisation.scale) && !has_dimension(quantisation.zero_point)) continue;
        report(*each, quantisation.scale.name, "shape",
               spoken_scale(quantisation) + " of " + view_.spoken(*each) + " is a vector at " +
                   view_.spoken(node) + ", where ONNX Runtime takes only a scalar",
               "store scale and zero point with the shape (), not (1,): with its optimisations on, "
               "the runtime does not load the file");
      }
  }

  static bool has_dimension(const QuantisationNumbers& numbers) {
    return numbers.given && numbers.type.shape && !numbers.type.shape->empty();
  }

  const ConnectedGraph& graph_;
  ProgramView view_;
  Diagnostics& diagnostics_;
  std::set<std::string> told_;
};

/// Scales and zero points that no runtime can compute with as they are.
void run(const ConnectedGraph& graph, const Context& /*context*/, Diagnostics& diagnostics) {
  ParameterChecker(graph, diagnostics).run();
}

} // namespace

const Check checks::quantisation_parameter(rule, run);

} // namespace model_validator
