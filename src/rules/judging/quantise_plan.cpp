#include "connected_graph/op_type.h"
#include "rules/judging/quantised_values.h"

#include <model_validator/data/contains.h>
#include <model_validator/data/dtype.h>
#include <model_validator/error.h>
#include <model_validator/program.h>
#include <model_validator/quantise_plan.h>
#include <model_validator/quantiser_rules.h>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

namespace model_validator {
namespace {

constexpr std::uint64_t scale_bytes = 4;

std::uint64_t elements_of(const TensorType& type) {
  if (!type.shape) return 0;
  std::uint64_t count = 1;
  for (const std::int64_t size : *type.shape) {
    if (size < 0) return 0;
    count *= static_cast<std::uint64_t>(size);
  }
  return count;
}

unsigned bits_of(const TensorType& type) {
  const auto dtype = dtype_named(type.dtype);
  return dtype ? facts_of(*dtype).bits : 0;
}

bool is_float(const ProgramValue& value) {
  return value.type.dtype == "float32" || value.type.dtype == "float64" ||
         value.type.dtype == "float16" || value.type.dtype == "bfloat16";
}

/// How many numbers share their input channel's row: the size that a group divides.
std::int64_t width_of(const ProgramNode& node, const std::vector<std::int64_t>& shape) {
  return node.schema.starts_with("onnx::") ? shape.front() : shape.back();
}

/// Why the weight of a node is not quantised by itself; empty if it is.
std::string why_weight_stays(const ProgramNode& node, const Program& program,
                             const QuantisationScheme& scheme) {
  const std::size_t weight = node.inputs.size() > 1 ? node.inputs[1] : none;
  if (weight == none || !program.values[weight].stored()) return "its weight is computed";
  const auto& shape = program.values[weight].type.shape;
  if (!shape || shape->size() != 2) return "its weight is no matrix";
  if (scheme.group_divides && width_of(node, *shape) % scheme.group != 0)
    return "groups of " + std::to_string(scheme.group) + " do not divide its width, " +
           std::to_string(width_of(node, *shape));
  return {};
}

/// Adds up what the constants of a model take, before and after they are quantised.
class PlannedSize {
public:
  PlannedSize(const Program& program, const QuantisationScheme& scheme)
      : program_(program), scheme_(scheme), bytes_(program.values.size()) {
    for (std::size_t i = 0; i < program.values.size(); ++i) {
      const ProgramValue& value = program.values[i];
      if (value.stored()) bytes_[i] = elements_of(value.type) * bits_of(value.type) / 8;
    }
  }

  /// The constants of a node become as the scheme says.
  /// @param row  what the quantiser does with such nodes; null: it takes the weight alone
  void take(const ProgramNode& node, const QuantisedOperators* row) {
    for (std::size_t i = 0; i < node.inputs.size(); ++i) {
      const std::size_t value = node.inputs[i];
      if (value == none) continue;
      const auto number = static_cast<int>(i);
      const bool taken = scheme_.everything ? true
                         : row == nullptr   ? i == 1
                                            : row->all_operands || contains(row->operands, number);
      if (taken)
        store(value, quantised_bytes(program_.values[value]));
      else if (row != nullptr && row->bias == number)
        store(value, elements_of(program_.values[value].type) * 4);
    }
  }

  /// What they take now: less after each `take`.
  std::uint64_t bytes() const {
    return std::accumulate(bytes_.begin(), bytes_.end(), std::uint64_t{0});
  }

private:
  void store(std::size_t value, std::uint64_t bytes) {
    if (value != none && bytes_[value] > 0 && is_float(program_.values[value]))
      bytes_[value] = std::min(bytes_[value], bytes);
  }

  std::uint64_t quantised_bytes(const ProgramValue& value) const {
    const std::uint64_t count = elements_of(value.type);
    const auto bits = static_cast<std::uint64_t>(scheme_.bits);
    if (scheme_.everything) return count * bits / 8;
    std::uint64_t scales = 1;
    if (scheme_.grouped)
      scales = (count + static_cast<std::uint64_t>(scheme_.group) - 1) /
               static_cast<std::uint64_t>(scheme_.group);
    else if (scheme_.per_channel && value.type.shape && value.type.shape->size() > 1)
      scales = static_cast<std::uint64_t>(value.type.shape->front());
    return (count * bits + 7) / 8 + scales * (scale_bytes + 1);
  }

