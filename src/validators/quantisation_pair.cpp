#include "connected_graph/attributes.h"
#include "text/plural.h"
#include "validators/checks.h"
#include "validators/program_view.h"

#include <model_validator/data/contains.h>
#include <model_validator/target_profile.h>

#include <algorithm>
#include <cstdlib>
#include <optional>

namespace model_validator {
namespace {

constexpr RuleInfo rule{.name = "quantisation-pair",
                        .code = "QNT004",
                        .summary = "a value is quantised in one way and read in another",
                        .severity = Severity::error,
                        .about_code = false,
                        .decides_verdicts = true};

/// With fewer weights, one that is different need not be a mistake.
constexpr std::size_t min_symmetric = 3;

bool is_weight_operand(std::string_view type, std::size_t input) {
  if (type == "Conv" || type == "ConvTranspose") return input == 1;
  return (type == "MatMul" || type == "Gemm") && input < 2;
}

bool is_nonzero(const QuantisationNumbers& numbers) {
  return numbers.values &&
         std::ranges::any_of(*numbers.values, [](double value) { return value != 0; });
}

std::string number_text(const QuantisationNumbers& numbers) {
  if (!numbers.given) return "none";
  if (!numbers.values || numbers.values->size() != 1)
    return numbers.name.empty() ? "several" : '`' + numbers.name + '`';
  return to_python(numbers.values->front());
}

std::string text_of(const Quantisation& quantisation) {
  return "scale " + number_text(quantisation.scale) + " and zero point " +
         number_text(quantisation.zero_point);
}

class PairChecker {
public:
  PairChecker(const ConnectedGraph& graph, const Context& context, Diagnostics& diagnostics)
      : graph_(graph), view_(graph), context_(context), diagnostics_(diagnostics) {}

  void run() {
    if (!view_.quantised()) return;
    for (const ProgramNode& node : view_.nodes()) {
      if (node.quantised.empty()) continue;
      if (node.role == QuantisedRole::dequantise) check_pair(node);
      if (node.role == QuantisedRole::quantise) check_repetition(node);
      if (node.role == QuantisedRole::dequantise) check_axis(node);
    }
    check_symmetry();
    for (const TargetProfile* target : context_.targets)
      if (const TargetProfile* judging = for_format(*target); !judging->symmetric.empty())
        check_zero_points(*judging);
  }

private:
  void report(const ProgramNode& node, std::string message, std::string help, std::string note = {},
              std::vector<std::string> refused_by = {}) {
    Diagnostic finding = view_.finding_of(node, diagnostics_, std::move(message));
    finding.help = std::move(help);
    finding.refused_by = std::move(refused_by);
    if (!note.empty()) finding.notes.push_back(std::move(note));
    diagnostics_.add(std::move(finding));
  }

  void check_pair(const ProgramNode& reads) {
    const ProgramNode* makes = view_.maker(view_.input(reads, 0));
    if (makes == nullptr || makes->role != QuantisedRole::quantise || makes->quantised.empty())
      return;
    const Quantisation& written = *makes->quantised[0].quantisation;
    const Quantisation& read = *reads.quantised[0].quantisation;
    if (same_quantisation(written, read)) return check_pair_axis(*makes, reads);
    report(reads,
           view_.spoken(reads) + " dequantises what " + view_.spoken(*makes) +
               " quantised with other parameters",
           "give both the same scale and zero point",
           "it was quantised with " + text_of(written) + ", and is read with " + text_of(read));
  }

  /// The same scales, along another axis.
  void check_pair_axis(const ProgramNode& makes, const ProgramNode& reads) {
    const Quantisation& written = *makes.quantised[0].quantisation;
    const Quantisation& read = *reads.quantised[0].quantisation;
    if (scale_count(written) < 2 || scale_count(read) < 2) return;
    const std::int64_t before = written.axis.value_or(1);
    const std::int64_t after = read.axis.value_or(1);
    if (before == after || (before < 0) != (after < 0)) return;
    report(reads,
           view_.spoken(reads) + " dequantises along axis " + std::to_string(after) + " what " +
               view_.spoken(makes) + " quantised along axis " + std::to_string(before),
           "give both the same axis");
  }