  const Program& program_;
  const QuantisationScheme& scheme_;
  std::vector<std::uint64_t> bytes_; ///< of each value that is a constant
};

using Fate = PlannedNode::State;

/// The number after `:g`; 0 if there is none.
int group_in(std::string_view name) {
  const auto at = name.find(":g");
  int group = 0;
  if (at == std::string_view::npos) return 0;
  const auto [end, error] = std::from_chars(name.data() + at + 2, name.data() + name.size(), group);
  return error == std::errc{} && end == name.data() + name.size() ? group : 0;
}

std::string names_of(const QuantiserRules& rules) {
  std::string names;
  for (const QuantisationScheme& scheme : rules.schemes)
    names += (names.empty() ? "" : ", ") + scheme.name + (scheme.grouped ? ":g128" : "");
  return names;
}

void describe(const ProgramNode& node, const Program& program, PlannedNode& planned) {
  planned.name = node.name;
  if (planned.name.empty() && !node.outputs.empty())
    planned.name = program.values[node.outputs[0]].name;
  planned.type = bare_operator(node.schema);
  planned.op = node.op;
}

/// Whether a node computes with the model's tensors, not with sizes alone.
bool handles_tensors(const ConnectedGraph& graph, const ProgramNode& node) {
  const OpKind kind = graph.op(node.op).kind;
  return kind != OpKind::query && kind != OpKind::control_flow && kind != OpKind::constant &&
         node.schema != "onnx::Constant";
}

/// Weights alone, or every constant: no value between the nodes decides anything.
void judge_by_weights(const ProgramNode& node, const Program& program,
                      const QuantisationScheme& scheme, PlannedNode& planned) {
  if (scheme.everything) {
    planned.known = true;
    planned.state = contains(scheme.except, planned.type) ? Fate::stays : Fate::quantised;
    if (planned.state == Fate::stays) planned.reason = "it is left in float32";
    return;
  }
  planned.known = contains(scheme.operators, planned.type);
  planned.reason = planned.known ? why_weight_stays(node, program, scheme)
                                 : "no operator whose weights it quantises";
  planned.state = planned.reason.empty() ? Fate::quantised : Fate::stays;
}

} // namespace

const char* to_string(PlannedNode::State state) {
  switch (state) {
  case Fate::quantised: return "quantised";
  case Fate::partly: return "partly";
  case Fate::removed: return "removed";
  case Fate::stays: break;
  }
  return "float";
}

QuantisationScheme find_scheme(const TargetProfile& target, std::string_view name) {
  if (!target.quantiser || target.quantiser->schemes.empty())
    throw Error(ErrorKind::usage, "", "target `" + target.name + "` is no quantiser",
                "`model_validator targets` lists the targets");
  const std::string_view bare = name.substr(0, name.find(':'));
  for (const QuantisationScheme& scheme : target.quantiser->schemes) {
    const int group = group_in(name);
    if (scheme.name != bare || scheme.grouped != (group > 0) ||
        (bare.size() != name.size() && group <= 0))
      continue;
    QuantisationScheme found = scheme;
    found.group = group;
    return found;
  }
  throw Error(ErrorKind::usage, "",
              "target `" + target.name + "` has no scheme `" + std::string(name) + "`",
              "it has " + names_of(*target.quantiser));
}

QuantisePlan plan_quantisation(const ConnectedGraph& graph, const TargetProfile& target,
                               const QuantisationScheme& scheme) {
  if (!graph.program)
    throw Error(ErrorKind::usage, graph.origin.path,
                "the nodes of this format are not known one by one",
                "export the model to ONNX or with torch.export");
  const Program& program = *graph.program;
  QuantisePlan plan;
  plan.target = target.name;
  plan.scheme = scheme.name + (scheme.grouped ? ":g" + std::to_string(scheme.group) : "");
  plan.quantised = program.quantised;
  PlannedSize size(program, scheme);
  plan.float_bytes = size.bytes();
  const bool by_weights = scheme.weights_only || scheme.everything;
  auto judged = by_weights ? std::vector<rules::JudgedNode>(program.nodes.size())
                           : rules::judge_by_values(graph, *target.quantiser);
  for (std::size_t i = 0; i < program.nodes.size(); ++i) {
    const ProgramNode& node = program.nodes[i];
    if (node.op == none || !handles_tensors(graph, node)) continue;
    auto& [planned, row] = judged[i];
    describe(node, program, planned);
    if (by_weights) judge_by_weights(node, program, scheme, planned);
    if (planned.state == Fate::quantised || planned.state == Fate::partly) size.take(node, row);
    plan.nodes.push_back(std::move(planned));
  }
  if (std::ranges::none_of(plan.nodes, [](const PlannedNode& node) { return node.known; }))
    throw Error(ErrorKind::usage, graph.origin.path,
                "target `" + target.name + "` knows no operator of this file",
                graph.origin.format == FileFormat::onnx
                    ? "its operators are those of PyTorch: try `--target onnxruntime-quantize`"
                    : "its operators are those of ONNX: try `--target xnnpack-quantize`");
  plan.planned_bytes = size.bytes();
  return plan;
}

} // namespace model_validator