  /// Quantised again at once: ONNX Runtime's optimiser drops the first pair, others round twice.
  void check_repetition(const ProgramNode& second) {
    const ProgramNode* first = view_.dequantiser(view_.input(second, 0));
    if (first == nullptr || first->quantised.empty()) return;
    const ProgramNode* before = view_.maker(view_.input(*first, 0));
    if (before == nullptr || before->role != QuantisedRole::quantise) return;
    const Quantisation& a = *first->quantised[0].quantisation;
    const Quantisation& b = *second.quantised[0].quantisation;
    if (same_quantisation(a, b) || a.dtype != b.dtype || is_joined(second)) return;
    report(second,
           view_.spoken(second) + " quantises again, with other parameters, what " +
               view_.spoken(*first) + " has just dequantised",
           "quantise the value once",
           "it was stored with " + text_of(a) + ", then with " + text_of(b));
  }

  /// What is joined has to be stored alike, and some quantisers see to it so.
  bool is_joined(const ProgramNode& quantiser) const {
    const auto any_reader = [&](const ProgramNode& node, const auto& holds) {
      if (node.outputs.empty() || node.outputs[0] == none) return false;
      return std::ranges::any_of(view_.readers(node.outputs[0]),
                                 [&](const auto& each) { return holds(view_.node(each.node)); });
    };
    const auto joins = [](const ProgramNode& node) {
      return operator_of(node) == "Concat" || operator_of(node) == "cat";
    };
    return any_reader(quantiser, [&](const ProgramNode& dequantiser) {
      return dequantiser.role == QuantisedRole::dequantise && any_reader(dequantiser, joins);
    });
  }

  /// Where the count of the scales is wrong, the axis is not.
  static bool has_another_count(const Quantisation& quantisation, std::int64_t size) {
    const auto& scales = quantisation.scale.type.shape;
    return scales && scales->size() == 1 && scales->front() != size;
  }

  /// Scales of weights differ by output channel.
  void check_axis(const ProgramNode& node) {
    const Quantisation& quantisation = *node.quantised[0].quantisation;
    const std::size_t stored = view_.input(node, 0);
    if (graph_.origin.format != FileFormat::onnx || scale_count(quantisation) < 2 ||
        quantisation.block_size > 0 || node.outputs.empty() || !view_.is_constant(stored))
      return;
    const auto& shape = view_.value(stored).type.shape;
    if (!shape || shape->size() < 2) return;
    const auto rank = static_cast<std::int64_t>(shape->size());
    std::int64_t axis = quantisation.axis.value_or(1);
    if (axis < 0) axis += rank;
    if (axis < 0 || axis >= rank) return;
    if (has_another_count(quantisation, (*shape)[static_cast<std::size_t>(axis)])) return;
    check_axis_at(node, node.outputs[0], axis, rank, 0);
  }

  void check_axis_at(const ProgramNode& dequantiser, std::size_t value, std::int64_t axis,
                     std::int64_t rank, int depth) {
    for (const ValueReader& reader : view_.readers(value)) {
      const ProgramNode& layer = view_.node(reader.node);
      if (layer.schema == "onnx::Transpose" && depth < 4) {
        if (const auto moved = moved_axis(layer, axis, rank))
          check_axis_at(dequantiser, layer.outputs.at(0), *moved, rank, depth + 1);
        continue;
      }
      const auto right = output_axis(layer, reader.input, rank);
      if (!right || *right == axis) continue;
      report(dequantiser,
             "the scales of " + view_.spoken(dequantiser) + " differ along axis " +
                 std::to_string(axis) + ", but the output channels of " + view_.spoken(layer) +
                 " are along axis " + std::to_string(*right),
             "set the axis to that of the output channels",
             "a runtime that computes in integers ignores the axis, another obeys it");
      return;
    }
  }

  static std::optional<std::int64_t> moved_axis(const ProgramNode& transpose, std::int64_t axis,
                                                std::int64_t rank) {
    const auto* perm = find_attribute<std::vector<std::int64_t>>(transpose.attributes, "perm");
    if (perm == nullptr) return rank - 1 - axis;
    const auto found = std::ranges::find(*perm, axis);
    if (found == perm->end()) return std::nullopt;
    return found - perm->begin();
  }

  std::optional<std::int64_t> output_axis(const ProgramNode& layer, std::size_t input,
                                          std::int64_t rank) const {
    const std::string_view type = operator_of(layer);
    if (!layer.schema.starts_with("onnx::") || !is_weight_operand(type, input)) return std::nullopt;
    if (type == "Conv") return 0;
    if (type == "ConvTranspose") {
      if (integer_of(layer.attributes, "group").value_or(1) != 1) return std::nullopt;
      return 1;
    }
    // A constant on both sides is no layer.
    if (view_.is_constant(layer.inputs[1 - input])) return std::nullopt;
    const bool turned =
        type == "Gemm" &&
        integer_of(layer.attributes, input == 0 ? "transA" : "transB").value_or(0) != 0;
    return (input == 1) != turned ? rank - 1 : rank - 2;
  }

  /// A constant on both sides is no layer.
  bool is_weight_of(const ProgramNode& layer, std::size_t input) const {
    const std::string_view type = operator_of(layer);
    const bool weighs = is_weight_operand(type, input) ||
                        (input == 1 && (type.starts_with("conv") || type == "linear"));
    const std::size_t other = input == 0 ? view_.input(layer, 1) : view_.input(layer, 0);
    return weighs && other != none && !view_.is_constant(other);
  }

  /// Constants that are added or compared are stored as values are, not as weights.
  bool is_weight(const ProgramNode& dequantiser) const {
    std::size_t value = dequantiser.outputs.empty() ? none : dequantiser.outputs[0];
    for (int depth = 0; value != none && depth < 4; ++depth) {
      const auto& readers = view_.readers(value);
      if (readers.empty()) return false;
      const ProgramNode& reader = view_.node(readers.front().node);
      if (operator_of(reader) != "Transpose" && operator_of(reader) != "Reshape")
        return is_weight_of(reader, readers.front().input);
      value = reader.outputs.empty() ? none : reader.outputs[0];
    }
    return false;
  }

  bool dequantises_int8_weight(const ProgramNode& node) const {
    return node.role == QuantisedRole::dequantise && !node.quantised.empty() &&
           !node.inputs.empty() && node.quantised[0].quantisation->dtype == "int8" &&
           view_.is_constant(node.inputs[0]) && is_weight(node);
  }

  /// Quantisers store all weights of one kind alike: symmetric, or not.
  void check_symmetry() {
    std::vector<const ProgramNode*> shifted;
    std::size_t symmetric = 0;
    for (const ProgramNode& node : view_.nodes()) {
      if (!dequantises_int8_weight(node)) continue;
      if (is_nonzero(node.quantised[0].quantisation->zero_point))
        shifted.push_back(&node);
      else
        ++symmetric;
    }
    if (symmetric < min_symmetric || shifted.size() * 4 > symmetric) return;
    for (const ProgramNode* node : shifted)
      report(*node,
             view_.spoken(*node) +
                 " gives int8 weights a zero point, unlike all others of the file",
             "quantise these weights symmetrically, with the zero point 0",
             std::to_string(symmetric) + " other int8 weights of the file are symmetric");
  }

  /// The table that says what the target demands of files of this format.
  const TargetProfile* for_format(const TargetProfile& target) const {
    if (graph_.origin.format != FileFormat::onnx || !target.symmetric.empty()) return &target;
    for (const auto& other : target.counterparts)
      if (!other->symmetric.empty()) return other.get();
    return &target;
  }

  bool is_of_weights(const ProgramNode& node, const QuantisedOperand& each) const {
    if (each.operand == QuantisedOperand::result) return false;
    const std::size_t operand = view_.input(node, each.operand);
    return operand != none && view_.is_constant(operand);
  }

  /// Weights one by one; activations, which are stored alike throughout, once.
  void check_zero_points(const TargetProfile& target) {
    const auto demands = [&](const char* of) { return contains(target.symmetric, of); };
    const ProgramNode* first = nullptr;
    std::size_t activations = 0;
    for (const ProgramNode& node : view_.nodes())
      for (const QuantisedOperand& each : node.quantised) {
        const bool weights = is_of_weights(node, each);
        if (!is_nonzero(each.quantisation->zero_point)) continue;
        if (weights && demands("weights"))
          report(node,
                 view_.spoken(node) + " gives weights a zero point, which the target `" +
                     target.name + "` does not take",
                 "quantise the weights symmetrically, with the zero point 0",
                 target.symmetric_reason, {target.name});
        if (weights || node.role != QuantisedRole::quantise) continue;
        if (first == nullptr) first = &node;
        ++activations;
      }
    if (first != nullptr && demands("activations"))
      report(*first,
             view_.spoken(*first) + " gives an activation a zero point, which the target `" +
                 target.name + "` does not take",
             "quantise the activations symmetrically: as int8, with the zero point 0",
             plural(activations, "activation") + " of the file " +
                 (activations == 1 ? "has" : "have") + " one: " + target.symmetric_reason,
             {target.name});
  }

  const ConnectedGraph& graph_;
  ProgramView view_;
  const Context& context_;
  Diagnostics& diagnostics_;
};

/// Values that are quantised in one way and read in another.
void run(const ConnectedGraph& graph, const Context& context, Diagnostics& diagnostics) {
  PairChecker(graph, context, diagnostics).run();
}

} // namespace

const Check checks::quantisation_pair(rule, run);

} // namespace model_validator
